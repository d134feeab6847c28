// SPDX-License-Identifier: MIT

// Candidates for the cells of a map, from the tiles of a distance field. Where the cells of two
// walls meet, in some point of the free space, both walls are nearest to that point, and the list
// of its tile has both. So the neighbours of a wall are in the lists of the tiles that list the
// wall, at any resolution.

#include "nav_corridor/gpu_candidates.h"

#include "grow.h"

#include <assert.h>
#include <string.h>

#define MIN_RESOLUTION 8
#define MAX_RESOLUTION 16384

// The picture is a little larger than the world, so that rounding leaves no gap at its border.
#define BORDER_PIXELS 0.5

struct NcCandidateTiles
{
	NcGpu* gpu;
	int resolution;
	NcCandidateStats stats;

	NcFieldSite* sites;
	int site_capacity;
	int* group_begins;
	int group_begin_capacity;
	int* group_walls;
	int group_wall_capacity;
	int* wall_begins;
	int wall_begin_capacity;
	int* wall_groups;
	int wall_group_capacity;
};

NcCandidateTiles* nc_candidate_tiles_create(NcGpu* gpu, int resolution)
{
	assert(MIN_RESOLUTION <= resolution && resolution <= MAX_RESOLUTION);
	NcCandidateTiles* tiles = nc_allocate(NULL, 0, sizeof(NcCandidateTiles));
	if (tiles != NULL)
	{
		*tiles = (NcCandidateTiles){.gpu = gpu, .resolution = resolution};
	}
	return tiles;
}

static void free_groups(NcCandidateTiles* tiles)
{
	nc_grow_free((void**)&tiles->group_begins, &tiles->group_begin_capacity, sizeof(int));
	nc_grow_free((void**)&tiles->group_walls, &tiles->group_wall_capacity, sizeof(int));
	nc_grow_free((void**)&tiles->wall_begins, &tiles->wall_begin_capacity, sizeof(int));
	nc_grow_free((void**)&tiles->wall_groups, &tiles->wall_group_capacity, sizeof(int));
}

void nc_candidate_tiles_destroy(NcCandidateTiles* tiles)
{
	if (tiles == NULL)
	{
		return;
	}
	free_groups(tiles);
	nc_grow_free((void**)&tiles->sites, &tiles->site_capacity, sizeof(NcFieldSite));
	nc_allocate(tiles, sizeof(NcCandidateTiles), 0);
}

NcCandidateStats nc_candidate_tiles_get_stats(const NcCandidateTiles* tiles)
{
	return tiles->stats;
}

static NcFieldDef make_def(const NcCandidateTiles* tiles, NcBox bounds, int wall_count)
{
	NcVec2 extent = nc_sub(bounds.upper, bounds.lower);
	NcFieldDef def = nc_default_field_def();
	double side = nc_max(nc_max(extent.x, extent.y), 1.0);
	def.pixel_size = side / (tiles->resolution - 2.0 * BORDER_PIXELS);
	double border = BORDER_PIXELS * def.pixel_size;
	def.lower = nc_sub(bounds.lower, (NcVec2){border, border});
	def.width = (int)ceil((extent.x + 2.0 * border) / def.pixel_size - 1e-9);
	def.height = (int)ceil((extent.y + 2.0 * border) / def.pixel_size - 1e-9);
	def.width = def.width < 1 ? 1 : def.width;
	def.height = def.height < 1 ? 1 : def.height;
	def.sites = tiles->sites;
	def.site_count = wall_count;
	return def;
}

// The tiles as groups.
static bool take_groups(NcCandidateTiles* tiles, const NcFieldTiles* lists)
{
	int count = lists->columns * lists->rows;
	if (!nc_grow(
			(void**)&tiles->group_begins, &tiles->group_begin_capacity, sizeof(int), count + 1LL) ||
		!nc_grow((void**)&tiles->group_walls, &tiles->group_wall_capacity, sizeof(int),
			lists->site_count + 1LL))
	{
		return false;
	}
	int total = 0;
	for (int i = 0; i < count; ++i)
	{
		tiles->group_begins[i] = total;
		for (int k = 0; k < lists->tiles[i].count; ++k)
		{
			tiles->group_walls[total++] = (int)lists->sites[lists->tiles[i].begin + k];
		}
	}
	tiles->group_begins[count] = total;
	tiles->stats.group_count = count;
	tiles->stats.candidate_count = total;
	return true;
}

// For each wall, the groups that it is in: count, sum up, and fill.
static bool invert_groups(NcCandidateTiles* tiles, int wall_count)
{
	int total = tiles->group_begins[tiles->stats.group_count];
	if (!nc_grow((void**)&tiles->wall_begins, &tiles->wall_begin_capacity, sizeof(int),
			wall_count + 2LL) ||
		!nc_grow(
			(void**)&tiles->wall_groups, &tiles->wall_group_capacity, sizeof(int), total + 1LL))
	{
		return false;
	}
	int* begins = tiles->wall_begins;
	memset(begins, 0, sizeof(int) * ((size_t)wall_count + 2));
	for (int i = 0; i < total; ++i)
	{
		++begins[tiles->group_walls[i] + 2];
	}
	for (int i = 1; i < wall_count + 2; ++i)
	{
		begins[i] += begins[i - 1];
	}
	// While filling, the begin of a wall is one entry later, and moves to its place.
	for (int group = 0; group < tiles->stats.group_count; ++group)
	{
		for (int i = tiles->group_begins[group]; i < tiles->group_begins[group + 1]; ++i)
		{
			tiles->wall_groups[begins[tiles->group_walls[i] + 1]++] = group;
		}
	}
	return true;
}

static bool take_walls(NcCandidateTiles* tiles, const NcCandidateWall* walls, int wall_count)
{
	if (!nc_grow(
			(void**)&tiles->sites, &tiles->site_capacity, sizeof(NcFieldSite), wall_count + 1LL))
	{
		return false;
	}
	for (int i = 0; i < wall_count; ++i)
	{
		tiles->sites[i] =
			(NcFieldSite){.a = walls[i].a, .b = walls[i].b, .is_gap = !walls[i].is_used};
	}
	return true;
}

bool nc_candidate_tiles_find(void* context, NcBox bounds, const NcCandidateWall* walls,
	int wall_count, NcCandidates* candidates)
{
	NcCandidateTiles* tiles = context;
	tiles->stats = (NcCandidateStats){0};
	if (nc_box_is_empty(bounds) || !take_walls(tiles, walls, wall_count))
	{
		return false;
	}
	NcFieldDef def = make_def(tiles, bounds, wall_count);
	NcFieldTiles lists = {0};
	NcField field = {.tiles = &lists};
	NcError error = {0};
	NcStatus status = tiles->gpu != NULL ? nc_gpu_compute_field(tiles->gpu, &def, &field, &error)
										 : nc_field_compute(NULL, &def, &field, &error);
	bool is_done =
		status == NC_OK && take_groups(tiles, &lists) && invert_groups(tiles, wall_count);
	nc_field_tiles_free(&lists);
	if (!is_done)
	{
		nc_log("no candidates for the map; it finds them itself");
		nc_log(status == NC_OK ? "out of memory" : error.reason);
		return false;
	}
	tiles->stats.is_used = true;
	tiles->stats.is_from_device = field.is_from_device;
	*candidates = (NcCandidates){
		tiles->group_begins, tiles->group_walls, tiles->wall_begins, tiles->wall_groups};
	return true;
}
