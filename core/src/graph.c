// SPDX-License-Identifier: MIT
// The medial axis as vertices and edges: see graph.h.
//
// Building is attaching everything; updating is detaching what contains changed pieces, and
// attaching what has no edge afterwards.

#include "graph.h"

#include "check.h"
#include "prefetch.h"

typedef struct Context
{
	NcGraph* graph;
	NcDiagram* diagram;
	NcGraphUpdate* update;
	NcJournal* journal; // NULL while building
} Context;

static bool has_failed(const Context* c)
{
	const NcGraphUpdate* u = c->update;
	return (c->journal != NULL && c->journal->has_failed) || c->graph->vertices.failed ||
		   c->graph->edges.failed || c->graph->ends.failed || c->graph->vertex_of.failed ||
		   u->dead_vertices.failed || u->dead_edges.failed || u->loose.failed ||
		   u->touched.failed || u->stamps.failed;
}

static NcVec2 get_start(const NcDiagram* diagram, int piece)
{
	return nc_piece_junction(diagram, piece)->position;
}

static bool is_before(NcVec2 a, NcVec2 b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Detaching.

// Empty a vertex whose junction is gone, or that was only there because its edge was a loop.
static void release_vertex(Context* c, int vertex)
{
	NcGraphVertex* v = &c->graph->vertices.data[vertex];
	bool is_loop_vertex =
		v->junction != NC_NULL_INDEX && c->diagram->junctions.data[v->junction].degree == 2;
	if (is_loop_vertex && nc_journal_reserve(c->journal, 3))
	{
		*nc_edit(c->journal, &c->graph->vertex_of, v->junction) = NC_NULL_INDEX;
		*nc_edit_member(c->journal, &c->graph->vertices, vertex, junction) = NC_NULL_INDEX;
		nc_array_push(&c->update->dead_vertices, vertex);
	}
	else
	{
		nc_array_push(&c->update->touched, vertex);
	}
}

void nc_graph_detach(
	NcGraph* graph, NcDiagram* diagram, int piece, NcGraphUpdate* update, NcJournal* journal)
{
	Context c = {graph, diagram, update, journal};
	int edge_of = diagram->records.data[piece].edge;
	if (edge_of == NC_NULL_INDEX)
	{
		return;
	}
	NcGraphEdge edge = graph->edges.data[edge_of >> 1];
	if (!nc_journal_reserve(journal, 2 * edge.arc_count + 1))
	{
		return;
	}
	int p = edge.first_piece;
	for (int i = 0; i < edge.arc_count; ++i)
	{
		int twin = nc_piece_twin(diagram, p);
		*nc_edit_member(journal, &diagram->records, p, edge) = NC_NULL_INDEX;
		*nc_edit_member(journal, &diagram->records, twin, edge) = NC_NULL_INDEX;
		nc_array_push(&update->loose, p);
		p = nc_piece_next(diagram, p);
	}
	*nc_edit_member(journal, &graph->edges, edge_of >> 1, arc_count) = 0;
	nc_array_push(&update->dead_edges, edge_of >> 1);
	release_vertex(&c, edge.vertices[0]);
	if (edge.vertices[1] != edge.vertices[0])
	{
		release_vertex(&c, edge.vertices[1]);
	}
}

// Attaching.

static bool grow_vertex_of(Context* c)
{
	int count = c->graph->vertex_of.count;
	if (!nc_array_resize(&c->graph->vertex_of, c->diagram->junctions.count))
	{
		return false;
	}
	for (int i = count; i < c->graph->vertex_of.count; ++i)
	{
		c->graph->vertex_of.data[i] = NC_NULL_INDEX;
	}
	return true;
}

// Vertices whose junctions are gone become empty.
static void drop_dead_vertices(Context* c)
{
	NcGraph* graph = c->graph;
	for (int i = 0; i < c->update->touched.count; ++i)
	{
		int vertex = c->update->touched.data[i];
		int junction = graph->vertices.data[vertex].junction;
		bool is_dead =
			junction != NC_NULL_INDEX && c->diagram->junctions.data[junction].degree == 0;
		if (is_dead && nc_journal_reserve(c->journal, 2))
		{
			*nc_edit(c->journal, &graph->vertex_of, junction) = NC_NULL_INDEX;
			*nc_edit_member(c->journal, &graph->vertices, vertex, junction) = NC_NULL_INDEX;
			nc_array_push(&c->update->dead_vertices, vertex);
		}
	}
}

// A build lists the ends of all vertices anyway.
static void touch_vertex(Context* c, int vertex)
{
	if (c->journal != NULL)
	{
		nc_array_push(&c->update->touched, vertex);
	}
}

// The vertex of the junction in which a piece begins.
static int take_vertex(Context* c, int piece)
{
	NcGraph* graph = c->graph;
	int junction = c->diagram->records.data[piece].junction;
	int index = graph->vertex_of.data[junction];
	if (index != NC_NULL_INDEX || !nc_journal_reserve(c->journal, 2))
	{
		touch_vertex(c, index);
		return index;
	}
	NcGraphVertex vertex = {.junction = junction};
	if (graph->free_vertices.count > 0)
	{
		index = graph->free_vertices.data[--graph->free_vertices.count];
		(void)nc_edit_member(c->journal, &graph->vertices, index, junction);
		graph->vertices.data[index] = vertex; // What was there belonged to nobody.
	}
	else
	{
		index = graph->vertices.count;
		nc_array_push(&graph->vertices, vertex);
	}
	*nc_edit(c->journal, &graph->vertex_of, junction) = index;
	touch_vertex(c, index);
	return index;
}

// The last piece of the chain that begins with `piece`: it ends in a vertex, or where it began. The
// next piece begins where a piece ends, and it mostly lies beside it in memory; its twin does not.
static int find_chain_end(const Context* c, int piece, int* arc_count)
{
	const NcDiagram* diagram = c->diagram;
	int p = piece;
	for (*arc_count = 1;; ++*arc_count)
	{
		int next = nc_piece_next(diagram, p);
		int end = diagram->records.data[next].junction;
		bool is_vertex = diagram->junctions.data[end].degree != 2 ||
						 c->graph->vertex_of.data[end] != NC_NULL_INDEX;
		if (is_vertex || next == piece)
		{
			return p;
		}
		p = next;
	}
}

// Whether a chain should run the other way, so that an edge has the same direction whichever of its
// pieces is found first: from the lower end, or, on a loop, towards the lower neighbour.
static bool should_reverse(const NcDiagram* diagram, int first, int last)
{
	int back = nc_piece_twin(diagram, last);
	NcVec2 a = get_start(diagram, first);
	NcVec2 b = get_start(diagram, back);
	if (a.x != b.x || a.y != b.y)
	{
		return is_before(b, a);
	}
	NcVec2 after = get_start(diagram, nc_piece_twin(diagram, first));
	NcVec2 before = get_start(diagram, nc_piece_twin(diagram, back));
	return is_before(before, after);
}

static void set_arc(Context* c, int piece, int arc)
{
	if (c->diagram->records.data[piece].arc != arc)
	{
		*nc_edit_member(c->journal, &c->diagram->records, piece, arc) = arc;
	}
}

// Tell the pieces of an edge that they are on it. They are on none, so those that are not new were
// saved when they were detached.
static void name_edge(Context* c, int index)
{
	const NcGraphEdge* edge = &c->graph->edges.data[index];
	NcRecord* records = c->diagram->records.data;
	int p = edge->first_piece;
	for (int i = 0; i < edge->arc_count; ++i)
	{
		int twin = records[p].twin;
		records[p].edge = 2 * index;
		records[twin].edge = 2 * index + 1;
		set_arc(c, p, i);
		set_arc(c, twin, i);
		p = records[p].next;
	}
}

static void measure_edge(const NcDiagram* diagram, NcGraphEdge* edge)
{
	int p = edge->first_piece;
	for (int i = 0; i < edge->arc_count; ++i)
	{
		NcArc arc = nc_arc_of_piece(diagram, p);
		edge->length += nc_arc_compute_length(&arc);
		NcVec2 position;
		double min = nc_arc_find_min(&arc, &position);
		if (min < edge->min_clearance ||
			(min == edge->min_clearance && is_before(position, edge->min_position)))
		{
			edge->min_clearance = min;
			edge->min_position = position;
		}
		p = nc_piece_next(diagram, p);
	}
}

static int take_edge(Context* c, NcGraphEdge edge)
{
	NcGraph* graph = c->graph;
	if (graph->free_edges.count > 0)
	{
		int index = graph->free_edges.data[--graph->free_edges.count];
		(void)nc_edit_member(c->journal, &graph->edges, index, arc_count);
		graph->edges.data[index] = edge; // What was there belonged to nobody.
		return index;
	}
	return nc_array_push(&graph->edges, edge) ? graph->edges.count - 1 : NC_NULL_INDEX;
}

// Add the edge whose chain begins with a piece that begins in a vertex.
static void add_edge(Context* c, int piece)
{
	const NcDiagram* diagram = c->diagram;
	int arc_count;
	int last = find_chain_end(c, piece, &arc_count);
	bool is_reversed = should_reverse(diagram, piece, last);
	int first = is_reversed ? nc_piece_twin(diagram, last) : piece;
	int back = is_reversed ? nc_piece_twin(diagram, piece) : last;
	NcGraphEdge edge = {
		.first_piece = first,
		.last_piece = back,
		.arc_count = arc_count,
		.min_clearance = HUGE_VAL,
		.vertices = {take_vertex(c, first), take_vertex(c, nc_piece_twin(diagram, back))},
	};
	if (has_failed(c) || !nc_journal_reserve(c->journal, 2 * arc_count + 1))
	{
		return;
	}
	int index = take_edge(c, edge);
	if (index != NC_NULL_INDEX)
	{
		name_edge(c, index);
		if (c->journal != NULL)
		{
			measure_edge(diagram, &c->graph->edges.data[index]);
		}
	}
}

// On a loop without branches the lowest junction becomes a vertex.
static int find_lowest_piece(const NcDiagram* diagram, int piece)
{
	int best = piece;
	for (int p = nc_piece_next(diagram, piece); p != piece; p = nc_piece_next(diagram, p))
	{
		best = is_before(get_start(diagram, p), get_start(diagram, best)) ? p : best;
	}
	return best;
}

// The first piece of the chain through a piece, or NC_NULL_INDEX if the chain is a loop.
static int find_chain_start(const Context* c, int piece)
{
	const NcDiagram* diagram = c->diagram;
	int p = piece;
	while (nc_piece_junction(diagram, p)->degree == 2)
	{
		p = nc_piece_twin(diagram, nc_piece_around(diagram, p));
		if (p == piece)
		{
			return NC_NULL_INDEX;
		}
	}
	return p;
}

static void attach_piece(Context* c, int piece)
{
	const NcRecord* record = &c->diagram->records.data[piece];
	if (record->twin < 0 || record->edge != NC_NULL_INDEX || has_failed(c))
	{
		return;
	}
	int first = find_chain_start(c, piece);
	if (first == NC_NULL_INDEX)
	{
		first = find_lowest_piece(c->diagram, piece);
		take_vertex(c, first);
	}
	add_edge(c, first);
}

// Write the edge ends around a vertex to its place in the list.
static void fill_ends(Context* c, const NcGraphVertex* vertex)
{
	int p = c->diagram->junctions.data[vertex->junction].piece;
	for (int i = 0; i < vertex->end_count; ++i)
	{
		int edge = c->diagram->records.data[p].edge;
		*nc_edit(c->journal, &c->graph->ends, vertex->end_begin + i) =
			(NcEdgeEnd){.edge = edge >> 1, .end = edge & 1};
		p = nc_piece_around(c->diagram, p);
	}
}

// List the edge ends around a vertex. A vertex keeps its place in the list if its number of ends is
// the same.
static void list_ends(Context* c, int vertex)
{
	NcGraph* graph = c->graph;
	const NcDiagram* diagram = c->diagram;
	NcGraphVertex v = graph->vertices.data[vertex];
	if (v.junction == NC_NULL_INDEX || has_failed(c))
	{
		return;
	}
	int degree = diagram->junctions.data[v.junction].degree;
	if (!nc_journal_reserve(c->journal, degree + 2))
	{
		return;
	}
	if (v.end_count != degree)
	{
		nc_journal_save_memory(c->journal, &graph->live_end_count, (int)sizeof(int));
		graph->live_end_count += degree - v.end_count;
		v.end_begin = graph->ends.count;
		v.end_count = degree;
		*nc_edit(c->journal, &graph->vertices, vertex) = v;
		if (!nc_array_resize(&graph->ends, graph->ends.count + degree))
		{
			return;
		}
	}
	fill_ends(c, &v);
}

static void attach_cell(Context* c, const NcCell* cell)
{
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		attach_piece(c, p);
	}
}

// A vertex is touched once for every edge that went and came there.
static void remove_repetitions(Context* c)
{
	NcGraphUpdate* u = c->update;
	if (has_failed(c) || !nc_array_resize(&u->stamps, c->graph->vertices.count))
	{
		return;
	}
	++u->stamp;
	int count = 0;
	for (int i = 0; i < u->touched.count; ++i)
	{
		int vertex = u->touched.data[i];
		if (u->stamps.data[vertex] != u->stamp)
		{
			u->stamps.data[vertex] = u->stamp;
			u->touched.data[count++] = vertex;
		}
	}
	u->touched.count = count;
}

bool nc_graph_attach(NcGraph* graph, NcDiagram* diagram, const NcIntArray* cells,
	NcGraphUpdate* update, NcJournal* journal)
{
	Context c = {graph, diagram, update, journal};
	drop_dead_vertices(&c);
	if (!grow_vertex_of(&c) || has_failed(&c))
	{
		return false;
	}
	for (int i = 0; i < cells->count; ++i)
	{
		attach_cell(&c, nc_diagram_cell(diagram, cells->data[i]));
	}
	for (int i = 0; i < update->loose.count; ++i)
	{
		attach_piece(&c, update->loose.data[i]);
	}
	remove_repetitions(&c);
	for (int i = 0; i < update->touched.count && !has_failed(&c); ++i)
	{
		list_ends(&c, update->touched.data[i]);
	}
	return !has_failed(&c);
}

// Building. Every junction that is not on the way of an edge is a vertex; chains begin and end
// there. A chain belongs to the vertex with the lower number of the two, and its edge is numbered
// by that. A single worker numbers edges as it finds them, and lists the ends of a vertex when it
// has found the last of its edges. Several count first: until its edge is known, the list of edge
// ends says how long the chain is that begins there.

// A number of vertices.
#define VERTICES_PER_BLOCK 64

typedef struct Build
{
	Context c;
	int* edge_begins; // per block, and one more
} Build;

static bool list_vertices(Context* c)
{
	NcGraph* graph = c->graph;
	const NcDiagram* diagram = c->diagram;
	int count = diagram->junctions.count;
	bool is_done = nc_array_resize_raw(&graph->vertex_of, count);
	for (int i = 0; is_done && i < count; ++i)
	{
		int degree = diagram->junctions.data[i].degree;
		graph->vertex_of.data[i] = NC_NULL_INDEX;
		if (degree != 2)
		{
			graph->vertex_of.data[i] = graph->vertices.count;
			NcGraphVertex vertex = {
				.junction = i, .end_begin = graph->live_end_count, .end_count = degree};
			is_done = nc_array_push(&graph->vertices, vertex);
			graph->live_end_count += degree;
		}
	}
	return is_done && nc_array_resize_raw(&graph->ends, graph->live_end_count);
}

static int get_first_piece(const Context* c, int vertex)
{
	return c->diagram->junctions.data[c->graph->vertices.data[vertex].junction].piece;
}

// Vertices are in the order of their first pieces, and what an edge is made of is up to a block of
// cells away in memory. So all records come into the cache in their order, some vertices ahead, and
// then the places of the neighbours that they name.
#define RECORDS_AHEAD 192
#define NEIGHBORS_AHEAD 128

NC_PREFETCHING void prefetch_ahead(const Context* c, int vertex)
{
	if (vertex + RECORDS_AHEAD >= c->graph->vertices.count)
	{
		return;
	}
	int end = get_first_piece(c, vertex + RECORDS_AHEAD);
	for (int r = get_first_piece(c, vertex + RECORDS_AHEAD - 1); r < end; ++r)
	{
		nc_prefetch_record(c->diagram, r);
	}
	end = get_first_piece(c, vertex + NEIGHBORS_AHEAD);
	for (int r = get_first_piece(c, vertex + NEIGHBORS_AHEAD - 1); r < end; ++r)
	{
		nc_prefetch_neighbor(c->diagram, r);
	}
}

// Whether the chain from piece to piece belongs to the vertex in which it begins.
static bool owns_chain(const Context* c, int vertex, int first, int last)
{
	const NcRecord* records = c->diagram->records.data;
	int back = records[last].twin;
	int other = c->graph->vertex_of.data[records[back].junction];
	return vertex < other || (vertex == other && first < back);
}

static NcGraphEdge make_edge(const Context* c, int piece, int last, int arc_count)
{
	const NcDiagram* diagram = c->diagram;
	bool is_reversed = should_reverse(diagram, piece, last);
	int first = is_reversed ? nc_piece_twin(diagram, last) : piece;
	int back = is_reversed ? nc_piece_twin(diagram, piece) : last;
	int begin = diagram->records.data[first].junction;
	int end = diagram->records.data[nc_piece_twin(diagram, back)].junction;
	return (NcGraphEdge){
		.first_piece = first,
		.last_piece = back,
		.arc_count = arc_count,
		.min_clearance = HUGE_VAL,
		.vertices = {c->graph->vertex_of.data[begin], c->graph->vertex_of.data[end]},
	};
}

static void finish_edge(Context* c, int index)
{
	name_edge(c, index);
	measure_edge(c->diagram, &c->graph->edges.data[index]);
}

// Add the edges that belong to a vertex. Then all edges around it are known: the others belong to
// lower vertices.
static void add_edges_alone(Context* c, int vertex)
{
	NcGraph* graph = c->graph;
	int first = get_first_piece(c, vertex);
	int p = first;
	do
	{
		int arc_count;
		bool is_new = c->diagram->records.data[p].edge == NC_NULL_INDEX;
		int last = is_new ? find_chain_end(c, p, &arc_count) : NC_NULL_INDEX;
		if (is_new && owns_chain(c, vertex, p, last) &&
			nc_array_push(&graph->edges, make_edge(c, p, last, arc_count)))
		{
			finish_edge(c, graph->edges.count - 1);
		}
		p = nc_piece_around(c->diagram, p);
	} while (p != first);
	fill_ends(c, &graph->vertices.data[vertex]);
}

static bool find_edges_alone(Context* c)
{
	NcGraph* graph = c->graph;
	bool is_done = nc_array_reserve(&graph->edges, graph->live_end_count / 2);
	for (int v = 0; is_done && v < graph->vertices.count; ++v)
	{
		prefetch_ahead(c, v);
		add_edges_alone(c, v);
	}
	return is_done && !has_failed(c);
}

static void count_edges(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Build* b = context;
	const Context* c = &b->c;
	for (int block = begin; block < end; ++block)
	{
		int count = 0;
		for (int v = block * VERTICES_PER_BLOCK;
			 v < (block + 1) * VERTICES_PER_BLOCK && v < c->graph->vertices.count; ++v)
		{
			prefetch_ahead(c, v);
			const NcGraphVertex* vertex = &c->graph->vertices.data[v];
			int p = get_first_piece(c, v);
			for (int i = 0; i < vertex->end_count; ++i)
			{
				int arc_count;
				int last = find_chain_end(c, p, &arc_count);
				bool is_owner = owns_chain(c, v, p, last);
				c->graph->ends.data[vertex->end_begin + i] =
					(NcEdgeEnd){.edge = last, .end = is_owner ? arc_count : 0};
				count += is_owner;
				p = nc_piece_around(c->diagram, p);
			}
		}
		b->edge_begins[block + 1] = count;
	}
}

static void write_edges(void* context, int begin, int end, int worker)
{
	(void)worker;
	Build* b = context;
	Context* c = &b->c;
	for (int block = begin; block < end; ++block)
	{
		int index = b->edge_begins[block];
		for (int v = block * VERTICES_PER_BLOCK;
			 v < (block + 1) * VERTICES_PER_BLOCK && v < c->graph->vertices.count; ++v)
		{
			prefetch_ahead(c, v);
			const NcGraphVertex* vertex = &c->graph->vertices.data[v];
			int p = get_first_piece(c, v);
			for (int i = 0; i < vertex->end_count; ++i)
			{
				NcEdgeEnd chain = c->graph->ends.data[vertex->end_begin + i];
				if (chain.end > 0)
				{
					c->graph->edges.data[index] = make_edge(c, p, chain.edge, chain.end);
					finish_edge(c, index++);
				}
				p = nc_piece_around(c->diagram, p);
			}
		}
	}
}

static void list_all_ends(void* context, int begin, int end, int worker)
{
	(void)worker;
	Context* c = context;
	for (int i = begin; i < end; ++i)
	{
		fill_ends(c, &c->graph->vertices.data[i]);
	}
}

static bool find_edges_together(Context* c, const NcParallel* parallel)
{
	int block_count = (c->graph->vertices.count + VERTICES_PER_BLOCK - 1) / VERTICES_PER_BLOCK;
	NcIntArray begins = {0};
	bool is_done = nc_array_resize(&begins, block_count + 1);
	if (is_done)
	{
		Build build = {.c = *c, .edge_begins = begins.data};
		nc_parallel_run(parallel, block_count, count_edges, &build);
		for (int i = 0; i < block_count; ++i)
		{
			begins.data[i + 1] += begins.data[i];
		}
		is_done = nc_array_resize_raw(&c->graph->edges, begins.data[block_count]);
		if (is_done)
		{
			nc_parallel_run(parallel, block_count, write_edges, &build);
			nc_parallel_run(parallel, c->graph->vertices.count, list_all_ends, c);
		}
	}
	nc_array_free(&begins);
	return is_done;
}

// Loops without a branch have no vertex yet: then some linked pieces have no edge.
static bool find_loops(Context* c)
{
	NcGraph* graph = c->graph;
	const NcDiagram* diagram = c->diagram;
	long long missing = 0;
	for (int i = 0; i < diagram->junctions.count; ++i)
	{
		missing += diagram->junctions.data[i].degree;
	}
	for (int i = 0; i < graph->edges.count; ++i)
	{
		missing -= 2 * graph->edges.data[i].arc_count;
	}
	int vertex_count = graph->vertices.count;
	int edge_count = graph->edges.count;
	for (int p = 0; missing > 0 && p < diagram->records.count; ++p)
	{
		attach_piece(c, p);
	}
	for (int i = edge_count; i < graph->edges.count; ++i)
	{
		measure_edge(diagram, &graph->edges.data[i]);
	}
	for (int v = vertex_count; v < graph->vertices.count; ++v)
	{
		NcGraphVertex* vertex = &graph->vertices.data[v];
		vertex->end_begin = graph->live_end_count;
		vertex->end_count = 2;
		graph->live_end_count += vertex->end_count;
	}
	if (has_failed(c) || !nc_array_resize_raw(&graph->ends, graph->live_end_count))
	{
		return false;
	}
	for (int v = vertex_count; v < graph->vertices.count; ++v)
	{
		fill_ends(c, &graph->vertices.data[v]);
	}
	return true;
}

NcStatus nc_graph_build(NcGraph* graph, NcDiagram* diagram, const NcParallel* parallel)
{
	NcGraphUpdate update = {0};
	Context c = {.graph = graph, .diagram = diagram, .update = &update};
	bool is_built = list_vertices(&c);
	if (is_built)
	{
		bool is_alone = nc_parallel_count_workers(parallel) == 1;
		is_built = is_alone ? find_edges_alone(&c) : find_edges_together(&c, parallel);
	}
	is_built = is_built && find_loops(&c);
	nc_graph_update_free(&update);
	return is_built ? NC_OK : NC_OUT_OF_MEMORY;
}

void nc_graph_free(NcGraph* graph)
{
	nc_array_free(&graph->vertices);
	nc_array_free(&graph->edges);
	nc_array_free(&graph->ends);
	nc_array_free(&graph->vertex_of);
	nc_array_free(&graph->free_vertices);
	nc_array_free(&graph->free_edges);
}

// Finishing.

bool nc_graph_prepare_finish(NcGraph* graph, const NcGraphUpdate* u)
{
	return nc_array_reserve(
			   &graph->free_vertices, graph->free_vertices.count + u->dead_vertices.count) &&
		   nc_array_reserve(&graph->free_edges, graph->free_edges.count + u->dead_edges.count);
}

// Close the gaps in the list of ends when there are more gaps than ends. Without memory they stay.
static void compact_ends(NcGraph* graph)
{
	NcGraph compact = {0};
	if (graph->ends.count < 2 * graph->live_end_count + 256 ||
		!nc_array_reserve(&compact.ends, graph->live_end_count))
	{
		nc_array_free(&compact.ends);
		return;
	}
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		NcGraphVertex* vertex = &graph->vertices.data[v];
		int begin = compact.ends.count;
		for (int i = 0; vertex->junction != NC_NULL_INDEX && i < vertex->end_count; ++i)
		{
			nc_array_push(&compact.ends, graph->ends.data[vertex->end_begin + i]);
		}
		vertex->end_begin = begin;
	}
	nc_array_free(&graph->ends);
	graph->ends.data = compact.ends.data;
	graph->ends.count = compact.ends.count;
	graph->ends.capacity = compact.ends.capacity;
}

void nc_graph_finish(NcGraph* graph, const NcGraphUpdate* u)
{
	for (int i = 0; i < u->dead_vertices.count; ++i)
	{
		int vertex = u->dead_vertices.data[i];
		graph->live_end_count -= graph->vertices.data[vertex].end_count;
		graph->vertices.data[vertex].end_count = 0;
		nc_array_push(&graph->free_vertices, vertex);
	}
	for (int i = 0; i < u->dead_edges.count; ++i)
	{
		nc_array_push(&graph->free_edges, u->dead_edges.data[i]);
	}
	compact_ends(graph);
}

void nc_graph_update_clear(NcGraphUpdate* u)
{
	NcIntArray* lists[] = {&u->dead_vertices, &u->dead_edges, &u->loose, &u->touched};
	for (int i = 0; i < NC_COUNT(lists); ++i)
	{
		lists[i]->count = 0;
		lists[i]->failed = false;
	}
	u->stamps.failed = false; // It has an item for every vertex, so clearing it is not local.
}

void nc_graph_update_free(NcGraphUpdate* u)
{
	nc_array_free(&u->dead_vertices);
	nc_array_free(&u->dead_edges);
	nc_array_free(&u->loose);
	nc_array_free(&u->touched);
	nc_array_free(&u->stamps);
}

// Walking.

NcEdgeWalk nc_graph_walk_edge(const NcGraph* graph, const NcDiagram* diagram, NcEdgeEnd from)
{
	const NcGraphEdge* edge = &graph->edges.data[from.edge];
	int piece = from.end == 0 ? edge->first_piece : nc_piece_twin(diagram, edge->last_piece);
	return (NcEdgeWalk){.diagram = diagram, .piece = piece, .left = edge->arc_count};
}

bool nc_edge_walk_advance(NcEdgeWalk* walk)
{
	if (--walk->left <= 0)
	{
		return false;
	}
	walk->piece = nc_piece_next(walk->diagram, walk->piece);
	return true;
}
