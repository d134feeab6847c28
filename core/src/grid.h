// SPDX-License-Identifier: MIT
// A uniform grid of item lists over the world, the index of everything that has a place.
//
// Use statistics: a build adds each item once and then reads every list some ten times; an update
// changes a handful of lists. So lists lie in one pool, packed in cell order after a bulk build; a
// list that outgrows its room moves to the end of the pool.
//
// Cells may be wider than high: long parallel walls would otherwise share all their cells. Items
// outside of the world belong to the nearest border cell.
#pragma once

#include "journal.h"
#include "predicates.h"

/// One cell's part of the pool.
typedef struct NcGridList
{
	int start, count, capacity;
} NcGridList;

typedef struct NcGrid
{
	double x0, y0;                  ///< lower left corner, in snaps
	double cell_width, cell_height; ///< in snaps
	double inverse_width, inverse_height;
	int columns, rows;
	NcArray(NcGridList) lists; ///< one per cell, row by row
	NcIntArray pool;
} NcGrid;

/// A rectangle of cells; both ends belong to it.
typedef struct NcCellRange
{
	int i0, j0, i1, j1;
} NcCellRange;

/// Make an empty grid over a box given in snaps.
void nc_grid_init(NcGrid* grid, NcBox box, int columns, int rows);
void nc_grid_free(NcGrid* grid);

/// Count an item for a later bulk build: between nc_grid_init() and nc_grid_allocate().
static inline void nc_grid_count(NcGrid* grid, int cell)
{
	++grid->lists.data[cell].capacity;
}

/// End of counting: give every list the room that was counted.
void nc_grid_allocate(NcGrid* grid);

/// Add or remove an item. Both save at most two items.
void nc_grid_add(NcGrid* grid, int cell, int item, NcJournal* journal);
void nc_grid_remove(NcGrid* grid, int cell, int item, NcJournal* journal);

/// Make sure that one item can be added to a cell.
bool nc_grid_reserve(NcGrid* grid, int cell);

/// @return whether an allocation failed since nc_grid_init()
static inline bool nc_grid_failed(const NcGrid* grid)
{
	return grid->lists.failed || grid->pool.failed;
}

static inline int nc_grid_clamp(double value, int count)
{
	return !(value > 0.0) ? 0 : value >= count ? count - 1 : (int)value;
}

static inline int nc_grid_column(const NcGrid* grid, double x)
{
	return nc_grid_clamp((x - grid->x0) * grid->inverse_width, grid->columns);
}

static inline int nc_grid_row(const NcGrid* grid, double y)
{
	return nc_grid_clamp((y - grid->y0) * grid->inverse_height, grid->rows);
}

static inline int nc_grid_cell_of(const NcGrid* grid, double x, double y)
{
	return nc_grid_row(grid, y) * grid->columns + nc_grid_column(grid, x);
}

static inline NcCellRange nc_grid_range(const NcGrid* grid, NcBox box)
{
	return (NcCellRange){nc_grid_column(grid, box.lower.x), nc_grid_row(grid, box.lower.y),
		nc_grid_column(grid, box.upper.x), nc_grid_row(grid, box.upper.y)};
}

/// The cells that a segment may touch, with up to `margin` snaps around it, row by row.
typedef struct NcSegmentCells
{
	NcVec2 a;     ///< the lower end
	double slope; ///< dx / dy; 0 if the segment stays within a row
	NcCellRange range;
	double margin;
	bool is_box; ///< all of `range`: the segment stays within a row or a column
} NcSegmentCells;

NcSegmentCells nc_grid_segment_cells(const NcGrid* grid, NcVec2 a, NcVec2 b, double margin);

/// The columns of one row, from range.j0 to range.j1, that the segment may touch.
void nc_grid_segment_row(
	const NcGrid* grid, const NcSegmentCells* cells, int row, int* first, int* last);
