// SPDX-License-Identifier: MIT

// The lemmata of MIRAN, for discs: tools/soak miran [RUNS [FIRST_SEED]], default 10,000. On random
// scenes with terrain: there always is a candidate, the reference point never goes back, and every
// run reaches its goal.

#include "steer_runs.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
	long wanted = argc > 1 ? atol(argv[1]) : 10000;
	uint64_t seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
	long runs = 0, arrived = 0, lost = 0, backward = 0, steps = 0, violations = 0;
	double overshoot = 0.0;
	for (; runs < wanted; ++seed)
	{
		TerrainScene scene;
		if (!terrain_scene_make(&scene, seed))
		{
			return 2;
		}
		scene.radius = nc_max(scene.radius, 0.2);
		for (int k = 0; k < 10 && runs < wanted; ++k)
		{
			SteerRun run = {.seed = 31 * seed + (uint64_t)k,
				.method = STEER_MIRAN,
				.dt = k % 2 ? 0.05 : 0.1,
				.is_terrain = true,
				.max_steps = 20000};
			SteerReport report = steer_run(&scene, &run);
			if (report.is_walked && (!report.is_arrived || report.lost + report.backward > 0))
			{
				printf("seed %llu, run %d: %s after %ld steps, %ld times lost, %ld times back\n",
					(unsigned long long)seed, k, report.is_arrived ? "arrived" : "NOT THERE",
					report.steps, report.lost, report.backward);
			}
			runs += report.is_walked;
			arrived += report.is_walked && report.is_arrived;
			lost += report.lost;
			backward += report.backward;
			steps += report.steps;
			violations += report.violations;
			overshoot = nc_max(overshoot, report.overshoot);
		}
		terrain_scene_destroy(&scene);
	}
	printf(
		"%ld runs, %ld steps: %ld reached the goal; %ld times without a candidate, %ld times the "
		"reference point went back, %ld times below the radius; overshoot %.3g\n",
		runs, steps, arrived, lost, backward, violations, overshoot);
	bool is_good = arrived == runs && lost + backward + violations == 0;
	printf("%d passed, %d failed\n", is_good, !is_good);
	return !is_good;
}
