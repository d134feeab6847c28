// SPDX-License-Identifier: MIT

// Planarisation: whatever goes in, what comes out is planar, keeps its place, and does not depend
// on the order.

#include "test.h"

#include "test_snap.h"

// Worlds of random tests: the range in snaps and the step of the lattice. Coarse lattices make
// everything touch; a step of one makes everything cross at places that must be rounded.
typedef struct Recipe
{
	int range, step, item_count;
} Recipe;

static const Recipe recipes[] = {
	{8, 1, 25},
	{60, 10, 30},
	{200, 1, 40},
	{5000, 1, 30},
	{NC_MAX_COORDINATE - 8, 1, 25},
	{NC_MAX_COORDINATE - 8, 4000000, 30},
};

static void make_random_world(World* world, uint64_t* seed, const Recipe* recipe)
{
	int edge = recipe->range + 5;
	world_init(world, (NcPoint){-edge, -edge}, (NcPoint){edge, edge});
	world_add_random(world, seed, recipe->item_count, recipe->range, recipe->step);
}

static void random_worlds_become_planar(void** state)
{
	(void)state;
	uint64_t seed = 41;
	static World world;
	for (int round = 0; round < 90; ++round)
	{
		make_random_world(&world, &seed, &recipes[round % NC_COUNT(recipes)]);
		NcSnap snap;
		world_build(&world, &snap);
		require_planar(&snap, round);
		require_rings(&snap, round);
		nc_snap_free(&snap);
	}
}

// How far a chain may drift from its edge, in snaps. Each round of rounding moves it by less than
// one, and there are hardly ever more than two.
#define MAX_DRIFT 2.0

static void edges_keep_their_place(void** state)
{
	(void)state;
	uint64_t seed = 42;
	static World world;
	for (int round = 0; round < 60; ++round)
	{
		make_random_world(&world, &seed, &recipes[round % NC_COUNT(recipes)]);
		NcSnap snap;
		world_build(&world, &snap);
		for (int v = 0; v < snap.vertices.count; ++v)
		{
			snap.vertices.data[v].is_free = true; // Covered points count here, too.
		}
		for (int e = 0; e < world.count; ++e)
		{
			NcVec2 a = nc_point_to_vec2(world.edges[e].a);
			NcVec2 b = nc_point_to_vec2(world.edges[e].b);
			for (int i = 0; i <= 8; ++i)
			{
				NcVec2 p = nc_lerp(a, b, i / 8.0);
				assert_in_round(compute_brute_distance(&snap, p) < MAX_DRIFT, round);
			}
		}
		nc_snap_free(&snap);
	}
}

static void order_and_direction_of_edges_do_not_matter(void** state)
{
	(void)state;
	uint64_t seed = 43;
	static World world;
	static SnapItem items[2][MAX_SNAP_ITEMS];
	for (int round = 0; round < 120; ++round)
	{
		int counts[2];
		make_random_world(&world, &seed, &recipes[round % NC_COUNT(recipes)]);
		for (int pass = 0; pass < 2; ++pass)
		{
			NcSnap snap;
			world_build(&world, &snap);
			assert_in_round(snap.fragments.count + snap.vertices.count < MAX_SNAP_ITEMS, round);
			counts[pass] = snap_list_items(&snap, items[pass]);
			nc_snap_free(&snap);
			for (int i = world.count - 1; i > 0 && pass == 0; --i)
			{
				int j = random_int(&seed, 0, i);
				NcEdge edge = world.edges[i];
				world.edges[i] = world.edges[j];
				world.edges[j] = edge;
			}
			for (int i = 0; i < world.count && pass == 0; ++i)
			{
				if (random_int(&seed, 0, 1))
				{
					NcEdge edge = world.edges[i];
					world.edges[i].a = edge.b;
					world.edges[i].b = edge.a;
					world.edges[i].solid = -edge.solid;
				}
			}
		}
		assert_in_round(counts[0] == counts[1], round);
		assert_in_round(
			memcmp(items[0], items[1], sizeof(SnapItem) * (size_t)counts[0]) == 0, round);
	}
}

// Examples.

static void init_room(World* world)
{
	world_init(world, (NcPoint){0, 0}, (NcPoint){100, 100});
}

static void crossing_walls_meet_in_a_vertex(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_wall(&world, (NcPoint){10, 10}, (NcPoint){50, 50});
	world_add_wall(&world, (NcPoint){10, 50}, (NcPoint){50, 10});
	NcSnap snap;
	world_build(&world, &snap);
	assert_int_equal(snap.fragments.count, 4 + 4);
	assert_int_equal(snap.vertices.count, 4 + 5);
	nc_snap_free(&snap);
}

static void touching_walls_are_cut(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_wall(&world, (NcPoint){0, 50}, (NcPoint){50, 50});  // T with the bounds
	world_add_wall(&world, (NcPoint){30, 50}, (NcPoint){30, 20}); // T with the first
	NcSnap snap;
	world_build(&world, &snap);
	assert_int_equal(snap.fragments.count, 5 + 2 + 1);
	require_planar(&snap, 0);
	nc_snap_free(&snap);
}

static void overlapping_and_repeated_walls_become_one(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_wall(&world, (NcPoint){10, 10}, (NcPoint){50, 10});
	world_add_wall(&world, (NcPoint){30, 10}, (NcPoint){80, 10});
	world_add_wall(&world, (NcPoint){80, 10}, (NcPoint){10, 10});
	world_add_wall(&world, (NcPoint){10, 10}, (NcPoint){50, 10});
	world_add_wall(&world, (NcPoint){40, 10}, (NcPoint){40, 10}); // a point on them
	NcSnap snap;
	world_build(&world, &snap);
	assert_int_equal(snap.fragments.count, 4 + 4);
	for (int f = 0; f < snap.fragments.count; ++f)
	{
		bool is_bound = nc_fragment_owner(&snap, f) == NC_NULL_INDEX;
		assert_int_equal(snap.fragments.data[f].is_free == 3, !is_bound);
	}
	nc_snap_free(&snap);
}

static void stars_of_many_walls_have_one_ring(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	NcPoint center = {50, 50};
	for (int i = 0; i < 24; ++i)
	{
		NcVec2 d = nc_direction(i * 3.14159265358979 / 12.0);
		world_add_wall(
			&world, center, (NcPoint){50 + (int)floor(40.0 * d.x), 50 + (int)floor(40.0 * d.y)});
	}
	NcSnap snap;
	world_build(&world, &snap);
	assert_int_equal(snap.fragments.count, 4 + 24);
	require_planar(&snap, 0);
	require_rings(&snap, 0);
	nc_snap_free(&snap);
}

static void no_edges_are_no_fragments(void** state)
{
	(void)state;
	NcSnapDef def = {.box = {{0.0, 0.0}, {10.0, 10.0}}};
	NcSnap snap = {0};
	assert_int_equal(nc_snap_build(&snap, &def, NULL, 0, &NC_ALONE), NC_OK);
	assert_int_equal(snap.fragments.count, 0);
	assert_int_equal(snap.vertices.count, 0);
	nc_snap_free(&snap);
}

// Build with every allocation failing in turn; count the builds that did not notice it.
static int count_unnoticed_failures(bool fails_once)
{
	uint64_t seed = 45;
	static World world;
	make_random_world(&world, &seed, &recipes[1]);
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	NcSnap snap = {0};
	nc_snap_build(&snap, &world.def, world.edges, world.count, &NC_ALONE);
	nc_snap_free(&snap);
	int needed = allocator.calls;
	int unnoticed_count = needed > 10 ? 0 : INT_MAX;
	for (int i = 0; i < needed; ++i)
	{
		allocator = (FailingAllocator){.first_fail = i, .fails_once = fails_once};
		NcStatus status = nc_snap_build(&snap, &world.def, world.edges, world.count, &NC_ALONE);
		unnoticed_count += status != NC_OUT_OF_MEMORY;
		nc_snap_free(&snap);
		unnoticed_count += nc_get_byte_count() != 0;
	}
	nc_set_allocator(NULL, NULL);
	return unnoticed_count;
}

static void running_out_of_memory_is_reported_and_leaks_nothing(void** state)
{
	(void)state;
	assert_int_equal(count_unnoticed_failures(false), 0);
}

static void a_single_failed_allocation_is_reported(void** state)
{
	(void)state;
	assert_int_equal(count_unnoticed_failures(true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_worlds_become_planar),
		TEST(edges_keep_their_place),
		TEST(order_and_direction_of_edges_do_not_matter),
		TEST(crossing_walls_meet_in_a_vertex),
		TEST(touching_walls_are_cut),
		TEST(overlapping_and_repeated_walls_become_one),
		TEST(stars_of_many_walls_have_one_ring),
		TEST(no_edges_are_no_fragments),
		TEST(running_out_of_memory_is_reported_and_leaks_nothing),
		TEST(a_single_failed_allocation_is_reported),
	};
	return cmocka_run_group_tests_name("snap", tests, NULL, NULL);
}
