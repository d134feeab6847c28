// SPDX-License-Identifier: MIT

// navcorridor check: build the map and verify it from outside, by brute force.

#include "checker.h"
#include "commands.h"
#include "memory.h"
#include "world.h"

#include <stdlib.h>

#define RANDOM_POINTS 10000

static ExitCode check_world(const World* world)
{
	Checker checker;
	bool is_begun = check_begin(world->map, &checker);
	if (is_begun)
	{
		NcShape* shapes = world_get_shapes(world);
		CheckInput input = {
			.shapes = shapes,
			.shape_count = world->scene.shape_count,
			.point_count = RANDOM_POINTS,
			.is_saved = world->is_saved,
			.seed = 1,
		};
		check_all(&checker, &input);
		JsonWriter json = json_begin(stdout);
		check_write_report(&checker.report, &json);
		putchar('\n');
		free(shapes);
	}
	ExitCode code = checker.report.failure_count == 0 ? EXIT_CODE_YES : EXIT_CODE_NO;
	check_end(&checker);
	return is_begun ? code : EXIT_CODE_BAD;
}

ExitCode command_check(const Options* options)
{
	World world;
	ExitCode code = world_build(options, &world) ? check_world(&world) : EXIT_CODE_BAD;
	world_destroy(&world);
	return code;
}
