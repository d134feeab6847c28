// SPDX-License-Identifier: MIT

// From Godot's nodes to obstacles.
//
// Shapes are turned into polygons, chains or segments in their own coordinates and then moved by
// the node's transform, so that scaled and skewed nodes come out right. A node is read even before
// it enters the tree: transforms are multiplied on the way down.

#include "region_shapes.h"

#include "circle.h"

#include <math.h>
#include <stdlib.h>

static const GdTransform2D identity = {{1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, 0.0f}};

static GdTransform2D combine(GdTransform2D a, GdTransform2D b)
{
	NcVec2 origin = gd_transform(a, gd_vec2(b.origin));
	NcVec2 shift = gd_vec2(a.origin);
	return (GdTransform2D){
		gd_vector2(nc_sub(gd_transform(a, gd_vec2(b.x)), shift)),
		gd_vector2(nc_sub(gd_transform(a, gd_vec2(b.y)), shift)),
		gd_vector2(origin),
	};
}

// ---- The list ----------------------------------------------------------------------------------

static bool reserve_item(RegionShapes* shapes)
{
	if (shapes->count == shapes->capacity)
	{
		int capacity = 2 * shapes->capacity + 16;
		RegionShape* items = realloc(shapes->items, (size_t)capacity * sizeof(RegionShape));
		if (items == NULL)
		{
			return false;
		}
		shapes->items = items;
		shapes->capacity = capacity;
	}
	return true;
}

void region_shapes_end_shape(RegionShapes* shapes, NcShapeKind kind, GdTransform2D transform)
{
	int begin = shapes->count > 0 ? shapes->items[shapes->count - 1].begin +
										shapes->items[shapes->count - 1].count
								  : 0;
	if (shapes->points.count == begin)
	{
		return;
	}
	for (int i = begin; i < shapes->points.count; ++i)
	{
		shapes->points.data[i] = gd_transform(transform, shapes->points.data[i]);
		if (!nc_is_finite(shapes->points.data[i]))
		{
			shapes->points.count = begin; // a node that cannot be anywhere blocks nothing
			return;
		}
	}
	if (!reserve_item(shapes))
	{
		shapes->points.count = begin;
		return;
	}
	shapes->items[shapes->count++] = (RegionShape){.kind = kind,
		.begin = begin,
		.count = shapes->points.count - begin,
		.node_id = shapes->node_id};
}

static bool reserve_rings(RegionShapes* shapes, int count)
{
	if (shapes->ring_total + count > shapes->ring_capacity)
	{
		int capacity = 2 * shapes->ring_capacity + count;
		int* rings = realloc(shapes->rings, (size_t)capacity * sizeof(int));
		if (rings == NULL)
		{
			return false;
		}
		shapes->rings = rings;
		shapes->ring_capacity = capacity;
	}
	return true;
}

bool region_shapes_add_rings(
	RegionShapes* shapes, const NcVec2* points, const int* ring_counts, int ring_count)
{
	if (!reserve_item(shapes) || !reserve_rings(shapes, ring_count))
	{
		return false;
	}
	RegionShape item = {.kind = NC_SHAPE_POLYGON,
		.begin = shapes->points.count,
		.ring_begin = shapes->ring_total,
		.ring_count = ring_count};
	for (int i = 0; i < ring_count; ++i)
	{
		item.count += ring_counts[i];
		shapes->rings[shapes->ring_total++] = ring_counts[i];
	}
	for (int i = 0; i < item.count; ++i)
	{
		points_push(&shapes->points, points[i]);
	}
	shapes->items[shapes->count++] = item;
	return !shapes->points.is_failed;
}

static void add_items(RegionShapes* shapes, const GdVector2* items, int count, GdVector2 offset)
{
	for (int i = 0; i < count; ++i)
	{
		points_push(&shapes->points, nc_add(gd_vec2(items[i]), gd_vec2(offset)));
	}
}

// Consumes the array.
static void add_array(
	RegionShapes* shapes, GdPackedVector2Array array, NcShapeKind kind, GdTransform2D transform)
{
	int count;
	const GdVector2* items = gd_vector2_items(&array, &count);
	add_items(shapes, items, count, (GdVector2){0.0f, 0.0f});
	region_shapes_end_shape(shapes, kind, transform);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

// ---- Polygon2D ---------------------------------------------------------------------------------

// A polygon made of some of the node's points.
static void add_indexed(RegionShapes* shapes, const GdVariant* indices, const GdVector2* items,
	int count, GdVector2 offset)
{
	if (gd_variant_type(indices) != GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY)
	{
		return;
	}
	GdPackedInt32Array array;
	gd_variant_read(indices, GD_PACKED_INT32_ARRAY, &array);
	int index_count;
	const int32_t* values = gd_int32_items(&array, &index_count);
	for (int i = 0; i < index_count; ++i)
	{
		if (0 <= values[i] && values[i] < count)
		{
			add_items(shapes, items + values[i], 1, offset);
		}
	}
	gd_destroy(GD_PACKED_INT32_ARRAY, &array);
}

static void add_polygon_2d(RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform)
{
	GdPackedVector2Array polygon = gd_polygon_2d_get_polygon(node);
	GdArray parts = gd_polygon_2d_get_polygons(node);
	GdVector2 offset = gd_polygon_2d_get_offset(node);
	int count;
	const GdVector2* items = gd_vector2_items(&polygon, &count);
	int part_count = (int)gd_array_size(&parts);
	if (part_count == 0)
	{
		int outer_count = count - (int)gd_polygon_2d_get_internal_vertex_count(node);
		add_items(shapes, items, outer_count, offset);
		region_shapes_end_shape(shapes, NC_SHAPE_POLYGON, transform);
	}
	for (int i = 0; i < part_count; ++i)
	{
		add_indexed(shapes, gd_array_item(&parts, i), items, count, offset);
		region_shapes_end_shape(shapes, NC_SHAPE_POLYGON, transform);
	}
	gd_destroy(GD_ARRAY, &parts);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &polygon);
}

// ---- Colliders ---------------------------------------------------------------------------------

static void add_rectangle(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform)
{
	GdVector2 size = gd_rectangle_shape_2d_get_size(shape);
	NcVec2 half = {0.5 * (double)size.x, 0.5 * (double)size.y};
	points_push(&shapes->points, (NcVec2){-half.x, -half.y});
	points_push(&shapes->points, (NcVec2){half.x, -half.y});
	points_push(&shapes->points, (NcVec2){half.x, half.y});
	points_push(&shapes->points, (NcVec2){-half.x, half.y});
	region_shapes_end_shape(shapes, NC_SHAPE_POLYGON, transform);
}

static void add_circle(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform)
{
	double radius = gd_circle_shape_2d_get_radius(shape);
	circle_add_arc(&shapes->points, (NcVec2){0.0, 0.0}, radius, 0.0, CIRCLE_FULL_TURN);
	region_shapes_end_shape(shapes, NC_SHAPE_POLYGON, transform);
}

static void add_capsule(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform)
{
	double radius = gd_capsule_shape_2d_get_radius(shape);
	double reach = nc_max(0.5 * gd_capsule_shape_2d_get_height(shape) - radius, 0.0);
	double half_turn = 0.5 * CIRCLE_FULL_TURN;
	circle_add_arc(&shapes->points, (NcVec2){0.0, reach}, radius, 0.0, half_turn);
	circle_add_arc(&shapes->points, (NcVec2){0.0, -reach}, radius, half_turn, half_turn);
	region_shapes_end_shape(shapes, NC_SHAPE_POLYGON, transform);
}

static void add_segment(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform)
{
	points_push(&shapes->points, gd_vec2(gd_segment_shape_2d_get_a(shape)));
	points_push(&shapes->points, gd_vec2(gd_segment_shape_2d_get_b(shape)));
	region_shapes_end_shape(shapes, NC_SHAPE_CHAIN, transform);
}

// A ConcavePolygonShape2D is a set of segments, each two points.
static void add_segments(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform)
{
	GdPackedVector2Array array = gd_concave_polygon_shape_2d_get_segments(shape);
	int count;
	const GdVector2* items = gd_vector2_items(&array, &count);
	for (int i = 0; i + 1 < count; i += 2)
	{
		add_items(shapes, items + i, 2, (GdVector2){0.0f, 0.0f});
		region_shapes_end_shape(shapes, NC_SHAPE_CHAIN, transform);
	}
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

static void add_convex(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform)
{
	add_array(shapes, gd_convex_polygon_shape_2d_get_points(shape), NC_SHAPE_POLYGON, transform);
}

// The shapes that block. Boundaries without end and rays do not.
static const struct
{
	const char* class_name;
	void (*add)(RegionShapes* shapes, GDExtensionObjectPtr shape, GdTransform2D transform);
} shape_kinds[] = {
	{"RectangleShape2D", add_rectangle},
	{"CircleShape2D", add_circle},
	{"CapsuleShape2D", add_capsule},
	{"ConvexPolygonShape2D", add_convex},
	{"ConcavePolygonShape2D", add_segments},
	{"SegmentShape2D", add_segment},
};

static void add_collision_shape(
	RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform)
{
	GDExtensionObjectPtr shape = gd_collision_shape_2d_get_shape(node);
	if (shape == NULL)
	{
		return;
	}
	for (int i = 0; i < GD_COUNT(shape_kinds) && !gd_collision_shape_2d_is_disabled(node); ++i)
	{
		if (gd_is_class(shape, shape_kinds[i].class_name))
		{
			shape_kinds[i].add(shapes, shape, transform);
			break;
		}
	}
	gd_release(shape);
}

static void add_collision_polygon(
	RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform)
{
	if (gd_collision_polygon_2d_is_disabled(node))
	{
		return;
	}
	// A polygon that is built of segments has an inside that is free: a closed chain.
	bool is_solid = gd_collision_polygon_2d_get_build_mode(node) == 0;
	GdPackedVector2Array polygon = gd_collision_polygon_2d_get_polygon(node);
	int count;
	const GdVector2* items = gd_vector2_items(&polygon, &count);
	add_items(shapes, items, count, (GdVector2){0.0f, 0.0f});
	if (!is_solid && count > 0)
	{
		add_items(shapes, items, 1, (GdVector2){0.0f, 0.0f});
	}
	region_shapes_end_shape(shapes, is_solid ? NC_SHAPE_POLYGON : NC_SHAPE_CHAIN, transform);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &polygon);
}

// ---- LightOccluder2D ---------------------------------------------------------------------------

static void add_occluder(RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform)
{
	GDExtensionObjectPtr polygon = gd_light_occluder_2d_get_occluder_polygon(node);
	if (polygon != NULL)
	{
		NcShapeKind kind =
			gd_occluder_polygon_2d_is_closed(polygon) ? NC_SHAPE_POLYGON : NC_SHAPE_CHAIN;
		add_array(shapes, gd_occluder_polygon_2d_get_polygon(polygon), kind, transform);
		gd_release(polygon);
	}
}

// ---- The walk ----------------------------------------------------------------------------------

static bool is_blocking_body(const RegionShapes* shapes, GDExtensionObjectPtr node)
{
	return shapes->sources != SHAPES_POLYGONS && gd_is_class(node, "StaticBody2D") &&
		   ((uint32_t)gd_collision_object_2d_get_collision_layer(node) & shapes->collision_mask) !=
			   0;
}

static void add_node(
	RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform, bool is_in_body)
{
	bool is_drawn_wanted = shapes->sources != SHAPES_COLLIDERS;
	shapes->node_id = gd_get_id(node);
	if (is_drawn_wanted && gd_is_class(node, "Polygon2D"))
	{
		add_polygon_2d(shapes, node, transform);
	}
	else if (is_drawn_wanted && gd_is_class(node, "LightOccluder2D"))
	{
		add_occluder(shapes, node, transform);
	}
	else if (gd_is_class(node, "TileMapLayer"))
	{
		region_shapes_add_tiles(shapes, node, transform);
	}
	else if (is_in_body && gd_is_class(node, "CollisionShape2D"))
	{
		add_collision_shape(shapes, node, transform);
	}
	else if (is_in_body && gd_is_class(node, "CollisionPolygon2D"))
	{
		add_collision_polygon(shapes, node, transform);
	}
}

// Read the children of a node; of a body in a group, only its own shapes.
// Goes as deep as the scene, where the engine recurses too.
static void collect_children(
	RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform, bool is_deep)
{
	bool is_in_body = is_blocking_body(shapes, node);
	int64_t count = is_deep || is_in_body ? gd_node_get_child_count(node, false) : 0;
	for (int64_t i = 0; i < count; ++i)
	{
		GDExtensionObjectPtr child = gd_node_get_child(node, i, false);
		if (gd_is_class(child, "CorridorRegion2D"))
		{
			continue;
		}
		// A node that is no CanvasItem ends the chain of transforms, as it does for drawing.
		bool is_item = gd_is_class(child, "CanvasItem");
		GdTransform2D child_transform =
			is_item ? combine(transform, gd_canvas_item_get_transform(child)) : identity;
		if (is_deep || gd_is_class(child, "CollisionShape2D") ||
			gd_is_class(child, "CollisionPolygon2D"))
		{
			add_node(shapes, child, child_transform, is_in_body);
		}
		if (is_deep)
		{
			collect_children(shapes, child, child_transform, true);
		}
	}
}

void region_shapes_collect(RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform)
{
	collect_children(shapes, node, transform, true);
}

void region_shapes_collect_group(
	RegionShapes* shapes, GDExtensionObjectPtr tree, const GdStringName* group, bool is_deep)
{
	GdArray nodes = gd_scene_tree_get_nodes_in_group(tree, group);
	for (int i = 0; i < (int)gd_array_size(&nodes); ++i)
	{
		GDExtensionObjectPtr node;
		gd_variant_read(gd_array_item(&nodes, i), GD_OBJECT, &node);
		bool is_item = gd_is_class(node, "CanvasItem");
		GdTransform2D transform = is_item ? gd_canvas_item_get_global_transform(node) : identity;
		add_node(shapes, node, transform, false);
		collect_children(shapes, node, transform, is_deep);
	}
	gd_destroy(GD_ARRAY, &nodes);
}

void region_shapes_free(RegionShapes* shapes)
{
	points_free(&shapes->points);
	free(shapes->items);
	free(shapes->rings);
	shapes->rings = NULL;
	shapes->ring_total = shapes->ring_capacity = 0;
	shapes->items = NULL;
	shapes->count = shapes->capacity = 0;
}
