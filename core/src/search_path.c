// SPDX-License-Identifier: MIT
// From a search to its path.
//
// Regular worlds have many cheapest paths. Which one is taken must not depend on the order in which
// they were found, nor on landmarks: so the path is traced back from the goal, and at every vertex
// the first edge, in an order by coordinates, is taken that lies on any cheapest path. First are
// those that stay near the straight line from start to goal: they have more to gain from being
// pulled tight. That an edge
// does is certain if the vertex at its other end was expanded: its cost is final. If it was not,
// then only because there were many such paths and its estimate was perfect already; then the trace
// goes on from there, and comes back if that leads nowhere. It visits every vertex once.

#include "query_state.h"

#include "check.h"

#include <stdlib.h>

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

void nc_path_push_to_end(NcQuery* query, const NcAnchor* anchor, int end)
{
	const NcWorld* world = &query->map->world;
	int arc_count = world->graph.edges.data[anchor->edge].arc_count;
	int begin = query->arcs.count;
	push_arcs(query, end == 1 ? anchor->piece : nc_piece_twin(&world->diagram, anchor->piece),
		end == 1 ? arc_count - anchor->arc : anchor->arc + 1);
	cut_first(query, begin, anchor);
}

void nc_path_push_from_end(NcQuery* query, const NcAnchor* anchor, int end)
{
	const NcWorld* world = &query->map->world;
	NcEdgeWalk walk = nc_graph_walk_edge(
		&world->graph, &world->diagram, (NcEdgeEnd){.edge = anchor->edge, .end = end});
	int arc_count = world->graph.edges.data[anchor->edge].arc_count;
	push_arcs(query, walk.piece, end == 0 ? anchor->arc + 1 : arc_count - anchor->arc);
	cut_last(query, anchor);
}

double nc_path_measure_axis(const NcQuery* query)
{
	double length = 0.0;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		length += nc_arc_compute_length(&query->arcs.data[i].arc);
	}
	return length;
}

// The order of edges.

static NcVec2 get_position(const NcQuery* query, int vertex)
{
	const NcWorld* world = &query->map->world;
	return world->diagram.junctions.data[world->graph.vertices.data[vertex].junction].position;
}

static int compare_vec2(NcVec2 a, NcVec2 b)
{
	return a.x != b.x ? (a.x < b.x ? -1 : 1) : (a.y > b.y) - (a.y < b.y);
}

// How far a place is from the straight line from start to goal, times the length of that.
static double compute_offset(const NcQuery* query, NcVec2 place)
{
	const NcSearch* search = &query->search;
	NcVec2 start = search->start.anchor.position;
	NcVec2 goal = search->goals.data[search->goal_index].anchor.position;
	return fabs(nc_cross(nc_sub(goal, start), nc_sub(place, start)));
}

// Whether an edge end of a vertex comes before another in the order by coordinates.
static bool is_before(const NcQuery* query, int i, int j)
{
	const NcGraph* graph = &query->map->world.graph;
	NcEdgeEnd a = graph->ends.data[i];
	NcEdgeEnd b = graph->ends.data[j];
	const NcGraphEdge* e = &graph->edges.data[a.edge];
	const NcGraphEdge* f = &graph->edges.data[b.edge];
	NcVec2 p = get_position(query, e->vertices[!a.end]);
	NcVec2 q = get_position(query, f->vertices[!b.end]);
	double p_offset = compute_offset(query, p);
	double q_offset = compute_offset(query, q);
	if (p_offset != q_offset)
	{
		return p_offset < q_offset;
	}
	int order = compare_vec2(p, q);
	order = order != 0 ? order : compare_vec2(e->min_position, f->min_position);
	return order != 0 ? order < 0 : i < j;
}

// Tracing.

// Whether a vertex may be on a cheapest path, if it is reached from the start at a given cost.
static bool is_promising(NcQuery* query, int vertex, int64_t cost)
{
	const NcSearch* search = &query->search;
	const NcSearchNode* node = nc_search_get_node(query, vertex);
	if (node->is_closed)
	{
		return node->cost == cost;
	}
	return !search->is_complete && !node->is_hopeless &&
		   nc_search_estimate(query, vertex) == search->best_cost - cost &&
		   nc_search_estimate_from_start(query, vertex) <= cost;
}

// The edge end after `tried` that may lead back to the start, or NC_NULL_INDEX.
static int find_next_end(NcQuery* query, const NcTraceStep* step)
{
	const NcGraph* graph = &query->map->world.graph;
	const NcGraphVertex* v = &graph->vertices.data[step->vertex];
	int best = NC_NULL_INDEX;
	for (int i = v->end_begin; i < v->end_begin + v->end_count; ++i)
	{
		NcEdgeEnd end = graph->ends.data[i];
		const NcGraphEdge* edge = &graph->edges.data[end.edge];
		const NcSearchNode* other = nc_search_get_node(query, edge->vertices[!end.end]);
		bool is_open = edge->min_clearance >= query->search.radius &&
					   (other->is_closed ? other->cost < step->cost : !other->is_hopeless);
		bool is_new = step->tried == NC_NULL_INDEX || is_before(query, step->tried, i);
		bool is_first = best == NC_NULL_INDEX || is_before(query, i, best);
		if (!is_open || !is_new || !is_first)
		{
			continue;
		}
		int64_t cost = step->cost - nc_search_get_cost(query, end.edge);
		if (cost > 0 && is_promising(query, edge->vertices[!end.end], cost))
		{
			best = i;
		}
	}
	return best;
}

// The end of the start's edge through which a vertex is reached at a given cost, or NC_NULL_INDEX.
static int find_start_end(const NcQuery* query, const NcTraceStep* step)
{
	const NcSearchEnd* start = &query->search.start;
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[start->anchor.edge];
	for (int end = 0; end < 2; ++end)
	{
		if (edge->vertices[end] == step->vertex && start->costs[end] == step->cost)
		{
			return end;
		}
	}
	return NC_NULL_INDEX;
}

// Trace from a vertex back to the start. The steps stay in the trace.
// @return the end of the start's edge that the path begins with, or NC_NULL_INDEX
static int trace_from(NcQuery* query, int vertex, int64_t cost)
{
	NcSearch* search = &query->search;
	const NcGraph* graph = &query->map->world.graph;
	search->trace.count = 0;
	NcTraceStep first = {.vertex = vertex, .cost = cost, .tried = NC_NULL_INDEX};
	if (!is_promising(query, vertex, cost))
	{
		return NC_NULL_INDEX;
	}
	nc_array_push(&search->trace, first);
	while (search->trace.count > 0 && !search->trace.failed)
	{
		NcTraceStep* step = &search->trace.data[search->trace.count - 1];
		int start_end = find_start_end(query, step);
		if (start_end != NC_NULL_INDEX)
		{
			return start_end;
		}
		step->tried = find_next_end(query, step);
		if (step->tried == NC_NULL_INDEX)
		{
			nc_search_get_node(query, step->vertex)->is_hopeless = true;
			--search->trace.count;
			continue;
		}
		NcEdgeEnd end = graph->ends.data[step->tried];
		NcTraceStep next = {
			.vertex = graph->edges.data[end.edge].vertices[!end.end],
			.cost = step->cost - nc_search_get_cost(query, end.edge),
			.forward = {.edge = end.edge, .end = !end.end},
			.tried = NC_NULL_INDEX,
		};
		nc_array_push(&search->trace, next);
	}
	return NC_NULL_INDEX;
}

void nc_path_push_edge(NcQuery* query, NcEdgeEnd from)
{
	const NcWorld* world = &query->map->world;
	NcEdgeWalk walk = nc_graph_walk_edge(&world->graph, &world->diagram, from);
	push_arcs(query, walk.piece, walk.left);
}

// Append the arcs from the start to the first vertex of the trace, which was found last.
static void push_trace(NcQuery* query, int start_end)
{
	const NcSearch* search = &query->search;
	nc_path_push_to_end(query, &search->start.anchor, start_end);
	for (int i = search->trace.count - 1; i > 0; --i)
	{
		nc_path_push_edge(query, search->trace.data[i].forward);
	}
}

// Build the path to a goal through one end of its edge, if a cheapest one goes there.
static bool build_through(NcQuery* query, const NcSearchEnd* goal, int end)
{
	const NcSearch* search = &query->search;
	int64_t cost = search->best_cost - goal->costs[end] - goal->extra_cost;
	if (goal->costs[end] >= NC_BLOCKED || cost <= 0)
	{
		return false;
	}
	int vertex = query->map->world.graph.edges.data[goal->anchor.edge].vertices[end];
	int start_end = trace_from(query, vertex, cost);
	if (start_end == NC_NULL_INDEX)
	{
		return false;
	}
	push_trace(query, start_end);
	nc_path_push_from_end(query, &goal->anchor, end);
	return true;
}

static bool is_direct(const NcQuery* query, const NcSearchEnd* goal)
{
	const NcSearch* search = &query->search;
	return goal->direct_cost < NC_BLOCKED && goal->direct_cost == search->best_cost;
}

bool nc_search_build_path(NcQuery* query)
{
	NcSearch* search = &query->search;
	for (int i = 0; i < search->goals.count && !nc_query_failed(query); ++i)
	{
		const NcSearchEnd* goal = &search->goals.data[i];
		search->goal_index = i;
		if (is_direct(query, goal))
		{
			build_direct_arcs(query, &search->start.anchor, &goal->anchor);
			return !nc_query_failed(query);
		}
		const int* ends = query->map->world.graph.edges.data[goal->anchor.edge].vertices;
		int first = compare_vec2(get_position(query, ends[0]), get_position(query, ends[1])) > 0;
		if (build_through(query, goal, first) || build_through(query, goal, !first))
		{
			return !nc_query_failed(query);
		}
	}
	NC_ASSERT(nc_query_failed(query));
	return false;
}

// Partial paths.

NcAnchor nc_path_make_end_anchor(const NcQuery* query, NcEdgeEnd end)
{
	const NcWorld* world = &query->map->world;
	const NcGraphEdge* edge = &world->graph.edges.data[end.edge];
	int vertex = edge->vertices[end.end];
	const NcJunction* junction =
		&world->diagram.junctions.data[world->graph.vertices.data[vertex].junction];
	NcAnchor anchor = {
		.edge = end.edge,
		.arc = end.end == 0 ? 0 : edge->arc_count - 1,
		.piece = end.end == 0 ? edge->first_piece : edge->last_piece,
		.position = junction->position,
		.clearance = junction->clearance,
	};
	anchor.length_to[!end.end] = edge->length;
	anchor.clearance_to[end.end] = junction->clearance;
	anchor.clearance_to[!end.end] = edge->min_clearance;
	return anchor;
}

bool nc_search_build_partial_path(NcQuery* query, NcAnchor* end)
{
	NcSearch* search = &query->search;
	const NcGraph* graph = &query->map->world.graph;
	query->arcs.count = 0;
	search->trace.count = 0;
	if (search->nearest == NC_NULL_INDEX)
	{
		return false;
	}
	NcTraceStep step = {.vertex = search->nearest};
	nc_array_push(&search->trace, step);
	NcEdgeEnd arrival = search->nodes.data[step.vertex].arrival;
	while (arrival.edge != NC_NULL_INDEX)
	{
		step = (NcTraceStep){
			.vertex = graph->edges.data[arrival.edge].vertices[arrival.end], .forward = arrival};
		nc_array_push(&search->trace, step);
		arrival = search->nodes.data[step.vertex].arrival;
	}
	if (search->trace.failed)
	{
		return false;
	}
	push_trace(query, arrival.end);
	NcEdgeEnd last = {search->start.anchor.edge, arrival.end};
	if (search->trace.count > 1)
	{
		NcEdgeEnd forward = search->trace.data[1].forward;
		last = (NcEdgeEnd){forward.edge, !forward.end};
	}
	*end = nc_path_make_end_anchor(query, last);
	return !nc_query_failed(query);
}
