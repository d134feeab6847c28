// SPDX-License-Identifier: MIT

// The stitched diagram: every junction is the centre of an empty disc that touches all its
// neighbours, every border has two sides, and the whole is a plane graph.

#include "test.h"

#include "test_diagram.h"
#include "test_edits.h"

static void random_diagrams_are_right(void** state)
{
	(void)state;
	uint64_t seed = 91;
	static World world;
	for (int round = 0; round < 210; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		require_pieces(&diagram, round);
		require_junctions(&diagram, get_place_tolerance(&world), round);
		require_plane(&diagram, round);
		nc_diagram_free(&diagram);
	}
}

// Count the borders that two neighbours disagree on, over many worlds. Coarse lattices are where
// everything is equally far from everything.
static int count_unresolved(uint64_t seed, int range, int step, int rounds)
{
	static World world;
	int count = 0;
	for (int round = 0; round < rounds; ++round)
	{
		world_init(
			&world, (NcPoint){-range - step, -range - step}, (NcPoint){range + step, range + step});
		world_add_random(&world, &seed, 14, range, step);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		int unresolved_count = nc_diagram_count_unresolved(&diagram);
		if (unresolved_count != 0)
		{
			print_error("range %d, step %d, round %d: %d unresolved\n", range, step, round,
				unresolved_count);
		}
		count += unresolved_count != 0;
		nc_diagram_free(&diagram);
	}
	return count;
}

static void neighbours_agree_on_every_border_on_coarse_lattices(void** state)
{
	(void)state;
	assert_int_equal(count_unresolved(92, 100, 10, 800), 0);
	assert_int_equal(count_unresolved(93, 100, 25, 800), 0);
	assert_int_equal(count_unresolved(94, 2048, 256, 800), 0);
}

static void neighbours_agree_on_every_border_on_fine_lattices(void** state)
{
	(void)state;
	assert_int_equal(count_unresolved(95, 40, 1, 400), 0);
	assert_int_equal(count_unresolved(96, 3000, 1, 400), 0);
	assert_int_equal(count_unresolved(97, NC_MAX_COORDINATE - 8, 1, 200), 0);
}

// Rounding bends walls where others cross them: a little in small worlds, and by angles that hardly
// exist in large ones.
static void neighbours_agree_on_every_border_on_lattices_of_the_largest_size(void** state)
{
	(void)state;
	assert_int_equal(count_unresolved(98, 28000000, 4000000, 400), 0);
}

static void neighbours_agree_on_every_border_where_walkable_areas_cross_long_walls(void** state)
{
	(void)state;
	uint64_t seed = 99;
	static World world;
	int count = 0;
	for (int round = 0; round < 200; ++round)
	{
		int range = 8000000;
		world_init(&world, (NcPoint){-range, -range}, (NcPoint){range, range});
		world_add_random(&world, &seed, 14, range, 1);
		world_add_walkable(&world, &seed, 6, range, 1);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		count += nc_diagram_count_unresolved(&diagram) != 0;
		nc_diagram_free(&diagram);
	}
	assert_int_equal(count, 0);
}

// Examples.

static void require_shape_of(const World* world, int junction_count, int piece_count)
{
	NcDiagram diagram;
	world_build_diagram(world, &diagram);
	int linked_count = 0;
	for (int p = 0; p < diagram.records.count; ++p)
	{
		linked_count += nc_piece_is_linked(&diagram, p);
	}
	assert_int_equal(nc_diagram_count_unresolved(&diagram), 0);
	assert_int_equal(diagram.junctions.count, junction_count);
	assert_int_equal(linked_count, 2 * piece_count);
	require_pieces(&diagram, 0);
	require_junctions(&diagram, get_place_tolerance(world), 0);
	require_plane(&diagram, 0);
	nc_diagram_free(&diagram);
}

static void square_has_one_crossing_of_four(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	require_shape_of(&world, 5, 4);
}

static void rectangle_has_a_ridge(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){300, 100});
	require_shape_of(&world, 6, 5);
}

static void smallest_world_has_a_diagram(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){1, 1});
	require_shape_of(&world, 5, 4);
}

static void largest_world_has_a_diagram(void** state)
{
	(void)state;
	World world;
	int m = NC_MAX_COORDINATE - 1;
	world_init(&world, (NcPoint){-m, -m}, (NcPoint){m, m});
	require_shape_of(&world, 5, 4);
	world_add_wall(&world, (NcPoint){0, 0}, (NcPoint){0, 0});
	require_shape_of(&world, 8, 8);
}

static void point_in_a_square_is_surrounded_by_a_loop(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){-100, -100}, (NcPoint){100, 100});
	world_add_wall(&world, (NcPoint){0, 0}, (NcPoint){0, 0});
	require_shape_of(&world, 8, 8);
}

static void cocircular_points_meet_in_one_junction(void** state)
{
	(void)state;
	// Twelve points on a circle of radius 65 around the origin, far from the bounds.
	static const NcPoint points[] = {{65, 0}, {63, 16}, {52, 39}, {33, 56}, {0, 65}, {-33, 56},
		{-63, 16}, {-65, 0}, {-52, -39}, {-16, -63}, {16, -63}, {56, -33}};
	World world;
	world_init(&world, (NcPoint){-5000, -5000}, (NcPoint){5000, 5000});
	for (int i = 0; i < NC_COUNT(points); ++i)
	{
		world_add_wall(&world, points[i], points[i]);
	}
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	int found_count = 0;
	for (int i = 0; i < diagram.junctions.count; ++i)
	{
		const NcJunction* junction = &diagram.junctions.data[i];
		if (nc_length(junction->position) < 1.0)
		{
			++found_count;
			assert_int_equal(junction->degree, NC_COUNT(points));
			assert_near(junction->clearance, 65.0, 1e-6);
		}
	}
	assert_int_equal(found_count, 1);
	assert_int_equal(nc_diagram_count_unresolved(&diagram), 0);
	nc_diagram_free(&diagram);
}

static void star_has_a_bisector_in_every_gap(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){-5000, -5000}, (NcPoint){5000, 5000});
	for (int i = 0; i < 24; ++i)
	{
		NcVec2 d = nc_direction(i * 3.14159265358979 / 12.0);
		NcPoint tip = {(int)floor(1000.0 * d.x + 0.5), (int)floor(1000.0 * d.y + 0.5)};
		world_add_wall(&world, (NcPoint){0, 0}, tip);
	}
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	int dead_end_count = 0;
	for (int i = 0; i < diagram.junctions.count; ++i)
	{
		const NcJunction* junction = &diagram.junctions.data[i];
		dead_end_count += junction->degree == 1 && nc_length(junction->position) < 1.0;
	}
	assert_int_equal(dead_end_count, 24);
	require_plane(&diagram, 0);
	nc_diagram_free(&diagram);
}

static void covered_world_has_an_empty_diagram(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_ring(&world, (NcPoint[]){{0, 0}, {100, 0}, {100, 100}, {0, 100}}, 4);
	require_shape_of(&world, 0, 0);
}

static void feet_are_the_nearest_points_of_features(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	for (int half = 0; half < 8; ++half)
	{
		NcVec2 foot =
			nc_diagram_compute_foot(&diagram, nc_side_feature(half), (NcVec2){30.0, 60.0});
		NcVec2 a = nc_point_to_vec2(nc_half_start(&diagram.snap, half));
		NcVec2 b = nc_point_to_vec2(nc_half_end(&diagram.snap, half));
		assert_vec2(foot, a.x == b.x ? a.x : 30.0, a.y == b.y ? a.y : 60.0, 1e-12);
	}
	nc_diagram_free(&diagram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_diagrams_are_right),
		TEST(neighbours_agree_on_every_border_on_coarse_lattices),
		TEST(neighbours_agree_on_every_border_on_fine_lattices),
		TEST(neighbours_agree_on_every_border_on_lattices_of_the_largest_size),
		TEST(neighbours_agree_on_every_border_where_walkable_areas_cross_long_walls),
		TEST(square_has_one_crossing_of_four),
		TEST(rectangle_has_a_ridge),
		TEST(smallest_world_has_a_diagram),
		TEST(largest_world_has_a_diagram),
		TEST(point_in_a_square_is_surrounded_by_a_loop),
		TEST(cocircular_points_meet_in_one_junction),
		TEST(star_has_a_bisector_in_every_gap),
		TEST(covered_world_has_an_empty_diagram),
		TEST(feet_are_the_nearest_points_of_features),
	};
	return cmocka_run_group_tests_name("diagram", tests, NULL, NULL);
}
