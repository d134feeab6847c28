// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// The candidates of a tile, out of those of the larger tile that it is a part of. With c the centre
// of the tile, r half of its diagonal and m the distance from c to the nearest site, every point of
// the tile has a site within m + r, and a site farther than m + 2 r from c is farther than that
// from all of them:
//
//       site        |<- r ->|<------ m + r ------>|
//         x ........ p ..... c                      more than m + 2 r: nobody's nearest
//
// One invocation handles a tile. The host runs it in steps: find m, count, and, when it knows where
// each list begins, write. Long lists are handled slice by slice. Candidates keep their order, so
// every list ascends.

#include "distance.h"
#include "shared.h"

layout(local_size_x = NC_MESH_CULL_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcCullParams params;
};

layout(std430, binding = NC_CULL_SITES) readonly buffer Sites
{
	NcMeshSite sites[];
};

layout(std430, binding = NC_CULL_TILES) buffer Tiles
{
	NcMeshTile tiles[];
};

layout(std430, binding = NC_CULL_PARENT_LIST) readonly buffer ParentList
{
	uint parent_list[];
};

layout(std430, binding = NC_CULL_LIST) writeonly buffer List
{
	uint list[];
};

float compute_squared_distance(uint site, vec2 p)
{
	NcMeshSite s = sites[site];
	return compute_squared_distance(
		vec2(s.ax, s.ay), vec2(s.bx, s.by), vec2(s.ux, s.uy), s.offset, p);
}

float find_nearest(uint begin, uint end, float nearest, vec2 center)
{
	for (uint i = begin; i < end; ++i)
	{
		nearest = min(nearest, compute_squared_distance(parent_list[i], center));
	}
	return nearest;
}

// The square of m + 2 r, with some slack that is far above all rounding errors.
float compute_limit(float nearest)
{
	float reach = sqrt(nearest) * 1.00001 + params.tile_size * 1.4145 + 0.01;
	return reach * reach;
}

void main()
{
	if (gl_GlobalInvocationID.x >= params.tile_count)
	{
		return;
	}

	uint index = params.first_tile + gl_GlobalInvocationID.x;
	uint parent = tiles[index].parent;
	uint begin = tiles[parent].begin + min(params.slice_begin, tiles[parent].count);
	uint end = min(begin + NC_MESH_SLICE_SIZE, tiles[parent].begin + tiles[parent].count);
	vec2 center = vec2(tiles[index].x, tiles[index].y) + vec2(0.5 * params.tile_size);
	if (params.step == NC_CULL_NEAREST)
	{
		float nearest = params.slice_begin == 0
							? compute_squared_distance(parent_list[begin], center)
							: tiles[index].nearest;
		tiles[index].nearest = find_nearest(begin, end, nearest, center);
		return;
	}

	float limit = compute_limit(tiles[index].nearest);
	bool is_fill = params.step == NC_CULL_FILL;
	uint count = params.slice_begin == 0 ? 0 : is_fill ? tiles[index].filled : tiles[index].count;
	for (uint i = begin; i < end; ++i)
	{
		uint site = parent_list[i];
		if (compute_squared_distance(site, center) <= limit)
		{
			if (is_fill)
			{
				list[tiles[index].begin + count] = site;
			}
			count += 1;
		}
	}
	if (is_fill)
	{
		tiles[index].filled = count;
	}
	else
	{
		tiles[index].count = count;
	}
}
