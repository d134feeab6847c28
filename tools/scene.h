// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/map.h"

/// One obstacle of a scene. Its points and rings lie one after the other in the scene's arrays.
typedef struct SceneShape
{
	NcShapeKind kind;
	int line; ///< of the file that it comes from, for messages
	int first_point, point_count;
	int first_ring, ring_count; ///< no rings but for polygons and walkable areas
} SceneShape;

/// The obstacles of an input file, in its order. Owns its arrays; all zero is an empty scene.
typedef struct Scene
{
	/// How polygons are meant: as obstacles, or as the only place where agents can be. Set it
	/// before reading a file.
	bool polygons_are_walkable;

	/// How 3D levels become obstacles: between these heights, on cells of this size, in world
	/// units. Zero means that the reader chooses.
	double heights[2];
	double cell_size;

	/// The world, if the format says what it is.
	bool has_bounds;
	NcBox bounds;

	SceneShape* shapes;
	int shape_count, shape_capacity;

	NcVec2* points;
	int point_count, point_capacity;

	int* ring_counts; ///< how many points each ring has
	int ring_count, ring_capacity;
} Scene;

void scene_destroy(Scene* scene);

/// Begin a shape without points. The following points belong to it.
void scene_begin_shape(Scene* scene, NcShapeKind kind, int line);

/// Begin a polygon, obstacle or walkable as the scene says. Rings follow.
void scene_begin_polygon(Scene* scene, int line);

/// Begin a ring of the last polygon. The following points belong to it.
void scene_begin_ring(Scene* scene);

/// Add a point to the last shape, and to its last ring if it has any.
void scene_add_point(Scene* scene, NcVec2 point);

/// @return a shape for nc_map_add_obstacle(); it points into the scene
NcShape scene_get_shape(const Scene* scene, int index);

/// @return the smallest box around all points; empty if there are none
NcBox scene_compute_box(const Scene* scene);
