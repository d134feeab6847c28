// SPDX-License-Identifier: MIT
#pragma once

#include "check_walls.h"

/// What an arc is equally far from on one of its sides: a part of a wall, or a point.
typedef struct CheckFeature
{
	NcVec2 feet[2]; ///< the closest points at both ends of the arc
	int wall;       ///< that both feet lie on, or NC_NULL_INDEX if there is none
	bool is_point;
} CheckFeature;

/// An arc of the medial axis between two events, as the checker understands it: from the closest
/// points alone.
typedef struct CheckArc
{
	NcVec2 ends[2];
	CheckFeature left, right;

	/// Of a parabola: a point and the unit direction of its side, and its focus.
	bool is_parabola;
	NcVec2 origin, axis, focus;
	double begin, end; ///< where the feet of its ends are along the side
} CheckArc;

/// The arc between an event and the next one.
/// @param snap of the map, in world units
CheckArc check_arc_make(const CheckWalls* walls, const NcMapEvent events[2], double snap);

/// A point of the arc; from 0 at its begin to 1 at its end.
NcVec2 check_arc_get_point(const CheckArc* arc, double s);

/// The point of a feature that is closest to a point.
NcVec2 check_feature_get_closest(
	const CheckWalls* walls, const CheckFeature* feature, NcVec2 point);

/// The length of the arc by ever finer polylines.
double check_arc_compute_length(const CheckArc* arc);

/// By how much someone turns who stands in one of the arc's points and looks along the arc from its
/// begin to its end; in radians, positive if counter-clockwise.
double check_arc_compute_turn(const CheckArc* arc, NcVec2 center);

/// The smallest distance from the arc to its left feature, by search.
double check_arc_find_min(const CheckWalls* walls, const CheckArc* arc);
