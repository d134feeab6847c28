// SPDX-License-Identifier: MIT
// What routes share: portals, the string through them, and the working memory of a query for all
// of that. All lengths are in snaps.
//
// A portal is the chord between the closest obstacle points of a place on the medial axis: the left
// and the right foot of its disc. All chords together cut the free space into convex parts:
//
//            L ======= L'            Between two events the chords at both ends bound a triangle
//             \         \            or a trapezoid; at a vertex the chords of its edges bound a
//        V o---\----o----\---o       polygon within its disc. Every corner of every part lies on
//               \         \          an obstacle, so only feet can hold a taut string, and of those
//                R ======= R'        only corners: a string never bends at the middle of a wall.
#pragma once

#include "arc.h"
#include "nav_corridor/route.h"
#include "peg.h"

/// Sides as indices. `nc_side_sign` has the sign of pegs.
enum
{
	NC_RIGHT = 0,
	NC_LEFT = 1,
};

static inline double nc_side_sign(int side)
{
	return side == NC_LEFT ? 1.0 : -1.0;
}

typedef struct NcPortal
{
	NcVec2 position; ///< on the medial axis
	double clearance;
	NcVec2 feet[2];
	int corners[2]; ///< the vertices of the snapped world that the feet are, or NC_NULL_INDEX
} NcPortal;

/// The portal of a place on a piece.
NcPortal nc_portal_make(const NcDiagram* diagram, int piece, NcVec2 position, double clearance);

/// On which side of a portal, shrunk to the places of a disc's centre, a point is: positive before
/// it, negative behind. Only meaningful for points in the disc around the portal's position.
double nc_portal_side(const NcPortal* portal, NcVec2 p, double radius);

/// The foot of a portal as a peg.
NcPeg nc_portal_peg(const NcPortal* portal, int side, double radius);

/// Where the arc around a foot ends that the portal leaves to the disc's centre: of all points
/// around the foot, the one towards the portal's position.
NcVec2 nc_portal_shrink(const NcPortal* portal, int side, double radius);

/// A peg of the string.
typedef struct NcStringPeg
{
	NcPeg peg;
	NcVec2 direction; ///< of the string that arrives from the peg before
	double length;    ///< of that
	double room;      ///< how far the string can be moved away from the peg
	int corner;       ///< or NC_NULL_INDEX
	int side;
} NcStringPeg;

/// A root of the search for the shortest route: a corner at which the string bends.
typedef struct NcTautRoot
{
	NcPeg peg;
	NcVec2 arrival; ///< direction
	double cost;    ///< up to where the string meets the peg
	int corner;     ///< 2 * vertex + side, or NC_NULL_INDEX for the start
	int parent;
	int state; ///< whether the straight piece from the parent was found to be free
} NcTautRoot;

enum
{
	NC_ROOT_UNKNOWN,
	NC_ROOT_CLEAR,
	NC_ROOT_BLOCKED,
};

/// Where the search is. See route_taut.c.
typedef struct NcTautNode
{
	int piece;
	int left;  ///< arcs that are left of the edge, this piece included
	int phase; ///< what of the piece was passed
	int parent;
	int skipped; ///< arcs that the parent walked before this begins
	int root;
	bool is_last; ///< the edge cannot be walked to its end
	NcVec2 limits[2];
	bool has_limit[2];
	bool is_at_foot[2]; ///< whether the limit is the foot of the present portal
	bool can_bend[2];   ///< and strings along it touch the corner there: they can bend
	NcPortal portal;
	double bound;
} NcTautNode;

typedef struct NcTautItem
{
	double bound;
	int node;
} NcTautItem;

typedef NcArray(NcTautItem) NcTautHeap;

/// What is known about arriving at a corner on one side.
typedef struct NcTautCorner
{
	uint32_t search;
	int root; ///< the cheapest so far
} NcTautCorner;

/// What the search over gates knows about arriving at an end of an edge.
typedef struct NcGateNode
{
	uint32_t search;
	bool is_closed;
	int parent;
	double cost;
} NcGateNode;

typedef NcArray(NcRoutePiece) NcRoutePieceArray;
typedef NcArray(double) NcDoubleArray;

/// The part of a query that routes use. All zero is empty.
typedef struct NcRouteMemory
{
	NcRoutePieceArray pieces;          ///< of the route found last, in snaps
	NcDoubleArray rooms;               ///< per piece: how far its sampled arc may lie outside
	NcArray(NcRoutePiece) kept_pieces; ///< of the legs of a drawn route
	NcArray(double) kept_rooms;
	NcRoutePieceArray spare_pieces; ///< of a route that a better one may replace
	NcDoubleArray spare_rooms;
	NcArray(NcPortal) portals;
	NcArray(NcStringPeg) funnel; ///< a double-ended queue
	NcArray(NcStringPeg) string; ///< start, pegs, goal
	NcArray(NcTautRoot) roots;
	NcArray(NcTautNode) nodes;
	NcTautHeap heap;
	NcArray(NcTautCorner) corners; ///< two per vertex
	NcArray(NcGateNode) gates;     ///< see route_gates.c
	NcTautHeap gate_heap;
	NcIntArray trace;
	uint32_t search;      ///< the number of the last search for the shortest string
	uint32_t gate_search; ///< and of the last one over gates
} NcRouteMemory;

void nc_route_memory_free(NcRouteMemory* memory);
void nc_route_memory_clear_failures(NcRouteMemory* memory);
bool nc_route_memory_failed(const NcRouteMemory* memory);

/// Begin a search: forget all corners or gates, and empty its heap.
void nc_route_begin_search(NcRouteMemory* memory);
void nc_route_begin_gates(NcRouteMemory* memory);

/// The heap: the least bound first, of equal ones the first node.
void nc_route_push_item(NcTautHeap* heap, NcTautItem item);
NcTautItem nc_route_pop_item(NcTautHeap* heap);
