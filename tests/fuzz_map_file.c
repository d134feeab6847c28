// SPDX-License-Identifier: MIT

// Fuzz loading. The first byte says what the others are: a whole file, or changes to the file of a
// map that exists. Either way the checksum is made right, so that the checks behind it are reached,
// and what was loaded is used in every way.

#include "map_files.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define BASE_COUNT 4
#define PATCH_SIZE 10
#define MAX_PATCHES 64

static void add_shape(NcMap* map, NcShapeKind kind, const NcVec2* points, int count)
{
	NcShape shape = {.kind = kind, .points = points, .point_count = count};
	NcObstacleId id;
	if (nc_map_add_obstacle(map, &shape, &id, NULL) != NC_OK)
	{
		abort();
	}
}

// A few obstacles: apart, crossing, with a walkable area, or after edits.
static NcMap* create_base(int kind)
{
	static const NcVec2 box[] = {{2.0, 2.0}, {6.0, 2.0}, {6.0, 5.0}, {2.0, 5.0}};
	static const NcVec2 star[] = {{4.0, 1.0}, {9.0, 4.0}, {3.0, 7.0}, {7.0, 1.5}, {7.0, 8.0}};
	static const NcVec2 wall[] = {{1.0, 8.0}, {8.0, 8.5}, {8.5, 6.0}};
	static const NcVec2 dots[] = {{1.0, 1.0}, {7.5, 7.0}};
	static const NcVec2 area[] = {{0.5, 0.5}, {9.5, 0.5}, {9.5, 9.5}, {0.5, 9.5}};
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {10.0, 10.0}};
	NcMap* map;
	if (nc_map_create(&def, &map, NULL) != NC_OK)
	{
		abort();
	}
	add_shape(map, NC_SHAPE_POLYGON, box, 4);
	add_shape(map, NC_SHAPE_CHAIN, wall, 3);
	add_shape(map, NC_SHAPE_POINTS, dots, 2);
	if (kind >= 1)
	{
		add_shape(map, NC_SHAPE_POLYGON, star, 5);
	}
	if (kind >= 2)
	{
		add_shape(map, NC_SHAPE_WALKABLE, area, 4);
	}
	if (nc_map_update(map, NULL) != NC_OK)
	{
		abort();
	}
	if (kind == 3)
	{
		NcObstacleId id = {1, 1};
		nc_map_remove_obstacle(map, id);
		nc_map_update(map, NULL);
	}
	return map;
}

static const SavedMap* get_base(int kind)
{
	static SavedMap bases[BASE_COUNT];
	if (bases[kind].bytes == NULL)
	{
		NcMap* map = create_base(kind);
		bases[kind].writes_left = -1;
		nc_map_save(map, saved_map_append, &bases[kind]);
		nc_map_destroy(map);
	}
	return &bases[kind];
}

// Apply changes of ten bytes each: where, where else, and how.
static void apply_patches(SavedMap* saved, const uint8_t* data, size_t size)
{
	for (size_t i = 0; i + PATCH_SIZE <= size && i < PATCH_SIZE * MAX_PATCHES; i += PATCH_SIZE)
	{
		uint64_t place = (uint64_t)data[i] | (uint64_t)data[i + 1] << 8 |
						 (uint64_t)data[i + 2] << 32 | (uint64_t)data[i + 3] << 40;
		uint64_t how = data[i + 4] | (uint64_t)nc_file_read_u32(data + i + 5) << 32;
		if (data[i + 9] & 1)
		{
			// Any value, for places that the usual changes do not reach.
			size_t words = (saved->size - NC_FILE_CHECKSUM_SIZE - NC_FILE_MAGIC_SIZE) / 4;
			size_t offset = NC_FILE_MAGIC_SIZE + 4 * (size_t)((uint32_t)place % words);
			saved_map_write_word(saved, offset, nc_file_read_u32(data + i + 5));
			continue;
		}
		saved_map_mutate(saved, place, how);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	if (size == 0)
	{
		return 0;
	}
	SavedMap file = {.writes_left = -1};
	if (data[0] & 1)
	{
		const SavedMap* base = get_base(data[0] >> 1 & 3);
		saved_map_append(&file, base->bytes, base->size);
		apply_patches(&file, data + 1, size - 1);
	}
	else
	{
		saved_map_append(&file, data + 1, size - 1);
	}
	// The exact size shows reads beyond the end.
	file.bytes = realloc(file.bytes, file.size > 0 ? file.size : 1);
	if (file.size >= NC_FILE_HEADER_SIZE + NC_FILE_CHECKSUM_SIZE)
	{
		saved_map_fix_checksum(file.bytes, file.size);
	}
	NcMapDef def = nc_default_map_def();
	NcMap* map;
	NcError error = {0};
	NcStatus status = nc_map_load(&def, file.bytes, file.size, &map, &error);
	free(file.bytes);
	if (status == NC_OK)
	{
		use_up_map(map);
	}
	else if (map != NULL || error.reason == NULL)
	{
		abort();
	}
	if (nc_get_byte_count() != 0)
	{
		abort();
	}
	return 0;
}
