// SPDX-License-Identifier: MIT

// Properties, methods and notifications of regions, in the plane and in space.
//
// Sources are read when the region enters the tree, which is before any _ready(). With baked data
// the region loads that instead. In the editor the region looks for changes a few times per second.

#include "region.h"
#include "region_shapes.h"
#include "shape_node.h"

#include <string.h>

// Physics frames between two looks of the editor: three looks per second, and fewer if there are
// many shapes to look at.
#define POLL_INTERVAL 20
#define SHAPES_PER_FRAME 50

#define DEFAULT_GROUP "corridor_map_source_geometry_group"

// ---- Properties --------------------------------------------------------------------------------

void region_request_update(void* instance)
{
	RegionNode* self = instance;
	self->needs_update = true;
	gd_node_update_configuration_warnings(self->base.object);
	self->space->redraw(self);
}

void region_on_look_changed(void* instance)
{
	RegionNode* self = instance;
	self->space->redraw(self);
}

void region_on_enabled_changed(void* instance)
{
	RegionNode* self = instance;
	if (gd_node_is_inside_tree(self->base.object))
	{
		region_place_map(self);
	}
}

void region_set_corridor_map(GdCall* call)
{
	RegionNode* self = call->self;
	GDExtensionObjectPtr data = *(const GDExtensionObjectPtr*)call->args[0];
	if (!region_map_set_data(&self->region, data, self->base.class->name))
	{
		return;
	}
	if (gd_node_is_inside_tree(self->base.object))
	{
		region_update(self); // so that the next question already sees it
	}
	gd_node_update_configuration_warnings(self->base.object);
}

void region_get_corridor_map(GdCall* call)
{
	*(GDExtensionObjectPtr*)call->result = ((const RegionNode*)call->self)->region.data;
}

void region_set_group_name(GdCall* call)
{
	RegionNode* self = call->self;
	gd_assign(GD_STRING_NAME, &self->source_geometry_group_name, call->args[0]);
	region_request_update(self);
}

void region_get_group_name(GdCall* call)
{
	const RegionNode* self = call->self;
	gd_assign(GD_STRING_NAME, call->result, &self->source_geometry_group_name);
}

void region_on_mode_changed(void* instance)
{
	region_request_update(instance);
	gd_object_notify_property_list_changed(((RegionNode*)instance)->base.object);
}

// The name of the group is shown only where it is used.
void region_validate_property(void* instance, const char* name, GDExtensionPropertyInfo* info)
{
	const RegionNode* self = instance;
	if (strcmp(name, "source_geometry_group_name") == 0 &&
		self->source_geometry_mode == ROOTS_CHILDREN)
	{
		info->usage = GD_USAGE_STORAGE;
	}
}

// ---- Methods -----------------------------------------------------------------------------------

void region_end_bake(RegionNode* self)
{
	GDExtensionObjectPtr object = self->base.object;
	gd_node_update_configuration_warnings(object);
	gd_emit(object, "bake_finished", NULL, 0); // may free us
}

// bake_corridor_map(on_thread = true)
static void bake_corridor_map(GdCall* call)
{
	RegionNode* self = call->self;
	if (!gd_node_is_inside_tree(self->base.object))
	{
		GD_ERROR(
			"%s.bake_corridor_map(): add the region to the tree first.", self->base.class->name);
		return;
	}
	if (!region_bake(self, gd_arg_bool(call, 0)))
	{
		GD_ERROR("%s.bake_corridor_map(): the region has no area. Give it bounds of a positive "
				 "size%s.",
			self->base.class->name,
			self->space->is_3d ? "" : " or an outline of at least three points");
	}
}

// is_baking() -> bool
static void is_baking(GdCall* call)
{
	const MapBake* bake = map_bake_find(((const RegionNode*)call->self)->base.object);
	gd_return_bool(call, bake != NULL && bake->is_data_wanted);
}

// get_bake_progress() -> float
static void get_bake_progress(GdCall* call)
{
	const RegionNode* self = call->self;
	gd_return_float(call, map_bake_get_progress(self->base.object, self->region.is_baked));
}

// is_baked() -> bool
static void is_baked(GdCall* call)
{
	gd_return_bool(call, ((const RegionNode*)call->self)->region.is_baked);
}

// is_bake_stale() -> bool
static void is_bake_stale(GdCall* call)
{
	RegionNode* self = call->self;
	gd_return_bool(call, gd_node_is_inside_tree(self->base.object) && region_is_stale(self));
}

// clear_corridor_map()
static void clear_corridor_map(GdCall* call)
{
	RegionNode* self = call->self;
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
	gd_return_rid(call, ((const RegionNode*)call->self)->region.map);
}

const GdMethod region_methods[REGION_METHOD_COUNT] = {
	{"bake_corridor_map", bake_corridor_map, GD_NIL, {{"on_thread", GD_BOOL, true, 1.0}}},
	{"is_baking", is_baking, GD_BOOL, {{0}}, true},
	{"get_bake_progress", get_bake_progress, GD_FLOAT, {{0}}, true},
	{"is_baked", is_baked, GD_BOOL, {{0}}, true},
	{"is_bake_stale", is_bake_stale, GD_BOOL, {{0}}, true},
	{"clear_corridor_map", clear_corridor_map, GD_NIL},
	{"get_navigation_map", get_navigation_map, GD_RID, {{0}}, true},
};

const GdSignal region_signals[REGION_SIGNAL_COUNT] = {
	{"bake_finished"},
	{"corridor_map_changed"},
};

// ---- Warnings ----------------------------------------------------------------------------------

void region_add_warning(GdCall* call, const char* text)
{
	GdString string = gd_string(text);
	gd_packed_string_array_append(call->result, &string);
	gd_destroy(GD_STRING, &string);
}

// _get_configuration_warnings() -> PackedStringArray
void region_get_configuration_warnings(GdCall* call)
{
	const RegionNode* self = call->self;
	self->space->add_warnings(call, self);
	if (self->region.is_data_bad)
	{
		region_add_warning(call, "The baked map cannot be used. Bake it again; until then the "
								 "region builds its map when it enters the tree.");
	}
	else if (self->is_stale)
	{
		region_add_warning(call, "The region or its sources changed since the map was baked. Bake "
								 "it again.");
	}
	if (gd_node_is_inside_tree(self->base.object) && self->shape_count == 0 &&
		!self->region.is_baked)
	{
		region_add_warning(call, self->source_geometry_mode == ROOTS_CHILDREN
									 ? self->space->no_sources_text
									 : "There are no obstacles in the group. Add nodes to it, or "
									   "choose another Source Geometry Mode.");
	}
}

// ---- Notifications -----------------------------------------------------------------------------

bool region_is_drawn(const RegionNode* self)
{
	return self->debug_enabled || gd_engine_is_editor_hint(gd_singleton("Engine")) ||
		   gd_scene_tree_is_debugging_navigation_hint(gd_node_get_tree(self->base.object));
}

static void enter_tree(RegionNode* self)
{
	GDExtensionObjectPtr object = self->base.object;
	region_place_map(self);
	if (self->space->is_3d)
	{
		gd_node_3d_set_notify_transform(object, true);
	}
	else
	{
		gd_canvas_item_set_notify_transform(object, true);
	}
	gd_node_set_physics_process_internal(object, true);
	region_update(self);
}

static void exit_tree(RegionNode* self)
{
	region_map_place(&self->region, 0, (uint32_t)self->navigation_layers, false);
	shape_nodes_update();
	gd_node_set_physics_process_internal(self->base.object, false);
}

// Emit what changed and have it drawn.
static void tell_changes(RegionNode* self)
{
	bool has_news = region_map_has_news(&self->region);
	if (self->region.told_iteration != self->drawn_iteration && region_is_drawn(self))
	{
		self->space->redraw(self);
	}
	if (has_news)
	{
		gd_emit(self->base.object, "corridor_map_changed", NULL, 0); // may free us
	}
}

// What the editor does from time to time: look whether sources changed.
static void poll_sources(RegionNode* self)
{
	bool was_stale = self->is_stale;
	self->is_stale = region_is_stale(self);
	self->needs_update = true;
	self->frames_to_poll = POLL_INTERVAL + self->shape_count / SHAPES_PER_FRAME;
	if (was_stale != self->is_stale)
	{
		gd_node_update_configuration_warnings(self->base.object);
	}
}

static void step(RegionNode* self)
{
	bool had_shapes = self->shape_count > 0;
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
	if (is_editor && had_shapes != (self->shape_count > 0))
	{
		gd_node_update_configuration_warnings(self->base.object);
	}
	tell_changes(self);
}

void region_notify(RegionNode* self, int what)
{
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
	default:
		break;
	}
}

void region_create(RegionNode* self, const RegionSpace* space)
{
	self->space = space;
	self->enabled = true;
	self->navigation_layers = 1;
	self->parsed_geometry_type = SHAPES_BOTH;
	self->parsed_collision_mask = 0xffffffff;
	self->show_medial_axis = true;
	self->show_clearance = true;
	self->show_walls = true;
	self->wall_color = (GdColor){0.95f, 0.45f, 0.35f, 0.8f};
	self->medial_axis_color = (GdColor){0.1f, 0.85f, 0.65f, 1.0f};
	self->clearance_color = (GdColor){0.35f, 0.7f, 1.0f, 0.5f};
	gd_construct(GD_STRING_NAME, &self->source_geometry_group_name);
	gd_assign(GD_STRING_NAME, &self->source_geometry_group_name, gd_name(DEFAULT_GROUP));
	region_map_init(&self->region);
}

void region_destroy(RegionNode* self)
{
	map_bake_cancel(self->base.object);
	self->space->forget_sources(self);
	region_map_free(&self->region);
	gd_destroy(GD_STRING_NAME, &self->source_geometry_group_name);
}
