// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/steer.h"

/// Who is near whom in a crowd: a grid over the agents of one moment. Fill it once a frame, then
/// any number of threads may ask.
typedef struct NcNeighborGrid NcNeighborGrid;

/// @param grid receives an empty grid, or NULL on failure
NC_API NcStatus nc_neighbor_grid_create(NcNeighborGrid** grid);

/// Destroy a grid. NULL is allowed.
NC_API void nc_neighbor_grid_destroy(NcNeighborGrid* grid);

/// Replace what the grid holds. After warm-up nothing is allocated.
/// @param agents are copied; those whose position is not a number are never found
/// @param cell_size about the distance up to which neighbours will be asked for, in world units;
/// above zero. It decides about speed, not about results
/// @return NC_OUT_OF_MEMORY: then the grid is empty
NC_API NcStatus nc_neighbor_grid_fill(
	NcNeighborGrid* grid, const NcNeighbor* agents, int count, double cell_size);

/// Find who is near a point, the nearest first; of equally near ones the one with the lower index.
/// @param reach up to which distance between the point and their centres, in world units
/// @param found receives indices into the agents of the last fill
/// @return their number; at most `capacity`
NC_API int nc_neighbor_grid_find(
	const NcNeighborGrid* grid, NcVec2 point, double reach, int* found, int capacity);
