// SPDX-License-Identifier: MIT

// Debug drawing of an agent: its disc, path and corridor, in world coordinates.
//
// An agent is no CanvasItem, so it draws on one of its own in the canvas of its 2D parent.

#include "agent.h"

// Just below the engine's highest z-index, as NavigationAgent2D.
#define DRAW_Z_INDEX 4095

#define PATH_WIDTH 2.0
#define THIN -1.0 // one pixel at any zoom

// Clearance discs are this far apart along the corridor, in units of their radius: they overlap.
#define DISC_SPACING 0.5

static GDExtensionObjectPtr get_renderer(void)
{
	return gd_singleton("RenderingServer");
}

bool agent_is_drawn(const CorridorAgent* self)
{
	return self->parent_type == GD_VECTOR2 &&
		   (self->debug_enabled || gd_engine_is_editor_hint(gd_singleton("Engine")) ||
			   gd_scene_tree_is_debugging_navigation_hint(gd_node_get_tree(self->base.object)));
}

void agent_free_drawing(CorridorAgent* self)
{
	if (self->canvas_item != 0)
	{
		gd_rendering_server_free_rid(get_renderer(), self->canvas_item);
		self->canvas_item = 0;
	}
}

static void draw_polyline(
	const CorridorAgent* self, const Points* points, GdColor color, double width)
{
	if (points->count < 2)
	{
		return;
	}
	GdPackedVector2Array array = gd_vector2_array(points->data, points->count);
	GdPackedColorArray colors = gd_color_array(color);
	gd_rendering_server_canvas_item_add_polyline(
		get_renderer(), self->canvas_item, &array, &colors, width, width > 0.0);
	gd_destroy(GD_PACKED_COLOR_ARRAY, &colors);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

static void draw_side(const CorridorAgent* self, int side)
{
	Points line = {0};
	for (int i = side; i < self->corridor.count; i += 3)
	{
		points_push(&line, self->corridor.data[i]);
	}
	draw_polyline(self, &line, self->debug_corridor_color, THIN);
	points_free(&line);
}

static void draw_disc(const CorridorAgent* self, NcVec2 center, double radius, GdColor color)
{
	gd_rendering_server_canvas_item_add_circle(
		get_renderer(), self->canvas_item, gd_vector2(center), radius, color, false);
}

static void draw_clearance(const CorridorAgent* self)
{
	double last_radius = 0.0;
	NcVec2 last = {0};
	for (int i = 0; i + 2 < self->corridor.count; i += 3)
	{
		const NcVec2* event = self->corridor.data + i;
		double radius = nc_distance(event[0], event[1]);
		if (i == 0 || nc_distance(last, event[0]) > DISC_SPACING * last_radius)
		{
			draw_disc(self, event[0], radius, self->debug_clearance_color);
			last = event[0];
			last_radius = radius;
		}
	}
}

static void draw_all(const CorridorAgent* self)
{
	draw_clearance(self);
	draw_side(self, 1);
	draw_side(self, 2);
	draw_polyline(self, &self->path, self->debug_path_color, PATH_WIDTH);
	GdColor disc = self->debug_path_color;
	disc.a *= 0.35f;
	draw_disc(self, agent_get_position(self).plane, self->radius, disc);
}

void agent_draw(CorridorAgent* self)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	if (parent == NULL || !agent_is_drawn(self))
	{
		agent_free_drawing(self);
		return;
	}
	if (self->canvas_item == 0)
	{
		self->canvas_item = gd_rendering_server_canvas_item_create(get_renderer());
		gd_rendering_server_canvas_item_set_z_index(
			get_renderer(), self->canvas_item, DRAW_Z_INDEX);
		gd_rendering_server_canvas_item_set_parent(
			get_renderer(), self->canvas_item, gd_canvas_item_get_canvas(parent));
	}
	gd_rendering_server_canvas_item_clear(get_renderer(), self->canvas_item);
	draw_all(self);
}
