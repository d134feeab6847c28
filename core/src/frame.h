// SPDX-License-Identifier: MIT
// The coordinates in which one cell is computed: along a side and away from it, or directions
// around an apex. See cell.h for the formulas.
#pragma once

#include "envelope.h"
#include "site.h"

/// Farther than any obstacle of the world: a cell starts out this high. In snaps.
#define NC_FAR_AWAY 1e12

/// A parameter beyond all others.
#define NC_UNBOUNDED 1e300

/// An interval.
typedef struct NcInterval
{
	double lo, hi;
} NcInterval;

/// Where and how far from the wall a cell is computed.
typedef struct NcFrame
{
	NcVec2 origin;    ///< start of the side, or the apex
	NcVec2 axis;      ///< unit direction of t, or of s = 0
	NcDirection side; ///< the direction of a side; unused for cones
	bool is_cone;
} NcFrame;

/// 1 - y for a unit vector (x, y), without cancellation.
static inline double nc_one_minus(double x, double y)
{
	return y > 0.5 ? x * x / (1.0 + y) : 1.0 - y;
}

/// The left normal of a direction, a unit vector.
static inline NcVec2 nc_direction_normal(NcDirection d)
{
	return (NcVec2){-d.y * d.inverse_length, d.x * d.inverse_length};
}

/// A world vector in the coordinates of a frame, and a point of the frame in the world.
static inline NcVec2 nc_to_frame(const NcFrame* f, NcVec2 v)
{
	return (NcVec2){nc_dot(v, f->axis), nc_cross(f->axis, v)};
}

static inline NcVec2 nc_from_frame(const NcFrame* f, double x, double y)
{
	return (NcVec2){
		f->origin.x + f->axis.x * x - f->axis.y * y, f->origin.y + f->axis.y * x + f->axis.x * y};
}

/// tan(angle / 2) of a vector of the given length, whichever way does not cancel. At the back of
/// the frame it is huge, with either sign.
static inline double nc_half_tangent(double x, double y, double length)
{
	if (x >= 0.0)
	{
		return y / (length + x);
	}
	return y != 0.0 ? (length - x) / y : NC_UNBOUNDED;
}

/// The point of the border at parameter t.
static inline NcVec2 nc_frame_position(const NcFrame* f, const NcPiece* piece, double t)
{
	double value = nc_piece_evaluate(piece, t);
	if (!f->is_cone)
	{
		return nc_from_frame(f, t, value);
	}
	double scale = -1.0 / value;
	return nc_from_frame(f, (1.0 - t * t) * scale, 2.0 * t * scale);
}
