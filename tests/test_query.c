// SPDX-License-Identifier: MIT

// Questions to a map: paths keep their distance, exist where brute force finds a way, and the
// corridor around them is consistent. And: queries survive updates and lack of memory.

#include "test.h"

#define MAX_POINTS 8192
#define MAX_EVENTS 2048

static NcMap* create_random(uint64_t* seed, int round)
{
	static Scene scene;
	scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
	scene_add_random(&scene, seed, 12, 50.0, round % 3 ? 0.37 : 10.0);
	return scene_create_map(&scene, NULL);
}

static NcQuery* create_query(const NcMap* map)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	return query;
}

static NcPathDef make_random_def(uint64_t* seed, const NcMap* map, int round)
{
	NcPathDef def = nc_default_path_def();
	def.start = random_vec2(seed, nc_map_get_bounds(map));
	def.goal = random_vec2(seed, nc_map_get_bounds(map));
	def.radius = round % 4 ? random_between(seed, 0.0, 4.0) : 0.0;
	def.route = round % 2 ? NC_ROUTE_MEDIAL : NC_ROUTE_SHORTEST;
	return def;
}

// Paths.

static void require_path(
	const NcMap* map, NcQuery* query, const NcPathDef* def, const NcPathInfo* info, int round)
{
	static NcVec2 points[MAX_POINTS];
	int count = nc_query_get_path_points(query, points, MAX_POINTS);
	assert_in_round(count == info->point_count && count >= 2 && count <= MAX_POINTS, round);
	assert_in_round(nc_distance(points[0], def->start) < 1e-9, round);
	assert_in_round(nc_distance(points[count - 1], def->goal) < 1e-9, round);
	double tolerance = 0.05 * nc_map_get_snap(map);
	double length = 0.0;
	for (int i = 1; i < count; ++i)
	{
		double step = nc_distance(points[i - 1], points[i]);
		length += step;
		int parts = 1 + (int)(step / 0.25);
		for (int k = 0; k <= parts; ++k)
		{
			NcVec2 p = nc_lerp(points[i - 1], points[i], (double)k / parts);
			assert_in_round(compute_wall_distance(map, p) >= def->radius - tolerance, round);
			bool is_inside = nc_box_contains(nc_map_get_bounds(map), p);
			assert_in_round(is_inside, round);
		}
	}
	// A polyline runs around the arcs of a route.
	assert_in_round(info->length < length + 1e-9 * (1.0 + length), round);
	assert_in_round(length < info->length * 1.02 + 1e-9, round);
	assert_in_round(length >= nc_distance(def->start, def->goal) - 1e-9, round);
	assert_in_round(info->min_clearance >= def->radius - tolerance, round);
}

static void paths_keep_their_distance(void** state)
{
	(void)state;
	uint64_t seed = 161;
	int found_count = 0;
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = create_query(map);
		for (int i = 0; i < 20; ++i)
		{
			NcPathDef def = make_random_def(&seed, map, i);
			NcPathInfo info;
			if (nc_query_find_path(query, &def, &info))
			{
				++found_count;
				assert_in_round(info.outcome == NC_PATH_FOUND, round);
				require_path(map, query, &def, &info, round);
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(found_count > 150);
}

// Pulling never makes a path longer, and the way back is as possible as the way.
static void routes_of_both_kinds_and_directions_agree(void** state)
{
	(void)state;
	uint64_t seed = 162;
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = create_query(map);
		for (int i = 0; i < 30; ++i)
		{
			NcPathDef def = make_random_def(&seed, map, i);
			NcPathInfo medial, shortest, back;
			def.route = NC_ROUTE_MEDIAL;
			bool is_found = nc_query_find_path(query, &def, &medial);
			def.route = NC_ROUTE_SHORTEST;
			assert_in_round(nc_query_find_path(query, &def, &shortest) == is_found, round);
			NcVec2 start = def.start;
			def.start = def.goal;
			def.goal = start;
			assert_in_round(nc_query_find_path(query, &def, &back) == is_found, round);
			if (is_found)
			{
				assert_in_round(shortest.length <= medial.length + 1e-9, round);
				assert_in_round(
					fabs(back.length - shortest.length) < 0.02 * back.length + 1e-6, round);
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
}

// A way over a grid of places, each with so much room that all steps between neighbours have
// enough.
#define SIDE 60

static bool is_reachable_on_grid(const double* distances, int from, int to, double needed)
{
	static int queue[SIDE * SIDE];
	static bool is_seen[SIDE * SIDE];
	memset(is_seen, 0, sizeof(is_seen));
	int count = 0;
	queue[count++] = from;
	is_seen[from] = true;
	for (int i = 0; i < count; ++i)
	{
		static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
		for (int k = 0; k < 4; ++k)
		{
			int x = queue[i] % SIDE + steps[k][0];
			int y = queue[i] / SIDE + steps[k][1];
			int place = y * SIDE + x;
			if (x >= 0 && y >= 0 && x < SIDE && y < SIDE && !is_seen[place] &&
				distances[place] >= needed)
			{
				is_seen[place] = true;
				queue[count++] = place;
			}
		}
	}
	return is_seen[to];
}

static NcVec2 get_place(const NcMap* map, int place)
{
	NcBox bounds = nc_map_get_bounds(map);
	double x = (place % SIDE + 0.5) / SIDE;
	double y = ((double)(place / SIDE) + 0.5) / SIDE;
	return (NcVec2){bounds.lower.x + x * (bounds.upper.x - bounds.lower.x),
		bounds.lower.y + y * (bounds.upper.y - bounds.lower.y)};
}

static void ways_that_brute_force_finds_are_found(void** state)
{
	(void)state;
	uint64_t seed = 163;
	static double distances[SIDE * SIDE];
	int reachable_count = 0;
	for (int round = 0; round < 25; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = create_query(map);
		for (int i = 0; i < SIDE * SIDE; ++i)
		{
			// Only the clearance of free places counts.
			NcVec2 p = get_place(map, i);
			distances[i] = nc_query_get_clearance(query, p);
			double slow = compute_wall_distance(map, p);
			assert_in_round(distances[i] == 0.0 || fabs(distances[i] - slow) < 1e-9, round);
		}
		for (int i = 0; i < 20; ++i)
		{
			// Neighbours are 2 units apart: on the way at most 1 unit of clearance is lost.
			int from = random_int(&seed, 0, SIDE * SIDE - 1);
			int to = random_int(&seed, 0, SIDE * SIDE - 1);
			NcPathDef def = nc_default_path_def();
			def.radius = random_between(&seed, 0.0, 3.0);
			double needed = def.radius + 1.001;
			if (distances[from] < needed || distances[to] < needed ||
				!is_reachable_on_grid(distances, from, to, needed))
			{
				continue;
			}
			NcPathInfo info;
			def.start = get_place(map, from);
			def.goal = get_place(map, to);
			++reachable_count;
			assert_in_round(nc_query_find_path(query, &def, &info), round);
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(reachable_count > 50);
}

static void outcomes_say_what_is_blocked(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 20.0, 20.0, 40.0, 40.0);
	scene_add_wall(&scene, 70.0, 0.0, 70.0, 100.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	struct
	{
		NcVec2 start, goal;
		double radius;
		NcPathOutcome outcome;
	} cases[] = {
		{{10, 10}, {60, 60}, 1.0, NC_PATH_FOUND},
		{{10, 10}, {10, 10}, 1.0, NC_PATH_FOUND},
		{{10, 10}, {90, 10}, 0.0, NC_PATH_NONE},
		{{30, 30}, {60, 60}, 0.0, NC_PATH_START_BLOCKED},
		{{10, 10}, {30, 30}, 0.0, NC_PATH_GOAL_BLOCKED},
		{{19, 30}, {60, 60}, 1.5, NC_PATH_START_BLOCKED},
		{{10, 10}, {69, 60}, 1.5, NC_PATH_GOAL_BLOCKED},
		{{-5, 10}, {60, 60}, 0.0, NC_PATH_START_BLOCKED},
		{{10, 10}, {1e30, 60}, 0.0, NC_PATH_GOAL_BLOCKED},
		{{NOT_A_NUMBER, 10}, {60, 60}, 0.0, NC_PATH_START_BLOCKED},
		{{10, 10}, {60, HUGE_VAL}, 0.0, NC_PATH_GOAL_BLOCKED},
		{{10, 10}, {60, 60}, 1e30, NC_PATH_START_BLOCKED},
		{{10, 10}, {60, 60}, -1.0, NC_PATH_NONE},
		{{10, 10}, {60, 60}, NOT_A_NUMBER, NC_PATH_NONE},
		{{10, 10}, {60, 60}, HUGE_VAL, NC_PATH_NONE},
	};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		NcPathDef def = nc_default_path_def();
		def.start = cases[i].start;
		def.goal = cases[i].goal;
		def.radius = cases[i].radius;
		NcPathInfo info;
		bool is_found = nc_query_find_path(query, &def, &info);
		assert_in_round(is_found == (cases[i].outcome == NC_PATH_FOUND), i);
		assert_in_round(info.outcome == cases[i].outcome, i);
		assert_in_round(is_found || (info.point_count == 0 && info.length == 0.0), i);
		assert_in_round(nc_query_get_path_points(query, NULL, 0) == info.point_count, i);
		assert_in_round(nc_query_get_corridor(query, NULL, 0) == info.event_count, i);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
	nc_query_destroy(NULL);
}

static void outcomes_have_names_of_their_own(void** state)
{
	(void)state;
	for (int i = 0; i <= NC_PATH_OUT_OF_MEMORY; ++i)
	{
		for (int k = 0; k < i; ++k)
		{
			assert_string_not_equal(
				nc_path_outcome_name((NcPathOutcome)i), nc_path_outcome_name((NcPathOutcome)k));
		}
	}
	assert_string_equal(nc_path_outcome_name((NcPathOutcome)99), "unknown outcome");
}

// Corridors.

static void corridors_are_consistent(void** state)
{
	(void)state;
	uint64_t seed = 164;
	static NcMapEvent events[MAX_EVENTS];
	int corridor_count = 0;
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = create_query(map);
		double tolerance = 0.1 * nc_map_get_snap(map);
		for (int i = 0; i < 20; ++i)
		{
			NcPathDef def = make_random_def(&seed, map, i);
			NcPathInfo info;
			NcLocation ends[2];
			if (!nc_query_find_path(query, &def, &info) ||
				!nc_query_locate(query, def.start, &ends[0]) ||
				!nc_query_locate(query, def.goal, &ends[1]))
			{
				continue;
			}
			++corridor_count;
			int count = nc_query_get_corridor(query, events, MAX_EVENTS);
			assert_in_round(count == info.event_count && count >= 2 && count <= MAX_EVENTS, round);
			NcVec2 last = events[count - 1].position;
			assert_in_round(nc_distance(events[0].position, ends[0].retraction) < 1e-9, round);
			assert_in_round(nc_distance(last, ends[1].retraction) < 1e-9, round);
			for (int k = 0; k < count; ++k)
			{
				NcVec2 p = events[k].position;
				double distance = compute_wall_distance(map, p);
				double left = nc_distance(p, events[k].left);
				double right = nc_distance(p, events[k].right);
				assert_in_round(fabs(distance - events[k].clearance) < tolerance, round);
				assert_in_round(fabs(left - distance) < tolerance, round);
				assert_in_round(fabs(right - distance) < tolerance, round);
				assert_in_round(distance >= def.radius - tolerance, round);
				assert_in_round(events[k].clearance >= info.min_clearance - tolerance, round);
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(corridor_count > 150);
}

static void buffers_are_never_overrun(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 20.0, 20.0, 80.0, 80.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	def.start = (NcVec2){10.0, 10.0};
	def.goal = (NcVec2){90.0, 90.0};
	assert_true(nc_query_find_path(query, &def, &info));
	NcVec2 points[64];
	NcMapEvent events[64];
	for (int capacity = 0; capacity < 4; ++capacity)
	{
		memset(points, 0x55, sizeof(points));
		memset(events, 0x55, sizeof(events));
		assert_int_equal(nc_query_get_path_points(query, points, capacity), info.point_count);
		assert_int_equal(nc_query_get_corridor(query, events, capacity), info.event_count);
		int point_limit = capacity < info.point_count ? capacity : info.point_count;
		assert_int_equal(((unsigned char*)&points[point_limit])[0], 0x55);
		assert_int_equal(((unsigned char*)&events[capacity])[0], 0x55);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

// Locations.

static void locations_agree_with_their_edge(void** state)
{
	(void)state;
	uint64_t seed = 165;
	int count = 0;
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = create_query(map);
		double tolerance = 0.1 * nc_map_get_snap(map);
		for (int i = 0; i < 100; ++i)
		{
			NcVec2 p = random_vec2(&seed, nc_map_get_bounds(map));
			NcLocation location;
			bool is_free = nc_query_locate(query, p, &location);
			assert_in_round(is_free == (nc_query_get_clearance(query, p) > 0.0), round);
			if (!is_free)
			{
				continue;
			}
			++count;
			NcMapEdge edge;
			assert_in_round(nc_map_get_edge(map, location.edge, &edge), round);
			assert_in_round(location.event >= 0 && location.event < edge.event_count - 1, round);
			assert_in_round(location.edge_position > -tolerance, round);
			assert_in_round(location.edge_position < edge.length + tolerance, round);
			assert_in_round(
				fabs(nc_distance(p, location.closest) - location.clearance) < 1e-9, round);
			assert_in_round(fabs(compute_wall_distance(map, p) - location.clearance) < 1e-9, round);
			double there = compute_wall_distance(map, location.retraction);
			assert_in_round(there >= location.clearance - tolerance, round);
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(count > 1000);
}

static void straight_segments_keep_their_distance(void** state)
{
	(void)state;
	uint64_t seed = 166;
	int counts[2] = {0};
	for (int round = 0; round < 20; ++round)
	{
		NcMap* map = create_random(&seed, round);
		NcQuery* query = create_query(map);
		for (int i = 0; i < 100; ++i)
		{
			NcVec2 a = random_vec2(&seed, nc_map_get_bounds(map));
			NcVec2 d = nc_direction(random_between(&seed, 0.0, 6.3));
			NcVec2 b = nc_mul_add(a, random_between(&seed, 0.0, 20.0), d);
			double radius = random_between(&seed, 0.0, 3.0);
			bool is_free = nc_query_is_segment_free(query, a, b, radius);
			++counts[is_free];
			for (int k = 0; k <= 50 && is_free; ++k)
			{
				NcVec2 p = nc_lerp(a, b, k / 50.0);
				assert_in_round(nc_query_get_clearance(query, p) >= radius - 1e-9, round);
			}
			assert_in_round(nc_query_is_segment_free(query, b, a, radius) == is_free, round);
			assert_in_round(!nc_query_is_segment_free(query, a, b, NOT_A_NUMBER), round);
			assert_in_round(!nc_query_is_segment_free(query, a, b, -1.0), round);
			assert_in_round(
				!nc_query_is_segment_free(query, a, (NcVec2){NOT_A_NUMBER, 0.0}, 1.0), round);
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(counts[0] > 200 && counts[1] > 100);
}

// Life.

static void updates_make_queries_forget_and_go_on(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	def.start = (NcVec2){10.0, 50.0};
	def.goal = (NcVec2){90.0, 50.0};
	def.radius = 1.0;
	assert_true(nc_query_find_path(query, &def, &info));
	assert_near(info.length, 80.0, 1e-9);
	assert_int_equal(nc_query_get_path_points(query, NULL, 0), 2);

	NcVec2 points[] = {{50.0, 0.0}, {50.0, 80.0}};
	NcShape wall = {NC_SHAPE_CHAIN, points, 2};
	NcObstacleId id;
	assert_int_equal(nc_map_add_obstacle(map, &wall, &id, NULL), NC_OK);
	assert_int_equal(nc_query_get_path_points(query, NULL, 0), 2);
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	assert_int_equal(nc_query_get_path_points(query, NULL, 0), 0);
	assert_int_equal(nc_query_get_corridor(query, NULL, 0), 0);
	assert_near(nc_query_get_clearance(query, (NcVec2){45.0, 50.0}), 5.0, 1e-9);
	assert_true(nc_query_find_path(query, &def, &info));
	assert_true(info.length > 95.0);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

// Of two ways through a wall, the wider one is taken by discs that the other one refuses.
static void the_widest_refused_passage_is_told(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_wall(&scene, 50.0, 0.0, 50.0, 48.0);
	scene_add_wall(&scene, 50.0, 50.0, 50.0, 88.0);
	scene_add_wall(&scene, 50.0, 92.0, 50.0, 100.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	for (int route = 0; route < 2; ++route)
	{
		NcPathDef def = nc_default_path_def();
		NcPathInfo info;
		def.route = route == 0 ? NC_ROUTE_SHORTEST : NC_ROUTE_MEDIAL;
		def.start = (NcVec2){30.0, 49.0};
		def.goal = (NcVec2){70.0, 49.0};
		def.radius = 0.9;
		assert_true(nc_query_find_path(query, &def, &info));
		assert_true(info.length < 41.0 && info.refused_clearance < 0.9);
		def.radius = 1.1;
		assert_true(nc_query_find_path(query, &def, &info));
		assert_true(info.length > 80.0);
		assert_near(info.refused_clearance, 1.0, 1e-3);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void repeated_questions_do_not_allocate(void** state)
{
	(void)state;
	uint64_t seed = 167;
	NcMap* map = create_random(&seed, 1);
	NcQuery* query = create_query(map);
	FailingAllocator allocator = {.first_fail = -1};
	for (int pass = 0; pass < 2; ++pass)
	{
		uint64_t path_seed = 168;
		pass == 1 ? nc_set_allocator(allocate_or_fail, &allocator) : (void)0;
		for (int i = 0; i < 50; ++i)
		{
			NcPathDef def = make_random_def(&path_seed, map, i);
			NcPathInfo info;
			NcLocation location;
			nc_query_find_path(query, &def, &info);
			nc_query_locate(query, def.start, &location);
			nc_query_is_segment_free(query, def.start, def.goal, def.radius);
		}
	}
	nc_set_allocator(NULL, NULL);
	nc_query_destroy(query);
	nc_map_destroy(map);
	assert_int_equal(allocator.calls, 0);
}

static void queries_without_memory_say_so_and_recover(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 20.0, 20.0, 80.0, 80.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcPathDef def = nc_default_path_def();
	def.start = (NcVec2){10.0, 10.0};
	def.goal = (NcVec2){90.0, 90.0};
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	int reported_count = 0;
	int unrecovered_count = 0;
	bool has_failed = true;
	for (int i = 0; has_failed && i < 100; ++i)
	{
		allocator = (FailingAllocator){.first_fail = i};
		NcQuery* query = NULL;
		NcStatus status = nc_query_create(map, &query);
		has_failed = status != NC_OK;
		if (has_failed)
		{
			reported_count += status == NC_OUT_OF_MEMORY && query == NULL;
			continue;
		}
		NcPathInfo info;
		has_failed = !nc_query_find_path(query, &def, &info);
		reported_count += info.outcome == NC_PATH_OUT_OF_MEMORY;
		allocator = (FailingAllocator){.first_fail = -1};
		unrecovered_count += !nc_query_find_path(query, &def, &info);
		nc_query_destroy(query);
	}
	nc_set_allocator(NULL, NULL);
	nc_map_destroy(map);
	assert_true(reported_count >= 5);
	assert_int_equal(unrecovered_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(paths_keep_their_distance),
		TEST(routes_of_both_kinds_and_directions_agree),
		TEST(ways_that_brute_force_finds_are_found),
		TEST(outcomes_say_what_is_blocked),
		TEST(outcomes_have_names_of_their_own),
		TEST(corridors_are_consistent),
		TEST(buffers_are_never_overrun),
		TEST(locations_agree_with_their_edge),
		TEST(straight_segments_keep_their_distance),
		TEST(updates_make_queries_forget_and_go_on),
		TEST(the_widest_refused_passage_is_told),
		TEST(repeated_questions_do_not_allocate),
		TEST(queries_without_memory_say_so_and_recover),
	};
	return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
