// SPDX-License-Identifier: MIT
// What the cells of a grid contain: see grid_boxes.h.

#include "grid_boxes.h"

// Cells that are longer than this many times their width have boxes.
#define MIN_ASPECT 4.0

// Boxes are larger than their content by this much, in snaps: far more than rounding.
#define BOX_MARGIN 0.015625

bool nc_grid_boxes_init(NcGridBoxes* boxes, const NcGrid* grid)
{
	double aspect = grid->cell_width / grid->cell_height;
	boxes->count = 0;
	if (aspect < MIN_ASPECT && aspect > 1.0 / MIN_ASPECT)
	{
		return true;
	}
	if (!nc_array_resize_raw(boxes, grid->lists.count))
	{
		return false;
	}
	for (int i = 0; i < boxes->count; ++i)
	{
		boxes->data[i] = (NcCellBoxes){nc_box_empty(), nc_box_empty()};
	}
	return true;
}

// The place of a cell. Border cells hold everything beyond them, too.
static NcBox get_cell_box(const NcGrid* grid, int i, int j)
{
	double x = grid->x0 + i * grid->cell_width;
	double y = grid->y0 + j * grid->cell_height;
	return (NcBox){
		{i == 0 ? -HUGE_VAL : x, j == 0 ? -HUGE_VAL : y},
		{i + 1 == grid->columns ? HUGE_VAL : x + grid->cell_width,
			j + 1 == grid->rows ? HUGE_VAL : y + grid->cell_height},
	};
}

void nc_grid_boxes_add(NcGridBoxes* boxes, const NcGrid* grid, NcVec2 a, NcVec2 b)
{
	if (boxes->count == 0)
	{
		return;
	}
	bool is_wide = fabs(b.x - a.x) > fabs(b.y - a.y);
	NcBox whole = nc_box_add_point(nc_box_add_point(nc_box_empty(), a), b);
	NcSegmentCells cells = nc_grid_segment_cells(grid, a, b, 0.0);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			NcBox cell = get_cell_box(grid, i, j);
			NcBox part = {
				{nc_max(whole.lower.x, cell.lower.x), nc_max(whole.lower.y, cell.lower.y)},
				{nc_min(whole.upper.x, cell.upper.x), nc_min(whole.upper.y, cell.upper.y)}};
			NcCellBoxes* both = &boxes->data[j * grid->columns + i];
			NcBox* box = is_wide ? &both->wide : &both->other;
			*box = nc_box_union(*box, nc_box_grow(part, BOX_MARGIN));
		}
	}
}
