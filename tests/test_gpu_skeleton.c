// SPDX-License-Identifier: MIT

// Skeletons: the device and the processor find the same, and what they find is the medial axis of
// the exact corridor map.

#include "test_gpu.h"

#include "skeleton_match.h"

#include <stdlib.h>
#include <string.h>

static void assert_same_skeleton(const NcSkeleton* a, const NcSkeleton* b)
{
	assert_int_equal(a->sample_count, b->sample_count);
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_int_equal(a->edge_count, b->edge_count);
	for (int i = 0; i < a->sample_count; ++i)
	{
		assert_memory_equal(&a->samples[i], &b->samples[i], sizeof(NcSkeletonSample));
	}
	for (int i = 0; i < a->vertex_count; ++i)
	{
		assert_int_equal(a->vertices[i].x, b->vertices[i].x);
		assert_int_equal(a->vertices[i].y, b->vertices[i].y);
	}
	for (int i = 0; i < a->edge_count; ++i)
	{
		assert_memory_equal(&a->edges[i], &b->edges[i], sizeof(NcSkeletonEdge));
	}
}

// `tools/soak gpu_skeletons` compares 100.
#define SCENE_COUNT 12

// Extract the skeleton of a scene in both ways, and compare it with the exact map.
static SkeletonMatch extract_and_match(NcGpu* gpu, const char* name, int size)
{
	FieldScene* scene = field_scene_create(name, size);
	NcField field = field_create(&scene->def);
	assert_int_equal(nc_gpu_compute_field(gpu, &scene->def, &field, NULL), NC_OK);
	NcSkeleton device = {0};
	NcSkeleton processor = {0};
	assert_int_equal(nc_skeleton_extract(gpu, &scene->def, field.labels, &device, NULL), NC_OK);
	assert_int_equal(nc_skeleton_extract(NULL, &scene->def, field.labels, &processor, NULL), NC_OK);
	assert_true(device.is_from_device);
	assert_false(processor.is_from_device);
	assert_same_skeleton(&device, &processor);
	SkeletonMatch match = skeleton_match(scene, &device);
	nc_skeleton_free(&device);
	nc_skeleton_free(&processor);
	field_destroy(&field);
	field_scene_destroy(scene);
	return match;
}

static void known_scenes_have_the_skeleton_of_the_exact_map(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const char* names[] = {"mckenna", "city:30", "city17:30"};
	for (int i = 0; i < NC_TEST_COUNT(names); ++i)
	{
		SkeletonMatch match = extract_and_match(gpu, names[i], 1024);
		skeleton_match_print(stderr, names[i], &match);
		assert_true(match.sample_count > 1000);
		assert_int_equal(skeleton_match_count_wrong(&match), 0);
		assert_int_equal(match.split_samples + match.tied_samples + match.zoomed_edges, 0);
	}
	close_gpu(gpu, &messages);
}

static void random_scenes_have_the_skeleton_of_the_exact_map(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	SkeletonMatch sum = {0};
	for (int round = 0; round < SCENE_COUNT; ++round)
	{
		char name[32];
		const char* kinds[] = {"mixed", "overlap", "lattice", "hard"};
		snprintf(name, sizeof(name), "%s:%d", kinds[round % 4], 100 + round);
		SkeletonMatch match = extract_and_match(gpu, name, 256);
		if (skeleton_match_count_wrong(&match) > 0)
		{
			skeleton_match_print(stderr, name, &match);
		}
		skeleton_match_add(&sum, &match);
	}
	skeleton_match_print(stderr, "random scenes", &sum);
	assert_int_equal(skeleton_match_count_wrong(&sum), 0);
	assert_true(sum.zoomed_edges < 20);
	assert_true(sum.split_samples < sum.sample_count / 100);
	close_gpu(gpu, &messages);
}

static void extraction_survives_every_failing_call(void** state)
{
	(void)state;
	FieldScene* scene = field_scene_create("mckenna", 32);
	NcField field = field_create(&scene->def);
	assert_int_equal(nc_field_compute(NULL, &scene->def, &field, NULL), NC_OK);
	NcSkeleton expected = {0};
	assert_int_equal(nc_skeleton_extract(NULL, &scene->def, field.labels, &expected, NULL), NC_OK);
	const VkResult results[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_HOST_MEMORY,
		VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INITIALIZATION_FAILED};
	int count = 0;
	for (bool is_failed = true; is_failed; ++count)
	{
		GpuMessages messages = {0};
		NcVkFaults faults = {.failing_count = 1, .result = results[count % 4]};
		NcGpu* gpu = open_gpu(&messages, &faults);
		faults.first_failing = faults.call_count + 1 + count;
		NcSkeleton skeleton = {0};
		assert_int_equal(
			nc_skeleton_extract(gpu, &scene->def, field.labels, &skeleton, NULL), NC_OK);
		is_failed = faults.failed != NULL;
		assert_int_equal(skeleton.is_from_device, !is_failed);
		assert_same_skeleton(&expected, &skeleton);
		nc_skeleton_free(&skeleton);
		close_gpu(gpu, &messages);
	}
	assert_true(count > 30);
	nc_skeleton_free(&expected);
	field_destroy(&field);
	field_scene_destroy(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		GPU_TEST(extraction_survives_every_failing_call),
		GPU_TEST(known_scenes_have_the_skeleton_of_the_exact_map),
		GPU_TEST(random_scenes_have_the_skeleton_of_the_exact_map),
	};
	return cmocka_run_group_tests_name("gpu_skeleton", tests, keep_drivers_loaded, NULL);
}
