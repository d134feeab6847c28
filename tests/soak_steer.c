// SPDX-License-Identifier: MIT

// Agents that are pushed around: tools/soak steer [STEPS [FIRST_SEED]], default ten million. In
// random scenes, with all methods, time steps from 1/120 to 1 second, random pushes, and others who
// stand or walk around, no agent may ever be closer to a wall than its radius, no velocity may
// jump, and who is not pushed never walks into somebody who stands.

#include "steer_runs.h"

#include <stdio.h>
#include <stdlib.h>

static const double time_steps[] = {1.0 / 120.0, 1.0 / 60.0, 0.05, 0.1, 0.5, 1.0};

typedef struct Sum
{
	long runs, walked, arrived, steps, crowded, collisions, violations, not_numbers, jumps,
		backward, replans;
	double least_margin;
} Sum;

static void add(Sum* sum, const SteerReport* report, bool is_crowded)
{
	++sum->runs;
	sum->walked += report->is_walked;
	sum->arrived += report->is_arrived;
	sum->steps += report->steps;
	sum->crowded += is_crowded ? report->steps : 0;
	sum->collisions += report->collisions;
	sum->violations += report->violations;
	sum->not_numbers += report->not_numbers;
	sum->jumps += report->jumps;
	sum->backward += report->backward;
	sum->replans += report->replans;
	sum->least_margin = nc_min(sum->least_margin, report->least_margin);
}

int main(int argc, char** argv)
{
	long wanted = argc > 1 ? atol(argv[1]) : 10000000;
	uint64_t seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
	Sum sum = {.least_margin = HUGE_VAL};
	for (; sum.steps < wanted; ++seed)
	{
		TerrainScene scene;
		if (!terrain_scene_make(&scene, seed))
		{
			return 2;
		}
		for (int k = 0; k < 30; ++k)
		{
			SteerRun run = {.seed = seed + (uint64_t)k,
				.method = (SteerMethod)(k % STEER_METHOD_COUNT),
				.dt = time_steps[(k / STEER_METHOD_COUNT + (int)seed) % 6],
				.is_pushed = k % 5 != 0,
				.is_terrain = k % 2 == 0,
				.is_crowded = (k / 2 + (int)seed) % 2 == 0,
				.max_steps = 4000};
			SteerReport report = steer_run(&scene, &run);
			if (report.violations + report.not_numbers + report.jumps + report.collisions > 0)
			{
				printf("seed %llu, %s, dt %.4f, %s: %ld violations (%.3g), %ld NaN, %ld jumps, %ld "
					   "collisions\n",
					(unsigned long long)seed, steer_method_names[run.method], run.dt,
					run.is_pushed ? "pushed" : "alone", report.violations, report.least_margin,
					report.not_numbers, report.jumps, report.collisions);
			}
			add(&sum, &report, run.is_crowded);
		}
		terrain_scene_destroy(&scene);
	}
	printf("%ld agent-steps (%ld among others) in %ld runs, %ld arrived, %ld replanned: %ld times "
		   "below the radius, "
		   "%ld NaN, %ld jumps of the velocity, %ld collisions; least margin %.3g\n",
		sum.steps, sum.crowded, sum.walked, sum.arrived, sum.replans, sum.violations,
		sum.not_numbers, sum.jumps, sum.collisions, sum.least_margin);
	bool is_good = sum.violations + sum.not_numbers + sum.jumps + sum.collisions == 0;
	printf("%d passed, %d failed\n", is_good, !is_good);
	return !is_good;
}
