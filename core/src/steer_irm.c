// SPDX-License-Identifier: MIT
// The indicative route method.
//
// The agent is retracted onto the medial axis. Around that point lies the largest disc of free
// space that holds the agent; the attraction point is where the route leaves it for the last time.
// Large discs skip much of the route: that is what MIRAN mends.
//
// This work is based on:
// Karamouzas, Geraerts, Overmars. Indicative Routes for Path Planning and Crowd Simulation. 2009

#include "steer_state.h"

// Where a segment from a, inside of a disc, to b, outside, leaves it, as a part of the segment.
static double compute_exit(NcVec2 a, NcVec2 b, NcVec2 center, double radius)
{
	NcVec2 d = nc_sub(b, a);
	NcVec2 m = nc_sub(a, center);
	double dd = nc_dot(d, d);
	double md = nc_dot(m, d);
	double discriminant = nc_max(md * md - dd * (nc_dot(m, m) - radius * radius), 0.0);
	return nc_clamp((sqrt(discriminant) - md) / dd, 0.0, 1.0);
}

// Find the last point of the route in a disc.
static bool find_last(const NcSteerStep* step, NcVec2 center, double radius, double* length)
{
	const NcSteerRoute* route = step->route;
	int last = nc_steer_route_last_sample(route);
	for (int k = last; k >= 0;)
	{
		NcSteerSample sample = nc_steer_route_get_sample(route, k);
		if (sample.length < step->agent->reference)
		{
			return false;
		}
		double miss = nc_distance(sample.position, center) - radius;
		if (miss <= 0.0)
		{
			NcSteerSample next = nc_steer_route_get_sample(route, k < last ? k + 1 : k);
			double s =
				k < last ? compute_exit(sample.position, next.position, center, radius) : 0.0;
			*length = sample.length + s * (next.length - sample.length);
			return true;
		}
		k -= 1 + (int)(miss / route->step * 0.999);
	}
	return false;
}

static bool choose(const NcSteerStep* step, double* length)
{
	const NcMap* map = step->query->map;
	NcRetraction retraction;
	if (nc_locate_retraction(&map->world.diagram, &step->nearest, &retraction))
	{
		NcVec2 center = nc_map_to_world(map, retraction.position);
		double radius = map->snap * retraction.clearance - step->plan_radius;
		bool is_found = radius > 0.0 && find_last(step, center, radius, length);
		// In a tight place the disc may hold no point that leads on.
		bool is_ahead = is_found && (*length > step->agent->reference + step->route->step ||
										*length >= nc_steer_route_length(step->route));
		if (is_ahead)
		{
			return true;
		}
	}
	return nc_steer_find_visible(step, nc_steer_route_length(step->route), length);
}

NcSteerOutcome nc_steer_step_irm(NcQuery* query, const NcSteerRoute* route, const NcSteerDef* def,
	const NcNeighbor* neighbors, int neighbor_count, double dt, NcAgent* agent)
{
	NcSteerStep step = {query, route, def, neighbors, neighbor_count, dt, agent};
	return nc_steer_walk(&step, choose);
}
