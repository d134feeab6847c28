// SPDX-License-Identifier: MIT
// What all steering methods share: routes, and one step from its first check to the new state. In
// world units.
#pragma once

#include "nav_corridor/steer.h"
#include "query_state.h"

/// A point of a route.
typedef struct NcSteerSample
{
	NcVec2 position;
	double length; ///< from the start of the route
} NcSteerSample;

/// A route is cut into this many pieces of the same length, to say at once how much room there may
/// be.
#define NC_STEER_PIECE_COUNT 32

struct NcSteerRoute
{
	NcArray(NcVec2) points;
	NcArray(double) lengths; ///< of each point from the start
	/// Samples lie evenly along each segment, all points included: the number of each point's.
	NcIntArray samples;
	double step;                                 ///< the largest length between samples
	double radius;                               ///< what it was checked for
	double clearances[NC_STEER_PIECE_COUNT + 1]; ///< at the ends of the pieces
	uint32_t revision;                           ///< of the map that they were measured in
};

static inline double nc_steer_route_length(const NcSteerRoute* route)
{
	return route->lengths.data[route->lengths.count - 1];
}

/// The segment of a route that a length belongs to: from 0 to point count - 2.
int nc_steer_route_find_segment(const NcSteerRoute* route, double length);

/// The number of the last sample, which is the goal. The first is 0.
static inline int nc_steer_route_last_sample(const NcSteerRoute* route)
{
	return route->samples.data[route->samples.count - 1];
}

NcSteerSample nc_steer_route_get_sample(const NcSteerRoute* route, int index);

/// The most that the clearance at a length can be, from what was measured nearby: it grows no
/// faster than the way. Infinity if the map has changed since.
double nc_steer_route_bound_clearance(
	const NcQuery* query, const NcSteerRoute* route, double length);

/// One step, with what is known about the agent's place.
typedef struct NcSteerStep
{
	NcQuery* query;
	const NcSteerRoute* route;
	const NcSteerDef* def;
	const NcNeighbor* neighbors;
	int neighbor_count;
	double dt;
	NcAgent* agent;
	NcNearest nearest; ///< of the agent's position, in snaps
	double clearance;  ///< of the agent's position
	NcVec2 closest;    ///< the nearest obstacle point
	/// With which steps are checked: less than that, so that rounding cannot refuse a way along a
	/// tangent.
	double check_radius;
	bool is_frictionless;   ///< forces are accelerations
	bool is_original;       ///< nothing but forces leads past neighbours, as in the original method
	double last_attraction; ///< before this step
	double plan_radius; ///< with which the agent plans: a little more than its own if there is room
} NcSteerStep;

/// Begin a step: check everything, find the place of the agent.
/// @return NC_STEER_WALKING to go on; otherwise the step is over
NcSteerOutcome nc_steer_begin(NcSteerStep* step);

/// Plan a little closer to the walls: the last step was checked that way, so its attraction point
/// is visible again. @return false if the disc touches already
bool nc_steer_relax(NcSteerStep* step);

/// Move the reference point: the first closest point between itself and the attraction point.
void nc_steer_update_reference(NcSteerStep* step);

/// Set the attraction point. It never goes back behind the reference point.
void nc_steer_attract(NcSteerStep* step, double length);

/// Find the farthest point of the route, from the reference point to a length, that the disc can
/// reach straight.
/// @return false if there is none
bool nc_steer_find_visible(const NcSteerStep* step, double to, double* length);

/// Find the farthest point of the route, from its end back to the attraction point, whose clearance
/// disc holds the agent (definition 1). @return false if there is none that leads on
bool nc_steer_find_enclosing(const NcSteerStep* step, double* length, double* clearance);

/// The forces of the papers.
NcVec2 nc_steer_compute_steering_force(const NcSteerStep* step);
NcVec2 nc_steer_compute_boundary_force(const NcSteerStep* step);
NcVec2 nc_steer_compute_neighbor_force(const NcSteerStep* step);

/// What neighbours ahead hold back, sideways: see NcSteerDef::c_side.
/// @param force the sum of all forces; @param away that of the neighbours
NcVec2 nc_steer_compute_side_force(const NcSteerStep* step, NcVec2 force, NcVec2 away);

/// Integrate a force, within what the agent can do and where it can stop.
NcSteerOutcome nc_steer_finish(NcSteerStep* step, NcVec2 force);

/// End a step without an attraction point: brake.
NcSteerOutcome nc_steer_lose(NcSteerStep* step);

/// How a method chooses its attraction point.
/// @param length receives where it is on the route
/// @return false if there is none
typedef bool NcSteerChooseFn(const NcSteerStep* step, double* length);

/// A whole step of the methods that differ in their attraction point only: improved CMM, IRM,
/// MIRAN.
NcSteerOutcome nc_steer_walk(NcSteerStep* step, NcSteerChooseFn* choose);

/// How much the disc plans to keep away beyond its radius.
double nc_steer_get_margin(const NcMap* map, double radius);

/// Whether a disc can walk straight, in world units.
static inline bool nc_steer_is_free(const NcQuery* query, NcVec2 a, NcVec2 b, double radius)
{
	const NcMap* map = query->map;
	return nc_locate_is_segment_free(&map->world.diagram, nc_map_to_snaps(map, a),
		nc_map_to_snaps(map, b), radius * map->inverse_snap);
}

/// Find the nearest obstacle of a point. @return false if the point is not free
static inline bool nc_steer_locate(const NcQuery* query, NcVec2 p, NcNearest* nearest)
{
	const NcMap* map = query->map;
	return nc_locate_nearest(&map->world.diagram, nc_map_to_snaps(map, p), nearest) &&
		   nearest->is_free;
}
