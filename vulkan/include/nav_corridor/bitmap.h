// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/map.h"

/// Occupancy bitmaps: square cells that are free or blocked, as 3D levels become them (project.h).
/// They can be grown by a radius, traced into polygons for a corridor map, and searched directly,
/// which is the planner of 1998 that corridor maps are measured against.

/// A bitmap. Cell (x, y) covers the square of `cell_size` whose corner with the smallest
/// coordinates is lower + cell_size (x, y). All zero is empty.
typedef struct NcBitmap
{
	NcVec2 lower;     ///< in world units
	double cell_size; ///< in world units
	int width, height;
	int stride;      ///< words of a row
	uint32_t* words; ///< bit x % 32 of word y * stride + x / 32 is set where cell (x, y) is blocked
} NcBitmap;

/// Create a bitmap of free cells.
/// @param bitmap receives it; all zero on failure
/// @return NC_INVALID_INPUT if a number makes no sense; NC_TOO_LARGE; NC_OUT_OF_MEMORY
NC_API NcStatus nc_bitmap_create(
	NcVec2 lower, double cell_size, int width, int height, NcBitmap* bitmap, NcError* error);
NC_API void nc_bitmap_free(NcBitmap* bitmap);

/// @return whether a cell is blocked; cells outside of the bitmap are
static inline bool nc_bitmap_is_blocked(const NcBitmap* bitmap, int x, int y)
{
	return x < 0 || y < 0 || x >= bitmap->width || y >= bitmap->height ||
		   (bitmap->words[y * bitmap->stride + x / 32] >> (x % 32) & 1u) != 0;
}

static inline void nc_bitmap_block(NcBitmap* bitmap, int x, int y)
{
	bitmap->words[y * bitmap->stride + x / 32] |= 1u << (x % 32);
}

/// Block all cells from which some point is nearer than `radius`, in world units, to some point of
/// a blocked cell. A disc of this radius with its centre in a free cell then touches nothing.
/// @return NC_OUT_OF_MEMORY, and nothing has changed, or NC_OK
NC_API NcStatus nc_bitmap_grow(NcBitmap* bitmap, double radius);

/// The borders of the blocked cells as polygons. All zero is empty; free with
/// nc_bitmap_contours_free().
typedef struct NcBitmapContours
{
	NcVec2* points; ///< in world units, ring after ring
	int point_count, point_capacity;
	int* ring_counts; ///< how many points each ring has
	int ring_count, ring_capacity;
	int* shape_rings; ///< how many rings each polygon has; the first is its border, then its holes
	int shape_count, shape_capacity;
} NcBitmapContours;

/// Trace the borders of all blocked cells and simplify them. Blocked cells that touch in a corner
/// are connected. Neither border is farther than `tolerance`, in world units, from the other; below
/// half a cell, no passage is closed and none is opened.
/// @param contours what it held is freed
NC_API NcStatus nc_bitmap_trace(
	const NcBitmap* bitmap, double tolerance, NcBitmapContours* contours);
NC_API void nc_bitmap_contours_free(NcBitmapContours* contours);

/// What a step to one of the eight neighbours costs.
typedef enum NcBitmapCosts
{
	NC_BITMAP_COSTS_1998,  ///< 1 straight and 1.4 across
	NC_BITMAP_COSTS_EXACT, ///< 1 straight and the root of 2 across, rounded to 2^-20
} NcBitmapCosts;

typedef enum NcBitmapSearch
{
	NC_BITMAP_DIJKSTRA,
	NC_BITMAP_A_STAR, ///< the same costs, with fewer cells looked at
} NcBitmapSearch;

typedef struct NcCell2
{
	int x, y;
} NcCell2;

/// A question to the planner.
typedef struct NcBitmapPathDef
{
	NcCell2 start, goal;
	NcBitmapCosts costs;
	NcBitmapSearch search;
} NcBitmapPathDef;

/// What the planner found.
typedef struct NcBitmapPath
{
	NcCell2* cells; ///< from start to goal; for the caller to free with nc_bitmap_path_free()
	int count;      ///< 0: there is no path, or an end of it is blocked
	double length;  ///< the sum of its costs, in world units
	int looked_at;  ///< how many cells the search took out of its queue
} NcBitmapPath;

/// Search a path of free cells. Each is a neighbour of the one before, straight or across.
/// @return NC_OUT_OF_MEMORY or NC_OK
NC_API NcStatus nc_bitmap_find_path(
	const NcBitmap* bitmap, const NcBitmapPathDef* def, NcBitmapPath* path);
NC_API void nc_bitmap_path_free(NcBitmapPath* path);
