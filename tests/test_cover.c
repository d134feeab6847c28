// SPDX-License-Identifier: MIT

// Covers are winding numbers: of the fragments exactly, and of the edges wherever rounding cannot
// have moved anything.

#include "test.h"

#include "snap.h"

// Range and lattice step in snaps, and the number of items.
static const int recipes[][3] = {{8, 1, 25}, {60, 10, 30}, {200, 1, 40}, {5000, 1, 30}};

// How far rounding may move an edge, in snaps.
#define MAX_DRIFT 2.0

static void make_random_world(World* world, uint64_t* seed, int round)
{
	const int* recipe = recipes[round % NC_COUNT(recipes)];
	int edge = recipe[0] + 5;
	world_init(world, (NcPoint){-edge, -edge}, (NcPoint){edge, edge});
	world_add_random(world, seed, recipe[2], recipe[0], recipe[1]);
}

// The covers of a place according to the edges, before anything was rounded.
typedef struct Covers
{
	int solid, walkable;
} Covers;

static Covers compute_edge_covers(const World* world, NcVec2 p)
{
	Covers covers = {world->def.outer_cover, world->def.outer_walkable};
	for (int e = 0; e < world->count; ++e)
	{
		const NcEdge* edge = &world->edges[e];
		covers.solid += compute_step(edge->a, edge->b, edge->solid, p);
		covers.walkable += compute_step(edge->a, edge->b, edge->walkable, p);
	}
	return covers;
}

static int compute_fragment_cover(const NcSnap* snap, NcVec2 p)
{
	int cover = snap->outer_cover;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		cover += compute_step(
			nc_half_start(snap, 2 * f), nc_half_end(snap, 2 * f), snap->fragments.data[f].solid, p);
	}
	return cover;
}

// A place just beside a fragment. No other fragment of these worlds is as near as that in the
// middle of one.
#define BESIDE 1e-6

static void require_covers(const NcSnap* snap, int round)
{
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		const NcFragment* fragment = &snap->fragments.data[f];
		NcVec2 a = nc_point_to_vec2(nc_half_start(snap, 2 * f));
		NcVec2 b = nc_point_to_vec2(nc_half_end(snap, 2 * f));
		NcVec2 middle = nc_lerp(a, b, 0.5);
		NcVec2 normal = nc_perp(nc_normalize(nc_sub(b, a)));
		int left = compute_fragment_cover(snap, nc_mul_add(middle, BESIDE, normal));
		int right = compute_fragment_cover(snap, nc_mul_add(middle, -BESIDE, normal));
		assert_in_round(fragment->cover == left, round);
		assert_in_round(fragment->cover - fragment->solid == right, round);
		assert_in_round(nc_side_is_free(snap, 2 * f) == (left <= 0), round);
		assert_in_round(nc_side_is_free(snap, 2 * f + 1) == (right <= 0), round);
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		const NcVertex* vertex = &snap->vertices.data[v];
		if (vertex->half == NC_NULL_INDEX)
		{
			int cover = compute_fragment_cover(snap, nc_point_to_vec2(vertex->point));
			assert_in_round(vertex->is_free == (cover <= 0), round);
		}
	}
}

static void covers_are_winding_numbers(void** state)
{
	(void)state;
	uint64_t seed = 44;
	static World world;
	for (int round = 0; round < 160; ++round)
	{
		make_random_world(&world, &seed, round);
		NcSnap snap;
		world_build(&world, &snap);
		require_covers(&snap, round);

		// And the fragments wind as the edges did.
		NcBox box = nc_box_grow(world.def.box, 3.0);
		for (int i = 0; i < 200; ++i)
		{
			NcVec2 p = random_vec2(&seed, box);
			if (compute_brute_distance(&snap, p) > MAX_DRIFT)
			{
				int expected = compute_edge_covers(&world, p).solid;
				assert_in_round(compute_fragment_cover(&snap, p) == expected, round);
			}
		}
		nc_snap_free(&snap);
	}
}

// Add triangles that make their inside walkable, in a world that is not walkable by itself.
static void add_walkable_areas(World* world, uint64_t* seed, int count, int range)
{
	world->def.outer_walkable = 0;
	for (int i = 0; i < count; ++i)
	{
		NcPoint a = random_point(seed, range);
		NcPoint b = random_point(seed, range);
		NcPoint c = random_point(seed, range);
		NcPoint ring[3] = {a, nc_orient(a, b, c) > 0 ? b : c, nc_orient(a, b, c) > 0 ? c : b};
		for (int k = 0; k < 3 && nc_orient(a, b, c) != 0; ++k)
		{
			NcEdge edge = {.a = ring[k], .b = ring[(k + 1) % 3], .obstacle = 1000 + i};
			edge.walkable = 1;
			world_add(world, edge);
		}
	}
}

// Beside the middle of a fragment, out of reach of rounding, if nothing else is near.
static void require_side(const World* world, const NcSnap* snap, int half, int round, int* counts)
{
	NcVec2 a = nc_point_to_vec2(nc_half_start(snap, half));
	NcVec2 b = nc_point_to_vec2(nc_half_end(snap, half));
	NcVec2 normal = nc_perp(nc_normalize(nc_sub(b, a)));
	NcVec2 p = nc_mul_add(nc_lerp(a, b, 0.5), 2.0 * MAX_DRIFT, normal);
	if (compute_brute_distance(snap, p) < 1.99 * MAX_DRIFT)
	{
		return;
	}
	Covers covers = compute_edge_covers(world, p);
	bool is_free = covers.solid <= 0 && covers.walkable > 0;
	++counts[is_free];

	// The outline of a walkable area within another one is not a wall, so it has no free side.
	bool is_open = snap->fragments.data[half >> 1].is_open;
	assert_in_round(nc_side_is_free(snap, half) == (is_free && !is_open), round);
	assert_in_round(is_free || !is_open, round);
}

static void free_sides_are_walkable_and_not_covered(void** state)
{
	(void)state;
	uint64_t seed = 46;
	static World world;
	int counts[2] = {0};
	for (int round = 0; round < 60; ++round)
	{
		world_init(&world, (NcPoint){-5010, -5010}, (NcPoint){5010, 5010});
		world_add_random(&world, &seed, 15, 5000, 1);
		round % 2 ? add_walkable_areas(&world, &seed, 6, 5000) : (void)0;
		NcSnap snap;
		world_build(&world, &snap);
		for (int half = 0; half < 2 * snap.fragments.count; ++half)
		{
			require_side(&world, &snap, half, round, counts);
		}
		nc_snap_free(&snap);
	}
	assert_true(counts[0] > 500 && counts[1] > 500);
}

static void nested_rings_alternate(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	for (int i = 1; i <= 8; ++i)
	{
		// Solid, hollow, solid, ...
		int lo = 5 * i;
		int hi = 100 - 5 * i;
		NcPoint ring[4] = {{lo, lo}, {hi, lo}, {hi, hi}, {lo, hi}};
		NcPoint hole[4] = {{lo, lo}, {lo, hi}, {hi, hi}, {hi, lo}};
		world_add_ring(&world, i % 2 ? ring : hole, 4);
	}
	world_add_wall(&world, (NcPoint){50, 50}, (NcPoint){50, 50});
	world_add_wall(&world, (NcPoint){50, 37}, (NcPoint){50, 37});
	NcSnap snap;
	world_build(&world, &snap);
	require_covers(&snap, 0);
	for (int f = 0; f < snap.fragments.count; ++f)
	{
		assert_true(snap.fragments.data[f].is_free == 1 || snap.fragments.data[f].is_free == 2);
	}
	nc_snap_free(&snap);
}

static void points_inside_of_obstacles_are_not_free(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	world_add_ring(&world, (NcPoint[]){{10, 10}, {50, 10}, {50, 50}, {10, 50}}, 4);
	world_add_wall(&world, (NcPoint){20, 20}, (NcPoint){20, 20});
	world_add_wall(&world, (NcPoint){70, 20}, (NcPoint){70, 20});
	world_add_wall(&world, (NcPoint){300, 20}, (NcPoint){300, 20});
	NcSnap snap;
	world_build(&world, &snap);
	int free_count = 0;
	for (int v = 0; v < snap.vertices.count; ++v)
	{
		const NcVertex* vertex = &snap.vertices.data[v];
		bool is_free = vertex->half == NC_NULL_INDEX && vertex->is_free;
		free_count += is_free;
		assert_true(!is_free || vertex->point.x == 70);
	}
	assert_int_equal(free_count, 1);
	nc_snap_free(&snap);
}

static void stars_cover_nothing(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){100, 100});
	for (int i = 0; i < 24; ++i)
	{
		NcVec2 d = nc_direction(i * 3.14159265358979 / 12.0);
		NcPoint tip = {50 + (int)floor(40.0 * d.x), 50 + (int)floor(40.0 * d.y)};
		world_add_wall(&world, (NcPoint){50, 50}, tip);
	}
	NcSnap snap;
	world_build(&world, &snap);
	require_covers(&snap, 0);
	for (int f = 0; f < snap.fragments.count; ++f)
	{
		bool is_bound = nc_fragment_owner(&snap, f) == NC_NULL_INDEX;
		assert_int_equal(snap.fragments.data[f].is_free == 3, !is_bound);
	}
	nc_snap_free(&snap);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(covers_are_winding_numbers),
		TEST(free_sides_are_walkable_and_not_covered),
		TEST(nested_rings_alternate),
		TEST(points_inside_of_obstacles_are_not_free),
		TEST(stars_cover_nothing),
	};
	return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
