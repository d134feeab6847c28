// SPDX-License-Identifier: MIT
// From finished envelopes to the records of a cell: see border.h.

#include "border.h"

#include "check.h"
#include "corner.h"

// Tiny pieces are contracted. Most are rounding, and whether they exist can depend on the order of
// insertion; then what is left must not depend on them, and the neighbours are continued to where
// they meet. Some are real, and continuing a steep neighbour over them would lead far away: then it
// keeps its own end. A border that is moved by less than this, in snaps, was moved by rounding.
#define ROUNDING_LENGTH 1e-3

// The functions of two walls that are nearly in line cross this far from the right place, at worst.
#define CORNER_ROUNDING_LENGTH 1.0

// Whether a border that a piece has at t0 may as well be at t1.
static bool is_rounding(
	const NcFrame* f, const NcPiece* piece, double t0, double t1, double max_length)
{
	NcVec2 a = nc_frame_position(f, piece, t0);
	NcVec2 b = nc_frame_position(f, piece, t1);
	return nc_length_squared(nc_sub(b, a)) < max_length * max_length;
}

static NcVec2 get_side_normal(const NcSites* sites, NcFeature side)
{
	int half = nc_feature_index(side);
	NcVec2 n = nc_direction_normal(sites->walls.data[half >> 1].direction);
	return (half & 1) ? nc_scale(-1.0, n) : n;
}

// Where the bisector of two walls that meet in a corner E has the same distance from this cell's
// own feature. With n the direction of the bisector, and c the cosine of its angle to the walls'
// normals, the points E + l n are at distance l c from both walls. The functions of two walls that
// are nearly in line are nearly the same, and where they are equal is anybody's guess; this is not.
static double compute_corner_joint(
	const NcCellWorker* w, const NcSites* sites, NcFeature p, NcFeature q, NcVec2 corner)
{
	const NcFrame* f = &w->frame;
	NcVec2 normal = get_side_normal(sites, p);
	NcVec2 n = nc_normalize(nc_add(normal, get_side_normal(sites, q)));
	double c = nc_dot(n, normal);
	NcVec2 e = nc_sub(corner, f->origin);
	NcVec2 n_frame = nc_to_frame(f, n);
	if (!f->is_cone)
	{
		// y + l n_y = l c
		double y = (f->side.x * e.y - f->side.y * e.x) * f->side.inverse_length;
		double x = (f->side.x * e.x + f->side.y * e.y) * f->side.inverse_length;
		return x + y / (c - n_frame.y) * n_frame.x;
	}
	// |e + l n| = l c: the smaller root of (1 - c^2) l^2 - 2 m l + |e|^2 = 0
	double ee = nc_dot(e, e);
	double m = -nc_dot(e, n);
	double root = sqrt(nc_max(m * m - (1.0 - c * c) * ee, 0.0));
	double l = ee / (m + root);
	NcVec2 point = nc_mul_add(nc_to_frame(f, e), l, n_frame);
	return nc_half_tangent(point.x, point.y, nc_length(point));
}

// Find the corner in which the walls of two sides meet, if they do.
static bool find_corner(const NcSites* sites, NcFeature p, NcFeature q, NcVec2* corner)
{
	if (nc_feature_is_cone(p) || nc_feature_is_cone(q))
	{
		return false;
	}
	const int* v = sites->snap->fragments.data[nc_feature_index(p) >> 1].vertices;
	const int* u = sites->snap->fragments.data[nc_feature_index(q) >> 1].vertices;
	int shared = v[0] == u[0] || v[0] == u[1]   ? v[0]
				 : v[1] == u[0] || v[1] == u[1] ? v[1]
												: NC_NULL_INDEX;
	if (shared == NC_NULL_INDEX)
	{
		return false;
	}
	*corner = nc_point_to_vec2(sites->snap->vertices.data[shared].point);
	return true;
}

// Where the functions of two pieces are equal, near a parameter. @return false if nowhere
static bool find_crossing(const NcPiece* p, const NcPiece* q, double near, double* crossing)
{
	double roots[2];
	int count = nc_piece_intersect(p, q, roots);
	bool is_second = count == 2 && fabs(roots[1] - near) < fabs(roots[0] - near);
	*crossing = count > 0 ? roots[is_second] : near;
	return count > 0;
}

// Decide where two pieces meet that follow each other, perhaps with tiny ones in between. What
// these are, and which of several reasons ended a piece first where they coincide, is rounding. So
// neighbours along an obstacle meet in the foot condition that both have, walls with a common
// corner on their bisector, and others where their functions are equal.
static void join(
	const NcCellWorker* w, const NcSites* sites, NcBorderPiece* left, NcBorderPiece* right)
{
	const NcFrame* f = &w->frame;
	double joint = left->piece.valid_hi;
	double max_length = ROUNDING_LENGTH;
	NcVec2 corner;
	if (joint != right->piece.valid_lo)
	{
		// With nothing in between, two walls of a corner have no other place to meet.
		if (left->hi == right->lo && find_corner(sites, left->piece.id, right->piece.id, &corner))
		{
			joint = compute_corner_joint(w, sites, left->piece.id, right->piece.id, corner);
			max_length = CORNER_ROUNDING_LENGTH;
		}
		else if (!find_crossing(&left->piece, &right->piece, left->hi, &joint))
		{
			return;
		}
	}
	if (joint == left->hi && joint == right->lo)
	{
		return;
	}
	if (is_rounding(f, &left->piece, left->hi, joint, max_length) &&
		is_rounding(f, &right->piece, right->lo, joint, max_length))
	{
		left->hi = right->lo = joint;
	}
}

static bool is_same_function(const NcPiece* p, const NcPiece* q)
{
	return p->id == q->id && p->a == q->a && p->b == q->b && p->c == q->c;
}

// Append the envelope to the pieces gathered so far: long sides are computed in parts.
void nc_border_gather(NcCellWorker* w)
{
	const NcPiece* p = w->envelope.pieces.data;
	int n = w->envelope.count;
	if (w->gathered.count > 0)
	{
		--w->gathered.count; // the end of the part before is the beginning of this one
	}
	for (int i = 0; i <= n; ++i)
	{
		bool goes_on = i < n && w->gathered.count > 0 &&
					   is_same_function(&w->gathered.data[w->gathered.count - 1], &p[i]);
		if (!goes_on)
		{
			nc_array_push(&w->gathered, p[i]);
		}
	}
	w->finished = w->gathered.data;
	w->finished_count = w->gathered.count - 1;
}

void nc_border_take(NcCellWorker* w)
{
	w->finished = w->envelope.pieces.data;
	w->finished_count = w->envelope.count;
}

// A piece that is rounding is so even if it looks long because it is steep.
static bool is_tiny(const NcFrame* f, const NcPiece* piece)
{
	double lo = piece[0].lo;
	double hi = piece[1].lo;
	if (hi - lo <= NC_PARAMETER_ERROR * nc_max(fabs(lo), fabs(hi)))
	{
		return true;
	}
	NcVec2 from = nc_frame_position(f, piece, lo);
	NcVec2 to = nc_frame_position(f, piece, hi);
	return nc_length_squared(nc_sub(to, from)) < NC_CONTRACT_LENGTH * NC_CONTRACT_LENGTH;
}

static void extend_ends(NcCellWorker* w, int first, int last)
{
	const NcFrame* f = &w->frame;
	const NcPiece* p = w->finished;
	int n = w->finished_count;
	NcBorderPiece* begin = &w->border.data[first];
	NcBorderPiece* end = &w->border.data[last];
	if (is_rounding(f, &begin->piece, begin->lo, p[0].lo, ROUNDING_LENGTH))
	{
		begin->lo = p[0].lo;
	}
	if (is_rounding(f, &end->piece, end->hi, p[n].lo, ROUNDING_LENGTH))
	{
		end->hi = p[n].lo;
	}
}

// Copy the finished pieces to the border, and mark those that are tiny.
// @param is_open both ends are cuts in the middle of a cell, where pieces may be longer than they
// look
static void contract(NcCellWorker* w, const NcSites* sites, bool is_open)
{
	const NcFrame* f = &w->frame;
	const NcPiece* p = w->finished;
	int n = w->finished_count;
	int first = NC_NULL_INDEX;
	int last = NC_NULL_INDEX;
	w->border.count = 0;
	if (!nc_array_reserve(&w->border, n))
	{
		return;
	}
	for (int i = 0; i < n; ++i)
	{
		bool is_at_cut = is_open && (i == 0 || i == n - 1);
		NcBorderPiece* piece = &w->border.data[w->border.count++];
		*piece = (NcBorderPiece){.lo = p[i].lo,
			.hi = p[i + 1].lo,
			.piece = p[i],
			.is_tiny = !is_at_cut && is_tiny(f, &p[i])};
		if (!piece->is_tiny)
		{
			first = first == NC_NULL_INDEX ? i : first;
			if (last != NC_NULL_INDEX)
			{
				join(w, sites, &w->border.data[last], piece);
			}
			last = i;
		}
	}
	if (first != NC_NULL_INDEX)
	{
		extend_ends(w, first, last);
	}
}

static void push_record(NcCellWorker* w, NcVec2 position, NcFeature neighbor, bool is_tiny)
{
	NcRecord record = {position, neighbor, is_tiny ? NC_TINY : NC_NULL_INDEX, NC_NULL_INDEX,
		NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX};
	nc_array_push(&w->records, record);
}

// How fast a border moves with its parameter. A joint is where the flatter of its two pieces says:
// the parameter has rounding errors, and a steep piece makes much of them.
static double compute_steepness(const NcPiece* piece, double t)
{
	return fabs(2.0 * piece->a * t + piece->b);
}

static NcVec2 compute_joint_position(
	const NcFrame* f, const NcBorderPiece* p, const NcBorderPiece* q, double t)
{
	bool is_flatter = compute_steepness(&p->piece, t) < compute_steepness(&q->piece, t);
	return nc_frame_position(f, is_flatter ? &p->piece : &q->piece, t);
}

// The next piece of the border that is not tiny, or NULL.
static const NcBorderPiece* find_next_piece(const NcCellWorker* w, int k, int step)
{
	for (int i = k + step; i >= 0 && i < w->border.count; i += step)
	{
		if (!w->border.data[i].is_tiny)
		{
			return &w->border.data[i];
		}
	}
	return NULL;
}

// Where a piece begins, if `toward` is the opposite of the walking direction, or ends.
static NcVec2 compute_end(const NcCellWorker* w, int k, int toward)
{
	const NcBorderPiece* piece = &w->border.data[k];
	double t = toward > 0 ? piece->hi : piece->lo;
	const NcBorderPiece* other = find_next_piece(w, k, toward);
	bool is_joined = other != NULL && (toward > 0 ? other->lo : other->hi) == t;
	return is_joined ? compute_joint_position(&w->frame, piece, other, t)
					 : nc_frame_position(&w->frame, &piece->piece, t);
}

// Append the records of the border, in rising (step 1) or falling (-1) order of the parameter. A
// tiny piece is where the piece before it ends.
static void emit(NcCellWorker* w, int step)
{
	int n = w->border.count;
	NcVec2 end = w->frame.origin;
	for (int i = 0; i < n; ++i)
	{
		int k = step > 0 ? i : n - 1 - i;
		const NcBorderPiece* b = &w->border.data[k];
		bool is_lost = b->is_tiny && i > 0;
		NcVec2 position = is_lost ? end : compute_end(w, k, -step);
		push_record(w, position, b->piece.id, b->is_tiny);
		end = b->is_tiny ? position : compute_end(w, k, step);
	}
	push_record(w, end, NC_NULL_INDEX, false);
}

// The common case: no piece is tiny, and every joint is already where it belongs. Then the result
// is that of contract() and emit(), without the detours.

// A piece over a smaller share of its parameter is too steep to tell its length from its joints.
#define STEEP_SHARE 1e-9

static bool is_steep(const NcPiece* piece)
{
	double lo = piece[0].lo;
	double hi = piece[1].lo;
	return hi - lo < STEEP_SHARE * nc_max(fabs(lo), fabs(hi));
}

// Whether two neighbouring pieces meet where join() would have them meet.
static bool is_joined(const NcSites* sites, const NcPiece* left, const NcPiece* right)
{
	if (left->valid_hi == right->valid_lo)
	{
		return right->lo == right->valid_lo;
	}
	NcVec2 corner;
	return right->cut_by == left->id && !find_corner(sites, left->id, right->id, &corner);
}

// Lengths are measured between joints, and not along one piece as is_tiny() does: the margin is
// larger than the difference.
#define SHORT_LENGTH (1.2 * NC_CONTRACT_LENGTH)

// Append the records of a border without tiny pieces, in rising (step 1) or falling order of the
// parameter. @return false, and nothing is appended, if it is not that simple
static bool emit_simple(NcCellWorker* w, const NcSites* sites, const NcPiece* p, int n, int step)
{
	int begin = w->records.count;
	if (!nc_array_reserve(&w->records, begin + n + 1LL))
	{
		return false;
	}
	NcRecord* records = w->records.data + begin;
	NcVec2 before = {0.0, 0.0};
	for (int i = 0; i <= n; ++i)
	{
		bool is_end = i == 0 || i == n;
		if ((!is_end && !is_joined(sites, &p[i - 1], &p[i])) || (i < n && is_steep(&p[i])))
		{
			return false;
		}
		double t = p[i].lo;
		bool is_left = i == n;
		if (!is_end)
		{
			double left = compute_steepness(&p[i - 1], t);
			double right = compute_steepness(&p[i], t);
			is_left = step > 0 ? !(right < left) : left < right;
		}
		NcVec2 position = nc_frame_position(&w->frame, is_left ? &p[i - 1] : &p[i], t);
		if (i > 0 && nc_length_squared(nc_sub(position, before)) < SHORT_LENGTH * SHORT_LENGTH)
		{
			return false;
		}
		before = position;
		int k = step > 0 ? i : n - i;
		int piece = step > 0 ? i : i - 1;
		records[k] = (NcRecord){position, piece >= 0 && piece < n ? p[piece].id : NC_NULL_INDEX,
			NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX};
	}
	w->records.count += n + 1;
	return true;
}

void nc_border_emit_side(NcCellWorker* w, const NcSites* sites, int half)
{
	int begin = w->records.count;
	if (!emit_simple(w, sites, w->finished, w->finished_count, 1))
	{
		contract(w, sites, false);
		emit(w, 1);
	}
	if (!w->records.failed)
	{
		nc_corner_close(w, sites, half, begin);
	}
}

void nc_border_emit_cone(NcCellWorker* w, const NcSites* sites, bool is_open)
{
	if (is_open || !emit_simple(w, sites, w->finished, w->finished_count, -1))
	{
		contract(w, sites, is_open);
		emit(w, -1);
	}
}

// Join what belongs to one neighbour where the two halves meet, and find out anew what is tiny. The
// border of a full cone is a ring.
void nc_border_close_ring(NcCellWorker* w, int begin)
{
	NcRecord* r = w->records.data + begin;
	int n = w->records.count - begin;
	int count = 0;
	for (int i = 0; i < n; ++i)
	{
		bool goes_on = count > 0 && r[count - 1].neighbor == r[i].neighbor;
		if (r[i].neighbor != NC_NULL_INDEX && !goes_on)
		{
			r[count++] = r[i];
		}
	}
	if (count > 1 && r[0].neighbor == r[count - 1].neighbor)
	{
		--count;
		r[0] = r[count];
	}
	for (int i = 0; i < count; ++i)
	{
		NcVec2 end = r[i + 1 < count ? i + 1 : 0].position;
		bool is_short = nc_distance(r[i].position, end) < NC_CONTRACT_LENGTH;
		r[i].twin = is_short ? NC_TINY : NC_NULL_INDEX;
	}
	w->records.count = begin + count;
	if (count > 0)
	{
		push_record(w, r[0].position, NC_NULL_INDEX, false);
	}
}
