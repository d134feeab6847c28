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

/// Whether all points of a segment have at least the given distance from all obstacles.
bool nc_locate_is_segment_free(const NcDiagram* diagram, NcVec2 a, NcVec2 b, double radius);
