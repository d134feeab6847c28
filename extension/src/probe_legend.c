// SPDX-License-Identifier: MIT

// Texts of the probe: a legend in the corner of the view, and a label at the handle in use.

#include "paint.h"
#include "probe_draw.h"

#include <math.h>
#include <stdio.h>

#define MAX_ROWS 8
#define ROW_LENGTH 200
#define PADDING 10.0
#define SAMPLE_WIDTH 24.0  // of the line that shows a row's color
#define MARGIN_LEFT 28.0   // beside the ruler
#define MARGIN_BOTTOM 28.0 // above the scroll bar

// Another way is worth mentioning if it has this much more room.
#define OTHER_WAY 1.01

typedef struct LegendRow
{
	GdColor color;
	bool has_sample; // a line in this color stands before the text
	char text[ROW_LENGTH];
} LegendRow;

typedef struct Legend
{
	LegendRow rows[MAX_ROWS];
	int count;
} Legend;

static const char* const end_names[PROBE_END_COUNT] = {"Start", "Goal"};

static LegendRow* add_row(Legend* legend, GdColor color, bool has_sample)
{
	LegendRow* row = &legend->rows[legend->count++];
	row->color = color;
	row->has_sample = has_sample;
	return row;
}

typedef struct Number
{
	char text[32];
} Number;

// Four digits, and never a power of ten.
static void write_number(Number* number, double value)
{
	snprintf(number->text, sizeof(number->text), value < 1.0e4 ? "%.4g" : "%.0f", value);
}

static void write_corridor(LegendRow* row, const Probe* probe, const ProbeView* view)
{
	double room = probe->routes[PROBE_MEDIAL].clearance;
	int length =
		snprintf(row->text, ROW_LENGTH, "Corridor: room for a radius of %.4g %s", room, view->unit);
	if (probe->largest_radius > OTHER_WAY * room && length > 0 && length < ROW_LENGTH)
	{
		snprintf(row->text + length, (size_t)(ROW_LENGTH - length),
			", by another way up to %.4g %s", probe->largest_radius, view->unit);
	}
}

static void fill_legend(
	Legend* legend, const Probe* probe, const ProbeView* view, const ProbeLook* look)
{
	static const char* const names[PROBE_ROUTE_COUNT] = {
		"Medial axis", "Shortest", "Weighted by terrain"};
	LegendRow* title = add_row(legend, probe_white, false);
	snprintf(title->text, ROW_LENGTH, "Probe of radius %.4g %s", probe->radius, view->unit);
	if (!probe->is_reachable)
	{
		snprintf(add_row(legend, probe_bad_color, false)->text, ROW_LENGTH, "%s", probe->reason);
		return;
	}
	if (look->corridor)
	{
		write_corridor(add_row(legend, probe_get_corridor_color(), true), probe, view);
	}
	for (int i = 0; i < PROBE_ROUTE_COUNT; ++i)
	{
		const ProbeRoute* route = &probe->routes[i];
		if (!look->routes[i] || !route->is_found)
		{
			continue;
		}
		LegendRow* row = add_row(legend, probe_get_route_color(i), true);
		Number number;
		write_number(&number, route->length);
		int length = snprintf(row->text, ROW_LENGTH, "%s: %s %s long, clearance %.4g %s", names[i],
			number.text, view->unit, route->clearance, view->unit);
		if (i == PROBE_WEIGHTED && length > 0 && length < ROW_LENGTH)
		{
			write_number(&number, route->cost);
			snprintf(row->text + length, (size_t)(ROW_LENGTH - length), ", cost %s", number.text);
		}
	}
}

static void draw_text(const ProbeView* view, GDExtensionObjectPtr font, int size, NcVec2 at,
	GdColor color, const char* text)
{
	GdString string = gd_string(text);
	gd_canvas_item_draw_string(
		view->control, font, gd_vector2(at), &string, 0, -1.0, size, color, 3, 0, 0, 0.0);
	gd_destroy(GD_STRING, &string);
}

static double measure_text(GDExtensionObjectPtr font, int size, const char* text)
{
	GdString string = gd_string(text);
	GdVector2 extent = gd_font_get_string_size(font, &string, 0, -1.0, size, 3, 0, 0);
	gd_destroy(GD_STRING, &string);
	return (double)extent.x;
}

static void draw_panel(const ProbeView* view, NcVec2 corner, NcVec2 size)
{
	GDExtensionObjectPtr style = gd_new("StyleBoxFlat");
	gd_style_box_flat_set_bg_color(style, (GdColor){0.09f, 0.11f, 0.14f, 0.88f});
	gd_style_box_flat_set_corner_radius_all(style, (int64_t)(6.0 * view->scale));
	GdRect2 rect = {gd_vector2(corner), gd_vector2(size)};
	gd_canvas_item_draw_style_box(view->control, style, rect);
	gd_release(style);
}

static void draw_rows(
	const ProbeView* view, const Legend* legend, GDExtensionObjectPtr font, int size)
{
	double row_height = gd_font_get_height(font, size) + 2.0 * view->scale;
	double indent = (SAMPLE_WIDTH + 8.0) * view->scale;
	double padding = PADDING * view->scale;
	double width = 0.0;
	for (int i = 0; i < legend->count; ++i)
	{
		const LegendRow* row = &legend->rows[i];
		width =
			nc_max(width, measure_text(font, size, row->text) + (row->has_sample ? indent : 0.0));
	}
	NcVec2 extent = {width + 2.0 * padding, legend->count * row_height + 2.0 * padding};
	double bottom = (double)gd_control_get_size(view->control).y - MARGIN_BOTTOM * view->scale;
	NcVec2 corner = {MARGIN_LEFT * view->scale, bottom - extent.y};
	draw_panel(view, corner, extent);
	for (int i = 0; i < legend->count; ++i)
	{
		const LegendRow* row = &legend->rows[i];
		NcVec2 at = {corner.x + padding, corner.y + padding + i * row_height};
		if (row->has_sample)
		{
			Points sample = {0};
			points_push(&sample, (NcVec2){at.x, at.y + 0.5 * row_height});
			points_push(
				&sample, (NcVec2){at.x + SAMPLE_WIDTH * view->scale, at.y + 0.5 * row_height});
			paint_polyline(gd_canvas_item_get_canvas_item(view->control), &sample, row->color,
				3.0 * view->scale);
			points_free(&sample);
			at.x += indent;
		}
		at.y += gd_font_get_ascent(font, size) + view->scale;
		draw_text(view, font, size, at, row->has_sample ? probe_white : row->color, row->text);
	}
}

void probe_draw_legend(const Probe* probe, const ProbeView* view, const ProbeLook* look)
{
	Legend legend = {.count = 0};
	fill_legend(&legend, probe, view, look);
	GDExtensionObjectPtr font =
		gd_control_get_theme_font(view->control, gd_name("main"), gd_name("EditorFonts"));
	int size = (int)gd_control_get_theme_font_size(
		view->control, gd_name("main_size"), gd_name("EditorFonts"));
	draw_rows(view, &legend, font, size);
	gd_release(font);
}

// The name of the handle in the user's hand, and what the map says about the place.
// Round to 0 or 2 decimals, without the sign of a zero.
static double round_number(double value, int decimals)
{
	double scale = decimals > 0 ? 100.0 : 1.0;
	return floor(scale * value + 0.5) / scale + 0.0;
}

void probe_draw_label(const Probe* probe, const ProbeView* view, const ProbeLook* look)
{
	NcVec2 screen;
	int end = look->active_end;
	if (end < 0 || !probe_project(view, probe->places[end], &screen))
	{
		return;
	}
	GDExtensionObjectPtr font =
		gd_control_get_theme_font(view->control, gd_name("main"), gd_name("EditorFonts"));
	int size = (int)gd_control_get_theme_font_size(
		view->control, gd_name("main_size"), gd_name("EditorFonts"));
	NcVec2 at = nc_add(screen, nc_scale(view->scale, (NcVec2){16.0, -12.0}));
	char text[ROW_LENGTH];
	int decimals = view->camera != NULL ? 2 : 0;
	snprintf(text, sizeof(text), "%s (%.*f, %.*f)", end_names[end], decimals,
		round_number(probe->places[end].x, decimals), decimals,
		round_number(probe->places[end].y, decimals));
	double width = measure_text(font, size, text);
	double height = gd_font_get_height(font, size);
	NcVec2 corner = {
		at.x - 6.0 * view->scale, at.y - gd_font_get_ascent(font, size) - 3.0 * view->scale};
	draw_panel(view, corner, (NcVec2){width + 12.0 * view->scale, height + 6.0 * view->scale});
	draw_text(view, font, size, at, probe_is_bad(probe, end) ? probe_bad_color : probe_white, text);
	gd_release(font);
}
