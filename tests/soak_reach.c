// SPDX-License-Identifier: MIT

// The long proof of reachability: five scenes, each with 20,000 random questions, then 1,000 random
// edits, then 20,000 questions again; and for a tenth of them the largest radius.
//
//   soak_reach [QUESTIONS] [EDITS] [SEED] [SCENE ...]     scenes as in scenes.h

#include "proof_reach.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
	int question_count = argc > 1 ? atoi(argv[1]) : 20000;
	int edit_count = argc > 2 ? atoi(argv[2]) : 1000;
	uint64_t seed = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
	int scene_count = argc > 4 ? argc - 4 : PROOF_REACH_SCENE_COUNT;
	int failed = 0;
	for (int i = 0; i < scene_count; ++i)
	{
		const char* scene = argc > 4 ? argv[4 + i] : proof_reach_scenes[i];
		ReachProof proof = proof_reach_run(scene, question_count, edit_count, seed);
		printf("%s: %d reachable, %d not, %d largest radii, %d failures\n", scene,
			proof.reachable_count, proof.unreachable_count, proof.tight_count, proof.failure_count);
		fflush(stdout);
		failed += proof.failure_count > 0;
	}
	printf("%d passed, %d failed\n", scene_count - failed, failed);
	return failed > 0;
}
