// SPDX-License-Identifier: MIT
// The ends of the border of a side. Where the next wall along the obstacle turns towards the free
// space, by however little, the bisector of the two is the last piece, and ends in their corner.
// Almost straight corners make it so steep that a double may lose it; but that it is there is known
// from whole numbers.
#pragma once

#include "cell.h"

/// Put the ends of the border of a side into the corners at its ends.
/// @param begin where the records of the side begin in those of the worker
void nc_corner_close(NcCellWorker* worker, const NcSites* sites, int half, int begin);
