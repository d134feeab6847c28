// SPDX-License-Identifier: MIT

// The medial axis as vertices and edges: degrees, chains of arcs, order around vertices,
// components.

#include "test.h"

#include "graph.h"

typedef struct Built
{
	NcDiagram diagram;
	NcGraph graph;
} Built;

static void build(const World* world, Built* built)
{
	world_build_diagram(world, &built->diagram);
	built->graph = (NcGraph){0};
	assert_int_equal(nc_graph_build(&built->graph, &built->diagram), NC_OK);
}

static void destroy(Built* built)
{
	nc_graph_free(&built->graph);
	nc_diagram_free(&built->diagram);
}

static int get_junction(const Built* built, int piece)
{
	return built->diagram.junction_of.data[piece];
}

// The piece that leaves a vertex along an edge end.
static int get_leaving_piece(const Built* built, NcEdgeEnd end)
{
	return nc_graph_walk_edge(&built->graph, &built->diagram, end).piece;
}

static void require_vertices(const Built* built, int round)
{
	const NcGraph* graph = &built->graph;
	int end_count = 0;
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		const NcGraphVertex* vertex = &graph->vertices.data[v];
		const NcJunction* junction = &built->diagram.junctions.data[vertex->junction];
		assert_in_round(graph->vertex_of.data[vertex->junction] == v, round);
		assert_in_round(vertex->end_count == junction->degree, round);
		end_count += vertex->end_count;
		for (int i = 0; i < vertex->end_count; ++i)
		{
			NcEdgeEnd end = graph->ends.data[vertex->end_begin + i];
			assert_in_round(graph->edges.data[end.edge].vertices[end.end] == v, round);
			int piece = get_leaving_piece(built, end);
			assert_in_round(get_junction(built, piece) == vertex->junction, round);
		}
	}
	assert_in_round(end_count == 2 * graph->edges.count, round);
	for (int j = 0; j < built->diagram.junctions.count; ++j)
	{
		bool is_vertex = graph->vertex_of.data[j] != NC_NULL_INDEX;
		assert_in_round(is_vertex || built->diagram.junctions.data[j].degree == 2, round);
	}
}

static void require_edge(const Built* built, int index, int round)
{
	const NcGraph* graph = &built->graph;
	const NcGraphEdge* edge = &graph->edges.data[index];
	double length = 0.0;
	double min = HUGE_VAL;
	int junction = graph->vertices.data[edge->vertices[0]].junction;
	NcEdgeWalk walk = nc_graph_walk_edge(graph, &built->diagram, (NcEdgeEnd){index, 0});
	int arc_count = 0;
	do
	{
		int twin = built->diagram.twins.data[walk.piece];
		assert_in_round(get_junction(built, walk.piece) == junction, round);
		assert_in_round(graph->edge_of.data[walk.piece] == 2 * index, round);
		assert_in_round(graph->edge_of.data[twin] == 2 * index + 1, round);
		assert_in_round(graph->arc_of.data[walk.piece] == arc_count, round);
		assert_in_round(graph->arc_of.data[twin] == arc_count, round);
		NcArc arc = nc_arc_of_piece(&built->diagram, walk.piece);
		NcVec2 position;
		length += nc_arc_compute_length(&arc);
		min = nc_min(min, nc_arc_find_min(&arc, &position));
		junction = get_junction(built, twin);
		++arc_count;
	} while (nc_edge_walk_advance(&walk));
	assert_in_round(junction == graph->vertices.data[edge->vertices[1]].junction, round);
	assert_in_round(arc_count == edge->arc_count, round);
	assert_in_round(edge->length == length, round);
	assert_in_round(edge->min_clearance == min, round);
}

static void require_backward_walk(const Built* built, int index, int round)
{
	const NcGraphEdge* edge = &built->graph.edges.data[index];
	NcEdgeWalk walk = nc_graph_walk_edge(&built->graph, &built->diagram, (NcEdgeEnd){index, 1});
	int arc = edge->arc_count;
	do
	{
		--arc;
		assert_in_round(built->graph.edge_of.data[walk.piece] == 2 * index + 1, round);
		assert_in_round(built->graph.arc_of.data[walk.piece] == arc, round);
	} while (nc_edge_walk_advance(&walk));
	assert_in_round(arc == 0, round);
}

static void require_components(const Built* built, int round)
{
	const NcGraph* graph = &built->graph;
	int* labels = calloc((size_t)graph->vertices.count + 1, sizeof(int));
	int count = graph->vertices.count;
	for (int v = 0; v < count; ++v)
	{
		labels[v] = v;
	}
	bool is_changed = true;
	while (is_changed)
	{
		is_changed = false;
		for (int e = 0; e < graph->edges.count; ++e)
		{
			int* a = &labels[graph->edges.data[e].vertices[0]];
			int* b = &labels[graph->edges.data[e].vertices[1]];
			is_changed |= *a != *b;
			*a = *b = *a < *b ? *a : *b;
		}
	}
	int component_count = 0;
	for (int v = 0; v < count; ++v)
	{
		component_count += labels[v] == v;
	}
	free(labels);
	assert_in_round(graph->component_count == component_count, round);
}

static void random_graphs_are_consistent(void** state)
{
	(void)state;
	uint64_t seed = 111;
	static World world;
	for (int round = 0; round < 210; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		Built built;
		build(&world, &built);
		require_vertices(&built, round);
		for (int e = 0; e < built.graph.edges.count; ++e)
		{
			require_edge(&built, e, round);
			require_backward_walk(&built, e, round);
		}
		require_components(&built, round);
		destroy(&built);
	}
}

// The direction in which an edge end leaves its vertex: towards a point early on its first arc.
static double compute_leaving_angle(const Built* built, NcEdgeEnd end)
{
	NcArc arc = nc_arc_of_piece(&built->diagram, get_leaving_piece(built, end));
	NcVec2 p = nc_arc_get_point(&arc, 1, 1000);
	NcVec2 d = nc_sub(p, arc.ends[0]);
	return atan2(d.y, d.x);
}

static void edge_ends_run_counter_clockwise(void** state)
{
	(void)state;
	uint64_t seed = 112;
	static World world;
	int checked_count = 0;
	for (int round = 0; round < 60; ++round)
	{
		world_init(&world, (NcPoint){-1010, -1010}, (NcPoint){1010, 1010});
		world_add_random(&world, &seed, 15, 1000, round % 2 ? 250 : 1);
		Built built;
		build(&world, &built);
		for (int v = 0; v < built.graph.vertices.count; ++v)
		{
			const NcGraphVertex* vertex = &built.graph.vertices.data[v];
			double shortest = HUGE_VAL;
			int descents = 0;
			for (int i = 0; i < vertex->end_count; ++i)
			{
				const NcEdgeEnd* ends = &built.graph.ends.data[vertex->end_begin];
				NcEdgeEnd next = ends[(i + 1) % vertex->end_count];
				NcArc arc = nc_arc_of_piece(&built.diagram, get_leaving_piece(&built, ends[i]));
				shortest = nc_min(shortest, nc_distance(arc.ends[0], arc.ends[1]));
				descents +=
					compute_leaving_angle(&built, ends[i]) >= compute_leaving_angle(&built, next);
			}
			// Arcs of some snaps may be bent by contraction.
			if (vertex->end_count >= 3 && shortest > 5.0)
			{
				++checked_count;
				assert_in_round(descents == 1, round);
			}
		}
		destroy(&built);
	}
	assert_true(checked_count > 200);
}

// Examples.

static void require_counts(const World* world, int vertex_count, int edge_count, int components)
{
	Built built;
	build(world, &built);
	assert_int_equal(built.graph.vertices.count, vertex_count);
	assert_int_equal(built.graph.edges.count, edge_count);
	assert_int_equal(built.graph.component_count, components);
	destroy(&built);
}

static void square_is_a_cross(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	require_counts(&world, 5, 4, 1);

	Built built;
	build(&world, &built);
	for (int e = 0; e < 4; ++e)
	{
		const NcGraphEdge* edge = &built.graph.edges.data[e];
		assert_int_equal(edge->arc_count, 1);
		assert_near(edge->length, 50.0 * sqrt(2.0), 1e-9);
		assert_near(edge->min_clearance, 0.0, 1e-9);
	}
	destroy(&built);
}

static void wall_across_makes_two_components(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_wall(&world, (NcPoint){50, 0}, (NcPoint){50, 100});
	require_counts(&world, 12, 10, 2);
}

static void door_is_the_narrowest_place_of_its_edge(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_wall(&world, (NcPoint){50, 0}, (NcPoint){50, 40});
	world_add_wall(&world, (NcPoint){50, 60}, (NcPoint){50, 100});
	Built built;
	build(&world, &built);
	int found_count = 0;
	for (int e = 0; e < built.graph.edges.count; ++e)
	{
		const NcGraphEdge* edge = &built.graph.edges.data[e];
		if (nc_distance(edge->min_position, (NcVec2){50.0, 50.0}) < 1e-6)
		{
			++found_count;
			assert_near(edge->min_clearance, 10.0, 1e-9);
		}
	}
	assert_int_equal(found_count, 1);
	assert_int_equal(built.graph.component_count, 1);
	destroy(&built);
}

static void covered_world_has_an_empty_graph(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_ring(&world, (NcPoint[]){{0, 0}, {100, 0}, {100, 100}, {0, 100}}, 4);
	require_counts(&world, 0, 0, 0);
}

static void running_out_of_memory_is_reported(void** state)
{
	(void)state;
	uint64_t seed = 113;
	static World world;
	world_make_for_diagram(&world, &seed, 0);
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	NcGraph graph = {0};
	NcStatus first = nc_graph_build(&graph, &diagram);
	nc_graph_free(&graph);
	int needed = allocator.calls;
	int unnoticed_count = 0;
	for (int i = 0; i < 2 * needed; ++i)
	{
		allocator = (FailingAllocator){.first_fail = i / 2, .fails_once = i % 2};
		graph = (NcGraph){0};
		unnoticed_count += nc_graph_build(&graph, &diagram) != NC_OUT_OF_MEMORY;
		nc_graph_free(&graph);
	}
	nc_diagram_free(&diagram);
	nc_set_allocator(NULL, NULL);
	assert_int_equal(first, NC_OK);
	assert_true(needed >= 7);
	assert_int_equal(unnoticed_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_graphs_are_consistent),
		TEST(edge_ends_run_counter_clockwise),
		TEST(square_is_a_cross),
		TEST(wall_across_makes_two_components),
		TEST(door_is_the_narrowest_place_of_its_edge),
		TEST(covered_world_has_an_empty_graph),
		TEST(running_out_of_memory_is_reported),
	};
	return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
