// SPDX-License-Identifier: MIT

// From Godot's nodes in space to triangles.
//
// A node is read even before it enters the tree: transforms are multiplied on the way down.

#include "region_solids.h"

#include <stdlib.h>

static const GdTransform3D identity = {
	{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}, {0.0f, 0.0f, 0.0f}};

// ---- Transforms --------------------------------------------------------------------------------

static double multiply_row(GdVector3 row, NcVec3 p)
{
	return (double)row.x * p.x + (double)row.y * p.y + (double)row.z * p.z;
}

NcVec3 solids_transform(const GdTransform3D* t, NcVec3 p)
{
	return (NcVec3){multiply_row(t->rows[0], p) + (double)t->origin.x,
		multiply_row(t->rows[2], p) + (double)t->origin.z,
		multiply_row(t->rows[1], p) + (double)t->origin.y};
}

GdTransform3D solids_combine(const GdTransform3D* a, const GdTransform3D* b)
{
	const GdVector3* r = b->rows;
	const NcVec3 columns[] = {{(double)r[0].x, (double)r[1].x, (double)r[2].x},
		{(double)r[0].y, (double)r[1].y, (double)r[2].y},
		{(double)r[0].z, (double)r[1].z, (double)r[2].z}};
	NcVec3 shift = {(double)b->origin.x, (double)b->origin.y, (double)b->origin.z};
	GdTransform3D t;
	for (int i = 0; i < 3; ++i)
	{
		GdVector3 row = a->rows[i];
		t.rows[i] = (GdVector3){(float)multiply_row(row, columns[0]),
			(float)multiply_row(row, columns[1]), (float)multiply_row(row, columns[2])};
	}
	t.origin = (GdVector3){(float)(multiply_row(a->rows[0], shift) + (double)a->origin.x),
		(float)(multiply_row(a->rows[1], shift) + (double)a->origin.y),
		(float)(multiply_row(a->rows[2], shift) + (double)a->origin.z)};
	return t;
}

// Whether a transform makes a right hand of a left one.
static bool is_mirrored(const GdTransform3D* t)
{
	const GdVector3* r = t->rows;
	float determinant = r[0].x * (r[1].y * r[2].z - r[1].z * r[2].y) -
						r[0].y * (r[1].x * r[2].z - r[1].z * r[2].x) +
						r[0].z * (r[1].x * r[2].y - r[1].y * r[2].x);
	return determinant < 0.0f;
}

// ---- Triangles ---------------------------------------------------------------------------------

// Whether a triangle reaches into an interval; false for one that is nowhere.
static bool overlaps(double a, double b, double c, double lower, double upper)
{
	return nc_min(nc_min(a, b), c) <= upper && nc_max(nc_max(a, b), c) >= lower;
}

void solids_add(Solids* solids, const GdTransform3D* t, NcVec3 a, NcVec3 b, NcVec3 c)
{
	NcTriangle triangle = {
		{solids_transform(t, a), solids_transform(t, b), solids_transform(t, c)}};
	const NcVec3* p = triangle.points;
	if (!overlaps(p[0].x, p[1].x, p[2].x, solids->lower.x, solids->upper.x) ||
		!overlaps(p[0].y, p[1].y, p[2].y, solids->lower.y, solids->upper.y) ||
		!overlaps(p[0].z, p[1].z, p[2].z, solids->lower.z, solids->upper.z))
	{
		return;
	}
	if (solids->count == solids->capacity)
	{
		int capacity = solids->capacity + solids->capacity / 2 + 256;
		NcTriangle* triangles = realloc(solids->triangles, (size_t)capacity * sizeof(NcTriangle));
		if (triangles == NULL)
		{
			solids->is_failed = true;
			return;
		}
		solids->triangles = triangles;
		solids->capacity = capacity;
	}
	solids->triangles[solids->count++] = triangle;
}

void solids_begin_body(Solids* solids, SolidKind kind)
{
	if (solids->body_count == solids->body_capacity)
	{
		int capacity = 2 * solids->body_capacity + 16;
		SolidBody* bodies = realloc(solids->bodies, (size_t)capacity * sizeof(SolidBody));
		if (bodies == NULL)
		{
			solids->is_failed = true;
			return;
		}
		solids->bodies = bodies;
		solids->body_capacity = capacity;
	}
	solids->bodies[solids->body_count++] = (SolidBody){solids->count, kind};
}

void solids_add_faces(
	Solids* solids, const GdTransform3D* transform, const GdVector3* items, int count)
{
	for (int i = 0; i + 2 < count; i += 3)
	{
		NcVec3 corners[3];
		for (int k = 0; k < 3; ++k)
		{
			GdVector3 v = items[i + k];
			corners[k] = (NcVec3){(double)v.x, (double)v.y, (double)v.z};
		}
		solids_add(solids, transform, corners[0], corners[1], corners[2]);
	}
}

static void add_aabb(Solids* solids, const GdTransform3D* transform, GdAabb box)
{
	NcVec3 lower = {(double)box.position.x, (double)box.position.y, (double)box.position.z};
	solids_add_box(solids, transform, lower,
		(NcVec3){lower.x + (double)box.size.x, lower.y + (double)box.size.y,
			lower.z + (double)box.size.z});
}

// ---- Meshes ------------------------------------------------------------------------------------

static void add_mesh(Solids* solids, GDExtensionObjectPtr mesh, const GdTransform3D* transform)
{
	solids_begin_body(solids, is_mirrored(transform) ? SOLID_MIRRORED : SOLID_MESH);
	if (solids->is_sketch)
	{
		add_aabb(solids, transform, gd_mesh_get_aabb(mesh));
		return;
	}
	GdPackedVector3Array faces = gd_mesh_get_faces(mesh);
	int count;
	const GdVector3* items = gd_vector3_items(&faces, &count);
	solids_add_faces(solids, transform, items, count);
	gd_destroy(GD_PACKED_VECTOR3_ARRAY, &faces);
}

static void add_mesh_instance(
	Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform)
{
	GDExtensionObjectPtr mesh = gd_mesh_instance_3d_get_mesh(node);
	if (mesh != NULL)
	{
		add_mesh(solids, mesh, transform);
		gd_release(mesh);
	}
}

// Pairs of a transform and a mesh, as CSG nodes and grid maps give them. Consumes the array.
static void add_mesh_pairs(Solids* solids, GdArray pairs, const GdTransform3D* transform)
{
	for (int i = 0; i + 1 < (int)gd_array_size(&pairs); i += 2)
	{
		const GdVariant* place = gd_array_item(&pairs, i);
		const GdVariant* item = gd_array_item(&pairs, i + 1);
		GDExtensionObjectPtr mesh = NULL;
		if (gd_variant_type(place) != GDEXTENSION_VARIANT_TYPE_TRANSFORM3D ||
			gd_variant_type(item) != GDEXTENSION_VARIANT_TYPE_OBJECT)
		{
			continue;
		}
		GdTransform3D own;
		gd_variant_read(place, GD_TRANSFORM3D, &own);
		gd_variant_read(item, GD_OBJECT, &mesh);
		if (mesh != NULL)
		{
			GdTransform3D t = solids_combine(transform, &own);
			add_mesh(solids, mesh, &t);
		}
	}
	gd_destroy(GD_ARRAY, &pairs);
}

// A CSG node computes its mesh at the end of the frame in which it entered the tree; here it is
// wanted earlier.
static void add_csg(Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform)
{
	if (!gd_csg_shape_3d_is_root_shape(node))
	{
		return;
	}
	if (gd_object_has_method(node, gd_name("_update_shape")))
	{
		GdVariant result = gd_call(node, "_update_shape", NULL, 0);
		gd_destroy(GD_VARIANT, &result);
	}
	add_mesh_pairs(solids, gd_csg_shape_3d_get_meshes(node), transform);
}

// ---- Colliders ---------------------------------------------------------------------------------

static void add_collision_shape(
	Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform)
{
	GDExtensionObjectPtr shape = gd_collision_shape_3d_get_shape(node);
	if (shape != NULL && !gd_collision_shape_3d_is_disabled(node))
	{
		solids_add_shape(solids, shape, transform);
	}
	gd_release(shape);
}

// The shapes of one item of a grid map: pairs of a shape and its transform. Consumes the array.
static void add_item_shapes(Solids* solids, GdArray pairs, const GdTransform3D* transform)
{
	for (int i = 0; i + 1 < (int)gd_array_size(&pairs); i += 2)
	{
		const GdVariant* item = gd_array_item(&pairs, i);
		const GdVariant* place = gd_array_item(&pairs, i + 1);
		GDExtensionObjectPtr shape = NULL;
		if (gd_variant_type(place) != GDEXTENSION_VARIANT_TYPE_TRANSFORM3D ||
			gd_variant_type(item) != GDEXTENSION_VARIANT_TYPE_OBJECT)
		{
			continue;
		}
		GdTransform3D own;
		gd_variant_read(place, GD_TRANSFORM3D, &own);
		gd_variant_read(item, GD_OBJECT, &shape);
		if (shape != NULL)
		{
			GdTransform3D t = solids_combine(transform, &own);
			solids_add_shape(solids, shape, &t);
		}
	}
	gd_destroy(GD_ARRAY, &pairs);
}

static GdTransform3D get_cell_transform(GDExtensionObjectPtr map, GdVector3i cell)
{
	GdBasis basis = gd_grid_map_get_cell_item_basis(map, cell);
	return (GdTransform3D){
		{basis.rows[0], basis.rows[1], basis.rows[2]}, gd_grid_map_map_to_local(map, cell)};
}

static void add_grid_shapes(
	Solids* solids, GDExtensionObjectPtr map, const GdTransform3D* transform)
{
	GDExtensionObjectPtr library = gd_grid_map_get_mesh_library(map);
	GdArray cells = gd_grid_map_get_used_cells(map);
	for (int i = 0; i < (int)gd_array_size(&cells) && library != NULL; ++i)
	{
		GdVector3i cell;
		gd_variant_read(gd_array_item(&cells, i), GD_VECTOR3I, &cell);
		GdTransform3D own = get_cell_transform(map, cell);
		GdTransform3D t = solids_combine(transform, &own);
		int64_t item = gd_grid_map_get_cell_item(map, cell);
		add_item_shapes(solids, gd_mesh_library_get_item_shapes(library, item), &t);
	}
	gd_destroy(GD_ARRAY, &cells);
	gd_release(library);
}

// Its meshes, its shapes, or both.
static void add_grid_map(Solids* solids, GDExtensionObjectPtr map, const GdTransform3D* transform)
{
	bool is_blocking =
		((uint32_t)gd_grid_map_get_collision_layer(map) & solids->collision_mask) != 0;
	if (solids->sources != SHAPES_COLLIDERS)
	{
		add_mesh_pairs(solids, gd_grid_map_get_meshes(map), transform);
	}
	if (solids->sources != SHAPES_POLYGONS && is_blocking)
	{
		add_grid_shapes(solids, map, transform);
	}
}

// ---- The walk ----------------------------------------------------------------------------------

static bool is_blocking_body(const Solids* solids, GDExtensionObjectPtr node)
{
	return solids->sources != SHAPES_POLYGONS && gd_is_class(node, "StaticBody3D") &&
		   ((uint32_t)gd_collision_object_3d_get_collision_layer(node) & solids->collision_mask) !=
			   0;
}

static bool is_blocking_csg(const Solids* solids, GDExtensionObjectPtr node)
{
	return solids->sources != SHAPES_COLLIDERS ||
		   (gd_csg_shape_3d_is_using_collision(node) &&
			   ((uint32_t)gd_csg_shape_3d_get_collision_layer(node) & solids->collision_mask) != 0);
}

static void add_node(
	Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform, bool is_in_body)
{
	int before = solids->count;
	bool is_mesh_wanted = solids->sources != SHAPES_COLLIDERS;
	if (is_in_body && gd_is_class(node, "CollisionShape3D"))
	{
		add_collision_shape(solids, node, transform);
	}
	else if (is_in_body && gd_is_class(node, "CollisionPolygon3D"))
	{
		if (!gd_collision_polygon_3d_is_disabled(node))
		{
			solids_add_collision_polygon(solids, node, transform);
		}
	}
	else if (is_mesh_wanted && gd_is_class(node, "MeshInstance3D"))
	{
		add_mesh_instance(solids, node, transform);
	}
	else if (gd_is_class(node, "CSGShape3D") && is_blocking_csg(solids, node))
	{
		add_csg(solids, node, transform);
	}
	else if (gd_is_class(node, "GridMap"))
	{
		add_grid_map(solids, node, transform);
	}
	solids->node_count += solids->count > before;
}

// Bodies that move, with what belongs to them, and other regions with theirs.
static bool is_left_out(GDExtensionObjectPtr node)
{
	return gd_is_class(node, "CorridorRegion3D") || gd_is_class(node, "CharacterBody3D") ||
		   gd_is_class(node, "RigidBody3D") || gd_is_class(node, "CorridorObstacle3D");
}

static bool is_collider(GDExtensionObjectPtr node)
{
	return gd_is_class(node, "CollisionShape3D") || gd_is_class(node, "CollisionPolygon3D");
}

// Read the children of a node; of a body in a group, only its own shapes.
// Goes as deep as the scene, where the engine recurses too.
static void collect_children(
	Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform, bool is_deep)
{
	bool is_in_body = is_blocking_body(solids, node);
	int64_t count = is_deep || is_in_body ? gd_node_get_child_count(node, false) : 0;
	for (int64_t i = 0; i < count; ++i)
	{
		GDExtensionObjectPtr child = gd_node_get_child(node, i, false);
		if (is_left_out(child) || (!is_deep && !is_collider(child)))
		{
			continue;
		}
		// A node without a place in space ends the chain of transforms.
		GdTransform3D child_transform = identity;
		if (gd_is_class(child, "Node3D"))
		{
			GdTransform3D own = gd_node_3d_get_transform(child);
			child_transform =
				gd_node_3d_is_set_as_top_level(child) ? own : solids_combine(transform, &own);
		}
		add_node(solids, child, &child_transform, is_in_body);
		if (is_deep)
		{
			collect_children(solids, child, &child_transform, true);
		}
	}
}

void solids_collect(Solids* solids, GDExtensionObjectPtr node, GdTransform3D transform)
{
	collect_children(solids, node, &transform, true);
}

void solids_collect_group(
	Solids* solids, GDExtensionObjectPtr tree, const GdStringName* group, bool is_deep)
{
	GdArray nodes = gd_scene_tree_get_nodes_in_group(tree, group);
	for (int i = 0; i < (int)gd_array_size(&nodes); ++i)
	{
		GDExtensionObjectPtr node;
		gd_variant_read(gd_array_item(&nodes, i), GD_OBJECT, &node);
		bool has_place = gd_is_class(node, "Node3D");
		GdTransform3D transform = has_place ? gd_node_3d_get_global_transform(node) : identity;
		add_node(solids, node, &transform, false);
		collect_children(solids, node, &transform, is_deep);
	}
	gd_destroy(GD_ARRAY, &nodes);
}

void solids_free(Solids* solids)
{
	free(solids->triangles);
	free(solids->bodies);
	solids->triangles = NULL;
	solids->bodies = NULL;
	solids->body_count = solids->body_capacity = 0;
	solids->count = solids->capacity = 0;
}
