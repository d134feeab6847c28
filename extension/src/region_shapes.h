// SPDX-License-Identifier: MIT
#pragma once

// The obstacles of a region: the shapes of nodes, in world coordinates.
//
//   region_shapes.c  polygons, colliders, occluders, and the walk through the scene
//   region_tiles.c   tile maps

#include "gd.h"
#include "map_store.h"

/// Which nodes count. The values are stored in scenes.
typedef enum ShapeSources
{
	SHAPES_POLYGONS,  ///< Polygon2D and LightOccluder2D
	SHAPES_COLLIDERS, ///< shapes of StaticBody2D and of tiles
	SHAPES_BOTH,
} ShapeSources;

/// Where nodes are looked for. The values are stored in scenes.
typedef enum ShapeRoots
{
	ROOTS_CHILDREN,        ///< below the region
	ROOTS_GROUP_AND_BELOW, ///< in a group, and below its nodes
	ROOTS_GROUP,           ///< in a group
} ShapeRoots;

/// One obstacle: a run of points in the list.
typedef struct RegionShape
{
	NcShapeKind kind;
	int begin, count;
	uint64_t node_id;           ///< where it comes from, for messages
	int ring_begin, ring_count; ///< in `rings`, for an area with holes; 0: one ring
} RegionShape;

/// All obstacles of a region. All zero is empty.
typedef struct RegionShapes
{
	ShapeSources sources;
	uint32_t collision_mask; ///< static bodies in none of these layers are left out
	uint64_t node_id;        ///< of the node that is being read
	Points points;
	RegionShape* items;
	int count;
	int capacity;
	int* rings; ///< how many points the rings of areas with holes have
	int ring_total;
	int ring_capacity;
} RegionShapes;

/// Collect the shapes of all nodes below `node`, whose global transform is given. Regions below it
/// keep theirs.
void region_shapes_collect(
	RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform);

/// Collect the shapes of the nodes in a group, and below them if `is_deep`.
void region_shapes_collect_group(
	RegionShapes* shapes, GDExtensionObjectPtr tree, const GdStringName* group, bool is_deep);

/// Add the physics polygons of a TileMapLayer, and its navigation polygons as walkable areas.
void region_shapes_add_tiles(
	RegionShapes* shapes, GDExtensionObjectPtr layer, GdTransform2D transform);

/// Close the obstacle that the points since the last one form, and move it into the world.
void region_shapes_end_shape(RegionShapes* shapes, NcShapeKind kind, GdTransform2D transform);

/// Add an area with holes, in world coordinates.
/// @return false if there is no memory
bool region_shapes_add_rings(
	RegionShapes* shapes, const NcVec2* points, const int* ring_counts, int ring_count);

void region_shapes_free(RegionShapes* shapes);
