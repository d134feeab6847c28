// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// Mark the pixels inside of blocked areas: those whose changes of cover, summed up from the
// beginning of the row, are not zero. A work group handles a row: each invocation sums up its own
// stretch, then the stretches are summed up, then each goes through its stretch again.

#include "shared.h"

#define STRETCH (NC_MESH_CHUNK_SIZE / NC_MESH_SCAN_GROUP_SIZE)

layout(local_size_x = NC_MESH_SCAN_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcInsideParams params;
};

layout(std430, binding = NC_INSIDE_PIXELS) buffer Pixels
{
	NcMeshPixel pixels[];
};

layout(std430, binding = NC_INSIDE_CHANGES) readonly buffer Changes
{
	int changes[];
};

shared int sums[NC_MESH_SCAN_GROUP_SIZE];

void main()
{
	int me = int(gl_LocalInvocationID.x);
	int begin = int(gl_WorkGroupID.x) * NC_MESH_CHUNK_SIZE + me * STRETCH;
	int sum = 0;
	for (int i = begin; i < begin + STRETCH; ++i)
	{
		sum += changes[i];
	}
	sums[me] = sum;
	barrier();

	int cover = 0;
	for (int i = 0; i < me; ++i)
	{
		cover += sums[i];
	}
	for (int i = begin; i < begin + STRETCH; ++i)
	{
		cover += changes[i];
		if (cover != 0)
		{
			pixels[i].label |= params.blocked_bit;
		}
	}
}
