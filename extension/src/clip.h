// SPDX-License-Identifier: MIT
#pragma once

// Cutting obstacles that reach far out of a map.

#include "nav_corridor/map.h"
#include "points.h"

/// Replace points by others that all lie in the box and block the same inside of it. On the border
/// of the box walls may come up that were not there. Nothing is left of what is not in the box.
void clip_to_box(Points* points, NcShapeKind kind, NcBox box);

/// @return whether at least three of the points differ, as the border of an area needs
bool clip_has_three_points(const Points* points);
