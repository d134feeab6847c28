// SPDX-License-Identifier: MIT

// Walks of one agent: see walk.h.

#include "walk.h"

#include "memory.h"

#include <stdlib.h>

const char* const method_names[METHOD_COUNT] = {"cmm", "improved", "irm", "miran", "pd"};

NcSteerStepFn* method_get_step(MethodChoice method)
{
	static NcSteerStepFn* const steps[METHOD_COUNT] = {nc_steer_step_cmm, nc_steer_step_improved,
		nc_steer_step_irm, nc_steer_step_miran, nc_steer_step_pd};
	return steps[method];
}

static void add_point(Walk* walk, NcVec2 p)
{
	walk->points =
		memory_grow(walk->points, walk->point_count, &walk->point_capacity, sizeof(NcVec2));
	walk->points[walk->point_count++] = p;
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
	walk->metrics =
		nc_path_measure(query, def->steer.terrain, walk->points, walk->point_count, def->dt);
	double saved = nc_steer_route_get_length(route) - walk->metrics.length;
	walk->skipped_length = nc_max(saved, 0.0);
}

void walk_destroy(Walk* walk)
{
	free(walk->points);
	*walk = (Walk){0};
}
