// SPDX-License-Identifier: MIT
#pragma once

// Round shapes as polygons. The polygon goes around the circle, so that an agent that keeps its
// distance from the polygon also keeps it from the circle.

#include "points.h"

#define CIRCLE_FULL_TURN 6.283185307179586

/// Add the corners of a polygon around a piece of a circle.
/// @param from, turn where the piece begins and how far it goes, in radians, counter-clockwise
void circle_add_arc(Points* points, NcVec2 center, double radius, double from, double turn);
