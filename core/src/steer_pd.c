// SPDX-License-Identifier: MIT
// Path following by a proportional derivative controller.
//
// The agent has a heading theta, a speed v along it and an angular speed omega. The desired
// position lies a little ahead on the route; from it follow a desired state and the controls:
//
//      omega^ = k_theta (theta^ - theta)            theta^ faces the desired position
//      v^     = V                                   if |theta^ - theta| <= theta_turn
//               a small speed                       otherwise: slow down and turn around
//               k_p |p^ - p|                        near the goal
//      a      = k_v (v^ - v)
//      alpha  = k_omega (omega^ - omega)
//
// Gains that are high for the time step make it swing, so they are cut to what a step can undo. The
// desired position is one that the disc can reach straight. The paper plans around other
// characters; here their force is added as in the other methods.
//
// This work is based on:
// Kuffner. Goal-Directed Navigation for Animated Characters Using Real-Time Path Planning and
// Control. 1998, section 7

#include "steer_state.h"

#define PI 3.14159265358979323846

// The speed of an agent that faces the wrong way, as a part of its top speed.
#define TURN_SPEED 0.2

// The difference of two angles, from -pi to pi.
static double wrap(double angle)
{
	return angle - 2.0 * PI * floor(angle / (2.0 * PI) + 0.5);
}

static double compute_desired_speed(const NcSteerStep* step, double error)
{
	const NcAgent* agent = step->agent;
	const NcSteerDef* def = step->def;
	if (fabs(error) > def->theta_turn)
	{
		return TURN_SPEED * agent->max_speed;
	}
	double length = nc_steer_route_length(step->route);
	double rest = agent->attraction >= length
					  ? nc_distance(agent->position, agent->attraction_point)
					  : length - agent->reference;
	return nc_min(agent->max_speed, def->k_p * rest);
}

// The velocity that the controls lead to.
static NcVec2 compute_velocity(const NcSteerStep* step, double* heading, double* angular_speed)
{
	const NcAgent* agent = step->agent;
	const NcSteerDef* def = step->def;
	double dt = step->dt;
	NcVec2 to = nc_sub(agent->attraction_point, agent->position);
	double error = wrap(nc_atan2(to.y, to.x) - agent->heading);
	double desired = nc_min(def->k_theta, 0.5 / dt) * error;
	double alpha = nc_min(def->k_omega, 1.0 / dt) * (desired - agent->angular_speed);
	double speed = nc_dot(agent->velocity, nc_direction(agent->heading));
	double a = nc_min(def->k_v, 1.0 / dt) * (compute_desired_speed(step, error) - speed);
	*angular_speed = agent->angular_speed + alpha * dt;
	*heading = wrap(agent->heading + *angular_speed * dt);
	return nc_scale(nc_max(speed + a * dt, 0.0), nc_direction(*heading));
}

// An agent that moves faces where it goes, whatever has turned it.
static void face_velocity(NcAgent* agent, double dt, double heading, double angular_speed)
{
	if (nc_length(agent->velocity) > 1e-6 * agent->max_speed)
	{
		double last = agent->heading;
		agent->heading = nc_atan2(agent->velocity.y, agent->velocity.x);
		agent->angular_speed = wrap(agent->heading - last) / dt;
		return;
	}
	agent->heading = heading;
	agent->angular_speed = angular_speed;
}

NcSteerOutcome nc_steer_step_pd(NcQuery* query, const NcSteerRoute* route, const NcSteerDef* def,
	const NcNeighbor* neighbors, int neighbor_count, double dt, NcAgent* agent)
{
	NcSteerStep step = {query, route, def, neighbors, neighbor_count, dt, agent};
	NcSteerOutcome outcome = nc_steer_begin(&step);
	if (outcome != NC_STEER_WALKING)
	{
		return outcome;
	}
	nc_steer_update_reference(&step);
	double length;
	while (!nc_steer_find_visible(&step, agent->reference + def->attraction_distance, &length))
	{
		if (!nc_steer_relax(&step))
		{
			return nc_steer_lose(&step);
		}
	}
	nc_steer_attract(&step, length);
	step.is_frictionless = true;
	double heading, angular_speed;
	NcVec2 velocity = compute_velocity(&step, &heading, &angular_speed);
	NcVec2 force = nc_scale(1.0 / dt, nc_sub(velocity, agent->velocity));
	NcVec2 away = nc_steer_compute_neighbor_force(&step);
	force = nc_add(force, away);
	outcome =
		nc_steer_finish(&step, nc_add(force, nc_steer_compute_side_force(&step, force, away)));
	face_velocity(agent, dt, heading, angular_speed);
	return outcome;
}
