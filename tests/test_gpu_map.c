// SPDX-License-Identifier: MIT

// Maps built with the candidates of a Vulkan device have the same bits as those built without, at
// every resolution, and whatever fails. All scenes and resolutions are compared by
// `tools/soak gpu_map`, here a share of them.

#include "test_gpu.h"

#include "nav_corridor/gpu_candidates.h"
#include "parallel.h"
#include "scenes.h"

#include <stdlib.h>

// Build a map with candidates, or without if there are no tiles.
static uint64_t build_hash(const TestScene* made, NcCandidateTiles* tiles, int thread_count)
{
	Parallel parallel = {.thread_count = thread_count};
	NcMapDef def = nc_default_map_def();
	def.bounds = made->bounds;
	def.snap = made->snap;
	def.parallel_for = parallel_for;
	def.parallel_context = &parallel;
	def.worker_count = thread_count;
	def.find_candidates = tiles != NULL ? nc_candidate_tiles_find : NULL;
	def.candidates_context = tiles;
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	for (int i = 0; i < made->scene.shape_count; ++i)
	{
		NcShape shape = scenes_get_shape(made, i);
		NcObstacleId id;
		assert_int_equal(nc_map_add_obstacle(map, &shape, &id, NULL), NC_OK);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	uint64_t hash = nc_map_compute_hash(map);
	nc_map_destroy(map);
	return hash;
}

static void require_same_map(NcGpu* gpu, const char* name, int resolution, int thread_count)
{
	TestScene made;
	assert_true(scenes_make(name, &made));
	NcCandidateTiles* tiles = nc_candidate_tiles_create(gpu, resolution);
	assert_non_null(tiles);
	uint64_t expected = build_hash(&made, NULL, 1);
	uint64_t hash = build_hash(&made, tiles, thread_count);
	NcCandidateStats stats = nc_candidate_tiles_get_stats(tiles);
	assert_true(stats.is_used);
	assert_int_equal(stats.is_from_device, gpu != NULL);
	if (hash != expected)
	{
		fail_msg("%s differs at resolution %d", name, resolution);
	}
	nc_candidate_tiles_destroy(tiles);
	scenes_destroy(&made);
}

static void scenes_have_the_same_bits_with_candidates_of_a_device(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const struct
	{
		const char* name;
		int resolution;
	} cases[] = {
		{"mckenna", 64},
		{"mckenna", 1024},
		{"city:10", 64},
		{"city17:10", 300},
		{"random:800", 128},
		{"gons:1", 256},
		{"comb:60", 512},
	};
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		require_same_map(gpu, cases[i].name, cases[i].resolution, 1 + i % 2);
	}
	close_gpu(gpu, &messages);
}

static void random_scenes_have_the_same_bits_with_candidates(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const char* kinds[] = {"mixed", "overlap", "hard", "lattice"};
	const int resolutions[] = {64, 100, 256, 8};
	for (int round = 0; round < 40; ++round)
	{
		char name[32];
		snprintf(name, sizeof(name), "%s:%d", kinds[round % 4], 500 + round);
		require_same_map(round % 3 == 0 ? NULL : gpu, name, resolutions[round / 4 % 4], 1);
	}
	close_gpu(gpu, &messages);
}

static void failing_device_changes_no_map(void** state)
{
	(void)state;
	TestScene made;
	assert_true(scenes_make("mixed:7", &made));
	uint64_t expected = build_hash(&made, NULL, 1);
	const VkResult results[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_HOST_MEMORY,
		VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INITIALIZATION_FAILED};
	int count = 0;
	for (bool is_failed = true; is_failed; ++count)
	{
		GpuMessages messages = {0};
		NcVkFaults faults = {.failing_count = 1 << 20, .result = results[count % 4]};
		NcGpu* gpu = open_gpu(&messages, &faults);
		NcCandidateTiles* tiles = nc_candidate_tiles_create(gpu, 32);
		faults.first_failing = faults.call_count + 1 + count;
		assert_true(build_hash(&made, tiles, 1) == expected);
		is_failed = faults.failed != NULL;
		assert_int_equal(nc_candidate_tiles_get_stats(tiles).is_used, !is_failed);
		nc_candidate_tiles_destroy(tiles);
		close_gpu(gpu, &messages);
		count += count > 40 ? 9 : 0; // The rest is much of the same.
	}
	assert_true(count > 40);
	scenes_destroy(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		GPU_TEST(scenes_have_the_same_bits_with_candidates_of_a_device),
		GPU_TEST(random_scenes_have_the_same_bits_with_candidates),
		GPU_TEST(failing_device_changes_no_map),
	};
	return cmocka_run_group_tests_name("gpu_map", tests, keep_drivers_loaded, NULL);
}
