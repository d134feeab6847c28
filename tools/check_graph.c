// SPDX-License-Identifier: MIT

// The medial axis as a graph: vertices with empty discs, edge ends where they say they are, and
// Euler's formula. Around a vertex, neighbouring edges see the same wall. Faces are walked by the
// order of the edge ends around the vertices: a planar drawing of a connected graph has V - E + F =
// 2, and a wrong order somewhere gives fewer faces.

#include "check_graph.h"

#include "memory.h"

#include <stdlib.h>

void check_vertex(Checker* checker, int index, const NcMapVertex* vertex)
{
	char what[64];
	snprintf(what, sizeof(what), "the clearance of vertex %d", index);
	check_clearance(checker, vertex->position, what, vertex->clearance);
	++checker->report.vertex_count;
}

static CheckGraph create_graph(const NcMap* map)
{
	int vertex_range = nc_map_get_vertex_range(map);
	int edge_range = nc_map_get_edge_range(map);
	CheckGraph graph = {
		.vertex_range = vertex_range,
		.edge_range = edge_range,
		.begins = memory_allocate(vertex_range + 1, sizeof(int)),
		.ends = memory_allocate(2 * edge_range, sizeof(int)),
		.slots = memory_allocate(2 * edge_range, sizeof(int)),
		.owners = memory_allocate(2 * edge_range, sizeof(int)),
		.left = memory_allocate(2 * edge_range, sizeof(NcVec2)),
		.right = memory_allocate(2 * edge_range, sizeof(NcVec2)),
		.parents = memory_allocate(vertex_range, sizeof(int)),
	};
	for (int i = 0; i < 2 * edge_range; ++i)
	{
		graph.slots[i] = graph.owners[i] = NC_NULL_INDEX;
	}
	return graph;
}

void check_graph_destroy(CheckGraph* graph)
{
	free(graph->begins);
	free(graph->ends);
	free(graph->slots);
	free(graph->owners);
	free(graph->left);
	free(graph->right);
	free(graph->parents);
}

static int find_root(const CheckGraph* graph, int vertex)
{
	while (graph->parents[vertex] != vertex)
	{
		graph->parents[vertex] = graph->parents[graph->parents[vertex]];
		vertex = graph->parents[vertex];
	}
	return vertex;
}

// Note the closest points at both ends of an edge, as seen from there.
static void read_feet(const NcMap* map, CheckGraph* graph, int edge)
{
	int count = nc_map_get_edge_events(map, edge, NULL, 0);
	NcMapEvent* events = memory_allocate(count, sizeof(NcMapEvent));
	nc_map_get_edge_events(map, edge, events, count);
	if (count > 0)
	{
		graph->left[2 * edge] = events[0].left;
		graph->right[2 * edge] = events[0].right;
		graph->left[2 * edge + 1] = events[count - 1].right;
		graph->right[2 * edge + 1] = events[count - 1].left;
	}
	free(events);
}

static bool read_edges(Checker* checker, CheckGraph* graph)
{
	for (int i = 0; i < graph->edge_range; ++i)
	{
		NcMapEdge edge;
		if (!nc_map_get_edge(checker->map, i, &edge))
		{
			continue;
		}
		++graph->edge_count;
		read_feet(checker->map, graph, i);
		for (int end = 0; end < 2; ++end)
		{
			NcMapVertex vertex;
			if (!nc_map_get_vertex(checker->map, edge.vertices[end], &vertex))
			{
				check_fail(checker, edge.min_position, "edge %d has no vertex %d", i, end);
				return false;
			}
			graph->owners[2 * i + end] = edge.vertices[end];
		}
	}
	return true;
}

// Take over the ends of a vertex: each edge end must be named once, by its own vertex.
static bool read_ends(
	Checker* checker, CheckGraph* graph, int index, const NcMapVertex* vertex, int* end_count)
{
	NcEdgeEnd* ends = memory_allocate(vertex->edge_count, sizeof(NcEdgeEnd));
	int count = nc_map_get_vertex_edges(checker->map, index, ends, vertex->edge_count);
	bool is_good = count == vertex->edge_count;
	for (int i = 0; i < count && is_good; ++i)
	{
		bool is_end = 0 <= ends[i].edge && ends[i].edge < graph->edge_range && 0 <= ends[i].end &&
					  ends[i].end < 2;
		int end = is_end ? 2 * ends[i].edge + ends[i].end : 0;
		is_good = is_end && graph->owners[end] == index && graph->slots[end] == NC_NULL_INDEX;
		if (is_good)
		{
			graph->slots[end] = *end_count;
			graph->ends[(*end_count)++] = end;
		}
	}
	if (!is_good)
	{
		check_fail(checker, vertex->position,
			"the edge ends of vertex %d are not those of its edges", index);
	}
	free(ends);
	return is_good;
}

static bool read_vertices(Checker* checker, CheckGraph* graph)
{
	int end_count = 0;
	bool is_good = true;
	for (int i = 0; i < graph->vertex_range; ++i)
	{
		graph->begins[i] = end_count;
		NcMapVertex vertex;
		if (nc_map_get_vertex(checker->map, i, &vertex))
		{
			++graph->vertex_count;
			check_vertex(checker, i, &vertex);
			is_good = read_ends(checker, graph, i, &vertex, &end_count) && is_good;
		}
	}
	graph->begins[graph->vertex_range] = end_count;
	if (is_good && end_count != 2 * graph->edge_count)
	{
		check_fail(checker, nc_map_get_bounds(checker->map).lower,
			"%d edges have %d ends at vertices", graph->edge_count, end_count);
		return false;
	}
	return is_good;
}

void check_order(Checker* checker, const CheckGraph* graph, int vertex)
{
	int first = graph->begins[vertex];
	int last = graph->begins[vertex + 1] - 1;
	for (int i = first; i <= last; ++i)
	{
		NcVec2 left = graph->left[graph->ends[i]];
		NcVec2 right = graph->right[graph->ends[i < last ? i + 1 : first]];
		if (!(nc_distance(left, right) <= checker->tolerance))
		{
			check_fail(checker, left,
				"the edge ends of vertex %d are not in counter-clockwise order", vertex);
			return;
		}
	}
}

// The end from which a walk goes on that came along the edge of this end and keeps the same face on
// its left: clockwise, the next one after where it arrives.
static int get_next_end(const CheckGraph* graph, int end)
{
	int arrival = end ^ 1;
	int vertex = graph->owners[arrival];
	int slot = graph->slots[arrival];
	return graph->ends[slot > graph->begins[vertex] ? slot - 1 : graph->begins[vertex + 1] - 1];
}

static int count_faces(const CheckGraph* graph)
{
	bool* is_walked = memory_allocate(2 * graph->edge_range, sizeof(bool));
	int count = 0;
	for (int i = 0; i < graph->begins[graph->vertex_range]; ++i)
	{
		int end = graph->ends[i];
		count += is_walked[end] ? 0 : 1;
		for (; !is_walked[end]; end = get_next_end(graph, end))
		{
			is_walked[end] = true;
		}
	}
	free(is_walked);
	return count;
}

static int count_components(const CheckGraph* graph)
{
	for (int i = 0; i < graph->vertex_range; ++i)
	{
		graph->parents[i] = i;
	}
	int count = graph->vertex_count;
	for (int i = 0; i < 2 * graph->edge_range; i += 2)
	{
		if (graph->owners[i] != NC_NULL_INDEX)
		{
			int a = find_root(graph, graph->owners[i]);
			int b = find_root(graph, graph->owners[i + 1]);
			count -= a != b ? 1 : 0;
			graph->parents[a] = b;
		}
	}
	return count;
}

void check_euler(Checker* checker, const CheckGraph* graph)
{
	NcVec2 place = nc_map_get_bounds(checker->map).lower;
	int v = graph->vertex_count;
	int e = graph->edge_count;
	int f = count_faces(graph);
	int c = count_components(graph);
	checker->report.face_count = f;
	if (v - e + f != 2 * c)
	{
		check_fail(checker, place,
			"Euler's formula: %d vertices, %d edges and %d faces in %d components", v, e, f, c);
	}
	NcMapStats stats = nc_map_get_stats(checker->map);
	if (stats.vertex_count != v || stats.edge_count != e || stats.component_count != c)
	{
		check_fail(checker, place,
			"the map counts %d vertices, %d edges, %d components; there are %d, %d, %d",
			stats.vertex_count, stats.edge_count, stats.component_count, v, e, c);
	}
}

bool check_graph_read(Checker* checker, CheckGraph* graph)
{
	*graph = create_graph(checker->map);
	bool has_edges = read_edges(checker, graph);
	return read_vertices(checker, graph) && has_edges;
}

void check_graph(Checker* checker)
{
	CheckGraph graph;
	if (check_graph_read(checker, &graph))
	{
		for (int i = 0; i < graph.vertex_range; ++i)
		{
			check_order(checker, &graph, i);
		}
		check_euler(checker, &graph);
	}
	check_graph_destroy(&graph);
}
