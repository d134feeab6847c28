// SPDX-License-Identifier: MIT
#pragma once

// classes CorridorObstacle2D: Node2D and CorridorObstacle3D: Node3D.

#include "shape_node.h"

void corridor_obstacle_register(void);

/// @return NULL if the object is neither; NULL is allowed
ShapeNode* corridor_obstacle_get(GDExtensionObjectPtr object);
