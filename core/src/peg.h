// SPDX-License-Identifier: MIT
// Pegs: what a taut string winds around. The string of a disc's centre stays at the disc's radius
// from every corner, so each corner is a peg of that radius; start and goal are pegs without one.
//
// A peg lies on the left (side +1) or on the right (side -1) of the string, which touches it at
// center - side radius n, where n is the left normal of the string's direction u. A straight piece
// from peg a to peg b has, with d the vector between their centres,
//
//   d = l u + k n,   k = side_b radius_b - side_a radius_a,   l = sqrt(d^2 - k^2)
//
// and so u = (l d - k perp(d)) / d^2. That is the outer tangent for pegs on the same side, the
// inner one for pegs on different sides. All lengths are in snaps.
#pragma once

#include "nav_corridor/math2d.h"

typedef struct NcPeg
{
	NcVec2 center;
	double offset; ///< side times radius
} NcPeg;

/// The straight piece of string between two pegs.
typedef struct NcTangent
{
	NcVec2 direction; ///< a unit vector; zero between equal pegs
	double length;
} NcTangent;

static inline NcTangent nc_peg_tangent(NcPeg a, NcPeg b)
{
	NcVec2 d = nc_sub(b.center, a.center);
	double k = b.offset - a.offset;
	double dd = nc_dot(d, d);
	if (!(dd > 0.0))
	{
		return (NcTangent){{0.0, 0.0}, 0.0};
	}
	if (k == 0.0)
	{
		double length = sqrt(dd);
		return (NcTangent){nc_scale(1.0 / length, d), length};
	}
	// Pegs that just touch may seem to overlap, because their places are rounded.
	double rest = dd - k * k;
	if (!(rest > 0.0))
	{
		return (NcTangent){nc_scale(k > 0.0 ? -1.0 : 1.0, nc_normalize(nc_perp(d))), 0.0};
	}
	double length = sqrt(rest);
	NcVec2 u = nc_mul_add(nc_scale(length / dd, d), -k / dd, nc_perp(d));
	return (NcTangent){u, length};
}

/// Where a string of direction u touches a peg.
static inline NcVec2 nc_peg_touch(NcPeg peg, NcVec2 u)
{
	return nc_mul_add(peg.center, -peg.offset, nc_perp(u));
}

/// By how much the string turns around a peg, in radians: zero or more, less than a full turn.
static inline double nc_peg_turn(NcPeg peg, NcVec2 from, NcVec2 to)
{
	double sine = nc_cross(from, to);
	double angle = nc_atan2(peg.offset < 0.0 ? -sine : sine, nc_dot(from, to));
	// A string that is straight up to rounding does not go all the way around.
	return angle >= 0.0 ? angle : angle > -1e-6 ? 0.0 : angle + 6.283185307179586477;
}
