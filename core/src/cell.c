// SPDX-License-Identifier: MIT
// The cell of one feature: see cell.h. This file finds the candidates; candidate.h knows what each
// of them means for the border, and border.c what becomes of it.
//
// The search for sides and for cones is the same code, compiled once for each: `is_cone` is a
// constant wherever it is a parameter.

#include "cell.h"

#include "border.h"
#include "candidate.h"
#include "check.h"
#include "hint.h"
#include "refine.h"

#if defined(__GNUC__)
#define SPECIALIZED static inline __attribute__((always_inline))
#else
#define SPECIALIZED static inline
#endif

static const NcBox everywhere = {{-NC_FAR_AWAY, -NC_FAR_AWAY}, {NC_FAR_AWAY, NC_FAR_AWAY}};

// Searching. Discs and grid cells are a little larger than they are, by far more than rounding: to
// look at one candidate too many is harmless.
#define DISC_MARGIN (1.0 + 1e-12)
#define CELL_MARGIN 1.0001

// The discs around border points that touch the feature sweep a region inside the boxes of the
// discs at the ends of the pieces. Only what reaches into it can change the cell.
SPECIALIZED void update_search_box(NcCellWorker* w, bool is_cone)
{
	const NcFrame* f = &w->frame;
	const NcPiece* p = w->envelope.pieces.data;
	int n = w->envelope.count;
	NcBox box = nc_box_empty();
	if (!nc_array_resize_raw(&w->discs, n + 1))
	{
		return;
	}
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
		if (is_cone)
		{
			double inverse = DISC_MARGIN / nc_max(-height, 1.0 / NC_FAR_AWAY);
			radius = (1.0 + t * t) * inverse;
			center = nc_from_frame(f, (1.0 - t * t) * inverse, 2.0 * t * inverse);
		}
		else
		{
			radius = height * DISC_MARGIN;
			center = nc_from_frame(f, t, radius);
		}
		w->discs.data[i] = (NcDisc){center, radius};
		box.lower.x = nc_min(box.lower.x, center.x - radius);
		box.lower.y = nc_min(box.lower.y, center.y - radius);
		box.upper.x = nc_max(box.upper.x, center.x + radius);
		box.upper.y = nc_max(box.upper.y, center.y + radius);
	}
	w->search_box = box;
}

// Whether a disc of radius `rho` around c misses all discs of the cell border: like the test of a
// point, with its distance shortened by rho.
SPECIALIZED bool misses_all_discs(const NcCellWorker* w, NcVec2 c, double rho, bool is_cone)
{
	NcVec2 q = nc_to_frame(&w->frame, nc_sub(c, w->frame.origin));
	double qq = nc_dot(q, q) - rho * rho;
	if (is_cone)
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

// Whether a line at the point of a box that is closest to `near` keeps the box apart from two
// discs, and so from everything in between.
static inline bool is_box_apart(NcBox box, const NcDisc* near, const NcDisc* other)
{
	NcVec2 q = {nc_clamp(near->center.x, box.lower.x, box.upper.x),
		nc_clamp(near->center.y, box.lower.y, box.upper.y)};
	NcVec2 n = nc_sub(near->center, q);
	double length = nc_length(n);
	return length > near->radius && nc_dot(nc_sub(other->center, q), n) > other->radius * length;
}

// Whether a box touches a disc of the cell border, or may do so. Those along a piece lie in the
// convex hull of the two at its ends.
static inline bool reaches_box(const NcCellWorker* w, NcBox box)
{
	if (!nc_box_overlaps(box, w->search_box))
	{
		return false;
	}
	for (int k = 0; k + 1 < w->discs.count; ++k)
	{
		const NcDisc* d = &w->discs.data[k];
		if (!is_box_apart(box, &d[0], &d[1]) && !is_box_apart(box, &d[1], &d[0]))
		{
			return true;
		}
	}
	return false;
}

SPECIALIZED void try_wall(NcCellWorker* w, const NcWall* wall, int fragment, bool is_cone)
{
	is_cone ? nc_cone_try_wall(w, wall, fragment) : nc_side_try_wall(w, wall, fragment);
}

SPECIALIZED void try_cone(NcCellWorker* w, const NcCone* cone, int vertex, bool is_cone)
{
	is_cone ? nc_cone_try_cone(w, cone, vertex) : nc_side_try_cone(w, cone, vertex);
}

// Lists are sifted before anything is tried, without branches that nobody can foresee; this many
// items at a time.
#define SIFTED_AT_ONCE 32

static inline int is_wall_outside(const NcWall* wall, NcBox box)
{
	return ((wall->a.x < box.lower.x) & (wall->b.x < box.lower.x)) |
		   ((wall->a.x > box.upper.x) & (wall->b.x > box.upper.x)) |
		   ((wall->a.y < box.lower.y) & (wall->b.y < box.lower.y)) |
		   ((wall->a.y > box.upper.y) & (wall->b.y > box.upper.y));
}

// Try the fragments of a list that reach into the search box, each once.
SPECIALIZED void try_walls(
	NcCellWorker* w, const NcSites* sites, const int* items, int count, bool is_cone)
{
	NcBox box = w->search_box;
	const NcWall* walls = sites->walls.data;
	uint32_t* stamps = w->stamps.data;
	uint32_t stamp = w->stamp;
	for (int begin = 0; begin < count; begin += SIFTED_AT_ONCE)
	{
		int sifted[SIFTED_AT_ONCE];
		int sifted_count = 0;
		int end = count - begin < SIFTED_AT_ONCE ? count : begin + SIFTED_AT_ONCE;
		for (int k = begin; k < end; ++k)
		{
			int fragment = items[k];
			const NcWall* wall = &walls[fragment];
			int is_new = stamps[fragment] != stamp;
			stamps[fragment] = stamp;
			sifted[sifted_count] = fragment;
			sifted_count += is_new & (wall->is_free != 0) & !is_wall_outside(wall, box);
		}
		for (int k = 0; k < sifted_count; ++k)
		{
			try_wall(w, &walls[sifted[k]], sifted[k], is_cone);
		}
	}
}

SPECIALIZED void try_cones(
	NcCellWorker* w, const NcSites* sites, const int* items, int count, bool is_cone)
{
	NcBox box = w->search_box;
	const NcCone* cones = sites->cones.data;
	for (int begin = 0; begin < count; begin += SIFTED_AT_ONCE)
	{
		int sifted[SIFTED_AT_ONCE];
		int sifted_count = 0;
		int end = count - begin < SIFTED_AT_ONCE ? count : begin + SIFTED_AT_ONCE;
		for (int k = begin; k < end; ++k)
		{
			NcVec2 apex = cones[items[k]].apex;
			sifted[sifted_count] = items[k];
			sifted_count += (apex.x >= box.lower.x) & (apex.x <= box.upper.x) &
							(apex.y >= box.lower.y) & (apex.y <= box.upper.y);
		}
		for (int k = 0; k < sifted_count; ++k)
		{
			try_cone(w, &cones[sifted[k]], sifted[k], is_cone);
		}
	}
}

// Whether something in a grid cell that is `ring` cells away from the feature can be in a disc of
// the border.
SPECIALIZED bool is_cell_in_reach(
	const NcCellWorker* w, const NcSites* sites, int i, int j, int ring, bool is_cone)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	if (sites->boxes.count > 0)
	{
		const NcCellBoxes* boxes = &sites->boxes.data[j * grid->columns + i];
		return reaches_box(w, boxes->other) || reaches_box(w, boxes->wide);
	}
	// Border cells hold everything beyond them, too, so nothing about their place is certain.
	bool is_border = i == 0 || j == 0 || i + 1 == grid->columns || j + 1 == grid->rows;
	if (ring == 0 || is_border)
	{
		return true;
	}
	NcVec2 half = {0.5 * grid->cell_width, 0.5 * grid->cell_height};
	NcVec2 center = {grid->x0 + (2 * i + 1) * half.x, grid->y0 + (2 * j + 1) * half.y};
	NcBox box = {nc_sub(center, half), nc_add(center, half)};
	return nc_box_overlaps(box, w->search_box) &&
		   !(ring >= 2 && misses_all_discs(w, center, CELL_MARGIN * nc_length(half), is_cone));
}

// Try everything in a grid cell that is `ring` cells away from the feature.
SPECIALIZED void visit_cell(
	NcCellWorker* w, const NcSites* sites, int i, int j, int ring, bool is_cone)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	int cell = j * grid->columns + i;
	NcGridList walls = grid->lists.data[cell];
	NcGridList cones = sites->cone_grid.lists.data[cell];
	if (walls.count == 0 && cones.count == 0)
	{
		return;
	}
	if (!is_cell_in_reach(w, sites, i, j, ring, is_cone))
	{
		return;
	}

	w->is_far = ring >= 2;
	int change_count = w->envelope.change_count;
	if (walls.count > 0)
	{
		try_walls(w, sites, grid->pool.data + walls.start, walls.count, is_cone);
	}
	if (cones.count > 0)
	{
		try_cones(w, sites, sites->cone_grid.pool.data + cones.start, cones.count, is_cone);
	}
	if (w->envelope.change_count != change_count)
	{
		update_search_box(w, is_cone);
	}
}

static bool range_contains(NcCellRange outer, NcCellRange inner)
{
	return outer.i0 <= inner.i0 && inner.i1 <= outer.i1 && outer.j0 <= inner.j0 &&
		   inner.j1 <= outer.j1;
}

// Visit the cells on the border of `ring`, as far as they are within reach.
// @param reach the cells of the search box
SPECIALIZED void visit_ring(NcCellWorker* w, const NcSites* sites, NcCellRange ring, int distance,
	NcCellRange reach, bool is_cone)
{
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
			visit_cell(w, sites, i, j, distance, is_cone);
		}
	}
}

// The features that are hinted at and whose box overlaps `box`, unless it overlaps `done`, too.
SPECIALIZED void try_hints(
	NcCellWorker* w, const NcSites* sites, NcBox box, NcBox done, bool is_cone)
{
	for (int i = 0; i < w->hints.count; ++i)
	{
		int index = nc_feature_index(w->hints.data[i].neighbor);
		if (nc_feature_is_cone(w->hints.data[i].neighbor))
		{
			const NcCone* cone = &sites->cones.data[index];
			NcBox own = {cone->apex, cone->apex};
			if (nc_box_overlaps(own, box) && !nc_box_overlaps(own, done))
			{
				try_cone(w, cone, index, is_cone);
			}
		}
		else if (w->stamps.data[index >> 1] != w->stamp)
		{
			const NcWall* wall = &sites->walls.data[index >> 1];
			NcBox own = nc_box_add_point(nc_box_add_point(nc_box_empty(), wall->a), wall->b);
			if (nc_box_overlaps(own, box))
			{
				w->stamps.data[index >> 1] = w->stamp;
				try_wall(w, wall, index >> 1, is_cone);
			}
		}
	}
}

// Try the cone at a vertex, if it has one that reaches into the search box.
SPECIALIZED void try_cone_at(NcCellWorker* w, const NcSites* sites, int vertex, bool is_cone)
{
	const NcCone* cone = &sites->cones.data[vertex];
	if (sites->has_cone.data[vertex] && nc_box_contains(w->search_box, cone->apex))
	{
		try_cone(w, cone, vertex, is_cone);
	}
}

// Try a wall of a group, and what is at its ends.
SPECIALIZED void try_candidate(NcCellWorker* w, const NcSites* sites, int candidate, bool is_cone)
{
	int fragment_count = sites->walls.count;
	if (candidate >= fragment_count)
	{
		try_cone_at(w, sites, candidate - fragment_count, is_cone);
		return;
	}
	if (w->stamps.data[candidate] == w->stamp)
	{
		return;
	}
	w->stamps.data[candidate] = w->stamp;
	const NcWall* wall = &sites->walls.data[candidate];
	if (is_wall_outside(wall, w->search_box))
	{
		return;
	}
	if (wall->is_free != 0)
	{
		try_wall(w, wall, candidate, is_cone);
	}
	for (int end = 0; end < 2; ++end)
	{
		try_cone_at(w, sites, nc_half_vertex(sites->snap, 2 * candidate + end), is_cone);
	}
}

// The hints of a long side are spread along it, and most are far from each of its parts: near ones
// are tried first. The others need not be tried at all, unless there is no search after them.
#define NEAR_PART 1.0

// Everybody who can be a neighbour is known.
SPECIALIZED void try_listed(NcCellWorker* w, const NcSites* sites, NcBox tried, bool is_cone)
{
	w->is_far = true;
	try_hints(w, sites, w->search_box, tried, is_cone);
	try_walls(w, sites, w->listed_walls.data, w->listed_walls.count, is_cone);
	try_cones(w, sites, w->listed_cones.data, w->listed_cones.count, is_cone);
}

// Forget which fragments were seen, but for one.
static void begin_stamp(NcCellWorker* w, int own_fragment)
{
	if (++w->stamp == 0)
	{
		memset(w->stamps.data, 0, sizeof(uint32_t) * (size_t)w->stamps.count);
		w->stamp = 1;
	}
	if (own_fragment != NC_NULL_INDEX)
	{
		w->stamps.data[own_fragment] = w->stamp;
	}
}

// Try all walls that are in a group with the one that the feature belongs to. Of those that were
// hints the ends are still to be tried.
SPECIALIZED void search_groups(
	NcCellWorker* w, const NcSites* sites, int own_fragment, bool is_cone)
{
	const NcCandidates* c = w->candidates;
	begin_stamp(w, own_fragment);
	for (int i = c->wall_begins[w->own_wall]; i < c->wall_begins[w->own_wall + 1]; ++i)
	{
		int group = c->wall_groups[i];
		for (int k = c->group_begins[group]; k < c->group_begins[group + 1]; ++k)
		{
			int change_count = w->envelope.change_count;
			try_candidate(w, sites, c->group_walls[k], is_cone);
			if (w->envelope.change_count != change_count)
			{
				update_search_box(w, is_cone);
			}
		}
	}
}

// Search outwards from the grid cells that the feature itself lies in.
// @param hint_box the hints to be tried first
SPECIALIZED void search(NcCellWorker* w, const NcSites* sites, NcCellRange ring, int own_fragment,
	NcBox hint_box, bool is_cone)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	begin_stamp(w, own_fragment);
	w->is_far = false;
	try_hints(w, sites, hint_box, nc_box_empty(), is_cone);
	update_search_box(w, is_cone);
	if (w->candidates != NULL)
	{
		search_groups(w, sites, own_fragment, is_cone);
		return;
	}
	if (w->is_listed)
	{
		try_listed(w, sites, hint_box, is_cone);
		return;
	}
	NcCellRange reach = nc_grid_range(grid, w->search_box);
	for (int distance = 0;; ++distance)
	{
		int change_count = w->envelope.change_count;
		visit_ring(w, sites, ring, distance, reach, is_cone);
		if (w->envelope.change_count != change_count)
		{
			reach = nc_grid_range(grid, w->search_box);
		}
		if (range_contains(ring, reach))
		{
			return;
		}
		ring = (NcCellRange){ring.i0 - 1, ring.j0 - 1, ring.i1 + 1, ring.j1 + 1};
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
		if (!nc_envelope_reset(
				&w->envelope, t0, t1, (NcPiece){.c = NC_FAR_AWAY, .id = NC_NULL_INDEX}))
		{
			return;
		}
		NcBox box =
			nc_box_add_point(nc_box_add_point(nc_box_empty(), nc_from_frame(&w->frame, t0, 0.0)),
				nc_from_frame(&w->frame, t1, 0.0));
		NcBox hint_box = part_count > 1 ? nc_box_grow(box, NEAR_PART * (t1 - t0)) : everywhere;
		search(w, sites, nc_grid_range(grid, box), half >> 1, hint_box, false);
		part_count > 1 ? nc_border_gather(w) : nc_border_take(w);
	}
	if (!nc_cell_worker_failed(w))
	{
		nc_border_emit_side(w, sites, half);
	}
}

// The frame of directions from n0 counter-clockwise to n1, at most a half turn: its axis lies in
// the middle. The second term keeps its length when the first one vanishes.
static NcInterval set_cone_frame(NcCellWorker* w, NcVec2 apex, NcVec2 n0, NcVec2 n1)
{
	NcVec2 middle = {n0.x + n1.x + (n1.y - n0.y), n0.y + n1.y - (n1.x - n0.x)};
	NcFrame frame = {.origin = apex, .axis = nc_normalize(middle), .is_cone = true};
	w->frame = frame;
	return (NcInterval){nc_cross(frame.axis, n0) / (1.0 + nc_dot(frame.axis, n0)),
		nc_cross(frame.axis, n1) / (1.0 + nc_dot(frame.axis, n1))};
}

static void compute_cone_part(
	NcCellWorker* w, const NcSites* sites, NcVec2 apex, NcVec2 n0, NcVec2 n1)
{
	NcInterval range = set_cone_frame(w, apex, n0, n1);
	NcPiece far_away = {.a = -1.0 / NC_FAR_AWAY, .c = -1.0 / NC_FAR_AWAY, .id = NC_NULL_INDEX};
	if (!nc_envelope_reset(&w->envelope, range.lo, range.hi, far_away))
	{
		return;
	}
	search(w, sites, nc_grid_range(&sites->snap->fragment_grid, (NcBox){apex, apex}), NC_NULL_INDEX,
		everywhere, true);
	nc_border_take(w);
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
			nc_border_emit_cone(w, sites, true);
		}
	}
	if (!nc_cell_worker_failed(w))
	{
		nc_border_close_ring(w, begin);
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
	compute_cone_part(
		w, sites, cone->apex, nc_direction_normal(cone->first), nc_direction_normal(cone->last));
	if (!nc_cell_worker_failed(w))
	{
		nc_border_emit_cone(w, sites, false);
	}
}

void nc_cell_compute(NcCellWorker* worker, const NcSites* sites, NcFeature feature)
{
	if (worker->stamps.count < sites->walls.count &&
		!nc_array_resize(&worker->stamps, sites->walls.count))
	{
		return;
	}
	int begin = worker->records.count;
	int index = nc_feature_index(feature);
	worker->own_wall = nc_sites_find_wall(sites, feature);
	nc_feature_is_cone(feature) ? compute_cone(worker, sites, index)
								: compute_side(worker, sites, index);
	if (!nc_cell_worker_failed(worker))
	{
		nc_refine_records(
			sites, feature, worker->records.data + begin, worker->records.count - begin);
	}
}

void nc_cell_worker_reset(NcCellWorker* worker)
{
	worker->envelope.pieces.failed = worker->envelope.spare.failed = false;
	worker->stamps.failed = worker->records.failed = false;
	worker->gathered.failed = worker->border.failed = false;
	worker->hints.failed = worker->heads.failed = false;
	worker->listed_walls.failed = worker->listed_cones.failed = false;
	worker->discs.failed = false;
	worker->records.count = 0;
}

void nc_cell_worker_free(NcCellWorker* worker)
{
	nc_envelope_free(&worker->envelope);
	nc_array_free(&worker->stamps);
	nc_array_free(&worker->records);
	nc_array_free(&worker->gathered);
	nc_array_free(&worker->border);
	nc_array_free(&worker->hints);
	nc_array_free(&worker->heads);
	nc_array_free(&worker->discs);
	nc_array_free(&worker->listed_walls);
	nc_array_free(&worker->listed_cones);
}
