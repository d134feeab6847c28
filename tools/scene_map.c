// SPDX-License-Identifier: MIT

// Scenes of grids, as the MovingAI benchmarks have them:
//
//     type octile
//     height 3
//     width 4
//     map
//     @@@@
//     @..T
//     @@@@
//
// A cell is one unit wide; the cell in column x of row y covers [x, x+1] x [y, y+1], so that y
// points down as in the file. The world is exactly the grid. `.`, `G` and `S` are free; `@`, `O`,
// `T` and `W` are blocked.
//
// Blocked cells that share a side become one polygon with holes. Its rings run with the blocked
// cells on their left. Where two blocked cells of one polygon meet only in a corner, a ring turns
// right, from the one cell to the other: since the two cells are joined elsewhere, the free cells
// left and right of that corner belong to different rings, and no ring touches itself. So nobody
// passes through a corner, and every ring is simple. Points in the middle of a straight run are
// left out.
//
// This work is based on:
// Sturtevant. Benchmarks for Grid-Based Pathfinding. 2012

#include "scene_file.h"

#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// More cells in a row would be beyond the range of coordinates, whatever the snap.
#define MAX_SIDE (1 << 24)

#define FREE_CELL 0
#define UNKNOWN_CELL (-1)

typedef struct Cell
{
	int x, y;
} Cell;

// The grid, while its polygons are found. Owns its arrays.
typedef struct Grid
{
	int width, height;
	int first_line; // of the file, where the rows begin

	// Per cell: free, blocked by a polygon that is not known yet, or the number of that polygon.
	int* polygons;

	// Per cell: whether a ring went along its side of lower y.
	bool* is_traced;

	Cell* cells; // of the polygon that was found last
	int cell_count;
} Grid;

// A step of a ring: it is at a corner of the grid and leaves in a direction.
typedef struct Step
{
	int x, y;
	int direction; // 0: x grows, 1: y grows, 2: x falls, 3: y falls
} Step;

static bool read_size(Text* text, const char* word, int* size)
{
	double number;
	if (!text_next_line(text) || !text_accept_word(text, word))
	{
		return text_fail(text, "expected '%s' and a number", word);
	}
	if (!text_read_number(text, &number))
	{
		return false;
	}
	if (!(1.0 <= number && number <= MAX_SIDE && number == floor(number)))
	{
		return text_fail(text, "the %s must be a whole number from 1 to %d", word, MAX_SIDE);
	}
	*size = (int)number;
	return text_is_line_done(text) || text_fail_expected(text, "the end of the line");
}

static bool read_header(Text* text, Grid* grid)
{
	if (!text_next_line(text) || !text_accept_word(text, "type") ||
		!text_accept_word(text, "octile") || !text_is_line_done(text))
	{
		return text_fail(text, "expected 'type octile'");
	}
	if (!read_size(text, "height", &grid->height) || !read_size(text, "width", &grid->width))
	{
		return false;
	}
	if (!text_next_line(text) || !text_accept_word(text, "map") || !text_is_line_done(text))
	{
		return text_fail(text, "expected 'map'");
	}
	// Every cell is a byte of the file: a size that the file does not have asks for no memory.
	if ((long long)grid->width * grid->height > text->end - text->next)
	{
		return text_fail(
			text, "the file is too short for %d rows of %d cells", grid->height, grid->width);
	}
	return true;
}

static int* get_polygon(const Grid* grid, Cell cell)
{
	return &grid->polygons[(size_t)cell.y * (size_t)grid->width + (size_t)cell.x];
}

static bool read_row(Text* text, Grid* grid, int y)
{
	if (!text_next_row(text))
	{
		return text_fail(text, "the file ends after %d of %d rows", y, grid->height);
	}
	long long length = text->line_end - text->at;
	for (int x = 0; x < grid->width; ++x)
	{
		if (x == length)
		{
			return text_fail(
				text, "column %d: the row ends, but the width is %d", x + 1, grid->width);
		}
		char c = text->at[x];
		if (c == '\0' || strchr(".GS@OTW", c) == NULL)
		{
			return text_fail(text, "column %d: '%c' is no cell; expected one of . G S @ O T W",
				x + 1, ' ' <= c && c <= '~' ? c : '?');
		}
		*get_polygon(grid, (Cell){x, y}) = strchr(".GS", c) != NULL ? FREE_CELL : UNKNOWN_CELL;
	}
	if (length > grid->width)
	{
		return text_fail(
			text, "column %d: the row goes on, but the width is %d", grid->width + 1, grid->width);
	}
	return true;
}

static bool read_rows(Text* text, Grid* grid)
{
	grid->first_line = text->line + 1;
	for (int y = 0; y < grid->height; ++y)
	{
		if (!read_row(text, grid, y))
		{
			return false;
		}
	}
	return !text_next_line(text) || text_fail_expected(text, "the end of the file after all rows");
}

static bool is_inside(const Grid* grid, Cell cell)
{
	return 0 <= cell.x && cell.x < grid->width && 0 <= cell.y && cell.y < grid->height;
}

static void take_cell(Grid* grid, Cell cell, int polygon)
{
	if (is_inside(grid, cell) && *get_polygon(grid, cell) == UNKNOWN_CELL)
	{
		*get_polygon(grid, cell) = polygon;
		grid->cells[grid->cell_count++] = cell;
	}
}

// Collect all blocked cells that are joined to one by sides.
static void find_cells(Grid* grid, Cell first, int polygon)
{
	grid->cell_count = 0;
	take_cell(grid, first, polygon);
	for (int i = 0; i < grid->cell_count; ++i)
	{
		Cell cell = grid->cells[i];
		take_cell(grid, (Cell){cell.x + 1, cell.y}, polygon);
		take_cell(grid, (Cell){cell.x, cell.y + 1}, polygon);
		take_cell(grid, (Cell){cell.x - 1, cell.y}, polygon);
		take_cell(grid, (Cell){cell.x, cell.y - 1}, polygon);
	}
}

static bool is_of_polygon(const Grid* grid, Cell cell, int polygon)
{
	return is_inside(grid, cell) && *get_polygon(grid, cell) == polygon;
}

// The cell ahead of a corner on its left or its right side, looking in a direction. The cell with
// the same coordinates as the corner lies between the directions 0 and 1.
static Cell get_cell_ahead(Step step, bool is_left)
{
	static const Cell offsets[] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};
	Cell offset = offsets[(step.direction + (is_left ? 0 : 3)) % 4];
	return (Cell){step.x + offset.x, step.y + offset.y};
}

// Go on to the next corner of the grid and turn there.
static Step advance(const Grid* grid, Step step, int polygon)
{
	static const Cell moves[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
	Step next = {
		step.x + moves[step.direction].x, step.y + moves[step.direction].y, step.direction};
	if (is_of_polygon(grid, get_cell_ahead(next, false), polygon))
	{
		next.direction = (step.direction + 3) % 4;
	}
	else if (!is_of_polygon(grid, get_cell_ahead(next, true), polygon))
	{
		next.direction = (step.direction + 1) % 4;
	}
	return next;
}

// Add the ring that passes along the side of lower y of a cell.
static void add_ring(Grid* grid, Scene* scene, Cell cell, int polygon)
{
	scene_begin_ring(scene);
	Step first = {cell.x, cell.y, 0};
	Step step = first;
	do
	{
		if (step.direction == 0)
		{
			grid->is_traced[get_polygon(grid, (Cell){step.x, step.y}) - grid->polygons] = true;
		}
		Step next = advance(grid, step, polygon);
		if (next.direction != step.direction)
		{
			scene_add_point(scene, (NcVec2){next.x, next.y});
		}
		step = next;
	} while (step.x != first.x || step.y != first.y || step.direction != first.direction);
}

// Every ring passes along the side of lower y of some cell. That of the first cell in the order of
// the file has nothing of its polygon before it: it belongs to the border, all others to holes.
static void add_polygon(Grid* grid, Scene* scene, Cell first, int polygon)
{
	find_cells(grid, first, polygon);
	scene_begin_polygon(scene, grid->first_line + first.y);
	for (int i = 0; i < grid->cell_count; ++i)
	{
		Cell cell = grid->cells[i];
		bool has_side = !is_of_polygon(grid, (Cell){cell.x, cell.y - 1}, polygon);
		if (has_side && !grid->is_traced[get_polygon(grid, cell) - grid->polygons])
		{
			add_ring(grid, scene, cell, polygon);
		}
	}
}

static void add_polygons(Grid* grid, Scene* scene)
{
	int polygon_count = 0;
	for (int y = 0; y < grid->height; ++y)
	{
		for (int x = 0; x < grid->width; ++x)
		{
			if (*get_polygon(grid, (Cell){x, y}) == UNKNOWN_CELL)
			{
				add_polygon(grid, scene, (Cell){x, y}, ++polygon_count);
			}
		}
	}
}

bool scene_read_map(Text* text, Scene* scene)
{
	Grid grid = {0};
	if (scene->polygons_are_walkable)
	{
		return text_fail(text, "a grid says itself which cells are free: leave out --walkable");
	}
	if (!read_header(text, &grid))
	{
		return false;
	}
	int count = grid.width * grid.height;
	grid.polygons = memory_allocate(count, sizeof(int));
	grid.is_traced = memory_allocate(count, sizeof(bool));
	grid.cells = memory_allocate(count, sizeof(Cell));
	bool is_read = read_rows(text, &grid);
	if (is_read)
	{
		add_polygons(&grid, scene);
		scene->has_bounds = true;
		scene->bounds = (NcBox){{0.0, 0.0}, {grid.width, grid.height}};
	}
	free(grid.polygons);
	free(grid.is_traced);
	free(grid.cells);
	return is_read;
}
