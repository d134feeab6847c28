// SPDX-License-Identifier: MIT

// The long proof of the fast search: on six scenes, 3,000 random questions around 1,000 random
// edits must give the very paths of the plain search.
//
//   soak_search [QUESTIONS] [EDITS] [SEED] [SCENE ...]     scenes as in scenes.h

#include "proof_search.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
	int question_count = argc > 1 ? atoi(argv[1]) : 3000;
	int edit_count = argc > 2 ? atoi(argv[2]) : 1000;
	uint64_t seed = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
	int scene_count = argc > 4 ? argc - 4 : PROOF_SEARCH_SCENE_COUNT;
	int failed = 0;
	for (int i = 0; i < scene_count; ++i)
	{
		const char* scene = argc > 4 ? argv[4 + i] : proof_search_scenes[i];
		SearchProof proof = proof_search_run(scene, question_count, edit_count, seed);
		printf(
			"%s: %d found, %d not, %d with landmarks: %lld visits instead of %lld, %d failures\n",
			scene, proof.found_count, proof.none_count, proof.fast_count, proof.fast_visits,
			proof.plain_visits, proof.failure_count);
		fflush(stdout);
		failed += proof.failure_count > 0;
	}
	printf("%d passed, %d failed\n", scene_count - failed, failed);
	return failed > 0;
}
