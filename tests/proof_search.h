// SPDX-License-Identifier: MIT
// The fast search against the plain one, before, between and after random edits: the same paths,
// arc by arc.
#pragma once

#include "nav_corridor/nav_corridor.h"

/// What was compared. Failures are described on stderr.
typedef struct SearchProof
{
	int found_count, none_count;
	int fast_count;                      ///< searches that used landmarks
	long long fast_visits, plain_visits; ///< of those
	int failure_count;
} SearchProof;

/// The scenes of the long proof.
#define PROOF_SEARCH_SCENE_COUNT 6
extern const char* const proof_search_scenes[PROOF_SEARCH_SCENE_COUNT];

/// Ask random questions of a scene (see scenes.h), one after each of some random edits.
SearchProof proof_search_run(const char* scene, int question_count, int edit_count, uint64_t seed);
