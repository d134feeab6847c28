// SPDX-License-Identifier: MIT

// Point location against brute force: what is nearest, what is free, where a point retracts to, and
// whether a disc can walk straight.

#include "test.h"

#include "locate.h"

static int compute_cover(const NcSnap* snap, NcVec2 p)
{
	int cover = snap->outer_cover;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		cover += compute_step(
			nc_half_start(snap, 2 * f), nc_half_end(snap, 2 * f), snap->fragments.data[f].solid, p);
	}
	return cover;
}

// A place inside or around of the world, sometimes on a vertex or on a wall.
static NcVec2 choose_place(uint64_t* seed, const NcSnap* snap, NcBox box)
{
	int kind = random_int(seed, 0, 9);
	if (kind == 0)
	{
		int v = random_int(seed, 0, snap->vertices.count - 1);
		return nc_point_to_vec2(snap->vertices.data[v].point);
	}
	if (kind == 1)
	{
		int f = random_int(seed, 0, snap->fragments.count - 1);
		NcVec2 a = nc_point_to_vec2(nc_half_start(snap, 2 * f));
		return nc_lerp(
			a, nc_point_to_vec2(nc_half_end(snap, 2 * f)), random_between(seed, 0.0, 1.0));
	}
	return random_vec2(seed, nc_box_grow(box, 0.2 * box.upper.x));
}

static void nearest_is_that_of_brute_force(void** state)
{
	(void)state;
	uint64_t seed = 141;
	static World world;
	int free_counts[2] = {0};
	for (int round = 0; round < 140; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		double unit = 1e-9 * (1.0 + world.def.box.upper.x);
		for (int i = 0; i < 100; ++i)
		{
			NcVec2 p = choose_place(&seed, &diagram.snap, world.def.box);
			NcNearest nearest;
			assert_in_round(nc_locate_nearest(&diagram, p, &nearest), round);
			double expected = compute_brute_distance(&diagram.snap, p);
			assert_in_round(fabs(nearest.distance - expected) < unit, round);
			double foot_distance = compute_brute_distance(&diagram.snap, nearest.foot);
			assert_in_round(foot_distance < unit, round);
			assert_in_round(fabs(nc_distance(p, nearest.foot) - expected) < unit, round);
			if (expected > 1e-3)
			{
				bool is_free = compute_cover(&diagram.snap, p) <= 0;
				++free_counts[is_free];
				assert_in_round(nearest.is_free == is_free, round);
				assert_in_round(
					!is_free || nc_feature_exists(&diagram.sites, nearest.feature), round);
			}
		}
		nc_diagram_free(&diagram);
	}
	assert_true(free_counts[0] > 1000 && free_counts[1] > 1000);
}

static void retractions_lie_on_the_medial_axis(void** state)
{
	(void)state;
	uint64_t seed = 142;
	static World world;
	int count = 0;
	for (int round = 0; round < 140; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		double tolerance = 2.0 * get_place_tolerance(&world);
		for (int i = 0; i < 60; ++i)
		{
			NcVec2 p = random_vec2(&seed, world.def.box);
			NcNearest nearest;
			NcRetraction retraction;
			nc_locate_nearest(&diagram, p, &nearest);
			if (!nearest.is_free || nearest.distance < 1.0)
			{
				continue;
			}
			++count;
			assert_in_round(nc_locate_retraction(&diagram, &nearest, &retraction), round);
			NcVec2 q = retraction.position;
			double distance = compute_brute_distance(&diagram.snap, q);
			assert_in_round(fabs(distance - retraction.clearance) < tolerance, round);
			assert_in_round(retraction.clearance >= nearest.distance - tolerance, round);

			// Straight away from the foot, and as far from the other neighbour.
			double away = nc_cross(nc_normalize(nc_sub(p, nearest.foot)), nc_sub(q, nearest.foot));
			assert_in_round(fabs(away) < tolerance + 1e-6 * retraction.clearance, round);
			NcFeature other = diagram.records.data[retraction.piece].neighbor;
			NcVec2 foot = nc_diagram_compute_foot(&diagram, other, q);
			assert_in_round(fabs(nc_distance(q, foot) - retraction.clearance) < tolerance, round);
			assert_in_round(nc_piece_twin(&diagram, retraction.piece) != NC_NULL_INDEX, round);
		}
		nc_diagram_free(&diagram);
	}
	assert_true(count > 1500);
}

#define SAMPLES 200

static void straight_walks_are_those_of_dense_samples(void** state)
{
	(void)state;
	uint64_t seed = 143;
	static World world;
	int counts[2] = {0};
	for (int round = 0; round < 70; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		double size = world.def.box.upper.x;
		for (int i = 0; i < 20; ++i)
		{
			NcVec2 a = random_vec2(&seed, world.def.box);
			NcVec2 d = nc_direction(random_between(&seed, 0.0, 6.3));
			NcVec2 b = nc_mul_add(a, random_between(&seed, 0.0, 0.4) * size, d);
			double radius = i % 3 == 0 ? 0.0 : random_between(&seed, 0.0, 0.1) * size;
			double least = HUGE_VAL;
			bool is_free = true;
			for (int k = 0; k <= SAMPLES; ++k)
			{
				NcVec2 p = nc_lerp(a, b, (double)k / SAMPLES);
				least = nc_min(least, compute_brute_distance(&diagram.snap, p));
				is_free = is_free && compute_cover(&diagram.snap, p) <= 0;
			}
			bool can_walk = nc_locate_is_segment_free(&diagram, a, b, radius);
			++counts[can_walk];

			// Between two samples the distance falls by at most half of their distance.
			double step = nc_distance(a, b) / SAMPLES;
			assert_in_round(!can_walk || (is_free && least > radius - 1e-6 * size), round);
			assert_in_round(can_walk || !is_free || least < radius + 0.51 * step + 1e-6, round);
		}
		nc_diagram_free(&diagram);
	}
	assert_true(counts[0] > 200 && counts[1] > 200);
}

static void points_on_walls_belong_to_their_free_side(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_ring(&world, (NcPoint[]){{20, 20}, {40, 20}, {40, 40}, {20, 40}}, 4);
	world_add_wall(&world, (NcPoint){70, 30}, (NcPoint){70, 60});
	world_add_wall(&world, (NcPoint){90, 90}, (NcPoint){90, 90});
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	NcVec2 places[] = {{30, 20}, {20, 20}, {40, 30}, {0, 50}, {0, 0}, {70, 45}, {70, 60}, {90, 90}};
	for (int i = 0; i < NC_COUNT(places); ++i)
	{
		NcNearest nearest;
		NcRetraction retraction;
		assert_in_round(nc_locate_nearest(&diagram, places[i], &nearest), i);
		assert_in_round(nearest.distance == 0.0 && nearest.is_free, i);
		assert_in_round(nc_locate_retraction(&diagram, &nearest, &retraction), i);
		assert_in_round(isfinite(retraction.position.x + retraction.clearance), i);
	}
	nc_diagram_free(&diagram);
}

static void places_far_outside_are_not_free(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	NcVec2 places[] = {{-1, 50}, {101, 50}, {1e8, 1e8}, {-1e8, 50}, {50, -1e8}, {-0.001, -0.001}};
	for (int i = 0; i < NC_COUNT(places); ++i)
	{
		NcNearest nearest;
		assert_in_round(nc_locate_nearest(&diagram, places[i], &nearest), i);
		assert_in_round(!nearest.is_free, i);
		assert_in_round(
			!nc_locate_is_segment_free(&diagram, places[i], (NcVec2){50.0, 50.0}, 0.0), i);
	}
	nc_diagram_free(&diagram);
}

static void discs_may_touch_but_not_pass(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_wall(&world, (NcPoint){50, 0}, (NcPoint){50, 40});
	world_add_wall(&world, (NcPoint){50, 60}, (NcPoint){50, 100});
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	NcVec2 a = {20.0, 50.0};
	NcVec2 b = {80.0, 50.0};
	assert_true(nc_locate_is_segment_free(&diagram, a, b, 0.0));
	assert_true(nc_locate_is_segment_free(&diagram, a, b, 10.0));
	assert_false(nc_locate_is_segment_free(&diagram, a, b, 10.0001));
	assert_false(nc_locate_is_segment_free(&diagram, a, (NcVec2){80.0, 20.0}, 0.0));
	assert_true(nc_locate_is_segment_free(&diagram, a, a, 20.0));
	assert_false(nc_locate_is_segment_free(&diagram, a, a, 20.1));

	// Along a wall a point of no size must not slip through its end.
	NcVec2 c = {50.0, 50.0};
	assert_false(nc_locate_is_segment_free(&diagram, c, (NcVec2){50.0, 30.0}, 0.0));
	nc_diagram_free(&diagram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nearest_is_that_of_brute_force),
		TEST(retractions_lie_on_the_medial_axis),
		TEST(straight_walks_are_those_of_dense_samples),
		TEST(points_on_walls_belong_to_their_free_side),
		TEST(places_far_outside_are_not_free),
		TEST(discs_may_touch_but_not_pass),
	};
	return cmocka_run_group_tests_name("locate", tests, NULL, NULL);
}
