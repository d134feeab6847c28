// SPDX-License-Identifier: MIT
#pragma once

// The tools that the editor shows above the 2D and the 3D view while something of ours is selected.

#include "gd.h"
#include "probe.h"

/// What the View menu switches. The first ones are properties of the region, the others belong to
/// the probe.
typedef enum EditorShow
{
	EDITOR_SHOW_AXIS,
	EDITOR_SHOW_CLEARANCE,
	EDITOR_SHOW_CLOSEST,
	EDITOR_SHOW_WALLS,
	EDITOR_SHOW_TERRAIN,
	EDITOR_SHOW_CORRIDOR,
	EDITOR_SHOW_ROUTE, ///< and one more for each kind of route
	EDITOR_SHOW_COUNT = EDITOR_SHOW_ROUTE + PROBE_ROUTE_COUNT,
} EditorShow;

/// Where Godot puts controls of plugins; values of EditorPlugin.CustomControlContainer.
enum
{
	EDITOR_SPATIAL_MENU = 1,
	EDITOR_SPATIAL_BOTTOM = 4,
	EDITOR_CANVAS_MENU = 5,
	EDITOR_CANVAS_BOTTOM = 8,
};

/// The controls live from editor_toolbar_create() to editor_toolbar_free().
typedef struct EditorToolbar
{
	int menu_container;
	int bottom_container;
	GDExtensionObjectPtr box;
	GDExtensionObjectPtr bake;
	GDExtensionObjectPtr clear;
	GDExtensionObjectPtr view;
	GDExtensionObjectPtr radius;
	GDExtensionObjectPtr progress;
} EditorToolbar;

/// Make the controls and add them to a container of the editor. They call methods of the plugin:
/// _on_bake_pressed(), _on_clear_pressed(), _on_view_selected(id), _on_radius_changed(value).
/// @param unit of the radius, and the smallest step of it
void editor_toolbar_create(EditorToolbar* toolbar, GDExtensionObjectPtr plugin, int menu_container,
	int bottom_container, const char* unit, double step);
void editor_toolbar_free(EditorToolbar* toolbar, GDExtensionObjectPtr plugin);

void editor_toolbar_set_visible(const EditorToolbar* toolbar, bool is_visible);

/// Show how far a bake is.
/// @param progress from 0 to 1; negative: nothing is being baked
void editor_toolbar_set_progress(const EditorToolbar* toolbar, double progress);

/// The region's property that an item of the View menu switches; NULL: none.
const char* editor_toolbar_get_property(EditorShow item);

void editor_toolbar_set_item(
	const EditorToolbar* toolbar, EditorShow item, bool is_checked, bool is_enabled);
void editor_toolbar_set_radius(const EditorToolbar* toolbar, double radius);
