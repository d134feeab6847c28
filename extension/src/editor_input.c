// SPDX-License-Identifier: MIT

// The mouse on the probe: over a handle, dragging it, and letting it go.

#include "editor_plugin.h"

// Values of MouseButton and Key.
#define BUTTON_LEFT 1
#define BUTTON_RIGHT 2
#define KEY_ESCAPE 4194305

#define VIEW_COUNT_3D 4

static double get_scale(void)
{
	return gd_editor_interface_get_editor_scale(gd_singleton("EditorInterface"));
}

ProbeView editor_make_view_2d(GDExtensionObjectPtr node, GDExtensionObjectPtr control)
{
	return (ProbeView){
		.control = control,
		.scale = get_scale(),
		.transform = gd_canvas_item_get_viewport_transform(node),
		.unit = "px",
	};
}

ProbeView editor_make_view_3d(
	GDExtensionObjectPtr node, GDExtensionObjectPtr control, GDExtensionObjectPtr camera)
{
	return (ProbeView){
		.control = control,
		.scale = get_scale(),
		.camera = camera,
		.height = (double)gd_node_3d_get_global_position(node).y,
		.unit = "m",
	};
}

GDExtensionObjectPtr editor_find_camera(GDExtensionObjectPtr control)
{
	GDExtensionObjectPtr editor = gd_singleton("EditorInterface");
	for (int i = 0; i < VIEW_COUNT_3D; ++i)
	{
		// The viewport sits in a container beside the control.
		GDExtensionObjectPtr viewport = gd_editor_interface_get_editor_viewport_3d(editor, i);
		GDExtensionObjectPtr container = gd_node_get_parent(viewport);
		if (container != NULL && gd_node_get_parent(container) == gd_node_get_parent(control))
		{
			return gd_viewport_get_camera_3d(viewport);
		}
	}
	return NULL;
}

bool editor_unproject(const ProbeView* view, NcVec2 screen, NcVec2* point)
{
	if (view->camera == NULL)
	{
		GdTransform2D inverse;
		if (!gd_invert(view->transform, &inverse))
		{
			return false;
		}
		*point = gd_transform(inverse, screen);
		return true;
	}
	GdVector3 from = gd_camera_3d_project_ray_origin(view->camera, gd_vector2(screen));
	GdVector3 direction = gd_camera_3d_project_ray_normal(view->camera, gd_vector2(screen));
	double distance = (view->height - (double)from.y) / (double)direction.y;
	if (!(distance > 0.0) || !nc_is_finite((NcVec2){distance, 0.0}))
	{
		return false; // the ray does not meet the plane
	}
	*point = (NcVec2){(double)from.x + distance * (double)direction.x,
		(double)from.z + distance * (double)direction.z};
	return true;
}

static void set_active_end(CorridorEditorPlugin* self, int end)
{
	if (self->look.active_end != end)
	{
		self->look.active_end = end;
		gd_editor_plugin_update_overlays(self->base.object);
	}
}

static void begin_drag(CorridorEditorPlugin* self, int end)
{
	self->look.dragged_end = end;
	for (int i = 0; i < PROBE_END_COUNT; ++i)
	{
		self->ends_before[i] = self->probe.ends[i];
	}
}

static void end_drag(CorridorEditorPlugin* self)
{
	int end = self->look.dragged_end;
	self->look.dragged_end = -1;
	self->probe.ends[end] = self->probe.places[end]; // it stays where it fits
	editor_commit_probe(self, self->ends_before, self->probe.radius, false);
}

static void cancel_drag(CorridorEditorPlugin* self)
{
	self->look.dragged_end = -1;
	for (int i = 0; i < PROBE_END_COUNT; ++i)
	{
		self->probe.ends[i] = self->ends_before[i];
	}
	editor_refresh(self);
}

static bool handle_button(
	CorridorEditorPlugin* self, const ProbeView* view, GDExtensionObjectPtr event)
{
	int64_t button = gd_input_event_mouse_button_get_button_index(event);
	bool is_pressed = gd_input_event_is_pressed(event);
	bool is_dragging = self->look.dragged_end >= 0;
	if (button == BUTTON_RIGHT && is_pressed && is_dragging)
	{
		cancel_drag(self);
		return true;
	}
	if (button != BUTTON_LEFT)
	{
		return false;
	}
	if (!is_pressed && is_dragging)
	{
		end_drag(self);
		return true;
	}
	NcVec2 position = gd_vec2(gd_input_event_mouse_get_position(event));
	int end = probe_find_end(&self->probe, view, position);
	if (!is_pressed || end < 0)
	{
		return false;
	}
	begin_drag(self, end);
	set_active_end(self, end);
	return true;
}

static bool handle_motion(
	CorridorEditorPlugin* self, const ProbeView* view, GDExtensionObjectPtr event)
{
	NcVec2 position = gd_vec2(gd_input_event_mouse_get_position(event));
	int end = self->look.dragged_end;
	if (end < 0)
	{
		set_active_end(self, probe_find_end(&self->probe, view, position));
		return false;
	}
	NcVec2 point;
	if (editor_unproject(view, position, &point))
	{
		self->probe.ends[end] = point;
		editor_refresh(self);
	}
	return true;
}

bool editor_handle_input(
	CorridorEditorPlugin* self, const ProbeView* view, GDExtensionObjectPtr event)
{
	editor_update_probe(self);
	if (!self->probe.is_placed)
	{
		return false;
	}
	if (gd_is_class(event, "InputEventMouseButton"))
	{
		return handle_button(self, view, event);
	}
	if (gd_is_class(event, "InputEventMouseMotion"))
	{
		return handle_motion(self, view, event);
	}
	if (self->look.dragged_end >= 0 && gd_is_class(event, "InputEventKey") &&
		gd_input_event_key_get_keycode(event) == KEY_ESCAPE)
	{
		cancel_drag(self);
		return true;
	}
	return false;
}
