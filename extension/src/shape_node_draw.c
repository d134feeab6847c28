// SPDX-License-Identifier: MIT

// How obstacles and terrain look in the editor, and in the game with Visible Navigation.

#include "shape_node.h"

#include "paint.h"
#include "region_solids.h"
#include "settings.h"

#define OUTLINE_WIDTH 2.0
#define POINT_RADIUS 3.0
#define FILL_OPACITY 0.25

// The turn of the color wheel from one type of terrain to the next: the golden section, so that
// neighbours differ most.
#define HUE_STEP 0.61803398875
#define FIRST_HUE 0.08

bool shape_node_is_drawn(const ShapeNode* self)
{
	return gd_engine_is_editor_hint(gd_singleton("Engine")) ||
		   gd_scene_tree_is_debugging_navigation_hint(gd_node_get_tree(self->base.object));
}

// One of the three parts of a color of full strength.
static float compute_part(double hue, double shift)
{
	double turn = hue + shift;
	turn -= (double)(int)turn;
	double distance = turn < 0.5 ? 1.0 - turn : turn; // from the opposite color
	double part = (distance - 0.5) * 6.0 - 1.0;
	return (float)(0.35 + 0.6 * nc_clamp(part, 0.0, 1.0));
}

GdColor terrain_get_color(int64_t type)
{
	double hue = FIRST_HUE + HUE_STEP * (double)type;
	hue -= (double)(int)hue;
	return (GdColor){
		compute_part(hue, 0.0), compute_part(hue, 2.0 / 3.0), compute_part(hue, 1.0 / 3.0), 1.0f};
}

GdColor shape_node_get_color(const ShapeNode* self)
{
	GdColor color =
		self->is_terrain ? terrain_get_color(self->type) : settings_get_color(COLOR_OBSTACLE);
	return self->enabled ? color : paint_fade(color, 0.3);
}

static void fill(GdRid item, const Points* outline, GdColor color)
{
	GdPackedVector2Array polygon = gd_vector2_array(outline->data, outline->count);
	GdPackedInt32Array indices =
		gd_geometry_2d_triangulate_polygon(gd_singleton("Geometry2D"), &polygon);
	int count;
	const int32_t* items = gd_int32_items(&indices, &count);
	Points corners = {0};
	for (int i = 0; i < count; ++i)
	{
		points_push(&corners, outline->data[items[i]]);
	}
	paint_triangles(item, &corners, color);
	points_free(&corners);
	gd_destroy(GD_PACKED_INT32_ARRAY, &indices);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &polygon);
}

void shape_node_draw(const ShapeNode* self)
{
	if (!shape_node_is_drawn(self))
	{
		return;
	}
	GdRid item = gd_canvas_item_get_canvas_item(self->base.object);
	GdColor color = shape_node_get_color(self);
	Points outline = {0};
	shape_node_get_outline(self, &outline);
	bool is_area = shape_node_is_area(self) && outline.count >= 3;
	if (is_area)
	{
		fill(item, &outline, paint_fade(color, FILL_OPACITY * (double)color.a));
		points_push(&outline, outline.data[0]);
	}
	if (!self->is_terrain && self->vertices.count > 0 && self->type == NC_SHAPE_POINTS)
	{
		for (int i = 0; i < outline.count; ++i)
		{
			paint_disc(item, outline.data[i], POINT_RADIUS, color);
		}
	}
	else
	{
		paint_polyline(item, &outline, color, OUTLINE_WIDTH);
	}
	points_free(&outline);
}

static GdVector3 raise(NcVec2 point, double height)
{
	return (GdVector3){(float)point.x, (float)height, (float)point.y};
}

// The outline at the bottom and at the top, and the edges between them.
void shape_node_add_lines(const ShapeNode* self, Vectors* lines)
{
	Points outline = {0};
	shape_node_get_outline(self, &outline);
	bool is_closed = shape_node_is_area(self);
	bool is_points = !is_closed && self->type == NC_SHAPE_POINTS;
	for (int i = 0; i < outline.count; ++i)
	{
		NcVec2 from = outline.data[i];
		NcVec2 to = outline.data[(i + 1) % outline.count];
		bool has_side = !is_points && (is_closed || i + 1 < outline.count);
		for (int k = 0; k < 2 && has_side; ++k)
		{
			vectors_push(lines, raise(from, k * self->height));
			vectors_push(lines, raise(to, k * self->height));
		}
		if (self->vertices.count > 0 || i % 4 == 0) // a circle has too many corners
		{
			vectors_push(lines, raise(from, 0.0));
			vectors_push(lines, raise(from, self->height));
		}
	}
	points_free(&outline);
}

void shape_node_show_lines(ShapeNode* self)
{
	// The editor has gizmos for it.
	if (!self->is_3d || gd_engine_is_editor_hint(gd_singleton("Engine")) ||
		!shape_node_is_drawn(self))
	{
		lines_3d_free(&self->lines);
		return;
	}
	GdTransform3D transform = gd_node_3d_get_global_transform(self->base.object);
	Vectors lines = {0};
	shape_node_add_lines(self, &lines);
	for (int i = 0; i < lines.count; ++i)
	{
		GdVector3 v = lines.data[i];
		NcVec3 p = solids_transform(&transform, (NcVec3){(double)v.x, (double)v.y, (double)v.z});
		lines.data[i] = (GdVector3){(float)p.x, (float)p.z, (float)p.y};
	}
	lines_3d_begin(&self->lines, self->base.object);
	lines_3d_add(&self->lines, &lines, shape_node_get_color(self));
	vectors_free(&lines);
}
