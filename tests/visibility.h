// SPDX-License-Identifier: MIT
// The shortest route of a disc by brute force: the graph of all tangents between all corners of all
// walls, each a circle of the disc's radius, checked against all walls. Of the library it uses the
// list of walls only.
#pragma once

#include "nav_corridor/nav_corridor.h"

typedef struct Visibility Visibility;

/// Compute all tangents. Takes time proportional to the cube of the walls.
/// @param radius zero means a hundred-millionth of a unit, which no length notices
Visibility* visibility_create(const NcMap* map, double radius);
void visibility_destroy(Visibility* graph);

/// @return the length of the shortest route, or HUGE_VAL if there is none
double visibility_find(Visibility* graph, NcVec2 start, NcVec2 goal);
