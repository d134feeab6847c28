// SPDX-License-Identifier: MIT

// Metrics of paths whose measures are known.

#include "test.h"

static NcMap* create_room(NcQuery** query)
{
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
	NcMap* map = scene_create_map(&scene, NULL);
	assert_int_equal(nc_query_create(map, query), NC_OK);
	return map;
}

static void a_straight_walk_has_no_curvature(void** state)
{
	(void)state;
	NcVec2 points[101];
	for (int i = 0; i <= 100; ++i)
	{
		points[i] = (NcVec2){10.0 + 0.5 * i, 30.0};
	}
	NcQuery* query;
	NcMap* map = create_room(&query);
	NcPathMetrics metrics = nc_path_measure(query, NULL, points, 101, 0.1);
	assert_near(metrics.length, 50.0, 1e-9);
	assert_near(metrics.time, 10.0, 1e-9);
	assert_near(metrics.mean_curvature, 0.0, 1e-9);
	assert_near(metrics.min_clearance, 10.0, 1e-9);
	assert_near(metrics.mean_acceleration, 0.0, 1e-9);
	assert_near(metrics.mean_jerk, 0.0, 1e-6);
	assert_near(metrics.times[0], 10.0, 1e-9);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void a_circle_has_the_curvature_of_its_radius(void** state)
{
	(void)state;
	NcVec2 points[400];
	for (int i = 0; i < 400; ++i)
	{
		points[i] = nc_add((NcVec2){50.0, 30.0}, nc_scale(8.0, nc_direction(0.01 * i)));
	}
	NcQuery* query;
	NcMap* map = create_room(&query);
	NcPathMetrics metrics = nc_path_measure(query, NULL, points, 400, 0.05);
	assert_near(metrics.mean_curvature, 1.0 / 8.0, 1e-9);
	// v^2 / r, v = 8 * 0.01 / 0.05
	assert_near(metrics.mean_acceleration, 1.6 * 1.6 / 8.0, 1e-4);
	assert_near(metrics.max_acceleration, 1.6 * 1.6 / 8.0, 1e-4);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void time_on_terrain_follows_the_ground(void** state)
{
	(void)state;
	NcTerrain* terrain;
	NcVec2 corners[4] = {{20, 0}, {40, 0}, {40, 60}, {20, 60}};
	NcRegion region = {.points = corners, .point_count = 4, .type = 2};
	NcRegionId id;
	assert_int_equal(nc_terrain_create(&terrain), NC_OK);
	assert_int_equal(nc_terrain_add_region(terrain, &region, &id, NULL), NC_OK);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	NcVec2 points[5] = {{10, 30}, {25, 30}, {35, 30}, {35, 30}, {50, 30}};
	NcQuery* query;
	NcMap* map = create_room(&query);
	NcPathMetrics metrics = nc_path_measure(query, terrain, points, 5, 1.0);
	assert_near(metrics.times[2], 1.0 / 3.0 + 1.0 + 1.0 + 1.0 / 3.0, 1e-9);
	assert_near(metrics.times[0], 4.0 - metrics.times[2], 1e-9);
	nc_query_destroy(query);
	nc_map_destroy(map);
	nc_terrain_destroy(terrain);
}

static void curvature_is_the_mean_over_all_points_but_the_ends(void** state)
{
	(void)state;
	// Straight, a right angle with sides of 1, straight, standing: rho is half of a diagonal once.
	NcVec2 points[6] = {{10, 30}, {11, 30}, {12, 30}, {12, 31}, {12, 32}, {12, 32}};
	NcQuery* query;
	NcMap* map = create_room(&query);
	double curvature = nc_path_measure(query, NULL, points, 6, 0.1).mean_curvature;
	assert_near(curvature, 2.0 / sqrt(2.0) / 4.0, 1e-12);
	assert_near(nc_path_measure(query, NULL, points, 2, 0.1).mean_curvature, 0.0, 0.0);
	assert_near(nc_path_measure(query, NULL, points, 1, 0.1).length, 0.0, 0.0);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void short_steps_count_as_long_ones(void** state)
{
	(void)state;
	NcVec2 points[200];
	for (int i = 0; i < 200; ++i)
	{
		double angle = i < 100 ? 0.01 * i : 1.0 + 0.0001 * (i - 100);
		points[i] = nc_add((NcVec2){50.0, 30.0}, nc_scale(4.0, nc_direction(angle)));
	}
	NcQuery* query;
	NcMap* map = create_room(&query);
	assert_near(nc_path_measure(query, NULL, points, 200, 0.1).mean_curvature, 0.25, 1e-6);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_straight_walk_has_no_curvature),
		TEST(a_circle_has_the_curvature_of_its_radius),
		TEST(time_on_terrain_follows_the_ground),
		TEST(curvature_is_the_mean_over_all_points_but_the_ends),
		TEST(short_steps_count_as_long_ones),
	};
	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
