// SPDX-License-Identifier: MIT

// Routes over terrain against a fine grid: tools/soak weighted [SCENES [CELLS [FIRST_SEED]]].
// Prints how much more than the grid's route ours costs, and fails above three percent.

#include "terrain_scenes.h"

#include "clock.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_SCENES 100000
#define MAX_POINTS 4096
#define LIMIT 1.03

static int compare(const void* a, const void* b)
{
	double p = *(const double*)a;
	double q = *(const double*)b;
	return p < q ? -1 : p > q;
}

// The cost of our route by the grid's cost; negative if it is wrong.
static double run_scene(uint64_t seed, int cells, double* milliseconds)
{
	static NcVec2 points[MAX_POINTS];
	TerrainScene scene;
	NcQuery* query = NULL;
	if (!terrain_scene_make(&scene, seed) || nc_query_create(scene.map, &query) != NC_OK)
	{
		exit(2);
	}
	NcPathDef def = nc_default_path_def();
	def.route = NC_ROUTE_WEIGHTED;
	def.start = scene.start;
	def.goal = scene.goal;
	def.radius = scene.radius;
	def.terrain = scene.terrain;
	def.profile = &scene.profile;
	NcPathInfo info;
	nc_query_find_path(query, &def, &info);
	double begin = clock_get_milliseconds();
	nc_query_find_path(query, &def, &info);
	*milliseconds = clock_get_milliseconds() - begin;
	int count = nc_query_get_path_points(query, points, MAX_POINTS);
	double witness = terrain_scene_search_grid(&scene, cells);
	double ratio =
		info.outcome != NC_PATH_FOUND ? (witness < HUGE_VAL ? HUGE_VAL : 1.0) : info.cost / witness;
	if (info.outcome == NC_PATH_FOUND)
	{
		double sum = terrain_scene_sum_cost(&scene, points, count);
		bool is_free = terrain_scene_is_route_free(&scene, points, count);
		bool is_sum = fabs(sum - info.cost) < 0.02 * info.cost;
		if (!is_free || !is_sum || ratio > LIMIT)
		{
			printf("seed %llu: cost %.4f, summed %.4f, grid %.4f, ratio %.4f, radius %.3f, %s\n",
				(unsigned long long)seed, info.cost, sum, witness, ratio, scene.radius,
				is_free ? "free" : "NOT FREE");
			ratio = is_free && is_sum ? ratio : -1.0;
		}
	}
	nc_query_destroy(query);
	terrain_scene_destroy(&scene);
	return ratio;
}

int main(int argc, char** argv)
{
	static double ratios[MAX_SCENES];
	int scenes = argc > 1 ? atoi(argv[1]) : 100;
	int cells = argc > 2 ? atoi(argv[2]) : 200;
	int first = argc > 3 ? atoi(argv[3]) : 1;
	int failures = 0;
	double slowest = 0.0, all_ms = 0.0;
	scenes = scenes < 1 ? 1 : scenes > MAX_SCENES ? MAX_SCENES : scenes;
	for (int i = 0; i < scenes; ++i)
	{
		double milliseconds;
		ratios[i] = run_scene((uint64_t)(first + i), cells < 20 ? 20 : cells, &milliseconds);
		failures += ratios[i] < 0.0 || ratios[i] > LIMIT;
		slowest = nc_max(slowest, milliseconds);
		all_ms += milliseconds;
	}
	qsort(ratios, (size_t)scenes, sizeof(double), compare);
	printf("cost by that of the grid: least %.4f, median %.4f, p90 %.4f, p99 %.4f, greatest %.4f\n",
		ratios[0], ratios[scenes / 2], ratios[scenes * 9 / 10], ratios[scenes * 99 / 100],
		ratios[scenes - 1]);
	printf("time: mean %.2f ms, greatest %.2f ms\n", all_ms / scenes, slowest);
	printf("%d passed, %d failed\n", scenes - failures, failures);
	return failures > 0;
}
