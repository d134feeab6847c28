// SPDX-License-Identifier: MIT

// class CorridorEditorPlugin: EditorPlugin, the tools that the editor has for corridor maps.
//
// They appear while a region, or anything else of ours in a scene with a region, is selected. The
// plugin talks to regions as a script would, so it does not care how they are made.

#include "corridor_editor_plugin.h"

#include "corridor_gizmo_plugin.h"
#include "editor_plugin.h"
#include "terrain_profile.h"

#define RADIUS_2D 12.0
#define RADIUS_3D 0.5
#define MERGE_ENDS 1 // UndoRedo.MERGE_ENDS

enum
{
	TOOLBAR_2D,
	TOOLBAR_3D,
};

// What the tools are for; the first two are regions.
static const char* const handled_classes[] = {
	"CorridorRegion2D",
	"CorridorRegion3D",
	"CorridorAgent",
	"CorridorObstacle2D",
	"CorridorObstacle3D",
	"CorridorTerrain2D",
	"CorridorTerrain3D",
};

#define REGION_CLASS_COUNT 2

// ---- Selection ---------------------------------------------------------------------------------

static int find_class(GDExtensionObjectPtr object, int count)
{
	for (int i = 0; object != NULL && i < count; ++i)
	{
		if (gd_is_class(object, handled_classes[i]))
		{
			return i;
		}
	}
	return -1;
}

static GDExtensionObjectPtr find_region(GDExtensionObjectPtr node)
{
	if (node == NULL || find_class(node, REGION_CLASS_COUNT) >= 0)
	{
		return node;
	}
	int64_t count = gd_node_get_child_count(node, false);
	for (int64_t i = 0; i < count; ++i)
	{
		GDExtensionObjectPtr found = find_region(gd_node_get_child(node, i, false));
		if (found != NULL)
		{
			return found;
		}
	}
	return NULL;
}

// The region above a node, else the first one of the scene.
static GDExtensionObjectPtr find_region_of(GDExtensionObjectPtr node)
{
	for (GDExtensionObjectPtr n = node; n != NULL; n = gd_node_get_parent(n))
	{
		if (find_class(n, REGION_CLASS_COUNT) >= 0)
		{
			return n;
		}
	}
	return find_region(gd_editor_interface_get_edited_scene_root(gd_singleton("EditorInterface")));
}

GDExtensionObjectPtr editor_get_region(const CorridorEditorPlugin* self)
{
	return gd_get_object(self->region_id);
}

static GdRid get_map(GDExtensionObjectPtr region)
{
	GdVariant result = gd_call(region, "get_navigation_map", NULL, 0);
	GdRid map = 0;
	if (gd_variant_type(&result) == GDEXTENSION_VARIANT_TYPE_RID)
	{
		gd_variant_read(&result, GD_RID, &map);
	}
	gd_destroy(GD_VARIANT, &result);
	return map;
}

// An agent brings its own radius and what it makes of the ground.
static void take_over_agent(CorridorEditorPlugin* self, GDExtensionObjectPtr agent)
{
	GdVariant radius = gd_object_get(agent, gd_name("radius"));
	if (gd_variant_type(&radius) == GDEXTENSION_VARIANT_TYPE_FLOAT)
	{
		gd_variant_read(&radius, GD_FLOAT, &self->probe.radius);
	}
	gd_destroy(GD_VARIANT, &radius);
	GdVariant profile = gd_object_get(agent, gd_name("terrain_profile"));
	GDExtensionObjectPtr object = NULL;
	if (gd_variant_type(&profile) == GDEXTENSION_VARIANT_TYPE_OBJECT)
	{
		gd_variant_read(&profile, GD_OBJECT, &object);
	}
	self->probe.has_profile = object != NULL && terrain_profile_read(object, &self->probe.profile);
	gd_destroy(GD_VARIANT, &profile);
	probe_touch(&self->probe);
}

static void let_go(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr region = editor_get_region(self);
	if (region != NULL)
	{
		gd_disconnect_method(
			region, "corridor_map_changed", self->base.object, "_on_corridor_map_changed");
	}
	self->region_id = 0;
	editor_forget_shape(self);
	self->look.active_end = self->look.dragged_end = -1;
}

// Whether an item of the View menu is on.
// @param is_known receives whether the region has it at all
static bool is_shown(const CorridorEditorPlugin* self, EditorShow item, bool* is_known)
{
	*is_known = true;
	const char* property = editor_toolbar_get_property(item);
	if (property == NULL)
	{
		return item == EDITOR_SHOW_CORRIDOR ? self->look.corridor
											: self->look.routes[item - EDITOR_SHOW_ROUTE];
	}
	GDExtensionBool is_on = 0;
	GdVariant value = gd_object_get(editor_get_region(self), gd_name(property));
	*is_known = gd_variant_type(&value) == GDEXTENSION_VARIANT_TYPE_BOOL;
	if (*is_known)
	{
		gd_variant_read(&value, GD_BOOL, &is_on);
	}
	gd_destroy(GD_VARIANT, &value);
	return is_on != 0;
}

static void update_toolbar(CorridorEditorPlugin* self)
{
	bool has_region = editor_get_region(self) != NULL;
	for (int i = 0; self->has_toolbars && i < GD_COUNT(self->toolbars); ++i)
	{
		const EditorToolbar* toolbar = &self->toolbars[i];
		bool is_here = has_region && (i == TOOLBAR_3D) == self->is_3d;
		editor_toolbar_set_visible(toolbar, is_here);
		editor_toolbar_set_radius(toolbar, self->probe.radius);
		for (int item = 0; is_here && item < EDITOR_SHOW_COUNT; ++item)
		{
			bool is_known;
			bool is_on = is_shown(self, item, &is_known);
			editor_toolbar_set_item(toolbar, item, is_on, is_known);
		}
	}
}

// _handles(object) -> bool
static void handles(GdCall* call)
{
	gd_return_bool(
		call, find_class(*(GDExtensionObjectPtr*)call->args[0], GD_COUNT(handled_classes)) >= 0);
}

// _edit(object)
static void edit(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	GDExtensionObjectPtr object = *(GDExtensionObjectPtr*)call->args[0];
	let_go(self);
	self->shape_id = gd_get_id(object);
	GDExtensionObjectPtr region = object != NULL ? find_region_of(object) : NULL;
	if (region != NULL)
	{
		bool was_3d = self->is_3d;
		self->region_id = gd_get_id(region);
		self->is_3d = gd_is_class(region, "CorridorRegion3D");
		if (self->probe.radius <= 0.0 || was_3d != self->is_3d)
		{
			self->probe.radius = self->is_3d ? RADIUS_3D : RADIUS_2D;
			self->probe.is_placed = false;
		}
		if (gd_is_class(object, "CorridorAgent"))
		{
			take_over_agent(self, object);
		}
		gd_connect_method(
			region, "corridor_map_changed", self->base.object, "_on_corridor_map_changed");
	}
	update_toolbar(self);
	editor_refresh(self);
}

// _make_visible(visible)
static void make_visible(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	if (!gd_arg_bool(call, 0))
	{
		let_go(self);
	}
	update_toolbar(self);
	gd_editor_plugin_update_overlays(self->base.object);
}

// ---- The probe ---------------------------------------------------------------------------------

void editor_update_probe(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr region = editor_get_region(self);
	GdRid rid = region != NULL ? get_map(region) : 0;
	gd_lock();
	StoreMap* map = store_get_map(rid);
	bool is_ready = map != NULL && store_sync(map) != NULL;
	probe_update(&self->probe, is_ready ? map : NULL);
	gd_unlock();
}

void editor_refresh(CorridorEditorPlugin* self)
{
	probe_touch(&self->probe);
	gd_editor_plugin_update_overlays(self->base.object);
}

// _set_probe(start, goal, radius): what undo and redo call.
static void set_probe(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	self->probe.ends[PROBE_START] = gd_arg_vec2(call, 0);
	self->probe.ends[PROBE_GOAL] = gd_arg_vec2(call, 1);
	self->probe.radius = gd_arg_float(call, 2);
	self->probe.is_placed = true;
	for (int i = 0; self->has_toolbars && i < GD_COUNT(self->toolbars); ++i)
	{
		if ((i == TOOLBAR_3D) == self->is_3d)
		{
			editor_toolbar_set_radius(&self->toolbars[i], self->probe.radius);
		}
	}
	editor_refresh(self);
}

// _get_probe() -> Dictionary: where the probe is and what the map says, for tests.
static void get_probe(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	editor_update_probe(self);
	const Probe* probe = &self->probe;
	GdDictionary* result = call->result;
	gd_dictionary_set(result, "start", gd_variant_vec2(probe->places[PROBE_START]));
	gd_dictionary_set(result, "goal", gd_variant_vec2(probe->places[PROBE_GOAL]));
	gd_dictionary_set(result, "radius", gd_variant(GD_FLOAT, &probe->radius));
	GDExtensionBool is_reachable = probe->is_reachable;
	gd_dictionary_set(result, "is_reachable", gd_variant(GD_BOOL, &is_reachable));
	const double* length = &probe->routes[PROBE_SHORTEST].length;
	gd_dictionary_set(result, "length", gd_variant(GD_FLOAT, length));
	GdString reason = gd_string(probe->reason);
	gd_dictionary_set(result, "reason", gd_variant(GD_STRING, &reason));
	gd_destroy(GD_STRING, &reason);
}

static void add_probe_call(
	CorridorEditorPlugin* self, GdMethodIndex method, const NcVec2* ends, double radius)
{
	GDExtensionObjectPtr undo_redo = gd_editor_plugin_get_undo_redo(self->base.object);
	GdVariant args[] = {
		gd_variant(GD_OBJECT, &self->base.object),
		gd_variant(GD_STRING_NAME, gd_name("_set_probe")),
		gd_variant_vec2(ends[PROBE_START]),
		gd_variant_vec2(ends[PROBE_GOAL]),
		gd_variant(GD_FLOAT, &radius),
	};
	GdVariant result = gd_call_bind(method, undo_redo, args, GD_COUNT(args));
	gd_destroy(GD_VARIANT, &result);
}

void editor_commit_probe(CorridorEditorPlugin* self, const NcVec2 ends_before[PROBE_END_COUNT],
	double radius_before, bool is_merged)
{
	// The scene is not changed by it, so it need not be saved.
	GDExtensionObjectPtr undo_redo = gd_editor_plugin_get_undo_redo(self->base.object);
	GdString name = gd_string(is_merged ? "Change Corridor Probe" : "Move Corridor Probe");
	gd_editor_undo_redo_manager_create_action(
		undo_redo, &name, is_merged ? MERGE_ENDS : 0, editor_get_region(self), false, false);
	gd_destroy(GD_STRING, &name);
	add_probe_call(self, GD_METHOD_editor_undo_redo_manager_add_do_method, self->probe.ends,
		self->probe.radius);
	add_probe_call(
		self, GD_METHOD_editor_undo_redo_manager_add_undo_method, ends_before, radius_before);
	gd_editor_undo_redo_manager_commit_action(undo_redo, true);
}

// Whether there is something to draw on and to drag. While the editor changes to another scene, the
// region is still ours, but out of the tree.
static bool has_region_in_view(const CorridorEditorPlugin* self, bool is_3d)
{
	GDExtensionObjectPtr region = editor_get_region(self);
	return region != NULL && self->is_3d == is_3d && gd_node_is_inside_tree(region);
}

// The obstacle or terrain that is being shaped, if it is in such a view.
static GDExtensionObjectPtr find_shape_in_view(const CorridorEditorPlugin* self, bool is_3d)
{
	const ShapeNode* node = editor_get_shape(self);
	return node != NULL && node->is_3d == is_3d ? node->base.object : NULL;
}

// _forward_canvas_gui_input(event) -> bool
static void forward_canvas_gui_input(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	GDExtensionObjectPtr event = *(GDExtensionObjectPtr*)call->args[0];
	GDExtensionObjectPtr shape = find_shape_in_view(self, false);
	bool is_used = false;
	if (shape != NULL)
	{
		ProbeView view = editor_make_view_2d(shape, NULL);
		is_used = editor_handle_vertices(self, &view, event);
	}
	if (!is_used && has_region_in_view(self, false))
	{
		ProbeView view = editor_make_view_2d(editor_get_region(self), NULL);
		is_used = editor_handle_input(self, &view, event);
	}
	gd_return_bool(call, is_used);
}

// _forward_3d_gui_input(camera, event) -> int
static void forward_3d_gui_input(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	GDExtensionObjectPtr camera = *(GDExtensionObjectPtr*)call->args[0];
	GDExtensionObjectPtr event = *(GDExtensionObjectPtr*)call->args[1];
	GDExtensionObjectPtr shape = find_shape_in_view(self, true);
	bool is_used = false;
	if (shape != NULL)
	{
		ProbeView view = editor_make_view_3d(shape, NULL, camera);
		is_used = editor_handle_vertices(self, &view, event);
	}
	if (!is_used && has_region_in_view(self, true))
	{
		ProbeView view = editor_make_view_3d(editor_get_region(self), NULL, camera);
		is_used = editor_handle_input(self, &view, event);
	}
	gd_return_int(call, is_used);
}

// _forward_canvas_draw_over_viewport(control)
static void forward_canvas_draw(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	GDExtensionObjectPtr control = *(GDExtensionObjectPtr*)call->args[0];
	GDExtensionObjectPtr shape = find_shape_in_view(self, false);
	if (has_region_in_view(self, false))
	{
		editor_update_probe(self);
		ProbeView view = editor_make_view_2d(editor_get_region(self), control);
		probe_draw(&self->probe, &view, &self->look);
	}
	if (shape != NULL)
	{
		ProbeView view = editor_make_view_2d(shape, control);
		editor_draw_vertices(self, &view);
	}
}

// _forward_3d_draw_over_viewport(control)
static void forward_3d_draw(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	GDExtensionObjectPtr control = *(GDExtensionObjectPtr*)call->args[0];
	GDExtensionObjectPtr camera = editor_find_camera(control);
	GDExtensionObjectPtr shape = find_shape_in_view(self, true);
	if (camera != NULL && has_region_in_view(self, true))
	{
		editor_update_probe(self);
		ProbeView view = editor_make_view_3d(editor_get_region(self), control, camera);
		probe_draw(&self->probe, &view, &self->look);
	}
	if (camera != NULL && shape != NULL)
	{
		ProbeView view = editor_make_view_3d(shape, control, camera);
		editor_draw_vertices(self, &view);
	}
}

// ---- What the controls call --------------------------------------------------------------------

static void on_bake_pressed(GdCall* call)
{
	editor_start_bake(call->self);
}

static void on_bake_finished(GdCall* call)
{
	editor_finish_bake(call->self);
}

static void on_clear_pressed(GdCall* call)
{
	editor_clear(call->self);
}

static void on_corridor_map_changed(GdCall* call)
{
	editor_refresh(call->self);
}

// Switch a property of the region; this belongs to the scene, and can be undone.
static void toggle_property(CorridorEditorPlugin* self, const char* property)
{
	GDExtensionObjectPtr region = editor_get_region(self);
	GdVariant before = gd_object_get(region, gd_name(property));
	if (gd_variant_type(&before) == GDEXTENSION_VARIANT_TYPE_BOOL)
	{
		GDExtensionBool value;
		gd_variant_read(&before, GD_BOOL, &value);
		value = !value;
		GdVariant after = gd_variant(GD_BOOL, &value);
		GDExtensionObjectPtr undo_redo = gd_editor_plugin_get_undo_redo(self->base.object);
		GdString name = gd_string("Set What a Corridor Region Shows");
		gd_editor_undo_redo_manager_create_action(undo_redo, &name, 0, region, false, true);
		gd_destroy(GD_STRING, &name);
		gd_editor_undo_redo_manager_add_do_property(undo_redo, region, gd_name(property), &after);
		gd_editor_undo_redo_manager_add_undo_property(
			undo_redo, region, gd_name(property), &before);
		gd_editor_undo_redo_manager_commit_action(undo_redo, true);
		gd_destroy(GD_VARIANT, &after);
	}
	gd_destroy(GD_VARIANT, &before);
}

static void on_view_selected(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	int64_t item = gd_arg_int(call, 0);
	if (item < 0 || item >= EDITOR_SHOW_COUNT || editor_get_region(self) == NULL)
	{
		return;
	}
	const char* property = editor_toolbar_get_property((EditorShow)item);
	if (property != NULL)
	{
		toggle_property(self, property);
	}
	else if (item == EDITOR_SHOW_CORRIDOR)
	{
		self->look.corridor = !self->look.corridor;
	}
	else
	{
		bool* flag = &self->look.routes[item - EDITOR_SHOW_ROUTE];
		*flag = !*flag;
	}
	update_toolbar(self);
	gd_editor_plugin_update_overlays(self->base.object);
}

static void on_radius_changed(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	double before = self->probe.radius;
	self->probe.radius = gd_arg_float(call, 0);
	if (self->probe.is_placed && editor_get_region(self) != NULL)
	{
		editor_commit_probe(self, self->probe.ends, before, true);
	}
	editor_refresh(self);
}

// ---- State, which the editor keeps per scene ---------------------------------------------------

static void reset(CorridorEditorPlugin* self)
{
	self->probe.is_placed = false;
	self->probe.radius = 0.0;
	self->probe.has_profile = false;
	self->look = (ProbeLook){true, {true, true, true}, -1, -1};
	probe_touch(&self->probe);
}

// _clear(): another scene, without a state, is opened.
static void clear(GdCall* call)
{
	reset(call->self);
}

// _get_state() -> Dictionary
static void get_state(GdCall* call)
{
	const CorridorEditorPlugin* self = call->self;
	if (!self->probe.is_placed)
	{
		return;
	}
	gd_dictionary_set(call->result, "start", gd_variant_vec2(self->probe.ends[PROBE_START]));
	gd_dictionary_set(call->result, "goal", gd_variant_vec2(self->probe.ends[PROBE_GOAL]));
	gd_dictionary_set(call->result, "radius", gd_variant(GD_FLOAT, &self->probe.radius));
}

// Read a value of the right type.
static bool read_key(const GdDictionary* state, const char* name, GdType type, void* value)
{
	GdString text = gd_string(name);
	GdVariant key = gd_variant(GD_STRING, &text);
	bool is_there = gd_dictionary_has(state, &key);
	if (is_there)
	{
		const GdVariant* item = gd_dictionary_get(state, &key);
		is_there = (int)gd_variant_type(item) == (int)type;
		if (is_there)
		{
			gd_variant_read(item, type, value);
		}
	}
	gd_destroy(GD_VARIANT, &key);
	gd_destroy(GD_STRING, &text);
	return is_there;
}

// _set_state(state)
static void set_state(GdCall* call)
{
	CorridorEditorPlugin* self = call->self;
	GdVector2 start, goal;
	double radius;
	if (read_key(call->args[0], "start", GD_VECTOR2, &start) &&
		read_key(call->args[0], "goal", GD_VECTOR2, &goal) &&
		read_key(call->args[0], "radius", GD_FLOAT, &radius))
	{
		self->probe.ends[PROBE_START] = gd_vec2(start);
		self->probe.ends[PROBE_GOAL] = gd_vec2(goal);
		self->probe.radius = radius;
		self->probe.is_placed = true;
	}
	update_toolbar(self);
	editor_refresh(self);
}

// _get_plugin_name() -> String
static void get_plugin_name(GdCall* call)
{
	GdString name = gd_string("NavCorridor");
	gd_assign(GD_STRING, call->result, &name);
	gd_destroy(GD_STRING, &name);
}

// ---- The class ---------------------------------------------------------------------------------

static void enter_tree(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr object = self->base.object;
	editor_toolbar_create(
		&self->toolbars[TOOLBAR_2D], object, EDITOR_CANVAS_MENU, EDITOR_CANVAS_BOTTOM, "px", 1.0);
	editor_toolbar_create(
		&self->toolbars[TOOLBAR_3D], object, EDITOR_SPATIAL_MENU, EDITOR_SPATIAL_BOTTOM, "m", 0.05);
	self->has_toolbars = true;
	self->gizmos = corridor_gizmo_plugin_create();
	gd_editor_plugin_add_node_3d_gizmo_plugin(object, self->gizmos);
	gd_node_set_process_internal(object, true);
}

static void exit_tree(CorridorEditorPlugin* self)
{
	gd_editor_plugin_remove_node_3d_gizmo_plugin(self->base.object, self->gizmos);
	gd_release(self->gizmos);
	self->gizmos = NULL;
	let_go(self);
	editor_forget_bake(self);
	for (int i = 0; i < GD_COUNT(self->toolbars); ++i)
	{
		editor_toolbar_free(&self->toolbars[i], self->base.object);
	}
	self->has_toolbars = false;
}

static void notify(void* instance, int what)
{
	CorridorEditorPlugin* self = instance;
	switch (what)
	{
	case GD_NOTIFICATION_ENTER_TREE:
		enter_tree(self);
		break;
	case GD_NOTIFICATION_EXIT_TREE:
		exit_tree(self);
		break;
	case GD_NOTIFICATION_INTERNAL_PROCESS:
		if (self->baking_id != 0)
		{
			editor_show_progress(self);
		}
		break;
	default:
		break;
	}
}

static void create(void* instance)
{
	reset(instance);
	editor_forget_shape(instance);
}

static void destroy(void* instance)
{
	probe_free(&((CorridorEditorPlugin*)instance)->probe);
}

static const GdMethod methods[] = {
	{"_on_bake_pressed", on_bake_pressed, GD_NIL},
	{"_on_bake_finished", on_bake_finished, GD_NIL},
	{"_on_clear_pressed", on_clear_pressed, GD_NIL},
	{"_on_corridor_map_changed", on_corridor_map_changed, GD_NIL},
	{"_on_view_selected", on_view_selected, GD_NIL, {{"id", GD_INT}}},
	{"_on_radius_changed", on_radius_changed, GD_NIL, {{"value", GD_FLOAT}}},
	{"_set_probe", set_probe, GD_NIL,
		{{"start", GD_VECTOR2}, {"goal", GD_VECTOR2}, {"radius", GD_FLOAT}}},
	{"_get_probe", get_probe, GD_DICTIONARY},
};

static const GdVirtual virtuals[] = {
	{"_handles", handles},
	{"_edit", edit},
	{"_make_visible", make_visible},
	{"_forward_canvas_gui_input", forward_canvas_gui_input},
	{"_forward_canvas_draw_over_viewport", forward_canvas_draw},
	{"_forward_3d_gui_input", forward_3d_gui_input},
	{"_forward_3d_draw_over_viewport", forward_3d_draw},
	{"_clear", clear},
	{"_get_state", get_state},
	{"_set_state", set_state},
	{"_get_plugin_name", get_plugin_name},
};

static const GdClass class = {
	.name = "CorridorEditorPlugin",
	.parent = "EditorPlugin",
	.size = sizeof(CorridorEditorPlugin),
	.is_internal = true,
	.create = create,
	.destroy = destroy,
	.notify = notify,
	.methods = methods,
	.method_count = GD_COUNT(methods),
	.virtuals = virtuals,
	.virtual_count = GD_COUNT(virtuals),
};

void corridor_editor_plugin_register(void)
{
	gd_bind_editor_methods();
	gd_register_class(&class);
	corridor_gizmo_plugin_register();
	gd_add_editor_plugin(&class);
}

void corridor_editor_plugin_unregister(void)
{
	gd_remove_editor_plugin(&class);
	gd_unregister_classes_from(&class);
}
