// SPDX-License-Identifier: MIT
// A* over the medial axis, for any radius: edges that are too narrow do not exist.
//
// The cost is the length along the axis, the estimate the straight distance to the goal's place on
// it; that never overestimates. Equal priorities are decided by position, so that the path does not
// depend on the numbering of the map.

#include "query_state.h"

#include "check.h"

#include <stdlib.h>

// Anchors.

NcAnchor nc_query_make_anchor(const NcQuery* query, const NcRetraction* retraction)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	const NcGraph* graph = &query->map->world.graph;
	int edge_of = diagram->records.data[retraction->piece].edge;
	bool is_backward = edge_of & 1;
	NcAnchor anchor = {
		.edge = edge_of >> 1,
		.arc = diagram->records.data[retraction->piece].arc,
		.piece = is_backward ? nc_piece_twin(diagram, retraction->piece) : retraction->piece,
		.position = retraction->position,
		.clearance = retraction->clearance,
	};
	int arc_count = graph->edges.data[anchor.edge].arc_count;
	for (int end = 0; end < 2; ++end)
	{
		NcEdgeWalk walk = {
			.diagram = diagram,
			.piece = end == 1 ? anchor.piece : nc_piece_twin(diagram, anchor.piece),
			.left = end == 1 ? arc_count - anchor.arc : anchor.arc + 1,
		};
		NcArc arc = nc_arc_of_piece(diagram, walk.piece);
		arc.ends[0] = anchor.position;
		arc.clearances[0] = anchor.clearance;
		anchor.clearance_to[end] = HUGE_VAL;
		bool goes_on = true;
		while (goes_on)
		{
			NcVec2 position;
			anchor.length_to[end] += nc_arc_compute_length(&arc);
			anchor.clearance_to[end] =
				nc_min(anchor.clearance_to[end], nc_arc_find_min(&arc, &position));
			goes_on = nc_edge_walk_advance(&walk);
			arc = goes_on ? nc_arc_of_piece(diagram, walk.piece) : arc;
		}
	}
	return anchor;
}

// The heap.

static NcVec2 get_position(const NcQuery* query, int vertex)
{
	const NcWorld* world = &query->map->world;
	return world->diagram.junctions.data[world->graph.vertices.data[vertex].junction].position;
}

static bool is_before(const NcQuery* query, NcHeapItem a, NcHeapItem b)
{
	if (a.priority != b.priority)
	{
		return a.priority < b.priority;
	}
	NcVec2 p = get_position(query, a.vertex);
	NcVec2 q = get_position(query, b.vertex);
	return p.x < q.x || (p.x == q.x && p.y < q.y);
}

static void push_item(NcQuery* query, NcHeapItem item)
{
	if (!nc_array_push(&query->heap, item))
	{
		return;
	}
	NcHeapItem* heap = query->heap.data;
	int i = query->heap.count - 1;
	while (i > 0 && is_before(query, item, heap[(i - 1) / 2]))
	{
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = item;
}

static NcHeapItem pop_item(NcQuery* query)
{
	NcHeapItem* heap = query->heap.data;
	NcHeapItem top = heap[0];
	NcHeapItem last = heap[--query->heap.count];
	int n = query->heap.count;
	int i = 0;
	for (;;)
	{
		int child = 2 * i + 1;
		if (child >= n)
		{
			break;
		}
		child += child + 1 < n && is_before(query, heap[child + 1], heap[child]);
		if (!is_before(query, heap[child], last))
		{
			break;
		}
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return top;
}

// The search itself.

static NcSearchNode* get_node(NcQuery* query, int vertex)
{
	NcSearchNode* node = &query->nodes.data[vertex];
	if (node->search != query->search)
	{
		*node = (NcSearchNode){
			.search = query->search, .cost = HUGE_VAL, .arrival = {.edge = NC_NULL_INDEX}};
	}
	return node;
}

static void relax(NcQuery* query, int vertex, double cost, NcEdgeEnd arrival, NcVec2 goal)
{
	NcSearchNode* node = get_node(query, vertex);
	if (node->is_closed || !(cost < node->cost))
	{
		return;
	}
	node->cost = cost;
	node->arrival = arrival;
	double estimate = nc_distance(get_position(query, vertex), goal);
	push_item(query, (NcHeapItem){cost + estimate, vertex});
}

static void expand(NcQuery* query, int vertex, double radius, NcVec2 goal)
{
	const NcGraph* graph = &query->map->world.graph;
	const NcGraphVertex* v = &graph->vertices.data[vertex];
	double cost = query->nodes.data[vertex].cost;
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = graph->ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &graph->edges.data[end.edge];
		if (edge->min_clearance >= radius)
		{
			relax(query, edge->vertices[!end.end], cost + edge->length, end, goal);
		}
	}
}

// A way from the start to the goal: through a vertex and an end of the goal's edge, or directly.
typedef struct Best
{
	double cost;
	int end; // of the goal's edge, or NC_NULL_INDEX for the direct way
} Best;

// The part of an edge between two anchors on it.
static bool is_between_passable(
	const NcQuery* query, const NcAnchor* from, const NcAnchor* to, double radius)
{
	// The least clearance in between is that of the parts that both anchors agree on.
	const NcDiagram* diagram = &query->map->world.diagram;
	bool is_forward = from->length_to[0] <= to->length_to[0];
	NcEdgeWalk walk = {
		.diagram = diagram,
		.piece = is_forward ? from->piece : nc_piece_twin(diagram, from->piece),
		.left = is_forward ? to->arc - from->arc + 1 : from->arc - to->arc + 1,
	};
	NcArc arc = nc_arc_of_piece(diagram, walk.piece);
	arc.ends[0] = from->position;
	arc.clearances[0] = from->clearance;
	for (;;)
	{
		if (walk.left == 1)
		{
			arc.ends[1] = to->position;
			arc.clearances[1] = to->clearance;
		}
		NcVec2 position;
		if (nc_arc_find_min(&arc, &position) < radius)
		{
			return false;
		}
		if (!nc_edge_walk_advance(&walk))
		{
			return true;
		}
		arc = nc_arc_of_piece(diagram, walk.piece);
	}
}

static Best find_direct(
	const NcQuery* query, const NcAnchor* start, const NcAnchor* goal, double radius)
{
	Best best = {HUGE_VAL, NC_NULL_INDEX};
	if (start->edge == goal->edge && is_between_passable(query, start, goal, radius))
	{
		best.cost = fabs(start->length_to[0] - goal->length_to[0]);
	}
	return best;
}

static void update_best(
	const NcQuery* query, const NcAnchor* goal, int vertex, double radius, Best* best)
{
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[goal->edge];
	for (int end = 0; end < 2; ++end)
	{
		double cost = query->nodes.data[vertex].cost + goal->length_to[end];
		if (edge->vertices[end] == vertex && goal->clearance_to[end] >= radius && cost < best->cost)
		{
			*best = (Best){cost, end};
		}
	}
}

// The path.

static void push_arc(NcQuery* query, int piece)
{
	NcPathArc item = {piece, nc_arc_of_piece(&query->map->world.diagram, piece)};
	nc_array_push(&query->arcs, item);
}

static void cut_first(NcQuery* query, int index, const NcAnchor* anchor)
{
	if (!query->arcs.failed)
	{
		query->arcs.data[index].arc.ends[0] = anchor->position;
		query->arcs.data[index].arc.clearances[0] = anchor->clearance;
	}
}

static void cut_last(NcQuery* query, const NcAnchor* anchor)
{
	if (!query->arcs.failed)
	{
		NcPathArc* last = &query->arcs.data[query->arcs.count - 1];
		last->arc.ends[1] = anchor->position;
		last->arc.clearances[1] = anchor->clearance;
	}
}

// Append `count` arcs, beginning with a piece.
static void push_arcs(NcQuery* query, int piece, int count)
{
	for (int i = 0; i < count; ++i)
	{
		push_arc(query, piece);
		piece = nc_piece_next(&query->map->world.diagram, piece);
	}
}

static void build_direct_arcs(NcQuery* query, const NcAnchor* start, const NcAnchor* goal)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	bool is_forward = start->length_to[0] <= goal->length_to[0];
	int piece = is_forward ? start->piece : nc_piece_twin(diagram, start->piece);
	push_arcs(query, piece, abs(goal->arc - start->arc) + 1);
	cut_first(query, 0, start);
	cut_last(query, goal);
}

// Append the arcs from an anchor to an end of its edge.
static void push_arcs_to_end(NcQuery* query, const NcAnchor* anchor, int end)
{
	const NcWorld* world = &query->map->world;
	int arc_count = world->graph.edges.data[anchor->edge].arc_count;
	int begin = query->arcs.count;
	push_arcs(query, end == 1 ? anchor->piece : nc_piece_twin(&world->diagram, anchor->piece),
		end == 1 ? arc_count - anchor->arc : anchor->arc + 1);
	cut_first(query, begin, anchor);
}

// Append the arcs from an end of an anchor's edge to the anchor.
static void push_arcs_from_end(NcQuery* query, const NcAnchor* anchor, int end)
{
	const NcWorld* world = &query->map->world;
	NcEdgeWalk walk = nc_graph_walk_edge(
		&world->graph, &world->diagram, (NcEdgeEnd){.edge = anchor->edge, .end = end});
	int arc_count = world->graph.edges.data[anchor->edge].arc_count;
	push_arcs(query, walk.piece, end == 0 ? anchor->arc + 1 : arc_count - anchor->arc);
	cut_last(query, anchor);
}

// Go back from the goal to the start, then forward again over whole edges.
static void build_arcs(NcQuery* query, const NcAnchor* start, const NcAnchor* goal, int goal_end)
{
	const NcWorld* world = &query->map->world;
	const NcGraph* graph = &world->graph;
	query->trace.count = 0;
	int vertex = graph->edges.data[goal->edge].vertices[goal_end];
	for (;;)
	{
		NcEdgeEnd arrival = query->nodes.data[vertex].arrival;
		if (arrival.edge == NC_NULL_INDEX)
		{
			push_arcs_to_end(query, start, arrival.end);
			break;
		}
		nc_array_push(&query->trace, 2 * arrival.edge + arrival.end);
		vertex = graph->edges.data[arrival.edge].vertices[arrival.end];
	}
	for (int i = query->trace.count - 1; i >= 0; --i)
	{
		NcEdgeEnd end = {query->trace.data[i] >> 1, query->trace.data[i] & 1};
		NcEdgeWalk walk = nc_graph_walk_edge(graph, &world->diagram, end);
		push_arcs(query, walk.piece, walk.left);
	}
	push_arcs_from_end(query, goal, goal_end);
}

static bool begin_search(NcQuery* query)
{
	query->heap.count = 0;
	query->arcs.count = 0;
	if (++query->search == 0)
	{
		memset(query->nodes.data, 0, sizeof(NcSearchNode) * (size_t)query->nodes.count);
		query->search = 1;
	}
	int needed = query->map->world.graph.vertices.count;
	return query->nodes.count >= needed || nc_array_resize(&query->nodes, needed);
}

NcPathOutcome nc_query_search(
	NcQuery* query, const NcAnchor* start, const NcAnchor* goal, double radius, int* visited_count)
{
	*visited_count = 0;
	if (!begin_search(query))
	{
		return NC_PATH_OUT_OF_MEMORY;
	}
	Best best = find_direct(query, start, goal, radius);
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[start->edge];
	for (int end = 0; end < 2; ++end)
	{
		if (start->clearance_to[end] >= radius)
		{
			NcEdgeEnd arrival = {.edge = NC_NULL_INDEX, .end = end};
			relax(query, edge->vertices[end], start->length_to[end], arrival, goal->position);
		}
	}
	while (query->heap.count > 0 && query->heap.data[0].priority < best.cost)
	{
		int vertex = pop_item(query).vertex;
		NcSearchNode* node = &query->nodes.data[vertex];
		if (!node->is_closed)
		{
			node->is_closed = true;
			++*visited_count;
			update_best(query, goal, vertex, radius, &best);
			expand(query, vertex, radius, goal->position);
		}
	}
	if (!(best.cost < HUGE_VAL))
	{
		return NC_PATH_NONE;
	}
	best.end == NC_NULL_INDEX ? build_direct_arcs(query, start, goal)
							  : build_arcs(query, start, goal, best.end);
	return nc_query_failed(query) ? NC_PATH_OUT_OF_MEMORY : NC_PATH_FOUND;
}
