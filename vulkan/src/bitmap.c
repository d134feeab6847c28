// SPDX-License-Identifier: MIT

// Occupancy bitmaps: making, growing and freeing them. All decisions are about whole numbers, so
// every machine agrees.
//
// This work is based on:
// Kuffner. Goal-Directed Navigation for Animated Characters Using Real-Time Path Planning and
// Control. 1998

#include "nav_corridor/bitmap.h"

#include "vk.h"

#include <assert.h>
#include <string.h>

#define MAX_CELLS_PER_SIDE 65536

static size_t get_byte_count(const NcBitmap* bitmap)
{
	return sizeof(uint32_t) * (size_t)bitmap->stride * (size_t)bitmap->height;
}

NcStatus nc_bitmap_create(
	NcVec2 lower, double cell_size, int width, int height, NcBitmap* bitmap, NcError* error)
{
	*bitmap = (NcBitmap){0};
	if (!nc_is_finite(lower) || !(cell_size > 0.0) || !(cell_size < HUGE_VAL) || width < 1 ||
		height < 1)
	{
		return nc_vk_set_error(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the bitmap's corner, cell size or number of cells is not usable");
	}
	if (width > MAX_CELLS_PER_SIDE || height > MAX_CELLS_PER_SIDE)
	{
		return nc_vk_set_error(
			error, NC_TOO_LARGE, NC_NULL_INDEX, "the bitmap has more than 65536 cells a side");
	}
	NcBitmap created = {.lower = lower,
		.cell_size = cell_size,
		.width = width,
		.height = height,
		.stride = (width + 31) / 32};
	created.words = nc_allocate(NULL, 0, get_byte_count(&created));
	if (created.words == NULL)
	{
		return nc_vk_set_error(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "out of memory");
	}
	memset(created.words, 0, get_byte_count(&created));
	*bitmap = created;
	return NC_OK;
}

void nc_bitmap_free(NcBitmap* bitmap)
{
	nc_allocate(bitmap->words, get_byte_count(bitmap), 0);
	*bitmap = (NcBitmap){0};
}

// Growing.

// Farther than any blocked cell can be.
#define NOWHERE (2 * MAX_CELLS_PER_SIDE)

// How far, in cells, the nearest blocked cell of the same row is.
static void measure_row(const NcBitmap* bitmap, int y, int* distances)
{
	int distance = NOWHERE;
	for (int x = 0; x < bitmap->width; ++x)
	{
		distance = nc_bitmap_is_blocked(bitmap, x, y) ? 0 : distance + 1;
		distances[x] = distance;
	}
	distance = NOWHERE;
	for (int x = bitmap->width - 1; x >= 0; --x)
	{
		distance = distances[x] == 0 ? 0 : distance + 1;
		distances[x] = distance < distances[x] ? distance : distances[x];
	}
}

// How many cells a blocked cell `rows` away reaches to the side, or -1. Between two cells there are
// as many cells less one.
static int compute_reach(double radius_cells, int rows)
{
	double dy = rows > 0 ? rows - 1 : 0;
	if (!(dy < radius_cells))
	{
		return -1;
	}
	int reach = 0;
	while (reach < NOWHERE && (double)reach * reach + dy * dy < radius_cells * radius_cells)
	{
		++reach;
	}
	return reach;
}

// Block the cells of a row that are within reach of blocked cells some rows away.
static void block_reached(NcBitmap* grown, int y, const int* distances, int reach)
{
	for (int x = 0; x < grown->width; ++x)
	{
		if (distances[x] <= reach)
		{
			nc_bitmap_block(grown, x, y);
		}
	}
}

NcStatus nc_bitmap_grow(NcBitmap* bitmap, double radius)
{
	assert(bitmap->words != NULL);
	double radius_cells = radius / bitmap->cell_size;
	if (!(radius_cells > 0.0))
	{
		return NC_OK;
	}
	NcBitmap grown;
	NcStatus status = nc_bitmap_create(
		bitmap->lower, bitmap->cell_size, bitmap->width, bitmap->height, &grown, NULL);
	if (status != NC_OK)
	{
		return status;
	}
	size_t row_bytes = sizeof(int) * (size_t)bitmap->width;
	int* distances = nc_allocate(NULL, 0, row_bytes);
	if (distances == NULL)
	{
		nc_bitmap_free(&grown);
		return NC_OUT_OF_MEMORY;
	}
	for (int y = 0; y < bitmap->height; ++y)
	{
		measure_row(bitmap, y, distances);
		for (int rows = 0; rows < bitmap->height; ++rows)
		{
			int reach = compute_reach(radius_cells, rows);
			if (reach < 0)
			{
				break;
			}
			if (y + rows < bitmap->height)
			{
				block_reached(&grown, y + rows, distances, reach);
			}
			if (rows > 0 && y - rows >= 0)
			{
				block_reached(&grown, y - rows, distances, reach);
			}
		}
	}
	nc_allocate(distances, row_bytes, 0);
	nc_bitmap_free(bitmap);
	*bitmap = grown;
	return NC_OK;
}
