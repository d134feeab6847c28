// SPDX-License-Identifier: MIT

// Debug drawing of an agent: its radius, path and corridor, in world coordinates.
//
// An agent is no CanvasItem, so it draws on one of its own in the canvas of its 2D parent.

#include "agent.h"
#include "circle.h"
#include "paint.h"

// Just below the engine's highest z-index, as NavigationAgent2D.
#define DRAW_Z_INDEX 4095

#define PATH_WIDTH 2.0
#define SMALL_RADIUS 1.5 // agents that are not larger walk in a level measured in meters
#define THIN -1.0        // one pixel at any zoom

// The corridor's sides are drawn this much stronger than its area.
#define SIDE_STRENGTH 3.0f

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

static void draw_side(const CorridorAgent* self, int side)
{
	Points line = {0};
	for (int i = side; i < self->walker.corridor.count; i += 3)
	{
		points_push(&line, self->walker.corridor.data[i]);
	}
	GdColor color = self->debug_corridor_color;
	color.a = color.a * SIDE_STRENGTH < 1.0f ? color.a * SIDE_STRENGTH : 1.0f;
	paint_polyline(self->canvas_item, &line, color, THIN);
	points_free(&line);
}

// Fill the corridor: between two events lie two quads, one on each side of the axis.
static void fill_corridor(const CorridorAgent* self)
{
	Points corners = {0};
	for (int i = 0; i + 5 < self->walker.corridor.count; i += 3)
	{
		const NcVec2* from = self->walker.corridor.data + i;
		const NcVec2* to = from + 3;
		for (int side = 1; side <= 2; ++side)
		{
			const NcVec2 triangles[] = {from[0], from[side], to[side], from[0], to[side], to[0]};
			for (int k = 0; k < GD_COUNT(triangles); ++k)
			{
				points_push(&corners, triangles[k]);
			}
		}
	}
	paint_triangles(self->canvas_item, &corners, self->debug_corridor_color);
	points_free(&corners);
}

static double get_path_width(const CorridorAgent* self)
{
	return self->walker.radius <= SMALL_RADIUS ? THIN : PATH_WIDTH;
}

static void draw_radius(const CorridorAgent* self)
{
	Points circle = {0};
	circle_add_arc(
		&circle, agent_get_position(self).plane, self->walker.radius, 0.0, CIRCLE_FULL_TURN);
	if (circle.count > 0)
	{
		points_push(&circle, circle.data[0]);
	}
	paint_polyline(self->canvas_item, &circle, self->debug_path_color, get_path_width(self));
	points_free(&circle);
}

static void draw_all(const CorridorAgent* self)
{
	fill_corridor(self);
	draw_side(self, 1);
	draw_side(self, 2);
	paint_polyline(
		self->canvas_item, &self->walker.path, self->debug_path_color, get_path_width(self));
	draw_radius(self);
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
