// SPDX-License-Identifier: MIT
#pragma once

// The sources of a region in space: triangles of meshes and colliders, in world coordinates.
//
//   region_solids.c  the walk through the scene, and nodes with meshes
//   solid_shapes.c   colliders
//   hull.c           convex hulls
//   solid_fill.c     the inside of bodies

#include "gd.h"
#include "nav_corridor/project.h"
#include "region_shapes.h"

/// Which side of a triangle is the inside of its body.
typedef enum SolidKind
{
	SOLID_CONVEX,   ///< the one that other triangles are on
	SOLID_MESH,     ///< the back
	SOLID_MIRRORED, ///< the front, because the body is mirrored
	SOLID_SHEET,    ///< none: it is no body
} SolidKind;

/// A run of triangles that belong together, up to the next one.
typedef struct SolidBody
{
	int begin;
	SolidKind kind;
} SolidBody;

/// All zero is empty, and wants everything in an empty box.
typedef struct Solids
{
	// What to collect.
	ShapeSources sources;    ///< polygons are meshes here
	uint32_t collision_mask; ///< static bodies in none of these layers are left out
	NcVec3 lower, upper;     ///< what lies outside of this box is left out; z is the height
	bool is_sketch;          ///< boxes in place of meshes: enough to see whether something changed

	// What was found.
	NcTriangle* triangles; ///< z is the height
	int count;
	int capacity;
	SolidBody* bodies;
	int body_count;
	int body_capacity;
	int node_count; ///< how many nodes have triangles
	bool is_failed; ///< there is no memory
} Solids;

/// Collect from all nodes below `node`, whose global transform is given. Regions below it keep
/// theirs, and bodies that move are left out.
void solids_collect(Solids* solids, GDExtensionObjectPtr node, GdTransform3D transform);

/// Collect from the nodes in a group, and below them if `is_deep`.
void solids_collect_group(
	Solids* solids, GDExtensionObjectPtr tree, const GdStringName* group, bool is_deep);

void solids_free(Solids* solids);

// ---- For solid_shapes.c

/// Where a transform of Godot moves a point; the result has z as its height.
NcVec3 solids_transform(const GdTransform3D* transform, NcVec3 point);

/// @return the transform that does `b` first
GdTransform3D solids_combine(const GdTransform3D* a, const GdTransform3D* b);

/// Begin a body, to which the triangles after it belong.
void solids_begin_body(Solids* solids, SolidKind kind);

/// Add a triangle in the coordinates of Godot.
void solids_add(Solids* solids, const GdTransform3D* transform, NcVec3 a, NcVec3 b, NcVec3 c);

/// Add triangles of three vectors each.
void solids_add_faces(
	Solids* solids, const GdTransform3D* transform, const GdVector3* items, int count);

/// Add a Shape3D or a CollisionPolygon3D.
void solids_add_shape(Solids* solids, GDExtensionObjectPtr shape, const GdTransform3D* transform);
void solids_add_collision_polygon(
	Solids* solids, GDExtensionObjectPtr node, const GdTransform3D* transform);

/// Add an upright box of Godot.
void solids_add_box(Solids* solids, const GdTransform3D* transform, NcVec3 lower, NcVec3 upper);

/// Find the triangles of a convex hull; hull.c.
/// @param faces receives three indices for each, and room for 6 * count
/// @return how many triangles there are; 0 if the points lie in a plane
int hull_find_faces(const NcVec3* points, int count, int* faces);
