// SPDX-License-Identifier: MIT

// classes CorridorTerrain2D: Node2D and CorridorTerrain3D: Node3D, ground of a type, whose weight
// is a matter of each agent's TerrainProfile.

#include "corridor_terrain.h"

#include "shape_node_class.h"

#define TYPE_ROW \
	{ \
		.name = "type", .type = GD_INT, .field = offsetof(ShapeNode, type), \
		.changed = shape_node_touch, .maximum = NC_TERRAIN_TYPE_COUNT - 1, .hint = GD_HINT_RANGE, \
		.hint_string = "0,63,1" \
	}

#define PRIORITY_ROW \
	{ \
		.name = "priority", .type = GD_INT, .field = offsetof(ShapeNode, priority), \
		.changed = shape_node_touch, .minimum = -1000000.0, .maximum = 1000000.0, \
		.hint = GD_HINT_RANGE, .hint_string = "-100,100,1,or_greater,or_less" \
	}

static const GdProperty properties_2d[] = {
	ENABLED_ROW,
	TYPE_ROW,
	PRIORITY_ROW,
	RADIUS_ROW(RADIUS_2D),
	VERTICES_ROW(GD_PACKED_VECTOR2_ARRAY),
};

static const GdProperty properties_3d[] = {
	ENABLED_ROW,
	TYPE_ROW,
	PRIORITY_ROW,
	RADIUS_ROW(RADIUS_3D),
	HEIGHT_ROW,
	VERTICES_ROW(GD_PACKED_VECTOR3_ARRAY),
};

static void create_2d(void* instance)
{
	shape_node_create(instance, false, true);
}

static void create_3d(void* instance)
{
	shape_node_create(instance, true, true);
}

static const GdClass class_2d =
	SHAPE_NODE_CLASS("CorridorTerrain2D", "Node2D", create_2d, properties_2d);
static const GdClass class_3d =
	SHAPE_NODE_CLASS("CorridorTerrain3D", "Node3D", create_3d, properties_3d);

void corridor_terrain_register(void)
{
	gd_register_class(&class_2d);
	gd_register_class(&class_3d);
}

ShapeNode* corridor_terrain_get(GDExtensionObjectPtr object)
{
	ShapeNode* node = gd_get_instance(object, &class_2d);
	return node != NULL ? node : gd_get_instance(object, &class_3d);
}
