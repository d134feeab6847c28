// SPDX-License-Identifier: MIT
// The shape of a section of a corridor: see corridor.c.
#pragma once

#include "nav_corridor/corridor.h"

/// Make the boundary pieces of a section from its axis, clearances, margin, and the kinds and feet
/// of its sides.
void nc_corridor_shape_section(NcCorridorSection* section);
