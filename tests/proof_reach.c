// SPDX-License-Identifier: MIT
// Reachability against the search: see proof_reach.h.

#include "proof_reach.h"

#include "edit.h"
#include "scenes.h"
#include "scenes_kinds.h"

#include <stdio.h>
#include <stdlib.h>

const char* const proof_reach_scenes[PROOF_REACH_SCENE_COUNT] = {
	"mckenna", "city17:12", "mixed:1", "lattice:1", "overlap:1"};

typedef struct Proof
{
	const char* scene;
	NcMap* map;
	NcQuery* query;
	double max_radius;
	uint64_t seed;
	ReachProof result;
} Proof;

static void fail(Proof* proof, const char* what, NcVec2 a, NcVec2 b, double radius)
{
	if (proof->result.failure_count++ < 10)
	{
		fprintf(stderr, "%s: %s from %.17g,%.17g to %.17g,%.17g with %.17g\n", proof->scene, what,
			a.x, a.y, b.x, b.y, radius);
	}
}

static bool can_search(Proof* proof, NcVec2 a, NcVec2 b, double radius)
{
	NcPathDef def = nc_default_path_def();
	def.start = a;
	def.goal = b;
	def.radius = radius;
	def.route = NC_ROUTE_MEDIAL;
	NcPathInfo info;
	return nc_query_find_path(proof->query, &def, &info);
}

static NcVec2 choose_point(Proof* proof)
{
	NcBox box = nc_map_get_bounds(proof->map);
	double x = scenes_random_double(&proof->seed, box.lower.x, box.upper.x);
	return (NcVec2){x, scenes_random_double(&proof->seed, box.lower.y, box.upper.y)};
}

static void check_question(Proof* proof)
{
	NcVec2 a = choose_point(proof);
	NcVec2 b = choose_point(proof);
	double radius = scenes_random_int(&proof->seed, 0, 3) == 0
						? 0.0
						: scenes_random_double(&proof->seed, 0.0, proof->max_radius);
	bool expected = can_search(proof, a, b, radius);
	++*(expected ? &proof->result.reachable_count : &proof->result.unreachable_count);
	if (nc_query_is_reachable(proof->query, a, b, radius) != expected)
	{
		fail(proof, expected ? "not reachable" : "reachable", a, b, radius);
	}
}

static void check_largest(Proof* proof)
{
	NcVec2 a = choose_point(proof);
	NcVec2 b = choose_point(proof);
	double radius = nc_query_find_largest_radius(proof->query, a, b);
	if (radius < 0.0)
	{
		if (can_search(proof, a, b, 0.0))
		{
			fail(proof, "no largest radius", a, b, radius);
		}
		return;
	}
	++proof->result.tight_count;
	if (!can_search(proof, a, b, nc_max(radius - 1e-9, 0.0)))
	{
		fail(proof, "largest radius does not pass", a, b, radius);
	}
	if (can_search(proof, a, b, radius + 1e-9))
	{
		fail(proof, "more than the largest radius passes", a, b, radius);
	}
}

static void ask(Proof* proof, int question_count)
{
	for (int i = 0; i < question_count; ++i)
	{
		check_question(proof);
		if (i % 10 == 0)
		{
			check_largest(proof);
		}
	}
}

// Edit, and ask a few questions in between, so that every revision is met in every state.
static void edit(Proof* proof, const TestScene* made, NcObstacleId* ids, int edit_count)
{
	int count = made->scene.shape_count;
	NcShape* shapes = calloc((size_t)count, sizeof(NcShape));
	for (int i = 0; i < count; ++i)
	{
		shapes[i] = scenes_get_shape(made, i);
	}
	EditSet set;
	edit_begin(proof->map, shapes, ids, count, proof->seed, &set);
	for (int i = 0; i < edit_count; ++i)
	{
		NcError error = {0};
		if (edit_stage(&set, &error) != NC_OK || nc_map_update(proof->map, NULL) != NC_OK)
		{
			fprintf(stderr, "%s: an edit failed\n", proof->scene);
			++proof->result.failure_count;
		}
		check_question(proof);
		if (i % 7 == 0)
		{
			check_largest(proof);
		}
	}
	edit_end(&set);
	free(shapes);
}

ReachProof proof_reach_run(const char* scene, int question_count, int edit_count, uint64_t seed)
{
	TestScene made;
	Proof proof = {.scene = scene, .seed = seed};
	if (!scenes_make(scene, &made))
	{
		return (ReachProof){.failure_count = 1};
	}
	NcObstacleId* ids = calloc((size_t)made.scene.shape_count, sizeof(NcObstacleId));
	proof.map = scenes_build_map(&made, 1, ids);
	for (int v = 0; v < nc_map_get_vertex_range(proof.map); ++v)
	{
		NcMapVertex vertex;
		if (nc_map_get_vertex(proof.map, v, &vertex))
		{
			proof.max_radius = nc_max(proof.max_radius, 0.4 * vertex.clearance);
		}
	}
	if (nc_query_create(proof.map, &proof.query) == NC_OK)
	{
		ask(&proof, question_count);
		edit(&proof, &made, ids, edit_count);
		ask(&proof, question_count);
	}
	nc_query_destroy(proof.query);
	nc_map_destroy(proof.map);
	scenes_destroy(&made);
	free(ids);
	return proof.result;
}
