// SPDX-License-Identifier: MIT

// The nearest point at which a disc fits, against a grid of points asked one by one.

#include "test.h"

#include "nav_corridor/nav_corridor.h"

static NcMap* create_room(double size)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {size, size}};
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	return map;
}

static void add_random_obstacles(NcMap* map, uint64_t* seed, double size, int count)
{
	for (int i = 0; i < count; ++i)
	{
		NcVec2 points[5];
		NcVec2 middle = {random_between(seed, 0.0, size), random_between(seed, 0.0, size)};
		int point_count = random_int(seed, 1, 5);
		for (int k = 0; k < point_count; ++k)
		{
			points[k] = (NcVec2){middle.x + random_between(seed, -3.0, 3.0),
				middle.y + random_between(seed, -3.0, 3.0)};
		}
		NcShape shape = {
			.kind = point_count >= 3 ? NC_SHAPE_POLYGON : NC_SHAPE_CHAIN,
			.points = points,
			.point_count = point_count,
		};
		NcObstacleId id;
		assert_int_equal(nc_map_add_obstacle(map, &shape, &id, NULL), NC_OK);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
}

static void corners_of_a_room_are_as_near_as_they_can_be(void** state)
{
	(void)state;
	NcMap* map = create_room(100.0);
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	struct
	{
		NcVec2 point, nearest;
	} cases[] = {
		{{2.0, 2.0}, {10.0, 10.0}},
		{{-50.0, -50.0}, {10.0, 10.0}},
		{{5.0, 40.0}, {10.0, 40.0}},
		{{98.0, 200.0}, {90.0, 90.0}},
		{{50.0, 50.0}, {50.0, 50.0}},
	};
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); ++i)
	{
		NcVec2 found;
		assert_true(nc_query_find_free_point(query, cases[i].point, 10.0, &found));
		assert_vec2(found, cases[i].nearest.x, cases[i].nearest.y, 1e-9);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

// The best of a grid of points where the disc fits can only be farther than the nearest one, and
// not much.
static void no_point_of_a_grid_is_nearer(void** state)
{
	(void)state;
	uint64_t seed = 301;
	const double size = 20.0;
	const double step = 0.1;
	for (int round = 0; round < 12; ++round)
	{
		NcMap* map = create_room(size);
		add_random_obstacles(map, &seed, size, 1 + round);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		for (int i = 0; i < 6; ++i)
		{
			NcVec2 p = {
				random_between(&seed, -2.0, size + 2.0), random_between(&seed, -2.0, size + 2.0)};
			double radius = random_between(&seed, 0.0, 2.0);
			double best = HUGE_VAL;
			for (double y = 0.0; y <= size; y += step)
			{
				for (double x = 0.0; x <= size; x += step)
				{
					NcVec2 q = {x, y};
					if (nc_distance(p, q) < best && nc_query_get_clearance(query, q) >= radius)
					{
						best = nc_distance(p, q);
					}
				}
			}
			NcVec2 found;
			bool is_found = nc_query_find_free_point(query, p, radius, &found);
			assert_true(is_found || best == HUGE_VAL);
			if (is_found)
			{
				assert_true(nc_query_get_clearance(query, found) >= radius - 1e-6);
				assert_true(nc_distance(p, found) <= best + 1e-9);
				assert_true(best == HUGE_VAL || best <= nc_distance(p, found) + 40.0 * step);
			}
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
}

static void a_disc_that_fits_nowhere_finds_nothing(void** state)
{
	(void)state;
	NcMap* map = create_room(10.0);
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcVec2 found = {7.0, 7.0};
	assert_false(nc_query_find_free_point(query, (NcVec2){5.0, 5.0}, 5.1, &found));
	assert_false(nc_query_find_free_point(query, (NcVec2){5.0, 5.0}, -1.0, &found));
	assert_false(nc_query_find_free_point(query, (NcVec2){(double)NAN, 5.0}, 1.0, &found));
	assert_vec2(found, 7.0, 7.0, 0.0);
	assert_true(nc_query_find_free_point(query, (NcVec2){1e300, 5.0}, 1.0, &found));
	assert_vec2(found, 9.0, 5.0, 1e-6);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corners_of_a_room_are_as_near_as_they_can_be),
		cmocka_unit_test(no_point_of_a_grid_is_nearer),
		cmocka_unit_test(a_disc_that_fits_nowhere_finds_nothing),
	};
	return cmocka_run_group_tests_name("free_point", tests, NULL, NULL);
}
