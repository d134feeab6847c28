// SPDX-License-Identifier: MIT

// Debug drawing of an agent: its radius, path and corridor, in world coordinates.
//
// An agent is neither a CanvasItem nor a Node3D. Below a 2D parent it draws on a canvas item of its
// own in the canvas of the parent, below a 3D parent with a mesh of its own in the parent's world.

#include "agent.h"

#include "circle.h"
#include "corridor_shape.h"
#include "paint.h"

#include <stdlib.h>

// Just below the engine's highest z-index, as NavigationAgent2D.
#define DRAW_Z_INDEX 4095

#define PATH_WIDTH 2.0
#define SMALL_RADIUS 1.5 // agents that are not larger walk in a level measured in meters
#define THIN -1.0        // one pixel at any zoom

// In space: how far the drawing floats above the parent's origin, so that it is not hidden in the
// floor, and half the width of the path in parts of the radius.
#define LIFT 0.05
#define PATH_HALF_WIDTH 0.08

// The corridor's sides are drawn this much stronger than its area.
#define SIDE_STRENGTH 3.0f

static GDExtensionObjectPtr get_renderer(void)
{
	return gd_singleton("RenderingServer");
}

bool agent_is_drawn(const CorridorAgent* self)
{
	return self->debug_enabled || gd_engine_is_editor_hint(gd_singleton("Engine")) ||
		   gd_scene_tree_is_debugging_navigation_hint(gd_node_get_tree(self->base.object));
}

bool agent_has_drawing(const CorridorAgent* self)
{
	return self->canvas_item != 0 || self->lines.mesh != 0;
}

void agent_free_drawing(CorridorAgent* self)
{
	if (self->canvas_item != 0)
	{
		gd_rendering_server_free_rid(get_renderer(), self->canvas_item);
		self->canvas_item = 0;
	}
	lines_3d_free(&self->lines);
}

// ---- What is seen ------------------------------------------------------------------------------

static void make_corridor(const CorridorAgent* self, CorridorShape* shape)
{
	const Points* corridor = &self->walker.corridor;
	int count = corridor->count / 3;
	NcMapEvent* events = calloc((size_t)count + 1, sizeof(NcMapEvent));
	if (events == NULL)
	{
		return;
	}
	for (int i = 0; i < count; ++i)
	{
		const NcVec2* row = corridor->data + 3 * (size_t)i;
		events[i] = (NcMapEvent){.position = row[0],
			.clearance = nc_distance(row[0], row[1]),
			.left = row[1],
			.right = row[2]};
	}
	corridor_shape_add_path(shape, events, count);
	free(events);
}

static GdColor get_side_color(const CorridorAgent* self)
{
	GdColor color = self->debug_corridor_color;
	color.a = color.a * SIDE_STRENGTH < 1.0f ? color.a * SIDE_STRENGTH : 1.0f;
	return color;
}

static void make_circle(const CorridorAgent* self, Points* circle)
{
	circle_add_arc(
		circle, agent_get_position(self).plane, self->walker.radius, 0.0, CIRCLE_FULL_TURN);
	if (circle->count > 0)
	{
		points_push(circle, circle->data[0]);
	}
}

// ---- In the plane ------------------------------------------------------------------------------

static void draw_in_plane(
	const CorridorAgent* self, const CorridorShape* shape, const Points* circle)
{
	Points corners = {0};
	corridor_shape_add_triangles(shape, &corners);
	paint_triangles(self->canvas_item, &corners, self->debug_corridor_color);
	points_free(&corners);
	paint_polyline(self->canvas_item, &shape->left, get_side_color(self), THIN);
	paint_polyline(self->canvas_item, &shape->right, get_side_color(self), THIN);
	double width = self->walker.radius <= SMALL_RADIUS ? THIN : PATH_WIDTH;
	paint_polyline(self->canvas_item, &self->walker.path, self->debug_path_color, width);
	paint_polyline(self->canvas_item, circle, self->debug_path_color, width);
}

static void begin_in_plane(CorridorAgent* self, GDExtensionObjectPtr parent)
{
	GDExtensionObjectPtr renderer = get_renderer();
	if (self->canvas_item == 0)
	{
		self->canvas_item = gd_rendering_server_canvas_item_create(renderer);
		gd_rendering_server_canvas_item_set_z_index(renderer, self->canvas_item, DRAW_Z_INDEX);
		gd_rendering_server_canvas_item_set_parent(
			renderer, self->canvas_item, gd_canvas_item_get_canvas(parent));
	}
	gd_rendering_server_canvas_item_clear(renderer, self->canvas_item);
}

// ---- In space ----------------------------------------------------------------------------------

static void raise_points(const Points* points, double height, Vectors* vectors)
{
	for (int i = 0; i < points->count; ++i)
	{
		NcVec2 point = points->data[i];
		vectors_push(vectors, (GdVector3){(float)point.x, (float)height, (float)point.y});
	}
}

// The pairs of points of a line that goes on and on.
static void add_chain(const Points* points, double height, Vectors* lines)
{
	for (int i = 0; i + 1 < points->count; ++i)
	{
		raise_points(&(Points){.data = points->data + i, .count = 2}, height, lines);
	}
}

// The triangles of a line that is as wide as it says.
static void add_ribbon(const Points* line, double half_width, Points* corners)
{
	for (int i = 0; i + 1 < line->count; ++i)
	{
		NcVec2 from = line->data[i];
		NcVec2 to = line->data[i + 1];
		NcVec2 way = nc_normalize(nc_sub(to, from));
		NcVec2 aside = {-half_width * way.y, half_width * way.x};
		const NcVec2 quad[] = {nc_add(from, aside), nc_sub(from, aside), nc_add(to, aside),
			nc_sub(from, aside), nc_sub(to, aside), nc_add(to, aside)};
		for (int k = 0; k < GD_COUNT(quad); ++k)
		{
			points_push(corners, quad[k]);
		}
	}
}

static void fill_in_space(CorridorAgent* self, const Points* corners, double height, GdColor color)
{
	Vectors vectors = {0};
	raise_points(corners, height, &vectors);
	lines_3d_fill(&self->lines, &vectors, color);
	vectors_free(&vectors);
}

static void draw_in_space(CorridorAgent* self, const CorridorShape* shape, const Points* circle)
{
	double height = agent_get_position(self).height + LIFT;
	Points corners = {0};
	corridor_shape_add_triangles(shape, &corners);
	fill_in_space(self, &corners, height, self->debug_corridor_color);
	points_clear(&corners);
	add_ribbon(&self->walker.path, PATH_HALF_WIDTH * self->walker.radius, &corners);
	fill_in_space(self, &corners, height + LIFT, self->debug_path_color);
	points_free(&corners);

	Vectors lines = {0};
	add_chain(&shape->left, height, &lines);
	add_chain(&shape->right, height, &lines);
	lines_3d_add(&self->lines, &lines, get_side_color(self));
	lines.count = 0;
	add_chain(&self->walker.path, height + LIFT, &lines);
	add_chain(circle, height + LIFT, &lines);
	lines_3d_add(&self->lines, &lines, self->debug_path_color);
	vectors_free(&lines);
}

// ------------------------------------------------------------------------------------------------

void agent_draw(CorridorAgent* self)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	if (parent == NULL || !agent_is_drawn(self))
	{
		agent_free_drawing(self);
		return;
	}
	CorridorShape shape = {0};
	Points circle = {0};
	make_corridor(self, &shape);
	make_circle(self, &circle);
	if (self->parent_type == GD_VECTOR3)
	{
		lines_3d_begin(&self->lines, parent);
		draw_in_space(self, &shape, &circle);
	}
	else
	{
		begin_in_plane(self, parent);
		draw_in_plane(self, &shape, &circle);
	}
	points_free(&circle);
	corridor_shape_free(&shape);
}
