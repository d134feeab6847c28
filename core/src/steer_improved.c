// SPDX-License-Identifier: MIT
// The improved corridor map method: steering and keeping away from the border are separate forces.
//
//      F_s = c_s (alpha - x) / |alpha - x|
//      F_b = c_b (x - cp(x)) / |x - cp(x)|   if d_b - r < d_safe,  c_b = (d_safe + r - d_b) / d_b
//      F_obs = sum of (x - O_i) / |x - O_i| / (d_i - r_i - r)
//
// This work is based on:
// Overmars, Karamouzas, Geraerts. Flexible Path Planning Using Corridor Maps. 2008

#include "steer_state.h"

// Choose the attraction point. @return false if the agent can reach nothing of its route
static bool choose(const NcSteerStep* step, double* length)
{
	const NcAgent* agent = step->agent;
	const NcSteerDef* def = step->def;
	double clearance;
	double far = agent->reference + def->attraction_distance;
	switch (def->attraction)
	{
	case NC_ATTRACTION_CLEARANCE:
		return nc_steer_find_enclosing(step, length, &clearance) ||
			   nc_steer_find_visible(step, nc_steer_route_length(step->route), length);
	case NC_ATTRACTION_SPEED:
		far = nc_min(far, agent->attraction + agent->max_speed * step->dt);
		break;
	case NC_ATTRACTION_DISTANCE:
	case NC_ATTRACTION_VISIBILITY:
		break;
	}
	return nc_steer_find_visible(step, far, length);
}

NcSteerOutcome nc_steer_step_improved(NcQuery* query, const NcSteerRoute* route,
	const NcSteerDef* def, const NcNeighbor* neighbors, int neighbor_count, double dt,
	NcAgent* agent)
{
	NcSteerStep step = {query, route, def, neighbors, neighbor_count, dt, agent};
	return nc_steer_walk(&step, choose);
}
