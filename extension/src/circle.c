// SPDX-License-Identifier: MIT

// Round shapes as polygons.
//
// The sides touch the circle in their middle, so the corners lie at r / cos(a / 2) where a is the
// angle of a side. With 32 sides per turn the corners stand out by half a percent of the radius.

#include "circle.h"

#define SIDES_PER_TURN 32

void circle_add_arc(Points* points, NcVec2 center, double radius, double from, double turn)
{
	int side_count = (int)(SIDES_PER_TURN * turn / CIRCLE_FULL_TURN + 0.5);
	double angle = turn / side_count;
	double corner_radius = radius / nc_direction(0.5 * angle).x;
	for (int i = 0; i < side_count; ++i)
	{
		points_push(
			points, nc_mul_add(center, corner_radius, nc_direction(from + (i + 0.5) * angle)));
	}
}
