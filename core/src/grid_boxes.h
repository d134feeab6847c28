// SPDX-License-Identifier: MIT
// What the cells of a grid contain, as boxes.
//
// Where walls are long and close together, grid cells are long, too, and a search that only touches
// the end of one would have to look at all its items. Boxes around them say that it need not. Walls
// that are wider than high have a box of their own, because a single wall across the others would
// make a common one useless. Square cells are small enough without.
//
// Boxes grow with every item that is added and do not shrink when one is removed: a box that is too
// large is harmless. So there is nothing to be undone when an update fails, either.
#pragma once

#include "grid.h"

typedef struct NcCellBoxes
{
	NcBox wide;  ///< around the walls that are wider than high, or empty
	NcBox other; ///< around everything else
} NcCellBoxes;

/// One item per cell, or none at all if cells are nearly square.
typedef NcArray(NcCellBoxes) NcGridBoxes;

/// Make empty boxes for the cells of a grid, if they are long.
/// @return false if memory ran out
bool nc_grid_boxes_init(NcGridBoxes* boxes, const NcGrid* grid);

/// Add the parts of a segment to the boxes of the cells that it is listed in. Its ends may be
/// equal.
void nc_grid_boxes_add(NcGridBoxes* boxes, const NcGrid* grid, NcVec2 a, NcVec2 b);
