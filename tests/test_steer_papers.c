// SPDX-License-Identifier: MIT

// What the papers report, repeated in our scenes: tools/bench steer prints the tables.

#include "characters.h"
#include "ground.h"
#include "scene_file.h"
#include "walk.h"

#include <string.h>

// cmocka defines a fail() of its own, and test.h a Scene: neither is needed here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAX_POINTS 8192

typedef struct Place
{
	NcMap* map;
	NcQuery* query;
	Ground ground;
} Place;

static void open_place(
	Place* place, const char* file, double width, const char* terrain, const char* profile)
{
	Scene scene = {0};
	TextError error;
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {width, 200.0}};
	assert_true(scene_read_file(file, &scene, &error));
	assert_int_equal(nc_map_create(&def, &place->map, NULL), NC_OK);
	for (int i = 0; i < scene.shape_count; ++i)
	{
		NcShape shape = scene_get_shape(&scene, i);
		NcObstacleId id;
		assert_int_equal(nc_map_add_obstacle(place->map, &shape, &id, NULL), NC_OK);
	}
	Options options = {.terrain = terrain, .profile = profile};
	assert_int_equal(nc_map_update(place->map, NULL), NC_OK);
	assert_true(ground_read(&options, &place->ground));
	assert_int_equal(nc_query_create(place->map, &place->query), NC_OK);
	scene_destroy(&scene);
}

static void close_place(Place* place)
{
	nc_query_destroy(place->query);
	ground_destroy(&place->ground);
	nc_map_destroy(place->map);
}

static NcSteerRoute* read_route(const Place* place, const char* file)
{
	Scene scene = {0};
	TextError error;
	NcSteerRoute* route = NULL;
	assert_true(scene_read_file(file, &scene, &error));
	NcShape shape = scene_get_shape(&scene, 0);
	assert_int_equal(
		nc_steer_route_create(place->query, shape.points, shape.point_count, 0.75, &route, NULL),
		NC_OK);
	scene_destroy(&scene);
	return route;
}

static Walk run(
	const Place* place, const NcSteerRoute* route, MethodChoice method, double sigma, double d)
{
	WalkDef def = {.method = method,
		.steer = nc_default_steer_def(),
		.radius = 0.75,
		.speed = 1.4,
		.dt = 0.05,
		.max_steps = 100000};
	def.steer.sigma = sigma;
	def.steer.d = d;
	def.steer.terrain = place->ground.terrain;
	def.steer.profile = &place->ground.profile;
	Walk walk;
	walk_run(place->query, route, &def, &walk);
	assert_int_equal(walk.outcome, NC_STEER_ARRIVED);
	return walk;
}

static double get_time(const Place* place, const Walk* walk, const char* name)
{
	for (int i = 0; i < place->ground.type_count; ++i)
	{
		if (strcmp(place->ground.names[i], name) == 0)
		{
			return walk->metrics.times[i];
		}
	}
	fail_msg("there is no type %s", name);
	return 0.0;
}

// Table 1 of 2008, with other characters than those of the bench, too.
static void improved_cmm_is_shorter_and_smoother_among_characters(void** state)
{
	(void)state;
	Place place;
	open_place(&place, "tests/data/mckenna.wkt", 200.0, NULL, NULL);
	double lengths[2] = {0.0, 0.0};
	for (uint64_t seed = 2008; seed < 2012; ++seed)
	{
		CharactersSum sums[CHARACTERS_ROW_COUNT];
		characters_run(place.query, 40, seed, sums);
		for (int row = 0; row < CHARACTERS_ROW_COUNT; ++row)
		{
			assert_int_equal(sums[row].arrived, CHARACTERS_QUERY_COUNT);
		}
		assert_true(
			sums[CHARACTERS_IMPROVED].curvature < 0.6 * sums[CHARACTERS_ORIGINAL].curvature);
		lengths[0] += sums[CHARACTERS_ORIGINAL].length;
		lengths[1] += sums[CHARACTERS_IMPROVED].length;
	}
	assert_true(lengths[1] < lengths[0]);
	close_place(&place);
}

static void larger_sigma_skips_more_of_the_loop(void** state)
{
	(void)state;
	static const double sigmas[] = {100, 250, 300, 400, 1250};
	Place place;
	open_place(&place, "tests/data/mckenna.wkt", 200.0, NULL, NULL);
	NcSteerRoute* route = read_route(&place, "tests/data/mckenna_loop.wkt");
	double last = 0.0;
	for (int i = 0; i < 5; ++i)
	{
		Walk walk = run(&place, route, METHOD_MIRAN, sigmas[i], 20.0);
		assert_true(walk.skipped_length > last);
		last = walk.skipped_length;
		walk_destroy(&walk);
	}
	nc_steer_route_destroy(route);
	close_place(&place);
}

static void miran_keeps_to_the_sidewalk_and_irm_does_not(void** state)
{
	(void)state;
	Place place;
	open_place(&place, "tests/data/mckenna.wkt", 200.0, "tests/data/mckenna_road.terrain",
		"sidewalk=0.5,road=4,mud=40");
	NcSteerRoute* route = read_route(&place, "tests/data/mckenna_road_route.wkt");
	Walk miran = run(&place, route, METHOD_MIRAN, 40.0, 10.0);
	Walk irm = run(&place, route, METHOD_IRM, 40.0, 10.0);
	assert_true(get_time(&place, &miran, "MUD") == 0.0);
	assert_true(get_time(&place, &irm, "MUD") > 1.0);
	assert_true(get_time(&place, &miran, "ROAD") < get_time(&place, &irm, "ROAD"));
	assert_true(get_time(&place, &miran, "SIDEWALK") > get_time(&place, &irm, "SIDEWALK"));

	// The hook at the end lies below y = 30: IRM never sees it.
	double miran_lowest = HUGE_VAL, irm_lowest = HUGE_VAL;
	for (int i = 0; i < miran.point_count; ++i)
	{
		miran_lowest = nc_min(miran_lowest, miran.points[i].y);
	}
	for (int i = 0; i < irm.point_count; ++i)
	{
		irm_lowest = nc_min(irm_lowest, irm.points[i].y);
	}
	assert_true(miran_lowest < 25.0);
	assert_true(irm_lowest > 30.0);
	walk_destroy(&miran);
	walk_destroy(&irm);
	nc_steer_route_destroy(route);
	close_place(&place);
}

static Walk walk_forest(Place* place, const char* profile, double sigma)
{
	static NcVec2 points[MAX_POINTS];
	open_place(place, "tests/data/forest.wkt", 300.0, "tests/data/forest.terrain", profile);
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	def.route = NC_ROUTE_WEIGHTED;
	def.start = (NcVec2){12.0, 100.0};
	def.goal = (NcVec2){288.0, 100.0};
	def.radius = nc_steer_get_route_radius(place->map, 0.75);
	def.terrain = place->ground.terrain;
	def.profile = &place->ground.profile;
	assert_true(nc_query_find_path(place->query, &def, &info));
	int count = nc_query_get_path_points(place->query, points, MAX_POINTS);
	NcSteerRoute* route = NULL;
	assert_int_equal(nc_steer_route_create(place->query, points, count, 0.75, &route, NULL), NC_OK);
	Walk walk = run(place, route, METHOD_MIRAN, sigma, 20.0);
	nc_steer_route_destroy(route);
	return walk;
}

static void the_child_loves_puddles_and_the_adult_the_view(void** state)
{
	(void)state;
	Place adult_place, child_place;
	Walk adult = walk_forest(&adult_place, "ground=30,path=2,puddle=10,log=30,view=1", 80.0);
	Walk child = walk_forest(&child_place, "ground=30,path=2,puddle=1,log=1,view=10", 100.0);
	assert_true(get_time(&adult_place, &adult, "PUDDLE") == 0.0);
	assert_true(get_time(&adult_place, &adult, "LOG") == 0.0);
	assert_true(get_time(&adult_place, &adult, "VIEW") > 5.0);
	assert_true(get_time(&child_place, &child, "PUDDLE") > 10.0);
	assert_true(get_time(&child_place, &child, "LOG") > 1.0);
	assert_true(get_time(&child_place, &child, "VIEW") == 0.0);
	walk_destroy(&adult);
	walk_destroy(&child);
	close_place(&adult_place);
	close_place(&child_place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(improved_cmm_is_shorter_and_smoother_among_characters),
		cmocka_unit_test(larger_sigma_skips_more_of_the_loop),
		cmocka_unit_test(miran_keeps_to_the_sidewalk_and_irm_does_not),
		cmocka_unit_test(the_child_loves_puddles_and_the_adult_the_view),
	};
	return cmocka_run_group_tests_name("steer_papers", tests, NULL, NULL);
}
