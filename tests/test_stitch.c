// SPDX-License-Identifier: MIT

// Linking all pieces of a new diagram: test_diagram.c says what must hold for the links; here, they
// do not depend on who made them.

#include "test.h"

#include "test_diagram.h"

// A loop of several workers that take turns, from the last item to the first, one at a time.
static void run_backwards(void* context, int count, NcTaskFn* task, void* task_context)
{
	int worker_count = *(const int*)context;
	for (int i = count - 1; i >= 0; --i)
	{
		task(task_context, i, i + 1, i % worker_count);
	}
}

static void build_with_workers(const World* world, NcDiagram* diagram, int worker_count)
{
	NcParallel parallel = {
		.run = run_backwards, .context = &worker_count, .worker_count = worker_count};
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junctions_do_not_depend_on_the_workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
