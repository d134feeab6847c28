// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// The nearest site of every pixel of a tile, out of the candidates of the tile. A work group
// handles a tile, and long lists slice by slice, each going on with what was found before.
// Candidates ascend and only a smaller distance replaces the best one, so ties go to the lower
// index.

#include "distance.h"
#include "shared.h"

layout(local_size_x = NC_MESH_TILE_SIZE, local_size_y = NC_MESH_TILE_SIZE) in;

layout(push_constant) uniform Params
{
	NcMeshParams params;
};

layout(std430, binding = NC_MESH_SITES) readonly buffer Sites
{
	NcMeshSite sites[];
};

layout(std430, binding = NC_MESH_TILES) readonly buffer Tiles
{
	NcMeshTile tiles[];
};

layout(std430, binding = NC_MESH_LIST) readonly buffer List
{
	uint list[];
};

layout(std430, binding = NC_MESH_PIXELS) buffer Pixels
{
	NcMeshPixel pixels[];
};

void main()
{
	uint index = params.first_tile + gl_WorkGroupID.x;
	if (params.slice_begin >= tiles[index].count)
	{
		return;
	}
	uint begin = tiles[index].begin + params.slice_begin;
	uint end = min(begin + NC_MESH_SLICE_SIZE, tiles[index].begin + tiles[index].count);
	ivec2 cell = ivec2(tiles[index].x, tiles[index].y) + ivec2(gl_LocalInvocationID.xy);
	vec2 p = vec2(cell) + vec2(0.5);

	int pixel = cell.y * NC_MESH_CHUNK_SIZE + cell.x;
	bool is_first = params.slice_begin == 0;
	float best_squared = 0.0;
	uint best = 0;
	if (!is_first)
	{
		best_squared = pixels[pixel].squared_distance;
		best = pixels[pixel].label;
	}
	for (uint i = begin; i < end; ++i)
	{
		NcMeshSite s = sites[list[i]];
		float squared = compute_squared_distance(
			vec2(s.ax, s.ay), vec2(s.bx, s.by), vec2(s.ux, s.uy), s.offset, p);
		if (is_first || squared < best_squared)
		{
			best_squared = squared;
			best = s.id;
			is_first = false;
		}
	}

	pixels[pixel].squared_distance = best_squared;
	pixels[pixel].label = best;
}
