// SPDX-License-Identifier: MIT
#pragma once

// The obstacles of a region: the shapes of the nodes below it, in world coordinates.

#include "gd.h"
#include "map_store.h"

/// Which nodes count. The values are stored in scenes.
typedef enum ShapeSources
{
	SHAPES_POLYGONS,  ///< Polygon2D
	SHAPES_COLLIDERS, ///< shapes of StaticBody2D
	SHAPES_BOTH,
} ShapeSources;

/// One obstacle: a run of points in the list.
typedef struct RegionShape
{
	NcShapeKind kind;
	int begin, count;
	GDExtensionObjectPtr node; ///< where it comes from, for messages while it exists
} RegionShape;

/// All obstacles of a region. All zero is empty.
typedef struct RegionShapes
{
	ShapeSources sources;
	uint32_t collision_mask;   ///< static bodies in none of these layers are left out
	GDExtensionObjectPtr node; ///< the node that is being read
	Points points;
	RegionShape* items;
	int count;
	int capacity;
} RegionShapes;

/// Collect the shapes of all nodes below `node`, whose global transform is given. Regions below it
/// keep theirs.
void region_shapes_collect(
	RegionShapes* shapes, GDExtensionObjectPtr node, GdTransform2D transform);

void region_shapes_free(RegionShapes* shapes);
