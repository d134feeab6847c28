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

// Limited searches.

static void require_valid(const NcMap* map, NcQuery* query, const NcPathDef* def, NcPathInfo info)
{
	static NcVec2 points[4096];
	int count = nc_query_get_path_points(query, points, NC_COUNT(points));
	assert_int_equal(count, info.point_count);
	for (int i = 1; i < count; ++i)
	{
		for (int k = 0; k <= 20; ++k)
		{
			NcVec2 p = nc_lerp(points[i - 1], points[i], k / 20.0);
			assert_true(compute_wall_distance(map, p) >= def->radius - 1e-4);
		}
	}
	if (count > 0)
	{
		assert_vec2(points[0], def->start.x, def->start.y, 1e-9);
	}
}

static void partial_paths_are_valid_and_go_on_to_the_same_end(void** state)
{
	(void)state;
	uint64_t seed = 161;
	int partial_count = 0;
	for (int round = 0; round < 30; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		for (int i = 0; i < 10; ++i)
		{
			static const int limits[] = {5, 50, 500, 1};
			NcPathDef def = nc_default_path_def();
			def.start = random_vec2(&seed, nc_map_get_bounds(map));
			def.goal = random_vec2(&seed, nc_map_get_bounds(map));
			def.radius = random_between(&seed, 0.0, 1.0);
			NcPathInfo whole, info;
			bool is_found = nc_query_find_path(query, &def, &whole);
			def.max_iterations = limits[i % 4];
			nc_query_find_path(query, &def, &info);
			while (info.outcome == NC_PATH_PARTIAL)
			{
				++partial_count;
				require_valid(map, query, &def, info);
				assert_true(info.visited_count % def.max_iterations == 0);
				assert_true(info.goal_distance > 0.0);
				nc_query_continue_path(query, &def, &info);
			}
			assert_in_round(info.outcome == whole.outcome, round);
			assert_in_round(!is_found || info.length == whole.length, round);
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(partial_count > 100);
}

// The double U of the 2010 thesis: two pockets, one after the other, between start and goal.
static NcMap* create_double_u(void)
{
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 200.0, 100.0);
	for (int i = 0; i < 2; ++i)
	{
		double x = 50.0 + 60.0 * i;
		scene_add_box(&scene, x, 20.0, x + 30.0, 24.0);
		scene_add_box(&scene, x, 76.0, x + 30.0, 80.0);
		scene_add_box(&scene, x + 26.0, 24.0, x + 30.0, 76.0);
		// Pillars give the almost blind agent something to look at.
		for (int k = 0; k < 18; ++k)
		{
			scene_add_single(&scene, x + 4.0 + 7.0 * (k % 3), 30.0 + 7.0 * (int)(k / 3));
		}
	}
	return scene_create_map(&scene, NULL);
}

// Walk along partial paths of few iterations. @return how near the goal the agent got
static double walk_almost_blind(NcQuery* query, bool perceives, int* search_count)
{
	NcPathDef def = nc_default_path_def();
	def.start = (NcVec2){10.0, 50.0};
	def.goal = (NcVec2){190.0, 50.0};
	def.radius = 1.0;
	def.max_iterations = 5;
	double nearest = nc_distance(def.start, def.goal);
	for (*search_count = 0; *search_count < 200; ++*search_count)
	{
		def.dead_end_distance = perceives ? nearest : 0.0;
		NcPathInfo info;
		bool is_found = nc_query_find_path(query, &def, &info);
		NcVec2 points[512];
		int count = nc_query_get_path_points(query, points, NC_COUNT(points));
		assert_true(count >= 2 && count <= NC_COUNT(points));
		if (is_found)
		{
			return 0.0;
		}
		// Some steps along the path, as agents do, and look again.
		double left = 15.0;
		for (int i = 1; i < count && left > 0.0; ++i)
		{
			double length = nc_distance(points[i - 1], points[i]);
			double part = length > left ? left / length : 1.0;
			def.start = nc_lerp(points[i - 1], points[i], part);
			left -= length;
			nearest = nc_min(nearest, nc_distance(def.start, def.goal));
		}
	}
	return nearest;
}

static void dead_ends_are_perceived_and_left(void** state)
{
	(void)state;
	NcMap* map = create_double_u();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	int search_count;
	double nearest = walk_almost_blind(query, false, &search_count);
	assert_true(nearest > 100.0 && nearest < 150.0); // caught in the first pocket
	assert_near(walk_almost_blind(query, true, &search_count), 0.0, 0.0);
	assert_true(search_count < 60);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static double tick(void* context)
{
	double* time = context;
	return *time += 1.0;
}

static void time_limits_stop_searches(void** state)
{
	(void)state;
	uint64_t seed = 162;
	NcMap* map = create_random(&seed, 1);
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	double time = 0.0;
	NcPathDef def = nc_default_path_def();
	def.start = (NcVec2){-59.0, -59.0};
	def.goal = (NcVec2){59.0, 59.0};
	def.clock = tick;
	def.clock_context = &time;
	def.max_time = 1.0;
	NcPathInfo info;
	nc_query_find_path(query, &def, &info);
	int rounds = 0;
	for (; info.outcome == NC_PATH_PARTIAL && rounds < 1000; ++rounds)
	{
		assert_true(info.visited_count <= 16 * (rounds + 1));
		nc_query_continue_path(query, &def, &info);
	}
	assert_int_equal(info.outcome, NC_PATH_FOUND);
	assert_true(rounds >= 1);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void updates_make_limited_searches_begin_anew(void** state)
{
	(void)state;
	NcMap* map = create_two_ways();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcPathDef def = nc_default_path_def();
	def.start = (NcVec2){20.0, 20.0};
	def.goal = (NcVec2){80.0, 20.0};
	def.max_iterations = 1;
	NcPathInfo info;
	assert_false(nc_query_find_path(query, &def, &info));
	assert_int_equal(info.outcome, NC_PATH_PARTIAL);
	NcVec2 corners[] = {{40.0, 10.0}, {60.0, 10.0}, {60.0, 30.0}, {40.0, 30.0}};
	NcShape shape = {.kind = NC_SHAPE_POLYGON, .points = corners, .point_count = 4};
	NcObstacleId id;
	assert_int_equal(nc_map_add_obstacle(map, &shape, &id, NULL), NC_OK);
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	assert_int_equal(nc_query_get_path_points(query, NULL, 0), 0);
	def.max_iterations = 0;
	assert_true(nc_query_continue_path(query, &def, &info));
	assert_true(info.length > 120.0); // through the other door
	nc_query_destroy(query);
	nc_map_destroy(map);
}

// Costs and goals.

static double avoid_low_edges(void* context, int edge, double length)
{
	const NcMap* map = context;
	NcMapEdge found;
	assert_true(nc_map_get_edge(map, edge, &found));
	return found.min_position.y < 50.0 ? 10.0 * length : 0.0;
}

static void penalties_lead_around(void** state)
{
	(void)state;
	NcMap* map = create_two_ways();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcPathDef def = nc_default_path_def();
	NcPathInfo plain, info;
	def.start = (NcVec2){20.0, 45.0};
	def.goal = (NcVec2){80.0, 45.0};
	def.radius = 1.0;
	def.route = NC_ROUTE_MEDIAL;
	assert_true(nc_query_find_path(query, &def, &plain));
	def.edge_cost = avoid_low_edges;
	def.edge_cost_context = map;
	assert_true(nc_query_find_path(query, &def, &info));
	assert_true(info.length > plain.length && info.axis_cost >= plain.axis_cost);
	assert_near(info.min_clearance, 8.0, 1e-6); // the other door
	assert_near(plain.min_clearance, 2.0, 1e-6);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void the_cheapest_of_several_goals_is_chosen(void** state)
{
	(void)state;
	uint64_t seed = 163;
	for (int round = 0; round < 20; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		NcVec2 goals[5];
		NcPathDef def = nc_default_path_def();
		def.start = random_vec2(&seed, nc_map_get_bounds(map));
		def.route = NC_ROUTE_MEDIAL;
		NcPathInfo info;
		double best = HUGE_VAL;
		for (int i = 0; i < NC_COUNT(goals); ++i)
		{
			goals[i] = random_vec2(&seed, nc_map_get_bounds(map));
			def.goal = goals[i];
			NcLocation location;
			if (nc_query_find_path(query, &def, &info) &&
				nc_query_locate(query, goals[i], &location))
			{
				double cost = info.axis_cost + nc_distance(goals[i], location.retraction);
				best = nc_min(best, cost);
			}
		}
		def.goals = goals;
		def.goal_count = NC_COUNT(goals);
		bool is_found = nc_query_find_path(query, &def, &info);
		assert_in_round(is_found == (best < HUGE_VAL), round);
		if (is_found)
		{
			NcLocation location;
			assert_true(nc_query_locate(query, goals[info.goal_index], &location));
			double extra = nc_distance(goals[info.goal_index], location.retraction);
			assert_in_round(fabs(info.axis_cost + extra - best) < 1e-4, round);
		}
		def.goal_count = 0;
		assert_false(nc_query_find_path(query, &def, &info));
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
}

static void retractions_embed_points_best(void** state)
{
	(void)state;
	uint64_t seed = 164;
	for (int round = 0; round < 10; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		for (int i = 0; i < 20; ++i)
		{
			NcLocation location;
			NcVec2 p = random_vec2(&seed, nc_map_get_bounds(map));
			if (!nc_query_locate(query, p, &location))
			{
				continue;
			}
			double depth = nc_distance(location.retraction, location.closest) -
						   nc_distance(location.retraction, p);
			for (int e = 0; e < nc_map_get_edge_range(map); ++e)
			{
				static NcVec2 points[512];
				int count = nc_map_get_edge_points(map, e, 0.01, points, NC_COUNT(points));
				for (int k = 0; k < count && k < NC_COUNT(points); ++k)
				{
					double other = nc_query_get_clearance(query, points[k]);
					assert_true(other - nc_distance(points[k], p) <= depth + 1e-3);
				}
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(costs_are_those_of_brute_force),
		TEST(radius_decides_which_door_is_taken),
		TEST(searches_do_not_disturb_each_other),
		TEST(ways_within_one_edge_are_direct),
		TEST(partial_paths_are_valid_and_go_on_to_the_same_end),
		TEST(dead_ends_are_perceived_and_left),
		TEST(time_limits_stop_searches),
		TEST(updates_make_limited_searches_begin_anew),
		TEST(penalties_lead_around),
		TEST(the_cheapest_of_several_goals_is_chosen),
		TEST(retractions_embed_points_best),
	};
	return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
