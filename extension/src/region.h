// SPDX-License-Identifier: MIT
#pragma once

// What the files of CorridorRegion2D share.
//
//   corridor_region_2d.c  the class: properties, methods, notifications
//   region_bake.c         its map: baked, loaded, or built from its sources while it is in the tree
//   region_shapes.c       from nodes to obstacles
//   region_draw.c         drawing

#include "gd.h"
#include "map_store.h"
#include "region_map.h"

typedef struct CorridorRegion2D
{
	GdInstance base;

	// Properties.
	bool enabled;
	GdRect2 bounds;
	Points outline; ///< in local coordinates; empty: the bounds
	int64_t parsed_geometry_type;
	int64_t parsed_collision_mask;
	int64_t source_geometry_mode;
	GdStringName source_geometry_group_name;
	bool debug_enabled;
	bool show_medial_axis;
	bool show_clearance;
	bool show_closest_points;
	bool show_walls;
	GdColor walkable_color;
	GdColor wall_color;
	GdColor medial_axis_color;
	GdColor clearance_color;

	RegionMap region;
	GdRid* obstacles; ///< that the region itself put into the map, unless that is baked
	int obstacle_count;
	uint64_t checksum; ///< of the geometry that was collected last; 0: none
	int shape_count;   ///< how many shapes that had
	bool is_stale;     ///< the editor saw that the sources are not what was baked
	uint32_t drawn_iteration;
	int frames_to_poll; ///< until the editor looks for changes again
	bool needs_update;  ///< at the next physics frame
} CorridorRegion2D;

/// Draw the region into its canvas item; only while Godot asks for it.
void region_draw(CorridorRegion2D* self);

/// @return whether the region is to be seen
bool region_is_drawn(const CorridorRegion2D* self);

/// The region's border in local coordinates.
void region_get_border(const CorridorRegion2D* self, Points* border);

/// Tell the map where agents find it. Only inside the tree.
void region_place_map(CorridorRegion2D* self);

/// Bring the map up to date: load the baked data if there is some that fits, else collect the
/// geometry and, if it is not what the map has, replace it.
/// @return false if the region has no usable border
bool region_update(CorridorRegion2D* self);

/// Bake in this thread or on a worker.
/// @return false if the region has no usable border
bool region_bake(CorridorRegion2D* self, bool is_on_thread);

/// Look whether what was baked is still what the sources are. Collects them. Only inside the tree.
bool region_is_stale(CorridorRegion2D* self);

/// For region_bake.c: tell everybody that a bake has ended. The region may be gone afterwards.
void region_end_bake(CorridorRegion2D* self);

/// Take the region's own obstacles out of the map. Needs gd_lock().
void region_remove_obstacles(CorridorRegion2D* self);
