// SPDX-License-Identifier: MIT
// Corridors as values: where a point is in one, how wide it is, and parts of it.
//
// Half a section lies between the medial axis, two spokes and a foot: a wall, a corner, or the arc
// of a disc that closes an opening. The disc around the place c of the axis on the spoke of a point
// x reaches up to the foot of x and is free inside. So no point of the boundary is nearer to x than
// its foot, and if the corridor is shrunk by a margin, than the point at the margin from its foot:
// the closest point of the boundary is found without looking at any other section.
//
// This work is based on:
// Overmars, Karamouzas, Geraerts. Flexible path planning using corridor maps. 2008, section 4.1

#include "corridor.h"

#include "check.h"
#include "query_state.h"

// A place on the axis of a section: what part of the section lies before it.
typedef struct Place
{
	double part; // from 0 to 1
	NcVec2 axis;
	double clearance;
} Place;

#define FULL_TURN 6.283185307179586477

// A section whose spokes miss a point by this part of its clearance still has it: neighbours that
// were computed apart share their spokes up to rounding only.
#define SPOKE_SLACK 1e-6

static const NcCorridorSide* get_wall(const NcCorridorSection* section)
{
	bool is_right = section->sides[0].kind == NC_CORRIDOR_WALL;
	bool is_left = section->sides[1].kind == NC_CORRIDOR_WALL;
	return is_right ? &section->sides[0] : is_left ? &section->sides[1] : NULL;
}

static const NcCorridorSide* get_corner(const NcCorridorSection* section)
{
	bool is_right = section->sides[0].kind == NC_CORRIDOR_CORNER;
	bool is_left = section->sides[1].kind == NC_CORRIDOR_CORNER;
	return is_right ? &section->sides[0] : is_left ? &section->sides[1] : NULL;
}

// The unit direction from a side to the axis, where there is more room.
static NcVec2 get_normal(const NcCorridorSection* section, const NcCorridorSide* side)
{
	int end = section->clearances[1] > section->clearances[0];
	return nc_normalize(nc_sub(section->axis[end], side->feet[end]));
}

static bool is_opening(const NcCorridorSection* section)
{
	return section->sides[0].kind == NC_CORRIDOR_OPENING ||
		   section->sides[1].kind == NC_CORRIDOR_OPENING;
}

// Places on the axis.

// A wall and a corner have a parabola in between; its point above a foot f of the wall, with the
// corner at q, is at the height h = |q - f|^2 / (2 n.(q - f)).
static Place get_place(const NcCorridorSection* section, double part)
{
	Place place = {.part = part};
	place.axis = nc_lerp(section->axis[0], section->axis[1], part);
	const NcCorridorSide* wall = get_wall(section);
	const NcCorridorSide* corner = get_corner(section);
	if (is_opening(section) || (wall == NULL && corner == NULL))
	{
		place.clearance = section->clearances[0];
		return place;
	}
	if (wall == NULL)
	{
		place.clearance = nc_distance(place.axis, corner->feet[0]);
		return place;
	}
	if (corner == NULL || part <= 0.0 || part >= 1.0)
	{
		double rest = 1.0 - part;
		place.clearance = rest * section->clearances[0] + part * section->clearances[1];
		return place;
	}
	NcVec2 foot = nc_lerp(wall->feet[0], wall->feet[1], part);
	NcVec2 normal = get_normal(section, wall);
	NcVec2 to_corner = nc_sub(corner->feet[0], foot);
	double height = nc_dot(normal, to_corner);
	if (height > 0.0)
	{
		place.clearance = nc_dot(to_corner, to_corner) / (2.0 * height);
		place.axis = nc_mul_add(foot, place.clearance, normal);
	}
	return place;
}

static double get_part_between(NcVec2 point, NcVec2 from, NcVec2 to)
{
	NcVec2 d = nc_sub(to, from);
	double dd = nc_dot(d, d);
	return dd > 0.0 ? nc_dot(nc_sub(point, from), d) / dd : 0.0;
}

// Where the line from a corner in a direction meets the axis.
static double get_part_of_spoke(const NcCorridorSection* section, const NcCorridorSide* corner,
	const NcCorridorSide* other, NcVec2 direction)
{
	NcVec2 from = corner->feet[0];
	if (other->kind == NC_CORRIDOR_WALL)
	{
		NcVec2 normal = get_normal(section, other);
		double height = nc_dot(normal, nc_sub(from, other->feet[0]));
		double slope = 1.0 - nc_dot(normal, direction);
		NcVec2 at = slope > 0.0 ? nc_mul_add(from, height / slope, direction) : from;
		return get_part_between(at, other->feet[0], other->feet[1]);
	}
	NcVec2 across = nc_sub(other->feet[0], from);
	double slope = 2.0 * nc_dot(across, direction);
	double reach = slope > 0.0 ? nc_dot(across, across) / slope : 0.0;
	return get_part_between(nc_mul_add(from, reach, direction), section->axis[0], section->axis[1]);
}

// Pieces of boundary.

static NcRoutePiece make_segment(NcVec2 from, NcVec2 to)
{
	return (NcRoutePiece){.from = from, .to = to, .length = nc_distance(from, to)};
}

static NcRoutePiece make_arc(NcVec2 center, double radius, NcVec2 from, NcVec2 to, double angle)
{
	NcRoutePiece piece = make_segment(nc_mul_add(center, radius, nc_normalize(from)),
		nc_mul_add(center, radius, nc_normalize(to)));
	if (radius > 0.0 && angle != 0.0)
	{
		piece.length = radius * fabs(angle);
		piece.angle = angle;
		piece.center = center;
		piece.radius = radius;
	}
	return piece;
}

// By how much the spokes of a side turn on the way through a section, in radians. Those of a corner
// turn around it, counter-clockwise on the left; those of an opening around the axis, against that.
static double compute_turn(const NcCorridorSection* section, int index)
{
	const NcCorridorSide* side = &section->sides[index];
	NcVec2 from = nc_sub(section->axis[0], side->feet[0]);
	NcVec2 to = nc_sub(section->axis[1], side->feet[1]);
	double angle = nc_atan2(nc_cross(from, to), nc_dot(from, to));
	bool is_left = index == NC_CORRIDOR_LEFT;
	double sign = is_left == (side->kind == NC_CORRIDOR_CORNER) ? 1.0 : -1.0;
	// Spokes that are parallel up to rounding do not go all the way around.
	return sign * angle < -1e-6 ? angle + sign * FULL_TURN : angle;
}

static void shape_side(NcCorridorSection* section, int index)
{
	NcCorridorSide* side = &section->sides[index];
	NcVec2 spokes[2];
	for (int end = 0; end < 2; ++end)
	{
		spokes[end] = nc_sub(section->axis[end], side->feet[end]);
	}
	if (section->is_narrow)
	{
		side->piece = make_segment(section->axis[0], section->axis[1]);
	}
	else if (side->kind == NC_CORRIDOR_OPENING)
	{
		side->piece = make_arc(section->axis[0], section->clearances[0] - section->margin,
			nc_scale(-1.0, spokes[0]), nc_scale(-1.0, spokes[1]), compute_turn(section, index));
	}
	else if (side->kind == NC_CORRIDOR_CORNER)
	{
		side->piece = make_arc(
			side->feet[0], section->margin, spokes[0], spokes[1], compute_turn(section, index));
	}
	else
	{
		side->piece =
			make_segment(nc_mul_add(side->feet[0], section->margin, nc_normalize(spokes[0])),
				nc_mul_add(side->feet[1], section->margin, nc_normalize(spokes[1])));
	}
}

void nc_corridor_shape_section(NcCorridorSection* section)
{
	shape_side(section, NC_CORRIDOR_RIGHT);
	shape_side(section, NC_CORRIDOR_LEFT);
}

// Points.

// The foot of a point if it belongs to a side.
static NcVec2 get_foot(const NcCorridorSection* section, int index, NcVec2 point)
{
	const NcCorridorSide* side = &section->sides[index];
	if (side->kind == NC_CORRIDOR_CORNER)
	{
		return side->feet[0];
	}
	if (side->kind == NC_CORRIDOR_OPENING)
	{
		NcVec2 out = nc_normalize(nc_sub(point, section->axis[0]));
		bool is_center = out.x == 0.0 && out.y == 0.0;
		return is_center ? side->feet[0]
						 : nc_mul_add(section->axis[0], section->clearances[0], out);
	}
	NcVec2 normal = get_normal(section, side);
	return nc_mul_add(point, -nc_dot(normal, nc_sub(point, side->feet[0])), normal);
}

// By how much a point misses the sector between two directions, which turns by an angle.
static double miss_sector(NcVec2 spoke, NcVec2 from, NcVec2 to, double turn)
{
	double sign = turn < 0.0 ? -1.0 : 1.0;
	double before = -sign * nc_cross(nc_normalize(from), spoke);
	double after = sign * nc_cross(nc_normalize(to), spoke);
	bool is_reflex = fabs(turn) > 0.5 * FULL_TURN;
	double miss = is_reflex ? nc_min(before, after) : nc_max(before, after);
	bool is_behind = fabs(turn) < 1.0 && nc_dot(spoke, nc_add(from, to)) < 0.0;
	return is_behind ? nc_length(spoke) : miss;
}

// By how much a point lies outside of one half of a section; not above zero if it lies inside.
static double miss_half(const NcCorridorSection* section, int index, NcVec2 point)
{
	const NcCorridorSide* side = &section->sides[index];
	const NcCorridorSide* other = &section->sides[!index];
	NcVec2 foot = get_foot(section, index, point);
	if (side->kind == NC_CORRIDOR_OPENING)
	{
		NcVec2 out = nc_sub(point, section->axis[0]);
		double beyond = nc_length(out) - section->clearances[0];
		double miss = miss_sector(out, nc_sub(side->feet[0], section->axis[0]),
			nc_sub(side->feet[1], section->axis[0]), compute_turn(section, index));
		return nc_max(beyond, miss);
	}
	// On this side of the axis the own foot is nearer.
	NcVec2 spoke = nc_sub(point, foot);
	double own = side->kind == NC_CORRIDOR_WALL
					 ? nc_dot(nc_sub(point, side->feet[0]), get_normal(section, side))
					 : nc_length(spoke);
	double beyond = -own;
	if (other->kind != NC_CORRIDOR_OPENING)
	{
		double others = nc_distance(point, get_foot(section, !index, point));
		beyond = nc_max(beyond, own - others);
	}
	if (side->kind == NC_CORRIDOR_WALL)
	{
		NcVec2 along = nc_sub(side->feet[1], side->feet[0]);
		double length = nc_length(along);
		double t = length > 0.0 ? nc_dot(nc_sub(foot, side->feet[0]), along) / length
								: nc_distance(foot, side->feet[0]);
		return nc_max(beyond, nc_max(-t, t - length));
	}
	NcVec2 from = nc_sub(section->axis[0], foot);
	NcVec2 to = nc_sub(section->axis[1], foot);
	double miss = miss_sector(spoke, from, to, compute_turn(section, index));
	return nc_max(beyond, miss);
}

static void fill_point(
	const NcCorridorSection* section, int index, NcVec2 point, NcCorridorPoint* found)
{
	const NcCorridorSide* side = &section->sides[index];
	const NcCorridorSide* other = &section->sides[!index];
	NcVec2 foot = get_foot(section, index, point);
	NcVec2 spoke = nc_sub(point, foot);
	double part = 0.0;
	if (!is_opening(section))
	{
		part = side->kind == NC_CORRIDOR_WALL
				   ? get_part_between(foot, side->feet[0], side->feet[1])
				   : get_part_of_spoke(section, side, other, nc_normalize(spoke));
	}
	Place place = get_place(section, nc_clamp(part, 0.0, 1.0));
	NcVec2 inward = nc_normalize(nc_sub(place.axis, foot));
	double margin = nc_min(section->margin, place.clearance);
	found->side = index;
	found->foot = foot;
	found->axis = place.axis;
	found->clearance = place.clearance;
	found->closest = nc_mul_add(foot, margin, inward);
	found->depth = nc_dot(spoke, inward) - margin;
	found->distance = section->begin + place.part * section->length;
}

bool nc_corridor_find_point(
	const NcCorridorSection* sections, int count, int hint, NcVec2 point, NcCorridorPoint* found)
{
	if (count <= 0 || !nc_is_finite(point))
	{
		return false;
	}
	hint = hint < 0 ? 0 : hint < count ? hint : count - 1;
	double least = HUGE_VAL;
	int best = 0, side = 0;
	// From the hint outwards: the section itself, the next, the one before, and so on.
	for (int step = 0; step < 2 * count && least > 0.0; ++step)
	{
		int i = step % 2 ? hint + (step + 1) / 2 : hint - step / 2;
		for (int k = 0; k < 2 && i >= 0 && i < count; ++k)
		{
			double reach = nc_max(sections[i].clearances[0], sections[i].clearances[1]);
			double miss = miss_half(&sections[i], k, point) - SPOKE_SLACK * reach;
			if (miss < least)
			{
				least = miss;
				best = i;
				side = k;
			}
		}
	}
	if (!(least <= 0.0))
	{
		return false;
	}
	found->section = best;
	fill_point(&sections[best], side, point, found);
	return true;
}

// Across and along.

// The last section that begins at a distance or before it.
static int find_section(const NcCorridorSection* sections, int count, double distance)
{
	int low = 0, high = count - 1;
	while (low < high)
	{
		int middle = low + (high - low + 1) / 2;
		if (sections[middle].begin <= distance)
		{
			low = middle;
		}
		else
		{
			high = middle - 1;
		}
	}
	return low;
}

static double get_part_at(const NcCorridorSection* section, double distance)
{
	double part = section->length > 0.0 ? (distance - section->begin) / section->length : 0.0;
	return nc_clamp(part, 0.0, 1.0);
}

static NcVec2 get_side_foot(const NcCorridorSide* side, double part)
{
	return side->kind == NC_CORRIDOR_OPENING ? side->feet[part > 0.5]
											 : nc_lerp(side->feet[0], side->feet[1], part);
}

bool nc_corridor_get_cross(
	const NcCorridorSection* sections, int count, double distance, NcCorridorCross* cross)
{
	if (count <= 0 || !(distance >= -HUGE_VAL))
	{
		return false;
	}
	int index = find_section(sections, count, distance);
	const NcCorridorSection* section = &sections[index];
	Place place = get_place(section, get_part_at(section, distance));
	double margin = nc_min(section->margin, place.clearance);
	cross->section = index;
	cross->axis = place.axis;
	cross->clearance = place.clearance;
	for (int side = 0; side < 2; ++side)
	{
		NcVec2 foot = get_side_foot(&section->sides[side], place.part);
		NcVec2 inward = nc_normalize(nc_sub(place.axis, foot));
		cross->boundaries[side] = nc_mul_add(foot, margin, inward);
	}
	cross->width = 2.0 * (place.clearance - margin);
	return true;
}

// Where within a section there is least room, as a part of it: halfway between its feet, if that is
// in the section, or at an end.
static double find_min_part(const NcCorridorSection* section, double from, double to)
{
	const NcCorridorSide* wall = get_wall(section);
	const NcCorridorSide* corner = get_corner(section);
	double part = get_place(section, from).clearance < get_place(section, to).clearance ? from : to;
	if (corner != NULL && !is_opening(section))
	{
		const NcCorridorSide* other = &section->sides[corner == &section->sides[0]];
		double lowest = wall != NULL
							? get_part_between(corner->feet[0], wall->feet[0], wall->feet[1])
							: get_part_between(nc_lerp(corner->feet[0], other->feet[0], 0.5),
								  section->axis[0], section->axis[1]);
		part = lowest > from && lowest < to ? lowest : part;
	}
	return part;
}

double nc_corridor_find_min_width(
	const NcCorridorSection* sections, int count, double from, double to)
{
	double least = count > 0 ? HUGE_VAL : 0.0;
	int last = count > 0 ? find_section(sections, count, to) : -1;
	for (int i = count > 0 ? find_section(sections, count, from) : 0; i <= last; ++i)
	{
		const NcCorridorSection* section = &sections[i];
		double part = find_min_part(section, get_part_at(section, from), get_part_at(section, to));
		double room = get_place(section, part).clearance - section->margin;
		least = nc_min(least, nc_max(2.0 * room, 0.0));
	}
	return least < HUGE_VAL ? least : 0.0;
}

static NcCorridorSection cut_section(const NcCorridorSection* section, double from, double to)
{
	NcCorridorSection cut = *section;
	if (is_opening(section) || (from <= 0.0 && to >= 1.0))
	{
		return cut;
	}
	double parts[2] = {from, to};
	for (int end = 0; end < 2; ++end)
	{
		Place place = get_place(section, parts[end]);
		cut.axis[end] = place.axis;
		cut.clearances[end] = place.clearance;
		for (int side = 0; side < 2; ++side)
		{
			cut.sides[side].feet[end] = get_side_foot(&section->sides[side], parts[end]);
		}
	}
	cut.begin = section->begin + from * section->length;
	cut.length = (to - from) * section->length;
	nc_corridor_shape_section(&cut);
	return cut;
}

int nc_corridor_get_part(const NcCorridorSection* sections, int count, double from, double to,
	NcCorridorSection* part, int capacity)
{
	if (count <= 0 || !(from <= to))
	{
		return 0;
	}
	int first = find_section(sections, count, from);
	int last = find_section(sections, count, to);
	for (int i = first; i <= last; ++i)
	{
		if (i - first < capacity)
		{
			double begin = get_part_at(&sections[i], from);
			double end = sections[i].length > 0.0 ? get_part_at(&sections[i], to) : 1.0;
			part[i - first] = cut_section(&sections[i], begin, end);
		}
	}
	return last - first + 1;
}

// The outline.

typedef struct Outline
{
	NcVec2* points;
	int capacity, count;
	double tolerance;
} Outline;

static void put_point(Outline* outline, NcVec2 point)
{
	if (outline->count < outline->capacity)
	{
		outline->points[outline->count] = point;
	}
	++outline->count;
}

static NcRoutePiece turn_back(NcRoutePiece piece)
{
	NcVec2 from = piece.from;
	piece.from = piece.to;
	piece.to = from;
	piece.angle = -piece.angle;
	return piece;
}

static void put_side(Outline* outline, const NcCorridorSide* side, bool is_back)
{
	NcRoutePiece piece = is_back ? turn_back(side->piece) : side->piece;
	int parts = nc_route_count_parts(&piece, outline->tolerance);
	put_point(outline, piece.from);
	for (int k = 0; k < parts && piece.angle != 0.0; ++k)
	{
		if (side->kind == NC_CORRIDOR_CORNER)
		{
			put_point(outline, nc_route_get_corner(&piece, k, parts));
		}
		else if (k > 0)
		{
			put_point(outline, nc_route_get_point(&piece, 1, k * piece.length / parts, NULL));
		}
	}
	put_point(outline, piece.to);
}

int nc_corridor_sample_outline(
	const NcCorridorSection* sections, int count, double tolerance, NcVec2* points, int capacity)
{
	NC_ASSERT(tolerance > 0.0);
	Outline outline = {.points = points, .capacity = capacity, .tolerance = tolerance};
	for (int i = 0; i < count; ++i)
	{
		put_side(&outline, &sections[i].sides[NC_CORRIDOR_RIGHT], false);
	}
	for (int i = count - 1; i >= 0; --i)
	{
		put_side(&outline, &sections[i].sides[NC_CORRIDOR_LEFT], true);
	}
	return outline.count;
}
