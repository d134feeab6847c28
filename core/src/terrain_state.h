// SPDX-License-Identifier: MIT
// What is inside a terrain. Regions are the truth; the grid is derived from them by an update.
#pragma once

#include "terrain_grid.h"

/// A place for a region.
typedef struct NcRegionSlot
{
	NcArray(NcVec2) points;
	NcIntArray ring_counts;
	int type, priority;
	uint32_t generation; ///< of the region that is or was here; grows when it is removed
	bool is_used;
} NcRegionSlot;

struct NcTerrain
{
	NcArray(NcRegionSlot) slots;
	NcIntArray free_slots;
	int region_count;
	bool is_edited; ///< since the last update
	uint32_t revision;
	NcTerrainGrid grid;
};
