// SPDX-License-Identifier: MIT
#pragma once

// class CorridorRegion2D: Node2D, builds a corridor map from nodes.

#include "region.h"

void corridor_region_2d_register(void);

/// @return NULL if the object is none; NULL is allowed
CorridorRegion2D* corridor_region_2d_get(GDExtensionObjectPtr object);
