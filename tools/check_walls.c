// SPDX-License-Identifier: MIT

// The walls of a map for the checker. Every cell of a grid lists the walls that come near it; the
// nearest wall is searched in rings of cells around a point until the next ring is farther than the
// best wall so far. Few walls need no grid: all of them are looked at.

#include "check_walls.h"

#include "memory.h"

#include <stdlib.h>

// As many cells as walls, so that a cell has a few; a grid of a million cells is always enough.
#define MAX_CELLS (1 << 20)

// Looking at so few walls is as fast as any grid.
#define MAX_SCANNED_WALLS 64

typedef struct CellRange
{
	int x0, y0, x1, y1; // both included
} CellRange;

static void read_walls(const NcMap* map, CheckWalls* walls)
{
	int range = nc_map_get_wall_range(map);
	walls->items = memory_allocate(range, sizeof(NcMapWall));
	for (int i = 0; i < range; ++i)
	{
		walls->count += nc_map_get_wall(map, i, &walls->items[walls->count]) ? 1 : 0;
	}
}

static void choose_cells(const NcMap* map, CheckWalls* walls)
{
	walls->box = nc_map_get_bounds(map);
	NcVec2 size = nc_sub(walls->box.upper, walls->box.lower);
	double cell_count = nc_clamp(walls->count, 1.0, MAX_CELLS);
	double side = sqrt(size.x * size.y / cell_count);
	// A long and thin world has few rows, but never more columns than cells.
	walls->cell_size = nc_max(side, nc_max(size.x, size.y) / cell_count);
	walls->column_count = (int)(size.x / walls->cell_size) + 1;
	walls->row_count = (int)(size.y / walls->cell_size) + 1;
}

static int find_cell(double offset, double cell_size, int count)
{
	return (int)nc_clamp(floor(offset / cell_size), 0.0, count - 1.0);
}

static CellRange find_cells(const CheckWalls* walls, NcBox box)
{
	NcVec2 origin = walls->box.lower;
	return (CellRange){
		find_cell(box.lower.x - origin.x, walls->cell_size, walls->column_count),
		find_cell(box.lower.y - origin.y, walls->cell_size, walls->row_count),
		find_cell(box.upper.x - origin.x, walls->cell_size, walls->column_count),
		find_cell(box.upper.y - origin.y, walls->cell_size, walls->row_count),
	};
}

double check_walls_get_distance(const CheckWalls* walls, int wall, NcVec2 point)
{
	const NcMapWall* item = &walls->items[wall];
	return nc_distance(point, nc_closest_on_segment(point, item->a, item->b));
}

// Whether a wall passes through the circle around a cell.
static bool is_near_cell(const CheckWalls* walls, int wall, int x, int y)
{
	NcVec2 center = nc_mul_add(walls->box.lower, walls->cell_size, (NcVec2){x + 0.5, y + 0.5});
	return check_walls_get_distance(walls, wall, center) <= walls->cell_size;
}

// Go over all pairs of a cell and a wall near it: count them if `entries` is NULL, else list them.
// Afterwards starts[i] is where the next entry of cell i would be.
static void visit_cells(CheckWalls* walls, int* entries)
{
	for (int i = 0; i < walls->count; ++i)
	{
		const NcMapWall* wall = &walls->items[i];
		NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), wall->a), wall->b);
		CellRange range = find_cells(walls, box);
		for (int y = range.y0; y <= range.y1; ++y)
		{
			for (int x = range.x0; x <= range.x1; ++x)
			{
				if (is_near_cell(walls, i, x, y))
				{
					int* start = &walls->starts[y * walls->column_count + x];
					if (entries != NULL)
					{
						entries[*start] = i;
					}
					++*start;
				}
			}
		}
	}
}

static void fill_cells(CheckWalls* walls)
{
	int cell_count = walls->column_count * walls->row_count;
	walls->starts = memory_allocate(cell_count + 1, sizeof(int));
	visit_cells(walls, NULL);
	int sum = 0;
	for (int i = 0; i <= cell_count; ++i)
	{
		int count = walls->starts[i];
		walls->starts[i] = sum;
		sum += count;
	}
	walls->entries = memory_allocate(sum, sizeof(int));
	visit_cells(walls, walls->entries);

	// Every start has moved to the start of the next cell: move them back.
	for (int i = cell_count; i > 0; --i)
	{
		walls->starts[i] = walls->starts[i - 1];
	}
	walls->starts[0] = 0;
}

void check_walls_create(const NcMap* map, CheckWalls* walls)
{
	*walls = (CheckWalls){0};
	read_walls(map, walls);
	choose_cells(map, walls);
	fill_cells(walls);
}

void check_walls_destroy(CheckWalls* walls)
{
	free(walls->items);
	free(walls->starts);
	free(walls->entries);
	*walls = (CheckWalls){0};
}

typedef struct Nearest
{
	const CheckWalls* walls;
	NcVec2 point;
	int excluded;
	int wall;
	double distance;
} Nearest;

static void try_wall(Nearest* nearest, int wall)
{
	double distance = check_walls_get_distance(nearest->walls, wall, nearest->point);
	if (wall != nearest->excluded && distance < nearest->distance)
	{
		nearest->wall = wall;
		nearest->distance = distance;
	}
}

static void try_cell(Nearest* nearest, int x, int y)
{
	const CheckWalls* walls = nearest->walls;
	if (x < 0 || y < 0 || x >= walls->column_count || y >= walls->row_count)
	{
		return;
	}
	int cell = y * walls->column_count + x;
	for (int i = walls->starts[cell]; i < walls->starts[cell + 1]; ++i)
	{
		try_wall(nearest, walls->entries[i]);
	}
}

// The cells that are exactly `radius` steps away from (x, y), diagonal steps included.
static void try_ring(Nearest* nearest, int x, int y, int radius)
{
	for (int i = -radius; i <= radius; ++i)
	{
		try_cell(nearest, x + i, y - radius);
		if (radius > 0)
		{
			try_cell(nearest, x + i, y + radius);
		}
	}
	for (int i = 1 - radius; i < radius; ++i)
	{
		try_cell(nearest, x - radius, y + i);
		try_cell(nearest, x + radius, y + i);
	}
}

double check_walls_scan_nearest(const CheckWalls* walls, NcVec2 point, int excluded, int* wall)
{
	Nearest nearest = {walls, point, excluded, NC_NULL_INDEX, HUGE_VAL};
	for (int i = 0; i < walls->count; ++i)
	{
		try_wall(&nearest, i);
	}
	if (wall != NULL)
	{
		*wall = nearest.wall;
	}
	return nearest.distance;
}

double check_walls_find_nearest(const CheckWalls* walls, NcVec2 point, int excluded, int* wall)
{
	if (walls->count <= MAX_SCANNED_WALLS)
	{
		return check_walls_scan_nearest(walls, point, excluded, wall);
	}

	Nearest nearest = {walls, point, excluded, NC_NULL_INDEX, HUGE_VAL};
	CellRange at = find_cells(walls, (NcBox){point, point});
	int max_radius =
		walls->column_count > walls->row_count ? walls->column_count : walls->row_count;
	for (int radius = 0; radius <= max_radius; ++radius)
	{
		// The point is somewhere in its cell: what is `radius` rings away is at least this far.
		if (nearest.distance <= (radius - 1) * walls->cell_size)
		{
			break;
		}
		try_ring(&nearest, at.x0, at.y0, radius);
	}
	if (wall != NULL)
	{
		*wall = nearest.wall;
	}
	return nearest.distance;
}

int check_walls_find_shared(const CheckWalls* walls, NcVec2 first, NcVec2 second, double tolerance)
{
	int best = NC_NULL_INDEX;
	double best_distance = tolerance;
	NcVec2 middle = nc_lerp(first, second, 0.5);
	CellRange range = find_cells(walls, nc_box_grow((NcBox){middle, middle}, tolerance));
	for (int y = range.y0; y <= range.y1; ++y)
	{
		for (int x = range.x0; x <= range.x1; ++x)
		{
			int cell = y * walls->column_count + x;
			for (int i = walls->starts[cell]; i < walls->starts[cell + 1]; ++i)
			{
				int wall = walls->entries[i];
				double distance = nc_max(check_walls_get_distance(walls, wall, first),
					check_walls_get_distance(walls, wall, second));
				if (distance <= best_distance)
				{
					best = wall;
					best_distance = distance;
				}
			}
		}
	}
	return best;
}
