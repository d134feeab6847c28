// SPDX-License-Identifier: MIT

// From the tiles of a TileMapLayer to obstacles and walkable areas.
//
// Polygons belong to the tile, with its centre as origin. A cell may show its tile flipped or with
// x and y exchanged, which are bits of its alternative number.

#include "region_shapes.h"

// Bits of TileSetAtlasSource's alternative numbers.
#define TILE_FLIP_H (1 << 12)
#define TILE_FLIP_V (1 << 13)
#define TILE_TRANSPOSE (1 << 14)

// One cell of a layer.
typedef struct Cell
{
	GDExtensionObjectPtr data; // its TileData
	bool flip_h, flip_v, transpose;
	GdTransform2D transform; // of the tile's centre, without flips
} Cell;

static NcVec2 flip(const Cell* cell, GdVector2 point)
{
	NcVec2 p = cell->transpose ? (NcVec2){(double)point.y, (double)point.x} : gd_vec2(point);
	return (NcVec2){cell->flip_h ? -p.x : p.x, cell->flip_v ? -p.y : p.y};
}

static void add_physics(RegionShapes* shapes, const Cell* cell, int64_t layer)
{
	int64_t count = gd_tile_data_get_collision_polygons_count(cell->data, layer);
	for (int64_t i = 0; i < count; ++i)
	{
		GdPackedVector2Array polygon =
			gd_tile_data_get_collision_polygon_points(cell->data, layer, i);
		int point_count;
		const GdVector2* items = gd_vector2_items(&polygon, &point_count);
		for (int k = 0; k < point_count; ++k)
		{
			points_push(&shapes->points, flip(cell, items[k]));
		}
		region_shapes_end_shape(shapes, NC_SHAPE_POLYGON, cell->transform);
		gd_destroy(GD_PACKED_VECTOR2_ARRAY, &polygon);
	}
}

// The engine flips navigation polygons itself.
static void add_navigation(RegionShapes* shapes, const Cell* cell, int64_t layer)
{
	GDExtensionObjectPtr mesh = gd_tile_data_get_navigation_polygon(
		cell->data, layer, cell->flip_h, cell->flip_v, cell->transpose);
	if (mesh == NULL)
	{
		return;
	}
	GdPackedVector2Array vertices = gd_navigation_polygon_get_vertices(mesh);
	int vertex_count;
	const GdVector2* items = gd_vector2_items(&vertices, &vertex_count);
	int64_t count = gd_navigation_polygon_get_polygon_count(mesh);
	for (int64_t i = 0; i < count; ++i)
	{
		GdPackedInt32Array polygon = gd_navigation_polygon_get_polygon(mesh, i);
		int index_count;
		const int32_t* indices = gd_int32_items(&polygon, &index_count);
		for (int k = 0; k < index_count; ++k)
		{
			if (0 <= indices[k] && indices[k] < vertex_count)
			{
				points_push(&shapes->points, gd_vec2(items[indices[k]]));
			}
		}
		region_shapes_end_shape(shapes, NC_SHAPE_WALKABLE, cell->transform);
		gd_destroy(GD_PACKED_INT32_ARRAY, &polygon);
	}
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &vertices);
	gd_release(mesh);
}

static void add_cell(RegionShapes* shapes, const Cell* cell, GDExtensionObjectPtr layer,
	GDExtensionObjectPtr tile_set)
{
	bool is_solid =
		shapes->sources != SHAPES_POLYGONS && gd_tile_map_layer_is_collision_enabled(layer);
	int64_t physics_count = is_solid ? gd_tile_set_get_physics_layers_count(tile_set) : 0;
	for (int64_t i = 0; i < physics_count; ++i)
	{
		uint32_t bits = (uint32_t)gd_tile_set_get_physics_layer_collision_layer(tile_set, i);
		if ((bits & shapes->collision_mask) != 0)
		{
			add_physics(shapes, cell, i);
		}
	}
	int64_t navigation_count = gd_tile_map_layer_is_navigation_enabled(layer)
								   ? gd_tile_set_get_navigation_layers_count(tile_set)
								   : 0;
	for (int64_t i = 0; i < navigation_count; ++i)
	{
		add_navigation(shapes, cell, i);
	}
}

static Cell read_cell(GDExtensionObjectPtr layer, GdVector2i place, GdTransform2D transform)
{
	int64_t bits = gd_tile_map_layer_get_cell_alternative_tile(layer, place);
	NcVec2 center = gd_vec2(gd_tile_map_layer_map_to_local(layer, place));
	transform.origin = gd_vector2(gd_transform(transform, center));
	return (Cell){
		.data = gd_tile_map_layer_get_cell_tile_data(layer, place),
		.flip_h = (bits & TILE_FLIP_H) != 0,
		.flip_v = (bits & TILE_FLIP_V) != 0,
		.transpose = (bits & TILE_TRANSPOSE) != 0,
		.transform = transform,
	};
}

void region_shapes_add_tiles(
	RegionShapes* shapes, GDExtensionObjectPtr layer, GdTransform2D transform)
{
	GDExtensionObjectPtr tile_set = gd_tile_map_layer_get_tile_set(layer);
	if (tile_set == NULL)
	{
		return;
	}
	GdArray places = gd_tile_map_layer_get_used_cells(layer);
	for (int i = 0; i < (int)gd_array_size(&places); ++i)
	{
		GdVector2i place;
		gd_variant_read(gd_array_item(&places, i), GD_VECTOR2I, &place);
		Cell cell = read_cell(layer, place, transform);
		if (cell.data != NULL) // scenes as tiles have none
		{
			add_cell(shapes, &cell, layer, tile_set);
		}
	}
	gd_destroy(GD_ARRAY, &places);
	gd_release(tile_set);
}
