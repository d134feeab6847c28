// SPDX-License-Identifier: MIT
#pragma once

// classes CorridorTerrain2D: Node2D and CorridorTerrain3D: Node3D.

#include "shape_node.h"

void corridor_terrain_register(void);

/// @return NULL if the object is neither; NULL is allowed
ShapeNode* corridor_terrain_get(GDExtensionObjectPtr object);
