// SPDX-License-Identifier: MIT

// From the events of a corridor to its area.
//
// An event knows the closest points of the arc that begins there. Where that arc ends, they follow
// from the clearance: the foot on a wall slides along it, a corner stays. At a branch of the axis
// the closest point on one side jumps from one obstacle to another; in between, the border of the
// corridor is that of the largest empty disc.

#include "corridor_shape.h"

#include <math.h>

// A curved stretch gets a sample for this turn of the spoke, in radians, and at most so many.
#define TURN_PER_SAMPLE 0.1
#define MAX_SAMPLES 48

#define FULL_TURN 6.283185307179586

// A smaller turn of a foot, in radians, is no jump.
#define MIN_JUMP 0.01

// Points closer than this part of the clearance are the same.
#define SAME 1.0e-6

// A stretch of the axis between two fixed features.
typedef struct Stretch
{
	NcVec2 axis[2];
	NcVec2 feet[2][2]; // [side][end]
	bool is_wall[2];   // [side]: the foot slides along a wall
} Stretch;

static void add_sample(CorridorShape* shape, NcVec2 axis, NcVec2 left, NcVec2 right)
{
	points_push(&shape->axis, axis);
	points_push(&shape->left, left);
	points_push(&shape->right, right);
}

// Where the foot on one side is at the end of a stretch.
static void find_foot(Stretch* stretch, int side, NcVec2 next_foot, const double clearances[2])
{
	NcVec2 foot = stretch->feet[side][0];
	NcVec2 end = stretch->axis[1];
	if (clearances[0] <= 0.0)
	{
		stretch->is_wall[side] = true; // out of a corner between two walls
		stretch->feet[side][1] = next_foot;
		return;
	}
	NcVec2 normal = nc_scale(1.0 / clearances[0], nc_sub(stretch->axis[0], foot));
	double height = nc_dot(nc_sub(end, foot), normal);
	stretch->is_wall[side] =
		fabs(height - clearances[1]) <= fabs(nc_distance(end, foot) - clearances[1]);
	stretch->feet[side][1] = stretch->is_wall[side] ? nc_mul_add(end, -height, normal) : foot;
}

static double compute_turn(NcVec2 center, NcVec2 from, NcVec2 to)
{
	NcVec2 a = nc_sub(from, center);
	NcVec2 b = nc_sub(to, center);
	return atan2(nc_cross(a, b), nc_dot(a, b));
}

// The spoke to a corner turns around it, that to a wall does not.
static int count_samples(const Stretch* stretch)
{
	double turn = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		if (!stretch->is_wall[side])
		{
			NcVec2 corner = stretch->feet[side][0];
			turn = nc_max(turn, fabs(compute_turn(corner, stretch->axis[0], stretch->axis[1])));
		}
	}
	return (int)nc_min(1.0 + turn / TURN_PER_SAMPLE, MAX_SAMPLES);
}

// The point of a parabola that is equally far from a corner and from a foot on a wall.
static NcVec2 find_parabola_point(const Stretch* stretch, int wall_side, double t)
{
	NcVec2 foot = nc_lerp(stretch->feet[wall_side][0], stretch->feet[wall_side][1], t);
	NcVec2 normal = nc_normalize(nc_sub(stretch->axis[0], stretch->feet[wall_side][0]));
	NcVec2 to_corner = nc_sub(stretch->feet[1 - wall_side][0], foot);
	double height = nc_dot(to_corner, normal);
	NcVec2 straight = nc_lerp(stretch->axis[0], stretch->axis[1], t);
	if (height <= SAME * nc_length(to_corner))
	{
		return straight; // the corner lies on the wall: the axis leaves it at a right angle
	}
	return nc_mul_add(foot, nc_length_squared(to_corner) / (2.0 * height), normal);
}

static void add_stretch(CorridorShape* shape, const Stretch* stretch)
{
	int count = count_samples(stretch);
	bool is_parabola = stretch->is_wall[0] != stretch->is_wall[1];
	for (int i = 0; i <= count; ++i)
	{
		double t = (double)i / count;
		NcVec2 axis = nc_lerp(stretch->axis[0], stretch->axis[1], t);
		if (is_parabola && i > 0 && i < count)
		{
			axis = find_parabola_point(stretch, stretch->is_wall[0] ? 0 : 1, t);
		}
		add_sample(shape, axis, nc_lerp(stretch->feet[0][0], stretch->feet[0][1], t),
			nc_lerp(stretch->feet[1][0], stretch->feet[1][1], t));
	}
}

static NcVec2 turn_around(NcVec2 center, NcVec2 point, double angle)
{
	NcVec2 a = nc_sub(point, center);
	double c = cos(angle);
	double s = sin(angle);
	return nc_add(center, (NcVec2){c * a.x - s * a.y, s * a.x + c * a.y});
}

// Samples around the disc at a point of the axis: both feet turn by some angle, from `begin` to
// `end`, parts of it from 0 to 1.
static void add_fan(CorridorShape* shape, NcVec2 center, const NcVec2 feet[2],
	const double turns[2], double begin, double end)
{
	int count = (int)(nc_max(fabs(turns[0]), fabs(turns[1])) / TURN_PER_SAMPLE);
	for (int i = 0; i <= count && count > 0; ++i)
	{
		double t = begin + (end - begin) * i / count;
		add_sample(shape, center, turn_around(center, feet[0], t * turns[0]),
			turn_around(center, feet[1], t * turns[1]));
	}
}

// From the feet of one stretch to those of the next, around the disc at the branch. What lies in
// between is a side branch: seen when walking, the left foot jumps clockwise over it and the right
// one counter-clockwise.
static void add_branch(CorridorShape* shape, const Stretch* stretch, const NcMapEvent* next)
{
	NcVec2 center = next->position;
	const NcVec2 feet[] = {stretch->feet[0][1], stretch->feet[1][1]};
	double turns[] = {
		compute_turn(center, feet[0], next->left), compute_turn(center, feet[1], next->right)};
	turns[0] -= turns[0] > MIN_JUMP ? FULL_TURN : 0.0;
	turns[1] += turns[1] < -MIN_JUMP ? FULL_TURN : 0.0;
	add_fan(shape, center, feet, turns, 0.0, 1.0);
}

// Half the angle from the left foot to the right one, counter-clockwise: behind whoever walks.
static double compute_back(NcVec2 center, NcVec2 left, NcVec2 right)
{
	double turn = compute_turn(center, left, right);
	return 0.5 * (turn < 0.0 ? turn + FULL_TURN : turn);
}

void corridor_shape_add(CorridorShape* shape, const NcMapEvent* events, int count)
{
	for (int i = 0; i + 1 < count; ++i)
	{
		const NcMapEvent* pair = events + i;
		const double clearances[] = {pair[0].clearance, pair[1].clearance};
		Stretch stretch = {
			{pair[0].position, pair[1].position}, {{pair[0].left}, {pair[0].right}}, {false}};
		find_foot(&stretch, 0, pair[1].left, clearances);
		find_foot(&stretch, 1, pair[1].right, clearances);
		add_stretch(shape, &stretch);
		if (i + 2 < count)
		{
			add_branch(shape, &stretch, &pair[1]);
		}
	}
}

void corridor_shape_add_path(CorridorShape* shape, const NcMapEvent* events, int count)
{
	if (count == 0)
	{
		return;
	}
	const NcVec2 first[] = {events[0].left, events[0].right};
	double back = compute_back(events[0].position, first[0], first[1]);
	add_fan(shape, events[0].position, first, (const double[]){back, -back}, 1.0, 0.0);
	corridor_shape_add(shape, events, count);
	const NcMapEvent* end = &events[count - 1];
	const NcVec2 last[] = {end->left, end->right};
	double front = 0.5 * FULL_TURN - compute_back(end->position, last[0], last[1]);
	add_fan(shape, end->position, last, (const double[]){-front, front}, 0.0, 1.0);
}

static void shrink_row(Points* row, const Points* axis, double radius)
{
	for (int i = 0; i < row->count && i < axis->count; ++i)
	{
		double distance = nc_distance(row->data[i], axis->data[i]);
		double part = distance > radius ? radius / distance : 1.0;
		row->data[i] = nc_lerp(row->data[i], axis->data[i], part);
	}
}

void corridor_shape_shrink(CorridorShape* shape, double radius)
{
	shrink_row(&shape->left, &shape->axis, radius);
	shrink_row(&shape->right, &shape->axis, radius);
}

void corridor_shape_add_triangles(const CorridorShape* shape, Points* corners)
{
	const Points* rows[] = {&shape->left, &shape->right};
	for (int side = 0; side < 2; ++side)
	{
		for (int i = 0; i + 1 < rows[side]->count && i + 1 < shape->axis.count; ++i)
		{
			const NcVec2* axis = shape->axis.data + i;
			const NcVec2* wall = rows[side]->data + i;
			const NcVec2 pair[] = {axis[0], wall[0], wall[1], axis[0], wall[1], axis[1]};
			for (int k = 0; k < 6; ++k)
			{
				points_push(corners, pair[k]);
			}
		}
	}
}

void corridor_shape_clear(CorridorShape* shape)
{
	points_clear(&shape->axis);
	points_clear(&shape->left);
	points_clear(&shape->right);
}

void corridor_shape_free(CorridorShape* shape)
{
	points_free(&shape->axis);
	points_free(&shape->left);
	points_free(&shape->right);
}
