// SPDX-License-Identifier: MIT

// Walks of one agent: see walk.h.

#include "walk.h"

#include "memory.h"

#include <stdlib.h>

const char* const method_names[METHOD_COUNT] = {"cmm", "improved", "irm", "miran"};

// A part of a route is skipped if the agent comes no closer to it than this, in world units. It is
// looked at in steps of this length.
#define SKIP_DISTANCE 5.0
#define SKIP_STEP 0.5

NcSteerStepFn* method_get_step(MethodChoice method)
{
	static NcSteerStepFn* const steps[METHOD_COUNT] = {
		nc_steer_step_cmm, nc_steer_step_improved, nc_steer_step_irm, nc_steer_step_miran};
	return steps[method];
}

static void add_point(Walk* walk, NcVec2 p)
{
	walk->points =
		memory_grow(walk->points, walk->point_count, &walk->point_capacity, sizeof(NcVec2));
	walk->points[walk->point_count++] = p;
}

static double measure_skipped(const NcSteerRoute* route, const Walk* walk)
{
	double skipped = 0.0;
	for (double s = 0.0; s < nc_steer_route_get_length(route); s += SKIP_STEP)
	{
		NcVec2 p = nc_steer_route_get_point(route, s);
		bool is_near = false;
		for (int i = 0; i < walk->point_count && !is_near; ++i)
		{
			is_near = nc_length_squared(nc_sub(walk->points[i], p)) < SKIP_DISTANCE * SKIP_DISTANCE;
		}
		skipped += is_near ? 0.0 : SKIP_STEP;
	}
	return skipped;
}

void walk_run(NcQuery* query, const NcSteerRoute* route, const WalkDef* def, Walk* walk)
{
	*walk = (Walk){.outcome = NC_STEER_WALKING};
	NcAgent agent = nc_steer_make_agent(route, def->radius, def->speed);
	NcSteerStepFn* step = method_get_step(def->method);
	add_point(walk, agent.position);
	for (int i = 0; i < def->max_steps && walk->outcome == NC_STEER_WALKING; ++i)
	{
		walk->outcome =
			step(query, route, &def->steer, def->neighbors, def->neighbor_count, def->dt, &agent);
		add_point(walk, agent.position);
	}
	walk->skipped_length = measure_skipped(route, walk);
	walk->metrics =
		nc_path_measure(query, def->steer.terrain, walk->points, walk->point_count, def->dt);
}

void walk_destroy(Walk* walk)
{
	free(walk->points);
	*walk = (Walk){0};
}
