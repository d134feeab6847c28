// SPDX-License-Identifier: MIT
#pragma once

// What the two ways to project triangles share, private to this folder.

#include "nav_corridor/project.h"

#include "shared.h"

typedef struct NcProjectTriangle NcProjectTriangle;

// Triangles in the frame of a bitmap, and the columns that they are compared with.
typedef struct NcProjectJob
{
	NcProjectTriangle* triangles;
	int triangle_count, triangle_capacity;
	float half_width, half_height; // of a column, in cells
	NcBitmap* bitmap;              // receives what is touched
} NcProjectJob;

// Set the cells whose columns are touched. False if the device failed, and `bitmap` is as it was.
bool nc_project_on_device(NcGpu* gpu, const NcProjectJob* job);

// The cells that the box of a triangle reaches, within the bitmap.
typedef struct NcProjectRange
{
	int x0, y0, x1, y1; // both included; empty if x0 > x1 or y0 > y1
} NcProjectRange;

NcProjectRange nc_project_range(const NcProjectJob* job, const NcProjectTriangle* triangle);
