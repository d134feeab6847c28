// SPDX-License-Identifier: MIT

// Arcs of the medial axis, made again from what the map says in public: the closest points at both
// ends. A foot that moves along a wall belongs to a side, a foot that rests to a point. The arc
// between two sides or two points is straight. With the side on the line y = 0 and the point at
// (0, p), the arc in between is the parabola y = (x^2 + p^2) / (2 p).

#include "check_arc.h"

// Feet that move less than this belong to short arcs, in snaps: whether those are straight or bent
// makes no difference that anybody could measure.
#define MIN_MOVE 0.2

// Two sides see feet that move by the same length. A point sees one that moves by nothing, up to
// the length of contracted arcs.
#define MAX_POINT_MOVE 0.5

// How far feet may be from their wall, in snaps.
#define FOOT_TOLERANCE 0.05

// Polylines are refined until that changes their length by less than this part of it.
#define LENGTH_ACCURACY 1e-9
#define MAX_DEPTH 24

// Steps of the search for the smallest clearance; each leaves two thirds.
#define SEARCH_STEPS 60

static CheckFeature make_feature(const CheckWalls* walls, NcVec2 begin, NcVec2 end, double snap)
{
	return (CheckFeature){
		.feet = {begin, end},
		.wall = check_walls_find_shared(walls, begin, end, FOOT_TOLERANCE * snap),
	};
}

static double get_move(const CheckFeature* feature)
{
	return nc_distance(feature->feet[0], feature->feet[1]);
}

static void make_parabola(
	CheckArc* arc, const CheckWalls* walls, const CheckFeature* side, const CheckFeature* point)
{
	const NcMapWall* wall = &walls->items[side->wall];
	arc->is_parabola = true;
	arc->origin = wall->a;
	arc->axis = nc_normalize(nc_sub(wall->b, wall->a));
	arc->focus = point->feet[0];
	arc->begin = nc_dot(nc_sub(side->feet[0], wall->a), arc->axis);
	arc->end = nc_dot(nc_sub(side->feet[1], wall->a), arc->axis);
}

CheckArc check_arc_make(const CheckWalls* walls, const NcMapEvent events[2], double snap)
{
	CheckArc arc = {
		.ends = {events[0].position, events[1].position},
		.left = make_feature(walls, events[0].left, events[1].left, snap),
		.right = make_feature(walls, events[0].right, events[1].right, snap),
	};
	double left = get_move(&arc.left);
	double right = get_move(&arc.right);
	double farthest = nc_max(left, right);
	arc.left.is_point = farthest <= MIN_MOVE * snap || left < MAX_POINT_MOVE * right;
	arc.right.is_point = farthest <= MIN_MOVE * snap || right < MAX_POINT_MOVE * left;
	if (arc.left.is_point && !arc.right.is_point && arc.right.wall != NC_NULL_INDEX)
	{
		make_parabola(&arc, walls, &arc.right, &arc.left);
	}
	if (arc.right.is_point && !arc.left.is_point && arc.left.wall != NC_NULL_INDEX)
	{
		make_parabola(&arc, walls, &arc.left, &arc.right);
	}
	return arc;
}

NcVec2 check_arc_get_point(const CheckArc* arc, double s)
{
	if (!arc->is_parabola)
	{
		return nc_lerp(arc->ends[0], arc->ends[1], s);
	}
	NcVec2 v = nc_sub(arc->focus, arc->origin);
	double p = nc_cross(arc->axis, v);
	double t = arc->begin + s * (arc->end - arc->begin);
	double x = t - nc_dot(arc->axis, v);
	double y = (x * x + p * p) / (2.0 * p);
	return nc_mul_add(nc_mul_add(arc->origin, t, arc->axis), y, nc_perp(arc->axis));
}

NcVec2 check_feature_get_closest(const CheckWalls* walls, const CheckFeature* feature, NcVec2 point)
{
	if (feature->is_point || feature->wall == NC_NULL_INDEX)
	{
		return nc_closest_on_segment(point, feature->feet[0], feature->feet[1]);
	}
	const NcMapWall* wall = &walls->items[feature->wall];
	return nc_closest_on_segment(point, wall->a, wall->b);
}

// The length between two points of the arc. Recursion: halves the part at most MAX_DEPTH times.
static double measure(const CheckArc* arc, double from, double to, double accuracy, int depth)
{
	double middle = 0.5 * (from + to);
	NcVec2 a = check_arc_get_point(arc, from);
	NcVec2 b = check_arc_get_point(arc, middle);
	NcVec2 c = check_arc_get_point(arc, to);
	double halves = nc_distance(a, b) + nc_distance(b, c);
	double change = halves - nc_distance(a, c);
	if (change <= accuracy || depth == MAX_DEPTH)
	{
		// Halving a step takes three quarters of the error away; this is the rest.
		return halves + change / 3.0;
	}
	return measure(arc, from, middle, 0.5 * accuracy, depth + 1) +
		   measure(arc, middle, to, 0.5 * accuracy, depth + 1);
}

double check_arc_compute_length(const CheckArc* arc)
{
	double chord = nc_distance(arc->ends[0], arc->ends[1]);
	return arc->is_parabola ? measure(arc, 0.0, 1.0, LENGTH_ACCURACY * chord, 0) : chord;
}

double check_arc_compute_turn(const CheckArc* arc, NcVec2 center)
{
	// Seen from the focus, a parabola turns by a quarter between the places x = -p, 0 and p, and by
	// less than a quarter beyond: no step is anywhere near a half turn. A straight arc is one step.
	double places[] = {0.0, 0.0, 0.0, 0.0, 1.0};
	NcVec2 v = nc_sub(arc->focus, arc->origin);
	double p = fabs(nc_cross(arc->axis, v));
	for (int i = 1; arc->is_parabola && i <= 3; ++i)
	{
		double sense = arc->begin < arc->end ? 1.0 : -1.0;
		double t = nc_dot(arc->axis, v) + sense * (i - 2) * p;
		places[i] = nc_clamp((t - arc->begin) / (arc->end - arc->begin), 0.0, 1.0);
	}
	double sum = 0.0;
	for (int i = 0; i < 4; ++i)
	{
		NcVec2 from = nc_sub(check_arc_get_point(arc, places[i]), center);
		NcVec2 to = nc_sub(check_arc_get_point(arc, places[i + 1]), center);
		sum += atan2(nc_cross(from, to), nc_dot(from, to));
	}
	return sum;
}

static double get_clearance(const CheckWalls* walls, const CheckArc* arc, double s)
{
	NcVec2 point = check_arc_get_point(arc, s);
	return nc_distance(point, check_feature_get_closest(walls, &arc->left, point));
}

double check_arc_find_min(const CheckWalls* walls, const CheckArc* arc)
{
	// Along an arc the clearance falls at most once and rises at most once, in this order.
	double from = 0.0;
	double to = 1.0;
	for (int i = 0; i < SEARCH_STEPS; ++i)
	{
		double a = from + (to - from) / 3.0;
		double b = to - (to - from) / 3.0;
		if (get_clearance(walls, arc, a) <= get_clearance(walls, arc, b))
		{
			to = b;
		}
		else
		{
			from = a;
		}
	}
	return get_clearance(walls, arc, 0.5 * (from + to));
}
