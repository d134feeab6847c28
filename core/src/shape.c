// SPDX-License-Identifier: MIT
// From an obstacle as users give it to directed, snapped edges: see shape.h.
//
// Most obstacles are simple polygons, for which it is enough to turn the rings the right way. The
// others are planarised on their own, and the border of what is inside is read off the sides.

#include "shape.h"

#include "check.h"

#include <stdlib.h>

// Checking.

static NcStatus check_point(NcVec2 p, double snap, int index, NcError* error)
{
	if (!nc_is_finite(p))
	{
		return nc_fail(error, NC_INVALID_INPUT, index, "a coordinate is not a finite number");
	}
	double limit = (NC_MAX_COORDINATE - 1) * snap;
	if (fabs(p.x) > limit || fabs(p.y) > limit)
	{
		return nc_fail(error, NC_INVALID_INPUT, index,
			"a coordinate is too large: at most 2^25 snaps from the origin");
	}
	return NC_OK;
}

static bool has_three_points(const NcVec2* points, int count)
{
	int second = 1;
	while (second < count && points[second].x == points[0].x && points[second].y == points[0].y)
	{
		++second;
	}
	for (int i = second + 1; i < count; ++i)
	{
		bool is_first = points[i].x == points[0].x && points[i].y == points[0].y;
		bool is_second = points[i].x == points[second].x && points[i].y == points[second].y;
		if (!is_first && !is_second)
		{
			return true;
		}
	}
	return false;
}

static NcStatus check_rings(const NcShape* shape, NcError* error)
{
	int ring_count = shape->ring_counts != NULL ? shape->ring_count : 1;
	if (ring_count < 1)
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX, "a polygon needs at least one ring");
	}

	int begin = 0;
	for (int r = 0; r < ring_count; ++r)
	{
		int count = shape->ring_counts != NULL ? shape->ring_counts[r] : shape->point_count;
		if (count < 0 || count > shape->point_count - begin)
		{
			return nc_fail(
				error, NC_INVALID_INPUT, r, "the ring counts do not add up to the point count");
		}
		if (!has_three_points(shape->points + begin, count))
		{
			return nc_fail(
				error, NC_INVALID_INPUT, r, "a ring needs at least three different points");
		}
		begin += count;
	}
	if (begin != shape->point_count)
	{
		return nc_fail(error, NC_INVALID_INPUT, ring_count - 1,
			"the ring counts do not add up to the point count");
	}
	return NC_OK;
}

NcStatus nc_shape_check(const NcShape* shape, double snap, NcError* error)
{
	if (shape->kind < NC_SHAPE_POINTS || shape->kind > NC_SHAPE_WALKABLE)
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX, "unknown kind of shape");
	}
	if (shape->point_count < 1 || shape->points == NULL)
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX, "a shape needs at least one point");
	}
	if (shape->point_count > NC_MAX_COORDINATE)
	{
		return nc_fail(error, NC_TOO_LARGE, NC_NULL_INDEX, "a shape has too many points");
	}
	for (int i = 0; i < shape->point_count; ++i)
	{
		NcStatus status = check_point(shape->points[i], snap, i, error);
		if (status != NC_OK)
		{
			return status;
		}
	}
	bool is_area = shape->kind == NC_SHAPE_POLYGON || shape->kind == NC_SHAPE_WALKABLE;
	return is_area ? check_rings(shape, error) : NC_OK;
}

// Edges of rings and chains. While a polygon is worked on, `solid` is 1 for its first ring and
// `walkable` is 1 for its holes.

static void append_points(
	const NcShape* shape, int count, double inverse_snap, int obstacle, NcEdgeArray* edges)
{
	for (int i = 0; i < count; ++i)
	{
		NcPoint p = nc_snap_point(shape->points[i], inverse_snap);
		nc_array_push(edges, ((NcEdge){.a = p, .b = p, .obstacle = obstacle}));
	}
}

// A chain that snaps to one place is a point.
static void append_chain(
	const NcShape* shape, double inverse_snap, int obstacle, NcEdgeArray* edges)
{
	int begin = edges->count;
	NcPoint from = nc_snap_point(shape->points[0], inverse_snap);
	for (int i = 1; i < shape->point_count; ++i)
	{
		NcPoint to = nc_snap_point(shape->points[i], inverse_snap);
		if (!nc_point_equals(from, to))
		{
			nc_array_push(edges, ((NcEdge){.a = from, .b = to, .obstacle = obstacle}));
		}
		from = to;
	}
	if (edges->count == begin)
	{
		append_points(shape, 1, inverse_snap, obstacle, edges);
	}
}

// Whether the area that a ring winds around, counted with its sign, is negative. Each term is
// exact; splitting it keeps the sum of millions of them exact, too.
static bool is_clockwise(const NcEdge* edges, int count)
{
	const int64_t split = 1 << 20;
	int64_t high = 0;
	int64_t low = 0;
	for (int i = 0; i < count; ++i)
	{
		int64_t term = nc_orient(edges[0].a, edges[i].a, edges[i].b);
		high += term / split;
		low += term % split;
	}
	high += low / split;
	low %= split;
	return high != 0 ? high < 0 : low < 0;
}

static void reverse_edges(NcEdge* edges, int count)
{
	for (int i = 0; i < count; ++i)
	{
		NcPoint a = edges[i].a;
		edges[i].a = edges[i].b;
		edges[i].b = a;
	}
}

// Append the edges of one ring, counter-clockwise. Points that snap to the same place make no edge;
// a ring that collapses altogether makes a point.
static void append_ring(
	const NcVec2* points, int count, double inverse_snap, NcEdge like, NcEdgeArray* edges)
{
	int begin = edges->count;
	NcPoint from = nc_snap_point(points[count - 1], inverse_snap);
	for (int i = 0; i < count; ++i)
	{
		NcPoint to = nc_snap_point(points[i], inverse_snap);
		if (!nc_point_equals(from, to))
		{
			like.a = from;
			like.b = to;
			nc_array_push(edges, like);
		}
		from = to;
	}
	if (edges->failed)
	{
		return;
	}
	if (edges->count == begin)
	{
		like.a = like.b = from;
		like.solid = like.walkable = 0;
		nc_array_push(edges, like);
	}
	else if (is_clockwise(edges->data + begin, edges->count - begin))
	{
		reverse_edges(edges->data + begin, edges->count - begin);
	}
}

// Are the rings simple? Two edges may share a point only if they follow each other.

static int32_t min_x(const NcEdge* e)
{
	return e->a.x < e->b.x ? e->a.x : e->b.x;
}

static int32_t max_x(const NcEdge* e)
{
	return e->a.x < e->b.x ? e->b.x : e->a.x;
}

static int compare_by_min_x(const void* p, const void* q)
{
	const NcEdge* e = *(const NcEdge* const*)p;
	const NcEdge* f = *(const NcEdge* const*)q;
	if (min_x(e) != min_x(f))
	{
		return min_x(e) < min_x(f) ? -1 : 1;
	}
	return (e > f) - (e < f);
}

// Most obstacles have few edges.
#define FEW_EDGES 16

static void sort_by_min_x(const NcEdge** edges, int count)
{
	if (count > FEW_EDGES)
	{
		qsort(edges, (size_t)count, sizeof(edges[0]), compare_by_min_x);
		return;
	}
	for (int i = 1; i < count; ++i)
	{
		const NcEdge* edge = edges[i];
		int j = i;
		for (; j > 0 && min_x(edges[j - 1]) > min_x(edge); --j)
		{
			edges[j] = edges[j - 1];
		}
		edges[j] = edge;
	}
}

static bool is_on_segment(NcPoint a, NcPoint b, NcPoint p)
{
	return nc_orient(a, b, p) == 0 && (p.x - (int64_t)a.x) * (p.x - (int64_t)b.x) <= 0 &&
		   (p.y - (int64_t)a.y) * (p.y - (int64_t)b.y) <= 0;
}

static bool have_forbidden_contact(const NcEdge* e, const NcEdge* f)
{
	bool f_follows = nc_point_equals(e->b, f->a);
	bool e_follows = nc_point_equals(f->b, e->a);
	if (nc_segments_cross(e->a, e->b, f->a, f->b))
	{
		return true;
	}
	return (is_on_segment(e->a, e->b, f->a) && !f_follows) ||
		   (is_on_segment(e->a, e->b, f->b) && !e_follows) ||
		   (is_on_segment(f->a, f->b, e->a) && !e_follows) ||
		   (is_on_segment(f->a, f->b, e->b) && !f_follows) || (f_follows && e_follows);
}

// A vertex that is used twice makes several edges follow one, which the contact test alone does not
// see: so every point must begin exactly one edge. Sorting by x brings equal beginnings together.
static bool are_simple(const NcEdge** sorted, int count)
{
	for (int i = 0; i < count; ++i)
	{
		for (int j = i + 1; j < count && min_x(sorted[j]) <= max_x(sorted[i]); ++j)
		{
			if (nc_point_equals(sorted[i]->a, sorted[j]->a) ||
				have_forbidden_contact(sorted[i], sorted[j]))
			{
				return false;
			}
		}
	}
	return true;
}

// Whether an edge points up, or straight to the right.
static bool points_up(const NcEdge* e)
{
	return e->b.y > e->a.y || (e->b.y == e->a.y && e->b.x > e->a.x);
}

// Whether a ring turns the same way at every corner and goes around once, as most do: then it is
// simple. Its edges may be listed against their direction.
static bool is_convex(const NcEdge* edges, int count)
{
	bool turns_left = false;
	int half_turn_count = 0;
	const NcEdge* e = &edges[count - 1];
	for (int i = 0; i < count; ++i)
	{
		const NcEdge* f = &edges[i];
		int64_t turn = ((int64_t)e->b.x - e->a.x) * ((int64_t)f->b.y - f->a.y) -
					   ((int64_t)e->b.y - e->a.y) * ((int64_t)f->b.x - f->a.x);
		if (turn == 0 || (i > 0 && turns_left != (turn > 0)))
		{
			return false;
		}
		turns_left = turn > 0;
		half_turn_count += points_up(e) != points_up(f);
		e = f;
	}
	return half_turn_count == 2;
}

static NcStatus check_simple(const NcEdge* edges, int count, bool* result)
{
	if (is_convex(edges, count))
	{
		*result = true;
		return NC_OK;
	}
	const NcEdge* few[FEW_EDGES];
	NcArray(const NcEdge*) many = {0};
	if (count > NC_COUNT(few) && !nc_array_resize(&many, count))
	{
		return NC_OUT_OF_MEMORY;
	}
	const NcEdge** sorted = many.data != NULL ? many.data : few;
	for (int i = 0; i < count; ++i)
	{
		sorted[i] = &edges[i];
	}
	sort_by_min_x(sorted, count);
	*result = are_simple(sorted, count);
	nc_array_free(&many);
	return NC_OK;
}

// Resolving.

// Whether a ring winds around a side at all, and, for whole polygons, no hole does.
static bool is_inside(const NcSnap* arrangement, int side)
{
	const NcFragment* f = &arrangement->fragments.data[side >> 1];
	int solid = f->cover - ((side & 1) ? f->solid : 0);
	int hole = f->walkable_cover - ((side & 1) ? f->walkable : 0);
	return solid != 0 && hole == 0;
}

static void append_border(const NcSnap* arrangement, NcEdge like, NcEdgeArray* edges)
{
	for (int f = 0; f < arrangement->fragments.count; ++f)
	{
		bool left = is_inside(arrangement, 2 * f);
		bool right = is_inside(arrangement, 2 * f + 1);
		// Spikes, which are walked in both directions outside of everything, stay as thin walls.
		const NcFragment* fragment = &arrangement->fragments.data[f];
		bool is_spike = fragment->solid == 0 && fragment->walkable == 0;
		if (left == right && (left || !is_spike))
		{
			continue;
		}

		NcEdge edge = like;
		int half = right ? 2 * f + 1 : 2 * f;
		edge.a = nc_half_start(arrangement, half);
		edge.b = nc_half_end(arrangement, half);
		if (!left && !right)
		{
			edge.solid = edge.walkable = 0;
		}
		nc_array_push(edges, edge);
	}
	for (int v = 0; v < arrangement->vertices.count; ++v)
	{
		const NcVertex* vertex = &arrangement->vertices.data[v];
		if (vertex->half == NC_NULL_INDEX)
		{
			nc_array_push(edges,
				((NcEdge){.a = vertex->point, .b = vertex->point, .obstacle = like.obstacle}));
		}
	}
}

// Replace the edges from `begin` on by the border of what they enclose.
static NcStatus resolve(NcEdgeArray* edges, int begin, NcEdge like)
{
	NcBox box = nc_box_empty();
	for (int i = begin; i < edges->count; ++i)
	{
		box = nc_box_add_point(box, nc_point_to_vec2(edges->data[i].a));
		box = nc_box_add_point(box, nc_point_to_vec2(edges->data[i].b));
	}
	NcSnap arrangement = {0};
	NcSnapDef def = {.box = nc_box_grow(box, 1.0)};
	NcStatus status =
		nc_snap_build(&arrangement, &def, edges->data + begin, edges->count - begin, &NC_ALONE);
	if (status == NC_OK)
	{
		edges->count = begin;
		append_border(&arrangement, like, edges);
		status = edges->failed ? NC_OUT_OF_MEMORY : NC_OK;
	}
	nc_snap_free(&arrangement);
	return status;
}

// Append all rings; those that cross themselves are resolved one by one.
static NcStatus append_rings(
	const NcShape* shape, double inverse_snap, int obstacle, NcEdgeArray* edges)
{
	int ring_count = shape->ring_counts != NULL ? shape->ring_count : 1;
	const NcVec2* points = shape->points;
	for (int r = 0; r < ring_count; ++r)
	{
		int count = shape->ring_counts != NULL ? shape->ring_counts[r] : shape->point_count;
		NcEdge like = {.obstacle = obstacle, .solid = r == 0, .walkable = r > 0};
		int begin = edges->count;
		append_ring(points, count, inverse_snap, (NcEdge){.obstacle = obstacle, .solid = 1}, edges);
		if (edges->failed)
		{
			return NC_OUT_OF_MEMORY;
		}

		bool is_simple = false;
		NcStatus status = check_simple(edges->data + begin, edges->count - begin, &is_simple);
		if (status == NC_OK && !is_simple)
		{
			status = resolve(edges, begin, like);
		}
		if (status != NC_OK)
		{
			return status;
		}
		for (int i = begin; i < edges->count; ++i)
		{
			bool is_border = edges->data[i].solid != 0 || edges->data[i].walkable != 0;
			edges->data[i].solid = is_border && r == 0;
			edges->data[i].walkable = is_border && r > 0;
		}
		points += count;
	}
	return NC_OK;
}

// Turn the border of the first ring and those of the holes into one border. Whether a hole is
// inside the first ring at all is for the arrangement to find out.
static NcStatus combine_rings(NcEdgeArray* edges, int begin, int obstacle)
{
	for (int i = begin; i < edges->count; ++i)
	{
		if (edges->data[i].walkable != 0)
		{
			return resolve(edges, begin, (NcEdge){.obstacle = obstacle, .solid = 1});
		}
	}
	return NC_OK;
}

NcStatus nc_shape_append_edges(const NcShape* shape, double snap, int obstacle, NcEdgeArray* edges)
{
	double inverse_snap = 1.0 / snap;
	(void)nc_array_reserve(edges, (long long)edges->count + shape->point_count);
	if (shape->kind == NC_SHAPE_POINTS)
	{
		append_points(shape, shape->point_count, inverse_snap, obstacle, edges);
		return edges->failed ? NC_OUT_OF_MEMORY : NC_OK;
	}
	if (shape->kind == NC_SHAPE_CHAIN)
	{
		append_chain(shape, inverse_snap, obstacle, edges);
		return edges->failed ? NC_OUT_OF_MEMORY : NC_OK;
	}

	int begin = edges->count;
	NcStatus status = append_rings(shape, inverse_snap, obstacle, edges);
	if (status == NC_OK)
	{
		status = combine_rings(edges, begin, obstacle);
	}
	if (status != NC_OK || shape->kind == NC_SHAPE_POLYGON)
	{
		return status;
	}

	// A walkable area blocks nothing by itself: it has no spikes, and its border is a border of
	// walkable cover.
	int count = begin;
	for (int i = begin; i < edges->count; ++i)
	{
		NcEdge edge = edges->data[i];
		if (edge.solid != 0)
		{
			edge.walkable = edge.solid;
			edge.solid = 0;
			edges->data[count++] = edge;
		}
	}
	edges->count = count;
	return NC_OK;
}
