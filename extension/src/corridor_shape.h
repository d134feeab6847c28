// SPDX-License-Identifier: MIT
#pragma once

// The area of a corridor, for drawing: its axis and both sides as rows of samples that belong
// together, dense enough to look smooth.

#include "nav_corridor/query.h"
#include "points.h"

/// Three rows of equal length: a sample is a point of the medial axis and the closest obstacle
/// points on both sides. All zero is empty.
typedef struct CorridorShape
{
	Points axis;
	Points left;
	Points right;
} CorridorShape;

/// Add the samples of some events that follow each other: of an edge, or of a path.
void corridor_shape_add(CorridorShape* shape, const NcMapEvent* events, int count);

/// The same for a whole path, with the largest empty discs at both ends.
void corridor_shape_add_path(CorridorShape* shape, const NcMapEvent* events, int count);

/// Pull both sides towards the axis by a radius, in world units: what is left is where the centre
/// of a disc may be.
void corridor_shape_shrink(CorridorShape* shape, double radius);

/// Add the triangles of the area, three corners each: those from the axis to a wall, on both sides.
/// Every triangle has one or two corners on the axis; corner k of six belongs to the axis if k is
/// 0, 3 or 5.
void corridor_shape_add_triangles(const CorridorShape* shape, Points* corners);

void corridor_shape_clear(CorridorShape* shape);
void corridor_shape_free(CorridorShape* shape);
