// SPDX-License-Identifier: MIT

// How the probe looks: corridor, routes, two handles and a legend, drawn over the editor's view.
//
// Lines have a dark seam, so that they are seen on light and dark scenes. All sizes are in pixels
// of the screen, and grow with the editor's scale.

#include "probe_draw.h"

#include "circle.h"
#include "paint.h"
#include "settings.h"

#define ROUTE_WIDTH 2.5
#define BORDER_WIDTH 1.5
#define SEAM 2.5 // how much wider the dark line below is
#define HANDLE_RADIUS 7.0
#define REACH 12.0 // a handle is grabbed from this far
#define FILL_OPACITY 0.22
#define SEAM_OPACITY 0.45

static const GdColor seam_color = {0.0f, 0.0f, 0.0f, (float)SEAM_OPACITY};
const GdColor probe_white = {1.0f, 1.0f, 1.0f, 1.0f};
const GdColor probe_bad_color = {1.0f, 0.30f, 0.27f, 1.0f};
static const GdColor end_colors[PROBE_END_COUNT] = {
	[PROBE_START] = {0.25f, 0.80f, 0.42f, 1.0f},
	[PROBE_GOAL] = {1.0f, 0.62f, 0.15f, 1.0f},
};

// ---- Colors ------------------------------------------------------------------------------------

GdColor probe_get_route_color(ProbeRouteKind kind)
{
	switch (kind)
	{
	case PROBE_MEDIAL:
		return settings_get_color(COLOR_MEDIAL_AXIS);
	case PROBE_SHORTEST:
		return settings_get_color(COLOR_PATH);
	default:
		return (GdColor){0.95f, 0.45f, 0.85f, 1.0f};
	}
}

GdColor probe_get_corridor_color(void)
{
	GdColor color = settings_get_color(COLOR_CORRIDOR);
	return paint_fade(color, 1.0);
}

// ---- From the plane to the screen --------------------------------------------------------------

bool probe_project(const ProbeView* view, NcVec2 point, NcVec2* screen)
{
	if (view->camera == NULL)
	{
		*screen = gd_transform(view->transform, point);
		return true;
	}
	GdVector3 place = {(float)point.x, (float)view->height, (float)point.y};
	if (gd_camera_3d_is_position_behind(view->camera, place))
	{
		return false;
	}
	*screen = gd_vec2(gd_camera_3d_unproject_position(view->camera, place));
	return true;
}

static GdRid get_item(const ProbeView* view)
{
	return gd_canvas_item_get_canvas_item(view->control);
}

// A line with its seam; where it gets behind the camera it is cut.
static void draw_line(const ProbeView* view, const Points* line, GdColor color, double width)
{
	Points screen = {0};
	for (int i = 0; i <= line->count; ++i)
	{
		NcVec2 point;
		bool is_seen = i < line->count && probe_project(view, line->data[i], &point);
		if (is_seen)
		{
			points_push(&screen, point);
			continue;
		}
		paint_polyline(get_item(view), &screen, seam_color, (width + SEAM) * view->scale);
		paint_polyline(get_item(view), &screen, color, width * view->scale);
		points_clear(&screen);
	}
	points_free(&screen);
}

static void fill(const ProbeView* view, const Points* corners, GdColor color)
{
	Points screen = {0};
	for (int i = 0; i + 2 < corners->count; i += 3)
	{
		NcVec2 triangle[3];
		bool is_seen = true;
		for (int k = 0; k < 3; ++k)
		{
			is_seen = is_seen && probe_project(view, corners->data[i + k], &triangle[k]);
		}
		for (int k = 0; is_seen && k < 3; ++k)
		{
			points_push(&screen, triangle[k]);
		}
	}
	paint_triangles(get_item(view), &screen, color);
	points_free(&screen);
}

// ---- Corridor, routes, handles -----------------------------------------------------------------

static void draw_corridor(const Probe* probe, const ProbeView* view)
{
	GdColor color = probe_get_corridor_color();
	Points corners = {0};
	corridor_shape_add_triangles(&probe->corridor, &corners);
	fill(view, &corners, paint_fade(color, FILL_OPACITY));
	points_free(&corners);
	draw_line(view, &probe->corridor.left, color, BORDER_WIDTH);
	draw_line(view, &probe->corridor.right, color, BORDER_WIDTH);
}

bool probe_is_bad(const Probe* probe, int end)
{
	return !probe->is_reachable && (end == PROBE_GOAL || !probe->fits[end]);
}

// The disc itself, where it fits.
static void draw_disc(const Probe* probe, const ProbeView* view, int end, GdColor color)
{
	Points circle = {0};
	circle_add_arc(&circle, probe->places[end], probe->radius, 0.0, CIRCLE_FULL_TURN);
	Points corners = {0};
	for (int i = 1; i + 1 < circle.count; ++i)
	{
		points_push(&corners, circle.data[0]);
		points_push(&corners, circle.data[i]);
		points_push(&corners, circle.data[i + 1]);
	}
	fill(view, &corners, paint_fade(color, FILL_OPACITY));
	if (circle.count > 0)
	{
		points_push(&circle, circle.data[0]);
	}
	draw_line(view, &circle, color, BORDER_WIDTH);
	points_free(&corners);
	points_free(&circle);
}

// From where the user dropped the handle to where the disc fits.
static void draw_snap_line(const Probe* probe, const ProbeView* view, int end, GdColor color)
{
	Points line = {0};
	points_push(&line, probe->ends[end]);
	points_push(&line, probe->places[end]);
	draw_line(view, &line, paint_fade(color, 0.6), 1.0);
	points_free(&line);
	NcVec2 screen;
	if (probe_project(view, probe->ends[end], &screen))
	{
		paint_disc(get_item(view), screen, 3.0 * view->scale, paint_fade(color, 0.8));
	}
}

static void draw_handle(const Probe* probe, const ProbeView* view, const ProbeLook* look, int end)
{
	GdColor color = probe_is_bad(probe, end) ? probe_bad_color : end_colors[end];
	if (probe->ends[end].x != probe->places[end].x || probe->ends[end].y != probe->places[end].y)
	{
		draw_snap_line(probe, view, end, color);
	}
	draw_disc(probe, view, end, color);
	NcVec2 screen;
	if (!probe_project(view, probe->places[end], &screen))
	{
		return;
	}
	GdRid item = get_item(view);
	double radius = HANDLE_RADIUS * view->scale * (look->active_end == end ? 1.25 : 1.0);
	paint_disc(item, screen, radius + 2.5 * view->scale, seam_color);
	paint_disc(item, screen, radius + 1.5 * view->scale, probe_white);
	paint_disc(item, screen, radius, color);
	if (end == PROBE_GOAL)
	{
		paint_disc(item, screen, 0.45 * radius, probe_white);
	}
}

int probe_find_end(const Probe* probe, const ProbeView* view, NcVec2 screen)
{
	int found = -1;
	double nearest = REACH * view->scale;
	for (int i = 0; i < PROBE_END_COUNT; ++i)
	{
		NcVec2 place;
		if (probe_project(view, probe->places[i], &place) && nc_distance(place, screen) <= nearest)
		{
			nearest = nc_distance(place, screen);
			found = i;
		}
	}
	return found;
}

void probe_draw(const Probe* probe, const ProbeView* view, const ProbeLook* look)
{
	if (look->corridor)
	{
		draw_corridor(probe, view);
	}
	for (int i = 0; i < PROBE_ROUTE_COUNT; ++i)
	{
		if (look->routes[i] && probe->routes[i].is_found)
		{
			draw_line(view, &probe->routes[i].points, probe_get_route_color(i), ROUTE_WIDTH);
		}
	}
	for (int i = 0; probe->is_placed && i < PROBE_END_COUNT; ++i)
	{
		draw_handle(probe, view, look, i);
	}
	probe_draw_legend(probe, view, look);
	probe_draw_label(probe, view, look);
}
