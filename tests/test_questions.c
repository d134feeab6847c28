// SPDX-License-Identifier: MIT

// All questions together: odd ones have a defined answer, none allocates after warm-up, and several
// threads that ask one map get the answers of a single one.

#include "test.h"

#include "parallel.h"

static NcQuery* create_query(const NcMap* map)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	return query;
}

static NcMap* create_room(void)
{
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 40.0, 30.0, 60.0, 70.0);
	return scene_create_map(&scene, NULL);
}

static NcPathInfo ask_path(NcQuery* query, NcVec2 start, NcVec2 goal, double radius)
{
	NcPathDef def = nc_default_path_def();
	def.start = start;
	def.goal = goal;
	def.radius = radius;
	NcPathInfo info;
	bool is_found = nc_query_find_path(query, &def, &info);
	assert_int_equal(is_found, info.outcome == NC_PATH_FOUND);
	assert_int_equal(is_found, nc_query_is_reachable(query, start, goal, radius));
	assert_int_equal(nc_query_get_path_points(query, NULL, 0), info.point_count);
	assert_true(is_found || (info.point_count == 0 && info.length == 0.0));
	return info;
}

static void odd_places_have_a_defined_answer(void** state)
{
	(void)state;
	NcMap* map = create_room();
	NcQuery* query = create_query(map);
	const NcVec2 a = {20.0, 50.0};
	const NcVec2 blocked[] = {{50.0, 50.0}, {-1.0, 50.0}, {1e9, 1e9}, {NOT_A_NUMBER, 1.0}};
	for (int i = 0; i < NC_COUNT(blocked); ++i)
	{
		NcLocation location;
		assert_int_equal(ask_path(query, blocked[i], a, 0.0).outcome, NC_PATH_START_BLOCKED);
		assert_int_equal(ask_path(query, a, blocked[i], 0.0).outcome, NC_PATH_GOAL_BLOCKED);
		assert_false(nc_query_locate(query, blocked[i], &location));
		assert_near(nc_query_get_clearance(query, blocked[i]), 0.0, 0.0);
		assert_false(nc_query_is_segment_free(query, a, blocked[i], 0.0));
	}

	// Exactly on a wall, on a corner, or on the bounds: free, but without any room.
	const NcVec2 on_walls[] = {{40.0, 50.0}, {40.0, 30.0}, {0.0, 50.0}, {0.0, 0.0}};
	for (int i = 0; i < NC_COUNT(on_walls); ++i)
	{
		assert_int_equal(ask_path(query, on_walls[i], a, 0.0).outcome, NC_PATH_FOUND);
		assert_int_equal(ask_path(query, a, on_walls[i], 0.0).outcome, NC_PATH_FOUND);
		assert_int_equal(ask_path(query, on_walls[i], a, 1e-3).outcome, NC_PATH_START_BLOCKED);
		assert_near(nc_query_get_clearance(query, on_walls[i]), 0.0, 0.0);
	}

	// On every vertex of the medial axis.
	for (int v = 0; v < nc_map_get_vertex_range(map); ++v)
	{
		NcMapVertex vertex;
		if (nc_map_get_vertex(map, v, &vertex))
		{
			NcPathInfo there = ask_path(query, a, vertex.position, 0.0);
			NcPathInfo back = ask_path(query, vertex.position, a, 0.0);
			assert_int_equal(there.outcome, NC_PATH_FOUND);
			assert_near(there.axis_cost, back.axis_cost, 1e-3);
		}
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void odd_radii_have_a_defined_answer(void** state)
{
	(void)state;
	NcMap* map = create_room();
	NcQuery* query = create_query(map);
	const NcVec2 a = {20.0, 50.0};
	const NcVec2 b = {80.0, 50.0};
	assert_int_equal(ask_path(query, a, b, 0.0).outcome, NC_PATH_FOUND);
	assert_int_equal(ask_path(query, a, b, -1.0).outcome, NC_PATH_NONE);
	assert_int_equal(ask_path(query, a, b, NOT_A_NUMBER).outcome, NC_PATH_NONE);
	assert_int_equal(ask_path(query, a, b, HUGE_VAL).outcome, NC_PATH_NONE);
	assert_int_equal(ask_path(query, a, b, 1e12).outcome, NC_PATH_START_BLOCKED);
	assert_int_equal(ask_path(query, a, b, 15.0).outcome, NC_PATH_FOUND);
	assert_int_equal(ask_path(query, a, b, 15.1).outcome, NC_PATH_NONE);

	// A path to where it starts has no length, and two points.
	NcPathInfo info = ask_path(query, a, a, 5.0);
	assert_int_equal(info.outcome, NC_PATH_FOUND);
	assert_near(info.length, 0.0, 1e-9);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void maps_with_next_to_nothing_in_them_work(void** state)
{
	(void)state;
	for (int point_count = 0; point_count < 2; ++point_count)
	{
		static Scene scene;
		scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
		if (point_count > 0)
		{
			scene_add_single(&scene, 50.0, 30.0);
		}
		NcMap* map = scene_create_map(&scene, NULL);
		NcQuery* query = create_query(map);
		NcVec2 a = {10.0, 30.0};
		NcVec2 b = {90.0, 30.0};
		NcPathInfo info = ask_path(query, a, b, 10.0);
		assert_int_equal(info.outcome, NC_PATH_FOUND);
		assert_true(point_count == 0 ? info.length < 80.001 : info.length > 80.5);
		double largest = nc_query_find_largest_radius(query, a, b);
		assert_near(largest, 10.0, 1e-9);
		NcVec2 found;
		uint64_t seed = 1;
		assert_true(nc_query_find_random_point(query, 3.0, &seed, &found));
		assert_true(nc_query_find_free_point(query, (NcVec2){50.0, 30.0}, 5.0, &found));
		assert_near(nc_distance(found, (NcVec2){50.0, 30.0}), point_count > 0 ? 5.0 : 0.0, 1e-9);
		NcRayHit hit;
		assert_int_equal(nc_query_cast_disc(query, a, b, 1.0, &hit), point_count > 0);
		if (point_count > 0)
		{
			// The point itself is free, without any room.
			assert_int_equal(ask_path(query, a, (NcVec2){50.0, 30.0}, 0.0).outcome, NC_PATH_FOUND);
			assert_near(hit.distance, 39.0, 1e-9);
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
}

// Everything that can be asked, with one seed. @return a hash of all answers
static uint64_t ask_everything(NcQuery* query, NcBox box, uint64_t seed)
{
	static const NcRouteKind routes[] = {NC_ROUTE_MEDIAL, NC_ROUTE_SHORTEST};
	double answers[32] = {0};
	uint64_t random = seed;
	NcVec2 a = random_vec2(&random, box);
	NcVec2 b = random_vec2(&random, box);
	double radius = random_between(&random, 0.0, 1.5);
	NcLocation location = {0};
	answers[0] = nc_query_locate(query, a, &location);
	answers[1] = location.clearance + location.edge_position;
	NcVec2 found = {0};
	answers[2] = nc_query_find_free_point(query, a, radius, &found);
	answers[3] = found.x;
	answers[4] = found.y;
	answers[5] = nc_query_find_random_point(query, radius, &random, &found);
	answers[6] = found.x;
	answers[7] = found.y;
	NcRayHit hit;
	answers[8] = nc_query_cast_disc(query, a, b, radius, &hit);
	answers[9] = hit.distance;
	answers[10] = nc_query_is_segment_free(query, a, b, radius);
	answers[11] = nc_query_is_reachable(query, a, b, radius);
	answers[12] = nc_query_find_largest_radius(query, a, b);
	NcPathDef def = nc_default_path_def();
	def.start = a;
	def.goal = b;
	def.radius = radius;
	def.route = routes[seed % 2];
	def.max_iterations = seed % 5 == 0 ? 4 : 0;
	NcPathInfo info;
	answers[13] = nc_query_find_path(query, &def, &info);
	answers[14] = info.length;
	answers[15] = info.axis_cost;
	answers[16] = info.point_count;
	NcVec2 points[16] = {0};
	nc_query_get_path_points(query, points, 4);
	memcpy(answers + 17, points, 4 * sizeof(NcVec2));
	NcVec2 vertices[256];
	int vertex_count = nc_query_get_path_vertices(query, vertices, NC_COUNT(vertices));
	NcPathWatch watch;
	answers[25] = nc_query_watch_path(query, &watch);
	def.max_iterations = 0;
	bool is_repaired = vertex_count <= NC_COUNT(vertices) &&
					   nc_query_repair_path(query, &def, vertices, vertex_count, &info);
	answers[26] = is_repaired;
	answers[27] = info.length;
	uint64_t hash = 0;
	for (int i = 0; i < NC_COUNT(answers); ++i)
	{
		uint64_t bits;
		memcpy(&bits, &answers[i], sizeof(bits));
		hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
		hash ^= hash >> 29;
	}
	return hash;
}

static NcMap* create_town(void)
{
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 110.0, 110.0);
	for (int i = 0; i < 100; ++i)
	{
		double x = 3.0 + 10.7 * (i % 10);
		double y = 3.0 + 10.7 * (int)(i / 10);
		scene_add_box(&scene, x, y, x + 5.0 + 0.1 * (i % 7), y + 5.0 + 0.1 * (i % 11));
	}
	return scene_create_map(&scene, NULL);
}

static void no_question_allocates_after_warm_up(void** state)
{
	(void)state;
	NcMap* map = create_town();
	NcQuery* query = create_query(map);
	NcBox bounds = nc_map_get_bounds(map);
	for (uint64_t seed = 0; seed < 300; ++seed)
	{
		ask_everything(query, bounds, seed);
	}
	FailingAllocator allocator = {.first_fail = 0};
	nc_set_allocator(allocate_or_fail, &allocator);
	for (uint64_t seed = 0; seed < 300; ++seed)
	{
		ask_everything(query, bounds, seed);
	}
	nc_set_allocator(NULL, NULL);
	assert_int_equal(allocator.calls, 0);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

#define QUESTION_COUNT 2000
#define THREAD_COUNT 4

typedef struct Crowd
{
	NcQuery* queries[THREAD_COUNT];
	NcBox bounds;
	uint64_t answers[QUESTION_COUNT];
} Crowd;

static void ask_some(void* context, int begin, int end, int worker)
{
	Crowd* crowd = context;
	for (int i = begin; i < end; ++i)
	{
		crowd->answers[i] = ask_everything(crowd->queries[worker], crowd->bounds, (uint64_t)i);
	}
}

static void threads_get_the_answers_of_one(void** state)
{
	(void)state;
	NcMap* map = create_town();
	static Crowd alone, together;
	alone.bounds = together.bounds = nc_map_get_bounds(map);
	alone.queries[0] = create_query(map);
	for (int i = 0; i < THREAD_COUNT; ++i)
	{
		together.queries[i] = create_query(map);
	}
	ask_some(&alone, 0, QUESTION_COUNT, 0);
	Parallel parallel = {.thread_count = THREAD_COUNT};
	parallel_for(&parallel, QUESTION_COUNT, ask_some, &together);
	assert_memory_equal(alone.answers, together.answers, sizeof(alone.answers));

	// And backwards, by a query that has seen other questions before.
	for (int i = QUESTION_COUNT - 1; i >= 0; --i)
	{
		ask_some(&together, i, i + 1, 1);
	}
	assert_memory_equal(alone.answers, together.answers, sizeof(alone.answers));
	nc_query_destroy(alone.queries[0]);
	for (int i = 0; i < THREAD_COUNT; ++i)
	{
		nc_query_destroy(together.queries[i]);
	}
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(odd_places_have_a_defined_answer),
		TEST(odd_radii_have_a_defined_answer),
		TEST(maps_with_next_to_nothing_in_them_work),
		TEST(no_question_allocates_after_warm_up),
		TEST(threads_get_the_answers_of_one),
	};
	return cmocka_run_group_tests_name("questions", tests, NULL, NULL);
}
