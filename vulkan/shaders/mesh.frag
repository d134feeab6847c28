// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// A pixel of a distance mesh: its depth is the squared distance to the site, scaled by a power of
// two so that it is exact and below 1; its colour is the site. The depth test lets the smallest
// distance through, and of equal ones the first that was drawn, which is the one with the lowest
// index.

#include "distance.h"
#include "shared.h"

layout(push_constant) uniform Params
{
	NcMeshParams params;
};

layout(std430, binding = NC_MESH_SITES) readonly buffer Sites
{
	NcMeshSite sites[];
};

layout(location = 0) flat in uint site;

layout(location = 0) out uint label;

void main()
{
	NcMeshSite s = sites[site];
	vec2 p = vec2(ivec2(gl_FragCoord.xy)) + vec2(0.5);
	float squared =
		compute_squared_distance(vec2(s.ax, s.ay), vec2(s.bx, s.by), vec2(s.ux, s.uy), s.offset, p);
	gl_FragDepth = squared * params.depth_scale;
	label = s.id;
}
