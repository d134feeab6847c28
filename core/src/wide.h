// SPDX-License-Identifier: MIT
// Numbers with about 32 decimal digits: the sum of two doubles, the second of which is at most half
// a unit in the last place of the first. For the few places where a double is not enough.
//
// Only + - * / and sqrt of doubles, so the same bits come out everywhere. Needs products far away
// from overflow and underflow, which all lengths in snaps are.
//
// This work is based on:
// Dekker. A floating-point technique for extending the available precision. 1971
#pragma once

#include <math.h>

typedef struct NcWide
{
	double hi, lo;
} NcWide;

static inline NcWide nc_wide(double value)
{
	return (NcWide){value, 0.0};
}

/// a + b, exactly.
static inline NcWide nc_wide_sum(double a, double b)
{
	double sum = a + b;
	double b_part = sum - a;
	return (NcWide){sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a * b, exactly.
static inline NcWide nc_wide_product(double a, double b)
{
	const double splitter = 134217729.0; // 2^27 + 1
	double a_scaled = splitter * a;
	double b_scaled = splitter * b;
	double a_hi = a_scaled - (a_scaled - a);
	double b_hi = b_scaled - (b_scaled - b);
	double a_lo = a - a_hi;
	double b_lo = b - b_hi;
	double product = a * b;
	double error = ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo;
	return (NcWide){product, error};
}

/// hi + lo with |hi| >= |lo|, in proper form.
static inline NcWide nc_wide_renormalize(double hi, double lo)
{
	double sum = hi + lo;
	return (NcWide){sum, lo - (sum - hi)};
}

static inline NcWide nc_wide_negate(NcWide a)
{
	return (NcWide){-a.hi, -a.lo};
}

static inline NcWide nc_wide_add(NcWide a, NcWide b)
{
	NcWide hi = nc_wide_sum(a.hi, b.hi);
	NcWide lo = nc_wide_sum(a.lo, b.lo);
	NcWide sum = nc_wide_renormalize(hi.hi, hi.lo + lo.hi);
	return nc_wide_renormalize(sum.hi, sum.lo + lo.lo);
}

static inline NcWide nc_wide_sub(NcWide a, NcWide b)
{
	return nc_wide_add(a, nc_wide_negate(b));
}

static inline NcWide nc_wide_mul(NcWide a, NcWide b)
{
	NcWide product = nc_wide_product(a.hi, b.hi);
	return nc_wide_renormalize(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline NcWide nc_wide_div(NcWide a, NcWide b)
{
	// Two digits of a long division, and a third to round with.
	double first = a.hi / b.hi;
	NcWide rest = nc_wide_sub(a, nc_wide_mul(nc_wide(first), b));
	double second = rest.hi / b.hi;
	rest = nc_wide_sub(rest, nc_wide_mul(nc_wide(second), b));
	NcWide quotient = nc_wide_renormalize(first, second);
	return nc_wide_add(quotient, nc_wide(rest.hi / b.hi));
}

/// The square root of a number that is not negative.
static inline NcWide nc_wide_sqrt(NcWide a)
{
	if (!(a.hi > 0.0))
	{
		return nc_wide(0.0);
	}
	// One step of Newton's method doubles the digits.
	double root = sqrt(a.hi);
	NcWide rest = nc_wide_sub(a, nc_wide_product(root, root));
	return nc_wide_renormalize(root, rest.hi / (2.0 * root));
}

/// A point or vector of wide numbers.
typedef struct NcWide2
{
	NcWide x, y;
} NcWide2;

static inline NcWide nc_wide_dot(NcWide2 a, NcWide2 b)
{
	return nc_wide_add(nc_wide_mul(a.x, b.x), nc_wide_mul(a.y, b.y));
}

static inline NcWide nc_wide_cross(NcWide2 a, NcWide2 b)
{
	return nc_wide_sub(nc_wide_mul(a.x, b.y), nc_wide_mul(a.y, b.x));
}
