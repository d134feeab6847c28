// SPDX-License-Identifier: MIT

// A walker: from a target to a path, and along it.
//
// Engine positions are floats. So a walker plans and steers with its radius and a guard: what
// rounding takes away is less than that. Where there is no room for the guard, or where the body is
// too close to a wall already, the walker goes from point to point of its path in checked steps.
//
// Steering decides some times a second; in between a walker glides along the straight step that was
// found free. It decides at once when the map, its path or its place changes.

#include "walker.h"

#include "crowd.h"
#include "plan.h"

#include <math.h>
#include <stdatomic.h>

// At full speed after an eighth of a second.
#define DEFAULT_ACCELERATION 8.0

// MIRAN's parameters, in radii.
#define DEFAULT_SIGMA 10.0
#define DEFAULT_SAMPLING 2.5

// How often walkers decide, per second; and how many times longer they glide at most while they
// walk straight and nobody is to be avoided.
#define DECISION_RATE 15.0
#define MAX_STRETCH 4.0

// A velocity that changed by less than this part of itself is still the same.
#define SAME_VELOCITY 0.1

// Who has not come forward for so long, in seconds, squeezes past the others: it pays no heed to
// them for a way of so many radii.
#define PATIENCE 1.0
#define SQUEEZE 5.0

// How near to the goal a walker stops, in radii.
#define ARRIVAL 0.02

// Several threads count.
static struct
{
	atomic_llong search, replan, kept, decision;
} counts;

static void count_one(atomic_llong* number)
{
	atomic_fetch_add_explicit(number, 1, memory_order_relaxed);
}

WalkerCounts walker_get_counts(void)
{
	return (WalkerCounts){counts.search, counts.replan, counts.kept, counts.decision};
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
	crowd_forget(walker);
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

static void find_path(Walker* walker, const StoreMap* map)
{
	PlanRequest request = {.start = walker->position,
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
		points_push(&walker->path, walker->position); // the nearest that it can get
	}
	walker->path_end =
		walker->path.count > 0 ? walker->path.data[walker->path.count - 1] : walker->position;
	walker->path_map = map->rid;
	walker->path_iteration = map->iteration;
	walker->path_core = map->core_serial;
	walker->path_terrain = get_terrain_revision(walker, map);
	walker->glide_time = 0.0;
	walker->body.reference = 0.0;
	walker->body.attraction = 0.0;
	walker->body.attraction_point = walker->position;
	walker->body.stall_time = 0.0;
	walker->body.has_arrived = false;
	++walker->path_serial;
	count_one(&counts.search);
}

// Whether the disc does not fit any more on the rest of the path.
static bool is_blocked(Walker* walker, const StoreMap* map)
{
	if (walker->steer_route == NULL || !nc_steer_route_recheck(map->query, walker->steer_route,
										   walker->body.reference, walker->watch.revision))
	{
		return true;
	}
	walker->watch.revision = nc_map_get_revision(map->core);
	return false;
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
					(nc_map_is_path_stale(map->core, &walker->watch) && is_blocked(walker, map));
	if (!is_stale)
	{
		walker->path_iteration = map->iteration;
		count_one(&counts.kept);
	}
	return is_stale;
}

bool walker_needs_path(Walker* walker, const StoreMap* map)
{
	return walker->path.count == 0 || walker->is_lost || walker->path_map != map->rid ||
		   is_path_stale(walker, map);
}

void walker_search(Walker* walker, const StoreMap* map)
{
	bool was_found = walker->path.count > 0 && walker->is_found;
	if (walker->path.count > 0 && walker->path_iteration != map->iteration)
	{
		count_one(&counts.replan);
	}
	walker_forget_path(walker);
	find_path(walker, map);
	walker->is_cut_off = was_found && !walker->is_found;
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
	NcVec2 position = walker->position;
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
	walker->velocity = nc_scale(1.0 / dt, nc_sub(position, walker->position));
	walker->position = position;
	walker->body.position = position;
	walker->body.velocity = walker->velocity;
	walker->glide_time = 0.0;
	const Points* path = &walker->path;
	double near = ARRIVAL * walker->radius + 2.0 * plan_get_guard(map);
	bool is_at_end = path->count > 0 && nc_distance(position, path->data[path->count - 1]) <= near;
	walker->outcome = is_at_end ? NC_STEER_ARRIVED : NC_STEER_WALKING;
}

// Remember where a change of the map would concern the glide.
static void watch_glide(Walker* walker, const StoreMap* map)
{
	const NcAgent* body = &walker->body;
	double brake_time = 0.5 * nc_length(body->velocity) / body->max_acceleration;
	NcVec2 stop = nc_mul_add(body->position, brake_time, body->velocity);
	NcBox box = nc_box_add_point(nc_box_empty(), walker->position);
	box = nc_box_add_point(nc_box_add_point(box, body->position), stop);
	walker->glide_watch.boxes[0] = nc_box_grow(box, body->radius + plan_get_guard(map));
	walker->glide_watch.box_count = 1;
	walker->glide_watch.revision = nc_map_get_revision(map->core);
	walker->glide_serial = map->iteration;
	walker->glide_core = map->core_serial;
}

bool walker_must_decide(Walker* walker, const StoreMap* map, double dt)
{
	walker->has_decided = false;
	if (walker->glide_time <= 0.5 * dt)
	{
		return true;
	}
	if (walker->glide_serial != map->iteration)
	{
		if (walker->glide_core != map->core_serial ||
			nc_map_is_path_stale(map->core, &walker->glide_watch))
		{
			return true;
		}
		walker->glide_serial = map->iteration;
	}
	return false;
}

// How long a glide is, in frames, unless the walker goes straight. Not everybody decides in the
// same frame, and who is fast for its size has to look more often.
static double choose_frames(const Walker* walker, double dt)
{
	double frames = nc_max(floor(1.0 / (DECISION_RATE * dt) + 0.5), 1.0);
	bool is_first = walker->velocity.x == 0.0 && walker->velocity.y == 0.0;
	double wanted = is_first ? 1.0 + fmod((double)(uint32_t)walker->rid, frames) : frames;
	double limit = walker->radius / (nc_max(walker->max_speed, 1e-9) * dt);
	return nc_clamp(floor(limit), 1.0, wanted);
}

// Let the method decide about the next `time` seconds.
// @return whether the walker goes on as before
static bool take_step(Walker* walker, const StoreMap* map, const NcNeighbor* neighbors,
	int neighbor_count, double time)
{
	static NcSteerStepFn* const methods[WALKER_METHOD_COUNT] = {
		nc_steer_step_cmm, nc_steer_step_improved, nc_steer_step_irm, nc_steer_step_miran};
	NcAgent* body = &walker->body;
	walker->outcome = NC_STEER_STUCK;
	if (walker->steer_route != NULL)
	{
		NcSteerDef def = make_steer_def(walker, map, plan_get_guard(map));
		walker->outcome = methods[walker->method](
			map->query, walker->steer_route, &def, neighbors, neighbor_count, time, body);
	}
	NcVec2 velocity = nc_scale(1.0 / time, nc_sub(body->position, walker->position));
	double change = nc_distance(velocity, walker->velocity);
	return walker->outcome == NC_STEER_WALKING && change <= SAME_VELOCITY * nc_length(velocity);
}

// Bring the body up to date, and the path into the form that steering needs.
static void prepare_body(Walker* walker, const StoreMap* map)
{
	NcAgent* body = &walker->body;
	body->position = walker->position;
	body->radius = walker->radius + plan_get_guard(map);
	body->max_speed = walker->max_speed;
	body->max_acceleration =
		choose(walker->max_acceleration, DEFAULT_ACCELERATION * walker->max_speed);
	if (walker->steer_route == NULL && !walker->is_unsteered && walker->max_speed > 0.0)
	{
		NcStatus status = nc_steer_route_create(map->query, walker->path.data, walker->path.count,
			body->radius, &walker->steer_route, NULL);
		walker->is_unsteered = status != NC_OK;
	}
}

void walker_decide(
	Walker* walker, const StoreMap* map, const NcNeighbor* neighbors, int neighbor_count, double dt)
{
	prepare_body(walker, map);
	double frames = choose_frames(walker, dt);
	double last = floor(walker->decision_time / dt + 0.5);
	double longer = nc_min(2.0 * last, MAX_STRETCH * frames);
	double time = nc_min(nc_max(frames, longer) * dt, NC_STEER_MAX_DT);
	NcAgent before = walker->body;
	bool is_same = take_step(walker, map, neighbors, neighbor_count, time);
	if (longer > frames && !is_same)
	{
		// Something is to be done: in small steps.
		walker->body = before;
		time = nc_min(frames * dt, NC_STEER_MAX_DT);
		is_same = take_step(walker, map, neighbors, neighbor_count, time);
	}
	bool is_jammed = neighbor_count > 0 && walker->outcome == NC_STEER_WALKING &&
					 walker->body.stall_time > PATIENCE;
	walker->hurry_time = is_jammed ? SQUEEZE * walker->radius / walker->max_speed
								   : nc_max(walker->hurry_time - time, 0.0);
	advance(walker);
	walker->velocity = nc_scale(1.0 / time, nc_sub(walker->body.position, walker->position));
	walker->decision_time = is_same && !walker->is_avoiding ? time : 0.0;
	walker->glide_time = time;
	walker->has_decided = true;
	watch_glide(walker, map);
	count_one(&counts.decision);
}

// What the decision means for the path.
static void follow_outcome(Walker* walker)
{
	if (walker->outcome == NC_STEER_LOST && walker->body.reference > 0.0)
	{
		walker->is_lost = true; // pushed, or the walls moved: search again from here
	}
	else if (walker->outcome == NC_STEER_LOST)
	{
		free_steering(walker);
		walker->is_unsteered = true; // not even the begin of the path is in sight: go there first
	}
}

void walker_glide(Walker* walker, const StoreMap* map, double dt)
{
	if (walker->has_decided)
	{
		follow_outcome(walker);
	}
	if (walker->outcome == NC_STEER_STUCK || walker->outcome == NC_STEER_INVALID)
	{
		walk_along_points(walker, map, dt);
		return;
	}
	walker->glide_time = nc_max(walker->glide_time - dt, 0.0);
	bool is_over = walker->glide_time <= 0.5 * dt;
	walker->position =
		is_over ? walker->body.position : nc_mul_add(walker->position, dt, walker->velocity);
}

void walker_put(Walker* walker, NcVec2 position)
{
	walker->position = position;
	walker->body.position = position;
	walker->glide_time = 0.0;
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
	NcVec2 from = walker->position;
	NcVec2 to = plan_compute_step(map, from, nc_scale(dt, walker->wish), walker->radius);
	walker->wish = nc_scale(1.0 / dt, nc_sub(to, from));
	walker->velocity = walker->body.velocity = walker->wish;
}
