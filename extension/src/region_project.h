// SPDX-License-Identifier: MIT
#pragma once

// From triangles in space to the obstacles of a map: project them onto the ground, trace the
// borders of what is blocked.

#include "map_bake.h"
#include "region_solids.h"

/// When Vulkan does the projection. The values are those of the project setting.
typedef enum ProjectDevice
{
	PROJECT_ON_PROCESSOR,
	PROJECT_AUTOMATIC, ///< on a graphics card, if there is one and the work is large
	PROJECT_ON_VULKAN, ///< on any device, also one of software
} ProjectDevice;

/// What a bake of a region in space works on.
struct RegionProject
{
	Solids solids;
	double cell_size;
	double z_min, z_max; ///< where walkers bump into things
	double floor_min, floor_max;
	double max_slope; ///< in radians
	bool needs_floor;
	ProjectDevice device;

	// What came out.
	bool is_from_device;
};

/// Make the shapes of a bake from its triangles. Runs before the bake itself, in its thread.
/// @return false, with the reason in the bake, if it cannot be done
bool region_project_run(MapBake* bake);
void region_project_free(struct RegionProject* project);
