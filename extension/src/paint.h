// SPDX-License-Identifier: MIT
#pragma once

// Drawing on a canvas item that is known by its RID.

#include "gd.h"
#include "points.h"

/// Draw lines from point to point.
/// @param width in units of the canvas item; negative: one pixel at any zoom
void paint_polyline(GdRid item, const Points* points, GdColor color, double width);

/// Fill triangles; each three corners are one.
void paint_triangles(GdRid item, const Points* corners, GdColor color);

/// Fill triangles that have a color at each corner.
void paint_shaded_triangles(GdRid item, const Points* corners, const GdColor* colors);

void paint_disc(GdRid item, NcVec2 center, double radius, GdColor color);

/// The same color with another opacity, from 0 to 1.
static inline GdColor paint_fade(GdColor color, double opacity)
{
	color.a = (float)opacity;
	return color;
}
