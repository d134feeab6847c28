// SPDX-License-Identifier: MIT
// What all steering methods share: checks, reference and attraction points, and forces.

#include "steer_state.h"

#include "check.h"
#include "steer_visibility.h"

#define STEER_DEF_COOKIE 0x4e435354

#define MAX_SAMPLES 4096.0

NcSteerDef nc_default_steer_def(void)
{
	return (NcSteerDef){.c_s = 1.0,
		.c_b = 1.0,
		.c_obs = 1.0,
		.c_side = 0.5,
		.d_safe = -1.0,
		.tau = 0.25,
		.attraction_distance = 5.0,
		.sigma = 40.0,
		.d = 10.0,
		.k_p = 1.0,
		.k_theta = 5.0,
		.k_v = 5.0,
		.k_omega = 10.0,
		.theta_turn = 0.78539816339744831,
		.arrival_distance = 0.01,
		.cookie = STEER_DEF_COOKIE};
}

static bool is_good(double value)
{
	return value >= 0.0 && isfinite(value);
}

static double get_gain_sum(const NcSteerDef* def)
{
	return def->k_p + def->k_theta + def->k_v + def->k_omega + def->theta_turn;
}

NcStatus nc_steer_check(const NcSteerDef* def, NcError* error)
{
	if (!is_good(def->c_s) || !is_good(def->c_b) || !is_good(def->c_obs) || !is_good(def->c_side) ||
		!isfinite(def->d_safe))
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"c_s, c_b, c_obs, c_side and d_safe must be finite, and the first four not negative");
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
	if (!(def->k_p > 0.0) || !(def->k_theta > 0.0) || !(def->k_v > 0.0) || !(def->k_omega > 0.0) ||
		!(def->theta_turn > 0.0) || !isfinite(get_gain_sum(def)))
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the gains k_p, k_theta, k_v, k_omega and theta_turn must be finite and above zero");
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
		   isfinite(agent->heading + agent->angular_speed) && is_good(agent->attraction);
}

static bool is_def_valid(const NcSteerDef* def)
{
	return def->sigma > 0.0 && def->d > 0.0 && def->d <= def->sigma &&
		   def->sigma <= MAX_SAMPLES * def->d &&
		   isfinite(def->c_s + def->c_b + def->c_obs + def->c_side) && isfinite(def->d_safe) &&
		   def->attraction_distance > 0.0 && def->tau > 0.0 && isfinite(get_gain_sum(def));
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
	if (!nc_steer_locate(step->query, agent->position, &step->nearest))
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
	int last = nc_steer_route_last_sample(route);
	for (int k = last; k >= 0;)
	{
		NcSteerSample sample = nc_steer_route_get_sample(route, k);
		if (sample.length < agent->reference)
		{
			return false;
		}
		double distance = nc_distance(agent->position, sample.position) + step->plan_radius;
		double miss = distance - nc_steer_route_bound_clearance(step->query, route, sample.length);
		if (miss < 0.0)
		{
			*clearance = nc_query_get_clearance(step->query, sample.position);
			miss = distance - *clearance;
		}
		if (miss < 0.0)
		{
			// Where the route passes close to a wall, the discs are too small to lead on.
			*length = sample.length;
			return k == last || sample.length > agent->reference + route->step;
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

// Let u be the direction to the attraction point. Where neighbours ahead leave less than c_side c_s
// of the forces along u, what is missing acts sideways, to the side where the neighbours push
// already:
//
//      F_side = min(c_side c_s - F u, -F_obs u) n,   n normal to u,   if both are above zero
//
// It grows from nothing, so that the agent turns early and evenly, and forces never cancel out.
NcVec2 nc_steer_compute_side_force(const NcSteerStep* step, NcVec2 force, NcVec2 away)
{
	const NcAgent* agent = step->agent;
	NcVec2 u = nc_normalize(nc_sub(agent->attraction_point, agent->position));
	double missing = step->def->c_side * step->def->c_s - nc_dot(force, u);
	double size = nc_min(missing, -nc_dot(away, u));
	double side = nc_cross(u, away) < 0.0 ? -1.0 : 1.0;
	return size > 0.0 ? nc_scale(side * size, nc_perp(u)) : (NcVec2){0.0, 0.0};
}
