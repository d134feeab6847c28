// SPDX-License-Identifier: MIT

// Shaping obstacles and terrain with the mouse, in the plane and in space: drag a vertex, press on
// a side to add one, press the right button on one to remove it; a circle has a handle for its
// radius.

#include "editor_plugin.h"

#include "corridor_obstacle.h"
#include "corridor_terrain.h"
#include "paint.h"

// Values of MouseButton and Key.
#define BUTTON_LEFT 1
#define BUTTON_RIGHT 2
#define KEY_ESCAPE 4194305

// All in pixels of the screen.
#define REACH 9.0
#define HANDLE_RADIUS 5.0
#define SEAM 1.5

// What the mouse can hold.
enum
{
	HOLD_NOTHING = -1,
	HOLD_RADIUS = -2,
};

ShapeNode* editor_get_shape(const CorridorEditorPlugin* self)
{
	GDExtensionObjectPtr object = gd_get_object(self->shape_id);
	ShapeNode* node = corridor_obstacle_get(object);
	node = node != NULL ? node : corridor_terrain_get(object);
	return node != NULL && node->is_inside ? node : NULL;
}

// ---- Where things are --------------------------------------------------------------------------

static bool project(const ShapeNode* node, const ProbeView* view, NcVec2 local, NcVec2* screen)
{
	return probe_project(view, gd_transform(shape_node_get_transform(node), local), screen);
}

static bool find_local(const ShapeNode* node, const ProbeView* view, NcVec2 screen, NcVec2* local)
{
	NcVec2 point;
	GdTransform2D inverse;
	if (!editor_unproject(view, screen, &point) ||
		!gd_invert(shape_node_get_transform(node), &inverse))
	{
		return false;
	}
	*local = gd_transform(inverse, point);
	return nc_is_finite(*local);
}

static NcVec2 get_radius_handle(const ShapeNode* node)
{
	return (NcVec2){node->radius, 0.0};
}

// @return the vertex at a point of the screen, HOLD_RADIUS or HOLD_NOTHING
static int find_handle(const ShapeNode* node, const ProbeView* view, NcVec2 screen)
{
	int best = HOLD_NOTHING;
	double reach = REACH * view->scale;
	NcVec2 place;
	for (int i = 0; i < node->vertices.count; ++i)
	{
		if (project(node, view, node->vertices.data[i], &place) &&
			nc_distance(place, screen) <= reach)
		{
			reach = nc_distance(place, screen);
			best = i;
		}
	}
	bool has_radius = node->vertices.count == 0 && node->radius > 0.0;
	if (has_radius && project(node, view, get_radius_handle(node), &place) &&
		nc_distance(place, screen) <= reach)
	{
		return HOLD_RADIUS;
	}
	return best;
}

// @return the vertex at which the side begins that is at a point of the screen; -1: none
static int find_side(const ShapeNode* node, const ProbeView* view, NcVec2 screen)
{
	int count = node->vertices.count;
	bool is_closed = shape_node_is_area(node);
	for (int i = 0; i < count && count >= 2; ++i)
	{
		NcVec2 a, b;
		bool has_side = is_closed || i + 1 < count;
		if (has_side && project(node, view, node->vertices.data[i], &a) &&
			project(node, view, node->vertices.data[(i + 1) % count], &b) &&
			nc_distance(screen, nc_closest_on_segment(screen, a, b)) <= REACH * view->scale)
		{
			return i;
		}
	}
	return -1;
}

// ---- Changes -----------------------------------------------------------------------------------

static GdVariant make_vertices(const ShapeNode* node, const Points* points)
{
	if (node->is_3d)
	{
		GdPackedVector3Array array = gd_vector3_array(points->data, points->count, 0.0);
		GdVariant variant = gd_variant(GD_PACKED_VECTOR3_ARRAY, &array);
		gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
		return variant;
	}
	GdPackedVector2Array array = gd_vector2_array(points->data, points->count);
	GdVariant variant = gd_variant(GD_PACKED_VECTOR2_ARRAY, &array);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
	return variant;
}

static const char* get_property(const CorridorEditorPlugin* self)
{
	return self->held == HOLD_RADIUS ? "radius" : "vertices";
}

// Consumes the value.
static void set_property(ShapeNode* node, const char* property, GdVariant value)
{
	gd_object_set(node->base.object, gd_name(property), &value);
	gd_destroy(GD_VARIANT, &value);
}

static void begin_change(CorridorEditorPlugin* self, const ShapeNode* node, int held)
{
	self->held = held;
	self->shape_before = gd_object_get(node->base.object, gd_name(get_property(self)));
}

// What was done with the mouse becomes an action.
static void end_change(CorridorEditorPlugin* self, const ShapeNode* node, const char* name)
{
	GDExtensionObjectPtr undo_redo = gd_editor_plugin_get_undo_redo(self->base.object);
	GDExtensionObjectPtr object = node->base.object;
	const GdStringName* property = gd_name(get_property(self));
	GdVariant after = gd_object_get(object, property);
	GdString string = gd_string(name);
	gd_editor_undo_redo_manager_create_action(undo_redo, &string, 0, object, false, true);
	gd_editor_undo_redo_manager_add_do_property(undo_redo, object, property, &after);
	gd_editor_undo_redo_manager_add_undo_property(undo_redo, object, property, &self->shape_before);
	gd_editor_undo_redo_manager_commit_action(undo_redo, false);
	gd_destroy(GD_STRING, &string);
	gd_destroy(GD_VARIANT, &after);
	gd_destroy(GD_VARIANT, &self->shape_before);
	self->held = HOLD_NOTHING;
}

static void cancel_change(CorridorEditorPlugin* self, ShapeNode* node)
{
	set_property(node, get_property(self), self->shape_before); // which it consumes
	self->held = HOLD_NOTHING;
}

// Copy the vertices with one more after `index`, or without that one.
static void edit_vertices(ShapeNode* node, int index, const NcVec2* added)
{
	Points points = {0};
	for (int i = 0; i < node->vertices.count; ++i)
	{
		if (added != NULL || i != index)
		{
			points_push(&points, node->vertices.data[i]);
		}
		if (added != NULL && i == index)
		{
			points_push(&points, *added);
		}
	}
	set_property(node, "vertices", make_vertices(node, &points));
	points_free(&points);
}

static void drag(CorridorEditorPlugin* self, ShapeNode* node, NcVec2 local)
{
	if (self->held == HOLD_RADIUS)
	{
		double radius = nc_length(local);
		set_property(node, "radius", gd_variant(GD_FLOAT, &radius));
		return;
	}
	Points points = {0};
	for (int i = 0; i < node->vertices.count; ++i)
	{
		points_push(&points, i == self->held ? local : node->vertices.data[i]);
	}
	set_property(node, "vertices", make_vertices(node, &points));
	points_free(&points);
}

// ---- The mouse ---------------------------------------------------------------------------------

static bool press_left(
	CorridorEditorPlugin* self, ShapeNode* node, const ProbeView* view, NcVec2 screen)
{
	int handle = find_handle(node, view, screen);
	int side = handle == HOLD_NOTHING ? find_side(node, view, screen) : -1;
	NcVec2 local;
	if (handle != HOLD_NOTHING)
	{
		begin_change(self, node, handle);
		return true;
	}
	if (side < 0 || !find_local(node, view, screen, &local))
	{
		return false;
	}
	begin_change(self, node, side + 1);
	edit_vertices(node, side, &local);
	return true;
}

static bool press_right(
	CorridorEditorPlugin* self, ShapeNode* node, const ProbeView* view, NcVec2 screen)
{
	if (self->held != HOLD_NOTHING)
	{
		cancel_change(self, node);
		return true;
	}
	int handle = find_handle(node, view, screen);
	if (handle < 0)
	{
		return false;
	}
	begin_change(self, node, handle);
	edit_vertices(node, handle, NULL);
	end_change(self, node, "Remove Vertex");
	return true;
}

static bool handle_button(
	CorridorEditorPlugin* self, ShapeNode* node, const ProbeView* view, GDExtensionObjectPtr event)
{
	NcVec2 screen = gd_vec2(gd_input_event_mouse_get_position(event));
	int64_t button = gd_input_event_mouse_button_get_button_index(event);
	bool is_pressed = gd_input_event_is_pressed(event);
	if (button == BUTTON_RIGHT && is_pressed)
	{
		return press_right(self, node, view, screen);
	}
	if (button == BUTTON_LEFT && is_pressed)
	{
		return press_left(self, node, view, screen);
	}
	if (button == BUTTON_LEFT && self->held != HOLD_NOTHING)
	{
		end_change(self, node, self->held == HOLD_RADIUS ? "Change Radius" : "Move Vertex");
		return true;
	}
	return false;
}

bool editor_handle_vertices(
	CorridorEditorPlugin* self, const ProbeView* view, GDExtensionObjectPtr event)
{
	ShapeNode* node = editor_get_shape(self);
	bool is_used = false;
	if (node == NULL)
	{
		return false;
	}
	if (gd_is_class(event, "InputEventMouseButton"))
	{
		is_used = handle_button(self, node, view, event);
	}
	else if (gd_is_class(event, "InputEventMouseMotion") && self->held != HOLD_NOTHING)
	{
		NcVec2 local;
		if (find_local(node, view, gd_vec2(gd_input_event_mouse_get_position(event)), &local))
		{
			drag(self, node, local);
		}
		is_used = true;
	}
	else if (gd_is_class(event, "InputEventKey") && self->held != HOLD_NOTHING &&
			 gd_input_event_key_get_keycode(event) == KEY_ESCAPE)
	{
		cancel_change(self, node);
		is_used = true;
	}
	if (is_used)
	{
		gd_editor_plugin_update_overlays(self->base.object);
	}
	return is_used;
}

static void draw_handle(const ShapeNode* node, const ProbeView* view, NcVec2 local, GdColor color)
{
	NcVec2 screen;
	if (project(node, view, local, &screen))
	{
		GdRid item = gd_canvas_item_get_canvas_item(view->control);
		paint_disc(
			item, screen, (HANDLE_RADIUS + SEAM) * view->scale, (GdColor){0.0f, 0.0f, 0.0f, 0.6f});
		paint_disc(item, screen, HANDLE_RADIUS * view->scale, color);
	}
}

void editor_draw_vertices(const CorridorEditorPlugin* self, const ProbeView* view)
{
	const ShapeNode* node = editor_get_shape(self);
	if (node == NULL)
	{
		return;
	}
	for (int i = 0; i < node->vertices.count; ++i)
	{
		draw_handle(node, view, node->vertices.data[i],
			i == self->held ? (GdColor){1.0f, 0.85f, 0.3f, 1.0f} : probe_white);
	}
	if (node->vertices.count == 0 && node->radius > 0.0)
	{
		draw_handle(node, view, get_radius_handle(node), probe_white);
	}
}

void editor_forget_shape(CorridorEditorPlugin* self)
{
	if (self->shape_id != 0 && self->held != HOLD_NOTHING)
	{
		gd_destroy(GD_VARIANT, &self->shape_before);
	}
	self->held = HOLD_NOTHING;
	self->shape_id = 0;
}
