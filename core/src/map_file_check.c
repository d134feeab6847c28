// SPDX-License-Identifier: MIT
// The last part of loading a snapped world: its grids, and whether edges are cut into the right
// fragments.
//
// Where edges are cut, every crossing of two of them must be a vertex, and every edge must have the
// chain that routing gives it, because saving the map again routes it. Where fragments are edges,
// which is most of most worlds, they might cross in a damaged file, and make answers wrong.

#include "map_file.h"

#include "check.h"
#include "fragment.h"

typedef struct Check
{
	NcSnap* snap;
	NcGrid edge_grid;  // unless the world is simple
	NcIntArray stamps; // per edge: one more than the last edge it was compared with
	NcRoute route;
} Check;

// Grids. Lists have the room that was counted.

static void init_grid(NcGrid* grid, const NcFileHeader* h)
{
	NcBox box = {nc_point_to_vec2(h->lower), nc_point_to_vec2(h->upper)};
	nc_grid_init(grid, box, h->columns, h->rows);
}

static void enter_cell(NcGrid* grid, int cell, int item, int pass)
{
	NcGridList* list = &grid->lists.data[cell];
	if (pass == 0)
	{
		++list->capacity;
		return;
	}
	grid->pool.data[list->start + list->count++] = item;
}

// Questions need no lists of vertices, and the first update makes a new world. What is needed is
// the shape of the grid.
static void shape_vertex_grid(NcSnap* snap)
{
	snap->vertex_grid = snap->fragment_grid;
	memset(&snap->vertex_grid.lists, 0, sizeof(snap->vertex_grid.lists));
	memset(&snap->vertex_grid.pool, 0, sizeof(snap->vertex_grid.pool));
}

static bool fill_vertex_grid(NcSnap* snap, const NcFileHeader* header)
{
	NcGrid* grid = &snap->vertex_grid;
	init_grid(grid, header);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int v = 0; v < snap->vertices.count; ++v)
		{
			NcPoint p = snap->vertices.data[v].point;
			enter_cell(grid, nc_grid_cell_of(grid, p.x, p.y), v, pass);
		}
		pass == 0 ? nc_grid_allocate(grid) : (void)0;
	}
	return !nc_grid_failed(grid);
}

// Count a segment for a grid, or add it, in the cells that nc_grid_segment_cells() gives. Most
// segments stay within a row or a column, and need no more than their box.
static void enter_segment(NcGrid* grid, NcPoint a, NcPoint b, int item, int pass)
{
	NcVec2 p = nc_point_to_vec2(a);
	NcVec2 q = nc_point_to_vec2(b);
	NcCellRange range = nc_grid_range(
		grid, (NcBox){{nc_min(p.x, q.x), nc_min(p.y, q.y)}, {nc_max(p.x, q.x), nc_max(p.y, q.y)}});
	bool is_box = range.i0 == range.i1 || range.j0 == range.j1;
	NcSegmentCells cells = {.is_box = true, .range = range};
	cells = is_box ? cells : nc_grid_segment_cells(grid, p, q, 0.0);
	for (int j = range.j0; j <= range.j1; ++j)
	{
		int first = range.i0;
		int last = range.i1;
		is_box ? (void)0 : nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			enter_cell(grid, j * grid->columns + i, item, pass);
		}
	}
}

static bool fill_fragment_grid(NcSnap* snap, const NcFileHeader* header)
{
	NcGrid* grid = &snap->fragment_grid;
	init_grid(grid, header);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int f = 0; f < snap->fragments.count; ++f)
		{
			enter_segment(grid, nc_half_start(snap, 2 * f), nc_half_end(snap, 2 * f), f, pass);
		}
		pass == 0 ? nc_grid_allocate(grid) : (void)0;
	}
	return !nc_grid_failed(grid);
}

static bool fill_edge_grid(Check* c, const NcFileHeader* header)
{
	NcGrid* grid = &c->edge_grid;
	init_grid(grid, header);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int e = 0; e < c->snap->edges.count; ++e)
		{
			const NcEdge* edge = &c->snap->edges.data[e].edge;
			enter_segment(grid, edge->a, edge->b, e, pass);
		}
		pass == 0 ? nc_grid_allocate(grid) : (void)0;
	}
	return !nc_grid_failed(grid);
}

static bool do_boxes_overlap(NcPoint a, NcPoint b, NcPoint c, NcPoint d)
{
	return !(((a.x < c.x) & (a.x < d.x) & (b.x < c.x) & (b.x < d.x)) |
			 ((a.x > c.x) & (a.x > d.x) & (b.x > c.x) & (b.x > d.x)) |
			 ((a.y < c.y) & (a.y < d.y) & (b.y < c.y) & (b.y < d.y)) |
			 ((a.y > c.y) & (a.y > d.y) & (b.y > c.y) & (b.y > d.y)));
}

// Crossings make vertices hot, and chains are what routing makes of them.

static int find_vertex(const NcSnap* snap, NcPoint p)
{
	const NcGrid* grid = &snap->vertex_grid;
	NcGridList list = grid->lists.data[nc_grid_cell_of(grid, p.x, p.y)];
	for (int k = 0; k < list.count; ++k)
	{
		int v = grid->pool.data[list.start + k];
		if (nc_point_equals(snap->vertices.data[v].point, p))
		{
			return v;
		}
	}
	return NC_NULL_INDEX;
}

// Count the crossings of an edge with those of higher index in a cell.
static bool count_crossings_in_cell(Check* c, int e, int cell)
{
	NcSnap* snap = c->snap;
	const NcEdge* edge = &snap->edges.data[e].edge;
	NcGridList list = c->edge_grid.lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int f = c->edge_grid.pool.data[list.start + k];
		const NcEdge* other = &snap->edges.data[f].edge;
		if (f <= e || c->stamps.data[f] == e + 1 ||
			!do_boxes_overlap(edge->a, edge->b, other->a, other->b))
		{
			continue;
		}
		c->stamps.data[f] = e + 1;
		if (nc_segments_cross(edge->a, edge->b, other->a, other->b))
		{
			int v = find_vertex(snap, nc_round_crossing(edge->a, edge->b, other->a, other->b));
			if (v == NC_NULL_INDEX)
			{
				return false;
			}
			++snap->vertices.data[v].hot_count;
		}
	}
	return true;
}

static bool count_crossings(Check* c)
{
	const NcGrid* grid = &c->edge_grid;
	for (int e = 0; e < c->snap->edges.count; ++e)
	{
		const NcEdge* edge = &c->snap->edges.data[e].edge;
		NcSegmentCells cells =
			nc_grid_segment_cells(grid, nc_point_to_vec2(edge->a), nc_point_to_vec2(edge->b), 0.0);
		for (int j = cells.range.j0; j <= cells.range.j1; ++j)
		{
			int first, last;
			nc_grid_segment_row(grid, &cells, j, &first, &last);
			for (int i = first; i <= last; ++i)
			{
				if (!count_crossings_in_cell(c, e, j * grid->columns + i))
				{
					return false;
				}
			}
		}
	}
	return true;
}

// Whether the uses of an edge, which are listed backwards, are the chain that was routed.
static bool has_routed_chain(const Check* c, int edge)
{
	const NcSnap* snap = c->snap;
	const NcEdge* e = &snap->edges.data[edge].edge;
	const NcIntArray* chain = &c->route.chain;
	bool is_upward = nc_point_compare(e->a, e->b) < 0;
	int use = snap->edges.data[edge].first_use;
	for (int i = 1; i < chain->count; ++i)
	{
		int step = is_upward ? chain->count - i : i;
		if (use == NC_NULL_INDEX)
		{
			return false;
		}
		int half = snap->uses.data[use].half ^ !is_upward;
		if (nc_half_vertex(snap, half) != chain->data[step - 1] ||
			nc_half_vertex(snap, half ^ 1) != chain->data[step])
		{
			return false;
		}
		use = snap->uses.data[use].next_of_edge;
	}
	return use == NC_NULL_INDEX;
}

static NcStatus check_chains(Check* c)
{
	const NcSnap* snap = c->snap;
	for (int e = 0; e < snap->edges.count; ++e)
	{
		const NcEdge* edge = &snap->edges.data[e].edge;
		if (nc_point_equals(edge->a, edge->b))
		{
			continue;
		}
		bool is_upward = nc_point_compare(edge->a, edge->b) < 0;
		int a = find_vertex(snap, edge->a);
		int b = find_vertex(snap, edge->b);
		nc_route_edge(snap, is_upward ? a : b, is_upward ? b : a, &c->route);
		if (c->route.chain.failed || c->route.found.failed)
		{
			return NC_OUT_OF_MEMORY;
		}
		if (!has_routed_chain(c, e))
		{
			return NC_WRONG_FORMAT;
		}
	}
	return NC_OK;
}

static NcStatus check_any_world(Check* c, const NcFileHeader* header)
{
	if (!fill_edge_grid(c, header) || !nc_array_resize(&c->stamps, c->snap->edges.count))
	{
		return NC_OUT_OF_MEMORY;
	}
	return count_crossings(c) ? check_chains(c) : NC_WRONG_FORMAT;
}

NcStatus nc_file_check_snap(const NcFile* file, NcSnap* snap, NcFileWorldKind kind)
{
	if (!fill_fragment_grid(snap, &file->header))
	{
		return NC_OUT_OF_MEMORY;
	}
	if (kind == NC_FILE_WORLD_SIMPLE)
	{
		shape_vertex_grid(snap);
		return NC_OK;
	}
	if (!fill_vertex_grid(snap, &file->header))
	{
		return NC_OUT_OF_MEMORY;
	}
	Check c = {.snap = snap};
	NcStatus status = check_any_world(&c, &file->header);
	nc_grid_free(&c.edge_grid);
	nc_array_free(&c.stamps);
	nc_route_free(&c.route);
	for (int v = 0; status == NC_OK && v < snap->vertices.count; ++v)
	{
		status = snap->vertices.data[v].hot_count > 0 ? NC_OK : NC_WRONG_FORMAT;
	}
	return status;
}
