// SPDX-License-Identifier: MIT

// The clearance raster against two references: the same formulas in the same single precision,
// which must agree in every bit, and the exact geometry in double precision, which must agree
// within the promised error. And: what happens when Vulkan fails in the middle of it.

#include "test_gpu.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PIXELS (1300 * 1100)
#define MAX_SEGMENTS 3000

// The promise of gpu.h.
#define MAX_PIXEL_ERROR 1e-3
#define MAX_RELATIVE_ERROR 1e-6

// A raster with its results; the buffers are as large as any test needs.
typedef struct Scene
{
	NcGpuClearanceDef def;
	NcGpuSegment segments[MAX_SEGMENTS];
	float distances[MAX_PIXELS];
	uint32_t nearest[MAX_PIXELS];
} Scene;

static Scene* create_scene(NcVec2 lower, double pixel_size, int width, int height)
{
	Scene* scene = calloc(1, sizeof(Scene));
	assert_non_null(scene);
	assert_true(width * height <= MAX_PIXELS);
	scene->def = nc_default_gpu_clearance_def();
	scene->def.lower = lower;
	scene->def.pixel_size = pixel_size;
	scene->def.width = width;
	scene->def.height = height;
	scene->def.segments = scene->segments;
	return scene;
}

static void add_segment(Scene* scene, double ax, double ay, double bx, double by)
{
	assert_true(scene->def.segment_count < MAX_SEGMENTS);
	scene->segments[scene->def.segment_count] = (NcGpuSegment){{ax, ay}, {bx, by}};
	scene->def.segment_count += 1;
}

// Add segments of all lengths, most of them in the raster, some of them points.
static void add_random_segments(Scene* scene, uint32_t* seed, int count)
{
	NcVec2 lower = scene->def.lower;
	double size = scene->def.pixel_size * scene->def.width;
	for (int i = 0; i < count; ++i)
	{
		double x = lower.x + random_between(seed, -0.2, 1.2) * size;
		double y = lower.y + random_between(seed, -0.2, 1.2) * size;
		double length =
			i % 10 == 0 ? 0.0 : size * random_between(seed, 0.0, i % 7 == 0 ? 2.0 : 0.1);
		add_segment(scene, x, y, x + length * random_between(seed, -1.0, 1.0),
			y + length * random_between(seed, -1.0, 1.0));
	}
}

static NcStatus compute(NcGpu* gpu, Scene* scene)
{
	return nc_gpu_compute_clearance(gpu, &scene->def, scene->distances, scene->nearest, NULL);
}

static double compute_exact_distance(NcVec2 p, NcGpuSegment segment)
{
	return nc_distance(p, nc_closest_on_segment(p, segment.a, segment.b));
}

// Whether pixel (x, y) has a nearest segment and a distance within the promised error.
static bool is_pixel_right(const Scene* scene, int x, int y)
{
	const NcGpuClearanceDef* def = &scene->def;
	NcVec2 p = {
		def->lower.x + (x + 0.5) * def->pixel_size, def->lower.y + (y + 0.5) * def->pixel_size};
	double best = (double)INFINITY;
	for (int i = 0; i < def->segment_count; ++i)
	{
		best = fmin(best, compute_exact_distance(p, def->segments[i]));
	}

	double tolerance = MAX_PIXEL_ERROR * def->pixel_size + MAX_RELATIVE_ERROR * best;
	uint32_t nearest = scene->nearest[y * def->width + x];
	double distance = (double)scene->distances[y * def->width + x];
	return nearest < (uint32_t)def->segment_count && fabs(distance - best) <= tolerance &&
		   compute_exact_distance(p, def->segments[nearest]) <= best + tolerance;
}

static void assert_exact(const Scene* scene, int step)
{
	for (int y = 0; y < scene->def.height; y += step)
	{
		for (int x = 0; x < scene->def.width; x += step)
		{
			if (!is_pixel_right(scene, x, y))
			{
				fail_msg("pixel (%d, %d) is wrong", x, y);
			}
		}
	}
}

// The formulas of the shader, for a raster of one tile whose units are pixels already.
static float compute_squared_in_float(NcGpuSegment segment, float x, float y)
{
	NcVec2 u = nc_normalize(nc_sub(segment.b, segment.a));
	float ux = (float)u.x;
	float uy = (float)u.y;
	float offset = (float)-nc_cross(u, segment.a);

	float from_a_x = x - (float)segment.a.x;
	float from_a_y = y - (float)segment.a.y;
	if (from_a_x * ux + from_a_y * uy <= 0.0f)
	{
		return from_a_x * from_a_x + from_a_y * from_a_y;
	}

	float from_b_x = x - (float)segment.b.x;
	float from_b_y = y - (float)segment.b.y;
	if (from_b_x * ux + from_b_y * uy >= 0.0f)
	{
		return from_b_x * from_b_x + from_b_y * from_b_y;
	}

	float height = (ux * y - uy * x) + offset;
	return height * height;
}

static void assert_same_bits(const Scene* scene)
{
	const NcGpuClearanceDef* def = &scene->def;
	for (int i = 0; i < def->width * def->height; ++i)
	{
		float x = (float)(i % def->width) + 0.5f;
		float y = (float)(i / def->width) + 0.5f;
		float best = INFINITY;
		uint32_t nearest = NC_GPU_NO_SEGMENT;
		for (int j = 0; j < def->segment_count; ++j)
		{
			float squared = compute_squared_in_float(def->segments[j], x, y);
			if (squared < best)
			{
				best = squared;
				nearest = (uint32_t)j;
			}
		}
		assert_int_equal(scene->nearest[i], nearest);
		assert_true(scene->distances[i] == (float)sqrt((double)best));
	}
}

static void random_scenes_equal_the_reference_in_every_bit(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	uint32_t seed = 2025;
	for (int round = 0; round < 20; ++round)
	{
		Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 64, 64);
		add_random_segments(scene, &seed, 1 + round * 5);
		assert_int_equal(compute(gpu, scene), NC_OK);
		assert_same_bits(scene);
		assert_exact(scene, 1);
		free(scene);
	}
	close_gpu(gpu, &messages);
}

static void precision_holds_far_from_the_origin_and_at_any_scale(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const struct
	{
		NcVec2 lower;
		double pixel_size;
	} cases[] = {
		{{-1000.0, 2000.0}, 0.25},
		{{1e6, -1e6}, 0.01},
		{{3e5, 3e5}, 1e-3},
		{{-1e7, 12.0}, 1e4},
	};
	uint32_t seed = 77;
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		Scene* scene = create_scene(cases[i].lower, cases[i].pixel_size, 100, 90);
		add_random_segments(scene, &seed, 30);
		// A wall that only passes by: its ends are a million pixels away.
		NcVec2 middle = nc_mul_add(cases[i].lower, 50.0 * cases[i].pixel_size, (NcVec2){1.0, 1.0});
		double reach = 1e6 * cases[i].pixel_size;
		add_segment(scene, middle.x - reach, middle.y - 0.7 * reach, middle.x + reach,
			middle.y + 0.7 * reach);
		assert_int_equal(compute(gpu, scene), NC_OK);
		assert_exact(scene, 1);
		free(scene);
	}
	close_gpu(gpu, &messages);
}

static void large_raster_of_several_tiles_and_batches_is_seamless(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);

	// Wider and higher than a tile, by parts of a work group.
	Scene* scene = create_scene((NcVec2){-30.0, -20.0}, 0.125, 1293, 1061);
	uint32_t seed = 5;
	add_random_segments(scene, &seed, 20);
	assert_int_equal(compute(gpu, scene), NC_OK);
	assert_exact(scene, 23);
	for (int i = 0; i < scene->def.height; ++i)
	{
		assert_true(is_pixel_right(scene, 1023, i) && is_pixel_right(scene, 1024, i));
		assert_true(is_pixel_right(scene, i, 1023) && is_pixel_right(scene, i, 1024));
	}
	free(scene);

	// More segments than a batch; the nearest ones come from all of them.
	scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 50, 40);
	add_random_segments(scene, &seed, 2500);
	assert_int_equal(compute(gpu, scene), NC_OK);
	assert_same_bits(scene);
	int batches_seen[3] = {0};
	for (int i = 0; i < scene->def.width * scene->def.height; ++i)
	{
		batches_seen[scene->nearest[i] / 1024] += 1;
	}
	assert_true(batches_seen[0] > 0 && batches_seen[1] > 0 && batches_seen[2] > 0);
	free(scene);

	close_gpu(gpu, &messages);
}

static void ties_go_to_the_lower_index(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);

	// The same wall many times over, in both directions, across the border of a batch.
	Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 32, 32);
	for (int i = 0; i < 1100; ++i)
	{
		i % 2 == 0 ? add_segment(scene, 5.0, 16.0, 20.0, 16.0)
				   : add_segment(scene, 20.0, 16.0, 5.0, 16.0);
	}
	assert_int_equal(compute(gpu, scene), NC_OK);
	for (int i = 0; i < 32 * 32; ++i)
	{
		assert_int_equal(scene->nearest[i], 0);
	}

	// Two walls that meet in (16, 16): behind the corner both are equally near.
	scene->def.segment_count = 0;
	add_segment(scene, 16.0, 16.0, 40.0, 16.0);
	add_segment(scene, 16.0, 40.0, 16.0, 16.0);
	assert_int_equal(compute(gpu, scene), NC_OK);
	for (int i = 0; i < 32 * 32; ++i)
	{
		int x = i % 32;
		int y = i / 32;
		// On the diagonal between them they are equally near, too.
		uint32_t expected = x < y && y >= 16 ? 1 : 0;
		assert_int_equal(scene->nearest[i], expected);
	}
	free(scene);
	close_gpu(gpu, &messages);
}

static void known_distances_are_exact(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);

	// Row 0 is the lowest: a wall along the lower side and a point 3-4-5 away from a pixel.
	Scene* scene = create_scene((NcVec2){10.0, 20.0}, 2.0, 8, 50);
	add_segment(scene, 0.0, 20.0, 100.0, 20.0);
	add_segment(scene, 17.0, 115.0, 17.0, 115.0);
	assert_int_equal(compute(gpu, scene), NC_OK);
	assert_true(scene->distances[0] == 1.0f);
	assert_true(scene->distances[3 * 8 + 7] == 7.0f);
	assert_int_equal(scene->nearest[3 * 8 + 7], 0);
	// The centre of pixel (0, 49) is (11, 119), and (17, 115) is 6 and 4 away.
	assert_true(scene->distances[49 * 8] == (float)sqrt(52.0));
	assert_int_equal(scene->nearest[49 * 8], 1);
	// The centre of pixel (5, 43) is (21, 107), 4 and 8 away.
	assert_true(scene->distances[43 * 8 + 5] == (float)sqrt(80.0));
	free(scene);
	close_gpu(gpu, &messages);
}

static void world_without_segments_is_infinitely_clear(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 9, 7);
	assert_int_equal(compute(gpu, scene), NC_OK);
	for (int i = 0; i < 9 * 7; ++i)
	{
		assert_true(isinf(scene->distances[i]));
		assert_int_equal(scene->nearest[i], NC_GPU_NO_SEGMENT);
	}

	scene->def.segments = NULL;
	assert_int_equal(nc_gpu_compute_clearance(gpu, &scene->def, NULL, NULL, NULL), NC_OK);
	free(scene);
	close_gpu(gpu, &messages);
}

static void each_output_may_be_left_out(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	Scene* both = create_scene((NcVec2){0.0, 0.0}, 1.0, 20, 20);
	uint32_t seed = 3;
	add_random_segments(both, &seed, 12);
	assert_int_equal(compute(gpu, both), NC_OK);

	float distances[400];
	uint32_t nearest[400];
	assert_int_equal(nc_gpu_compute_clearance(gpu, &both->def, distances, NULL, NULL), NC_OK);
	assert_int_equal(nc_gpu_compute_clearance(gpu, &both->def, NULL, nearest, NULL), NC_OK);
	assert_memory_equal(distances, both->distances, sizeof(distances));
	assert_memory_equal(nearest, both->nearest, sizeof(nearest));
	free(both);
	close_gpu(gpu, &messages);
}

static void unusable_input_is_named(void** state)
{
	(void)state;
	double infinity = (double)INFINITY;
	const struct
	{
		NcVec2 lower;
		double pixel_size;
		int width, height;
		NcVec2 end; // of the segment with index 2
		int item;
	} cases[] = {
		{{0.0, 0.0}, 1.0, 0, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, 1.0, 5, -1, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, 0.0, 5, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, -1.0, 5, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, infinity, 5, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, 1e-21, 5, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, 1e21, 5, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, infinity - infinity}, 1.0, 5, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{{0.0, 0.0}, 1.0, 5, 5, {infinity - infinity, 1.0}, 2},
		{{0.0, 0.0}, 1.0, 5, 5, {1.0, -infinity}, 2},
		{{0.0, 0.0}, 1.0, 5, 5, {1e13, 1.0}, 2},
		{{0.0, 0.0}, 1e-13, 5, 5, {1.0, 1.0}, 2},
	};

	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		NcGpuSegment segments[3] = {
			{{0.0, 0.0}, {0.0, 0.0}}, {{0.0, 0.0}, {0.0, 0.0}}, {{0.0, 0.0}, cases[i].end}};
		NcGpuClearanceDef def = nc_default_gpu_clearance_def();
		def.lower = cases[i].lower;
		def.pixel_size = cases[i].pixel_size;
		def.width = cases[i].width;
		def.height = cases[i].height;
		def.segments = segments;
		def.segment_count = 3;

		NcError error = {0};
		assert_int_equal(nc_gpu_compute_clearance(gpu, &def, NULL, NULL, &error), NC_INVALID_INPUT);
		assert_int_equal(error.status, NC_INVALID_INPUT);
		assert_int_equal(error.item, cases[i].item);
		assert_non_null(error.reason);
		assert_int_equal(nc_gpu_compute_clearance(gpu, &def, NULL, NULL, NULL), NC_INVALID_INPUT);
	}
	close_gpu(gpu, &messages);
}

// Fail the n-th call of a job on a new device, and all after it if told so. The job must report
// this status; the device must then work again, or be lost and replaceable. Returns the name of the
// call, or NULL if the job has fewer.
static const char* fail_job_call(int n, int failing_count, VkResult result, NcStatus status)
{
	GpuMessages messages = {0};
	NcVkFaults faults = {.failing_count = failing_count, .result = result};
	NcGpu* gpu = open_gpu(&messages, &faults);
	assert_non_null(gpu);
	Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 16, 16);
	uint32_t seed = 9;
	add_random_segments(scene, &seed, 1030); // two batches, so that a failure can come in between

	faults.first_failing = faults.call_count + n;
	NcError error = {0};
	NcStatus got =
		nc_gpu_compute_clearance(gpu, &scene->def, scene->distances, scene->nearest, &error);
	assert_int_equal(got, faults.failed != NULL ? status : NC_OK);
	assert_int_equal(error.status, got);
	assert_true((error.reason == NULL) == (got == NC_OK));

	bool is_lost = faults.failed != NULL && result == VK_ERROR_DEVICE_LOST;
	assert_int_equal(nc_gpu_is_lost(gpu), is_lost);
	faults.first_failing = 0;
	assert_int_equal(compute(gpu, scene), is_lost ? NC_NO_DEVICE : NC_OK);
	if (is_lost)
	{
		nc_gpu_close(gpu);
		gpu = open_gpu(&messages, NULL);
		assert_int_equal(compute(gpu, scene), NC_OK);
	}
	assert_same_bits(scene);

	free(scene);
	nc_gpu_close(gpu);
	assert_int_equal(nc_get_byte_count(), 0);
	if (messages.count != 0)
	{
		fail_msg("failing call %d made the validation layer complain", n);
	}
	return faults.failed;
}

static void job_survives_every_failing_call(void** state)
{
	(void)state;
	const struct
	{
		VkResult result;
		NcStatus status;
	} cases[] = {
		{VK_ERROR_DEVICE_LOST, NC_NO_DEVICE},
		{VK_ERROR_OUT_OF_HOST_MEMORY, NC_OUT_OF_MEMORY},
		{VK_ERROR_OUT_OF_DEVICE_MEMORY, NC_OUT_OF_MEMORY},
		{VK_ERROR_INITIALIZATION_FAILED, NC_NO_DEVICE},
	};
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		int count = 0;
		while (fail_job_call(count + 1, 1, cases[i].result, cases[i].status) != NULL)
		{
			count += 1;
		}
		// 6 calls make the pipeline, 4 each buffer, and 6 run each batch.
		assert_int_equal(count, 6 + 2 * 4 + 2 * 6);
	}
}

// A device that is lost fails all further calls, too.
static void job_survives_when_all_calls_fail_from_one_on(void** state)
{
	(void)state;
	int n = 1;
	while (fail_job_call(n, 1000000, VK_ERROR_DEVICE_LOST, NC_NO_DEVICE) != NULL)
	{
		n += 1;
	}
	assert_int_equal(n - 1, 6 + 2 * 4 + 2 * 6);
}

// The proof that a silent synchronization check means something: the second run takes for segments
// what the first one writes as pixels, and nothing is in between. (That both write the same place
// would not be enough: the layer supposes that shaders share a buffer sensibly.)
static void missing_barrier_is_reported_by_the_validation_layer(void** state)
{
	(void)state;
	GpuMessages messages = {.is_expected = true};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 8, 8);
	add_segment(scene, 0.0, 0.0, 1.0, 1.0);
	assert_int_equal(compute(gpu, scene), NC_OK);
	assert_int_equal(messages.count, 0);
	free(scene);

	NcVk* vk = &gpu->vk;
	NcVkBuffer buffer;
	assert_true(nc_vk_buffer_create(vk, 1024, NC_VK_READBACK, &buffer));
	memset(buffer.data, 0, 1024);
	const NcVkBuffer buffers[2] = {buffer, buffer};
	nc_vk_pipeline_bind(vk, &gpu->clearance, buffers);
	const int32_t params[4] = {8, 8, 1, 0};
	assert_true(nc_vk_begin(vk));
	nc_vk_dispatch(vk, &gpu->clearance, params, 1, 1);
	nc_vk_dispatch(vk, &gpu->clearance, params, 1, 1);
	assert_true(nc_vk_submit_and_wait(vk));
	nc_vk_buffer_destroy(vk, &buffer);
	nc_gpu_close(gpu);
	assert_true(messages.count > 0);
}

static void two_devices_work_in_turn(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpus[] = {open_gpu(&messages, NULL), open_gpu(&messages, NULL)};
	assert_true(gpus[0] != NULL && gpus[1] != NULL);
	uint32_t seed = 11;
	for (int i = 0; i < 6; ++i)
	{
		Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 30 + i, 30);
		add_random_segments(scene, &seed, 20);
		assert_int_equal(compute(gpus[i % 2], scene), NC_OK);
		assert_same_bits(scene);
		free(scene);
	}
	nc_gpu_close(gpus[0]);
	Scene* scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 30, 30);
	add_random_segments(scene, &seed, 20);
	assert_int_equal(compute(gpus[1], scene), NC_OK);
	assert_same_bits(scene);
	free(scene);
	nc_gpu_close(gpus[1]);
	assert_int_equal(messages.count, 0);
}

// What a thread does: asserts work in the main thread only, so it leaves its results to that.
typedef struct Worker
{
	Scene* scene;
	int good_count;
	GpuMessages messages;
} Worker;

static void* compute_many_times(void* context)
{
	Worker* worker = context;
	for (int i = 0; i < 10; ++i)
	{
		NcGpu* gpu = open_gpu(&worker->messages, NULL);
		if (gpu != NULL && compute(gpu, worker->scene) == NC_OK)
		{
			worker->good_count += 1;
		}
		nc_gpu_close(gpu);
	}
	return NULL;
}

static void two_threads_work_with_a_device_each(void** state)
{
	(void)state;
	uint32_t seed = 21;
	Worker workers[2] = {0};
	for (int i = 0; i < 2; ++i)
	{
		workers[i].scene = create_scene((NcVec2){0.0, 0.0}, 1.0, 60, 50);
		add_random_segments(workers[i].scene, &seed, 40);
	}

	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, compute_many_times, &workers[1]), 0);
	compute_many_times(&workers[0]);
	assert_int_equal(pthread_join(thread, NULL), 0);
	for (int i = 0; i < 2; ++i)
	{
		assert_int_equal(workers[i].good_count, 10);
		assert_int_equal(workers[i].messages.count, 0);
		assert_same_bits(workers[i].scene);
		free(workers[i].scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		GPU_TEST(random_scenes_equal_the_reference_in_every_bit),
		GPU_TEST(precision_holds_far_from_the_origin_and_at_any_scale),
		GPU_TEST(large_raster_of_several_tiles_and_batches_is_seamless),
		GPU_TEST(ties_go_to_the_lower_index),
		GPU_TEST(known_distances_are_exact),
		GPU_TEST(world_without_segments_is_infinitely_clear),
		GPU_TEST(each_output_may_be_left_out),
		GPU_TEST(unusable_input_is_named),
		GPU_TEST(job_survives_every_failing_call),
		GPU_TEST(job_survives_when_all_calls_fail_from_one_on),
		GPU_TEST(missing_barrier_is_reported_by_the_validation_layer),
		GPU_TEST(two_devices_work_in_turn),
		GPU_TEST(two_threads_work_with_a_device_each),
	};
	return cmocka_run_group_tests_name("gpu_clearance", tests, keep_drivers_loaded, NULL);
}
