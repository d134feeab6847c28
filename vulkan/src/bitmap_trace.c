// SPDX-License-Identifier: MIT

// The borders of blocked cells as polygons. A walk along a border has blocked cells on its left and
// free ones on its right, from corner to corner of cells:
//
//      +---+---+
//      | ahead |      right cell ahead blocked:  turn right (so corners that touch are connected)
//      +---^---+      left cell ahead blocked:   go straight
//      |###|   |      neither:                   turn left
//      +---+---+
//
// So borders turn counter-clockwise and holes clockwise. Every ring has a step to the right (east),
// which marks it as traced. Rings are then simplified.
//
// This work is based on:
// Douglas, Peucker. Algorithms for the reduction of the number of points required to represent a
// digitized line or its caricature. 1973

#include "nav_corridor/bitmap.h"

#include "grow.h"

#include <assert.h>
#include <string.h>

// East, north, west, south.
static const int step_x[4] = {1, 0, -1, 0};
static const int step_y[4] = {0, 1, 0, -1};

// The cell ahead to the left of a corner, for each direction, relative to the corner.
static const int left_x[4] = {0, -1, -1, 0};
static const int left_y[4] = {0, 0, -1, -1};

typedef struct Ring
{
	int first_corner, corner_count;
	bool is_border;
	int next; // ring of the same component, or NC_NULL_INDEX
} Ring;

typedef struct Tracer
{
	const NcBitmap* bitmap;
	double tolerance;   // in cells
	int* components;    // per cell; 0: not known yet, or free
	uint8_t* is_traced; // per cell: the step east below it
	NcCell2* stack;
	int stack_count, stack_capacity;
	NcCell2* corners; // where rings turn, ring after ring
	int corner_count, corner_capacity;
	Ring* rings;
	int ring_count, ring_capacity;
	int* last_rings; // per component, from 1 on: its ring that was traced last
	int last_ring_capacity;
	uint8_t* is_kept; // per corner
	int kept_capacity;
} Tracer;

// Give a blocked cell and all that are connected with it a number.
static bool flood(Tracer* t, int x, int y, int component)
{
	const NcBitmap* bitmap = t->bitmap;
	t->stack_count = 0;
	NcCell2 cell = {x, y};
	t->components[y * bitmap->width + x] = component;
	while (true)
	{
		for (int i = 0; i < 9; ++i)
		{
			NcCell2 next = {cell.x + i % 3 - 1, cell.y + i / 3 - 1};
			bool is_inside =
				next.x >= 0 && next.y >= 0 && next.x < bitmap->width && next.y < bitmap->height;
			if (!is_inside || !nc_bitmap_is_blocked(bitmap, next.x, next.y) ||
				t->components[next.y * bitmap->width + next.x] != 0)
			{
				continue;
			}
			if (!nc_grow(
					(void**)&t->stack, &t->stack_capacity, sizeof(NcCell2), t->stack_count + 1LL))
			{
				return false;
			}
			t->components[next.y * bitmap->width + next.x] = component;
			t->stack[t->stack_count++] = next;
		}
		if (t->stack_count == 0)
		{
			return true;
		}
		cell = t->stack[--t->stack_count];
	}
}

// Beyond the bitmap nothing is traced: it ends there.
static bool is_solid(const NcBitmap* bitmap, int x, int y)
{
	return x >= 0 && y >= 0 && x < bitmap->width && y < bitmap->height &&
		   nc_bitmap_is_blocked(bitmap, x, y);
}

static int turn(const NcBitmap* bitmap, NcCell2 corner, int direction)
{
	int right = (direction + 3) % 4;
	if (is_solid(bitmap, corner.x + left_x[right], corner.y + left_y[right]))
	{
		return right;
	}
	return is_solid(bitmap, corner.x + left_x[direction], corner.y + left_y[direction])
			   ? direction
			   : (direction + 1) % 4;
}

// Walk around a border from the corner below a cell, and keep the corners where it turns.
static bool trace_ring(Tracer* t, int x, int y, bool is_border)
{
	const NcBitmap* bitmap = t->bitmap;
	int component = t->components[y * bitmap->width + x];
	Ring ring = {.first_corner = t->corner_count, .is_border = is_border, .next = NC_NULL_INDEX};
	NcCell2 corner = {x, y};
	int direction = 0;
	do
	{
		if (direction == 0)
		{
			t->is_traced[corner.y * bitmap->width + corner.x] = 1;
		}
		corner = (NcCell2){corner.x + step_x[direction], corner.y + step_y[direction]};
		int next = turn(bitmap, corner, direction);
		if (next != direction)
		{
			if (!nc_grow((void**)&t->corners, &t->corner_capacity, sizeof(NcCell2),
					t->corner_count + 1LL))
			{
				return false;
			}
			t->corners[t->corner_count++] = corner;
		}
		direction = next;
	} while (corner.x != x || corner.y != y || direction != 0);
	ring.corner_count = t->corner_count - ring.first_corner;
	if (!nc_grow((void**)&t->rings, &t->ring_capacity, sizeof(Ring), t->ring_count + 1LL) ||
		!nc_grow((void**)&t->last_rings, &t->last_ring_capacity, sizeof(int), component + 1LL))
	{
		return false;
	}
	if (!is_border)
	{
		t->rings[t->last_rings[component]].next = t->ring_count;
	}
	t->last_rings[component] = t->ring_count;
	t->rings[t->ring_count++] = ring;
	return true;
}

// Rows are looked at from below, so the first ring of a component is its border.
static bool trace_all(Tracer* t)
{
	const NcBitmap* bitmap = t->bitmap;
	int component_count = 0;
	for (int i = 0; i < bitmap->width * bitmap->height; ++i)
	{
		int x = i % bitmap->width;
		int y = i / bitmap->width;
		if (!is_solid(bitmap, x, y) || is_solid(bitmap, x, y - 1) || t->is_traced[i])
		{
			continue;
		}
		bool is_border = t->components[i] == 0;
		if ((is_border && !flood(t, x, y, ++component_count)) || !trace_ring(t, x, y, is_border))
		{
			return false;
		}
	}
	return true;
}

// Simplifying.

static NcVec2 to_vec2(NcCell2 cell)
{
	return (NcVec2){cell.x, cell.y};
}

static NcCell2 get_corner(const Tracer* t, const Ring* ring, int i)
{
	return t->corners[ring->first_corner + i % ring->corner_count];
}

// The corner between two others that is farthest from the line between them. Returns its distance.
static double find_farthest(const Tracer* t, const Ring* ring, int begin, int end, int* farthest)
{
	NcVec2 a = to_vec2(get_corner(t, ring, begin));
	NcVec2 b = to_vec2(get_corner(t, ring, end));
	double best = -1.0;
	for (int i = begin + 1; i < end; ++i)
	{
		NcVec2 p = to_vec2(get_corner(t, ring, i));
		double distance = nc_distance(p, nc_closest_on_segment(p, a, b));
		if (distance > best)
		{
			best = distance;
			*farthest = i;
		}
	}
	return best;
}

// Keep what is needed between two kept corners. The stack holds pairs of them.
static bool simplify_between(Tracer* t, const Ring* ring, int begin, int end)
{
	t->stack_count = 0;
	NcCell2 range = {begin, end};
	while (true)
	{
		int farthest = range.x;
		if (find_farthest(t, ring, range.x, range.y, &farthest) > t->tolerance)
		{
			t->is_kept[farthest % ring->corner_count] = 1;
			if (!nc_grow(
					(void**)&t->stack, &t->stack_capacity, sizeof(NcCell2), t->stack_count + 1LL))
			{
				return false;
			}
			t->stack[t->stack_count++] = (NcCell2){farthest, range.y};
			range.y = farthest;
			continue;
		}
		if (t->stack_count == 0)
		{
			return true;
		}
		range = t->stack[--t->stack_count];
	}
}

// Of a ring, keep the first corner, the one farthest from it, and what is needed in between.
static bool simplify_ring(Tracer* t, const Ring* ring)
{
	if (!nc_grow((void**)&t->is_kept, &t->kept_capacity, 1, ring->corner_count))
	{
		return false;
	}
	memset(t->is_kept, 0, (size_t)ring->corner_count);
	int opposite = 0;
	double best = -1.0;
	for (int i = 1; i < ring->corner_count; ++i)
	{
		double distance =
			nc_distance(to_vec2(get_corner(t, ring, 0)), to_vec2(get_corner(t, ring, i)));
		if (distance > best)
		{
			best = distance;
			opposite = i;
		}
	}
	t->is_kept[0] = t->is_kept[opposite] = 1;
	return simplify_between(t, ring, 0, opposite) &&
		   simplify_between(t, ring, opposite, ring->corner_count);
}

static bool emit_ring(Tracer* t, const Ring* ring, NcBitmapContours* contours)
{
	if (!simplify_ring(t, ring) ||
		!nc_grow((void**)&contours->points, &contours->point_capacity, sizeof(NcVec2),
			(long long)contours->point_count + ring->corner_count) ||
		!nc_grow((void**)&contours->ring_counts, &contours->ring_capacity, sizeof(int),
			contours->ring_count + 1LL))
	{
		return false;
	}
	int first = contours->point_count;
	for (int i = 0; i < ring->corner_count; ++i)
	{
		if (t->is_kept[i])
		{
			contours->points[contours->point_count++] =
				nc_mul_add(t->bitmap->lower, t->bitmap->cell_size, to_vec2(get_corner(t, ring, i)));
		}
	}
	contours->ring_counts[contours->ring_count++] = contours->point_count - first;
	return true;
}

// Each border, followed by the holes in it.
static bool emit(Tracer* t, NcBitmapContours* contours)
{
	for (int i = 0; i < t->ring_count; ++i)
	{
		if (!t->rings[i].is_border)
		{
			continue;
		}
		int first = contours->ring_count;
		for (int k = i; k != NC_NULL_INDEX; k = t->rings[k].next)
		{
			if (!emit_ring(t, &t->rings[k], contours))
			{
				return false;
			}
		}
		if (!nc_grow((void**)&contours->shape_rings, &contours->shape_capacity, sizeof(int),
				contours->shape_count + 1LL))
		{
			return false;
		}
		contours->shape_rings[contours->shape_count++] = contours->ring_count - first;
	}
	return true;
}

NcStatus nc_bitmap_trace(const NcBitmap* bitmap, double tolerance, NcBitmapContours* contours)
{
	assert(bitmap->words != NULL && tolerance >= 0.0 && contours != NULL);
	nc_bitmap_contours_free(contours);
	size_t cell_count = (size_t)bitmap->width * (size_t)bitmap->height;
	if (cell_count > INT_MAX)
	{
		return NC_TOO_LARGE;
	}
	Tracer t = {
		.bitmap = bitmap,
		.tolerance = tolerance / bitmap->cell_size,
		.components = nc_allocate(NULL, 0, sizeof(int) * cell_count),
		.is_traced = nc_allocate(NULL, 0, cell_count),
	};
	bool is_done = t.components != NULL && t.is_traced != NULL;
	if (is_done)
	{
		memset(t.components, 0, sizeof(int) * cell_count);
		memset(t.is_traced, 0, cell_count);
		is_done = trace_all(&t) && emit(&t, contours);
	}
	nc_allocate(t.components, t.components != NULL ? sizeof(int) * cell_count : 0, 0);
	nc_allocate(t.is_traced, t.is_traced != NULL ? cell_count : 0, 0);
	nc_grow_free((void**)&t.stack, &t.stack_capacity, sizeof(NcCell2));
	nc_grow_free((void**)&t.corners, &t.corner_capacity, sizeof(NcCell2));
	nc_grow_free((void**)&t.rings, &t.ring_capacity, sizeof(Ring));
	nc_grow_free((void**)&t.last_rings, &t.last_ring_capacity, sizeof(int));
	nc_grow_free((void**)&t.is_kept, &t.kept_capacity, 1);
	if (!is_done)
	{
		nc_bitmap_contours_free(contours);
	}
	return is_done ? NC_OK : NC_OUT_OF_MEMORY;
}

void nc_bitmap_contours_free(NcBitmapContours* contours)
{
	nc_grow_free((void**)&contours->points, &contours->point_capacity, sizeof(NcVec2));
	nc_grow_free((void**)&contours->ring_counts, &contours->ring_capacity, sizeof(int));
	nc_grow_free((void**)&contours->shape_rings, &contours->shape_capacity, sizeof(int));
	*contours = (NcBitmapContours){0};
}
