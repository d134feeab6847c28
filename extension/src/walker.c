// SPDX-License-Identifier: MIT

// A walker: from a target to a path, and along it.
//
// Engine positions are floats. So a walker plans and steers with its radius and a guard: what
// rounding takes away is less than that. Where there is no room for the guard, or where the body is
// too close to a wall already, the walker goes from point to point of its path in checked steps.

#include "walker.h"

#include "plan.h"

#include <math.h>

// At full speed after an eighth of a second.
#define DEFAULT_ACCELERATION 8.0

// MIRAN's parameters, in radii.
#define DEFAULT_SIGMA 20.0
#define DEFAULT_SAMPLING 4.0

// How near to the goal a walker stops, in radii.
#define ARRIVAL 0.02

static WalkerCounts counts;

WalkerCounts walker_get_counts(void)
{
	return counts;
}

void walker_init(Walker* walker, const WalkerOwner* owner)
{
	*walker = (Walker){
		.rid = rid_add(RID_AGENT, walker),
		.owner = owner,
		.radius = 10.0,
		.max_speed = 100.0,
		.method = WALKER_MIRAN,
		.route = NC_ROUTE_SHORTEST,
		.avoidance_layers = 1,
		.avoidance_mask = 1,
		.avoidance_priority = 1.0,
		.neighbor_distance = 500.0,
		.max_neighbors = 10,
		.time_horizon = 1.0,
	};
}

static void free_steering(Walker* walker)
{
	nc_steer_route_destroy(walker->steer_route);
	walker->steer_route = NULL;
	walker->is_unsteered = false;
}

void walker_close(Walker* walker)
{
	rid_remove(walker->rid);
	free_steering(walker);
	points_free(&walker->path);
	points_free(&walker->corridor);
	points_free(&walker->control);
}

Walker* walker_get(GdRid rid)
{
	return rid_get(rid, RID_AGENT);
}

void walker_forget_path(Walker* walker)
{
	free_steering(walker);
	points_clear(&walker->path);
	points_clear(&walker->corridor);
	walker->path_index = 0;
	walker->path_length = 0.0;
	walker->passed_length = 0.0;
	walker->is_found = false;
	walker->is_cut_off = false;
	walker->is_lost = false;
}

// ---- Paths -------------------------------------------------------------------------------------

static void copy_path(Walker* walker, const StoreMap* map, const NcPathInfo* info)
{
	NcVec2* points = points_reserve(&walker->path, info->point_count);
	if (points != NULL)
	{
		walker->path.count = nc_query_get_path_points(map->query, points, info->point_count);
		walker->path_length = info->length;
	}
	nc_query_watch_path(map->query, &walker->watch);
}

static void copy_corridor(Walker* walker, const StoreMap* map, const NcPathInfo* info)
{
	NcMapEvent* events = calloc((size_t)info->event_count + 1, sizeof(NcMapEvent));
	int count = events != NULL ? nc_query_get_corridor(map->query, events, info->event_count) : 0;
	for (int i = 0; i < count; ++i)
	{
		points_push(&walker->corridor, events[i].position);
		points_push(&walker->corridor, events[i].left);
		points_push(&walker->corridor, events[i].right);
	}
	free(events);
}

static uint32_t get_terrain_revision(const Walker* walker, const StoreMap* map)
{
	bool is_weighted = walker->route == NC_ROUTE_WEIGHTED && map->terrain != NULL;
	return is_weighted ? nc_terrain_get_revision(map->terrain) : 0;
}

static void search(Walker* walker, StoreMap* map)
{
	PlanRequest request = {.start = walker->body.position,
		.goal = walker->target,
		.radius = walker->radius,
		.preferred_clearance = walker->preferred_clearance,
		.route = walker->route,
		.side = walker->side,
		.control = walker->control.data,
		.control_count = walker->control.count,
		.profile = walker->has_profile ? &walker->profile : NULL};
	NcPathInfo info;
	walker->is_found = plan_find(map, &request, &info);
	if (walker->is_found)
	{
		copy_path(walker, map, &info);
		copy_corridor(walker, map, &info);
	}
	else
	{
		points_push(&walker->path, walker->body.position); // the nearest that it can get
	}
	walker->path_map = map->rid;
	walker->path_iteration = map->iteration;
	walker->path_core = map->core_serial;
	walker->path_terrain = get_terrain_revision(walker, map);
	walker->body.reference = 0.0;
	walker->body.attraction = 0.0;
	walker->body.attraction_point = walker->body.position;
	walker->body.stall_time = 0.0;
	walker->body.has_arrived = false;
	++walker->path_serial;
	++counts.search_count;
}

// Whether what changed in the map since the last look concerns the path.
static bool is_path_stale(Walker* walker, const StoreMap* map)
{
	if (walker->path_iteration == map->iteration)
	{
		return false;
	}
	bool is_stale = !walker->is_found || walker->path_core != map->core_serial ||
					walker->path_terrain != get_terrain_revision(walker, map) ||
					nc_map_is_path_stale(map->core, &walker->watch);
	if (!is_stale)
	{
		walker->path_iteration = map->iteration;
		++counts.kept_count;
	}
	return is_stale;
}

bool walker_needs_path(Walker* walker, const StoreMap* map)
{
	return walker->path.count == 0 || walker->is_lost || walker->path_map != map->rid ||
		   is_path_stale(walker, map);
}

bool walker_refresh(Walker* walker, StoreMap* map)
{
	if (!walker_needs_path(walker, map))
	{
		return false;
	}
	bool is_replanned = walker->path.count > 0 && walker->path_iteration != map->iteration;
	bool was_found = walker->path.count > 0 && walker->is_found;
	walker_forget_path(walker);
	search(walker, map);
	counts.replan_count += is_replanned;
	walker->is_cut_off = was_found && !walker->is_found;
	return true;
}

// ---- Steps -------------------------------------------------------------------------------------

static double choose(double value, double otherwise)
{
	return value > 0.0 ? value : otherwise;
}

static NcSteerDef make_steer_def(const Walker* walker, const StoreMap* map, double guard)
{
	NcSteerDef def = nc_default_steer_def();
	double size = nc_max(walker->radius, guard);
	def.sigma = choose(walker->sigma, DEFAULT_SIGMA * size);
	def.d = nc_min(choose(walker->sampling_distance, DEFAULT_SAMPLING * size), def.sigma);
	def.d = nc_max(def.d, def.sigma / 4096.0);
	def.d_safe = nc_max(walker->preferred_clearance - walker->radius, 0.5 * size);
	def.attraction_distance = 5.0 * size;
	def.arrival_distance = ARRIVAL * size + guard;
	if (walker->has_profile && map->terrain != NULL)
	{
		def.terrain = map->terrain;
		def.profile = &walker->profile;
	}
	return def;
}

// Prepare the path for steering, once.
static bool is_steered(Walker* walker, const StoreMap* map, double radius)
{
	if (walker->steer_route == NULL && !walker->is_unsteered)
	{
		NcStatus status = nc_steer_route_create(
			map->query, walker->path.data, walker->path.count, radius, &walker->steer_route, NULL);
		walker->is_unsteered = status != NC_OK;
	}
	return walker->steer_route != NULL;
}

static void advance(Walker* walker)
{
	const Points* path = &walker->path;
	while (walker->path_index + 1 < path->count)
	{
		NcVec2 from = path->data[walker->path_index > 0 ? walker->path_index - 1 : 0];
		double length = nc_distance(from, path->data[walker->path_index]);
		if (walker->passed_length + length > walker->body.reference)
		{
			return;
		}
		walker->passed_length += length;
		++walker->path_index;
	}
}

// From point to point, in steps that are checked one by one.
static void walk_along_points(Walker* walker, const StoreMap* map, double dt)
{
	NcVec2 position = walker->body.position;
	double rest = walker->max_speed * dt;
	for (int i = walker->path_index; i < walker->path.count && rest > 0.0; ++i)
	{
		NcVec2 way = nc_sub(walker->path.data[i], position);
		double length = nc_length(way);
		NcVec2 step = length > rest ? nc_scale(rest / length, way) : way;
		position = plan_compute_step(map, position, step, walker->radius);
		rest -= length;
		if (length <= rest && i == walker->path_index && i + 1 < walker->path.count)
		{
			++walker->path_index;
		}
	}
	walker->body.velocity = nc_scale(1.0 / dt, nc_sub(position, walker->body.position));
	walker->body.position = position;
	bool is_at_end = walker->path.count > 0 &&
					 nc_distance(position, walker->path.data[walker->path.count - 1]) <=
						 ARRIVAL * walker->radius + 2.0 * plan_get_guard(map);
	walker->outcome = is_at_end ? NC_STEER_ARRIVED : NC_STEER_WALKING;
}

void walker_step(
	Walker* walker, const StoreMap* map, const NcNeighbor* neighbors, int neighbor_count, double dt)
{
	static NcSteerStepFn* const methods[WALKER_METHOD_COUNT] = {
		nc_steer_step_cmm, nc_steer_step_improved, nc_steer_step_irm, nc_steer_step_miran};
	double guard = plan_get_guard(map);
	NcAgent* body = &walker->body;
	body->radius = walker->radius + guard;
	body->max_speed = walker->max_speed;
	body->max_acceleration =
		choose(walker->max_acceleration, DEFAULT_ACCELERATION * walker->max_speed);
	walker->outcome = NC_STEER_STUCK;
	if (walker->max_speed > 0.0 && is_steered(walker, map, body->radius))
	{
		NcSteerDef def = make_steer_def(walker, map, guard);
		walker->outcome = methods[walker->method](map->query, walker->steer_route, &def, neighbors,
			neighbor_count, nc_min(dt, NC_STEER_MAX_DT), body);
		advance(walker);
	}
	if (walker->outcome == NC_STEER_STUCK || walker->outcome == NC_STEER_INVALID)
	{
		walk_along_points(walker, map, dt);
	}
	else if (walker->outcome == NC_STEER_LOST && body->reference > 0.0)
	{
		walker->is_lost = true; // pushed, or the walls moved: search again from here
	}
	else if (walker->outcome == NC_STEER_LOST)
	{
		free_steering(walker);
		walker->is_unsteered = true; // not even the begin of the path is in sight: go there first
	}
}

void walker_answer(
	Walker* walker, const StoreMap* map, const NcNeighbor* neighbors, int neighbor_count, double dt)
{
	(void)neighbors, (void)neighbor_count;
	double speed = nc_length(walker->wish);
	if (speed > walker->max_speed)
	{
		walker->wish = nc_scale(walker->max_speed / speed, walker->wish);
	}
	NcVec2 from = walker->body.position;
	NcVec2 to = plan_compute_step(map, from, nc_scale(dt, walker->wish), walker->radius);
	walker->wish = nc_scale(1.0 / dt, nc_sub(to, from));
	walker->body.velocity = walker->wish;
}
