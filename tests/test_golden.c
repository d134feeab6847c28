// SPDX-License-Identifier: MIT

// Hashes of whole results: the same bits with every compiler, optimisation and machine. To change
// one of these numbers is a reviewed act, named in the commit that does it.

#include "test.h"

#include <inttypes.h>

// What is expected of a scene: its map, and the paths between its opposite corners.
typedef struct Golden
{
	const char* name;
	void (*fill)(Scene* scene);
	uint64_t map_hash;
	uint64_t path_hash;
} Golden;

static void fill_empty(Scene* scene)
{
	scene_init(scene, -13.0, -7.0, 29.0, 11.0);
}

// Blocks with streets in between, some of them turned.
static void fill_town(Scene* scene)
{
	scene_init(scene, 0.0, 0.0, 100.0, 100.0);
	for (int i = 0; i < 16; ++i)
	{
		NcVec2 center = {14.0 + i % 4 * 24.0, 14.0 + i / 4 * 24.0};
		NcVec2 u = nc_scale(7.0, nc_direction(i % 3 * 0.3));
		NcVec2 v = nc_perp(u);
		scene_begin(scene, NC_SHAPE_POLYGON);
		for (int k = 0; k < 4; ++k)
		{
			NcVec2 p = nc_mul_add(
				nc_mul_add(center, k == 0 || k == 3 ? -1.0 : 1.0, u), k < 2 ? -1.0 : 1.0, v);
			scene_add_point(scene, p.x, p.y);
		}
	}
	scene_add_single(scene, 26.0, 26.0);
	scene_add_wall(scene, 50.0, 45.0, 50.0, 55.0);
}

static void fill_random(Scene* scene)
{
	uint64_t seed = 171;
	scene_init(scene, -60.0, -60.0, 60.0, 60.0);
	scene_add_random(scene, &seed, 40, 55.0, 0.013);
}

// Everything touches, overlaps, repeats and is equally far away.
static void fill_lattice(Scene* scene)
{
	uint64_t seed = 172;
	scene_init(scene, -60.0, -60.0, 60.0, 60.0);
	scene_add_random(scene, &seed, 12, 50.0, 12.5);
}

// A walkable outline with a hole, a figure eight, a star, a spike and points on walls.
static void fill_strange(Scene* scene)
{
	scene_init(scene, 0.0, 0.0, 200.0, 100.0);
	scene_begin(scene, NC_SHAPE_WALKABLE);
	for (int i = 0; i < 12; ++i)
	{
		NcVec2 d = nc_direction(i * 0.5235987755982988);
		scene_add_point(scene, 100.0 + 95.0 * d.x, 50.0 + 47.0 * d.y);
	}
	scene_begin_hole(scene);
	scene_add_corners(scene, 90.0, 20.0, 110.0, 30.0);
	scene_begin(scene, NC_SHAPE_POLYGON);
	scene_add_point(scene, 30.0, 40.0);
	scene_add_point(scene, 60.0, 60.0);
	scene_add_point(scene, 60.0, 40.0);
	scene_add_point(scene, 30.0, 60.0);
	for (int i = 0; i < 24; ++i)
	{
		NcVec2 d = nc_scale(15.0, nc_direction(i * 0.2617993877991494));
		scene_add_wall(scene, 140.0, 50.0, 140.0 + d.x, 50.0 + d.y);
	}
	scene_begin(scene, NC_SHAPE_POLYGON);
	scene_add_point(scene, 90.0, 70.0);
	scene_add_point(scene, 110.0, 70.0);
	scene_add_point(scene, 125.0, 80.0);
	scene_add_point(scene, 110.0, 70.0);
	scene_add_point(scene, 100.0, 85.0);
	scene_add_single(scene, 45.0, 50.0);
	scene_add_single(scene, 145.0, 50.0);
}

// Long walls close together, which end in a row below and at different heights above; and two
// across.
static void fill_comb(Scene* scene)
{
	scene_init(scene, 0.0, 0.0, 60.0, 1000.0);
	for (int i = 0; i < 50; ++i)
	{
		double x = 5.0 + i;
		scene_add_wall(scene, x, 40.0, x + 0.1 * (i * 7 % 3), 900.0 + i * 37 % 41);
	}
	scene_add_wall(scene, 3.0, 20.0, 56.0, 20.5);
	scene_add_wall(scene, 2.0, 500.0, 30.2, 500.0);
}

static const Golden goldens[] = {
	{"empty", fill_empty, 0xd03334b90708a1ebu, 0xeadbad6724d93800u},
	{"town", fill_town, 0x851530754ec25e3eu, 0xdeb45fbe3e1ac51cu},
	{"random", fill_random, 0xd30506545b13014eu, 0xc6800badc23c69d8u},
	{"lattice", fill_lattice, 0x40d85d89da97200eu, 0x212760a2e37cf153u},
	{"strange", fill_strange, 0xcf49acf410cb457au, 0xa2a5bae2c3ab8714u},
	{"comb", fill_comb, 0xb61d23a17a10693bu, 0x560cf5f62e25e6b7u},
};

static uint64_t mix(uint64_t hash, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
	return hash ^ (hash >> 29);
}

#define MAX_POINTS 4096
#define GRID_SIDE 5

// The paths between places of a coarse grid, of both kinds and of several radii.
static uint64_t hash_paths(const NcMap* map)
{
	static NcVec2 points[MAX_POINTS];
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcBox bounds = nc_map_get_bounds(map);
	uint64_t hash = 0;
	for (int i = 0; i < GRID_SIDE * GRID_SIDE; ++i)
	{
		double x = (i % GRID_SIDE + 0.37) / GRID_SIDE;
		double y = ((double)(i / GRID_SIDE) + 0.41) / GRID_SIDE;
		NcVec2 size = nc_sub(bounds.upper, bounds.lower);
		NcPathDef def = nc_default_path_def();
		NcPathInfo info;
		def.route = i % 2 ? NC_ROUTE_MEDIAL : NC_ROUTE_SHORTEST;
		def.radius = 0.25 * (i % 3);
		def.start = (NcVec2){bounds.lower.x + x * size.x, bounds.lower.y + y * size.y};
		def.goal = (NcVec2){bounds.upper.x - y * size.x, bounds.upper.y - x * size.y};
		nc_query_find_path(query, &def, &info);
		hash = mix(hash, info.outcome);
		int count = nc_query_get_path_points(query, points, MAX_POINTS);
		assert_true(count <= MAX_POINTS);
		for (int k = 0; k < count; ++k)
		{
			hash = mix(mix(hash, points[k].x), points[k].y);
		}
	}
	nc_query_destroy(query);
	return hash;
}

static void results_have_the_same_bits_as_ever(void** state)
{
	(void)state;
	int wrong_count = 0;
	for (int i = 0; i < NC_COUNT(goldens); ++i)
	{
		static Scene scene;
		goldens[i].fill(&scene);
		NcMap* map = scene_create_map(&scene, NULL);
		uint64_t map_hash = nc_map_compute_hash(map);
		uint64_t path_hash = hash_paths(map);
		nc_map_destroy(map);
		if (map_hash != goldens[i].map_hash || path_hash != goldens[i].path_hash)
		{
			++wrong_count;
			print_error(
				"%s: 0x%016" PRIx64 "u, 0x%016" PRIx64 "u\n", goldens[i].name, map_hash, path_hash);
		}
	}
	assert_int_equal(wrong_count, 0);
}

// Long walls that go and come back, some at a time.
static void edits_of_long_walls_lead_back(void** state)
{
	(void)state;
	static Scene scene;
	fill_comb(&scene);
	NcObstacleId ids[64];
	assert_true(scene.shape_count <= NC_COUNT(ids));
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&scene.def, &map, NULL), NC_OK);
	for (int i = 0; i < scene.shape_count; ++i)
	{
		NcShape shape = scene_get_shape(&scene, i);
		assert_int_equal(nc_map_add_obstacle(map, &shape, &ids[i], NULL), NC_OK);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	uint64_t hash = nc_map_compute_hash(map);
	for (int step = 2; step < 9; ++step)
	{
		for (int i = 0; i < scene.shape_count; i += step)
		{
			assert_int_equal(nc_map_remove_obstacle(map, ids[i]), NC_OK);
		}
		assert_int_equal(nc_map_update(map, NULL), NC_OK);
		assert_true(nc_map_compute_hash(map) != hash);
		for (int i = 0; i < scene.shape_count; i += step)
		{
			NcShape shape = scene_get_shape(&scene, i);
			assert_int_equal(nc_map_add_obstacle(map, &shape, &ids[i], NULL), NC_OK);
			assert_int_equal(nc_map_update(map, NULL), NC_OK);
		}
		assert_true(nc_map_compute_hash(map) == hash);
	}
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(results_have_the_same_bits_as_ever),
		TEST(edits_of_long_walls_lead_back),
	};
	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
