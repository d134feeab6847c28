// SPDX-License-Identifier: MIT
#pragma once

// The maps, obstacles and terrain of the server, named by RIDs.
//
//   map_store.c      maps and obstacles
//   store_terrain.c  terrain
//
// Edits are staged at once and applied together: by store_sync() before a query, or once per
// physics frame. So the first query after an edit already sees it. Call everything here with
// gd_lock() held.

#include "gd.h"
#include "nav_corridor/query.h"
#include "points.h"
#include "rid_table.h"

/// Coordinates beyond this have no use: floats are then farther apart than 64 units.
#define STORE_MAX_COORDINATE 1.0e9

/// As many threads can ask a map at the same time.
#define STORE_MAX_VIEWS 16

/// A map that scripts know by its RID.
typedef struct StoreMap
{
	GdRid rid;
	NcBox bounds;        ///< empty until somebody sets it
	double y_min, y_max; ///< in space: the heights it is for; without end in the plane
	bool is_active;
	uint32_t layers;    ///< agents find it that have one of these
	int search_budget;  ///< of the shortest path: NcPathDef.corridor_budget
	uint64_t world_id;  ///< instance id of the World2D or World3D it belongs to; 0 means any
	uint32_t iteration; ///< grows with every change; 0 means nothing was built yet
	uint32_t announced_iteration; ///< the last one that map_changed() told about

	NcMap* core;                                ///< NULL until it was built
	NcQuery* query;                             ///< likewise
	NcQuery* more_queries[STORE_MAX_VIEWS - 1]; ///< of the other views; NULL until needed
	bool needs_core;                            ///< the bounds changed: a new core is needed
	bool has_failed; ///< the last update failed; not tried again before the next edit

	/// Grows whenever another core takes the place of this one: then nothing that was found in
	/// the old one counts.
	uint32_t core_serial;

	NcTerrain* terrain; ///< NULL until somebody adds terrain

	RidList obstacles;
	RidList terrains;
} StoreMap;

/// An obstacle that scripts know by its RID. In a map it always has a shape that the map can use,
/// so that both agree about it.
typedef struct StoreObstacle
{
	GdRid rid;
	GdRid map;
	NcShapeKind kind;
	NcVec2 position; ///< added to all vertices
	double radius;   ///< of a circle around the position, for an obstacle without vertices
	Points vertices;
	NcObstacleId core_id; ///< in the core of its map; all zero if it is not there
} StoreObstacle;

/// A piece of ground that scripts know by its RID.
typedef struct StoreTerrain
{
	GdRid rid;
	GdRid map;
	NcVec2 position;    ///< added to all vertices
	Points vertices;    ///< of its border
	int type;           ///< from 0 to NC_TERRAIN_TYPE_COUNT - 1
	int priority;       ///< where pieces overlap, the highest is seen
	NcRegionId core_id; ///< in the terrain of its map; all zero if it is not there
} StoreTerrain;

GdRid store_create_map(void);
GdRid store_create_obstacle(void);
GdRid store_create_terrain(void);

/// Free a map, an obstacle or terrain. A freed map releases what is in it, which lives on without a
/// map.
/// @return false if the RID names nothing
bool store_free(GdRid rid);

/// Free everything, at the end.
void store_free_all(void);

/// @return NULL if the RID names nothing or something else
StoreMap* store_get_map(GdRid rid);
StoreObstacle* store_get_obstacle(GdRid rid);
StoreTerrain* store_get_terrain(GdRid rid);

/// Go through all maps: start with 0 and pass the result of the last call.
/// @return the next map after the slot, or NULL; `slot` moves on
StoreMap* store_next_map(int* slot);

/// @return a number that changes whenever maps come, go, or lie elsewhere
uint32_t store_get_layout(void);

/// To be called by whoever changes `is_active`, `layers`, `world_id` or the heights of a map.
void store_touch_layout(void);

/// Set the rectangle outside of which nothing is free. A core that was installed is thrown away.
void store_set_bounds(StoreMap* map, NcBox bounds);

/// Give the map a core that somebody built or loaded, with what is in it: bounds, and obstacles
/// that have no RIDs. The obstacles of the map are added to it. The core is the map's from now on,
/// and is destroyed on failure.
/// @return false, with an error message, if it cannot be used; then the map stays as it was
bool store_install_core(StoreMap* map, NcMap* core);

/// Move an obstacle to another map; NULL takes it out of its map.
/// @param who begins the error message: the method, or the node that the obstacle stands for
/// @return false, with an error message, if the shape cannot be used; then it does not get there
bool store_set_obstacle_map(StoreObstacle* obstacle, StoreMap* map, const char* who);

/// Replace an obstacle by a changed copy of it: kind, position, radius or vertices. What reaches
/// far out of the map is cut off on the way to the core, and only there.
/// @param who as above
/// @return false, with an error message, and the obstacle as it was, if the shape cannot be used
bool store_change_obstacle(StoreObstacle* obstacle, const StoreObstacle* changed, const char* who);

/// Move terrain to another map; NULL takes it out of its map.
/// @param who as above
/// @return false, with an error message, if its border cannot be used; then it does not get there
bool store_set_terrain_map(StoreTerrain* terrain, StoreMap* map, const char* who);

/// Replace terrain by a changed copy of it: position, vertices, type or priority.
/// @param who as above
/// @return false, with an error message, and the terrain as it was, if the border cannot be used
bool store_change_terrain(StoreTerrain* terrain, const StoreTerrain* changed, const char* who);

/// For map_store.c: free one piece, let go of a map's terrain, apply staged edits to it.
void store_free_terrain(StoreTerrain* terrain);
void store_forget_terrain(StoreMap* map);
void store_sync_terrain(StoreMap* map);

/// Apply staged edits.
/// @return the query of the finished map, or NULL if the map has no bounds or could not be built
NcQuery* store_sync(StoreMap* map);

/// Copy a map that is up to date, so that another thread may ask the copy as long as nobody changes
/// the map. Views with different indices have queries of their own.
/// @param index from 0, the map as it is, to STORE_MAX_VIEWS - 1
/// @return false if there is no memory
bool store_open_view(StoreMap* map, int index, StoreMap* view);

/// The map that a node without a map of its own uses: an active one of its world that contains the
/// point, else the first active one of its world, else the first that belongs to no world. In
/// space, maps whose heights contain the node come first.
/// @param height of the node; 0 in the plane
/// @param layers a set of which the map must have one
StoreMap* store_find_map(uint64_t world_id, NcVec2 point, double height, uint32_t layers);

/// @return whether the node is within the bounds and the heights of a map
bool store_is_within(const StoreMap* map, NcVec2 point, double height);

/// Add the border of a piece of terrain as pairs of points.
void store_add_terrain_lines(const StoreTerrain* terrain, Points* lines);

/// Add the walls as the map sees them, as pairs of points.
void store_add_wall_lines(const StoreMap* map, Points* lines);

/// Add the medial axis as pairs of points, with an error of at most `tolerance` world units.
void store_add_axis_lines(const StoreMap* map, double tolerance, Points* lines);
