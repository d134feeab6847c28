// SPDX-License-Identifier: MIT

// Terrain: what is staged, what an update makes of it, and that every answer about points and
// segments is that of the slow and obvious way: all regions, all edges.

#include "test.h"

#include "nav_corridor/terrain.h"
#include "terrain_state.h"

#define MAX_REGIONS 24
#define MAX_REGION_POINTS 12

// Regions as the tests know them, in the order in which they were added.
typedef struct Plan
{
	NcVec2 points[MAX_REGIONS][MAX_REGION_POINTS];
	int ring_counts[MAX_REGIONS][2];
	NcRegion regions[MAX_REGIONS];
	NcRegionId ids[MAX_REGIONS];
	int count;
} Plan;

static NcTerrain* create_terrain(void)
{
	NcTerrain* terrain = NULL;
	assert_int_equal(nc_terrain_create(&terrain), NC_OK);
	return terrain;
}

static NcRegionId add_box(
	NcTerrain* terrain, double x0, double y0, double x1, double y1, int type, int priority)
{
	NcVec2 corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
	NcRegion region = {.points = corners, .point_count = 4, .type = type, .priority = priority};
	NcRegionId id;
	assert_int_equal(nc_terrain_add_region(terrain, &region, &id, NULL), NC_OK);
	return id;
}

// The slow way.

static bool is_inside(const NcRegion* region, NcVec2 p)
{
	bool inside = false;
	const NcVec2* ring = region->points;
	int ring_count = region->ring_counts != NULL ? region->ring_count : 1;
	for (int r = 0; r < ring_count; ++r)
	{
		int count = region->ring_counts != NULL ? region->ring_counts[r] : region->point_count;
		for (int i = 0; i < count; ++i)
		{
			NcVec2 a = ring[i];
			NcVec2 b = ring[(i + 1) % count];
			if ((a.y > p.y) != (b.y > p.y))
			{
				inside ^= a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)) > p.x;
			}
		}
		ring += count;
	}
	return inside;
}

static int find_type_slowly(const Plan* plan, NcVec2 p)
{
	int best = NC_NULL_INDEX;
	for (int i = 0; i < plan->count; ++i)
	{
		const NcRegion* region = &plan->regions[i];
		const NcRegion* other = best != NC_NULL_INDEX ? &plan->regions[best] : NULL;
		bool is_higher = other == NULL || region->priority > other->priority ||
						 (region->priority == other->priority && region->type > other->type);
		best = is_higher && is_inside(region, p) ? i : best;
	}
	return best != NC_NULL_INDEX ? plan->regions[best].type : NC_TERRAIN_GROUND;
}

// How far a point is from all borders.
static double compute_border_distance(const Plan* plan, NcVec2 p)
{
	double best = HUGE_VAL;
	for (int k = 0; k < plan->count; ++k)
	{
		const NcRegion* region = &plan->regions[k];
		const NcVec2* ring = region->points;
		for (int r = 0; r < region->ring_count; ++r)
		{
			int count = region->ring_counts[r];
			for (int i = 0; i < count; ++i)
			{
				NcVec2 foot = nc_closest_on_segment(p, ring[i], ring[(i + 1) % count]);
				best = nc_min(best, nc_distance(p, foot));
			}
			ring += count;
		}
	}
	return best;
}

static int compare_doubles(const void* a, const void* b)
{
	double p = *(const double*)a;
	double q = *(const double*)b;
	return p < q ? -1 : p > q;
}

// The lengths of a segment on each type: cut at all edges, look at the middle of each part.
static void measure_slowly(const Plan* plan, NcVec2 a, NcVec2 b, double* lengths)
{
	double cuts[MAX_REGIONS * MAX_REGION_POINTS + 2] = {0.0, 1.0};
	int cut_count = 2;
	NcVec2 d = nc_sub(b, a);
	for (int k = 0; k < plan->count; ++k)
	{
		const NcRegion* region = &plan->regions[k];
		const NcVec2* ring = region->points;
		for (int r = 0; r < region->ring_count; ++r)
		{
			int count = region->ring_counts[r];
			for (int i = 0; i < count; ++i)
			{
				NcVec2 e = nc_sub(ring[(i + 1) % count], ring[i]);
				double t = nc_cross(nc_sub(ring[i], a), e) / nc_cross(d, e);
				if (t > 0.0 && t < 1.0)
				{
					cuts[cut_count++] = t;
				}
			}
			ring += count;
		}
	}
	qsort(cuts, (size_t)cut_count, sizeof(double), compare_doubles);
	memset(lengths, 0, sizeof(double) * NC_TERRAIN_TYPE_COUNT);
	for (int i = 0; i + 1 < cut_count; ++i)
	{
		NcVec2 middle = nc_lerp(a, b, 0.5 * (cuts[i] + cuts[i + 1]));
		lengths[find_type_slowly(plan, middle)] += (cuts[i + 1] - cuts[i]) * nc_length(d);
	}
}

// Regions with one or two rings, on a lattice: they share corners and edges, and cross themselves.
static void make_plan(Plan* plan, uint64_t* seed, int count, double step)
{
	plan->count = count;
	for (int k = 0; k < count; ++k)
	{
		int rings = random_int(seed, 1, 2);
		int n = 0;
		for (int r = 0; r < rings; ++r)
		{
			plan->ring_counts[k][r] = random_int(seed, 3, 6);
			for (int i = 0; i < plan->ring_counts[k][r]; ++i)
			{
				int range = (int)(50.0 / step);
				plan->points[k][n++] = (NcVec2){
					step * random_int(seed, -range, range), step * random_int(seed, -range, range)};
			}
		}
		plan->regions[k] = (NcRegion){
			.points = plan->points[k],
			.point_count = n,
			.ring_counts = plan->ring_counts[k],
			.ring_count = rings,
			.type = random_int(seed, 0, 6),
			.priority = random_int(seed, -2, 2),
		};
	}
}

static NcTerrain* create_planned(Plan* plan, const int* order)
{
	NcTerrain* terrain = create_terrain();
	for (int i = 0; i < plan->count; ++i)
	{
		int k = order != NULL ? order[i] : i;
		assert_int_equal(
			nc_terrain_add_region(terrain, &plan->regions[k], &plan->ids[k], NULL), NC_OK);
	}
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	return terrain;
}

// The tests.

static void points_outside_of_all_regions_are_ground(void** state)
{
	(void)state;
	NcTerrain* terrain = create_terrain();
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){0.0, 0.0}), NC_TERRAIN_GROUND);
	add_box(terrain, 0.0, 0.0, 10.0, 10.0, 3, 0);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){5.0, 5.0}), 3);
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){11.0, 5.0}), NC_TERRAIN_GROUND);
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){NOT_A_NUMBER, 5.0}), NC_TERRAIN_GROUND);
	nc_terrain_destroy(terrain);
}

static void the_highest_priority_is_seen_and_then_the_highest_type(void** state)
{
	(void)state;
	NcTerrain* terrain = create_terrain();
	add_box(terrain, 0.0, 0.0, 10.0, 10.0, 1, 5);
	add_box(terrain, 2.0, 2.0, 8.0, 8.0, 2, 4);
	add_box(terrain, 4.0, 4.0, 20.0, 6.0, 9, 5);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){3.0, 3.0}), 1);
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){5.0, 5.0}), 9);
	assert_int_equal(nc_terrain_get_type(terrain, (NcVec2){15.0, 5.0}), 9);
	nc_terrain_destroy(terrain);
}

static void edits_wait_for_the_update(void** state)
{
	(void)state;
	NcTerrain* terrain = create_terrain();
	NcVec2 p = {5.0, 5.0};
	assert_int_equal(nc_terrain_get_revision(terrain), 1);
	NcRegionId id = add_box(terrain, 0.0, 0.0, 10.0, 10.0, 3, 0);
	assert_int_equal(nc_terrain_get_type(terrain, p), NC_TERRAIN_GROUND);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	assert_int_equal(nc_terrain_get_revision(terrain), 2);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	assert_int_equal(nc_terrain_get_revision(terrain), 2);

	NcRegion region;
	assert_true(nc_terrain_get_region(terrain, id, &region));
	NcVec2 points[4];
	memcpy(points, region.points, sizeof(points));
	NcRegion changed = {.points = points, .point_count = 4, .type = 7};
	assert_int_equal(nc_terrain_set_region(terrain, id, &changed, NULL), NC_OK);
	assert_int_equal(nc_terrain_get_type(terrain, p), 3);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	assert_int_equal(nc_terrain_get_type(terrain, p), 7);

	assert_int_equal(nc_terrain_remove_region(terrain, id), NC_OK);
	assert_false(nc_terrain_has_region(terrain, id));
	assert_int_equal(nc_terrain_get_type(terrain, p), 7);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	assert_int_equal(nc_terrain_get_type(terrain, p), NC_TERRAIN_GROUND);
	assert_int_equal(nc_terrain_get_region_count(terrain), 0);
	nc_terrain_destroy(terrain);
}

static void stale_ids_are_recognized(void** state)
{
	(void)state;
	NcTerrain* terrain = create_terrain();
	NcRegionId old = add_box(terrain, 0.0, 0.0, 1.0, 1.0, 1, 0);
	assert_int_equal(nc_terrain_remove_region(terrain, old), NC_OK);
	NcRegionId fresh = add_box(terrain, 0.0, 0.0, 1.0, 1.0, 1, 0);
	assert_int_equal(fresh.index, old.index);
	assert_false(nc_terrain_has_region(terrain, old));
	assert_true(nc_terrain_has_region(terrain, fresh));
	assert_int_equal(nc_terrain_remove_region(terrain, old), NC_NOT_FOUND);
	assert_int_equal(nc_terrain_remove_region(terrain, (NcRegionId){0}), NC_NOT_FOUND);
	assert_int_equal(nc_terrain_remove_region(terrain, (NcRegionId){99, 1}), NC_NOT_FOUND);
	nc_terrain_destroy(terrain);
}

static void bad_regions_are_refused_with_a_reason(void** state)
{
	(void)state;
	NcTerrain* terrain = create_terrain();
	NcVec2 points[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
	int bad_counts[2] = {3, 1};
	int wrong_sum[1] = {3};
	NcVec2 not_numbers[3] = {{0, 0}, {1, NOT_A_NUMBER}, {1, 1}};
	NcVec2 infinite[3] = {{0, 0}, {1, 0}, {HUGE_VAL, 1}};
	struct
	{
		NcRegion region;
		int item;
	} cases[] = {
		{{.points = points, .point_count = 2}, 0},
		{{.points = points, .point_count = 0}, 0},
		{{.points = points, .point_count = 4, .ring_counts = bad_counts, .ring_count = 2}, 1},
		{{.points = points, .point_count = 4, .ring_counts = wrong_sum, .ring_count = 1}, -1},
		{{.points = points, .point_count = 4, .type = -1}, -1},
		{{.points = points, .point_count = 4, .type = NC_TERRAIN_TYPE_COUNT}, -1},
		{{.points = not_numbers, .point_count = 3}, 1},
		{{.points = infinite, .point_count = 3}, 2},
	};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		NcRegionId id = {7, 7};
		NcError error = {0};
		NcStatus status = nc_terrain_add_region(terrain, &cases[i].region, &id, &error);
		assert_in_round(status == NC_INVALID_INPUT, i);
		assert_in_round(error.item == cases[i].item && error.reason != NULL, i);
		assert_in_round(id.index == 0 && id.generation == 0, i);
	}
	assert_int_equal(nc_terrain_get_region_count(terrain), 0);
	nc_terrain_destroy(terrain);
}

static void bad_weights_are_refused_with_the_type(void** state)
{
	(void)state;
	double bad[] = {0.0, -1.0, NOT_A_NUMBER, -HUGE_VAL};
	NcTerrainProfile profile = nc_default_terrain_profile();
	profile.weights[4] = NC_TERRAIN_BLOCKED;
	assert_int_equal(nc_terrain_profile_check(&profile, NULL), NC_OK);
	for (int i = 0; i < NC_COUNT(bad); ++i)
	{
		NcError error = {0};
		profile.weights[9] = bad[i];
		assert_in_round(nc_terrain_profile_check(&profile, &error) == NC_INVALID_INPUT, i);
		assert_in_round(error.item == 9, i);
	}
}

static void costs_of_a_walk_over_two_boxes_are_known(void** state)
{
	(void)state;
	NcTerrain* terrain = create_terrain();
	add_box(terrain, 0.0, -5.0, 10.0, 5.0, 1, 0);
	add_box(terrain, 5.0, -5.0, 20.0, 5.0, 2, 1);
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	NcTerrainProfile profile = nc_default_terrain_profile();
	profile.weights[1] = 3.0;
	profile.weights[2] = 0.5;
	// 10 on the ground, 5 on type 1, 15 on type 2, 10 on the ground.
	NcVec2 a = {-10.0, 1.0}, b = {30.0, 1.0};
	assert_near(nc_terrain_compute_cost(terrain, &profile, a, b), 20.0 + 15.0 + 7.5, 1e-12);
	assert_near(nc_terrain_compute_cost(terrain, &profile, b, a), 42.5, 1e-12);
	assert_near(nc_terrain_compute_cost(terrain, &profile, a, a), 0.0, 0.0);
	NcTerrainStretch stretches[4];
	assert_int_equal(nc_terrain_cut_segment(terrain, a, b, stretches, 4), 4);
	assert_int_equal(stretches[1].type, 1);
	assert_near(stretches[1].begin, 0.25, 1e-15);
	assert_near(stretches[1].end, 0.375, 1e-15);
	profile.weights[2] = NC_TERRAIN_BLOCKED;
	assert_true(nc_terrain_compute_cost(terrain, &profile, a, b) == HUGE_VAL);
	NcVec2 c = {4.0, 4.0};
	assert_near(nc_terrain_compute_cost(terrain, &profile, (NcVec2){4.0, 0.0}, c), 12.0, 1e-12);
	nc_terrain_destroy(terrain);
}

static void random_points_have_the_type_of_the_slow_way(void** state)
{
	(void)state;
	uint64_t seed = 4101;
	static Plan plan;
	int asked = 0;
	for (int round = 0; round < 60; ++round)
	{
		make_plan(&plan, &seed, random_int(&seed, 1, MAX_REGIONS), round % 3 ? 0.37 : 10.0);
		NcTerrain* terrain = create_planned(&plan, NULL);
		for (int i = 0; i < 500; ++i)
		{
			NcVec2 p = random_vec2(&seed, (NcBox){{-55.0, -55.0}, {55.0, 55.0}});
			if (i % 5 == 0)
			{
				p = (NcVec2){floor(p.x), floor(p.y)};
			}
			if (compute_border_distance(&plan, p) > 1e-9)
			{
				++asked;
				assert_in_round(
					nc_terrain_get_type(terrain, p) == find_type_slowly(&plan, p), round);
			}
		}
		nc_terrain_destroy(terrain);
	}
	assert_true(asked > 25000);
}

static void random_segments_measure_as_the_slow_way(void** state)
{
	(void)state;
	uint64_t seed = 4102;
	static Plan plan;
	for (int round = 0; round < 60; ++round)
	{
		make_plan(&plan, &seed, random_int(&seed, 1, MAX_REGIONS), round % 3 ? 0.37 : 10.0);
		NcTerrain* terrain = create_planned(&plan, NULL);
		NcTerrainProfile profile = nc_default_terrain_profile();
		for (int i = 0; i < 8; ++i)
		{
			profile.weights[i] = random_between(&seed, 0.1, 9.0);
		}
		for (int i = 0; i < 200; ++i)
		{
			NcBox box = {{-65.0, -65.0}, {65.0, 65.0}};
			NcVec2 a = random_vec2(&seed, box);
			NcVec2 b = random_vec2(&seed, box);
			a = i % 4 == 0 ? plan.points[0][i % 3] : a; // a corner of a region
			b = i % 8 == 0 ? (NcVec2){a.x, b.y} : b;
			a.x += i % 8 == 0 ? 0.05 : 0.0; // but not along a border, which has no type
			b.x += i % 8 == 0 ? 0.05 : 0.0;
			double expected[NC_TERRAIN_TYPE_COUNT];
			double measured[NC_TERRAIN_TYPE_COUNT];
			measure_slowly(&plan, a, b, expected);
			nc_terrain_measure_segment(terrain, a, b, measured);
			double cost = 0.0;
			for (int t = 0; t < NC_TERRAIN_TYPE_COUNT; ++t)
			{
				assert_in_round(fabs(measured[t] - expected[t]) < 1e-9, round);
				cost += profile.weights[t] * expected[t];
			}
			double computed = nc_terrain_compute_cost(terrain, &profile, a, b);
			assert_in_round(fabs(computed - cost) < 1e-8, round);
		}
		nc_terrain_destroy(terrain);
	}
}

static void a_walk_over_many_borders_in_one_place_is_measured(void** state)
{
	(void)state;
	// Two hundred stripes that are far thinner than a cell, next to one huge region.
	NcTerrain* terrain = create_terrain();
	add_box(terrain, -1e5, -1e5, 1e5, -1e4, 2, 0);
	for (int i = 0; i < 200; ++i)
	{
		add_box(terrain, 0.02 * i, -1.0, 0.02 * i + 0.01, 1.0, 1, 0);
	}
	assert_int_equal(nc_terrain_update(terrain), NC_OK);
	double lengths[NC_TERRAIN_TYPE_COUNT];
	nc_terrain_measure_segment(terrain, (NcVec2){-1.0, 0.3}, (NcVec2){5.0, -0.2}, lengths);
	double whole = nc_distance((NcVec2){-1.0, 0.3}, (NcVec2){5.0, -0.2});
	assert_near(lengths[1], whole * 2.0 / 6.0, 1e-9);
	assert_near(lengths[0], whole * 4.0 / 6.0, 1e-9);
	nc_terrain_destroy(terrain);
}

static void answers_do_not_depend_on_the_order_of_edits(void** state)
{
	(void)state;
	uint64_t seed = 4103;
	static Plan plan;
	for (int round = 0; round < 20; ++round)
	{
		int order[MAX_REGIONS];
		make_plan(&plan, &seed, MAX_REGIONS, 0.37);
		for (int i = 0; i < plan.count; ++i)
		{
			order[i] = i;
		}
		NcTerrain* first = create_planned(&plan, NULL);
		shuffle(&seed, order, plan.count);
		NcTerrain* second = create_planned(&plan, order);
		NcTerrainProfile profile = nc_default_terrain_profile();
		profile.weights[1] = 7.3;
		for (int i = 0; i < 100; ++i)
		{
			NcVec2 a = random_vec2(&seed, (NcBox){{-60.0, -60.0}, {60.0, 60.0}});
			NcVec2 b = random_vec2(&seed, (NcBox){{-60.0, -60.0}, {60.0, 60.0}});
			double p = nc_terrain_compute_cost(first, &profile, a, b);
			double q = nc_terrain_compute_cost(second, &profile, a, b);
			assert_in_round(p == q, round);
		}
		nc_terrain_destroy(first);
		nc_terrain_destroy(second);
	}
}

static void an_update_without_memory_changes_nothing(void** state)
{
	(void)state;
	for (int fail_at = 0; fail_at < 60; ++fail_at)
	{
		NcTerrain* terrain = create_terrain();
		NcRegionId id = add_box(terrain, 0.0, 0.0, 10.0, 10.0, 3, 0);
		assert_int_equal(nc_terrain_update(terrain), NC_OK);
		FailingAllocator allocator = {.first_fail = fail_at};
		nc_set_allocator(allocate_or_fail, &allocator);
		NcVec2 points[3] = {{0, 0}, {50, 0}, {50, 50}};
		NcRegion region = {.points = points, .point_count = 3, .type = 5, .priority = 9};
		NcRegionId other;
		NcStatus added = nc_terrain_add_region(terrain, &region, &other, NULL);
		NcStatus set = nc_terrain_set_region(terrain, id, &region, NULL);
		NcStatus updated = nc_terrain_update(terrain);
		nc_set_allocator(NULL, NULL);
		NcVec2 p = {2.0, 8.0};
		if (updated == NC_OK && set == NC_OK)
		{
			assert_int_equal(nc_terrain_get_type(terrain, p), NC_TERRAIN_GROUND);
		}
		else
		{
			assert_int_equal(nc_terrain_get_type(terrain, p), 3);
			assert_true(set == NC_OUT_OF_MEMORY || updated == NC_OUT_OF_MEMORY);
		}
		assert_int_equal(nc_terrain_get_region_count(terrain), added == NC_OK ? 2 : 1);
		assert_int_equal(nc_terrain_update(terrain), NC_OK);
		nc_terrain_destroy(terrain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(points_outside_of_all_regions_are_ground),
		TEST(the_highest_priority_is_seen_and_then_the_highest_type),
		TEST(edits_wait_for_the_update),
		TEST(stale_ids_are_recognized),
		TEST(bad_regions_are_refused_with_a_reason),
		TEST(bad_weights_are_refused_with_the_type),
		TEST(costs_of_a_walk_over_two_boxes_are_known),
		TEST(random_points_have_the_type_of_the_slow_way),
		TEST(random_segments_measure_as_the_slow_way),
		TEST(a_walk_over_many_borders_in_one_place_is_measured),
		TEST(answers_do_not_depend_on_the_order_of_edits),
		TEST(an_update_without_memory_changes_nothing),
	};
	return cmocka_run_group_tests_name("terrain", tests, NULL, NULL);
}
