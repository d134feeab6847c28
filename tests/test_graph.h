// SPDX-License-Identifier: MIT
#pragma once

// What must hold for every graph, whether it was built or changed in place.

#include "test.h"

#include "world.h"

static inline int get_start_junction(const NcWorld* world, int piece)
{
	return world->diagram.records.data[piece].junction;
}

// The piece that leaves a vertex along an edge end.
static inline int get_leaving_piece(const NcWorld* world, NcEdgeEnd end)
{
	return nc_graph_walk_edge(&world->graph, &world->diagram, end).piece;
}

static inline void require_vertices(const NcWorld* world, int round)
{
	const NcGraph* graph = &world->graph;
	int end_count = 0;
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		const NcGraphVertex* vertex = &graph->vertices.data[v];
		if (vertex->junction == NC_NULL_INDEX)
		{
			continue;
		}
		const NcJunction* junction = &world->diagram.junctions.data[vertex->junction];
		assert_in_round(graph->vertex_of.data[vertex->junction] == v, round);
		assert_in_round(vertex->end_count == junction->degree, round);
		end_count += vertex->end_count;
		for (int i = 0; i < vertex->end_count; ++i)
		{
			NcEdgeEnd end = graph->ends.data[vertex->end_begin + i];
			assert_in_round(graph->edges.data[end.edge].vertices[end.end] == v, round);
			int piece = get_leaving_piece(world, end);
			assert_in_round(get_start_junction(world, piece) == vertex->junction, round);
		}
	}
	assert_in_round(end_count == graph->live_end_count, round);
	for (int e = 0; e < graph->edges.count; ++e)
	{
		end_count -= graph->edges.data[e].arc_count > 0 ? 2 : 0;
	}
	assert_in_round(end_count == 0, round);
	for (int j = 0; j < world->diagram.junctions.count; ++j)
	{
		// Empty junctions have no vertex, those in the middle of an edge need none.
		int degree = world->diagram.junctions.data[j].degree;
		bool is_vertex = graph->vertex_of.data[j] != NC_NULL_INDEX;
		assert_in_round(degree == 0 ? !is_vertex : is_vertex || degree == 2, round);
	}
}

static inline void require_edge(const NcWorld* world, int index, int round)
{
	const NcGraph* graph = &world->graph;
	const NcGraphEdge* edge = &graph->edges.data[index];
	double length = 0.0;
	double min = HUGE_VAL;
	int junction = graph->vertices.data[edge->vertices[0]].junction;
	NcEdgeWalk walk = nc_graph_walk_edge(graph, &world->diagram, (NcEdgeEnd){index, 0});
	int arc_count = 0;
	do
	{
		int twin = nc_piece_twin(&world->diagram, walk.piece);
		assert_in_round(get_start_junction(world, walk.piece) == junction, round);
		assert_in_round(world->diagram.records.data[walk.piece].edge == 2 * index, round);
		assert_in_round(world->diagram.records.data[twin].edge == 2 * index + 1, round);
		assert_in_round(world->diagram.records.data[walk.piece].arc == arc_count, round);
		assert_in_round(world->diagram.records.data[twin].arc == arc_count, round);
		NcArc arc = nc_arc_of_piece(&world->diagram, walk.piece);
		NcVec2 position;
		length += nc_arc_compute_length(&arc);
		min = nc_min(min, nc_arc_find_min(&arc, &position));
		junction = get_start_junction(world, twin);
		++arc_count;
	} while (nc_edge_walk_advance(&walk));
	assert_in_round(junction == graph->vertices.data[edge->vertices[1]].junction, round);
	assert_in_round(arc_count == edge->arc_count, round);
	assert_in_round(edge->length == length, round);
	assert_in_round(edge->min_clearance == min, round);
}

static inline void require_backward_walk(const NcWorld* world, int index, int round)
{
	const NcGraphEdge* edge = &world->graph.edges.data[index];
	NcEdgeWalk walk = nc_graph_walk_edge(&world->graph, &world->diagram, (NcEdgeEnd){index, 1});
	int arc = edge->arc_count;
	do
	{
		--arc;
		assert_in_round(world->diagram.records.data[walk.piece].edge == 2 * index + 1, round);
		assert_in_round(world->diagram.records.data[walk.piece].arc == arc, round);
	} while (nc_edge_walk_advance(&walk));
	assert_in_round(arc == 0, round);
}

// Check everything about the graph of a world.
static inline void require_graph(const NcWorld* world, int round)
{
	require_vertices(world, round);
	for (int e = 0; e < world->graph.edges.count; ++e)
	{
		if (world->graph.edges.data[e].arc_count > 0)
		{
			require_edge(world, e, round);
			require_backward_walk(world, e, round);
		}
	}
	for (int p = 0; p < world->diagram.records.count; ++p)
	{
		const NcRecord* record = &world->diagram.records.data[p];
		bool is_on_edge = record->edge != NC_NULL_INDEX;
		assert_in_round(is_on_edge == nc_piece_is_linked(&world->diagram, p), round);
	}
}
