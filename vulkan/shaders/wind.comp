// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// Where the borders of areas cross the rows of pixels. For each row whose centres an edge passes,
// the first pixel to its right gets the change of cover; sums along the rows then tell how often
// each pixel is covered, see inside.comp.
//
// An edge passes the rows from its lower end up to, not including, its upper end, so rings have no
// gaps. Division need not be exact here: it only guesses where to begin, and the sign of the height
// above the edge, the same as that of the distances, decides.

#include "distance.h"
#include "shared.h"

layout(local_size_x = NC_MESH_SCAN_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcWindParams params;
};

layout(std430, binding = NC_WIND_EDGES) readonly buffer Edges
{
	NcMeshEdge edges[];
};

layout(std430, binding = NC_WIND_CHANGES) buffer Changes
{
	int changes[];
};

bool is_right_of(NcMeshEdge edge, int x, float y)
{
	return compute_height(vec2(edge.ux, edge.uy), edge.offset, vec2(float(x) + 0.5, y)) < 0.0;
}

int find_first_right_of(NcMeshEdge edge, float y)
{
	float crossing = (edge.ux * y + edge.offset) / edge.uy;
	int x = int(clamp(crossing, 0.0, float(NC_MESH_CHUNK_SIZE)));
	while (x > 0 && is_right_of(edge, x - 1, y))
	{
		x -= 1;
	}
	while (x < NC_MESH_CHUNK_SIZE && !is_right_of(edge, x, y))
	{
		x += 1;
	}
	return x;
}

// A work group handles an edge.
void main()
{
	uint index = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
	if (index >= uint(params.edge_count))
	{
		return;
	}

	NcMeshEdge edge = edges[index];
	int first = int(clamp(floor(edge.ay - 0.5), 0.0, float(NC_MESH_CHUNK_SIZE)));
	for (int row = first + int(gl_LocalInvocationID.x); row < NC_MESH_CHUNK_SIZE;
		 row += NC_MESH_SCAN_GROUP_SIZE)
	{
		float y = float(row) + 0.5;
		if (y >= edge.by)
		{
			break;
		}
		if (y < edge.ay)
		{
			continue;
		}
		int x = find_first_right_of(edge, y);
		if (x < NC_MESH_CHUNK_SIZE)
		{
			atomicAdd(changes[row * NC_MESH_CHUNK_SIZE + x], edge.change);
		}
	}
}
