// SPDX-License-Identifier: MIT
// What a disc can reach straight: see visibility.h.

#include "visibility.h"

// A disc may touch: as in locate.c.
#define TOUCH_TOLERANCE 1e-9

typedef struct View
{
	NcVec2 x, p, d; // the segment is p + t d
	NcVec2 q;
	double radius;
	double side; // of the triangle x, p, q: the sign of its turn, 0 if it is flat
	NcHidden* hidden;
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

// Whether both points lie beyond the line from u to v, seen from the triangle, by the radius.
static bool is_beyond(const View* view, NcVec2 u, NcVec2 v, NcVec2 a, NcVec2 b)
{
	NcVec2 along = nc_sub(v, u);
	double limit = -view->radius * nc_length(along);
	return view->side * nc_cross(along, nc_sub(a, u)) < limit &&
		   view->side * nc_cross(along, nc_sub(b, u)) < limit;
}

static void hide_behind(const View* view, NcVec2 a, NcVec2 b)
{
	if (view->side != 0.0 &&
		(is_beyond(view, view->x, view->p, a, b) || is_beyond(view, view->q, view->x, a, b) ||
			is_beyond(view, view->p, view->q, a, b)))
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

static bool overlaps(NcBox box, NcVec2 a, NcVec2 b)
{
	return nc_box_overlaps(box, nc_box_add_point((NcBox){a, a}, b));
}

void nc_visibility_find_hidden(
	const NcDiagram* diagram, NcVec2 x, double radius, NcVec2 p, NcVec2 q, NcHidden* hidden)
{
	hidden->count = 0;
	double limit = nc_max(radius * (1.0 - TOUCH_TOLERANCE), TOUCH_TOLERANCE);
	View view = {.x = x, .p = p, .q = q, .d = nc_sub(q, p), .radius = limit, .hidden = hidden};
	double turn = nc_cross(nc_sub(p, x), nc_sub(q, x));
	view.side = turn > 0.0 ? 1.0 : turn < 0.0 ? -1.0 : 0.0;
	NcBox box = nc_box_add_point(nc_box_add_point((NcBox){x, x}, p), q);
	box = nc_box_grow(box, limit);
	const NcGrid* walls = &diagram->snap.fragment_grid;
	const NcGrid* cones = &diagram->sites.cone_grid;
	NcCellRange range = nc_grid_range(walls, box);
	for (int j = range.j0; j <= range.j1; ++j)
	{
		for (int i = range.i0; i <= range.i1; ++i)
		{
			NcGridList list = walls->lists.data[j * walls->columns + i];
			for (int k = 0; k < list.count; ++k)
			{
				const NcWall* wall = &diagram->sites.walls.data[walls->pool.data[list.start + k]];
				if (!wall->is_open && overlaps(box, wall->a, wall->b))
				{
					hide_behind(&view, wall->a, wall->b);
				}
			}
			list = cones->lists.data[j * cones->columns + i];
			for (int k = 0; k < list.count; ++k)
			{
				int vertex = cones->pool.data[list.start + k];
				const NcCone* cone = &diagram->sites.cones.data[vertex];
				if (nc_cone_is_full(cone) && nc_box_contains(box, cone->apex))
				{
					hide_behind(&view, cone->apex, cone->apex);
				}
			}
		}
	}
}
