// SPDX-License-Identifier: MIT
#pragma once

// Shapes on their way into a map: what reaches far out of it is cut off.

#include "nav_corridor/map.h"
#include "points.h"

/// @return the finest grid, from the default upwards, on which the bounds can be represented
double map_shape_choose_snap(NcBox bounds);

/// @return the part of the world in which obstacles matter and can be represented
NcBox map_shape_get_clip_box(const NcMap* core);

/// Cut an obstacle in world coordinates.
/// @param points are changed, and hold the points of the result
/// @return a shape that the map can use; without points if nothing of it is in the box
NcShape map_shape_cut(NcShapeKind kind, Points* points, NcBox box);

/// @return whether the points are enough for an obstacle of this kind: an area needs three
bool map_shape_has_enough_points(NcShapeKind kind, const Points* points);
