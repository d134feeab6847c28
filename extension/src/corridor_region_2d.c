// SPDX-License-Identifier: MIT

// class CorridorRegion2D: Node2D, builds a corridor map from nodes.
//
// Obstacles are collected when the region enters the tree, which is before any _ready(); the map is
// computed at the first question to it. With baked data the region loads that instead. In the
// editor the region looks for changes a few times per second.

#include "corridor_region_2d.h"

#include "region.h"
#include "shape_node.h"

#include <string.h>

// Physics frames between two looks of the editor: three looks per second, and fewer if there are
// many shapes to look at.
#define POLL_INTERVAL 20
#define SHAPES_PER_FRAME 50

#define DEFAULT_GROUP "corridor_map_source_geometry_group"

// ---- Properties --------------------------------------------------------------------------------

static void request_update(void* instance)
{
	((CorridorRegion2D*)instance)->needs_update = true;
	gd_node_update_configuration_warnings(((CorridorRegion2D*)instance)->base.object);
}

static void redraw(void* instance)
{
	gd_canvas_item_queue_redraw(((CorridorRegion2D*)instance)->base.object);
}

static void set_outline(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	int count;
	const GdVector2* items = gd_vector2_items(call->args[0], &count);
	for (int i = 0; i < count; ++i)
	{
		if (!nc_is_finite(gd_vec2(items[i])))
		{
			GD_ERROR("CorridorRegion2D.outline: point %d must be made of ordinary numbers.", i);
			return;
		}
	}
	points_clear(&self->outline);
	for (int i = 0; i < count; ++i)
	{
		points_push(&self->outline, gd_vec2(items[i]));
	}
	request_update(self);
}

static void get_outline(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	gd_assign_vector2_array(call->result, self->outline.data, self->outline.count);
}

static void on_enabled_changed(void* instance)
{
	CorridorRegion2D* self = instance;
	if (gd_node_is_inside_tree(self->base.object))
	{
		region_place_map(self);
	}
}

static void set_corridor_map(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	GDExtensionObjectPtr data = *(const GDExtensionObjectPtr*)call->args[0];
	if (!region_map_set_data(&self->region, data, "CorridorRegion2D"))
	{
		return;
	}
	if (gd_node_is_inside_tree(self->base.object))
	{
		region_update(self); // so that the next question already sees it
	}
	gd_node_update_configuration_warnings(self->base.object);
}

static void get_corridor_map(GdCall* call)
{
	*(GDExtensionObjectPtr*)call->result = ((const CorridorRegion2D*)call->self)->region.data;
}

static void set_source_geometry_group_name(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	gd_assign(GD_STRING_NAME, &self->source_geometry_group_name, call->args[0]);
	request_update(self);
}

static void get_source_geometry_group_name(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	gd_assign(GD_STRING_NAME, call->result, &self->source_geometry_group_name);
}

static void on_source_geometry_mode_changed(void* instance)
{
	request_update(instance);
	gd_object_notify_property_list_changed(((CorridorRegion2D*)instance)->base.object);
}

// The name of the group is shown only where it is used.
static void validate_property(void* instance, const char* name, GDExtensionPropertyInfo* info)
{
	const CorridorRegion2D* self = instance;
	if (strcmp(name, "source_geometry_group_name") == 0 &&
		self->source_geometry_mode == ROOTS_CHILDREN)
	{
		info->usage = GD_USAGE_STORAGE;
	}
}

// ---- Methods -----------------------------------------------------------------------------------

void region_end_bake(CorridorRegion2D* self)
{
	GDExtensionObjectPtr object = self->base.object;
	gd_node_update_configuration_warnings(object);
	gd_emit(object, "bake_finished", NULL, 0); // may free us
}

// bake_corridor_map(on_thread = true)
static void bake_corridor_map(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	if (!gd_node_is_inside_tree(self->base.object))
	{
		GD_ERROR("CorridorRegion2D.bake_corridor_map(): add the region to the tree first.");
		return;
	}
	if (!region_bake(self, gd_arg_bool(call, 0)))
	{
		GD_ERROR("CorridorRegion2D.bake_corridor_map(): the region has no area. Set bounds or an "
				 "outline of at least three points.");
	}
}

// is_baking() -> bool
static void is_baking(GdCall* call)
{
	gd_return_bool(call, map_bake_find(((const CorridorRegion2D*)call->self)->base.object) != NULL);
}

// get_bake_progress() -> float
static void get_bake_progress(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	gd_return_float(call, map_bake_get_progress(self->base.object, self->region.is_baked));
}

// is_baked() -> bool
static void is_baked(GdCall* call)
{
	gd_return_bool(call, ((const CorridorRegion2D*)call->self)->region.is_baked);
}

// is_bake_stale() -> bool
static void is_bake_stale(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	gd_return_bool(call, gd_node_is_inside_tree(self->base.object) && region_is_stale(self));
}

// clear_corridor_map()
static void clear_corridor_map(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	map_bake_cancel(self->base.object);
	CorridorMapData* data = region_map_get_data(&self->region);
	if (data != NULL)
	{
		corridor_map_data_fill(data, NULL, 0, &(Points){0}, 0);
	}
	if (gd_node_is_inside_tree(self->base.object))
	{
		region_update(self);
	}
	gd_node_update_configuration_warnings(self->base.object);
}

// get_navigation_map() -> RID
static void get_navigation_map(GdCall* call)
{
	gd_return_rid(call, ((const CorridorRegion2D*)call->self)->region.map);
}

static void add_warning(GdCall* call, const char* text)
{
	GdString string = gd_string(text);
	gd_packed_string_array_append(call->result, &string);
	gd_destroy(GD_STRING, &string);
}

// What is wrong with the baked data or with the sources.
static void add_bake_warnings(GdCall* call, const CorridorRegion2D* self)
{
	if (self->region.is_data_bad)
	{
		add_warning(call, "The baked map cannot be used. Bake it again; until then the region "
						  "builds its map when it enters the tree.");
	}
	else if (self->is_stale)
	{
		add_warning(call, "The region or its sources changed since the map was baked. Bake it "
						  "again.");
	}
	if (gd_node_is_inside_tree(self->base.object) && self->shape_count == 0 &&
		!self->region.is_baked)
	{
		add_warning(call, self->source_geometry_mode == ROOTS_CHILDREN
							  ? "There are no obstacles. Add a Polygon2D, a StaticBody2D with a "
								"shape, a TileMapLayer or a LightOccluder2D below the region."
							  : "There are no obstacles in the group. Add nodes to it, or choose "
								"another Source Geometry Mode.");
	}
}

// _get_configuration_warnings() -> PackedStringArray
static void get_configuration_warnings(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	GdTransform2D transform = gd_canvas_item_get_transform(self->base.object);
	if (self->outline.count == 0 && !(self->bounds.size.x > 0.0f && self->bounds.size.y > 0.0f))
	{
		add_warning(
			call, "The region has no area. Give it bounds of a positive size or an outline.");
	}
	if (self->outline.count == 1 || self->outline.count == 2)
	{
		add_warning(call, "The outline needs at least three points.");
	}
	if (nc_cross(gd_vec2(transform.x), gd_vec2(transform.y)) == 0.0)
	{
		add_warning(call, "The region is scaled to nothing, so its map is empty.");
	}
	add_bake_warnings(call, self);
}

// ---- Notifications -----------------------------------------------------------------------------

static void enter_tree(CorridorRegion2D* self)
{
	GDExtensionObjectPtr object = self->base.object;
	region_place_map(self);
	gd_canvas_item_set_notify_transform(object, true);
	gd_node_set_physics_process_internal(object, true);
	region_update(self);
}

static void exit_tree(CorridorRegion2D* self)
{
	region_map_place(&self->region, 0, false);
	shape_nodes_update();
	gd_node_set_physics_process_internal(self->base.object, false);
}

// Emit what changed and have it drawn.
static void tell_changes(CorridorRegion2D* self)
{
	bool has_news = region_map_has_news(&self->region);
	if (self->region.told_iteration != self->drawn_iteration && region_is_drawn(self))
	{
		gd_canvas_item_queue_redraw(self->base.object);
	}
	if (has_news)
	{
		gd_emit(self->base.object, "corridor_map_changed", NULL, 0); // may free us
	}
}

// What the editor does from time to time: look whether sources changed.
static void poll_sources(CorridorRegion2D* self)
{
	int old_count = self->shape_count;
	bool was_stale = self->is_stale;
	self->is_stale = region_is_stale(self);
	self->needs_update = true;
	self->frames_to_poll = POLL_INTERVAL + self->shape_count / SHAPES_PER_FRAME;
	if (was_stale != self->is_stale || (old_count == 0) != (self->shape_count == 0))
	{
		gd_node_update_configuration_warnings(self->base.object);
	}
}

static void step(CorridorRegion2D* self)
{
	bool is_editor = gd_engine_is_editor_hint(gd_singleton("Engine"));
	if (is_editor && --self->frames_to_poll < 0)
	{
		poll_sources(self);
	}
	const CorridorMapData* data = region_map_get_data(&self->region);
	bool is_data_new =
		data != NULL ? data->revision != self->region.data_revision : self->region.is_baked;
	if (self->needs_update || is_data_new)
	{
		region_update(self);
	}
	tell_changes(self);
}

static void notify(void* instance, int what)
{
	CorridorRegion2D* self = instance;
	switch (what)
	{
	case GD_NOTIFICATION_ENTER_TREE:
		enter_tree(self);
		break;
	case GD_NOTIFICATION_READY:
		region_update(self); // scripts of the children may have added obstacles
		break;
	case GD_NOTIFICATION_EXIT_TREE:
		exit_tree(self);
		break;
	case GD_NOTIFICATION_INTERNAL_PHYSICS_PROCESS:
		step(self);
		break;
	case GD_NOTIFICATION_TRANSFORM_CHANGED:
		self->needs_update = true;
		break;
	case GD_NOTIFICATION_DRAW:
		region_draw(self);
		break;
	default:
		break;
	}
}

// ---- The class ---------------------------------------------------------------------------------

static void create(void* instance)
{
	CorridorRegion2D* self = instance;
	self->enabled = true;
	self->bounds = (GdRect2){{0.0f, 0.0f}, {1152.0f, 648.0f}}; // the default window
	self->parsed_geometry_type = SHAPES_BOTH;
	self->parsed_collision_mask = 0xffffffff;
	self->show_medial_axis = true;
	self->show_clearance = true;
	self->show_walls = true;
	self->walkable_color = (GdColor){0.35f, 0.65f, 0.85f, 0.06f};
	self->wall_color = (GdColor){0.95f, 0.45f, 0.35f, 0.8f};
	self->medial_axis_color = (GdColor){0.1f, 0.85f, 0.65f, 1.0f};
	self->clearance_color = (GdColor){0.35f, 0.7f, 1.0f, 0.5f};
	gd_construct(GD_STRING_NAME, &self->source_geometry_group_name);
	gd_assign(GD_STRING_NAME, &self->source_geometry_group_name, gd_name(DEFAULT_GROUP));
	region_map_init(&self->region);
}

static void destroy(void* instance)
{
	CorridorRegion2D* self = instance;
	map_bake_cancel(self->base.object);
	gd_lock();
	region_remove_obstacles(self);
	gd_unlock();
	region_map_free(&self->region);
	gd_destroy(GD_STRING_NAME, &self->source_geometry_group_name);
	points_free(&self->outline);
	free(self->obstacles);
}

static const GdMethod methods[] = {
	{"bake_corridor_map", bake_corridor_map, GD_NIL, {{"on_thread", GD_BOOL, true, 1.0}}},
	{"is_baking", is_baking, GD_BOOL, {{0}}, true},
	{"get_bake_progress", get_bake_progress, GD_FLOAT, {{0}}, true},
	{"is_baked", is_baked, GD_BOOL, {{0}}, true},
	{"is_bake_stale", is_bake_stale, GD_BOOL, {{0}}, true},
	{"clear_corridor_map", clear_corridor_map, GD_NIL},
	{"get_navigation_map", get_navigation_map, GD_RID, {{0}}, true},
};

#define FLAG(member) \
	{ \
		.name = #member, .type = GD_BOOL, .field = offsetof(CorridorRegion2D, member), \
		.changed = redraw \
	}
#define COLOR(member) \
	{ \
		.name = #member, .type = GD_COLOR, .field = offsetof(CorridorRegion2D, member), \
		.changed = redraw \
	}

static const GdProperty properties[] = {
	{.name = "enabled",
		.type = GD_BOOL,
		.field = offsetof(CorridorRegion2D, enabled),
		.changed = on_enabled_changed,
		.getter = "is_enabled"},
	{.name = "corridor_map",
		.type = GD_OBJECT,
		.get = get_corridor_map,
		.set = set_corridor_map,
		.hint = GD_HINT_RESOURCE_TYPE,
		.hint_string = "CorridorMapData",
		.enum_name = "CorridorMapData"},
	{.name = "bounds",
		.type = GD_RECT2,
		.field = offsetof(CorridorRegion2D, bounds),
		.changed = request_update},
	{.name = "outline", .type = GD_PACKED_VECTOR2_ARRAY, .get = get_outline, .set = set_outline},
	GD_GROUP("Obstacles"),
	{.name = "parsed_geometry_type",
		.type = GD_INT,
		.field = offsetof(CorridorRegion2D, parsed_geometry_type),
		.changed = request_update,
		.maximum = SHAPES_BOTH,
		.hint = GD_HINT_ENUM,
		.hint_string = "Polygons,Static Colliders,Both",
		.enum_name = "CorridorRegion2D.ParsedGeometryType"},
	{.name = "parsed_collision_mask",
		.type = GD_INT,
		.field = offsetof(CorridorRegion2D, parsed_collision_mask),
		.changed = request_update,
		.maximum = 4294967295.0,
		.hint = GD_HINT_LAYERS_2D_PHYSICS},
	{.name = "source_geometry_mode",
		.type = GD_INT,
		.field = offsetof(CorridorRegion2D, source_geometry_mode),
		.changed = on_source_geometry_mode_changed,
		.maximum = ROOTS_GROUP,
		.hint = GD_HINT_ENUM,
		.hint_string = "Root Node Children,Groups With Children,Groups Explicit",
		.enum_name = "CorridorRegion2D.SourceGeometryMode"},
	{.name = "source_geometry_group_name",
		.type = GD_STRING_NAME,
		.get = get_source_geometry_group_name,
		.set = set_source_geometry_group_name},
	GD_GROUP("Debug"),
	FLAG(debug_enabled),
	FLAG(show_medial_axis),
	FLAG(show_clearance),
	FLAG(show_closest_points),
	FLAG(show_walls),
	COLOR(medial_axis_color),
	COLOR(clearance_color),
	COLOR(wall_color),
	COLOR(walkable_color),
};

static const GdSignal signals[] = {
	{"bake_finished"},
	{"corridor_map_changed"},
};

static const GdConstant constants[] = {
	{"ParsedGeometryType", "PARSED_GEOMETRY_POLYGONS", SHAPES_POLYGONS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_STATIC_COLLIDERS", SHAPES_COLLIDERS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_BOTH", SHAPES_BOTH},
	{"SourceGeometryMode", "SOURCE_GEOMETRY_ROOT_NODE_CHILDREN", ROOTS_CHILDREN},
	{"SourceGeometryMode", "SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN", ROOTS_GROUP_AND_BELOW},
	{"SourceGeometryMode", "SOURCE_GEOMETRY_GROUPS_EXPLICIT", ROOTS_GROUP},
};

static const GdVirtual virtuals[] = {
	{"_get_configuration_warnings", get_configuration_warnings},
};

static const GdClass class = {
	.name = "CorridorRegion2D",
	.parent = "Node2D",
	.size = sizeof(CorridorRegion2D),
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
	.constants = constants,
	.constant_count = GD_COUNT(constants),
	.virtuals = virtuals,
	.virtual_count = GD_COUNT(virtuals),
};

CorridorRegion2D* corridor_region_2d_get(GDExtensionObjectPtr object)
{
	return gd_get_instance(object, &class);
}

void corridor_region_2d_register(void)
{
	gd_register_class(&class);
}
