// SPDX-License-Identifier: MIT
// Point location: which feature is nearest, and which arc of the medial axis belongs to it. In
// snaps.
#pragma once

#include "graph.h"

/// The nearest obstacle feature of a point.
typedef struct NcNearest
{
	bool is_free; ///< whether the point lies in free space
	double distance;
	NcVec2 foot; ///< the nearest obstacle point
	NcFeature feature;
	NcVec2 away; ///< the unit direction from the foot to the point, and on into the free space
} NcNearest;

/// Find the nearest feature.
/// @return false if there is no obstacle at all; there always is, because worlds are bounded
bool nc_locate_nearest(const NcDiagram* diagram, NcVec2 p, NcNearest* nearest);

/// Where a walk straight away from the nearest obstacle point meets the medial axis.
typedef struct NcRetraction
{
	int piece; ///< the piece of the feature's cell that is met
	NcVec2 position;
	double clearance;
} NcRetraction;

/// Find the retraction of a free point.
/// @return false if the medial axis is empty there, which needs a free space smaller than a snap
bool nc_locate_retraction(
	const NcDiagram* diagram, const NcNearest* nearest, NcRetraction* retraction);

/// Whether all points of a segment that begins in free space have at least the given distance from
/// all obstacles.
bool nc_locate_is_segment_clear(const NcDiagram* diagram, NcVec2 a, NcVec2 b, double radius);

/// The same for a segment that begins anywhere.
bool nc_locate_is_segment_free(const NcDiagram* diagram, NcVec2 a, NcVec2 b, double radius);

/// How near a disc may come: it may touch, and rounding of the distance must not turn that into a
/// hit. In parts of the radius; a point, which has none, must keep as many snaps.
#define NC_TOUCH_TOLERANCE 1e-9

static inline double nc_locate_get_limit(double radius)
{
	return nc_max(radius * (1.0 - NC_TOUCH_TOLERANCE), NC_TOUCH_TOLERANCE);
}

/// The squared distance of the segments from a to b and from c to d: zero if they cross.
double nc_segment_segment_squared(NcVec2 a, NcVec2 b, NcVec2 c, NcVec2 d);

/// How far the border of a ring of grid cells is from a point inside of it. The world's own border
/// is no border of a search: there is nothing beyond.
double nc_locate_ring_distance(const NcGrid* grid, NcVec2 p, NcCellRange ring);
