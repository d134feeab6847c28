// SPDX-License-Identifier: MIT

// The long proof of points and rays: ten scenes, each with 100,000 random points and 10,000 rays,
// against brute force.
//
//   soak_points [POINTS] [RAYS] [SEED] [SCENE ...]     scenes as in scenes.h

#include "proof_points.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
	int point_count = argc > 1 ? atoi(argv[1]) : 100000;
	int ray_count = argc > 2 ? atoi(argv[2]) : 10000;
	uint64_t seed = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
	int scene_count = argc > 4 ? argc - 4 : PROOF_SCENE_COUNT;
	int failed = 0;
	for (int i = 0; i < scene_count; ++i)
	{
		const char* scene = argc > 4 ? argv[4 + i] : proof_scenes[i];
		PointProof proof = proof_points_run(scene, point_count, ray_count, seed);
		printf("%s: %d free points, %d blocked, %d rays hit, %d missed, worst error %.2g of the"
			   " size, %d failures\n",
			scene, proof.free_count, proof.blocked_count, proof.hit_count, proof.miss_count,
			proof.worst_error, proof.failure_count);
		fflush(stdout);
		failed += proof.failure_count > 0;
	}
	printf("%d passed, %d failed\n", scene_count - failed, failed);
	return failed > 0;
}
