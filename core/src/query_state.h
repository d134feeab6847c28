// SPDX-License-Identifier: MIT
// What is inside a query: the working memory of one thread, and the path it found last. In snaps.
#pragma once

#include "locate.h"
#include "map_state.h"
#include "nav_corridor/query.h"

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

/// Working memory for routes over terrain: see weighted.h.
typedef struct NcWeighted NcWeighted;

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
	NcWeighted* weighted;    ///< NULL before the first route over terrain
	uint32_t path_revision;  ///< of the map that the path belongs to; 0 without a path
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

/// Search between two anchors and fill `query->arcs`.
/// @param visited_count receives how many vertices were expanded
NcPathOutcome nc_query_search(
	NcQuery* query, const NcAnchor* start, const NcAnchor* goal, double radius, int* visited_count);

/// Pull the points of the path tight where a disc can walk straight.
void nc_route_pull(NcQuery* query, double radius);

/// Search a route over weighted terrain: see route_weighted.c.
bool nc_query_find_weighted(NcQuery* query, const NcPathDef* def, NcPathInfo* info);
void nc_query_destroy_weighted(NcWeighted* weighted);

/// Replace the points of the path found last by others, given in world units. What its corridor was
/// is forgotten: the points may lead elsewhere.
NcPathOutcome nc_query_set_points(
	NcQuery* query, const NcVec2* points, int count, NcPathInfo* info);
void nc_query_forget_path(NcQuery* query);

static inline bool nc_query_failed(const NcQuery* query)
{
	return query->nodes.failed || query->heap.failed || query->trace.failed || query->arcs.failed ||
		   query->points.failed || query->pulled.failed;
}
