// SPDX-License-Identifier: MIT
// The lower envelope of quadratic pieces over an interval: the border of one cell.
//
// Use statistics: a cell sees about eight insertions and ends with three or four pieces, so pieces
// lie in a flat buffer and an insertion copies them into a second one. Most candidates change
// nothing; finding that out comes first and is the inner loop of the whole library.
#pragma once

#include "array.h"

/// The function a t^2 + b t + c, from `lo` to the `lo` of the next piece.
typedef struct NcPiece
{
	double lo;
	double a, b, c;
	double valid_lo, valid_hi; ///< the interval over which it was inserted
	int id;                    ///< who contributed it
} NcPiece;

typedef struct NcEnvelope
{
	NcArray(NcPiece) pieces; ///< `count` pieces and one more, whose `lo` is the end of the interval
	NcArray(NcPiece) spare;
	int count;
	int change_count; ///< grows with every change
} NcEnvelope;

/// Start over with one piece over [lo, hi].
/// @return whether there was memory for it
bool nc_envelope_reset(NcEnvelope* envelope, double lo, double hi, NcPiece everywhere);
void nc_envelope_free(NcEnvelope* envelope);

/// Take the minimum with a t^2 + b t + c over [lo, hi]. Bounds outside of the interval are cut.
/// @param piece `lo` is the lower bound
void nc_envelope_insert(NcEnvelope* envelope, NcPiece piece, double hi);

/// Whether a t^2 + b t + c is below the envelope anywhere.
bool nc_envelope_is_above(const NcEnvelope* envelope, double a, double b, double c);

static inline double nc_piece_evaluate(const NcPiece* piece, double t)
{
	return (piece->a * t + piece->b) * t + piece->c;
}

/// Where two functions are equal, in rising order. The same two functions give the same bits in
/// either order.
/// @return how many: 0, 1 or 2
int nc_piece_intersect(const NcPiece* p, const NcPiece* q, double roots[2]);
