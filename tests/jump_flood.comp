// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// One pass of jump flooding. Every pixel asks the eight pixels `stride` away, and itself, which
// site they think is nearest, and keeps the nearest of them, by its exact distance.
//
// This work is based on:
// Rong, Tan. Jump Flooding in GPU with Applications to Voronoi Diagram and Distance Transform. 2006
// Yuan, Rong, Guo, Wang. Generalized Voronoi Diagram Computation on GPU. 2011

#include "distance.h"
#include "shared.h"

layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params
{
	int width, height, stride;
};

layout(std430, binding = 0) readonly buffer Sites
{
	NcMeshSite sites[];
};

layout(std430, binding = 1) readonly buffer Source
{
	uint source[];
};

layout(std430, binding = 2) writeonly buffer Target
{
	uint target[];
};

void main()
{
	ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
	if (cell.x >= width || cell.y >= height)
	{
		return;
	}

	vec2 p = vec2(cell) + vec2(0.5);
	uint best = 0xffffffffu;
	float best_squared = 0.0;
	for (int i = 0; i < 9; ++i)
	{
		ivec2 other = cell + stride * ivec2(i % 3 - 1, i / 3 - 1);
		if (other.x < 0 || other.y < 0 || other.x >= width || other.y >= height)
		{
			continue;
		}
		uint index = source[other.y * width + other.x];
		if (index == 0xffffffffu || index == best)
		{
			continue;
		}
		NcMeshSite s = sites[index];
		float squared = compute_squared_distance(
			vec2(s.ax, s.ay), vec2(s.bx, s.by), vec2(s.ux, s.uy), s.offset, p);
		if (best == 0xffffffffu || squared < best_squared ||
			(squared == best_squared && index < best))
		{
			best = index;
			best_squared = squared;
		}
	}
	target[cell.y * width + cell.x] = best;
}
