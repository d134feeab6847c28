// SPDX-License-Identifier: MIT
// Loading the graph: where its edges begin, and what was measured along them, comes from the file.
// Their chains are walked again, so that every piece is on exactly one edge.

#include "map_file.h"

#include "check.h"

typedef struct Loader
{
	const NcFile* file;
	int linked_count;
	NcDiagram* diagram;
	NcGraph* graph;
} Loader;

static bool is_finite_and_not_negative(double value)
{
	return value >= 0.0 && isfinite(value);
}

// Mark the pieces of an edge, from its first to its last. A chain goes on through junctions of
// degree 2. It begins in one of them only if it is a loop.
// @return whether none of them is on another edge
static bool walk_edge(const Loader* l, int index)
{
	NcDiagram* diagram = l->diagram;
	NcGraphEdge* edge = &l->graph->edges.data[index];
	int start = diagram->records.data[edge->first_piece].junction;
	int end = NC_NULL_INDEX;
	bool goes_on = true;
	for (int p = edge->first_piece; goes_on; p = nc_piece_next(diagram, p))
	{
		NcRecord* record = &diagram->records.data[p];
		NcRecord* twin = &diagram->records.data[record->twin];
		if (record->edge != NC_NULL_INDEX || twin->edge != NC_NULL_INDEX)
		{
			return false;
		}
		record->edge = 2 * index;
		twin->edge = 2 * index + 1;
		record->arc = twin->arc = edge->arc_count++;
		edge->last_piece = p;
		end = twin->junction;
		goes_on = diagram->junctions.data[end].degree == 2 && end != start;
	}
	return diagram->junctions.data[start].degree != 2 || end == start;
}

// The vertex of a junction.
static int take_vertex(const Loader* l, int junction)
{
	int* vertex = &l->graph->vertex_of.data[junction];
	if (*vertex == NC_NULL_INDEX)
	{
		*vertex = l->graph->vertices.count;
		nc_array_push(&l->graph->vertices, ((NcGraphVertex){.junction = junction}));
	}
	return *vertex;
}

// Read an edge. @param last_record that of the edge before
static bool read_edge(const Loader* l, int index, int64_t last_record)
{
	const uint8_t* p = l->file->graph_edges + (size_t)index * NC_FILE_GRAPH_EDGE_SIZE;
	uint32_t record = nc_file_read_u32(p);
	int piece = (int)record;
	if (record <= last_record || record >= (uint32_t)l->diagram->records.count ||
		!nc_piece_is_linked(l->diagram, piece))
	{
		return false;
	}
	NcGraphEdge* edge = &l->graph->edges.data[l->graph->edges.count++];
	*edge = (NcGraphEdge){
		.first_piece = piece,
		.length = nc_file_read_double(p + 4),
		.min_clearance = nc_file_read_double(p + 12),
		.min_position = {nc_file_read_double(p + 20), nc_file_read_double(p + 28)},
	};
	if (!is_finite_and_not_negative(edge->length) ||
		!is_finite_and_not_negative(edge->min_clearance) || !nc_is_finite(edge->min_position) ||
		!walk_edge(l, index))
	{
		return false;
	}
	const NcRecord* records = l->diagram->records.data;
	edge->vertices[0] = take_vertex(l, records[piece].junction);
	edge->vertices[1] =
		take_vertex(l, records[nc_piece_twin(l->diagram, edge->last_piece)].junction);
	return true;
}

// Read all edges. No piece is on two of them, so if there are enough, every piece is on one.
static bool read_edges(const Loader* l)
{
	int64_t last_record = -1;
	int arc_count = 0;
	for (int e = 0; e < l->file->header.graph_edge_count; ++e)
	{
		if (!read_edge(l, e, last_record))
		{
			return false;
		}
		last_record = nc_file_read_u32(l->file->graph_edges + (size_t)e * NC_FILE_GRAPH_EDGE_SIZE);
		arc_count += l->graph->edges.data[e].arc_count;
	}
	return 2 * arc_count == l->linked_count;
}

// List the edge ends around all vertices.
static bool list_ends(const Loader* l)
{
	NcGraph* graph = l->graph;
	const NcDiagram* diagram = l->diagram;
	int total = 0;
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		total += diagram->junctions.data[graph->vertices.data[v].junction].degree;
	}
	if (!nc_array_reserve(&graph->ends, total))
	{
		return false;
	}
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		NcGraphVertex* vertex = &graph->vertices.data[v];
		const NcJunction* junction = &diagram->junctions.data[vertex->junction];
		vertex->end_begin = graph->ends.count;
		vertex->end_count = junction->degree;
		int p = junction->piece;
		for (int i = 0; i < junction->degree; ++i)
		{
			int edge = diagram->records.data[p].edge;
			graph->ends.data[graph->ends.count++] = (NcEdgeEnd){edge >> 1, edge & 1};
			p = nc_piece_around(diagram, p);
		}
	}
	graph->live_end_count = total;
	return true;
}

NcStatus nc_file_load_graph(const NcFile* file, int linked_count, NcWorld* world)
{
	Loader l = {file, linked_count, &world->diagram, &world->graph};
	NcGraph* graph = &world->graph;
	int junction_count = world->diagram.junctions.count;
	if (!nc_array_reserve(&graph->vertex_of, junction_count) ||
		!nc_array_reserve(&graph->edges, file->header.graph_edge_count))
	{
		return NC_OUT_OF_MEMORY;
	}
	for (int i = 0; i < junction_count; ++i)
	{
		graph->vertex_of.data[graph->vertex_of.count++] = NC_NULL_INDEX;
	}
	if (!read_edges(&l))
	{
		return graph->vertices.failed ? NC_OUT_OF_MEMORY : NC_WRONG_FORMAT;
	}
	return !graph->vertices.failed && list_ends(&l) ? NC_OK : NC_OUT_OF_MEMORY;
}
