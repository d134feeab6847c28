// SPDX-License-Identifier: MIT
// Repairing a path after an update.
//
// What an update did not touch has the same coordinates as before. So the old path is walked again
// from both ends, vertex by vertex, as far as it still exists, and only the gap is searched:
//
//      start --o----o----o      gap      o----o----o-- goal
//                        P - - search - Q
//
// Where the search goes back along what was kept, both are dropped.

#include "query_state.h"

static bool is_at(const NcQuery* query, int vertex, NcVec2 place)
{
	const NcWorld* world = &query->map->world;
	int junction = world->graph.vertices.data[vertex].junction;
	NcVec2 p = nc_map_to_world(query->map, world->diagram.junctions.data[junction].position);
	return p.x == place.x && p.y == place.y;
}

// One end of the old path: which vertices are to be walked, and how far that has got.
typedef struct Rest
{
	const NcVec2* vertices;
	int index, step, last; // walk from vertices[index] by steps up to vertices[last]
	int vertex;            // of the graph, at vertices[index]
	int end;               // of the edge of start or goal that leads there
	int kept_begin, kept_count;
} Rest;

// Find where start or goal meets the old path: the vertex nearest to the gap counts.
static bool find_entry(const NcQuery* query, const NcAnchor* anchor, Rest* rest)
{
	const NcGraphEdge* edge = &query->map->world.graph.edges.data[anchor->edge];
	for (int i = rest->last;; i -= rest->step)
	{
		for (int end = 0; end < 2; ++end)
		{
			if (anchor->clearance_to[end] >= query->search.radius &&
				is_at(query, edge->vertices[end], rest->vertices[i]))
			{
				rest->index = i;
				rest->vertex = edge->vertices[end];
				rest->end = end;
				return true;
			}
		}
		if (i == rest->index)
		{
			return false;
		}
	}
}

// The shortest edge from a vertex to a place that is wide enough; edge NC_NULL_INDEX if there is
// none.
static NcEdgeEnd find_edge(const NcQuery* query, int vertex, NcVec2 place)
{
	const NcGraph* graph = &query->map->world.graph;
	const NcGraphVertex* v = &graph->vertices.data[vertex];
	NcEdgeEnd best = {.edge = NC_NULL_INDEX};
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = graph->ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &graph->edges.data[end.edge];
		bool is_shorter =
			best.edge == NC_NULL_INDEX || edge->length < graph->edges.data[best.edge].length;
		if (is_shorter && edge->min_clearance >= query->search.radius &&
			is_at(query, edge->vertices[!end.end], place))
		{
			best = end;
		}
	}
	return best;
}

// Walk along the old path as far as it exists.
static void walk(NcQuery* query, Rest* rest)
{
	rest->kept_begin = query->kept.count;
	while (rest->index != rest->last)
	{
		NcEdgeEnd end = find_edge(query, rest->vertex, rest->vertices[rest->index + rest->step]);
		if (end.edge == NC_NULL_INDEX)
		{
			break;
		}
		nc_array_push(&query->kept, 2 * end.edge + end.end);
		rest->vertex = query->map->world.graph.edges.data[end.edge].vertices[!end.end];
		rest->index += rest->step;
	}
	rest->kept_count = query->kept.count - rest->kept_begin;
}

// Search from the end of one rest to the end of the other, and put the arcs aside.
static NcPathOutcome search_gap(NcQuery* query, const Rest* head, const Rest* tail, int* visited)
{
	const NcGraph* graph = &query->map->world.graph;
	query->found.count = 0;
	if (head->vertex == tail->vertex)
	{
		return NC_PATH_FOUND;
	}
	NcAnchor start = nc_path_make_end_anchor(
		query, graph->ends.data[graph->vertices.data[head->vertex].end_begin]);
	NcAnchor goal = nc_path_make_end_anchor(
		query, graph->ends.data[graph->vertices.data[tail->vertex].end_begin]);
	NcPathOutcome outcome = nc_query_search(query, &start, &goal, query->search.radius, visited);
	for (int i = 0; outcome == NC_PATH_FOUND && i < query->arcs.count; ++i)
	{
		nc_array_push(&query->found, query->arcs.data[i]);
	}
	return outcome;
}

static bool is_equal(NcVec2 a, NcVec2 b)
{
	return a.x == b.x && a.y == b.y;
}

// Drop arcs without length, and what goes back along the arc before.
static void tidy_arcs(NcQuery* query)
{
	NcPathArc* arcs = query->arcs.data;
	int count = 0;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		const NcArc* arc = &arcs[i].arc;
		const NcArc* before = count > 0 ? &arcs[count - 1].arc : NULL;
		bool is_empty = is_equal(arc->ends[0], arc->ends[1]) && query->arcs.count > 1;
		bool goes_back =
			before != NULL && is_equal(before->ends[0], arc->ends[1]) &&
			arcs[count - 1].piece == nc_piece_twin(&query->map->world.diagram, arcs[i].piece);
		if (goes_back)
		{
			--count;
		}
		else if (!is_empty)
		{
			arcs[count++] = arcs[i];
		}
	}
	query->arcs.count = count > 0 ? count : query->arcs.count;
}

static void join(NcQuery* query, const NcSearchEnd* ends, const Rest* head, const Rest* tail)
{
	query->arcs.count = 0;
	nc_path_push_to_end(query, &ends[0].anchor, head->end);
	for (int i = 0; i < head->kept_count; ++i)
	{
		int kept = query->kept.data[head->kept_begin + i];
		nc_path_push_edge(query, (NcEdgeEnd){kept >> 1, kept & 1});
	}
	for (int i = 0; i < query->found.count; ++i)
	{
		nc_array_push(&query->arcs, query->found.data[i]);
	}
	for (int i = tail->kept_count - 1; i >= 0; --i)
	{
		int kept = query->kept.data[tail->kept_begin + i];
		nc_path_push_edge(query, (NcEdgeEnd){kept >> 1, !(kept & 1)});
	}
	nc_path_push_from_end(query, &ends[1].anchor, tail->end);
	if (!nc_query_failed(query))
	{
		tidy_arcs(query);
	}
}

bool nc_query_repair_path(NcQuery* query, const NcPathDef* def, const NcVec2* vertices,
	int vertex_count, NcPathInfo* info)
{
	if (def->route == NC_ROUTE_WEIGHTED)
	{
		return nc_query_find_path(query, def, info);
	}
	NcPathDef plain = *def;
	plain.goals = NULL;
	plain.edge_cost = NULL;
	plain.max_iterations = 0;
	plain.clock = NULL;
	*info = (NcPathInfo){.outcome = nc_query_set_search(query, &plain)};
	if (info->outcome != NC_PATH_FOUND)
	{
		return false;
	}
	NcSearchEnd ends[2] = {query->search.start, query->search.goals.data[0]};
	int last = vertex_count - 1;
	Rest head = {.vertices = vertices, .step = 1, .last = last};
	Rest tail = {.vertices = vertices, .index = last, .step = -1};
	query->kept.count = 0;
	if (vertex_count == 0 || ends[0].anchor.edge == ends[1].anchor.edge ||
		!find_entry(query, &ends[0].anchor, &head) || !find_entry(query, &ends[1].anchor, &tail))
	{
		return nc_query_find_path(query, &plain, info);
	}
	walk(query, &head);
	tail.last = head.index < tail.index ? head.index : tail.index;
	walk(query, &tail);
	info->outcome = search_gap(query, &head, &tail, &info->visited_count);
	if (info->outcome != NC_PATH_FOUND)
	{
		return false;
	}
	join(query, ends, &head, &tail);
	info->axis_cost = query->map->snap * nc_path_measure_axis(query);
	query->search.start = ends[0];
	plain.corridor_budget = 0; // the corridor is what was asked for
	NcVec2 goal = nc_map_to_snaps(query->map, def->goal);
	return nc_query_finish_path(query, &plain, goal, &ends[1].anchor, info);
}

int nc_query_get_path_vertices(const NcQuery* query, NcVec2* vertices, int capacity)
{
	const NcWorld* world = &query->map->world;
	bool has_path = query->path_revision != 0 && query->path_revision == query->map->revision;
	int count = 0;
	for (int i = 1; has_path && i < query->arcs.count; ++i)
	{
		int junction = world->diagram.records.data[query->arcs.data[i].piece].junction;
		if (world->graph.vertex_of.data[junction] != NC_NULL_INDEX)
		{
			if (count < capacity)
			{
				vertices[count] =
					nc_map_to_world(query->map, world->diagram.junctions.data[junction].position);
			}
			++count;
		}
	}
	return count;
}
