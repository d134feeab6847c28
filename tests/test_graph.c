// SPDX-License-Identifier: MIT

// The medial axis as vertices and edges: degrees, chains of arcs, order around vertices,
// components.

#include "test.h"

#include "test_graph.h"

static void build(const World* world, NcWorld* built)
{
	*built = (NcWorld){0};
	NcParallel alone = {0};
	NcStatus status = nc_world_build(built, &world->def, world->edges, world->count, &alone);
	assert_int_equal(status, NC_OK);
}

// The number of connected parts, the slow way.
static int count_components(const NcGraph* graph)
{
	int count = graph->vertices.count;
	int* labels = calloc((size_t)count + 1, sizeof(int));
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
	return component_count;
}

static void random_graphs_are_consistent(void** state)
{
	(void)state;
	uint64_t seed = 111;
	static World world;
	for (int round = 0; round < 210; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcWorld built;
		build(&world, &built);
		require_graph(&built, round);
		nc_world_free(&built);
	}
}

// The direction in which an edge end leaves its vertex: towards a point early on its first arc.
static double compute_leaving_angle(const NcWorld* built, NcEdgeEnd end)
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
		NcWorld built;
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
		nc_world_free(&built);
	}
	assert_true(checked_count > 200);
}

// Examples.

static void require_counts(const World* world, int vertex_count, int edge_count, int components)
{
	NcWorld built;
	build(world, &built);
	assert_int_equal(built.graph.vertices.count, vertex_count);
	assert_int_equal(built.graph.edges.count, edge_count);
	assert_int_equal(count_components(&built.graph), components);
	nc_world_free(&built);
}

static void square_is_a_cross(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	require_counts(&world, 5, 4, 1);

	NcWorld built;
	build(&world, &built);
	for (int e = 0; e < 4; ++e)
	{
		const NcGraphEdge* edge = &built.graph.edges.data[e];
		assert_int_equal(edge->arc_count, 1);
		assert_near(edge->length, 50.0 * sqrt(2.0), 1e-9);
		assert_near(edge->min_clearance, 0.0, 1e-9);
	}
	nc_world_free(&built);
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
	NcWorld built;
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
	assert_int_equal(count_components(&built.graph), 1);
	nc_world_free(&built);
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
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	allocator = (FailingAllocator){.first_fail = -1};
	NcGraph graph = {0};
	NcStatus first = nc_graph_build(&graph, &diagram, &(NcParallel){0});
	nc_graph_free(&graph);
	int needed = allocator.calls;
	int unnoticed_count = 0;
	for (int i = 0; i < 2 * needed; ++i)
	{
		// A graph leaves its marks in the diagram, so each attempt needs a new one.
		allocator = (FailingAllocator){.first_fail = -1};
		nc_diagram_free(&diagram);
		world_build_diagram(&world, &diagram);
		allocator = (FailingAllocator){.first_fail = i / 2, .fails_once = i % 2};
		graph = (NcGraph){0};
		unnoticed_count += nc_graph_build(&graph, &diagram, &(NcParallel){0}) != NC_OUT_OF_MEMORY;
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
