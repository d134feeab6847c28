// SPDX-License-Identifier: MIT
// Scenes that are hard on the numbers: almost the same distance, almost the same direction, far
// away and close together at once. Each takes one pattern, with random sizes.

#include "scenes_kinds.h"

// The world of all hard scenes is a square of this half side, in snaps: almost all that a map
// takes.
#define HARD_REACH 30000000.0
#define TURN 6.283185307179586

// A size between 10 snaps and the whole world, any order of magnitude as likely as any other.
static double pick_size(uint64_t* random)
{
	double size = scenes_random_double(random, 10.0, 100.0);
	for (int i = scenes_random_int(random, 0, 5); i > 0; --i)
	{
		size *= 10.0;
	}
	return fmin(size, 0.9 * HARD_REACH);
}

static NcVec2 round_to_snaps(NcVec2 p)
{
	return (NcVec2){floor(p.x + 0.5), floor(p.y + 0.5)};
}

static void add_ring(Scene* scene, NcShapeKind kind, double radius, int count, double start)
{
	scene_begin_shape(scene, kind, 0);
	if (kind == NC_SHAPE_POLYGON)
	{
		scene_begin_ring(scene);
	}
	for (int i = 0; i < count; ++i)
	{
		NcVec2 p = nc_scale(radius, nc_direction(start + TURN * i / count));
		scene_add_point(scene, round_to_snaps(p));
	}
}

// Points that lie on a circle but for rounding, and one in its middle or not.
static void make_circle(uint64_t* random, Scene* scene)
{
	double radius = pick_size(random);
	add_ring(scene, NC_SHAPE_POINTS, radius, scenes_random_int(random, 3, 40),
		scenes_random_double(random, 0.0, TURN));
	if (scenes_random_int(random, 0, 1) == 0)
	{
		scene_add_point(scene, (NcVec2){0.0, 0.0});
	}
}

// Polygons inside each other, with thin walls in between: only the gaps are free.
static void make_onion(uint64_t* random, Scene* scene)
{
	int count = scenes_random_int(random, 3, 90);
	double radius = fmax(pick_size(random), 5.0 * count);
	double start = scenes_random_double(random, 0.0, TURN);
	int layers = scenes_random_int(random, 2, 4);
	for (int i = 0; i < layers && radius > 3.0 * count; ++i)
	{
		// A chain that is closed by its first point.
		add_ring(scene, NC_SHAPE_CHAIN, radius, count, start);
		scene_add_point(scene, scene->points[scene->point_count - count]);
		radius -= scenes_random_double(random, 2.0, 0.1 * radius);
	}
}

// Long walls from one point, whose directions differ by a snap or a few at the far end.
static void make_fan(uint64_t* random, Scene* scene)
{
	double length = floor(pick_size(random));
	double y = -floor(scenes_random_double(random, 0.0, 0.5 * length));
	int count = scenes_random_int(random, 2, 30);
	for (int i = 0; i < count; ++i)
	{
		y += scenes_random_int(random, 1, i % 3 == 0 ? 1000 : 2);
		scenes_add_wall(scene, (NcVec2){0.0, 0.0},
			(NcVec2){length + scenes_random_int(random, -3, 3), fmin(y, 0.9 * HARD_REACH)});
	}
}

// Long walls above each other, a few snaps apart and not quite parallel.
static void make_stack(uint64_t* random, Scene* scene)
{
	double length = floor(pick_size(random));
	double y = 0.0;
	int count = scenes_random_int(random, 2, 30);
	for (int i = 0; i < count; ++i)
	{
		y += scenes_random_int(random, 3, i % 4 == 0 ? 500 : 5);
		NcVec2 a = {
			-length + scenes_random_int(random, -9, 9), y + scenes_random_int(random, 0, 1)};
		NcVec2 b = {length + scenes_random_int(random, -9, 9), y + scenes_random_int(random, 0, 1)};
		scenes_add_wall(scene, a, b);
	}
}

// A wall in many pieces that are collinear, or off by a snap, and points that look at it.
static void make_pieces(uint64_t* random, Scene* scene)
{
	double step = fmax(floor(pick_size(random) / 100.0), 2.0);
	int slope = scenes_random_int(random, 0, 3);
	int count = scenes_random_int(random, 2, 60);
	scene_begin_shape(scene, NC_SHAPE_CHAIN, 0);
	for (int i = 0; i < count; ++i)
	{
		double off = scenes_random_int(random, 0, 4) == 0 ? 1.0 : 0.0;
		scene_add_point(scene, (NcVec2){step * i, fmin(step, 1000.0) * slope * i + off});
	}
	scene_begin_shape(scene, NC_SHAPE_POINTS, 0);
	for (int i = 0; i < count / 2; ++i)
	{
		double x = step * scenes_random_int(random, 0, count);
		scene_add_point(scene, (NcVec2){x, -(double)scenes_random_int(random, 2, 1000)});
	}
}

// Two large round obstacles that almost touch.
static void make_gap(uint64_t* random, Scene* scene)
{
	int count = scenes_random_int(random, 3, 180);
	double radius = fmax(0.4 * pick_size(random), 4.0 * count);
	double gap = scenes_random_int(random, 1, 9);
	double start = scenes_random_double(random, 0.0, TURN);
	for (int side = -1; side <= 1; side += 2)
	{
		int first = scene->point_count;
		add_ring(scene, NC_SHAPE_POLYGON, radius, count, start);
		for (int i = first; i < scene->point_count; ++i)
		{
			scene->points[i].x += side * (floor(radius) + gap);
		}
	}
}

bool scenes_make_hard(int seed, TestScene* made)
{
	typedef void MakeFn(uint64_t*, Scene*);
	static MakeFn* const makers[] = {
		make_circle, make_onion, make_fan, make_stack, make_pieces, make_gap};
	int count = (int)(sizeof(makers) / sizeof(makers[0]));
	uint64_t random = (uint64_t)seed;
	makers[seed % count](&random, &made->scene);

	NcBox box = scene_compute_box(&made->scene);
	double room = nc_min(nc_min(box.lower.x, box.lower.y) + HARD_REACH,
		HARD_REACH - nc_max(box.upper.x, box.upper.y));
	made->bounds = nc_box_grow(box, floor(nc_min(pick_size(&random), room)));
	return true;
}
