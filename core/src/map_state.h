// SPDX-License-Identifier: MIT
// What is inside a map. Obstacles are the truth; the world is derived from them by an update.
#pragma once

#include "changes.h"
#include "nav_corridor/map.h"
#include "world.h"

/// A place for an obstacle. Its edges are those of the latest staged shape. If they have no
/// capacity, they are a part of NcMap.loaded_edges.
typedef struct NcObstacleSlot
{
	NcEdgeArray edges;
	uint32_t generation;       ///< of the obstacle that is or was here; grows when it is removed
	uint32_t built_generation; ///< of the obstacle that the world was built with
	int first_built_edge;      ///< in the world, or NC_NULL_INDEX; a list of slots
	bool is_used;
	bool is_walkable;
	bool is_edited; ///< since the last update
} NcObstacleSlot;

struct NcMap
{
	double snap;          ///< world units per snap
	double inverse_snap;  ///< snaps per world unit
	NcPoint lower, upper; ///< the bounds, in snaps
	NcParallel parallel;

	NcArray(NcObstacleSlot) slots;
	NcEdgeArray loaded_edges; ///< of all obstacles that came from a file
	NcIntArray free_slots;
	NcIntArray edited; ///< slots with staged edits
	int obstacle_count;
	int walkable_count;   ///< of the obstacles, how many are walkable areas
	int edge_count;       ///< of all slots
	int built_edge_count; ///< when the world was last built from scratch

	NcWorld world;
	NcWorldUpdate update;
	uint32_t revision;            ///< 0 before the first world is built
	NcArray(NcBox) changed_boxes; ///< in world units
	NcChanges changes;            ///< of the latest updates
};

/// @return the memory that a map holds, in bytes
size_t nc_map_count_bytes(const NcMap* map);

static inline NcVec2 nc_map_to_world(const NcMap* map, NcVec2 p)
{
	return nc_scale(map->snap, p);
}

static inline NcVec2 nc_map_to_snaps(const NcMap* map, NcVec2 p)
{
	return nc_scale(map->inverse_snap, p);
}

/// The name of the obstacle in a slot, as the world knows it; all zero for NC_NULL_INDEX.
static inline NcObstacleId nc_map_get_built_id(const NcMap* map, int slot)
{
	if (slot == NC_NULL_INDEX)
	{
		return (NcObstacleId){0};
	}
	return (NcObstacleId){(uint32_t)slot + 1, map->slots.data[slot].built_generation};
}

/// Who owns a feature.
NcObstacleId nc_map_get_feature_owner(const NcMap* map, NcFeature feature);

/// The event at the beginning of a piece: its left is that of the walk along it.
NcMapEvent nc_map_make_event(const NcMap* map, int piece);

/// The event at the end of a piece.
NcMapEvent nc_map_make_end_event(const NcMap* map, int piece);
