// SPDX-License-Identifier: MIT
// The cell of one feature: all free points that are nearer to it than to any other.
//
// The cell of a side, in coordinates t along the side and h away from it, is {0 <= h <= f(t)},
// where f is the lower envelope of one function for each other feature:
//
//   a point (x, y)                       ((t - x)^2 + y^2) / (2 y)
//   a line with unit normal n at signed
//   distance s(t) from (t, 0)            s / (1 - n_h)
//
// each only where its own foot is valid: where the nearest point of that feature is really its own,
// and not that of its neighbour along the wall. The cell of a cone, in directions u, is
// {r <= 1 / w(u)}, with w = 2 q.u / |q|^2 for a point q and (1 - n.u) / d for a line at distance d.
// With s = tan(angle / 2), w (1 + s^2) is a quadratic in s: the same envelope serves, upside down.
//
// A cell is a function of the set of sites: insertion, deletion and building are the same code.
// Candidates come from the grid, ring by ring, until the discs of the cell border are covered.
//
// This work is based on:
// Pinto, Freitas. Dynamic Voronoi diagram of complex sites. 2011
#pragma once

#include "frame.h"
#include "nav_corridor/map.h"

/// Pieces of a cell border shorter than this, in snaps, are contracted into one vertex. Real edges
/// shorter than that do not matter to anybody (a hundredth of a millimetre), rounding makes false
/// ones of up to about 1e-5. Not a power of two, because lengths in regular worlds are.
#define NC_CONTRACT_LENGTH 0.0131

/// Where a piece of a cell border begins, and what that piece is to the diagram. The pieces of a
/// cell are consecutive records and one more, the end of the last piece. They run with the cell on
/// their right, in the direction in which nc_feature_next() walks.
///
/// Computing a cell sets the first three fields, diagram.h has the terms of the others.
typedef struct NcRecord
{
	NcVec2 position;    ///< in snaps
	NcFeature neighbor; ///< who is on the left of the piece; NC_NULL_INDEX in the last record
	int twin;           ///< NC_TINY: contracted, never has one, but its neighbour is a neighbour
	int next;           ///< of linked pieces, like all that follow
	int junction;       ///< where it begins
	int edge;           ///< of the graph, see graph.h, or NC_NULL_INDEX
	int arc;            ///< which arc of that edge
} NcRecord;

/// Two cells that agree on an end of their common border agree this well, in snaps. Pieces that are
/// not tiny are much longer.
#define NC_SAME_PLACE 1e-4

/// Instead of a twin.
#define NC_TINY (-2)

static inline bool nc_record_is_tiny(const NcRecord* record)
{
	return record->twin == NC_TINY;
}

/// A piece of the finished border, with its own ends.
typedef struct NcBorderPiece
{
	double lo, hi;
	NcPiece piece;
	bool is_tiny; ///< shorter than NC_CONTRACT_LENGTH
} NcBorderPiece;

/// What is known about the border of a cell before it is computed. A good guess at a neighbour
/// makes the search short; a bad one only costs its try.
typedef struct NcHint
{
	NcFeature neighbor;
	int piece; ///< the worker's own record of their border, or NC_NULL_INDEX if this is a guess
} NcHint;

/// A disc around a point of the border that touches the feature, in snaps.
typedef struct NcDisc
{
	NcVec2 center;
	double radius;
} NcDisc;

/// The working memory of one thread.
typedef struct NcCellWorker
{
	NcEnvelope envelope;
	NcArray(uint32_t) stamps; ///< per fragment: the search that saw it last
	uint32_t stamp;
	int own_wall;                   ///< that the feature belongs to, as `candidates` count them
	const NcCandidates* candidates; ///< groups of walls that replace the grid, or NULL
	NcArray(NcHint) hints;          ///< about the feature to be computed next, set by the caller
	NcIntArray heads;               ///< per feature: see hint.c
	bool is_listed; ///< nobody but the hints and these can be a neighbour: nothing is searched
	NcIntArray listed_walls, listed_cones; ///< fragments and vertices, set by the caller
	bool is_far;           ///< the candidates being tried are two grid cells away or more
	NcBox search_box;      ///< contains all discs of the present envelope, in snaps
	NcArray(NcDisc) discs; ///< at all ends of the pieces of the present envelope
	NcFrame frame;
	NcArray(NcRecord) records;     ///< results are appended here
	NcArray(NcPiece) gathered;     ///< the envelopes of all parts of a long side
	const NcPiece* finished;       ///< the finished border: `gathered`, or the envelope itself
	int finished_count;            ///< how many pieces that has, without its end
	NcArray(NcBorderPiece) border; ///< the same, with tiny ones marked
} NcCellWorker;

void nc_cell_worker_free(NcCellWorker* worker);

/// Forget all records, and a failure, but keep the memory.
void nc_cell_worker_reset(NcCellWorker* worker);

/// @return whether memory ran out since the worker was created
static inline bool nc_cell_worker_failed(const NcCellWorker* worker)
{
	return worker->envelope.pieces.failed || worker->envelope.spare.failed ||
		   worker->stamps.failed || worker->records.failed || worker->gathered.failed ||
		   worker->border.failed || worker->hints.failed || worker->heads.failed ||
		   worker->listed_walls.failed || worker->listed_cones.failed || worker->discs.failed;
}

/// Compute a cell and append its records.
void nc_cell_compute(NcCellWorker* worker, const NcSites* sites, NcFeature feature);
