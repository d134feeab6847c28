// SPDX-License-Identifier: MIT
// What is inside a query: the working memory of one thread, and the path it found last. In snaps.
#pragma once

#include "locate.h"
#include "map_state.h"
#include "nav_corridor/query.h"
#include "route_state.h"

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
	uint32_t path_revision;  ///< of the map that the path belongs to; 0 without a path
	NcRouteMemory route;
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

/// Start and goal of a route, in snaps, and where they are on the medial axis.
typedef struct NcRouteEnds
{
	NcVec2 start, goal;
	const NcAnchor *start_anchor, *goal_anchor;
	double radius;
} NcRouteEnds;

/// Pull a string tight through the corridor in `query->arcs`, and make pieces of it.
/// @return its length, or HUGE_VAL if memory ran out
double nc_route_pull(NcQuery* query, NcVec2 start, NcVec2 goal, double radius);

/// Search a corridor whose string is shorter than `limit`, and put it into `query->arcs`.
/// @param budget how many steps the search may take
/// @return whether there is one
bool nc_route_search_taut(NcQuery* query, const NcRouteEnds* ends, double limit, int budget);

/// Make the pieces of the route, from the corridor in `query->arcs`, which the shortest one may
/// replace.
void nc_route_build_medial(NcQuery* query, const NcRouteEnds* ends);
void nc_route_build_shortest(NcQuery* query, const NcRouteEnds* ends, int budget);

/// Add a straight piece to the route.
/// @param at where the route has got to
void nc_route_push_segment(NcQuery* query, NcVec2* at, NcVec2 to);

/// Make the points of the path from the pieces of its route.
void nc_route_build_points(NcQuery* query, NcVec2 start, NcVec2 goal);

/// How many corners the polyline around a piece has, and where they are.
int nc_route_count_parts(const NcRoutePiece* piece, double tolerance);
NcVec2 nc_route_get_corner(const NcRoutePiece* piece, int index, int count);

static inline bool nc_query_failed(const NcQuery* query)
{
	return query->nodes.failed || query->heap.failed || query->trace.failed || query->arcs.failed ||
		   query->points.failed || nc_route_memory_failed(&query->route);
}
