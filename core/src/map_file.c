// SPDX-License-Identifier: MIT
// Loading maps: see map_file.h for the format. This file reads the header and the obstacles, and
// leads through the steps; map_file_snap.c and map_file_cells.c do the rest, map_file_save.c the
// opposite.
//
// Nothing in a file is believed. Counts are compared with the size before anything is allocated,
// indices are checked where they are read, and what the rest of the library relies on is either
// derived again or verified completely, even if the checksum is right: anybody can compute that.
// Loading never costs more than building the same obstacles.

#include "map_file.h"

#include "check.h"

// The checksum.

uint64_t nc_file_checksum_finish(NcFileChecksum* sum, const uint8_t* rest, uint64_t size)
{
	uint8_t block[NC_FILE_BLOCK_SIZE] = {0};
	memcpy(block, rest, size % NC_FILE_BLOCK_SIZE);
	nc_file_checksum_add_block(sum, block);
	uint64_t result = size;
	for (int i = 0; i < 4; ++i)
	{
		result = nc_file_mix(result, sum->lanes[i]);
	}
	return result;
}

static uint64_t compute_checksum(const uint8_t* bytes, uint64_t size)
{
	NcFileChecksum sum = {{0}};
	uint64_t i = 0;
	for (; size - i >= NC_FILE_BLOCK_SIZE; i += NC_FILE_BLOCK_SIZE)
	{
		nc_file_checksum_add_block(&sum, bytes + i);
	}
	return nc_file_checksum_finish(&sum, bytes + i, size);
}

// The curve that visits the quarters of a square in the order of the letter Z, and their quarters
// likewise, orders points by the highest bit in which their coordinates differ.
bool nc_file_is_before(NcPoint p, NcPoint q)
{
	uint32_t sign = (uint32_t)1 << 31; // so that negative numbers come before positive ones
	uint32_t px = (uint32_t)p.x ^ sign;
	uint32_t py = (uint32_t)p.y ^ sign;
	uint32_t qx = (uint32_t)q.x ^ sign;
	uint32_t qy = (uint32_t)q.y ^ sign;
	uint32_t dx = px ^ qx;
	uint32_t dy = py ^ qy;
	bool y_differs_higher = dx < dy && dx < (dx ^ dy);
	return y_differs_higher ? py < qy : px < qx;
}

// The header.

uint64_t nc_file_compute_size(const NcFileHeader* h, uint64_t offsets[NC_FILE_SECTION_COUNT])
{
	const struct
	{
		int count, item_size;
	} sections[NC_FILE_SECTION_COUNT] = {
		{h->slot_count, NC_FILE_SLOT_SIZE},
		{h->free_slot_count, 4},
		{h->vertex_count, NC_FILE_VERTEX_SIZE},
		{h->fragment_count, 8}, // two halves each
		{h->edge_count, 4},
		{h->use_count, 4},
		{h->feature_count, 4},
		{h->record_count, NC_FILE_RECORD_SIZE},
		{h->record_count, 4},
		{h->graph_edge_count, NC_FILE_GRAPH_EDGE_SIZE},
	};
	uint64_t size = NC_FILE_HEADER_SIZE;
	for (int i = 0; i < NC_FILE_SECTION_COUNT; ++i)
	{
		offsets[i] = size;
		size += (uint64_t)sections[i].count * (uint64_t)sections[i].item_size;
	}
	return size + NC_FILE_CHECKSUM_SIZE;
}

static NcStatus fail(NcError* error, const char* reason)
{
	return nc_fail(error, NC_WRONG_FORMAT, NC_NULL_INDEX, reason);
}

// More items than this would not fit into indices that count halves and features.
#define MAX_COUNT (1 << 28)

static bool read_counts(const uint8_t* p, NcFileHeader* header)
{
	int* const counts[] = {&header->columns, &header->rows, &header->slot_count,
		&header->free_slot_count, &header->vertex_count, &header->fragment_count,
		&header->edge_count, &header->use_count, &header->feature_count, &header->record_count,
		&header->graph_edge_count};
	for (int i = 0; i < NC_COUNT(counts); ++i)
	{
		uint32_t count = nc_file_read_u32(p + 4 * i);
		if (count > MAX_COUNT)
		{
			return false;
		}
		*counts[i] = (int)count;
	}
	return true;
}

static bool is_in_range(NcPoint p)
{
	return -NC_MAX_COORDINATE < p.x && p.x < NC_MAX_COORDINATE && -NC_MAX_COORDINATE < p.y &&
		   p.y < NC_MAX_COORDINATE;
}

static bool is_world_usable(const NcFileHeader* h)
{
	NcVec2 lower = nc_scale(h->snap, nc_point_to_vec2(h->lower));
	NcVec2 upper = nc_scale(h->snap, nc_point_to_vec2(h->upper));
	return h->snap > 0.0 && isfinite(h->snap) && isfinite(1.0 / h->snap) && is_in_range(h->lower) &&
		   is_in_range(h->upper) && h->lower.x < h->upper.x && h->lower.y < h->upper.y &&
		   nc_is_finite(lower) && nc_is_finite(upper);
}

static bool is_grid_usable(const NcFileHeader* h)
{
	return h->columns > 0 && h->rows > 0 &&
		   (long long)h->columns * h->rows <= nc_file_max_grid_cells(h->edge_count);
}

static NcPoint read_point(const uint8_t* p)
{
	return (NcPoint){nc_file_read_i32(p), nc_file_read_i32(p + 4)};
}

static void set_sections(NcFile* file, const uint8_t* bytes, const uint64_t* offsets)
{
	const uint8_t** const sections[NC_FILE_SECTION_COUNT] = {&file->slots, &file->free_slots,
		&file->vertices, &file->rings, &file->edges, &file->uses, &file->cells, &file->records,
		&file->mirrors, &file->graph_edges};
	for (int i = 0; i < NC_FILE_SECTION_COUNT; ++i)
	{
		*sections[i] = bytes + offsets[i];
	}
}

// Check that this is a whole file, and find its sections.
static NcStatus open_file(const uint8_t* bytes, size_t size, NcFile* file, NcError* error)
{
	if (size < NC_FILE_MAGIC_SIZE || memcmp(bytes, NC_FILE_MAGIC, NC_FILE_MAGIC_SIZE) != 0)
	{
		return fail(error, "this is not a saved map");
	}
	if (size < NC_FILE_HEADER_SIZE)
	{
		return fail(error, "the saved map is incomplete");
	}
	if (nc_file_read_u32(bytes + 8) != NC_FILE_VERSION)
	{
		return fail(error, "the map was saved by another version of the library");
	}
	NcFileHeader* h = &file->header;
	h->snap = nc_file_read_double(bytes + 12);
	h->lower = read_point(bytes + 20);
	h->upper = read_point(bytes + 28);
	uint64_t offsets[NC_FILE_SECTION_COUNT];
	if (!read_counts(bytes + 36, h))
	{
		return fail(error, "the saved map is damaged: its header is wrong");
	}
	uint64_t expected = nc_file_compute_size(h, offsets);
	if (size != expected)
	{
		return fail(error, size < expected ? "the saved map is incomplete"
										   : "the saved map is damaged: it is too long");
	}
	uint64_t content = expected - NC_FILE_CHECKSUM_SIZE;
	if (compute_checksum(bytes, content) != nc_file_read_u64(bytes + content))
	{
		return fail(error, "the saved map is damaged: its checksum is wrong");
	}
	if (!is_world_usable(h) || !is_grid_usable(h))
	{
		return fail(error, "the saved map is damaged: its header is wrong");
	}
	set_sections(file, bytes, offsets);
	return NC_OK;
}

// Obstacles.

static bool read_slot(const NcFile* file, int index, NcMap* map)
{
	const uint8_t* p = file->slots + (size_t)index * NC_FILE_SLOT_SIZE;
	NcObstacleSlot* slot = &map->slots.data[index];
	uint32_t edge_count = nc_file_read_u32(p + 4);
	uint32_t kind = nc_file_read_u32(p + 8);
	*slot = (NcObstacleSlot){
		.generation = nc_file_read_u32(p),
		.first_built_edge = NC_NULL_INDEX,
		.is_used = kind != NC_FILE_SLOT_EMPTY,
		.is_walkable = kind == NC_FILE_SLOT_WALKABLE,
	};
	slot->built_generation = slot->generation;
	map->obstacle_count += slot->is_used;
	map->walkable_count += slot->is_walkable;
	bool is_valid = slot->generation > 0 && kind <= NC_FILE_SLOT_WALKABLE &&
					edge_count <= (uint32_t)(file->header.edge_count - map->edge_count) &&
					(slot->is_used || edge_count == 0);
	if (is_valid && edge_count > 0)
	{
		slot->edges.data = map->loaded_edges.data + map->edge_count;
	}
	map->edge_count += is_valid ? (int)edge_count : 0;
	return is_valid;
}

static NcStatus read_slots(const NcFile* file, NcMap* map)
{
	for (int i = 0; i < file->header.slot_count; ++i)
	{
		map->slots.count = i + 1;
		if (!read_slot(file, i, map))
		{
			return NC_WRONG_FORMAT;
		}
	}
	bool is_complete = map->edge_count + NC_FILE_BOUNDS_EDGES == file->header.edge_count;
	return is_complete ? NC_OK : NC_WRONG_FORMAT;
}

// Every empty slot is listed once. While reading, `is_edited` marks those that were seen.
static NcStatus read_free_slots(const NcFile* file, NcMap* map)
{
	int count = file->header.free_slot_count;
	if (count != map->slots.count - map->obstacle_count)
	{
		return NC_WRONG_FORMAT;
	}
	for (int i = 0; i < count; ++i)
	{
		uint32_t index = nc_file_read_u32(file->free_slots + 4 * (size_t)i);
		NcObstacleSlot* slot = index < (uint32_t)map->slots.count ? &map->slots.data[index] : NULL;
		if (slot == NULL || slot->is_used || slot->is_edited)
		{
			return NC_WRONG_FORMAT;
		}
		slot->is_edited = true;
		nc_array_push(&map->free_slots, (int)index);
	}
	for (int i = 0; i < count; ++i)
	{
		map->slots.data[map->free_slots.data[i]].is_edited = false;
	}
	return NC_OK;
}

NcStatus nc_file_load_obstacles(const NcFile* file, NcMap* map)
{
	// As many free and edited slots as there are slots must fit, so that removing cannot fail.
	int count = file->header.slot_count;
	if (!nc_array_reserve(&map->loaded_edges, file->header.edge_count) ||
		!nc_array_reserve(&map->slots, count) || !nc_array_reserve(&map->free_slots, count) ||
		!nc_array_reserve(&map->edited, count) ||
		!nc_array_reserve(&map->changed_boxes, NC_MAX_CHANGED_BOXES))
	{
		return NC_OUT_OF_MEMORY;
	}
	map->edge_count = 0;
	NcStatus status = read_slots(file, map);
	return status == NC_OK ? read_free_slots(file, map) : status;
}

// Loading.

// Changes in place stitch new cells to those that stay, and need these to be the true ones. Whether
// loaded cells are true cannot be told without computing them, so the first update of a loaded map
// builds it from scratch: its edges count as far more than the world was made for. The factor is
// that of should_build_from_scratch() and some room.
#define NEVER_BUILT (INT_MIN / 8)

// The steps, and what is wrong if they fail.
static const struct
{
	NcStatus (*load)(const NcFile* file, NcMap* map);
	const char* reason;
} steps[] = {
	{nc_file_load_obstacles, "the saved map is damaged: its obstacles are wrong"},
	{nc_file_load_snap, "the saved map is damaged: its walls are wrong"},
	{nc_file_load_cells, "the saved map is damaged: its cells are wrong"},
};

static NcStatus load(const NcFile* file, NcMap* map, NcError* error)
{
	for (int i = 0; i < NC_COUNT(steps); ++i)
	{
		NcStatus status = steps[i].load(file, map);
		if (status != NC_OK)
		{
			bool is_damaged = status == NC_WRONG_FORMAT;
			return nc_fail(error, status, NC_NULL_INDEX,
				is_damaged ? steps[i].reason : "no memory for the map");
		}
	}
	map->built_edge_count = NEVER_BUILT;
	map->revision = 1;
	nc_array_push(&map->changed_boxes, nc_map_get_bounds(map));
	return NC_OK;
}

NcStatus nc_map_load(
	const NcMapDef* def, const void* data, size_t size, NcMap** map, NcError* error)
{
	NC_ASSERT(def->cookie == nc_default_map_def().cookie);
	*map = NULL;
	NcFile file;
	NcStatus status = open_file(data, size, &file, error);
	if (status != NC_OK)
	{
		return status;
	}
	NcMap* loaded = nc_allocate(NULL, 0, sizeof(NcMap));
	if (loaded == NULL)
	{
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the map");
	}
	*loaded = (NcMap){
		.snap = file.header.snap,
		.inverse_snap = 1.0 / file.header.snap,
		.lower = file.header.lower,
		.upper = file.header.upper,
		.parallel = {def->parallel_for, def->parallel_context, def->worker_count,
			def->find_candidates, def->candidates_context},
	};
	status = load(&file, loaded, error);
	if (status != NC_OK)
	{
		nc_map_destroy(loaded);
		return status;
	}
	*map = loaded;
	return NC_OK;
}
