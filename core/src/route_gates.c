// SPDX-License-Identifier: MIT
// A corridor that is likely to have a short string: A* over gates, the narrowest places of edges.
//
// The way from gate to gate cuts the corners that the medial axis goes around, so its length is
// close to that of the string, and the straight distance to the goal is a good estimate. Where the
// medial axis has many ways of equal length, as between the blocks of a city, this takes the one
// along the diagonal, and looks at little else.

#include "query_state.h"

#include "check.h"

// Strings are up to 8 percent longer between blocks than the crow flies, in any direction.
// Estimates that are higher than that keep the search from looking at all ways of equal length.
#define EAGERNESS 1.25

typedef struct Gates
{
	NcQuery* query;
	const NcGraph* graph;
	const NcRouteEnds* ends;
	double best;
	int best_node; // the last edge before that of the goal, or the start
	int best_end;  // of the goal's edge
} Gates;

// Nodes are 2 * edge + the end at which a walk along it arrives; behind them, the start's edge,
// which is left at an end.
static int get_start_node(const Gates* gates, int end)
{
	return 2 * gates->graph->edges.count + end;
}

static NcVec2 get_position(const Gates* gates, int node)
{
	bool is_start = node >= 2 * gates->graph->edges.count;
	return is_start ? gates->ends->start : gates->graph->edges.data[node >> 1].min_position;
}

static int get_edge(const Gates* gates, int node)
{
	bool is_start = node >= 2 * gates->graph->edges.count;
	return is_start ? gates->ends->start_anchor->edge : node >> 1;
}

static void relax(Gates* gates, int node, double cost, int parent)
{
	NcRouteMemory* memory = &gates->query->route;
	NcGateNode* known = &memory->gates.data[node];
	double estimate = EAGERNESS * nc_distance(get_position(gates, node), gates->ends->goal);
	bool is_known = known->search == memory->gate_search && known->cost <= cost;
	if (!is_known && cost + estimate < gates->best)
	{
		*known = (NcGateNode){.search = memory->gate_search, .cost = cost, .parent = parent};
		nc_route_push_item(&memory->gate_heap, (NcTautItem){cost + estimate, node});
	}
}

static void expand(Gates* gates, int node)
{
	const NcGraph* graph = gates->graph;
	const NcAnchor* goal = gates->ends->goal_anchor;
	double cost = gates->query->route.gates.data[node].cost;
	NcVec2 from = get_position(gates, node);
	int edge_here = get_edge(gates, node);
	int vertex_index = graph->edges.data[edge_here].vertices[node & 1];
	const NcGraphVertex* vertex = &graph->vertices.data[vertex_index];
	for (int i = 0; i < vertex->end_count; ++i)
	{
		NcEdgeEnd end = graph->ends.data[vertex->end_begin + i];
		const NcGraphEdge* edge = &graph->edges.data[end.edge];
		if (end.edge == edge_here && end.end == (node & 1))
		{
			continue; // nobody turns back
		}
		if (end.edge == goal->edge && goal->clearance_to[end.end] >= gates->ends->radius)
		{
			double length = cost + nc_distance(from, gates->ends->goal);
			if (length < gates->best)
			{
				gates->best = length;
				gates->best_node = node;
				gates->best_end = end.end;
			}
		}
		if (edge->min_clearance >= gates->ends->radius)
		{
			int next = 2 * end.edge + !end.end;
			relax(gates, next, cost + nc_distance(from, edge->min_position), node);
		}
		else
		{
			nc_query_refuse(gates->query, edge->min_clearance);
		}
	}
}

static void push_arcs(NcQuery* query, int piece, int count)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	for (int i = 0; i < count; ++i)
	{
		NcPathArc item = {piece, nc_arc_of_piece(diagram, piece)};
		nc_array_push(&query->arcs, item);
		piece = nc_piece_next(diagram, piece);
	}
}

static void build_corridor(Gates* gates)
{
	NcQuery* query = gates->query;
	const NcDiagram* diagram = &query->map->world.diagram;
	const NcGraph* graph = gates->graph;
	const NcAnchor* start = gates->ends->start_anchor;
	const NcAnchor* goal = gates->ends->goal_anchor;
	NcIntArray* trace = &query->route.trace;
	int node = gates->best_node;
	trace->count = 0;
	query->arcs.count = 0;
	for (; node < 2 * graph->edges.count; node = query->route.gates.data[node].parent)
	{
		nc_array_push(trace, node);
	}
	int start_count = graph->edges.data[start->edge].arc_count;
	(node & 1) ? push_arcs(query, start->piece, start_count - start->arc)
			   : push_arcs(query, nc_piece_twin(diagram, start->piece), start->arc + 1);
	for (int i = trace->count - 1; i >= 0; --i)
	{
		NcEdgeEnd from = {trace->data[i] >> 1, !(trace->data[i] & 1)};
		NcEdgeWalk walk = nc_graph_walk_edge(graph, diagram, from);
		push_arcs(query, walk.piece, walk.left);
	}
	NcEdgeWalk walk = nc_graph_walk_edge(graph, diagram, (NcEdgeEnd){goal->edge, gates->best_end});
	push_arcs(query, walk.piece, gates->best_end == 0 ? goal->arc + 1 : walk.left - goal->arc);
	nc_route_cut_corridor(query, gates->ends);
}

bool nc_route_search_gates(NcQuery* query, const NcRouteEnds* ends)
{
	NcRouteMemory* memory = &query->route;
	const NcGraph* graph = &query->map->world.graph;
	Gates gates = {query, graph, ends, HUGE_VAL, NC_NULL_INDEX, 0};
	int needed = 2 * graph->edges.count + 2;
	if (memory->gates.count < needed && !nc_array_resize(&memory->gates, needed))
	{
		return false;
	}
	nc_route_begin_gates(memory);
	for (int end = 0; end < 2; ++end)
	{
		if (ends->start_anchor->clearance_to[end] >= ends->radius)
		{
			relax(&gates, get_start_node(&gates, end), 0.0, NC_NULL_INDEX);
		}
	}
	while (memory->gate_heap.count > 0 && memory->gate_heap.data[0].bound < gates.best &&
		   !memory->gate_heap.failed)
	{
		NcTautItem item = nc_route_pop_item(&memory->gate_heap);
		NcGateNode* node = &memory->gates.data[item.node];
		if (!node->is_closed)
		{
			node->is_closed = true;
			expand(&gates, item.node);
		}
	}
	if (gates.best_node == NC_NULL_INDEX || nc_query_failed(query))
	{
		return false;
	}
	build_corridor(&gates);
	return !nc_query_failed(query);
}
