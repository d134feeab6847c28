// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"

/// A corner: where walls end, or an isolated point.
typedef struct CheckCorner
{
	NcVec2 position;
	double cone; ///< the angle under which free space sees it and none of its walls, in radians
} CheckCorner;

/// What the walls of a map look like to the free space. A side is a wall walked with the side on
/// the left: 2 * wall from a to b, 2 * wall + 1 from b to a. Owns its arrays.
typedef struct CheckSites
{
	CheckCorner* corners;
	int corner_count;
	int* corner_of; ///< per side, where it begins
	int* next;      ///< per side, the one after it when walking on; not for isolated points

	int border_count; ///< closed walks along free sides, and isolated points that are free
	double free_area; ///< that the free sides enclose, in square world units
} CheckSites;

/// Find the corners. Fail the check where walls contradict each other.
void check_sites_create(Checker* checker, CheckSites* sites);
void check_sites_destroy(CheckSites* sites);

bool check_is_point(const NcMapWall* wall);

/// @return whether agents can be on this side of its wall
bool check_is_side_free(const CheckWalls* walls, int side);
