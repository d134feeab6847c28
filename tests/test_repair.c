// SPDX-License-Identifier: MIT

// Paths after updates: those that do not say that they are stale are still good, and repaired ones
// exist exactly if there is a way.

#include "test.h"

#include "query_state.h"

#define MAX_POINTS 4096
#define BLOCKS 14

// A town whose blocks come and go.
typedef struct Town
{
	NcMap* map;
	NcQuery* query;
	NcObstacleId ids[BLOCKS * BLOCKS];
	bool is_there[BLOCKS * BLOCKS];
} Town;

static void toggle(Town* town, int block)
{
	double x = 10.0 * (block % BLOCKS) + 2.0;
	double y = 10.0 * (int)(block / BLOCKS) + 2.0;
	NcVec2 corners[] = {{x, y}, {x + 6.0, y}, {x + 6.5, y + 6.0}, {x, y + 6.5}};
	NcShape shape = {.kind = NC_SHAPE_POLYGON, .points = corners, .point_count = 4};
	if (town->is_there[block])
	{
		assert_int_equal(nc_map_remove_obstacle(town->map, town->ids[block]), NC_OK);
	}
	else
	{
		assert_int_equal(nc_map_add_obstacle(town->map, &shape, &town->ids[block], NULL), NC_OK);
	}
	town->is_there[block] = !town->is_there[block];
}

static void create_town(Town* town, uint64_t* seed)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {10.0 * BLOCKS, 10.0 * BLOCKS}};
	*town = (Town){0};
	assert_int_equal(nc_map_create(&def, &town->map, NULL), NC_OK);
	for (int i = 0; i < BLOCKS * BLOCKS; ++i)
	{
		if (random_int(seed, 0, 9) < 7)
		{
			toggle(town, i);
		}
	}
	assert_int_equal(nc_map_update(town->map, NULL), NC_OK);
	assert_int_equal(nc_query_create(town->map, &town->query), NC_OK);
}

static void destroy_town(Town* town)
{
	nc_query_destroy(town->query);
	nc_map_destroy(town->map);
}

static void edit(Town* town, uint64_t* seed, int count)
{
	for (int i = 0; i < count; ++i)
	{
		toggle(town, random_int(seed, 0, BLOCKS * BLOCKS - 1));
	}
	assert_int_equal(nc_map_update(town->map, NULL), NC_OK);
}

static bool find_random_path(Town* town, uint64_t* seed, NcPathDef* def, NcPathInfo* info)
{
	*def = nc_default_path_def();
	def->start = random_vec2(seed, nc_map_get_bounds(town->map));
	def->goal = random_vec2(seed, nc_map_get_bounds(town->map));
	def->radius = random_between(seed, 0.0, 1.5);
	def->route = random_int(seed, 0, 1) ? NC_ROUTE_MEDIAL : NC_ROUTE_SHORTEST;
	return nc_query_find_path(town->query, def, info);
}

static bool is_good(const NcMap* map, const NcVec2* points, int count, double radius)
{
	for (int i = 1; i < count; ++i)
	{
		int parts = 1 + (int)(nc_distance(points[i - 1], points[i]) / 0.5);
		for (int k = 0; k <= parts; ++k)
		{
			NcVec2 p = nc_lerp(points[i - 1], points[i], (double)k / parts);
			if (compute_wall_distance(map, p) < radius - 1e-4)
			{
				return false;
			}
		}
	}
	return true;
}

static void paths_that_are_not_stale_are_good(void** state)
{
	(void)state;
	uint64_t seed = 201;
	int counts[2] = {0};
	int broken_count = 0;
	Town town;
	create_town(&town, &seed);
	for (int round = 0; round < 600; ++round)
	{
		static NcVec2 points[MAX_POINTS];
		NcPathDef def;
		NcPathInfo info;
		NcPathWatch watch;
		bool is_found = find_random_path(&town, &seed, &def, &info);
		assert_in_round(nc_query_watch_path(town.query, &watch) == is_found, round);
		assert_in_round(nc_map_is_path_stale(town.map, &watch) == !is_found, round);
		int count = nc_query_get_path_points(town.query, points, MAX_POINTS);
		int update_count = random_int(&seed, 1, 4);
		for (int i = 0; i < update_count && is_found; ++i)
		{
			edit(&town, &seed, 1);
		}
		bool is_stale = nc_map_is_path_stale(town.map, &watch);
		bool is_still_good = is_good(town.map, points, count, def.radius);
		assert_in_round(is_stale || is_still_good, round);
		assert_in_round(!is_stale || nc_map_is_path_stale(town.map, &watch), round);
		counts[is_stale] += is_found;
		broken_count += !is_still_good;
	}
	assert_true(counts[0] > 15 && counts[1] > 15 && broken_count > 5);
	destroy_town(&town);
}

static void builds_from_scratch_and_forgotten_updates_make_stale(void** state)
{
	(void)state;
	uint64_t seed = 202;
	Town town;
	create_town(&town, &seed);
	NcPathDef def;
	NcPathInfo info;
	NcPathWatch watch;
	while (!find_random_path(&town, &seed, &def, &info))
	{
	}
	assert_true(nc_query_watch_path(town.query, &watch));
	edit(&town, &seed, BLOCKS * BLOCKS); // far too much to change in place
	assert_true(nc_map_is_path_stale(town.map, &watch));
	while (!find_random_path(&town, &seed, &def, &info))
	{
	}
	assert_true(nc_query_watch_path(town.query, &watch));
	town.map->changes.forgotten = town.map->revision + 1;
	assert_true(nc_map_is_path_stale(town.map, &watch));
	NcPathWatch never = {0};
	assert_true(nc_map_is_path_stale(town.map, &never));
	destroy_town(&town);
}

static void repaired_paths_exist_where_searched_ones_do(void** state)
{
	(void)state;
	uint64_t seed = 203;
	long visits[2] = {0};
	int kept_count = 0;
	int repaired_count = 0;
	Town town;
	create_town(&town, &seed);
	for (int round = 0; round < 200; ++round)
	{
		static NcVec2 points[MAX_POINTS];
		static NcVec2 vertices[MAX_POINTS];
		NcPathDef def;
		NcPathInfo info, repaired;
		if (!find_random_path(&town, &seed, &def, &info))
		{
			continue;
		}
		int vertex_count = nc_query_get_path_vertices(town.query, vertices, MAX_POINTS);
		int count = nc_query_get_path_points(town.query, points, MAX_POINTS);
		def.start = points[random_int(&seed, 0, count / 2)];
		def.radius *= 0.999;
		edit(&town, &seed, random_int(&seed, 1, 6));
		bool is_found = nc_query_find_path(town.query, &def, &info);
		bool is_repaired =
			nc_query_repair_path(town.query, &def, vertices, vertex_count, &repaired);
		assert_in_round(is_found == is_repaired && info.outcome == repaired.outcome, round);
		if (is_repaired)
		{
			visits[0] += repaired.visited_count;
			visits[1] += info.visited_count;
			kept_count += repaired.visited_count == 0;
			++repaired_count;
			assert_in_round(repaired.axis_cost >= info.axis_cost - 1e-2, round);
			assert_in_round(repaired.axis_cost <= 3.0 * info.axis_cost + 60.0, round);
			count = nc_query_get_path_points(town.query, points, MAX_POINTS);
			assert_in_round(is_good(town.map, points, count, def.radius), round);
			assert_in_round(nc_distance(points[count - 1], def.goal) < 1e-9, round);
			for (int i = 1; i < town.query->arcs.count; ++i)
			{
				NcVec2 a = town.query->arcs.data[i - 1].arc.ends[1];
				NcVec2 b = town.query->arcs.data[i].arc.ends[0];
				assert_in_round(nc_distance(a, b) == 0.0, round);
			}
		}
	}
	assert_true(repaired_count > 60 && kept_count > 20);
	assert_true(visits[0] < visits[1]);
	destroy_town(&town);
}

static void odd_repairs_are_searches(void** state)
{
	(void)state;
	uint64_t seed = 204;
	Town town;
	create_town(&town, &seed);
	NcPathDef def;
	NcPathInfo info, repaired;
	while (!find_random_path(&town, &seed, &def, &info))
	{
	}
	NcVec2 nowhere[] = {{-5.0, 3.0}, {1e9, 1e9}};
	assert_true(nc_query_repair_path(town.query, &def, NULL, 0, &repaired));
	assert_near(repaired.length, info.length, 0.0);
	assert_true(nc_query_repair_path(town.query, &def, nowhere, 2, &repaired));
	assert_near(repaired.length, info.length, 0.0);
	def.radius = -1.0;
	assert_false(nc_query_repair_path(town.query, &def, nowhere, 2, &repaired));
	assert_int_equal(repaired.outcome, NC_PATH_NONE);
	assert_int_equal(nc_query_get_path_vertices(town.query, NULL, 0), 0);
	destroy_town(&town);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(paths_that_are_not_stale_are_good),
		TEST(builds_from_scratch_and_forgotten_updates_make_stale),
		TEST(repaired_paths_exist_where_searched_ones_do),
		TEST(odd_repairs_are_searches),
	};
	return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
