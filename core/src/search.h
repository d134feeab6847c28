// SPDX-License-Identifier: MIT
// The state of a search over the medial axis: what was asked, and how far it has got.
//
// Costs are whole numbers: lengths in snaps, times 2^16. Sums of them are exact, so what the
// cheapest path costs depends neither on the order in which it was found nor on how good the
// estimates were, and neither does the path: see search_path.c.
#pragma once

#include "graph.h"

#include "nav_corridor/query.h"

/// More than any path costs, and what no path can pay.
#define NC_BLOCKED (INT64_C(1) << 61)

/// How many landmarks there are: see landmarks.h.
#define NC_LANDMARK_COUNT 8

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

/// The start or a goal of a search.
typedef struct NcSearchEnd
{
	NcAnchor anchor;
	int index;    ///< of a goal: among those that were asked for
	NcVec2 point; ///< in snaps
	double extra; ///< the way between the point and its anchor, in snaps: counts among goals

	// Set by nc_search_begin().
	int64_t costs[2];                  ///< to the two ends of its edge; NC_BLOCKED if too narrow
	int64_t extra_cost;                ///< of `extra`
	int64_t direct_cost;               ///< of a goal on the start's edge; else NC_BLOCKED
	int64_t lowest[NC_LANDMARK_COUNT]; ///< what the landmarks know: see landmarks.h
	int64_t highest[NC_LANDMARK_COUNT];
} NcSearchEnd;

/// What the search knows about a vertex of the graph.
typedef struct NcSearchNode
{
	uint32_t search;   ///< the search that this belongs to; others are forgotten
	bool is_closed;    ///< its cost is final
	bool is_hopeless;  ///< no cheapest path goes through it, as far as tracing found out
	int64_t cost;      ///< from the start
	NcEdgeEnd arrival; ///< the edge that leads here, seen from where it comes from; edge
					   ///< NC_NULL_INDEX if that is the start itself
} NcSearchNode;

typedef struct NcHeapItem
{
	int64_t priority; ///< cost from the start plus what is at least left
	int64_t
		estimate; ///< of that, what is left: of equal priorities, the nearest to a goal is first
	int vertex;
} NcHeapItem;

/// A vertex of the path while it is traced, from the goal to the start.
typedef struct NcTraceStep
{
	int vertex;
	int64_t cost;      ///< that it must have from the start
	NcEdgeEnd forward; ///< the edge to the next vertex, seen from this one
	int tried;         ///< which of the vertex's edge ends was tried last, or NC_NULL_INDEX
} NcTraceStep;

typedef struct NcSearch
{
	// What is asked: set by the caller before nc_search_begin().
	double radius; ///< in snaps
	NcSearchEnd start;
	NcArray(NcSearchEnd) goals;
	NcSearchMethod method;
	NcEdgeCostFn* edge_cost;
	void* edge_cost_context;

	// How far it has got.
	NcArray(NcSearchNode) nodes; ///< per vertex of the graph
	NcArray(NcHeapItem) heap;
	uint32_t number;         ///< of this search
	uint32_t landmarks;      ///< bits of those that it uses
	uint32_t long_revision;  ///< of the map, when a search was long for the last time
	int64_t best_cost;       ///< of the paths found so far, or NC_BLOCKED
	int tie_count;           ///< vertices that were as promising as the best path
	bool is_complete;        ///< all vertices on cheapest paths were expanded
	int visited_count;       ///< vertices that were expanded
	int nearest;             ///< the expanded vertex that is nearest to a goal, or NC_NULL_INDEX
	double nearest_distance; ///< how near, in snaps
	int goal_index;          ///< of the path found

	NcArray(NcTraceStep) trace;
} NcSearch;

/// When to stop before the end.
typedef struct NcSearchLimits
{
	int max_iterations; ///< 0: no limit
	NcClockFn* clock;   ///< NULL: no limit
	void* clock_context;
	double max_time;
	double dead_end_distance; ///< in snaps; see NcPathDef
} NcSearchLimits;

void nc_search_free(NcSearch* search);
void nc_search_clear_failures(NcSearch* search);

static inline bool nc_search_failed(const NcSearch* search)
{
	return search->goals.failed || search->nodes.failed || search->heap.failed ||
		   search->trace.failed;
}

/// A length, in snaps, as a cost. Rounded up a little, so that no estimate is above it.
static inline int64_t nc_search_quantize(double length)
{
	double limit = (double)(INT64_C(1) << 46);
	return (int64_t)nc_min(length * 65536.0, limit) + 3;
}

/// The length of an edge from a to b. Where its arcs were rounded to less than the straight
/// distance, that counts.
static inline double nc_search_measure(const NcGraphEdge* edge, NcVec2 a, NcVec2 b)
{
	double squared = nc_length_squared(nc_sub(b, a));
	return squared > edge->length * edge->length ? sqrt(squared) : edge->length;
}
