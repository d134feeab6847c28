// SPDX-License-Identifier: MIT
// The grid of a crowd finds whom a search through everybody finds, in the same order.

#include "nav_corridor/neighbors.h"

#include "test.h"

#define COUNT 300

static uint64_t seed;

static double draw(double from, double to)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(seed >> 11) * 0x1p-53;
}

static int find_slowly(
	const NcNeighbor* agents, int count, NcVec2 point, double reach, int* found, int capacity)
{
	bool is_taken[COUNT] = {false};
	int found_count = 0;
	while (found_count < capacity)
	{
		int best = -1;
		double best_distance = reach * reach;
		for (int i = 0; i < count; ++i)
		{
			double distance = nc_length_squared(nc_sub(agents[i].position, point));
			if (!is_taken[i] &&
				(distance < best_distance || (best < 0 && distance <= best_distance)))
			{
				best = i;
				best_distance = distance;
			}
		}
		if (best < 0)
		{
			break;
		}
		is_taken[best] = true;
		found[found_count++] = best;
	}
	return found_count;
}

static void finds_the_nearest_of_a_crowd(void** context)
{
	(void)context;
	NcNeighborGrid* grid;
	assert_int_equal(nc_neighbor_grid_create(&grid), NC_OK);
	NcNeighbor agents[COUNT] = {0};
	for (int round = 0; round < 200; ++round)
	{
		double size = draw(1.0, 1000.0);
		int count = (int)draw(0.0, COUNT + 0.99);
		for (int i = 0; i < count; ++i)
		{
			// Some on whole numbers, so that distances are equal and cells begin exactly there.
			NcVec2 p = {draw(-size, size), draw(-size, size)};
			agents[i].position = round % 2 ? p : (NcVec2){floor(p.x), floor(p.y)};
		}
		double cell = draw(0.01, 1.0) * size;
		assert_int_equal(nc_neighbor_grid_fill(grid, agents, count, cell), NC_OK);
		for (int k = 0; k < 20; ++k)
		{
			NcVec2 point = {floor(draw(-size, size)), draw(-size, size)};
			double reach = draw(0.0, 0.5) * size;
			int expected[COUNT], found[COUNT];
			int capacity = (int)draw(1.0, 30.0);
			int expected_count = find_slowly(agents, count, point, reach, expected, capacity);
			assert_int_equal(
				nc_neighbor_grid_find(grid, point, reach, found, capacity), expected_count);
			assert_memory_equal(found, expected, (size_t)expected_count * sizeof(int));
		}
	}
	nc_neighbor_grid_destroy(grid);
}

static void finds_nobody_for_nonsense(void** context)
{
	(void)context;
	NcNeighborGrid* grid;
	assert_int_equal(nc_neighbor_grid_create(&grid), NC_OK);
	int found[4];
	assert_int_equal(nc_neighbor_grid_find(grid, (NcVec2){0.0, 0.0}, 10.0, found, 4), 0);
	const NcNeighbor agents[] = {
		{.position = {1.0, 2.0}}, {.position = {(double)NAN, 0.0}}, {.position = {1e300, -1e300}}};
	assert_int_equal(nc_neighbor_grid_fill(grid, agents, 3, 1.0), NC_OK);
	assert_int_equal(nc_neighbor_grid_find(grid, (NcVec2){0.0, 0.0}, 10.0, found, 4), 1);
	assert_int_equal(found[0], 0);
	assert_int_equal(nc_neighbor_grid_find(grid, (NcVec2){0.0, 0.0}, 10.0, found, 0), 0);
	assert_int_equal(nc_neighbor_grid_find(grid, (NcVec2){0.0, 0.0}, (double)NAN, found, 4), 0);
	assert_int_equal(
		nc_neighbor_grid_find(grid, (NcVec2){(double)INFINITY, 0.0}, 1.0, found, 4), 0);
	assert_int_equal(nc_neighbor_grid_find(grid, (NcVec2){1e300, -1e300}, 1.0, found, 4), 1);
	nc_neighbor_grid_destroy(grid);
	nc_neighbor_grid_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_nearest_of_a_crowd),
		cmocka_unit_test(finds_nobody_for_nonsense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
