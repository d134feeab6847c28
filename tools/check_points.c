// SPDX-License-Identifier: MIT

// Random points: what the map says about them, against the walls and against the shapes that the
// map was made of. Whether a point is free follows from how often the rings of the shapes wind
// around it, which has nothing to do with how the library finds it out.

#include "checker.h"

#include "memory.h"
#include "random.h"

#include <stdlib.h>

// Rounding to snaps moves walls, and may close gaps, by less than this, in snaps.
#define MAX_ROUNDING 2.0

static NcVec2 round_point(NcVec2 p, double snap)
{
	return (NcVec2){snap * floor(p.x / snap + 0.5), snap * floor(p.y / snap + 0.5)};
}

// How often a ring winds around a point: each edge that crosses the ray to the right counts.
static int compute_winding(const NcVec2* points, int count, double snap, NcVec2 p)
{
	int winding = 0;
	NcVec2 a = round_point(points[count - 1], snap);
	for (int i = 0; i < count; ++i)
	{
		NcVec2 b = round_point(points[i], snap);
		bool is_left = nc_cross(nc_sub(b, a), nc_sub(p, a)) > 0.0;
		if (a.y <= p.y && p.y < b.y && is_left)
		{
			++winding;
		}
		if (b.y <= p.y && p.y < a.y && !is_left)
		{
			--winding;
		}
		a = b;
	}
	return winding;
}

// Whether a filled shape covers a point: inside its border, outside of its holes.
static bool covers(const NcShape* shape, double snap, NcVec2 p)
{
	const NcVec2* points = shape->points;
	int ring_count = shape->ring_counts != NULL ? shape->ring_count : 1;
	for (int i = 0; i < ring_count; ++i)
	{
		int count = shape->ring_counts != NULL ? shape->ring_counts[i] : shape->point_count;
		bool is_around = count > 0 && compute_winding(points, count, snap, p) != 0;
		if (is_around != (i == 0))
		{
			return false;
		}
		points += count;
	}
	return true;
}

// Boxes around the shapes, so that most shapes need no second look.
static NcBox* compute_boxes(const CheckInput* input, double snap)
{
	NcBox* boxes = memory_allocate(input->shape_count, sizeof(NcBox));
	for (int i = 0; i < input->shape_count; ++i)
	{
		boxes[i] = nc_box_empty();
		for (int j = 0; j < input->shapes[i].point_count; ++j)
		{
			boxes[i] = nc_box_add_point(boxes[i], input->shapes[i].points[j]);
		}
		boxes[i] = nc_box_grow(boxes[i], snap);
	}
	return boxes;
}

static bool is_free(const CheckInput* input, const NcBox* boxes, double snap, NcVec2 p)
{
	bool has_walkable = false;
	bool is_walkable = false;
	for (int i = 0; i < input->shape_count; ++i)
	{
		const NcShape* shape = &input->shapes[i];
		bool is_filled = shape->kind == NC_SHAPE_POLYGON || shape->kind == NC_SHAPE_WALKABLE;
		bool is_over = is_filled && nc_box_contains(boxes[i], p) && covers(shape, snap, p);
		if (is_over && shape->kind == NC_SHAPE_POLYGON)
		{
			return false;
		}
		has_walkable = has_walkable || shape->kind == NC_SHAPE_WALKABLE;
		is_walkable = is_walkable || is_over;
	}
	return is_walkable || !has_walkable;
}

// Whether a point is so close to a ring of the input that rounding may have moved it across.
static bool is_near_input(const CheckInput* input, double distance, NcVec2 p)
{
	for (int i = 0; i < input->shape_count; ++i)
	{
		const NcShape* shape = &input->shapes[i];
		const NcVec2* points = shape->points;
		int ring_count = shape->ring_counts != NULL ? shape->ring_count : 1;
		for (int j = 0; j < ring_count; ++j)
		{
			int count = shape->ring_counts != NULL ? shape->ring_counts[j] : shape->point_count;
			for (int k = 0; k < count; ++k)
			{
				NcVec2 closest =
					nc_closest_on_segment(p, points[k], points[k + 1 < count ? k + 1 : 0]);
				if (nc_distance(p, closest) <= distance)
				{
					return true;
				}
			}
			points += count;
		}
	}
	return false;
}

// The arc that a location names has the closest point on its left or right.
static void check_arc_of(Checker* checker, NcVec2 p, const NcLocation* location)
{
	NcMapEdge edge;
	if (!nc_map_get_edge(checker->map, location->edge, &edge) || location->event < 0 ||
		location->event + 1 >= edge.event_count)
	{
		check_fail(checker, p, "located at event %d of edge %d, which does not exist",
			location->event, location->edge);
		return;
	}
	NcMapEvent* events = memory_allocate(edge.event_count, sizeof(NcMapEvent));
	nc_map_get_edge_events(checker->map, location->edge, events, edge.event_count);
	const NcMapEvent* event = &events[location->event];
	NcVec2 left = nc_closest_on_segment(location->closest, event[0].left, event[1].left);
	NcVec2 right = nc_closest_on_segment(location->closest, event[0].right, event[1].right);
	double distance =
		nc_min(nc_distance(location->closest, left), nc_distance(location->closest, right));
	check_value(checker, p, "the distance of a closest point to those of its arc", distance, 0.0);
	double rounding = checker->tolerance * edge.event_count;
	if (!(-rounding <= location->edge_position &&
			location->edge_position <= edge.length + rounding))
	{
		check_fail(checker, p, "located %.12g along an edge of length %.12g",
			location->edge_position, edge.length);
	}
	free(events);
}

static void check_location(Checker* checker, NcVec2 p, const NcLocation* location)
{
	check_clearance(checker, p, "the clearance of a point", location->clearance);
	check_value(checker, p, "the clearance by itself", nc_query_get_clearance(checker->query, p),
		location->clearance);
	check_value(checker, p, "the distance to the closest point", nc_distance(p, location->closest),
		location->clearance);
	check_clearance(checker, location->closest, "the clearance of a closest point", 0.0);

	NcVec2 r = location->retraction;
	check_value(checker, p, "the distance to the way of retraction",
		nc_distance(p, nc_closest_on_segment(p, location->closest, r)), 0.0);
	check_clearance(checker, r, "the clearance of a retraction", nc_distance(r, location->closest));
	check_arc_of(checker, p, location);
}

static void check_blocked(Checker* checker, NcVec2 p)
{
	double clearance = nc_query_get_clearance(checker->query, p);
	if (clearance != 0.0)
	{
		check_fail(checker, p, "a blocked point has the clearance %.12g", clearance);
	}
}

static void check_point(Checker* checker, const CheckInput* input, const NcBox* boxes, NcVec2 p)
{
	++checker->report.point_count;
	double distance = check_walls_find_nearest(&checker->walls, p, NC_NULL_INDEX, NULL);
	if (distance <= checker->tolerance)
	{
		return;
	}
	NcLocation location;
	bool is_located = nc_query_locate(checker->query, p, &location);
	if (is_located)
	{
		check_location(checker, p, &location);
	}
	else
	{
		check_blocked(checker, p);
	}
	double rounding = MAX_ROUNDING * checker->snap;
	if (!input->is_saved && distance > rounding &&
		is_free(input, boxes, checker->snap, p) != is_located && !is_near_input(input, rounding, p))
	{
		check_fail(checker, p, "a point is %s, but the map says it is %s",
			is_located ? "blocked" : "free", is_located ? "free" : "blocked");
	}
}

void check_points(Checker* checker, const CheckInput* input)
{
	NcBox bounds = nc_map_get_bounds(checker->map);
	NcBox* boxes = compute_boxes(input, checker->snap);
	Random random = random_begin(input->seed);
	for (int i = 0; i < input->point_count; ++i)
	{
		NcVec2 p = {random_get_double(&random, bounds.lower.x, bounds.upper.x),
			random_get_double(&random, bounds.lower.y, bounds.upper.y)};
		check_point(checker, input, boxes, p);
	}
	free(boxes);
}
