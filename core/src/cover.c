// SPDX-License-Identifier: MIT
// Which sides of the fragments are free: how many filled obstacles lie over each of them.
//
// Walking around a vertex, the cover changes by a known amount at every fragment, so one known side
// gives all sides of a connected component. The first one is found with a ray: from the lowest
// vertex of the component to the left, up to the first fragment of another component. That one has a
// lower vertex still, so the chain of such questions ends outside of the world.
//
// Cost: linear, plus the rays, which are short where obstacles are dense.

#include "snap.h"

#include "check.h"

// A connected set of fragments, or an isolated point.
typedef struct Component
{
	int lowest;   // its lowest vertex
	int hit;      // the fragment that its ray hits, or NC_NULL_INDEX
	bool is_done; // its cover is known
} Component;

typedef struct Cover
{
	NcSnap* snap;
	NcIntArray component_of; // per vertex
	NcArray(Component) components;
	NcIntArray stack;
} Cover;

// The number of obstacles and walkable areas over a place.
typedef struct Count
{
	int solid, walkable;
} Count;

static Count get_left(const NcSnap* snap, int half)
{
	const NcFragment* f = &snap->fragments.data[half >> 1];
	bool is_odd = half & 1;
	return (Count){f->cover - (is_odd ? f->solid : 0),
		f->walkable_cover - (is_odd ? f->walkable : 0)};
}

static void set_right(NcSnap* snap, int half, Count count)
{
	NcFragment* f = &snap->fragments.data[half >> 1];
	bool is_odd = half & 1;
	f->cover = count.solid + (is_odd ? 0 : f->solid);
	f->walkable_cover = count.walkable + (is_odd ? 0 : f->walkable);
}

static bool is_free(Count count)
{
	return count.solid <= 0 && count.walkable > 0;
}

// Components.

static void label_component(Cover* cover, int start)
{
	NcSnap* snap = cover->snap;
	int label = cover->components.count;
	int lowest = start;
	cover->stack.count = 0;
	nc_array_push(&cover->stack, start);
	cover->component_of.data[start] = label;
	while (cover->stack.count > 0)
	{
		int v = cover->stack.data[--cover->stack.count];
		const NcVertex* vertex = &snap->vertices.data[v];
		if (nc_point_compare(vertex->point, snap->vertices.data[lowest].point) < 0)
		{
			lowest = v;
		}
		int half = vertex->half;
		while (half != NC_NULL_INDEX)
		{
			int end = nc_half_vertex(snap, half ^ 1);
			if (cover->component_of.data[end] == NC_NULL_INDEX)
			{
				cover->component_of.data[end] = label;
				nc_array_push(&cover->stack, end);
			}
			half = nc_half_next(snap, half);
			half = half == vertex->half ? NC_NULL_INDEX : half;
		}
	}
	nc_array_push(&cover->components, ((Component){.lowest = lowest, .hit = NC_NULL_INDEX}));
}

// Rays.

// Where the ray of p crosses a fragment, to within rounding.
static double compute_crossing(const NcSnap* snap, int fragment, NcPoint p)
{
	NcPoint a = nc_half_start(snap, 2 * fragment);
	NcPoint b = nc_half_end(snap, 2 * fragment);
	return a.x + ((double)b.x - a.x) * (((double)p.y - a.y) / ((double)b.y - a.y));
}

static int find_nearer_in_cell(const NcSnap* snap, NcPoint p, int cell, int best)
{
	NcGridList list = snap->fragment_grid.lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int f = snap->fragment_grid.pool.data[list.start + k];
		NcPoint a = nc_half_start(snap, 2 * f);
		NcPoint b = nc_half_end(snap, 2 * f);
		if (f == best || !nc_ray_crosses(p, a, b))
		{
			continue;
		}
		if (best == NC_NULL_INDEX ||
			nc_ray_is_nearer(a, b, nc_half_start(snap, 2 * best), nc_half_end(snap, 2 * best)))
		{
			best = f;
		}
	}
	return best;
}

// The first fragment to the left of a vertex, or NC_NULL_INDEX.
static int cast_ray(const NcSnap* snap, NcPoint p)
{
	const NcGrid* grid = &snap->fragment_grid;
	int row = nc_grid_row(grid, p.y);
	int best = NC_NULL_INDEX;
	for (int column = nc_grid_column(grid, p.x); column >= 0; --column)
	{
		best = find_nearer_in_cell(snap, p, row * grid->columns + column, best);

		// A fragment that is crossed in this column is nearer than all that begin in others. One
		// snap is far more than the error of its place.
		double border = grid->x0 + column * grid->cell_width + 1.0;
		if (best != NC_NULL_INDEX && compute_crossing(snap, best, p) > border)
		{
			break;
		}
	}
	return best;
}

// Propagation.

// The half that leaves the lowest vertex of a component farthest to the left. All halves point to
// higher vertices, so the ray runs in the angle to the left of this one.
static int find_leftmost_half(const NcSnap* snap, int vertex)
{
	NcPoint p = snap->vertices.data[vertex].point;
	int first = snap->vertices.data[vertex].half;
	int best = first;
	for (int half = nc_half_next(snap, first); half != first; half = nc_half_next(snap, half))
	{
		if (nc_orient(p, nc_half_end(snap, best), nc_half_end(snap, half)) > 0)
		{
			best = half;
		}
	}
	return best;
}

// The count in front of the ray's origin: outside of everything, or beside the fragment hit.
static Count get_count_at_ray(const NcSnap* snap, int hit)
{
	if (hit == NC_NULL_INDEX)
	{
		return (Count){snap->outer_cover, snap->outer_walkable};
	}
	bool is_upward = nc_half_start(snap, 2 * hit).y < nc_half_end(snap, 2 * hit).y;
	return get_left(snap, is_upward ? 2 * hit + 1 : 2 * hit);
}

// Go once around a vertex, starting with a known count on the left of a half.
static void spread_around(Cover* cover, int first, Count count)
{
	NcSnap* snap = cover->snap;
	int half = first;
	do
	{
		half = nc_half_next(snap, half);
		bool is_new = snap->fragments.data[half >> 1].cover == NC_UNKNOWN_COVER;
		if (is_new)
		{
			set_right(snap, half, count);
			nc_array_push(&cover->stack, half ^ 1);
		}
		count = get_left(snap, half);
	} while (half != first);
}

static void spread(Cover* cover, int first, Count count)
{
	cover->stack.count = 0;
	spread_around(cover, first, count);
	while (cover->stack.count > 0)
	{
		int half = cover->stack.data[--cover->stack.count];
		spread_around(cover, half, get_left(cover->snap, half));
	}
}

static void resolve_component(Cover* cover, Component* component)
{
	NcSnap* snap = cover->snap;
	Count count = get_count_at_ray(snap, component->hit);
	NcVertex* vertex = &snap->vertices.data[component->lowest];
	if (vertex->half == NC_NULL_INDEX)
	{
		vertex->is_free = is_free(count);
	}
	else
	{
		spread(cover, find_leftmost_half(snap, component->lowest), count);
	}
	component->is_done = true;
}

// The component to ask before this one, if its cover is not known yet.
static int find_unknown_parent(const Cover* cover, int component)
{
	int hit = cover->components.data[component].hit;
	if (hit == NC_NULL_INDEX)
	{
		return NC_NULL_INDEX;
	}
	int parent = cover->component_of.data[cover->snap->fragments.data[hit].vertices[0]];
	return cover->components.data[parent].is_done ? NC_NULL_INDEX : parent;
}

static void resolve_all(Cover* cover)
{
	NcIntArray waiting = {0};
	for (int c = 0; c < cover->components.count; ++c)
	{
		if (cover->components.data[c].is_done)
		{
			continue;
		}
		nc_array_push(&waiting, c);
		while (waiting.count > 0 && !waiting.failed)
		{
			int top = waiting.data[waiting.count - 1];
			int parent = find_unknown_parent(cover, top);
			if (parent != NC_NULL_INDEX)
			{
				nc_array_push(&waiting, parent);
				continue;
			}
			resolve_component(cover, &cover->components.data[top]);
			--waiting.count;
		}
	}
	cover->stack.failed |= waiting.failed;
	nc_array_free(&waiting);
}

static void store_free_sides(NcSnap* snap)
{
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		bool left = is_free(get_left(snap, 2 * f));
		bool right = is_free(get_left(snap, 2 * f + 1));
		snap->fragments.data[f].is_free = (uint8_t)(left | right << 1);
	}
}

void nc_snap_compute_cover(NcSnap* snap)
{
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		snap->fragments.data[f].cover = NC_UNKNOWN_COVER;
	}

	Cover cover = {.snap = snap};
	nc_array_resize(&cover.component_of, snap->vertices.count);
	for (int v = 0; v < cover.component_of.count; ++v)
	{
		cover.component_of.data[v] = NC_NULL_INDEX;
	}
	for (int v = 0; v < cover.component_of.count && !cover.stack.failed; ++v)
	{
		if (cover.component_of.data[v] == NC_NULL_INDEX)
		{
			label_component(&cover, v);
		}
	}
	if (!cover.stack.failed && !cover.components.failed && !cover.component_of.failed)
	{
		for (int c = 0; c < cover.components.count; ++c)
		{
			Component* component = &cover.components.data[c];
			component->hit = cast_ray(snap, snap->vertices.data[component->lowest].point);
		}
		resolve_all(&cover);
		store_free_sides(snap);
	}

	snap->fragments.failed |=
		cover.stack.failed || cover.components.failed || cover.component_of.failed;
	nc_array_free(&cover.component_of);
	nc_array_free(&cover.components);
	nc_array_free(&cover.stack);
}
