// SPDX-License-Identifier: MIT
// Exact tests on snapped points.
//
// Coordinates are whole numbers below 2^25, so differences fit in 27 bits, and every determinant
// below is exact in 64 bits. All decisions about topology go through this file; there is no epsilon
// in it.
#pragma once

#include "nav_corridor/math2d.h"

/// A snapped point, in snaps. |x|, |y| <= NC_MAX_COORDINATE.
typedef struct NcPoint
{
	int32_t x, y;
} NcPoint;

#define NC_MAX_COORDINATE (1 << 25)

static inline bool nc_point_equals(NcPoint a, NcPoint b)
{
	return a.x == b.x && a.y == b.y;
}

/// The order in which everything is processed whose order could reach a result: by x, then by y.
static inline int nc_point_compare(NcPoint a, NcPoint b)
{
	if (a.x != b.x)
	{
		return a.x < b.x ? -1 : 1;
	}
	return (a.y > b.y) - (a.y < b.y);
}

static inline NcVec2 nc_point_to_vec2(NcPoint p)
{
	return (NcVec2){p.x, p.y};
}

/// @return the z-component of (b - a) x (c - a): positive if c lies to the left of a -> b
static inline int64_t nc_orient(NcPoint a, NcPoint b, NcPoint c)
{
	return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) -
		   ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

/// Compare the directions p -> a and p -> b by angle, counter-clockwise from the positive x-axis.
/// @return negative, zero or positive
int nc_compare_angle(NcPoint p, NcPoint a, NcPoint b);

/// Whether the inner parts of two segments cross in one point that is no end point of either.
bool nc_segments_cross(NcPoint a, NcPoint b, NcPoint c, NcPoint d);

/// The crossing of two segments for which nc_segments_cross() holds, rounded to the nearest point:
/// the one whose pixel (see below) contains it.
NcPoint nc_round_crossing(NcPoint a, NcPoint b, NcPoint c, NcPoint d);

/// Whether a segment meets the pixel of a point p: the square of side 1 around it, with its left
/// and lower border but without the others, so that pixels tile the plane.
bool nc_segment_meets_pixel(NcPoint a, NcPoint b, NcPoint p);

/// Whether the ray from p to the left, moved up by less than anything, crosses a segment. Up,
/// because rays start at lowest points: in regular worlds these are at the height of many others,
/// and a ray just below them would pass them all.
bool nc_ray_crosses(NcPoint p, NcPoint a, NcPoint b);

/// For two segments without common inner points that both cross such a ray of p: whether the first
/// is crossed nearer to p.
bool nc_ray_is_nearer(NcPoint a, NcPoint b, NcPoint c, NcPoint d);
