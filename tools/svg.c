// SPDX-License-Identifier: MIT

// Writing SVG files: elements and coordinates, nothing about what they mean.
//
// This work is based on:
// World Wide Web Consortium. Scalable Vector Graphics (SVG) 1.1. 2011

#include "svg.h"

#include <errno.h>
#include <string.h>

// Pixels are written with this many decimals: a thousandth is below what anybody sees, even zoomed.
#define DECIMALS 3

static bool complain(const Svg* svg)
{
	fprintf(stderr, "navcorridor: %s: cannot write: %s\n", svg->path, strerror(errno));
	return false;
}

bool svg_open(const char* path, NcBox world, Svg* svg)
{
	double width = world.upper.x - world.lower.x;
	double height = world.upper.y - world.lower.y;
	*svg = (Svg){.path = path, .world = world, .scale = SVG_SIZE / nc_max(width, height)};
	svg->file = fopen(path, "wb");
	if (svg->file == NULL)
	{
		return complain(svg);
	}

	double columns = width * svg->scale;
	double rows = height * svg->scale;
	fprintf(svg->file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.*f\" height=\"%.*f\""
		" viewBox=\"0 0 %.*f %.*f\">\n",
		DECIMALS, columns, DECIMALS, rows, DECIMALS, columns, DECIMALS, rows);
	return true;
}

bool svg_close(Svg* svg)
{
	fputs("</svg>\n", svg->file);
	bool is_written = fflush(svg->file) == 0 && !ferror(svg->file);
	bool is_reported = is_written || complain(svg);
	bool is_closed = fclose(svg->file) == 0;
	svg->file = NULL;
	return is_reported && (is_closed || complain(svg));
}

void svg_begin_group(Svg* svg, const char* id, const char* attributes)
{
	fprintf(svg->file, "<g id=\"%s\" %s>\n", id, attributes);
}

void svg_end_group(Svg* svg)
{
	fputs("</g>\n", svg->file);
}

void svg_begin_path(Svg* svg, const char* attributes)
{
	fprintf(svg->file, "<path%s%s d=\"", attributes[0] != '\0' ? " " : "", attributes);
}

static void write_position(Svg* svg, NcVec2 point)
{
	double x = (point.x - svg->world.lower.x) * svg->scale;
	double y = (svg->world.upper.y - point.y) * svg->scale;
	fprintf(svg->file, "%.*f %.*f", DECIMALS, x, DECIMALS, y);
}

void svg_add_polyline(Svg* svg, const NcVec2* points, int count)
{
	for (int i = 0; i < count; ++i)
	{
		fputc(i == 0 ? 'M' : 'L', svg->file);
		write_position(svg, points[i]);
	}
}

void svg_add_polygon(Svg* svg, const NcVec2* points, int count)
{
	svg_add_polyline(svg, points, count);
	fputc('Z', svg->file);
}

void svg_end_path(Svg* svg)
{
	fputs("\"/>\n", svg->file);
}

void svg_draw_disc(Svg* svg, NcVec2 center, double radius, double pixels, const char* attributes)
{
	double x = (center.x - svg->world.lower.x) * svg->scale;
	double y = (svg->world.upper.y - center.y) * svg->scale;
	fprintf(svg->file, "<circle cx=\"%.*f\" cy=\"%.*f\" r=\"%.*f\" %s/>\n", DECIMALS, x, DECIMALS,
		y, DECIMALS, radius * svg->scale + pixels, attributes);
}

void svg_draw_background(Svg* svg, const char* color)
{
	fprintf(
		svg->file, "<rect id=\"world\" width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", color);
}

void svg_draw_legend(Svg* svg, int line, const char* color, const char* text)
{
	fprintf(svg->file,
		"<text x=\"14\" y=\"%d\" font-family=\"sans-serif\" font-size=\"20\" fill=\"%s\""
		" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\">%s</text>\n",
		28 + 26 * line, color, text);
}
