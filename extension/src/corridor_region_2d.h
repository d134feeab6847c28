// SPDX-License-Identifier: MIT
#pragma once

// class CorridorRegion2D: Node2D, builds a corridor map from the nodes below it.

#include "region.h"

void corridor_region_2d_register(void);
