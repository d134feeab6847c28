// SPDX-License-Identifier: MIT
// Snapping and planarisation: obstacles become fragments.
//
// Terms:
//   edge      a straight piece of an obstacle's border, between two snapped points. Edges may cross,
//             overlap, touch and repeat.
//   hot pixel the unit square around a snapped point that is an edge's end or the rounded crossing
//             of two edges. Its centre is a vertex.
//   fragment  a piece of wall between two vertices. Fragments meet only in vertices, and no vertex
//             is closer than half a snap to a fragment that does not end in it.
//   half      a fragment seen from one of its ends: half 2 f + 0 leaves the lower vertex of fragment
//             f, half 2 f + 1 the upper one. A half names its own left side, too: side 2 f + 0 is on
//             the left of the fragment, side 2 f + 1 on its right.
//   cover     how many filled obstacles lie over a side. The outside of the world counts as one.
//
// Every edge is replaced by the chain of the vertices whose hot pixels it meets, again and again
// until nothing changes. This is iterated snap rounding: the result is planar, and it depends on the
// set of edges only, not on their order.
//
// This work is based on:
// Hobby. Practical segment intersection with finite precision output. 1999
// Halperin, Packer. Iterated snap rounding. 2002
#pragma once

#include "array.h"
#include "grid.h"
#include "predicates.h"

/// A directed piece of an obstacle's border. Equal ends make it a point.
typedef struct NcEdge
{
	NcPoint a, b;
	int obstacle;   ///< its owner, or NC_NULL_INDEX for the bounds
	int solid;      ///< by how much the cover on its left exceeds that on its right: -1, 0 or 1
	int walkable;   ///< likewise for walkable areas
} NcEdge;

typedef NcArray(NcEdge) NcEdgeArray;

/// A snapped point that is an end of fragments, or an isolated point obstacle.
typedef struct NcVertex
{
	NcPoint point;
	int half;     ///< one of the halves that leave it, or NC_NULL_INDEX if it is isolated
	int obstacle; ///< the owner of an isolated point
	bool is_free; ///< whether an isolated point lies in free space
} NcVertex;

typedef struct NcFragment
{
	int vertices[2]; ///< the lower one first, by nc_point_compare()
	int next[2];     ///< the next half around each vertex, counter-clockwise
	int previous[2]; ///< the next half around each vertex, clockwise
	int solid;       ///< cover on the left minus cover on the right
	int walkable;    ///< likewise for walkable areas
	int cover;       ///< on the left; NC_UNKNOWN_COVER while it is computed
	int walkable_cover;
	int obstacle;    ///< the lowest of its owners, or NC_NULL_INDEX for the bounds
	uint8_t is_free; ///< bit 0: the left side is free; bit 1: the right side
} NcFragment;

#define NC_UNKNOWN_COVER INT_MIN

/// All fragments and vertices, with their indices by place.
typedef struct NcSnap
{
	NcArray(NcVertex) vertices;
	NcArray(NcFragment) fragments;
	NcGrid vertex_grid;
	NcGrid fragment_grid;
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

/// Build everything from scratch.
/// @param snap all zero; on failure still to be freed
/// @return NC_OUT_OF_MEMORY or NC_TOO_LARGE if it could not be done
NcStatus nc_snap_build(NcSnap* snap, const NcSnapDef* def, const NcEdge* edges, int edge_count);

void nc_snap_free(NcSnap* snap);

/// Compute the cover of all fragments and isolated points. Part of nc_snap_build().
void nc_snap_compute_cover(NcSnap* snap);

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

/// The next half around its start, counter-clockwise. The angle in between is on the left of `half`.
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

/// Whether the angle from a half counter-clockwise to the next one around its start is larger than
/// a half turn.
bool nc_half_is_reflex(const NcSnap* snap, int half);
