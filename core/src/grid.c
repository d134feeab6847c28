// SPDX-License-Identifier: MIT
// A uniform grid of item lists: see grid.h.

#include "grid.h"

#include "check.h"

void nc_grid_init(NcGrid* grid, NcBox box, int columns, int rows)
{
	NC_ASSERT(columns > 0 && rows > 0);
	nc_grid_free(grid);
	grid->x0 = box.lower.x;
	grid->y0 = box.lower.y;
	grid->columns = columns;
	grid->rows = rows;
	grid->cell_width = (box.upper.x - box.lower.x) / columns;
	grid->cell_height = (box.upper.y - box.lower.y) / rows;
	grid->inverse_width = 1.0 / grid->cell_width;
	grid->inverse_height = 1.0 / grid->cell_height;
	nc_array_resize(&grid->lists, columns * rows);
}

void nc_grid_free(NcGrid* grid)
{
	nc_array_free(&grid->lists);
	nc_array_free(&grid->pool);
}

void nc_grid_allocate(NcGrid* grid)
{
	int total = 0;
	for (int i = 0; i < grid->lists.count; ++i)
	{
		grid->lists.data[i].start = total;
		total += grid->lists.data[i].capacity;
	}
	nc_array_resize(&grid->pool, total);
}

static int get_larger_capacity(const NcGridList* list)
{
	return list->capacity < 4 ? 4 : 2 * list->capacity;
}

bool nc_grid_reserve(NcGrid* grid, int cell)
{
	const NcGridList* list = &grid->lists.data[cell];
	return list->count < list->capacity ||
		   nc_array_reserve(&grid->pool, (long long)grid->pool.count + get_larger_capacity(list));
}

// Move a full list to the end of the pool, with twice the room.
static bool move_list(NcGrid* grid, NcGridList* list)
{
	int capacity = get_larger_capacity(list);
	int start = grid->pool.count;
	if (!nc_array_resize(&grid->pool, start + capacity))
	{
		return false;
	}
	if (list->count > 0)
	{
		memcpy(grid->pool.data + start, grid->pool.data + list->start,
			sizeof(int) * (size_t)list->count);
	}
	list->start = start;
	list->capacity = capacity;
	return true;
}

void nc_grid_add(NcGrid* grid, int cell, int item, NcJournal* journal)
{
	NcGridList* list = nc_edit(journal, &grid->lists, cell);
	if (list->count == list->capacity && !move_list(grid, list))
	{
		return;
	}
	*nc_edit(journal, &grid->pool, list->start + list->count) = item;
	++list->count;
}

void nc_grid_remove(NcGrid* grid, int cell, int item, NcJournal* journal)
{
	NcGridList* list = nc_edit(journal, &grid->lists, cell);
	int* items = grid->pool.data + list->start;
	for (int i = 0; i < list->count; ++i)
	{
		if (items[i] == item)
		{
			*nc_edit(journal, &grid->pool, list->start + i) = items[list->count - 1];
			--list->count;
			return;
		}
	}
}

// Rounding may move a crossing of a row border by some units in the last place; a millionth of a
// cell is far beyond that and costs nothing.
#define ROW_SLACK 1e-6

NcSegmentCells nc_grid_segment_cells(const NcGrid* grid, NcVec2 a, NcVec2 b, double margin)
{
	bool is_upward = a.y < b.y;
	bool is_rightward = a.x < b.x;
	NcSegmentCells cells = {.a = is_upward ? a : b, .margin = margin};
	cells.range = (NcCellRange){nc_grid_column(grid, (is_rightward ? a.x : b.x) - margin),
		nc_grid_row(grid, cells.a.y - margin),
		nc_grid_column(grid, (is_rightward ? b.x : a.x) + margin),
		nc_grid_row(grid, (is_upward ? b.y : a.y) + margin)};
	cells.is_box =
		cells.range.i0 == cells.range.i1 || cells.range.j0 == cells.range.j1 || a.y == b.y;
	if (!cells.is_box)
	{
		cells.slope = (b.x - a.x) / (b.y - a.y);
	}
	return cells;
}

void nc_grid_segment_row(
	const NcGrid* grid, const NcSegmentCells* cells, int row, int* first, int* last)
{
	*first = cells->range.i0;
	*last = cells->range.i1;

	// The border rows reach to infinity: they hold what lies outside of the world.
	if (cells->is_box || row == 0 || row + 1 == grid->rows)
	{
		return;
	}

	// Where the line is between the row's borders. Clamping to the range keeps it to the segment.
	double lower = grid->y0 + row * grid->cell_height - cells->margin - cells->a.y;
	double upper = lower + grid->cell_height + 2.0 * cells->margin;
	double x0 = cells->a.x + lower * cells->slope;
	double x1 = cells->a.x + upper * cells->slope;
	double slack = cells->margin + ROW_SLACK * grid->cell_width;
	int i0 = nc_grid_column(grid, nc_min(x0, x1) - slack);
	int i1 = nc_grid_column(grid, nc_max(x0, x1) + slack);
	*first = i0 > *first ? i0 : *first;
	*last = i1 < *last ? i1 : *last;
}
