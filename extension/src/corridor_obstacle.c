// SPDX-License-Identifier: MIT

// classes CorridorObstacle2D: Node2D and CorridorObstacle3D: Node3D, which block agents where they
// are and change the maps that they touch.

#include "corridor_obstacle.h"

#include "shape_node_class.h"

#define TYPE_ROW \
	{ \
		.name = "type", .type = GD_INT, .field = offsetof(ShapeNode, type), \
		.changed = shape_node_touch, .maximum = NC_SHAPE_POLYGON, .hint = GD_HINT_ENUM, \
		.hint_string = "Points,Walls,Solid", .enum_name = "NavCorridorServer.ObstacleType" \
	}

static const GdProperty properties_2d[] = {
	ENABLED_ROW,
	TYPE_ROW,
	RADIUS_ROW(RADIUS_2D),
	VERTICES_ROW(GD_PACKED_VECTOR2_ARRAY),
};

static const GdProperty properties_3d[] = {
	ENABLED_ROW,
	TYPE_ROW,
	RADIUS_ROW(RADIUS_3D),
	HEIGHT_ROW,
	VERTICES_ROW(GD_PACKED_VECTOR3_ARRAY),
};

static void create_2d(void* instance)
{
	shape_node_create(instance, false, false);
}

static void create_3d(void* instance)
{
	shape_node_create(instance, true, false);
}

static const GdClass class_2d =
	SHAPE_NODE_CLASS("CorridorObstacle2D", "Node2D", create_2d, properties_2d);
static const GdClass class_3d =
	SHAPE_NODE_CLASS("CorridorObstacle3D", "Node3D", create_3d, properties_3d);

void corridor_obstacle_register(void)
{
	gd_register_class(&class_2d);
	gd_register_class(&class_3d);
}

ShapeNode* corridor_obstacle_get(GDExtensionObjectPtr object)
{
	ShapeNode* node = gd_get_instance(object, &class_2d);
	return node != NULL ? node : gd_get_instance(object, &class_3d);
}
