// SPDX-License-Identifier: MIT
// Reachability: see reach.h.

#include "reach.h"

#include "check.h"
#include "query_state.h"

void nc_reach_free(NcReach* reach)
{
	nc_array_free(&reach->nodes);
	nc_array_free(&reach->edges);
	nc_array_free(&reach->sorted);
	nc_array_free(&reach->queues[0]);
	nc_array_free(&reach->queues[1]);
	nc_array_free(&reach->stamps);
}

// The tree.

static uint64_t compute_key(double clearance)
{
	uint64_t bits;
	clearance = nc_max(clearance, 0.0);
	memcpy(&bits, &clearance, sizeof(bits));
	return bits;
}

// Sort the edges by one digit of their keys. Nothing is done if they all have the same.
#define DIGIT_BITS 11

static void sort_by_digit(NcReach* reach, int shift)
{
	int starts[(1 << DIGIT_BITS) + 1] = {0};
	int count = reach->edges.count;
	uint64_t mask = (1 << DIGIT_BITS) - 1;
	for (int i = 0; i < count; ++i)
	{
		++starts[((reach->edges.data[i].key >> shift) & mask) + 1];
	}
	if (count == 0 || starts[((reach->edges.data[0].key >> shift) & mask) + 1] == count)
	{
		return;
	}
	for (int i = 0; i < 1 << DIGIT_BITS; ++i)
	{
		starts[i + 1] += starts[i];
	}
	for (int i = 0; i < count; ++i)
	{
		NcReachEdge edge = reach->edges.data[i];
		reach->sorted.data[starts[(edge.key >> shift) & mask]++] = edge;
	}
	NcReachEdge* swapped = reach->edges.data;
	reach->edges.data = reach->sorted.data;
	reach->sorted.data = swapped;
	int capacity = reach->edges.capacity;
	reach->edges.capacity = reach->sorted.capacity;
	reach->sorted.capacity = capacity;
}

static int find_root(const NcReach* reach, int vertex)
{
	while (reach->nodes.data[vertex].parent != NC_NULL_INDEX)
	{
		vertex = reach->nodes.data[vertex].parent;
	}
	return vertex;
}

static void join(NcReach* reach, int a, int b, double clearance)
{
	NcReachNode* nodes = reach->nodes.data;
	int large = find_root(reach, a);
	int small = find_root(reach, b);
	if (large == small)
	{
		return;
	}
	if (nodes[large].size < nodes[small].size)
	{
		int root = large;
		large = small;
		small = root;
	}
	nodes[small].parent = large;
	nodes[small].clearance = clearance;
	nodes[large].size += nodes[small].size;
}

static bool list_edges(NcReach* reach, const NcGraph* graph)
{
	reach->edges.count = 0;
	for (int e = 0; e < graph->edges.count; ++e)
	{
		const NcGraphEdge* edge = &graph->edges.data[e];
		if (edge->arc_count > 0)
		{
			NcReachEdge item = {compute_key(edge->min_clearance), e};
			nc_array_push(&reach->edges, item);
		}
	}
	return !reach->edges.failed && nc_array_reserve(&reach->sorted, reach->edges.count);
}

static void clear_failures(NcReach* reach)
{
	reach->nodes.failed = reach->edges.failed = reach->sorted.failed = reach->stamps.failed = false;
	reach->queues[0].failed = reach->queues[1].failed = false;
}

bool nc_reach_build(NcReach* reach, const NcMap* map)
{
	const NcGraph* graph = &map->world.graph;
	if (reach->revision == map->revision)
	{
		return true;
	}
	clear_failures(reach);
	reach->revision = 0;
	if (!list_edges(reach, graph) || !nc_array_resize(&reach->nodes, graph->vertices.count))
	{
		return false;
	}
	for (int v = 0; v < reach->nodes.count; ++v)
	{
		reach->nodes.data[v] = (NcReachNode){NC_NULL_INDEX, 1, -1.0};
	}
	for (int shift = 0; shift < 64; shift += DIGIT_BITS)
	{
		sort_by_digit(reach, shift);
	}
	for (int i = reach->edges.count - 1; i >= 0; --i)
	{
		const NcGraphEdge* edge = &graph->edges.data[reach->edges.data[i].edge];
		join(reach, edge->vertices[0], edge->vertices[1], edge->min_clearance);
	}
	reach->revision = map->revision;
	return true;
}

double nc_reach_find_widest(const NcReach* reach, int a, int b)
{
	const NcReachNode* nodes = reach->nodes.data;
	double widest = HUGE_VAL;
	while (a != b)
	{
		int* climber = nodes[a].clearance >= nodes[b].clearance ? &a : &b;
		if (nodes[*climber].parent == NC_NULL_INDEX)
		{
			return -1.0;
		}
		widest = nc_min(widest, nodes[*climber].clearance);
		*climber = nodes[*climber].parent;
	}
	return widest;
}

// Questions.

// The largest disc that gets from one anchor to another, in snaps; -1 if there is no way at all.
static double find_widest_between(const NcQuery* query, const NcAnchor* a, const NcAnchor* b)
{
	const NcGraphEdge* edges = query->map->world.graph.edges.data;
	double widest = a->edge == b->edge ? nc_query_find_clearance_between(query, a, b) : -1.0;
	for (int i = 0; i < 2; ++i)
	{
		for (int k = 0; k < 2; ++k)
		{
			double way = nc_reach_find_widest(
				&query->reach, edges[a->edge].vertices[i], edges[b->edge].vertices[k]);
			way = nc_min(way, nc_min(a->clearance_to[i], b->clearance_to[k]));
			widest = nc_max(widest, way);
		}
	}
	return widest;
}

double nc_query_find_largest_radius(NcQuery* query, NcVec2 a, NcVec2 b)
{
	NcAnchor anchors[2];
	if (!nc_query_find_anchor(query, a, 0.0, &anchors[0]) ||
		!nc_query_find_anchor(query, b, 0.0, &anchors[1]) ||
		!nc_reach_build(&query->reach, query->map))
	{
		return -1.0;
	}
	double widest = find_widest_between(query, &anchors[0], &anchors[1]);
	double room = nc_min(nc_query_get_clearance(query, a), nc_query_get_clearance(query, b));
	return widest < 0.0 ? -1.0 : nc_min(query->map->snap * widest, room);
}

// Flooding from both ends at once: ends when the floods meet, or when one of them is exhausted,
// which is soon where one end is enclosed.

typedef enum Flood
{
	FLOOD_YES,
	FLOOD_NO,
	FLOOD_GAVE_UP,
} Flood;

static bool begin_flood(NcReach* reach, int vertex_count)
{
	reach->queues[0].count = reach->queues[1].count = 0;
	reach->stamp += 2;
	if (reach->stamp == 0)
	{
		memset(reach->stamps.data, 0, sizeof(uint32_t) * (size_t)reach->stamps.count);
		reach->stamp = 2;
	}
	return reach->stamps.count >= vertex_count || nc_array_resize(&reach->stamps, vertex_count);
}

// Mark a vertex as reached from one end. @return whether it was reached from the other end, too
static bool reach_vertex(NcReach* reach, int vertex, int end)
{
	uint32_t* stamp = &reach->stamps.data[vertex];
	if (*stamp == reach->stamp + (uint32_t)!end)
	{
		return true;
	}
	if (*stamp != reach->stamp + (uint32_t)end)
	{
		*stamp = reach->stamp + (uint32_t)end;
		nc_array_push(&reach->queues[end], vertex);
	}
	return false;
}

static bool expand(NcReach* reach, const NcGraph* graph, int vertex, int end, double radius)
{
	const NcGraphVertex* v = &graph->vertices.data[vertex];
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd edge_end = graph->ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &graph->edges.data[edge_end.edge];
		if (edge->min_clearance >= radius &&
			reach_vertex(reach, edge->vertices[!edge_end.end], end))
		{
			return true;
		}
	}
	return false;
}

static Flood flood(NcQuery* query, const NcAnchor* anchors, double radius, long long limit)
{
	NcReach* reach = &query->reach;
	const NcGraph* graph = &query->map->world.graph;
	bool has_met = false;
	if (!begin_flood(reach, graph->vertices.count))
	{
		return FLOOD_GAVE_UP;
	}
	for (int end = 0; end < 2; ++end)
	{
		for (int k = 0; k < 2; ++k)
		{
			int vertex = graph->edges.data[anchors[end].edge].vertices[k];
			bool is_open = anchors[end].clearance_to[k] >= radius;
			has_met = (is_open && reach_vertex(reach, vertex, end)) || has_met;
		}
	}
	for (int i = 0; i < limit && !has_met; ++i)
	{
		for (int end = 0; end < 2 && !has_met; ++end)
		{
			if (i >= reach->queues[end].count)
			{
				return reach->queues[end].failed ? FLOOD_GAVE_UP : FLOOD_NO;
			}
			has_met = expand(reach, graph, reach->queues[end].data[i], end, radius);
			++reach->flooded_count;
		}
	}
	return has_met ? FLOOD_YES : FLOOD_GAVE_UP;
}

// One question may visit a share of the vertices without the tree, and all of them together as many
// as there are: about what making the tree costs.
#define FLOOD_SHARE 16

static Flood ask_flood(NcQuery* query, const NcAnchor* anchors, double radius)
{
	NcReach* reach = &query->reach;
	uint32_t revision = query->map->revision;
	int vertex_count = query->map->world.graph.vertices.count;
	if (reach->flooded_revision != revision)
	{
		reach->flooded_revision = revision;
		reach->flooded_count = 0;
	}
	if (reach->revision == revision || reach->flooded_count > vertex_count)
	{
		return FLOOD_GAVE_UP;
	}
	clear_failures(reach);
	return flood(query, anchors, radius, vertex_count / FLOOD_SHARE);
}

bool nc_query_is_reachable(NcQuery* query, NcVec2 a, NcVec2 b, double radius)
{
	NcAnchor anchors[2];
	double snaps = radius * query->map->inverse_snap;
	if (!(radius >= 0.0) || !isfinite(radius) ||
		!nc_query_find_anchor(query, a, snaps, &anchors[0]) ||
		!nc_query_find_anchor(query, b, snaps, &anchors[1]))
	{
		return false;
	}
	bool is_direct = anchors[0].edge == anchors[1].edge &&
					 nc_query_find_clearance_between(query, &anchors[0], &anchors[1]) >= snaps;
	if (is_direct)
	{
		return true;
	}
	Flood answer = ask_flood(query, anchors, snaps);
	if (answer != FLOOD_GAVE_UP)
	{
		return answer == FLOOD_YES;
	}
	return nc_reach_build(&query->reach, query->map) &&
		   find_widest_between(query, &anchors[0], &anchors[1]) >= snaps;
}
