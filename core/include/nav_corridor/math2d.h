// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/base.h"

#include <math.h>

/// A point or a free vector, in world units. The y-axis points up; angles turn counter-clockwise.
typedef struct NcVec2
{
	double x, y;
} NcVec2;

/// An axis-aligned box. Empty if an upper bound is below its lower bound.
typedef struct NcBox
{
	NcVec2 lower, upper;
} NcBox;

static inline NcVec2 nc_add(NcVec2 a, NcVec2 b)
{
	return (NcVec2){a.x + b.x, a.y + b.y};
}

static inline NcVec2 nc_sub(NcVec2 a, NcVec2 b)
{
	return (NcVec2){a.x - b.x, a.y - b.y};
}

static inline NcVec2 nc_scale(double s, NcVec2 a)
{
	return (NcVec2){s * a.x, s * a.y};
}

/// @return a + s b
static inline NcVec2 nc_mul_add(NcVec2 a, double s, NcVec2 b)
{
	return (NcVec2){a.x + s * b.x, a.y + s * b.y};
}

/// @return the point a + t (b - a)
static inline NcVec2 nc_lerp(NcVec2 a, NcVec2 b, double t)
{
	return (NcVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static inline double nc_dot(NcVec2 a, NcVec2 b)
{
	return a.x * b.x + a.y * b.y;
}

/// @return the z-component of the cross product: positive if b lies counter-clockwise of a
static inline double nc_cross(NcVec2 a, NcVec2 b)
{
	return a.x * b.y - a.y * b.x;
}

/// @return `a` turned by a quarter, counter-clockwise
static inline NcVec2 nc_perp(NcVec2 a)
{
	return (NcVec2){-a.y, a.x};
}

static inline double nc_length_squared(NcVec2 a)
{
	return nc_dot(a, a);
}

static inline double nc_length(NcVec2 a)
{
	return sqrt(nc_dot(a, a));
}

static inline double nc_distance(NcVec2 a, NcVec2 b)
{
	return nc_length(nc_sub(b, a));
}

/// @return the unit vector along `a`, or zero if `a` is zero
static inline NcVec2 nc_normalize(NcVec2 a)
{
	double length = nc_length(a);
	return length > 0.0 ? nc_scale(1.0 / length, a) : (NcVec2){0.0, 0.0};
}

static inline double nc_min(double a, double b)
{
	return a < b ? a : b;
}

static inline double nc_max(double a, double b)
{
	return a > b ? a : b;
}

static inline double nc_clamp(double value, double lower, double upper)
{
	return value < lower ? lower : value > upper ? upper : value;
}

/// @return the point of the segment from a to b that is closest to p
static inline NcVec2 nc_closest_on_segment(NcVec2 p, NcVec2 a, NcVec2 b)
{
	NcVec2 d = nc_sub(b, a);
	double dd = nc_dot(d, d);
	if (!(dd > 0.0))
	{
		return a;
	}
	double t = nc_dot(nc_sub(p, a), d) / dd;
	return t <= 0.0 ? a : t >= 1.0 ? b : nc_lerp(a, b, t);
}

/// @return a box that contains nothing and becomes a proper one by nc_box_add_point()
static inline NcBox nc_box_empty(void)
{
	return (NcBox){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
}

static inline bool nc_box_is_empty(NcBox box)
{
	return !(box.lower.x <= box.upper.x && box.lower.y <= box.upper.y);
}

static inline NcBox nc_box_add_point(NcBox box, NcVec2 p)
{
	return (NcBox){{nc_min(box.lower.x, p.x), nc_min(box.lower.y, p.y)},
		{nc_max(box.upper.x, p.x), nc_max(box.upper.y, p.y)}};
}

static inline NcBox nc_box_union(NcBox a, NcBox b)
{
	return (NcBox){{nc_min(a.lower.x, b.lower.x), nc_min(a.lower.y, b.lower.y)},
		{nc_max(a.upper.x, b.upper.x), nc_max(a.upper.y, b.upper.y)}};
}

/// @return the box with every side moved outwards by `margin`
static inline NcBox nc_box_grow(NcBox box, double margin)
{
	return (NcBox){
		{box.lower.x - margin, box.lower.y - margin}, {box.upper.x + margin, box.upper.y + margin}};
}

static inline bool nc_box_contains(NcBox box, NcVec2 p)
{
	return box.lower.x <= p.x && p.x <= box.upper.x && box.lower.y <= p.y && p.y <= box.upper.y;
}

static inline bool nc_box_overlaps(NcBox a, NcBox b)
{
	return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
		   b.lower.y <= a.upper.y;
}

/// @return whether both coordinates are ordinary numbers
static inline bool nc_is_finite(NcVec2 a)
{
	return isfinite(a.x) && isfinite(a.y);
}

/// The angle of (x, y) against the x-axis, from -pi to pi, in radians; 0 for the zero vector.
/// The same bits on every machine; the error is below 4e-15.
NC_API double nc_atan2(double y, double x);

/// The unit vector at an angle in radians. The same bits on every machine; the error is below
/// 4e-15 for angles up to 1000 turns and grows with the angle beyond that.
NC_API NcVec2 nc_direction(double angle);
