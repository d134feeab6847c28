// SPDX-License-Identifier: MIT
// The lower envelope of quadratic pieces over an interval: the border of one cell.
//
// Use statistics: a cell sees about eight insertions and ends with three or four pieces, so pieces
// lie in a flat buffer and an insertion copies them into a second one. Most candidates change
// nothing; finding that out comes first and is the inner loop of the whole library.
#pragma once

#include "array.h"

/// Bounds of pieces have some units in the last place of error. A piece that is not longer than
/// this share of its parameter is rounding.
#define NC_PARAMETER_ERROR 2e-15

/// The function a t^2 + b t + c, from `lo` to the `lo` of the next piece.
typedef struct NcPiece
{
	double lo;
	double a, b, c;
	double valid_lo, valid_hi; ///< the interval over which it was inserted
	int id;                    ///< who contributed it
	int cut_by; ///< `lo` is where it is equal to the piece of this one, who was there first
} NcPiece;

typedef struct NcEnvelope
{
	NcArray(NcPiece) pieces; ///< `count` pieces and one more, whose `lo` is the end of the interval
	NcArray(NcPiece) spare;
	int count;
	int change_count;        ///< grows with every change
	double lo, hi;           ///< the interval
	double near_lo, near_hi; ///< what is outside of these is at its ends, up to rounding
} NcEnvelope;

/// Start over with one piece over [lo, hi].
/// @return whether there was memory for it
bool nc_envelope_reset(NcEnvelope* envelope, double lo, double hi, NcPiece everywhere);
void nc_envelope_free(NcEnvelope* envelope);

/// Whether the difference a t^2 + b t + c is negative anywhere in [l, h]: at an end, or at its
/// lowest point in between. Written without branches.
static inline int nc_dips(double a, double b, double c, double l, double h)
{
	double a2 = a + a;
	return ((a * l + b) * l + c < 0.0) | ((a * h + b) * h + c < 0.0) |
		   ((b * b > 2.0 * a2 * c) & (-b > a2 * l) & (-b < a2 * h) & (a > 0.0));
}

/// Take the minimum with a piece from its `lo` to `hi`, which lie within the interval: the second
/// half of nc_envelope_insert().
void nc_envelope_lower(NcEnvelope* envelope, const NcPiece* fresh, double hi);

/// Take the minimum with a t^2 + b t + c over [lo, hi]. Bounds outside of the interval are cut, and
/// those at its ends up to rounding are at its ends.
/// Most pieces end here, because nothing is left of them: that much is inline.
/// @param piece `lo` is the lower bound
static inline void nc_envelope_insert(NcEnvelope* envelope, NcPiece piece, double hi)
{
	if (!(hi > envelope->near_lo && piece.lo < envelope->near_hi))
	{
		return;
	}
	double lo = piece.lo < envelope->near_lo ? envelope->lo : piece.lo;
	double cut_hi = hi > envelope->near_hi ? envelope->hi : hi;
	if (cut_hi > lo)
	{
		piece.valid_lo = piece.lo;
		piece.valid_hi = hi;
		piece.lo = lo;
		nc_envelope_lower(envelope, &piece, cut_hi);
	}
}

/// Whether a t^2 + b t + c is below the envelope anywhere.
static inline bool nc_envelope_is_above(const NcEnvelope* envelope, double a, double b, double c)
{
	const NcPiece* p = envelope->pieces.data;
	int result = 0;
	for (int k = 0; k < envelope->count; ++k)
	{
		result |= nc_dips(a - p[k].a, b - p[k].b, c - p[k].c, p[k].lo, p[k + 1].lo);
	}
	return result != 0;
}

static inline double nc_piece_evaluate(const NcPiece* piece, double t)
{
	return (piece->a * t + piece->b) * t + piece->c;
}

/// Where two functions are equal, in rising order. The same two functions give the same bits in
/// either order.
/// @return how many: 0, 1 or 2
int nc_piece_intersect(const NcPiece* p, const NcPiece* q, double roots[2]);
