// SPDX-License-Identifier: MIT

// What a disc can reach straight: every sample of a segment is hidden exactly if the way there
// comes too close to a wall, by brute force over all walls.

#include "test.h"

#include "map_state.h"
#include "steer_visibility.h"

static double segment_distance(NcVec2 a, NcVec2 b, NcVec2 c, NcVec2 d)
{
	NcVec2 ab = nc_sub(b, a);
	NcVec2 cd = nc_sub(d, c);
	double c_side = nc_cross(ab, nc_sub(c, a));
	double d_side = nc_cross(ab, nc_sub(d, a));
	double a_side = nc_cross(cd, nc_sub(a, c));
	double b_side = nc_cross(cd, nc_sub(b, c));
	if (c_side * d_side < 0.0 && a_side * b_side < 0.0)
	{
		return 0.0;
	}
	double best = nc_distance(a, nc_closest_on_segment(a, c, d));
	best = nc_min(best, nc_distance(b, nc_closest_on_segment(b, c, d)));
	best = nc_min(best, nc_distance(c, nc_closest_on_segment(c, a, b)));
	return nc_min(best, nc_distance(d, nc_closest_on_segment(d, a, b)));
}

// The least distance of the way from x to y from all walls, in snaps.
static double measure_way(const NcMap* map, NcVec2 x, NcVec2 y)
{
	double best = HUGE_VAL;
	for (int i = 0; i < nc_map_get_wall_range(map); ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall) && (wall.left_free || wall.right_free))
		{
			best = nc_min(best,
				segment_distance(x, y, nc_map_to_snaps(map, wall.a), nc_map_to_snaps(map, wall.b)));
		}
	}
	return best;
}

static bool is_hidden(const NcHidden* hidden, double t)
{
	for (int i = 0; i < hidden->count; ++i)
	{
		if (hidden->begins[i] < t && t < hidden->ends[i])
		{
			return true;
		}
	}
	return false;
}

static void random_samples_are_hidden_exactly_if_the_way_is_blocked(void** state)
{
	(void)state;
	uint64_t seed = 5101;
	static Scene scene;
	int hidden_count = 0, visible_count = 0;
	for (int round = 0; round < 120; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 8, 50.0, round % 3 ? 0.37 : 10.0);
		NcMap* map = scene_create_map(&scene, NULL);
		for (int i = 0; i < 40; ++i)
		{
			NcBox bounds = scene.def.bounds;
			NcVec2 x = nc_map_to_snaps(map, random_vec2(&seed, bounds));
			NcVec2 p = nc_map_to_snaps(map, random_vec2(&seed, bounds));
			NcVec2 q = nc_map_to_snaps(map, random_vec2(&seed, bounds));
			q = i % 8 == 0 ? nc_lerp(x, p, 0.7) : q; // a flat triangle
			double radius = i % 4 == 0 ? 0.0 : random_between(&seed, 0.0, 3000.0);
			NcNearest nearest;
			nc_locate_nearest(&map->world.diagram, x, &nearest);
			if (!nearest.is_free || nearest.distance < 1.001 * radius)
			{
				continue; // the disc must fit where it is
			}
			NcHidden hidden;
			nc_visibility_find_hidden(&map->world.diagram, x, radius, p, q, &hidden);
			for (int k = 0; k <= 25; ++k)
			{
				double t = (k + 0.37) / 26.0;
				double distance = measure_way(map, x, nc_lerp(p, q, t));
				if (fabs(distance - radius) > 1e-4 * (1.0 + radius))
				{
					bool expected = distance < radius;
					assert_in_round(is_hidden(&hidden, t) == expected, round);
					hidden_count += expected;
					visible_count += !expected;
				}
			}
		}
		nc_map_destroy(map);
	}
	assert_true(hidden_count > 5000 && visible_count > 2000);
}

static void hidden_parts_are_disjoint_and_in_order(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
	for (int i = 0; i < 40; ++i)
	{
		scene_add_single(&scene, -50.0 + 2.5 * i, 0.0);
	}
	NcMap* map = scene_create_map(&scene, NULL);
	NcHidden hidden;
	NcVec2 x = nc_map_to_snaps(map, (NcVec2){0.0, -20.0});
	NcVec2 p = nc_map_to_snaps(map, (NcVec2){-55.0, 20.0});
	NcVec2 q = nc_map_to_snaps(map, (NcVec2){55.0, 20.0});
	nc_visibility_find_hidden(&map->world.diagram, x, 0.2 * map->inverse_snap, p, q, &hidden);
	assert_true(hidden.count > 10 && hidden.count <= NC_MAX_HIDDEN);
	for (int i = 0; i < hidden.count; ++i)
	{
		assert_true(hidden.begins[i] < hidden.ends[i]);
		assert_true(i == 0 || hidden.ends[i - 1] < hidden.begins[i]);
	}
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_samples_are_hidden_exactly_if_the_way_is_blocked),
		TEST(hidden_parts_are_disjoint_and_in_order),
	};
	return cmocka_run_group_tests_name("steer_visibility", tests, NULL, NULL);
}
