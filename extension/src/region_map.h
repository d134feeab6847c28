// SPDX-License-Identifier: MIT
#pragma once

// What all regions share: their map in the store, and the baked data that it may come from.

#include "corridor_map_data.h"
#include "map_bake.h"

typedef struct RegionMap
{
	GdRid map;
	GDExtensionObjectPtr data; ///< the CorridorMapData, counted; NULL: none
	uint32_t data_revision;    ///< of the data when it was loaded; 0: not yet
	bool is_baked;             ///< the map is that of the data
	bool is_data_bad;          ///< the data could not be loaded
	uint32_t told_iteration;   ///< of the map, when corridor_map_changed was emitted last
} RegionMap;

void region_map_init(RegionMap* self);
void region_map_free(RegionMap* self);

/// A script may free the map of a region by its RID. Then the region needs a new one, and nothing
/// that it knows about the old one holds.
/// @return whether that happened
bool region_map_restore(RegionMap* self);

/// Tell the map where agents find it.
/// @param layers agents find it that have one of these
void region_map_place(const RegionMap* self, uint64_t world_id, uint32_t layers, bool is_active);

/// Set the data from a property.
/// @return false, with an error message, if the object is something else
bool region_map_set_data(RegionMap* self, GDExtensionObjectPtr object, const char* class_name);

/// @return the data if something was baked, else NULL
CorridorMapData* region_map_get_data(const RegionMap* self);

/// @return whether the data was baked for this border, up to rounding
bool region_map_is_data_for(const RegionMap* self, const Points* border);

/// @return whether region_map_load() has something to load
bool region_map_wants_load(const RegionMap* self, const Points* border);

/// Load the map from the data, unless that was done already.
/// @param node for messages
/// @return false, with an error message the first time, if there is no data that fits the border
bool region_map_load(RegionMap* self, const Points* border, GDExtensionObjectPtr node);

/// Take what a bake made: into the data, which is created if there is none, and into the map.
/// @return false, with an error message, if the bake failed
bool region_map_take(RegionMap* self, MapBake* bake, GDExtensionObjectPtr node);

/// Take only the map that a bake made.
/// @return false, with an error message, if the bake failed
bool region_map_take_core(RegionMap* self, MapBake* bake, GDExtensionObjectPtr node);

/// @return whether the map changed since the last call
bool region_map_has_news(RegionMap* self);
