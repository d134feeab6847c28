// SPDX-License-Identifier: MIT
#pragma once

// What the two ways to compute a field share, private to this folder.
//
// A picture is cut into chunks of 1024 pixels a side. For each chunk field.c finds the sites that
// matter, puts them into the frame of the chunk, in which single precision is enough, and lists the
// tiles to be computed, from large to small. field_cpu.c or distance_mesh.c then finds the nearest
// sites, with the same operations in the same order, and hands over pixels and candidates. The size
// of a chunk is a constant and not a limit of the device, so that all devices give the same bits.

#include "nav_corridor/field.h"

#include "shared.h"

#include <math.h>

typedef struct NcMeshSite NcMeshSite;
typedef struct NcMeshTile NcMeshTile;
typedef struct NcMeshPixel NcMeshPixel;
typedef struct NcMeshEdge NcMeshEdge;

// Tiles of 1024 pixels (the chunk itself), 512, 128, 32 and 8.
#define NC_MESH_LEVEL_COUNT 5

// The side of the tiles of a level, in pixels.
static inline int nc_mesh_tile_size(int level)
{
	return level == 0 ? NC_MESH_CHUNK_SIZE : NC_MESH_CHUNK_SIZE / 2 >> (2 * (level - 1));
}

// A chunk with everything that is needed to compute it.
typedef struct NcFieldChunk
{
	int x, y;          // of its corner in the picture, in pixels
	int width, height; // in pixels

	NcMeshSite* sites; // those that may be nearest somewhere in the chunk, ascending; at least one
	int site_count, site_capacity;

	NcMeshEdge* edges; // the borders of areas that pass the chunk
	int edge_count, edge_capacity;
	bool has_areas; // some pixels may be covered
	// How often areas left of the chunk cover each row at its beginning; the last is not used.
	int cover[NC_MESH_CHUNK_SIZE + 1];

	// All tiles, level by level; children follow the order of their parents. One more entry in
	// each of the other two arrays marks the end.
	NcMeshTile* tiles;
	int tile_count, tile_capacity;
	int* first_children; // of each tile; where none are, those of the next tile that has some
	int first_child_capacity;
	int level_begins[NC_MESH_LEVEL_COUNT + 1];

	double max_distance; // no pixel is farther from its nearest site, in pixels
} NcFieldChunk;

// What is being computed and where it goes to.
typedef struct NcFieldJob
{
	const NcFieldDef* def;
	NcField* field;
	NcFieldChunk chunk;
} NcFieldJob;

// Compute the present chunk of a job. False if that failed; why is known to the context.
typedef bool NcFieldChunkFn(void* context, NcFieldJob* job);

// Check the definition, and compute chunk after chunk. NC_NO_DEVICE means that `compute` failed.
NcStatus nc_field_run(
	const NcFieldDef* def, NcField* field, NcFieldChunkFn* compute, void* context, NcError* error);

// Hand over the pixels of a tile. `pixels` points to the first pixel of the chunk, and the next row
// begins NC_MESH_CHUNK_SIZE pixels later.
void nc_field_store_pixels(NcFieldJob* job, const NcMeshTile* tile, const NcMeshPixel* pixels);

// Hand over the candidates of a tile, as indices into the chunk's sites. False without memory.
bool nc_field_store_candidates(
	NcFieldJob* job, const NcMeshTile* tile, const uint32_t* candidates, int count);

// field_cpu.c

NcFieldChunkFn nc_field_compute_chunk;

// How far p is to the left of a line, in pixels. The same bits as in shaders/distance.h.
static inline float nc_mesh_height(float ux, float uy, float offset, float x, float y)
{
	return (ux * y - uy * x) + offset;
}

// The squared distance of a pixel to a site, with the same bits as in shaders/distance.h.
static inline float nc_mesh_squared_distance(const NcMeshSite* s, float x, float y)
{
	float from_a_x = x - s->ax;
	float from_a_y = y - s->ay;
	if (from_a_x * s->ux + from_a_y * s->uy <= 0.0f)
	{
		return from_a_x * from_a_x + from_a_y * from_a_y;
	}

	float from_b_x = x - s->bx;
	float from_b_y = y - s->by;
	if (from_b_x * s->ux + from_b_y * s->uy >= 0.0f)
	{
		return from_b_x * from_b_x + from_b_y * from_b_y;
	}

	float height = nc_mesh_height(s->ux, s->uy, s->offset, x, y);
	return height * height;
}

// A site in the frame of the chunk with its corner in pixel (x, y).
NcMeshSite nc_mesh_site_convert(const NcFieldDef* def, int x, int y, int site);
