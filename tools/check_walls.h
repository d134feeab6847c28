// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/map.h"

/// The walls of a map, and a plain grid over them to find those near a point. Owns its arrays.
typedef struct CheckWalls
{
	NcMapWall* items;
	int count;

	NcBox box; ///< of the grid
	double cell_size;
	int column_count, row_count;
	int* starts;  ///< per cell, where its walls begin in `entries`; one more at the end
	int* entries; ///< indices of walls
} CheckWalls;

void check_walls_create(const NcMap* map, CheckWalls* walls);
void check_walls_destroy(CheckWalls* walls);

double check_walls_get_distance(const CheckWalls* walls, int wall, NcVec2 point);

/// Find the wall that is nearest to a point of the grid's box.
/// @param excluded a wall that does not count, or NC_NULL_INDEX
/// @param wall receives its index, or NC_NULL_INDEX if there is none; NULL is allowed
/// @return its distance; infinite if there is none
double check_walls_find_nearest(const CheckWalls* walls, NcVec2 point, int excluded, int* wall);

/// The same, by looking at every wall.
double check_walls_scan_nearest(const CheckWalls* walls, NcVec2 point, int excluded, int* wall);

/// Find the wall that two points are nearest to, if both are within `tolerance` of it.
/// @return its index, or NC_NULL_INDEX
int check_walls_find_shared(const CheckWalls* walls, NcVec2 first, NcVec2 second, double tolerance);
