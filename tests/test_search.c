// SPDX-License-Identifier: MIT

// The search against Dijkstra's algorithm in its slowest form, on the graph that everybody can
// read.

#include "test.h"

#include "query_state.h"

#define MAX_VERTICES 2000

static NcMap* create_random(uint64_t* seed, int round)
{
	static Scene scene;
	scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
	scene_add_random(&scene, seed, 9, 55.0, round % 3 ? 0.37 : 10.0);
	return scene_create_map(&scene, NULL);
}

// The shortest ways from a vertex to all others over edges that are wide enough.
static void compute_costs(const NcMap* map, int start, double radius, double* costs)
{
	static bool is_done[MAX_VERTICES];
	int count = nc_map_get_vertex_range(map);
	assert_true(count <= MAX_VERTICES);
	for (int v = 0; v < count; ++v)
	{
		costs[v] = v == start ? 0.0 : HUGE_VAL;
		is_done[v] = false;
	}
	for (;;)
	{
		int best = NC_NULL_INDEX;
		for (int v = 0; v < count; ++v)
		{
			bool is_better = best == NC_NULL_INDEX || costs[v] < costs[best];
			best = !is_done[v] && costs[v] < HUGE_VAL && is_better ? v : best;
		}
		if (best == NC_NULL_INDEX)
		{
			return;
		}
		is_done[best] = true;
		NcEdgeEnd ends[64];
		int end_count = nc_map_get_vertex_edges(map, best, ends, 64);
		for (int i = 0; i < end_count; ++i)
		{
			NcMapEdge edge;
			nc_map_get_edge(map, ends[i].edge, &edge);
			int other = edge.vertices[!ends[i].end];
			double cost = costs[best] + edge.length;
			costs[other] = edge.min_clearance >= radius ? nc_min(costs[other], cost) : costs[other];
		}
	}
}

// The length of the arcs of the path found last, in world units, and whether they hang together.
static double measure_arcs(const NcQuery* query, int round)
{
	double length = 0.0;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		const NcArc* arc = &query->arcs.data[i].arc;
		length += nc_arc_compute_length(arc);
		if (i > 0)
		{
			NcVec2 before = query->arcs.data[i - 1].arc.ends[1];
			assert_in_round(nc_distance(before, arc->ends[0]) == 0.0, round);
		}
	}
	return query->map->snap * length;
}

// Start and goal are vertices, so that everything in between is whole edges.
static bool choose_vertex(const NcMap* map, uint64_t* seed, double radius, int* index, NcVec2* p)
{
	NcMapVertex vertex;
	do
	{
		*index = random_int(seed, 0, nc_map_get_vertex_range(map) - 1);
	} while (!nc_map_get_vertex(map, *index, &vertex));
	*p = vertex.position;

	// A vertex is known to within some hundredths of a snap.
	return vertex.clearance > radius + 0.1 * nc_map_get_snap(map);
}

static void costs_are_those_of_brute_force(void** state)
{
	(void)state;
	uint64_t seed = 151;
	int counts[2] = {0};
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		double tolerance = 0.2 * nc_map_get_snap(map);
		for (int i = 0; i < 40 && nc_map_get_stats(map).vertex_count > 0; ++i)
		{
			static double costs[MAX_VERTICES];
			int start, goal;
			NcPathDef def = nc_default_path_def();
			NcPathInfo info;
			def.route = NC_ROUTE_MEDIAL;
			def.radius = i % 2 ? random_between(&seed, 0.0, 3.0) : 0.0;
			if (!choose_vertex(map, &seed, def.radius, &start, &def.start) ||
				!choose_vertex(map, &seed, def.radius, &goal, &def.goal))
			{
				continue;
			}
			compute_costs(map, start, def.radius, costs);
			bool is_found = nc_query_find_path(query, &def, &info);
			++counts[is_found];
			assert_in_round(is_found == (costs[goal] < HUGE_VAL), round);
			if (is_found)
			{
				double length = measure_arcs(query, round);
				assert_in_round(fabs(length - costs[goal]) < tolerance + 1e-9 * length, round);
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(counts[0] > 30 && counts[1] > 100);
}

static NcMap* create_two_ways(void)
{
	// A short way with a narrow door of 4 units, and a long one with a wide door of 16.
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 45.0, 0.0, 55.0, 18.0);
	scene_add_box(&scene, 45.0, 22.0, 55.0, 80.0);
	scene_add_box(&scene, 45.0, 96.0, 55.0, 100.0);
	return scene_create_map(&scene, NULL);
}

static double find_length(NcQuery* query, double radius, NcPathOutcome outcome)
{
	NcPathDef def = nc_default_path_def();
	def.start = (NcVec2){20.0, 20.0};
	def.goal = (NcVec2){80.0, 20.0};
	def.radius = radius;
	NcPathInfo info;
	assert_int_equal(nc_query_find_path(query, &def, &info), outcome == NC_PATH_FOUND);
	assert_int_equal(info.outcome, outcome);
	return info.length;
}

static void radius_decides_which_door_is_taken(void** state)
{
	(void)state;
	NcMap* map = create_two_ways();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	double thin = find_length(query, 1.0, NC_PATH_FOUND);
	double exact = find_length(query, 2.0, NC_PATH_FOUND);
	double thick = find_length(query, 2.001, NC_PATH_FOUND);
	double widest = find_length(query, 8.0, NC_PATH_FOUND);
	assert_true(thin < 75.0 && exact < 75.0);
	assert_true(thick > 120.0 && widest > 120.0);
	find_length(query, 8.001, NC_PATH_NONE);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void searches_do_not_disturb_each_other(void** state)
{
	(void)state;
	NcMap* map = create_two_ways();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	double first = find_length(query, 1.0, NC_PATH_FOUND);
	double second = find_length(query, 5.0, NC_PATH_FOUND);
	for (int i = 0; i < 50; ++i)
	{
		// Near the end of all search numbers, too.
		query->search.number = i == 25 ? UINT32_MAX - 3 : query->search.number;
		find_length(query, 9.0, NC_PATH_NONE);
		assert_near(find_length(query, 1.0, NC_PATH_FOUND), first, 0.0);
		assert_near(find_length(query, 5.0, NC_PATH_FOUND), second, 0.0);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void ways_within_one_edge_are_direct(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 400.0, 20.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	for (int i = 0; i < 2; ++i)
	{
		NcPathDef def = nc_default_path_def();
		NcPathInfo info;
		def.route = NC_ROUTE_MEDIAL;
		def.radius = 3.0;
		def.start = (NcVec2){i ? 300.0 : 100.0, 7.0};
		def.goal = (NcVec2){i ? 100.0 : 300.0, 13.0};
		assert_true(nc_query_find_path(query, &def, &info));
		assert_near(measure_arcs(query, i), 200.0, 1e-6);
		assert_near(info.length, 206.0, 1e-6);
		assert_near(info.min_clearance, 10.0, 1e-6);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(costs_are_those_of_brute_force),
		TEST(radius_decides_which_door_is_taken),
		TEST(searches_do_not_disturb_each_other),
		TEST(ways_within_one_edge_are_direct),
	};
	return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
