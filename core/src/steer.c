// SPDX-License-Identifier: MIT
// What all steering methods share: checks, reference and attraction points, forces, and the step.
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

#include "check.h"
#include "steer_visibility.h"

#define STEER_DEF_COOKIE 0x4e435354

#define MAX_SAMPLES 4096.0

// An agent that has not come forward for this long, in seconds, walks straight to its attraction
// point: forces may balance each other.
#define MAX_STALL 1.0

// Slower than this part of its top speed, an agent among neighbours is held up by them.
#define BALANCED_SPEED 0.3

NcSteerDef nc_default_steer_def(void)
{
	return (NcSteerDef){.c_s = 1.0,
		.c_b = 1.0,
		.c_obs = 1.0,
		.d_safe = -1.0,
		.tau = 0.25,
		.attraction_distance = 5.0,
		.sigma = 40.0,
		.d = 10.0,
		.arrival_distance = 0.01,
		.cookie = STEER_DEF_COOKIE};
}

static bool is_good(double value)
{
	return value >= 0.0 && isfinite(value);
}

NcStatus nc_steer_check(const NcSteerDef* def, NcError* error)
{
	if (!is_good(def->c_s) || !is_good(def->c_b) || !is_good(def->c_obs) || !isfinite(def->d_safe))
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"c_s, c_b, c_obs and d_safe must be finite, and the first three not negative");
	}
	if (!(def->attraction_distance > 0.0) || !isfinite(def->attraction_distance) ||
		!(def->arrival_distance > 0.0) || !isfinite(def->arrival_distance) || !(def->tau > 0.0) ||
		!isfinite(def->tau))
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"tau, the attraction and the arrival distance must be finite and above zero");
	}
	if (!(def->sigma > 0.0) || !isfinite(def->sigma))
	{
		return nc_fail(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "sigma must be finite and above zero");
	}
	if (!(def->d > 0.0) || !(def->d <= def->sigma))
	{
		return nc_fail(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "d must be above zero and at most sigma");
	}
	if (def->sigma > MAX_SAMPLES * def->d)
	{
		return nc_fail(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "sigma must be at most 4096 times d");
	}
	return def->profile != NULL ? nc_terrain_profile_check(def->profile, error) : NC_OK;
}

const char* nc_steer_outcome_name(NcSteerOutcome outcome)
{
	switch (outcome)
	{
	case NC_STEER_WALKING:
		return "walking";
	case NC_STEER_ARRIVED:
		return "arrived";
	case NC_STEER_LOST:
		return "no part of the route ahead can be reached straight";
	case NC_STEER_STUCK:
		return "the disc does not fit where the agent is";
	case NC_STEER_INVALID:
		return "parameters, time step or state make no sense";
	}
	return "unknown outcome";
}

// Beginning.

static bool is_state_valid(const NcAgent* agent, double dt)
{
	return dt > 0.0 && dt <= NC_STEER_MAX_DT && nc_is_finite(agent->position) &&
		   nc_is_finite(agent->velocity) && is_good(agent->radius) && agent->max_speed > 0.0 &&
		   isfinite(agent->max_speed) && agent->max_acceleration > 0.0 &&
		   isfinite(agent->max_acceleration) && is_good(agent->reference) &&
		   is_good(agent->attraction);
}

static bool is_def_valid(const NcSteerDef* def)
{
	return def->sigma > 0.0 && def->d > 0.0 && def->d <= def->sigma &&
		   def->sigma <= MAX_SAMPLES * def->d && isfinite(def->c_s + def->c_b + def->c_obs) &&
		   isfinite(def->d_safe) && def->attraction_distance > 0.0 && def->tau > 0.0;
}

// Find the nearest obstacle of a point. @return false if the point is not free
static bool locate(const NcQuery* query, NcVec2 p, NcNearest* nearest)
{
	const NcMap* map = query->map;
	return nc_locate_nearest(&map->world.diagram, nc_map_to_snaps(map, p), nearest) &&
		   nearest->is_free;
}

NcSteerOutcome nc_steer_begin(NcSteerStep* step)
{
	NcAgent* agent = step->agent;
	NC_ASSERT(step->def->cookie == STEER_DEF_COOKIE);
	if (!is_state_valid(agent, step->dt) || !is_def_valid(step->def))
	{
		return NC_STEER_INVALID;
	}
	const NcMap* map = step->query->map;
	if (!locate(step->query, agent->position, &step->nearest))
	{
		return NC_STEER_STUCK;
	}
	step->clearance = map->snap * step->nearest.distance;
	step->closest = nc_map_to_world(map, step->nearest.foot);
	if (step->clearance < agent->radius)
	{
		return NC_STEER_STUCK;
	}
	double margin = nc_steer_get_margin(map, agent->radius);
	step->plan_radius = nc_min(agent->radius + margin, step->clearance);
	step->check_radius = nc_max(step->plan_radius - 0.125 * margin, agent->radius);
	double length = nc_steer_route_length(step->route);
	step->last_attraction = agent->attraction;
	agent->reference = nc_min(agent->reference, length);
	agent->attraction = nc_clamp(agent->attraction, agent->reference, length);
	return agent->has_arrived ? NC_STEER_ARRIVED : NC_STEER_WALKING;
}

bool nc_steer_relax(NcSteerStep* step)
{
	double part = 0.125 * nc_steer_get_margin(step->query->map, step->agent->radius);
	if (step->check_radius <= step->agent->radius)
	{
		return false;
	}
	step->plan_radius = step->check_radius;
	step->check_radius = nc_max(step->plan_radius - part, step->agent->radius);
	return true;
}

// Reference and attraction points.

void nc_steer_update_reference(NcSteerStep* step)
{
	const NcSteerRoute* route = step->route;
	NcAgent* agent = step->agent;
	double from = agent->reference;
	double to = agent->attraction;
	double best = HUGE_VAL;
	double found = from;
	for (int i = nc_steer_route_find_segment(route, from); i + 1 < route->points.count; ++i)
	{
		double begin = route->lengths.data[i];
		double length = route->lengths.data[i + 1] - begin;
		if (begin > to)
		{
			break;
		}
		NcVec2 along = nc_sub(route->points.data[i + 1], route->points.data[i]);
		double t = nc_dot(nc_sub(agent->position, route->points.data[i]), along) / length;
		double at = nc_clamp(begin + t, nc_max(from, begin), nc_min(to, begin + length));
		NcVec2 p = nc_lerp(route->points.data[i], route->points.data[i + 1], (at - begin) / length);
		double distance = nc_length_squared(nc_sub(agent->position, p));
		if (distance < best)
		{
			best = distance;
			found = at;
		}
	}
	found = nc_max(found, from);
	agent->stall_time = found > from ? 0.0 : agent->stall_time + step->dt;
	agent->reference = found;
}

void nc_steer_attract(NcSteerStep* step, double length)
{
	NcAgent* agent = step->agent;
	agent->attraction = nc_clamp(length, agent->reference, nc_steer_route_length(step->route));
	agent->attraction_point = nc_steer_route_get_point(step->route, agent->attraction);
}

bool nc_steer_find_visible(const NcSteerStep* step, double to, double* length)
{
	const NcSteerRoute* route = step->route;
	const NcMap* map = step->query->map;
	NcVec2 x = nc_map_to_snaps(map, step->agent->position);
	double from = step->agent->reference;
	to = nc_min(to, nc_steer_route_length(route));
	for (int i = nc_steer_route_find_segment(route, to); i >= 0; --i)
	{
		double begin = nc_max(from, route->lengths.data[i]);
		double end = nc_min(to, route->lengths.data[i + 1]);
		if (end < from)
		{
			return false;
		}
		NcVec2 p = nc_steer_route_get_point(route, begin);
		NcVec2 q = nc_steer_route_get_point(route, end);
		NcHidden hidden;
		nc_visibility_find_hidden(&map->world.diagram, x, step->plan_radius * map->inverse_snap,
			nc_map_to_snaps(map, p), nc_map_to_snaps(map, q), &hidden);
		int last = hidden.count - 1;
		if (last < 0 || hidden.ends[last] < 1.0)
		{
			*length = end;
			return true;
		}
		if (hidden.begins[last] > 0.0)
		{
			*length = begin + hidden.begins[last] * (end - begin);
			return true;
		}
	}
	return false;
}

bool nc_steer_find_enclosing(const NcSteerStep* step, double* length, double* clearance)
{
	const NcSteerRoute* route = step->route;
	const NcAgent* agent = step->agent;
	// Both the distance and the clearance change by no more than the way between two samples: from
	// a sample that misses by g, the next g / 2 of the way must miss, too.
	double skip = 0.5 / route->step;
	for (int k = route->samples.count - 1; k >= 0;)
	{
		const NcSteerSample* sample = &route->samples.data[k];
		if (sample->length < agent->reference)
		{
			return false;
		}
		double room = sample->clearance - step->plan_radius;
		double miss = nc_distance(agent->position, sample->position) - room;
		if (miss < 0.0)
		{
			// Where the route passes close to a wall, the discs are too small to lead on.
			bool is_last = k == route->samples.count - 1;
			*length = sample->length;
			*clearance = sample->clearance;
			return is_last || sample->length > agent->reference + route->step;
		}
		k -= 1 + (int)(miss * skip * 0.999);
	}
	return false;
}

// Forces.

NcVec2 nc_steer_compute_steering_force(const NcSteerStep* step)
{
	NcVec2 to = nc_sub(step->agent->attraction_point, step->agent->position);
	return nc_scale(step->def->c_s, nc_normalize(to));
}

NcVec2 nc_steer_compute_boundary_force(const NcSteerStep* step)
{
	double r = step->agent->radius;
	double d_safe = step->def->d_safe >= 0.0 ? step->def->d_safe : r;
	double d_b = step->clearance;
	if (!(d_b - r < d_safe) || !(d_b > 0.0))
	{
		return (NcVec2){0.0, 0.0};
	}
	double c_b = (d_safe + r - d_b) / d_b;
	return nc_scale(step->def->c_b * c_b, step->nearest.away);
}

NcVec2 nc_steer_compute_neighbor_force(const NcSteerStep* step)
{
	NcVec2 sum = {0.0, 0.0};
	if (step->neighbor_count == 0)
	{
		return sum;
	}
	const NcAgent* agent = step->agent;
	double reach = nc_query_get_clearance(step->query, agent->attraction_point);
	NcVec2 ahead = nc_sub(agent->attraction_point, agent->position);
	for (int i = 0; i < step->neighbor_count; ++i)
	{
		const NcNeighbor* other = &step->neighbors[i];
		NcVec2 away = nc_sub(agent->position, other->position);
		double distance = nc_length(away);
		// Inside of the clearance disc of the attraction point, or closer than that.
		bool is_near = nc_distance(other->position, agent->attraction_point) < reach ||
					   distance < other->radius + 2.0 * agent->radius;
		bool is_seen = !step->def->is_looking_ahead || nc_dot(away, ahead) < 0.0;
		if (!is_near || !is_seen || !(distance > 0.0))
		{
			continue;
		}
		double gap = distance - other->radius - agent->radius;
		double c_obs = gap > 0.0 ? nc_min(1.0 / gap, 1e6) : 1e6;
		sum = nc_mul_add(sum, step->def->c_obs * c_obs / distance, away);
	}
	return sum;
}

// Moving.

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
	NcNearest nearest;
	return is_free &&
		   (way <= room || (locate(step->query, next, &nearest) &&
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
		// Where the forces of neighbours and route cancel out, standing still helps nobody.
		bool is_balanced =
			step->neighbor_count > 0 && nc_length(velocity) < BALANCED_SPEED * agent->max_speed &&
			speed < BALANCED_SPEED * agent->max_speed && step->agent->reference > 0.0;
		NcVec2 past = nc_scale(2.0 * BALANCED_SPEED * agent->max_speed, nc_normalize(way));
		if ((is_balanced && try_sidestep(step, past)) ||
			try_velocity(step, velocity, false, true) || try_sidestep(step, velocity))
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
	if (!nc_is_finite(displacement) || !locate(query, agent->position, &nearest))
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
					   locate(query, p, &nearest) &&
					   query->map->snap * nearest.distance >= agent->radius;
		lower = is_free ? part : lower;
		upper = is_free ? upper : part;
	}
	agent->position = nc_mul_add(agent->position, lower, displacement);
	cut_velocity(query, agent, radius);
}
