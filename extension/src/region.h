// SPDX-License-Identifier: MIT
#pragma once

// What the files of CorridorRegion2D share.
//
//   corridor_region_2d.c  the class: properties, methods, notifications
//   region_shapes.c       from child nodes to obstacles
//   region_draw.c         drawing

#include "gd.h"
#include "map_store.h"

typedef struct CorridorRegion2D
{
	GdInstance base;

	// Properties.
	bool enabled;
	GdRect2 bounds;
	Points outline; ///< in local coordinates; empty: the bounds
	int64_t parsed_geometry_type;
	int64_t parsed_collision_mask;
	bool debug_enabled;
	bool show_medial_axis;
	bool show_clearance;
	bool show_walls;
	GdColor walkable_color;
	GdColor wall_color;
	GdColor medial_axis_color;
	GdColor clearance_color;

	GdRid map;
	GdRid* obstacles; ///< in the map, in the order of their creation
	int obstacle_count;
	uint64_t checksum;       ///< of the geometry that was baked last; 0: none
	uint32_t told_iteration; ///< of the map, when corridor_map_changed was emitted last
	uint32_t drawn_iteration;
	int frames_to_poll; ///< until the editor looks for changes again
	bool needs_bake;    ///< at the next physics frame
} CorridorRegion2D;

/// Draw the region into its canvas item; only while Godot asks for it.
void region_draw(CorridorRegion2D* self);

/// @return whether the region is to be seen
bool region_is_drawn(const CorridorRegion2D* self);

/// The region's border in local coordinates.
void region_get_border(const CorridorRegion2D* self, Points* border);
