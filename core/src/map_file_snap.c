// SPDX-License-Identifier: MIT
// Loading the snapped world: vertices, rings, edges and how they are cut into fragments.
//
// The result is what nc_snap_build() makes of the same edges, up to numbering: rings turn
// counter-clockwise, every vertex is hot for as many reasons as there are, and every edge has the
// chain that routing gives it. That is verified completely, because updates rely on all of it. It
// is cheaper than building where edges neither cross nor overlap, which is most of most worlds:
// then fragments are edges, and one look at the surroundings of each of them shows that nothing is
// too close.

#include "map_file.h"

#include "check.h"
#include "fragment.h"

typedef struct Loader
{
	const NcFile* file;
	NcMap* map;
	NcSnap* snap;
	NcBox box;         // of the grids
	bool is_simple;    // every edge is a point or a fragment of its own
	NcGrid edge_grid;  // only if it is not
	NcIntArray stamps; // per edge: the last edge it was compared with
	NcRoute route;
} Loader;

// Vertices and rings.

static bool read_vertex(const Loader* l, int index)
{
	const uint8_t* p = l->file->vertices + (size_t)index * NC_FILE_VERTEX_SIZE;
	NcPoint point = {nc_file_read_i32(p), nc_file_read_i32(p + 4)};
	l->snap->vertices.data[index] =
		(NcVertex){.point = point, .half = NC_NULL_INDEX, .first_use = NC_NULL_INDEX};
	bool is_in_range = -NC_MAX_COORDINATE < point.x && point.x < NC_MAX_COORDINATE &&
					   -NC_MAX_COORDINATE < point.y && point.y < NC_MAX_COORDINATE;
	return is_in_range &&
		   (index == 0 || nc_file_is_before(l->snap->vertices.data[index - 1].point, point));
}

// Read the ring around a vertex: every half is in one ring only, and that tells where it begins.
static bool read_ring(const Loader* l, int vertex, const uint8_t* ring, int degree)
{
	NcSnap* snap = l->snap;
	int previous = NC_NULL_INDEX;
	for (int i = 0; i < degree; ++i)
	{
		uint32_t half = nc_file_read_u32(ring + 4 * (size_t)i);
		if (half >= 2 * (uint32_t)snap->fragments.count)
		{
			return false;
		}
		NcFragment* fragment = &snap->fragments.data[half >> 1];
		if (fragment->vertices[half & 1] != NC_NULL_INDEX)
		{
			return false;
		}
		fragment->vertices[half & 1] = vertex;
		fragment->previous[half & 1] = previous;
		if (i == 0)
		{
			snap->vertices.data[vertex].half = (int)half;
		}
		else
		{
			snap->fragments.data[previous >> 1].next[previous & 1] = (int)half;
		}
		previous = (int)half;
	}
	if (degree > 0)
	{
		int first = snap->vertices.data[vertex].half;
		snap->fragments.data[previous >> 1].next[previous & 1] = first;
		snap->fragments.data[first >> 1].previous[first & 1] = previous;
	}
	return true;
}

static bool read_vertices(const Loader* l)
{
	const NcFileHeader* h = &l->file->header;
	NcSnap* snap = l->snap;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		snap->fragments.data[f] = (NcFragment){.vertices = {NC_NULL_INDEX, NC_NULL_INDEX},
			.first_use = NC_NULL_INDEX,
			.cover = NC_UNKNOWN_COVER};
	}
	uint32_t ring_begin = 0;
	for (int v = 0; v < h->vertex_count; ++v)
	{
		uint32_t degree = nc_file_read_u32(l->file->vertices + (size_t)v * NC_FILE_VERTEX_SIZE + 8);
		if (degree > 2 * (uint32_t)h->fragment_count - ring_begin || !read_vertex(l, v) ||
			!read_ring(l, v, l->file->rings + 4 * (size_t)ring_begin, (int)degree))
		{
			return false;
		}
		ring_begin += degree;
	}
	return ring_begin == 2 * (uint32_t)h->fragment_count;
}

// Fragments go from the lower to the upper vertex. The halves around a vertex turn
// counter-clockwise from its first one, strictly, so no two fragments run along each other from
// there.
static bool check_rings(const NcSnap* snap)
{
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		if (nc_point_compare(nc_half_start(snap, 2 * f), nc_half_end(snap, 2 * f)) >= 0)
		{
			return false;
		}
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		int first = snap->vertices.data[v].half;
		int half = first;
		while (half != NC_NULL_INDEX)
		{
			int next = nc_half_next(snap, half);
			if (next != first && nc_compare_angle(snap->vertices.data[v].point,
									 nc_half_end(snap, half), nc_half_end(snap, next)) >= 0)
			{
				return false;
			}
			half = next != first ? next : NC_NULL_INDEX;
		}
	}
	return true;
}

// Edges.

static void add_use(NcSnap* snap, int edge, int half, int* first)
{
	NcUse use = {.edge = edge,
		.half = half,
		.next_of_edge = snap->edges.data[edge].first_use,
		.next_of_fragment = *first};
	*first = snap->edges.data[edge].first_use = snap->uses.count;
	snap->uses.data[snap->uses.count++] = use;
}

// Read an edge that is a point. @return its vertex, or NC_NULL_INDEX
static int read_point_edge(const Loader* l, int edge, uint32_t vertex)
{
	NcSnap* snap = l->snap;
	if (vertex >= (uint32_t)snap->vertices.count)
	{
		return NC_NULL_INDEX;
	}
	add_use(snap, edge, NC_NULL_INDEX, &snap->vertices.data[vertex].first_use);
	return (int)vertex;
}

// Read the chain of an edge: halves that follow each other. @return whether they do
static bool read_chain(const Loader* l, int edge, int count, int ends[2])
{
	NcSnap* snap = l->snap;
	const NcEdge* e = &snap->edges.data[edge].edge;
	for (int i = 0; i < count; ++i)
	{
		uint32_t half = nc_file_read_u32(l->file->uses + 4 * (size_t)snap->uses.count);
		if (half >= 2 * (uint32_t)snap->fragments.count ||
			(i > 0 && nc_half_vertex(snap, (int)half) != ends[1]))
		{
			return false;
		}
		ends[0] = i == 0 ? nc_half_vertex(snap, (int)half) : ends[0];
		ends[1] = nc_half_vertex(snap, (int)half ^ 1);
		NcFragment* fragment = &snap->fragments.data[half >> 1];
		int sign = (half & 1) ? -1 : 1;
		fragment->solid += sign * e->solid;
		fragment->walkable += sign * e->walkable;
		add_use(snap, edge, (int)half, &fragment->first_use);
	}
	return ends[0] != ends[1];
}

// @param ends receives the vertices in which it begins and ends
static bool read_edge(Loader* l, int obstacle, int ends[2])
{
	NcSnap* snap = l->snap;
	int index = snap->edges.count++;
	uint32_t bits = nc_file_read_u32(l->file->edges + 4 * (size_t)index);
	NcEdgeSlot* slot = &snap->edges.data[index];
	*slot = (NcEdgeSlot){.first_use = NC_NULL_INDEX, .next_of_obstacle = NC_NULL_INDEX};
	NcEdge* edge = &slot->edge;
	edge->obstacle = obstacle;
	edge->solid = (int)(bits & 3) - 1;
	edge->walkable = (int)(bits >> 2 & 3) - 1;
	int count = (int)(bits >> 4);
	int needed = count > 0 ? count : 1;
	if (edge->solid > 1 || edge->walkable > 1 ||
		needed > l->file->header.use_count - snap->uses.count)
	{
		return false;
	}
	if (count == 0)
	{
		uint32_t vertex = nc_file_read_u32(l->file->uses + 4 * (size_t)snap->uses.count);
		ends[0] = ends[1] = read_point_edge(l, index, vertex);
		if (ends[0] == NC_NULL_INDEX)
		{
			return false;
		}
	}
	else if (!read_chain(l, index, count, ends))
	{
		return false;
	}
	l->is_simple = l->is_simple && count <= 1;
	edge->a = snap->vertices.data[ends[0]].point;
	edge->b = snap->vertices.data[ends[1]].point;
	++snap->vertices.data[ends[0]].hot_count;
	++snap->vertices.data[ends[1]].hot_count;
	return true;
}

// The bounds are what nc_map_create() makes of them.
static bool read_bounds(Loader* l)
{
	NcPoint a = l->map->lower;
	NcPoint b = l->map->upper;
	NcPoint corners[4] = {a, {b.x, a.y}, b, {a.x, b.y}};
	for (int i = 0; i < NC_FILE_BOUNDS_EDGES; ++i)
	{
		int ends[2];
		if (!read_edge(l, NC_NULL_INDEX, ends))
		{
			return false;
		}
		const NcEdge* edge = &l->snap->edges.data[i].edge;
		if (!nc_point_equals(edge->a, corners[i]) ||
			!nc_point_equals(edge->b, corners[(i + 1) % 4]) || edge->solid != -1 ||
			edge->walkable != 0)
		{
			return false;
		}
	}
	return true;
}

// Around each point, the covers of an obstacle must come back to what they were: as many of its
// edges end there as begin there. Else it would be unclear which sides are free.
typedef struct Balance
{
	int solid, walkable;
} Balance;

typedef NcArray(Balance) BalanceArray;

static void add_balance(BalanceArray* balances, int vertex, const NcEdge* edge, int sign)
{
	balances->data[vertex].solid += sign * edge->solid;
	balances->data[vertex].walkable += sign * edge->walkable;
}

static bool is_balanced(const BalanceArray* balances, const NcSnap* snap, int edge)
{
	for (int use = snap->edges.data[edge].first_use; use != NC_NULL_INDEX;
		 use = snap->uses.data[use].next_of_edge)
	{
		int half = snap->uses.data[use].half;
		if (half == NC_NULL_INDEX)
		{
			continue;
		}
		Balance a = balances->data[nc_half_vertex(snap, half)];
		Balance b = balances->data[nc_half_vertex(snap, half ^ 1)];
		if (a.solid != 0 || a.walkable != 0 || b.solid != 0 || b.walkable != 0)
		{
			return false;
		}
	}
	return true;
}

// Read the edges of an obstacle, and give them to it.
static bool read_obstacle(Loader* l, int index, BalanceArray* balances)
{
	NcObstacleSlot* slot = &l->map->slots.data[index];
	NcSnap* snap = l->snap;
	int begin = snap->edges.count;
	int count = (int)nc_file_read_u32(l->file->slots + (size_t)index * NC_FILE_SLOT_SIZE + 4);
	for (int e = begin; e < begin + count; ++e)
	{
		int ends[2];
		if (!read_edge(l, index, ends))
		{
			return false;
		}
		const NcEdge* edge = &snap->edges.data[e].edge;
		slot->edges.data[slot->edges.count++] = *edge;
		snap->edges.data[e].next_of_obstacle = slot->first_built_edge;
		slot->first_built_edge = e;
		slot->built_box = nc_box_add_point(slot->built_box, nc_point_to_vec2(edge->a));
		slot->built_box = nc_box_add_point(slot->built_box, nc_point_to_vec2(edge->b));
		add_balance(balances, ends[0], edge, 1);
		add_balance(balances, ends[1], edge, -1);
	}
	for (int e = begin; e < begin + count; ++e)
	{
		if (!is_balanced(balances, snap, e))
		{
			return false;
		}
	}
	return true;
}

static NcStatus read_edges(Loader* l)
{
	BalanceArray balances = {0};
	if (!nc_array_resize(&balances, l->file->header.vertex_count))
	{
		return NC_OUT_OF_MEMORY;
	}
	bool is_valid = read_bounds(l);
	for (int i = 0; is_valid && i < l->map->slots.count; ++i)
	{
		is_valid = read_obstacle(l, i, &balances);
	}
	nc_array_free(&balances);
	return is_valid && l->snap->uses.count == l->file->header.use_count ? NC_OK : NC_WRONG_FORMAT;
}

// Nothing is there without a reason. Two edges on one fragment are not simple.
static bool check_uses(Loader* l)
{
	const NcSnap* snap = l->snap;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		int use = snap->fragments.data[f].first_use;
		if (use == NC_NULL_INDEX)
		{
			return false;
		}
		l->is_simple = l->is_simple && snap->uses.data[use].next_of_fragment == NC_NULL_INDEX;
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		const NcVertex* vertex = &snap->vertices.data[v];
		if (vertex->half == NC_NULL_INDEX && vertex->first_use == NC_NULL_INDEX)
		{
			return false;
		}
	}
	return true;
}

// Grids. Lists have the room that was counted.

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

static bool fill_vertex_grid(Loader* l)
{
	NcSnap* snap = l->snap;
	NcGrid* grid = &snap->vertex_grid;
	nc_grid_init(grid, l->box, l->file->header.columns, l->file->header.rows);
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

static bool fill_fragment_grid(Loader* l)
{
	NcSnap* snap = l->snap;
	NcGrid* grid = &snap->fragment_grid;
	nc_grid_init(grid, l->box, l->file->header.columns, l->file->header.rows);
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

static bool fill_edge_grid(Loader* l)
{
	NcGrid* grid = &l->edge_grid;
	nc_grid_init(grid, l->box, l->file->header.columns, l->file->header.rows);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int e = 0; e < l->snap->edges.count; ++e)
		{
			const NcEdge* edge = &l->snap->edges.data[e].edge;
			enter_segment(grid, edge->a, edge->b, e, pass);
		}
		pass == 0 ? nc_grid_allocate(grid) : (void)0;
	}
	return !nc_grid_failed(grid);
}

// Worlds in which fragments are edges: they do not cross, and no other vertex is on any of them.

static bool do_boxes_overlap(NcPoint a, NcPoint b, NcPoint c, NcPoint d)
{
	return !(((a.x < c.x) & (a.x < d.x) & (b.x < c.x) & (b.x < d.x)) |
			 ((a.x > c.x) & (a.x > d.x) & (b.x > c.x) & (b.x > d.x)) |
			 ((a.y < c.y) & (a.y < d.y) & (b.y < c.y) & (b.y < d.y)) |
			 ((a.y > c.y) & (a.y > d.y) & (b.y > c.y) & (b.y > d.y)));
}

// Whether no two fragments of a cell cross. Those with a common end do not.
static bool check_crossings_in_cell(const NcSnap* snap, NcGridList list)
{
	const int* items = snap->fragment_grid.pool.data + list.start;
	for (int i = 1; i < list.count; ++i)
	{
		NcPoint a = nc_half_start(snap, 2 * items[i]);
		NcPoint b = nc_half_end(snap, 2 * items[i]);
		for (int k = 0; k < i; ++k)
		{
			NcPoint c = nc_half_start(snap, 2 * items[k]);
			NcPoint d = nc_half_end(snap, 2 * items[k]);
			if (do_boxes_overlap(a, b, c, d) && nc_segments_cross(a, b, c, d))
			{
				return false;
			}
		}
	}
	return true;
}

// Whether no fragment of a cell meets the pixel of a vertex that it does not end in.
static bool check_pixel_in_cell(const NcSnap* snap, int vertex, NcGridList list)
{
	NcPoint p = snap->vertices.data[vertex].point;
	const int* items = snap->fragment_grid.pool.data + list.start;
	for (int k = 0; k < list.count; ++k)
	{
		const int* ends = snap->fragments.data[items[k]].vertices;
		if (ends[0] != vertex && ends[1] != vertex &&
			nc_segment_meets_pixel(
				snap->vertices.data[ends[0]].point, snap->vertices.data[ends[1]].point, p))
		{
			return false;
		}
	}
	return true;
}

static bool check_simple_world(const NcSnap* snap)
{
	const NcGrid* grid = &snap->fragment_grid;
	for (int cell = 0; cell < grid->lists.count; ++cell)
	{
		if (!check_crossings_in_cell(snap, grid->lists.data[cell]))
		{
			return false;
		}
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		// A pixel reaches half a snap around its centre.
		NcVec2 p = nc_point_to_vec2(snap->vertices.data[v].point);
		NcCellRange range = nc_grid_range(grid, nc_box_grow((NcBox){p, p}, 1.0));
		for (int j = range.j0; j <= range.j1; ++j)
		{
			for (int i = range.i0; i <= range.i1; ++i)
			{
				if (!check_pixel_in_cell(snap, v, grid->lists.data[j * grid->columns + i]))
				{
					return false;
				}
			}
		}
	}
	return true;
}

// Other worlds: crossings make vertices hot, and chains are what routing makes of them.

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
static bool count_crossings_in_cell(Loader* l, int e, int cell)
{
	NcSnap* snap = l->snap;
	const NcEdge* edge = &snap->edges.data[e].edge;
	NcGridList list = l->edge_grid.lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int f = l->edge_grid.pool.data[list.start + k];
		const NcEdge* other = &snap->edges.data[f].edge;
		if (f <= e || l->stamps.data[f] == e + 1 ||
			!do_boxes_overlap(edge->a, edge->b, other->a, other->b))
		{
			continue;
		}
		l->stamps.data[f] = e + 1;
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

static bool count_crossings(Loader* l)
{
	const NcGrid* grid = &l->edge_grid;
	for (int e = 0; e < l->snap->edges.count; ++e)
	{
		const NcEdge* edge = &l->snap->edges.data[e].edge;
		NcSegmentCells cells =
			nc_grid_segment_cells(grid, nc_point_to_vec2(edge->a), nc_point_to_vec2(edge->b), 0.0);
		for (int j = cells.range.j0; j <= cells.range.j1; ++j)
		{
			int first, last;
			nc_grid_segment_row(grid, &cells, j, &first, &last);
			for (int i = first; i <= last; ++i)
			{
				if (!count_crossings_in_cell(l, e, j * grid->columns + i))
				{
					return false;
				}
			}
		}
	}
	return true;
}

// Whether the uses of an edge, which are listed backwards, are the chain that was routed.
static bool has_routed_chain(const Loader* l, int edge)
{
	const NcSnap* snap = l->snap;
	const NcEdge* e = &snap->edges.data[edge].edge;
	const NcIntArray* chain = &l->route.chain;
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

static NcStatus check_chains(Loader* l)
{
	const NcSnap* snap = l->snap;
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
		nc_route_edge(snap, is_upward ? a : b, is_upward ? b : a, &l->route);
		if (l->route.chain.failed || l->route.found.failed)
		{
			return NC_OUT_OF_MEMORY;
		}
		if (!has_routed_chain(l, e))
		{
			return NC_WRONG_FORMAT;
		}
	}
	return NC_OK;
}

static NcStatus check_any_world(Loader* l)
{
	if (!fill_edge_grid(l) || !nc_array_resize(&l->stamps, l->snap->edges.count))
	{
		return NC_OUT_OF_MEMORY;
	}
	if (!count_crossings(l))
	{
		return NC_WRONG_FORMAT;
	}
	NcStatus status = check_chains(l);
	for (int v = 0; status == NC_OK && v < l->snap->vertices.count; ++v)
	{
		status = l->snap->vertices.data[v].hot_count > 0 ? NC_OK : NC_WRONG_FORMAT;
	}
	return status;
}

static NcStatus check_world(Loader* l)
{
	if (!l->is_simple)
	{
		return check_any_world(l);
	}
	return check_simple_world(l->snap) ? NC_OK : NC_WRONG_FORMAT;
}

static NcStatus load(Loader* l)
{
	const NcFileHeader* h = &l->file->header;
	NcSnap* snap = l->snap;
	if (!nc_array_reserve(&snap->vertices, h->vertex_count) ||
		!nc_array_reserve(&snap->fragments, h->fragment_count) ||
		!nc_array_reserve(&snap->edges, h->edge_count) ||
		!nc_array_reserve(&snap->uses, h->use_count))
	{
		return NC_OUT_OF_MEMORY;
	}
	snap->vertices.count = h->vertex_count;
	snap->fragments.count = h->fragment_count;
	if (!read_vertices(l) || !check_rings(snap))
	{
		return NC_WRONG_FORMAT;
	}
	NcStatus status = read_edges(l);
	if (status != NC_OK)
	{
		return status;
	}
	if (!check_uses(l))
	{
		return NC_WRONG_FORMAT;
	}
	if (!fill_vertex_grid(l) || !fill_fragment_grid(l))
	{
		return NC_OUT_OF_MEMORY;
	}
	return check_world(l);
}

NcStatus nc_file_load_snap(const NcFile* file, NcMap* map)
{
	NcSnap* snap = &map->world.diagram.snap;
	snap->outer_cover = 1;
	snap->outer_walkable = map->walkable_count == 0;
	Loader l = {
		.file = file,
		.map = map,
		.snap = snap,
		.box = {nc_point_to_vec2(map->lower), nc_point_to_vec2(map->upper)},
		.is_simple = true,
	};
	NcStatus status = load(&l);
	nc_grid_free(&l.edge_grid);
	nc_array_free(&l.stamps);
	nc_route_free(&l.route);
	if (status != NC_OK)
	{
		return status;
	}
	return nc_snap_compute_cover(snap) ? NC_OK : NC_OUT_OF_MEMORY;
}
