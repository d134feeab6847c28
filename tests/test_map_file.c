// SPDX-License-Identifier: MIT

// Saved maps: what comes back is what was saved, and what was damaged is refused.

#include "test.h"

#include "map_files.h"

static SavedMap save(const NcMap* map)
{
	SavedMap saved = {.writes_left = -1};
	assert_int_equal(nc_map_save(map, saved_map_append, &saved), NC_OK);
	return saved;
}

static NcMap* load(const SavedMap* saved)
{
	NcMapDef def = nc_default_map_def();
	NcMap* map = NULL;
	NcError error = {0};
	if (nc_map_load(&def, saved->bytes, saved->size, &map, &error) != NC_OK)
	{
		fail_msg("not loaded: %s", error.reason);
	}
	return map;
}

// Load what should be damaged. @return the reason of the refusal, or NULL if it was accepted
static const char* load_damaged(const uint8_t* bytes, size_t size, NcMap** map)
{
	NcMapDef def = nc_default_map_def();
	NcError error = {0};
	NcStatus status = nc_map_load(&def, bytes, size, map, &error);
	if (status == NC_OK)
	{
		assert_non_null(*map);
		return NULL;
	}
	assert_int_equal(status, NC_WRONG_FORMAT);
	assert_int_equal(error.status, NC_WRONG_FORMAT);
	assert_null(*map);
	assert_non_null(error.reason);
	return error.reason;
}

static void require_equal_maps(const NcMap* a, const NcMap* b)
{
	assert_true(nc_map_compute_hash(a) == nc_map_compute_hash(b));
	assert_int_equal(nc_map_get_obstacle_count(a), nc_map_get_obstacle_count(b));
	NcMapStats s = nc_map_get_stats(a);
	NcMapStats t = nc_map_get_stats(b);
	assert_int_equal(s.vertex_count, t.vertex_count);
	assert_int_equal(s.edge_count, t.edge_count);
	assert_int_equal(s.site_count, t.site_count);
	assert_int_equal(s.component_count, t.component_count);
	assert_int_equal(s.unresolved_count, t.unresolved_count);
}

// Everything that shapes can be: round by round more crossings, repetitions and walkable areas.
static void fill_scene(Scene* scene, uint64_t* seed, int round)
{
	static const double steps[] = {0.013, 1.0, 7.0, 12.5};
	scene_init(scene, -60.0, -60.0, 60.0, 60.0);
	scene_add_random(scene, seed, 3 + round % 40, 50.0, steps[round % NC_COUNT(steps)]);
	if (round % 3 == 0)
	{
		scene_begin(scene, NC_SHAPE_WALKABLE);
		scene_add_corners(scene, -40.0, -45.0, 45.0, 40.0);
		scene_begin(scene, NC_SHAPE_WALKABLE);
		scene_add_corners(scene, 0.0, 0.0, 55.0, 55.0);
	}
	if (round % 4 == 1)
	{
		scene_begin(scene, NC_SHAPE_POLYGON);
		scene_add_corners(scene, -30.0, -30.0, 30.0, 30.0);
		scene_begin_hole(scene);
		scene_add_corners(scene, -20.0, -25.0, 25.0, 20.0);
	}
}

static NcMap* create_map(uint64_t seed, int round)
{
	Scene* scene = malloc(sizeof(Scene));
	fill_scene(scene, &seed, round);
	NcMap* map = scene_create_map(scene, NULL);
	free(scene);
	return map;
}

// Round trips.

static void loaded_map_is_the_saved_one(void** state)
{
	(void)state;
	for (int round = 0; round < 60; ++round)
	{
		NcMap* map = create_map(100 + (uint64_t)round, round);
		SavedMap saved = save(map);
		NcMap* loaded = load(&saved);
		require_equal_maps(map, loaded);
		assert_true(nc_map_get_snap(loaded) == nc_map_get_snap(map));
		NcBox before = nc_map_get_bounds(map);
		NcBox after = nc_map_get_bounds(loaded);
		assert_memory_equal(&before, &after, sizeof(NcBox));
		assert_int_equal(nc_map_get_revision(loaded), 1);
		assert_false(nc_map_has_staged_edits(loaded));
		NcBox box;
		assert_int_equal(nc_map_get_changed_boxes(loaded, &box, 1), 1);
		assert_true(box.lower.x == -60.0 && box.upper.y == 60.0);
		nc_map_destroy(loaded);
		nc_map_destroy(map);
		free(saved.bytes);
	}
}

static void empty_world_is_saved_and_loaded(void** state)
{
	(void)state;
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{1.0, 2.0}, {1.0 + 1.0 / 1024.0, 3.0}};
	NcMap* map;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	SavedMap saved = save(map);
	NcMap* loaded = load(&saved);
	require_equal_maps(map, loaded);
	use_up_map(loaded);
	nc_map_destroy(map);
	free(saved.bytes);
}

static void loaded_map_saves_the_same_bytes(void** state)
{
	(void)state;
	for (int round = 0; round < 20; ++round)
	{
		NcMap* map = create_map(200 + (uint64_t)round, round);
		SavedMap saved = save(map);
		NcMap* loaded = load(&saved);
		SavedMap again = save(loaded);
		assert_int_equal(saved.size, again.size);
		assert_memory_equal(saved.bytes, again.bytes, saved.size);
		nc_map_destroy(loaded);
		nc_map_destroy(map);
		free(saved.bytes);
		free(again.bytes);
	}
}

// The same bytes with every compiler and machine. This number changes with the format, which needs
// another NC_FILE_VERSION, and with the last digits of cells, which does not.
static void saved_bytes_are_the_same_everywhere(void** state)
{
	(void)state;
	uint64_t sum = 0;
	for (int round = 0; round < 12; ++round)
	{
		NcMap* map = create_map(300 + (uint64_t)round, round);
		SavedMap saved = save(map);
		sum = nc_file_mix(sum, saved_map_compute_checksum(saved.bytes, saved.size));
		nc_map_destroy(map);
		free(saved.bytes);
	}
	assert_true(sum == UINT64_C(0xf80e0929cf8ec4ca));
}

static void data_may_be_at_any_address(void** state)
{
	(void)state;
	NcMap* map = create_map(400, 9);
	SavedMap saved = save(map);
	uint8_t* copy = malloc(saved.size + 8);
	NcMapDef def = nc_default_map_def();
	for (int shift = 1; shift < 8; ++shift)
	{
		memcpy(copy + shift, saved.bytes, saved.size);
		NcMap* loaded;
		assert_int_equal(nc_map_load(&def, copy + shift, saved.size, &loaded, NULL), NC_OK);
		require_equal_maps(map, loaded);
		nc_map_destroy(loaded);
	}
	nc_map_destroy(map);
	free(copy);
	free(saved.bytes);
}

// Ids and further edits.

// A random edit, and whether and how it was taken.
typedef struct Edit
{
	NcObstacleId target; // of those that there are
	NcVec2 corners[4];
	NcShapeKind kind;
	int action;
} Edit;

static Edit make_edit(const NcMap* map, uint64_t* seed)
{
	int slot = random_int(seed, 0, map->slots.count - 1);
	Edit edit = {.target = {(uint32_t)slot + 1, map->slots.data[slot].generation}};
	NcVec2 center = {random_int(seed, -5, 5) * 10.0, random_int(seed, -5, 5) * 10.0};
	for (int i = 0; i < 4; ++i)
	{
		edit.corners[i].x = center.x + random_int(seed, -3, 3) * 2.5;
		edit.corners[i].y = center.y + random_int(seed, -3, 3) * 2.5;
	}
	edit.kind = (NcShapeKind)random_int(seed, 0, 2);
	edit.action = random_int(seed, 0, 2);
	return edit;
}

// Apply an edit and update. @param id receives the name of a new obstacle
static NcStatus apply_edit(NcMap* map, const Edit* edit, NcObstacleId* id)
{
	NcShape shape = {.kind = edit->kind, .points = edit->corners, .point_count = 4};
	*id = (NcObstacleId){0};
	NcStatus status = edit->action == 0   ? nc_map_remove_obstacle(map, edit->target)
					  : edit->action == 1 ? nc_map_set_obstacle(map, edit->target, &shape, NULL)
										  : nc_map_add_obstacle(map, &shape, id, NULL);
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	return status;
}

static void edit_one(NcMap* map, uint64_t* seed)
{
	Edit edit = make_edit(map, seed);
	NcObstacleId id;
	(void)apply_edit(map, &edit, &id);
}

// Apply the same random edit to two maps that have the same obstacles.
static void edit_both(NcMap* maps[2], uint64_t* seed)
{
	Edit edit = make_edit(maps[0], seed);
	NcObstacleId ids[2];
	NcStatus status = apply_edit(maps[0], &edit, &ids[0]);
	assert_int_equal(apply_edit(maps[1], &edit, &ids[1]), status);
	assert_int_equal(ids[0].index, ids[1].index);
	assert_int_equal(ids[0].generation, ids[1].generation);
}

static void edits_after_loading_end_in_the_same_map(void** state)
{
	(void)state;
	uint64_t seed = 41;
	for (int round = 0; round < 16; ++round)
	{
		NcMap* maps[2] = {create_map(500 + (uint64_t)round, round), NULL};
		// Some edits before saving leave gaps and empty slots.
		NcMap* same[2] = {maps[0], create_map(500 + (uint64_t)round, round)};
		for (int i = 0; i < 8; ++i)
		{
			edit_both(same, &seed);
		}
		nc_map_destroy(same[1]);
		SavedMap saved = save(maps[0]);
		maps[1] = load(&saved);
		for (int i = 0; i < 12; ++i)
		{
			edit_both(maps, &seed);
			assert_in_round(nc_map_compute_hash(maps[0]) == nc_map_compute_hash(maps[1]), round);
		}
		require_equal_maps(maps[0], maps[1]);
		nc_map_destroy(maps[0]);
		nc_map_destroy(maps[1]);
		free(saved.bytes);
	}
}

static void ids_survive(void** state)
{
	(void)state;
	Scene* scene = malloc(sizeof(Scene));
	scene_init(scene, 0.0, 0.0, 40.0, 10.0);
	NcMap* map = scene_create_map(scene, NULL);
	NcObstacleId ids[4];
	for (int i = 0; i < 4; ++i)
	{
		scene_add_box(scene, 2.0 + 9.0 * i, 3.0, 6.0 + 9.0 * i, 7.0);
		NcShape shape = scene_get_shape(scene, i);
		assert_int_equal(nc_map_add_obstacle(map, &shape, &ids[i], NULL), NC_OK);
	}
	assert_int_equal(nc_map_remove_obstacle(map, ids[1]), NC_OK);
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	SavedMap saved = save(map);
	NcMap* loaded = load(&saved);
	assert_true(nc_map_has_obstacle(loaded, ids[0]));
	assert_false(nc_map_has_obstacle(loaded, ids[1]));
	assert_true(nc_map_has_obstacle(loaded, ids[3]));

	NcQuery* query;
	NcLocation location;
	assert_int_equal(nc_query_create(loaded, &query), NC_OK);
	assert_true(nc_query_locate(query, (NcVec2){28.7, 5.0}, &location));
	assert_int_equal(location.obstacle.index, ids[3].index);
	assert_int_equal(location.obstacle.generation, ids[3].generation);
	nc_query_destroy(query);

	NcShape shape = scene_get_shape(scene, 1);
	NcObstacleId fresh;
	assert_int_equal(nc_map_add_obstacle(loaded, &shape, &fresh, NULL), NC_OK);
	assert_int_equal(fresh.index, ids[1].index);
	assert_int_equal(fresh.generation, ids[1].generation + 1);
	nc_map_destroy(loaded);
	nc_map_destroy(map);
	free(saved.bytes);
	free(scene);
}

// A grid that was made for many obstacles is not saved with few of them.
static void map_that_lost_most_of_its_obstacles_is_loaded(void** state)
{
	(void)state;
	NcMapDef def = nc_default_map_def();
	NcMap* map;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	NcObstacleId ids[400];
	for (int i = 0; i < 400; ++i)
	{
		NcVec2 point = {-95.0 + 9.5 * (i % 20), -95.0 + 9.5 * (i / 20)};
		NcShape shape = {.kind = NC_SHAPE_POINTS, .points = &point, .point_count = 1};
		assert_int_equal(nc_map_add_obstacle(map, &shape, &ids[i], NULL), NC_OK);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	for (int i = 1; i < 400; ++i)
	{
		assert_int_equal(nc_map_remove_obstacle(map, ids[i]), NC_OK);
		assert_int_equal(nc_map_update(map, NULL), NC_OK);
	}
	SavedMap saved = save(map);
	NcMap* loaded = load(&saved);
	require_equal_maps(map, loaded);
	use_up_map(loaded);
	nc_map_destroy(map);
	free(saved.bytes);
}

// Refusals.

static void staged_edits_are_not_saved(void** state)
{
	(void)state;
	NcMap* map = create_map(600, 5);
	NcVec2 point = {1.0, 2.0};
	NcShape shape = {.kind = NC_SHAPE_POINTS, .points = &point, .point_count = 1};
	NcObstacleId id;
	assert_int_equal(nc_map_add_obstacle(map, &shape, &id, NULL), NC_OK);
	SavedMap saved = {.writes_left = -1};
	assert_int_equal(nc_map_save(map, saved_map_append, &saved), NC_INVALID_INPUT);
	assert_int_equal(saved.size, 0);
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	assert_int_equal(nc_map_save(map, saved_map_append, &saved), NC_OK);
	nc_map_destroy(map);
	free(saved.bytes);
}

static void writer_that_refuses_is_reported(void** state)
{
	(void)state;
	NcMap* map = create_map(700, 33);
	SavedMap whole = save(map);
	int write_count = -1 - whole.writes_left;
	assert_true(write_count >= 2);
	for (int i = 0; i < write_count; ++i)
	{
		SavedMap saved = {.writes_left = i};
		assert_int_equal(nc_map_save(map, saved_map_append, &saved), NC_TOO_LARGE);
		free(saved.bytes);
	}
	nc_map_destroy(map);
	free(whole.bytes);
}

static void reasons_tell_what_is_wrong(void** state)
{
	(void)state;
	NcMap* map = create_map(800, 5);
	SavedMap saved = save(map);
	saved_map_append(&saved, "", 1);
	NcMap* loaded;
	assert_string_equal(
		load_damaged((const uint8_t*)"POINT (1 2)", 11, &loaded), "this is not a saved map");
	assert_string_equal(load_damaged(saved.bytes, 0, &loaded), "this is not a saved map");
	assert_string_equal(load_damaged(saved.bytes, 20, &loaded), "the saved map is incomplete");
	assert_string_equal(
		load_damaged(saved.bytes, saved.size - 2, &loaded), "the saved map is incomplete");
	assert_string_equal(
		load_damaged(saved.bytes, saved.size, &loaded), "the saved map is damaged: it is too long");
	--saved.size;
	saved.bytes[saved.size / 2] ^= 1;
	assert_string_equal(load_damaged(saved.bytes, saved.size, &loaded),
		"the saved map is damaged: its checksum is wrong");
	saved.bytes[8] = NC_FILE_VERSION + 1;
	assert_string_equal(load_damaged(saved.bytes, saved.size, &loaded),
		"the map was saved by another version of the library");
	nc_map_destroy(map);
	free(saved.bytes);
}

static SavedMap save_small_map(void)
{
	Scene* scene = malloc(sizeof(Scene));
	scene_init(scene, 0.0, 0.0, 10.0, 10.0);
	scene_add_box(scene, 3.0, 3.0, 5.0, 6.0);
	scene_add_single(scene, 7.0, 7.0);
	scene_add_wall(scene, 4.0, 2.0, 4.5, 8.0);
	NcMap* map = scene_create_map(scene, NULL);
	SavedMap saved = save(map);
	nc_map_destroy(map);
	free(scene);
	return saved;
}

static void truncated_file_is_refused(void** state)
{
	(void)state;
	SavedMap saved = save_small_map();
	for (size_t size = 0; size < saved.size; ++size)
	{
		// A copy of its own shows reads beyond the end to the sanitizer.
		uint8_t* copy = malloc(size > 0 ? size : 1);
		memcpy(copy, saved.bytes, size);
		NcMap* loaded;
		assert_non_null(load_damaged(copy, size, &loaded));
		free(copy);
	}
	free(saved.bytes);
}

static void every_changed_byte_is_noticed(void** state)
{
	(void)state;
	SavedMap saved = save_small_map();
	for (size_t i = 0; i < saved.size; ++i)
	{
		for (int bit = 0; bit < 9; ++bit)
		{
			uint8_t before = saved.bytes[i];
			saved.bytes[i] ^= bit < 8 ? (uint8_t)(1 << bit) : 0xff;
			NcMap* loaded;
			assert_non_null(load_damaged(saved.bytes, saved.size, &loaded));
			saved.bytes[i] = before;
		}
	}
	free(saved.bytes);
}

// Damage with a right checksum.

// Property: a small file in which any single byte is another one is refused, or usable.
static void every_changed_byte_is_refused_or_harmless(void** state)
{
	(void)state;
	static const uint8_t changes[] = {0x01, 0x80, 0xff};
	SavedMap saved = save_small_map();
	SavedMap damaged = {.bytes = malloc(saved.size), .size = saved.size};
	int loaded_count = 0;
	for (size_t i = 0; i < saved.size - NC_FILE_CHECKSUM_SIZE; ++i)
	{
		for (int k = 0; k < NC_COUNT(changes); ++k)
		{
			memcpy(damaged.bytes, saved.bytes, saved.size);
			damaged.bytes[i] ^= changes[k];
			saved_map_fix_checksum(damaged.bytes, damaged.size);
			NcMap* loaded;
			if (load_damaged(damaged.bytes, damaged.size, &loaded) == NULL)
			{
				++loaded_count;
				use_up_map(loaded);
			}
		}
	}
	print_message("%d of %d changes were loaded\n", loaded_count, 3 * (int)saved.size);
	free(damaged.bytes);
	free(saved.bytes);
}

// soak_map_file tries more of them.
#define MUTATION_COUNT 2000

// Property: whatever is in a file with a right checksum, loading it gives an error, or a map with
// which everything can be done.
static void mutated_file_is_refused_or_usable(void** state)
{
	(void)state;
	uint64_t seed = 77;
	int loaded_count = 0;
	for (int kind = 0; kind < 4; ++kind)
	{
		NcMap* map = create_map(900 + (uint64_t)kind, 36 + kind);
		SavedMap saved = save(map);
		nc_map_destroy(map);
		SavedMap damaged = {.bytes = malloc(saved.size), .size = saved.size};
		for (int i = 0; i < MUTATION_COUNT / 4; ++i)
		{
			memcpy(damaged.bytes, saved.bytes, saved.size);
			for (int k = random_int(&seed, 0, 3); k >= 0; --k)
			{
				saved_map_mutate(&damaged, random_bits(&seed), random_bits(&seed));
			}
			saved_map_fix_checksum(damaged.bytes, damaged.size);
			NcMap* loaded;
			if (load_damaged(damaged.bytes, damaged.size, &loaded) == NULL)
			{
				++loaded_count;
				use_up_map(loaded);
			}
		}
		free(damaged.bytes);
		free(saved.bytes);
	}
	// Positions cannot be verified, so some damage goes unnoticed; but not most of it.
	print_message("%d of %d damaged files were loaded\n", loaded_count, MUTATION_COUNT);
	assert_in_range(loaded_count, MUTATION_COUNT / 100, MUTATION_COUNT * 3 / 4);
}

static int find_next(const NcDiagram* diagram, int piece)
{
	if (!nc_piece_is_linked(diagram, piece))
	{
		return NC_NULL_INDEX;
	}
	NcFeature owner = nc_piece_owner(diagram, piece);
	int next = nc_diagram_find_linked(diagram, nc_diagram_cell(diagram, owner), piece + 1);
	return next != NC_NULL_INDEX ? next : nc_diagram_find_first_after(diagram, owner);
}

// Cut some borders between cells, and derive again what depends on them: a map that no obstacles
// give, but that is consistent.
static void cut_borders(NcMap* map, uint64_t* seed, int percent)
{
	NcDiagram* diagram = &map->world.diagram;
	for (int p = 0; p < diagram->records.count; ++p)
	{
		NcRecord* record = &diagram->records.data[p];
		if (record->twin >= 0 && random_int(seed, 1, 100) <= percent)
		{
			diagram->records.data[record->twin].neighbor = NC_NULL_INDEX;
			diagram->records.data[p].neighbor = NC_NULL_INDEX;
			diagram->records.data[record->twin].twin = NC_NULL_INDEX;
			record->twin = NC_NULL_INDEX;
		}
		record->junction = record->edge = NC_NULL_INDEX;
	}
	diagram->junctions.count = 0;
	for (int p = 0; p < diagram->records.count; ++p)
	{
		diagram->records.data[p].next = find_next(diagram, p);
	}
	for (int p = 0; p < diagram->records.count; ++p)
	{
		if (!nc_piece_is_linked(diagram, p) || diagram->records.data[p].junction != NC_NULL_INDEX)
		{
			continue;
		}
		NcJunction junction = nc_diagram_compute_junction(diagram, p);
		int q = p;
		do
		{
			diagram->records.data[q].junction = diagram->junctions.count;
			q = nc_piece_around(diagram, q);
		} while (q != p);
		assert_true(nc_array_push(&diagram->junctions, junction));
	}
	nc_graph_free(&map->world.graph);
	map->world.graph = (NcGraph){0};
	assert_int_equal(nc_graph_build(&map->world.graph, diagram, &(NcParallel){0}), NC_OK);
}

// Property: cells that are wrong, but consistent with each other, are harmless: questions are
// answered somehow, and the first update makes the map right.
static void wrong_cells_are_harmless(void** state)
{
	(void)state;
	static const int percents[] = {3, 20, 60, 100};
	uint64_t seed = 55;
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_map(1200 + (uint64_t)round, round);
		cut_borders(map, &seed, percents[round % NC_COUNT(percents)]);
		SavedMap saved = save(map);
		nc_map_destroy(map);
		map = load(&saved);
		use_by_reading(map);
		use_by_asking(map);
		for (int i = 0; i < 10; ++i)
		{
			edit_one(map, &seed);
			use_by_asking(map);
		}
		assert_in_round(nc_map_get_stats(map).unresolved_count == 0, round);
		use_up_map(map);
		free(saved.bytes);
	}
}

// Memory.

static void loading_without_memory_fails_cleanly(void** state)
{
	(void)state;
	for (int round = 0; round < 4; ++round)
	{
		NcMap* map = create_map(1000 + (uint64_t)round, 3 + 5 * round);
		uint64_t hash = nc_map_compute_hash(map);
		SavedMap saved = save(map);
		nc_map_destroy(map);
		NcMapDef def = nc_default_map_def();
		NcStatus status = NC_OUT_OF_MEMORY;
		for (int n = 0; status != NC_OK; ++n)
		{
			FailingAllocator allocator = {.first_fail = n, .fails_once = n % 2 == 0};
			size_t before = nc_get_byte_count();
			NcError error = {0};
			nc_set_allocator(allocate_or_fail, &allocator);
			status = nc_map_load(&def, saved.bytes, saved.size, &map, &error);
			if (status != NC_OK)
			{
				assert_int_equal(status, NC_OUT_OF_MEMORY);
				assert_null(map);
				assert_non_null(error.reason);
				assert_int_equal(nc_get_byte_count(), before);
			}
			nc_set_allocator(NULL, NULL);
			assert_in_range(n, 0, 10000);
		}
		assert_true(nc_map_compute_hash(map) == hash);
		nc_map_destroy(map);
		free(saved.bytes);
	}
}

static void saving_without_memory_fails_cleanly(void** state)
{
	(void)state;
	NcMap* map = create_map(1100, 34);
	NcStatus status = NC_OUT_OF_MEMORY;
	for (int n = 0; status != NC_OK; ++n)
	{
		FailingAllocator allocator = {.first_fail = n, .fails_once = n % 2 == 0};
		size_t before = nc_get_byte_count();
		SavedMap saved = {.writes_left = -1};
		nc_set_allocator(allocate_or_fail, &allocator);
		status = nc_map_save(map, saved_map_append, &saved);
		nc_set_allocator(NULL, NULL);
		assert_true(status == NC_OK || status == NC_OUT_OF_MEMORY);
		assert_int_equal(nc_get_byte_count(), before);
		assert_in_range(n, 0, 10000);
		free(saved.bytes);
	}
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(loaded_map_is_the_saved_one),
		TEST(empty_world_is_saved_and_loaded),
		TEST(loaded_map_saves_the_same_bytes),
		TEST(saved_bytes_are_the_same_everywhere),
		TEST(data_may_be_at_any_address),
		TEST(edits_after_loading_end_in_the_same_map),
		TEST(ids_survive),
		TEST(map_that_lost_most_of_its_obstacles_is_loaded),
		TEST(staged_edits_are_not_saved),
		TEST(writer_that_refuses_is_reported),
		TEST(reasons_tell_what_is_wrong),
		TEST(truncated_file_is_refused),
		TEST(every_changed_byte_is_noticed),
		TEST(every_changed_byte_is_refused_or_harmless),
		TEST(mutated_file_is_refused_or_usable),
		TEST(wrong_cells_are_harmless),
		TEST(loading_without_memory_fails_cleanly),
		TEST(saving_without_memory_fails_cleanly),
	};
	return cmocka_run_group_tests_name("map_file", tests, NULL, NULL);
}
