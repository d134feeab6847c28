// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// A distance mesh: for each candidate of each tile a quad over the tile. The instances are the
// candidates of all tiles in a row, so the tile of an instance is the last one whose candidates
// begin at or before it. Depth is left to the fragments: interpolating it would not be exact.

#include "shared.h"

layout(push_constant) uniform Params
{
	NcMeshParams params;
};

layout(std430, binding = NC_MESH_TILES) readonly buffer Tiles
{
	NcMeshTile tiles[];
};

layout(std430, binding = NC_MESH_LIST) readonly buffer List
{
	uint list[];
};

layout(location = 0) flat out uint site;

uint find_tile(uint candidate)
{
	uint lower = params.first_tile;
	uint upper = params.first_tile + params.tile_count;
	while (upper - lower > 1)
	{
		uint middle = (lower + upper) / 2;
		if (tiles[middle].begin <= candidate)
		{
			lower = middle;
		}
		else
		{
			upper = middle;
		}
	}
	return lower;
}

void main()
{
	uint candidate = tiles[params.first_tile].begin + uint(gl_InstanceIndex);
	uint tile = find_tile(candidate);
	site = list[candidate];

	// The corners of the tile are whole pixels, and the size of a chunk is a power of two: exact.
	ivec2 corner = ivec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * NC_MESH_TILE_SIZE;
	vec2 pixel = vec2(ivec2(tiles[tile].x, tiles[tile].y) + corner);
	gl_Position = vec4(pixel * (2.0 / float(NC_MESH_CHUNK_SIZE)) - vec2(1.0), 0.0, 1.0);
}
