// SPDX-License-Identifier: MIT
// A* over the medial axis, for any radius: edges that are too narrow do not exist.
//
// A vertex costs what the way to it costs, and is estimated to be at least as far from a goal as a
// straight line, and as the landmarks know (landmarks.h). Neither estimate falls along an edge by
// more than the edge costs, so the cost of an expanded vertex is final. Penalties make edges more
// expensive, never cheaper, so the estimates hold for all of them.

#include "query_state.h"

#include "check.h"

void nc_search_free(NcSearch* search)
{
	nc_array_free(&search->goals);
	nc_array_free(&search->nodes);
	nc_array_free(&search->heap);
	nc_array_free(&search->trace);
}

void nc_search_clear_failures(NcSearch* search)
{
	search->goals.failed = search->nodes.failed = search->heap.failed = false;
	search->trace.failed = false;
}

static NcVec2 get_position(const NcQuery* query, int vertex)
{
	const NcWorld* world = &query->map->world;
	return world->diagram.junctions.data[world->graph.vertices.data[vertex].junction].position;
}

// Costs.

// How many times its length an edge costs; HUGE_VAL if nobody may go there.
static double get_factor(const NcQuery* query, int edge)
{
	const NcSearch* search = &query->search;
	if (search->edge_cost == NULL)
	{
		return 1.0;
	}
	double length = query->map->snap * query->map->world.graph.edges.data[edge].length;
	double cost = search->edge_cost(search->edge_cost_context, edge, length);
	return cost > length && length > 0.0 ? cost / length : 1.0;
}

int64_t nc_search_get_cost(const NcQuery* query, int index)
{
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[index];
	NcVec2 a = get_position(query, edge->vertices[0]);
	double length = nc_search_measure(edge, a, get_position(query, edge->vertices[1]));
	double factor = get_factor(query, index);
	return factor < HUGE_VAL ? nc_search_quantize(factor * length) : NC_BLOCKED;
}

// What it costs from an anchor to the ends of its edge.
static void compute_end_costs(const NcQuery* query, NcSearchEnd* end)
{
	const NcAnchor* anchor = &end->anchor;
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[anchor->edge];
	double factor = get_factor(query, anchor->edge);
	end->extra_cost = nc_search_quantize(end->extra);
	for (int k = 0; k < 2; ++k)
	{
		double straight = nc_distance(anchor->position, get_position(query, edge->vertices[k]));
		double length = nc_max(anchor->length_to[k], straight);
		bool is_open = anchor->clearance_to[k] >= query->search.radius && factor < HUGE_VAL;
		end->costs[k] = is_open ? nc_search_quantize(factor * length) : NC_BLOCKED;
	}
}

// What the way from the start to a goal on the same edge costs.
static int64_t compute_direct_cost(const NcQuery* query, const NcSearchEnd* goal)
{
	const NcSearch* search = &query->search;
	const NcAnchor* start = &search->start.anchor;
	double factor = start->edge == goal->anchor.edge ? get_factor(query, start->edge) : HUGE_VAL;
	if (factor == HUGE_VAL ||
		nc_query_find_clearance_between(query, start, &goal->anchor) < search->radius)
	{
		return NC_BLOCKED;
	}
	double length = fabs(start->length_to[0] - goal->anchor.length_to[0]);
	return nc_search_quantize(factor * length) + goal->extra_cost;
}

int64_t nc_search_estimate(const NcQuery* query, int vertex)
{
	const NcSearch* search = &query->search;
	NcVec2 position = get_position(query, vertex);
	int64_t best = NC_BLOCKED;
	for (int i = 0; i < search->goals.count; ++i)
	{
		const NcSearchEnd* goal = &search->goals.data[i];
		int64_t straight = (int64_t)(nc_distance(position, goal->anchor.position) * 65536.0);
		int64_t known = nc_landmarks_estimate(&query->landmarks, search->landmarks, vertex, goal);
		int64_t estimate = (straight > known ? straight : known) + goal->extra_cost;
		best = estimate < best ? estimate : best;
	}
	return best;
}

int64_t nc_search_estimate_from_start(const NcQuery* query, int vertex)
{
	const NcSearchEnd* start = &query->search.start;
	NcVec2 position = get_position(query, vertex);
	int64_t straight = (int64_t)(nc_distance(position, start->anchor.position) * 65536.0);
	int64_t known =
		nc_landmarks_estimate(&query->landmarks, query->search.landmarks, vertex, start);
	return straight > known ? straight : known;
}

// The heap.

static bool is_before(const NcQuery* query, const NcHeapItem* a, const NcHeapItem* b)
{
	if (a->priority != b->priority)
	{
		return a->priority < b->priority;
	}
	if (a->estimate != b->estimate)
	{
		return a->estimate < b->estimate;
	}
	NcVec2 p = get_position(query, a->vertex);
	NcVec2 q = get_position(query, b->vertex);
	return p.x < q.x || (p.x == q.x && p.y < q.y);
}

static void push_item(NcQuery* query, NcHeapItem item)
{
	if (!nc_array_push(&query->search.heap, item))
	{
		return;
	}
	NcHeapItem* heap = query->search.heap.data;
	int i = query->search.heap.count - 1;
	while (i > 0 && is_before(query, &item, &heap[(i - 1) / 2]))
	{
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = item;
}

static NcHeapItem pop_item(NcQuery* query)
{
	NcHeapItem* heap = query->search.heap.data;
	NcHeapItem top = heap[0];
	NcHeapItem last = heap[--query->search.heap.count];
	int n = query->search.heap.count;
	int i = 0;
	for (int child = 1; child < n; child = 2 * i + 1)
	{
		child += child + 1 < n && is_before(query, &heap[child + 1], &heap[child]);
		if (!is_before(query, &heap[child], &last))
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

NcSearchNode* nc_search_get_node(NcQuery* query, int vertex)
{
	NcSearchNode* node = &query->search.nodes.data[vertex];
	if (node->search != query->search.number)
	{
		*node = (NcSearchNode){
			.search = query->search.number, .cost = NC_BLOCKED, .arrival = {.edge = NC_NULL_INDEX}};
	}
	return node;
}

static void relax(NcQuery* query, int vertex, int64_t cost, NcEdgeEnd arrival)
{
	NcSearchNode* node = nc_search_get_node(query, vertex);
	if (cost >= node->cost)
	{
		return;
	}
	node->cost = cost;
	node->arrival = arrival;
	int64_t estimate = nc_search_estimate(query, vertex);
	push_item(query, (NcHeapItem){cost + estimate, estimate, vertex});
}

static void expand(NcQuery* query, int vertex)
{
	const NcGraph* graph = &query->map->world.graph;
	const NcGraphVertex* v = &graph->vertices.data[vertex];
	int64_t cost = query->search.nodes.data[vertex].cost;
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = graph->ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &graph->edges.data[end.edge];
		int other = edge->vertices[!end.end];
		if (edge->min_clearance < query->search.radius)
		{
			nc_query_refuse(query, edge->min_clearance);
			continue;
		}
		if (nc_search_get_node(query, other)->is_closed)
		{
			continue;
		}
		int64_t edge_cost = nc_search_get_cost(query, end.edge);
		if (edge_cost < NC_BLOCKED)
		{
			relax(query, other, cost + edge_cost, end);
		}
	}
}

// See whether a goal can be reached through an expanded vertex.
static void update_best(NcQuery* query, int vertex)
{
	NcSearch* search = &query->search;
	int64_t cost = search->nodes.data[vertex].cost;
	for (int i = 0; i < search->goals.count; ++i)
	{
		const NcSearchEnd* goal = &search->goals.data[i];
		const NcGraphEdge* edge = &query->map->world.graph.edges.data[goal->anchor.edge];
		for (int k = 0; k < 2; ++k)
		{
			int64_t way = cost + goal->costs[k] + goal->extra_cost;
			if (edge->vertices[k] == vertex && goal->costs[k] < NC_BLOCKED &&
				way < search->best_cost)
			{
				search->best_cost = way;
			}
		}
	}
}

// See how near to a goal an expanded vertex is.
static void update_nearest(NcQuery* query, int vertex)
{
	NcSearch* search = &query->search;
	NcVec2 position = get_position(query, vertex);
	for (int i = 0; i < search->goals.count; ++i)
	{
		double distance = nc_distance(position, search->goals.data[i].point);
		if (distance < search->nearest_distance)
		{
			search->nearest_distance = distance;
			search->nearest = vertex;
		}
	}
}

static bool begin_nodes(NcQuery* query)
{
	NcSearch* search = &query->search;
	search->heap.count = 0;
	if (++search->number == 0)
	{
		memset(search->nodes.data, 0, sizeof(NcSearchNode) * (size_t)search->nodes.count);
		search->number = 1;
	}
	int needed = query->map->world.graph.vertices.count;
	return search->nodes.count >= needed || nc_array_resize(&search->nodes, needed);
}

static void begin_ends(NcQuery* query)
{
	NcSearch* search = &query->search;
	const NcGraphEdge* edges = query->map->world.graph.edges.data;
	compute_end_costs(query, &search->start);
	nc_landmarks_prepare_end(
		&query->landmarks, search->landmarks, &edges[search->start.anchor.edge], &search->start);
	for (int i = 0; i < search->goals.count; ++i)
	{
		NcSearchEnd* goal = &search->goals.data[i];
		compute_end_costs(query, goal);
		nc_landmarks_prepare_end(
			&query->landmarks, search->landmarks, &edges[goal->anchor.edge], goal);
		goal->direct_cost = compute_direct_cost(query, goal);
		search->best_cost =
			goal->direct_cost < search->best_cost ? goal->direct_cost : search->best_cost;
	}
}

static bool begin_with(NcQuery* query, uint32_t landmarks)
{
	NcSearch* search = &query->search;
	search->landmarks = landmarks;
	search->best_cost = NC_BLOCKED;
	search->nearest = NC_NULL_INDEX;
	search->nearest_distance = HUGE_VAL;
	search->tie_count = 0;
	if (!begin_nodes(query))
	{
		return false;
	}
	begin_ends(query);
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[search->start.anchor.edge];
	for (int end = 0; end < 2; ++end)
	{
		if (search->start.costs[end] < NC_BLOCKED)
		{
			NcEdgeEnd arrival = {.edge = NC_NULL_INDEX, .end = end};
			relax(query, edge->vertices[end], search->start.costs[end], arrival);
		}
	}
	return !nc_search_failed(search);
}

bool nc_search_begin(NcQuery* query)
{
	bool is_fast = query->search.method == NC_SEARCH_FAST;
	query->search.visited_count = 0;
	return begin_with(query, is_fast ? nc_landmarks_catch_up(&query->landmarks, query->map) : 0);
}

// Searches that expand no more than this are fast enough without landmarks.
#define SHORT_SEARCH 128

// How many steps a search spends on repairing landmarks before it goes on without them.
#define REPAIR_STEPS 512

// The first long search after an update is left alone: it shall not be slower than a plain one, and
// perhaps there is an update before each. If the landmarks were no longer right, the next one pays.

// A search that is getting long begins again if the landmark that knows most about it can be had.
static bool try_landmarks(NcQuery* query)
{
	NcSearch* search = &query->search;
	const NcGraphEdge* edges = query->map->world.graph.edges.data;
	int vertex = edges[search->start.anchor.edge].vertices[0];
	int goal = edges[search->goals.data[0].anchor.edge].vertices[0];
	int best = nc_landmarks_find_best(&query->landmarks, query->map, vertex, goal);
	uint32_t usable =
		nc_landmarks_advance(&query->landmarks, query->map, vertex, best, REPAIR_STEPS);
	return !(usable & (1u << best)) || begin_with(query, usable);
}

static bool is_over(const NcSearch* search, NcSearchLimits limits, int begin, double begin_time)
{
	int iterations = search->visited_count - begin;
	bool is_dead_end = limits.dead_end_distance > 0.0 &&
					   search->nearest_distance >= limits.dead_end_distance * (1.0 - 1e-9);
	bool is_late = limits.clock != NULL && iterations % 16 == 15 &&
				   limits.clock(limits.clock_context) - begin_time >= limits.max_time;
	bool is_long = limits.max_iterations > 0 && iterations >= limits.max_iterations;
	return (is_late || is_long) && !is_dead_end;
}

// Of the vertices that are as promising as the best path, all are expanded if there are few: that
// makes tracing easy. In regular worlds with good estimates there may be very many.
#define MAX_TIES 16

static bool has_more(NcSearch* search)
{
	search->is_complete =
		search->heap.count == 0 || search->heap.data[0].priority > search->best_cost;
	if (!search->is_complete && search->landmarks != 0 &&
		search->heap.data[0].priority == search->best_cost)
	{
		return search->tie_count++ < MAX_TIES;
	}
	return !search->is_complete;
}

static bool expand_first(NcQuery* query)
{
	NcSearch* search = &query->search;
	int vertex = pop_item(query).vertex;
	NcSearchNode* node = &search->nodes.data[vertex];
	if (node->is_closed)
	{
		return false;
	}
	node->is_closed = true;
	++search->visited_count;
	update_best(query, vertex);
	if (search->method == NC_SEARCH_PLAIN)
	{
		update_nearest(query, vertex); // limited searches are plain
	}
	expand(query, vertex);
	return true;
}

static NcPathOutcome finish(NcQuery* query)
{
	NcSearch* search = &query->search;
	int vertex = query->map->world.graph.edges.data[search->start.anchor.edge].vertices[0];
	NcPathOutcome outcome = NC_PATH_NONE;
	if (search->best_cost < NC_BLOCKED && !nc_query_failed(query))
	{
		outcome = nc_search_build_path(query) ? NC_PATH_FOUND : NC_PATH_OUT_OF_MEMORY;
	}
	if (search->method == NC_SEARCH_FAST && search->visited_count > SHORT_SEARCH)
	{
		int steps = search->long_revision == query->map->revision ? search->visited_count / 2 : 0;
		search->long_revision = query->map->revision;
		steps > 0 ? (void)nc_landmarks_advance(&query->landmarks, query->map, vertex, 0, steps)
				  : (void)0;
	}
	return nc_query_failed(query) ? NC_PATH_OUT_OF_MEMORY : outcome;
}

NcPathOutcome nc_search_run(NcQuery* query, NcSearchLimits limits)
{
	NcSearch* search = &query->search;
	int begin = search->visited_count;
	double begin_time = limits.clock != NULL ? limits.clock(limits.clock_context) : 0.0;
	bool can_restart = search->method == NC_SEARCH_FAST && search->landmarks == 0 &&
					   search->long_revision == query->map->revision;
	query->arcs.count = 0;
	while (has_more(search) && !nc_search_failed(search))
	{
		if (expand_first(query) && is_over(search, limits, begin, begin_time))
		{
			return nc_search_failed(search) ? NC_PATH_OUT_OF_MEMORY : NC_PATH_PARTIAL;
		}
		if (can_restart && search->visited_count >= SHORT_SEARCH)
		{
			can_restart = false;
			if (!try_landmarks(query))
			{
				return NC_PATH_OUT_OF_MEMORY;
			}
		}
	}
	return finish(query);
}

NcPathOutcome nc_query_search(
	NcQuery* query, const NcAnchor* start, const NcAnchor* goal, double radius, int* visited_count)
{
	NcSearch* search = &query->search;
	search->radius = radius;
	search->start = (NcSearchEnd){.anchor = *start};
	search->method = NC_SEARCH_FAST;
	search->edge_cost = NULL;
	search->goals.count = 0;
	*visited_count = 0;
	NcSearchEnd end = {.anchor = *goal, .point = goal->position};
	if (!nc_array_push(&search->goals, end) || !nc_search_begin(query))
	{
		return NC_PATH_OUT_OF_MEMORY;
	}
	NcPathOutcome outcome = nc_search_run(query, (NcSearchLimits){0});
	*visited_count = search->visited_count;
	return outcome;
}
