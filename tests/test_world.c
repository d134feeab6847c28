// SPDX-License-Identifier: MIT

// Whole worlds that change in place: the same as new ones after every edit, and as before if memory
// runs out in the middle.

#include "test.h"

#include "map_state.h"
#include "test_diagram.h"
#include "test_edits.h"
#include "test_graph.h"

// Worlds.

static void build(const World* world, NcWorld* built)
{
	*built = (NcWorld){0};
	NcParallel alone = {0};
	NcStatus status = nc_world_build(built, &world->def, world->edges, world->count, &alone);
	assert_int_equal(status, NC_OK);
}

// An edge of the graph by its place.
typedef struct EdgePlace
{
	double low_x, low_y, high_x, high_y; // its ends, in the order of their coordinates
	double length, min_clearance;
	NcVec2 min_position;
	double arc_count;
} EdgePlace;

#define MAX_EDGES 4096

static int compare_edges(const void* p, const void* q)
{
	return memcmp(p, q, sizeof(EdgePlace));
}

static int list_edges(const NcWorld* world, EdgePlace* places)
{
	int count = 0;
	for (int e = 0; e < world->graph.edges.count; ++e)
	{
		const NcGraphEdge* edge = &world->graph.edges.data[e];
		if (edge->arc_count == 0)
		{
			continue;
		}
		assert_true(count < MAX_EDGES);
		NcVec2 ends[2];
		for (int end = 0; end < 2; ++end)
		{
			int junction = world->graph.vertices.data[edge->vertices[end]].junction;
			ends[end] = world->diagram.junctions.data[junction].position;
		}
		bool is_upward =
			ends[0].x < ends[1].x || (ends[0].x == ends[1].x && ends[0].y <= ends[1].y);
		NcVec2 low = ends[!is_upward];
		NcVec2 high = ends[is_upward];

		// Adding zero takes the sign of zeros away.
		places[count++] = (EdgePlace){low.x + 0.0, low.y + 0.0, high.x + 0.0, high.y + 0.0,
			edge->length, edge->min_clearance + 0.0,
			{edge->min_position.x + 0.0, edge->min_position.y + 0.0}, edge->arc_count};
	}
	qsort(places, (size_t)count, sizeof(EdgePlace), compare_edges);
	return count;
}

static void require_same(const NcWorld* a, const NcWorld* b, int round)
{
	static EdgePlace places[2][MAX_EDGES];
	int count = list_edges(a, places[0]);
	assert_in_round(count == list_edges(b, places[1]), round);
	assert_in_round(memcmp(places[0], places[1], sizeof(EdgePlace) * (size_t)count) == 0, round);
}

static void stage(Edits* edits, uint64_t* seed, int count, NcWorldUpdate* update)
{
	nc_world_update_clear(update);
	edits_clear(edits, &update->snap);
	edits_toggle_some(edits, seed, count, &update->snap);
}

static void changed_worlds_are_the_same_as_built_ones(void** state)
{
	(void)state;
	uint64_t seed = 241;
	static Edits edits;
	static World world;
	NcWorldUpdate update = {0};
	for (int round = 0; round < 42; ++round)
	{
		NcWorld changed;
		edits_make(&edits, &seed, round);
		edits_make_world(&edits, &world);
		build(&world, &changed);
		for (int step = 0; step < 8; ++step)
		{
			stage(&edits, &seed, random_int(&seed, 1, 4), &update);
			assert_in_round(nc_world_apply(&changed, &update) == NC_OK, round);
			edits_finish(&edits, &update.snap);
			edits_make_world(&edits, &world);
			NcWorld fresh;
			build(&world, &fresh);
			require_same(&changed, &fresh, round);
			require_graph(&changed, round);
			nc_world_free(&fresh);
		}
		nc_world_free(&changed);
	}
	nc_world_update_free(&update);
}

static void moved_worlds_can_be_changed(void** state)
{
	(void)state;
	uint64_t seed = 242;
	static Edits edits;
	static World world;
	NcWorldUpdate update = {0};
	NcWorld first;
	NcWorld moved = {0};
	edits_make(&edits, &seed, 0);
	edits_make_world(&edits, &world);
	build(&world, &first);
	nc_world_move(&moved, &first);
	assert_int_equal(nc_world_count_bytes(&first), 0);
	assert_int_equal(nc_world_count_bytes(&moved), nc_get_byte_count());
	memset(&first, 0x55, sizeof(first)); // Whoever still looks there notices.
	for (int step = 0; step < 5; ++step)
	{
		stage(&edits, &seed, 3, &update);
		assert_int_equal(nc_world_apply(&moved, &update), NC_OK);
		edits_finish(&edits, &update.snap);
	}
	edits_make_world(&edits, &world);
	NcWorld fresh;
	build(&world, &fresh);
	require_same(&moved, &fresh, 0);
	nc_world_free(&fresh);
	nc_world_free(&moved);
	nc_world_update_free(&update);
}

// Maps.

#define SHAPES 36
#define PLACES 24

// Points, chains and polygons, polygons with a hole in or outside of them, and walkable areas.
static void make_scene(Scene* scene, uint64_t* seed, int round)
{
	static const double steps[] = {0.37, 10.0, 12.5, 2.5, 25.0};
	double step = steps[round % NC_COUNT(steps)];
	int cells = (int)(50.0 / step);
	scene_init(scene, -60.0, -60.0, 60.0, 60.0);
	scene->def.snap = round % 8 < 4 ? 1.0 / 1024.0 : 0.5;
	scene_add_random(scene, seed, SHAPES - 10, 50.0, step);
	for (int i = 0; i < 10; ++i)
	{
		bool is_walkable = i < 3 && round % 3 == 0;
		scene_begin(scene, is_walkable ? NC_SHAPE_WALKABLE : NC_SHAPE_POLYGON);
		for (int k = 0; k < 7; ++k)
		{
			k == 4 ? scene_begin_hole(scene) : (void)0;
			NcPoint p = random_point(seed, cells);
			scene_add_point(scene, p.x * step, p.y * step);
		}
	}
}

// Which shape each obstacle of a map has.
typedef struct Obstacles
{
	NcObstacleId ids[PLACES];
	int shapes[PLACES]; // NC_NULL_INDEX: none
} Obstacles;

// Give an obstacle another shape, or none. What the map refuses stays as it was.
static void edit(NcMap* map, const Scene* scene, Obstacles* obstacles, int place, int index)
{
	NcObstacleId* id = &obstacles->ids[place];
	bool is_there = obstacles->shapes[place] != NC_NULL_INDEX;
	if (index == NC_NULL_INDEX)
	{
		assert_true(!is_there || nc_map_remove_obstacle(map, *id) == NC_OK);
		obstacles->shapes[place] = NC_NULL_INDEX;
		return;
	}
	NcShape shape = scene_get_shape(scene, index);
	NcStatus status = is_there ? nc_map_set_obstacle(map, *id, &shape, NULL)
							   : nc_map_add_obstacle(map, &shape, id, NULL);
	assert_true(status == NC_OK || status == NC_INVALID_INPUT);
	obstacles->shapes[place] = status == NC_OK ? index : obstacles->shapes[place];
}

static void edit_some(
	NcMap* map, const Scene* scene, Obstacles* obstacles, uint64_t* seed, int count)
{
	for (int i = 0; i < count; ++i)
	{
		int place = random_int(seed, 0, PLACES - 1);
		bool goes = random_int(seed, 0, 2) == 0;
		edit(map, scene, obstacles, place, goes ? NC_NULL_INDEX : random_int(seed, 0, SHAPES - 1));
	}
}

// A map with obstacles in most of its places.
static NcMap* create_filled(const Scene* scene, Obstacles* obstacles)
{
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&scene->def, &map, NULL), NC_OK);
	for (int i = 0; i < PLACES; ++i)
	{
		obstacles->shapes[i] = NC_NULL_INDEX;
		edit(map, scene, obstacles, i, i % 5 == 0 ? NC_NULL_INDEX : i);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	return map;
}

// The hash of a new map with the same obstacles, added in another order.
static uint64_t compute_fresh_hash(
	const Scene* scene, const Obstacles* obstacles, uint64_t* seed, int* unresolved_count)
{
	int order[PLACES];
	for (int i = 0; i < PLACES; ++i)
	{
		order[i] = i;
	}
	shuffle(seed, order, PLACES);
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&scene->def, &map, NULL), NC_OK);
	for (int i = 0; i < PLACES; ++i)
	{
		int index = obstacles->shapes[order[i]];
		if (index != NC_NULL_INDEX)
		{
			NcShape shape = scene_get_shape(scene, index);
			NcObstacleId id;
			assert_int_equal(nc_map_add_obstacle(map, &shape, &id, NULL), NC_OK);
		}
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	uint64_t hash = nc_map_compute_hash(map);
	*unresolved_count = nc_map_get_stats(map).unresolved_count;
	nc_map_destroy(map);
	return hash;
}

static void edited_maps_have_the_hash_of_new_ones(void** state)
{
	(void)state;
	uint64_t seed = 243;
	static Scene scene;
	int wrong_count = 0;
	int in_place_count = 0;
	int unresolved_count = 0;
	for (int round = 0; round < 16; ++round)
	{
		Obstacles obstacles;
		make_scene(&scene, &seed, round);
		NcMap* map = create_filled(&scene, &obstacles);
		for (int step = 0; step < 10; ++step)
		{
			NcMapUpdate update;
			edit_some(map, &scene, &obstacles, &seed, random_int(&seed, 1, 3));
			assert_int_equal(nc_map_update(map, &update), NC_OK);
			NcMapStats stats = nc_map_get_stats(map);
			in_place_count += update.recomputed_cell_count < stats.site_count;
			int fresh_unresolved_count;
			uint64_t hash = compute_fresh_hash(&scene, &obstacles, &seed, &fresh_unresolved_count);
			unresolved_count += fresh_unresolved_count;
			if (hash != nc_map_compute_hash(map))
			{
				print_error("round %d, step %d: another hash\n", round, step);
				++wrong_count;
			}
			require_graph(&map->world, round);
		}
		require_pieces(&map->world.diagram, round);
		require_plane(&map->world.diagram, round);
		nc_map_destroy(map);
	}
	assert_int_equal(wrong_count, 0);
	assert_int_equal(unresolved_count, 0);
	assert_true(in_place_count > 80);
}

// Memory.

// Stage the edits of the tests below: something goes, something comes, something changes.
static void stage_edits(NcMap* map, const Scene* scene, Obstacles* obstacles)
{
	edit(map, scene, obstacles, 1, NC_NULL_INDEX);
	edit(map, scene, obstacles, 0, SHAPES - 1);
	edit(map, scene, obstacles, 2, SHAPES - 2);
}

typedef struct Trial
{
	const Scene* scene;
	uint64_t old_hash, new_hash;
	int wrong_count;
	int failure_count;
} Trial;

// Update with the n-th allocation failing. @return whether it failed
static bool fail_update(Trial* trial, FailingAllocator* allocator, FailingAllocator plan)
{
	Obstacles obstacles;
	size_t bytes_before = nc_get_byte_count();
	NcMap* map = create_filled(trial->scene, &obstacles);
	stage_edits(map, trial->scene, &obstacles);
	uint32_t revision = nc_map_get_revision(map);
	*allocator = plan;
	NcStatus status = nc_map_update(map, NULL);
	*allocator = (FailingAllocator){.first_fail = -1};
	if (status != NC_OK)
	{
		++trial->failure_count;
		trial->wrong_count += status != NC_OUT_OF_MEMORY ||
							  nc_map_compute_hash(map) != trial->old_hash ||
							  nc_map_get_revision(map) != revision || !nc_map_has_staged_edits(map);
		require_graph(&map->world, plan.first_fail);
		require_pieces(&map->world.diagram, plan.first_fail);
		trial->wrong_count += nc_map_update(map, NULL) != NC_OK;
	}
	trial->wrong_count += nc_map_compute_hash(map) != trial->new_hash ||
						  nc_map_get_revision(map) != revision + 1 || nc_map_has_staged_edits(map);
	require_graph(&map->world, plan.first_fail);
	nc_map_destroy(map);
	trial->wrong_count += nc_get_byte_count() != bytes_before;
	return status != NC_OK;
}

static Trial fail_every_allocation(int round, bool fails_once)
{
	uint64_t seed = 244;
	static Scene scene;
	make_scene(&scene, &seed, round);
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	Obstacles obstacles;
	NcMap* map = create_filled(&scene, &obstacles);
	Trial trial = {.scene = &scene, .old_hash = nc_map_compute_hash(map)};
	stage_edits(map, &scene, &obstacles);
	NcMapUpdate update;
	trial.wrong_count += nc_map_update(map, &update) != NC_OK;
	trial.wrong_count += update.recomputed_cell_count >= nc_map_get_stats(map).site_count;
	nc_map_destroy(map);
	int unused;
	trial.new_hash = compute_fresh_hash(&scene, &obstacles, &seed, &unused);

	// A single failure that does no harm may be followed by others that do.
	int quiet_count = 0;
	for (int i = 0; quiet_count < 5 && i < 3000; ++i)
	{
		FailingAllocator plan = {.first_fail = i, .fails_once = fails_once};
		quiet_count = fail_update(&trial, &allocator, plan) ? 0 : quiet_count + 1;
	}
	nc_set_allocator(NULL, NULL);
	return trial;
}

static void updates_without_memory_leave_the_old_map(void** state)
{
	(void)state;
	for (int round = 0; round < 2; ++round)
	{
		Trial trial = fail_every_allocation(round, false);
		assert_in_round(trial.wrong_count == 0, round);
		assert_in_round(trial.failure_count > 20, round);
	}
}

static void a_single_failed_allocation_leaves_the_old_map(void** state)
{
	(void)state;
	for (int round = 0; round < 2; ++round)
	{
		Trial trial = fail_every_allocation(round, true);
		assert_in_round(trial.wrong_count == 0, round);
		assert_in_round(trial.failure_count > 20, round);
	}
}

// The same map fails again and again, always a little later, and works in the end.
static void failures_in_a_row_leave_the_old_map(void** state)
{
	(void)state;
	uint64_t seed = 245;
	static Scene scene;
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	int wrong_count = 0;
	int failure_count = 0;
	for (int round = 0; round < 3; ++round)
	{
		Obstacles obstacles;
		make_scene(&scene, &seed, round);
		NcMap* map = create_filled(&scene, &obstacles);
		for (int step = 0; step < 6; ++step)
		{
			uint64_t old_hash = nc_map_compute_hash(map);
			edit_some(map, &scene, &obstacles, &seed, 2);
			bool has_failed = true;
			for (int i = 0; has_failed; ++i)
			{
				allocator = (FailingAllocator){.first_fail = i, .fails_once = step % 2};
				has_failed = nc_map_update(map, NULL) != NC_OK;
				allocator = (FailingAllocator){.first_fail = -1};
				failure_count += has_failed;
				wrong_count += has_failed && nc_map_compute_hash(map) != old_hash;
			}
			int unused;
			wrong_count +=
				nc_map_compute_hash(map) != compute_fresh_hash(&scene, &obstacles, &seed, &unused);
		}
		nc_map_destroy(map);
	}
	nc_set_allocator(NULL, NULL);
	assert_int_equal(wrong_count, 0);
	assert_true(failure_count > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(changed_worlds_are_the_same_as_built_ones),
		TEST(moved_worlds_can_be_changed),
		TEST(edited_maps_have_the_hash_of_new_ones),
		TEST(updates_without_memory_leave_the_old_map),
		TEST(a_single_failed_allocation_leaves_the_old_map),
		TEST(failures_in_a_row_leave_the_old_map),
	};
	return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
