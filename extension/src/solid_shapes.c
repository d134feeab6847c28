// SPDX-License-Identifier: MIT

// From Godot's colliders in space to triangles. Round ones become polyhedra around them, so that
// nothing is made smaller.

#include "region_solids.h"

#include <stdlib.h>

#define SIDE_COUNT 24
#define RING_COUNT 6 // from the equator to a pole

#define FULL_TURN 6.283185307179586

// Convex colliders with more points are cut: nobody makes them.
#define MAX_HULL_POINTS 2000

// Planes whose normal points less upwards than this are walls.
#define LEAST_RISE 0.1

static const GdTransform3D world = {
	{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}, {0.0f, 0.0f, 0.0f}};

static void add_quad(Solids* solids, const GdTransform3D* t, NcVec3 a, NcVec3 b, NcVec3 c, NcVec3 d)
{
	solids_add(solids, t, a, b, c);
	solids_add(solids, t, a, c, d);
}

void solids_add_box(Solids* solids, const GdTransform3D* t, NcVec3 l, NcVec3 u)
{
	const NcVec3 c[] = {{l.x, l.y, l.z}, {u.x, l.y, l.z}, {u.x, l.y, u.z}, {l.x, l.y, u.z},
		{l.x, u.y, l.z}, {u.x, u.y, l.z}, {u.x, u.y, u.z}, {l.x, u.y, u.z}};
	add_quad(solids, t, c[0], c[1], c[2], c[3]);
	add_quad(solids, t, c[4], c[5], c[6], c[7]);
	for (int i = 0; i < 4; ++i)
	{
		int next = (i + 1) % 4;
		add_quad(solids, t, c[i], c[next], c[next + 4], c[i + 4]);
	}
}

static void add_box_shape(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	GdVector3 size = gd_box_shape_3d_get_size(shape);
	NcVec3 half = {0.5 * (double)size.x, 0.5 * (double)size.y, 0.5 * (double)size.z};
	solids_add_box(solids, t, (NcVec3){-half.x, -half.y, -half.z}, half);
}

// A ring of the given radius at a height, and the next one.
static void add_ring(
	Solids* solids, const GdTransform3D* t, double r0, double y0, double r1, double y1)
{
	for (int i = 0; i < SIDE_COUNT; ++i)
	{
		NcVec2 a = nc_direction(FULL_TURN * i / SIDE_COUNT);
		NcVec2 b = nc_direction(FULL_TURN * (i + 1) / SIDE_COUNT);
		add_quad(solids, t, (NcVec3){r0 * a.x, y0, r0 * a.y}, (NcVec3){r0 * b.x, y0, r0 * b.y},
			(NcVec3){r1 * b.x, y1, r1 * b.y}, (NcVec3){r1 * a.x, y1, r1 * a.y});
	}
}

// How much larger a polygon has to be, to go around its circle.
static double get_growth(void)
{
	return 1.0 / nc_direction(0.5 * FULL_TURN / SIDE_COUNT).x;
}

static void add_cylinder(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	double radius = get_growth() * gd_cylinder_shape_3d_get_radius(shape);
	double half = 0.5 * gd_cylinder_shape_3d_get_height(shape);
	add_ring(solids, t, 0.0, -half, radius, -half);
	add_ring(solids, t, radius, -half, radius, half);
	add_ring(solids, t, radius, half, 0.0, half);
}

// Two half spheres, with a cylinder of the given half height between them.
static void add_round(Solids* solids, const GdTransform3D* t, double radius, double reach)
{
	double r = radius * get_growth() * get_growth();
	for (int side = -1; side <= 1; side += 2)
	{
		for (int i = 0; i < RING_COUNT; ++i)
		{
			NcVec2 from = nc_direction(0.25 * FULL_TURN * i / RING_COUNT);
			NcVec2 to = nc_direction(0.25 * FULL_TURN * (i + 1) / RING_COUNT);
			add_ring(solids, t, r * from.x, side * (reach + r * from.y), r * to.x,
				side * (reach + r * to.y));
		}
	}
	if (reach > 0.0)
	{
		add_ring(solids, t, r, -reach, r, reach);
	}
}

static void add_sphere(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	add_round(solids, t, gd_sphere_shape_3d_get_radius(shape), 0.0);
}

static void add_capsule(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	double radius = gd_capsule_shape_3d_get_radius(shape);
	double reach = nc_max(0.5 * gd_capsule_shape_3d_get_height(shape) - radius, 0.0);
	add_round(solids, t, radius, reach);
}

static NcVec3 read_vector(GdVector3 v)
{
	return (NcVec3){(double)v.x, (double)v.y, (double)v.z};
}

static void add_hull(Solids* solids, const GdTransform3D* t, const GdVector3* items, int count)
{
	NcVec3* points = calloc((size_t)count + 1, sizeof(NcVec3));
	int* faces = calloc(6 * (size_t)count + 6, sizeof(int));
	if (points == NULL || faces == NULL)
	{
		solids->is_failed = true;
		count = 0;
	}
	for (int i = 0; i < count; ++i)
	{
		points[i] = read_vector(items[i]);
	}
	int face_count = count > 3 ? hull_find_faces(points, count, faces) : 0;
	for (int i = 0; i < face_count; ++i)
	{
		solids_add(
			solids, t, points[faces[3 * i]], points[faces[3 * i + 1]], points[faces[3 * i + 2]]);
	}
	free(points);
	free(faces);
}

static void add_convex(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	GdPackedVector3Array array = gd_convex_polygon_shape_3d_get_points(shape);
	int count;
	const GdVector3* items = gd_vector3_items(&array, &count);
	add_hull(solids, t, items, count < MAX_HULL_POINTS ? count : MAX_HULL_POINTS);
	gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
}

static void add_concave(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	GdPackedVector3Array array = gd_concave_polygon_shape_3d_get_faces(shape);
	int count;
	const GdVector3* items = gd_vector3_items(&array, &count);
	solids_add_faces(solids, t, items, count);
	gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
}

// A grid of heights, one meter apart, around the origin.
static void add_height_map(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	int width = (int)gd_height_map_shape_3d_get_map_width(shape);
	int depth = (int)gd_height_map_shape_3d_get_map_depth(shape);
	GdPackedFloat32Array array = gd_height_map_shape_3d_get_map_data(shape);
	int count;
	const float* items = gd_float32_items(&array, &count);
	for (int i = 0; i + width + 1 < count && width > 1 && i / width + 1 < depth; ++i)
	{
		double x = i % width - 0.5 * (width - 1);
		double z = (double)(i / width) - 0.5 * (depth - 1);
		if (i % width + 1 < width)
		{
			add_quad(solids, t, (NcVec3){x, (double)items[i], z},
				(NcVec3){x + 1.0, (double)items[i + 1], z},
				(NcVec3){x + 1.0, (double)items[i + width + 1], z + 1.0},
				(NcVec3){x, (double)items[i + width], z + 1.0});
		}
	}
	gd_destroy(GD_PACKED_FLOAT32_ARRAY, &array);
}

// A plane without end: ground, if it is not too steep. What lies in the box is added.
static void add_boundary(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* t)
{
	GdPlane plane = gd_world_boundary_shape_3d_get_plane(shape);
	NcVec3 n = {(double)plane.normal.x, (double)plane.normal.y, (double)plane.normal.z};
	NcVec3 origin = solids_transform(t, (NcVec3){0.0, 0.0, 0.0});
	NcVec3 foot = solids_transform(
		t, (NcVec3){(double)plane.d * n.x, (double)plane.d * n.y, (double)plane.d * n.z});
	NcVec3 up = solids_transform(t, n);
	up = (NcVec3){up.x - origin.x, up.y - origin.y, up.z - origin.z};
	if (!(up.z > LEAST_RISE))
	{
		return;
	}
	NcVec3 l = solids->lower;
	NcVec3 u = solids->upper;
	NcVec3 corners[4] = {{l.x, 0.0, l.y}, {u.x, 0.0, l.y}, {u.x, 0.0, u.y}, {l.x, 0.0, u.y}};
	for (int i = 0; i < 4; ++i)
	{
		NcVec3* c = &corners[i];
		c->y = foot.z - (up.x * (c->x - foot.x) + up.y * (c->z - foot.y)) / up.z;
	}
	add_quad(solids, &world, corners[0], corners[1], corners[2], corners[3]);
}

static const struct
{
	const char* class_name;
	void (*add)(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* transform);
	SolidKind kind;
} shape_kinds[] = {
	{"BoxShape3D", add_box_shape, SOLID_CONVEX},
	{"SphereShape3D", add_sphere, SOLID_CONVEX},
	{"CapsuleShape3D", add_capsule, SOLID_CONVEX},
	{"CylinderShape3D", add_cylinder, SOLID_CONVEX},
	{"ConvexPolygonShape3D", add_convex, SOLID_CONVEX},
	{"ConcavePolygonShape3D", add_concave, SOLID_MESH},
	{"HeightMapShape3D", add_height_map, SOLID_SHEET},
	{"WorldBoundaryShape3D", add_boundary, SOLID_SHEET},
};

void solids_add_shape(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* transform)
{
	for (int i = 0; i < GD_COUNT(shape_kinds); ++i)
	{
		if (gd_is_class(shape, shape_kinds[i].class_name))
		{
			solids_begin_body(solids, shape_kinds[i].kind);
			shape_kinds[i].add(solids, shape, transform);
			return;
		}
	}
}

// A polygon of the plane (x, y), from half its depth in front to half of it behind.
void solids_add_collision_polygon(
	Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform)
{
	GdPackedVector2Array polygon = gd_collision_polygon_3d_get_polygon(node);
	double half = 0.5 * gd_collision_polygon_3d_get_depth(node);
	solids_begin_body(solids, SOLID_CONVEX); // its inside is known without the sides of triangles
	GdPackedInt32Array indices =
		gd_geometry_2d_triangulate_polygon(gd_singleton("Geometry2D"), &polygon);
	int count, index_count;
	const GdVector2* p = gd_vector2_items(&polygon, &count);
	const int32_t* caps = gd_int32_items(&indices, &index_count);
	for (int i = 0; i < count; ++i)
	{
		NcVec2 a = gd_vec2(p[i]);
		NcVec2 b = gd_vec2(p[(i + 1) % count]);
		add_quad(solids, transform, (NcVec3){a.x, a.y, -half}, (NcVec3){b.x, b.y, -half},
			(NcVec3){b.x, b.y, half}, (NcVec3){a.x, a.y, half});
	}
	for (int i = 0; i + 2 < index_count; i += 3)
	{
		for (int side = -1; side <= 1; side += 2)
		{
			NcVec3 corners[3];
			for (int k = 0; k < 3; ++k)
			{
				NcVec2 q = gd_vec2(p[caps[i + k]]);
				corners[k] = (NcVec3){q.x, q.y, side * half};
			}
			solids_add(solids, transform, corners[0], corners[1], corners[2]);
		}
	}
	gd_destroy(GD_PACKED_INT32_ARRAY, &indices);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &polygon);
}
