// SPDX-License-Identifier: MIT

#include "editor_toolbar.h"

#define KEY_B 66
#define PROGRESS_WIDTH 180.0
#define MAX_RADIUS 1000.0

static const struct
{
	const char* text;
	const char* property;
} items[EDITOR_SHOW_COUNT] = {
	[EDITOR_SHOW_AXIS] = {"Medial Axis", "show_medial_axis"},
	[EDITOR_SHOW_CLEARANCE] = {"Clearance", "show_clearance"},
	[EDITOR_SHOW_CLOSEST] = {"Closest Points", "show_closest_points"},
	[EDITOR_SHOW_WALLS] = {"Walls", "show_walls"},
	[EDITOR_SHOW_TERRAIN] = {"Terrain", "show_terrain"},
	[EDITOR_SHOW_CORRIDOR] = {"Corridor of the Probe", NULL},
	[EDITOR_SHOW_ROUTE + PROBE_MEDIAL] = {"Route on the Medial Axis", NULL},
	[EDITOR_SHOW_ROUTE + PROBE_SHORTEST] = {"Shortest Route", NULL},
	[EDITOR_SHOW_ROUTE + PROBE_WEIGHTED] = {"Route Weighted by Terrain", NULL},
};

static void set_tooltip(GDExtensionObjectPtr control, const char* text)
{
	GdString string = gd_string(text);
	gd_control_set_tooltip_text(control, &string);
	gd_destroy(GD_STRING, &string);
}

static void set_icon(GDExtensionObjectPtr button, const char* name)
{
	GDExtensionObjectPtr theme =
		gd_editor_interface_get_editor_theme(gd_singleton("EditorInterface"));
	GDExtensionObjectPtr icon = gd_theme_get_icon(theme, gd_name(name), gd_name("EditorIcons"));
	gd_button_set_button_icon(button, icon);
	gd_release(icon);
	gd_release(theme);
}

// A button as the editor's own tools have them.
static GDExtensionObjectPtr add_button(GDExtensionObjectPtr box, const char* class_name,
	const char* text, const char* icon, const char* tooltip)
{
	GDExtensionObjectPtr button = gd_new(class_name);
	GdString string = gd_string(text);
	gd_button_set_text(button, &string);
	gd_destroy(GD_STRING, &string);
	gd_control_set_theme_type_variation(button, gd_name("FlatButton"));
	set_icon(button, icon);
	set_tooltip(button, tooltip);
	gd_node_add_child(box, button, false, 0);
	return button;
}

// Alt and B, wherever the focus is.
static void set_bake_shortcut(GDExtensionObjectPtr button)
{
	GDExtensionObjectPtr key = gd_new("InputEventKey");
	gd_input_event_key_set_keycode(key, KEY_B);
	gd_input_event_with_modifiers_set_alt_pressed(key, true);
	GdArray events;
	gd_construct(GD_ARRAY, &events);
	gd_array_push(&events, gd_variant(GD_OBJECT, &key));
	GDExtensionObjectPtr shortcut = gd_new("Shortcut");
	gd_shortcut_set_events(shortcut, &events);
	gd_base_button_set_shortcut(button, shortcut);
	gd_destroy(GD_ARRAY, &events);
	gd_release(shortcut);
	gd_release(key);
}

static void add_items(GDExtensionObjectPtr popup)
{
	GdString empty = gd_string("");
	for (int i = 0; i < EDITOR_SHOW_COUNT; ++i)
	{
		if (i == EDITOR_SHOW_CORRIDOR)
		{
			gd_popup_menu_add_separator(popup, &empty, EDITOR_SHOW_COUNT);
		}
		GdString text = gd_string(items[i].text);
		gd_popup_menu_add_check_item(popup, &text, i, 0);
		gd_destroy(GD_STRING, &text);
	}
	gd_destroy(GD_STRING, &empty);
	gd_popup_menu_set_hide_on_checkable_item_selection(popup, false);
}

static GDExtensionObjectPtr add_radius(GDExtensionObjectPtr box, const char* unit, double step)
{
	GDExtensionObjectPtr radius = gd_new("SpinBox");
	gd_range_set_min(radius, 0.0);
	gd_range_set_max(radius, MAX_RADIUS * step);
	gd_range_set_step(radius, step);
	gd_range_set_allow_greater(radius, true);
	GdString suffix = gd_string(unit);
	GdString prefix = gd_string("r");
	gd_spin_box_set_suffix(radius, &suffix);
	gd_spin_box_set_prefix(radius, &prefix);
	gd_destroy(GD_STRING, &prefix);
	gd_destroy(GD_STRING, &suffix);
	set_tooltip(radius,
		"Radius of the probe.\nDrag its start and goal in the view to see which way "
		"an agent of this size would go.");
	gd_node_add_child(box, radius, false, 0);
	return radius;
}

static GDExtensionObjectPtr make_progress(void)
{
	GDExtensionObjectPtr progress = gd_new("ProgressBar");
	gd_range_set_max(progress, 1.0);
	gd_range_set_step(progress, 0.001);
	gd_control_set_custom_minimum_size(progress, (GdVector2){(float)PROGRESS_WIDTH, 0.0f});
	set_tooltip(progress, "The corridor map is being baked. You can go on working.");
	gd_canvas_item_set_visible(progress, false);
	return progress;
}

void editor_toolbar_create(EditorToolbar* toolbar, GDExtensionObjectPtr plugin, int menu_container,
	int bottom_container, const char* unit, double step)
{
	GDExtensionObjectPtr box = gd_new("HBoxContainer");
	gd_node_add_child(box, gd_new("VSeparator"), false, 0);
	*toolbar = (EditorToolbar){
		.menu_container = menu_container,
		.bottom_container = bottom_container,
		.box = box,
		.bake = add_button(box, "Button", "Bake Corridor Map", "Bake",
			"Compute the corridor map and store it in the scene, so that the game need not.\n"
			"Until then the map follows the obstacles."),
		.clear = add_button(box, "Button", "", "Clear",
			"Forget the baked corridor map. The map follows the obstacles again."),
		.view = add_button(box, "MenuButton", "View", "GuiVisibilityVisible",
			"What to show of the corridor map and of the probe."),
	};
	toolbar->radius = add_radius(box, unit, step);
	toolbar->progress = make_progress();
	set_bake_shortcut(toolbar->bake);
	GDExtensionObjectPtr popup = gd_menu_button_get_popup(toolbar->view);
	add_items(popup);
	gd_connect_method(toolbar->bake, "pressed", plugin, "_on_bake_pressed");
	gd_connect_method(toolbar->clear, "pressed", plugin, "_on_clear_pressed");
	gd_connect_method(popup, "id_pressed", plugin, "_on_view_selected");
	gd_connect_method(toolbar->radius, "value_changed", plugin, "_on_radius_changed");
	gd_canvas_item_set_visible(box, false);
	gd_editor_plugin_add_control_to_container(plugin, menu_container, box);
	gd_editor_plugin_add_control_to_container(plugin, bottom_container, toolbar->progress);
}

void editor_toolbar_free(EditorToolbar* toolbar, GDExtensionObjectPtr plugin)
{
	gd_editor_plugin_remove_control_from_container(plugin, toolbar->menu_container, toolbar->box);
	gd_editor_plugin_remove_control_from_container(
		plugin, toolbar->bottom_container, toolbar->progress);
	gd_node_queue_free(toolbar->box);
	gd_node_queue_free(toolbar->progress);
	*toolbar = (EditorToolbar){0};
}

void editor_toolbar_set_visible(const EditorToolbar* toolbar, bool is_visible)
{
	gd_canvas_item_set_visible(toolbar->box, is_visible);
}

void editor_toolbar_set_progress(const EditorToolbar* toolbar, double progress)
{
	bool is_baking = progress >= 0.0;
	gd_canvas_item_set_visible(toolbar->progress, is_baking);
	gd_base_button_set_disabled(toolbar->bake, is_baking);
	gd_base_button_set_disabled(toolbar->clear, is_baking);
	gd_range_set_value(toolbar->progress, is_baking ? progress : 0.0);
}

const char* editor_toolbar_get_property(EditorShow item)
{
	return items[item].property;
}

void editor_toolbar_set_item(
	const EditorToolbar* toolbar, EditorShow item, bool is_checked, bool is_enabled)
{
	GDExtensionObjectPtr popup = gd_menu_button_get_popup(toolbar->view);
	int64_t index = gd_popup_menu_get_item_index(popup, item);
	gd_popup_menu_set_item_checked(popup, index, is_checked);
	gd_popup_menu_set_item_disabled(popup, index, !is_enabled);
}

void editor_toolbar_set_radius(const EditorToolbar* toolbar, double radius)
{
	gd_range_set_value_no_signal(toolbar->radius, radius);
}
