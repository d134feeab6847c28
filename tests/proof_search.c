// SPDX-License-Identifier: MIT
// The fast search against the plain one: see proof_search.h.

#include "proof_search.h"

#include "check.h"

#include "edit.h"
#include "query_state.h"
#include "scenes.h"
#include "scenes_kinds.h"

#include <stdio.h>
#include <stdlib.h>

const char* const proof_search_scenes[PROOF_SEARCH_SCENE_COUNT] = {
	"city:12", "city17:12", "mixed:1", "lattice:1", "overlap:1", "random:400"};

typedef struct Proof
{
	const char* scene;
	NcMap* map;
	NcQuery *fast, *plain;
	double max_radius;
	uint64_t seed;
	SearchProof result;
} Proof;

static void fail(Proof* proof, const char* what, const NcPathDef* def)
{
	if (proof->result.failure_count++ < 10)
	{
		fprintf(stderr, "%s: %s from %.17g,%.17g to %.17g,%.17g with %.17g\n", proof->scene, what,
			def->start.x, def->start.y, def->goal.x, def->goal.y, def->radius);
	}
}

static NcVec2 choose_point(Proof* proof)
{
	NcBox box = nc_map_get_bounds(proof->map);
	double x = scenes_random_double(&proof->seed, box.lower.x, box.upper.x);
	return (NcVec2){x, scenes_random_double(&proof->seed, box.lower.y, box.upper.y)};
}

// Some edges are crowded, and some are closed.
static double get_cost(void* context, int edge, double length)
{
	(void)context;
	uint32_t hash = (uint32_t)edge * 2654435761u;
	return hash >> 28 == 0 ? HUGE_VAL : length * (1.0 + (double)(hash >> 30));
}

// Let the landmarks be in any state: none, on their way, some of them there, or all.
static void disturb(Proof* proof)
{
	static const int steps[] = {0, 0, 1, 10, 100, 100000};
	const NcGraph* graph = &proof->map->world.graph;
	int vertex = scenes_random_int(&proof->seed, 0, graph->vertices.count - 1);
	int choice = scenes_random_int(&proof->seed, 0, NC_COUNT(steps) - 1);
	if (graph->vertices.data[vertex].junction != NC_NULL_INDEX && steps[choice] > 0)
	{
		nc_landmarks_advance(&proof->fast->landmarks, proof->map, vertex, 0, steps[choice]);
	}
}

static bool are_arcs_equal(const NcQuery* a, const NcQuery* b)
{
	bool is_equal = a->arcs.count == b->arcs.count;
	for (int i = 0; is_equal && i < a->arcs.count; ++i)
	{
		const NcPathArc* p = &a->arcs.data[i];
		const NcPathArc* q = &b->arcs.data[i];
		is_equal =
			p->piece == q->piece && memcmp(p->arc.ends, q->arc.ends, sizeof(p->arc.ends)) == 0;
	}
	return is_equal;
}

// The numbers of neighbours differ by no more than the edge in between costs, and those of a
// landmark whose vertex is still there are exact: some neighbour explains them.
static bool is_landmark_right(const NcQuery* query, int k)
{
	const NcGraph* graph = &query->map->world.graph;
	const NcLandmarkValues* values = query->landmarks.vertices.data;
	int source = query->landmarks.sources[k];
	bool has_source =
		graph->vertices.data[source].junction != NC_NULL_INDEX && values[source].values[k] == 0;
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		int64_t lowest = NC_BLOCKED;
		const NcGraphVertex* vertex = &graph->vertices.data[v];
		for (int i = 0; vertex->junction != NC_NULL_INDEX && i < vertex->end_count; ++i)
		{
			NcEdgeEnd end = graph->ends.data[vertex->end_begin + i];
			int other = graph->edges.data[end.edge].vertices[!end.end];
			int64_t through = values[other].values[k] + nc_search_get_cost(query, end.edge);
			lowest = through < lowest ? through : lowest;
		}
		bool is_exact = v == source || values[v].values[k] == lowest;
		if (vertex->junction != NC_NULL_INDEX &&
			(values[v].values[k] > lowest || (has_source && !is_exact)))
		{
			return false;
		}
	}
	return true;
}

static void check_landmarks(Proof* proof, const NcPathDef* def)
{
	NcQuery* query = proof->fast;
	uint32_t usable = nc_landmarks_catch_up(&query->landmarks, proof->map);
	query->search.edge_cost = NULL;
	for (int k = 0; k < NC_LANDMARK_COUNT; ++k)
	{
		if ((usable & (1u << k)) && !is_landmark_right(query, k))
		{
			fail(proof, "a landmark is wrong", def);
		}
	}
}

static void check_question(Proof* proof)
{
	NcPathDef def = nc_default_path_def();
	NcVec2 goals[3] = {choose_point(proof), choose_point(proof), choose_point(proof)};
	def.start = choose_point(proof);
	def.goal = goals[0];
	def.goals = scenes_random_int(&proof->seed, 0, 3) == 0 ? goals : NULL;
	def.goal_count = 3;
	def.radius = scenes_random_int(&proof->seed, 0, 1) == 0
					 ? 0.0
					 : scenes_random_double(&proof->seed, 0.0, proof->max_radius);
	def.edge_cost = scenes_random_int(&proof->seed, 0, 3) == 0 ? get_cost : NULL;
	def.route = NC_ROUTE_MEDIAL;
	NcPathInfo fast, plain;
	bool is_found = nc_query_find_path(proof->fast, &def, &fast);
	bool has_landmarks = proof->fast->search.landmarks != 0;
	def.method = NC_SEARCH_PLAIN;
	nc_query_find_path(proof->plain, &def, &plain);
	++*(is_found ? &proof->result.found_count : &proof->result.none_count);
	if (is_found && has_landmarks)
	{
		++proof->result.fast_count;
		proof->result.fast_visits += fast.visited_count;
		proof->result.plain_visits += plain.visited_count;
	}
	if (fast.outcome != plain.outcome || fast.axis_cost != plain.axis_cost ||
		fast.goal_index != plain.goal_index)
	{
		fail(proof, "another outcome", &def);
	}
	else if (is_found && !are_arcs_equal(proof->fast, proof->plain))
	{
		fail(proof, "another path", &def);
	}
	check_landmarks(proof, &def);
}

static void run(Proof* proof, EditSet* set, int question_count, int edit_count)
{
	for (int i = 0; i < question_count; ++i)
	{
		NcError error = {0};
		bool is_edit = i >= question_count / 3 && i < question_count / 3 + edit_count;
		if (is_edit &&
			(edit_stage(set, &error) != NC_OK || nc_map_update(proof->map, NULL) != NC_OK))
		{
			fprintf(stderr, "%s: an edit failed\n", proof->scene);
			++proof->result.failure_count;
		}
		disturb(proof);
		check_question(proof);
	}
}

SearchProof proof_search_run(const char* scene, int question_count, int edit_count, uint64_t seed)
{
	TestScene made;
	Proof proof = {.scene = scene, .seed = seed};
	if (!scenes_make(scene, &made))
	{
		return (SearchProof){.failure_count = 1};
	}
	int count = made.scene.shape_count;
	NcObstacleId* ids = calloc((size_t)count, sizeof(NcObstacleId));
	NcShape* shapes = calloc((size_t)count, sizeof(NcShape));
	proof.map = scenes_build_map(&made, 1, ids);
	for (int i = 0; i < count; ++i)
	{
		shapes[i] = scenes_get_shape(&made, i);
	}
	for (int v = 0; v < proof.map->world.graph.edges.count; ++v)
	{
		double clearance = proof.map->snap * proof.map->world.graph.edges.data[v].min_clearance;
		proof.max_radius = nc_max(proof.max_radius, 0.7 * clearance);
	}
	EditSet set;
	edit_begin(proof.map, shapes, ids, count, seed, &set);
	if (nc_query_create(proof.map, &proof.fast) == NC_OK &&
		nc_query_create(proof.map, &proof.plain) == NC_OK)
	{
		run(&proof, &set, question_count, edit_count);
	}
	edit_end(&set);
	nc_query_destroy(proof.fast);
	nc_query_destroy(proof.plain);
	nc_map_destroy(proof.map);
	scenes_destroy(&made);
	free(ids);
	free(shapes);
	return proof.result;
}
