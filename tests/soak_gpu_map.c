// SPDX-License-Identifier: MIT
// The long proof for maps built through Vulkan: the canonical hash of all known scenes and of 500
// random ones, with candidates of a device at resolutions from 64 to 4096, against maps built by
// the processor alone. Ends with 1 if any differs.

#include "clock.h"
#include "nav_corridor/gpu_candidates.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Totals
{
	int map_count, different_count, unused_count;
} Totals;

static NcMap* build(const TestScene* made, NcCandidateTiles* tiles)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = made->bounds;
	def.snap = made->snap;
	def.find_candidates = tiles != NULL ? nc_candidate_tiles_find : NULL;
	def.candidates_context = tiles;
	NcMap* map = NULL;
	bool is_done = nc_map_create(&def, &map, NULL) == NC_OK;
	for (int i = 0; is_done && i < made->scene.shape_count; ++i)
	{
		NcShape shape = scenes_get_shape(made, i);
		NcObstacleId id;
		is_done = nc_map_add_obstacle(map, &shape, &id, NULL) == NC_OK;
	}
	if (!is_done || nc_map_update(map, NULL) != NC_OK)
	{
		fprintf(stderr, "soak_gpu_map: a map cannot be built\n");
		exit(2);
	}
	return map;
}

static uint64_t build_hash(const TestScene* made, NcCandidateTiles* tiles)
{
	NcMap* map = build(made, tiles);
	uint64_t hash = nc_map_compute_hash(map);
	nc_map_destroy(map);
	return hash;
}

static void compare(
	NcGpu* gpu, const char* name, const int* resolutions, int count, bool is_loud, Totals* totals)
{
	TestScene made;
	if (!scenes_make(name, &made))
	{
		exit(2);
	}
	double start = clock_get_milliseconds();
	uint64_t expected = build_hash(&made, NULL);
	double processor = clock_get_milliseconds() - start;
	for (int i = 0; i < count; ++i)
	{
		NcCandidateTiles* tiles = nc_candidate_tiles_create(gpu, resolutions[i]);
		start = clock_get_milliseconds();
		uint64_t hash = build_hash(&made, tiles);
		double time = clock_get_milliseconds() - start;
		NcCandidateStats stats = nc_candidate_tiles_get_stats(tiles);
		bool is_different = hash != expected;
		++totals->map_count;
		totals->different_count += is_different;
		totals->unused_count += !stats.is_used;
		if (is_loud || is_different)
		{
			printf("%-14s %4d: %s, %lld candidates in %d groups, %.0f ms (processor alone %.0f)\n",
				name, resolutions[i], is_different ? "DIFFERENT" : "same", stats.candidate_count,
				stats.group_count, time, processor);
			fflush(stdout);
		}
		nc_candidate_tiles_destroy(tiles);
	}
	scenes_destroy(&made);
}

int main(void)
{
	NcGpuDef def = nc_default_gpu_def();
	NcGpu* gpu = NULL;
	NcError error = {0};
	if (nc_gpu_open(&def, &gpu, &error) != NC_OK)
	{
		fprintf(stderr, "soak_gpu_map: %s\n", error.reason);
		return 2;
	}
	printf("device: %s\n", nc_gpu_get_info(gpu).name);
	Totals totals = {0};
	const int all[] = {64, 256, 1024, 4096};
	const int fine[] = {256, 1024, 4096};
	compare(gpu, "mckenna", all, 4, true, &totals);
	compare(gpu, "tests/data/forest.wkt", all, 4, true, &totals);
	compare(gpu, "gons:20", fine, 3, true, &totals);
	compare(gpu, "comb:1000", fine, 3, true, &totals);
	compare(gpu, "city:98", all, 4, true, &totals);
	compare(gpu, "city17:98", all, 4, true, &totals);
	compare(gpu, "random:100000", fine, 3, true, &totals);

	const char* kinds[] = {"mixed", "overlap", "hard", "lattice"};
	const int resolutions[] = {64, 128, 256, 512, 1024, 2048, 4096};
	for (int i = 0; i < 500; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "%s:%d", kinds[i % 4], 1000 + i);
		// The finest ones take long on a software device: one scene in 25.
		int finest = i % 25 == 0 ? 7 : 4;
		compare(gpu, name, &resolutions[i / 4 % finest], 1, false, &totals);
	}
	nc_gpu_close(gpu);
	printf("%d maps: %d different, %d without candidates\n", totals.map_count,
		totals.different_count, totals.unused_count);
	return totals.different_count + totals.unused_count > 0 ? 1 : 0;
}
