// SPDX-License-Identifier: MIT
// Loading the snapped world: vertices, rings, edges and how they are cut into fragments.
//
// The result is what nc_snap_build() makes of the same edges, up to numbering and the covers, which
// only updates need: the first one builds anew. What questions rely on is verified: here that rings
// turn counter-clockwise, that their angles are free or not, and that edges consist of fragments;
// in map_file_check.c that these are the right ones where edges are cut.

#include "map_file.h"

#include "check.h"

typedef struct Loader
{
	const NcFile* file;
	NcMap* map;
	NcSnap* snap;
	bool is_simple; // every edge is a point or a fragment of its own
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
		uint32_t bits = nc_file_read_u32(ring + 4 * (size_t)i);
		uint32_t half = bits & ~(NC_FILE_FREE | NC_FILE_OPEN);
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
		fragment->is_free |= (uint8_t)((bits & NC_FILE_FREE ? 1 : 0) << (half & 1));
		fragment->is_open |= (bits & NC_FILE_OPEN) != 0;
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
		uint32_t bits = nc_file_read_u32(l->file->vertices + (size_t)v * NC_FILE_VERTEX_SIZE + 8);
		uint32_t degree = bits & ~NC_FILE_FREE;
		if (degree > 2 * (uint32_t)h->fragment_count - ring_begin || !read_vertex(l, v) ||
			!read_ring(l, v, l->file->rings + 4 * (size_t)ring_begin, (int)degree))
		{
			return false;
		}
		snap->vertices.data[v].is_free = (bits & NC_FILE_FREE) != 0;
		ring_begin += degree;
	}
	return ring_begin == 2 * (uint32_t)h->fragment_count;
}

// What is on the left of a wall reaches to the right of the next one.
static bool are_sides_consistent(const NcSnap* snap, int half)
{
	return snap->fragments.data[half >> 1].is_open
			   ? !nc_side_is_free(snap, half)
			   : nc_side_is_free(snap, half) == nc_side_is_free(snap, nc_wall_next(snap, half) ^ 1);
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
			if (!are_sides_consistent(snap, half))
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
	return nc_file_check_snap(
		l->file, snap, l->is_simple ? NC_FILE_WORLD_SIMPLE : NC_FILE_WORLD_ANY);
}

NcStatus nc_file_load_snap(const NcFile* file, NcMap* map)
{
	NcSnap* snap = &map->world.diagram.snap;
	snap->outer_cover = 1;
	snap->outer_walkable = map->walkable_count == 0;
	Loader l = {.file = file, .map = map, .snap = snap, .is_simple = true};
	return load(&l);
}
