// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/math2d.h"

#include <stdio.h>

/// An SVG file that is being written. World units become pixels so that the larger side of the
/// world has SVG_SIZE of them; y points up in the world and down in the file.
typedef struct Svg
{
	FILE* file;
	const char* path;
	NcBox world;
	double scale; ///< pixels per world unit
} Svg;

#define SVG_SIZE 1000.0

/// Create the file. Complain on stderr if that is impossible.
/// @param path must outlive the file
bool svg_open(const char* path, NcBox world, Svg* svg);

/// Finish the file. Complain on stderr if it could not be written.
bool svg_close(Svg* svg);

/// Begin a group of elements. `attributes` are theirs, as XML.
void svg_begin_group(Svg* svg, const char* id, const char* attributes);
void svg_end_group(Svg* svg);

/// Begin an element that consists of lines: "path" with a d attribute, left open.
void svg_begin_path(Svg* svg, const char* attributes);

/// Add an open or closed polyline to the path that was begun.
void svg_add_polyline(Svg* svg, const NcVec2* points, int count);
void svg_add_polygon(Svg* svg, const NcVec2* points, int count);

void svg_end_path(Svg* svg);

/// Draw a disc. Its radius is in world units, plus some pixels.
void svg_draw_disc(Svg* svg, NcVec2 center, double radius, double pixels, const char* attributes);

/// Fill the whole world.
void svg_draw_background(Svg* svg, const char* color);

/// Write a text into the upper left corner, in a colour.
/// @param line counts from zero
void svg_draw_legend(Svg* svg, int line, const char* color, const char* text);
