// SPDX-License-Identifier: MIT
// Random walks of agents over random scenes, with everything watched that must hold. Shared by
// tests, proofs and benches.
#pragma once

#include "terrain_scenes.h"

typedef enum SteerMethod
{
	STEER_CMM,
	STEER_IMPROVED,
	STEER_IRM,
	STEER_MIRAN,
	STEER_PD,
	STEER_METHOD_COUNT,
} SteerMethod;

extern const char* const steer_method_names[STEER_METHOD_COUNT];
NcSteerStepFn* steer_get_method(SteerMethod method);

/// What to do in a run.
typedef struct SteerRun
{
	uint64_t seed;
	SteerMethod method;
	double dt;
	bool is_pushed;  ///< at random, from outside
	bool is_terrain; ///< MIRAN weighs the ground
	bool is_crowded; ///< others stand and walk around, through walls and through each other
	int max_steps;
} SteerRun;

/// What happened.
typedef struct SteerReport
{
	bool is_walked; ///< the scene has a way
	bool is_arrived;
	long steps;
	long violations;  ///< clearance below the radius
	long not_numbers; ///< of position or velocity
	long jumps;       ///< of the velocity beyond a_max dt, pushes aside
	long backward;    ///< the reference point went back
	long lost;        ///< no candidate, though nobody pushed
	long replans;
	long collisions;     ///< with others that stand, pushes aside
	double least_margin; ///< least clearance minus radius
	double overshoot; ///< how far it went away from the goal again after being near, pushes aside
	uint64_t hash;    ///< of all positions
} SteerReport;

/// Run an agent through a scene. The clearance is measured by brute force over all walls at the end
/// of every step and at three places on the way.
SteerReport steer_run(const TerrainScene* scene, const SteerRun* run);
