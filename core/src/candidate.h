// SPDX-License-Identifier: MIT
// Candidates: what one other feature contributes to the border of a cell. See cell.h for the
// formulas. Everything is inline: this is most of the work of a build.
//
// Two things make this exact enough to need no repair. Numerators are products of whole numbers, so
// whether a wall is in front is exact, and everything else has a small relative error. And where
// one feature hands over to its neighbour along the same obstacle, the border comes from the foot
// condition, computed by the same expression for both of them; their curves touch there, and
// intersecting them would lose half of the digits.
#pragma once

#include "cell.h"

// Whether a candidate from far away would change nothing even if it were valid everywhere. Of near
// ones most do change something, and for them the test is not worth it.
static inline bool nc_candidate_is_hopeless(const NcCellWorker* w, const NcPiece* piece)
{
	return w->is_far && !nc_envelope_is_above(&w->envelope, piece->a, piece->b, piece->c);
}

// Sides.

// The left normal of a direction in the coordinates of a side.
static inline NcVec2 nc_normal_in_side_frame(const NcDirection* side, const NcDirection* d)
{
	double scale = side->inverse_length * d->inverse_length;
	return (NcVec2){
		(d->x * side->y - d->y * side->x) * scale, (d->x * side->x + d->y * side->y) * scale};
}

static inline void nc_side_try_wall(NcCellWorker* w, const NcWall* wall, int fragment)
{
	const NcFrame* f = &w->frame;
	const NcDirection* side = &f->side;
	NcVec2 p = nc_sub(wall->a, f->origin);
	NcVec2 q = nc_sub(wall->b, f->origin);
	double py = side->x * p.y - side->y * p.x;
	double qy = side->x * q.y - side->y * q.x;
	if (py <= 0.0 && qy <= 0.0)
	{
		return;
	}
	double px = (side->x * p.x + side->y * p.y) * side->inverse_length;
	double qx = (side->x * q.x + side->y * q.y) * side->inverse_length;
	py *= side->inverse_length;
	qy *= side->inverse_length;

	// The part of the wall behind the side does not count.
	double px_front = py < 0.0 ? qx + (px - qx) * (qy / (qy - py)) : px;
	double qx_front = qy < 0.0 ? px + (qx - px) * (py / (py - qy)) : qx;
	double py_front = py < 0.0 ? 0.0 : py;
	double qy_front = qy < 0.0 ? 0.0 : qy;

	const NcDirection* d = &wall->direction;
	NcVec2 n = nc_normal_in_side_frame(side, d);
	double s0 = -(d->x * p.y - d->y * p.x) * d->inverse_length;
	double s_begin = s0 + n.x * w->envelope.lo;
	double s_end = s0 + n.x * w->envelope.hi;
	for (int bit = 0; bit < 2; ++bit)
	{
		double g = bit ? -1.0 : 1.0;
		if (!((wall->is_free >> bit) & 1) || (g * s_begin <= 0.0 && g * s_end <= 0.0))
		{
			continue;
		}
		double denominator = nc_one_minus(g * n.x, g * n.y);
		if (!(denominator > 0.0))
		{
			continue;
		}
		double inverse = 1.0 / denominator;
		double k = g * n.x * inverse;
		double t0 = px_front + k * py_front;
		double t1 = qx_front + k * qy_front;
		NcPiece piece = {
			.lo = nc_min(t0, t1),
			.b = k,
			.c = g * s0 * inverse,
			.id = nc_side_feature(2 * fragment + bit),
		};
		nc_envelope_insert(&w->envelope, piece, nc_max(t0, t1));
	}
}

static inline void nc_side_try_cone(NcCellWorker* w, const NcCone* cone, int vertex)
{
	const NcFrame* f = &w->frame;
	const NcDirection* side = &f->side;
	NcVec2 p = nc_sub(cone->apex, f->origin);
	double y = side->x * p.y - side->y * p.x;
	if (y <= 0.0)
	{
		return;
	}
	y *= side->inverse_length;
	double x = (side->x * p.x + side->y * p.y) * side->inverse_length;
	double half_inverse = 0.5 / y;
	NcPiece piece = {
		.a = half_inverse,
		.b = -2.0 * x * half_inverse,
		.c = x * x * half_inverse + 0.5 * y,
		.id = nc_cone_feature(vertex),
	};
	if (nc_cone_is_full(cone))
	{
		piece.lo = -NC_UNBOUNDED;
		nc_envelope_insert(&w->envelope, piece, NC_UNBOUNDED);
		return;
	}

	NcVec2 n0 = nc_normal_in_side_frame(side, &cone->first);
	NcVec2 n1 = nc_normal_in_side_frame(side, &cone->last);
	double d0 = nc_one_minus(n0.x, n0.y);
	double d1 = nc_one_minus(n1.x, n1.y);
	double t0 = d0 > 0.0 ? x + n0.x * (1.0 / d0) * y : -NC_UNBOUNDED;
	double t1 = d1 > 0.0 ? x + n1.x * (1.0 / d1) * y : NC_UNBOUNDED;
	bool contains_up = n0.x > 0.0 && n1.x < 0.0 && d0 > 0.0 && d1 > 0.0;
	if (contains_up)
	{
		// The direction away from the side belongs to t at both infinities.
		piece.lo = t0;
		nc_envelope_insert(&w->envelope, piece, NC_UNBOUNDED);
		piece.lo = -NC_UNBOUNDED;
		nc_envelope_insert(&w->envelope, piece, t1);
		return;
	}
	piece.lo = t0;
	nc_envelope_insert(&w->envelope, piece, t1);
}

// Cones.

// Insert over the directions from lo to hi; an interval that passes the back of the frame is two.
static inline void nc_cone_insert(NcCellWorker* w, NcPiece piece, NcInterval range)
{
	piece.lo = range.lo;
	if (range.lo <= range.hi)
	{
		nc_envelope_insert(&w->envelope, piece, range.hi);
		return;
	}
	nc_envelope_insert(&w->envelope, piece, NC_UNBOUNDED);
	piece.lo = -NC_UNBOUNDED;
	nc_envelope_insert(&w->envelope, piece, range.hi);
}

// The direction, as s, in which the apex sees the point at equal distance from itself and from q
// that lies straight in direction n (a unit vector) from q. With m = -2 q.n that point is a
// positive multiple of m q + |q|^2 n, whose length is |q|^2. Needs m > 0.
static inline double nc_compute_foot_junction(
	const NcFrame* f, NcVec2 q_frame, double qq, double m, NcVec2 n)
{
	NcVec2 n_frame = nc_to_frame(f, n);
	double x = qq * n_frame.x + m * q_frame.x;
	double y = qq * n_frame.y + m * q_frame.y;
	return nc_half_tangent(x, y, qq);
}

static inline void nc_cone_try_wall(NcCellWorker* w, const NcWall* wall, int fragment)
{
	const NcFrame* f = &w->frame;
	NcVec2 p = nc_sub(wall->a, f->origin);
	NcVec2 q = nc_sub(wall->b, f->origin);
	double turn = nc_cross(p, q);
	if (turn == 0.0)
	{
		return; // It ends in the apex, or points at it.
	}
	int bit = turn < 0.0;
	if (!((wall->is_free >> bit) & 1))
	{
		return;
	}
	NcVec2 n = nc_direction_normal(wall->direction);
	n = bit ? nc_scale(-1.0, n) : n;
	const NcDirection* d = &wall->direction;
	double distance = fabs(d->x * p.y - d->y * p.x) * d->inverse_length;

	NcVec2 n_frame = nc_to_frame(f, n);
	double inverse = 1.0 / distance;
	NcPiece piece = {
		.a = -(1.0 + n_frame.x) * inverse,
		.b = 2.0 * n_frame.y * inverse,
		.c = -(1.0 - n_frame.x) * inverse,
		.id = nc_side_feature(2 * fragment + bit),
	};
	if (nc_candidate_is_hopeless(w, &piece))
	{
		return;
	}
	double m = 2.0 * distance;
	double s_p = nc_compute_foot_junction(f, nc_to_frame(f, p), nc_dot(p, p), m, n);
	double s_q = nc_compute_foot_junction(f, nc_to_frame(f, q), nc_dot(q, q), m, n);
	nc_cone_insert(w, piece, bit ? (NcInterval){s_q, s_p} : (NcInterval){s_p, s_q});
}

// The direction towards infinity on the bisector with q, to its left (sign 1) or right (-1), as s.
static inline double nc_compute_asymptote(const NcFrame* f, NcVec2 q, double qq, double sign)
{
	double scale = sign / sqrt(qq);
	NcVec2 n = nc_to_frame(f, (NcVec2){-q.y * scale, q.x * scale});
	return nc_half_tangent(n.x, n.y, 1.0);
}

static inline void nc_cone_try_cone(NcCellWorker* w, const NcCone* cone, int vertex)
{
	const NcFrame* f = &w->frame;
	NcVec2 q = nc_sub(cone->apex, f->origin);
	double qq = nc_dot(q, q);
	if (qq == 0.0)
	{
		return;
	}
	NcVec2 q_frame = nc_to_frame(f, q);
	double scale = 2.0 / qq;
	NcPiece piece = {
		.a = q_frame.x * scale,
		.b = -2.0 * q_frame.y * scale,
		.c = -q_frame.x * scale,
		.id = nc_cone_feature(vertex),
	};
	if (nc_candidate_is_hopeless(w, &piece))
	{
		return;
	}
	if (nc_cone_is_full(cone))
	{
		nc_cone_insert(w, piece, (NcInterval){-NC_UNBOUNDED, NC_UNBOUNDED});
		return;
	}

	// The directions of the other cone that point back to the apex, m > 0, have a junction.
	const NcDirection* d0 = &cone->first;
	const NcDirection* d1 = &cone->last;
	double m0 = -2.0 * (d0->x * q.y - d0->y * q.x) * d0->inverse_length;
	double m1 = -2.0 * (d1->x * q.y - d1->y * q.x) * d1->inverse_length;
	NcVec2 n0 = nc_direction_normal(*d0);
	NcVec2 n1 = nc_direction_normal(*d1);
	if (m0 <= 0.0 && m1 <= 0.0)
	{
		bool faces_apex = nc_cross(n0, q) <= 0.0 && nc_cross(q, n1) <= 0.0;
		if (!faces_apex)
		{
			return;
		}
	}
	double s0 = m0 > 0.0 ? nc_compute_foot_junction(f, q_frame, qq, m0, n0)
						 : nc_compute_asymptote(f, q, qq, 1.0);
	double s1 = m1 > 0.0 ? nc_compute_foot_junction(f, q_frame, qq, m1, n1)
						 : nc_compute_asymptote(f, q, qq, -1.0);
	nc_cone_insert(w, piece, (NcInterval){s1, s0});
}
