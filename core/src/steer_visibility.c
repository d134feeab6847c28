// SPDX-License-Identifier: MIT
// What a disc can reach straight: see steer_visibility.h.

#include "steer_visibility.h"

// A disc may touch: as in locate.c.
#define TOUCH_TOLERANCE 1e-9

// Walls lie in several cells of the grid. This many are remembered, a power of two.
#define SEEN_COUNT 16

// What is this much farther away than the radius cannot touch, whatever rounding does.
#define APART (1.0 + 1e-9)

// A side of the triangle: what lies on its right by more than the radius cannot hide anything.
typedef struct Line
{
	NcVec2 origin, along;
	double limit;
} Line;

typedef struct View
{
	NcVec2 x, p, d; // the segment is p + t d
	NcVec2 q;
	double radius;
	Line lines[3]; // of the triangle x, p, q, counter-clockwise
	NcHidden* hidden;
	int seen[SEEN_COUNT]; // walls that were looked at already, by the end of their index
} View;

// Remember a hidden part, joined with those that it touches.
static void hide(NcHidden* hidden, double begin, double end)
{
	int kept = 0;
	int at = 0;
	for (int i = 0; i < hidden->count; ++i)
	{
		double b = hidden->begins[i];
		double e = hidden->ends[i];
		if (e >= begin && b <= end)
		{
			begin = nc_min(begin, b);
			end = nc_max(end, e);
			continue;
		}
		at += e < begin;
		hidden->begins[kept] = b;
		hidden->ends[kept++] = e;
	}
	if (kept == NC_MAX_HIDDEN)
	{
		// No room: join with the neighbour before, or after if it is the first.
		int other = at > 0 ? at - 1 : 0;
		hidden->begins[other] = nc_min(hidden->begins[other], begin);
		hidden->ends[other] = nc_max(hidden->ends[other], end);
		hidden->count = kept;
		return;
	}
	for (int i = kept; i > at; --i)
	{
		hidden->begins[i] = hidden->begins[i - 1];
		hidden->ends[i] = hidden->ends[i - 1];
	}
	hidden->begins[at] = begin;
	hidden->ends[at] = end;
	hidden->count = kept + 1;
}

static double point_segment_squared(NcVec2 p, NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(p, nc_closest_on_segment(p, a, b)));
}

static bool is_hit(const View* view, double t, NcVec2 a, NcVec2 b)
{
	NcVec2 y = nc_mul_add(view->p, t, view->d);
	NcVec2 way = nc_sub(y, view->x);
	NcVec2 wall = nc_sub(b, a);
	double a_side = nc_cross(way, nc_sub(a, view->x));
	double b_side = nc_cross(way, nc_sub(b, view->x));
	double x_side = nc_cross(wall, nc_sub(view->x, a));
	double y_side = nc_cross(wall, nc_sub(y, a));
	if (a_side * b_side < 0.0 && x_side * y_side < 0.0)
	{
		return true;
	}
	double limit = view->radius * view->radius;
	return point_segment_squared(view->x, a, b) < limit || point_segment_squared(y, a, b) < limit ||
		   point_segment_squared(a, view->x, y) < limit ||
		   point_segment_squared(b, view->x, y) < limit;
}

typedef struct Cuts
{
	double items[20];
	int count;
} Cuts;

static void add_cut(Cuts* cuts, double t)
{
	if (!(t > 0.0 && t < 1.0))
	{
		return;
	}
	int i = cuts->count++;
	for (; i > 0 && cuts->items[i - 1] > t; --i)
	{
		cuts->items[i] = cuts->items[i - 1];
	}
	cuts->items[i] = t;
}

// Where the segment meets the line through x in a direction.
static void cut_by_ray(const View* view, NcVec2 direction, Cuts* cuts)
{
	double denominator = nc_cross(view->d, direction);
	if (denominator != 0.0)
	{
		add_cut(cuts, nc_cross(nc_sub(view->x, view->p), direction) / denominator);
	}
}

// Where the segment meets the tangents from x to the disc around a point, and that disc itself.
static void cut_by_disc(const View* view, NcVec2 center, Cuts* cuts)
{
	NcVec2 m = nc_sub(center, view->x);
	double squared = nc_length_squared(m);
	double r = view->radius;
	double along = sqrt(nc_max(squared - r * r, 0.0));
	cut_by_ray(view, nc_mul_add(nc_scale(along, m), r, nc_perp(m)), cuts);
	if (r > 0.0)
	{
		cut_by_ray(view, nc_mul_add(nc_scale(along, m), -r, nc_perp(m)), cuts);
		NcVec2 n = nc_sub(view->p, center);
		double dd = nc_dot(view->d, view->d);
		double nd = nc_dot(n, view->d);
		double discriminant = nd * nd - dd * (nc_dot(n, n) - r * r);
		if (discriminant > 0.0 && dd > 0.0)
		{
			double root = sqrt(discriminant);
			add_cut(cuts, (-nd - root) / dd);
			add_cut(cuts, (-nd + root) / dd);
		}
	}
}

// Where the segment meets the two sides of the widened wall.
static void cut_by_sides(const View* view, NcVec2 a, NcVec2 b, Cuts* cuts)
{
	NcVec2 wall = nc_sub(b, a);
	double denominator = nc_cross(wall, view->d);
	double base = nc_cross(wall, nc_sub(a, view->p));
	double offset = view->radius * nc_length(wall);
	if (denominator != 0.0)
	{
		add_cut(cuts, (base + offset) / denominator);
		add_cut(cuts, (base - offset) / denominator);
	}
}

static Line make_line(NcVec2 u, NcVec2 v, double radius)
{
	NcVec2 along = nc_sub(v, u);
	return (Line){u, along, -radius * nc_length(along)};
}

static bool is_beyond(const View* view, NcVec2 a, NcVec2 b)
{
	for (int i = 0; i < 3; ++i)
	{
		const Line* line = &view->lines[i];
		if (nc_cross(line->along, nc_sub(a, line->origin)) < line->limit &&
			nc_cross(line->along, nc_sub(b, line->origin)) < line->limit)
		{
			return true;
		}
	}
	return false;
}

// Whether the triangle lies on one side of the line of a wall, farther away than the radius.
static bool is_aside(const View* view, NcVec2 a, NcVec2 b)
{
	NcVec2 wall = nc_sub(b, a);
	double x_side = nc_cross(wall, nc_sub(view->x, a));
	double p_side = nc_cross(wall, nc_sub(view->p, a));
	double q_side = nc_cross(wall, nc_sub(view->q, a));
	double least = nc_min(x_side, nc_min(p_side, q_side));
	double most = nc_max(x_side, nc_max(p_side, q_side));
	double side = least > 0.0 ? least : most < 0.0 ? -most : 0.0;
	double limit = APART * view->radius;
	return side * side > limit * limit * nc_length_squared(wall);
}

static void hide_behind(const View* view, NcVec2 a, NcVec2 b)
{
	if (is_beyond(view, a, b) || is_aside(view, a, b))
	{
		return;
	}
	Cuts cuts = {.count = 0};
	cut_by_disc(view, a, &cuts);
	cut_by_disc(view, b, &cuts);
	cut_by_sides(view, a, b, &cuts);
	cuts.items[cuts.count++] = 1.0;
	double begin = HUGE_VAL, end = -HUGE_VAL, t = 0.0;
	for (int k = 0; k < cuts.count; ++k)
	{
		if (is_hit(view, 0.5 * (t + cuts.items[k]), a, b))
		{
			begin = nc_min(begin, t);
			end = cuts.items[k];
		}
		t = cuts.items[k];
	}
	if (begin < end)
	{
		hide(view->hidden, begin, end);
	}
}

static void hide_behind_cell(View* view, const NcDiagram* diagram, int cell)
{
	const NcGrid* walls = &diagram->snap.fragment_grid;
	NcGridList list = walls->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int index = walls->pool.data[list.start + k];
		const NcWall* wall = &diagram->sites.walls.data[index];
		int* seen = &view->seen[index & (SEEN_COUNT - 1)];
		if (*seen != index && !wall->is_open)
		{
			*seen = index;
			hide_behind(view, wall->a, wall->b);
		}
	}
	const NcGrid* cones = &diagram->sites.cone_grid;
	list = cones->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		const NcCone* cone = &diagram->sites.cones.data[cones->pool.data[list.start + k]];
		if (nc_cone_is_full(cone))
		{
			hide_behind(view, cone->apex, cone->apex);
		}
	}
}

// The part of a segment between two heights, as a range of x; widens `lower` and `upper`.
static void add_range(NcVec2 a, NcVec2 b, double y0, double y1, double* lower, double* upper)
{
	NcVec2 low = a.y <= b.y ? a : b;
	NcVec2 high = a.y <= b.y ? b : a;
	if (high.y < y0 || low.y > y1)
	{
		return;
	}
	double slope = high.y > low.y ? (high.x - low.x) / (high.y - low.y) : 0.0;
	double from = low.y < y0 ? low.x + slope * (y0 - low.y) : low.x;
	double to = high.y > y1 ? low.x + slope * (y1 - low.y) : high.x;
	*lower = nc_min(*lower, nc_min(from, to));
	*upper = nc_max(*upper, nc_max(from, to));
}

// A triangle without area is a segment with two sides.
static void prepare_flat_view(View* view)
{
	NcVec2 x = view->x, p = view->p, q = view->q;
	double xp = nc_distance(x, p), xq = nc_distance(x, q), pq = nc_distance(p, q);
	NcVec2 u = pq > nc_max(xp, xq) ? p : x;
	NcVec2 v = pq > nc_max(xp, xq) || xq > xp ? q : p;
	view->lines[0] = make_line(u, v, view->radius);
	view->lines[1] = view->lines[2] = make_line(v, u, view->radius);
}

static void prepare_view(View* view)
{
	double turn = nc_cross(nc_sub(view->p, view->x), nc_sub(view->q, view->x));
	if (turn == 0.0)
	{
		prepare_flat_view(view);
		return;
	}
	bool is_left = turn > 0.0;
	NcVec2 u = is_left ? view->p : view->q;
	NcVec2 v = is_left ? view->q : view->p;
	view->lines[0] = make_line(view->x, u, view->radius);
	view->lines[1] = make_line(u, v, view->radius);
	view->lines[2] = make_line(v, view->x, view->radius);
}

static bool is_all_hidden(const NcHidden* hidden)
{
	return hidden->count == 1 && hidden->begins[0] <= 0.0 && hidden->ends[0] >= 1.0;
}

void nc_visibility_find_hidden(
	const NcDiagram* diagram, NcVec2 x, double radius, NcVec2 p, NcVec2 q, NcHidden* hidden)
{
	hidden->count = 0;
	double limit = nc_max(radius * (1.0 - TOUCH_TOLERANCE), TOUCH_TOLERANCE);
	View view = {.x = x, .p = p, .q = q, .d = nc_sub(q, p), .radius = limit, .hidden = hidden};
	prepare_view(&view);
	for (int k = 0; k < SEEN_COUNT; ++k)
	{
		view.seen[k] = NC_NULL_INDEX;
	}
	const NcGrid* grid = &diagram->snap.fragment_grid;
	NcBox box = nc_box_add_point(nc_box_add_point((NcBox){x, x}, p), q);
	NcCellRange range = nc_grid_range(grid, nc_box_grow(box, limit));
	for (int j = range.j0; j <= range.j1 && !is_all_hidden(hidden); ++j)
	{
		double y0 = grid->y0 + j * grid->cell_height - 2.0 * limit;
		double y1 = grid->y0 + (j + 1) * grid->cell_height + 2.0 * limit;
		// Rows at the border of the grid hold what lies beyond.
		y0 = j == 0 ? -HUGE_VAL : y0;
		y1 = j == grid->rows - 1 ? HUGE_VAL : y1;
		double lower = HUGE_VAL, upper = -HUGE_VAL;
		add_range(x, p, y0, y1, &lower, &upper);
		add_range(x, q, y0, y1, &lower, &upper);
		add_range(p, q, y0, y1, &lower, &upper);
		int last = nc_grid_column(grid, upper + 2.0 * limit);
		for (int i = nc_grid_column(grid, lower - 2.0 * limit); lower <= upper && i <= last; ++i)
		{
			hide_behind_cell(&view, diagram, j * grid->columns + i);
		}
	}
}
