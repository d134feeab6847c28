// SPDX-License-Identifier: MIT

// Steering: what must hold after every step, arrival, the lemmata of MIRAN, nonsense, and the same
// bits everywhere. tools/soak steer and tools/soak miran run much more of it.

#include "steer_runs.h"
#include "test.h"

#include "steer_state.h"

typedef struct Room
{
	NcMap* map;
	NcQuery* query;
	NcSteerRoute* route;
	NcSteerDef def;
} Room;

// A room of 100 by 60 with a wall in the middle, and a route around it.
static void open_room(Room* room)
{
	static Scene scene;
	static const NcVec2 points[] = {{10, 10}, {45, 44}, {55, 44}, {90, 10}};
	scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
	scene_add_box(&scene, 45.0, 0.0, 55.0, 40.0);
	*room = (Room){.map = scene_create_map(&scene, NULL), .def = nc_default_steer_def()};
	assert_int_equal(nc_query_create(room->map, &room->query), NC_OK);
	assert_int_equal(nc_steer_route_create(room->query, points, 4, 1.0, &room->route, NULL), NC_OK);
}

static void close_room(Room* room)
{
	nc_steer_route_destroy(room->route);
	nc_query_destroy(room->query);
	nc_map_destroy(room->map);
}

static void agents_arrive_and_stop_at_every_speed(void** state)
{
	(void)state;
	static const double speeds[] = {0.3, 1.4, 5.0, 25.0};
	static const double dts[] = {1.0 / 120.0, 0.05, 0.25, 1.0};
	Room room;
	open_room(&room);
	NcVec2 goal = {90, 10};
	for (int i = 0; i < 4 * 4 * STEER_METHOD_COUNT * 2; ++i)
	{
		SteerMethod method = (SteerMethod)(i % STEER_METHOD_COUNT);
		double dt = dts[i / STEER_METHOD_COUNT % 4];
		NcAgent agent =
			nc_steer_make_agent(room.route, 1.0, speeds[i / STEER_METHOD_COUNT / 4 % 4]);
		room.def.integrator =
			i / STEER_METHOD_COUNT / 16 ? NC_INTEGRATOR_EULER : NC_INTEGRATOR_VERLET;
		double nearest = HUGE_VAL, overshoot = 0.0;
		int steps = 0;
		for (; !agent.has_arrived && steps < 100000; ++steps)
		{
			steer_get_method(method)(room.query, room.route, &room.def, NULL, 0, dt, &agent);
			double distance = nc_distance(agent.position, goal);
			nearest = nc_min(nearest, distance);
			overshoot = nearest < 0.5 ? nc_max(overshoot, distance - nearest) : 0.0;
		}
		assert_in_round(agent.has_arrived, i);
		assert_in_round(nc_distance(agent.position, goal) <= 0.011, i);
		assert_in_round(nc_length(agent.velocity) == 0.0, i);
		assert_in_round(overshoot < 0.05, i);
		NcAgent rested = agent;
		assert_int_equal(
			steer_get_method(method)(room.query, room.route, &room.def, NULL, 0, dt, &agent),
			NC_STEER_ARRIVED);
		assert_memory_equal(&rested, &agent, sizeof(agent));
	}
	close_room(&room);
}

static void pushed_agents_never_leave_the_free_space(void** state)
{
	(void)state;
	static const double dts[] = {1.0 / 120.0, 1.0 / 60.0, 0.05, 0.1, 0.5, 1.0};
	long steps = 0, arrived = 0;
	for (uint64_t seed = 9001; seed < 9005; ++seed)
	{
		TerrainScene scene;
		assert_true(terrain_scene_make(&scene, seed));
		for (int k = 0; k < 30; ++k)
		{
			SteerRun run = {.seed = seed + (uint64_t)k,
				.method = (SteerMethod)(k % STEER_METHOD_COUNT),
				.dt = dts[k / STEER_METHOD_COUNT],
				.is_pushed = k % 3 != 0,
				.is_terrain = k % 2 == 0,
				.is_crowded = (k / 2 + (int)seed) % 2 == 0,
				.max_steps = 500};
			SteerReport report = steer_run(&scene, &run);
			steps += report.steps;
			arrived += report.is_arrived;
			assert_in_round(report.violations == 0, k);
			assert_in_round(report.not_numbers == 0, k);
			assert_in_round(report.jumps == 0, k);
			assert_in_round(report.collisions == 0, k);
		}
		terrain_scene_destroy(&scene);
	}
	assert_true(steps > 10000 && arrived > 10);
}

static void miran_always_has_a_candidate_and_reaches_its_goal(void** state)
{
	(void)state;
	int walked = 0;
	for (uint64_t seed = 7001; seed < 7009; ++seed)
	{
		TerrainScene scene;
		assert_true(terrain_scene_make(&scene, seed));
		scene.radius = nc_max(scene.radius, 0.2);
		for (int k = 0; k < 4; ++k)
		{
			SteerRun run = {.seed = seed + (uint64_t)k,
				.method = STEER_MIRAN,
				.dt = 0.1,
				.is_terrain = true,
				.max_steps = 20000};
			SteerReport report = steer_run(&scene, &run);
			walked += report.is_walked;
			assert_in_round(!report.is_walked || report.is_arrived, k);
			assert_in_round(report.lost == 0 && report.backward == 0, k);
		}
		terrain_scene_destroy(&scene);
	}
	assert_true(walked > 20);
}

static void a_pushed_agent_that_sees_no_route_is_lost_and_replans(void** state)
{
	(void)state;
	static Scene scene;
	static const NcVec2 points[] = {{10, 10}, {30, 10}, {35, 10}};
	scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
	scene_add_box(&scene, 45.0, 0.0, 55.0, 40.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = NULL;
	NcSteerRoute* route = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	assert_int_equal(nc_steer_route_create(query, points, 3, 1.0, &route, NULL), NC_OK);
	NcSteerDef def = nc_default_steer_def();
	NcAgent agent = nc_steer_make_agent(route, 1.0, 1.4);
	agent.position = (NcVec2){80, 10}; // somebody carried it around the wall
	for (int m = 0; m < STEER_METHOD_COUNT; ++m)
	{
		NcAgent carried = agent;
		assert_int_equal(
			steer_get_method((SteerMethod)m)(query, route, &def, NULL, 0, 0.05, &carried),
			NC_STEER_LOST);
	}
	assert_int_equal(nc_steer_route_replan(query, route, &agent), NC_OK);
	for (int i = 0; i < 20000 && !agent.has_arrived; ++i)
	{
		nc_steer_step_miran(query, route, &def, NULL, 0, 0.05, &agent);
	}
	assert_true(agent.has_arrived);
	assert_true(nc_distance(agent.position, points[2]) < 0.02);
	nc_steer_route_destroy(route);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void a_route_is_rechecked_after_edits(void** state)
{
	(void)state;
	static const NcVec2 beside[] = {{60, 50}, {64, 50}, {64, 54}, {60, 54}};
	static const NcVec2 behind[] = {{12, 8}, {16, 8}, {16, 16}, {12, 16}};
	static const NcVec2 across[] = {{70, 20}, {80, 20}, {80, 30}, {70, 30}};
	struct
	{
		const NcVec2* points;
		double from;
		bool is_good;
	} cases[] = {
		{beside, 0.0, true}, {behind, 30.0, true}, {behind, 0.0, false}, {across, 30.0, false}};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		Room room;
		open_room(&room);
		NcShape shape = {.kind = NC_SHAPE_POLYGON, .points = cases[i].points, .point_count = 4};
		NcObstacleId id;
		uint32_t revision = nc_map_get_revision(room.map);
		assert_int_equal(nc_map_add_obstacle(room.map, &shape, &id, NULL), NC_OK);
		assert_int_equal(nc_map_update(room.map, NULL), NC_OK);
		bool is_good = nc_steer_route_recheck(room.query, room.route, cases[i].from, revision);
		assert_in_round(
			nc_steer_route_recheck(room.query, room.route, cases[i].from, revision + 1), i);
		assert_in_round(is_good == cases[i].is_good, i);
		close_room(&room);
	}
}

static void samples_are_close_together_and_contain_all_points(void** state)
{
	(void)state;
	Room room;
	open_room(&room);
	const NcSteerRoute* route = room.route;
	NcSteerSample last = nc_steer_route_get_sample(route, 0);
	int point = 1;
	assert_true(last.length == 0.0 && nc_distance(last.position, route->points.data[0]) == 0.0);
	for (int k = 1; k <= nc_steer_route_last_sample(route); ++k)
	{
		NcSteerSample sample = nc_steer_route_get_sample(route, k);
		double way = nc_distance(last.position, sample.position);
		assert_in_round(way > 0.0 && way <= route->step, k);
		assert_in_round(fabs(sample.length - last.length - way) < 1e-9, k);
		point += nc_distance(sample.position, route->points.data[point]) == 0.0;
		last = sample;
	}
	assert_int_equal(point, route->points.count);
	close_room(&room);
}

static void the_controller_turns_around_slowly_and_walks_at_full_speed(void** state)
{
	(void)state;
	Room room;
	open_room(&room);
	room.def.attraction_distance = 3.0;
	NcAgent agent = nc_steer_make_agent(room.route, 1.0, 2.0);
	agent.heading += 3.0; // it faces the wall
	double fastest_turned = 0.0, fastest = 0.0, farthest = 0.0;
	for (int i = 0; i < 20000 && !agent.has_arrived; ++i)
	{
		NcVec2 to = nc_sub(agent.attraction_point, agent.position);
		bool is_turned = i > 0 && nc_dot(nc_direction(agent.heading), to) < 0.0;
		double speed = nc_length(agent.velocity);
		fastest_turned = is_turned ? nc_max(fastest_turned, speed) : fastest_turned;
		fastest = nc_max(fastest, speed);
		double length = agent.reference;
		NcVec2 on_route = nc_steer_route_get_point(room.route, length);
		farthest = nc_max(farthest, nc_distance(agent.position, on_route));
		nc_steer_step_pd(room.query, room.route, &room.def, NULL, 0, 1.0 / 30.0, &agent);
	}
	assert_true(agent.has_arrived);
	assert_true(fastest_turned < 0.5 * 2.0);
	assert_near(fastest, 2.0, 1e-3);
	assert_true(farthest < 2.0);
	close_room(&room);
}

static void agents_walk_around_a_character_that_stands_in_the_way(void** state)
{
	(void)state;
	static Scene scene;
	static const NcVec2 points[] = {{10, 30}, {90, 30}};
	scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = NULL;
	NcSteerRoute* route = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	assert_int_equal(nc_steer_route_create(query, points, 2, 0.75, &route, NULL), NC_OK);
	NcNeighbor standing = {.position = {50, 30.1}, .radius = 1.0};
	NcSteerDef def = nc_default_steer_def();
	for (int m = 0; m < STEER_METHOD_COUNT; ++m)
	{
		NcAgent agent = nc_steer_make_agent(route, 0.75, 1.4);
		double nearest = HUGE_VAL;
		for (int i = 0; i < 20000 && !agent.has_arrived; ++i)
		{
			steer_get_method((SteerMethod)m)(query, route, &def, &standing, 1, 0.05, &agent);
			nearest = nc_min(nearest, nc_distance(agent.position, standing.position));
		}
		assert_in_round(agent.has_arrived, m);
		assert_in_round(nearest >= 1.75 - 1e-9, m);
	}
	nc_steer_route_destroy(route);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void all_ways_to_choose_an_attraction_point_arrive(void** state)
{
	(void)state;
	Room room;
	open_room(&room);
	for (int i = 0; i < 4; ++i)
	{
		NcAgent agent = nc_steer_make_agent(room.route, 1.0, 2.0);
		room.def.attraction = (NcAttraction)i;
		for (int k = 0; k < 20000 && !agent.has_arrived; ++k)
		{
			nc_steer_step_improved(room.query, room.route, &room.def, NULL, 0, 0.05, &agent);
		}
		assert_in_round(agent.has_arrived, i);
	}
	close_room(&room);
}

static void nonsense_gets_a_status_and_a_reason(void** state)
{
	(void)state;
	NcSteerDef good = nc_default_steer_def();
	NcTerrainProfile profile = nc_default_terrain_profile();
	profile.weights[3] = -2.0;
	NcSteerDef bad[13];
	for (int i = 0; i < 13; ++i)
	{
		bad[i] = good;
	}
	bad[0].sigma = 0.0;
	bad[1].sigma = NOT_A_NUMBER;
	bad[2].d = 0.0;
	bad[3].d = good.sigma * 1.01;
	bad[4].d = NOT_A_NUMBER;
	bad[5].d = good.sigma / 5000.0;
	bad[6].profile = &profile;
	bad[7].c_s = HUGE_VAL;
	bad[8].tau = 0.0;
	bad[9].attraction_distance = -1.0;
	bad[10].c_side = NOT_A_NUMBER;
	bad[11].k_theta = NOT_A_NUMBER;
	bad[12].k_omega = HUGE_VAL;
	assert_int_equal(nc_steer_check(&good, NULL), NC_OK);
	Room room;
	open_room(&room);
	for (int i = 0; i < 13; ++i)
	{
		NcError error = {0};
		assert_in_round(nc_steer_check(&bad[i], &error) == NC_INVALID_INPUT, i);
		assert_in_round(error.reason != NULL, i);
		NcAgent agent = nc_steer_make_agent(room.route, 1.0, 1.4);
		NcAgent before = agent;
		NcSteerOutcome outcome =
			nc_steer_step_miran(room.query, room.route, &bad[i], NULL, 0, 0.05, &agent);
		if (i != 6)
		{
			assert_in_round(outcome == NC_STEER_INVALID, i);
			assert_memory_equal(&before, &agent, sizeof(agent));
		}
	}
	static const double dts[] = {0.0, -1.0, 1.5, (double)NAN, HUGE_VAL};
	for (int i = 0; i < 5; ++i)
	{
		NcAgent agent = nc_steer_make_agent(room.route, 1.0, 1.4);
		assert_in_round(nc_steer_step_irm(room.query, room.route, &good, NULL, 0, dts[i], &agent) ==
							NC_STEER_INVALID,
			i);
	}
	NcAgent agent = nc_steer_make_agent(room.route, 1.0, 1.4);
	agent.position = (NcVec2){50, 20}; // in the wall
	assert_int_equal(
		nc_steer_step_cmm(room.query, room.route, &good, NULL, 0, 0.05, &agent), NC_STEER_STUCK);
	close_room(&room);
}

static void bad_routes_are_refused_with_item_and_reason(void** state)
{
	(void)state;
	Room room;
	open_room(&room);
	struct
	{
		NcVec2 points[3];
		int count;
		double radius;
		int item;
	} cases[] = {
		{{{10, 10}}, 1, 1.0, 0},
		{{{10, 10}, {10, 10}}, 2, 1.0, 0},
		{{{10, 10}, {20, NOT_A_NUMBER}}, 2, 1.0, 1},
		{{{10, 10}, {20, 10}, {80, 10}}, 3, 1.0, 1}, // through the wall
		{{{10, 50}, {90, 50}}, 2, 15.0, 0},          // wider than the corridor
		{{{10, 10}, {20, 10}}, 2, -1.0, -1},
	};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		NcSteerRoute* route = NULL;
		NcError error = {0};
		assert_in_round(nc_steer_route_create(room.query, cases[i].points, cases[i].count,
							cases[i].radius, &route, &error) == NC_INVALID_INPUT,
			i);
		assert_in_round(route == NULL && error.item == cases[i].item && error.reason != NULL, i);
	}
	close_room(&room);
}

static void steps_allocate_nothing(void** state)
{
	(void)state;
	Room room;
	open_room(&room);
	FailingAllocator allocator = {.first_fail = 0};
	nc_set_allocator(allocate_or_fail, &allocator);
	for (int m = 0; m < STEER_METHOD_COUNT; ++m)
	{
		NcAgent agent = nc_steer_make_agent(room.route, 1.0, 1.4);
		for (int i = 0; i < 300; ++i)
		{
			steer_get_method((SteerMethod)m)(
				room.query, room.route, &room.def, NULL, 0, 0.05, &agent);
		}
	}
	assert_int_equal(allocator.calls, 0);
	nc_set_allocator(NULL, NULL);
	close_room(&room);
}

// The bits of many trajectories. They are the same with gcc and clang, -O0 and -O2: tools/test runs
// this with both compilers.
#define EXPECTED_HASH 0xe187134a2511fff3u

static void trajectories_have_the_same_bits_everywhere(void** state)
{
	(void)state;
	uint64_t hash = 0;
	int walked = 0;
	for (uint64_t seed = 1; walked < 1000; ++seed)
	{
		TerrainScene scene;
		assert_true(terrain_scene_make(&scene, 100000 + seed));
		for (int k = 0; k < 20; ++k)
		{
			// Not over weighted routes: they have a test of their own, and change more often.
			SteerRun run = {.seed = 3 * (seed + (uint64_t)k),
				.method = (SteerMethod)(k % STEER_METHOD_COUNT),
				.dt = 0.05,
				.is_pushed = k % 2 == 0,
				.is_terrain = k % 3 == 0,
				.is_crowded = k % 4 == 1,
				.max_steps = 120};
			SteerReport report = steer_run(&scene, &run);
			walked += report.is_walked;
			hash = hash * 31 + report.hash;
		}
		terrain_scene_destroy(&scene);
	}
	if (hash != EXPECTED_HASH)
	{
		print_error("the hash is 0x%016llxu\n", (unsigned long long)hash);
	}
	assert_true(hash == EXPECTED_HASH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(agents_arrive_and_stop_at_every_speed),
		TEST(pushed_agents_never_leave_the_free_space),
		TEST(miran_always_has_a_candidate_and_reaches_its_goal),
		TEST(a_pushed_agent_that_sees_no_route_is_lost_and_replans),
		TEST(a_route_is_rechecked_after_edits),
		TEST(samples_are_close_together_and_contain_all_points),
		TEST(the_controller_turns_around_slowly_and_walks_at_full_speed),
		TEST(agents_walk_around_a_character_that_stands_in_the_way),
		TEST(all_ways_to_choose_an_attraction_point_arrive),
		TEST(nonsense_gets_a_status_and_a_reason),
		TEST(bad_routes_are_refused_with_item_and_reason),
		TEST(steps_allocate_nothing),
		TEST(trajectories_have_the_same_bits_everywhere),
	};
	return cmocka_run_group_tests_name("steer", tests, NULL, NULL);
}
