// SPDX-License-Identifier: MIT
// Snapping and planarisation: obstacles become fragments.
//
// Terms:
//   edge      a straight piece of an obstacle's border, between two snapped points. Edges may
//   cross,
//             overlap, touch and repeat.
//   hot pixel the unit square around a snapped point that is an edge's end or the rounded crossing
//             of two edges. Its centre is a vertex.
//   fragment  a piece of wall between two vertices. Fragments meet only in vertices, and no vertex
//             is closer than half a snap to a fragment that does not end in it.
//   use       an edge's share of a fragment. An edge is the chain of its uses.
//   half      a fragment seen from one of its ends: half 2 f + 0 leaves the lower vertex of
//   fragment
//             f, half 2 f + 1 the upper one. A half names its own left side, too: side 2 f + 0 is
//             on the left of the fragment, side 2 f + 1 on its right.
//   cover     how many filled obstacles lie over a side. The outside of the world counts as one.
//
// Every edge is replaced by the chain of the vertices whose hot pixels it meets, again and again
// until nothing changes. This is iterated snap rounding: the result is planar, and it depends on
// the set of edges only, not on their order. Vertices count the reasons for which they are hot, and
// fragments list their uses, so that edges can come and go.
//
// This work is based on:
// Hobby. Practical segment intersection with finite precision output. 1999
// Halperin, Packer. Iterated snap rounding. 2002
// Guibas, Marimont. Rounding arrangements dynamically. 1998
#pragma once

#include "array.h"
#include "grid.h"
#include "parallel_loop.h"
#include "predicates.h"

/// A directed piece of an obstacle's border. Equal ends make it a point.
typedef struct NcEdge
{
	NcPoint a, b;
	int obstacle; ///< its owner, or NC_NULL_INDEX for the bounds
	int solid;    ///< by how much the cover on its left exceeds that on its right: -1, 0 or 1
	int walkable; ///< likewise for walkable areas
} NcEdge;

typedef NcArray(NcEdge) NcEdgeArray;

/// A place for an edge.
typedef struct NcEdgeSlot
{
	NcEdge edge;
	int first_use;        ///< the first of its chain, or NC_NULL_INDEX if the slot is empty
	int next_of_obstacle; ///< the next edge of the same obstacle, in no particular order
} NcEdgeSlot;

typedef struct NcUse
{
	int edge;
	int half;             ///< that runs like the edge, or NC_NULL_INDEX if the edge is a point
	int next_of_edge;     ///< the next use of the same edge, in no particular order
	int next_of_fragment; ///< the next use of the same fragment, or of the same point
} NcUse;

/// A snapped point that is an end of fragments, or an isolated point obstacle.
typedef struct NcVertex
{
	NcPoint point;
	int half;      ///< one of the halves that leave it, or NC_NULL_INDEX if it is isolated
	int hot_count; ///< how many edges end or cross here; 0: the slot is empty
	int first_use; ///< of the edges that are points here
	bool is_free;  ///< whether an isolated point lies in free space
} NcVertex;

typedef struct NcFragment
{
	int vertices[2]; ///< the lower one first, by nc_point_compare()
	int next[2];     ///< the next half around each vertex, counter-clockwise
	int previous[2]; ///< the next half around each vertex, clockwise
	int first_use;   ///< NC_NULL_INDEX: the slot is empty
	int solid;       ///< cover on the left minus cover on the right
	int walkable;    ///< likewise for walkable areas
	int cover;       ///< on the left; NC_UNKNOWN_COVER while it is computed
	int walkable_cover;
	uint8_t is_free; ///< bit 0: the left side is free; bit 1: the right side
	bool is_open;    ///< the outline of a walkable area inside another one: not a wall
} NcFragment;

#define NC_UNKNOWN_COVER INT_MIN

/// All edges, fragments and vertices, with their indices by place.
typedef struct NcSnap
{
	NcArray(NcEdgeSlot) edges;
	NcArray(NcUse) uses;
	NcArray(NcVertex) vertices;
	NcArray(NcFragment) fragments;
	NcGrid vertex_grid;
	NcGrid fragment_grid;
	NcIntArray free_edges, free_uses, free_vertices, free_fragments; ///< empty slots
	int outer_cover;    ///< the cover of everything outside of all edges
	int outer_walkable; ///< likewise: 1 if there are no walkable areas
} NcSnap;

/// How the world looks far away from all edges.
typedef struct NcSnapDef
{
	NcBox box; ///< of the grids, in snaps
	int outer_cover;
	int outer_walkable;
} NcSnapDef;

/// Build everything from scratch. Edge i gets slot i. Edges of one obstacle that follow each other
/// are listed from the last one on.
/// @param snap all zero; on failure still to be freed
/// @return NC_OUT_OF_MEMORY if it could not be done
NcStatus nc_snap_build(NcSnap* snap, const NcSnapDef* def, const NcEdge* edges, int edge_count,
	const NcParallel* parallel);
void nc_snap_free(NcSnap* snap);

/// Compute the cover of all fragments and isolated points. Part of nc_snap_build().
/// @return false if memory ran out
bool nc_snap_compute_cover(NcSnap* snap, const NcParallel* parallel);

/// The lowest obstacle that owns a fragment, or NC_NULL_INDEX for the bounds.
int nc_fragment_owner(const NcSnap* snap, int fragment);

/// The lowest obstacle that owns a vertex: an isolated point, or one of its fragments.
int nc_vertex_owner(const NcSnap* snap, int vertex);

static inline bool nc_fragment_exists(const NcSnap* snap, int fragment)
{
	return snap->fragments.data[fragment].first_use != NC_NULL_INDEX;
}

static inline bool nc_vertex_exists(const NcSnap* snap, int vertex)
{
	return snap->vertices.data[vertex].hot_count > 0;
}

static inline int nc_half_vertex(const NcSnap* snap, int half)
{
	return snap->fragments.data[half >> 1].vertices[half & 1];
}

/// The point in which a half begins.
static inline NcPoint nc_half_start(const NcSnap* snap, int half)
{
	return snap->vertices.data[nc_half_vertex(snap, half)].point;
}

/// The point in which a half ends.
static inline NcPoint nc_half_end(const NcSnap* snap, int half)
{
	return snap->vertices.data[nc_half_vertex(snap, half ^ 1)].point;
}

/// The next half around its start, counter-clockwise. The angle in between is on the left of
/// `half`.
static inline int nc_half_next(const NcSnap* snap, int half)
{
	return snap->fragments.data[half >> 1].next[half & 1];
}

static inline int nc_half_previous(const NcSnap* snap, int half)
{
	return snap->fragments.data[half >> 1].previous[half & 1];
}

static inline bool nc_side_is_free(const NcSnap* snap, int side)
{
	return (snap->fragments.data[side >> 1].is_free >> (side & 1)) & 1;
}

/// The same rings without open fragments. A half that is alone in its ring is its own neighbour.
static inline int nc_wall_next(const NcSnap* snap, int half)
{
	int next = nc_half_next(snap, half);
	while (snap->fragments.data[next >> 1].is_open && next != half)
	{
		next = nc_half_next(snap, next);
	}
	return next;
}

static inline int nc_wall_previous(const NcSnap* snap, int half)
{
	int previous = nc_half_previous(snap, half);
	while (snap->fragments.data[previous >> 1].is_open && previous != half)
	{
		previous = nc_half_previous(snap, previous);
	}
	return previous;
}

/// A half around a vertex that is not open, or NC_NULL_INDEX.
static inline int nc_wall_of_vertex(const NcSnap* snap, int vertex)
{
	int half = snap->vertices.data[vertex].half;
	if (half != NC_NULL_INDEX && snap->fragments.data[half >> 1].is_open)
	{
		half = nc_wall_next(snap, half);
		half = snap->fragments.data[half >> 1].is_open ? NC_NULL_INDEX : half;
	}
	return half;
}

/// Whether the angle from a half that is not open counter-clockwise to the next one around its
/// start is larger than a half turn.
bool nc_wall_is_reflex(const NcSnap* snap, int half);
