// SPDX-License-Identifier: MIT
// All cells, stitched into one graph: the generalized Voronoi diagram of the free space.
//
// Terms:
//   piece     a stretch of a cell border with one neighbour, named by its first record. It runs with
//             its own cell on the right and the neighbour on the left.
//   twin      the same stretch as seen from the neighbour, in the opposite direction. Pieces without
//             a twin are not part of the diagram: they are too short for both cells to see them.
//   next      the piece that goes on where a piece ends, along the same connected obstacle.
//   junction  a point where pieces meet: an orbit of piece -> next(twin(piece)), which goes through
//             all pieces that begin in it. Junctions of degree 2 only separate arcs of one edge.
//
//              cell of f
//      ----- piece p ----->  o  --- next(p) --->       twin(p) runs below, from right to left
//              cell of g
//
// Contraction is free: pieces shorter than NC_CONTRACT_LENGTH are not recorded, and next() passes
// over them, so crossings of any degree come out as one junction.
#pragma once

#include "cell.h"

/// The records of one cell: `count` pieces and one record more.
typedef struct NcCell
{
	int begin, count;
} NcCell;

typedef struct NcJunction
{
	NcVec2 position;  ///< in snaps
	double clearance; ///< in snaps
	int degree;
	int piece; ///< one of the pieces that begin here
} NcJunction;

typedef struct NcDiagram
{
	NcSnap snap;
	NcSites sites;
	NcArray(NcCell) side_cells; ///< one per half
	NcArray(NcCell) cone_cells; ///< one per vertex
	NcArray(NcRecord) records;
	NcArray(NcFeature) owners;  ///< per record: whose cell it is
	NcIntArray twins;           ///< per record, or NC_NULL_INDEX
	NcIntArray nexts;           ///< per record with a twin
	NcIntArray junction_of;     ///< per record with a twin: where it begins
	NcArray(NcJunction) junctions;
	int cell_count;
	int unresolved_count; ///< pieces without a twin that are too long to be rounding
} NcDiagram;

/// How to run work on several threads.
typedef struct NcParallel
{
	NcParallelForFn* run; ///< NULL: in the calling thread
	void* context;
	int worker_count;
} NcParallel;

/// Compute everything from the snapped world in `diagram->snap`.
NcStatus nc_diagram_build(NcDiagram* diagram, const NcParallel* parallel);
void nc_diagram_free(NcDiagram* diagram);

static inline NcCell* nc_diagram_cell(const NcDiagram* diagram, NcFeature feature)
{
	int index = nc_feature_index(feature);
	return nc_feature_is_cone(feature) ? &diagram->cone_cells.data[index]
									   : &diagram->side_cells.data[index];
}

/// The point of a feature that is closest to a point of its cell, in snaps.
NcVec2 nc_diagram_compute_foot(const NcDiagram* diagram, NcFeature feature, NcVec2 p);
