// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// Which columns of cells a triangle touches. A work group handles a triangle on a block of cells,
// each invocation one row of it, which is one word of the bitmap.
//
// A triangle and a box are apart if and only if a direction separates them: one of the three axes,
// the normal of the triangle, or a normal of an axis and an edge. All operations are `precise`, so
// that the processor (project.c) decides the same.
//
// This work is based on:
// Akenine-Moller. Fast 3D Triangle-Box Overlap Testing. 2001

#include "shared.h"

layout(local_size_x = NC_PROJECT_BLOCK_SIZE) in;

layout(push_constant) uniform Params
{
	NcProjectParams params;
};

layout(std430, binding = NC_PROJECT_TRIANGLES) readonly buffer Triangles
{
	NcProjectTriangle triangles[];
};

layout(std430, binding = NC_PROJECT_ITEMS) readonly buffer Items
{
	NcProjectItem items[];
};

layout(std430, binding = NC_PROJECT_WORDS) buffer Words
{
	uint words[];
};

// Whether the direction (ax, ay, az) separates the triangle from the box around the origin.
bool separates(float ax, float ay, float az, vec3 p, vec3 q, vec3 r)
{
	precise float dp = ax * p.x + ay * p.y + az * p.z;
	precise float dq = ax * q.x + ay * q.y + az * q.z;
	precise float dr = ax * r.x + ay * r.y + az * r.z;
	precise float reach = (abs(ax) + abs(ay)) * params.half_width + abs(az) * params.half_height;
	return min(min(dp, dq), dr) > reach || max(max(dp, dq), dr) < -reach;
}

// The directions that belong to an edge.
bool edge_separates(vec3 e, vec3 p, vec3 q, vec3 r)
{
	return separates(0.0, -e.z, e.y, p, q, r) || separates(e.z, 0.0, -e.x, p, q, r) ||
		   separates(-e.y, e.x, 0.0, p, q, r);
}

bool touches(vec3 p, vec3 q, vec3 r)
{
	if (separates(1.0, 0.0, 0.0, p, q, r) || separates(0.0, 1.0, 0.0, p, q, r) ||
		separates(0.0, 0.0, 1.0, p, q, r))
	{
		return false;
	}
	precise vec3 e = q - p;
	precise vec3 f = r - q;
	precise vec3 g = p - r;
	precise float nx = e.y * f.z - e.z * f.y;
	precise float ny = e.z * f.x - e.x * f.z;
	precise float nz = e.x * f.y - e.y * f.x;
	return !separates(nx, ny, nz, p, q, r) && !edge_separates(e, p, q, r) &&
		   !edge_separates(f, p, q, r) && !edge_separates(g, p, q, r);
}

vec3 get_corner(NcProjectTriangle t, int i, float x, float y)
{
	precise vec3 corner = vec3(t.x[i] - x, t.y[i] - y, t.z[i]);
	return corner;
}

void main()
{
	uint index = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
	if (index >= uint(params.item_count))
	{
		return;
	}
	NcProjectItem item = items[index];
	NcProjectTriangle t = triangles[item.triangle];
	int row = int(item.row + gl_LocalInvocationID.x);
	if (row >= params.height)
	{
		return;
	}

	uint word = 0;
	float y = float(row) + 0.5;
	for (int i = 0; i < 32; ++i)
	{
		float x = float(int(item.word) * 32 + i) + 0.5;
		if (touches(get_corner(t, 0, x, y), get_corner(t, 1, x, y), get_corner(t, 2, x, y)))
		{
			word |= 1u << i;
		}
	}
	if (word != 0)
	{
		atomicOr(words[row * params.stride + int(item.word)], word);
	}
}
