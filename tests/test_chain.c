// SPDX-License-Identifier: MIT

#include "test.h"

#include "chain.h"

// A triangle with a cut corner, counter-clockwise, and a bracket of lines that opens downwards:
//
//          3 __ 2                9 _____ 10
//           /  \                  |     |
//        0 /____\ 1            8       11
//
static const NcFieldSite sites[] = {
	{.a = {0.0, 0.0}, .b = {4.0, 0.0}, .winding = 1},
	{.a = {4.0, 0.0}, .b = {2.25, 4.0}, .winding = 1},
	{.a = {2.25, 4.0}, .b = {1.75, 4.0}, .winding = 1},
	{.a = {1.75, 4.0}, .b = {0.0, 0.0}, .winding = 1},
	{.a = {10.0, 0.0}, .b = {10.0, 3.0}},
	{.a = {10.0, 3.0}, .b = {11.0, 3.0}},
	{.a = {11.0, 0.0}, .b = {11.0, 3.0}},
	{.a = {20.0, 0.0}, .b = {20.0, 0.0}},
	{.is_gap = true},
};

enum
{
	RIGHT = 1,
	TOP,
	LEFT,
	BRACKET_LEFT,
	BRACKET_TOP,
	BRACKET_RIGHT,
	POINT,
};

static bool is_convex(uint32_t from, uint32_t to, NcVec2 p, double max_length)
{
	NcChains chains;
	assert_true(nc_chains_make(&chains, sites, NC_COUNT(sites)));
	bool forward = nc_chains_is_convex(&chains, from, to, p, max_length);
	bool backward = nc_chains_is_convex(&chains, to, from, p, max_length);
	nc_chains_free(&chains);
	assert_int_equal(forward, backward);
	return forward;
}

static void walls_with_a_short_one_in_between_are_a_chain(void** state)
{
	(void)state;
	assert_true(is_convex(LEFT, RIGHT, (NcVec2){2.0, 9.0}, 1.0));
	assert_true(is_convex(LEFT, TOP, (NcVec2){1.7, 9.0}, 1.0));
}

static void long_chains_do_not_count(void** state)
{
	(void)state;
	assert_false(is_convex(LEFT, RIGHT, (NcVec2){2.0, 9.0}, 0.4));
	assert_false(is_convex(LEFT, RIGHT, (NcVec2){2.0, -1.0}, 3.9));
	assert_true(is_convex(LEFT, RIGHT, (NcVec2){2.0, -1.0}, 4.0));
}

static void walls_that_enclose_the_point_are_none(void** state)
{
	(void)state;
	NcVec2 inside = {10.5, 2.5};
	assert_false(is_convex(BRACKET_LEFT, BRACKET_RIGHT, inside, 100.0));
	assert_false(is_convex(BRACKET_LEFT, BRACKET_TOP, inside, 100.0));
}

static void the_outer_side_of_the_same_walls_is_one(void** state)
{
	(void)state;
	NcVec2 above = {10.5, 5.0};
	assert_true(is_convex(BRACKET_LEFT, BRACKET_RIGHT, above, 1.0));
	assert_true(is_convex(BRACKET_LEFT, BRACKET_TOP, above, 1.0));
}

static void the_two_open_ends_of_a_bracket_are_none(void** state)
{
	(void)state;
	assert_false(is_convex(BRACKET_LEFT, BRACKET_RIGHT, (NcVec2){10.5, -3.0}, 5.0));
}

static void points_and_other_obstacles_are_none(void** state)
{
	(void)state;
	assert_false(is_convex(POINT, RIGHT, (NcVec2){12.0, 9.0}, 100.0));
	assert_false(is_convex(RIGHT, BRACKET_LEFT, (NcVec2){7.0, 1.0}, 100.0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(walls_with_a_short_one_in_between_are_a_chain),
		TEST(long_chains_do_not_count),
		TEST(walls_that_enclose_the_point_are_none),
		TEST(the_outer_side_of_the_same_walls_is_one),
		TEST(the_two_open_ends_of_a_bracket_are_none),
		TEST(points_and_other_obstacles_are_none),
	};
	return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
