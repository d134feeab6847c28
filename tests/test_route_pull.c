// SPDX-License-Identifier: MIT

// Pulling paths tight: what remains is a part of the points there were, and never longer. That
// every step of it keeps its distance is tested in test_query.c.

#include "test.h"

#include "query_state.h"

#define MAX_POINTS 4096

// A path along the medial axis, not pulled yet, as the query keeps it: in snaps.
static bool find_medial(NcQuery* query, NcVec2 start, NcVec2 goal, double radius)
{
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	def.route = NC_ROUTE_MEDIAL;
	def.start = start;
	def.goal = goal;
	def.radius = radius;
	return nc_query_find_path(query, &def, &info);
}

static double measure(const NcQuery* query)
{
	double length = 0.0;
	for (int i = 1; i < query->points.count; ++i)
	{
		length += nc_distance(query->points.data[i - 1], query->points.data[i]);
	}
	return length;
}

static NcQuery* create_query(const NcMap* map)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	return query;
}

static void paths_in_an_empty_room_become_straight(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	assert_true(find_medial(query, (NcVec2){5.0, 5.0}, (NcVec2){90.0, 8.0}, 2.0));
	assert_true(query->points.count > 2);
	nc_route_pull(query, 2.0 * map->inverse_snap);
	assert_int_equal(query->points.count, 2);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void paths_around_a_wall_keep_a_corner(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_wall(&scene, 50.0, 0.0, 50.0, 60.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	assert_true(find_medial(query, (NcVec2){40.0, 10.0}, (NcVec2){60.0, 10.0}, 1.0));
	nc_route_pull(query, map->inverse_snap);
	assert_true(query->points.count >= 3);

	// No shorter than the string around the end of the wall.
	double string = 2.0 * sqrt(10.0 * 10.0 + 50.0 * 50.0);
	assert_true(map->snap * measure(query) >= string);
	assert_true(map->snap * measure(query) <= 2.0 * string);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

// Whether every pulled point was there before, in the same order.
static bool is_part_of(const NcQuery* query, const NcVec2* before, int before_count)
{
	int k = 0;
	for (int i = 0; i < query->points.count; ++i, ++k)
	{
		while (k < before_count && nc_distance(query->points.data[i], before[k]) != 0.0)
		{
			++k;
		}
	}
	return k <= before_count;
}

static void random_paths_lose_points_and_grow_no_longer(void** state)
{
	(void)state;
	uint64_t seed = 181;
	static Scene scene;
	static NcVec2 before[MAX_POINTS];
	int pulled_count = 0;
	for (int round = 0; round < 40; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 8, 50.0, round % 3 ? 0.37 : 10.0);
		NcMap* map = scene_create_map(&scene, NULL);
		NcQuery* query = create_query(map);
		for (int i = 0; i < 20; ++i)
		{
			double radius = random_between(&seed, 0.0, 3.0);
			NcVec2 start = random_vec2(&seed, scene.def.bounds);
			NcVec2 goal = random_vec2(&seed, scene.def.bounds);
			if (!find_medial(query, start, goal, radius))
			{
				continue;
			}
			int count = query->points.count;
			assert_in_round(count <= MAX_POINTS, round);
			memcpy(before, query->points.data, sizeof(NcVec2) * (size_t)count);
			double length = measure(query);
			nc_route_pull(query, radius * map->inverse_snap);
			pulled_count += query->points.count < count;
			assert_in_round(is_part_of(query, before, count), round);
			assert_in_round(measure(query) <= length * (1.0 + 1e-12), round);
			NcVec2 last = query->points.data[query->points.count - 1];
			assert_in_round(nc_distance(query->points.data[0], before[0]) == 0.0, round);
			assert_in_round(nc_distance(last, before[count - 1]) == 0.0, round);
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(pulled_count > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(paths_in_an_empty_room_become_straight),
		TEST(paths_around_a_wall_keep_a_corner),
		TEST(random_paths_lose_points_and_grow_no_longer),
	};
	return cmocka_run_group_tests_name("route_pull", tests, NULL, NULL);
}
