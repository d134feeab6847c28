// SPDX-License-Identifier: MIT

// Projection of 3D triangles: device and processor give the same bits, nothing that is in the way
// is missed, and what is blocked is really touched.

#include "test_gpu.h"

#include "levels.h"

#include <stdlib.h>
#include <string.h>

static void assert_same_bitmap(const NcBitmap* a, const NcBitmap* b)
{
	assert_memory_equal(
		a->words, b->words, sizeof(uint32_t) * (size_t)a->stride * (size_t)a->height);
}

// Project in both ways, and require that they agree.
static NcBitmap project_both_ways(NcGpu* gpu, const NcProjectDef* def)
{
	NcBitmap device;
	NcBitmap processor;
	bool is_from_device = false;
	assert_int_equal(nc_project(gpu, def, &device, &is_from_device, NULL), NC_OK);
	assert_true(is_from_device);
	assert_int_equal(nc_project(NULL, def, &processor, &is_from_device, NULL), NC_OK);
	assert_false(is_from_device);
	assert_same_bitmap(&device, &processor);
	nc_bitmap_free(&device);
	return processor;
}

static NcVec3 random_point(uint32_t* seed)
{
	double x = random_between(seed, -5.0, 45.0);
	double y = random_between(seed, -5.0, 35.0);
	return (NcVec3){x, y, random_between(seed, -2.0, 4.0)};
}

static NcVec3 mix(const NcTriangle* t, double a, double b)
{
	const NcVec3* p = t->points;
	double c = 1.0 - a - b;
	return (NcVec3){a * p[0].x + b * p[1].x + c * p[2].x, a * p[0].y + b * p[1].y + c * p[2].y,
		a * p[0].z + b * p[1].z + c * p[2].z};
}

// Every point of a triangle that is in the way must be in a blocked cell.
static void assert_conservative(const NcProjectDef* def, const NcBitmap* bitmap, uint32_t* seed)
{
	for (int i = 0; i < def->triangle_count; ++i)
	{
		for (int k = 0; k < 500; ++k)
		{
			double a = k < 3 ? k == 0 : random_between(seed, 0.0, 1.0);
			double b = k < 3 ? k == 1 : random_between(seed, 0.0, 1.0 - a);
			NcVec3 p = mix(&def->triangles[i], a, b);
			int x = (int)floor((p.x - def->lower.x) / def->cell_size);
			int y = (int)floor((p.y - def->lower.y) / def->cell_size);
			if (p.z >= def->z_min && p.z <= def->z_max)
			{
				assert_true(nc_bitmap_is_blocked(bitmap, x, y));
			}
		}
	}
}

static void random_triangles_give_the_same_bits_and_none_is_missed(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	uint32_t seed = 31;
	for (int round = 0; round < 40; ++round)
	{
		NcTriangle triangles[12];
		for (int i = 0; i < NC_TEST_COUNT(triangles); ++i)
		{
			NcVec3 a = random_point(&seed);
			NcVec3 b = random_point(&seed);
			NcVec3 c = random_point(&seed);
			if (i % 3 == 0)
			{
				// Small, upright, or nothing but a line.
				b = (NcVec3){a.x + 0.3, a.y - 0.2, a.z};
				c = i % 2 == 0 ? (NcVec3){a.x, a.y, a.z + 1.0} : a;
			}
			triangles[i] = (NcTriangle){{a, b, c}};
		}
		NcProjectDef def = nc_default_project_def();
		def.lower = (NcVec2){0.0, 0.0};
		def.cell_size = round % 2 == 0 ? 0.5 : 0.37;
		def.width = 80;
		def.height = 61;
		def.triangles = triangles;
		def.triangle_count = 1 + round % NC_TEST_COUNT(triangles);
		def.z_min = 0.0;
		def.z_max = 1.5;
		def.floor_max = -1e9; // nothing is floor
		NcBitmap bitmap = project_both_ways(gpu, &def);
		assert_conservative(&def, &bitmap, &seed);
		nc_bitmap_free(&bitmap);
	}
	close_gpu(gpu, &messages);
}

static void box_blocks_the_cells_that_it_touches_and_no_others(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	// A wall across the middle of cell 2 in x, from the middle of cell 1 to that of cell 3 in y.
	NcTriangle triangles[] = {
		{{{2.5, 1.5, 0.0}, {2.5, 3.5, 0.0}, {2.5, 3.5, 2.0}}},
		{{{2.5, 1.5, 0.0}, {2.5, 3.5, 2.0}, {2.5, 1.5, 2.0}}},
	};
	NcProjectDef def = nc_default_project_def();
	def.width = 6;
	def.height = 6;
	def.triangles = triangles;
	def.triangle_count = 2;
	def.z_min = 0.5;
	def.z_max = 1.0;
	NcBitmap bitmap = project_both_ways(gpu, &def);
	for (int i = 0; i < 36; ++i)
	{
		bool expected = i % 6 == 2 && i / 6 >= 1 && i / 6 <= 3;
		assert_int_equal(nc_bitmap_is_blocked(&bitmap, i % 6, i / 6), expected);
	}
	nc_bitmap_free(&bitmap);

	// Above the head and below the knees nobody bumps into it.
	def.z_min = 2.1;
	def.z_max = 3.0;
	bitmap = project_both_ways(gpu, &def);
	for (int i = 0; i < 36; ++i)
	{
		assert_false(nc_bitmap_is_blocked(&bitmap, i % 6, i / 6));
	}
	nc_bitmap_free(&bitmap);
	close_gpu(gpu, &messages);
}

static void only_floor_that_is_not_too_steep_is_walkable(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	// Level ground from x = 0 to 4, a ramp of 20 degrees up to 8, one of 60 degrees up to 10.
	double rise = 4.0 * 0.36397;
	double steep = rise + 2.0 * 1.7320508;
	NcTriangle triangles[] = {
		{{{0, 0, 0}, {4, 0, 0}, {4, 10, 0}}},
		{{{0, 0, 0}, {4, 10, 0}, {0, 10, 0}}},
		{{{4, 0, 0}, {8, 0, rise}, {8, 10, rise}}},
		{{{4, 0, 0}, {8, 10, rise}, {4, 10, 0}}},
		{{{8, 0, rise}, {10, 0, steep}, {10, 10, steep}}},
		{{{8, 0, rise}, {10, 10, steep}, {8, 10, rise}}},
	};
	NcProjectDef def = nc_default_project_def();
	def.width = 12;
	def.height = 10;
	def.triangles = triangles;
	def.triangle_count = 6;
	def.z_min = 0.2;
	def.z_max = 5.0;
	def.needs_floor = true;
	def.floor_max = 10.0;
	def.max_slope = 0.6;
	NcBitmap bitmap = project_both_ways(gpu, &def);
	for (int y = 0; y < 10; ++y)
	{
		for (int x = 0; x < 12; ++x)
		{
			// The steep ramp touches the column at x = 8; beyond x = 10 there is no floor.
			bool expected = x >= 7;
			assert_int_equal(nc_bitmap_is_blocked(&bitmap, x, y), expected);
		}
	}
	nc_bitmap_free(&bitmap);
	close_gpu(gpu, &messages);
}

static void unusable_input_is_named(void** state)
{
	(void)state;
	NcTriangle triangles[2] = {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, {{{0, 0, 0}, {1, 0, 0}}}};
	triangles[1].points[2].y = (double)INFINITY;
	NcProjectDef def = nc_default_project_def();
	def.width = def.height = 4;
	def.triangles = triangles;
	def.triangle_count = 2;
	def.z_max = 1.0;
	NcBitmap bitmap;
	NcError error = {0};
	assert_int_equal(nc_project(NULL, &def, &bitmap, NULL, &error), NC_INVALID_INPUT);
	assert_int_equal(error.item, 1);
	def.triangle_count = 1;
	def.z_max = -1.0;
	assert_int_equal(nc_project(NULL, &def, &bitmap, NULL, &error), NC_INVALID_INPUT);
	def.z_max = 1.0;
	def.width = 20000;
	assert_int_equal(nc_project(NULL, &def, &bitmap, NULL, &error), NC_TOO_LARGE);
	assert_null(bitmap.words);
}

static void levels_of_the_paper_are_the_same_on_both_and_can_be_walked(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);
	const struct
	{
		LevelKind kind;
		int triangle_count;
		int cells;
	} cases[] = {
		{LEVEL_MAZE, 2780, 100},
		{LEVEL_OFFICE, 15320, 135},
	};
	for (int i = 0; i < NC_TEST_COUNT(cases); ++i)
	{
		Level level = level_create(cases[i].kind, 1);
		assert_int_equal(level.count, cases[i].triangle_count);
		NcProjectDef def = level_make_def(&level, cases[i].cells);
		NcBitmap bitmap = project_both_ways(gpu, &def);
		assert_int_equal(nc_bitmap_grow(&bitmap, 0.2), NC_OK);

		// From somewhere near one corner to somewhere near the other.
		NcBitmapPathDef path_def = {.search = NC_BITMAP_A_STAR};
		for (int k = 0; k < cases[i].cells * cases[i].cells; ++k)
		{
			int x = k % cases[i].cells;
			int y = k / cases[i].cells;
			if (!nc_bitmap_is_blocked(&bitmap, x, y))
			{
				path_def.goal = (NcCell2){x, y};
				path_def.start = path_def.start.x == 0 ? path_def.goal : path_def.start;
			}
		}
		NcBitmapPath path;
		assert_int_equal(nc_bitmap_find_path(&bitmap, &path_def, &path), NC_OK);
		assert_true(path.count > cases[i].cells);
		nc_bitmap_path_free(&path);
		nc_bitmap_free(&bitmap);
		level_destroy(&level);
	}
	close_gpu(gpu, &messages);
}

static void projection_survives_every_failing_call(void** state)
{
	(void)state;
	Level level = level_create(LEVEL_MAZE, 2);
	NcProjectDef def = level_make_def(&level, 50);
	NcBitmap expected;
	assert_int_equal(nc_project(NULL, &def, &expected, NULL, NULL), NC_OK);
	const VkResult results[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_HOST_MEMORY,
		VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INITIALIZATION_FAILED};
	int count = 0;
	for (bool is_failed = true; is_failed; ++count)
	{
		GpuMessages messages = {0};
		NcVkFaults faults = {.failing_count = 1, .result = results[count % 4]};
		NcGpu* gpu = open_gpu(&messages, &faults);
		faults.first_failing = faults.call_count + 1 + count;
		NcBitmap bitmap;
		bool is_from_device = false;
		assert_int_equal(nc_project(gpu, &def, &bitmap, &is_from_device, NULL), NC_OK);
		is_failed = faults.failed != NULL;
		assert_int_equal(is_from_device, !is_failed);
		assert_same_bitmap(&expected, &bitmap);
		nc_bitmap_free(&bitmap);
		close_gpu(gpu, &messages);
	}
	assert_true(count > 15);
	nc_bitmap_free(&expected);
	level_destroy(&level);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(unusable_input_is_named, require_no_leak),
		GPU_TEST(random_triangles_give_the_same_bits_and_none_is_missed),
		GPU_TEST(box_blocks_the_cells_that_it_touches_and_no_others),
		GPU_TEST(only_floor_that_is_not_too_steep_is_walkable),
		GPU_TEST(levels_of_the_paper_are_the_same_on_both_and_can_be_walked),
		GPU_TEST(projection_survives_every_failing_call),
	};
	return cmocka_run_group_tests_name("gpu_project", tests, keep_drivers_loaded, NULL);
}
