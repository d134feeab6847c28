// SPDX-License-Identifier: MIT

// From an input file to a corridor map: what all commands begin with.

#include "world.h"

#include "clock.h"
#include "memory.h"
#include "scene_file.h"

#include <stdio.h>
#include <stdlib.h>

// Without --bounds the world is the input's box, widened by this part of its larger side.
#define DEFAULT_MARGIN 0.1

// The pixels along the larger side of the world in which a device groups walls.
#define CANDIDATE_RESOLUTION 1024

static bool read_scene(const Options* options, Scene* scene)
{
	TextError error;
	scene->polygons_are_walkable = (options->given & OPTION_WALKABLE) != 0;
	scene->heights[0] = options->heights[0];
	scene->heights[1] = options->heights[1];
	scene->cell_size = options->cell_size;
	if (scene_read_file(options->input, scene, &error))
	{
		return true;
	}
	if (error.line > 0)
	{
		fprintf(stderr, "navcorridor: %s:%d: %s\n", options->input, error.line, error.reason);
	}
	else
	{
		fprintf(stderr, "navcorridor: %s: %s\n", options->input, error.reason);
	}
	return false;
}

static bool choose_bounds(const Options* options, const Scene* scene, NcBox* bounds)
{
	if ((options->given & OPTION_BOUNDS) != 0)
	{
		*bounds = options->bounds;
		return true;
	}

	if (scene->has_bounds)
	{
		*bounds = scene->bounds;
		return true;
	}

	NcBox box = scene_compute_box(scene);
	double side = nc_max(box.upper.x - box.lower.x, box.upper.y - box.lower.y);
	if (!(side > 0.0))
	{
		fprintf(stderr, "navcorridor: %s: the input has no extent; give the world with --bounds\n",
			options->input);
		return false;
	}
	*bounds = nc_box_grow(box, DEFAULT_MARGIN * side);
	return true;
}

// Open a device for --backend vulkan. Without one the CPU does the work.
static void open_device(World* world)
{
	NcGpuDef def = nc_default_gpu_def();
	NcError error = {0};
	if (nc_gpu_open(&def, &world->gpu, &error) != NC_OK)
	{
		fprintf(stderr, "navcorridor: %s; the CPU does the work\n", error.reason);
		return;
	}
	world->tiles = nc_candidate_tiles_create(world->gpu, CANDIDATE_RESOLUTION);
}

static NcMapDef make_def(const Options* options, World* world)
{
	NcMapDef def = nc_default_map_def();
	if (options->snap > 0.0)
	{
		def.snap = options->snap;
	}
	if (options->thread_count > 1)
	{
		world->parallel.thread_count = options->thread_count;
		def.parallel_for = parallel_for;
		def.parallel_context = &world->parallel;
		def.worker_count = options->thread_count;
	}
	if (world->tiles != NULL)
	{
		def.find_candidates = nc_candidate_tiles_find;
		def.candidates_context = world->tiles;
	}
	return def;
}

NcMap* world_create_map(const Options* options, World* world)
{
	NcMapDef def = make_def(options, world);
	if (world->is_saved)
	{
		return saved_map_load(options, &world->bytes, &def);
	}
	if (!choose_bounds(options, &world->scene, &def.bounds))
	{
		return NULL;
	}

	NcMap* map;
	NcError error = {0};
	if (nc_map_create(&def, &map, &error) != NC_OK)
	{
		fprintf(stderr, "navcorridor: %s: bounds %.9g,%.9g,%.9g,%.9g with snap %.9g: %s\n",
			options->input, def.bounds.lower.x, def.bounds.lower.y, def.bounds.upper.x,
			def.bounds.upper.y, def.snap, error.reason);
	}
	return map;
}

static void remember_id(World* world, NcObstacleId id, int shape)
{
	while ((uint32_t)world->id_range <= id.index)
	{
		int old_range = world->id_range;
		world->shapes_by_id =
			memory_grow(world->shapes_by_id, old_range, &world->id_range, sizeof(int));
		for (int i = old_range; i < world->id_range; ++i)
		{
			world->shapes_by_id[i] = NC_NULL_INDEX;
		}
	}
	world->shapes_by_id[id.index] = shape;
}

static bool add_obstacles(const Options* options, World* world)
{
	world->ids = memory_allocate(world->scene.shape_count, sizeof(NcObstacleId));
	for (int i = 0; i < world->scene.shape_count; ++i)
	{
		NcShape shape = scene_get_shape(&world->scene, i);
		NcError error = {0};
		if (nc_map_add_obstacle(world->map, &shape, &world->ids[i], &error) != NC_OK)
		{
			fprintf(stderr, "navcorridor: %s:%d: obstacle %d, item %d: %s\n", options->input,
				world->scene.shapes[i].line, i, error.item, error.reason);
			return false;
		}
		remember_id(world, world->ids[i], i);
	}
	return true;
}

bool world_build(const Options* options, World* world)
{
	*world = (World){0};
	if (options->backend == BACKEND_VULKAN)
	{
		open_device(world);
	}
	world->is_saved = file_has_ending(options->input, SAVED_MAP_ENDING);
	if (world->is_saved ? !saved_map_read(options, &world->bytes)
						: !read_scene(options, &world->scene))
	{
		return false;
	}

	double start = clock_get_milliseconds();
	world->map = world_create_map(options, world);
	if (world->map == NULL || !add_obstacles(options, world))
	{
		return false;
	}
	NcStatus status = nc_map_update(world->map, NULL);
	if (status != NC_OK)
	{
		fprintf(stderr, "navcorridor: %s: cannot build the map: %s\n", options->input,
			nc_status_name(status));
		return false;
	}
	world->build_ms = clock_get_milliseconds() - start;
	return true;
}

void world_destroy(World* world)
{
	nc_map_destroy(world->map);
	nc_candidate_tiles_destroy(world->tiles);
	nc_gpu_close(world->gpu);
	scene_destroy(&world->scene);
	free(world->bytes.data);
	free(world->ids);
	free(world->shapes_by_id);
	*world = (World){0};
}

NcShape* world_get_shapes(const World* world)
{
	NcShape* shapes = memory_allocate(world->scene.shape_count, sizeof(NcShape));
	for (int i = 0; i < world->scene.shape_count; ++i)
	{
		shapes[i] = scene_get_shape(&world->scene, i);
	}
	return shapes;
}

int world_find_shape(const World* world, NcObstacleId obstacle)
{
	if (world->is_saved)
	{
		return (int)obstacle.index - 1;
	}
	bool is_known = 0 < obstacle.index && obstacle.index < (uint32_t)world->id_range;
	return is_known ? world->shapes_by_id[obstacle.index] : NC_NULL_INDEX;
}
