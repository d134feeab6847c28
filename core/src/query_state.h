// SPDX-License-Identifier: MIT
// What is inside a query: the working memory of one thread, and the path it found last. In snaps.
#pragma once

#include "locate.h"
#include "map_state.h"
#include "nav_corridor/query.h"
#include "reach.h"

/// What the search knows about a vertex of the graph.
typedef struct NcSearchNode
{
	uint32_t search;   ///< the search that this belongs to; others are forgotten
	bool is_closed;    ///< its cost is final
	double cost;       ///< from the start
	NcEdgeEnd arrival; ///< the edge that leads here, seen from where it comes from; edge
					   ///< NC_NULL_INDEX if that is the start itself
} NcSearchNode;

typedef struct NcHeapItem
{
	double priority; ///< cost from the start plus what is at least left
	int vertex;
} NcHeapItem;

/// An arc of the path, cut at the start and goal, in walking direction.
typedef struct NcPathArc
{
	int piece;
	NcArc arc;
} NcPathArc;

struct NcQuery
{
	const NcMap* map;
	NcArray(NcSearchNode) nodes; ///< per vertex of the graph
	NcArray(NcHeapItem) heap;
	uint32_t search;
	NcIntArray trace;        ///< edge ends of the path, from goal to start
	NcArray(NcPathArc) arcs; ///< of the path found last
	NcArray(NcVec2) points;  ///< of the path found last
	NcArray(NcVec2) pulled;  ///< working memory of nc_route_pull()
	uint32_t path_revision;  ///< of the map that the path belongs to; 0 without a path

	NcReach reach;
	NcArray(uint32_t) wall_stamps; ///< per wall: the question that met it last
	uint32_t wall_stamp;
};

/// Where start and goal are on the medial axis.
typedef struct NcAnchor
{
	int edge;
	int arc;   ///< which arc of the edge
	int piece; ///< that arc, in the direction of the edge
	NcVec2 position;
	double clearance;
	double length_to[2];    ///< along the edge to its two ends
	double clearance_to[2]; ///< the least clearance on the way
} NcAnchor;

/// Find the anchor of a retraction.
NcAnchor nc_query_make_anchor(const NcQuery* query, const NcRetraction* retraction);

/// Find where a disc of a radius, in snaps, gets onto the medial axis from a point in world units:
/// its retraction, the centre of the largest disc of the medial axis around the point.
/// @return false if the disc does not fit at the point
bool nc_query_find_anchor(const NcQuery* query, NcVec2 point, double radius, NcAnchor* anchor);

/// The least clearance on the way along an edge from one anchor to another on it.
double nc_query_find_clearance_between(
	const NcQuery* query, const NcAnchor* from, const NcAnchor* to);

/// Search between two anchors and fill `query->arcs`.
/// @param visited_count receives how many vertices were expanded
NcPathOutcome nc_query_search(
	NcQuery* query, const NcAnchor* start, const NcAnchor* goal, double radius, int* visited_count);

/// Pull the points of the path tight where a disc can walk straight.
void nc_route_pull(NcQuery* query, double radius);

static inline bool nc_query_failed(const NcQuery* query)
{
	return query->nodes.failed || query->heap.failed || query->trace.failed || query->arcs.failed ||
		   query->points.failed || query->pulled.failed;
}
