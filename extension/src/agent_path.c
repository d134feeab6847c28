// SPDX-License-Identifier: MIT

// From the target to a path and along it, with the signals of NavigationAgent.
//
// One difference to NavigationAgent: a waypoint counts as passed when the agent is close to it and
// can walk straight to the next one. So the line to get_next_path_position() is free, and agents
// with a large path_desired_distance do not cut corners.

#include "agent.h"

#include "terrain_profile.h"

#include <math.h>
#include <string.h>

// How finely a drawn curve is cut: the engine's own defaults.
#define CURVE_STAGES 5
#define CURVE_DEGREES 4.0

// ---- Searching ---------------------------------------------------------------------------------

// Whether the map that the agent used last will do.
static bool is_map_kept(const CorridorAgent* self, const StoreMap* map, NcVec2 position)
{
	return map != NULL && map->is_active && map->world_id == self->world_id &&
		   (map->layers & (uint32_t)self->navigation_layers) != 0 &&
		   store_is_within(map, position, self->height);
}

StoreMap* agent_choose_map(CorridorAgent* self, NcVec2 position)
{
	StoreMap* map = store_get_map(self->navigation_map);
	if (self->navigation_map == 0)
	{
		map = store_get_map(self->walker.map);
		map = is_map_kept(self, map, position)
				  ? map
				  : store_find_map(
						self->world_id, position, self->height, (uint32_t)self->navigation_layers);
	}
	self->walker.map = map != NULL ? map->rid : 0;
	return map;
}

StoreMap* agent_find_map(CorridorAgent* self)
{
	Place place = agent_get_position(self);
	self->height = place.height;
	StoreMap* map = agent_choose_map(self, place.plane);
	return map != NULL && store_sync(map) != NULL ? map : NULL;
}

void agent_request_path(CorridorAgent* self)
{
	gd_lock();
	walker_forget_path(&self->walker);
	self->walker.target = self->target.plane;
	self->walker.has_target = self->target.type != GD_NIL;
	gd_unlock();
	self->is_target_reached = false;
	self->is_navigation_finished = false;
	self->is_last_waypoint_reached = false;
	self->update_frame = -1;
	++self->target_serial;
}

// ---- What to search ----------------------------------------------------------------------------

static void add_curve_2d(CorridorAgent* self, GDExtensionObjectPtr path)
{
	GDExtensionObjectPtr curve = gd_path_2d_get_curve(path);
	if (curve == NULL)
	{
		return;
	}
	GdPackedVector2Array array = gd_curve_2d_tessellate(curve, CURVE_STAGES, CURVE_DEGREES);
	GdTransform2D transform = gd_canvas_item_get_global_transform(path);
	int count;
	const GdVector2* items = gd_vector2_items(&array, &count);
	for (int i = 0; i < count; ++i)
	{
		points_push(&self->walker.control, gd_transform(transform, gd_vec2(items[i])));
	}
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
	gd_release(curve);
}

static void add_curve_3d(CorridorAgent* self, GDExtensionObjectPtr path)
{
	GDExtensionObjectPtr curve = gd_path_3d_get_curve(path);
	if (curve == NULL)
	{
		return;
	}
	GdPackedVector3Array array = gd_curve_3d_tessellate(curve, CURVE_STAGES, CURVE_DEGREES);
	GdTransform3D t = gd_node_3d_get_global_transform(path);
	int count;
	const GdVector3* items = gd_vector3_items(&array, &count);
	for (int i = 0; i < count; ++i)
	{
		const GdVector3* rows = t.rows;
		GdVector3 v = items[i];
		float x = rows[0].x * v.x + rows[0].y * v.y + rows[0].z * v.z + t.origin.x;
		float z = rows[2].x * v.x + rows[2].y * v.y + rows[2].z * v.z + t.origin.z;
		points_push(&self->walker.control, (NcVec2){(double)x, (double)z});
	}
	gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
	gd_release(curve);
}

// An agent that is on its way goes on where the drawing is nearest, not at its begin.
static void drop_points_behind(Points* control, NcVec2 position)
{
	int first = 0;
	double best = HUGE_VAL;
	for (int i = 0; i + 1 < control->count; ++i)
	{
		NcVec2 closest = nc_closest_on_segment(position, control->data[i], control->data[i + 1]);
		double distance = nc_distance(position, closest);
		if (distance < best)
		{
			best = distance;
			first = distance < nc_distance(position, control->data[i]) ? i + 1 : i;
		}
	}
	control->count -= first;
	if (first == 0)
	{
		return;
	}
	memmove(control->data, control->data + first, (size_t)control->count * sizeof(NcVec2));
}

GDExtensionObjectPtr agent_find_route(const CorridorAgent* self)
{
	bool has_route =
		!gd_node_path_is_empty(&self->route) && gd_node_is_inside_tree(self->base.object);
	return has_route ? gd_node_get_node_or_null(self->base.object, &self->route) : NULL;
}

static void read_route(CorridorAgent* self)
{
	Points* control = &self->walker.control;
	GDExtensionObjectPtr path = agent_find_route(self);
	points_clear(control);
	if (path != NULL && gd_is_class(path, "Path2D"))
	{
		add_curve_2d(self, path);
	}
	else if (path != NULL && gd_is_class(path, "Path3D"))
	{
		add_curve_3d(self, path);
	}
	drop_points_behind(control, self->walker.position);
}

void agent_describe_path(CorridorAgent* self)
{
	Walker* walker = &self->walker;
	read_route(self);
	walker->has_profile = terrain_profile_read(self->terrain_profile, &walker->profile);
	bool is_medial = self->path_postprocessing == AGENT_PATH_MEDIAL || walker->method == WALKER_CMM;
	walker->route = walker->control.count > 0 ? NC_ROUTE_CONTROL
					: walker->has_profile     ? NC_ROUTE_WEIGHTED
					: walker->side != 0.0     ? NC_ROUTE_SIDE
					: is_medial               ? NC_ROUTE_MEDIAL
											  : NC_ROUTE_SHORTEST;
}

// Make sure that there is a good path from where the parent is.
static void refresh_path(CorridorAgent* self)
{
	gd_lock();
	agent_read_position(self);
	StoreMap* map = agent_find_map(self);
	if (map != NULL && walker_needs_path(&self->walker, map))
	{
		agent_describe_path(self);
		walker_search(&self->walker, map);
	}
	gd_unlock();
}

void agent_find_path(CorridorAgent* self)
{
	self->walker.is_lost = true;
	refresh_path(self);
}

bool agent_is_path_stale(CorridorAgent* self)
{
	gd_lock();
	const StoreMap* map = agent_find_map(self);
	bool is_stale = map != NULL && walker_needs_path(&self->walker, map);
	gd_unlock();
	return is_stale;
}

static bool is_far_from_path(const CorridorAgent* self, NcVec2 position)
{
	const Walker* walker = &self->walker;
	if (walker->path_index == 0)
	{
		return false;
	}
	const NcVec2* segment = walker->path.data + walker->path_index - 1;
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
	if (!gd_object_has_connections(self->base.object, gd_name("waypoint_reached")))
	{
		return true;
	}
	Place position = agent_get_position(self);
	GdDictionary details;
	gd_construct(GD_DICTIONARY, &details);
	int64_t index = self->waypoint;
	gd_dictionary_set(&details, "position",
		place_to_variant(self->walker.path.data[index], position.height, position.type));
	gd_dictionary_set(&details, "index", gd_variant(GD_INT, &index));
	GdVariant args[] = {gd_variant(GD_DICTIONARY, &details)};
	gd_destroy(GD_DICTIONARY, &details);
	return emit(self, "waypoint_reached", args, 1);
}

// ---- Progress ----------------------------------------------------------------------------------

static bool is_way_free(CorridorAgent* self, NcVec2 from, NcVec2 to)
{
	gd_lock();
	StoreMap* map = agent_find_map(self);
	bool is_free = true;
	if (map != NULL)
	{
		double clearance = nc_query_get_clearance(map->query, from);
		double radius = nc_min(self->walker.radius, clearance);
		is_free = nc_query_is_segment_free(map->query, from, to, radius);
	}
	gd_unlock();
	return is_free;
}

static bool is_waypoint_passed(CorridorAgent* self, NcVec2 position)
{
	// What a single step crosses must not be missed.
	const Walker* walker = &self->walker;
	double step = walker->max_speed * gd_node_get_physics_process_delta_time(self->base.object);
	const NcVec2* waypoint = walker->path.data + self->waypoint;
	if (self->waypoint < walker->path_index)
	{
		return true; // steering has left it behind
	}
	if (nc_distance(position, *waypoint) >= nc_max(self->path_desired_distance, step))
	{
		return false;
	}
	bool is_last = self->waypoint + 1 == walker->path.count;
	bool is_behind = self->waypoint > 0 && nc_dot(nc_sub(position, waypoint[0]),
											   nc_sub(waypoint[0], waypoint[-1])) >= 0.0;
	return is_last || is_behind || is_way_free(self, position, waypoint[1]);
}

// @return false if the update must end here
static bool advance_waypoints(CorridorAgent* self, NcVec2 position)
{
	Walker* walker = &self->walker;
	while (!self->is_last_waypoint_reached && is_waypoint_passed(self, position))
	{
		if (!emit_waypoint_reached(self))
		{
			return false;
		}
		if (self->waypoint + 1 >= walker->path.count)
		{
			self->is_last_waypoint_reached = true;
			return true;
		}
		++self->waypoint;
		if (!self->auto_move)
		{
			walker->path_index = self->waypoint;
		}
	}
	return true;
}

static bool is_target_reachable(const CorridorAgent* self)
{
	const Points* path = &self->walker.path;
	return path->count > 0 && nc_distance(path->data[path->count - 1], self->target.plane) <=
								  self->target_desired_distance;
}

static void finish_navigation(CorridorAgent* self)
{
	self->is_navigation_finished = true;
	self->walker.has_target = false;
	self->walker.velocity = self->walker.body.velocity = (NcVec2){0.0, 0.0};
	emit(self, "navigation_finished", NULL, 0);
}

static void check_progress(CorridorAgent* self, NcVec2 position)
{
	if (!advance_waypoints(self, position))
	{
		return;
	}
	bool has_arrived = self->auto_move && self->walker.outcome == NC_STEER_ARRIVED &&
					   self->walker.path_length > 0.0 && is_target_reachable(self);
	if (has_arrived || nc_distance(position, self->target.plane) <= self->target_desired_distance)
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

// Tell about a path that nobody has heard of.
// @return false if the update must end here
static bool tell_path(CorridorAgent* self)
{
	if (self->told_serial == self->walker.path_serial || self->walker.path.count == 0)
	{
		return true;
	}
	self->told_serial = self->walker.path_serial;
	self->waypoint = 0;
	self->is_last_waypoint_reached = false;
	return (!self->walker.is_cut_off || emit(self, "path_blocked", NULL, 0)) &&
		   emit(self, "path_changed", NULL, 0);
}

bool agent_update(CorridorAgent* self)
{
	int64_t frame = agent_get_frame();
	if (!self->walker.has_target || self->update_frame == frame || agent_get_parent(self) == NULL)
	{
		return true;
	}
	self->update_frame = frame;

	uint64_t id = gd_get_id(self->base.object);
	NcVec2 position = agent_get_position(self).plane;
	if (!self->auto_move && is_far_from_path(self, position))
	{
		self->walker.is_lost = true;
		if (!emit(self, "route_left", NULL, 0))
		{
			return gd_get_object(id) != NULL;
		}
	}
	refresh_path(self);
	if (tell_path(self) && self->walker.path.count > 0)
	{
		check_progress(self, position);
	}
	return gd_get_object(id) != NULL;
}
