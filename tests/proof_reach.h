// SPDX-License-Identifier: MIT
// Reachability and the largest radius against the search, before and after random edits.
#pragma once

#include "nav_corridor/nav_corridor.h"

/// What was compared. Failures are described on stderr.
typedef struct ReachProof
{
	int reachable_count, unreachable_count; ///< questions with a radius
	int tight_count;                        ///< largest radii
	int failure_count;
} ReachProof;

/// The scenes of the long proof.
#define PROOF_REACH_SCENE_COUNT 5
extern const char* const proof_reach_scenes[PROOF_REACH_SCENE_COUNT];

/// Ask random questions of a scene (see scenes.h), edit it, and ask as many again.
ReachProof proof_reach_run(const char* scene, int question_count, int edit_count, uint64_t seed);
