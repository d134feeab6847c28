// SPDX-License-Identifier: MIT

// Vectors, boxes, and trigonometry against that of the C library in higher precision.

#include "test.h"

// The promise of math2d.h.
#define MAX_ANGLE_ERROR 4e-15

static void vectors_follow_their_definitions(void** state)
{
	(void)state;
	NcVec2 a = {3.0, 4.0};
	NcVec2 b = {-2.0, 5.0};
	assert_vec2(nc_add(a, b), 1.0, 9.0, 0.0);
	assert_vec2(nc_sub(a, b), 5.0, -1.0, 0.0);
	assert_vec2(nc_scale(2.0, a), 6.0, 8.0, 0.0);
	assert_vec2(nc_mul_add(a, 2.0, b), -1.0, 14.0, 0.0);
	assert_vec2(nc_lerp(a, b, 0.5), 0.5, 4.5, 0.0);
	assert_vec2(nc_perp(a), -4.0, 3.0, 0.0);
	assert_near(nc_dot(a, b), 14.0, 0.0);
	assert_near(nc_cross(a, b), 23.0, 0.0);
	assert_near(nc_length(a), 5.0, 0.0);
	assert_near(nc_length_squared(a), 25.0, 0.0);
	assert_near(nc_distance(a, b), sqrt(26.0), 1e-15);
	assert_vec2(nc_normalize(a), 0.6, 0.8, 2e-16);
	assert_vec2(nc_normalize((NcVec2){0.0, 0.0}), 0.0, 0.0, 0.0);
	assert_near(nc_clamp(5.0, 0.0, 2.0), 2.0, 0.0);
	assert_near(nc_clamp(-5.0, 0.0, 2.0), 0.0, 0.0);
	assert_near(nc_clamp(1.0, 0.0, 2.0), 1.0, 0.0);
}

static void closest_points_of_segments_include_their_ends(void** state)
{
	(void)state;
	NcVec2 a = {0.0, 0.0};
	NcVec2 b = {10.0, 0.0};
	assert_vec2(nc_closest_on_segment((NcVec2){4.0, 3.0}, a, b), 4.0, 0.0, 1e-15);
	assert_vec2(nc_closest_on_segment((NcVec2){-4.0, 3.0}, a, b), 0.0, 0.0, 0.0);
	assert_vec2(nc_closest_on_segment((NcVec2){40.0, 3.0}, a, b), 10.0, 0.0, 0.0);
	assert_vec2(nc_closest_on_segment((NcVec2){4.0, 0.0}, a, b), 4.0, 0.0, 1e-15);
	assert_vec2(nc_closest_on_segment((NcVec2){4.0, 3.0}, b, b), 10.0, 0.0, 0.0);
}

static void no_point_of_a_segment_is_closer_than_the_closest(void** state)
{
	(void)state;
	uint64_t seed = 11;
	NcBox box = {{-10.0, -10.0}, {10.0, 10.0}};
	for (int round = 0; round < 1000; ++round)
	{
		NcVec2 a = random_vec2(&seed, box);
		NcVec2 b = random_vec2(&seed, box);
		NcVec2 p = random_vec2(&seed, box);
		double least = nc_distance(p, nc_closest_on_segment(p, a, b));
		double sampled = HUGE_VAL;
		for (int i = 0; i <= 100; ++i)
		{
			sampled = nc_min(sampled, nc_distance(p, nc_lerp(a, b, i / 100.0)));
		}
		assert_in_round(least <= sampled + 1e-14, round);
		assert_in_round(least >= sampled - 0.005 * nc_distance(a, b) - 1e-14, round);
	}
}

static void empty_boxes_grow_by_points(void** state)
{
	(void)state;
	NcBox box = nc_box_empty();
	assert_true(nc_box_is_empty(box));
	assert_false(nc_box_contains(box, (NcVec2){0.0, 0.0}));
	assert_false(nc_box_overlaps(box, (NcBox){{-1e9, -1e9}, {1e9, 1e9}}));

	box = nc_box_add_point(box, (NcVec2){1.0, 2.0});
	assert_false(nc_box_is_empty(box));
	assert_true(nc_box_contains(box, (NcVec2){1.0, 2.0}));
	box = nc_box_add_point(box, (NcVec2){-3.0, 7.0});
	assert_vec2(box.lower, -3.0, 2.0, 0.0);
	assert_vec2(box.upper, 1.0, 7.0, 0.0);

	NcBox same = nc_box_union(box, nc_box_empty());
	assert_memory_equal(&same, &box, sizeof(box));
	assert_true(nc_box_is_empty(nc_box_union(nc_box_empty(), nc_box_empty())));
	assert_vec2(nc_box_grow(box, 2.0).lower, -5.0, 0.0, 0.0);
	assert_vec2(nc_box_grow(box, 2.0).upper, 3.0, 9.0, 0.0);
	assert_true(nc_box_is_empty(nc_box_grow(box, -3.0)));
}

static void boxes_that_touch_overlap(void** state)
{
	(void)state;
	NcBox box = {{0.0, 0.0}, {2.0, 2.0}};
	assert_true(nc_box_overlaps(box, (NcBox){{2.0, 2.0}, {3.0, 3.0}}));
	assert_true(nc_box_overlaps(box, (NcBox){{0.5, 0.5}, {1.0, 1.0}}));
	assert_true(nc_box_overlaps(box, (NcBox){{-1.0, 0.5}, {3.0, 1.0}}));
	assert_false(nc_box_overlaps(box, (NcBox){{2.1, 0.0}, {3.0, 3.0}}));
	assert_false(nc_box_overlaps(box, (NcBox){{0.0, -2.0}, {3.0, -0.1}}));
	assert_true(nc_box_contains(box, (NcVec2){2.0, 0.0}));
	assert_false(nc_box_contains(box, (NcVec2){2.0, -1e-300}));
	assert_false(nc_box_contains(box, (NcVec2){NOT_A_NUMBER, 1.0}));
}

static void only_ordinary_numbers_are_finite(void** state)
{
	(void)state;
	assert_true(nc_is_finite((NcVec2){1e300, -0.0}));
	assert_false(nc_is_finite((NcVec2){NOT_A_NUMBER, 0.0}));
	assert_false(nc_is_finite((NcVec2){0.0, HUGE_VAL}));
	assert_false(nc_is_finite((NcVec2){-HUGE_VAL, 0.0}));
}

static void angles_of_axes_are_exact(void** state)
{
	(void)state;
	const double pi = 3.14159265358979323846;
	assert_near(nc_atan2(0.0, 0.0), 0.0, 0.0);
	assert_near(nc_atan2(0.0, 1.0), 0.0, 0.0);
	assert_near(nc_atan2(1.0, 0.0), 0.5 * pi, 0.0);
	assert_near(nc_atan2(0.0, -1.0), pi, 0.0);
	assert_near(nc_atan2(-1.0, 0.0), -0.5 * pi, 0.0);
	assert_near(nc_atan2(1.0, 1.0), 0.25 * pi, 1e-15);
	assert_vec2(nc_direction(0.0), 1.0, 0.0, 0.0);
	assert_vec2(nc_direction(HUGE_VAL), 1.0, 0.0, 0.0);
	assert_vec2(nc_direction(NOT_A_NUMBER), 1.0, 0.0, 0.0);
}

static void angles_are_as_exact_as_promised(void** state)
{
	(void)state;
	uint64_t seed = 12;
	for (int round = 0; round < 20000; ++round)
	{
		// All magnitudes, from equal ones to one far below the other.
		double y = random_between(&seed, -1.0, 1.0) * exp(random_between(&seed, -40.0, 40.0));
		double x = random_between(&seed, -1.0, 1.0) * exp(random_between(&seed, -40.0, 40.0));
		double expected = (double)atan2l((long double)y, (long double)x);
		assert_near(nc_atan2(y, x), expected, MAX_ANGLE_ERROR);
	}
}

static void directions_are_as_exact_as_promised(void** state)
{
	(void)state;
	uint64_t seed = 13;
	for (int round = 0; round < 20000; ++round)
	{
		double range = round % 2 ? 7.0 : 6283.0;
		double angle = random_between(&seed, -range, range);
		NcVec2 direction = nc_direction(angle);
		assert_near(direction.x, (double)cosl((long double)angle), MAX_ANGLE_ERROR);
		assert_near(direction.y, (double)sinl((long double)angle), MAX_ANGLE_ERROR);
	}
}

static void directions_and_angles_undo_each_other(void** state)
{
	(void)state;
	for (int i = -3141; i <= 3141; ++i)
	{
		NcVec2 direction = nc_direction(i / 1000.0);
		assert_near(nc_atan2(direction.y, direction.x), i / 1000.0, 2.0 * MAX_ANGLE_ERROR);
		assert_near(nc_length(direction), 1.0, MAX_ANGLE_ERROR);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(vectors_follow_their_definitions),
		TEST(closest_points_of_segments_include_their_ends),
		TEST(no_point_of_a_segment_is_closer_than_the_closest),
		TEST(empty_boxes_grow_by_points),
		TEST(boxes_that_touch_overlap),
		TEST(only_ordinary_numbers_are_finite),
		TEST(angles_of_axes_are_exact),
		TEST(angles_are_as_exact_as_promised),
		TEST(directions_are_as_exact_as_promised),
		TEST(directions_and_angles_undo_each_other),
	};
	return cmocka_run_group_tests_name("math2d", tests, NULL, NULL);
}
