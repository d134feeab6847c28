// SPDX-License-Identifier: MIT
// Which sides of the fragments are free: how many filled obstacles lie over each of them.
//
// Walking around a vertex, the cover changes by a known amount at every fragment, so one known side
// gives all sides of a connected component. Where a component of unknown fragments touches none
// that is known, the first one is found with a ray: from the lowest vertex of the component to the
// left, up to the first fragment of another component. That one has a lower vertex still, so the
// chain of such questions ends with something known, or outside of the world.
//
// Cost: linear in the unknown fragments, plus the rays, which are short where obstacles are dense.

#include "cover.h"

#include "check.h"

// The number of obstacles and walkable areas over a place.
typedef struct Count
{
	int solid, walkable;
} Count;

static Count get_left(const NcSnap* snap, int half)
{
	const NcFragment* f = &snap->fragments.data[half >> 1];
	bool is_odd = half & 1;
	return (Count){
		f->cover - (is_odd ? f->solid : 0), f->walkable_cover - (is_odd ? f->walkable : 0)};
}

static void set_right(NcSnap* snap, int half, Count count)
{
	NcFragment* f = &snap->fragments.data[half >> 1];
	bool is_odd = half & 1;
	f->cover = count.solid + (is_odd ? 0 : f->solid);
	f->walkable_cover = count.walkable + (is_odd ? 0 : f->walkable);
}

static bool is_known(const NcSnap* snap, int half)
{
	return snap->fragments.data[half >> 1].cover != NC_UNKNOWN_COVER;
}

static bool is_free(Count count)
{
	return count.solid <= 0 && count.walkable > 0;
}

// Spreading.

// Go once around a vertex, starting with a known count on the left of a half.
static void spread_around(NcSnap* snap, NcCover* cover, int first, Count count)
{
	int half = first;
	do
	{
		half = nc_half_next(snap, half);
		if (!is_known(snap, half))
		{
			set_right(snap, half, count);
			nc_array_push(&cover->stack, half ^ 1);
		}
		count = get_left(snap, half);
	} while (half != first);
}

static void spread(NcSnap* snap, NcCover* cover, int first, Count count)
{
	cover->stack.count = 0;
	spread_around(snap, cover, first, count);
	while (cover->stack.count > 0 && !cover->stack.failed)
	{
		int half = cover->stack.data[--cover->stack.count];
		spread_around(snap, cover, half, get_left(snap, half));
	}
}

// Spread from known fragments at the ends of an unknown one.
static void spread_from_known(NcSnap* snap, NcCover* cover, int fragment)
{
	for (int end = 0; end < 2 && !is_known(snap, 2 * fragment); ++end)
	{
		int first = 2 * fragment + end;
		int half = nc_half_next(snap, first);
		while (half != first && !is_known(snap, half))
		{
			half = nc_half_next(snap, half);
		}
		if (half != first)
		{
			spread(snap, cover, half, get_left(snap, half));
		}
	}
}

// Components.

static int lower_vertex(const NcSnap* snap, int v, int w)
{
	return nc_point_compare(snap->vertices.data[v].point, snap->vertices.data[w].point) <= 0 ? v
																							 : w;
}

// Label all unknown fragments connected to one, and find their lowest vertex.
static void label_component(const NcSnap* snap, NcCover* cover, int fragment)
{
	int label = cover->lowest.count;
	int lowest = snap->fragments.data[fragment].vertices[0];
	cover->stack.count = 0;
	nc_array_push(&cover->stack, 2 * fragment);
	cover->component_of.data[fragment] = label;
	while (cover->stack.count > 0 && !cover->stack.failed)
	{
		int half = cover->stack.data[--cover->stack.count];
		lowest = lower_vertex(snap, lowest, snap->fragments.data[half >> 1].vertices[0]);
		for (int end = 0; end < 2; ++end)
		{
			int first = half ^ end;
			for (int h = nc_half_next(snap, first); h != first; h = nc_half_next(snap, h))
			{
				if (cover->component_of.data[h >> 1] == NC_NULL_INDEX)
				{
					cover->component_of.data[h >> 1] = label;
					nc_array_push(&cover->stack, h);
				}
			}
		}
	}
	nc_array_push(&cover->lowest, lowest);
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

// What the loops on several threads work on.
typedef struct Work
{
	NcSnap* snap;
	NcCover* cover;
} Work;

static void cast_rays(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Work* work = context;
	for (int i = begin; i < end; ++i)
	{
		const NcVertex* lowest = &work->snap->vertices.data[work->cover->lowest.data[i]];
		work->cover->hits.data[i] = cast_ray(work->snap, lowest->point);
	}
}

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

// Resolve the component of an unknown fragment, and before it those that its rays need.
static void resolve_component(NcSnap* snap, NcCover* cover, int fragment)
{
	cover->waiting.count = 0;
	nc_array_push(&cover->waiting, fragment);
	while (cover->waiting.count > 0 && !cover->waiting.failed)
	{
		int f = cover->waiting.data[cover->waiting.count - 1];
		int component = cover->component_of.data[f];
		int hit = cover->hits.data[component];
		if (hit != NC_NULL_INDEX && !is_known(snap, 2 * hit))
		{
			nc_array_push(&cover->waiting, hit);
			continue;
		}
		int half = find_leftmost_half(snap, cover->lowest.data[component]);
		spread(snap, cover, half, get_count_at_ray(snap, hit));
		--cover->waiting.count;
	}
}

// Whether a fragment is nothing but the border of walkable areas.
static bool is_outline(const NcSnap* snap, int fragment)
{
	int use = snap->fragments.data[fragment].first_use;
	for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
	{
		if (snap->edges.data[snap->uses.data[use].edge].edge.walkable == 0)
		{
			return false;
		}
	}
	return true;
}

// An outline between two walkable areas is no wall: nothing is there.
static void store_freedom(NcSnap* snap, int fragment)
{
	NcFragment* f = &snap->fragments.data[fragment];
	bool left = is_free(get_left(snap, 2 * fragment));
	bool right = is_free(get_left(snap, 2 * fragment + 1));
	f->is_open = left && right && is_outline(snap, fragment);
	f->is_free = f->is_open ? 0 : (uint8_t)(left | right << 1);
}

static void store_all_freedom(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Work* work = context;
	for (int i = begin; i < end; ++i)
	{
		store_freedom(work->snap, work->cover->fragments.data[i]);
	}
}

static bool has_failed(const NcCover* cover)
{
	return cover->hits.failed || cover->stack.failed || cover->waiting.failed ||
		   cover->lowest.failed || cover->component_of.failed || cover->fragments.failed ||
		   cover->points.failed;
}

// Label the components that known fragments did not reach.
static bool label_rest(const NcSnap* snap, NcCover* cover)
{
	cover->lowest.count = 0;
	if (cover->component_of.count < snap->fragments.count &&
		!nc_array_resize(&cover->component_of, snap->fragments.count))
	{
		return false;
	}
	for (int i = 0; i < cover->fragments.count; ++i)
	{
		cover->component_of.data[cover->fragments.data[i]] = NC_NULL_INDEX;
	}
	for (int i = 0; i < cover->fragments.count && !has_failed(cover); ++i)
	{
		int f = cover->fragments.data[i];
		if (!is_known(snap, 2 * f) && cover->component_of.data[f] == NC_NULL_INDEX)
		{
			label_component(snap, cover, f);
		}
	}
	return !has_failed(cover) && nc_array_resize_raw(&cover->hits, cover->lowest.count);
}

bool nc_cover_compute(NcSnap* snap, NcCover* cover, const NcParallel* parallel)
{
	Work work = {snap, cover};
	if (has_failed(cover))
	{
		return false;
	}
	for (int i = 0; i < cover->fragments.count; ++i)
	{
		snap->fragments.data[cover->fragments.data[i]].cover = NC_UNKNOWN_COVER;
	}
	for (int i = 0; i < cover->fragments.count && !cover->is_nothing_known; ++i)
	{
		spread_from_known(snap, cover, cover->fragments.data[i]);
	}
	if (!label_rest(snap, cover))
	{
		return false;
	}
	nc_parallel_run(parallel, cover->lowest.count, cast_rays, &work);
	for (int i = 0; i < cover->fragments.count && !has_failed(cover); ++i)
	{
		int f = cover->fragments.data[i];
		if (!is_known(snap, 2 * f))
		{
			resolve_component(snap, cover, f);
		}
	}
	if (has_failed(cover))
	{
		return false;
	}
	nc_parallel_run(parallel, cover->fragments.count, store_all_freedom, &work);
	for (int i = 0; i < cover->points.count; ++i)
	{
		NcVertex* vertex = &snap->vertices.data[cover->points.data[i]];
		vertex->is_free = is_free(get_count_at_ray(snap, cast_ray(snap, vertex->point)));
	}
	return !has_failed(cover);
}

void nc_cover_free(NcCover* cover)
{
	nc_array_free(&cover->fragments);
	nc_array_free(&cover->points);
	nc_array_free(&cover->component_of);
	nc_array_free(&cover->lowest);
	nc_array_free(&cover->hits);
	nc_array_free(&cover->stack);
	nc_array_free(&cover->waiting);
}

bool nc_snap_compute_cover(NcSnap* snap, const NcParallel* parallel)
{
	NcCover cover = {.is_nothing_known = true};
	(void)nc_array_reserve(&cover.fragments, snap->fragments.count);
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		nc_array_push(&cover.fragments, f);
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		if (snap->vertices.data[v].half == NC_NULL_INDEX)
		{
			nc_array_push(&cover.points, v);
		}
	}
	bool is_done = nc_cover_compute(snap, &cover, parallel);
	nc_cover_free(&cover);
	return is_done;
}
