// SPDX-License-Identifier: MIT
// Points and rays against brute force over the walls that a map reports. Nothing else of the
// library takes part in what is expected.
#pragma once

#include "nav_corridor/nav_corridor.h"

/// What was compared. Failures are described on stderr.
typedef struct PointProof
{
	int free_count, blocked_count; ///< points
	int hit_count, miss_count;     ///< rays
	int failure_count;
	double worst_error; ///< of a clearance or of a place, in parts of the scene's size
} PointProof;

/// The scenes of the long proof.
#define PROOF_SCENE_COUNT 10
extern const char* const proof_scenes[PROOF_SCENE_COUNT];

/// Compare random points and rays of a scene (see scenes.h) with brute force.
PointProof proof_points_run(const char* scene, int point_count, int ray_count, uint64_t seed);
