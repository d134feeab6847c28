// SPDX-License-Identifier: MIT
// Snapping and planarisation: see snap.h for the terms and the idea.
//
// Cost: O(n + k) hash and grid steps for n edges with k crossings, as long as edges are spread over
// the world.

#include "snap.h"

#include "check.h"

#include <stdlib.h>

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
	Table fragment_table;
	NcIntArray stamps; // per edge: the last edge it was compared with
	NcIntArray chain;  // vertices of the chain being routed
	NcIntArray found;  // hot pixels met, as a stack of the recursion
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
					pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, e);
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

static int add_vertex(Builder* builder, NcPoint p)
{
	NcSnap* snap = builder->snap;
	int fresh = snap->vertices.count;
	int index = table_get_or_add(&builder->vertex_table, point_key(p), fresh);
	if (index == fresh)
	{
		NcVertex vertex = {.point = p, .half = NC_NULL_INDEX, .obstacle = NC_NULL_INDEX};
		nc_array_push(&snap->vertices, vertex);
	}
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
		add_vertex(builder, builder->edges[e].a);
		add_vertex(builder, builder->edges[e].b);
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
			pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, v);
		}
		if (pass == 0)
		{
			nc_grid_allocate(grid);
		}
	}
}

// Routing.

// Rounding repeats while chains still meet foreign hot pixels. Each round moves them by less than a
// snap, and in practice the second one changes nothing; the limit is against eternity.
#define MAX_ROUTE_DEPTH 16

// Push the vertices whose pixels a segment between two vertices meets, without those two.
static void find_pixels_met(Builder* builder, int v0, int v1)
{
	const NcSnap* snap = builder->snap;
	const NcGrid* grid = &snap->vertex_grid;
	NcPoint a = snap->vertices.data[v0].point;
	NcPoint b = snap->vertices.data[v1].point;

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
					nc_array_push(&builder->found, v);
				}
			}
		}
	}
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
static void route(Builder* builder, int v0, int v1, int depth)
{
	int begin = builder->found.count;
	if (depth < MAX_ROUTE_DEPTH)
	{
		find_pixels_met(builder, v0, v1);
	}
	int count = builder->found.count - begin;
	if (count == 0)
	{
		nc_array_push(&builder->chain, v1);
		return;
	}

	sort_along(builder->snap, builder->found.data + begin, count, v0, v1);
	int from = v0;
	for (int i = 0; i < count; ++i)
	{
		int to = builder->found.data[begin + i];
		route(builder, from, to, depth + 1);
		from = to;
	}
	route(builder, from, v1, depth + 1);
	builder->found.count = begin;
}

static void add_fragment(Builder* builder, int v0, int v1, const NcEdge* edge, int direction)
{
	NcSnap* snap = builder->snap;
	bool is_upward =
		nc_point_compare(snap->vertices.data[v0].point, snap->vertices.data[v1].point) < 0;
	int lower = is_upward ? v0 : v1;
	int upper = is_upward ? v1 : v0;
	int fresh = snap->fragments.count;
	int index = table_get_or_add(
		&builder->fragment_table, (uint64_t)(uint32_t)lower << 32 | (uint32_t)upper, fresh);
	if (index == fresh)
	{
		NcFragment fragment = {.vertices = {lower, upper}, .obstacle = edge->obstacle};
		if (!nc_array_push(&snap->fragments, fragment))
		{
			return;
		}
	}

	NcFragment* fragment = &snap->fragments.data[index];
	int sign = is_upward ? direction : -direction;
	fragment->solid += sign * edge->solid;
	fragment->walkable += sign * edge->walkable;
	bool is_lower_owner = (unsigned)edge->obstacle < (unsigned)fragment->obstacle;
	fragment->obstacle = is_lower_owner ? edge->obstacle : fragment->obstacle;
}

// Replace an edge by fragments. The chain is routed from its lower end, so that both directions of
// an edge give the same one.
static void add_edge(Builder* builder, const NcEdge* edge)
{
	NcSnap* snap = builder->snap;
	int a = add_vertex(builder, edge->a);
	int b = add_vertex(builder, edge->b);
	if (a == b)
	{
		NcVertex* vertex = &snap->vertices.data[a];
		bool is_lower_owner = (unsigned)edge->obstacle < (unsigned)vertex->obstacle;
		vertex->obstacle = is_lower_owner ? edge->obstacle : vertex->obstacle;
		return;
	}

	int direction = nc_point_compare(edge->a, edge->b) < 0 ? 1 : -1;
	int from = direction > 0 ? a : b;
	builder->chain.count = 0;
	route(builder, from, direction > 0 ? b : a, 0);
	for (int i = 0; i < builder->chain.count; ++i)
	{
		add_fragment(builder, from, builder->chain.data[i], edge, direction);
		from = builder->chain.data[i];
	}
}

// The order around vertices.

bool nc_half_is_reflex(const NcSnap* snap, int half)
{
	int next = nc_half_next(snap, half);
	if (next == half)
	{
		return true;
	}
	return nc_orient(nc_half_start(snap, half), nc_half_end(snap, half), nc_half_end(snap, next)) <
		   0;
}

static void link_halves(NcSnap* snap, int half, int next)
{
	snap->fragments.data[half >> 1].next[half & 1] = next;
	snap->fragments.data[next >> 1].previous[next & 1] = half;
}

// Insert a half into the ring around its start, which stays sorted from vertex.half on.
static void insert_half(NcSnap* snap, int half)
{
	NcVertex* vertex = &snap->vertices.data[nc_half_vertex(snap, half)];
	if (vertex->half == NC_NULL_INDEX)
	{
		link_halves(snap, half, half);
		vertex->half = half;
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
		vertex->half = half;
	}
	link_halves(snap, nc_half_previous(snap, next), half);
	link_halves(snap, half, next);
}

static void fill_fragment_grid(Builder* builder, NcBox box, int columns, int rows)
{
	NcSnap* snap = builder->snap;
	NcGrid* grid = &snap->fragment_grid;
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
					pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, f);
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
	return snap->vertices.failed || snap->fragments.failed || builder->chain.failed ||
		   builder->found.failed || builder->stamps.failed || nc_grid_failed(&snap->vertex_grid) ||
		   nc_grid_failed(&snap->fragment_grid) || nc_grid_failed(&builder->edge_grid) ||
		   builder->vertex_table.keys.failed || builder->vertex_table.values.failed ||
		   builder->fragment_table.keys.failed || builder->fragment_table.values.failed;
}

// Each step needs that nothing failed before it: indices would point to what was never stored.
static bool build(Builder* builder, NcBox box)
{
	int columns, rows;
	choose_grid_size(builder, box, &columns, &rows);
	fill_edge_grid(builder, box, columns, rows);
	if (!nc_array_resize(&builder->stamps, builder->edge_count) ||
		!table_init(&builder->vertex_table, builder->edge_count) ||
		!table_init(&builder->fragment_table, builder->edge_count) || has_failed(builder))
	{
		return false;
	}
	add_vertices(builder);
	fill_vertex_grid(builder, box, columns, rows);
	if (has_failed(builder))
	{
		return false;
	}
	for (int e = 0; e < builder->edge_count && !has_failed(builder); ++e)
	{
		add_edge(builder, &builder->edges[e]);
	}
	fill_fragment_grid(builder, box, columns, rows);
	if (has_failed(builder))
	{
		return false;
	}
	for (int half = 0; half < 2 * builder->snap->fragments.count; ++half)
	{
		insert_half(builder->snap, half);
	}
	return true;
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
	table_free(&builder.fragment_table);
	nc_array_free(&builder.stamps);
	nc_array_free(&builder.chain);
	nc_array_free(&builder.found);
	if (!is_built)
	{
		return NC_OUT_OF_MEMORY;
	}
	nc_snap_compute_cover(snap);
	return snap->vertices.failed || snap->fragments.failed ? NC_OUT_OF_MEMORY : NC_OK;
}

void nc_snap_free(NcSnap* snap)
{
	nc_array_free(&snap->vertices);
	nc_array_free(&snap->fragments);
	nc_grid_free(&snap->vertex_grid);
	nc_grid_free(&snap->fragment_grid);
}
