// SPDX-License-Identifier: MIT

// Baking and clearing from the editor. A bake runs on a worker thread; when it is done, what the
// resource held before and after becomes one action that can be undone. Undoing swaps them and
// bakes nothing.

#include "editor_plugin.h"

#include <stdio.h>

static GdVariant get_property(GDExtensionObjectPtr object, const char* name)
{
	return gd_object_get(object, gd_name(name));
}

static bool call_bool(GDExtensionObjectPtr object, const char* method)
{
	GdVariant result = gd_call(object, method, NULL, 0);
	GDExtensionBool value = 0;
	if (gd_variant_type(&result) == GDEXTENSION_VARIANT_TYPE_BOOL)
	{
		gd_variant_read(&result, GD_BOOL, &value);
	}
	gd_destroy(GD_VARIANT, &result);
	return value != 0;
}

static GDExtensionObjectPtr get_object(const GdVariant* variant)
{
	GDExtensionObjectPtr object = NULL;
	if (gd_variant_type(variant) == GDEXTENSION_VARIANT_TYPE_OBJECT)
	{
		gd_variant_read(variant, GD_OBJECT, &object);
	}
	return object;
}

static BakeState read_state(GDExtensionObjectPtr region)
{
	BakeState state = {.resource = get_property(region, "corridor_map")};
	GDExtensionObjectPtr resource = get_object(&state.resource);
	GdVariant* const values[] = {&state.data, &state.border, &state.checksum};
	const char* const names[] = {"data", "border", "source_checksum"};
	for (int i = 0; i < GD_COUNT(values); ++i)
	{
		*values[i] = resource != NULL ? get_property(resource, names[i]) : gd_variant(GD_NIL, NULL);
	}
	return state;
}

static void free_state(BakeState* state)
{
	gd_destroy(GD_VARIANT, &state->resource);
	gd_destroy(GD_VARIANT, &state->data);
	gd_destroy(GD_VARIANT, &state->border);
	gd_destroy(GD_VARIANT, &state->checksum);
}

// One side of the action: the region gets the resource, and the resource what it held.
static void add_state(
	GDExtensionObjectPtr undo_redo, GDExtensionObjectPtr region, const BakeState* state, bool is_do)
{
	void (*add)(GDExtensionObjectPtr, GDExtensionObjectPtr, const GdStringName*, const GdVariant*) =
		is_do ? gd_editor_undo_redo_manager_add_do_property
			  : gd_editor_undo_redo_manager_add_undo_property;
	GDExtensionObjectPtr resource = get_object(&state->resource);
	if (resource != NULL)
	{
		add(undo_redo, resource, gd_name("border"), &state->border);
		add(undo_redo, resource, gd_name("source_checksum"), &state->checksum);
		add(undo_redo, resource, gd_name("data"), &state->data);
	}
	add(undo_redo, region, gd_name("corridor_map"), &state->resource);
}

// Both states are consumed.
static void commit(CorridorEditorPlugin* self, GDExtensionObjectPtr region, const char* name,
	BakeState before, BakeState after)
{
	GDExtensionObjectPtr undo_redo = gd_editor_plugin_get_undo_redo(self->base.object);
	GdString string = gd_string(name);
	gd_editor_undo_redo_manager_create_action(undo_redo, &string, 0, region, false, true);
	gd_destroy(GD_STRING, &string);
	add_state(undo_redo, region, &after, true);
	add_state(undo_redo, region, &before, false);
	gd_editor_undo_redo_manager_commit_action(undo_redo, false);
	free_state(&before);
	free_state(&after);
}

void editor_toast(int severity, const char* text)
{
	GDExtensionObjectPtr toaster =
		gd_editor_interface_get_editor_toaster(gd_singleton("EditorInterface"));
	GdString message = gd_string(text);
	GdString tooltip = gd_string("");
	gd_editor_toaster_push_toast(toaster, &message, severity, &tooltip);
	gd_destroy(GD_STRING, &tooltip);
	gd_destroy(GD_STRING, &message);
}

void editor_start_bake(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr region = editor_get_region(self);
	if (region == NULL || self->baking_id != 0)
	{
		return;
	}
	self->baking_id = gd_get_id(region);
	self->before = read_state(region);
	gd_connect_method(region, "bake_finished", self->base.object, "_on_bake_finished");
	const GDExtensionBool is_on_thread = 1;
	GdVariant args[] = {gd_variant(GD_BOOL, &is_on_thread)};
	GdVariant result = gd_call(region, "bake_corridor_map", args, 1);
	gd_destroy(GD_VARIANT, &result);
	editor_show_progress(self);
	if (self->baking_id != 0 && !call_bool(region, "is_baking"))
	{
		editor_forget_bake(self);
		editor_toast(
			EDITOR_TOAST_ERROR, "The corridor map was not baked: the Output panel says why.");
	}
}

void editor_finish_bake(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr region = gd_get_object(self->baking_id);
	if (region == NULL)
	{
		return;
	}
	gd_disconnect_method(region, "bake_finished", self->base.object, "_on_bake_finished");
	self->baking_id = 0;
	commit(self, region, "Bake Corridor Map", self->before, read_state(region));
	editor_show_progress(self);
	if (!call_bool(region, "is_baked"))
	{
		editor_toast(
			EDITOR_TOAST_ERROR, "The corridor map was not baked: the Output panel says why.");
	}
	editor_refresh(self);
}

void editor_clear(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr region = editor_get_region(self);
	if (region == NULL || self->baking_id != 0)
	{
		return;
	}
	BakeState before = read_state(region);
	GdVariant result = gd_call(region, "clear_corridor_map", NULL, 0);
	gd_destroy(GD_VARIANT, &result);
	commit(self, region, "Clear Corridor Map", before, read_state(region));
	editor_refresh(self);
}

void editor_show_progress(CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr region = gd_get_object(self->baking_id);
	if (region == NULL && self->baking_id != 0)
	{
		editor_forget_bake(self); // it was freed while it was being baked
	}
	double progress = -1.0;
	if (region != NULL)
	{
		GdVariant result = gd_call(region, "get_bake_progress", NULL, 0);
		progress = 0.0;
		if (gd_variant_type(&result) == GDEXTENSION_VARIANT_TYPE_FLOAT)
		{
			gd_variant_read(&result, GD_FLOAT, &progress);
		}
		gd_destroy(GD_VARIANT, &result);
	}
	for (int i = 0; self->has_toolbars && i < GD_COUNT(self->toolbars); ++i)
	{
		bool is_here = (i == 1) == self->is_3d;
		editor_toolbar_set_progress(&self->toolbars[i], is_here ? progress : -1.0);
	}
}

void editor_forget_bake(CorridorEditorPlugin* self)
{
	if (self->baking_id != 0)
	{
		self->baking_id = 0;
		free_state(&self->before);
	}
}
