// SPDX-License-Identifier: MIT

// Arcs: lengths against fine polylines, smallest clearances against samples, polylines against
// their tolerance; for arcs made by hand and for all arcs of random diagrams.

#include "test.h"

#include "arc.h"

#define FINE_PARTS 2000

// The parabola with the focus in (0, height) and its side on the x-axis, between two places.
static NcArc make_parabola(double height, double t0, double t1)
{
	double h0 = (t0 * t0 + height * height) / (2.0 * height);
	double h1 = (t1 * t1 + height * height) / (2.0 * height);
	return (NcArc){
		.kind = NC_ARC_PARABOLA,
		.ends = {{t0, h0}, {t1, h1}},
		.clearances = {h0, h1},
		.corner = {0.0, height},
		.axis = {1.0, 0.0},
		.normal = {0.0, 1.0},
		.height = height,
	};
}

static double measure_polyline(const NcArc* arc, int parts)
{
	double length = 0.0;
	for (int i = 0; i < parts; ++i)
	{
		length += nc_distance(nc_arc_get_point(arc, i, parts), nc_arc_get_point(arc, i + 1, parts));
	}
	return length;
}

static void points_of_a_parabola_lie_on_it(void** state)
{
	(void)state;
	NcArc arc = make_parabola(3.0, -7.0, 11.0);
	for (int i = 0; i <= 100; ++i)
	{
		NcVec2 p = nc_arc_get_point(&arc, i, 100);
		assert_near(p.x, -7.0 + 18.0 * i / 100.0, 1e-12);
		assert_near(nc_distance(p, arc.corner), p.y, 1e-12);
	}
	assert_vec2(nc_arc_get_point(&arc, 0, 100), arc.ends[0].x, arc.ends[0].y, 0.0);
	assert_vec2(nc_arc_get_point(&arc, 100, 100), arc.ends[1].x, arc.ends[1].y, 0.0);
	assert_vec2(nc_arc_get_point(&arc, 1, 1), arc.ends[1].x, arc.ends[1].y, 0.0);
}

static void length_of_a_parabola_is_its_integral(void** state)
{
	(void)state;
	// From its lowest point to the slope u: y/2 (u sqrt(1 + u^2) + asinh u).
	uint64_t seed = 101;
	for (int round = 0; round < 1000; ++round)
	{
		double height = exp(random_between(&seed, -5.0, 12.0));
		double u0 = random_between(&seed, -1.0, 1.0) * exp(random_between(&seed, -6.0, 6.0));
		double u1 = random_between(&seed, -1.0, 1.0) * exp(random_between(&seed, -6.0, 6.0));
		NcArc arc = make_parabola(height, u0 * height, u1 * height);
		double before = u0 * sqrt(1.0 + u0 * u0) + asinh(u0);
		double after = u1 * sqrt(1.0 + u1 * u1) + asinh(u1);
		double expected = 0.5 * height * fabs(after - before);
		double scale = 0.5 * height * (fabs(after) + fabs(before));
		assert_near(nc_arc_compute_length(&arc), expected, 1e-13 * scale);
	}
}

static void lowest_point_of_a_parabola_is_below_its_focus(void** state)
{
	(void)state;
	NcVec2 position;
	NcArc arc = make_parabola(4.0, -3.0, 5.0);
	assert_near(nc_arc_find_min(&arc, &position), 2.0, 1e-15);
	assert_vec2(position, 0.0, 2.0, 1e-15);

	arc = make_parabola(4.0, 3.0, 5.0);
	assert_near(nc_arc_find_min(&arc, &position), arc.clearances[0], 0.0);
	assert_vec2(position, arc.ends[0].x, arc.ends[0].y, 0.0);

	arc = make_parabola(4.0, -3.0, -1.0);
	assert_near(nc_arc_find_min(&arc, &position), arc.clearances[1], 0.0);
	assert_vec2(position, arc.ends[1].x, arc.ends[1].y, 0.0);
}

static void two_corners_are_narrowest_halfway(void** state)
{
	(void)state;
	// Corners in (-3, 0) and (3, 0); the arc is on the y-axis.
	NcArc arc = {.kind = NC_ARC_TWO_CORNERS,
		.ends = {{0.0, -4.0}, {0.0, 4.0}},
		.clearances = {5.0, 5.0},
		.height = 6.0};
	NcVec2 position;
	assert_near(nc_arc_compute_length(&arc), 8.0, 0.0);
	assert_near(nc_arc_find_min(&arc, &position), 3.0, 0.0);
	assert_vec2(position, 0.0, 0.0, 0.0);
	arc.ends[0].y = 0.5;
	arc.clearances[0] = sqrt(9.25);
	assert_near(nc_arc_find_min(&arc, &position), sqrt(9.25), 0.0);
	assert_vec2(position, 0.0, 0.5, 0.0);
	assert_int_equal(nc_arc_count_parts(&arc, 1e-9), 1);
}

// The distance from a point of a parabola to the chords of its polyline.
static void polylines_stay_within_their_tolerance(void** state)
{
	(void)state;
	uint64_t seed = 102;
	for (int round = 0; round < 300; ++round)
	{
		double height = random_between(&seed, 0.1, 100.0);
		NcArc arc = make_parabola(
			height, random_between(&seed, -300.0, 300.0), random_between(&seed, -300.0, 300.0));
		double tolerance = exp(random_between(&seed, -3.0, 2.0));
		int parts = nc_arc_count_parts(&arc, tolerance);
		assert_in_round(parts >= 1 && parts <= 256, round);
		if (parts == 256)
		{
			continue; // As many as there ever are: no promise.
		}
		for (int i = 0; i < 10 * parts; ++i)
		{
			NcVec2 p = nc_arc_get_point(&arc, i, 10 * parts);
			NcVec2 a = nc_arc_get_point(&arc, i / 10, parts);
			NcVec2 b = nc_arc_get_point(&arc, i / 10 + 1, parts);
			double distance = nc_distance(p, nc_closest_on_segment(p, a, b));
			assert_in_round(distance <= tolerance * (1.0 + 1e-9), round);
		}
	}
}

// All arcs of a diagram.

static void require_arc(const NcDiagram* diagram, const World* world, int piece, int round)
{
	NcArc arc = nc_arc_of_piece(diagram, piece);
	double tolerance = get_place_tolerance(world);
	double length = nc_arc_compute_length(&arc);
	double polyline = measure_polyline(&arc, FINE_PARTS);
	assert_in_round(fabs(length - polyline) < 4.0 * tolerance + 1e-4 * polyline, round);

	NcVec2 position;
	double min = nc_arc_find_min(&arc, &position);
	double sampled = HUGE_VAL;
	for (int i = 0; i <= 16; ++i)
	{
		NcVec2 p = nc_arc_get_point(&arc, i, 16);
		double distance = compute_brute_distance(&diagram->snap, p);
		sampled = nc_min(sampled, distance);
		NcVec2 left = nc_diagram_compute_foot(diagram, diagram->records.data[piece].neighbor, p);
		NcVec2 right = nc_diagram_compute_foot(diagram, nc_piece_owner(diagram, piece), p);
		assert_in_round(fabs(nc_distance(p, left) - distance) < 2.0 * tolerance, round);
		assert_in_round(fabs(nc_distance(p, right) - distance) < 2.0 * tolerance, round);
	}
	assert_in_round(min <= sampled + 2.0 * tolerance, round);
	double there = compute_brute_distance(&diagram->snap, position);
	assert_in_round(fabs(there - min) < 2.0 * tolerance, round);

	// The other direction is the same arc.
	NcArc back = nc_arc_of_piece(diagram, nc_piece_twin(diagram, piece));
	assert_in_round(back.kind == arc.kind, round);
	assert_in_round(fabs(nc_arc_compute_length(&back) - length) <= 1e-12 * length, round);
}

static void arcs_of_random_diagrams_are_right(void** state)
{
	(void)state;
	uint64_t seed = 103;
	static World world;
	int kind_counts[3] = {0};
	for (int round = 0; round < 28; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		for (int p = 0; p < diagram.records.count; ++p)
		{
			if (nc_piece_twin(&diagram, p) > p)
			{
				++kind_counts[nc_arc_of_piece(&diagram, p).kind];
				require_arc(&diagram, &world, p, round);
			}
		}
		nc_diagram_free(&diagram);
	}
	assert_true(kind_counts[0] > 100 && kind_counts[1] > 20 && kind_counts[2] > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(points_of_a_parabola_lie_on_it),
		TEST(length_of_a_parabola_is_its_integral),
		TEST(lowest_point_of_a_parabola_is_below_its_focus),
		TEST(two_corners_are_narrowest_halfway),
		TEST(polylines_stay_within_their_tolerance),
		TEST(arcs_of_random_diagrams_are_right),
	};
	return cmocka_run_group_tests_name("arc", tests, NULL, NULL);
}
