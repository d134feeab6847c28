// SPDX-License-Identifier: MIT
// Who is near whom: agents in the cells of a grid, which are found by a hash of their coordinates.

#include "nav_corridor/neighbors.h"

#include "array.h"
#include "check.h"

// Cells that share a bucket only cost time.
#define MIN_BUCKETS 64

struct NcNeighborGrid
{
	NcArray(NcNeighbor) agents;
	NcArray(int) heads; ///< per bucket the first agent in it, or NC_NULL_INDEX; a power of two
	NcArray(int) nexts; ///< per agent the next one in its bucket
	double inverse_size;
};

typedef struct Cell
{
	int64_t x, y;
} Cell;

NcStatus nc_neighbor_grid_create(NcNeighborGrid** grid)
{
	*grid = nc_allocate(NULL, 0, sizeof(NcNeighborGrid));
	if (*grid == NULL)
	{
		return NC_OUT_OF_MEMORY;
	}
	**grid = (NcNeighborGrid){0};
	return NC_OK;
}

void nc_neighbor_grid_destroy(NcNeighborGrid* grid)
{
	if (grid != NULL)
	{
		nc_array_free(&grid->agents);
		nc_array_free(&grid->heads);
		nc_array_free(&grid->nexts);
		nc_allocate(grid, sizeof(NcNeighborGrid), 0);
	}
}

static Cell find_cell(const NcNeighborGrid* grid, NcVec2 p)
{
	// Far out everything is in one cell: slow, but right.
	double limit = 1e15;
	return (Cell){(int64_t)floor(nc_clamp(p.x * grid->inverse_size, -limit, limit)),
		(int64_t)floor(nc_clamp(p.y * grid->inverse_size, -limit, limit))};
}

static int find_bucket(const NcNeighborGrid* grid, Cell cell)
{
	uint64_t hash = (uint64_t)cell.x * 0x9e3779b97f4a7c15u + (uint64_t)cell.y;
	hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
	return (int)((hash >> 32) & (uint64_t)(grid->heads.count - 1));
}

NcStatus nc_neighbor_grid_fill(
	NcNeighborGrid* grid, const NcNeighbor* agents, int count, double cell_size)
{
	NC_ASSERT(cell_size > 0.0);
	int bucket_count = MIN_BUCKETS;
	while (bucket_count < count)
	{
		bucket_count *= 2;
	}
	if (!nc_array_resize(&grid->agents, count) || !nc_array_resize(&grid->nexts, count) ||
		!nc_array_resize(&grid->heads, bucket_count))
	{
		grid->agents.count = 0;
		return NC_OUT_OF_MEMORY;
	}
	grid->inverse_size = 1.0 / cell_size;
	for (int i = 0; i < bucket_count; ++i)
	{
		grid->heads.data[i] = NC_NULL_INDEX;
	}
	for (int i = 0; i < count; ++i)
	{
		grid->agents.data[i] = agents[i];
		if (nc_is_finite(agents[i].position))
		{
			int bucket = find_bucket(grid, find_cell(grid, agents[i].position));
			grid->nexts.data[i] = grid->heads.data[bucket];
			grid->heads.data[bucket] = i;
		}
	}
	return NC_OK;
}

// The nearest so far, in order.
typedef struct Nearest
{
	NcVec2 point;
	double reach_squared;
	int* found;
	int count;
	int capacity;
} Nearest;

static bool is_before(const NcNeighborGrid* grid, const Nearest* nearest, int a, int b)
{
	double da = nc_length_squared(nc_sub(grid->agents.data[a].position, nearest->point));
	double db = nc_length_squared(nc_sub(grid->agents.data[b].position, nearest->point));
	return da < db || (da == db && a < b);
}

static void insert(const NcNeighborGrid* grid, Nearest* nearest, int agent)
{
	int place = nearest->count;
	while (place > 0 && is_before(grid, nearest, agent, nearest->found[place - 1]))
	{
		--place;
	}
	if (place == nearest->capacity)
	{
		return;
	}
	nearest->count += nearest->count < nearest->capacity;
	for (int i = nearest->count - 1; i > place; --i)
	{
		nearest->found[i] = nearest->found[i - 1];
	}
	nearest->found[place] = agent;
}

// All agents of a bucket that are really in the cell, so that nobody is met twice.
static void search_cell(const NcNeighborGrid* grid, Cell cell, Nearest* nearest)
{
	for (int i = grid->heads.data[find_bucket(grid, cell)]; i != NC_NULL_INDEX;
		 i = grid->nexts.data[i])
	{
		NcVec2 position = grid->agents.data[i].position;
		Cell own = find_cell(grid, position);
		if (own.x == cell.x && own.y == cell.y &&
			nc_length_squared(nc_sub(position, nearest->point)) <= nearest->reach_squared)
		{
			insert(grid, nearest, i);
		}
	}
}

int nc_neighbor_grid_find(
	const NcNeighborGrid* grid, NcVec2 point, double reach, int* found, int capacity)
{
	if (grid->agents.count == 0 || !nc_is_finite(point) || !(reach >= 0.0) || capacity <= 0)
	{
		return 0;
	}
	Nearest nearest = {point, reach * reach, found, 0, capacity};
	NcVec2 corner = {reach, reach};
	Cell lower = find_cell(grid, nc_sub(point, corner));
	Cell upper = find_cell(grid, nc_add(point, corner));
	double cells = (double)(upper.x - lower.x + 1) * (double)(upper.y - lower.y + 1);
	if (cells > grid->agents.count)
	{
		for (int i = 0; i < grid->agents.count; ++i)
		{
			NcVec2 position = grid->agents.data[i].position;
			if (nc_length_squared(nc_sub(position, point)) <= nearest.reach_squared)
			{
				insert(grid, &nearest, i);
			}
		}
		return nearest.count;
	}
	for (int64_t y = lower.y; y <= upper.y; ++y)
	{
		for (int64_t x = lower.x; x <= upper.x; ++x)
		{
			search_cell(grid, (Cell){x, y}, &nearest);
		}
	}
	return nearest.count;
}
