// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/query.h"

/// Steering: from an indicative route to motion. Each method of the literature is one step function
/// over plain agent states that lie in the caller's arrays.
///
/// Whatever the method, the time step and the forces do, after every step the clearance of an agent
/// is at least its radius, if it was before; and its velocity has changed by no more than
/// max_acceleration * dt. The first follows from the second: a step is only taken if the agent
/// could still stop on free ground afterwards, and otherwise it brakes.

/// The longest time step, in seconds.
#define NC_STEER_MAX_DT 1.0

/// A route for a disc, prepared for steering. Immutable; any number of threads and agents may share
/// it.
typedef struct NcSteerRoute NcSteerRoute;

/// Prepare a route. It is copied. A disc of the radius must fit everywhere on it with a little to
/// spare: nc_steer_get_route_radius() says for which radius to search.
/// @param route receives the new route, or NULL on failure
/// @return NC_INVALID_INPUT, naming the bad point or segment, for a route of fewer than two
/// different points, of what is not a number, or where the disc does not fit
NC_API NcStatus nc_steer_route_create(NcQuery* query, const NcVec2* points, int point_count,
	double radius, NcSteerRoute** route, NcError* error);

/// After updates of the map: check whether the disc still fits along a route, from a length on. If
/// it does, the route is good for the map as it is now. Only what changed is looked at.
/// @param from a length from the start, at most that of the route
/// @param since the revision of the map for which the route is known to be good
/// @return false if it is blocked: plan a new one
NC_API bool nc_steer_route_recheck(
	NcQuery* query, const NcSteerRoute* route, double from, uint32_t since);

/// Destroy a route. NULL is allowed.
NC_API void nc_steer_route_destroy(NcSteerRoute* route);

/// @return the length of a route, in world units
NC_API double nc_steer_route_get_length(const NcSteerRoute* route);

/// @return the point of a route at a length from its start
NC_API NcVec2 nc_steer_route_get_point(const NcSteerRoute* route, double length);

/// @return the radius to search routes with for agents of a radius on a map
NC_API double nc_steer_get_route_radius(const NcMap* map, double radius);

/// The state of an agent. Initialize with nc_steer_make_agent().
typedef struct NcAgent
{
	NcVec2 position;
	NcVec2 velocity; ///< in world units a second
	double radius;
	double max_speed;
	double max_acceleration; ///< a_max of the 2008 paper, in world units a second squared
	double reference;        ///< the reference point: how far along its route it has come
	double attraction;       ///< the attraction point of the last step, as a length along the route
	NcVec2 attraction_point; ///< the same as a position
	double stall_time;       ///< how long it has not come forward, in seconds
	bool has_arrived;

	// Of nc_steer_step_pd() only.
	double heading;       ///< where it faces, in radians
	double angular_speed; ///< in radians a second
} NcAgent;

/// @return an agent that stands at the start of a route, with the papers' a_max of 5
NC_API NcAgent nc_steer_make_agent(const NcSteerRoute* route, double radius, double max_speed);

/// Another agent, or a character that stands: something round to keep away from.
typedef struct NcNeighbor
{
	NcVec2 position, velocity;
	double radius;
} NcNeighbor;

typedef enum NcIntegrator
{
	NC_INTEGRATOR_VERLET, ///< as in the 2008 paper
	NC_INTEGRATOR_EULER,  ///< semi-implicit
} NcIntegrator;

/// How the improved corridor map method chooses its attraction point (2008, sections 3 and 6).
typedef enum NcAttraction
{
	NC_ATTRACTION_CLEARANCE, ///< the farthest point whose clearance disc holds the agent
	NC_ATTRACTION_DISTANCE,  ///< at `attraction_distance` along the route from the agent
	NC_ATTRACTION_SPEED,     ///< moves at the agent's top speed, but waits if the agent lags behind
	NC_ATTRACTION_VISIBILITY, ///< the farthest visible point within `attraction_distance`
} NcAttraction;

/// The parameters of all methods, named as in the papers. Initialize with nc_default_steer_def().
typedef struct NcSteerDef
{
	NcIntegrator integrator;
	double c_s;   ///< strength of the steering force; default 1
	double c_b;   ///< factor of the boundary force; default 1
	double c_obs; ///< factor of the force away from neighbours; default 1

	/// How much of the steering force neighbours that stand ahead may take away before the agent is
	/// turned aside, from 0 to 1; default 0.5. With 0 there are the published forces only, which
	/// may cancel out. Not for the original method.
	double c_side;

	double d_safe; ///< preferred distance from the border; negative (default): the radius

	/// How fast the velocity follows the forces, in seconds; default 0.25. An agent that only feels
	/// the steering force walks at its top speed.
	double tau;

	NcAttraction attraction;    ///< for the improved method
	double attraction_distance; ///< in world units; also that of the controller; default 5

	/// Only keep away from neighbours that lie ahead, as in figure 6 of the 2008 paper.
	bool is_looking_ahead;

	double sigma; ///< MIRAN's shortcut parameter, in world units along the route; default 40
	double d;     ///< MIRAN's sampling distance, at most sigma; default 10

	/// MIRAN's ground, and what the agent makes of it. Without them the ground makes no difference.
	const NcTerrain* terrain;
	const NcTerrainProfile* profile;

	// Gains of the proportional derivative controller, as in the paper of 1998.
	double k_p;        ///< position; default 1
	double k_theta;    ///< orientation; default 5
	double k_v;        ///< linear speed; default 5
	double k_omega;    ///< angular speed; default 10
	double theta_turn; ///< who faces farther away than this slows down, in radians; default pi / 4

	/// An agent has arrived at this distance from the goal, in world units; default 0.01. It then
	/// stops at once if its speed allows.
	double arrival_distance;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcSteerDef;

NC_API NcSteerDef nc_default_steer_def(void);

/// Check parameters before the first step.
/// @return NC_INVALID_INPUT with a reason for those that make no sense: not a number, sigma or d
/// not above zero, d above sigma, more than 4096 samples, negative weights
NC_API NcStatus nc_steer_check(const NcSteerDef* def, NcError* error);

typedef enum NcSteerOutcome
{
	NC_STEER_WALKING,
	NC_STEER_ARRIVED, ///< it stands at the goal
	/// No part of the route ahead can be reached straight: the agent brakes. Plan a new route from
	/// where it is: nc_steer_route_replan().
	NC_STEER_LOST,
	NC_STEER_STUCK,   ///< the disc does not fit where it is: it does not move
	NC_STEER_INVALID, ///< parameters, time step or state are nonsense: it does not move
} NcSteerOutcome;

/// @return a sentence for messages, without a full stop
NC_API const char* nc_steer_outcome_name(NcSteerOutcome outcome);

/// One step of a method: choose an attraction point, add the forces, integrate. Never allocates.
/// @param dt in seconds, above zero and at most NC_STEER_MAX_DT
typedef NcSteerOutcome NcSteerStepFn(NcQuery* query, const NcSteerRoute* route,
	const NcSteerDef* def, const NcNeighbor* neighbors, int neighbor_count, double dt,
	NcAgent* agent);

/// The corridor map method of 2007: the attraction point is the farthest point of the backbone path
/// whose clearance disc holds the agent (definition 1), and F_a pulls it there.
NC_API NcSteerStepFn nc_steer_step_cmm;

/// The improved method of 2008: F_s towards an attraction point, F_b away from the border, F_obs.
NC_API NcSteerStepFn nc_steer_step_improved;

/// The indicative route method of 2009: the attraction point is the farthest point of the route in
/// the clearance disc around the agent's retraction.
NC_API NcSteerStepFn nc_steer_step_irm;

/// MIRAN of 2013, for discs: of the points of the route that the disc can reach straight, within
/// sigma of the reference point, the one with the least weight.
NC_API NcSteerStepFn nc_steer_step_miran;

/// Path following of 1998: a proportional derivative controller of heading and speed, towards the
/// point of the route at `attraction_distance`, or the farthest before it that the disc can reach
/// straight.
NC_API NcSteerStepFn nc_steer_step_pd;

/// Push an agent from outside: as far as the free space allows, straight. Its velocity is cut to
/// what it can stop from.
NC_API void nc_steer_push(NcQuery* query, NcVec2 displacement, NcAgent* agent);

/// Plan a new route from an agent to the goal of its old one, and put the agent at its start.
/// @return NC_NOT_FOUND if there is no way; then the old route stays
NC_API NcStatus nc_steer_route_replan(NcQuery* query, NcSteerRoute* route, NcAgent* agent);

/// How good a path is that was walked with even time steps.
typedef struct NcPathMetrics
{
	double length;
	/// Mean of 1 / rho over all points but the ends, rho the radius of the circle through a point,
	/// its predecessor and its successor, as the 2008 paper defines it. Steps that are cut short
	/// count as any other.
	double mean_curvature;
	double min_clearance, mean_clearance;
	double mean_acceleration, max_acceleration; ///< sizes of second differences by dt^2
	double mean_jerk;                           ///< size of third differences by dt^3
	double time;
	/// Time on each type of terrain, in seconds: each step counts by how much of it lies on a type.
	double times[NC_TERRAIN_TYPE_COUNT];
} NcPathMetrics;

/// Measure a path.
/// @param terrain NULL: everything is ground
NC_API NcPathMetrics nc_path_measure(
	NcQuery* query, const NcTerrain* terrain, const NcVec2* points, int point_count, double dt);
