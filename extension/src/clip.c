// SPDX-License-Identifier: MIT

// Cutting obstacles that reach far out of a map.
//
// The box is cut out side by side: what lies beyond a side is dropped, and where the way leaves and
// comes back, the two crossings are joined along the side:
//
//            |   ___________
//       _____x__/           |         |
//            |              |   =>    x      x: a crossing
//       _____x______________|         |
//          box                    ____x____  joined
//
// A ring keeps its winding number around every point in the box, so concave polygons come out
// right: pieces that are apart are joined by walls that lie on top of each other on the border. The
// same holds for chains, whose pieces stay one chain.
//
// This work is based on:
// Sutherland, Hodgman. Reentrant Polygon Clipping. 1974

#include "clip.h"

// One side of the box. A point is beyond it if sign * (coordinate - limit) is positive.
typedef struct Side
{
	bool is_upright;
	double limit;
	double sign;
} Side;

static double get_excess(const Side* side, NcVec2 p)
{
	return side->sign * ((side->is_upright ? p.x : p.y) - side->limit);
}

// Where the segment meets the side. Its ends have excesses of which only one is positive.
static NcVec2 find_crossing(const Side* side, NcVec2 a, NcVec2 b)
{
	double excess = get_excess(side, a);
	NcVec2 p = nc_lerp(a, b, excess / (excess - get_excess(side, b)));
	return side->is_upright ? (NcVec2){side->limit, p.y} : (NcVec2){p.x, side->limit};
}

static void clip_side(const Side* side, NcShapeKind kind, const Points* points, Points* kept)
{
	bool is_ring = kind == NC_SHAPE_POLYGON || kind == NC_SHAPE_WALKABLE;
	bool has_segments = kind != NC_SHAPE_POINTS;
	for (int i = 0; i < points->count; ++i)
	{
		NcVec2 p = points->data[i];
		bool is_beyond = get_excess(side, p) > 0.0;
		if (has_segments && (i > 0 || is_ring))
		{
			NcVec2 last = points->data[i > 0 ? i - 1 : points->count - 1];
			if ((get_excess(side, last) > 0.0) != is_beyond)
			{
				points_push(kept, find_crossing(side, last, p));
			}
		}
		if (!is_beyond)
		{
			points_push(kept, p);
		}
	}
}

static bool are_all_inside(const Points* points, NcBox box)
{
	for (int i = 0; i < points->count; ++i)
	{
		if (!nc_box_contains(box, points->data[i]))
		{
			return false;
		}
	}
	return true;
}

void clip_to_box(Points* points, NcShapeKind kind, NcBox box)
{
	if (are_all_inside(points, box))
	{
		return;
	}
	const Side sides[] = {
		{true, box.lower.x, -1.0},
		{true, box.upper.x, 1.0},
		{false, box.lower.y, -1.0},
		{false, box.upper.y, 1.0},
	};
	for (int i = 0; i < 4; ++i)
	{
		Points kept = {.is_failed = points->is_failed};
		clip_side(&sides[i], kind, points, &kept);
		points_free(points);
		*points = kept;
	}
}

bool clip_has_three_points(const Points* points)
{
	NcVec2 found[2] = {{0.0, 0.0}, {0.0, 0.0}};
	int count = 0;
	for (int i = 0; i < points->count; ++i)
	{
		NcVec2 p = points->data[i];
		bool is_known = false;
		for (int k = 0; k < count; ++k)
		{
			is_known = is_known || (found[k].x == p.x && found[k].y == p.y);
		}
		if (!is_known && count == 2)
		{
			return true;
		}
		if (!is_known)
		{
			found[count++] = p;
		}
	}
	return false;
}
