// SPDX-License-Identifier: MIT

// class CorridorAgent: Node, moves its Node2D or Node3D parent through a corridor map.
//
// Names and signals are those of NavigationAgent2D and NavigationAgent3D. One class serves both:
// positions are Vector2 under a Node2D and Vector3 under a Node3D, where the map is the plane (x,
// z).

#include "corridor_agent.h"

#include "agent.h"
#include "crowd.h"
#include "terrain_profile.h"

#include <math.h>

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

void agent_return_place(GdCall* call, NcVec2 plane, double height, GdType type)
{
	GdVariant variant = place_to_variant(plane, height, type);
	gd_assign(GD_VARIANT, call->result, &variant);
	gd_destroy(GD_VARIANT, &variant);
}

static uint64_t find_world(const CorridorAgent* self)
{
	GDExtensionObjectPtr viewport = gd_node_get_viewport(self->base.object);
	GDExtensionObjectPtr world = viewport == NULL ? NULL
								 : self->parent_type == GD_VECTOR3
									 ? gd_viewport_find_world_3d(viewport)
									 : gd_viewport_find_world_2d(viewport);
	uint64_t id = gd_get_id(world);
	gd_release(world);
	return id;
}

// ---- Properties with functions -----------------------------------------------------------------

bool agent_read_place(const GdCall* call, Place* place)
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
	if (agent_read_place(call, &self->target))
	{
		agent_request_path(self);
	}
}

static void get_target_position(GdCall* call)
{
	const CorridorAgent* self = call->self;
	agent_return_place(
		call, self->target.plane, self->target.height, choose_type(self, &self->target));
}

static void set_velocity(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (agent_read_place(call, &self->velocity))
	{
		self->has_velocity = self->velocity.type != GD_NIL;
	}
}

static void get_velocity(GdCall* call)
{
	const CorridorAgent* self = call->self;
	agent_return_place(
		call, self->velocity.plane, self->velocity.height, choose_type(self, &self->velocity));
}

void agent_on_path_changed(void* instance)
{
	CorridorAgent* self = instance;
	if (self->walker.path.count > 0)
	{
		gd_lock();
		self->walker.is_lost = true;
		gd_unlock();
		self->update_frame = -1;
	}
	self->shown_serial = 0;
}

static void on_look_changed(void* instance)
{
	((CorridorAgent*)instance)->shown_serial = 0;
}

static void set_terrain_profile(GdCall* call)
{
	CorridorAgent* self = call->self;
	GDExtensionObjectPtr profile = *(const GDExtensionObjectPtr*)call->args[0];
	NcTerrainProfile unused;
	if (profile != NULL && !terrain_profile_read(profile, &unused))
	{
		GD_ERROR("CorridorAgent.set_terrain_profile(): pass a TerrainProfile, or null for none.");
		return;
	}
	gd_set_reference(&self->terrain_profile, profile);
	agent_on_path_changed(self);
}

static void get_terrain_profile(GdCall* call)
{
	*(GDExtensionObjectPtr*)call->result = ((const CorridorAgent*)call->self)->terrain_profile;
}

static void set_route(GdCall* call)
{
	CorridorAgent* self = call->self;
	gd_assign(GD_NODE_PATH, &self->route, call->args[0]);
	agent_on_path_changed(self);
	gd_node_update_configuration_warnings(self->base.object);
}

static void get_route(GdCall* call)
{
	gd_assign(GD_NODE_PATH, call->result, &((const CorridorAgent*)call->self)->route);
}

// ---- Frames ------------------------------------------------------------------------------------

// The editor shows the path that the agent would take, and draws only when something changes.
static void step_in_editor(CorridorAgent* self)
{
	agent_look_for_map(self);
	NcVec2 position = agent_get_position(self).plane;
	bool is_moved = position.x != self->shown_position.x || position.y != self->shown_position.y;
	if (!is_moved && self->shown_serial == self->target_serial && !agent_is_path_stale(self))
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
		agent_set_parent(self, gd_node_get_parent(self->base.object));
		break;
	case GD_NOTIFICATION_UNPARENTED:
		agent_set_parent(self, NULL);
		break;
	case GD_NOTIFICATION_ENTER_TREE:
		self->is_inside_tree = true;
		self->world_id = find_world(self);
		// In the game all agents move in one batch; in the editor each draws by itself.
		gd_node_set_physics_process_internal(
			self->base.object, gd_engine_is_editor_hint(gd_singleton("Engine")));
		break;
	case GD_NOTIFICATION_EXIT_TREE:
		self->is_inside_tree = false;
		crowd_forget(&self->walker);
		gd_node_set_physics_process_internal(self->base.object, false);
		agent_free_drawing(self);
		break;
	case GD_NOTIFICATION_INTERNAL_PHYSICS_PROCESS:
		if (agent_get_parent(self) != NULL)
		{
			step_in_editor(self);
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
	gd_lock();
	walker_init(&self->walker, &agent_owner);
	gd_unlock();
	gd_construct(GD_NODE_PATH, &self->route);
	self->path_desired_distance = 20.0;
	self->target_desired_distance = 10.0;
	self->path_max_distance = 100.0;
	self->navigation_layers = 1;
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
	gd_lock();
	walker_close(&self->walker);
	gd_unlock();
	gd_set_reference(&self->terrain_profile, NULL);
	gd_destroy(GD_NODE_PATH, &self->route);
}

#define NUMBER(title, member, least, most, hint_text) \
	{ \
		.name = #title, .type = GD_FLOAT, .field = offsetof(CorridorAgent, member), \
		.minimum = least, .maximum = most, .hint = GD_HINT_RANGE, .hint_string = hint_text \
	}
#define PATH_NUMBER(title, member, least, most, hint_text) \
	{ \
		.name = #title, .type = GD_FLOAT, .field = offsetof(CorridorAgent, member), \
		.changed = agent_on_path_changed, .minimum = least, .maximum = most, \
		.hint = GD_HINT_RANGE, .hint_string = hint_text \
	}
#define COLOR(member) \
	{ \
		.name = #member, .type = GD_COLOR, .field = offsetof(CorridorAgent, member), \
		.changed = on_look_changed \
	}
#define LAYERS(title, member, kind) \
	{ \
		.name = #title, .type = GD_INT, .field = offsetof(CorridorAgent, member), \
		.maximum = UINT32_MAX, .hint = kind \
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
	{.name = "dimension",
		.type = GD_INT,
		.field = offsetof(CorridorAgent, dimension),
		.maximum = 3.0,
		.usage = GD_USAGE_STORAGE},
	PATH_NUMBER(radius, walker.radius, 0.0, 0.0, "0,500,0.01,or_greater,suffix:px"),
	NUMBER(max_speed, walker.max_speed, 0.0, 0.0, "0,10000,0.01,or_greater,suffix:px/s"),
	{.name = "auto_move", .type = GD_BOOL, .field = offsetof(CorridorAgent, auto_move)},
	GD_GROUP("Pathfinding"),
	NUMBER(path_desired_distance, path_desired_distance, 0.0, 0.0,
		"0.01,1000,0.01,or_greater,suffix:px"),
	NUMBER(target_desired_distance, target_desired_distance, 0.0, 0.0,
		"0.01,1000,0.01,or_greater,suffix:px"),
	NUMBER(path_max_distance, path_max_distance, 0.0, 0.0, "0.01,1000,0.01,or_greater,suffix:px"),
	LAYERS(navigation_layers, navigation_layers, GD_HINT_LAYERS_2D_NAVIGATION),
	{.name = "path_postprocessing",
		.type = GD_INT,
		.field = offsetof(CorridorAgent, path_postprocessing),
		.changed = agent_on_path_changed,
		.maximum = AGENT_PATH_MEDIAL,
		.hint = GD_HINT_ENUM,
		.hint_string = "Corridorfunnel,Edgecentered",
		.enum_name = "CorridorAgent.PathPostProcessing"},
	GD_SUBGROUP("Preferences"),
	PATH_NUMBER(preferred_clearance, walker.preferred_clearance, 0.0, 0.0,
		"0,1000,0.01,or_greater,suffix:px"),
	PATH_NUMBER(side_preference, walker.side, -1.0, 1.0, "-1,1,0.01"),
	{.name = "terrain_profile",
		.type = GD_OBJECT,
		.get = get_terrain_profile,
		.set = set_terrain_profile,
		.hint = GD_HINT_RESOURCE_TYPE,
		.hint_string = "TerrainProfile",
		.enum_name = "TerrainProfile"},
	{.name = "route",
		.type = GD_NODE_PATH,
		.get = get_route,
		.set = set_route,
		.hint = GD_HINT_NODE_PATH_VALID_TYPES,
		.hint_string = "Path2D,Path3D"},
	GD_GROUP("Movement"),
	NUMBER(max_acceleration, walker.max_acceleration, 0.0, 0.0,
		"0,100000,0.01,or_greater,suffix:px/s²"),
	GD_SUBGROUP("Steering"),
	{.name = "method",
		.type = GD_INT,
		.field = offsetof(CorridorAgent, walker.method),
		.changed = agent_on_path_changed,
		.maximum = WALKER_MIRAN,
		.hint = GD_HINT_ENUM,
		.hint_string = "CMM,Improved CMM,IRM,MIRAN",
		.enum_name = "CorridorAgent.Method"},
	NUMBER(sigma, walker.sigma, 0.0, 0.0, "0,1000,0.01,or_greater,suffix:px"),
	NUMBER(
		sampling_distance, walker.sampling_distance, 0.0, 0.0, "0,1000,0.01,or_greater,suffix:px"),
	GD_GROUP("Avoidance"),
	{.name = "avoidance_enabled",
		.type = GD_BOOL,
		.field = offsetof(CorridorAgent, walker.is_avoiding)},
	NUMBER(neighbor_distance, walker.neighbor_distance, 0.0, 0.0,
		"0.1,100000,0.01,or_greater,suffix:px"),
	{.name = "max_neighbors",
		.type = GD_INT,
		.field = offsetof(CorridorAgent, walker.max_neighbors),
		.maximum = 32.0,
		.hint = GD_HINT_RANGE,
		.hint_string = "0,32,1"},
	NUMBER(time_horizon_agents, walker.time_horizon, 0.0, 0.0, "0,10,0.01,or_greater,suffix:s"),
	LAYERS(avoidance_layers, walker.avoidance_layers, GD_HINT_LAYERS_AVOIDANCE),
	LAYERS(avoidance_mask, walker.avoidance_mask, GD_HINT_LAYERS_AVOIDANCE),
	NUMBER(avoidance_priority, walker.avoidance_priority, 0.0, 1.0, "0,1,0.01"),
	GD_GROUP("Debug"),
	{.name = "debug_enabled", .type = GD_BOOL, .field = offsetof(CorridorAgent, debug_enabled)},
	COLOR(debug_path_color),
	COLOR(debug_corridor_color),
};

static const GdSignal signals[] = {
	{"path_changed"},
	{"path_blocked"},
	{"route_left"},
	{"target_reached"},
	{"waypoint_reached", {{"details", GD_DICTIONARY}}},
	{"navigation_finished"},
	{"velocity_computed", {{"safe_velocity", GD_VARIANT}}},
};

static const GdConstant constants[] = {
	{"Method", "METHOD_CMM", WALKER_CMM},
	{"Method", "METHOD_IMPROVED", WALKER_IMPROVED},
	{"Method", "METHOD_IRM", WALKER_IRM},
	{"Method", "METHOD_MIRAN", WALKER_MIRAN},
	{"PathPostProcessing", "PATH_POSTPROCESSING_CORRIDORFUNNEL", AGENT_PATH_SHORTEST},
	{"PathPostProcessing", "PATH_POSTPROCESSING_EDGECENTERED", AGENT_PATH_MEDIAL},
};

static const GdVirtual virtuals[] = {
	{"_get_configuration_warnings", agent_get_configuration_warnings},
};

static const GdClass class = {
	.name = "CorridorAgent",
	.parent = "Node",
	.size = sizeof(CorridorAgent),
	.create = create,
	.destroy = destroy,
	.notify = notify,
	.validate_property = agent_validate_property,
	.methods = agent_methods,
	.method_count = AGENT_METHOD_COUNT,
	.properties = properties,
	.property_count = GD_COUNT(properties),
	.signals = signals,
	.signal_count = GD_COUNT(signals),
	.constants = constants,
	.constant_count = GD_COUNT(constants),
	.virtuals = virtuals,
	.virtual_count = GD_COUNT(virtuals),
};

void corridor_agent_register(void)
{
	gd_register_class(&class);
}
