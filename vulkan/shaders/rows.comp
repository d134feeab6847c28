// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// Sum up the rows: each gets the number of samples in all rows before it, and the entry behind the
// last one the number of all. One work group handles all rows of a chunk.

#include "shared.h"

#define STRETCH (NC_MESH_CHUNK_SIZE / NC_MESH_SCAN_GROUP_SIZE)

layout(local_size_x = NC_MESH_SCAN_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcExtractParams params;
};

layout(std430, binding = 0) buffer Rows
{
	uint rows[];
};

shared uint sums[NC_MESH_SCAN_GROUP_SIZE];

void main()
{
	int me = int(gl_LocalInvocationID.x);
	uint sum = 0;
	for (int i = me * STRETCH; i < (me + 1) * STRETCH; ++i)
	{
		sum += rows[i];
	}
	sums[me] = sum;
	barrier();

	uint before = 0;
	for (int i = 0; i < me; ++i)
	{
		before += sums[i];
	}
	for (int i = me * STRETCH; i < (me + 1) * STRETCH; ++i)
	{
		uint count = rows[i];
		rows[i] = before;
		before += count;
	}
	if (me + 1 == NC_MESH_SCAN_GROUP_SIZE)
	{
		rows[NC_MESH_CHUNK_SIZE] = before;
	}
}
