// SPDX-License-Identifier: MIT

// class CorridorAgent: Node, moves its Node2D or Node3D parent through a corridor map.
//
// Names and signals are those of NavigationAgent2D and NavigationAgent3D. One class serves both:
// positions are Vector2 under a Node2D and Vector3 under a Node3D, where the map is the plane (x,
// z).

#include "corridor_agent.h"

#include <math.h>
#include <string.h>

// ---- Positions ---------------------------------------------------------------------------------

bool place_from_variant(const GdVariant* variant, Place* place)
{
	GDExtensionVariantType type = gd_variant_type(variant);
	if (type == GDEXTENSION_VARIANT_TYPE_VECTOR2)
	{
		GdVector2 v;
		gd_variant_read(variant, GD_VECTOR2, &v);
		*place = (Place){{(double)v.x, (double)v.y}, 0.0, GD_VECTOR2};
	}
	else if (type == GDEXTENSION_VARIANT_TYPE_VECTOR3)
	{
		GdVector3 v;
		gd_variant_read(variant, GD_VECTOR3, &v);
		*place = (Place){{(double)v.x, (double)v.z}, (double)v.y, GD_VECTOR3};
	}
	else
	{
		return false;
	}
	return fabs(place->plane.x) <= STORE_MAX_COORDINATE &&
		   fabs(place->plane.y) <= STORE_MAX_COORDINATE && isfinite(place->height);
}

GdVariant place_to_variant(NcVec2 plane, double height, GdType type)
{
	if (type == GD_VECTOR3)
	{
		GdVector3 v = {(float)plane.x, (float)height, (float)plane.y};
		return gd_variant(GD_VECTOR3, &v);
	}
	return type == GD_VECTOR2 ? gd_variant_vec2(plane) : gd_variant(GD_NIL, NULL);
}

// What the parent calls a position; before there is a parent, what the script said.
static GdType choose_type(const CorridorAgent* self, const Place* place)
{
	return place->type == GD_NIL || self->parent_type == GD_NIL ? place->type : self->parent_type;
}

// Return a Variant.
static void return_place(GdCall* call, NcVec2 plane, double height, GdType type)
{
	GdVariant variant = place_to_variant(plane, height, type);
	gd_assign(GD_VARIANT, call->result, &variant);
	gd_destroy(GD_VARIANT, &variant);
}

// ---- The parent --------------------------------------------------------------------------------

GDExtensionObjectPtr agent_get_parent(const CorridorAgent* self)
{
	GDExtensionObjectPtr parent = gd_get_object(self->parent_id);
	return parent != NULL && self->parent_type != GD_NIL && gd_node_is_inside_tree(parent) ? parent
																						   : NULL;
}

Place agent_get_position(const CorridorAgent* self)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	if (parent != NULL && self->parent_type == GD_VECTOR3)
	{
		GdVector3 v = gd_node_3d_get_global_position(parent);
		return (Place){{(double)v.x, (double)v.z}, (double)v.y, GD_VECTOR3};
	}
	GdVector2 v = parent != NULL ? gd_node_2d_get_global_position(parent) : (GdVector2){0.0f, 0.0f};
	return (Place){{(double)v.x, (double)v.y}, 0.0, GD_VECTOR2};
}

static void move_parent(const CorridorAgent* self, NcVec2 plane)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	if (self->parent_type == GD_VECTOR3)
	{
		GdVector3 v = gd_node_3d_get_global_position(parent);
		gd_node_3d_set_global_position(parent, (GdVector3){(float)plane.x, v.y, (float)plane.y});
	}
	else
	{
		gd_node_2d_set_global_position(parent, gd_vector2(plane));
	}
}

static void set_parent(CorridorAgent* self, GDExtensionObjectPtr parent)
{
	self->parent_id = gd_get_id(parent);
	self->parent_type = parent == NULL                  ? GD_NIL
						: gd_is_class(parent, "Node2D") ? GD_VECTOR2
						: gd_is_class(parent, "Node3D") ? GD_VECTOR3
														: GD_NIL;
	gd_object_notify_property_list_changed(self->base.object);
	gd_node_update_configuration_warnings(self->base.object);
}

static uint64_t find_world(const CorridorAgent* self)
{
	GDExtensionObjectPtr viewport = gd_node_get_viewport(self->base.object);
	GDExtensionObjectPtr world = viewport != NULL ? gd_viewport_find_world_2d(viewport) : NULL;
	uint64_t id = gd_get_id(world);
	gd_release(world);
	return id;
}

// ---- Properties with functions -----------------------------------------------------------------

// Read a position that may also be null.
static bool read_place(const GdCall* call, Place* place)
{
	const GdVariant* variant = call->args[0];
	if (gd_variant_type(variant) == GDEXTENSION_VARIANT_TYPE_NIL)
	{
		*place = (Place){.type = GD_NIL};
		return true;
	}
	Place value;
	if (place_from_variant(variant, &value))
	{
		*place = value;
		return true;
	}
	GD_ERROR("CorridorAgent.%s(): pass a Vector2 or a Vector3 of usable numbers, or null for none.",
		call->method->name);
	return false;
}

static void set_target_position(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (read_place(call, &self->target))
	{
		agent_request_path(self);
	}
}

static void get_target_position(GdCall* call)
{
	const CorridorAgent* self = call->self;
	return_place(call, self->target.plane, self->target.height, choose_type(self, &self->target));
}

static void set_velocity(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (read_place(call, &self->velocity))
	{
		self->has_velocity = self->velocity.type != GD_NIL;
	}
}

static void get_velocity(GdCall* call)
{
	const CorridorAgent* self = call->self;
	return_place(
		call, self->velocity.plane, self->velocity.height, choose_type(self, &self->velocity));
}

static void on_radius_changed(void* instance)
{
	CorridorAgent* self = instance;
	if (self->has_target)
	{
		agent_request_path(self);
	}
	self->shown_serial = 0;
}

static void on_look_changed(void* instance)
{
	((CorridorAgent*)instance)->shown_serial = 0;
}

// ---- Methods -----------------------------------------------------------------------------------

static bool check_parent(const GdCall* call)
{
	const CorridorAgent* self = call->self;
	if (agent_get_parent(self) != NULL)
	{
		return true;
	}
	GD_ERROR(
		"CorridorAgent.%s(): the agent needs a parent in the tree that is a Node2D or a Node3D.",
		call->method->name);
	return false;
}

// get_next_path_position() -> Vector2 or Vector3
static void get_next_path_position(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (!check_parent(call) || !agent_update(self))
	{
		return;
	}
	Place position = agent_get_position(self);
	bool is_walking = self->path_index < self->path.count;
	return_place(call, is_walking ? self->path.data[self->path_index] : position.plane,
		position.height, self->parent_type);
}

// get_final_position() -> Vector2 or Vector3
static void get_final_position(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (!check_parent(call) || !agent_update(self))
	{
		return;
	}
	Place position = agent_get_position(self);
	return_place(call,
		self->path.count > 0 ? self->path.data[self->path.count - 1] : position.plane,
		position.height, self->parent_type);
}

// get_current_navigation_path() -> PackedVector2Array or PackedVector3Array
static void get_current_navigation_path(GdCall* call)
{
	const CorridorAgent* self = call->self;
	GdVariant variant;
	if (self->parent_type == GD_VECTOR3)
	{
		GdPackedVector3Array array =
			gd_vector3_array(self->path.data, self->path.count, agent_get_position(self).height);
		variant = gd_variant(GD_PACKED_VECTOR3_ARRAY, &array);
		gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
	}
	else
	{
		GdPackedVector2Array array = gd_vector2_array(self->path.data, self->path.count);
		variant = gd_variant(GD_PACKED_VECTOR2_ARRAY, &array);
		gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
	}
	gd_assign(GD_VARIANT, call->result, &variant);
	gd_destroy(GD_VARIANT, &variant);
}

// get_current_navigation_path_index() -> int
static void get_current_navigation_path_index(GdCall* call)
{
	gd_return_int(call, ((const CorridorAgent*)call->self)->path_index);
}

// get_path_length() -> float
static void get_path_length(GdCall* call)
{
	gd_return_float(call, ((const CorridorAgent*)call->self)->path_length);
}

// is_navigation_finished() -> bool
static void is_navigation_finished(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (agent_update(self))
	{
		gd_return_bool(call, self->is_navigation_finished);
	}
}

// is_target_reached() -> bool
static void is_target_reached(GdCall* call)
{
	gd_return_bool(call, ((const CorridorAgent*)call->self)->is_target_reached);
}

// is_target_reachable() -> bool
static void is_target_reachable(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (agent_update(self) && self->path.count > 0)
	{
		NcVec2 end = self->path.data[self->path.count - 1];
		gd_return_bool(call, nc_distance(end, self->target.plane) <= self->target_desired_distance);
	}
}

// distance_to_target() -> float
static void distance_to_target(GdCall* call)
{
	const CorridorAgent* self = call->self;
	if (check_parent(call) && self->target.type != GD_NIL)
	{
		gd_return_float(call, nc_distance(agent_get_position(self).plane, self->target.plane));
	}
}

// set_navigation_map(navigation_map: RID)
static void set_navigation_map(GdCall* call)
{
	CorridorAgent* self = call->self;
	GdRid rid = gd_arg_rid(call, 0);
	gd_lock();
	bool is_known = rid == 0 || store_get_map(rid) != NULL;
	gd_unlock();
	if (!is_known)
	{
		GD_ERROR("CorridorAgent.set_navigation_map(): the RID names no map of NavCorridorServer.");
		return;
	}
	self->navigation_map = rid;
	if (self->has_target)
	{
		agent_request_path(self);
	}
}

// get_navigation_map() -> RID
static void get_navigation_map(GdCall* call)
{
	const CorridorAgent* self = call->self;
	gd_lock();
	const StoreMap* map = agent_get_parent(self) != NULL ? agent_find_map(self) : NULL;
	gd_return_rid(call, self->navigation_map != 0 ? self->navigation_map
						: map != NULL             ? map->rid
												  : 0);
	gd_unlock();
}

// ---- Frames ------------------------------------------------------------------------------------

// Answer a velocity that a script set.
static void answer_velocity(CorridorAgent* self, double delta)
{
	self->has_velocity = false;
	NcVec2 safe = agent_compute_safe_velocity(self, self->velocity.plane, delta);
	GdVariant args[] = {place_to_variant(safe, self->velocity.height, self->parent_type)};
	gd_emit(self->base.object, "velocity_computed", args, 1);
}

static void walk(CorridorAgent* self, double delta)
{
	uint64_t id = gd_get_id(self->base.object);
	if (!agent_update(self) || !self->has_target || agent_get_parent(self) == NULL ||
		!(delta > 0.0))
	{
		return;
	}
	NcVec2 from = agent_get_position(self).plane;
	NcVec2 to = agent_compute_walk(self, delta);
	move_parent(self, to);
	NcVec2 velocity = nc_scale(1.0 / delta, nc_sub(to, from));
	GdVariant args[] = {place_to_variant(velocity, 0.0, self->parent_type)};
	gd_emit(self->base.object, "velocity_computed", args, 1);

	// Arrival is told in the frame in which it happens.
	if (gd_get_object(id) != NULL)
	{
		self->update_frame = -1;
		agent_update(self);
	}
}

static void step_in_game(CorridorAgent* self)
{
	uint64_t id = gd_get_id(self->base.object);
	double delta = gd_node_get_physics_process_delta_time(self->base.object);
	if (self->auto_move)
	{
		walk(self, delta);
	}
	else if (self->has_velocity)
	{
		answer_velocity(self, delta);
	}
	if (gd_get_object(id) != NULL)
	{
		agent_draw(self);
	}
}

// The editor shows the path that the agent would take, and draws only when something changes.
static void step_in_editor(CorridorAgent* self)
{
	NcVec2 position = agent_get_position(self).plane;
	bool is_moved = position.x != self->shown_position.x || position.y != self->shown_position.y;
	if (!is_moved && self->shown_serial == self->target_serial && !agent_is_map_changed(self))
	{
		return;
	}
	self->shown_position = position;
	self->shown_serial = self->target_serial;
	if (self->target.type != GD_NIL)
	{
		agent_find_path(self);
	}
	agent_draw(self);
}

static void notify(void* instance, int what)
{
	CorridorAgent* self = instance;
	switch (what)
	{
	case GD_NOTIFICATION_PARENTED:
		set_parent(self, gd_node_get_parent(self->base.object));
		break;
	case GD_NOTIFICATION_UNPARENTED:
		set_parent(self, NULL);
		break;
	case GD_NOTIFICATION_ENTER_TREE:
		self->world_id = find_world(self);
		gd_node_set_physics_process_internal(self->base.object, true);
		break;
	case GD_NOTIFICATION_EXIT_TREE:
		gd_node_set_physics_process_internal(self->base.object, false);
		agent_free_drawing(self);
		break;
	case GD_NOTIFICATION_INTERNAL_PHYSICS_PROCESS:
		if (agent_get_parent(self) == NULL)
		{
			return;
		}
		if (gd_engine_is_editor_hint(gd_singleton("Engine")))
		{
			step_in_editor(self);
		}
		else
		{
			step_in_game(self);
		}
		break;
	default:
		break;
	}
}

// ---- The class ---------------------------------------------------------------------------------

static void create(void* instance)
{
	CorridorAgent* self = instance;
	self->path_desired_distance = 20.0;
	self->target_desired_distance = 10.0;
	self->path_max_distance = 100.0;
	self->radius = 10.0;
	self->max_speed = 100.0;
	self->debug_path_color = (GdColor){1.0f, 0.84f, 0.25f, 1.0f};
	self->debug_corridor_color = (GdColor){0.25f, 0.55f, 0.95f, 0.22f};
	self->target.type = GD_NIL;
	self->velocity.type = GD_NIL;
	self->update_frame = -1;
	self->target_serial = 1;
}

static void destroy(void* instance)
{
	CorridorAgent* self = instance;
	points_free(&self->path);
	points_free(&self->corridor);
}

// Positions are shown and stored as what the parent has.
static void validate_property(void* instance, const char* name, GDExtensionPropertyInfo* info)
{
	const CorridorAgent* self = instance;
	bool is_position = strcmp(name, "target_position") == 0 || strcmp(name, "velocity") == 0;
	if (is_position && self->parent_type != GD_NIL)
	{
		info->type = (GDExtensionVariantType)self->parent_type;
		info->usage &= ~(uint32_t)GD_USAGE_NIL_IS_VARIANT;
	}
}

// _get_configuration_warnings() -> PackedStringArray
static void get_configuration_warnings(GdCall* call)
{
	const CorridorAgent* self = call->self;
	if (self->parent_type == GD_NIL)
	{
		GdString text = gd_string("CorridorAgent moves its parent, which must be a Node2D or a "
								  "Node3D. Make it a child of one.");
		gd_packed_string_array_append(call->result, &text);
		gd_destroy(GD_STRING, &text);
	}
}

static const GdMethod methods[] = {
	{"get_next_path_position", get_next_path_position, GD_VARIANT},
	{"get_final_position", get_final_position, GD_VARIANT},
	{"get_current_navigation_path", get_current_navigation_path, GD_VARIANT, {{0}}, true},
	{"get_current_navigation_path_index", get_current_navigation_path_index, GD_INT, {{0}}, true},
	{"get_path_length", get_path_length, GD_FLOAT, {{0}}, true},
	{"is_navigation_finished", is_navigation_finished, GD_BOOL},
	{"is_target_reached", is_target_reached, GD_BOOL, {{0}}, true},
	{"is_target_reachable", is_target_reachable, GD_BOOL},
	{"distance_to_target", distance_to_target, GD_FLOAT, {{0}}, true},
	{"set_navigation_map", set_navigation_map, GD_NIL, {{"navigation_map", GD_RID}}},
	{"get_navigation_map", get_navigation_map, GD_RID, {{0}}, true},
};

#define NUMBER(member, least, hint_text) \
	{ \
		.name = #member, .type = GD_FLOAT, .field = offsetof(CorridorAgent, member), \
		.minimum = least, .hint = GD_HINT_RANGE, .hint_string = hint_text \
	}
#define COLOR(member) \
	{ \
		.name = #member, .type = GD_COLOR, .field = offsetof(CorridorAgent, member), \
		.changed = on_look_changed \
	}

static const GdProperty properties[] = {
	{.name = "target_position",
		.type = GD_VARIANT,
		.get = get_target_position,
		.set = set_target_position},
	{.name = "velocity",
		.type = GD_VARIANT,
		.get = get_velocity,
		.set = set_velocity,
		.usage = GD_USAGE_NONE},
	GD_GROUP("Pathfinding"),
	{.name = "radius",
		.type = GD_FLOAT,
		.field = offsetof(CorridorAgent, radius),
		.changed = on_radius_changed,
		.hint = GD_HINT_RANGE,
		.hint_string = "0,500,0.01,or_greater"},
	NUMBER(path_desired_distance, 0.0, "0.01,1000,0.01,or_greater"),
	NUMBER(target_desired_distance, 0.0, "0.01,1000,0.01,or_greater"),
	NUMBER(path_max_distance, 0.0, "0.01,1000,0.01,or_greater"),
	GD_GROUP("Movement"),
	NUMBER(max_speed, 0.0, "0,10000,0.01,or_greater"),
	{.name = "auto_move", .type = GD_BOOL, .field = offsetof(CorridorAgent, auto_move)},
	GD_GROUP("Debug"),
	{.name = "debug_enabled", .type = GD_BOOL, .field = offsetof(CorridorAgent, debug_enabled)},
	COLOR(debug_path_color),
	COLOR(debug_corridor_color),
};

static const GdSignal signals[] = {
	{"path_changed"},
	{"target_reached"},
	{"waypoint_reached", {{"details", GD_DICTIONARY}}},
	{"navigation_finished"},
	{"velocity_computed", {{"safe_velocity", GD_VARIANT}}},
};

static const GdVirtual virtuals[] = {
	{"_get_configuration_warnings", get_configuration_warnings},
};

static const GdClass class = {
	.name = "CorridorAgent",
	.parent = "Node",
	.size = sizeof(CorridorAgent),
	.create = create,
	.destroy = destroy,
	.notify = notify,
	.validate_property = validate_property,
	.methods = methods,
	.method_count = GD_COUNT(methods),
	.properties = properties,
	.property_count = GD_COUNT(properties),
	.signals = signals,
	.signal_count = GD_COUNT(signals),
	.virtuals = virtuals,
	.virtual_count = GD_COUNT(virtuals),
};

void corridor_agent_register(void)
{
	gd_register_class(&class);
}
