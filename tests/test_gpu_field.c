// SPDX-License-Identifier: MIT

// Distance fields: the processor, the compute shader and the distance meshes that are drawn must
// give the same bits, and those of asking all sites; the exact distances must agree within the
// promised error. And: what happens when Vulkan fails in the middle of it.

#include "test_gpu.h"

#include "field_scene.h"
#include "nav_corridor/query.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The promise of field.h.
#define MAX_PIXEL_ERROR 1e-3
#define MAX_RELATIVE_ERROR 1e-6

static size_t get_pixel_count(const NcFieldDef* def)
{
	return (size_t)def->width * (size_t)def->height;
}

static void assert_same_field(const NcFieldDef* def, const NcField* a, const NcField* b)
{
	size_t count = get_pixel_count(def);
	assert_memory_equal(a->labels, b->labels, count * sizeof(uint32_t));
	assert_memory_equal(a->clearances, b->clearances, count * sizeof(float));
}

// Compute a field in all three ways, and require that they agree. Returns one of them.
static NcField compute_all_ways(NcGpu* gpu, const NcFieldDef* def)
{
	NcField cpu = field_create(def);
	assert_int_equal(nc_field_compute(NULL, def, &cpu, NULL), NC_OK);
	assert_false(cpu.is_from_device);
	assert_int_equal(cpu.computed_pixels, get_pixel_count(def));
	const NcFieldMethod methods[] = {NC_FIELD_COMPUTE, NC_FIELD_RASTER};
	for (int i = 0; i < NC_TEST_COUNT(methods); ++i)
	{
		NcFieldDef with_method = *def;
		with_method.method = methods[i];
		NcField field = field_create(def);
		assert_int_equal(nc_gpu_compute_field(gpu, &with_method, &field, NULL), NC_OK);
		assert_true(field.is_from_device);
		assert_int_equal(field.computed_pixels, get_pixel_count(def));
		assert_same_field(def, &cpu, &field);
		field_destroy(&field);
	}
	return cpu;
}

// Clearances against exact geometry, and labels: the site they name is as near as any.
static void assert_exact(const NcFieldDef* def, const NcField* field, int step)
{
	double image_size = def->pixel_size * (def->width > def->height ? def->width : def->height);
	for (int i = 0; i < def->width * def->height; i += step)
	{
		int x = i % def->width;
		int y = i / def->width;
		double exact = field_compute_exact_clearance(def, x, y);
		uint32_t label = field->labels[i];
		double named = field_compute_distance(def, (int)(label & NC_FIELD_SITE_MASK), x, y);
		double tolerance = nc_min(
			MAX_PIXEL_ERROR * def->pixel_size + MAX_RELATIVE_ERROR * exact, 1e-6 * image_size);
		assert_true(named <= exact + tolerance);
		if ((label & NC_FIELD_BLOCKED) == 0)
		{
			assert_true(fabs((double)field->clearances[i] - exact) <= tolerance);
		}
	}
}

static void random_scenes_equal_asking_all_sites(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const char* kinds[] = {"mixed", "overlap", "lattice", "hard"};
	for (int round = 0; round < 24; ++round)
	{
		char name[32];
		snprintf(name, sizeof(name), "%s:%d", kinds[round % 4], 100 + round);
		FieldScene* scene = field_scene_create(name, 256);
		NcField field = compute_all_ways(gpu, &scene->def);
		// All pixels of 100 scenes are compared by `tools/soak gpu_labels`, here a share of them.
		if (field_count_wrong_pixels(&scene->def, &field, 8) != 0)
		{
			fail_msg("%s has wrong pixels", name);
		}
		assert_exact(&scene->def, &field, 997);
		field_destroy(&field);
		field_scene_destroy(scene);
	}
	close_gpu(gpu, &messages);
}

static void known_scenes_equal_asking_all_sites(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const char* names[] = {"mckenna", "city:30", "city17:30"};
	for (int i = 0; i < NC_TEST_COUNT(names); ++i)
	{
		FieldScene* scene = field_scene_create(names[i], 1024);
		NcField field = compute_all_ways(gpu, &scene->def);
		assert_int_equal(field_count_wrong_pixels(&scene->def, &field, 128), 0);
		assert_exact(&scene->def, &field, 9973);
		field_destroy(&field);
		field_scene_destroy(scene);
	}
	close_gpu(gpu, &messages);
}

// The slow raster of clearance.c is a witness that shares no culling with this.
static void field_equals_the_clearance_raster(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	FieldScene* scene = field_scene_create("mckenna", 1293);
	NcField field = compute_all_ways(gpu, &scene->def);

	NcGpuClearanceDef def = nc_default_gpu_clearance_def();
	NcGpuSegment* segments = calloc((size_t)scene->def.site_count, sizeof(NcGpuSegment));
	int* ids = calloc((size_t)scene->def.site_count, sizeof(int));
	for (int i = 0; i < scene->def.site_count; ++i)
	{
		if (!scene->sites[i].is_gap)
		{
			ids[def.segment_count] = i;
			segments[def.segment_count++] = (NcGpuSegment){scene->sites[i].a, scene->sites[i].b};
		}
	}
	def.lower = scene->def.lower;
	def.pixel_size = scene->def.pixel_size;
	def.width = scene->def.width;
	def.height = scene->def.height;
	def.segments = segments;
	size_t count = get_pixel_count(&scene->def);
	uint32_t* nearest = calloc(count, sizeof(uint32_t));
	assert_int_equal(nc_gpu_compute_clearance(gpu, &def, NULL, nearest, NULL), NC_OK);
	for (size_t i = 0; i < count; ++i)
	{
		assert_int_equal(field.labels[i] & NC_FIELD_SITE_MASK, ids[nearest[i]]);
	}

	free(nearest);
	free(ids);
	free(segments);
	field_destroy(&field);
	field_scene_destroy(scene);
	close_gpu(gpu, &messages);
}

static void picture_of_several_chunks_is_seamless_and_any_rectangle_works(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	FieldScene* scene = field_scene_create("city17:6", 1293);
	scene->def.height = 1061;
	NcField field = compute_all_ways(gpu, &scene->def);
	assert_int_equal(field_count_wrong_pixels(&scene->def, &field, 64), 0);
	field_destroy(&field);

	// Rectangles that reach out of the world, see nothing of it, or only a part; any resolution.
	const struct
	{
		NcVec2 lower;
		double pixel_size;
		int width, height;
	} cases[] = {
		{{-200.0, -100.0}, 1.7, 300, 17},
		{{1000.0, 2000.0}, 0.3, 33, 65},
		{{-3.0, 4.0}, 1.0 / 512.0, 100, 90},
		{{-1e6, -1e6}, 1e4, 200, 201},
		{{5.0, 5.0}, 1.0, 1, 1},
	};
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		NcFieldDef def = scene->def;
		def.lower = cases[i].lower;
		def.pixel_size = cases[i].pixel_size;
		def.width = cases[i].width;
		def.height = cases[i].height;
		field = compute_all_ways(gpu, &def);
		assert_int_equal(field_count_wrong_pixels(&def, &field, 1), 0);
		field_destroy(&field);
	}
	field_scene_destroy(scene);
	close_gpu(gpu, &messages);
}

static NcVec2 get_center(const NcFieldDef* def, int i)
{
	return (NcVec2){def->lower.x + (i % def->width + 0.5) * def->pixel_size,
		def->lower.y + (i / def->width + 0.5) * def->pixel_size};
}

static void pixels_inside_of_obstacles_are_blocked(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const char* names[] = {"mckenna", "city17:5", "overlap:3", "overlap:8", "overlap:21"};
	for (int k = 0; k < NC_TEST_COUNT(names); ++k)
	{
		// More than a chunk wide, so that areas begin in another chunk than where they are asked.
		FieldScene* scene = field_scene_create(names[k], 1100);
		NcField field = compute_all_ways(gpu, &scene->def);
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(scene->map, &query), NC_OK);
		int blocked_count = 0;
		for (int i = 0; i < scene->def.width * scene->def.height; i += 7)
		{
			NcVec2 p = get_center(&scene->def, i);
			double clearance = nc_query_get_clearance(query, p);
			bool is_blocked = (field.labels[i] & NC_FIELD_BLOCKED) != 0;
			int nearest = (int)(field.labels[i] & NC_FIELD_SITE_MASK);
			double distance = field_compute_distance(
				&scene->def, nearest, i % scene->def.width, i / scene->def.width);
			blocked_count += is_blocked;
			// On a wall rounding decides.
			if (distance > 1e-3 * scene->def.pixel_size)
			{
				assert_int_equal(is_blocked, !(clearance > 0.0));
			}
		}
		assert_true(blocked_count > 0);
		nc_query_destroy(query);
		field_destroy(&field);
		field_scene_destroy(scene);
	}
	close_gpu(gpu, &messages);
}

static void every_point_of_a_tile_finds_its_nearest_site_in_the_list(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	FieldScene* scene = field_scene_create("city17:8", 128);
	NcFieldTiles tiles = {0};
	for (int way = 0; way < 2; ++way)
	{
		NcField field = {.tiles = &tiles};
		assert_int_equal(nc_field_compute(way == 0 ? NULL : gpu, &scene->def, &field, NULL), NC_OK);
		assert_int_equal(field.is_from_device, way == 1);
		assert_int_equal(tiles.columns, 16);
		uint32_t seed = 4;
		for (int round = 0; round < 20000; ++round)
		{
			double x = random_between(&seed, 0.0, scene->def.width);
			double y = random_between(&seed, 0.0, scene->def.height);
			NcVec2 p = nc_mul_add(scene->def.lower, scene->def.pixel_size, (NcVec2){x, y});
			int best = NC_NULL_INDEX;
			double best_distance = HUGE_VAL;
			for (int i = 0; i < scene->def.site_count; ++i)
			{
				const NcFieldSite* site = &scene->sites[i];
				double distance = nc_distance(p, nc_closest_on_segment(p, site->a, site->b));
				if (!site->is_gap && distance < best_distance)
				{
					best = i;
					best_distance = distance;
				}
			}
			NcFieldTile tile = tiles.tiles[(int)y / 8 * tiles.columns + (int)x / 8];
			bool is_found = false;
			for (int i = tile.begin; i < tile.begin + tile.count; ++i)
			{
				is_found = is_found || tiles.sites[i] == (uint32_t)best;
				assert_true(i == tile.begin || tiles.sites[i - 1] < tiles.sites[i]);
			}
			assert_true(is_found);
		}
		assert_true(field.cull_count > 0);
	}
	nc_field_tiles_free(&tiles);
	field_scene_destroy(scene);
	close_gpu(gpu, &messages);
}

// In blocked areas an edit may change which wall is nearest without changing the map.
static void assert_same_free_field(const NcFieldDef* def, const NcField* a, const NcField* b)
{
	size_t count = get_pixel_count(def);
	assert_memory_equal(a->clearances, b->clearances, count * sizeof(float));
	for (size_t i = 0; i < count; ++i)
	{
		bool is_blocked = (a->labels[i] & b->labels[i] & NC_FIELD_BLOCKED) != 0;
		assert_true(is_blocked || a->labels[i] == b->labels[i]);
	}
}

static void only_dirty_tiles_are_computed_after_an_edit(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	FieldScene* scene = field_scene_create("city17:12", 1200);
	NcField field = field_create(&scene->def);
	assert_int_equal(nc_gpu_compute_field(gpu, &scene->def, &field, NULL), NC_OK);
	uint32_t seed = 12;
	int local_count = 0;
	for (int round = 0; round < 12; ++round)
	{
		NcBox bounds = scene->made.bounds;
		NcVec2 p = {random_between(&seed, bounds.lower.x, bounds.upper.x),
			random_between(&seed, bounds.lower.y, bounds.upper.y)};
		NcVec2 points[] = {p, {p.x + 3.0, p.y + 1.0}, {p.x, p.y + 4.0}};
		NcShape shape = {.kind = NC_SHAPE_POLYGON, .points = points, .point_count = 3};
		NcObstacleId id;
		NcStatus status = nc_map_add_obstacle(scene->map, &shape, &id, NULL);
		if (status != NC_OK)
		{
			continue; // It reached out of the bounds.
		}
		assert_int_equal(nc_map_update(scene->map, NULL), NC_OK);
		field_scene_take_walls(scene);

		NcBox boxes[64];
		int box_count = nc_map_get_changed_boxes(scene->map, boxes, 64);
		assert_true(box_count <= 64);
		NcFieldDef dirty = scene->def;
		dirty.dirty_boxes = boxes;
		dirty.dirty_box_count = box_count;
		dirty.method = round % 2 == 0 ? NC_FIELD_COMPUTE : NC_FIELD_RASTER;
		assert_int_equal(
			nc_field_compute(round % 3 == 0 ? NULL : gpu, &dirty, &field, NULL), NC_OK);
		local_count += field.computed_pixels < (long long)get_pixel_count(&dirty) / 20;

		NcField fresh = field_create(&scene->def);
		assert_int_equal(nc_gpu_compute_field(gpu, &scene->def, &fresh, NULL), NC_OK);
		assert_same_free_field(&scene->def, &field, &fresh);
		field_destroy(&fresh);
	}
	// Now and then the map is built from scratch, or a street along the whole border changes.
	assert_true(local_count >= 8);

	NcFieldDef nothing = scene->def;
	nothing.dirty_boxes = &(NcBox){{0.0, 0.0}, {0.0, 0.0}};
	assert_int_equal(nc_gpu_compute_field(gpu, &nothing, &field, NULL), NC_OK);
	assert_int_equal(field.computed_pixels, 0);
	field_destroy(&field);
	field_scene_destroy(scene);
	close_gpu(gpu, &messages);
}

static void lists_that_are_too_long_for_a_batch_are_cut_between_tiles(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	// Many walls in the same place are candidates of all tiles.
	enum
	{
		COUNT = 70000 // more than the rounds after which some devices end a loop
	};
	NcFieldSite* sites = calloc(COUNT, sizeof(NcFieldSite));
	for (int i = 0; i < COUNT; ++i)
	{
		sites[i] = (NcFieldSite){{-70.0, 1.0}, {3.0, 80.0}};
	}
	NcFieldDef def = nc_default_field_def();
	def.lower = (NcVec2){-50.0, -50.0};
	def.width = def.height = 90;
	def.sites = sites;
	def.site_count = COUNT;
	NcFieldTiles tiles = {0};
	NcField field = field_create(&def);
	field.tiles = &tiles;
	assert_int_equal(nc_gpu_compute_field(gpu, &def, &field, NULL), NC_OK);
	assert_true(field.candidate_count / 64 > 1 << 23);
	NcField cpu = field_create(&def);
	assert_int_equal(nc_field_compute(NULL, &def, &cpu, NULL), NC_OK);
	assert_same_field(&def, &cpu, &field);

	nc_field_tiles_free(&tiles);
	field_destroy(&cpu);
	field_destroy(&field);
	free(sites);
	close_gpu(gpu, &messages);
}

static void ties_go_to_the_lower_index(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	// The same wall many times over, in both directions; the first one is a gap.
	NcFieldSite sites[100];
	for (int i = 0; i < NC_TEST_COUNT(sites); ++i)
	{
		sites[i] = i % 2 == 0 ? (NcFieldSite){{5.0, 16.0}, {20.0, 16.0}}
							  : (NcFieldSite){{20.0, 16.0}, {5.0, 16.0}};
	}
	sites[0] = (NcFieldSite){.is_gap = true};
	NcFieldDef def = nc_default_field_def();
	def.width = def.height = 32;
	def.sites = sites;
	def.site_count = NC_TEST_COUNT(sites);
	NcField field = compute_all_ways(gpu, &def);
	for (int i = 0; i < 32 * 32; ++i)
	{
		assert_int_equal(field.labels[i], 1);
	}
	field_destroy(&field);
	close_gpu(gpu, &messages);
}

static void world_without_sites_is_infinitely_clear(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	NcFieldSite gap = {.is_gap = true};
	NcFieldDef def = nc_default_field_def();
	def.width = 9;
	def.height = 7;
	def.sites = &gap;
	def.site_count = 1;
	for (int way = 0; way < 2; ++way)
	{
		NcField field = field_create(&def);
		assert_int_equal(nc_field_compute(way == 0 ? NULL : gpu, &def, &field, NULL), NC_OK);
		for (int i = 0; i < 9 * 7; ++i)
		{
			assert_true(isinf(field.clearances[i]));
			assert_int_equal(field.labels[i], NC_FIELD_NO_SITE);
		}
		field_destroy(&field);
	}
	close_gpu(gpu, &messages);
}

static void unusable_input_is_named(void** state)
{
	(void)state;
	double infinity = (double)INFINITY;
	const struct
	{
		double pixel_size;
		int width;
		NcVec2 end; // of site 2
		int item;
	} cases[] = {
		{1.0, 0, {1.0, 1.0}, NC_NULL_INDEX},
		{0.0, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{infinity, 5, {1.0, 1.0}, NC_NULL_INDEX},
		{1.0, 5, {infinity, 1.0}, 2},
		{1e-13, 5, {1.0, 1.0}, 2},
	};
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		NcFieldSite sites[3] = {{.is_gap = true}, {.is_gap = true}, {.b = cases[i].end}};
		NcFieldDef def = nc_default_field_def();
		def.pixel_size = cases[i].pixel_size;
		def.width = cases[i].width;
		def.height = 5;
		def.sites = sites;
		def.site_count = 3;
		NcField field = {0};
		NcError error = {0};
		assert_int_equal(nc_field_compute(NULL, &def, &field, &error), NC_INVALID_INPUT);
		assert_int_equal(error.item, cases[i].item);
		assert_non_null(error.reason);
		assert_int_equal(nc_field_compute(NULL, &def, &field, NULL), NC_INVALID_INPUT);
	}
}

static void* refuse_after(void* context, void* memory, size_t old_size, size_t new_size)
{
	(void)old_size;
	int* left = context;
	if (new_size == 0)
	{
		free(memory);
		return NULL;
	}
	return (*left)-- > 0 ? realloc(memory, new_size) : NULL;
}

static void missing_memory_is_reported_and_nothing_leaks(void** state)
{
	(void)state;
	FieldScene* scene = field_scene_create("mckenna", 64);
	NcField field = field_create(&scene->def);
	NcFieldTiles tiles = {0};
	field.tiles = &tiles;
	size_t before = nc_get_byte_count();
	int failure_count = 0;
	for (int allowed = 0;; ++allowed)
	{
		int left = allowed;
		nc_set_allocator(refuse_after, &left);
		NcStatus status = nc_field_compute(NULL, &scene->def, &field, NULL);
		nc_field_tiles_free(&tiles);
		nc_set_allocator(NULL, NULL);
		assert_int_equal(nc_get_byte_count(), before);
		if (status == NC_OK)
		{
			break;
		}
		assert_int_equal(status, NC_OUT_OF_MEMORY);
		++failure_count;
	}
	assert_true(failure_count > 10);
	field_destroy(&field);
	field_scene_destroy(scene);
}

// Failing calls.

static int log_count;

static void count_log(void* context, const char* message)
{
	(void)context, (void)message;
	++log_count;
}

// Fail the n-th call of a job on a new device. The job must still deliver the field, by the
// processor if the call was made; the device must then work again, or be lost and replaceable.
// Returns the name of the call, or NULL if the job has fewer.
static const char* fail_job_call(
	const FieldScene* scene, const NcField* expected, int n, VkResult result, NcStatus status)
{
	GpuMessages messages = {0};
	NcVkFaults faults = {.failing_count = 1, .result = result};
	NcGpu* gpu = open_gpu(&messages, &faults);
	assert_non_null(gpu);
	NcField field = field_create(&scene->def);
	NcError error = {0};

	faults.first_failing = faults.call_count + n;
	log_count = 0;
	nc_set_log(count_log, NULL);
	assert_int_equal(nc_field_compute(gpu, &scene->def, &field, &error), NC_OK);
	nc_set_log(NULL, NULL);
	assert_int_equal(field.is_from_device, faults.failed == NULL);
	assert_int_equal(log_count > 0, faults.failed != NULL);
	assert_same_field(&scene->def, expected, &field);

	bool is_lost = faults.failed != NULL && result == VK_ERROR_DEVICE_LOST;
	assert_int_equal(nc_gpu_is_lost(gpu), is_lost);
	faults.first_failing = 0;
	NcStatus got = nc_gpu_compute_field(gpu, &scene->def, &field, &error);
	assert_int_equal(got, is_lost ? NC_NO_DEVICE : NC_OK);
	assert_same_field(&scene->def, expected, &field);
	nc_gpu_close(gpu);

	// Without the processor the status is that of the failure. This is much of the same: a share.
	const char* failed = faults.failed;
	if (n % 5 == 0)
	{
		gpu = open_gpu(&messages, &faults);
		faults.first_failing = faults.call_count + n;
		got = nc_gpu_compute_field(gpu, &scene->def, &field, &error);
		assert_int_equal(got, failed != NULL ? status : NC_OK);
		nc_gpu_close(gpu);
	}
	field_destroy(&field);
	if (messages.count != 0)
	{
		fail_msg("failing call %d (%s) made the validation layer complain", n, failed);
	}
	return failed;
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
	FieldScene* scene = field_scene_create("mckenna", 24);
	NcField expected = field_create(&scene->def);
	assert_int_equal(nc_field_compute(NULL, &scene->def, &expected, NULL), NC_OK);
	size_t before = nc_get_byte_count();
	int call_count = 0;
	for (int method = NC_FIELD_COMPUTE; method <= NC_FIELD_RASTER; ++method)
	{
		scene->def.method = (NcFieldMethod)method;
		int count = 0;
		while (fail_job_call(scene, &expected, count + 1, cases[count % 4].result,
				   cases[count % 4].status) != NULL)
		{
			++count;
		}
		// The calls in turn meet the results in turn; all with all do in `tools/soak gpu_devices`.
		call_count += count;
	}
	print_message("%d calls were made to fail\n", call_count);
	assert_true(call_count > 100);
	assert_int_equal(nc_get_byte_count(), before);
	field_destroy(&expected);
	field_scene_destroy(scene);
}

static void device_that_cannot_draw_still_computes(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcVkFaults faults = {.hides_graphics = true};
	NcGpu* gpu = open_gpu(&messages, &faults);
	assert_non_null(gpu);
	FieldScene* scene = field_scene_create("mckenna", 64);
	NcField cpu = field_create(&scene->def);
	NcField field = field_create(&scene->def);
	assert_int_equal(nc_field_compute(NULL, &scene->def, &cpu, NULL), NC_OK);
	NcError error = {0};
	scene->def.method = NC_FIELD_RASTER;
	assert_int_equal(nc_gpu_compute_field(gpu, &scene->def, &field, &error), NC_NO_DEVICE);
	assert_non_null(strstr(error.reason, "cannot draw"));
	assert_int_equal(nc_field_compute(gpu, &scene->def, &field, &error), NC_OK);
	assert_false(field.is_from_device);
	assert_same_field(&scene->def, &cpu, &field);
	scene->def.method = NC_FIELD_COMPUTE;
	assert_int_equal(nc_gpu_compute_field(gpu, &scene->def, &field, &error), NC_OK);
	assert_same_field(&scene->def, &cpu, &field);
	field_destroy(&cpu);
	field_destroy(&field);
	field_scene_destroy(scene);
	close_gpu(gpu, &messages);
}

// Compute a field on two devices at once, some times; returns NULL if all went well.
static void* compute_on_two_devices(void* context)
{
	const NcFieldDef* def = context;
	GpuMessages messages = {0};
	NcGpu* gpus[] = {open_gpu(&messages, NULL), open_gpu(&messages, NULL)};
	NcField fields[] = {field_create(def), field_create(def)};
	bool is_good = gpus[0] != NULL && gpus[1] != NULL;
	for (int round = 0; round < 3; ++round)
	{
		NcFieldDef with_method = *def;
		with_method.method = round % 2 == 0 ? NC_FIELD_COMPUTE : NC_FIELD_RASTER;
		for (int i = 0; i < 2; ++i)
		{
			is_good =
				is_good && nc_gpu_compute_field(gpus[i], &with_method, &fields[i], NULL) == NC_OK;
		}
		is_good = is_good && memcmp(fields[0].labels, fields[1].labels,
								 get_pixel_count(def) * sizeof(uint32_t)) == 0;
	}
	for (int i = 0; i < 2; ++i)
	{
		field_destroy(&fields[i]);
		nc_gpu_close(gpus[i]);
	}
	return is_good && messages.count == 0 ? NULL : "failed";
}

static void two_threads_work_with_two_devices_each(void** state)
{
	(void)state;
	FieldScene* scene = field_scene_create("mckenna", 200);
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, compute_on_two_devices, &scene->def), 0);
	void* here = compute_on_two_devices(&scene->def);
	void* there = NULL;
	assert_int_equal(pthread_join(thread, &there), 0);
	assert_null(here);
	assert_null(there);
	field_scene_destroy(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(unusable_input_is_named, require_no_leak),
		cmocka_unit_test_teardown(missing_memory_is_reported_and_nothing_leaks, require_no_leak),
		GPU_TEST(ties_go_to_the_lower_index),
		GPU_TEST(world_without_sites_is_infinitely_clear),
		GPU_TEST(random_scenes_equal_asking_all_sites),
		GPU_TEST(known_scenes_equal_asking_all_sites),
		GPU_TEST(field_equals_the_clearance_raster),
		GPU_TEST(picture_of_several_chunks_is_seamless_and_any_rectangle_works),
		GPU_TEST(pixels_inside_of_obstacles_are_blocked),
		GPU_TEST(every_point_of_a_tile_finds_its_nearest_site_in_the_list),
		GPU_TEST(only_dirty_tiles_are_computed_after_an_edit),
		GPU_TEST(lists_that_are_too_long_for_a_batch_are_cut_between_tiles),
		GPU_TEST(job_survives_every_failing_call),
		GPU_TEST(device_that_cannot_draw_still_computes),
		GPU_TEST(two_threads_work_with_two_devices_each),
	};
	return cmocka_run_group_tests_name("gpu_field", tests, keep_drivers_loaded, NULL);
}
