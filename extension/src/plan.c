// SPDX-License-Identifier: MIT

// Paths, nearest free points and safe steps.
//
// A step that would come too close to a wall goes as far as it can and then slides: the rest of it
// is projected on the wall's tangent. Sliding twice serves inner corners.

#include "plan.h"

// Eight times the distance of neighbouring floats, relative to the size of a coordinate: a position
// is rounded when it is read, when the velocity is stored and when both are added.
#define FLOAT_GUARD 9.5367431640625e-7

// A step is cut in halves this often: the result is within 2^-20 of the farthest free point.
#define BISECTION_COUNT 20

#define MAX_SLIDES 2

// An agent that lost some of its guard is put back to this many guards from its radius.
#define GUARD_REACH 1.5

// Closer to a wall than this part of the guard, directions along it have no meaning any more.
#define TOUCH 1.0e-3

// How far the guard may move a nearest point, in guards: as far as it does in a corner of 15
// degrees.
#define MAX_GUARD_SHIFT 8.0

double plan_get_guard(const StoreMap* map)
{
	NcBox b = map->bounds;
	double reach = nc_max(nc_max(-b.lower.x, b.upper.x), nc_max(-b.lower.y, b.upper.y));
	return nc_map_get_snap(map->core) + FLOAT_GUARD * reach;
}

// ---- Nearest free point ------------------------------------------------------------------------

bool plan_find_closest(const StoreMap* map, NcVec2 point, double radius, NcVec2* closest)
{
	double clearance = nc_query_get_clearance(map->query, point);
	if (clearance > 0.0 && clearance >= radius)
	{
		*closest = point;
		return true;
	}
	if (!nc_query_find_free_point(map->query, point, radius, closest))
	{
		return false;
	}

	// A little farther than asked for, so that the point still fits when it is rounded; but not in
	// another place, if this one has no room for that.
	double guard = plan_get_guard(map);
	NcVec2 guarded;
	if (nc_query_find_free_point(map->query, point, radius + guard, &guarded) &&
		nc_distance(guarded, *closest) <= MAX_GUARD_SHIFT * guard)
	{
		*closest = guarded;
	}
	return true;
}

// ---- Paths -------------------------------------------------------------------------------------

static bool find_exact_path(
	const StoreMap* map, const PlanRequest* request, double radius, NcPathInfo* info)
{
	NcPathDef def = nc_default_path_def();
	def.start = request->start;
	def.goal = request->goal;
	def.radius = radius;
	def.route = request->route;
	def.corridor_budget = map->search_budget;
	def.side = -request->side; // in Godot y points down (z towards the viewer), so sides change
	def.control = request->control;
	def.control_count = request->control_count;
	def.terrain = map->terrain;
	def.profile = request->profile;
	nc_query_find_path(map->query, &def, info);
	if (info->outcome == NC_PATH_START_BLOCKED || info->outcome == NC_PATH_GOAL_BLOCKED)
	{
		return plan_find_closest(map, request->start, radius, &def.start) &&
			   plan_find_closest(map, request->goal, radius, &def.goal) &&
			   nc_query_find_path(map->query, &def, info);
	}
	return info->outcome == NC_PATH_FOUND;
}

bool plan_find(const StoreMap* map, const PlanRequest* request, NcPathInfo* info)
{
	*info = (NcPathInfo){.outcome = NC_PATH_NONE};
	if (request->preferred_clearance > request->radius &&
		find_exact_path(map, request, request->preferred_clearance, info))
	{
		return true;
	}
	// The guard must not close a passage that is as wide as the disc but no wider.
	double radius = request->radius;
	double guarded = radius + 2.0 * plan_get_guard(map);
	bool is_found = find_exact_path(map, request, guarded, info);
	bool is_route_searched =
		request->route != NC_ROUTE_WEIGHTED && request->route != NC_ROUTE_CONTROL;
	if (is_found && is_route_searched && info->refused_clearance < radius)
	{
		return true;
	}
	PlanRequest medial = *request;
	medial.route = NC_ROUTE_MEDIAL;
	if (!find_exact_path(map, &medial, radius, info))
	{
		return false;
	}
	return (info->min_clearance >= guarded && find_exact_path(map, request, guarded, info)) ||
		   find_exact_path(map, request, radius, info);
}

// ---- Steps -------------------------------------------------------------------------------------

// The farthest free point on the way, by bisection.
static NcVec2 walk_straight(NcQuery* query, NcVec2 from, NcVec2 to, double radius)
{
	if (nc_query_is_segment_free(query, from, to, radius))
	{
		return to;
	}
	double free = 0.0;
	double blocked = 1.0;
	for (int i = 0; i < BISECTION_COUNT; ++i)
	{
		double middle = 0.5 * (free + blocked);
		bool is_free = nc_query_is_segment_free(query, from, nc_lerp(from, to, middle), radius);
		*(is_free ? &free : &blocked) = middle;
	}
	return nc_lerp(from, to, free);
}

// The part of a step that leads along the wall, lifted off it by the guard so that rounding does
// not stop it.
static NcVec2 project_on_wall(
	const NcLocation* location, NcVec2 position, NcVec2 step, double guard)
{
	NcVec2 away = nc_normalize(nc_sub(position, location->closest));
	double towards = nc_dot(step, away);
	if (towards >= 0.0)
	{
		return step;
	}
	return nc_mul_add(nc_mul_add(step, -towards, away), 0.5 * guard, away);
}

// An agent inside an obstacle may only leave it.
static NcVec2 leave_obstacle(const StoreMap* map, NcVec2 from, NcVec2 step, double radius)
{
	NcVec2 closest;
	if (!plan_find_closest(map, from, radius, &closest))
	{
		return from;
	}
	double distance = nc_distance(from, closest);
	double length = nc_length(step);
	return distance <= length ? closest : nc_lerp(from, closest, length / distance);
}

// Rounding makes an agent lose the guard bit by bit: give it back where there is room.
static NcVec2 restore_guard(
	const StoreMap* map, NcVec2 from, const NcLocation* location, double radius, double guard)
{
	double missing = radius + GUARD_REACH * guard - location->clearance;
	if (missing <= 0.0 || missing > 2.0 * GUARD_REACH * guard)
	{
		return from;
	}
	NcVec2 away = nc_scale(1.0 / location->clearance, nc_sub(from, location->closest));
	NcVec2 lifted = nc_mul_add(from, missing, away);
	return nc_query_get_clearance(map->query, lifted) >= radius + guard ? lifted : from;
}

// Go as far as possible, then along the wall.
static NcVec2 walk_and_slide(
	const StoreMap* map, NcVec2 start, NcVec2 step, double kept, double guard)
{
	NcVec2 target = nc_add(start, step);
	NcVec2 position = walk_straight(map->query, start, target, kept);
	for (int i = 0; i < MAX_SLIDES && (position.x != target.x || position.y != target.y); ++i)
	{
		NcLocation location;
		if (!nc_query_locate(map->query, position, &location))
		{
			break;
		}
		NcVec2 rest = project_on_wall(&location, position, nc_sub(target, position), guard);
		target = nc_add(position, rest);
		position = walk_straight(map->query, position, target, kept);
	}
	return position;
}

NcVec2 plan_compute_step(const StoreMap* map, NcVec2 from, NcVec2 step, double radius)
{
	NcLocation location;
	double guard = plan_get_guard(map);
	if (!nc_query_locate(map->query, from, &location) || location.clearance < TOUCH * guard)
	{
		return leave_obstacle(map, from, step, radius + guard);
	}
	NcVec2 start = restore_guard(map, from, &location, radius, guard);
	double clearance = nc_query_get_clearance(map->query, start);
	double kept = clearance >= radius + guard ? radius + guard : nc_min(radius, clearance);
	NcVec2 end = walk_and_slide(map, start, step, kept, guard);

	// Slides bend the way; what counts for a body that moves straight is the direct line.
	double floor = nc_min(radius, location.clearance);
	return nc_query_is_segment_free(map->query, from, end, floor)
			   ? end
			   : walk_straight(map->query, start, nc_add(start, step), kept);
}
