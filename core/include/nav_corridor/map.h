// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/math2d.h"

/// A corridor map: the medial axis of the free space, with the closest obstacle points on both
/// sides of every edge. Obstacles go in, the corridor map comes out.
///
/// Edits (add, replace, remove) are staged and applied together by nc_map_update(). Between two
/// updates the corridor map does not change, and any number of threads may read it. Staging and
/// updating are for one thread at a time, while nobody reads.
typedef struct NcMap NcMap;

/// Names an obstacle of one map. All zero names nothing. An id is never used again.
typedef struct NcObstacleId
{
	uint32_t index;      ///< counts from one
	uint32_t generation; ///< tells a removed obstacle from its successor in the same place
} NcObstacleId;

typedef enum NcShapeKind
{
	/// Each point blocks on its own.
	NC_SHAPE_POINTS,
	/// Thin walls from each point to the next. One point alone is a point.
	NC_SHAPE_CHAIN,
	/// A filled area. The first ring is its border, the others are holes in it.
	NC_SHAPE_POLYGON,
	/// A filled area, as above, outside of which nobody can walk. Where a map has any, their union
	/// minus all other obstacles is free; where it has none, the whole bounds are walkable.
	NC_SHAPE_WALKABLE,
} NcShapeKind;

/// The geometry of an obstacle, in world units. Everything is allowed that has a meaning: rings of
/// either direction, closed or not (a last point equal to the first is ignored), crossing
/// themselves or each other, repeated points. Where a ring crosses itself, everything it winds
/// around counts as inside.
typedef struct NcShape
{
	NcShapeKind kind;

	/// All points, ring after ring.
	const NcVec2* points;
	int point_count;

	/// How many points each ring has; the counts add up to `point_count`. NULL means one ring.
	/// Only for polygons and walkable areas.
	const int* ring_counts;
	int ring_count;
} NcShape;

/// A wall of the world that is being built, in snaps.
typedef struct NcCandidateWall
{
	NcVec2 a, b;  ///< equal for a point
	bool is_used; ///< otherwise the number has no wall
} NcCandidateWall;

/// Groups of walls: for each point of the bounds there is a group that has all walls nearest to it.
/// So the neighbours of a wall are among those that are in a group with it.
typedef struct NcCandidates
{
	const int*
		group_begins; ///< per group where it begins in `group_walls`, and where the last ends
	const int* group_walls;
	const int* wall_begins; ///< per wall where its groups begin in `wall_groups`, and the end
	const int* wall_groups;
} NcCandidates;

/// Group the walls of a world for the map that is being built from scratch. The map is the same
/// whatever the groups are, as long as they are not too small.
/// @param candidates receives the groups; they must stay until the next call, or until the map is
/// destroyed
/// @return false if there are none: then the map finds its candidates itself
typedef bool NcCandidatesFn(void* context, NcBox bounds, const NcCandidateWall* walls,
	int wall_count, NcCandidates* candidates);

/// Everything needed to create a map. Initialize with nc_default_map_def().
typedef struct NcMapDef
{
	/// The world. Nothing outside of this rectangle is free. In world units.
	NcBox bounds;

	/// Coordinates are rounded to multiples of this, in world units, so that geometry can be exact.
	/// The bounds must lie within 2^25 snaps of the origin. Default 1/1024.
	double snap;

	/// Runs work on several threads; NULL means in the calling thread.
	NcParallelForFn* parallel_for;
	void* parallel_context;

	/// How many workers `parallel_for` uses at most. Default 1.
	int worker_count;

	/// Somebody who groups walls faster than the map itself, for example a Vulkan device: see
	/// gpu_candidates.h. NULL means nobody.
	NcCandidatesFn* find_candidates;
	void* candidates_context;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcMapDef;

NC_API NcMapDef nc_default_map_def(void);

/// Create a map of an empty world: its first corridor map is that of the bounds alone.
/// @param map receives the new map, or NULL on failure
NC_API NcStatus nc_map_create(const NcMapDef* def, NcMap** map, NcError* error);

/// Destroy a map. NULL is allowed. Destroy its queries before.
NC_API void nc_map_destroy(NcMap* map);

/// Stage a new obstacle. The shape is copied. On failure nothing changes, and `error` names the
/// first bad point or ring.
/// @param id receives the name of the new obstacle, or all zero on failure
NC_API NcStatus nc_map_add_obstacle(
	NcMap* map, const NcShape* shape, NcObstacleId* id, NcError* error);

/// Stage a new shape for an obstacle that keeps its id: moved, turned, opened, closed.
NC_API NcStatus nc_map_set_obstacle(
	NcMap* map, NcObstacleId id, const NcShape* shape, NcError* error);

/// Stage the removal of an obstacle. Its id is invalid from now on.
NC_API NcStatus nc_map_remove_obstacle(NcMap* map, NcObstacleId id);

/// @return whether the id names an obstacle of this map, staged ones included
NC_API bool nc_map_has_obstacle(const NcMap* map, NcObstacleId id);

/// @return how many obstacles there are, staged edits included
NC_API int nc_map_get_obstacle_count(const NcMap* map);

/// @return whether there are staged edits that nc_map_update() would apply
NC_API bool nc_map_has_staged_edits(const NcMap* map);

/// What an update did.
typedef struct NcMapUpdate
{
	uint32_t revision;         ///< of the corridor map after the update
	int edited_obstacle_count; ///< how many staged edits were applied
	int recomputed_cell_count; ///< how many cells of the diagram were computed
	int changed_box_count;     ///< see nc_map_get_changed_boxes()
} NcMapUpdate;

/// Apply all staged edits. Without edits nothing changes, not even the revision. On failure the
/// corridor map stays as it was and the edits stay staged.
/// @param update receives what was done; NULL is allowed
NC_API NcStatus nc_map_update(NcMap* map, NcMapUpdate* update);

/// @return a number that grows with every update that changed something; 1 after creation
NC_API uint32_t nc_map_get_revision(const NcMap* map);

/// The parts of the world in which the last update changed the corridor map or a clearance.
/// @return the number of boxes; at most `capacity` of them are written
NC_API int nc_map_get_changed_boxes(const NcMap* map, NcBox* boxes, int capacity);

NC_API NcBox nc_map_get_bounds(const NcMap* map);

/// @return the distance between neighbouring coordinates, in world units
NC_API double nc_map_get_snap(const NcMap* map);

/// A point where the medial axis branches, ends, or (on a loop without branches) begins.
typedef struct NcMapVertex
{
	NcVec2 position;
	double clearance; ///< distance to the nearest obstacle, in world units
	int edge_count;   ///< how many edge ends meet here; a loop counts twice
} NcMapVertex;

/// A piece of the medial axis between two vertices. Between two of its events it is a straight or
/// a parabolic arc.
typedef struct NcMapEdge
{
	int vertices[2];
	int event_count;      ///< its first and last event lie on its vertices; at least 2
	double length;        ///< of all arcs, in world units
	double min_clearance; ///< the largest disc that passes has this radius, in world units
	NcVec2 min_position;  ///< where that is
} NcMapEdge;

/// A point of an edge where its nearest obstacle feature on the left or on the right changes, seen
/// when walking from vertices[0] to vertices[1]. Up to the next event the edge is the set of points
/// equally far from the two features.
typedef struct NcMapEvent
{
	NcVec2 position;
	double clearance;   ///< in world units
	NcVec2 left, right; ///< the closest obstacle points
	/// The obstacles that own them; all zero for the bounds.
	NcObstacleId left_obstacle, right_obstacle;
} NcMapEvent;

/// The indices of vertices and edges run from 0 to these numbers, but some are unused: updates
/// leave gaps so that the others can stay where they are.
NC_API int nc_map_get_vertex_range(const NcMap* map);
NC_API int nc_map_get_edge_range(const NcMap* map);

/// @return false, and nothing is written, if the index is unused or out of range
NC_API bool nc_map_get_vertex(const NcMap* map, int index, NcMapVertex* vertex);
NC_API bool nc_map_get_edge(const NcMap* map, int index, NcMapEdge* edge);

/// An end of an edge: the edge as seen from one of its vertices.
typedef struct NcEdgeEnd
{
	int edge;
	int end; ///< 0: the edge begins at this vertex; 1: it ends here
} NcEdgeEnd;

/// The edge ends at a vertex, counter-clockwise.
/// @return their number; at most `capacity` are written; 0 if the vertex is unused
NC_API int nc_map_get_vertex_edges(const NcMap* map, int index, NcEdgeEnd* ends, int capacity);

/// The events of an edge, from vertices[0] to vertices[1].
/// @return their number; at most `capacity` are written; 0 if the edge is unused
NC_API int nc_map_get_edge_events(const NcMap* map, int index, NcMapEvent* events, int capacity);

/// The edge as a polyline that stays within `tolerance` (world units) of it, events included.
/// @return the number of points; at most `capacity` are written; 0 if the edge is unused
NC_API int nc_map_get_edge_points(
	const NcMap* map, int index, double tolerance, NcVec2* points, int capacity);

/// Numbers about a map, for messages and tests.
typedef struct NcMapStats
{
	int vertex_count;
	int edge_count;
	int site_count;       ///< obstacle features: free sides of walls, convex corners, points
	int component_count;  ///< parts of the medial axis that are not connected to each other
	int unresolved_count; ///< cell borders that two neighbours disagree on; zero unless we failed
	size_t byte_count;    ///< memory held by the map, in bytes
} NcMapStats;

NC_API NcMapStats nc_map_get_stats(const NcMap* map);

/// A piece of the obstacles' border after rounding: what the corridor map really sees.
typedef struct NcMapWall
{
	NcVec2 a, b;    ///< equal for a point
	bool left_free; ///< whether agents can be on the left when looking from a to b
	bool right_free;
	NcObstacleId obstacle; ///< one of its owners; all zero for the bounds
} NcMapWall;

/// Walls are numbered like vertices and edges: from 0, with gaps.
NC_API int nc_map_get_wall_range(const NcMap* map);
NC_API bool nc_map_get_wall(const NcMap* map, int index, NcMapWall* wall);

/// A number that is equal for equal corridor maps, whatever the order of the edits, the number of
/// threads, the compiler or the machine. Costs time proportional to the map.
NC_API uint64_t nc_map_compute_hash(const NcMap* map);

/// Take the next bytes of a saved map, for example append them to a file.
/// @return false to stop saving: the disk is full
typedef bool NcWriteFn(void* context, const void* data, size_t size);

/// Save a map as bytes that nc_map_load() understands on every machine. The same map, made by the
/// same edits, always gives the same bytes. Works between updates, like reading.
/// @return NC_INVALID_INPUT, and nothing is written, if there are staged edits: update first;
/// NC_TOO_LARGE if `write` returned false
NC_API NcStatus nc_map_save(const NcMap* map, NcWriteFn* write, void* context);

/// Load a saved map, several times faster than building it. It has the same corridor map, and the
/// same obstacles under the same ids, and can be edited further; the first update costs as much as
/// building, later ones are local as usual. Its revision is 1, and its changed box is everything.
/// Every number is checked: damaged data gives an error, and no data whatsoever gives a map that is
/// unsafe to use.
/// @param def how to run work on several threads; the bounds and the snap come from the data
/// @param data may be at any address, and is not needed afterwards
/// @param map receives the new map, or NULL on failure
/// @return NC_WRONG_FORMAT if the data is no saved map, from a newer version, incomplete or damaged
NC_API NcStatus nc_map_load(
	const NcMapDef* def, const void* data, size_t size, NcMap** map, NcError* error);
