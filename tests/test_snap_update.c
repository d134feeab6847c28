// SPDX-License-Identifier: MIT

// Snapped worlds that change in place are the same as those built from what is left.

#include "test.h"

#include "snap_update.h"
#include "test_edits.h"
#include "test_snap.h"

// Vertices with the number of reasons why they are hot, by coordinates.
typedef struct HotPoint
{
	NcPoint point;
	int hot_count;
} HotPoint;

static int compare_hot_points(const void* p, const void* q)
{
	return nc_point_compare(((const HotPoint*)p)->point, ((const HotPoint*)q)->point);
}

static int list_hot_points(const NcSnap* snap, HotPoint* points)
{
	int count = 0;
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		if (nc_vertex_exists(snap, v))
		{
			assert_true(count < MAX_SNAP_ITEMS);
			points[count++] =
				(HotPoint){snap->vertices.data[v].point, snap->vertices.data[v].hot_count};
		}
	}
	qsort(points, (size_t)count, sizeof(HotPoint), compare_hot_points);
	return count;
}

static void require_same(const NcSnap* a, const NcSnap* b, int round)
{
	static SnapItem items[2][MAX_SNAP_ITEMS];
	static HotPoint points[2][MAX_SNAP_ITEMS];
	int count = snap_list_items(a, items[0]);
	assert_in_round(count == snap_list_items(b, items[1]), round);
	assert_in_round(memcmp(items[0], items[1], sizeof(SnapItem) * (size_t)count) == 0, round);
	count = list_hot_points(a, points[0]);
	assert_in_round(count == list_hot_points(b, points[1]), round);
	assert_in_round(memcmp(points[0], points[1], sizeof(HotPoint) * (size_t)count) == 0, round);
}

// Each edge's uses are those of its fragments, and the other way round.
static void require_uses(const NcSnap* snap, int round)
{
	int count = 0;
	for (int e = 0; e < snap->edges.count; ++e)
	{
		int use = snap->edges.data[e].first_use;
		for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_edge)
		{
			assert_in_round(snap->uses.data[use].edge == e, round);
			++count;
		}
	}
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		int use = snap->fragments.data[f].first_use;
		for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
		{
			assert_in_round(snap->uses.data[use].half >> 1 == f, round);
			--count;
		}
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		int use = nc_vertex_exists(snap, v) ? snap->vertices.data[v].first_use : NC_NULL_INDEX;
		for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
		{
			assert_in_round(snap->uses.data[use].half == NC_NULL_INDEX, round);
			--count;
		}
	}
	assert_in_round(count == 0, round);
}

// How often an item is in the lists of a grid.
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

// What exists is in the grids, and what does not is not.
static void require_grids(const NcSnap* snap, int round)
{
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		int count = count_in_grid(&snap->fragment_grid, f);
		assert_in_round((count > 0) == nc_fragment_exists(snap, f), round);
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		int count = count_in_grid(&snap->vertex_grid, v);
		assert_in_round(count == nc_vertex_exists(snap, v), round);
	}
}

static void apply(NcSnap* snap, NcSnapUpdate* update, NcJournal* journal)
{
	nc_journal_clear(journal);
	assert_true(nc_snap_apply(snap, update, journal));
	assert_true(nc_snap_prepare_finish(snap, update));
	nc_snap_finish(snap, update);
}

static void changed_worlds_are_the_same_as_built_ones(void** state)
{
	(void)state;
	uint64_t seed = 221;
	static Edits edits;
	static World world;
	NcSnapUpdate update = {0};
	NcJournal journal = {0};
	for (int round = 0; round < 210; ++round)
	{
		NcSnap snap;
		edits_make(&edits, &seed, round);
		edits_make_world(&edits, &world);
		world_build(&world, &snap);
		for (int step = 0; step < 12; ++step)
		{
			edits_clear(&edits, &update);
			edits_toggle_some(&edits, &seed, random_int(&seed, 1, 5), &update);
			apply(&snap, &update, &journal);
			edits_finish(&edits, &update);
			edits_make_world(&edits, &world);
			NcSnap fresh;
			world_build(&world, &fresh);
			require_same(&snap, &fresh, round);
			require_uses(&snap, round);
			nc_snap_free(&fresh);
		}
		require_rings(&snap, round);
		require_grids(&snap, round);
		nc_snap_free(&snap);
	}
	nc_snap_update_free(&update);
	nc_journal_free(&journal);
}

// Everything goes, and everything comes back; one by one, and at once.
static void worlds_can_be_emptied_and_filled_again(void** state)
{
	(void)state;
	uint64_t seed = 222;
	static Edits edits;
	static World world;
	NcSnapUpdate update = {0};
	NcJournal journal = {0};
	for (int round = 0; round < 21; ++round)
	{
		NcSnap snap;
		NcSnap first;
		edits_make(&edits, &seed, round);
		memset(edits.is_present, true, sizeof(edits.is_present));
		for (int e = 0; e < edits.all.count; ++e)
		{
			edits.slots[e] = e;
		}
		edits_make_world(&edits, &world);
		world_build(&world, &snap);
		world_build(&world, &first);
		int slot_count = snap.fragments.count + snap.vertices.count + snap.edges.count;
		for (int pass = 0; pass < 6; ++pass)
		{
			edits_clear(&edits, &update);
			for (int e = 4; e < edits.all.count; e = edits_find_end(&edits, e))
			{
				edits_toggle(&edits, e, &update);
				if (pass < 2)
				{
					apply(&snap, &update, &journal);
					edits_finish(&edits, &update);
					edits_clear(&edits, &update);
				}
			}
			apply(&snap, &update, &journal);
			edits_finish(&edits, &update);
		}
		require_same(&snap, &first, round);

		// Empty slots are used again. An update may need some more before it can free others.
		int new_count = snap.fragments.count + snap.vertices.count + snap.edges.count;
		assert_in_round(new_count <= 2 * slot_count + 16, round);
		nc_snap_free(&first);
		nc_snap_free(&snap);
	}
	nc_snap_update_free(&update);
	nc_journal_free(&journal);
}

// An obstacle that goes and comes within one update, as one that stays where it is, changes nothing
// but its slots.
static void replacing_obstacles_by_themselves_changes_nothing(void** state)
{
	(void)state;
	uint64_t seed = 223;
	static Edits edits;
	NcSnapUpdate update = {0};
	NcJournal journal = {0};
	for (int round = 0; round < 21; ++round)
	{
		NcSnap snap;
		NcSnap before;
		edits_make(&edits, &seed, round);
		world_build(&edits.all, &snap);
		world_build(&edits.all, &before);
		edits_clear(&edits, &update);
		for (int e = 4; e < edits.all.count; ++e)
		{
			NcEdge edge = edits.all.edges[e];
			NcVec2 ends[2] = {nc_point_to_vec2(edge.a), nc_point_to_vec2(edge.b)};
			NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), ends[0]), ends[1]);
			nc_array_push(&update.removed_edges, e);
			nc_array_push(&update.added_edges, edge);
			nc_array_push(&update.boxes, nc_box_grow(box, EDIT_MARGIN));
		}
		apply(&snap, &update, &journal);
		require_same(&snap, &before, round);
		require_uses(&snap, round);
		nc_snap_free(&before);
		nc_snap_free(&snap);
	}
	nc_snap_update_free(&update);
	nc_journal_free(&journal);
}

// Examples.

static int find_vertex(const NcSnap* snap, int x, int y)
{
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		NcPoint p = snap->vertices.data[v].point;
		if (nc_vertex_exists(snap, v) && p.x == x && p.y == y)
		{
			return v;
		}
	}
	return NC_NULL_INDEX;
}

static int count_fragments(const NcSnap* snap)
{
	int count = 0;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		count += nc_fragment_exists(snap, f);
	}
	return count;
}

static void walls_grow_together_when_what_crosses_them_goes(void** state)
{
	(void)state;
	static Edits edits;
	NcSnapUpdate update = {0};
	NcJournal journal = {0};
	world_init(&edits.all, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_wall(&edits.all, (NcPoint){10, 10}, (NcPoint){90, 10});
	world_add_wall(&edits.all, (NcPoint){50, 5}, (NcPoint){50, 15});
	for (int e = 0; e < edits.all.count; ++e)
	{
		edits.is_present[e] = true;
		edits.slots[e] = e;
	}
	NcSnap snap;
	world_build(&edits.all, &snap);
	assert_int_equal(count_fragments(&snap), 4 + 4);
	for (int i = 0; i < 4; ++i)
	{
		edits_clear(&edits, &update);
		edits_toggle(&edits, 5, &update);
		apply(&snap, &update, &journal);
		edits_finish(&edits, &update);
		bool is_crossed = i % 2;
		assert_int_equal(count_fragments(&snap), is_crossed ? 4 + 4 : 4 + 1);
		assert_int_equal(find_vertex(&snap, 50, 10) != NC_NULL_INDEX, is_crossed);
	}
	nc_snap_free(&snap);
	nc_snap_update_free(&update);
	nc_journal_free(&journal);
}

// A ring around something far inside of it changes its cover without touching it.
static void covers_change_inside_of_rings_that_come_and_go(void** state)
{
	(void)state;
	static Edits edits;
	NcSnapUpdate update = {0};
	NcJournal journal = {0};
	world_init(&edits.all, (NcPoint){0, 0}, (NcPoint){10000, 10000});
	NcPoint ring[4] = {{100, 100}, {9900, 100}, {9900, 9900}, {100, 9900}};
	world_add_ring(&edits.all, ring, 4);
	world_add_wall(&edits.all, (NcPoint){5000, 5000}, (NcPoint){5100, 5000});
	world_add_wall(&edits.all, (NcPoint){6000, 6000}, (NcPoint){6000, 6000});
	for (int e = 0; e < edits.all.count; ++e)
	{
		edits.is_present[e] = true;
		edits.slots[e] = e;
	}
	NcSnap snap;
	world_build(&edits.all, &snap);
	for (int i = 0; i < 5; ++i)
	{
		bool is_covered = i % 2 == 0;
		int point = find_vertex(&snap, 6000, 6000);
		int half = snap.vertices.data[find_vertex(&snap, 5000, 5000)].half;
		assert_int_equal(snap.vertices.data[point].is_free, !is_covered);
		assert_int_equal(snap.fragments.data[half >> 1].is_free, is_covered ? 0 : 3);
		assert_int_equal(snap.fragments.data[half >> 1].cover, is_covered);
		edits_clear(&edits, &update);
		edits_toggle(&edits, 4, &update);
		apply(&snap, &update, &journal);
		edits_finish(&edits, &update);
	}
	nc_snap_free(&snap);
	nc_snap_update_free(&update);
	nc_journal_free(&journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(changed_worlds_are_the_same_as_built_ones),
		TEST(worlds_can_be_emptied_and_filled_again),
		TEST(replacing_obstacles_by_themselves_changes_nothing),
		TEST(walls_grow_together_when_what_crosses_them_goes),
		TEST(covers_change_inside_of_rings_that_come_and_go),
	};
	return cmocka_run_group_tests_name("snap_update", tests, NULL, NULL);
}
