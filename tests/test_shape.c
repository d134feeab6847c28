// SPDX-License-Identifier: MIT

// From shapes to edges: what is refused and why, and whether the border that comes out encloses
// what the rings wind around, exactly once.

#include "test.h"

#include "shape.h"

#define SNAP 0.5
#define MAX_POINTS 32

// Checking.

static void bad_shapes_are_refused_with_item_and_reason(void** state)
{
	(void)state;
	static const NcVec2 good[] = {
		{0.0, 0.0}, {4.0, 0.0}, {4.0, 4.0}, {1.0, 1.0}, {2.0, 1.0}, {1.0, 2.0}};
	static const NcVec2 nan_at_1[] = {{0.0, 0.0}, {4.0, NOT_A_NUMBER}, {4.0, 4.0}};
	static const NcVec2 infinite_at_2[] = {{0.0, 0.0}, {4.0, 0.0}, {-HUGE_VAL, 4.0}};
	static const NcVec2 far_at_0[] = {{NC_MAX_COORDINATE * SNAP, 0.0}, {4.0, 0.0}, {4.0, 4.0}};
	static const NcVec2 two_places[] = {{0.0, 0.0}, {4.0, 0.0}, {0.0, 0.0}, {4.0, 0.0}, {0.0, 0.0}};
	struct
	{
		NcShape shape;
		NcStatus status;
		int item;
	} cases[] = {
		{{(NcShapeKind)9, good, 3}, NC_INVALID_INPUT, NC_NULL_INDEX},
		{{(NcShapeKind)-1, good, 3}, NC_INVALID_INPUT, NC_NULL_INDEX},
		{{NC_SHAPE_POINTS, good, 0}, NC_INVALID_INPUT, NC_NULL_INDEX},
		{{NC_SHAPE_CHAIN, NULL, 2}, NC_INVALID_INPUT, NC_NULL_INDEX},
		{{NC_SHAPE_CHAIN, good, -4}, NC_INVALID_INPUT, NC_NULL_INDEX},
		{{NC_SHAPE_CHAIN, good, INT_MAX}, NC_TOO_LARGE, NC_NULL_INDEX},
		{{NC_SHAPE_POINTS, nan_at_1, 3}, NC_INVALID_INPUT, 1},
		{{NC_SHAPE_POLYGON, nan_at_1, 3}, NC_INVALID_INPUT, 1},
		{{NC_SHAPE_CHAIN, infinite_at_2, 3}, NC_INVALID_INPUT, 2},
		{{NC_SHAPE_WALKABLE, far_at_0, 3}, NC_INVALID_INPUT, 0},
		{{NC_SHAPE_POLYGON, good, 2}, NC_INVALID_INPUT, 0},
		{{NC_SHAPE_POLYGON, two_places, 5}, NC_INVALID_INPUT, 0},
		{{NC_SHAPE_POLYGON, good, 6, (int[]){3, 2}, 2}, NC_INVALID_INPUT, 1},
		{{NC_SHAPE_POLYGON, good, 6, (int[]){3, 4}, 2}, NC_INVALID_INPUT, 1},
		{{NC_SHAPE_POLYGON, good, 6, (int[]){7, -1}, 2}, NC_INVALID_INPUT, 0},
		{{NC_SHAPE_POLYGON, good, 6, (int[]){3}, 1}, NC_INVALID_INPUT, 0},
		{{NC_SHAPE_POLYGON, good, 6, (int[]){6}, 0}, NC_INVALID_INPUT, NC_NULL_INDEX},
		{{NC_SHAPE_WALKABLE, good, 6, (int[]){3, INT_MAX}, 2}, NC_INVALID_INPUT, 1},
	};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		NcError error = {0};
		assert_in_round(nc_shape_check(&cases[i].shape, SNAP, &error) == cases[i].status, i);
		assert_in_round(error.status == cases[i].status, i);
		assert_in_round(error.item == cases[i].item, i);
		assert_in_round(error.reason != NULL && strlen(error.reason) > 10, i);
		assert_in_round(nc_shape_check(&cases[i].shape, SNAP, NULL) == cases[i].status, i);
	}
}

static void good_shapes_leave_the_error_alone(void** state)
{
	(void)state;
	static const NcVec2 points[] = {
		{0.0, 0.0}, {4.0, 0.0}, {4.0, 4.0}, {1.0, 1.0}, {2.0, 1.0}, {1.0, 2.0}};
	static const NcVec2 corner[] = {
		{(NC_MAX_COORDINATE - 1) * SNAP, -(NC_MAX_COORDINATE - 1) * SNAP}};
	NcShape shapes[] = {
		{NC_SHAPE_POINTS, points, 1},
		{NC_SHAPE_POINTS, corner, 1},
		{NC_SHAPE_CHAIN, points, 1},
		{NC_SHAPE_CHAIN, points, 2},
		{NC_SHAPE_POLYGON, points, 3},
		{NC_SHAPE_WALKABLE, points, 6, (int[]){3, 3}, 2},
	};
	for (int i = 0; i < NC_COUNT(shapes); ++i)
	{
		NcError error = {.status = NC_NO_DEVICE, .item = 77};
		assert_in_round(nc_shape_check(&shapes[i], SNAP, &error) == NC_OK, i);
		assert_in_round(error.status == NC_NO_DEVICE && error.item == 77, i);
	}
}

// Edges.

static NcEdgeArray make_edges(const NcShape* shape, double snap)
{
	NcEdgeArray edges = {0};
	assert_int_equal(nc_shape_check(shape, snap, NULL), NC_OK);
	assert_int_equal(nc_shape_append_edges(shape, snap, 5, &edges), NC_OK);
	for (int i = 0; i < edges.count; ++i)
	{
		assert_int_equal(edges.data[i].obstacle, 5);
	}
	return edges;
}

static int compute_cover(const NcEdgeArray* edges, NcVec2 p)
{
	int cover = 0;
	for (int i = 0; i < edges->count; ++i)
	{
		const NcEdge* edge = &edges->data[i];
		cover += compute_step(edge->a, edge->b, edge->solid + edge->walkable, p);
	}
	return cover;
}

static int count_thin_edges(const NcEdgeArray* edges)
{
	int count = 0;
	for (int i = 0; i < edges->count; ++i)
	{
		count += edges->data[i].solid == 0 && edges->data[i].walkable == 0;
	}
	return count;
}

static void points_and_chains_become_walls(void** state)
{
	(void)state;
	static const NcVec2 points[] = {{0.0, 0.0}, {0.1, 0.0}, {4.0, 0.0}, {4.0, 4.0}};
	NcShape shape = {NC_SHAPE_POINTS, points, 4};
	NcEdgeArray edges = make_edges(&shape, SNAP);
	assert_int_equal(edges.count, 4);
	assert_true(nc_point_equals(edges.data[3].a, (NcPoint){8, 8}));
	assert_true(nc_point_equals(edges.data[3].b, (NcPoint){8, 8}));
	nc_array_free(&edges);

	// The second point snaps to the first and makes no wall.
	shape.kind = NC_SHAPE_CHAIN;
	edges = make_edges(&shape, SNAP);
	assert_int_equal(edges.count, 2);
	assert_true(nc_point_equals(edges.data[0].a, (NcPoint){0, 0}));
	assert_true(nc_point_equals(edges.data[0].b, (NcPoint){8, 0}));
	assert_int_equal(count_thin_edges(&edges), 2);
	nc_array_free(&edges);

	shape.point_count = 1;
	edges = make_edges(&shape, SNAP);
	assert_int_equal(edges.count, 1);
	nc_array_free(&edges);
}

static void chains_that_collapse_still_block(void** state)
{
	(void)state;
	static const NcVec2 points[] = {{1.0, 1.0}, {1.1, 1.0}, {1.0, 1.1}};
	NcShape shape = {NC_SHAPE_CHAIN, points, 3};
	NcEdgeArray edges = make_edges(&shape, SNAP);
	int count = edges.count;
	bool is_there = count == 1 && nc_point_equals(edges.data[0].a, (NcPoint){2, 2});
	nc_array_free(&edges);
	assert_int_equal(count, 1);
	assert_true(is_there);
}

static void polygons_that_collapse_become_points(void** state)
{
	(void)state;
	static const NcVec2 points[] = {{1.0, 1.0}, {1.1, 1.0}, {1.0, 1.1}};
	NcShape shape = {NC_SHAPE_POLYGON, points, 3};
	NcEdgeArray edges = make_edges(&shape, SNAP);
	assert_int_equal(edges.count, 1);
	assert_true(nc_point_equals(edges.data[0].a, (NcPoint){2, 2}));
	assert_true(nc_point_equals(edges.data[0].b, (NcPoint){2, 2}));
	nc_array_free(&edges);

	// A walkable area that collapses is nothing at all.
	shape.kind = NC_SHAPE_WALKABLE;
	edges = make_edges(&shape, SNAP);
	assert_int_equal(edges.count, 0);
	nc_array_free(&edges);
}

// Rings whose covers are told for some places. Coordinates are snaps.
typedef struct RingCase
{
	NcVec2 points[MAX_POINTS];
	int counts[4];
	int ring_count;
	NcVec2 inside, outside;
	int thin_count;
} RingCase;

static const RingCase ring_cases[] = {
	// A square, clockwise, closed, with a repeated and a collinear point.
	{{{0, 0}, {0, 8}, {0, 8}, {4, 8}, {8, 8}, {8, 0}, {0, 0}}, {7}, 1, {4.3, 4.2}, {9.3, 4.2}, 0},
	// A figure eight: both lobes are inside, though one winds backwards.
	{{{0, 0}, {8, 8}, {8, 0}, {0, 8}}, {4}, 1, {1.1, 4.2}, {4.3, 7.1}, 0},
	{{{0, 0}, {8, 8}, {8, 0}, {0, 8}}, {4}, 1, {7.1, 4.2}, {4.3, 1.1}, 0},
	// A pentagram: its middle is wound around twice, and covered once.
	{{{0, 30}, {18, -24}, {-29, 9}, {29, 9}, {-18, -24}}, {5}, 1, {0.3, 0.2}, {0.3, -20.2}, 0},
	// A square with a spike, which stays as a thin wall.
	{{{0, 0}, {8, 0}, {8, 4}, {20, 4}, {8, 4}, {8, 8}, {0, 8}}, {7}, 1, {4.3, 4.2}, {12.3, 4.2}, 1},
	// A hole, in either direction.
	{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {3, 3}, {6, 3}, {6, 6}, {3, 6}}, {4, 4}, 2, {1.3, 1.2},
		{4.3, 4.2}, 0},
	{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {3, 3}, {3, 6}, {6, 6}, {6, 3}}, {4, 4}, 2, {1.3, 1.2},
		{4.3, 4.2}, 0},
	// A hole that sticks out, one that touches, and one outside.
	{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {6, 3}, {12, 3}, {12, 6}, {6, 6}}, {4, 4}, 2, {1.3, 1.2},
		{7.3, 4.2}, 0},
	{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 3}, {6, 3}, {6, 6}, {0, 6}}, {4, 4}, 2, {7.3, 4.2},
		{3.3, 4.2}, 0},
	// A hole that overlaps another.
	{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {2, 2}, {5, 2}, {5, 5}, {2, 5}, {3, 3}, {7, 3}, {7, 7},
		 {3, 7}},
		{4, 4, 4}, 3, {8.3, 8.2}, {4.3, 4.2}, 0},
	// A hole far outside of its ring.
	{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {20, 2}, {25, 2}, {25, 5}}, {4, 3}, 2, {4.3, 4.2},
		{22.3, 3.2}, 0},
	// Two triangles that share a vertex: it is used twice.
	{{{0, 0}, {8, 0}, {4, 4}, {8, 8}, {0, 8}, {4, 4}}, {6}, 1, {4.3, 1.2}, {1.3, 4.2}, 0},
};

static NcShape get_shape(const RingCase* test)
{
	NcShape shape = {NC_SHAPE_POLYGON, test->points, 0, test->counts, test->ring_count};
	for (int r = 0; r < test->ring_count; ++r)
	{
		shape.point_count += test->counts[r];
	}
	return shape;
}

static void rings_cover_what_they_wind_around(void** state)
{
	(void)state;
	for (int i = 0; i < NC_COUNT(ring_cases); ++i)
	{
		const RingCase* test = &ring_cases[i];
		NcShape shape = get_shape(test);
		NcEdgeArray edges = make_edges(&shape, 1.0);
		assert_in_round(compute_cover(&edges, test->inside) == 1, i);
		assert_in_round(compute_cover(&edges, test->outside) == 0, i);
		nc_array_free(&edges);

		shape.kind = NC_SHAPE_WALKABLE;
		edges = make_edges(&shape, 1.0);
		assert_in_round(compute_cover(&edges, test->inside) == 1, i);
		assert_in_round(compute_cover(&edges, test->outside) == 0, i);
		assert_in_round(count_thin_edges(&edges) == 0, i);
		for (int k = 0; k < edges.count; ++k)
		{
			assert_in_round(edges.data[k].solid == 0, i);
		}
		nc_array_free(&edges);
	}
}

// Spikes are walls. A hole outside of its ring, or inside of another hole, is nothing at all.
static void only_spikes_become_thin_walls(void** state)
{
	(void)state;
	for (int i = 0; i < NC_COUNT(ring_cases); ++i)
	{
		NcShape shape = get_shape(&ring_cases[i]);
		NcEdgeArray edges = make_edges(&shape, 1.0);
		int thin_count = count_thin_edges(&edges);
		nc_array_free(&edges);
		assert_in_round(thin_count == ring_cases[i].thin_count, i);
	}
}

static void rings_of_the_whole_world_know_their_direction(void** state)
{
	(void)state;
	double m = NC_MAX_COORDINATE - 1;
	NcVec2 clockwise[] = {{-m, -m}, {-m, m}, {m, m}, {m, -m}};
	NcShape shape = {NC_SHAPE_POLYGON, clockwise, 4};
	NcEdgeArray edges = make_edges(&shape, 1.0);
	assert_int_equal(edges.count, 4);
	assert_int_equal(compute_cover(&edges, (NcVec2){0.5, 0.5}), 1);
	nc_array_free(&edges);
}

// Properties.

static int compute_winding(const NcVec2* points, int count, NcVec2 p)
{
	int winding = 0;
	for (int i = 0; i < count; ++i)
	{
		NcPoint a = {(int)points[i].x, (int)points[i].y};
		NcVec2 q = points[(i + 1) % count];
		winding -= compute_step(a, (NcPoint){(int)q.x, (int)q.y}, 1, p);
	}
	return winding;
}

static double compute_ring_distance(const NcVec2* points, int count, NcVec2 p)
{
	double best = HUGE_VAL;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 foot = nc_closest_on_segment(p, points[i], points[(i + 1) % count]);
		best = nc_min(best, nc_distance(p, foot));
	}
	return best;
}

static void random_rings_cover_what_they_wind_around(void** state)
{
	(void)state;
	uint64_t seed = 61;
	int counts_of[2] = {0};
	for (int round = 0; round < 400; ++round)
	{
		int step = round % 2 ? 20 : 1;
		NcVec2 points[MAX_POINTS];
		int ring_counts[3];
		int ring_count = random_int(&seed, 1, 3);
		NcShape shape = {NC_SHAPE_POLYGON, points, 0, ring_counts, ring_count};
		for (int r = 0; r < ring_count; ++r)
		{
			ring_counts[r] = random_int(&seed, 3, 9);
			for (int i = 0; i < ring_counts[r]; ++i)
			{
				NcPoint p = random_lattice_point(&seed, 100, step);
				points[shape.point_count++] = nc_point_to_vec2(p);
			}
		}
		if (nc_shape_check(&shape, 1.0, NULL) != NC_OK)
		{
			continue;
		}
		NcEdgeArray edges = make_edges(&shape, 1.0);
		for (int i = 0; i < 200; ++i)
		{
			NcVec2 p = random_vec2(&seed, (NcBox){{-110.0, -110.0}, {110.0, 110.0}});
			bool is_inside = compute_winding(points, ring_counts[0], p) != 0;
			double distance = HUGE_VAL;
			const NcVec2* ring = points;
			for (int r = 0; r < ring_count; ++r)
			{
				is_inside = is_inside && (r == 0 || compute_winding(ring, ring_counts[r], p) == 0);
				distance = nc_min(distance, compute_ring_distance(ring, ring_counts[r], p));
				ring += ring_counts[r];
			}
			if (distance > 3.0)
			{
				++counts_of[is_inside];
				assert_in_round(compute_cover(&edges, p) == is_inside, round);
			}
		}
		nc_array_free(&edges);
	}
	assert_true(counts_of[0] > 1000 && counts_of[1] > 1000);
}

static void running_out_of_memory_is_reported(void** state)
{
	(void)state;
	const RingCase* test = &ring_cases[9];
	NcShape shape = {NC_SHAPE_POLYGON, test->points, 12, test->counts, test->ring_count};
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	NcEdgeArray edges = {0};
	NcStatus first = nc_shape_append_edges(&shape, 1.0, 0, &edges);
	nc_array_free(&edges);
	int needed = allocator.calls;
	int unnoticed_count = 0;
	for (int i = 0; i < needed; ++i)
	{
		allocator = (FailingAllocator){.first_fail = i};
		unnoticed_count += nc_shape_append_edges(&shape, 1.0, 0, &edges) != NC_OUT_OF_MEMORY;
		nc_array_free(&edges);
	}
	nc_set_allocator(NULL, NULL);
	assert_int_equal(first, NC_OK);
	assert_true(needed > 5);
	assert_int_equal(unnoticed_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bad_shapes_are_refused_with_item_and_reason),
		TEST(good_shapes_leave_the_error_alone),
		TEST(points_and_chains_become_walls),
		TEST(chains_that_collapse_still_block),
		TEST(polygons_that_collapse_become_points),
		TEST(rings_cover_what_they_wind_around),
		TEST(only_spikes_become_thin_walls),
		TEST(rings_of_the_whole_world_know_their_direction),
		TEST(random_rings_cover_what_they_wind_around),
		TEST(running_out_of_memory_is_reported),
	};
	return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
