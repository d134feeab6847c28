// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/map.h"
#include "nav_corridor/terrain.h"

/// Working memory for questions to one map. Give every thread its own, and destroy it before the
/// map. After warm-up no question allocates. A query sees the map as of its last update; results
/// inside the query are forgotten when the map is updated.
typedef struct NcQuery NcQuery;

/// @param query receives the new query, or NULL on failure
NC_API NcStatus nc_query_create(const NcMap* map, NcQuery** query);

/// Destroy a query. NULL is allowed.
NC_API void nc_query_destroy(NcQuery* query);

/// What the corridor map knows about a free point.
typedef struct NcLocation
{
	double clearance;      ///< distance to the nearest obstacle, in world units
	NcVec2 closest;        ///< the nearest obstacle point
	NcObstacleId obstacle; ///< who owns it; all zero for the bounds
	int edge;              ///< the edge of the medial axis that the point belongs to
	int event;             ///< the event of that edge that begins the arc, counted from vertices[0]
	NcVec2 retraction;     ///< where a walk straight away from `closest` meets that edge
	double edge_position;  ///< where that is, as length along the edge, in world units
} NcLocation;

/// Find out where a point is.
/// @return false, and nothing is written, if the point is inside an obstacle, outside the walkable
/// area, or not a number
NC_API bool nc_query_locate(NcQuery* query, NcVec2 point, NcLocation* location);

/// @return the distance to the nearest obstacle, in world units; 0 if the point is not free
NC_API double nc_query_get_clearance(NcQuery* query, NcVec2 point);

/// Find the nearest point at which a disc fits: where the clearance is at least `radius`, up to
/// rounding. That is the point itself if the disc fits there. Looks around the point only as far as
/// it has to; through the whole map if the disc fits nowhere.
/// @param radius zero or more, in world units
/// @return false, and nothing is written, if the disc fits nowhere, for what is not a number, or if
/// memory ran out
NC_API bool nc_query_find_free_point(NcQuery* query, NcVec2 point, double radius, NcVec2* found);

/// Choose a point at which a disc fits, at random: uniformly over the area of all such points. If
/// that area is so small that 4096 tries did not meet it, then a point of the medial axis where the
/// disc fits, each of its arcs with the same probability.
/// @param seed the state of the random numbers, any number at first; changed by every call. The
/// same seed and the same map give the same point
/// @return false, and nothing is written, if the disc fits nowhere, or for what is not a number
NC_API bool nc_query_find_random_point(
	NcQuery* query, double radius, uint64_t* seed, NcVec2* found);

/// @return whether a disc can move straight from a to b: every point in between has at least this
/// clearance, in world units
NC_API bool nc_query_is_segment_free(NcQuery* query, NcVec2 a, NcVec2 b, double radius);

/// Where a moving disc first touches an obstacle.
typedef struct NcRayHit
{
	double distance;       ///< how far the disc moved, in world units
	NcVec2 center;         ///< where its centre is then
	NcVec2 point;          ///< where it touches
	NcVec2 normal;         ///< the unit direction from there to the centre
	NcObstacleId obstacle; ///< who owns that point; all zero for the bounds
} NcRayHit;

/// Move a disc straight from one point towards another until it touches something. It may slide
/// along what it touches already. A disc that does not fit where it starts touches at distance 0
/// what is nearest.
/// @param radius zero or more, in world units; zero casts a plain ray
/// @param hit receives the first contact; NULL is allowed
/// @return whether it touched anything: exactly if nc_query_is_segment_free() says no. Also true,
/// with all of `hit` zero, for what is not a number or beyond 1e300 snaps
NC_API bool nc_query_cast_disc(
	NcQuery* query, NcVec2 from, NcVec2 to, double radius, NcRayHit* hit);

/// @return whether a disc can get from a to b, moving in whatever way: nc_query_find_path() would
/// find a path. Takes about constant time; see nc_query_find_largest_radius()
NC_API bool nc_query_is_reachable(NcQuery* query, NcVec2 a, NcVec2 b, double radius);

/// Find the largest disc that can get from a to b. The query keeps a tree of bottlenecks for that.
/// It is made when it is first needed after an update of the map, in time proportional to the map;
/// from then on answers take about constant time.
/// @return its radius, in world units; negative if not even a point gets there, if a or b is not
/// free, or if memory ran out
NC_API double nc_query_find_largest_radius(NcQuery* query, NcVec2 a, NcVec2 b);

typedef enum NcRouteKind
{
	NC_ROUTE_MEDIAL,   ///< along the medial axis: as far from everything as possible
	NC_ROUTE_SHORTEST, ///< straight lines and arcs around corners; see corridor_budget
	NC_ROUTE_WEIGHTED, ///< of the least cost over terrain; nearly: it may be a few percent above
	NC_ROUTE_SIDE,     ///< on one side of the medial axis; see side
	NC_ROUTE_CONTROL,  ///< drawn by a designer; see control
} NcRouteKind;

/// How to search. All methods find the same path.
typedef enum NcSearchMethod
{
	/// A* that learns from long searches: the query remembers distances to some landmarks, in 64
	/// bytes a vertex, and keeps them right while the map changes.
	NC_SEARCH_FAST,
	NC_SEARCH_PLAIN, ///< A* with straight distances as estimates, and no memory of other searches
} NcSearchMethod;

/// Say what it costs to walk along an edge of the map: its length, or more because of a crowd, a
/// danger, a slope.
/// @param length of the edge, in world units
/// @return the cost, in world units; less than the length counts as the length, HUGE_VAL blocks the
/// edge. The same for all calls during a search
typedef double NcEdgeCostFn(void* context, int edge, double length);

/// @return the time since some moment in the past, in any unit
typedef double NcClockFn(void* context);

/// What to search. Initialize with nc_default_path_def().
typedef struct NcPathDef
{
	NcVec2 start, goal;

	/// Several goals: the one with the cheapest path is chosen, the first of equal ones. Blocked
	/// ones do not count. NULL means `goal` alone.
	const NcVec2* goals;
	int goal_count;

	/// The disc that must fit everywhere on the path. Zero or more, in world units.
	double radius;

	NcRouteKind route;

	/// How many steps the shortest route may spend on looking beyond the corridor that the medial
	/// axis prefers. With enough of them it is the shortest of all; 0 keeps to that corridor. A
	/// search that is expected to need many more is given up early, unless it may still save much.
	int corridor_budget;

	/// Of NC_ROUTE_SIDE: where to walk between the medial axis and the obstacles. -1 keeps as far
	/// to the right as the disc can, 1 to the left, 0 is the medial axis; anything in between is a
	/// part of that.
	double side;

	/// Of NC_ROUTE_CONTROL: the points of a drawing between start and goal, in world units. Where
	/// the disc does not fit, the drawing is repaired: see route.h. One goal only, and no limits.
	const NcVec2* control;
	int control_count;

	NcSearchMethod method;

	/// What edges cost; NULL means their length. The corridor is the cheapest one then; the
	/// shortest route stays within it.
	NcEdgeCostFn* edge_cost;
	void* edge_cost_context;

	/// Stop after expanding this many vertices, with the best path so far: see NC_PATH_PARTIAL. 0
	/// means no limit.
	int max_iterations;

	/// Stop when this clock has advanced by `max_time`. Looked at every 16 iterations. NULL means
	/// no limit.
	NcClockFn* clock;
	void* clock_context;
	double max_time;

	/// For agents that walk along partial paths: the nearest they have ever been to the goal, as
	/// the crow flies, in world units. A limited search that finds no place nearer than that is in
	/// a dead end, and ignores its limits until it finds one. So every partial path leads nearer
	/// than all before, and the goal is reached if it can be. 0 means that dead ends are not
	/// perceived.
	double dead_end_distance;

	/// For NC_ROUTE_WEIGHTED: the ground, and what the agent makes of it. Both must outlive the
	/// query. If one is NULL, the ground makes no difference.
	const NcTerrain* terrain;
	const NcTerrainProfile* profile;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcPathDef;

/// Enough for the shortest route of all in worlds with some dozen obstacles between start and goal.
#define NC_DEFAULT_CORRIDOR_BUDGET 1000

NC_API NcPathDef nc_default_path_def(void);

typedef enum NcPathOutcome
{
	NC_PATH_FOUND,
	NC_PATH_NONE,          ///< start and goal are free, but no way in between is wide enough
	NC_PATH_START_BLOCKED, ///< the disc does not fit at the start
	NC_PATH_GOAL_BLOCKED,  ///< the disc does not fit at the goal
	NC_PATH_OUT_OF_MEMORY, ///< the query could not grow its working memory
	/// A limit was reached. The path leads to the place nearest to the goal, as the crow flies,
	/// that was found so far; see nc_query_continue_path().
	NC_PATH_PARTIAL,
} NcPathOutcome;

/// @return a sentence for messages, without a full stop
NC_API const char* nc_path_outcome_name(NcPathOutcome outcome);

typedef struct NcPathInfo
{
	NcPathOutcome outcome;
	double length;        ///< of the route, exactly: with its arcs; in world units
	double cost;          ///< the weighted length; equal to `length` unless there is terrain
	double min_clearance; ///< of the medial axis that the path follows, in world units
	int point_count;      ///< see nc_query_get_path_points()
	int event_count;      ///< see nc_query_get_corridor()
	int visited_count;    ///< vertices that the search expanded; portals of the shortest route
	int goal_index;       ///< which of several goals was reached
	double axis_cost;     ///< of the way along the medial axis in the corridor, in world units
	double goal_distance; ///< of a partial path: how far its end is from the goal; else 0

	/// The widest passage that the search met and found too narrow, in world units; 0 if none. A
	/// smaller disc, but still larger than this, has the same corridor, as far as it was searched.
	double refused_clearance;
} NcPathInfo;

/// Search the path with the shortest way along the medial axis, by A*. Keep the result in the query
/// until its next search or the next update of the map.
/// @param info receives the outcome; zero counts and lengths unless there is a path, whole or
/// partial
/// @return whether a whole path was found
NC_API bool nc_query_find_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info);

/// Go on with the last search of this query, which ended at a limit, for as many iterations or as
/// much time again. If the map was updated since, the search begins anew.
/// @param def that of the search; only its limits may differ
NC_API bool nc_query_continue_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info);

/// The points of the path that was found last, from start to goal. A disc of the radius searched
/// for can walk along them.
/// @return their number; at most `capacity` are written
NC_API int nc_query_get_path_points(const NcQuery* query, NcVec2* points, int capacity);

/// The corridor of the path that was found last: the events of the medial axis from start to goal,
/// with left and right as seen when walking. The first and last event are the retractions of start
/// and goal. A route over terrain that differs from the shortest one has none yet.
/// @return their number; at most `capacity` are written
NC_API int nc_query_get_corridor(const NcQuery* query, NcMapEvent* events, int capacity);

/// How many boxes a watch has.
#define NC_WATCH_BOX_COUNT 16

/// What a path depends on: a small value that whoever follows the path keeps, to learn whether an
/// update of the map concerns it. Fill it with nc_query_watch_path().
typedef struct NcPathWatch
{
	uint32_t revision; ///< of the map, up to which the path is known to be good; 0: no path
	int box_count;
	NcBox boxes[NC_WATCH_BOX_COUNT]; ///< contain the corridor's axis, and the disc on its way
} NcPathWatch;

/// Watch the path that was found last.
/// @return false, with a watch that is always stale, if there is none
NC_API bool nc_query_watch_path(const NcQuery* query, NcPathWatch* watch);

/// Ask whether updates may have changed anything on a path since it was found. Costs time
/// proportional to what changed since the last question. Updates elsewhere, which can at most open
/// a shorter way, do not count; neither do staged edits.
/// @return whether it is stale: repair it, or search again. Otherwise it is good
NC_API bool nc_map_is_path_stale(const NcMap* map, NcPathWatch* watch);

/// The vertices of the medial axis that the path found last passes, from start to goal: what is
/// needed to repair it.
/// @return their number; at most `capacity` are written
NC_API int nc_query_get_path_vertices(const NcQuery* query, NcVec2* vertices, int capacity);

/// Repair a path after an update: what is left of it before and after the change is kept, and only
/// the part in between is searched for. The start may have moved along the path. Finds a path if
/// there is one; where the map has changed much, it may be longer than a new search would find.
/// Weighted routes are searched for anew.
/// @param def what the path was searched with, and where the agent is now; several goals, penalties
/// and limits do not count
/// @param vertices of the path, from nc_query_get_path_vertices()
/// @return as nc_query_find_path(), whose result it replaces
NC_API bool nc_query_repair_path(NcQuery* query, const NcPathDef* def, const NcVec2* vertices,
	int vertex_count, NcPathInfo* info);
