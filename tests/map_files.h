// SPDX-License-Identifier: MIT
#pragma once

// Saved maps for tests and fuzzers: bytes in memory, checksums that are right again after a change,
// and the use of a map that nobody vouches for.

#include "check.h"
#include "map_file.h"
#include "nav_corridor/query.h"

#include <stdlib.h>

typedef struct SavedMap
{
	uint8_t* bytes;
	size_t size, capacity;
	int writes_left; // negative: any number
} SavedMap;

// An NcWriteFn.
static inline bool saved_map_append(void* context, const void* data, size_t size)
{
	SavedMap* saved = context;
	if (saved->writes_left == 0)
	{
		return false;
	}
	--saved->writes_left;
	if (saved->capacity - saved->size <= size)
	{
		saved->capacity = 2 * (saved->size + size) + 1;
		saved->bytes = realloc(saved->bytes, saved->capacity);
	}
	memcpy(saved->bytes + saved->size, data, size);
	saved->size += size;
	return true;
}

static inline uint64_t saved_map_compute_checksum(const uint8_t* bytes, size_t size)
{
	NcFileChecksum sum = {{0}};
	size_t i = 0;
	for (; size - i >= NC_FILE_BLOCK_SIZE; i += NC_FILE_BLOCK_SIZE)
	{
		nc_file_checksum_add_block(&sum, bytes + i);
	}
	return nc_file_checksum_finish(&sum, bytes + i, size);
}

// Make the checksum right, so that what is wrong must be found elsewhere.
static inline void saved_map_fix_checksum(uint8_t* bytes, size_t size)
{
	size_t content = size - NC_FILE_CHECKSUM_SIZE;
	uint64_t sum = saved_map_compute_checksum(bytes, content);
	for (int i = 0; i < NC_FILE_CHECKSUM_SIZE; ++i)
	{
		bytes[content + (size_t)i] = (uint8_t)(sum >> 8 * i);
	}
}

static inline void saved_map_write_word(SavedMap* saved, size_t offset, uint32_t value)
{
	for (size_t i = 0; i < 4; ++i)
	{
		saved->bytes[offset + i] = (uint8_t)(value >> 8 * i);
	}
}

// Change a word anywhere in a file, in a way that often makes sense.
// @param place, how any bits: they decide where and how
static inline void saved_map_mutate(SavedMap* saved, uint64_t place, uint64_t how)
{
	static const uint32_t special[] = {0, 1, 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x3fffffffu,
		0x7ff00000u, 0x7ff80000u, 0x43300000u, 0xc3f00000u};
	size_t words = (saved->size - NC_FILE_CHECKSUM_SIZE - NC_FILE_MAGIC_SIZE) / 4;
	size_t offset = NC_FILE_MAGIC_SIZE + 4 * (size_t)((uint32_t)place % words);
	size_t other = NC_FILE_MAGIC_SIZE + 4 * (size_t)((place >> 32) % words);
	uint32_t value = nc_file_read_u32(saved->bytes + offset);
	uint32_t copied = nc_file_read_u32(saved->bytes + other);
	uint32_t argument = (uint32_t)(how >> 32);
	switch (how % 7)
	{
	case 0:
		saved->bytes[offset + argument % 4] = (uint8_t)(argument >> 8);
		break;
	case 1:
		saved_map_write_word(saved, offset, special[argument % NC_COUNT(special)]);
		break;
	case 2:
		saved_map_write_word(saved, offset, value + argument % 7 - 3);
		break;
	case 3:
		saved_map_write_word(saved, offset, copied);
		break;
	case 4:
		saved_map_write_word(saved, offset, copied);
		saved_map_write_word(saved, other, value);
		break;
	case 5:
		saved_map_write_word(saved, offset, value ^ 1u << argument % 32);
		break;
	default:
		saved_map_write_word(saved, offset, argument % 200);
		break;
	}
}

// Read everything that a map has to say.
static inline void use_by_reading(const NcMap* map)
{
	enum
	{
		CAPACITY = 64
	};
	NcMapEvent events[CAPACITY];
	NcVec2 points[CAPACITY];
	NcEdgeEnd ends[CAPACITY];
	(void)nc_map_get_stats(map);
	(void)nc_map_compute_hash(map);
	for (int i = 0; i < nc_map_get_edge_range(map); ++i)
	{
		nc_map_get_edge_events(map, i, events, CAPACITY);
		nc_map_get_edge_points(map, i, 0.01, points, CAPACITY);
	}
	for (int i = 0; i < nc_map_get_vertex_range(map); ++i)
	{
		nc_map_get_vertex_edges(map, i, ends, CAPACITY);
	}
	for (int i = 0; i < nc_map_get_wall_range(map); ++i)
	{
		NcMapWall wall;
		(void)nc_map_get_wall(map, i, &wall);
	}
}

// A point of the bounds, given as parts of their size.
static inline NcVec2 place_in_bounds(const NcMap* map, double x, double y)
{
	NcBox bounds = nc_map_get_bounds(map);
	return (NcVec2){bounds.lower.x + x * (bounds.upper.x - bounds.lower.x),
		bounds.lower.y + y * (bounds.upper.y - bounds.lower.y)};
}

static inline void use_by_asking(const NcMap* map)
{
	NcQuery* query;
	if (nc_query_create(map, &query) != NC_OK)
	{
		return;
	}
	for (int i = 0; i < 25; ++i)
	{
		NcLocation location;
		NcPathInfo info;
		NcPathDef def = nc_default_path_def();
		def.start = place_in_bounds(map, 0.03 + 0.19 * (i % 5), 0.06 + 0.19 * (i / 5));
		def.goal = place_in_bounds(map, 0.97 - 0.19 * (i / 5), 0.96 - 0.17 * (i % 5));
		def.radius = i % 3 * nc_map_get_snap(map);
		def.route = i % 2 == 0 ? NC_ROUTE_SHORTEST : NC_ROUTE_MEDIAL;
		NcMapEvent events[16];
		(void)nc_query_locate(query, def.start, &location);
		(void)nc_query_find_path(query, &def, &info);
		nc_query_get_corridor(query, events, 16);
	}
	nc_query_destroy(query);
}

// Remove the first obstacles one by one, with a new one for each of them.
static inline void use_by_editing(NcMap* map)
{
	for (int i = 0; i < 6 && i < map->slots.count; ++i)
	{
		NcObstacleId id = {(uint32_t)i + 1, map->slots.data[i].generation};
		(void)nc_map_remove_obstacle(map, id);
		(void)nc_map_update(map, NULL);
		NcVec2 corners[3] = {place_in_bounds(map, 0.1 * i, 0.2), place_in_bounds(map, 0.8, 0.1 * i),
			place_in_bounds(map, 0.5, 0.13 * i)};
		NcShape shape = {.kind = i % 2 == 0 ? NC_SHAPE_POLYGON : NC_SHAPE_CHAIN,
			.points = corners,
			.point_count = 3};
		(void)nc_map_add_obstacle(map, &shape, &id, NULL);
		(void)nc_map_update(map, NULL);
	}
	for (int i = map->slots.count - 1; i >= 0 && i >= map->slots.count - 4; --i)
	{
		NcObstacleId id = {(uint32_t)i + 1, map->slots.data[i].generation};
		(void)nc_map_remove_obstacle(map, id);
		(void)nc_map_update(map, NULL);
	}
}

// Do everything with a map, and destroy it. It must not crash, whatever the map is.
static inline void use_up_map(NcMap* map)
{
	use_by_reading(map);
	use_by_asking(map);
	use_by_editing(map);
	use_by_reading(map);
	use_by_asking(map);
	nc_map_destroy(map);
}
