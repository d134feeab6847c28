// SPDX-License-Identifier: MIT
// What is inside a query: the working memory of one thread, and the path it found last. In snaps.
#pragma once

#include "landmarks.h"
#include "locate.h"
#include "map_state.h"
#include "nav_corridor/query.h"
#include "reach.h"
#include "route_state.h"
#include "search.h"

/// An arc of the path, cut at the start and goal, in walking direction.
typedef struct NcPathArc
{
	int piece;
	NcArc arc;
} NcPathArc;

typedef NcArray(NcPathArc) NcPathArcArray;

/// Working memory for routes over terrain: see weighted.h.
typedef struct NcWeighted NcWeighted;

struct NcQuery
{
	const NcMap* map;
	NcSearch search;
	NcLandmarks landmarks;
	NcPathArcArray arcs;    ///< of the path found last
	NcArray(NcVec2) points; ///< of the path found last
	NcWeighted* weighted;   ///< NULL before the first route over terrain
	uint32_t path_revision; ///< of the map that the path belongs to; 0 without a path

	uint32_t search_revision; ///< of the map that a search at its limit belongs to; 0 without one

	NcIntArray kept;          ///< edge ends of a path under repair, 2 * edge + end each
	NcArray(NcPathArc) found; ///< the arcs in between

	NcPathArcArray spare_arcs; ///< of a corridor that a better one may replace
	NcRouteMemory route;
	double refused; ///< the widest passage that was too narrow for the last search, in snaps
	NcReach reach;
	NcArray(uint32_t) wall_stamps; ///< per wall: the question that met it last
	uint32_t wall_stamp;
};

/// Find the nearest obstacle feature of a point in world units.
/// @return false if the point is not free
bool nc_query_find_nearest(const NcQuery* query, NcVec2 point, NcNearest* nearest);

/// Find the anchor of a retraction.
NcAnchor nc_query_make_anchor(const NcQuery* query, const NcRetraction* retraction);

/// Find where a disc of a radius, in snaps, gets onto the medial axis from a point in world units:
/// its retraction, the centre of the largest disc of the medial axis around the point.
/// @return false if the disc does not fit at the point
bool nc_query_find_anchor(const NcQuery* query, NcVec2 point, double radius, NcAnchor* anchor);

/// The least clearance on the way along an edge from one anchor to another on it.
double nc_query_find_clearance_between(
	const NcQuery* query, const NcAnchor* from, const NcAnchor* to);

/// Search between two anchors, by length and without limits, and fill `query->arcs`.
/// @param visited_count receives how many vertices were expanded
NcPathOutcome nc_query_search(
	NcQuery* query, const NcAnchor* start, const NcAnchor* goal, double radius, int* visited_count);

/// Begin a search whose ends and rules are set in `query->search`.
/// @return false if memory ran out
bool nc_search_begin(NcQuery* query);

/// Go on until the best path is known, there is none, or a limit is reached.
/// @return NC_PATH_PARTIAL for a limit; NC_PATH_FOUND with the path in `query->arcs`
NcPathOutcome nc_search_run(NcQuery* query, NcSearchLimits limits);

/// The cost of an edge that is wide enough, in units of the search; NC_BLOCKED if nobody may go
/// there.
int64_t nc_search_get_cost(const NcQuery* query, int edge);

/// At least what it costs from a vertex to the nearest goal, or from the start to a vertex.
int64_t nc_search_estimate(const NcQuery* query, int vertex);
int64_t nc_search_estimate_from_start(const NcQuery* query, int vertex);

/// What the search knows about a vertex.
NcSearchNode* nc_search_get_node(NcQuery* query, int vertex);

/// Put the canonical one of all cheapest paths into `query->arcs`.
/// @return false if memory ran out
bool nc_search_build_path(NcQuery* query);

/// Put the path to the vertex nearest to a goal into `query->arcs`, and make an anchor there.
/// @return false if no vertex was reached, or if memory ran out
bool nc_search_build_partial_path(NcQuery* query, NcAnchor* end);

/// Append to `query->arcs` the arcs from an anchor to an end of its edge, of a whole edge, or from
/// an end of an anchor's edge to the anchor.
void nc_path_push_to_end(NcQuery* query, const NcAnchor* anchor, int end);
void nc_path_push_edge(NcQuery* query, NcEdgeEnd from);
void nc_path_push_from_end(NcQuery* query, const NcAnchor* anchor, int end);

/// The length of the medial axis in `query->arcs`, in snaps.
double nc_path_measure_axis(const NcQuery* query);

/// The anchor at one end of an edge.
NcAnchor nc_path_make_end_anchor(const NcQuery* query, NcEdgeEnd end);

/// Forget the last path and set what is asked in `query->search`.
/// @return NC_PATH_FOUND, or what is wrong with it
NcPathOutcome nc_query_set_search(NcQuery* query, const NcPathDef* def);

/// Make the route through the corridor in `query->arcs`. @return whether that is a whole path
/// @param goal where it ends, in snaps
/// @param anchor where that is on the medial axis
bool nc_query_finish_path(
	NcQuery* query, const NcPathDef* def, NcVec2 goal, const NcAnchor* anchor, NcPathInfo* info);

/// Start and goal of a route, in snaps, and where they are on the medial axis.
typedef struct NcRouteEnds
{
	NcVec2 start, goal;
	const NcAnchor *start_anchor, *goal_anchor;
	double radius;
	double side; ///< -1 keeps right, 1 keeps left, 0 is the medial axis
} NcRouteEnds;

/// Pull a string tight through the corridor in `query->arcs`, and make pieces of it.
/// @return its length, or HUGE_VAL if memory ran out
double nc_route_pull(NcQuery* query, NcVec2 start, NcVec2 goal, double radius);

/// Make pieces of a string: a straight one to every peg, and an arc around it.
void nc_route_build_pieces(NcRouteMemory* memory);

/// Put a corridor into `query->arcs` that is likely to have a short string.
/// @return false if there is none: start and goal are on the same edge, or memory ran out
bool nc_route_search_gates(NcQuery* query, const NcRouteEnds* ends);

/// Cut the first and the last arc of a corridor where start and goal are.
void nc_route_cut_corridor(NcQuery* query, const NcRouteEnds* ends);

/// How far a chord may be from an arc, in snaps. It cuts the inner side of a parabola, so it costs
/// clearance.
double nc_route_choose_tolerance(const NcArc* arc, double radius);

/// Make the pieces of the route, from the corridor in `query->arcs`, which the shortest one may
/// replace.
void nc_route_build_medial(NcQuery* query, const NcRouteEnds* ends);
void nc_route_build_side(NcQuery* query, const NcRouteEnds* ends);
void nc_route_build_shortest(NcQuery* query, const NcRouteEnds* ends, int budget);

/// Find the corridor and make the pieces of the shortest route, or of a good one if the budget is
/// too small.
/// @param step_count receives how many steps the search over all corridors took
/// @return NC_PATH_FOUND, NC_PATH_NONE, or NC_PATH_OUT_OF_MEMORY
NcPathOutcome nc_route_find_shortest(
	NcQuery* query, const NcRouteEnds* ends, int budget, int* step_count);

/// Make the pieces and the corridor of a drawn route.
NcPathOutcome nc_route_build_control(NcQuery* query, const NcPathDef* def, int* visited_count);

/// Add a straight piece to the route.
/// @param at where the route has got to
void nc_route_push_segment(NcQuery* query, NcVec2* at, NcVec2 to);

/// Make the points of the path from the pieces of its route.
void nc_route_build_points(NcQuery* query, NcVec2 start, NcVec2 goal);

/// How many corners the polyline around a piece has, and where they are.
int nc_route_count_parts(const NcRoutePiece* piece, double tolerance);
NcVec2 nc_route_get_corner(const NcRoutePiece* piece, int index, int count);

/// Search a route over weighted terrain: see route_weighted.c.
bool nc_query_find_weighted(NcQuery* query, const NcPathDef* def, NcPathInfo* info);
void nc_query_destroy_weighted(NcWeighted* weighted);

/// Replace the points of the path found last by others, given in world units. What its corridor was
/// is forgotten: the points may lead elsewhere.
NcPathOutcome nc_query_set_points(
	NcQuery* query, const NcVec2* points, int count, NcPathInfo* info);
void nc_query_forget_path(NcQuery* query);

/// Note that a passage is too narrow.
static inline void nc_query_refuse(NcQuery* query, double clearance)
{
	query->refused = nc_max(query->refused, clearance);
}

static inline bool nc_query_failed(const NcQuery* query)
{
	return nc_search_failed(&query->search) || query->arcs.failed || query->points.failed ||
		   query->kept.failed || query->found.failed || query->spare_arcs.failed ||
		   nc_route_memory_failed(&query->route);
}
