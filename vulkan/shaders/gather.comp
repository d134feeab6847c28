// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// Bring the two images that distance meshes were drawn into together, as mesh.comp writes them.

#include "shared.h"

layout(local_size_x = NC_MESH_SCAN_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcGatherParams params;
};

layout(std430, binding = NC_GATHER_LABELS) readonly buffer Labels
{
	uint labels[];
};

layout(std430, binding = NC_GATHER_DEPTHS) readonly buffer Depths
{
	float depths[];
};

layout(std430, binding = NC_GATHER_PIXELS) writeonly buffer Pixels
{
	NcMeshPixel pixels[];
};

void main()
{
	uint pixel = gl_GlobalInvocationID.x;
	if (pixel >= NC_MESH_CHUNK_SIZE * NC_MESH_CHUNK_SIZE)
	{
		return;
	}
	pixels[pixel].squared_distance = depths[pixel] * params.distance_scale;
	pixels[pixel].label = labels[pixel];
}
