// SPDX-License-Identifier: MIT
// The medial axis as vertices and edges: see graph.h.

#include "graph.h"

#include "check.h"

typedef struct Builder
{
	NcGraph* graph;
	const NcDiagram* diagram;
	NcIntArray parents; // union-find over vertices, to count components
} Builder;

static NcVec2 get_start(const NcDiagram* diagram, int piece)
{
	return diagram->junctions.data[diagram->junction_of.data[piece]].position;
}

static int get_degree(const NcDiagram* diagram, int piece)
{
	return diagram->junctions.data[diagram->junction_of.data[piece]].degree;
}

static int add_vertex(Builder* builder, int junction)
{
	NcGraph* graph = builder->graph;
	int index = graph->vertex_of.data[junction];
	if (index == NC_NULL_INDEX)
	{
		index = graph->vertices.count;
		graph->vertex_of.data[junction] = index;
		nc_array_push(&graph->vertices, ((NcGraphVertex){.junction = junction}));
		nc_array_push(&builder->parents, index);
	}
	return index;
}

static int find_root(Builder* builder, int vertex)
{
	int* parents = builder->parents.data;
	while (parents[vertex] != vertex)
	{
		parents[vertex] = parents[parents[vertex]];
		vertex = parents[vertex];
	}
	return vertex;
}

// The last piece of the chain that begins with `piece`: it ends in a vertex, or where it began.
static int find_chain_end(const Builder* builder, int piece, int* arc_count)
{
	const NcDiagram* diagram = builder->diagram;
	int p = piece;
	*arc_count = 1;
	for (;;)
	{
		int next = diagram->nexts.data[p];
		int junction = diagram->junction_of.data[diagram->twins.data[p]];
		bool is_vertex = diagram->junctions.data[junction].degree != 2 ||
						 builder->graph->vertex_of.data[junction] != NC_NULL_INDEX;
		if (is_vertex || next == piece)
		{
			return p;
		}
		p = next;
		++*arc_count;
	}
}

static bool is_before(NcVec2 a, NcVec2 b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Whether a chain should run the other way, so that an edge has the same direction whichever of its
// pieces is found first: from the lower end, or, on a loop, towards the lower neighbour.
static bool should_reverse(const NcDiagram* diagram, int first, int last)
{
	int back = diagram->twins.data[last];
	NcVec2 a = get_start(diagram, first);
	NcVec2 b = get_start(diagram, back);
	if (a.x != b.x || a.y != b.y)
	{
		return is_before(b, a);
	}
	NcVec2 after = get_start(diagram, diagram->twins.data[first]);
	NcVec2 before = get_start(diagram, diagram->twins.data[back]);
	return is_before(before, after);
}

static void measure_edge(Builder* builder, int index)
{
	NcGraphEdge* edge = &builder->graph->edges.data[index];
	int p = edge->first_piece;
	for (int i = 0; i < edge->arc_count; ++i)
	{
		int twin = builder->diagram->twins.data[p];
		builder->graph->edge_of.data[p] = 2 * index;
		builder->graph->edge_of.data[twin] = 2 * index + 1;
		builder->graph->arc_of.data[p] = i;
		builder->graph->arc_of.data[twin] = i;

		NcArc arc = nc_arc_of_piece(builder->diagram, p);
		edge->length += nc_arc_compute_length(&arc);
		NcVec2 position;
		double min = nc_arc_find_min(&arc, &position);
		if (min < edge->min_clearance ||
			(min == edge->min_clearance && is_before(position, edge->min_position)))
		{
			edge->min_clearance = min;
			edge->min_position = position;
		}
		p = builder->diagram->nexts.data[p];
	}
}

// Add the edge whose chain begins with a piece that begins in a vertex.
static void add_edge(Builder* builder, int piece)
{
	const NcDiagram* diagram = builder->diagram;
	NcGraph* graph = builder->graph;
	int arc_count;
	int last = find_chain_end(builder, piece, &arc_count);
	bool is_reversed = should_reverse(diagram, piece, last);
	int first = is_reversed ? diagram->twins.data[last] : piece;
	int back = is_reversed ? diagram->twins.data[piece] : last;
	NcGraphEdge edge = {
		.first_piece = first,
		.last_piece = back,
		.arc_count = arc_count,
		.min_clearance = HUGE_VAL,
		.vertices = {add_vertex(builder, diagram->junction_of.data[first]),
			add_vertex(builder, diagram->junction_of.data[diagram->twins.data[back]])},
	};
	int index = graph->edges.count;
	if (!nc_array_push(&graph->edges, edge) || builder->parents.failed)
	{
		return;
	}
	measure_edge(builder, index);
	builder->parents.data[find_root(builder, edge.vertices[0])] =
		find_root(builder, edge.vertices[1]);
}

// On a loop without branches the lowest junction becomes a vertex.
static int find_lowest_piece(const NcDiagram* diagram, int piece)
{
	int best = piece;
	for (int p = diagram->nexts.data[piece]; p != piece; p = diagram->nexts.data[p])
	{
		best = is_before(get_start(diagram, p), get_start(diagram, best)) ? p : best;
	}
	return best;
}

static void add_edges(Builder* builder)
{
	const NcDiagram* diagram = builder->diagram;
	NcGraph* graph = builder->graph;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int p = 0; p < diagram->records.count && !graph->edges.failed; ++p)
		{
			bool is_open = diagram->twins.data[p] != NC_NULL_INDEX &&
						   graph->edge_of.data[p] == NC_NULL_INDEX;
			if (is_open && (pass == 1 || get_degree(diagram, p) != 2))
			{
				int first = pass == 1 ? find_lowest_piece(diagram, p) : p;
				add_vertex(builder, diagram->junction_of.data[first]);
				add_edge(builder, first);
			}
		}
	}
}

// List the edge ends around every vertex.
static void add_ends(Builder* builder)
{
	const NcDiagram* diagram = builder->diagram;
	NcGraph* graph = builder->graph;
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		NcGraphVertex* vertex = &graph->vertices.data[v];
		vertex->end_begin = graph->ends.count;
		int first = diagram->junctions.data[vertex->junction].piece;
		int p = first;
		do
		{
			int edge = graph->edge_of.data[p];
			nc_array_push(&graph->ends, ((NcEdgeEnd){.edge = edge >> 1, .end = edge & 1}));
			p = diagram->nexts.data[diagram->twins.data[p]];
		} while (p != first);
		vertex->end_count = graph->ends.count - vertex->end_begin;
	}
}

static bool build(Builder* builder)
{
	NcGraph* graph = builder->graph;
	const NcDiagram* diagram = builder->diagram;
	if (!nc_array_resize(&graph->vertex_of, diagram->junctions.count) ||
		!nc_array_resize(&graph->edge_of, diagram->records.count) ||
		!nc_array_resize(&graph->arc_of, diagram->records.count))
	{
		return false;
	}
	for (int i = 0; i < diagram->junctions.count; ++i)
	{
		graph->vertex_of.data[i] = NC_NULL_INDEX;
	}
	for (int p = 0; p < diagram->records.count; ++p)
	{
		graph->edge_of.data[p] = NC_NULL_INDEX;
	}
	add_edges(builder);
	if (graph->edges.failed || graph->vertices.failed || builder->parents.failed)
	{
		return false;
	}
	add_ends(builder);
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		graph->component_count += find_root(builder, v) == v;
	}
	return !graph->ends.failed;
}

NcStatus nc_graph_build(NcGraph* graph, const NcDiagram* diagram)
{
	Builder builder = {.graph = graph, .diagram = diagram};
	bool is_built = build(&builder);
	nc_array_free(&builder.parents);
	return is_built ? NC_OK : NC_OUT_OF_MEMORY;
}

void nc_graph_free(NcGraph* graph)
{
	nc_array_free(&graph->vertices);
	nc_array_free(&graph->edges);
	nc_array_free(&graph->ends);
	nc_array_free(&graph->vertex_of);
	nc_array_free(&graph->edge_of);
	nc_array_free(&graph->arc_of);
}

NcEdgeWalk nc_graph_walk_edge(const NcGraph* graph, const NcDiagram* diagram, NcEdgeEnd from)
{
	const NcGraphEdge* edge = &graph->edges.data[from.edge];
	int piece = from.end == 0 ? edge->first_piece : diagram->twins.data[edge->last_piece];
	return (NcEdgeWalk){.diagram = diagram, .piece = piece, .left = edge->arc_count};
}

bool nc_edge_walk_advance(NcEdgeWalk* walk)
{
	if (--walk->left <= 0)
	{
		return false;
	}
	walk->piece = walk->diagram->nexts.data[walk->piece];
	return true;
}
