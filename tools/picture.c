// SPDX-License-Identifier: MIT

// What a corridor map looks like. From bottom to top: the ground, the filled obstacles, the
// corridor, the medial axis from warm (narrow) to cold (wide), the walls, the path with its discs.
//
// Between two events the nearest obstacle feature on the left is either one point or a piece of a
// wall, and the closest points of the two events are the ends of what the edge sees of it. So the
// clearance at a point of the edge is its distance to the segment between the two.

#include "picture.h"

#include "memory.h"

#include <stdlib.h>

#define GROUND_COLOR "#f6f3ec"
#define BLOCKED_COLOR "#c9c3b8"

// The medial axis is drawn in pieces of equal colour, out of this many.
#define COLOR_COUNT 32

// How far, in pixels, the drawn medial axis may be from the true one.
#define TOLERANCE_PIXELS 0.1

// The colour of the medial axis may change after each step of this many pixels.
#define STEP_PIXELS 4.0

typedef struct Color
{
	double red, green, blue; // from 0 to 255
} Color;

// An edge of the medial axis as it is drawn: points in short steps.
typedef struct Track
{
	NcVec2* points;
	int count, capacity;
} Track;

// From no room to the most room that the map has.
static const Color ramp[] = {
	{214, 40, 57},
	{240, 128, 40},
	{222, 178, 30},
	{84, 168, 98},
	{28, 144, 178},
	{52, 84, 168},
};

#define RAMP_COUNT ((int)(sizeof(ramp) / sizeof(ramp[0])))

static void format_stroke(int level, char text[32])
{
	double position = (double)level / (COLOR_COUNT - 1) * (RAMP_COUNT - 1);
	int index = (int)nc_min(position, RAMP_COUNT - 2);
	double t = position - index;
	Color a = ramp[index];
	Color b = ramp[index + 1];
	snprintf(text, 32, "stroke=\"#%02x%02x%02x\"", (unsigned)(a.red + t * (b.red - a.red)),
		(unsigned)(a.green + t * (b.green - a.green)), (unsigned)(a.blue + t * (b.blue - a.blue)));
}

static void draw_polygon(Svg* svg, NcShape shape)
{
	// Rings may turn either way: holes need the even-odd rule. A single ring that crosses itself
	// blocks everything it winds around: that is the other rule.
	svg_begin_path(svg, shape.ring_count > 1 ? "fill-rule=\"evenodd\"" : "");
	const NcVec2* ring = shape.points;
	for (int i = 0; i < shape.ring_count; ++i)
	{
		svg_add_polygon(svg, ring, shape.ring_counts[i]);
		ring += shape.ring_counts[i];
	}
	svg_end_path(svg);
}

static bool has_kind(const Scene* scene, NcShapeKind kind)
{
	for (int i = 0; i < scene->shape_count; ++i)
	{
		if (scene->shapes[i].kind == kind)
		{
			return true;
		}
	}
	return false;
}

static void draw_polygons(Svg* svg, const Scene* scene, NcShapeKind kind)
{
	for (int i = 0; i < scene->shape_count; ++i)
	{
		if (scene->shapes[i].kind == kind)
		{
			draw_polygon(svg, scene_get_shape(scene, i));
		}
	}
}

void picture_draw_areas(Svg* svg, const Scene* scene, const Ground* ground)
{
	svg_draw_background(svg, has_kind(scene, NC_SHAPE_WALKABLE) ? BLOCKED_COLOR : GROUND_COLOR);
	svg_begin_group(svg, "walkable", "fill=\"" GROUND_COLOR "\"");
	draw_polygons(svg, scene, NC_SHAPE_WALKABLE);
	svg_end_group(svg);
	if (ground != NULL)
	{
		ground_draw(ground, svg);
	}
	svg_begin_group(svg, "obstacles", "fill=\"" BLOCKED_COLOR "\"");
	draw_polygons(svg, scene, NC_SHAPE_POLYGON);
	svg_end_group(svg);
}

void picture_draw_walls(Svg* svg, const NcMap* map)
{
	svg_begin_group(svg, "walls",
		"stroke=\"#4b4a54\" stroke-width=\"1.6\" fill=\"#4b4a54\""
		" stroke-linecap=\"round\"");
	int range = nc_map_get_wall_range(map);
	for (int i = 0; i < range; ++i)
	{
		NcMapWall wall;
		if (!nc_map_get_wall(map, i, &wall) || (!wall.left_free && !wall.right_free))
		{
			continue;
		}
		if (wall.a.x == wall.b.x && wall.a.y == wall.b.y)
		{
			svg_draw_disc(svg, wall.a, 0.0, 2.0, "");
			continue;
		}
		svg_begin_path(svg, "");
		svg_add_polyline(svg, (NcVec2[]){wall.a, wall.b}, 2);
		svg_end_path(svg);
	}
	svg_end_group(svg);
}

static double compute_max_clearance(const NcMap* map)
{
	double max_clearance = 0.0;
	int range = nc_map_get_vertex_range(map);
	for (int i = 0; i < range; ++i)
	{
		NcMapVertex vertex;
		if (nc_map_get_vertex(map, i, &vertex))
		{
			max_clearance = nc_max(max_clearance, vertex.clearance);
		}
	}
	return max_clearance;
}

static double compute_wall_distance(NcVec2 point, const NcMapEvent* event)
{
	return nc_distance(point, nc_closest_on_segment(point, event[0].left, event[1].left));
}

static void add_point(Track* track, NcVec2 point)
{
	track->points = memory_grow(track->points, track->count, &track->capacity, sizeof(NcVec2));
	track->points[track->count++] = point;
}

// The edge as a polyline without long steps, so that its colour can follow its clearance.
static Track trace_edge(const NcMap* map, int index, double scale)
{
	double tolerance = TOLERANCE_PIXELS / scale;
	int count = nc_map_get_edge_points(map, index, tolerance, NULL, 0);
	NcVec2* points = memory_allocate(count, sizeof(NcVec2));
	nc_map_get_edge_points(map, index, tolerance, points, count);

	Track track = {0};
	for (int i = 0; i < count; ++i)
	{
		NcVec2 from = points[i > 0 ? i - 1 : 0];
		int step_count = (int)(nc_distance(from, points[i]) * scale / STEP_PIXELS) + 1;
		for (int k = 1; k < step_count; ++k)
		{
			add_point(&track, nc_lerp(from, points[i], (double)k / step_count));
		}
		add_point(&track, points[i]);
	}
	free(points);
	return track;
}

// The colour of each point of an edge.
static int* compute_levels(
	const Track* track, const NcMapEvent* events, int event_count, double max_clearance)
{
	int* levels = memory_allocate(track->count, sizeof(int));
	int arc = 0;
	for (int i = 0; i < track->count; ++i)
	{
		double distance = compute_wall_distance(track->points[i], events + arc);
		while (arc + 2 < event_count)
		{
			double next_distance = compute_wall_distance(track->points[i], events + arc + 1);
			if (next_distance > distance)
			{
				break;
			}
			distance = next_distance;
			++arc;
		}
		double part = max_clearance > 0.0 ? distance / max_clearance : 0.0;
		levels[i] = (int)(nc_clamp(part, 0.0, 1.0) * (COLOR_COUNT - 1) + 0.5);
	}
	return levels;
}

// Draw each run of points with the same colour as one line.
static void draw_track(Svg* svg, const Track* track, const int* levels)
{
	int start = 0;
	while (start + 1 < track->count)
	{
		int end = start + 1;
		while (end + 1 < track->count && levels[end] == levels[start])
		{
			++end;
		}
		char stroke[32];
		format_stroke(levels[start], stroke);
		svg_begin_path(svg, stroke);
		svg_add_polyline(svg, track->points + start, end - start + 1);
		svg_end_path(svg);
		start = end;
	}
}

static void draw_edge(Svg* svg, const NcMap* map, int index, double max_clearance)
{
	int event_count = nc_map_get_edge_events(map, index, NULL, 0);
	if (event_count < 2)
	{
		return;
	}

	NcMapEvent* events = memory_allocate(event_count, sizeof(NcMapEvent));
	nc_map_get_edge_events(map, index, events, event_count);
	Track track = trace_edge(map, index, svg->scale);
	int* levels = compute_levels(&track, events, event_count, max_clearance);
	draw_track(svg, &track, levels);
	free(events);
	free(track.points);
	free(levels);
}

static void draw_medial_axis(Svg* svg, const NcMap* map)
{
	svg_begin_group(svg, "medial-axis",
		"fill=\"none\" stroke-width=\"1.8\""
		" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
	double max_clearance = compute_max_clearance(map);
	int range = nc_map_get_edge_range(map);
	for (int i = 0; i < range; ++i)
	{
		draw_edge(svg, map, i, max_clearance);
	}
	svg_end_group(svg);
}

// One piece between two events: what is nearest to it on the left, and on the right.
static void draw_corridor(Svg* svg, const NcMapEvent* events, int count)
{
	svg_begin_group(svg, "corridor", "fill=\"#8fc7e8\" opacity=\"0.55\" stroke=\"#8fc7e8\"");
	for (int i = 0; i + 1 < count; ++i)
	{
		const NcMapEvent* a = &events[i];
		const NcMapEvent* b = &events[i + 1];
		NcVec2 cell[] = {a->left, a->position, a->right, b->right, b->position, b->left};
		svg_begin_path(svg, "");
		svg_add_polygon(svg, cell, 6);
		svg_end_path(svg);
	}
	svg_end_group(svg);
}

static void draw_path(Svg* svg, const PicturePath* path)
{
	if (path->point_count >= 2)
	{
		svg_begin_path(svg, "id=\"path-casing\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"6\""
							" stroke-linejoin=\"round\" stroke-linecap=\"round\"");
		svg_add_polyline(svg, path->points, path->point_count);
		svg_end_path(svg);
		svg_begin_path(svg, "id=\"path\" fill=\"none\" stroke=\"#a3156f\" stroke-width=\"3\""
							" stroke-linejoin=\"round\" stroke-linecap=\"round\"");
		svg_add_polyline(svg, path->points, path->point_count);
		svg_end_path(svg);
	}
	svg_draw_disc(svg, path->start, path->radius, 0.0,
		"id=\"start-disc\" fill=\"#2a9d57\" fill-opacity=\"0.35\" stroke=\"#2a9d57\"");
	svg_draw_disc(svg, path->goal, path->radius, 0.0,
		"id=\"goal-disc\" fill=\"#a3156f\" fill-opacity=\"0.35\" stroke=\"#a3156f\"");
	svg_draw_disc(svg, path->start, 0.0, 4.0, "id=\"start\" fill=\"#2a9d57\" stroke=\"#ffffff\"");
	svg_draw_disc(svg, path->goal, 0.0, 4.0, "id=\"goal\" fill=\"#a3156f\" stroke=\"#ffffff\"");
}

bool picture_write(const char* file_name, const World* world, const PicturePath* path)
{
	Svg svg;
	if (!svg_open(file_name, nc_map_get_bounds(world->map), &svg))
	{
		return false;
	}
	picture_draw_areas(&svg, &world->scene, path != NULL ? path->ground : NULL);
	if (path != NULL)
	{
		draw_corridor(&svg, path->corridor, path->corridor_count);
	}
	draw_medial_axis(&svg, world->map);
	picture_draw_walls(&svg, world->map);
	if (path != NULL)
	{
		draw_path(&svg, path);
	}
	return svg_close(&svg);
}
