// SPDX-License-Identifier: MIT
#pragma once

// What regions share, in the plane and in space, and what the files of CorridorRegion2D share.
//
//   corridor_region_2d.c, corridor_region_3d.c  the classes: their border and their sources
//   region_node.c     properties, methods and notifications of both
//   region_bake.c     the map: baked, loaded, or made from sources while the region is in the tree
//   region_map.c      the map in the store, and the baked data
//   region_shapes.c   from nodes of the plane to obstacles
//   region_solids.c   from nodes of space to triangles, and region_project.c from those to
//   obstacles region_draw.c     drawing in the plane; region_lines.c in space

#include "gd.h"
#include "map_store.h"
#include "region_map.h"

typedef struct RegionNode RegionNode;

/// What differs between the plane and space.
typedef struct RegionSpace
{
	bool is_3d;

	/// Read the border in world coordinates and the box around it.
	/// @return false if the border has no area that can be used
	bool (*read_border)(const RegionNode* self, Points* border, NcBox* box);

	/// Read everything that a bake needs, into an empty bake.
	/// @return false if the region has no usable border
	bool (*read_sources)(RegionNode* self, MapBake* bake);

	/// Compute a number that changes whenever sources or border do, and count the sources.
	/// @return false if the region has no usable border
	bool (*read_checksum)(RegionNode* self, uint64_t* checksum);

	/// Make the map from the sources, if they are not those that it has.
	/// @return false if the region has no usable border
	bool (*follow_sources)(RegionNode* self, bool was_baked);

	/// The map will be that of baked data: forget what came from sources.
	void (*forget_sources)(RegionNode* self);

	/// In space: the heights that the map is for. NULL in the plane.
	void (*get_heights)(const RegionNode* self, double* y_min, double* y_max);

	void (*redraw)(RegionNode* self);
	void (*add_warnings)(GdCall* call, const RegionNode* self);
	const char* no_sources_text; ///< the warning, for sources below the region
} RegionSpace;

/// The begin of both instance structs.
struct RegionNode
{
	GdInstance base;
	const RegionSpace* space;

	// Properties.
	bool enabled;
	int64_t navigation_layers;
	int64_t parsed_geometry_type;
	int64_t parsed_collision_mask;
	int64_t source_geometry_mode;
	GdStringName source_geometry_group_name;
	bool debug_enabled;
	bool show_medial_axis;
	bool show_clearance;
	bool show_closest_points;
	bool show_walls;
	bool show_terrain;
	GdColor wall_color;
	GdColor medial_axis_color;
	GdColor clearance_color;

	RegionMap region;
	uint64_t checksum; ///< of the sources that the map was made from; 0: none
	int shape_count;   ///< how many sources there were, when they were read last
	bool is_stale;     ///< the editor saw that the sources are not what was baked
	uint32_t drawn_iteration;
	int frames_to_poll; ///< until the editor looks for changes again
	bool needs_update;  ///< at the next physics frame
};

typedef struct CorridorRegion2D
{
	RegionNode node;

	// Properties.
	GdRect2 bounds;
	Points outline; ///< in local coordinates; empty: the bounds
	GdColor walkable_color;

	GdRid* obstacles; ///< that the region itself put into the map, unless that is baked
	int obstacle_count;
} CorridorRegion2D;

// ---- region_node.c: for the tables of the classes

/// Set the defaults of what both have.
void region_create(RegionNode* self, const RegionSpace* space);
void region_destroy(RegionNode* self);
void region_notify(RegionNode* self, int what);

/// Have the map brought up to date at the next physics frame; after a property changed.
void region_request_update(void* instance);
void region_on_enabled_changed(void* instance);
void region_on_mode_changed(void* instance);
void region_on_look_changed(void* instance);
void region_validate_property(void* instance, const char* name, GDExtensionPropertyInfo* info);

void region_set_corridor_map(GdCall* call);
void region_get_corridor_map(GdCall* call);
void region_set_group_name(GdCall* call);
void region_get_group_name(GdCall* call);
void region_get_configuration_warnings(GdCall* call);
void region_add_warning(GdCall* call, const char* text);

#define REGION_METHOD_COUNT 7
#define REGION_SIGNAL_COUNT 2
extern const GdMethod region_methods[REGION_METHOD_COUNT];
extern const GdSignal region_signals[REGION_SIGNAL_COUNT];

/// @return whether the region is to be seen
bool region_is_drawn(const RegionNode* self);

// ---- region_bake.c

/// Tell the map where agents find it. Only inside the tree.
void region_place_map(RegionNode* self);

/// Make a new map if a script freed the old one.
void region_restore_map(RegionNode* self);

/// Bring the map up to date: load the baked data if there is some that fits, else follow the
/// sources.
/// @return false if the region has no usable border
bool region_update(RegionNode* self);

/// Bake in this thread or on a worker.
/// @return false if the region has no usable border
bool region_bake(RegionNode* self, bool is_on_thread);

/// Look whether what was baked is still what the sources are. Only inside the tree.
bool region_is_stale(RegionNode* self);

/// For region_bake.c: tell everybody that a bake has ended. The region may be gone afterwards.
void region_end_bake(RegionNode* self);

/// @return the box around points, which are in world coordinates
NcBox region_get_box(const Points* border);

/// @return whether a border of such a size can be used
bool region_is_border_usable(const Points* border, NcBox box);

/// Continue a checksum, which begins with REGION_CHECKSUM_BEGIN.
#define REGION_CHECKSUM_BEGIN 14695981039346656037ULL
uint64_t region_add_to_checksum(uint64_t checksum, const void* data, size_t size);

// ---- region_draw.c

/// Draw the region into its canvas item; only while Godot asks for it.
void region_draw(CorridorRegion2D* self);

/// The region's border in local coordinates.
void region_get_border(const CorridorRegion2D* self, Points* border);
