// SPDX-License-Identifier: MIT
// Snapping and planarisation: see snap.h for the terms and the idea.
//
// This file builds everything at once; snap_update.c changes parts of it. Cost: O(n + k) hash and
// grid steps for n edges with k crossings, as long as edges are spread over the world.

#include "snap.h"

#include "check.h"
#include "fragment.h"

// A table from keys to indices, with open addressing. Nothing ever reads it in its own order.
typedef struct Table
{
	NcArray(uint64_t) keys;
	NcIntArray values;
	int mask;
	int count;
} Table;

typedef struct Builder
{
	NcSnap* snap;
	const NcEdge* edges;
	int edge_count;
	NcGrid edge_grid;
	Table vertex_table;
	NcIntArray stamps; // per edge: the last edge it was compared with
	NcIntArray ends;   // per edge: the vertices of its two ends
	NcRoute route;
} Builder;

static bool table_init(Table* table, int capacity)
{
	int size = 16;
	while (size < 2 * (long long)capacity && size < (1 << 29))
	{
		size *= 2;
	}
	table->mask = size - 1;
	table->count = 0;
	bool is_ready = nc_array_resize(&table->keys, size) && nc_array_resize(&table->values, size);
	for (int i = 0; is_ready && i < size; ++i)
	{
		table->values.data[i] = NC_NULL_INDEX;
	}
	return is_ready;
}

static void table_free(Table* table)
{
	nc_array_free(&table->keys);
	nc_array_free(&table->values);
}

// The slot of a key: where it is, or the empty one where it belongs.
static int table_find(const Table* table, uint64_t key)
{
	// Coordinates often share many low bits; only the highest bits of the product depend on all.
	uint64_t product = (key ^ key >> 29) * 0x9E3779B97F4A7C15u;
	int slot = (int)(product >> 33) & table->mask;
	while (table->values.data[slot] != NC_NULL_INDEX && table->keys.data[slot] != key)
	{
		slot = (slot + 1) & table->mask;
	}
	return slot;
}

static bool table_grow(Table* table)
{
	Table grown = {0};
	if (!table_init(&grown, 2 * (table->mask + 1)))
	{
		table_free(&grown);
		table->values.failed = true;
		return false;
	}
	for (int i = 0; i <= table->mask; ++i)
	{
		if (table->values.data[i] != NC_NULL_INDEX)
		{
			int slot = table_find(&grown, table->keys.data[i]);
			grown.keys.data[slot] = table->keys.data[i];
			grown.values.data[slot] = table->values.data[i];
		}
	}
	grown.count = table->count;
	grown.values.failed = table->values.failed;
	table_free(table);
	*table = grown;
	return true;
}

// The index stored for a key, or `fresh`, which is then stored.
static int table_get_or_add(Table* table, uint64_t key, int fresh)
{
	int slot = table_find(table, key);
	if (table->values.data[slot] != NC_NULL_INDEX)
	{
		return table->values.data[slot];
	}
	if (2 * (table->count + 1) > table->mask)
	{
		if (!table_grow(table))
		{
			return fresh;
		}
		slot = table_find(table, key);
	}
	table->keys.data[slot] = key;
	table->values.data[slot] = fresh;
	++table->count;
	return fresh;
}

// Grids.

// Cells that hold about one item each, shaped after the mean extent of the edges: walls that are
// long in one direction get cells that are.
static void choose_grid_size(const Builder* builder, NcBox box, int* columns, int* rows)
{
	double width = box.upper.x - box.lower.x;
	double height = box.upper.y - box.lower.y;
	double sum_x = 0.0;
	double sum_y = 0.0;
	for (int i = 0; i < builder->edge_count; ++i)
	{
		const NcEdge* edge = &builder->edges[i];
		sum_x += nc_min(fabs((double)edge->b.x - edge->a.x), width);
		sum_y += nc_min(fabs((double)edge->b.y - edge->a.y), height);
	}

	// The bounds' own edges and isolated points must not decide the shape of the cells.
	int n = builder->edge_count > 1 ? builder->edge_count : 1;
	double spacing = sqrt(width * height / n);
	double mean_x = nc_max(sum_x / n, 0.5 * spacing);
	double mean_y = nc_max(sum_y / n, 0.5 * spacing);
	double aspect = nc_clamp(mean_x / mean_y, 1.0 / 1024.0, 1024.0);

	double cell_width = 0.9 * spacing * sqrt(aspect);
	double cell_height = 0.9 * spacing / sqrt(aspect);
	*columns = (int)nc_clamp(ceil(width / cell_width), 1.0, 1 << 14);
	*rows = (int)nc_clamp(ceil(height / cell_height), 1.0, 1 << 14);
}

static void fill_edge_grid(Builder* builder, NcBox box, int columns, int rows)
{
	NcGrid* grid = &builder->edge_grid;
	nc_grid_init(grid, box, columns, rows);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int e = 0; e < builder->edge_count; ++e)
		{
			NcSegmentCells cells = nc_grid_segment_cells(grid,
				nc_point_to_vec2(builder->edges[e].a), nc_point_to_vec2(builder->edges[e].b), 0.0);
			for (int j = cells.range.j0; j <= cells.range.j1; ++j)
			{
				int first, last;
				nc_grid_segment_row(grid, &cells, j, &first, &last);
				for (int i = first; i <= last; ++i)
				{
					int cell = j * grid->columns + i;
					pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, e, NULL);
				}
			}
		}
		if (pass == 0)
		{
			nc_grid_allocate(grid);
		}
	}
}

// Vertices.

static uint64_t point_key(NcPoint p)
{
	return (uint64_t)(uint32_t)p.x << 32 | (uint32_t)p.y;
}

// The vertex of a point. Each call is one more reason for it to be hot.
static int add_vertex(Builder* builder, NcPoint p)
{
	NcSnap* snap = builder->snap;
	int fresh = snap->vertices.count;
	int index = table_get_or_add(&builder->vertex_table, point_key(p), fresh);
	if (index == fresh)
	{
		NcVertex vertex = {.point = p, .half = NC_NULL_INDEX, .first_use = NC_NULL_INDEX};
		if (!nc_array_push(&snap->vertices, vertex))
		{
			return index;
		}
	}
	++snap->vertices.data[index].hot_count;
	return index;
}

static bool boxes_overlap(const NcEdge* e, const NcEdge* f)
{
	return !((e->a.x < f->a.x && e->a.x < f->b.x && e->b.x < f->a.x && e->b.x < f->b.x) ||
			 (e->a.x > f->a.x && e->a.x > f->b.x && e->b.x > f->a.x && e->b.x > f->b.x) ||
			 (e->a.y < f->a.y && e->a.y < f->b.y && e->b.y < f->a.y && e->b.y < f->b.y) ||
			 (e->a.y > f->a.y && e->a.y > f->b.y && e->b.y > f->a.y && e->b.y > f->b.y));
}

// Compare an edge with those of higher index in a cell.
static void add_crossings_in_cell(Builder* builder, int e, int cell)
{
	const NcEdge* edge = &builder->edges[e];
	NcGridList list = builder->edge_grid.lists.data[cell];
	const int* items = builder->edge_grid.pool.data + list.start;
	for (int k = 0; k < list.count; ++k)
	{
		int f = items[k];
		const NcEdge* other = &builder->edges[f];
		if (f > e && builder->stamps.data[f] != e && boxes_overlap(edge, other))
		{
			builder->stamps.data[f] = e;
			if (nc_segments_cross(edge->a, edge->b, other->a, other->b))
			{
				add_vertex(builder, nc_round_crossing(edge->a, edge->b, other->a, other->b));
			}
		}
	}
}

static void add_vertices(Builder* builder)
{
	for (int e = 0; e < builder->edge_count; ++e)
	{
		builder->ends.data[2 * e] = add_vertex(builder, builder->edges[e].a);
		builder->ends.data[2 * e + 1] = add_vertex(builder, builder->edges[e].b);
		builder->stamps.data[e] = NC_NULL_INDEX;
	}

	const NcGrid* grid = &builder->edge_grid;
	for (int e = 0; e < builder->edge_count; ++e)
	{
		NcSegmentCells cells = nc_grid_segment_cells(grid, nc_point_to_vec2(builder->edges[e].a),
			nc_point_to_vec2(builder->edges[e].b), 0.0);
		for (int j = cells.range.j0; j <= cells.range.j1; ++j)
		{
			int first, last;
			nc_grid_segment_row(grid, &cells, j, &first, &last);
			for (int i = first; i <= last; ++i)
			{
				add_crossings_in_cell(builder, e, j * grid->columns + i);
			}
		}
	}
}

static void fill_vertex_grid(Builder* builder, NcBox box, int columns, int rows)
{
	NcSnap* snap = builder->snap;
	NcGrid* grid = &snap->vertex_grid;
	nc_grid_init(grid, box, columns, rows);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int v = 0; v < snap->vertices.count; ++v)
		{
			NcPoint p = snap->vertices.data[v].point;
			int cell = nc_grid_cell_of(grid, p.x, p.y);
			pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, v, NULL);
		}
		if (pass == 0)
		{
			nc_grid_allocate(grid);
		}
	}
}

// Fragments.

// Replace an edge by its chain. It is routed from its lower end, so that both directions of an edge
// give the same one.
static bool add_edge(Builder* builder, int index)
{
	NcSnap* snap = builder->snap;
	const NcEdge* edge = &builder->edges[index];
	int a = builder->ends.data[2 * index];
	int b = builder->ends.data[2 * index + 1];
	if (a == b)
	{
		return nc_fragment_add_use(snap, index, NC_NULL_INDEX, a, NULL);
	}
	bool is_upward = nc_point_compare(edge->a, edge->b) < 0;
	nc_route_edge(snap, is_upward ? a : b, is_upward ? b : a, &builder->route);
	if (builder->route.chain.failed || builder->route.found.failed)
	{
		return false;
	}
	for (int i = 1; i < builder->route.chain.count; ++i)
	{
		int from = builder->route.chain.data[i - 1];
		int to = builder->route.chain.data[i];
		int half = nc_fragment_find_half(snap, from, to);
		if (half == NC_NULL_INDEX)
		{
			int fragment = nc_fragment_create(snap, from, to, NULL);
			if (fragment == NC_NULL_INDEX)
			{
				return false;
			}
			half = 2 * fragment + (snap->fragments.data[fragment].vertices[0] != from);
		}
		if (!nc_fragment_add_use(snap, index, is_upward ? half : half ^ 1, NC_NULL_INDEX, NULL))
		{
			return false;
		}
	}
	return true;
}

static bool add_edges(Builder* builder)
{
	NcSnap* snap = builder->snap;
	if (!nc_array_reserve(&snap->edges, builder->edge_count) ||
		!nc_array_reserve(&snap->uses, builder->edge_count) ||
		!nc_array_reserve(&snap->fragments, builder->edge_count))
	{
		return false;
	}
	for (int e = 0; e < builder->edge_count; ++e)
	{
		NcEdgeSlot slot = {.edge = builder->edges[e],
			.first_use = NC_NULL_INDEX,
			.next_of_obstacle = NC_NULL_INDEX};
		nc_array_push(&snap->edges, slot);
		if (!add_edge(builder, e))
		{
			return false;
		}
	}
	return true;
}

// Whether every edge became one fragment of its own, with the same number.
static bool is_one_to_one(const Builder* builder)
{
	const NcSnap* snap = builder->snap;
	bool result = snap->fragments.count == builder->edge_count;
	for (int f = 0; result && f < snap->fragments.count; ++f)
	{
		const NcUse* use = &snap->uses.data[snap->fragments.data[f].first_use];
		result = use->edge == f && use->next_of_edge == NC_NULL_INDEX;
	}
	return result;
}

static void fill_fragment_grid(Builder* builder, NcBox box, int columns, int rows)
{
	NcSnap* snap = builder->snap;
	NcGrid* grid = &snap->fragment_grid;
	if (is_one_to_one(builder))
	{
		*grid = builder->edge_grid;
		builder->edge_grid = (NcGrid){0};
		return;
	}
	nc_grid_init(grid, box, columns, rows);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int f = 0; f < snap->fragments.count; ++f)
		{
			NcSegmentCells cells =
				nc_grid_segment_cells(grid, nc_point_to_vec2(nc_half_start(snap, 2 * f)),
					nc_point_to_vec2(nc_half_end(snap, 2 * f)), 0.0);
			for (int j = cells.range.j0; j <= cells.range.j1; ++j)
			{
				int first, last;
				nc_grid_segment_row(grid, &cells, j, &first, &last);
				for (int i = first; i <= last; ++i)
				{
					int cell = j * grid->columns + i;
					pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, f, NULL);
				}
			}
		}
		if (pass == 0)
		{
			nc_grid_allocate(grid);
		}
	}
}

static bool has_failed(const Builder* builder)
{
	const NcSnap* snap = builder->snap;
	return snap->vertices.failed || nc_grid_failed(&snap->vertex_grid) ||
		   nc_grid_failed(&snap->fragment_grid) || nc_grid_failed(&builder->edge_grid) ||
		   builder->vertex_table.keys.failed || builder->vertex_table.values.failed;
}

// Each step needs that nothing failed before it: indices would point to what was never stored.
static bool build(Builder* builder, NcBox box)
{
	int columns, rows;
	choose_grid_size(builder, box, &columns, &rows);
	fill_edge_grid(builder, box, columns, rows);
	if (!nc_array_resize(&builder->stamps, builder->edge_count) ||
		!nc_array_resize(&builder->ends, 2 * builder->edge_count) ||
		!table_init(&builder->vertex_table, builder->edge_count) || has_failed(builder))
	{
		return false;
	}
	add_vertices(builder);
	if (has_failed(builder))
	{
		return false;
	}
	fill_vertex_grid(builder, box, columns, rows);
	if (has_failed(builder) || !add_edges(builder))
	{
		return false;
	}
	fill_fragment_grid(builder, box, columns, rows);
	return !has_failed(builder);
}

NcStatus nc_snap_build(NcSnap* snap, const NcSnapDef* def, const NcEdge* edges, int edge_count)
{
	NC_ASSERT(snap->vertices.count == 0 && edge_count >= 0);
	snap->outer_cover = def->outer_cover;
	snap->outer_walkable = def->outer_walkable;

	Builder builder = {.snap = snap, .edges = edges, .edge_count = edge_count};
	bool is_built = build(&builder, def->box);
	nc_grid_free(&builder.edge_grid);
	table_free(&builder.vertex_table);
	nc_array_free(&builder.stamps);
	nc_array_free(&builder.ends);
	nc_route_free(&builder.route);
	return is_built && nc_snap_compute_cover(snap) ? NC_OK : NC_OUT_OF_MEMORY;
}

void nc_snap_free(NcSnap* snap)
{
	nc_array_free(&snap->edges);
	nc_array_free(&snap->uses);
	nc_array_free(&snap->vertices);
	nc_array_free(&snap->fragments);
	nc_grid_free(&snap->vertex_grid);
	nc_grid_free(&snap->fragment_grid);
	nc_array_free(&snap->free_edges);
	nc_array_free(&snap->free_uses);
	nc_array_free(&snap->free_vertices);
	nc_array_free(&snap->free_fragments);
}
