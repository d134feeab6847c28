// SPDX-License-Identifier: MIT

// Pulling a string tight through one corridor: known lengths, arcs around corners, tangents that
// meet without a bend, and distance from everything.

#include "test.h"

#include "query_state.h"

#define MAX_PIECES 1024
#define PI 3.14159265358979323846

static NcQuery* create_query(const NcMap* map)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	return query;
}

// The string within the corridor that the medial axis prefers.
static bool find(NcQuery* query, NcVec2 start, NcVec2 goal, double radius, NcPathInfo* info)
{
	NcPathDef def = nc_default_path_def();
	def.start = start;
	def.goal = goal;
	def.radius = radius;
	def.corridor_budget = 0;
	return nc_query_find_path(query, &def, info);
}

static void strings_in_an_empty_room_are_straight(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 60.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	uint64_t seed = 181;
	for (int i = 0; i < 500; ++i)
	{
		double radius = i % 3 ? random_between(&seed, 0.0, 30.0) : 0.0;
		NcBox box = nc_box_grow(scene.def.bounds, -radius);
		NcVec2 start = random_vec2(&seed, box);
		NcVec2 goal = random_vec2(&seed, box);
		NcPathInfo info;
		assert_in_round(find(query, start, goal, radius, &info), i);
		assert_int_equal(info.point_count, 2);
		assert_near(info.length, nc_distance(start, goal), 1e-9);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void strings_wind_around_the_end_of_a_wall(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_wall(&scene, 50.0, 0.0, 50.0, 60.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcQuery* query = create_query(map);
	static const double radii[] = {0.0, 1.0, 4.0, 9.5};
	for (int i = 0; i < NC_COUNT(radii); ++i)
	{
		double r = radii[i];
		NcPathInfo info;
		assert_true(find(query, (NcVec2){40.0, 10.0}, (NcVec2){60.0, 10.0}, r, &info));

		// Two tangents of the circle around the end, and the arc in between.
		double d = hypot(10.0, 50.0);
		double tangent = sqrt(d * d - r * r);
		double arc = r * (2.0 * PI - 2.0 * acos(r / d) - 2.0 * atan2(10.0, 50.0));
		assert_near(info.length, 2.0 * tangent + (r > 0.0 ? arc : 0.0), 1e-9);
		NcRoutePiece pieces[8];
		assert_int_equal(nc_query_get_route(query, pieces, 8), r > 0.0 ? 3 : 2);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

// Every piece begins where the one before ends, in the same direction unless a point bends it.
static void require_smooth(const NcRoutePiece* pieces, int count, double radius, int round)
{
	for (int i = 0; i < count; ++i)
	{
		NcVec2 begin, end;
		nc_route_get_point(&pieces[i], 1, 0.0, &begin);
		assert_in_round(pieces[i].length > 0.0, round);
		if (i == 0)
		{
			continue;
		}
		nc_route_get_point(&pieces[i - 1], 1, pieces[i - 1].length, &end);
		assert_in_round(nc_distance(pieces[i - 1].to, pieces[i].from) < 1e-9, round);
		assert_in_round(radius == 0.0 || fabs(nc_cross(end, begin)) < 1e-4, round);
	}
}

static void require_clear(
	const NcMap* map, const NcRoutePiece* pieces, int count, double radius, int round)
{
	double length = nc_route_compute_length(pieces, count);
	int steps = 2 + (int)(length / 0.2);
	for (int i = 0; i <= steps; ++i)
	{
		NcVec2 p = nc_route_get_point(pieces, count, length * i / steps, NULL);
		assert_in_round(compute_wall_distance(map, p) >= radius - 1e-6, round);
	}
}

static void random_strings_are_smooth_short_and_clear(void** state)
{
	(void)state;
	uint64_t seed = 182;
	static Scene scene;
	static NcRoutePiece pieces[MAX_PIECES];
	int arc_count = 0;
	for (int round = 0; round < 60; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 10, 50.0, round % 3 ? 0.37 : 10.0);
		NcMap* map = scene_create_map(&scene, NULL);
		NcQuery* query = create_query(map);
		for (int i = 0; i < 20; ++i)
		{
			double radius = i % 4 ? random_between(&seed, 0.0, 3.0) : 0.0;
			NcVec2 start = random_vec2(&seed, scene.def.bounds);
			NcVec2 goal = random_vec2(&seed, scene.def.bounds);
			NcPathInfo info;
			if (!find(query, start, goal, radius, &info))
			{
				continue;
			}
			int count = nc_query_get_route(query, pieces, MAX_PIECES);
			assert_in_round(count >= 1 && count <= MAX_PIECES, round);
			require_smooth(pieces, count, radius, round);
			require_clear(map, pieces, count, radius, round);
			assert_near(nc_route_compute_length(pieces, count), info.length, 1e-9);
			arc_count += count > 1;
		}
		nc_query_destroy(query);
		nc_map_destroy(map);
	}
	assert_true(arc_count > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(strings_in_an_empty_room_are_straight),
		TEST(strings_wind_around_the_end_of_a_wall),
		TEST(random_strings_are_smooth_short_and_clear),
	};
	return cmocka_run_group_tests_name("route_funnel", tests, NULL, NULL);
}
