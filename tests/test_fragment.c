// SPDX-License-Identifier: MIT

// The steps in which fragments come and go: chains of edges, rings around vertices, uses, places in
// the grid. Each keeps its promise about the room it needs in the journal.

#include "test.h"

#include "fragment.h"
#include "test_snap.h"

// The promises of fragment.h.
#define CREATE_ITEMS 11
#define UNLINK_ITEMS 11
#define ADD_USE_ITEMS 3
#define RELEASE_USE_ITEMS 2

// Routes.

// A world of vertices without edges: points make them hot and do nothing else.
static void make_points(World* world, uint64_t* seed, int count, int range)
{
	world_init(world, (NcPoint){-range, -range}, (NcPoint){range, range});
	for (int i = 0; i < count; ++i)
	{
		NcPoint p = random_point(seed, range);
		world_add_wall(world, p, p);
	}
}

static void chains_meet_no_foreign_pixel(void** state)
{
	(void)state;
	uint64_t seed = 211;
	static World world;
	NcRoute route = {0};
	int bend_count = 0;
	for (int round = 0; round < 300; ++round)
	{
		int range = round % 2 ? 20 : 60;
		make_points(&world, &seed, 60, range);
		NcSnap snap;
		world_build(&world, &snap);
		int ends[2] = {random_int(&seed, 0, snap.vertices.count - 1),
			random_int(&seed, 0, snap.vertices.count - 1)};
		nc_route_edge(&snap, ends[0], ends[1], &route);
		const int* chain = route.chain.data;
		int count = route.chain.count;
		assert_in_round(count >= 1 && chain[0] == ends[0] && chain[count - 1] == ends[1], round);
		assert_in_round((count == 1) == (ends[0] == ends[1]), round);
		bend_count += count > 2;
		NcPoint a = snap.vertices.data[ends[0]].point;
		NcPoint b = snap.vertices.data[ends[1]].point;
		for (int v = 0; v < snap.vertices.count; ++v)
		{
			NcPoint p = snap.vertices.data[v].point;
			bool is_in_chain = false;
			for (int i = 0; i < count; ++i)
			{
				is_in_chain = is_in_chain || chain[i] == v;
			}
			assert_in_round(is_in_chain || !nc_segment_meets_pixel(a, b, p), round);
			for (int i = 1; i < count && !is_in_chain; ++i)
			{
				NcPoint c = snap.vertices.data[chain[i - 1]].point;
				NcPoint d = snap.vertices.data[chain[i]].point;
				assert_in_round(!nc_segment_meets_pixel(c, d, p), round);
			}
		}
		nc_snap_free(&snap);
	}
	assert_true(bend_count > 100);
	nc_route_free(&route);
}

static void chains_are_short_without_anything_in_between(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	NcSnap snap;
	world_build(&world, &snap);
	NcRoute route = {0};
	nc_route_edge(&snap, 0, 2, &route);
	assert_int_equal(route.chain.count, 2);
	nc_route_edge(&snap, 1, 1, &route);
	assert_int_equal(route.chain.count, 1);
	assert_int_equal(route.chain.data[0], 1);
	nc_route_free(&route);
	nc_snap_free(&snap);
}

// Rings.

#define SPOKES 24

// A hub with points around it, that may be connected to it.
static void build_wheel(NcSnap* snap, int* hub, int* rim)
{
	World world;
	world_init(&world, (NcPoint){-1000, -1000}, (NcPoint){1000, 1000});
	world_add_wall(&world, (NcPoint){0, 0}, (NcPoint){0, 0});
	for (int i = 0; i < SPOKES; ++i)
	{
		NcVec2 d = nc_direction(i * 6.283185307179586 / SPOKES);
		NcPoint p = {(int)floor(500.0 * d.x + 0.5), (int)floor(500.0 * d.y + 0.5)};
		world_add_wall(&world, p, p);
	}
	world_build(&world, snap);
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		NcPoint p = snap->vertices.data[v].point;
		*hub = p.x == 0 && p.y == 0 ? v : *hub;
		for (int i = 0; i < SPOKES; ++i)
		{
			rim[i] = nc_point_equals(p, world.edges[5 + i].a) ? v : rim[i];
		}
	}
}

// The copy of an array's items, to see whether they come back.
typedef struct Copy
{
	NcFragment fragments[64];
	NcVertex vertices[64];
	int fragment_count;
} Copy;

static void copy(const NcSnap* snap, Copy* to)
{
	memset(to, 0, sizeof(*to));
	to->fragment_count = snap->fragments.count;
	memcpy(to->fragments, snap->fragments.data, sizeof(NcFragment) * (size_t)snap->fragments.count);
	memcpy(to->vertices, snap->vertices.data, sizeof(NcVertex) * (size_t)snap->vertices.count);
}

static int count_ring(const NcSnap* snap, int vertex, int round)
{
	int first = snap->vertices.data[vertex].half;
	int count = 0;
	int descents = 0;
	for (int half = first; half != NC_NULL_INDEX;)
	{
		int next = nc_half_next(snap, half);
		assert_in_round(nc_half_vertex(snap, half) == vertex, round);
		assert_in_round(nc_half_previous(snap, next) == half, round);
		NcPoint ends[2] = {nc_half_end(snap, half), nc_half_end(snap, next)};
		descents += nc_compare_angle(snap->vertices.data[vertex].point, ends[0], ends[1]) >= 0;
		++count;
		half = next == first ? NC_NULL_INDEX : next;
	}
	assert_in_round(descents == (first != NC_NULL_INDEX), round);
	return count;
}

static void rings_stay_sorted_while_fragments_come_and_go(void** state)
{
	(void)state;
	uint64_t seed = 212;
	NcSnap snap;
	int hub = NC_NULL_INDEX;
	int rim[SPOKES] = {0};
	build_wheel(&snap, &hub, rim);
	int spokes[SPOKES];
	int spoke_count = 0;
	NcJournal journal = {0};
	memset(spokes, -1, sizeof(spokes));
	for (int round = 0; round < 2000; ++round)
	{
		int i = random_int(&seed, 0, SPOKES - 1);
		nc_journal_clear(&journal);
		assert_in_round(nc_journal_reserve(&journal, CREATE_ITEMS), round);
		if (spokes[i] == NC_NULL_INDEX)
		{
			bool is_outward = random_int(&seed, 0, 1);
			spokes[i] = nc_fragment_create(
				&snap, is_outward ? hub : rim[i], is_outward ? rim[i] : hub, &journal);
			assert_in_round(spokes[i] != NC_NULL_INDEX, round);
			assert_in_round(journal.entries.count <= CREATE_ITEMS, round);
			++spoke_count;
		}
		else
		{
			nc_fragment_unlink(&snap, spokes[i], &journal);
			assert_in_round(journal.entries.count <= UNLINK_ITEMS, round);
			assert_true(nc_array_push(&snap.free_fragments, spokes[i]));
			spokes[i] = NC_NULL_INDEX;
			--spoke_count;
		}
		assert_in_round(count_ring(&snap, hub, round) == spoke_count, round);
		int half = nc_fragment_find_half(&snap, hub, rim[i]);
		int back = nc_fragment_find_half(&snap, rim[i], hub);
		assert_in_round((half == NC_NULL_INDEX) == (spokes[i] == NC_NULL_INDEX), round);
		assert_in_round(
			half == NC_NULL_INDEX || (half >> 1 == spokes[i] && back == (half ^ 1)), round);
		assert_in_round(count_ring(&snap, rim[i], round) == (half != NC_NULL_INDEX), round);
	}
	assert_true(snap.fragments.count <= 4 + SPOKES);
	nc_journal_free(&journal);
	nc_snap_free(&snap);
}

static void rings_come_back_with_the_journal(void** state)
{
	(void)state;
	uint64_t seed = 213;
	NcSnap snap;
	int hub = NC_NULL_INDEX;
	int rim[SPOKES] = {0};
	build_wheel(&snap, &hub, rim);
	NcJournal journal = {0};
	int spokes[SPOKES];
	for (int i = 0; i < SPOKES; ++i)
	{
		spokes[i] = i % 2 ? nc_fragment_create(&snap, hub, rim[i], NULL) : NC_NULL_INDEX;
	}
	for (int round = 0; round < 100; ++round)
	{
		static Copy before;
		static Copy after;
		copy(&snap, &before);
		nc_journal_clear(&journal);
		assert_true(nc_journal_reserve(&journal, 1 + SPOKES * CREATE_ITEMS));
		nc_journal_save_memory(&journal, &snap.fragments.count, (int)sizeof(int));
		for (int i = 0; i < SPOKES; ++i)
		{
			if (random_int(&seed, 0, 1) == 0)
			{
				continue;
			}
			spokes[i] != NC_NULL_INDEX ? nc_fragment_unlink(&snap, spokes[i], &journal)
									   : (void)nc_fragment_create(&snap, rim[i], hub, &journal);
		}
		nc_journal_roll_back(&journal);
		copy(&snap, &after);
		assert_in_round(memcmp(&before, &after, sizeof(Copy)) == 0, round);
	}
	nc_journal_free(&journal);
	nc_snap_free(&snap);
}

// Uses.

static int count_uses(const NcSnap* snap, int use)
{
	int count = 0;
	for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
	{
		++count;
	}
	return count;
}

// One wall, given by several obstacles in both directions, filled on one side or the other.
static void shares_of_a_fragment_add_up(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	NcPoint a = {20, 20};
	NcPoint b = {60, 20};
	for (int i = 0; i < 8; ++i)
	{
		NcEdge edge = {.a = i % 2 ? a : b, .b = i % 2 ? b : a, .obstacle = 100 - i};
		edge.solid = i % 3 - 1;
		edge.walkable = i % 4 == 0;
		world_add(&world, edge);
	}
	NcSnap snap;
	world_build(&world, &snap);
	assert_int_equal(snap.fragments.count, 4 + 1);
	int fragment = 4;
	NcJournal journal = {0};
	for (int i = 7; i >= 0; --i)
	{
		const NcFragment* f = &snap.fragments.data[fragment];
		int solid = 0;
		int walkable = 0;
		for (int k = 0; k <= i; ++k)
		{
			const NcEdge* edge = &world.edges[4 + k];
			solid += nc_point_compare(edge->a, edge->b) < 0 ? edge->solid : -edge->solid;
			walkable += nc_point_compare(edge->a, edge->b) < 0 ? edge->walkable : -edge->walkable;
		}
		assert_int_equal(count_uses(&snap, f->first_use), i + 1);
		assert_int_equal(f->solid, solid);
		assert_int_equal(f->walkable, walkable);
		assert_int_equal(nc_fragment_owner(&snap, fragment), 100 - i);

		// The first, the last or one in the middle of the list goes; taken back, it is there again.
		nc_journal_clear(&journal);
		assert_true(nc_journal_reserve(&journal, RELEASE_USE_ITEMS));
		int use = snap.edges.data[4 + i / 2].first_use;
		nc_fragment_release_use(&snap, use, NC_NULL_INDEX, &journal);
		assert_true(journal.entries.count <= RELEASE_USE_ITEMS);
		assert_int_equal(count_uses(&snap, f->first_use), i);
		nc_journal_roll_back(&journal);
		assert_int_equal(count_uses(&snap, f->first_use), i + 1);
		assert_int_equal(f->solid, solid);
		nc_fragment_release_use(&snap, snap.edges.data[4 + i].first_use, NC_NULL_INDEX, NULL);
	}
	assert_int_equal(snap.fragments.data[fragment].first_use, NC_NULL_INDEX);
	assert_int_equal(snap.fragments.data[fragment].solid, 0);
	nc_journal_free(&journal);
	nc_snap_free(&snap);
}

static void shares_of_points_have_owners(void** state)
{
	(void)state;
	World world;
	NcPoint p = {30, 30};
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add(&world, (NcEdge){.a = p, .b = p, .obstacle = 7});
	world_add(&world, (NcEdge){.a = p, .b = p, .obstacle = 5});
	world_add(&world, (NcEdge){.a = {60, 60}, .b = {70, 60}, .obstacle = 3});
	world_add(&world, (NcEdge){.a = {60, 60}, .b = {60, 60}, .obstacle = 2});
	NcSnap snap;
	world_build(&world, &snap);
	for (int v = 0; v < snap.vertices.count; ++v)
	{
		int x = snap.vertices.data[v].point.x;
		int expected = x == 30 ? 5 : x == 60 ? 2 : x == 70 ? 3 : NC_NULL_INDEX;
		assert_int_equal(nc_vertex_owner(&snap, v), expected);
	}
	NcJournal journal = {0};
	assert_true(nc_journal_reserve(&journal, ADD_USE_ITEMS));
	int vertex = nc_half_vertex(&snap, 0);
	assert_true(nc_fragment_add_use(&snap, 4, NC_NULL_INDEX, vertex, &journal));
	assert_true(journal.entries.count <= ADD_USE_ITEMS);
	assert_int_equal(nc_vertex_owner(&snap, vertex), 7);
	nc_journal_roll_back(&journal);
	assert_int_equal(nc_vertex_owner(&snap, vertex), NC_NULL_INDEX);
	nc_journal_free(&journal);
	nc_snap_free(&snap);
}

// The grid.

static int count_in_grid(const NcGrid* grid, int item)
{
	int count = 0;
	for (int cell = 0; cell < grid->lists.count; ++cell)
	{
		NcGridList list = grid->lists.data[cell];
		for (int k = 0; k < list.count; ++k)
		{
			count += grid->pool.data[list.start + k] == item;
		}
	}
	return count;
}

static void fragments_leave_and_enter_the_grid(void** state)
{
	(void)state;
	uint64_t seed = 214;
	static World world;
	world_init(&world, (NcPoint){-5010, -5010}, (NcPoint){5010, 5010});
	world_add_random(&world, &seed, 60, 5000, 1);
	NcSnap snap;
	world_build(&world, &snap);
	NcJournal journal = {0};
	for (int f = 0; f < snap.fragments.count; ++f)
	{
		int count = count_in_grid(&snap.fragment_grid, f);
		assert_true(count > 0);
		nc_journal_clear(&journal);
		assert_true(nc_fragment_leave_grid(&snap, f, &journal));
		assert_int_equal(count_in_grid(&snap.fragment_grid, f), 0);
		nc_journal_roll_back(&journal);
		assert_int_equal(count_in_grid(&snap.fragment_grid, f), count);
		assert_true(nc_fragment_leave_grid(&snap, f, NULL));
		assert_true(nc_fragment_enter_grid(&snap, f, &journal));
		assert_int_equal(count_in_grid(&snap.fragment_grid, f), count);
		nc_journal_roll_back(&journal);
		assert_int_equal(count_in_grid(&snap.fragment_grid, f), 0);
		assert_true(nc_fragment_enter_grid(&snap, f, NULL));
	}
	nc_journal_free(&journal);
	nc_snap_free(&snap);
}

// Many fragments enter the same cells, so that lists have to move; every allocation fails in turn.
static void a_full_grid_can_be_taken_back(void** state)
{
	(void)state;
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	int failure_count = 0;
	int wrong_count = 0;
	for (int round = 0; round < 40; ++round)
	{
		World world;
		NcSnap snap;
		allocator = (FailingAllocator){.first_fail = -1};
		world_init(&world, (NcPoint){0, 0}, (NcPoint){1000, 1000});
		world_build(&world, &snap);
		NcJournal journal = {0};
		bool is_done = nc_journal_reserve(&journal, 1);
		nc_journal_save_memory(&journal, &snap.fragment_grid.pool.count, (int)sizeof(int));
		int before = count_in_grid(&snap.fragment_grid, 0);
		allocator = (FailingAllocator){.first_fail = round};
		for (int i = 0; i < 200 && is_done; ++i)
		{
			is_done = nc_fragment_enter_grid(&snap, 0, &journal);
		}
		failure_count += !is_done;
		nc_journal_roll_back(&journal);
		wrong_count += count_in_grid(&snap.fragment_grid, 0) != before;
		nc_journal_free(&journal);
		nc_snap_free(&snap);
	}
	nc_set_allocator(NULL, NULL);
	assert_in_range(failure_count, 5, 39);
	assert_int_equal(wrong_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(chains_meet_no_foreign_pixel),
		TEST(chains_are_short_without_anything_in_between),
		TEST(rings_stay_sorted_while_fragments_come_and_go),
		TEST(rings_come_back_with_the_journal),
		TEST(shares_of_a_fragment_add_up),
		TEST(shares_of_points_have_owners),
		TEST(fragments_leave_and_enter_the_grid),
		TEST(a_full_grid_can_be_taken_back),
	};
	return cmocka_run_group_tests_name("fragment", tests, NULL, NULL);
}
