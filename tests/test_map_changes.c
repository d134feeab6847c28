// SPDX-License-Identifier: MIT

// Changed boxes: every place whose clearance an update changed lies in one of them.

#include "test.h"

static NcMap* create_empty(void)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {100.0, 100.0}};
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	return map;
}

static const NcVec2 box_points[] = {{20.0, 20.0}, {40.0, 20.0}, {40.0, 40.0}, {20.0, 40.0}};
static const NcShape box_shape = {NC_SHAPE_POLYGON, box_points, 4};

static NcObstacleId add(NcMap* map, const NcShape* shape)
{
	NcObstacleId id;
	assert_int_equal(nc_map_add_obstacle(map, shape, &id, NULL), NC_OK);
	return id;
}

static void update(NcMap* map)
{
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
}

#define SAMPLE_SIDE 40
#define MAX_BOXES 256

// What the map answers at the places of a grid, plus where it was not.
static void sample(const NcMap* map, double* clearances)
{
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcBox bounds = nc_map_get_bounds(map);
	for (int i = 0; i < SAMPLE_SIDE * SAMPLE_SIDE; ++i)
	{
		double s = (i % SAMPLE_SIDE + 0.5) / SAMPLE_SIDE;
		double t = ((double)(i / SAMPLE_SIDE) + 0.5) / SAMPLE_SIDE;
		NcVec2 p = {bounds.lower.x + s * (bounds.upper.x - bounds.lower.x),
			bounds.lower.y + t * (bounds.upper.y - bounds.lower.y)};
		clearances[i] = nc_query_get_clearance(query, p);
	}
	nc_query_destroy(query);
}

// Count the sampled places whose clearance changed, though no changed box contains them. Rounding
// may bend a wall by less than two snaps over its whole length.
static int count_missed_changes(const NcMap* map, const double* before)
{
	static double after[SAMPLE_SIDE * SAMPLE_SIDE];
	static NcBox boxes[MAX_BOXES];
	sample(map, after);
	int box_count = nc_map_get_changed_boxes(map, boxes, MAX_BOXES);
	assert_true(box_count <= MAX_BOXES);
	NcBox bounds = nc_map_get_bounds(map);
	int missed_count = 0;
	for (int i = 0; i < SAMPLE_SIDE * SAMPLE_SIDE; ++i)
	{
		double s = (i % SAMPLE_SIDE + 0.5) / SAMPLE_SIDE;
		double t = ((double)(i / SAMPLE_SIDE) + 0.5) / SAMPLE_SIDE;
		NcVec2 p = {bounds.lower.x + s * (bounds.upper.x - bounds.lower.x),
			bounds.lower.y + t * (bounds.upper.y - bounds.lower.y)};
		bool is_changed = fabs(after[i] - before[i]) > 2.0 * nc_map_get_snap(map);
		bool is_told = false;
		for (int k = 0; k < box_count; ++k)
		{
			is_told = is_told || nc_box_contains(boxes[k], p);
		}
		missed_count += is_changed && !is_told;
	}
	return missed_count;
}

static double before_update[SAMPLE_SIDE * SAMPLE_SIDE];

// Add one shape to an empty map, and take it away again.
static int count_missed_around(const NcShape* shape)
{
	NcMap* map = create_empty();
	sample(map, before_update);
	NcObstacleId id = add(map, shape);
	update(map);
	int missed_count = count_missed_changes(map, before_update);
	sample(map, before_update);
	assert_int_equal(nc_map_remove_obstacle(map, id), NC_OK);
	update(map);
	missed_count += count_missed_changes(map, before_update);
	nc_map_destroy(map);
	return missed_count;
}

static void changed_boxes_of_a_box_contain_its_reach(void** state)
{
	(void)state;
	assert_int_equal(count_missed_around(&box_shape), 0);
}

static void changed_boxes_of_a_point_contain_its_parabolas(void** state)
{
	(void)state;
	static const NcVec2 point = {50.0, 50.0};
	NcShape shape = {NC_SHAPE_POINTS, &point, 1};
	assert_int_equal(count_missed_around(&shape), 0);
}

static void changed_boxes_of_a_walkable_area_contain_what_it_blocks(void** state)
{
	(void)state;
	NcShape shape = box_shape;
	shape.kind = NC_SHAPE_WALKABLE;
	assert_int_equal(count_missed_around(&shape), 0);
}

static void changed_boxes_of_random_edits_miss_nothing(void** state)
{
	(void)state;
	uint64_t seed = 124;
	static Scene scene;
	int missed_count = 0;
	for (int round = 0; round < 8; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 24, 50.0, round % 2 ? 0.37 : 10.0);
		NcMap* map = NULL;
		assert_int_equal(nc_map_create(&scene.def, &map, NULL), NC_OK);
		NcObstacleId names[24] = {{0}};
		for (int step = 0; step < 20; ++step)
		{
			sample(map, before_update);
			for (int i = random_int(&seed, 1, 3); i > 0; --i)
			{
				int k = random_int(&seed, 0, 23);
				NcShape shape = scene_get_shape(&scene, random_int(&seed, 0, 23));
				int edit = random_int(&seed, 0, 2);
				edit == 0   ? (void)nc_map_add_obstacle(map, &shape, &names[k], NULL)
				: edit == 1 ? (void)nc_map_set_obstacle(map, names[k], &shape, NULL)
							: (void)nc_map_remove_obstacle(map, names[k]);
			}
			update(map);
			missed_count += count_missed_changes(map, before_update);
		}
		nc_map_destroy(map);
	}
	assert_int_equal(missed_count, 0);
}

static void changed_boxes_of_many_edits_are_few(void** state)
{
	(void)state;
	NcMap* map = create_empty();
	for (int i = 0; i < 200; ++i)
	{
		NcVec2 p = {1.0 + i % 20 * 5.0, 3.0 + i / 20 * 10.0};
		add(map, &(NcShape){NC_SHAPE_POINTS, &p, 1});
	}
	sample(map, before_update);
	update(map);
	int count = nc_map_get_changed_boxes(map, NULL, 0);
	int missed_count = count_missed_changes(map, before_update);
	nc_map_destroy(map);
	assert_in_range(count, 1, 64);
	assert_int_equal(missed_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(changed_boxes_of_a_box_contain_its_reach),
		TEST(changed_boxes_of_a_point_contain_its_parabolas),
		TEST(changed_boxes_of_a_walkable_area_contain_what_it_blocks),
		TEST(changed_boxes_of_random_edits_miss_nothing),
		TEST(changed_boxes_of_many_edits_are_few),
	};
	return cmocka_run_group_tests_name("map_changes", tests, NULL, NULL);
}
