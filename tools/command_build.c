// SPDX-License-Identifier: MIT

// navcorridor build: build the map and say how large it is and how long it took. With -o save it.

#include "commands.h"
#include "json.h"
#include "world.h"

static int count_walls(const NcMap* map)
{
	int count = 0;
	int range = nc_map_get_wall_range(map);
	for (int i = 0; i < range; ++i)
	{
		NcMapWall wall;
		count += nc_map_get_wall(map, i, &wall) ? 1 : 0;
	}
	return count;
}

static void write_count(JsonWriter* json, const char* key, long long count)
{
	json_write_key(json, key);
	json_write_integer(json, count);
}

static void write_stats(const World* world)
{
	NcMapStats stats = nc_map_get_stats(world->map);
	JsonWriter json = json_begin(stdout);
	json_begin_object(&json);
	write_count(&json, "vertices", stats.vertex_count);
	write_count(&json, "edges", stats.edge_count);
	write_count(&json, "sites", stats.site_count);
	write_count(&json, "components", stats.component_count);
	json_write_key(&json, "build_ms");
	json_write_number(&json, world->build_ms);
	write_count(&json, "obstacles", nc_map_get_obstacle_count(world->map));
	write_count(&json, "walls", count_walls(world->map));
	write_count(&json, "unresolved", stats.unresolved_count);
	write_count(&json, "bytes", (long long)stats.byte_count);
	json_end_object(&json);
	putchar('\n');
}

ExitCode command_build(const Options* options)
{
	if (options->output != NULL && !file_has_ending(options->output, SAVED_MAP_ENDING))
	{
		fprintf(stderr, "navcorridor: -o %s: saved maps end in " SAVED_MAP_ENDING "\n",
			options->output);
		return EXIT_CODE_BAD;
	}

	World world;
	bool is_done = world_build(options, &world) &&
				   (options->output == NULL || saved_map_write(options->output, world.map));
	if (is_done)
	{
		write_stats(&world);
	}
	world_destroy(&world);
	return is_done ? EXIT_CODE_YES : EXIT_CODE_BAD;
}
