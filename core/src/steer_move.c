// SPDX-License-Identifier: MIT
// Moving an agent: from the sum of the forces to its new state, and pushes from outside.
//
// The step keeps one invariant: after it, the agent could brake on a straight line and stay on free
// ground. A step that would break it is not taken. What is always left is to brake, and that is
// safe because the last step was:
//
//      x ---D---> x' ---- v'^2 / 2a ----|     all of this must be free
//
// So clearance never falls below the radius, and the velocity never changes by more than a dt. As
// the attraction point must be visible from everywhere between x' and that stop, an agent that
// nobody pushes never loses its route either.

#include "steer_state.h"
#include "steer_visibility.h"

// An agent that has not come forward for this long, in seconds, walks straight to its attraction
// point: forces may balance each other.
#define MAX_STALL 1.0

static NcVec2 limit_length(NcVec2 v, double limit)
{
	double length = nc_length(v);
	return length > limit ? nc_scale(limit / length, v) : v;
}

// What a step does: where it leads, and with which velocity.
typedef struct Move
{
	NcVec2 displacement, velocity;
} Move;

static Move integrate(const NcSteerStep* step, NcVec2 velocity, bool is_euler)
{
	const NcAgent* agent = step->agent;
	Move move = {.velocity = velocity};
	if (is_euler || step->def->integrator == NC_INTEGRATOR_EULER)
	{
		move.displacement = nc_scale(step->dt, velocity);
		return move;
	}
	move.displacement = nc_scale(0.5 * step->dt, nc_add(agent->velocity, velocity));
	if (velocity.x == 0.0 && velocity.y == 0.0)
	{
		// It stops within the step, as fast as it can.
		double speed = nc_length(agent->velocity);
		double time = nc_min(speed / agent->max_acceleration, step->dt);
		move.displacement = nc_scale(0.5 * time, agent->velocity);
	}
	return move;
}

static bool is_safe(const NcSteerStep* step, const Move* move, double radius)
{
	const NcAgent* agent = step->agent;
	double speed = nc_length(move->velocity);
	double brake_time = 0.5 * speed / agent->max_acceleration;
	double way = nc_length(move->displacement);
	double room = step->clearance - radius;
	if (way + speed * brake_time <= room)
	{
		return true;
	}
	NcVec2 next = nc_add(agent->position, move->displacement);
	NcVec2 stop = nc_mul_add(next, brake_time, move->velocity);
	double bend = fabs(nc_cross(move->displacement, nc_scale(brake_time, move->velocity)));
	bool is_straight = bend <= 1e-12 * way * speed * brake_time &&
					   nc_dot(move->displacement, move->velocity) >= 0.0;
	bool is_free = is_straight ? nc_steer_is_free(step->query, agent->position, stop, radius)
							   : nc_steer_is_free(step->query, agent->position, next, radius) &&
									 nc_steer_is_free(step->query, next, stop, radius);
	// A check with more than the radius needs no second one: what it tolerates is less than that.
	bool is_wide = radius > agent->radius * (1.0 + 1e-8);
	NcNearest nearest;
	return is_free && (way <= room || is_wide ||
						  (nc_steer_locate(step->query, next, &nearest) &&
							  step->query->map->snap * nearest.distance >= agent->radius));
}

// Whether a step and the way to stop after it keep clear of all neighbours where they are now. Who
// overlaps already may only move apart.
static bool is_clear_of_neighbors(const NcSteerStep* step, NcVec2 next, NcVec2 stop)
{
	NcVec2 x = step->agent->position;
	for (int i = 0; i < step->neighbor_count; ++i)
	{
		NcVec2 other = step->neighbors[i].position;
		double least = step->neighbors[i].radius + step->agent->radius;
		least = nc_min(least, nc_distance(x, other));
		double first = nc_distance(other, nc_closest_on_segment(other, x, next));
		double second = nc_distance(other, nc_closest_on_segment(other, next, stop));
		if (nc_min(first, second) < least * (1.0 - 1e-12))
		{
			return false;
		}
	}
	return true;
}

// Whether the attraction point can be reached straight from everywhere between two points.
static bool keeps_view(const NcSteerStep* step, NcVec2 next, NcVec2 stop)
{
	const NcMap* map = step->query->map;
	const NcAgent* agent = step->agent;
	double room = step->clearance - step->check_radius;
	if (nc_distance(agent->position, agent->attraction_point) <= room)
	{
		return true;
	}
	NcHidden hidden;
	nc_visibility_find_hidden(&map->world.diagram, nc_map_to_snaps(map, agent->attraction_point),
		step->check_radius * map->inverse_snap, nc_map_to_snaps(map, next),
		nc_map_to_snaps(map, stop), &hidden);
	return hidden.count == 0;
}

static bool try_velocity(NcSteerStep* step, NcVec2 velocity, bool is_euler, bool must_see)
{
	NcAgent* agent = step->agent;
	double change = agent->max_acceleration * step->dt;
	double radius = must_see ? step->check_radius : agent->radius;
	NcVec2 limited =
		nc_add(agent->velocity, limit_length(nc_sub(velocity, agent->velocity), change));
	Move move = integrate(step, limited, is_euler);
	if (!is_safe(step, &move, radius))
	{
		return false;
	}
	NcVec2 next = nc_add(agent->position, move.displacement);
	double brake_time = 0.5 * nc_length(move.velocity) / agent->max_acceleration;
	NcVec2 stop = nc_mul_add(next, brake_time, move.velocity);
	if (must_see && (!is_clear_of_neighbors(step, next, stop) || !keeps_view(step, next, stop)))
	{
		return false;
	}
	agent->position = next;
	agent->velocity = move.velocity;
	return true;
}

static void brake(NcSteerStep* step)
{
	NcAgent* agent = step->agent;
	double speed = nc_length(agent->velocity);
	double slower = nc_max(speed - agent->max_acceleration * step->dt, 0.0);
	NcVec2 velocity = speed > 0.0 ? nc_scale(slower / speed, agent->velocity) : agent->velocity;
	// The last attraction point stays in view, whatever the new one does.
	nc_steer_attract(step, step->last_attraction);
	if (!try_velocity(step, velocity, false, false))
	{
		// Somebody pushed it, or moved the walls: nothing but standing still is safe.
		agent->velocity = (NcVec2){0.0, 0.0};
	}
}

NcSteerOutcome nc_steer_lose(NcSteerStep* step)
{
	brake(step);
	return NC_STEER_LOST;
}

// How far the agent still has to go: never more than it really is.
static double compute_rest(const NcSteerStep* step, bool is_final)
{
	const NcAgent* agent = step->agent;
	double rest = nc_steer_route_length(step->route) - agent->reference;
	return is_final ? nc_distance(agent->position, agent->attraction_point) : rest;
}

// Stop at the goal if the velocity that the step began with allows it.
static bool arrive(NcSteerStep* step, double rest, double speed)
{
	NcAgent* agent = step->agent;
	bool is_slow = speed <= agent->max_acceleration * step->dt;
	if (rest <= step->def->arrival_distance && is_slow)
	{
		agent->velocity = (NcVec2){0.0, 0.0};
		agent->has_arrived = true;
	}
	return agent->has_arrived;
}

// Walk past the nearest neighbour: drop what leads towards it.
static bool try_sidestep(NcSteerStep* step, NcVec2 velocity)
{
	const NcAgent* agent = step->agent;
	NcVec2 toward = {0.0, 0.0};
	double best = HUGE_VAL;
	for (int i = 0; i < step->neighbor_count; ++i)
	{
		NcVec2 to = nc_sub(step->neighbors[i].position, agent->position);
		double gap = nc_length(to) - step->neighbors[i].radius;
		if (gap < best && nc_dot(to, velocity) > 0.0)
		{
			best = gap;
			toward = nc_normalize(to);
		}
	}
	if (best == HUGE_VAL)
	{
		return false;
	}
	// Always past the same side: the one where the attraction point is.
	NcVec2 way = nc_sub(agent->attraction_point, agent->position);
	double side = nc_cross(toward, way) < 0.0 ? -1.0 : 1.0;
	NcVec2 along = nc_scale(side * nc_length(velocity), nc_perp(toward));
	return try_velocity(step, along, false, true);
}

// Close to a neighbour the published force away from it grows without limit, so that nothing else
// counts: turn away as hard as the agent can.
static bool try_repulsion(NcSteerStep* step, double speed_limit)
{
	const NcAgent* agent = step->agent;
	NcVec2 away = {0.0, 0.0};
	double best = HUGE_VAL;
	for (int i = 0; i < step->neighbor_count; ++i)
	{
		NcVec2 from = nc_sub(agent->position, step->neighbors[i].position);
		double gap = nc_length(from) - step->neighbors[i].radius;
		if (gap < best)
		{
			best = gap;
			away = nc_normalize(from);
		}
	}
	NcVec2 velocity = nc_mul_add(agent->velocity, agent->max_acceleration * step->dt, away);
	return best < HUGE_VAL && try_velocity(step, limit_length(velocity, speed_limit), false, true);
}

// How fast the agent may be so that it can stop in time. Braking takes a quarter of what it can do;
// the rest is for turning, and who heads elsewhere has to turn first.
static double compute_speed_limit(const NcSteerStep* step, double rest, NcVec2 way)
{
	const NcAgent* agent = step->agent;
	double heading = nc_dot(nc_normalize(agent->velocity), nc_normalize(way));
	double share = 0.5 * nc_clamp(heading, 0.1, 1.0);
	return nc_min(agent->max_speed, sqrt(share * agent->max_acceleration * rest));
}

// Within the time tau the velocity follows the forces, and the steering force alone just keeps up
// the top speed.
static NcVec2 add_friction(const NcSteerStep* step, NcVec2 force)
{
	const NcAgent* agent = step->agent;
	double friction = 1.0 / nc_max(step->def->tau, step->dt);
	double scale = friction * agent->max_speed / nc_max(step->def->c_s, 1e-9);
	force = nc_sub(nc_scale(scale, force), nc_scale(friction, agent->velocity));
	return limit_length(force, agent->max_acceleration);
}

NcSteerOutcome nc_steer_finish(NcSteerStep* step, NcVec2 force)
{
	NcAgent* agent = step->agent;
	double a = agent->max_acceleration;
	double speed = nc_length(agent->velocity);
	bool is_final = agent->attraction >= nc_steer_route_length(step->route);
	double rest = compute_rest(step, is_final);
	if (is_final && arrive(step, rest, speed))
	{
		return NC_STEER_ARRIVED;
	}
	NcVec2 way = nc_sub(agent->attraction_point, agent->position);
	double distance = nc_length(way);
	double speed_limit = compute_speed_limit(step, rest, way);
	// The step and the way to stop after it must end at the attraction point: v dt + v^2 / 2a.
	double dt = step->dt;
	double direct_speed = nc_min(speed_limit, a * (sqrt(dt * dt + 2.0 * distance / a) - dt));
	NcVec2 direct = nc_scale(direct_speed, nc_normalize(way));
	double pace = nc_max(speed, 0.5 * agent->max_speed);
	bool is_arriving = is_final && rest <= 4.0 * pace * pace / a + 2.0 * pace * step->dt;
	if (!is_arriving && agent->stall_time <= MAX_STALL)
	{
		force = step->is_frictionless ? limit_length(force, a) : add_friction(step, force);
		NcVec2 velocity = nc_mul_add(agent->velocity, step->dt, force);
		velocity = limit_length(velocity, speed_limit);
		if (try_velocity(step, velocity, false, true) ||
			(step->is_original ? try_repulsion(step, speed_limit) : try_sidestep(step, velocity)))
		{
			return NC_STEER_WALKING;
		}
	}
	if (!try_velocity(step, direct, true, true) && !try_sidestep(step, direct))
	{
		brake(step);
	}
	rest = nc_distance(agent->position, agent->attraction_point);
	return is_final && arrive(step, rest, speed) ? NC_STEER_ARRIVED : NC_STEER_WALKING;
}

// Pushing.

// Cut the velocity of an agent to what it can stop from.
static void cut_velocity(NcQuery* query, NcAgent* agent, double radius)
{
	for (int i = 0; i < 8; ++i)
	{
		double speed = nc_length(agent->velocity);
		double brake_time = 0.5 * speed / agent->max_acceleration;
		NcVec2 stop = nc_mul_add(agent->position, brake_time, agent->velocity);
		if (nc_steer_is_free(query, agent->position, stop, radius))
		{
			return;
		}
		agent->velocity = nc_scale(0.5, agent->velocity);
	}
	agent->velocity = (NcVec2){0.0, 0.0};
}

void nc_steer_push(NcQuery* query, NcVec2 displacement, NcAgent* agent)
{
	NcNearest nearest;
	if (!nc_is_finite(displacement) || !nc_steer_locate(query, agent->position, &nearest))
	{
		return;
	}
	double clearance = query->map->snap * nearest.distance;
	double margin = nc_steer_get_margin(query->map, agent->radius);
	double radius = nc_min(agent->radius + margin, clearance);
	double limit = 1e3 * (1.0 + clearance);
	displacement = limit_length(displacement, limit);
	double lower = 0.0;
	double upper = 1.0;
	for (int i = 0; i < 24 && lower < 1.0; ++i)
	{
		double part = i == 0 ? 1.0 : 0.5 * (lower + upper);
		NcVec2 p = nc_mul_add(agent->position, part, displacement);
		bool is_free = nc_steer_is_free(query, agent->position, p, radius) &&
					   nc_steer_locate(query, p, &nearest) &&
					   query->map->snap * nearest.distance >= agent->radius;
		lower = is_free ? part : lower;
		upper = is_free ? upper : part;
	}
	agent->position = nc_mul_add(agent->position, lower, displacement);
	cut_velocity(query, agent, radius);
}

NcSteerOutcome nc_steer_walk(NcSteerStep* step, NcSteerChooseFn* choose)
{
	NcSteerOutcome outcome = nc_steer_begin(step);
	if (outcome != NC_STEER_WALKING)
	{
		return outcome;
	}
	nc_steer_update_reference(step);
	double length;
	while (!choose(step, &length))
	{
		if (!nc_steer_relax(step))
		{
			return nc_steer_lose(step);
		}
	}
	nc_steer_attract(step, length);
	NcVec2 force =
		nc_add(nc_steer_compute_steering_force(step), nc_steer_compute_boundary_force(step));
	NcVec2 away = nc_steer_compute_neighbor_force(step);
	force = nc_add(force, away);
	return nc_steer_finish(step, nc_add(force, nc_steer_compute_side_force(step, force, away)));
}
