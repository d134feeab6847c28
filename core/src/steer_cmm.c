// SPDX-License-Identifier: MIT
// The original corridor map method.
//
// The attraction point is the point B[t] of the backbone path with the largest t such that
// |x - B[t]| < R[t] - r (definition 1). The force towards it,
//
//      F_a = f (alpha - x) / |alpha - x|,   f = 1 / (R[t] - r - d) - 1 / (R[t] - r),
//
// is zero on the attraction point and grows without limit at the border of the clearance disc.
//
// This work is based on:
// Geraerts, Overmars. The Corridor Map Method. 2007
// Overmars, Karamouzas, Geraerts. Flexible Path Planning Using Corridor Maps. 2008, section 3

#include "steer_state.h"

NcSteerOutcome nc_steer_step_cmm(NcQuery* query, const NcSteerRoute* route, const NcSteerDef* def,
	const NcNeighbor* neighbors, int neighbor_count, double dt, NcAgent* agent)
{
	NcSteerStep step = {query, route, def, neighbors, neighbor_count, dt, agent};
	NcSteerOutcome outcome = nc_steer_begin(&step);
	if (outcome != NC_STEER_WALKING)
	{
		return outcome;
	}
	nc_steer_update_reference(&step);
	step.is_frictionless = true;
	step.is_original = true;
	double length, clearance;
	if (!nc_steer_find_enclosing(&step, &length, &clearance))
	{
		// Outside of all discs: pushed away. Any point that it can reach will do.
		while (!nc_steer_find_visible(&step, nc_steer_route_length(route), &length))
		{
			if (!nc_steer_relax(&step))
			{
				return nc_steer_lose(&step);
			}
		}
		nc_steer_attract(&step, length);
		return nc_steer_finish(&step, nc_steer_compute_steering_force(&step));
	}
	nc_steer_attract(&step, length);
	NcVec2 to = nc_sub(agent->attraction_point, agent->position);
	double d = nc_length(to);
	double room = clearance - agent->radius;
	double f = 1.0 / nc_max(room - d, 1e-9) - 1.0 / nc_max(room, 1e-9);
	NcVec2 force = nc_scale(f, nc_normalize(to));
	return nc_steer_finish(&step, nc_add(force, nc_steer_compute_neighbor_force(&step)));
}
