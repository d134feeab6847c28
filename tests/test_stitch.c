// SPDX-License-Identifier: MIT

// Building on several threads: other tests say what must hold for walls, links and graphs; here,
// they do not depend on who made them.

#include "test.h"

#include "test_diagram.h"

#include "graph.h"

// A loop of several workers that take turns, from the last item to the first, one at a time.
static void run_backwards(void* context, int count, NcTaskFn* task, void* task_context)
{
	int worker_count = *(const int*)context;
	for (int i = count - 1; i >= 0; --i)
	{
		task(task_context, i, i + 1, i % worker_count);
	}
}

static NcParallel make_parallel(int* worker_count)
{
	return (NcParallel){
		.run = run_backwards, .context = worker_count, .worker_count = *worker_count};
}

static void build_with_workers(const World* world, NcDiagram* diagram, int worker_count)
{
	NcParallel parallel = make_parallel(&worker_count);
	*diagram = (NcDiagram){0};
	world_build(world, &diagram->snap);
	assert_int_equal(nc_diagram_build(diagram, &parallel), NC_OK);
}

// Tiny pieces depend on who came first, and so do the places of records; what is linked does not.
static void require_same_junctions(const NcDiagram* a, const NcDiagram* b, int round)
{
	assert_in_round(a->junctions.count == b->junctions.count, round);
	for (int i = 0; i < a->junctions.count; ++i)
	{
		const NcJunction* ja = &a->junctions.data[i];
		const NcJunction* jb = &b->junctions.data[i];
		assert_in_round(ja->position.x == jb->position.x, round);
		assert_in_round(ja->position.y == jb->position.y, round);
		assert_in_round(ja->clearance == jb->clearance, round);
		assert_in_round(ja->degree == jb->degree, round);
		assert_in_round(nc_piece_owner(a, ja->piece) == nc_piece_owner(b, jb->piece), round);
	}
}

static void junctions_do_not_depend_on_the_workers(void** state)
{
	(void)state;
	uint64_t seed = 5;
	static World world;
	for (int round = 0; round < 140; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram alone, together;
		world_build_diagram(&world, &alone);
		build_with_workers(&world, &together, 2 + round % 6);
		require_pieces(&together, round);
		require_same_junctions(&alone, &together, round);
		nc_diagram_free(&together);
		nc_diagram_free(&alone);
	}
}

static void require_same_bytes(const void* a, const void* b, size_t size, int round)
{
	assert_in_round(size == 0 || memcmp(a, b, size) == 0, round);
}

static void snapping_does_not_depend_on_the_workers(void** state)
{
	(void)state;
	uint64_t seed = 8;
	static World world;
	int crossing_count = 0;
	for (int round = 0; round < 140; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		int worker_count = 2 + round % 6;
		NcParallel parallel = make_parallel(&worker_count);
		NcSnap a, b = {0};
		world_build(&world, &a);
		assert_int_equal(nc_snap_build(&b, &world.def, world.edges, world.count, &parallel), NC_OK);
		assert_in_round(a.vertices.count == b.vertices.count, round);
		assert_in_round(a.fragments.count == b.fragments.count, round);
		for (int v = 0; v < a.vertices.count; ++v)
		{
			const NcVertex* va = &a.vertices.data[v];
			const NcVertex* vb = &b.vertices.data[v];
			assert_in_round(nc_point_equals(va->point, vb->point), round);
			assert_in_round(va->hot_count == vb->hot_count && va->half == vb->half, round);
		}
		for (int f = 0; f < a.fragments.count; ++f)
		{
			const NcFragment* fa = &a.fragments.data[f];
			const NcFragment* fb = &b.fragments.data[f];
			require_same_bytes(fa, fb, offsetof(NcFragment, is_free), round);
			assert_in_round(fa->is_free == fb->is_free && fa->is_open == fb->is_open, round);
		}
		crossing_count += a.fragments.count > world.count;
		nc_snap_free(&b);
		nc_snap_free(&a);
	}
	assert_true(crossing_count > 20);
}

static void build_graph(NcDiagram* diagram, const NcParallel* parallel, NcGraph* graph)
{
	*graph = (NcGraph){0};
	for (int p = 0; p < diagram->records.count; ++p)
	{
		diagram->records.data[p].edge = NC_NULL_INDEX;
	}
	assert_int_equal(nc_graph_build(graph, diagram, parallel), NC_OK);
}

static void graphs_do_not_depend_on_the_workers(void** state)
{
	(void)state;
	uint64_t seed = 6;
	static World world;
	for (int round = 0; round < 140; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		int worker_count = 2 + round % 6;
		NcParallel parallel = make_parallel(&worker_count);
		NcDiagram diagram;
		NcGraph a, b;
		world_build_diagram(&world, &diagram);
		build_graph(&diagram, &NC_ALONE, &a);
		build_graph(&diagram, &parallel, &b);
		assert_in_round(a.vertices.count == b.vertices.count, round);
		assert_in_round(a.edges.count == b.edges.count, round);
		assert_in_round(a.ends.count == b.ends.count, round);
		require_same_bytes(a.vertices.data, b.vertices.data,
			sizeof(a.vertices.data[0]) * (size_t)a.vertices.count, round);
		require_same_bytes(
			a.ends.data, b.ends.data, sizeof(a.ends.data[0]) * (size_t)a.ends.count, round);
		for (int e = 0; e < a.edges.count; ++e)
		{
			const NcGraphEdge* ea = &a.edges.data[e];
			const NcGraphEdge* eb = &b.edges.data[e];
			assert_in_round(ea->first_piece == eb->first_piece, round);
			assert_in_round(ea->last_piece == eb->last_piece, round);
			assert_in_round(ea->arc_count == eb->arc_count, round);
			assert_in_round(ea->length == eb->length, round);
			assert_in_round(ea->min_clearance == eb->min_clearance, round);
		}
		nc_graph_free(&b);
		nc_graph_free(&a);
		nc_diagram_free(&diagram);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(snapping_does_not_depend_on_the_workers),
		cmocka_unit_test(graphs_do_not_depend_on_the_workers),
		cmocka_unit_test(junctions_do_not_depend_on_the_workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
