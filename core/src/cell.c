// SPDX-License-Identifier: MIT
// The cell of one feature: see cell.h for the formulas.
//
// Two things make this exact enough to need no repair. Numerators are products of whole numbers, so
// whether a wall is in front is exact, and everything else has a small relative error. And where
// one feature hands over to its neighbour along the same obstacle, the border comes from the foot
// condition, computed by the same expression for both of them; their curves touch there, and
// intersecting them would lose half of the digits.

#include "cell.h"

#include "check.h"

// Farther than any obstacle of the world: a cell starts out this high.
#define FAR_AWAY 1e12

#define UNBOUNDED 1e300

typedef struct Pair
{
	double lo, hi;
} Pair;

// 1 - y for a unit vector (x, y), without cancellation.
static inline double one_minus(double x, double y)
{
	return y > 0.5 ? x * x / (1.0 + y) : 1.0 - y;
}

static inline NcVec2 get_normal(NcDirection d)
{
	return (NcVec2){-d.y * d.inverse_length, d.x * d.inverse_length};
}

static inline NcVec2 to_frame(const NcFrame* f, NcVec2 v)
{
	return (NcVec2){nc_dot(v, f->axis), nc_cross(f->axis, v)};
}

static inline NcVec2 to_world(const NcFrame* f, double x, double y)
{
	return (NcVec2){
		f->origin.x + f->axis.x * x - f->axis.y * y, f->origin.y + f->axis.y * x + f->axis.x * y};
}

// Sides.

// The left normal of a direction in the coordinates of a side.
static inline NcVec2 normal_in_side_frame(const NcDirection* side, const NcDirection* d)
{
	double scale = side->inverse_length * d->inverse_length;
	return (NcVec2){
		(d->x * side->y - d->y * side->x) * scale, (d->x * side->x + d->y * side->y) * scale};
}

static void side_try_wall(NcCellWorker* w, const NcWall* wall, int fragment)
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
	NcVec2 n = normal_in_side_frame(side, d);
	double s0 = -(d->x * p.y - d->y * p.x) * d->inverse_length;
	double s_begin = s0 + n.x * w->envelope.pieces.data[0].lo;
	double s_end = s0 + n.x * w->envelope.pieces.data[w->envelope.count].lo;
	for (int bit = 0; bit < 2; ++bit)
	{
		double g = bit ? -1.0 : 1.0;
		if (!((wall->is_free >> bit) & 1) || (g * s_begin <= 0.0 && g * s_end <= 0.0))
		{
			continue;
		}
		double denominator = one_minus(g * n.x, g * n.y);
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

static void side_try_cone(NcCellWorker* w, const NcCone* cone, int vertex)
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
		piece.lo = -UNBOUNDED;
		nc_envelope_insert(&w->envelope, piece, UNBOUNDED);
		return;
	}

	NcVec2 n0 = normal_in_side_frame(side, &cone->first);
	NcVec2 n1 = normal_in_side_frame(side, &cone->last);
	double d0 = one_minus(n0.x, n0.y);
	double d1 = one_minus(n1.x, n1.y);
	double t0 = d0 > 0.0 ? x + n0.x * (1.0 / d0) * y : -UNBOUNDED;
	double t1 = d1 > 0.0 ? x + n1.x * (1.0 / d1) * y : UNBOUNDED;
	bool contains_up = n0.x > 0.0 && n1.x < 0.0 && d0 > 0.0 && d1 > 0.0;
	if (contains_up)
	{
		// The direction away from the side belongs to t at both infinities.
		piece.lo = t0;
		nc_envelope_insert(&w->envelope, piece, UNBOUNDED);
		piece.lo = -UNBOUNDED;
		nc_envelope_insert(&w->envelope, piece, t1);
		return;
	}
	piece.lo = t0;
	nc_envelope_insert(&w->envelope, piece, t1);
}

// Cones.

// Insert over the directions from lo to hi; an interval that passes the back of the frame is two.
static void cone_insert(NcCellWorker* w, NcPiece piece, Pair range)
{
	piece.lo = range.lo;
	if (range.lo <= range.hi)
	{
		nc_envelope_insert(&w->envelope, piece, range.hi);
		return;
	}
	nc_envelope_insert(&w->envelope, piece, UNBOUNDED);
	piece.lo = -UNBOUNDED;
	nc_envelope_insert(&w->envelope, piece, range.hi);
}

// tan(angle / 2) of a vector of the given length, whichever way does not cancel. At the back of the
// frame it is huge, with either sign: cone_insert() does not mind.
static inline double compute_half_tangent(double x, double y, double length)
{
	if (x >= 0.0)
	{
		return y / (length + x);
	}
	return y != 0.0 ? (length - x) / y : UNBOUNDED;
}

// The direction, as s, in which the apex sees the point at equal distance from itself and from q
// that lies straight in direction n (a unit vector) from q. With m = -2 q.n that point is a
// positive multiple of m q + |q|^2 n, whose length is |q|^2. Needs m > 0.
static inline double compute_junction(
	const NcFrame* f, NcVec2 q_frame, double qq, double m, NcVec2 n)
{
	NcVec2 n_frame = to_frame(f, n);
	double x = qq * n_frame.x + m * q_frame.x;
	double y = qq * n_frame.y + m * q_frame.y;
	return compute_half_tangent(x, y, qq);
}

static void cone_try_wall(NcCellWorker* w, const NcWall* wall, int fragment)
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
	NcVec2 n = get_normal(wall->direction);
	n = bit ? nc_scale(-1.0, n) : n;
	const NcDirection* d = &wall->direction;
	double distance = fabs(d->x * p.y - d->y * p.x) * d->inverse_length;

	NcVec2 n_frame = to_frame(f, n);
	double inverse = 1.0 / distance;
	NcPiece piece = {
		.a = -(1.0 + n_frame.x) * inverse,
		.b = 2.0 * n_frame.y * inverse,
		.c = -(1.0 - n_frame.x) * inverse,
		.id = nc_side_feature(2 * fragment + bit),
	};
	double m = 2.0 * distance;
	double s_p = compute_junction(f, to_frame(f, p), nc_dot(p, p), m, n);
	double s_q = compute_junction(f, to_frame(f, q), nc_dot(q, q), m, n);
	cone_insert(w, piece, bit ? (Pair){s_q, s_p} : (Pair){s_p, s_q});
}

// The direction towards infinity on the bisector with q, to its left (sign 1) or right (-1), as s.
static double compute_asymptote(const NcFrame* f, NcVec2 q, double qq, double sign)
{
	double scale = sign / sqrt(qq);
	NcVec2 n = to_frame(f, (NcVec2){-q.y * scale, q.x * scale});
	return compute_half_tangent(n.x, n.y, 1.0);
}

static void cone_try_cone(NcCellWorker* w, const NcCone* cone, int vertex)
{
	const NcFrame* f = &w->frame;
	NcVec2 q = nc_sub(cone->apex, f->origin);
	double qq = nc_dot(q, q);
	if (qq == 0.0)
	{
		return;
	}
	NcVec2 q_frame = to_frame(f, q);
	double scale = 2.0 / qq;
	NcPiece piece = {
		.a = q_frame.x * scale,
		.b = -2.0 * q_frame.y * scale,
		.c = -q_frame.x * scale,
		.id = nc_cone_feature(vertex),
	};
	if (nc_cone_is_full(cone))
	{
		cone_insert(w, piece, (Pair){-UNBOUNDED, UNBOUNDED});
		return;
	}

	// The directions of the other cone that point back to the apex, m > 0, have a junction.
	const NcDirection* d0 = &cone->first;
	const NcDirection* d1 = &cone->last;
	double m0 = -2.0 * (d0->x * q.y - d0->y * q.x) * d0->inverse_length;
	double m1 = -2.0 * (d1->x * q.y - d1->y * q.x) * d1->inverse_length;
	NcVec2 n0 = get_normal(*d0);
	NcVec2 n1 = get_normal(*d1);
	if (m0 <= 0.0 && m1 <= 0.0)
	{
		bool faces_apex = nc_cross(n0, q) <= 0.0 && nc_cross(q, n1) <= 0.0;
		if (!faces_apex)
		{
			return;
		}
	}
	double s0 =
		m0 > 0.0 ? compute_junction(f, q_frame, qq, m0, n0) : compute_asymptote(f, q, qq, 1.0);
	double s1 =
		m1 > 0.0 ? compute_junction(f, q_frame, qq, m1, n1) : compute_asymptote(f, q, qq, -1.0);
	cone_insert(w, piece, (Pair){s1, s0});
}

// The point of the border at parameter t.
static NcVec2 compute_position(const NcFrame* f, const NcPiece* piece, double t)
{
	double value = nc_piece_evaluate(piece, t);
	if (!f->is_cone)
	{
		return to_world(f, t, value);
	}
	double scale = -1.0 / value;
	return to_world(f, (1.0 - t * t) * scale, 2.0 * t * scale);
}

// Searching.

// The discs around border points that touch the feature sweep a region inside the boxes of the
// discs at the ends of the pieces. Only what reaches into it can change the cell.
static void update_search_box(NcCellWorker* w)
{
	const NcFrame* f = &w->frame;
	const NcPiece* p = w->envelope.pieces.data;
	int n = w->envelope.count;
	NcBox box = nc_box_empty();
	for (int i = 0; i <= n; ++i)
	{
		double t = p[i].lo;
		double height = nc_piece_evaluate(&p[i < n ? i : n - 1], t);
		if (i > 0 && i < n)
		{
			height = nc_max(height, nc_piece_evaluate(&p[i - 1], t));
		}
		NcVec2 center;
		double radius;
		if (f->is_cone)
		{
			double inverse = (1.0 + 1e-12) / nc_max(-height, 1.0 / FAR_AWAY);
			radius = (1.0 + t * t) * inverse;
			center = to_world(f, (1.0 - t * t) * inverse, 2.0 * t * inverse);
		}
		else
		{
			radius = height * (1.0 + 1e-12);
			center = to_world(f, t, radius);
		}
		box.lower.x = nc_min(box.lower.x, center.x - radius);
		box.lower.y = nc_min(box.lower.y, center.y - radius);
		box.upper.x = nc_max(box.upper.x, center.x + radius);
		box.upper.y = nc_max(box.upper.y, center.y + radius);
	}
	w->search_box = box;
}

// Whether a disc of radius `rho` around c misses all discs of the cell border: like the test of a
// point, with its distance shortened by rho.
static bool misses_all_discs(const NcCellWorker* w, NcVec2 c, double rho)
{
	NcVec2 q = to_frame(&w->frame, nc_sub(c, w->frame.origin));
	double qq = nc_dot(q, q) - rho * rho;
	if (w->frame.is_cone)
	{
		if (qq <= 0.0)
		{
			return false;
		}
		double scale = 2.0 / qq;
		return !nc_envelope_is_above(
			&w->envelope, (q.x - rho) * scale, -2.0 * q.y * scale, -(q.x + rho) * scale);
	}
	if (q.y + rho <= 0.0)
	{
		return true;
	}
	double scale = 0.5 / (q.y + rho);
	return !nc_envelope_is_above(&w->envelope, scale, -2.0 * q.x * scale, qq * scale);
}

static void try_walls(NcCellWorker* w, const NcSites* sites, NcGridList list)
{
	const int* items = sites->snap->fragment_grid.pool.data + list.start;
	NcBox box = w->search_box;
	for (int k = 0; k < list.count; ++k)
	{
		int fragment = items[k];
		if (w->stamps.data[fragment] == w->stamp)
		{
			continue;
		}
		w->stamps.data[fragment] = w->stamp;
		const NcWall* wall = &sites->walls.data[fragment];
		int is_outside = ((wall->a.x < box.lower.x) & (wall->b.x < box.lower.x)) |
						 ((wall->a.x > box.upper.x) & (wall->b.x > box.upper.x)) |
						 ((wall->a.y < box.lower.y) & (wall->b.y < box.lower.y)) |
						 ((wall->a.y > box.upper.y) & (wall->b.y > box.upper.y));
		if (is_outside || wall->is_free == 0)
		{
			continue;
		}
		w->frame.is_cone ? cone_try_wall(w, wall, fragment) : side_try_wall(w, wall, fragment);
	}
}

static void try_cones(NcCellWorker* w, const NcSites* sites, NcGridList list)
{
	const int* items = sites->cone_grid.pool.data + list.start;
	NcBox box = w->search_box;
	for (int k = 0; k < list.count; ++k)
	{
		const NcCone* cone = &sites->cones.data[items[k]];
		int is_outside = (cone->apex.x < box.lower.x) | (cone->apex.x > box.upper.x) |
						 (cone->apex.y < box.lower.y) | (cone->apex.y > box.upper.y);
		if (!is_outside)
		{
			w->frame.is_cone ? cone_try_cone(w, cone, items[k]) : side_try_cone(w, cone, items[k]);
		}
	}
}

// Try everything in a grid cell that is `ring` cells away from the feature.
static void visit_cell(NcCellWorker* w, const NcSites* sites, int i, int j, int ring)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	int cell = j * grid->columns + i;
	NcGridList walls = grid->lists.data[cell];
	NcGridList cones = sites->cone_grid.lists.data[cell];
	if (walls.count == 0 && cones.count == 0)
	{
		return;
	}
	NcVec2 half = {0.5 * grid->cell_width, 0.5 * grid->cell_height};
	NcVec2 center = {grid->x0 + (2 * i + 1) * half.x, grid->y0 + (2 * j + 1) * half.y};
	// Border cells hold everything beyond them, too, so nothing about their place is certain.
	bool is_border = i == 0 || j == 0 || i + 1 == grid->columns || j + 1 == grid->rows;
	if (ring >= 1 && !is_border)
	{
		NcBox box = {nc_sub(center, half), nc_add(center, half)};
		if (!nc_box_overlaps(box, w->search_box))
		{
			return;
		}
		if (ring >= 2 && misses_all_discs(w, center, 1.0001 * nc_length(half)))
		{
			return;
		}
	}

	int change_count = w->envelope.change_count;
	try_walls(w, sites, walls);
	try_cones(w, sites, cones);
	if (w->envelope.change_count != change_count)
	{
		update_search_box(w);
	}
}

static bool range_contains(NcCellRange outer, NcCellRange inner)
{
	return outer.i0 <= inner.i0 && inner.i1 <= outer.i1 && outer.j0 <= inner.j0 &&
		   inner.j1 <= outer.j1;
}

// Visit the cells on the border of `ring`, as far as they are within the search box.
static void visit_ring(NcCellWorker* w, const NcSites* sites, NcCellRange ring, int distance)
{
	NcCellRange reach = nc_grid_range(&sites->snap->fragment_grid, w->search_box);
	int j0 = ring.j0 > reach.j0 ? ring.j0 : reach.j0;
	int j1 = ring.j1 < reach.j1 ? ring.j1 : reach.j1;
	int i0 = ring.i0 > reach.i0 ? ring.i0 : reach.i0;
	int i1 = ring.i1 < reach.i1 ? ring.i1 : reach.i1;
	for (int j = j0; j <= j1; ++j)
	{
		bool is_whole_row = distance == 0 || j == ring.j0 || j == ring.j1;
		for (int i = i0; i <= i1; ++i)
		{
			if (!is_whole_row && i > ring.i0 && i < ring.i1)
			{
				i = ring.i1 - 1;
				continue;
			}
			visit_cell(w, sites, i, j, distance);
		}
	}
}

static void try_seeds(NcCellWorker* w, const NcSites* sites)
{
	for (int i = 0; i < w->seed_count; ++i)
	{
		int index = nc_feature_index(w->seeds[i]);
		if (nc_feature_is_cone(w->seeds[i]))
		{
			const NcCone* cone = &sites->cones.data[index];
			w->frame.is_cone ? cone_try_cone(w, cone, index) : side_try_cone(w, cone, index);
		}
		else if (w->stamps.data[index >> 1] != w->stamp)
		{
			const NcWall* wall = &sites->walls.data[index >> 1];
			w->stamps.data[index >> 1] = w->stamp;
			w->frame.is_cone ? cone_try_wall(w, wall, index >> 1)
							 : side_try_wall(w, wall, index >> 1);
		}
	}
}

// Search outwards from the cells that the feature itself lies in.
static void search(NcCellWorker* w, const NcSites* sites, NcCellRange ring, int own_fragment)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	if (++w->stamp == 0)
	{
		memset(w->stamps.data, 0, sizeof(uint32_t) * (size_t)w->stamps.count);
		w->stamp = 1;
	}
	if (own_fragment != NC_NULL_INDEX)
	{
		w->stamps.data[own_fragment] = w->stamp;
	}
	try_seeds(w, sites);
	update_search_box(w);
	NcCellRange all = {0, 0, grid->columns - 1, grid->rows - 1};
	for (int distance = 0;; ++distance)
	{
		visit_ring(w, sites, ring, distance);
		if (range_contains(ring, nc_grid_range(grid, w->search_box)) || range_contains(ring, all))
		{
			return;
		}
		ring = (NcCellRange){ring.i0 - 1, ring.j0 - 1, ring.i1 + 1, ring.j1 + 1};
	}
}

// Emitting.

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
	NcVec2 a = compute_position(f, piece, t0);
	NcVec2 b = compute_position(f, piece, t1);
	return nc_length_squared(nc_sub(b, a)) < max_length * max_length;
}

static NcVec2 get_side_normal(const NcSites* sites, NcFeature side)
{
	int half = nc_feature_index(side);
	NcVec2 n = get_normal(sites->walls.data[half >> 1].direction);
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
	NcVec2 n_frame = to_frame(f, n);
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
	NcVec2 point = nc_mul_add(to_frame(f, e), l, n_frame);
	return compute_half_tangent(point.x, point.y, nc_length(point));
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
static void gather(NcCellWorker* w)
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
}

// The parameter of a border has some units in the last place of error. A piece that is not longer
// than that is rounding, even if it looks long because it is steep.
#define PARAMETER_ERROR 2e-15

static bool is_tiny(const NcFrame* f, const NcPiece* piece)
{
	double lo = piece[0].lo;
	double hi = piece[1].lo;
	if (hi - lo <= PARAMETER_ERROR * nc_max(fabs(lo), fabs(hi)))
	{
		return true;
	}
	NcVec2 from = compute_position(f, piece, lo);
	NcVec2 to = compute_position(f, piece, hi);
	return nc_length_squared(nc_sub(to, from)) < NC_CONTRACT_LENGTH * NC_CONTRACT_LENGTH;
}

static void extend_ends(NcCellWorker* w, int first, int last)
{
	const NcFrame* f = &w->frame;
	const NcPiece* p = w->gathered.data;
	int n = w->gathered.count - 1;
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

// Copy the gathered pieces to the border, and mark those that are tiny.
// @param is_open both ends are cuts in the middle of a cell, where pieces may be longer than they
// look
static void contract(NcCellWorker* w, const NcSites* sites, bool is_open)
{
	const NcFrame* f = &w->frame;
	const NcPiece* p = w->gathered.data;
	int n = w->gathered.count - 1;
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

static void push_record(
	NcCellWorker* w, NcVec2 position, double t, NcFeature neighbor, bool is_tiny)
{
	NcRecord record = {.position = position, .t = t, .neighbor = neighbor, .is_tiny = is_tiny};
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
	return compute_position(f, is_flatter ? &p->piece : &q->piece, t);
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
					 : compute_position(&w->frame, &piece->piece, t);
}

// Append the records of the border, in rising (step 1) or falling (-1) order of the parameter. A
// tiny piece is where the piece before it ends.
static void emit(NcCellWorker* w, int step)
{
	int n = w->border.count;
	NcVec2 end = w->frame.origin;
	double end_t = 0.0;
	for (int i = 0; i < n; ++i)
	{
		int k = step > 0 ? i : n - 1 - i;
		const NcBorderPiece* b = &w->border.data[k];
		double from = step > 0 ? b->lo : b->hi;
		bool is_lost = b->is_tiny && i > 0;
		NcVec2 position = is_lost ? end : compute_end(w, k, -step);
		push_record(w, position, is_lost ? end_t : from, b->piece.id, b->is_tiny);
		end = b->is_tiny ? position : compute_end(w, k, step);
		end_t = b->is_tiny ? (is_lost ? end_t : from) : step > 0 ? b->hi : b->lo;
	}
	push_record(w, end, end_t, NC_NULL_INDEX, false);
}

// Where the first or last neighbour of a side is the next wall along the obstacle, the two have
// their common corner as border; a nearly straight corner is too steep to compute.
static void set_corners(NcCellWorker* w, const NcSites* sites, int half, int begin)
{
	NcRecord* first = &w->records.data[begin];
	NcRecord* last = &w->records.data[w->records.count - 1];
	NcFeature before = nc_feature_previous(sites, nc_side_feature(half));
	NcFeature after = nc_feature_next(sites, nc_side_feature(half));
	if (first != last && first->neighbor == before && !nc_feature_is_cone(before))
	{
		first->position = nc_point_to_vec2(nc_half_start(sites->snap, half));
	}
	if (first != last && last[-1].neighbor == after && !nc_feature_is_cone(after))
	{
		last->position = nc_point_to_vec2(nc_half_end(sites->snap, half));
	}
}

// Whole features.

// Parts of long sides keep the search near: a side of more cells than this is cut.
#define MAX_CELLS_PER_SIDE 8
#define CELLS_PER_PART 4

static void compute_side(NcCellWorker* w, const NcSites* sites, int half)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	const NcWall* wall = &sites->walls.data[half >> 1];
	bool is_odd = half & 1;
	NcVec2 a = is_odd ? wall->b : wall->a;
	NcVec2 b = is_odd ? wall->a : wall->b;
	NcDirection d = wall->direction;
	d = is_odd ? (NcDirection){-d.x, -d.y, d.inverse_length} : d;
	w->frame =
		(NcFrame){.origin = a, .side = d, .axis = {d.x * d.inverse_length, d.y * d.inverse_length}};

	NcVec2 ab = nc_sub(b, a);
	double length = (d.x * ab.x + d.y * ab.y) * d.inverse_length;
	double cells = nc_max(fabs(ab.x) * grid->inverse_width, fabs(ab.y) * grid->inverse_height);
	int part_count = cells > MAX_CELLS_PER_SIDE ? (int)(cells / CELLS_PER_PART) : 1;
	w->gathered.count = 0;
	for (int part = 0; part < part_count; ++part)
	{
		double t0 = length * part / part_count;
		double t1 = part + 1 == part_count ? length : length * (part + 1) / part_count;
		if (!nc_envelope_reset(&w->envelope, t0, t1, (NcPiece){.c = FAR_AWAY, .id = NC_NULL_INDEX}))
		{
			return;
		}
		NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), to_world(&w->frame, t0, 0.0)),
			to_world(&w->frame, t1, 0.0));
		search(w, sites, nc_grid_range(grid, box), half >> 1);
		gather(w);
	}
	if (!nc_cell_worker_failed(w))
	{
		contract(w, sites, false);
		int begin = w->records.count;
		emit(w, 1);
		if (!w->records.failed)
		{
			set_corners(w, sites, half, begin);
		}
	}
}

// The frame of directions from n0 counter-clockwise to n1, at most a half turn: its axis lies in
// the middle. The second term keeps its length when the first one vanishes.
static Pair set_cone_frame(NcCellWorker* w, NcVec2 apex, NcVec2 n0, NcVec2 n1)
{
	NcVec2 middle = {n0.x + n1.x + (n1.y - n0.y), n0.y + n1.y - (n1.x - n0.x)};
	NcFrame frame = {.origin = apex, .axis = nc_normalize(middle), .is_cone = true};
	w->frame = frame;
	return (Pair){nc_cross(frame.axis, n0) / (1.0 + nc_dot(frame.axis, n0)),
		nc_cross(frame.axis, n1) / (1.0 + nc_dot(frame.axis, n1))};
}

static void compute_cone_part(
	NcCellWorker* w, const NcSites* sites, NcVec2 apex, NcVec2 n0, NcVec2 n1)
{
	Pair range = set_cone_frame(w, apex, n0, n1);
	NcPiece far_away = {.a = -1.0 / FAR_AWAY, .c = -1.0 / FAR_AWAY, .id = NC_NULL_INDEX};
	if (!nc_envelope_reset(&w->envelope, range.lo, range.hi, far_away))
	{
		return;
	}
	search(
		w, sites, nc_grid_range(&sites->snap->fragment_grid, (NcBox){apex, apex}), NC_NULL_INDEX);
	w->gathered.count = 0;
	gather(w);
}

// Join what belongs to one neighbour where the two halves meet, and find out anew what is tiny. The
// border of a full cone is a ring.
static void join_ring(NcCellWorker* w, int begin)
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
		r[i].is_tiny = nc_distance(r[i].position, end) < NC_CONTRACT_LENGTH;
	}
	w->records.count = begin + count;
	if (count > 0)
	{
		push_record(w, r[0].position, r[0].t, NC_NULL_INDEX, false);
	}
}

// An isolated point is computed in two halves. The cut is in an odd direction, in which the borders
// of regular worlds have no vertices.
static void compute_full_cone(NcCellWorker* w, const NcSites* sites, const NcCone* cone)
{
	static const NcVec2 cut = {0.79863551004729283, 0.60181502315204827}; // 37 degrees
	NcVec2 opposite = {-cut.x, -cut.y};
	int begin = w->records.count;
	for (int part = 0; part < 2 && !nc_cell_worker_failed(w); ++part)
	{
		NcVec2 n0 = part == 0 ? opposite : cut;
		NcVec2 n1 = part == 0 ? cut : opposite;
		compute_cone_part(w, sites, cone->apex, n0, n1);
		if (!nc_cell_worker_failed(w))
		{
			contract(w, sites, true);
			emit(w, -1);
		}
	}
	if (!nc_cell_worker_failed(w))
	{
		join_ring(w, begin);
	}
}

static void compute_cone(NcCellWorker* w, const NcSites* sites, int vertex)
{
	const NcCone* cone = &sites->cones.data[vertex];
	if (nc_cone_is_full(cone))
	{
		compute_full_cone(w, sites, cone);
		return;
	}
	compute_cone_part(w, sites, cone->apex, get_normal(cone->first), get_normal(cone->last));
	if (!nc_cell_worker_failed(w))
	{
		contract(w, sites, false);
		emit(w, -1);
	}
}

void nc_cell_compute(NcCellWorker* worker, const NcSites* sites, NcFeature feature)
{
	if (worker->stamps.count < sites->walls.count &&
		!nc_array_resize(&worker->stamps, sites->walls.count))
	{
		return;
	}
	int index = nc_feature_index(feature);
	nc_feature_is_cone(feature) ? compute_cone(worker, sites, index)
								: compute_side(worker, sites, index);
}

void nc_cell_worker_reset(NcCellWorker* worker)
{
	worker->envelope.pieces.failed = worker->envelope.spare.failed = false;
	worker->stamps.failed = worker->records.failed = false;
	worker->gathered.failed = worker->border.failed = false;
	worker->records.count = 0;
}

void nc_cell_worker_free(NcCellWorker* worker)
{
	nc_envelope_free(&worker->envelope);
	nc_array_free(&worker->stamps);
	nc_array_free(&worker->records);
	nc_array_free(&worker->gathered);
	nc_array_free(&worker->border);
}
