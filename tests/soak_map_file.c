// SPDX-License-Identifier: MIT

// The long proof of loading: damaged files with right checksums, of a map with everything in it.
// Each gives an error, or a map that can be read, asked, edited and destroyed.
//
//   soak_map_file [COUNT] [SEED] [SCENE ...]     scenes as in scenes.h

#include "map_files.h"
#include "scenes.h"

#include <stdio.h>

// splitmix64
static uint64_t next_random(uint64_t* seed)
{
	*seed += 0x9E3779B97F4A7C15u;
	uint64_t z = *seed;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static SavedMap save_scene(const char* name)
{
	TestScene made;
	if (!scenes_make(name, &made))
	{
		exit(2);
	}
	NcMap* map = scenes_build_map(&made, 1, NULL);
	SavedMap saved = {.writes_left = -1};
	if (nc_map_save(map, saved_map_append, &saved) != NC_OK)
	{
		fprintf(stderr, "%s: not saved\n", name);
		exit(1);
	}
	nc_map_destroy(map);
	scenes_destroy(&made);
	return saved;
}

// Damage a file in some places. @return whether it was loaded nevertheless
static bool try_damage(const SavedMap* saved, SavedMap* damaged, uint64_t* seed)
{
	memcpy(damaged->bytes, saved->bytes, saved->size);
	for (int k = (int)(next_random(seed) % 4); k >= 0; --k)
	{
		saved_map_mutate(damaged, next_random(seed), next_random(seed));
	}
	saved_map_fix_checksum(damaged->bytes, damaged->size);
	NcMapDef def = nc_default_map_def();
	NcMap* map;
	NcError error = {0};
	NcStatus status = nc_map_load(&def, damaged->bytes, damaged->size, &map, &error);
	if (status == NC_OK)
	{
		use_up_map(map);
	}
	else if (status != NC_WRONG_FORMAT || map != NULL || error.reason == NULL)
	{
		fprintf(stderr, "refused in a wrong way: %s\n", nc_status_name(status));
		exit(1);
	}
	return status == NC_OK;
}

static void soak_scene(const char* name, int count, uint64_t* seed)
{
	SavedMap saved = save_scene(name);
	SavedMap damaged = {.bytes = malloc(saved.size), .size = saved.size};
	int loaded_count = 0;
	for (int i = 0; i < count; ++i)
	{
		loaded_count += try_damage(&saved, &damaged, seed);
	}
	printf("%s: %zu bytes, %d mutations, %d loaded nevertheless\n", name, saved.size, count,
		loaded_count);
	free(damaged.bytes);
	free(saved.bytes);
}

int main(int argc, char** argv)
{
	static const char* const defaults[] = {"overlap:3", "mixed:5", "lattice:2", "hard:1"};
	int count = argc > 1 ? atoi(argv[1]) : 100000;
	uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	int scene_count = argc > 3 ? argc - 3 : NC_COUNT(defaults);
	for (int i = 0; i < scene_count; ++i)
	{
		soak_scene(argc > 3 ? argv[3 + i] : defaults[i], count / scene_count, &seed);
	}
	if (nc_get_byte_count() != 0)
	{
		fprintf(stderr, "%zu bytes were not freed\n", nc_get_byte_count());
		return 1;
	}
	return 0;
}
