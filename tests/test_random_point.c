// SPDX-License-Identifier: MIT

// Random free points: the disc fits, the distribution is even, and the seed decides.

#include "test.h"

static NcMap* create_two_rooms(void)
{
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 50.0);
	scene_add_box(&scene, 30.0, 0.0, 50.0, 50.0);
	return scene_create_map(&scene, NULL);
}

static void points_are_even_over_the_area_where_the_disc_fits(void** state)
{
	(void)state;
	NcMap* map = create_two_rooms();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	uint64_t seed = 5;
	const int count = 20000;
	int left = 0;
	int low = 0;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 p;
		assert_true(nc_query_find_random_point(query, 5.0, &seed, &p));
		assert_true(nc_query_get_clearance(query, p) >= 5.0);
		left += p.x < 30.0;
		low += p.y < 15.0;
	}
	// The left room has 20 by 40 units for such a disc, the right one 40 by 40.
	assert_near((double)left / count, 1.0 / 3.0, 0.02);
	assert_near((double)low / count, 0.25, 0.02);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void the_seed_decides_and_the_order_of_edits_does_not(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 1000.0, 1000.0);
	scene_add_box(&scene, 0.0, 0.0, 999.0, 1000.0); // leaves a slit of one unit
	scene_add_box(&scene, 999.0, 100.0, 999.5, 1000.0);
	int orders[2][2] = {{0, 1}, {1, 0}};
	NcVec2 found[2][50];
	for (int k = 0; k < 2; ++k)
	{
		NcMap* map = scene_create_map(&scene, orders[k]);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		uint64_t seed = 9;
		for (int i = 0; i < 50; ++i)
		{
			double radius = i % 2 ? 0.49 : 0.0; // hardly any room for the first
			assert_true(nc_query_find_random_point(query, radius, &seed, &found[k][i]));
			assert_true(nc_query_get_clearance(query, found[k][i]) >= radius - 1e-9);
		}
		assert_true(nc_distance(found[k][1], found[k][3]) > 0.0);
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_memory_equal(found[0], found[1], sizeof(found[0]));
}

static void discs_that_fit_nowhere_find_nothing(void** state)
{
	(void)state;
	NcMap* map = create_two_rooms();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	uint64_t seed = 1;
	NcVec2 found = {7.0, 7.0};
	assert_true(nc_query_find_random_point(query, 25.0, &seed, &found)); // exactly in the middle
	assert_near(found.y, 25.0, 1e-6);
	found = (NcVec2){7.0, 7.0};
	assert_false(nc_query_find_random_point(query, 25.1, &seed, &found));
	assert_false(nc_query_find_random_point(query, 1e300, &seed, &found));
	assert_false(nc_query_find_random_point(query, -1.0, &seed, &found));
	assert_false(nc_query_find_random_point(query, NOT_A_NUMBER, &seed, &found));
	assert_vec2(found, 7.0, 7.0, 0.0);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(points_are_even_over_the_area_where_the_disc_fits),
		TEST(the_seed_decides_and_the_order_of_edits_does_not),
		TEST(discs_that_fit_nowhere_find_nothing),
	};
	return cmocka_run_group_tests_name("random_point", tests, NULL, NULL);
}
