// SPDX-License-Identifier: MIT
// Snapping and planarisation: see snap.h for the terms and the idea.
//
// This file builds everything at once; snap_update.c changes parts of it. Cost: O(n + k) hash and
// grid steps for n edges with k crossings, as long as edges are spread over the world.

#include "snap.h"

#include "check.h"
#include "fragment.h"

#include <stdlib.h>

// A table of all vertices by their points, with open addressing. It holds their indices only: the
// points themselves are with the vertices. Nothing ever reads it in its own order.
typedef struct Table
{
	NcIntArray vertices; // or NC_NULL_INDEX
	int mask;
} Table;

typedef NcArray(uint64_t) KeyArray;

typedef struct Builder
{
	NcSnap* snap;
	const NcEdge* edges;
	int edge_count;
	NcBox box;
	int columns, rows; // of all grids
	NcGrid edge_grid;
	Table table;
	NcIntArray ends;             // per edge: the vertices of its two ends
	NcArray(uint8_t) is_plain;   // per edge: its chain is the edge itself
	NcArray(KeyArray) crossings; // per worker: pairs of edges that cross, some repeatedly
	NcRoute route;
} Builder;

static bool table_init(Table* table, int capacity)
{
	int size = 16;
	while (size < 3 * (long long)capacity / 2 && size < (1 << 30))
	{
		size *= 2;
	}
	table->mask = size - 1;
	if (!nc_array_resize_raw(&table->vertices, size))
	{
		return false;
	}
	memset(table->vertices.data, 0xff, sizeof(int) * (size_t)size); // NC_NULL_INDEX
	return true;
}

// The slot of a point: where its vertex is, or the empty one where it belongs.
static int table_find(const Table* table, const NcSnap* snap, NcPoint p)
{
	// Coordinates often share many low bits; only the highest bits of the product depend on all.
	uint64_t key = (uint64_t)(uint32_t)p.x << 32 | (uint32_t)p.y;
	uint64_t product = (key ^ key >> 29) * 0x9E3779B97F4A7C15u;
	int slot = (int)(product >> 33) & table->mask;
	for (;; slot = (slot + 1) & table->mask)
	{
		int vertex = table->vertices.data[slot];
		if (vertex == NC_NULL_INDEX || nc_point_equals(snap->vertices.data[vertex].point, p))
		{
			return slot;
		}
	}
}

static bool table_grow(Table* table, const NcSnap* snap)
{
	Table grown = {0};
	if (!table_init(&grown, table->mask + 1))
	{
		nc_array_free(&grown.vertices);
		table->vertices.failed = true;
		return false;
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		grown.vertices.data[table_find(&grown, snap, snap->vertices.data[v].point)] = v;
	}
	nc_array_free(&table->vertices);
	*table = grown;
	return true;
}

static bool have_vertices_failed(const Builder* builder)
{
	return builder->snap->vertices.failed || builder->table.vertices.failed;
}

static bool has_failed(const Builder* builder)
{
	const NcSnap* snap = builder->snap;
	return have_vertices_failed(builder) || nc_grid_failed(&snap->vertex_grid) ||
		   nc_grid_failed(&snap->fragment_grid) || nc_grid_failed(&builder->edge_grid);
}

// Grids.

// Cells that hold about one item each, shaped after the mean extent of the edges: walls that are
// long in one direction get cells that are.
static void choose_grid_size(Builder* builder)
{
	double width = builder->box.upper.x - builder->box.lower.x;
	double height = builder->box.upper.y - builder->box.lower.y;
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
	builder->columns = (int)nc_clamp(ceil(width / cell_width), 1.0, 1 << 14);
	builder->rows = (int)nc_clamp(ceil(height / cell_height), 1.0, 1 << 14);
}

static void fill_edge_grid(Builder* builder)
{
	NcGrid* grid = &builder->edge_grid;
	nc_grid_init(grid, builder->box, builder->columns, builder->rows);
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

// The vertex of a point. Each call is one more reason for it to be hot.
static int add_vertex(Builder* builder, NcPoint p)
{
	NcSnap* snap = builder->snap;
	int slot = table_find(&builder->table, snap, p);
	int index = builder->table.vertices.data[slot];
	if (index == NC_NULL_INDEX)
	{
		index = snap->vertices.count;
		NcVertex vertex = {.point = p, .half = NC_NULL_INDEX, .first_use = NC_NULL_INDEX};
		if (!nc_array_push(&snap->vertices, vertex))
		{
			return index;
		}
		builder->table.vertices.data[slot] = index;
		if (4LL * snap->vertices.count > 3LL * builder->table.mask)
		{
			(void)table_grow(&builder->table, snap);
		}
	}
	++snap->vertices.data[index].hot_count;
	return index;
}

// Edges of one ring follow each other, and mostly meet where the one before ended.
static void add_end_vertices(Builder* builder)
{
	NcPoint last = {0};
	int last_vertex = NC_NULL_INDEX;
	for (int e = 0; e < builder->edge_count && !have_vertices_failed(builder); ++e)
	{
		const NcEdge* edge = &builder->edges[e];
		int a = last_vertex;
		if (a == NC_NULL_INDEX || !nc_point_equals(edge->a, last))
		{
			a = add_vertex(builder, edge->a);
		}
		else
		{
			++builder->snap->vertices.data[a].hot_count;
		}
		builder->ends.data[2 * e] = a;
		builder->ends.data[2 * e + 1] = last_vertex = add_vertex(builder, edge->b);
		last = edge->b;
	}
}

static bool boxes_overlap(const NcEdge* e, const NcEdge* f)
{
	return !((e->a.x < f->a.x && e->a.x < f->b.x && e->b.x < f->a.x && e->b.x < f->b.x) ||
			 (e->a.x > f->a.x && e->a.x > f->b.x && e->b.x > f->a.x && e->b.x > f->b.x) ||
			 (e->a.y < f->a.y && e->a.y < f->b.y && e->b.y < f->a.y && e->b.y < f->b.y) ||
			 (e->a.y > f->a.y && e->a.y > f->b.y && e->b.y > f->a.y && e->b.y > f->b.y));
}

// Compare all edges of a cell with each other.
static void find_crossings_in_cell(const Builder* builder, int cell, KeyArray* found)
{
	NcGridList list = builder->edge_grid.lists.data[cell];
	if (list.count < 2)
	{
		return;
	}
	const int* items = builder->edge_grid.pool.data + list.start;
	for (int i = 1; i < list.count; ++i)
	{
		const NcEdge* e = &builder->edges[items[i]];
		for (int k = 0; k < i; ++k)
		{
			const NcEdge* f = &builder->edges[items[k]];
			if (boxes_overlap(e, f) && nc_segments_cross(e->a, e->b, f->a, f->b))
			{
				uint64_t lower = (uint64_t)(items[i] < items[k] ? items[i] : items[k]);
				uint64_t upper = (uint64_t)(items[i] < items[k] ? items[k] : items[i]);
				nc_array_push(found, lower << 32 | upper);
			}
		}
	}
}

static void find_crossings(void* context, int begin, int end, int worker)
{
	const Builder* builder = context;
	for (int cell = begin; cell < end; ++cell)
	{
		find_crossings_in_cell(builder, cell, &builder->crossings.data[worker]);
	}
}

static int compare_keys(const void* p, const void* q)
{
	uint64_t a = *(const uint64_t*)p;
	uint64_t b = *(const uint64_t*)q;
	return (a > b) - (a < b);
}

// Make vertices of all crossings. Two edges may have met in several cells, but cross once.
static bool add_crossings(Builder* builder)
{
	KeyArray* all = &builder->crossings.data[0];
	for (int i = 1; i < builder->crossings.count; ++i)
	{
		const KeyArray* more = &builder->crossings.data[i];
		all->failed |= more->failed;
		for (int k = 0; k < more->count; ++k)
		{
			nc_array_push(all, more->data[k]);
		}
	}
	if (all->failed)
	{
		return false;
	}
	if (all->count > 1)
	{
		qsort(all->data, (size_t)all->count, sizeof(all->data[0]), compare_keys);
	}
	for (int i = 0; i < all->count && !has_failed(builder); ++i)
	{
		if (i == 0 || all->data[i] != all->data[i - 1])
		{
			const NcEdge* e = &builder->edges[all->data[i] >> 32];
			const NcEdge* f = &builder->edges[all->data[i] & UINT32_MAX];
			add_vertex(builder, nc_round_crossing(e->a, e->b, f->a, f->b));
		}
	}
	return !has_failed(builder);
}

static void fill_vertex_grid(Builder* builder)
{
	NcSnap* snap = builder->snap;
	NcGrid* grid = &snap->vertex_grid;
	nc_grid_init(grid, builder->box, builder->columns, builder->rows);
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

// The edge before this one if both belong to the same obstacle, or NC_NULL_INDEX.
static int find_previous_of_obstacle(const Builder* builder, int edge)
{
	int obstacle = builder->edges[edge].obstacle;
	bool goes_on =
		edge > 0 && obstacle != NC_NULL_INDEX && builder->edges[edge - 1].obstacle == obstacle;
	return goes_on ? edge - 1 : NC_NULL_INDEX;
}

// Give edges their slots, and find out which of them need no routing.
static void prepare_edges(void* context, int begin, int end, int worker)
{
	(void)worker;
	Builder* builder = context;
	for (int e = begin; e < end; ++e)
	{
		builder->snap->edges.data[e] = (NcEdgeSlot){.edge = builder->edges[e],
			.first_use = NC_NULL_INDEX,
			.next_of_obstacle = find_previous_of_obstacle(builder, e)};
		builder->is_plain.data[e] = nc_route_is_plain(
			builder->snap, builder->ends.data[2 * e], builder->ends.data[2 * e + 1]);
	}
}

static bool use_fragment(NcSnap* snap, int edge, int from, int to, bool is_upward)
{
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
	return nc_fragment_add_use(snap, edge, is_upward ? half : half ^ 1, NC_NULL_INDEX, NULL);
}

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
	int lower = is_upward ? a : b;
	int upper = is_upward ? b : a;
	if (builder->is_plain.data[index])
	{
		return use_fragment(snap, index, lower, upper, is_upward);
	}
	nc_route_edge(snap, lower, upper, &builder->route);
	bool is_done = !builder->route.chain.failed && !builder->route.found.failed;
	for (int i = 1; is_done && i < builder->route.chain.count; ++i)
	{
		int from = builder->route.chain.data[i - 1];
		is_done = use_fragment(snap, index, from, builder->route.chain.data[i], is_upward);
	}
	return is_done;
}

static bool add_edges(Builder* builder)
{
	bool is_done = true;
	for (int e = 0; is_done && e < builder->edge_count; ++e)
	{
		is_done = add_edge(builder, e);
	}
	return is_done;
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

static void fill_fragment_grid(Builder* builder)
{
	NcSnap* snap = builder->snap;
	NcGrid* grid = &snap->fragment_grid;
	if (is_one_to_one(builder))
	{
		*grid = builder->edge_grid;
		builder->edge_grid = (NcGrid){0};
		return;
	}
	nc_grid_init(grid, builder->box, builder->columns, builder->rows);
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

// Two steps that have nothing to do with each other. Both need all edges in their order.
static void run_first_steps(void* context, int begin, int end, int worker)
{
	(void)worker;
	for (int step = begin; step < end; ++step)
	{
		step == 0 ? fill_edge_grid(context) : add_end_vertices(context);
	}
}

#define FIRST_STEP_COUNT 2

// Each step needs that nothing failed before it: indices would point to what was never stored.
static bool build(Builder* builder, const NcParallel* parallel)
{
	choose_grid_size(builder);
	if (!nc_array_resize_raw(&builder->ends, 2 * builder->edge_count) ||
		!nc_array_resize_raw(&builder->is_plain, builder->edge_count) ||
		!nc_array_resize(&builder->crossings, nc_parallel_count_workers(parallel)) ||
		!table_init(&builder->table, builder->edge_count) ||
		!nc_array_reserve(&builder->snap->vertices, builder->edge_count))
	{
		return false;
	}
	nc_parallel_run(parallel, FIRST_STEP_COUNT, run_first_steps, builder);
	if (has_failed(builder))
	{
		return false;
	}
	nc_parallel_run(parallel, builder->edge_grid.lists.count, find_crossings, builder);
	if (!add_crossings(builder))
	{
		return false;
	}
	nc_array_free(&builder->table.vertices);
	fill_vertex_grid(builder);
	NcSnap* snap = builder->snap;
	if (has_failed(builder) || !nc_array_resize_raw(&snap->edges, builder->edge_count) ||
		!nc_array_reserve(&snap->uses, builder->edge_count) ||
		!nc_array_reserve(&snap->fragments, builder->edge_count))
	{
		return false;
	}
	nc_parallel_run(parallel, builder->edge_count, prepare_edges, builder);
	if (!add_edges(builder))
	{
		return false;
	}
	fill_fragment_grid(builder);
	return !has_failed(builder);
}

static void free_builder(Builder* builder)
{
	nc_grid_free(&builder->edge_grid);
	nc_array_free(&builder->table.vertices);
	nc_array_free(&builder->ends);
	nc_array_free(&builder->is_plain);
	for (int i = 0; i < builder->crossings.count; ++i)
	{
		nc_array_free(&builder->crossings.data[i]);
	}
	nc_array_free(&builder->crossings);
	nc_route_free(&builder->route);
}

NcStatus nc_snap_build(NcSnap* snap, const NcSnapDef* def, const NcEdge* edges, int edge_count,
	const NcParallel* parallel)
{
	NC_ASSERT(snap->vertices.count == 0 && edge_count >= 0);
	snap->outer_cover = def->outer_cover;
	snap->outer_walkable = def->outer_walkable;

	Builder builder = {.snap = snap, .edges = edges, .edge_count = edge_count, .box = def->box};
	bool is_built = build(&builder, parallel);
	free_builder(&builder);
	return is_built && nc_snap_compute_cover(snap, parallel) ? NC_OK : NC_OUT_OF_MEMORY;
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
