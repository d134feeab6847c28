// SPDX-License-Identifier: MIT
// Saving maps: see map_file.h for the format. Everything that is there gets a number without gaps,
// and is written in that order.

#include "map_file.h"

#include "check.h"
#include "fragment.h"

#include <stdlib.h>

#define BUFFER_SIZE (256 * NC_FILE_BLOCK_SIZE)

// Collects bytes and hands them on, with their checksum.
typedef struct Writer
{
	NcWriteFn* write;
	void* context;
	bool has_failed;
	uint64_t size; // of everything so far
	NcFileChecksum checksum;
	int count;
	uint8_t buffer[BUFFER_SIZE];
} Writer;

// The numbers that things have in the file, by the indices that they have in the map.
typedef struct Numbers
{
	NcIntArray vertices;  // the vertices in the order of the file
	NcIntArray vertex_of; // per vertex: its number
	NcIntArray fragment_of;
	NcIntArray fragments;                  // the fragments in the order of the file
	NcIntArray edges;                      // the edges in the order of the file
	NcIntArray point_of;                   // per edge that is a point: its vertex
	NcIntArray side_records, cone_records; // per feature: the number of its first record
	int use_count, feature_count, record_count, graph_edge_count;
	NcRoute route;
} Numbers;

// Writing.

static void flush(Writer* w)
{
	for (int i = 0; i + NC_FILE_BLOCK_SIZE <= w->count; i += NC_FILE_BLOCK_SIZE)
	{
		nc_file_checksum_add_block(&w->checksum, w->buffer + i);
	}
	w->has_failed = w->has_failed || !w->write(w->context, w->buffer, (size_t)w->count);
	w->count = 0;
}

static void write_bytes(Writer* w, const uint8_t* bytes, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (w->count == BUFFER_SIZE)
		{
			flush(w);
		}
		w->buffer[w->count++] = bytes[i];
	}
	w->size += (uint64_t)count;
}

static void write_u32(Writer* w, uint32_t value)
{
	uint8_t bytes[4];
	for (int i = 0; i < 4; ++i)
	{
		bytes[i] = (uint8_t)(value >> 8 * i);
	}
	write_bytes(w, bytes, 4);
}

static void write_u64(Writer* w, uint64_t value)
{
	write_u32(w, (uint32_t)value);
	write_u32(w, (uint32_t)(value >> 32));
}

static void write_double(Writer* w, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	write_u64(w, bits);
}

static void write_point(Writer* w, NcPoint p)
{
	write_u32(w, (uint32_t)p.x);
	write_u32(w, (uint32_t)p.y);
}

static void finish(Writer* w)
{
	uint8_t rest[NC_FILE_BLOCK_SIZE];
	int rest_size = w->count % NC_FILE_BLOCK_SIZE;
	memcpy(rest, w->buffer + w->count - rest_size, (size_t)rest_size);
	uint64_t size = w->size;
	flush(w);
	write_u64(w, nc_file_checksum_finish(&w->checksum, rest, size));
	w->has_failed = w->has_failed || !w->write(w->context, w->buffer, (size_t)w->count);
}

// Numbering.

// What a vertex is sorted by.
typedef struct VertexKey
{
	NcPoint point;
	int index;
} VertexKey;

static int compare_keys(const void* a, const void* b)
{
	const VertexKey* p = a;
	const VertexKey* q = b;
	return nc_file_is_before(q->point, p->point) - nc_file_is_before(p->point, q->point);
}

static bool number_vertices(const NcSnap* snap, Numbers* n)
{
	NcArray(VertexKey) keys = {0};
	bool is_ready = nc_array_reserve(&keys, snap->vertices.count) &&
					nc_array_reserve(&n->vertices, snap->vertices.count) &&
					nc_array_resize(&n->vertex_of, snap->vertices.count);
	for (int v = 0; is_ready && v < snap->vertices.count; ++v)
	{
		if (nc_vertex_exists(snap, v))
		{
			nc_array_push(&keys, ((VertexKey){snap->vertices.data[v].point, v}));
		}
	}
	if (is_ready && keys.count > 0)
	{
		qsort(keys.data, (size_t)keys.count, sizeof(VertexKey), compare_keys);
	}
	for (int i = 0; i < keys.count; ++i)
	{
		nc_array_push(&n->vertices, keys.data[i].index);
		n->vertex_of.data[keys.data[i].index] = i;
	}
	nc_array_free(&keys);
	return is_ready;
}

// The half after one around a vertex, or NC_NULL_INDEX after the last one.
static int get_next_around(const NcSnap* snap, int vertex, int half)
{
	int next = nc_half_next(snap, half);
	return next != snap->vertices.data[vertex].half ? next : NC_NULL_INDEX;
}

static bool number_fragments(const NcSnap* snap, Numbers* n)
{
	if (!nc_array_reserve(&n->fragments, snap->fragments.count) ||
		!nc_array_resize(&n->fragment_of, snap->fragments.count))
	{
		return false;
	}
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		n->fragment_of.data[f] = NC_NULL_INDEX;
	}
	for (int i = 0; i < n->vertices.count; ++i)
	{
		int v = n->vertices.data[i];
		for (int half = snap->vertices.data[v].half; half != NC_NULL_INDEX;
			 half = get_next_around(snap, v, half))
		{
			if (n->fragment_of.data[half >> 1] == NC_NULL_INDEX)
			{
				n->fragment_of.data[half >> 1] = n->fragments.count;
				nc_array_push(&n->fragments, half >> 1);
			}
		}
	}
	return true;
}

// The edges of an obstacle are listed backwards.
static void number_edges_of_slot(const NcMap* map, int slot, Numbers* n)
{
	const NcSnap* snap = &map->world.diagram.snap;
	int count = map->slots.data[slot].edges.count;
	int i = n->edges.count + count;
	n->edges.count = i;
	for (int e = map->slots.data[slot].first_built_edge; e != NC_NULL_INDEX;
		 e = snap->edges.data[e].next_of_obstacle)
	{
		n->edges.data[--i] = e;
	}
	NC_ASSERT(i == n->edges.count - count);
}

static int count_uses(const NcSnap* snap, int edge)
{
	int count = 0;
	for (int use = snap->edges.data[edge].first_use; use != NC_NULL_INDEX;
		 use = snap->uses.data[use].next_of_edge)
	{
		++count;
	}
	return count;
}

static bool number_edges(const NcMap* map, Numbers* n)
{
	const NcSnap* snap = &map->world.diagram.snap;
	if (!nc_array_reserve(&n->edges, map->edge_count + NC_FILE_BOUNDS_EDGES) ||
		!nc_array_resize(&n->point_of, snap->edges.count))
	{
		return false;
	}
	for (int e = 0; e < NC_FILE_BOUNDS_EDGES; ++e)
	{
		nc_array_push(&n->edges, e);
	}
	for (int i = 0; i < map->slots.count; ++i)
	{
		number_edges_of_slot(map, i, n);
	}
	for (int i = 0; i < n->edges.count; ++i)
	{
		n->use_count += count_uses(snap, n->edges.data[i]);
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		int use = nc_vertex_exists(snap, v) ? snap->vertices.data[v].first_use : NC_NULL_INDEX;
		for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
		{
			n->point_of.data[snap->uses.data[use].edge] = v;
		}
	}
	return true;
}

// Visit the features that exist in the order of the file: for each vertex, the sides that begin
// there, and its cone. So what is close in the world is close in memory after loading.
typedef void VisitFn(const NcWorld* world, NcFeature feature, Numbers* n, Writer* w);

static void visit_features(const NcWorld* world, Numbers* n, Writer* w, VisitFn* visit)
{
	const NcSnap* snap = &world->diagram.snap;
	for (int i = 0; i < n->vertices.count; ++i)
	{
		int v = n->vertices.data[i];
		for (int half = snap->vertices.data[v].half; half != NC_NULL_INDEX;
			 half = get_next_around(snap, v, half))
		{
			if (nc_side_is_free(snap, half))
			{
				visit(world, nc_side_feature(half), n, w);
			}
		}
		if (world->diagram.sites.has_cone.data[v])
		{
			visit(world, nc_cone_feature(v), n, w);
		}
	}
}

static int* get_record_number(const Numbers* n, NcFeature feature)
{
	const NcIntArray* records = nc_feature_is_cone(feature) ? &n->cone_records : &n->side_records;
	return &records->data[nc_feature_index(feature)];
}

static void number_cell(const NcWorld* world, NcFeature feature, Numbers* n, Writer* unused)
{
	(void)unused;
	*get_record_number(n, feature) = n->record_count;
	n->record_count += nc_diagram_cell(&world->diagram, feature)->count + 1;
	++n->feature_count;
}

static bool number_all(const NcMap* map, Numbers* n)
{
	const NcSnap* snap = &map->world.diagram.snap;
	if (!number_vertices(snap, n) || !number_fragments(snap, n) || !number_edges(map, n) ||
		!nc_array_resize(&n->side_records, 2 * snap->fragments.count) ||
		!nc_array_resize(&n->cone_records, snap->vertices.count))
	{
		return false;
	}
	visit_features(&map->world, n, NULL, number_cell);
	for (int e = 0; e < map->world.graph.edges.count; ++e)
	{
		n->graph_edge_count += map->world.graph.edges.data[e].arc_count > 0;
	}
	return true;
}

static void free_numbers(Numbers* n)
{
	nc_array_free(&n->vertices);
	nc_array_free(&n->vertex_of);
	nc_array_free(&n->fragments);
	nc_array_free(&n->fragment_of);
	nc_array_free(&n->edges);
	nc_array_free(&n->point_of);
	nc_array_free(&n->side_records);
	nc_array_free(&n->cone_records);
	nc_route_free(&n->route);
}

// Sections.

static void write_header(const NcMap* map, const Numbers* n, Writer* w)
{
	// A map that lost most of its obstacles may have kept a grid that is too fine.
	int columns = map->world.diagram.snap.fragment_grid.columns;
	int rows = map->world.diagram.snap.fragment_grid.rows;
	while ((long long)columns * rows > nc_file_max_grid_cells(n->edges.count))
	{
		columns -= columns >= rows ? columns / 2 : 0;
		rows -= rows > columns ? rows / 2 : 0;
	}
	write_bytes(w, (const uint8_t*)NC_FILE_MAGIC, NC_FILE_MAGIC_SIZE);
	write_u32(w, NC_FILE_VERSION);
	write_double(w, map->snap);
	write_point(w, map->lower);
	write_point(w, map->upper);
	const int counts[] = {columns, rows, map->slots.count, map->free_slots.count, n->vertices.count,
		n->fragments.count, n->edges.count, n->use_count, n->feature_count, n->record_count,
		n->graph_edge_count};
	for (int i = 0; i < NC_COUNT(counts); ++i)
	{
		write_u32(w, (uint32_t)counts[i]);
	}
}

static void write_obstacles(const NcMap* map, Writer* w)
{
	for (int i = 0; i < map->slots.count; ++i)
	{
		const NcObstacleSlot* slot = &map->slots.data[i];
		write_u32(w, slot->generation);
		write_u32(w, (uint32_t)slot->edges.count);
		write_u32(w, slot->is_walkable ? NC_FILE_SLOT_WALKABLE
					 : slot->is_used   ? NC_FILE_SLOT_OBSTACLE
									   : NC_FILE_SLOT_EMPTY);
	}
	for (int i = 0; i < map->free_slots.count; ++i)
	{
		write_u32(w, (uint32_t)map->free_slots.data[i]);
	}
}

static uint32_t number_half(const Numbers* n, int half)
{
	return (uint32_t)(2 * n->fragment_of.data[half >> 1] + (half & 1));
}

static void write_vertices(const NcSnap* snap, const Numbers* n, Writer* w)
{
	for (int i = 0; i < n->vertices.count; ++i)
	{
		int v = n->vertices.data[i];
		uint32_t degree = 0;
		for (int half = snap->vertices.data[v].half; half != NC_NULL_INDEX;
			 half = get_next_around(snap, v, half))
		{
			++degree;
		}
		bool is_free_point = degree == 0 && snap->vertices.data[v].is_free;
		write_point(w, snap->vertices.data[v].point);
		write_u32(w, degree | (is_free_point ? NC_FILE_FREE : 0));
	}
	for (int i = 0; i < n->vertices.count; ++i)
	{
		int v = n->vertices.data[i];
		for (int half = snap->vertices.data[v].half; half != NC_NULL_INDEX;
			 half = get_next_around(snap, v, half))
		{
			uint32_t bits = number_half(n, half);
			bits |= nc_side_is_free(snap, half) ? NC_FILE_FREE : 0;
			bits |= snap->fragments.data[half >> 1].is_open ? NC_FILE_OPEN : 0;
			write_u32(w, bits);
		}
	}
}

// The end of an edge's chain that lies in a point.
static int find_chain_end(const NcSnap* snap, int edge, NcPoint p)
{
	int use = snap->edges.data[edge].first_use;
	for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_edge)
	{
		int half = snap->uses.data[use].half;
		for (int end = 0; end < 2; ++end)
		{
			if (nc_point_equals(nc_half_start(snap, half ^ end), p))
			{
				return nc_half_vertex(snap, half ^ end);
			}
		}
	}
	return NC_NULL_INDEX;
}

// Write the uses of an edge from end to end. They are listed in no particular order, but routing
// the edge again finds it.
static bool write_chain(const NcSnap* snap, int edge, Numbers* n, Writer* w)
{
	const NcEdge* e = &snap->edges.data[edge].edge;
	bool is_upward = nc_point_compare(e->a, e->b) < 0;
	int a = find_chain_end(snap, edge, e->a);
	int b = find_chain_end(snap, edge, e->b);
	nc_route_edge(snap, is_upward ? a : b, is_upward ? b : a, &n->route);
	if (n->route.chain.failed || n->route.found.failed)
	{
		return false;
	}
	const NcIntArray* chain = &n->route.chain;
	for (int i = 1; i < chain->count; ++i)
	{
		int from = chain->data[is_upward ? i - 1 : chain->count - i];
		int to = chain->data[is_upward ? i : chain->count - i - 1];
		int half = nc_fragment_find_half(snap, from, to);
		NC_ASSERT(half != NC_NULL_INDEX);
		write_u32(w, number_half(n, half));
	}
	return true;
}

static bool write_edges(const NcSnap* snap, Numbers* n, Writer* w)
{
	for (int i = 0; i < n->edges.count; ++i)
	{
		const NcEdgeSlot* slot = &snap->edges.data[n->edges.data[i]];
		bool is_point = snap->uses.data[slot->first_use].half == NC_NULL_INDEX;
		uint32_t use_count = is_point ? 0 : (uint32_t)count_uses(snap, n->edges.data[i]);
		write_u32(w, (uint32_t)(slot->edge.solid + 1) | (uint32_t)(slot->edge.walkable + 1) << 2 |
						 use_count << 4);
	}
	bool is_done = true;
	for (int i = 0; is_done && i < n->edges.count; ++i)
	{
		int edge = n->edges.data[i];
		const NcUse* use = &snap->uses.data[snap->edges.data[edge].first_use];
		if (use->half == NC_NULL_INDEX)
		{
			write_u32(w, (uint32_t)n->vertex_of.data[n->point_of.data[edge]]);
		}
		else if (use->next_of_edge == NC_NULL_INDEX)
		{
			write_u32(w, number_half(n, use->half));
		}
		else
		{
			is_done = write_chain(snap, edge, n, w);
		}
	}
	return is_done;
}

static void write_count(const NcWorld* world, NcFeature feature, Numbers* n, Writer* w)
{
	(void)n;
	write_u32(w, (uint32_t)nc_diagram_cell(&world->diagram, feature)->count);
}

// A piece of the neighbour's cell that knows about a piece: its twin, or any.
static int find_mirror(const NcDiagram* diagram, NcFeature owner, int piece)
{
	NcFeature neighbor = diagram->records.data[piece].neighbor;
	if (nc_piece_is_linked(diagram, piece) || neighbor == NC_NULL_INDEX)
	{
		return nc_piece_is_linked(diagram, piece) ? nc_piece_twin(diagram, piece) : NC_NULL_INDEX;
	}
	const NcCell* cell = nc_diagram_cell(diagram, neighbor);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		if (diagram->records.data[p].neighbor == owner)
		{
			return p;
		}
	}
	return NC_NULL_INDEX;
}

static uint32_t make_mirror_bits(
	const NcDiagram* diagram, const Numbers* n, NcFeature owner, int piece)
{
	uint32_t bits = nc_record_is_tiny(&diagram->records.data[piece]) ? NC_FILE_TINY : 0;
	int mirror = find_mirror(diagram, owner, piece);
	if (mirror == NC_NULL_INDEX)
	{
		return bits | NC_FILE_NO_MIRROR;
	}
	NcFeature neighbor = diagram->records.data[piece].neighbor;
	int number =
		*get_record_number(n, neighbor) + mirror - nc_diagram_cell(diagram, neighbor)->begin;
	bits |= nc_piece_is_linked(diagram, piece) ? NC_FILE_LINKED : 0;
	return bits | (uint32_t)number;
}

static void write_records(const NcWorld* world, NcFeature feature, Numbers* n, Writer* w)
{
	(void)n;
	const NcCell* cell = nc_diagram_cell(&world->diagram, feature);
	for (int p = cell->begin; p <= cell->begin + cell->count; ++p)
	{
		const NcRecord* record = &world->diagram.records.data[p];
		write_double(w, record->position.x);
		write_double(w, record->position.y);
	}
}

static void write_mirrors(const NcWorld* world, NcFeature feature, Numbers* n, Writer* w)
{
	const NcCell* cell = nc_diagram_cell(&world->diagram, feature);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		write_u32(w, make_mirror_bits(&world->diagram, n, feature, p));
	}
	write_u32(w, NC_FILE_NO_MIRROR);
}

static void write_graph_edges(const NcWorld* world, NcFeature feature, Numbers* n, Writer* w)
{
	const NcCell* cell = nc_diagram_cell(&world->diagram, feature);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		int edge_of = world->diagram.records.data[p].edge;
		bool is_linked = nc_piece_is_linked(&world->diagram, p);
		if (!is_linked || world->graph.edges.data[edge_of >> 1].first_piece != p)
		{
			continue;
		}
		const NcGraphEdge* edge = &world->graph.edges.data[edge_of >> 1];
		write_u32(w, (uint32_t)(*get_record_number(n, feature) + p - cell->begin));
		write_double(w, edge->length);
		write_double(w, edge->min_clearance);
		write_double(w, edge->min_position.x);
		write_double(w, edge->min_position.y);
	}
}

static bool write_all(const NcMap* map, Numbers* n, Writer* w)
{
	const NcSnap* snap = &map->world.diagram.snap;
	write_header(map, n, w);
	write_obstacles(map, w);
	write_vertices(snap, n, w);
	if (!write_edges(snap, n, w))
	{
		return false;
	}
	visit_features(&map->world, n, w, write_count);
	visit_features(&map->world, n, w, write_records);
	visit_features(&map->world, n, w, write_mirrors);
	visit_features(&map->world, n, w, write_graph_edges);
	finish(w);
	return true;
}

NcStatus nc_map_save(const NcMap* map, NcWriteFn* write, void* context)
{
	if (map->edited.count > 0)
	{
		return NC_INVALID_INPUT;
	}
	Numbers numbers = {0};
	Writer writer = {.write = write, .context = context};
	bool has_memory = number_all(map, &numbers) && write_all(map, &numbers, &writer);
	free_numbers(&numbers);
	if (!has_memory)
	{
		return NC_OUT_OF_MEMORY;
	}
	return writer.has_failed ? NC_TOO_LARGE : NC_OK;
}
