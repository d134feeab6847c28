// SPDX-License-Identifier: MIT

// The distance of a pixel to a segment, for every shader that needs it. A segment has three parts
// that can be nearest, and the pixel's foot on the line tells which:
//
//       behind a  |   beside it    |  behind b
//                 a----------------b
//
// Only additions, multiplications and comparisons, and all of them `precise`: Vulkan asks for
// correct rounding of these, so devices agree in every bit, with each other and with the processor.

#ifndef NC_DISTANCE_H
#define NC_DISTANCE_H

// How far p is to the left of a line, in pixels.
float compute_height(vec2 u, float offset, vec2 p)
{
	precise float height = (u.x * p.y - u.y * p.x) + offset;
	return height;
}

float compute_squared_distance(vec2 a, vec2 b, vec2 u, float offset, vec2 p)
{
	precise vec2 from_a = p - a;
	precise float beyond_a = from_a.x * u.x + from_a.y * u.y;
	if (beyond_a <= 0.0)
	{
		precise float squared = from_a.x * from_a.x + from_a.y * from_a.y;
		return squared;
	}

	precise vec2 from_b = p - b;
	precise float beyond_b = from_b.x * u.x + from_b.y * u.y;
	if (beyond_b >= 0.0)
	{
		precise float squared = from_b.x * from_b.x + from_b.y * from_b.y;
		return squared;
	}

	float height = compute_height(u, offset, p);
	precise float squared = height * height;
	return squared;
}

#endif
