// SPDX-License-Identifier: MIT
// The lower envelope of quadratic pieces: see envelope.h.

#include "envelope.h"

#include "check.h"

#include <math.h>

// An insertion cuts each of n pieces into at most three, and adds two.
#define ROOM_FOR(count) (3 * (count) + 8)

static bool reserve(NcEnvelope* envelope)
{
	int room = ROOM_FOR(envelope->count);
	return nc_array_reserve(&envelope->pieces, room) && nc_array_reserve(&envelope->spare, room);
}

bool nc_envelope_reset(NcEnvelope* envelope, double lo, double hi, NcPiece everywhere)
{
	envelope->count = 1;
	envelope->lo = lo;
	envelope->hi = hi;
	envelope->near_lo = lo + NC_PARAMETER_ERROR * fabs(lo);
	envelope->near_hi = hi - NC_PARAMETER_ERROR * fabs(hi);
	++envelope->change_count;
	if (!reserve(envelope))
	{
		return false;
	}
	envelope->pieces.data[0] = everywhere;
	envelope->pieces.data[0].lo = lo;
	envelope->pieces.data[0].cut_by = NC_NULL_INDEX;
	envelope->pieces.data[1] = (NcPiece){.lo = hi, .id = NC_NULL_INDEX};
	return true;
}

void nc_envelope_free(NcEnvelope* envelope)
{
	nc_array_free(&envelope->pieces);
	nc_array_free(&envelope->spare);
}

int nc_piece_intersect(const NcPiece* p, const NcPiece* q, double roots[2])
{
	// The first of the two is the one that is higher far away, whichever was given first.
	double sign = p->a < q->a ? -1.0 : 1.0;
	double a = sign * (p->a - q->a);
	double b = sign * (p->b - q->b);
	double c = sign * (p->c - q->c);
	if (a == 0.0)
	{
		roots[0] = -c / b;
		return b != 0.0;
	}
	double discriminant = b * b - 4.0 * a * c;
	if (!(discriminant > 0.0))
	{
		return 0;
	}

	// The larger root in magnitude first: nothing cancels.
	double root = sqrt(discriminant);
	double t = -0.5 * (b + (b >= 0.0 ? root : -root));
	double x = t / a;
	double y = t != 0.0 ? c / t : x;
	roots[0] = x < y ? x : y;
	roots[1] = x < y ? y : x;
	return 2;
}

// Append a piece to the new envelope, joining it with a predecessor that is the same function.
static inline int append(NcPiece* out, int count, const NcPiece* piece, double lo, int cut_by)
{
	if (count > 0)
	{
		const NcPiece* last = &out[count - 1];
		if (last->id == piece->id && last->a == piece->a && last->b == piece->b &&
			last->c == piece->c)
		{
			return count;
		}
	}
	out[count] = *piece;
	out[count].lo = lo;
	out[count].cut_by = cut_by;
	return count + 1;
}

// Append what remains of one old piece over [l, h] and the new one, which cross: whoever is lower
// in between the places where they are equal.
// @param cut_by that of the old piece at l
static int append_crossing(NcPiece* out, int count, const NcPiece* old, const NcPiece* fresh,
	double l, double h, int cut_by)
{
	double cuts[4] = {l};
	int cut_count = 1;
	double roots[2];
	int root_count = nc_piece_intersect(fresh, old, roots);
	for (int i = 0; i < root_count; ++i)
	{
		if (roots[i] > cuts[cut_count - 1] && roots[i] < h)
		{
			cuts[cut_count++] = roots[i];
		}
	}
	cuts[cut_count] = h;

	for (int i = 0; i < cut_count; ++i)
	{
		double middle = 0.5 * (cuts[i] + cuts[i + 1]);
		double difference =
			((fresh->a - old->a) * middle + (fresh->b - old->b)) * middle + (fresh->c - old->c);
		bool is_lower = difference < 0.0;
		int other = i > 0 ? (is_lower ? old->id : fresh->id) : is_lower ? NC_NULL_INDEX : cut_by;
		count = append(out, count, is_lower ? fresh : old, cuts[i], other);
	}
	return count;
}

// Append the minimum of one old piece and the new one over [l, h]. Mostly one of them is lower all
// along: a difference that is below zero at both ends and does not bulge upwards is so in between.
static inline int append_minimum(
	NcPiece* out, int count, const NcPiece* old, const NcPiece* fresh, double l, double h)
{
	double a = fresh->a - old->a;
	double b = fresh->b - old->b;
	double c = fresh->c - old->c;
	if (a >= 0.0 && (a * l + b) * l + c < 0.0 && (a * h + b) * h + c < 0.0)
	{
		return append(out, count, fresh, l, NC_NULL_INDEX);
	}
	int cut_by = l > old->lo ? NC_NULL_INDEX : old->cut_by;
	return nc_dips(a, b, c, l, h) ? append_crossing(out, count, old, fresh, l, h, cut_by)
								  : append(out, count, old, l, cut_by);
}

// Replace pieces by a new one where it is below them, from piece `first` on.
static void replace(NcEnvelope* envelope, const NcPiece* fresh, double hi, int first)
{
	if (!reserve(envelope))
	{
		return;
	}
	NcPiece* p = envelope->pieces.data;
	NcPiece* out = envelope->spare.data;
	int n = envelope->count;
	int count = 0;
	for (; count < first; ++count)
	{
		out[count] = p[count];
	}

	int k = first;
	for (; k < n; ++k)
	{
		double l = p[k].lo > fresh->lo ? p[k].lo : fresh->lo;
		double h = p[k + 1].lo < hi ? p[k + 1].lo : hi;
		if (!(h > l))
		{
			break;
		}
		if (l > p[k].lo)
		{
			count = append(out, count, &p[k], p[k].lo, p[k].cut_by);
		}
		count = append_minimum(out, count, &p[k], fresh, l, h);
		if (h < p[k + 1].lo)
		{
			count = append(out, count, &p[k], h, NC_NULL_INDEX);
		}
	}
	if (k < n)
	{
		count = append(out, count, &p[k], p[k].lo, p[k].cut_by);
		++k;
	}
	for (; k <= n; ++k)
	{
		out[count++] = p[k];
	}

	envelope->count = count - 1;
	++envelope->change_count;
	int capacity = envelope->pieces.capacity;
	envelope->pieces.data = out;
	envelope->pieces.capacity = envelope->spare.capacity;
	envelope->spare.data = p;
	envelope->spare.capacity = capacity;
}

void nc_envelope_lower(NcEnvelope* envelope, const NcPiece* fresh, double hi)
{
	const NcPiece* p = envelope->pieces.data;
	int k = 0;
	while (p[k + 1].lo <= fresh->lo)
	{
		++k;
	}
	for (int n = envelope->count; k < n && p[k].lo < hi; ++k)
	{
		double l = p[k].lo > fresh->lo ? p[k].lo : fresh->lo;
		double h = p[k + 1].lo < hi ? p[k + 1].lo : hi;
		if (nc_dips(fresh->a - p[k].a, fresh->b - p[k].b, fresh->c - p[k].c, l, h))
		{
			replace(envelope, fresh, hi, k);
			return;
		}
	}
}
