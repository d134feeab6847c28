// SPDX-License-Identifier: MIT

// navcorridor render: a picture of the map.

#include "commands.h"
#include "field_picture.h"
#include "picture.h"

ExitCode command_render(const Options* options)
{
	World world;
	bool is_done =
		world_build(options, &world) &&
		((options->given & OPTION_FIELD) != 0 ? field_picture_write(options, &world)
											  : picture_write(options->output, &world, NULL));
	world_destroy(&world);
	return is_done ? EXIT_CODE_YES : EXIT_CODE_BAD;
}
