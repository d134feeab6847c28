// SPDX-License-Identifier: MIT
// Exact tests on snapped points: see predicates.h.

#include "predicates.h"

#include "check.h"

__extension__ typedef __int128 Wide;

static int sign_of(int64_t value)
{
	return (value > 0) - (value < 0);
}

// 0 for directions from angle 0 up to pi, 1 for the rest.
static int half_plane(NcPoint p, NcPoint a)
{
	return a.y < p.y || (a.y == p.y && a.x < p.x);
}

int nc_compare_angle(NcPoint p, NcPoint a, NcPoint b)
{
	int half_a = half_plane(p, a);
	int half_b = half_plane(p, b);
	if (half_a != half_b)
	{
		return half_a - half_b;
	}
	return -sign_of(nc_orient(p, a, b));
}

bool nc_segments_cross(NcPoint a, NcPoint b, NcPoint c, NcPoint d)
{
	int abc = sign_of(nc_orient(a, b, c));
	int abd = sign_of(nc_orient(a, b, d));
	int cda = sign_of(nc_orient(c, d, a));
	int cdb = sign_of(nc_orient(c, d, b));
	return abc * abd < 0 && cda * cdb < 0;
}

// floor(numerator / denominator + 1/2)
static int64_t round_fraction(Wide numerator, Wide denominator)
{
	if (denominator < 0)
	{
		numerator = -numerator;
		denominator = -denominator;
	}
	numerator = 2 * numerator + denominator;
	denominator = 2 * denominator;
	Wide quotient = numerator / denominator;
	return (int64_t)(quotient - (numerator % denominator < 0));
}

NcPoint nc_round_crossing(NcPoint a, NcPoint b, NcPoint c, NcPoint d)
{
	NC_ASSERT(nc_segments_cross(a, b, c, d));

	// The crossing is a + t (b - a) with t = cda / (cda - cdb).
	int64_t cda = nc_orient(c, d, a);
	Wide denominator = (Wide)cda - nc_orient(c, d, b);
	int64_t dx = round_fraction((Wide)((int64_t)b.x - a.x) * cda, denominator);
	int64_t dy = round_fraction((Wide)((int64_t)b.y - a.y) * cda, denominator);
	return (NcPoint){(int32_t)(a.x + dx), (int32_t)(a.y + dy)};
}

// The pixel is open on two sides. Moving the segment by (e, e^2), with e smaller than anything,
// makes it a test against the open square: a point on the left or lower border moves inside, one on
// the right or upper border outside, and no corner is ever exactly on the line.
//
// Everything is doubled so that corners are whole numbers.
static int corner_side(int64_t dx, int64_t dy, int64_t corner_x, int64_t corner_y)
{
	int side = sign_of(dx * corner_y - dy * corner_x);
	if (side == 0)
	{
		side = dy != 0 ? sign_of(dy) : -sign_of(dx);
	}
	return side;
}

bool nc_segment_meets_pixel(NcPoint a, NcPoint b, NcPoint p)
{
	if ((a.x < p.x && b.x < p.x) || (a.x > p.x && b.x > p.x) || (a.y < p.y && b.y < p.y) ||
		(a.y > p.y && b.y > p.y))
	{
		return false;
	}

	// Segments end on whole numbers, so the boxes overlap: now the line must part the corners.
	int64_t dx = (int64_t)b.x - a.x;
	int64_t dy = (int64_t)b.y - a.y;
	int64_t x = 2 * ((int64_t)p.x - a.x);
	int64_t y = 2 * ((int64_t)p.y - a.y);
	int sides = corner_side(dx, dy, x - 1, y - 1) + corner_side(dx, dy, x + 1, y - 1) +
				corner_side(dx, dy, x + 1, y + 1) + corner_side(dx, dy, x - 1, y + 1);
	return -4 < sides && sides < 4;
}

bool nc_ray_crosses(NcPoint p, NcPoint a, NcPoint b)
{
	// Raising the ray decides all ties: an end point at the height of p counts as below.
	if ((a.y > p.y) == (b.y > p.y))
	{
		return false;
	}
	int64_t side = a.y < b.y ? nc_orient(a, b, p) : nc_orient(b, a, p);

	// The upward segment has the ray's origin on its right. If p lies on its line, p is its lower
	// end, and just above p the segment is to the left if it goes there.
	if (side == 0)
	{
		return a.y < b.y ? b.x < a.x : a.x < b.x;
	}
	return side < 0;
}

bool nc_ray_is_nearer(NcPoint a, NcPoint b, NcPoint c, NcPoint d)
{
	NcPoint lower_1 = a.y < b.y ? a : b;
	NcPoint upper_1 = a.y < b.y ? b : a;
	NcPoint lower_2 = c.y < d.y ? c : d;
	NcPoint upper_2 = c.y < d.y ? d : c;

	// Both span the ray's height. The lower end of one lies beside the other, or else on it; then
	// the upper ends decide in the same way.
	int64_t side = lower_1.y >= lower_2.y ? -nc_orient(lower_2, upper_2, lower_1)
										  : nc_orient(lower_1, upper_1, lower_2);
	if (side == 0)
	{
		side = upper_1.y <= upper_2.y ? -nc_orient(lower_2, upper_2, upper_1)
									  : nc_orient(lower_1, upper_1, upper_2);
	}
	return side > 0;
}
