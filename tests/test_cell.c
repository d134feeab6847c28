// SPDX-License-Identifier: MIT

// Single cells: their borders are equally far from both neighbours and from nothing nearer.

#include "test.h"

#include "cell.h"

typedef struct Built
{
	NcSnap snap;
	NcSites sites;
	NcCellWorker worker;
} Built;

static void build(const World* world, Built* built)
{
	*built = (Built){0};
	world_build(world, &built->snap);
	assert_true(nc_sites_build(&built->sites, &built->snap, &(NcParallel){0}));
}

static void destroy(Built* built)
{
	nc_cell_worker_free(&built->worker);
	nc_sites_free(&built->sites);
	nc_snap_free(&built->snap);
}

// Compute one cell. @return the number of its pieces
static int compute(Built* built, NcFeature feature)
{
	built->worker.records.count = 0;
	nc_cell_compute(&built->worker, &built->sites, feature);
	assert_false(nc_cell_worker_failed(&built->worker));
	return built->worker.records.count - 1;
}

static double measure(const Built* built, NcFeature feature, NcVec2 p)
{
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return nc_distance(p, built->sites.cones.data[index].apex);
	}
	const NcWall* wall = &built->sites.walls.data[index >> 1];
	return nc_distance(p, nc_closest_on_segment(p, wall->a, wall->b));
}

static int find_vertex(const NcSnap* snap, int x, int y)
{
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		if (nc_point_equals(snap->vertices.data[v].point, (NcPoint){x, y}))
		{
			return v;
		}
	}
	return NC_NULL_INDEX;
}

static void sides_of_a_square_meet_in_its_centre(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	Built built;
	build(&world, &built);
	for (int half = 0; half < 8; ++half)
	{
		if (!nc_side_is_free(&built.snap, half))
		{
			continue;
		}
		// The opposite side touches in one point, which is no piece.
		assert_int_equal(compute(&built, nc_side_feature(half)), 2);
		const NcRecord* r = built.worker.records.data;
		assert_vec2(r[1].position, 50.0, 50.0, 1e-9);
		NcPoint start = nc_half_start(&built.snap, half);
		NcPoint end = nc_half_end(&built.snap, half);
		assert_vec2(r[0].position, start.x, start.y, 1e-9);
		assert_vec2(r[2].position, end.x, end.y, 1e-9);
		assert_int_equal(r[0].neighbor, nc_feature_previous(&built.sites, nc_side_feature(half)));
		assert_int_equal(r[1].neighbor, nc_feature_next(&built.sites, nc_side_feature(half)));
		assert_int_equal(r[2].neighbor, NC_NULL_INDEX);
	}
	destroy(&built);
}

static void points_in_a_square_have_four_parabolas_around(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){-100, -100}, (NcPoint){100, 100});
	world_add_wall(&world, (NcPoint){0, 0}, (NcPoint){0, 0});
	Built built;
	build(&world, &built);
	int vertex = find_vertex(&built.snap, 0, 0);
	assert_int_equal(compute(&built, nc_cone_feature(vertex)), 4);

	// Equally far from the point and from two walls: 100 - x = x sqrt(2).
	double x = 100.0 / (1.0 + sqrt(2.0));
	const NcRecord* r = built.worker.records.data;
	for (int i = 0; i < 4; ++i)
	{
		assert_near(fabs(r[i].position.x), x, 1e-9);
		assert_near(fabs(r[i].position.y), x, 1e-9);
		assert_false(nc_feature_is_cone(r[i].neighbor));

		// The cell is on the right: the walk is clockwise.
		assert_true(nc_cross(r[i].position, r[i + 1].position) < 0.0);
	}
	assert_vec2(r[4].position, r[0].position.x, r[0].position.y, 0.0);
	destroy(&built);
}

static void two_points_share_a_straight_border(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){-1000, -1000}, (NcPoint){1000, 1000});
	world_add_wall(&world, (NcPoint){-10, 0}, (NcPoint){-10, 0});
	world_add_wall(&world, (NcPoint){10, 0}, (NcPoint){10, 0});
	Built built;
	build(&world, &built);
	int left = find_vertex(&built.snap, -10, 0);
	int right = find_vertex(&built.snap, 10, 0);
	int count = compute(&built, nc_cone_feature(left));
	int shared_count = 0;
	for (int i = 0; i < count; ++i)
	{
		const NcRecord* r = &built.worker.records.data[i];
		if (r->neighbor == nc_cone_feature(right))
		{
			++shared_count;
			assert_near(r[0].position.x, 0.0, 1e-9);
			assert_near(r[1].position.x, 0.0, 1e-9);
		}
	}
	assert_int_equal(shared_count, 1);
	destroy(&built);
}

// Whether a piece of a side's border runs forward along the side, tiny ones and rounding aside.
static bool is_rising(const Built* built, NcFeature feature, const NcRecord* r)
{
	int half = nc_feature_index(feature);
	NcVec2 a = nc_point_to_vec2(nc_half_start(&built->snap, half));
	NcVec2 axis = nc_normalize(nc_sub(nc_point_to_vec2(nc_half_end(&built->snap, half)), a));
	return nc_record_is_tiny(r) || nc_dot(nc_sub(r[1].position, r[0].position), axis) > -1e-6;
}

// For every record of a cell: as far from its owner as from both neighbours, and nothing nearer.
static void require_cell(Built* built, const World* world, NcFeature feature, int round)
{
	int count = compute(built, feature);
	const NcRecord* r = built->worker.records.data;
	double tolerance = get_place_tolerance(world);
	for (int i = 0; i <= count && count > 0; ++i)
	{
		NcVec2 p = r[i].position;
		double own = measure(built, feature, p);
		assert_in_round(fabs(own - compute_brute_distance(&built->snap, p)) < tolerance, round);
		assert_in_round((r[i].neighbor == NC_NULL_INDEX) == (i == count), round);
		if (i < count)
		{
			assert_in_round(nc_feature_exists(&built->sites, r[i].neighbor), round);
			assert_in_round(fabs(measure(built, r[i].neighbor, p) - own) < tolerance, round);
			double other = measure(built, r[i].neighbor, r[i + 1].position);
			double end = measure(built, feature, r[i + 1].position);
			assert_in_round(fabs(other - end) < tolerance, round);
			assert_in_round(nc_feature_is_cone(feature) || is_rising(built, feature, &r[i]), round);
			assert_in_round(r[i].neighbor != r[i + 1].neighbor, round);
		}
	}
}

static void borders_of_random_cells_are_equally_far(void** state)
{
	(void)state;
	uint64_t seed = 81;
	static World world;
	for (int round = 0; round < 210; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		Built built;
		build(&world, &built);
		for (int half = 0; half < 2 * built.snap.fragments.count; ++half)
		{
			nc_side_is_free(&built.snap, half)
				? require_cell(&built, &world, nc_side_feature(half), round)
				: (void)0;
		}
		for (int v = 0; v < built.snap.vertices.count; ++v)
		{
			built.sites.has_cone.data[v] ? require_cell(&built, &world, nc_cone_feature(v), round)
										 : (void)0;
		}
		destroy(&built);
	}
}

// Whether a free point is below the border of a side's cell, told by its records alone.
static void points_belong_to_the_cell_of_their_nearest_side(void** state)
{
	(void)state;
	uint64_t seed = 82;
	static World world;
	for (int round = 0; round < 60; ++round)
	{
		world_make_for_diagram(&world, &seed, 2);
		Built built;
		build(&world, &built);
		for (int half = 0; half < 2 * built.snap.fragments.count; ++half)
		{
			if (!nc_side_is_free(&built.snap, half))
			{
				continue;
			}
			int count = compute(&built, nc_side_feature(half));
			NcVec2 a = nc_point_to_vec2(nc_half_start(&built.snap, half));
			NcVec2 b = nc_point_to_vec2(nc_half_end(&built.snap, half));
			NcVec2 axis = nc_normalize(nc_sub(b, a));
			for (int i = 0; i < count; ++i)
			{
				// Nine tenths of the way up at the beginning of each piece is inside the cell.
				const NcRecord* r = &built.worker.records.data[i];
				NcVec2 foot = nc_mul_add(a, nc_dot(nc_sub(r->position, a), axis), axis);
				NcVec2 inside = nc_lerp(foot, r->position, 0.9);
				double distance = compute_brute_distance(&built.snap, inside);
				assert_in_round(fabs(distance - nc_distance(foot, inside)) < 0.03, round);
			}
		}
		destroy(&built);
	}
}

static void running_out_of_memory_is_remembered(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){-100, -100}, (NcPoint){100, 100});
	world_add_wall(&world, (NcPoint){0, 0}, (NcPoint){0, 0});
	Built built;
	build(&world, &built);
	NcFeature feature = nc_cone_feature(find_vertex(&built.snap, 0, 0));
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	nc_cell_compute(&built.worker, &built.sites, feature);
	int needed = allocator.calls;
	int unnoticed_count = 0;
	for (int i = 0; i < needed; ++i)
	{
		nc_cell_worker_free(&built.worker);
		built.worker = (NcCellWorker){0};
		allocator = (FailingAllocator){.first_fail = i};
		nc_cell_compute(&built.worker, &built.sites, feature);
		unnoticed_count += !nc_cell_worker_failed(&built.worker);
	}
	destroy(&built);
	nc_set_allocator(NULL, NULL);
	assert_true(needed >= 5);
	assert_int_equal(unnoticed_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sides_of_a_square_meet_in_its_centre),
		TEST(points_in_a_square_have_four_parabolas_around),
		TEST(two_points_share_a_straight_border),
		TEST(borders_of_random_cells_are_equally_far),
		TEST(points_belong_to_the_cell_of_their_nearest_side),
		TEST(running_out_of_memory_is_remembered),
	};
	return cmocka_run_group_tests_name("cell", tests, NULL, NULL);
}
