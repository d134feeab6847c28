// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// The skeleton in the labels of a chunk: where pixels that are neighbours have different sites. Of
// walls that meet in a corner only the side on which they enclose less than a half turn counts; on
// the other side both have the corner itself as their closest point, and no skeleton is between
// them:
//
//         no skeleton                  e + f points to the side with the skeleton
//             v                                   v
//     e <----- -----> f                  e <---- . ----> f
//          skeleton                               |
//
// A work group handles a row. The host runs it twice: to count the samples of each row, and, when
// rows.comp has summed up the rows, to write them, each invocation those of its own stretch.

#include "distance.h"
#include "shared.h"

#define STRETCH (NC_MESH_CHUNK_SIZE / NC_MESH_SCAN_GROUP_SIZE)

// What the sum of two feet must be beyond a common corner to be more than rounding, in pixels.
#define MIN_BEYOND 1e-3

layout(local_size_x = NC_MESH_SCAN_GROUP_SIZE) in;

layout(push_constant) uniform Params
{
	NcExtractParams params;
};

layout(std430, binding = NC_EXTRACT_SITES) readonly buffer Sites
{
	NcMeshSite sites[];
};

layout(std430, binding = NC_EXTRACT_LABELS) readonly buffer Labels
{
	uint labels[];
};

layout(std430, binding = NC_EXTRACT_ROWS) buffer Rows
{
	uint rows[];
};

layout(std430, binding = NC_EXTRACT_SAMPLES) writeonly buffer Samples
{
	NcExtractSample samples[];
};

shared uint counts[NC_MESH_SCAN_GROUP_SIZE];

// How far the foot of p lies beyond the corner v along the site, which ends in v.
float compute_beyond(NcMeshSite s, vec2 v, vec2 p)
{
	precise vec2 from_v = p - v;
	precise float beyond = from_v.x * s.ux + from_v.y * s.uy;
	return s.ax == v.x && s.ay == v.y ? beyond : -beyond;
}

bool is_skeleton_at_corner(NcMeshSite s, NcMeshSite t, vec2 v, vec2 p)
{
	precise float sum = compute_beyond(s, v, p) + compute_beyond(t, v, p);
	return sum > MIN_BEYOND;
}

// Whether a site lies between two pixels that are neighbours: then it is a side of an obstacle that
// is thinner than a pixel.
bool is_between(NcMeshSite s, vec2 from, vec2 to)
{
	vec2 u = vec2(s.ux, s.uy);
	bool is_left = compute_height(u, s.offset, from) < 0.0;
	if ((compute_height(u, s.offset, to) < 0.0) == is_left)
	{
		return false;
	}
	precise vec2 middle = 0.5 * (from + to);
	precise vec2 from_a = middle - vec2(s.ax, s.ay);
	precise float beyond_a = from_a.x * s.ux + from_a.y * s.uy;
	precise vec2 from_b = middle - vec2(s.bx, s.by);
	precise float beyond_b = from_b.x * s.ux + from_b.y * s.uy;
	return beyond_a > 0.0 && beyond_b < 0.0;
}

// Whether the skeleton passes between two pixels that are neighbours and have these labels.
bool is_skeleton(uint a, uint b, vec2 from, vec2 to)
{
	if (a == b || ((a | b) & params.blocked_bit) != 0)
	{
		return false;
	}
	NcMeshSite s = sites[a];
	NcMeshSite t = sites[b];
	if (is_between(s, from, to) || is_between(t, from, to))
	{
		return false;
	}
	precise vec2 p = 0.5 * (from + to);
	vec2 s_a = vec2(s.ax, s.ay);
	vec2 s_b = vec2(s.bx, s.by);
	if (s_a == vec2(t.ax, t.ay) || s_a == vec2(t.bx, t.by))
	{
		return is_skeleton_at_corner(s, t, s_a, p);
	}
	if (s_b == vec2(t.ax, t.ay) || s_b == vec2(t.bx, t.by))
	{
		return is_skeleton_at_corner(s, t, s_b, p);
	}
	return true;
}

vec2 compute_foot(NcMeshSite s, vec2 p)
{
	precise vec2 from_a = p - vec2(s.ax, s.ay);
	precise float beyond_a = from_a.x * s.ux + from_a.y * s.uy;
	precise vec2 from_b = p - vec2(s.bx, s.by);
	precise float beyond_b = from_b.x * s.ux + from_b.y * s.uy;
	precise vec2 foot = vec2(s.ax + beyond_a * s.ux, s.ay + beyond_a * s.uy);
	return beyond_a <= 0.0 ? vec2(s.ax, s.ay) : beyond_b >= 0.0 ? vec2(s.bx, s.by) : foot;
}

uint get_label(int x, int y)
{
	return labels[y * NC_EXTRACT_STRIDE + x];
}

vec2 get_center(int x, int y)
{
	return vec2(x, y) + vec2(0.5);
}

bool has_upright(int x, int y)
{
	return is_skeleton(
		get_label(x, y), get_label(x + 1, y), get_center(x, y), get_center(x + 1, y));
}

bool has_level(int x, int y)
{
	return is_skeleton(
		get_label(x, y), get_label(x, y + 1), get_center(x, y), get_center(x, y + 1));
}

// Which samples a pixel has, as bits.
uint classify(int x, int y)
{
	bool upright = has_upright(x, y);
	bool level = has_level(x, y);
	int degree = int(upright) + int(level);
	if (degree > 0 || get_label(x + 1, y + 1) != get_label(x, y))
	{
		degree += int(has_upright(x, y + 1)) + int(has_level(x + 1, y));
	}
	return uint(upright) | uint(level) << 1 | uint(degree >= 3) << 2;
}

void write_sample(uint index, int x, int y, int kind)
{
	samples[index].x = x;
	samples[index].y = y;
	samples[index].kind = kind;
	if (kind == NC_SAMPLE_VERTEX)
	{
		return;
	}
	bool is_upright = kind == NC_SAMPLE_UPRIGHT;
	uint left = is_upright ? get_label(x, y) : get_label(x, y + 1);
	uint right = is_upright ? get_label(x + 1, y) : get_label(x, y);
	vec2 p = is_upright ? vec2(x + 1, float(y) + 0.5) : vec2(float(x) + 0.5, y + 1);
	vec2 left_foot = compute_foot(sites[left], p);
	vec2 right_foot = compute_foot(sites[right], p);
	samples[index].left = left;
	samples[index].right = right;
	samples[index].left_x = left_foot.x;
	samples[index].left_y = left_foot.y;
	samples[index].right_x = right_foot.x;
	samples[index].right_y = right_foot.y;
}

void main()
{
	int y = int(gl_WorkGroupID.x);
	int me = int(gl_LocalInvocationID.x);
	uint count = 0;
	for (int x = me * STRETCH; x < (me + 1) * STRETCH; ++x)
	{
		count += bitCount(classify(x, y));
	}
	counts[me] = count;
	barrier();

	uint index = 0;
	for (int i = 0; i < me; ++i)
	{
		index += counts[i];
	}
	if (params.is_fill == 0)
	{
		if (me + 1 == NC_MESH_SCAN_GROUP_SIZE)
		{
			rows[y] = index + count;
		}
		return;
	}

	index += rows[y];
	for (int x = me * STRETCH; x < (me + 1) * STRETCH; ++x)
	{
		uint bits = classify(x, y);
		for (int kind = 0; kind < 3; ++kind)
		{
			if ((bits >> kind & 1u) != 0)
			{
				write_sample(index, x, y, kind);
				index += 1;
			}
		}
	}
}
