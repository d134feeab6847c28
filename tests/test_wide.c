// SPDX-License-Identifier: MIT

// Wide numbers, against whole numbers of 128 bits and against themselves.

#include "test.h"

#include "wide.h"

__extension__ typedef __int128 Whole;

// The value of a wide number that is whole.
static Whole to_whole(NcWide a)
{
	return (Whole)a.hi + (Whole)a.lo;
}

static void assert_proper(NcWide a)
{
	assert_true(a.hi + a.lo == a.hi);
}

static double random_whole(uint64_t* seed)
{
	return (double)(int64_t)(random_bits(seed) >> (11 + random_int(seed, 0, 40))) *
		   (random_int(seed, 0, 1) ? 1.0 : -1.0);
}

static void sums_and_products_are_exact(void** state)
{
	(void)state;
	uint64_t seed = 1;
	for (int round = 0; round < 100000; ++round)
	{
		double a = random_whole(&seed);
		double b = random_whole(&seed);
		NcWide sum = nc_wide_sum(a, b);
		NcWide product = nc_wide_product(a, b);
		assert_proper(sum);
		assert_proper(product);
		assert_in_round(to_whole(sum) == (Whole)a + (Whole)b, round);
		assert_in_round(to_whole(product) == (Whole)a * (Whole)b, round);
	}
}

// Property: (a / b) * b and sqrt(a)^2 give a back, to 30 digits.
static void quotients_and_roots_have_thirty_digits(void** state)
{
	(void)state;
	uint64_t seed = 2;
	for (int round = 0; round < 100000; ++round)
	{
		NcWide a = nc_wide_sum(random_between(&seed, 1.0, 1e9), random_between(&seed, 0.0, 1e-9));
		NcWide b = nc_wide_sum(random_between(&seed, -1e9, 1e9), random_between(&seed, 0.0, 1e-9));
		NcWide back = nc_wide_mul(nc_wide_div(a, b), b);
		assert_in_round(fabs(nc_wide_sub(back, a).hi) <= 1e-30 * a.hi, round);
		NcWide root = nc_wide_sqrt(a);
		back = nc_wide_mul(root, root);
		assert_in_round(fabs(nc_wide_sub(back, a).hi) <= 1e-30 * a.hi, round);
	}
	assert_true(nc_wide_sqrt(nc_wide(0.0)).hi == 0.0);
}

static void differences_keep_what_a_double_loses(void** state)
{
	(void)state;
	NcWide a = nc_wide_add(nc_wide(1e9), nc_wide(1e-12));
	NcWide rest = nc_wide_sub(a, nc_wide(1e9));
	assert_near(rest.hi, 1e-12, 1e-27);
	NcWide2 u = {a, nc_wide(1.0)};
	NcWide2 v = {nc_wide(1e9), nc_wide(1.0)};
	assert_near(nc_wide_cross(u, v).hi, 1e-12, 1e-22);
	assert_near(nc_wide_dot(u, v).hi, 1e18, 1e3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sums_and_products_are_exact),
		TEST(quotients_and_roots_have_thirty_digits),
		TEST(differences_keep_what_a_double_loses),
	};
	return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
