// SPDX-License-Identifier: MIT

// Routes that keep to a side, and routes that are drawn: they keep their distance, and the drawing
// is repaired where it has to be.

#include "test.h"

#define MAX_POINTS 8192

static NcQuery* create_query(const NcMap* map)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	return query;
}

static void require_clear(const NcMap* map, NcQuery* query, double radius, int round)
{
	static NcVec2 points[MAX_POINTS];
	int count = nc_query_get_path_points(query, points, MAX_POINTS);
	assert_in_round(count >= 2 && count <= MAX_POINTS, round);
	for (int i = 1; i < count; ++i)
	{
		for (int k = 0; k <= 10; ++k)
		{
			NcVec2 p = nc_lerp(points[i - 1], points[i], k / 10.0);
			assert_in_round(compute_wall_distance(map, p) >= 0.98 * radius - 1e-4, round);
		}
	}
}

static void random_routes_keep_their_distance(void** state)
{
	(void)state;
	uint64_t seed = 191;
	static Scene scene;
	int found_count[2] = {0, 0};
	for (int round = 0; round < 40; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 8, 50.0, 0.37);
		NcMap* map = scene_create_map(&scene, NULL);
		NcQuery* query = create_query(map);
		for (int i = 0; i < 20; ++i)
		{
			NcVec2 control[2] = {
				random_vec2(&seed, scene.def.bounds), random_vec2(&seed, scene.def.bounds)};
			NcPathDef def = nc_default_path_def();
			def.start = random_vec2(&seed, scene.def.bounds);
			def.goal = random_vec2(&seed, scene.def.bounds);
			def.radius = random_between(&seed, 0.0, 2.0);
			def.side = random_between(&seed, -1.0, 1.0);
			def.control = control;
			def.control_count = 2;
			def.route = i % 2 ? NC_ROUTE_CONTROL : NC_ROUTE_SIDE;
			NcPathInfo info;
			if (nc_query_find_path(query, &def, &info))
			{
				++found_count[i % 2];
				require_clear(map, query, def.radius, round);
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(found_count[0] > 100 && found_count[1] > 100);
}

static void keeping_right_in_a_street_is_right_of_its_middle(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 10.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	for (int side = -2; side <= 2; ++side)
	{
		NcPathDef def = nc_default_path_def();
		def.start = (NcVec2){10.0, 5.0};
		def.goal = (NcVec2){90.0, 5.0};
		def.radius = 1.0;
		def.route = NC_ROUTE_SIDE;
		def.side = 0.5 * side;
		NcPathInfo info;
		static NcRoutePiece pieces[64];
		assert_true(nc_query_find_path(query, &def, &info));
		int count = nc_query_get_route(query, pieces, 64);
		NcVec2 middle = nc_route_get_point(pieces, count, 0.5 * info.length, NULL);
		assert_near(middle.y, 5.0 + 4.0 * def.side, 1e-9);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_routes_keep_their_distance),
		TEST(keeping_right_in_a_street_is_right_of_its_middle),
	};
	return cmocka_run_group_tests_name("route_side", tests, NULL, NULL);
}
