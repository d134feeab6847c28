// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/steer.h"
#include "options.h"

/// Walks of one agent along a route, with any of the methods: what commands and benches share.

extern const char* const method_names[METHOD_COUNT];
NcSteerStepFn* method_get_step(MethodChoice method);

/// What an agent did. Owns its points.
typedef struct Walk
{
	NcVec2* points; ///< after each step, the start included
	int point_count, point_capacity;
	NcSteerOutcome outcome; ///< of the last step
	double skipped_length;  ///< how much shorter the walk is than the route
	NcPathMetrics metrics;
} Walk;

/// How to walk.
typedef struct WalkDef
{
	MethodChoice method;
	NcSteerDef steer;
	const NcNeighbor* neighbors;
	int neighbor_count;
	double radius, speed, dt;
	int max_steps;
} WalkDef;

/// Let an agent walk to the end of its route, or until it gets lost.
/// @param walk to be destroyed in any case
void walk_run(NcQuery* query, const NcSteerRoute* route, const WalkDef* def, Walk* walk);
void walk_destroy(Walk* walk);
