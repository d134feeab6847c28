// SPDX-License-Identifier: MIT

// Routes over weighted terrain: known answers, a fine grid as a witness on a few random scenes
// (tools/soak weighted runs many), and what must hold for every query.

#include "terrain_scenes.h"
#include "test.h"

#define MAX_POINTS 4096

typedef struct Room
{
	NcMap* map;
	NcTerrain* terrain;
	NcQuery* query;
	NcPathDef def;
	NcTerrainProfile profile;
	NcPathInfo info;
	NcVec2 points[MAX_POINTS];
	int count;
} Room;

static void open_room(Room* room, const Scene* scene)
{
	room->map = scene_create_map(scene, NULL);
	assert_int_equal(nc_terrain_create(&room->terrain), NC_OK);
	assert_int_equal(nc_query_create(room->map, &room->query), NC_OK);
	room->profile = nc_default_terrain_profile();
	room->def = nc_default_path_def();
	room->def.route = NC_ROUTE_WEIGHTED;
	room->def.terrain = room->terrain;
	room->def.profile = &room->profile;
}

static void close_room(Room* room)
{
	nc_query_destroy(room->query);
	nc_terrain_destroy(room->terrain);
	nc_map_destroy(room->map);
}

static void add_region(Room* room, double x0, double y0, double x1, double y1, int type)
{
	NcVec2 corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
	NcRegion region = {.points = corners, .point_count = 4, .type = type};
	NcRegionId id;
	assert_int_equal(nc_terrain_add_region(room->terrain, &region, &id, NULL), NC_OK);
	assert_int_equal(nc_terrain_update(room->terrain), NC_OK);
}

static bool ask(Room* room, double x0, double y0, double x1, double y1, double radius)
{
	room->def.start = (NcVec2){x0, y0};
	room->def.goal = (NcVec2){x1, y1};
	room->def.radius = radius;
	bool is_found = nc_query_find_path(room->query, &room->def, &room->info);
	room->count = nc_query_get_path_points(room->query, room->points, MAX_POINTS);
	return is_found;
}

static void light_is_refracted_at_a_border(void** state)
{
	(void)state;
	static Scene scene;
	static Room room;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	open_room(&room, &scene);
	add_region(&room, -1.0, -1.0, 101.0, 50.0, 1);
	room.profile.weights[1] = 2.0;
	assert_true(ask(&room, 20.0, 20.0, 80.0, 80.0, 0.0));
	// The best crossing by Snell's law, found by trying many.
	double best = HUGE_VAL;
	for (int i = 0; i <= 100000; ++i)
	{
		NcVec2 p = {20.0 + 60.0 * i / 100000.0, 50.0};
		best = nc_min(best,
			2.0 * nc_distance((NcVec2){20.0, 20.0}, p) + nc_distance(p, (NcVec2){80.0, 80.0}));
	}
	assert_near(room.info.cost, best, 1e-3 * best);
	assert_int_equal(room.count, 3);
	close_room(&room);
}

static void expensive_ground_is_walked_around_and_cheap_ground_is_used(void** state)
{
	(void)state;
	static Scene scene;
	static Room room;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	open_room(&room, &scene);
	add_region(&room, 30.0, 10.0, 70.0, 60.0, 1);
	room.profile.weights[1] = 10.0;
	assert_true(ask(&room, 10.0, 30.0, 90.0, 30.0, 1.0));
	double below = nc_distance((NcVec2){10.0, 30.0}, (NcVec2){30.0, 10.0}) * 2.0 + 40.0;
	assert_near(room.info.cost, below, 1e-3 * below);
	assert_near(room.info.cost, room.info.length, 0.02 * below);

	room.profile.weights[1] = NC_TERRAIN_BLOCKED;
	assert_true(ask(&room, 10.0, 30.0, 90.0, 30.0, 1.0));
	assert_near(room.info.cost, below, 1e-3 * below);

	room.profile.weights[1] = 0.1;
	assert_true(ask(&room, 10.0, 5.0, 90.0, 5.0, 1.0));
	assert_true(room.info.cost < 0.85 * 80.0);
	assert_true(room.info.length > 80.0);
	close_room(&room);
}

static void blocked_ground_all_around_leaves_no_way(void** state)
{
	(void)state;
	static Scene scene;
	static Room room;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	open_room(&room, &scene);
	add_region(&room, 45.0, -5.0, 55.0, 105.0, 1);
	room.profile.weights[1] = NC_TERRAIN_BLOCKED;
	assert_false(ask(&room, 10.0, 30.0, 90.0, 30.0, 1.0));
	assert_int_equal(room.info.outcome, NC_PATH_NONE);
	assert_int_equal(room.count, 0);
	close_room(&room);
}

static void equal_weights_give_the_shortest_route(void** state)
{
	(void)state;
	static Room room;
	static Scene scene;
	static NcVec2 expected[MAX_POINTS];
	uint64_t seed = 4201;
	int found = 0;
	for (int round = 0; round < 20; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 8, 50.0, 0.37);
		open_room(&room, &scene);
		add_region(&room, -20.0, -70.0, 20.0, 70.0, 3);
		add_region(&room, -70.0, -20.0, 70.0, 20.0, 4);
		for (int i = 0; i < 10; ++i)
		{
			NcVec2 a = random_vec2(&seed, scene.def.bounds);
			NcVec2 b = random_vec2(&seed, scene.def.bounds);
			room.def.route = NC_ROUTE_SHORTEST;
			bool is_found = ask(&room, a.x, a.y, b.x, b.y, 0.5);
			int count = room.count;
			memcpy(expected, room.points, sizeof(NcVec2) * (size_t)count);
			room.def.route = NC_ROUTE_WEIGHTED;
			found += is_found;
			assert_in_round(ask(&room, a.x, a.y, b.x, b.y, 0.5) == is_found, round);
			assert_in_round(room.count == count, round);
			assert_in_round(
				memcmp(expected, room.points, sizeof(NcVec2) * (size_t)count) == 0, round);
		}
		close_room(&room);
	}
	assert_true(found > 60);
}

static void routes_without_terrain_or_profile_are_shortest(void** state)
{
	(void)state;
	static Scene scene;
	static Room room;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	open_room(&room, &scene);
	room.def.terrain = NULL;
	assert_true(ask(&room, 10.0, 30.0, 90.0, 30.0, 1.0));
	assert_near(room.info.cost, 80.0, 1e-9);
	room.def.terrain = room.terrain;
	room.def.profile = NULL;
	assert_true(ask(&room, 10.0, 30.0, 90.0, 30.0, 1.0));
	assert_near(room.info.cost, 80.0, 1e-9);
	close_room(&room);
}

// Ask for the route of a random scene. The query is for the caller to destroy.
static NcQuery* ask_scene(const TerrainScene* scene, NcPathInfo* info)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(scene->map, &query), NC_OK);
	NcPathDef def = nc_default_path_def();
	def.route = NC_ROUTE_WEIGHTED;
	def.start = scene->start;
	def.goal = scene->goal;
	def.radius = scene->radius;
	def.terrain = scene->terrain;
	def.profile = &scene->profile;
	nc_query_find_path(query, &def, info);
	return query;
}

static void routes_on_random_terrain_are_as_good_as_on_a_fine_grid(void** state)
{
	(void)state;
	static NcVec2 points[MAX_POINTS];
	for (int round = 0; round < 8; ++round)
	{
		TerrainScene scene;
		NcPathInfo info;
		assert_true(terrain_scene_make(&scene, (uint64_t)(501 + round)));
		NcQuery* query = ask_scene(&scene, &info);
		int count = nc_query_get_path_points(query, points, MAX_POINTS);
		double witness = terrain_scene_search_grid(&scene, 80);
		assert_in_round((info.outcome == NC_PATH_FOUND) == (witness < HUGE_VAL), round);
		if (info.outcome == NC_PATH_FOUND)
		{
			double sum = terrain_scene_sum_cost(&scene, points, count);
			assert_in_round(info.cost <= 1.03 * witness, round);
			assert_in_round(fabs(sum - info.cost) <= 0.02 * info.cost, round);
			assert_in_round(terrain_scene_is_route_free(&scene, points, count), round);
			assert_in_round(nc_distance(points[0], scene.start) < 1e-9, round);
			assert_in_round(nc_distance(points[count - 1], scene.goal) < 1e-9, round);
		}
		nc_query_destroy(query);
		terrain_scene_destroy(&scene);
	}
}

static void a_second_search_allocates_nothing_and_gives_the_same(void** state)
{
	(void)state;
	TerrainScene scene;
	NcPathInfo info, again;
	assert_true(terrain_scene_make(&scene, 503));
	NcQuery* query = ask_scene(&scene, &info);
	assert_int_equal(info.outcome, NC_PATH_FOUND);
	NcPathDef def = nc_default_path_def();
	def.route = NC_ROUTE_WEIGHTED;
	def.start = scene.start;
	def.goal = scene.goal;
	def.radius = scene.radius;
	def.terrain = scene.terrain;
	def.profile = &scene.profile;
	FailingAllocator allocator = {.first_fail = 0};
	nc_set_allocator(allocate_or_fail, &allocator);
	assert_true(nc_query_find_path(query, &def, &again));
	assert_int_equal(allocator.calls, 0);
	nc_set_allocator(NULL, NULL);
	assert_true(info.cost == again.cost && info.point_count == again.point_count);
	nc_query_destroy(query);
	terrain_scene_destroy(&scene);
}

static void without_memory_there_is_an_answer_and_the_next_search_works(void** state)
{
	(void)state;
	TerrainScene scene;
	assert_true(terrain_scene_make(&scene, 503));
	int failed = 0;
	for (int fail_at = 0; fail_at < 200; fail_at += fail_at < 40 ? 1 : 17)
	{
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(scene.map, &query), NC_OK);
		NcPathDef def = nc_default_path_def();
		def.route = NC_ROUTE_WEIGHTED;
		def.start = scene.start;
		def.goal = scene.goal;
		def.radius = scene.radius;
		def.terrain = scene.terrain;
		def.profile = &scene.profile;
		NcPathInfo info;
		def.terrain = NULL; // warm up what all routes share: it has tests of its own
		assert_true(nc_query_find_path(query, &def, &info));
		def.terrain = scene.terrain;
		FailingAllocator allocator = {.first_fail = fail_at};
		nc_set_allocator(allocate_or_fail, &allocator);
		bool is_found = nc_query_find_path(query, &def, &info);
		nc_set_allocator(NULL, NULL);
		failed += !is_found;
		assert_in_round(is_found || info.outcome == NC_PATH_OUT_OF_MEMORY, fail_at);
		assert_in_round(nc_query_find_path(query, &def, &info), fail_at);
		nc_query_destroy(query);
	}
	assert_true(failed > 10);
	terrain_scene_destroy(&scene);
}

static void edits_of_the_terrain_are_seen(void** state)
{
	(void)state;
	static Scene scene;
	static Room room;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 40.0, 20.0, 60.0, 40.0);
	open_room(&room, &scene);
	room.profile.weights[1] = 5.0;
	assert_true(ask(&room, 10.0, 50.0, 90.0, 50.0, 1.0));
	double before = room.info.cost;
	add_region(&room, 30.0, 40.0, 70.0, 70.0, 1);
	assert_true(ask(&room, 10.0, 50.0, 90.0, 50.0, 1.0));
	assert_true(room.info.cost > before + 5.0);
	close_room(&room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(light_is_refracted_at_a_border),
		TEST(expensive_ground_is_walked_around_and_cheap_ground_is_used),
		TEST(blocked_ground_all_around_leaves_no_way),
		TEST(equal_weights_give_the_shortest_route),
		TEST(routes_without_terrain_or_profile_are_shortest),
		TEST(routes_on_random_terrain_are_as_good_as_on_a_fine_grid),
		TEST(a_second_search_allocates_nothing_and_gives_the_same),
		TEST(without_memory_there_is_an_answer_and_the_next_search_works),
		TEST(edits_of_the_terrain_are_seen),
	};
	return cmocka_run_group_tests_name("route_weighted", tests, NULL, NULL);
}
