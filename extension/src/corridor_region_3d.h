// SPDX-License-Identifier: MIT
#pragma once

// class CorridorRegion3D: Node3D, builds a corridor map from what stands on a floor.

#include "lines_3d.h"
#include "region.h"

typedef struct CorridorRegion3D
{
	RegionNode node;

	// Properties.
	GdAabb bounds; ///< in local coordinates
	double cell_size;
	double agent_height;
	double agent_max_climb;
	double agent_max_slope; ///< in degrees
	double max_floor_rise;
	bool needs_floor;

	Lines3D lines; ///< what is shown in the game
} CorridorRegion3D;

void corridor_region_3d_register(void);

/// @return NULL if the object is none; NULL is allowed
CorridorRegion3D* corridor_region_3d_get(GDExtensionObjectPtr object);

// ---- region_lines.c: what is seen of a region in space, at its height

typedef enum RegionLines
{
	REGION_LINES_BOX, ///< the bounds
	REGION_LINES_WALLS,
	REGION_LINES_AXIS,
	REGION_LINES_CLEARANCE, ///< from the axis to the closest points
	REGION_LINES_COUNT,
} RegionLines;

/// Add the lines of a kind as pairs of points in world coordinates; none if they are not shown.
/// Needs gd_lock().
void region_add_lines(const CorridorRegion3D* self, RegionLines kind, Vectors* lines);
GdColor region_get_line_color(const CorridorRegion3D* self, RegionLines kind);

/// Show the lines in the game, if somebody wants to see them.
void region_show_lines(CorridorRegion3D* self);
