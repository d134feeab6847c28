// SPDX-License-Identifier: MIT

// From the target to a path and along it, with the signals of NavigationAgent.
//
// One difference to NavigationAgent: a waypoint counts as passed when the agent is close to it and
// can walk straight to the next one. So the line to get_next_path_position() is free, and agents
// with a large path_desired_distance do not cut corners.

#include "agent.h"
#include "plan.h"

#include <math.h>
#include <string.h>

// ---- Searching ---------------------------------------------------------------------------------

StoreMap* agent_find_map(const CorridorAgent* self)
{
	StoreMap* map = self->navigation_map != 0
						? store_get_map(self->navigation_map)
						: store_find_map(self->world_id, agent_get_position(self).plane);
	return map != NULL && store_sync(map) != NULL ? map : NULL;
}

void agent_request_path(CorridorAgent* self)
{
	points_clear(&self->path);
	points_clear(&self->corridor);
	self->path_index = 0;
	self->path_length = 0.0;
	self->is_target_reached = false;
	self->is_navigation_finished = false;
	self->is_last_waypoint_reached = false;
	self->update_frame = -1;
	self->has_target = self->target.type != GD_NIL;
	++self->target_serial;
}

static void copy_path(CorridorAgent* self, const StoreMap* map, const NcPathInfo* info)
{
	NcVec2* points = points_reserve(&self->path, info->point_count);
	if (points != NULL)
	{
		self->path.count = nc_query_get_path_points(map->query, points, info->point_count);
		self->path_length = info->length;
	}
}

static void copy_corridor(CorridorAgent* self, const StoreMap* map, const NcPathInfo* info)
{
	NcMapEvent* events = calloc((size_t)info->event_count + 1, sizeof(NcMapEvent));
	int count = events != NULL ? nc_query_get_corridor(map->query, events, info->event_count) : 0;
	for (int i = 0; i < count; ++i)
	{
		points_push(&self->corridor, events[i].position);
		points_push(&self->corridor, events[i].left);
		points_push(&self->corridor, events[i].right);
	}
	free(events);
}

void agent_find_path(CorridorAgent* self)
{
	points_clear(&self->path);
	points_clear(&self->corridor);
	self->path_index = 0;
	self->path_length = 0.0;
	self->is_last_waypoint_reached = false;

	gd_lock();
	NcVec2 start = agent_get_position(self).plane;
	StoreMap* map = agent_find_map(self);
	NcPathInfo info;
	if (map != NULL)
	{
		self->path_map = map->rid;
		self->path_iteration = map->iteration;
		PlanRequest request = {.start = start,
			.goal = self->target.plane,
			.radius = self->radius,
			.route = NC_ROUTE_SHORTEST};
		if (plan_find(map, &request, &info))
		{
			copy_path(self, map, &info);
			copy_corridor(self, map, &info);
		}
		else
		{
			points_push(&self->path, start); // the nearest that it can get
		}
	}
	gd_unlock();
}

bool agent_is_map_changed(const CorridorAgent* self)
{
	gd_lock();
	const StoreMap* map = agent_find_map(self);
	bool is_changed =
		map != NULL && (map->rid != self->path_map || map->iteration != self->path_iteration);
	gd_unlock();
	return is_changed;
}

static bool is_far_from_path(const CorridorAgent* self, NcVec2 position)
{
	if (self->path_index == 0)
	{
		return false;
	}
	const NcVec2* segment = self->path.data + self->path_index - 1;
	NcVec2 closest = nc_closest_on_segment(position, segment[0], segment[1]);
	return nc_distance(position, closest) >= self->path_max_distance;
}

// ---- Signals -----------------------------------------------------------------------------------

// Emit, and find out whether the agent still exists and still has the same target.
static bool emit(CorridorAgent* self, const char* signal, GdVariant* args, int count)
{
	uint64_t id = gd_get_id(self->base.object);
	uint32_t serial = self->target_serial;
	gd_emit(self->base.object, signal, args, count);
	return gd_get_object(id) != NULL && self->target_serial == serial;
}

static bool emit_waypoint_reached(CorridorAgent* self)
{
	Place position = agent_get_position(self);
	GdDictionary details;
	gd_construct(GD_DICTIONARY, &details);
	int64_t index = self->path_index;
	gd_dictionary_set(&details, "position",
		place_to_variant(self->path.data[index], position.height, position.type));
	gd_dictionary_set(&details, "index", gd_variant(GD_INT, &index));
	GdVariant args[] = {gd_variant(GD_DICTIONARY, &details)};
	gd_destroy(GD_DICTIONARY, &details);
	return emit(self, "waypoint_reached", args, 1);
}

// ---- Progress ----------------------------------------------------------------------------------

static bool is_way_free(const CorridorAgent* self, NcVec2 from, NcVec2 to)
{
	gd_lock();
	StoreMap* map = agent_find_map(self);
	bool is_free = true;
	if (map != NULL)
	{
		double clearance = nc_query_get_clearance(map->query, from);
		is_free = nc_query_is_segment_free(map->query, from, to, nc_min(self->radius, clearance));
	}
	gd_unlock();
	return is_free;
}

static bool is_waypoint_passed(const CorridorAgent* self, NcVec2 position)
{
	// What a single step crosses must not be missed.
	double step = self->max_speed * gd_node_get_physics_process_delta_time(self->base.object);
	const NcVec2* waypoint = self->path.data + self->path_index;
	if (nc_distance(position, *waypoint) >= nc_max(self->path_desired_distance, step))
	{
		return false;
	}
	bool is_last = self->path_index + 1 == self->path.count;
	bool is_behind = self->path_index > 0 && nc_dot(nc_sub(position, waypoint[0]),
												 nc_sub(waypoint[0], waypoint[-1])) >= 0.0;
	return is_last || is_behind || is_way_free(self, position, waypoint[1]);
}

// @return false if the update must end here
static bool advance_waypoints(CorridorAgent* self, NcVec2 position)
{
	while (!self->is_last_waypoint_reached && is_waypoint_passed(self, position))
	{
		if (!emit_waypoint_reached(self))
		{
			return false;
		}
		if (self->path_index + 1 >= self->path.count)
		{
			self->is_last_waypoint_reached = true;
			return true;
		}
		++self->path_index;
	}
	return true;
}

static bool is_target_reachable(const CorridorAgent* self)
{
	return self->path.count > 0 && nc_distance(self->path.data[self->path.count - 1],
									   self->target.plane) <= self->target_desired_distance;
}

static void finish_navigation(CorridorAgent* self)
{
	self->is_navigation_finished = true;
	self->has_target = false;
	emit(self, "navigation_finished", NULL, 0);
}

static void check_progress(CorridorAgent* self, NcVec2 position)
{
	if (!advance_waypoints(self, position))
	{
		return;
	}
	if (nc_distance(position, self->target.plane) <= self->target_desired_distance)
	{
		self->is_target_reached = true;
		if (emit(self, "target_reached", NULL, 0))
		{
			finish_navigation(self);
		}
	}
	else if (self->is_last_waypoint_reached && !is_target_reachable(self))
	{
		finish_navigation(self);
	}
}

bool agent_update(CorridorAgent* self)
{
	int64_t frame = gd_engine_get_physics_frames(gd_singleton("Engine"));
	if (!self->has_target || agent_get_parent(self) == NULL || self->update_frame == frame)
	{
		return true;
	}
	self->update_frame = frame;

	uint64_t id = gd_get_id(self->base.object);
	NcVec2 position = agent_get_position(self).plane;
	if (self->path.count == 0 || agent_is_map_changed(self) || is_far_from_path(self, position))
	{
		agent_find_path(self);
		if (self->path.count > 0 && !emit(self, "path_changed", NULL, 0))
		{
			return gd_get_object(id) != NULL;
		}
	}
	if (self->path.count > 0)
	{
		check_progress(self, position);
	}
	return gd_get_object(id) != NULL;
}

// ---- Moving ------------------------------------------------------------------------------------

NcVec2 agent_compute_safe_velocity(const CorridorAgent* self, NcVec2 velocity, double delta)
{
	double speed = nc_length(velocity);
	if (speed > self->max_speed)
	{
		velocity = nc_scale(self->max_speed / speed, velocity);
	}
	if (!(delta > 0.0))
	{
		return velocity;
	}
	gd_lock();
	StoreMap* map = agent_find_map(self);
	if (map != NULL)
	{
		NcVec2 position = agent_get_position(self).plane;
		NcVec2 end = plan_compute_step(map, position, nc_scale(delta, velocity), self->radius);
		velocity = nc_scale(1.0 / delta, nc_sub(end, position));
	}
	gd_unlock();
	return velocity;
}

NcVec2 agent_compute_walk(const CorridorAgent* self, double delta)
{
	NcVec2 position = agent_get_position(self).plane;
	double rest = self->max_speed * delta;
	gd_lock();
	StoreMap* map = agent_find_map(self);
	for (int i = self->path_index; map != NULL && i < self->path.count && rest > 0.0; ++i)
	{
		NcVec2 way = nc_sub(self->path.data[i], position);
		double length = nc_length(way);
		NcVec2 step = length > rest ? nc_scale(rest / length, way) : way;
		position = plan_compute_step(map, position, step, self->radius);
		rest -= length;
	}
	gd_unlock();
	return position;
}
