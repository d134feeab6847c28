// SPDX-License-Identifier: MIT
#pragma once

#include "gd.h"
#include "nav_corridor/terrain.h"

void terrain_profile_register(void);

/// Read the weights of a TerrainProfile.
/// @return false, and nothing is written, if the object is none; NULL is allowed
bool terrain_profile_read(GDExtensionObjectPtr object, NcTerrainProfile* profile);
