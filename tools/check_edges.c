// SPDX-License-Identifier: MIT

// Edges of the medial axis: at their events and at points in between, the nearest wall is as far as
// the closest points on the left and on the right, and those are where they say. Length and
// smallest clearance are measured again.

#include "check.h"

#include "check_arc.h"
#include "memory.h"

#include <stdlib.h>

// Points inside each arc that are checked: its parts are not equal, so that nothing regular hides.
static const double sample_places[] = {0.07, 0.31, 0.5, 0.83};

#define SAMPLE_COUNT ((int)(sizeof(sample_places) / sizeof(sample_places[0])))

// The direction of an arc is taken over this part of it.
#define TANGENT_STEP 1e-3

// Lengths are sums of many arcs: this part of them may be rounding.
#define LENGTH_TOLERANCE 1e-7

static void check_event(Check* check, const NcMapEvent* event)
{
	NcVec2 p = event->position;
	check_clearance(check, p, "the clearance of an event", event->clearance);
	check_value(check, p, "the distance of an event to its left closest point",
		nc_distance(p, event->left), event->clearance);
	check_value(check, p, "the distance of an event to its right closest point",
		nc_distance(p, event->right), event->clearance);
}

// How far a point is on the left of an arc.
static double get_left_offset(const CheckArc* arc, double s, NcVec2 point)
{
	NcVec2 before = check_arc_get_point(arc, s - TANGENT_STEP);
	NcVec2 after = check_arc_get_point(arc, s + TANGENT_STEP);
	NcVec2 middle = check_arc_get_point(arc, s);
	return nc_cross(nc_normalize(nc_sub(after, before)), nc_sub(point, middle));
}

static void check_sample(Check* check, const CheckArc* arc, double s)
{
	NcVec2 p = check_arc_get_point(arc, s);
	NcVec2 left = check_feature_get_closest(&check->walls, &arc->left, p);
	NcVec2 right = check_feature_get_closest(&check->walls, &arc->right, p);
	++check->report.sample_count;
	check_clearance(check, p, "the distance of an arc to its left wall", nc_distance(p, left));
	check_clearance(check, p, "the distance of an arc to its right wall", nc_distance(p, right));
	if (get_left_offset(arc, s, left) < -check->tolerance)
	{
		check_fail(check, p, "the closest point on the left of an arc is on its right");
	}
	if (get_left_offset(arc, s, right) > check->tolerance)
	{
		check_fail(check, p, "the closest point on the right of an arc is on its left");
	}
}

static void check_feature(Check* check, const CheckFeature* feature, NcVec2 place)
{
	if (feature->wall == NC_NULL_INDEX)
	{
		check_fail(check, place, "no wall has both closest points %.9g,%.9g and %.9g,%.9g",
			feature->feet[0].x, feature->feet[0].y, feature->feet[1].x, feature->feet[1].y);
	}
}

static void check_arc(Check* check, const CheckArc* arc)
{
	++check->report.arc_count;
	check_feature(check, &arc->left, arc->ends[0]);
	check_feature(check, &arc->right, arc->ends[0]);
	for (int i = 0; i < SAMPLE_COUNT; ++i)
	{
		check_sample(check, arc, sample_places[i]);
	}
}

static void check_ends(Check* check, const NcMapEdge* edge, const NcMapEvent* events)
{
	for (int end = 0; end < 2; ++end)
	{
		NcMapVertex vertex;
		NcVec2 p = events[end == 0 ? 0 : edge->event_count - 1].position;
		if (nc_map_get_vertex(check->map, edge->vertices[end], &vertex))
		{
			check_value(check, p, "the distance of an edge to its vertex",
				nc_distance(p, vertex.position), 0.0);
		}
	}
}

// The polyline of an edge is not longer than the edge, and not much shorter if it is fine.
static void check_polyline(Check* check, int index, const NcMapEdge* edge)
{
	int count = nc_map_get_edge_points(check->map, index, check->tolerance, NULL, 0);
	NcVec2* points = memory_allocate(count, sizeof(NcVec2));
	nc_map_get_edge_points(check->map, index, check->tolerance, points, count);
	double length = 0.0;
	for (int i = 0; i + 1 < count; ++i)
	{
		length += nc_distance(points[i], points[i + 1]);
	}
	// A chord that keeps within d of a curve of length s around it is shorter by less than 4 d.
	double missing = edge->length - length;
	double rounding = check->tolerance + LENGTH_TOLERANCE * edge->length;
	if (missing < -rounding || missing > rounding + 4.0 * check->tolerance * count)
	{
		check_fail(check, edge->min_position, "the polyline of edge %d is %.12g long, not %.12g",
			index, length, edge->length);
	}
	free(points);
}

void check_edge(Check* check, const NcMapEdge* edge, const NcMapEvent* events)
{
	double length = 0.0;
	double min_clearance = events[0].clearance;
	++check->report.edge_count;
	check_ends(check, edge, events);
	for (int i = 0; i < edge->event_count; ++i)
	{
		check_event(check, &events[i]);
	}
	for (int i = 0; i + 1 < edge->event_count; ++i)
	{
		CheckArc arc = check_arc_make(&check->walls, &events[i], check->snap);
		check_arc(check, &arc);
		length += check_arc_compute_length(&arc);
		min_clearance = nc_min(min_clearance, check_arc_find_min(&check->walls, &arc));
	}

	check_value(check, edge->min_position, "the smallest clearance of an edge", edge->min_clearance,
		min_clearance);
	check_clearance(
		check, edge->min_position, "the clearance where an edge is narrowest", edge->min_clearance);
	double rounding = check->tolerance * edge->event_count + LENGTH_TOLERANCE * length;
	if (!(fabs(edge->length - length) <= rounding))
	{
		check_fail(check, events[0].position, "the length of an edge is %.12g, not %.12g",
			edge->length, length);
	}
}

void check_edges(Check* check)
{
	int range = nc_map_get_edge_range(check->map);
	for (int i = 0; i < range; ++i)
	{
		NcMapEdge edge;
		if (!nc_map_get_edge(check->map, i, &edge))
		{
			continue;
		}
		NcMapEvent* events = memory_allocate(edge.event_count, sizeof(NcMapEvent));
		int count = nc_map_get_edge_events(check->map, i, events, edge.event_count);
		if (count == edge.event_count && count >= 2)
		{
			check_edge(check, &edge, events);
			check_polyline(check, i, &edge);
		}
		else
		{
			check_fail(check, edge.min_position, "edge %d has %d events, but says %d", i, count,
				edge.event_count);
		}
		free(events);
	}
}
