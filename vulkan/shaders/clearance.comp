// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// The nearest segment of every pixel, by asking all segments. The segments come in batches; each
// run goes on with what the runs before it found. Batches come in the order of the segments and
// only a smaller distance replaces the best one, so ties go to the lower index.

#include "distance.h"
#include "shared.h"

layout(local_size_x = NC_CLEARANCE_GROUP_SIZE, local_size_y = NC_CLEARANCE_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcClearanceParams params;
};

layout(std430, binding = NC_CLEARANCE_SEGMENTS) readonly buffer Segments
{
	NcClearanceSegment segments[];
};

layout(std430, binding = NC_CLEARANCE_PIXELS) buffer Pixels
{
	NcClearancePixel pixels[];
};

float compute_squared_distance(NcClearanceSegment s, vec2 p)
{
	return compute_squared_distance(
		vec2(s.ax, s.ay), vec2(s.bx, s.by), vec2(s.ux, s.uy), s.offset, p);
}

void main()
{
	ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
	if (cell.x >= params.width || cell.y >= params.height)
	{
		return;
	}

	int index = cell.y * params.width + cell.x;
	vec2 p = vec2(cell) + vec2(0.5);

	// The first batch overwrites whatever the tile before left behind.
	NcClearancePixel best;
	if (params.first_segment == 0)
	{
		best = NcClearancePixel(compute_squared_distance(segments[0], p), 0);
	}
	else
	{
		best = pixels[index];
	}

	for (int i = 0; i < params.segment_count; ++i)
	{
		float squared_distance = compute_squared_distance(segments[i], p);
		if (squared_distance < best.squared_distance)
		{
			best = NcClearancePixel(squared_distance, params.first_segment + uint(i));
		}
	}

	// Member by member: the validation layer does not notice that a whole struct is written, and
	// would not miss a barrier.
	pixels[index].squared_distance = best.squared_distance;
	pixels[index].nearest = best.nearest;
}
