// SPDX-License-Identifier: MIT
// All cells, stitched into one graph: the generalized Voronoi diagram of the free space.
//
// Terms:
//   piece     a stretch of a cell border with one neighbour, named by its first record. It runs
//   with
//             its own cell on the right and the neighbour on the left.
//   twin      the same stretch as seen from the neighbour, in the opposite direction. Pieces
//   without
//             a twin are not part of the diagram: they are too short for both cells to see them.
//   linked    has a twin.
//   next      the linked piece that goes on where a linked piece ends, along the same obstacle.
//   junction  a point where pieces meet: an orbit of piece -> next(twin(piece)), which goes through
//             all linked pieces that begin in it. Junctions of degree 2 separate arcs of one edge.
//
//              cell of f
//      ----- piece p ----->  o  --- next(p) --->       twin(p) runs below, from right to left
//              cell of g
//
// Contraction is free: tiny pieces are not linked, and next() passes over them, so crossings of any
// degree come out as one junction.
//
// Everything that decides about the result does so by coordinates, never by indices, so the diagram
// has the same bits for every order of edits and threads.
#pragma once

#include "cell.h"
#include "parallel_loop.h"

/// The records of one cell: `count` pieces and one record more, in a range of `capacity` records.
typedef struct NcCell
{
	int begin, count, capacity;
} NcCell;

typedef struct NcJunction
{
	NcVec2 position;  ///< in snaps
	double clearance; ///< in snaps
	int degree;       ///< 0: the slot is empty
	int piece;        ///< one of the pieces that begin here
} NcJunction;

/// Ranges of records have some fixed capacities, so that they can be reused: even ones up to 64,
/// and powers of two beyond.
#define NC_RANGE_CLASSES 56

/// The smallest capacity for a number of records, and the class of a capacity.
int nc_range_capacity(int record_count);
int nc_range_class(int capacity);

typedef struct NcDiagram
{
	NcSnap snap;
	NcSites sites;
	NcArray(NcCell) side_cells; ///< one per half
	NcArray(NcCell) cone_cells; ///< one per vertex
	NcArray(NcRecord) records;
	NcArray(NcJunction) junctions;
	NcIntArray free_junctions;
	NcIntArray free_ranges[NC_RANGE_CLASSES];
} NcDiagram;

/// Compute everything from the snapped world in `diagram->snap`.
NcStatus nc_diagram_build(NcDiagram* diagram, const NcParallel* parallel);
void nc_diagram_free(NcDiagram* diagram);

static inline NcCell* nc_diagram_cell(const NcDiagram* diagram, NcFeature feature)
{
	int index = nc_feature_index(feature);
	return nc_feature_is_cone(feature) ? &diagram->cone_cells.data[index]
									   : &diagram->side_cells.data[index];
}

/// All features are below this number.
static inline int nc_diagram_get_feature_range(const NcDiagram* diagram)
{
	int side_range = nc_side_feature(diagram->side_cells.count);
	int cone_range = nc_cone_feature(diagram->cone_cells.count);
	return side_range > cone_range ? side_range : cone_range;
}

static inline int nc_piece_twin(const NcDiagram* diagram, int piece)
{
	return diagram->records.data[piece].twin;
}

static inline int nc_piece_next(const NcDiagram* diagram, int piece)
{
	return diagram->records.data[piece].next;
}

/// In whose cell a linked piece is.
static inline NcFeature nc_piece_owner(const NcDiagram* diagram, int piece)
{
	return diagram->records.data[diagram->records.data[piece].twin].neighbor;
}

static inline bool nc_piece_is_linked(const NcDiagram* diagram, int piece)
{
	return diagram->records.data[piece].twin >= 0;
}

/// The junction in which a linked piece begins.
static inline const NcJunction* nc_piece_junction(const NcDiagram* diagram, int piece)
{
	return &diagram->junctions.data[diagram->records.data[piece].junction];
}

/// The next linked piece that begins in the same junction, counter-clockwise.
static inline int nc_piece_around(const NcDiagram* diagram, int piece)
{
	return diagram->records.data[diagram->records.data[piece].twin].next;
}

/// The point of a feature that is closest to a point of its cell, in snaps.
NcVec2 nc_diagram_compute_foot(const NcDiagram* diagram, NcFeature feature, NcVec2 p);

/// The piece that is the twin of a piece, or NC_NULL_INDEX: each must be the best match of the
/// other.
/// @param owner in whose cell the piece is
int nc_diagram_find_twin(const NcDiagram* diagram, NcFeature owner, int piece);

/// The first linked piece of a cell at or after a record, or NC_NULL_INDEX.
int nc_diagram_find_linked(const NcDiagram* diagram, const NcCell* cell, int from);

/// The piece after the last linked piece of a cell.
int nc_diagram_find_first_after(const NcDiagram* diagram, NcFeature feature);

/// The junction in which a piece begins, from the links of all pieces around it.
NcJunction nc_diagram_compute_junction(const NcDiagram* diagram, int piece);

/// How many cells there are. Costs time proportional to the diagram, like the next one.
int nc_diagram_count_cells(const NcDiagram* diagram);

/// How many pieces without a twin are too long to be rounding: zero unless something is wrong.
int nc_diagram_count_unresolved(const NcDiagram* diagram);
