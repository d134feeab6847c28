// SPDX-License-Identifier: MIT

// Colored lines and areas in a 3D world, drawn by the rendering server without a node.

#include "lines_3d.h"

#include <stdlib.h>

// Values of Mesh and BaseMaterial3D.
#define PRIMITIVE_LINES 1
#define PRIMITIVE_TRIANGLES 3
#define ARRAY_VERTEX 0
#define ARRAY_COLOR 3
#define ARRAY_MAX 13
#define SHADING_MODE_UNSHADED 0
#define TRANSPARENCY_ALPHA 1
#define CULL_DISABLED 2
#define FLAG_ALBEDO_FROM_VERTEX_COLOR 1

void vectors_push(Vectors* vectors, GdVector3 vector)
{
	if (vectors->count == vectors->capacity)
	{
		int capacity = 2 * vectors->capacity + 64;
		GdVector3* data = realloc(vectors->data, (size_t)capacity * sizeof(GdVector3));
		if (data == NULL)
		{
			return;
		}
		vectors->data = data;
		vectors->capacity = capacity;
	}
	vectors->data[vectors->count++] = vector;
}

void vectors_free(Vectors* vectors)
{
	free(vectors->data);
	*vectors = (Vectors){0};
}

static GDExtensionObjectPtr get_renderer(void)
{
	return gd_singleton("RenderingServer");
}

GDExtensionObjectPtr lines_3d_create_material(void)
{
	GDExtensionObjectPtr material = gd_new("StandardMaterial3D");
	gd_base_material_3d_set_shading_mode(material, SHADING_MODE_UNSHADED);
	gd_base_material_3d_set_transparency(material, TRANSPARENCY_ALPHA);
	gd_base_material_3d_set_cull_mode(material, CULL_DISABLED);
	gd_base_material_3d_set_flag(material, FLAG_ALBEDO_FROM_VERTEX_COLOR, true);
	return material;
}

void lines_3d_begin(Lines3D* lines, GDExtensionObjectPtr node)
{
	GDExtensionObjectPtr renderer = get_renderer();
	if (lines->mesh == 0)
	{
		lines->mesh = gd_rendering_server_mesh_create(renderer);
		lines->instance = gd_rendering_server_instance_create(renderer);
		lines->material = lines_3d_create_material();
		gd_rendering_server_instance_set_base(renderer, lines->instance, lines->mesh);
	}
	GDExtensionObjectPtr world = gd_node_3d_get_world_3d(node);
	gd_rendering_server_instance_set_scenario(
		renderer, lines->instance, gd_world_3d_get_scenario(world));
	gd_release(world);
	gd_rendering_server_mesh_clear(renderer, lines->mesh);
}

static GdVariant make_colors(GdColor color, int count)
{
	GdColor* colors = calloc((size_t)count + 1, sizeof(GdColor));
	for (int i = 0; i < count && colors != NULL; ++i)
	{
		colors[i] = color;
	}
	GdPackedColorArray array = gd_colors_array(colors, colors != NULL ? count : 0);
	GdVariant variant = gd_variant(GD_PACKED_COLOR_ARRAY, &array);
	gd_destroy(GD_PACKED_COLOR_ARRAY, &array);
	free(colors);
	return variant;
}

static GdVariant make_vertices(const Vectors* points)
{
	GdPackedVector3Array array = gd_vectors_array(points->data, points->count);
	GdVariant variant = gd_variant(GD_PACKED_VECTOR3_ARRAY, &array);
	gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
	return variant;
}

static void add_surface(Lines3D* lines, int primitive, const Vectors* points, GdColor color)
{
	if (points->count == 0)
	{
		return;
	}
	GdArray arrays, no_shapes;
	GdDictionary no_lods;
	gd_construct(GD_ARRAY, &arrays);
	gd_construct(GD_ARRAY, &no_shapes);
	gd_construct(GD_DICTIONARY, &no_lods);
	for (int i = 0; i < ARRAY_MAX; ++i)
	{
		gd_array_push(&arrays, i == ARRAY_VERTEX  ? make_vertices(points)
							   : i == ARRAY_COLOR ? make_colors(color, points->count)
												  : gd_variant(GD_NIL, NULL));
	}
	GDExtensionObjectPtr renderer = get_renderer();
	gd_rendering_server_mesh_add_surface_from_arrays(
		renderer, lines->mesh, primitive, &arrays, &no_shapes, &no_lods, 0);
	int64_t surface = gd_rendering_server_mesh_get_surface_count(renderer, lines->mesh) - 1;
	gd_rendering_server_mesh_surface_set_material(
		renderer, lines->mesh, surface, gd_resource_get_rid(lines->material));
	gd_destroy(GD_DICTIONARY, &no_lods);
	gd_destroy(GD_ARRAY, &no_shapes);
	gd_destroy(GD_ARRAY, &arrays);
}

void lines_3d_add(Lines3D* lines, const Vectors* points, GdColor color)
{
	add_surface(lines, PRIMITIVE_LINES, points, color);
}

void lines_3d_fill(Lines3D* lines, const Vectors* points, GdColor color)
{
	add_surface(lines, PRIMITIVE_TRIANGLES, points, color);
}

void lines_3d_free(Lines3D* lines)
{
	if (lines->mesh != 0)
	{
		gd_rendering_server_free_rid(get_renderer(), lines->instance);
		gd_rendering_server_free_rid(get_renderer(), lines->mesh);
		gd_release(lines->material);
	}
	*lines = (Lines3D){0};
}
