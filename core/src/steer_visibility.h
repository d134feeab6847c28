// SPDX-License-Identifier: MIT
// What a disc can reach straight. In snaps.
//
// Seen from a point x, a wall hides what lies behind it; for a disc, behind the wall widened by the
// radius. That shadow is convex, so on a segment it hides one interval. Its ends are where the
// segment meets a tangent from x to the widened wall, or the widened wall itself.
//
//            x
//           /|\        tangents
//          / | \ .
//         | (=====)    the wall, widened
//      p--+--------+-----q
//         hidden
#pragma once

#include "locate.h"

#define NC_MAX_HIDDEN 24

/// The parts of a segment from p to q that a disc at x cannot reach straight, as parts of the
/// segment: disjoint, in order.
typedef struct NcHidden
{
	double begins[NC_MAX_HIDDEN], ends[NC_MAX_HIDDEN];
	int count;
} NcHidden;

/// Find what is hidden. Exact up to rounding; where there are more parts than fit, gaps between
/// hidden parts count as hidden, too.
void nc_visibility_find_hidden(
	const NcDiagram* diagram, NcVec2 x, double radius, NcVec2 p, NcVec2 q, NcHidden* hidden);
