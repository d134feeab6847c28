// SPDX-License-Identifier: MIT
// From an obstacle as users give it to directed, snapped edges.
//
// A filled area comes out as a border that has the inside on its left and winds around everything
// inside exactly once, whatever the direction of its rings, and even if they cross themselves or
// each other: then the area is what the first ring winds around at all, minus what the others do.
// So covers of several obstacles simply add up.
#pragma once

#include "nav_corridor/map.h"
#include "snap.h"

/// Check a shape: finite coordinates in range, enough points, counts that add up.
/// @param snap world units per snap
NcStatus nc_shape_check(const NcShape* shape, double snap, NcError* error);

/// Append the edges of a shape that passed the check.
/// @param obstacle the owner that the edges get
/// @return NC_OUT_OF_MEMORY if that failed; `edges` may then hold some of them
NcStatus nc_shape_append_edges(const NcShape* shape, double snap, int obstacle, NcEdgeArray* edges);

/// Round a world coordinate to the nearest snap.
static inline NcPoint nc_snap_point(NcVec2 p, double inverse_snap)
{
	return (NcPoint){
		(int32_t)floor(p.x * inverse_snap + 0.5), (int32_t)floor(p.y * inverse_snap + 0.5)};
}
