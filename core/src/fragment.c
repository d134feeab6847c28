// SPDX-License-Identifier: MIT
// The steps in which fragments come and go: see fragment.h.

#include "fragment.h"

#include "check.h"

// Routing.

// Rounding repeats while chains still meet foreign hot pixels. Each round moves them by less than a
// snap, and in practice the second one changes nothing; the limit is against eternity.
#define MAX_ROUTE_DEPTH 16

// Push the vertices whose pixels a segment between two vertices meets, without those two.
// @param found NULL: nothing is pushed, and the first one ends the search
// @return whether there are any
static bool find_pixels_met(const NcSnap* snap, int v0, int v1, NcIntArray* found)
{
	const NcGrid* grid = &snap->vertex_grid;
	NcPoint a = snap->vertices.data[v0].point;
	NcPoint b = snap->vertices.data[v1].point;
	bool is_met = false;

	// A pixel reaches half a snap around its centre.
	NcSegmentCells cells =
		nc_grid_segment_cells(grid, nc_point_to_vec2(a), nc_point_to_vec2(b), 1.0);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			NcGridList list = grid->lists.data[j * grid->columns + i];
			for (int k = 0; k < list.count; ++k)
			{
				int v = grid->pool.data[list.start + k];
				if (v != v0 && v != v1 &&
					nc_segment_meets_pixel(a, b, snap->vertices.data[v].point))
				{
					is_met = true;
					if (found == NULL)
					{
						return true;
					}
					nc_array_push(found, v);
				}
			}
		}
	}
	return is_met;
}

// Order vertices along a segment. Pixels that a straight line meets follow each other like a
// staircase, so their centres have different projections on it.
static void sort_along(const NcSnap* snap, int* vertices, int count, int v0, int v1)
{
	NcPoint a = snap->vertices.data[v0].point;
	NcPoint b = snap->vertices.data[v1].point;
	int64_t dx = (int64_t)b.x - a.x;
	int64_t dy = (int64_t)b.y - a.y;
	for (int i = 1; i < count; ++i)
	{
		int v = vertices[i];
		NcPoint p = snap->vertices.data[v].point;
		int64_t key = dx * p.x + dy * p.y;
		int j = i;
		for (; j > 0; --j)
		{
			NcPoint q = snap->vertices.data[vertices[j - 1]].point;
			if (dx * q.x + dy * q.y <= key)
			{
				break;
			}
			vertices[j] = vertices[j - 1];
		}
		vertices[j] = v;
	}
}

// Append the chain from v0, not included, to v1.
static void route_segment(const NcSnap* snap, int v0, int v1, int depth, NcRoute* route)
{
	int begin = route->found.count;
	if (depth < MAX_ROUTE_DEPTH)
	{
		find_pixels_met(snap, v0, v1, &route->found);
	}
	int count = route->found.count - begin;
	if (count == 0)
	{
		nc_array_push(&route->chain, v1);
		return;
	}

	sort_along(snap, route->found.data + begin, count, v0, v1);
	int from = v0;
	for (int i = 0; i < count; ++i)
	{
		int to = route->found.data[begin + i];
		route_segment(snap, from, to, depth + 1, route);
		from = to;
	}
	route_segment(snap, from, v1, depth + 1, route);
	route->found.count = begin;
}

void nc_route_edge(const NcSnap* snap, int lower, int upper, NcRoute* route)
{
	route->chain.count = 0;
	route->found.count = 0;
	nc_array_push(&route->chain, lower);
	if (lower != upper)
	{
		route_segment(snap, lower, upper, 0, route);
	}
}

bool nc_route_is_plain(const NcSnap* snap, int v0, int v1)
{
	return v0 == v1 || !find_pixels_met(snap, v0, v1, NULL);
}

void nc_route_free(NcRoute* route)
{
	nc_array_free(&route->chain);
	nc_array_free(&route->found);
}

// The rings around vertices.

bool nc_wall_is_reflex(const NcSnap* snap, int half)
{
	int next = nc_wall_next(snap, half);
	if (next == half)
	{
		return true;
	}
	return nc_orient(nc_half_start(snap, half), nc_half_end(snap, half), nc_half_end(snap, next)) <
		   0;
}

static void link_halves(NcSnap* snap, int half, int next, NcJournal* journal)
{
	nc_edit(journal, &snap->fragments, half >> 1)->next[half & 1] = next;
	nc_edit(journal, &snap->fragments, next >> 1)->previous[next & 1] = half;
}

// Insert a half into the ring around its start, which is sorted from vertex.half on.
static void insert_half(NcSnap* snap, int half, NcJournal* journal)
{
	int index = nc_half_vertex(snap, half);
	NcVertex* vertex = &snap->vertices.data[index];
	if (vertex->half == NC_NULL_INDEX)
	{
		link_halves(snap, half, half, journal);
		nc_edit(journal, &snap->vertices, index)->half = half;
		return;
	}

	NcPoint end = nc_half_end(snap, half);
	int first = vertex->half;
	int next = first;
	do
	{
		if (nc_compare_angle(vertex->point, end, nc_half_end(snap, next)) < 0)
		{
			break;
		}
		next = nc_half_next(snap, next);
	} while (next != first);

	if (next == first && nc_compare_angle(vertex->point, end, nc_half_end(snap, first)) < 0)
	{
		nc_edit(journal, &snap->vertices, index)->half = half;
	}
	link_halves(snap, nc_half_previous(snap, next), half, journal);
	link_halves(snap, half, next, journal);
}

static void remove_half(NcSnap* snap, int half, NcJournal* journal)
{
	int index = nc_half_vertex(snap, half);
	int next = nc_half_next(snap, half);
	bool is_last = next == half;
	if (snap->vertices.data[index].half == half)
	{
		nc_edit(journal, &snap->vertices, index)->half = is_last ? NC_NULL_INDEX : next;
	}
	if (!is_last)
	{
		link_halves(snap, nc_half_previous(snap, half), next, journal);
	}
}

int nc_fragment_find_half(const NcSnap* snap, int from, int to)
{
	int first = snap->vertices.data[from].half;
	int half = first;
	while (half != NC_NULL_INDEX)
	{
		if (nc_half_vertex(snap, half ^ 1) == to)
		{
			return half;
		}
		half = nc_half_next(snap, half);
		half = half == first ? NC_NULL_INDEX : half;
	}
	return NC_NULL_INDEX;
}

// Fragments.

int nc_fragment_create(NcSnap* snap, int from, int to, NcJournal* journal)
{
	bool is_upward =
		nc_point_compare(snap->vertices.data[from].point, snap->vertices.data[to].point) < 0;
	NcFragment fragment = {
		.vertices = {is_upward ? from : to, is_upward ? to : from},
		.first_use = NC_NULL_INDEX,
		.cover = NC_UNKNOWN_COVER,
	};
	int index;
	if (snap->free_fragments.count > 0)
	{
		index = snap->free_fragments.data[--snap->free_fragments.count];
		*nc_edit(journal, &snap->fragments, index) = fragment;
	}
	else
	{
		index = snap->fragments.count;
		if (!nc_array_push(&snap->fragments, fragment))
		{
			return NC_NULL_INDEX;
		}
	}
	insert_half(snap, 2 * index, journal);
	insert_half(snap, 2 * index + 1, journal);
	return index;
}

void nc_fragment_unlink(NcSnap* snap, int fragment, NcJournal* journal)
{
	remove_half(snap, 2 * fragment, journal);
	remove_half(snap, 2 * fragment + 1, journal);
}

// Uses.

static int take_use(NcSnap* snap, NcUse use, NcJournal* journal)
{
	if (snap->free_uses.count > 0)
	{
		int index = snap->free_uses.data[--snap->free_uses.count];
		*nc_edit(journal, &snap->uses, index) = use;
		return index;
	}
	return nc_array_push(&snap->uses, use) ? snap->uses.count - 1 : NC_NULL_INDEX;
}

// Where the list of uses of a half's fragment, or of a vertex, begins.
static int* edit_first_use(NcSnap* snap, int half, int vertex, NcJournal* journal)
{
	return half != NC_NULL_INDEX ? &nc_edit(journal, &snap->fragments, half >> 1)->first_use
								 : &nc_edit(journal, &snap->vertices, vertex)->first_use;
}

static void change_cover(NcSnap* snap, int half, const NcEdge* edge, int sign)
{
	if (half != NC_NULL_INDEX)
	{
		NcFragment* fragment = &snap->fragments.data[half >> 1];
		sign = (half & 1) ? -sign : sign;
		fragment->solid += sign * edge->solid;
		fragment->walkable += sign * edge->walkable;
	}
}

bool nc_fragment_add_use(NcSnap* snap, int edge, int half, int vertex, NcJournal* journal)
{
	int* first = edit_first_use(snap, half, vertex, journal);
	NcEdgeSlot* slot = nc_edit(journal, &snap->edges, edge);
	NcUse use = {
		.edge = edge, .half = half, .next_of_edge = slot->first_use, .next_of_fragment = *first};
	int index = take_use(snap, use, journal);
	if (index == NC_NULL_INDEX)
	{
		return false;
	}
	*first = index;
	slot->first_use = index;
	change_cover(snap, half, &slot->edge, 1);
	return true;
}

void nc_fragment_release_use(NcSnap* snap, int use, int vertex, NcJournal* journal)
{
	NcUse released = snap->uses.data[use];
	int* first = edit_first_use(snap, released.half, vertex, journal);
	if (*first == use)
	{
		*first = released.next_of_fragment;
	}
	else
	{
		int before = *first;
		while (snap->uses.data[before].next_of_fragment != use)
		{
			before = snap->uses.data[before].next_of_fragment;
		}
		nc_edit(journal, &snap->uses, before)->next_of_fragment = released.next_of_fragment;
	}
	change_cover(snap, released.half, &snap->edges.data[released.edge].edge, -1);
}

static int find_lowest_owner(const NcSnap* snap, int use)
{
	unsigned best = (unsigned)NC_NULL_INDEX;
	for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
	{
		unsigned owner = (unsigned)snap->edges.data[snap->uses.data[use].edge].edge.obstacle;
		best = owner < best ? owner : best;
	}
	return (int)best;
}

int nc_fragment_owner(const NcSnap* snap, int fragment)
{
	return find_lowest_owner(snap, snap->fragments.data[fragment].first_use);
}

int nc_vertex_owner(const NcSnap* snap, int vertex)
{
	const NcVertex* v = &snap->vertices.data[vertex];
	unsigned best = (unsigned)find_lowest_owner(snap, v->first_use);
	int half = v->half;
	while (half != NC_NULL_INDEX)
	{
		unsigned owner = (unsigned)nc_fragment_owner(snap, half >> 1);
		best = owner < best ? owner : best;
		half = nc_half_next(snap, half);
		half = half == v->half ? NC_NULL_INDEX : half;
	}
	return (int)best;
}

// The grid.

static NcSegmentCells get_cells(const NcSnap* snap, int fragment)
{
	return nc_grid_segment_cells(&snap->fragment_grid,
		nc_point_to_vec2(nc_half_start(snap, 2 * fragment)),
		nc_point_to_vec2(nc_half_end(snap, 2 * fragment)), 0.0);
}

bool nc_fragment_enter_grid(NcSnap* snap, int fragment, NcJournal* journal)
{
	NcGrid* grid = &snap->fragment_grid;
	NcSegmentCells cells = get_cells(snap, fragment);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			int cell = j * grid->columns + i;
			if (!nc_journal_reserve(journal, 2) || !nc_grid_reserve(grid, cell))
			{
				return false;
			}
			nc_grid_add(grid, cell, fragment, journal);
		}
	}
	return true;
}

bool nc_fragment_leave_grid(NcSnap* snap, int fragment, NcJournal* journal)
{
	NcGrid* grid = &snap->fragment_grid;
	NcSegmentCells cells = get_cells(snap, fragment);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			if (!nc_journal_reserve(journal, 2))
			{
				return false;
			}
			nc_grid_remove(grid, j * grid->columns + i, fragment, journal);
		}
	}
	return true;
}
