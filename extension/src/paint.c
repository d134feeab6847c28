// SPDX-License-Identifier: MIT

#include "paint.h"

static GDExtensionObjectPtr get_renderer(void)
{
	return gd_singleton("RenderingServer");
}

void paint_polyline(GdRid item, const Points* points, GdColor color, double width)
{
	if (points->count < 2)
	{
		return;
	}
	GdPackedVector2Array array = gd_vector2_array(points->data, points->count);
	GdPackedColorArray colors = gd_color_array(color);
	gd_rendering_server_canvas_item_add_polyline(
		get_renderer(), item, &array, &colors, width, width > 0.0);
	gd_destroy(GD_PACKED_COLOR_ARRAY, &colors);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

static void add_triangles(GdRid item, const Points* corners, const GdPackedColorArray* colors)
{
	GdPackedInt32Array indices = gd_index_array(corners->count);
	GdPackedVector2Array points = gd_vector2_array(corners->data, corners->count);
	GdPackedVector2Array no_uvs = gd_vector2_array(NULL, 0);
	GdPackedInt32Array no_bones = gd_index_array(0);
	GdPackedFloat32Array no_weights;
	gd_construct(GD_PACKED_FLOAT32_ARRAY, &no_weights);
	gd_rendering_server_canvas_item_add_triangle_array(
		get_renderer(), item, &indices, &points, colors, &no_uvs, &no_bones, &no_weights, 0, -1);
	gd_destroy(GD_PACKED_FLOAT32_ARRAY, &no_weights);
	gd_destroy(GD_PACKED_INT32_ARRAY, &no_bones);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &no_uvs);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &points);
	gd_destroy(GD_PACKED_INT32_ARRAY, &indices);
}

void paint_triangles(GdRid item, const Points* corners, GdColor color)
{
	if (corners->count > 0)
	{
		GdPackedColorArray colors = gd_color_array(color);
		add_triangles(item, corners, &colors);
		gd_destroy(GD_PACKED_COLOR_ARRAY, &colors);
	}
}

void paint_shaded_triangles(GdRid item, const Points* corners, const GdColor* colors)
{
	if (corners->count > 0)
	{
		GdPackedColorArray array = gd_colors_array(colors, corners->count);
		add_triangles(item, corners, &array);
		gd_destroy(GD_PACKED_COLOR_ARRAY, &array);
	}
}

void paint_disc(GdRid item, NcVec2 center, double radius, GdColor color)
{
	gd_rendering_server_canvas_item_add_circle(
		get_renderer(), item, gd_vector2(center), radius, color, true);
}
