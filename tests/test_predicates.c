// SPDX-License-Identifier: MIT

// Exact tests against slow exact arithmetic: fractions of 128-bit numbers, or long doubles where
// coordinates are so small that these are certain.

#include "test.h"

#include "predicates.h"

__extension__ typedef __int128 Wide;

// Small ranges make ties, the largest one overflows whatever is not careful.
static const int ranges[] = {2, 5, 50, NC_MAX_COORDINATE};

static Wide compute_wide_cross(NcPoint a, NcPoint b, NcPoint c)
{
	return ((Wide)b.x - a.x) * ((Wide)c.y - a.y) - ((Wide)b.y - a.y) * ((Wide)c.x - a.x);
}

static void orientation_is_exact(void** state)
{
	(void)state;
	uint64_t seed = 21;
	for (int round = 0; round < 20000; ++round)
	{
		int range = ranges[round % NC_COUNT(ranges)];
		NcPoint a = random_point(&seed, range);
		NcPoint b = random_point(&seed, range);
		NcPoint c = random_point(&seed, range);
		assert_in_round((Wide)nc_orient(a, b, c) == compute_wide_cross(a, b, c), round);
	}
	NcPoint lower = {-NC_MAX_COORDINATE, -NC_MAX_COORDINATE};
	NcPoint upper = {NC_MAX_COORDINATE, NC_MAX_COORDINATE};
	NcPoint corner = {-NC_MAX_COORDINATE, NC_MAX_COORDINATE};
	NcPoint beside = {NC_MAX_COORDINATE - 1, NC_MAX_COORDINATE};
	assert_true(nc_orient(lower, upper, corner) == (int64_t)1 << 52);
	assert_true(nc_orient(lower, upper, beside) == (int64_t)1 << 26);
}

static void points_are_ordered_by_x_and_then_by_y(void** state)
{
	(void)state;
	assert_true(nc_point_compare((NcPoint){1, 9}, (NcPoint){2, 0}) < 0);
	assert_true(nc_point_compare((NcPoint){2, 0}, (NcPoint){1, 9}) > 0);
	assert_true(nc_point_compare((NcPoint){1, 1}, (NcPoint){1, 2}) < 0);
	assert_true(nc_point_compare((NcPoint){1, 2}, (NcPoint){1, 1}) > 0);
	assert_int_equal(nc_point_compare((NcPoint){1, 2}, (NcPoint){1, 2}), 0);
	assert_true(nc_point_equals((NcPoint){1, 2}, (NcPoint){1, 2}));
	assert_false(nc_point_equals((NcPoint){1, 2}, (NcPoint){2, 1}));
}

// The angle of p -> a from 0 to 2 pi.
static long double compute_angle(NcPoint p, NcPoint a)
{
	long double angle = atan2l((long double)a.y - p.y, (long double)a.x - p.x);
	return angle < 0.0L ? angle + 6.28318530717958647693L : angle;
}

static void angles_are_compared_as_numbers_are(void** state)
{
	(void)state;
	uint64_t seed = 22;
	for (int round = 0; round < 20000; ++round)
	{
		NcPoint p = random_point(&seed, 50);
		NcPoint a = random_point(&seed, 50);
		NcPoint b = random_point(&seed, 50);
		if (nc_point_equals(p, a) || nc_point_equals(p, b))
		{
			continue;
		}

		// Different directions differ by at least 1e-4 here.
		long double difference = compute_angle(p, a) - compute_angle(p, b);
		int expected = (difference > 1e-9L) - (difference < -1e-9L);
		int order = nc_compare_angle(p, a, b);
		assert_in_round((order > 0) - (order < 0) == expected, round);
	}
}

static void angles_of_huge_vectors_are_told_apart(void** state)
{
	(void)state;
	NcPoint p = {-NC_MAX_COORDINATE, -NC_MAX_COORDINATE};
	NcPoint a = {NC_MAX_COORDINATE, NC_MAX_COORDINATE - 1};
	NcPoint b = {NC_MAX_COORDINATE - 1, NC_MAX_COORDINATE - 2};
	assert_true(nc_compare_angle(p, b, a) < 0);
	assert_true(nc_compare_angle(p, a, b) > 0);
	assert_int_equal(nc_compare_angle(p, a, a), 0);
	assert_int_equal(nc_compare_angle((NcPoint){0, 0}, (NcPoint){1, 1}, (NcPoint){9, 9}), 0);
}

// Whether 0 < numerator / denominator < 1.
static bool is_inside(Wide numerator, Wide denominator)
{
	return denominator > 0 ? 0 < numerator && numerator < denominator
						   : denominator < numerator && numerator < 0;
}

// Solve a + t (b - a) = c + u (d - c) in fractions.
static bool cross_slowly(NcPoint a, NcPoint b, NcPoint c, NcPoint d)
{
	Wide rx = (Wide)b.x - a.x;
	Wide ry = (Wide)b.y - a.y;
	Wide sx = (Wide)d.x - c.x;
	Wide sy = (Wide)d.y - c.y;
	Wide wx = (Wide)c.x - a.x;
	Wide wy = (Wide)c.y - a.y;
	Wide denominator = rx * sy - ry * sx;
	return denominator != 0 && is_inside(wx * sy - wy * sx, denominator) &&
		   is_inside(wx * ry - wy * rx, denominator);
}

// Whether 2 value / denominator lies in [2 rounded - 1, 2 rounded + 1), where value is a fraction.
static bool rounds_to(Wide numerator, Wide denominator, int32_t rounded)
{
	if (denominator < 0)
	{
		numerator = -numerator;
		denominator = -denominator;
	}
	return (2 * (Wide)rounded - 1) * denominator <= 2 * numerator &&
		   2 * numerator < (2 * (Wide)rounded + 1) * denominator;
}

static void crossings_are_found_and_rounded_exactly(void** state)
{
	(void)state;
	uint64_t seed = 23;
	int crossing_count = 0;
	for (int round = 0; round < 40000; ++round)
	{
		int range = ranges[round % NC_COUNT(ranges)];
		NcPoint a = random_point(&seed, range);
		NcPoint b = random_point(&seed, range);
		NcPoint c = random_point(&seed, range);
		NcPoint d = random_point(&seed, range);
		bool is_crossing = nc_segments_cross(a, b, c, d);
		assert_in_round(is_crossing == cross_slowly(a, b, c, d), round);
		assert_in_round(is_crossing == nc_segments_cross(d, c, a, b), round);
		if (!is_crossing)
		{
			continue;
		}
		++crossing_count;
		NcPoint rounded = nc_round_crossing(a, b, c, d);
		Wide t = compute_wide_cross(c, d, a);
		Wide denominator = t - compute_wide_cross(c, d, b);
		Wide x = a.x * denominator + ((Wide)b.x - a.x) * t;
		Wide y = a.y * denominator + ((Wide)b.y - a.y) * t;
		assert_in_round(rounds_to(x, denominator, rounded.x), round);
		assert_in_round(rounds_to(y, denominator, rounded.y), round);
		assert_in_round(nc_point_equals(rounded, nc_round_crossing(d, c, b, a)), round);
	}
	assert_true(crossing_count > 5000);
}

static void segments_that_only_touch_do_not_cross(void** state)
{
	(void)state;
	NcPoint a = {0, 0};
	NcPoint b = {10, 0};
	assert_false(nc_segments_cross(a, b, (NcPoint){5, 0}, (NcPoint){5, 5}));  // T junction
	assert_false(nc_segments_cross(a, b, a, (NcPoint){5, 5}));                // common end
	assert_false(nc_segments_cross(a, b, (NcPoint){5, 0}, (NcPoint){15, 0})); // overlap
	assert_false(nc_segments_cross(a, b, a, b));
	assert_false(nc_segments_cross(a, a, (NcPoint){-1, -1}, (NcPoint){1, 1})); // a point
	assert_true(nc_segments_cross(a, b, (NcPoint){5, -1}, (NcPoint){5, 1}));
}

static void halves_are_rounded_upwards(void** state)
{
	(void)state;
	// They cross in (1/2, 1/2) and in (-1/2, -1/2).
	NcPoint p =
		nc_round_crossing((NcPoint){0, 0}, (NcPoint){1, 1}, (NcPoint){0, 1}, (NcPoint){1, 0});
	assert_true(nc_point_equals(p, (NcPoint){1, 1}));
	p = nc_round_crossing((NcPoint){0, 0}, (NcPoint){-1, -1}, (NcPoint){0, -1}, (NcPoint){-1, 0});
	assert_true(nc_point_equals(p, (NcPoint){0, 0}));
}

// A part of a segment a + t (b - a), cut by lines, with t as fractions over one denominator.
typedef struct Span
{
	Wide lo_n, lo_d, hi_n, hi_d;
} Span;

// Keep where n + t d <= limit.
static void cut_span(Span* span, Wide n, Wide d, Wide limit)
{
	Wide rest = limit - n;
	if (d == 0)
	{
		if (rest < 0)
		{
			*span = (Span){1, 1, 0, 1};
		}
	}
	else if (d > 0)
	{
		bool is_lower = rest * span->hi_d < span->hi_n * d;
		span->hi_n = is_lower ? rest : span->hi_n;
		span->hi_d = is_lower ? d : span->hi_d;
	}
	else
	{
		bool is_higher = -rest * span->lo_d > span->lo_n * -d;
		span->lo_n = is_higher ? -rest : span->lo_n;
		span->lo_d = is_higher ? -d : span->lo_d;
	}
}

// How a segment lies to the closed pixel of p: -1 apart, 0 one common point, 1 more of them.
static int compare_with_closed_pixel(NcPoint a, NcPoint b, NcPoint p)
{
	Span span = {0, 1, 1, 1};
	Wide dx = 2 * ((Wide)b.x - a.x);
	Wide dy = 2 * ((Wide)b.y - a.y);
	cut_span(&span, 2 * (Wide)a.x, dx, 2 * (Wide)p.x + 1);
	cut_span(&span, -2 * (Wide)a.x, -dx, -2 * (Wide)p.x + 1);
	cut_span(&span, 2 * (Wide)a.y, dy, 2 * (Wide)p.y + 1);
	cut_span(&span, -2 * (Wide)a.y, -dy, -2 * (Wide)p.y + 1);
	Wide difference = span.hi_n * span.lo_d - span.lo_n * span.hi_d;
	return (difference > 0) - (difference < 0);
}

static void pixels_are_met_exactly(void** state)
{
	(void)state;
	uint64_t seed = 24;
	int counts[3] = {0};
	for (int round = 0; round < 40000; ++round)
	{
		int range = ranges[round % NC_COUNT(ranges)];
		NcPoint a = random_point(&seed, range);
		NcPoint b = random_point(&seed, range);
		NcPoint p = random_point(&seed, range);
		if (range == NC_MAX_COORDINATE)
		{
			// A point beside the segment, or else nearly nothing would be met.
			NcVec2 middle = nc_lerp(nc_point_to_vec2(a), nc_point_to_vec2(b), 0.3);
			p = (NcPoint){
				(int)middle.x + random_int(&seed, -1, 1), (int)middle.y + random_int(&seed, -1, 1)};
		}
		int relation = compare_with_closed_pixel(a, b, p);
		++counts[relation + 1];
		bool is_met = nc_segment_meets_pixel(a, b, p);
		assert_in_round(is_met == nc_segment_meets_pixel(b, a, p), round);

		// Segments have no length along the border lines of pixels, which lie at halves. So a
		// common piece reaches inside; a common corner is a matter of convention, see below.
		assert_in_round(relation != 1 || is_met, round);
		assert_in_round(relation != -1 || !is_met, round);
	}
	assert_true(counts[0] > 1000 && counts[1] > 100 && counts[2] > 1000);
}

static void every_point_of_a_segment_lies_in_a_pixel_that_it_meets(void** state)
{
	(void)state;
	uint64_t seed = 25;
	for (int round = 0; round < 5000; ++round)
	{
		int range = ranges[round % NC_COUNT(ranges)];
		NcPoint a = random_point(&seed, range);
		NcPoint b = random_point(&seed, range);
		int parts = random_int(&seed, 1, 12);
		for (int i = 0; i <= parts; ++i)
		{
			// Round to nearest, halves upwards, as crossings are.
			int64_t x = 2 * ((int64_t)a.x * (parts - i) + (int64_t)b.x * i) + parts;
			int64_t y = 2 * ((int64_t)a.y * (parts - i) + (int64_t)b.y * i) + parts;
			int64_t d = 2 * parts;
			NcPoint p = {(int32_t)(x / d - (x % d < 0)), (int32_t)(y / d - (y % d < 0))};
			assert_in_round(nc_segment_meets_pixel(a, b, p), round);
		}
	}
}

static void points_meet_only_their_own_pixel(void** state)
{
	(void)state;
	NcPoint p = {7, -3};
	for (int x = -2; x <= 2; ++x)
	{
		for (int y = -2; y <= 2; ++y)
		{
			NcPoint q = {p.x + x, p.y + y};
			assert_int_equal(nc_segment_meets_pixel(p, p, q), x == 0 && y == 0);
		}
	}
}

// Where the line of a segment is at a height, in long doubles.
static long double compute_x(NcPoint a, NcPoint b, long double y)
{
	return a.x + ((long double)b.x - a.x) * ((y - a.y) / ((long double)b.y - a.y));
}

static bool is_on_inner_part(NcPoint p, NcPoint a, NcPoint b)
{
	return nc_orient(a, b, p) == 0 && !nc_point_equals(p, a) && !nc_point_equals(p, b) &&
		   (p.x - a.x) * (p.x - b.x) <= 0 && (p.y - a.y) * (p.y - b.y) <= 0;
}

// The rays run a little above their origin. Slopes of these segments differ by more than 1e-4.
#define RAY_RISE 1e-3L

static bool crosses_slowly(NcPoint p, NcPoint a, NcPoint b)
{
	long double y = p.y + RAY_RISE;
	return (a.y > y) != (b.y > y) && compute_x(a, b, y) < p.x;
}

static void rays_see_the_same_as_long_doubles(void** state)
{
	(void)state;
	uint64_t seed = 26;
	int hit_count = 0;
	int pair_count = 0;
	for (int round = 0; round < 60000; ++round)
	{
		int range = round % 2 ? 3 : 50;
		NcPoint p = random_point(&seed, range);
		NcPoint a = random_point(&seed, range);
		NcPoint b = random_point(&seed, range);
		NcPoint c = random_point(&seed, range);
		NcPoint d = random_point(&seed, range);
		if (is_on_inner_part(p, a, b) || is_on_inner_part(p, c, d))
		{
			continue; // Vertices lie on the inner part of no fragment.
		}
		bool hits_ab = nc_ray_crosses(p, a, b);
		bool hits_cd = nc_ray_crosses(p, c, d);
		assert_in_round(hits_ab == crosses_slowly(p, a, b), round);
		assert_in_round(hits_ab == nc_ray_crosses(p, b, a), round);
		hit_count += hits_ab;

		bool are_fragments = !nc_segments_cross(a, b, c, d) && !is_on_inner_part(a, c, d) &&
							 !is_on_inner_part(b, c, d) && !is_on_inner_part(c, a, b) &&
							 !is_on_inner_part(d, a, b);
		bool are_same = (nc_point_equals(a, c) && nc_point_equals(b, d)) ||
						(nc_point_equals(a, d) && nc_point_equals(b, c));
		if (hits_ab && hits_cd && are_fragments && !are_same)
		{
			++pair_count;
			long double y = p.y + RAY_RISE;
			bool is_nearer = compute_x(a, b, y) > compute_x(c, d, y);
			assert_in_round(nc_ray_is_nearer(a, b, c, d) == is_nearer, round);
			assert_in_round(nc_ray_is_nearer(d, c, b, a) == !is_nearer, round);
		}
	}
	assert_true(hit_count > 5000 && pair_count > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(orientation_is_exact),
		TEST(points_are_ordered_by_x_and_then_by_y),
		TEST(angles_are_compared_as_numbers_are),
		TEST(angles_of_huge_vectors_are_told_apart),
		TEST(crossings_are_found_and_rounded_exactly),
		TEST(segments_that_only_touch_do_not_cross),
		TEST(halves_are_rounded_upwards),
		TEST(pixels_are_met_exactly),
		TEST(every_point_of_a_segment_lies_in_a_pixel_that_it_meets),
		TEST(points_meet_only_their_own_pixel),
		TEST(rays_see_the_same_as_long_doubles),
	};
	return cmocka_run_group_tests_name("predicates", tests, NULL, NULL);
}
