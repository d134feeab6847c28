// SPDX-License-Identifier: MIT
// Anchors: how points are connected to the medial axis.
//
// A point is connected to its retraction, where a walk straight away from the nearest obstacle
// point meets the axis. That is the centre of the disc that embeds the point best: a disc of the
// axis around c reaches clearance(c) - |c - p| beyond p. Clearance changes by no more than the
// distance walked, so this is at most clearance(p), and for the retraction it is exactly that.

#include "query_state.h"

// Beyond this many snaps from the origin nothing is free, and numbers lose their meaning.
#define MAX_QUERY_COORDINATE (4.0 * NC_MAX_COORDINATE)

bool nc_query_find_nearest(const NcQuery* query, NcVec2 point, NcNearest* nearest)
{
	NcVec2 p = nc_map_to_snaps(query->map, point);
	bool is_near = fabs(p.x) < MAX_QUERY_COORDINATE && fabs(p.y) < MAX_QUERY_COORDINATE;
	return is_near && nc_locate_nearest(&query->map->world.diagram, p, nearest) && nearest->is_free;
}

NcAnchor nc_query_make_anchor(const NcQuery* query, const NcRetraction* retraction)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	const NcGraph* graph = &query->map->world.graph;
	int edge_of = diagram->records.data[retraction->piece].edge;
	bool is_backward = edge_of & 1;
	NcAnchor anchor = {
		.edge = edge_of >> 1,
		.arc = diagram->records.data[retraction->piece].arc,
		.piece = is_backward ? nc_piece_twin(diagram, retraction->piece) : retraction->piece,
		.position = retraction->position,
		.clearance = retraction->clearance,
	};
	int arc_count = graph->edges.data[anchor.edge].arc_count;
	for (int end = 0; end < 2; ++end)
	{
		NcEdgeWalk walk = {
			.diagram = diagram,
			.piece = end == 1 ? anchor.piece : nc_piece_twin(diagram, anchor.piece),
			.left = end == 1 ? arc_count - anchor.arc : anchor.arc + 1,
		};
		NcArc arc = nc_arc_of_piece(diagram, walk.piece);
		arc.ends[0] = anchor.position;
		arc.clearances[0] = anchor.clearance;
		anchor.clearance_to[end] = HUGE_VAL;
		bool goes_on = true;
		while (goes_on)
		{
			NcVec2 position;
			anchor.length_to[end] += nc_arc_compute_length(&arc);
			anchor.clearance_to[end] =
				nc_min(anchor.clearance_to[end], nc_arc_find_min(&arc, &position));
			goes_on = nc_edge_walk_advance(&walk);
			arc = goes_on ? nc_arc_of_piece(diagram, walk.piece) : arc;
		}
	}
	return anchor;
}

double nc_query_find_clearance_between(
	const NcQuery* query, const NcAnchor* from, const NcAnchor* to)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	bool is_forward = from->length_to[0] <= to->length_to[0];
	NcEdgeWalk walk = {
		.diagram = diagram,
		.piece = is_forward ? from->piece : nc_piece_twin(diagram, from->piece),
		.left = is_forward ? to->arc - from->arc + 1 : from->arc - to->arc + 1,
	};
	NcArc arc = nc_arc_of_piece(diagram, walk.piece);
	arc.ends[0] = from->position;
	arc.clearances[0] = from->clearance;
	double min = HUGE_VAL;
	for (;;)
	{
		if (walk.left == 1)
		{
			arc.ends[1] = to->position;
			arc.clearances[1] = to->clearance;
		}
		NcVec2 position;
		min = nc_min(min, nc_arc_find_min(&arc, &position));
		if (!nc_edge_walk_advance(&walk))
		{
			return min;
		}
		arc = nc_arc_of_piece(diagram, walk.piece);
	}
}

bool nc_query_find_anchor(const NcQuery* query, NcVec2 point, double radius, NcAnchor* anchor)
{
	NcNearest nearest;
	NcRetraction retraction;
	if (!nc_query_find_nearest(query, point, &nearest) || nearest.distance < radius ||
		!nc_locate_retraction(&query->map->world.diagram, &nearest, &retraction))
	{
		return false;
	}
	*anchor = nc_query_make_anchor(query, &retraction);
	return true;
}
