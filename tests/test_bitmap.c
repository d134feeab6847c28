// SPDX-License-Identifier: MIT

// Bitmaps: growing, tracing and searching, each against a slow and obvious version.

#include "test.h"

#include "nav_corridor/bitmap.h"

static NcBitmap make_bitmap(int width, int height)
{
	NcBitmap bitmap;
	assert_int_equal(
		nc_bitmap_create((NcVec2){-3.0, 5.0}, 0.5, width, height, &bitmap, NULL), NC_OK);
	return bitmap;
}

static NcBitmap make_random(uint64_t* seed, double share)
{
	NcBitmap bitmap = make_bitmap(random_int(seed, 1, 70), random_int(seed, 1, 50));
	for (int i = 0; i < bitmap.width * bitmap.height; ++i)
	{
		if (random_between(seed, 0.0, 1.0) < share)
		{
			nc_bitmap_block(&bitmap, i % bitmap.width, i / bitmap.width);
		}
	}
	return bitmap;
}

static NcBitmap copy_bitmap(const NcBitmap* bitmap)
{
	NcBitmap copy;
	assert_int_equal(nc_bitmap_create(bitmap->lower, bitmap->cell_size, bitmap->width,
						 bitmap->height, &copy, NULL),
		NC_OK);
	memcpy(copy.words, bitmap->words,
		sizeof(uint32_t) * (size_t)bitmap->stride * (size_t)bitmap->height);
	return copy;
}

static void unusable_sizes_are_refused(void** state)
{
	(void)state;
	NcBitmap bitmap;
	NcError error = {0};
	NcVec2 origin = {0.0, 0.0};
	assert_int_equal(nc_bitmap_create(origin, 1.0, 0, 5, &bitmap, &error), NC_INVALID_INPUT);
	assert_int_equal(nc_bitmap_create(origin, 0.0, 5, 5, &bitmap, &error), NC_INVALID_INPUT);
	assert_int_equal(
		nc_bitmap_create(origin, NOT_A_NUMBER, 5, 5, &bitmap, &error), NC_INVALID_INPUT);
	assert_int_equal(nc_bitmap_create(origin, 1.0, 70000, 5, &bitmap, &error), NC_TOO_LARGE);
	assert_null(bitmap.words);
	assert_non_null(error.reason);
}

static bool is_near_blocked(const NcBitmap* bitmap, int x, int y, double radius)
{
	for (int i = 0; i < bitmap->width * bitmap->height; ++i)
	{
		int other_x = i % bitmap->width;
		int other_y = i / bitmap->width;
		double dx = nc_max(abs(x - other_x) - 1, 0) * bitmap->cell_size;
		double dy = nc_max(abs(y - other_y) - 1, 0) * bitmap->cell_size;
		if (nc_bitmap_is_blocked(bitmap, other_x, other_y) && dx * dx + dy * dy < radius * radius)
		{
			return true;
		}
	}
	return false;
}

static void growing_blocks_exactly_what_is_within_the_radius(void** state)
{
	(void)state;
	uint64_t seed = 5;
	for (int round = 0; round < 60; ++round)
	{
		NcBitmap bitmap = make_random(&seed, 0.01);
		NcBitmap grown = copy_bitmap(&bitmap);
		double radius = round % 3 == 0 ? 0.5 * (round / 3 % 6) : random_between(&seed, 0.0, 4.0);
		assert_int_equal(nc_bitmap_grow(&grown, radius), NC_OK);
		for (int i = 0; i < bitmap.width * bitmap.height; ++i)
		{
			int x = i % bitmap.width;
			int y = i / bitmap.width;
			bool expected =
				nc_bitmap_is_blocked(&bitmap, x, y) || is_near_blocked(&bitmap, x, y, radius);
			assert_in_round(nc_bitmap_is_blocked(&grown, x, y) == expected, round);
		}
		nc_bitmap_free(&grown);
		nc_bitmap_free(&bitmap);
	}
}

// How often the rings wind around a point.
static int compute_winding(const NcBitmapContours* contours, NcVec2 p)
{
	int winding = 0;
	const NcVec2* ring = contours->points;
	for (int r = 0; r < contours->ring_count; ring += contours->ring_counts[r], ++r)
	{
		for (int i = 0; i < contours->ring_counts[r]; ++i)
		{
			NcVec2 a = ring[i];
			NcVec2 b = ring[(i + 1) % contours->ring_counts[r]];
			bool is_up = a.y <= p.y && b.y > p.y;
			bool is_down = b.y <= p.y && a.y > p.y;
			double side = nc_cross(nc_sub(b, a), nc_sub(p, a));
			winding += (is_up && side > 0.0) - (is_down && side < 0.0);
		}
	}
	return winding;
}

static NcVec2 get_center(const NcBitmap* bitmap, int x, int y)
{
	return nc_mul_add(bitmap->lower, bitmap->cell_size, (NcVec2){x + 0.5, y + 0.5});
}

static void contours_without_tolerance_are_the_border_of_the_cells(void** state)
{
	(void)state;
	uint64_t seed = 6;
	for (int round = 0; round < 100; ++round)
	{
		NcBitmap bitmap = make_random(&seed, random_between(&seed, 0.0, 1.0));
		NcBitmapContours contours = {0};
		assert_int_equal(nc_bitmap_trace(&bitmap, 0.0, &contours), NC_OK);
		for (int i = 0; i < bitmap.width * bitmap.height; ++i)
		{
			int x = i % bitmap.width;
			int y = i / bitmap.width;
			int winding = compute_winding(&contours, get_center(&bitmap, x, y));
			assert_in_round(winding == nc_bitmap_is_blocked(&bitmap, x, y), round);
		}
		int ring_count = 0;
		for (int i = 0; i < contours.shape_count; ++i)
		{
			ring_count += contours.shape_rings[i];
		}
		assert_in_round(ring_count == contours.ring_count, round);
		nc_bitmap_contours_free(&contours);
		nc_bitmap_free(&bitmap);
	}
}

static double compute_distance(const NcBitmapContours* contours, NcVec2 p)
{
	double best = HUGE_VAL;
	const NcVec2* ring = contours->points;
	for (int r = 0; r < contours->ring_count; ring += contours->ring_counts[r], ++r)
	{
		for (int i = 0; i < contours->ring_counts[r]; ++i)
		{
			NcVec2 q = nc_closest_on_segment(p, ring[i], ring[(i + 1) % contours->ring_counts[r]]);
			best = nc_min(best, nc_distance(p, q));
		}
	}
	return best;
}

// The largest distance of points along one border to the other.
static double compute_deviation(const NcBitmapContours* from, const NcBitmapContours* to)
{
	double worst = 0.0;
	const NcVec2* ring = from->points;
	for (int r = 0; r < from->ring_count; ring += from->ring_counts[r], ++r)
	{
		for (int i = 0; i < from->ring_counts[r]; ++i)
		{
			for (int k = 0; k < 8; ++k)
			{
				NcVec2 p = nc_lerp(ring[i], ring[(i + 1) % from->ring_counts[r]], k / 8.0);
				worst = nc_max(worst, compute_distance(to, p));
			}
		}
	}
	return worst;
}

static void simplified_contours_stay_within_the_tolerance(void** state)
{
	(void)state;
	uint64_t seed = 7;
	int exact_points = 0;
	int simple_points = 0;
	for (int round = 0; round < 30; ++round)
	{
		// Discs have borders that are worth simplifying.
		NcBitmap bitmap = make_random(&seed, 0.002);
		assert_int_equal(nc_bitmap_grow(&bitmap, random_between(&seed, 2.0, 5.0)), NC_OK);
		NcBitmapContours exact = {0};
		NcBitmapContours simple = {0};
		double tolerance = random_between(&seed, 0.1, 0.4);
		assert_int_equal(nc_bitmap_trace(&bitmap, 0.0, &exact), NC_OK);
		assert_int_equal(nc_bitmap_trace(&bitmap, tolerance, &simple), NC_OK);
		assert_in_round(compute_deviation(&exact, &simple) <= tolerance + 1e-9, round);
		assert_in_round(compute_deviation(&simple, &exact) <= tolerance + 1e-9, round);
		exact_points += exact.point_count;
		simple_points += simple.point_count;
		nc_bitmap_contours_free(&exact);
		nc_bitmap_contours_free(&simple);
		nc_bitmap_free(&bitmap);
	}
	assert_true(10 * simple_points < 9 * exact_points);
}

// The lengths of shortest paths from a cell to all others, by trying all steps until none helps.
static double* relax_all(const NcBitmap* bitmap, NcCell2 start, double across)
{
	int count = bitmap->width * bitmap->height;
	double* lengths = malloc(sizeof(double) * (size_t)count);
	for (int i = 0; i < count; ++i)
	{
		lengths[i] = HUGE_VAL;
	}
	lengths[start.y * bitmap->width + start.x] = 0.0;
	for (bool is_changed = true; is_changed;)
	{
		is_changed = false;
		for (int i = 0; i < count * 9; ++i)
		{
			int x = i / 9 % bitmap->width;
			int y = i / 9 / bitmap->width;
			int dx = i % 3 - 1;
			int dy = i / 3 % 3 - 1;
			if (nc_bitmap_is_blocked(bitmap, x, y) || nc_bitmap_is_blocked(bitmap, x + dx, y + dy))
			{
				continue;
			}
			double length = lengths[y * bitmap->width + x] + (dx != 0 && dy != 0 ? across : 1.0);
			double* other = &lengths[(y + dy) * bitmap->width + x + dx];
			is_changed = is_changed || length < *other - 1e-9;
			*other = nc_min(*other, length);
		}
	}
	return lengths;
}

static void assert_path_is_valid(
	const NcBitmap* bitmap, const NcBitmapPathDef* def, const NcBitmapPath* path)
{
	assert_int_equal(path->cells[0].x, def->start.x);
	assert_int_equal(path->cells[0].y, def->start.y);
	assert_int_equal(path->cells[path->count - 1].x, def->goal.x);
	assert_int_equal(path->cells[path->count - 1].y, def->goal.y);
	for (int i = 0; i < path->count; ++i)
	{
		assert_false(nc_bitmap_is_blocked(bitmap, path->cells[i].x, path->cells[i].y));
		if (i > 0)
		{
			int dx = abs(path->cells[i].x - path->cells[i - 1].x);
			int dy = abs(path->cells[i].y - path->cells[i - 1].y);
			assert_true(dx <= 1 && dy <= 1 && dx + dy > 0);
		}
	}
}

static void paths_are_valid_and_shortest_with_either_search_and_costs(void** state)
{
	(void)state;
	uint64_t seed = 8;
	int found_count = 0;
	for (int round = 0; round < 60; ++round)
	{
		NcBitmap bitmap = make_random(&seed, random_between(&seed, 0.0, 0.5));
		NcBitmapPathDef def = {
			.start = {random_int(&seed, 0, bitmap.width - 1),
				random_int(&seed, 0, bitmap.height - 1)},
			.goal = {random_int(&seed, 0, bitmap.width - 1),
				random_int(&seed, 0, bitmap.height - 1)},
			.costs = round % 2 == 0 ? NC_BITMAP_COSTS_1998 : NC_BITMAP_COSTS_EXACT,
		};
		double* lengths = relax_all(&bitmap, def.start, round % 2 == 0 ? 1.4 : sqrt(2.0));
		double expected = lengths[def.goal.y * bitmap.width + def.goal.x];
		bool is_blocked = nc_bitmap_is_blocked(&bitmap, def.start.x, def.start.y) ||
						  nc_bitmap_is_blocked(&bitmap, def.goal.x, def.goal.y);
		int looked_at[2];
		for (int search = 0; search < 2; ++search)
		{
			def.search = (NcBitmapSearch)search;
			NcBitmapPath path;
			assert_int_equal(nc_bitmap_find_path(&bitmap, &def, &path), NC_OK);
			bool is_found = !is_blocked && expected < HUGE_VAL;
			assert_in_round((path.count > 0) == is_found, round);
			looked_at[search] = path.looked_at;
			if (is_found)
			{
				assert_path_is_valid(&bitmap, &def, &path);
				assert_near(path.length, expected * bitmap.cell_size, 1e-4 * (1.0 + expected));
				++found_count;
			}
			nc_bitmap_path_free(&path);
		}
		assert_in_round(looked_at[1] <= looked_at[0], round);
		free(lengths);
		nc_bitmap_free(&bitmap);
	}
	assert_true(found_count > 40);
}

static void missing_memory_leaves_nothing_behind(void** state)
{
	(void)state;
	uint64_t seed = 9;
	for (int first = 0; first < 14; ++first)
	{
		NcBitmap bitmap = make_random(&seed, 0.1);
		FailingAllocator allocator = {.first_fail = first};
		nc_set_allocator(allocate_or_fail, &allocator);
		NcBitmapContours contours = {0};
		NcStatus traced = nc_bitmap_trace(&bitmap, 0.1, &contours);
		nc_bitmap_contours_free(&contours);
		NcBitmapPathDef def = {.goal = {bitmap.width - 1, bitmap.height - 1}};
		NcBitmapPath path;
		NcStatus found = nc_bitmap_find_path(&bitmap, &def, &path);
		nc_bitmap_path_free(&path);
		NcStatus grown = nc_bitmap_grow(&bitmap, 1.0);
		nc_set_allocator(NULL, NULL);
		assert_true(traced == NC_OK || traced == NC_OUT_OF_MEMORY);
		assert_true(found == NC_OK || found == NC_OUT_OF_MEMORY);
		assert_true(grown == NC_OK || grown == NC_OUT_OF_MEMORY);
		assert_true(first > 0 || traced == NC_OUT_OF_MEMORY);
		nc_bitmap_free(&bitmap);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(unusable_sizes_are_refused),
		TEST(growing_blocks_exactly_what_is_within_the_radius),
		TEST(contours_without_tolerance_are_the_border_of_the_cells),
		TEST(simplified_contours_stay_within_the_tolerance),
		TEST(paths_are_valid_and_shortest_with_either_search_and_costs),
		TEST(missing_memory_leaves_nothing_behind),
	};
	return cmocka_run_group_tests_name("bitmap", tests, NULL, NULL);
}
