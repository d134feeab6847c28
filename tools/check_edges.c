// SPDX-License-Identifier: MIT

// Edges of the medial axis: at their events and at points in between, the nearest wall is as far as
// the closest points on the left and on the right, and those are where they say. Length and
// smallest clearance are measured again.

#include "checker.h"

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

static void check_event(Checker* checker, const NcMapEvent* event)
{
	NcVec2 p = event->position;
	check_clearance(checker, p, "the clearance of an event", event->clearance);
	check_value(checker, p, "the distance of an event to its left closest point",
		nc_distance(p, event->left), event->clearance);
	check_value(checker, p, "the distance of an event to its right closest point",
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

static void check_sample(Checker* checker, const CheckArc* arc, double s)
{
	NcVec2 p = check_arc_get_point(arc, s);
	NcVec2 left = check_feature_get_closest(&checker->walls, &arc->left, p);
	NcVec2 right = check_feature_get_closest(&checker->walls, &arc->right, p);
	++checker->report.sample_count;
	check_clearance(checker, p, "the distance of an arc to its left wall", nc_distance(p, left));
	check_clearance(checker, p, "the distance of an arc to its right wall", nc_distance(p, right));
	if (get_left_offset(arc, s, left) < -checker->tolerance)
	{
		check_fail(checker, p, "the closest point on the left of an arc is on its right");
	}
	if (get_left_offset(arc, s, right) > checker->tolerance)
	{
		check_fail(checker, p, "the closest point on the right of an arc is on its left");
	}
}

static void check_feature(Checker* checker, const CheckFeature* feature, NcVec2 place)
{
	if (feature->wall == NC_NULL_INDEX)
	{
		check_fail(checker, place, "no wall has both closest points %.9g,%.9g and %.9g,%.9g",
			feature->feet[0].x, feature->feet[0].y, feature->feet[1].x, feature->feet[1].y);
	}
}

static void check_arc(Checker* checker, const CheckArc* arc)
{
	++checker->report.arc_count;
	check_feature(checker, &arc->left, arc->ends[0]);
	check_feature(checker, &arc->right, arc->ends[0]);
	for (int i = 0; i < SAMPLE_COUNT; ++i)
	{
		check_sample(checker, arc, sample_places[i]);
	}
}

static void check_ends(Checker* checker, const NcMapEdge* edge, const NcMapEvent* events)
{
	for (int end = 0; end < 2; ++end)
	{
		NcMapVertex vertex;
		NcVec2 p = events[end == 0 ? 0 : edge->event_count - 1].position;
		if (nc_map_get_vertex(checker->map, edge->vertices[end], &vertex))
		{
			check_value(checker, p, "the distance of an edge to its vertex",
				nc_distance(p, vertex.position), 0.0);
		}
	}
}

// The polyline of an edge is not longer than the edge, and not much shorter if it is fine.
static void check_polyline(Checker* checker, int index, const NcMapEdge* edge)
{
	int count = nc_map_get_edge_points(checker->map, index, checker->tolerance, NULL, 0);
	NcVec2* points = memory_allocate(count, sizeof(NcVec2));
	nc_map_get_edge_points(checker->map, index, checker->tolerance, points, count);
	double length = 0.0;
	for (int i = 0; i + 1 < count; ++i)
	{
		length += nc_distance(points[i], points[i + 1]);
	}
	// A chord that keeps within d of a curve of length s around it is shorter by less than 4 d.
	double missing = edge->length - length;
	double rounding = checker->tolerance + LENGTH_TOLERANCE * edge->length;
	if (missing < -rounding || missing > rounding + 4.0 * checker->tolerance * count)
	{
		check_fail(checker, edge->min_position, "the polyline of edge %d is %.12g long, not %.12g",
			index, length, edge->length);
	}
	free(points);
}

void check_edge(Checker* checker, const NcMapEdge* edge, const NcMapEvent* events)
{
	double length = 0.0;
	double min_clearance = events[0].clearance;
	++checker->report.edge_count;
	check_ends(checker, edge, events);
	for (int i = 0; i < edge->event_count; ++i)
	{
		check_event(checker, &events[i]);
	}
	for (int i = 0; i + 1 < edge->event_count; ++i)
	{
		CheckArc arc = check_arc_make(&checker->walls, &events[i], checker->snap);
		check_arc(checker, &arc);
		length += check_arc_compute_length(&arc);
		min_clearance = nc_min(min_clearance, check_arc_find_min(&checker->walls, &arc));
	}

	check_value(checker, edge->min_position, "the smallest clearance of an edge",
		edge->min_clearance, min_clearance);
	check_clearance(checker, edge->min_position, "the clearance where an edge is narrowest",
		edge->min_clearance);
	double rounding = checker->tolerance * edge->event_count + LENGTH_TOLERANCE * length;
	if (!(fabs(edge->length - length) <= rounding))
	{
		check_fail(checker, events[0].position, "the length of an edge is %.12g, not %.12g",
			edge->length, length);
	}
}

void check_edges(Checker* checker)
{
	int range = nc_map_get_edge_range(checker->map);
	for (int i = 0; i < range; ++i)
	{
		NcMapEdge edge;
		if (!nc_map_get_edge(checker->map, i, &edge))
		{
			continue;
		}
		NcMapEvent* events = memory_allocate(edge.event_count, sizeof(NcMapEvent));
		int count = nc_map_get_edge_events(checker->map, i, events, edge.event_count);
		if (count == edge.event_count && count >= 2)
		{
			check_edge(checker, &edge, events);
			check_polyline(checker, i, &edge);
		}
		else
		{
			check_fail(checker, edge.min_position, "edge %d has %d events, but says %d", i, count,
				edge.event_count);
		}
		free(events);
	}
}
