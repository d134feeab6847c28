// SPDX-License-Identifier: MIT
// The search for the shortest string of all, through whatever corridor: what its parts share.
//
//   route_taut.c      nodes, bounds, roots, and the search itself
//   taut_portal.c     how a node passes a portal, and what is cut off by it
//   taut_ends.c       where the search begins and ends
//   taut_corridor.c   the corridor and the string of the best node
#pragma once

#include "query_state.h"

// What of a piece a node has passed.
enum
{
	NC_TAUT_BEGIN,
	NC_TAUT_START, ///< the place of the start
	NC_TAUT_GOAL,  ///< the place of the goal
	NC_TAUT_END,
};

/// Directions that differ by less than this, in radians, are the same.
#define NC_TAUT_SAME_DIRECTION 1e-11

/// Feet closer than this, in snaps, are the same.
#define NC_TAUT_SAME_FOOT 1e-3

/// Strings that are shorter by less than this, in snaps, are not better.
#define NC_TAUT_SAME_LENGTH 1e-6

/// A string runs along corners at exactly the disc's radius; rounding may take this much, in snaps.
#define NC_TAUT_SLACK 0.01

#define NC_TAUT_MAX_MARKS 64

/// A place from which the goal can be seen: how the medial axis goes on from there.
typedef struct NcTautMark
{
	int piece, phase;
	int node; ///< of the way from the goal to there
} NcTautMark;

/// Corners around the goal: no more than this are looked at.
#define NC_TAUT_MAX_FEET 32

typedef struct NcTautFoot
{
	NcVec2 position;
	int corner;
} NcTautFoot;

/// A string to the goal.
typedef struct NcTautString
{
	double length;
	int node;   ///< that leads to the goal, or NC_NULL_INDEX if there is no string
	int walked; ///< arcs since that node began
	int mark;
	int root;     ///< of its last bend but one, or its last
	bool is_bent; ///< after that root it bends around `bend`, too
	NcPeg bend;
	int bend_corner;
} NcTautString;

typedef struct NcTaut
{
	NcQuery* query;
	const NcDiagram* diagram;
	const NcGraph* graph;
	const NcRouteEnds* ends;
	NcPeg goal;
	bool is_goal_ahead[2]; ///< on the arc of the start, in the direction of the edge and against it
	NcTautMark marks[NC_TAUT_MAX_MARKS];
	int mark_count;
	uint64_t ends_filter; ///< bits of edges with marks, start or goal
	NcTautFoot feet[NC_TAUT_MAX_FEET];
	int foot_count;
	int seed_count;
	bool is_close; ///< start and goal are in one part, and do not see each other: not for this
				   ///< search
	double limit;  ///< strings that are not shorter than this do not count
	double first_bound;
	int edge_count; ///< of a corridor whose string gave the limit
	NcTautString best;
	int steps;
} NcTaut;

/// A node being followed.
typedef struct NcTautWalk
{
	NcTautNode node;
	int index;  ///< of the node that it began as
	int walked; ///< arcs since then
} NcTautWalk;

/// Begin a search. @return false if memory ran out
bool nc_taut_begin(NcTaut* taut, NcQuery* query, const NcRouteEnds* ends);

/// Go on until the shortest string is known, or so many steps were taken in all.
/// @return whether the search is over: what was found is the shortest below the limit
bool nc_taut_run(NcTaut* taut, int steps);

/// Whether the bounds rise so slowly that a budget of steps will never do.
bool nc_taut_is_hopeless(const NcTaut* taut, int budget);

/// Put the corridor of the best string into `query->arcs`, and its pieces into the route.
/// @return false if memory ran out
bool nc_taut_build(NcTaut* taut);

// Shared by the parts.

int nc_taut_add_node(NcTaut* taut, NcTautNode node);
void nc_taut_push_node(NcTaut* taut, NcTautNode node);

/// A string that bends at a foot. @return its root, or NC_NULL_INDEX if there is a better one
int nc_taut_add_root(NcTaut* taut, int parent, NcPeg peg, int side, int vertex);

/// The length of the arc by which a string turns around a root.
double nc_taut_compute_arc(const NcTautRoot* root, NcVec2 direction);

/// The direction that limits strings from a peg on one side of a portal. Around a corner that is
/// the tangent to the corner if they touch it before they reach the portal: then they can bend
/// there. Else it is that to the portal's end; the corner may be touched later, or not at all.
NcVec2 nc_taut_find_limit(
	NcPeg from, const NcPortal* portal, int side, double radius, bool* can_bend);

/// Narrow a node by the next portal, and push what is cut off. @return whether anything is left
bool nc_taut_pass_portal(NcTaut* taut, NcTautWalk* walk, const NcPortal* portal);

/// Begin a node's walk along an edge: to its end, or if it is too narrow for that, to the target.
/// @return false if it cannot be walked, or leads nowhere
bool nc_taut_enter_edge(const NcTaut* taut, NcTautNode* node, const NcAnchor* target);

/// What of its piece a node passes next.
int nc_taut_choose_next_phase(const NcTaut* taut, const NcTautNode* node);

NcPortal nc_taut_make_portal(const NcTaut* taut, int piece, int phase);
void nc_taut_seed(NcTaut* taut);
/// Make a string keep its distance that comes too close to a corner. @return whether it does now
bool nc_taut_repair(NcTaut* taut, NcTautString* string);
void nc_taut_check_marks(NcTaut* taut, const NcTautWalk* walk);

/// Whether a direction lies beyond a limit, on the outer side of it.
static inline bool nc_taut_is_outside(int side, NcVec2 limit, NcVec2 direction)
{
	return nc_side_sign(side) * nc_cross(limit, direction) > NC_TAUT_SAME_DIRECTION;
}

static inline int nc_taut_get_edge(const NcTaut* taut, int piece)
{
	return taut->diagram->records.data[piece].edge;
}

static inline uint64_t nc_taut_filter_bit(const NcTaut* taut, int piece)
{
	return UINT64_C(1) << ((nc_taut_get_edge(taut, piece) >> 1) & 63);
}

/// Whether the edge of a piece has a mark, the start, or the goal. Most edges are ruled out by the
/// filter; what is left of them must not depend on how edges are numbered.
static inline bool nc_taut_has_end(const NcTaut* taut, int piece)
{
	if (!(taut->ends_filter & nc_taut_filter_bit(taut, piece)))
	{
		return false;
	}
	int edge = nc_taut_get_edge(taut, piece) >> 1;
	bool is_there = edge == nc_taut_get_edge(taut, taut->ends->start_anchor->piece) >> 1 ||
					edge == nc_taut_get_edge(taut, taut->ends->goal_anchor->piece) >> 1;
	for (int i = 0; i < taut->mark_count && !is_there; ++i)
	{
		is_there = edge == nc_taut_get_edge(taut, taut->marks[i].piece) >> 1;
	}
	return is_there;
}
