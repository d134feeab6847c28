// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/bitmap.h"
#include "nav_corridor/gpu.h"

/// 3D levels as obstacles: the triangles between the knees and the head of a walker, seen from
/// above. Height is z here; the ground is the plane of x and y.

typedef struct NcVec3
{
	double x, y, z;
} NcVec3;

typedef struct NcTriangle
{
	NcVec3 points[3];
} NcTriangle;

/// What to project, and onto what. Initialize with nc_default_project_def().
typedef struct NcProjectDef
{
	NcVec2 lower;      ///< the corner of the bitmap with the smallest coordinates, in world units
	double cell_size;  ///< in world units
	int width, height; ///< in cells, at most 16384 each

	const NcTriangle* triangles;
	int triangle_count;

	/// What a walker can bump into lies between these heights, in world units.
	double z_min, z_max;

	/// Only cells with walkable floor below their middle are free. Default false: the floor is
	/// everywhere.
	bool needs_floor;

	/// Floor is what rises by at most this angle, in radians, and lies between these heights. It
	/// blocks nobody. Default 0.8 (46 degrees), from minus infinity up to plus infinity, which
	/// stands for z_min.
	double max_slope;
	double floor_min, floor_max;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcProjectDef;

NC_API NcProjectDef nc_default_project_def(void);

/// Block every cell whose column between z_min and z_max is touched by a triangle. Columns are a
/// 256th of a cell wider than the cell on each side, so that rounding never frees one. The device
/// and the processor give the same bits; the processor does the work if there is no device (NULL)
/// or if it fails.
/// @param bitmap receives a new bitmap; all zero on failure
/// @param is_from_device receives whether a device did the work; NULL is allowed
/// @return NC_INVALID_INPUT with the number of the first bad triangle; NC_OUT_OF_MEMORY; else NC_OK
NC_API NcStatus nc_project(
	NcGpu* gpu, const NcProjectDef* def, NcBitmap* bitmap, bool* is_from_device, NcError* error);
