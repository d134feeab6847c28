// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/map.h"

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
/// rounding. That is the point itself if the disc fits there. Costs time proportional to the map.
/// @param radius zero or more, in world units
/// @return false, and nothing is written, if the disc fits nowhere, or for what is not a number
NC_API bool nc_query_find_free_point(NcQuery* query, NcVec2 point, double radius, NcVec2* found);

/// @return whether a disc can move straight from a to b: every point in between has at least this
/// clearance, in world units
NC_API bool nc_query_is_segment_free(NcQuery* query, NcVec2 a, NcVec2 b, double radius);

typedef enum NcRouteKind
{
	NC_ROUTE_MEDIAL,   ///< along the medial axis: as far from everything as possible
	NC_ROUTE_SHORTEST, ///< straight lines and arcs around corners; see corridor_budget
} NcRouteKind;

/// What to search. Initialize with nc_default_path_def().
typedef struct NcPathDef
{
	NcVec2 start, goal;

	/// The disc that must fit everywhere on the path. Zero or more, in world units.
	double radius;

	NcRouteKind route;

	/// How many steps the shortest route may spend on looking beyond the corridor that the medial
	/// axis prefers. With enough of them it is the shortest of all; 0 keeps to that corridor.
	int corridor_budget;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcPathDef;

/// Enough for the shortest route of all in worlds with some hundred corners between start and
/// goal.
#define NC_DEFAULT_CORRIDOR_BUDGET 2000

NC_API NcPathDef nc_default_path_def(void);

typedef enum NcPathOutcome
{
	NC_PATH_FOUND,
	NC_PATH_NONE,          ///< start and goal are free, but no way in between is wide enough
	NC_PATH_START_BLOCKED, ///< the disc does not fit at the start
	NC_PATH_GOAL_BLOCKED,  ///< the disc does not fit at the goal
	NC_PATH_OUT_OF_MEMORY, ///< the query could not grow its working memory
} NcPathOutcome;

/// @return a sentence for messages, without a full stop
NC_API const char* nc_path_outcome_name(NcPathOutcome outcome);

typedef struct NcPathInfo
{
	NcPathOutcome outcome;
	double length;        ///< of the route, exactly: with its arcs; in world units
	double min_clearance; ///< of the medial axis that the path follows, in world units
	int point_count;      ///< see nc_query_get_path_points()
	int event_count;      ///< see nc_query_get_corridor()
	int visited_count;    ///< vertices that the search expanded
} NcPathInfo;

/// Search the path with the shortest way along the medial axis, by A*. Keep the result in the query
/// until its next search or the next update of the map.
/// @param info receives the outcome; zero counts and lengths unless a path was found
/// @return whether a path was found
NC_API bool nc_query_find_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info);

/// The points of the path that was found last, from start to goal. A disc of the radius searched
/// for can walk along them.
/// @return their number; at most `capacity` are written
NC_API int nc_query_get_path_points(const NcQuery* query, NcVec2* points, int capacity);

/// The corridor of the path that was found last: the events of the medial axis from start to goal,
/// with left and right as seen when walking. The first and last event are the retractions of start
/// and goal.
/// @return their number; at most `capacity` are written
NC_API int nc_query_get_corridor(const NcQuery* query, NcMapEvent* events, int capacity);
