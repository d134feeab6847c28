// SPDX-License-Identifier: MIT

// Distance fields by the processor: what the shaders cull.comp, mesh.comp, wind.comp and
// inside.comp do, in the same operations.

#include "field_chunk.h"

#include "grow.h"

#include <string.h>

// The working memory of a chunk.
typedef struct Work
{
	NcFieldJob* job;
	NcMeshPixel* pixels; // all of the chunk
	int* changes;        // of the cover, for one row
	// The candidates of the present tile of each level.
	uint32_t* lists[NC_MESH_LEVEL_COUNT];
} Work;

#define PIXEL_COUNT ((size_t)NC_MESH_CHUNK_SIZE * NC_MESH_CHUNK_SIZE)

static bool needs_pixels(const NcField* field)
{
	return field->labels != NULL || field->clearances != NULL;
}

// The candidates of a tile out of those of its parent: see shaders/cull.comp.
static int cull(Work* work, int level, const NcMeshTile* tile, int parent_count)
{
	const NcMeshSite* sites = work->job->chunk.sites;
	const uint32_t* parent_list = work->lists[level - 1];
	uint32_t* list = work->lists[level];
	float size = (float)nc_mesh_tile_size(level);
	float x = (float)tile->x + 0.5f * size;
	float y = (float)tile->y + 0.5f * size;
	float nearest = INFINITY;
	for (int i = 0; i < parent_count; ++i)
	{
		nearest = fminf(nearest, nc_mesh_squared_distance(&sites[parent_list[i]], x, y));
	}

	float reach = sqrtf(nearest) * 1.00001f + size * 1.4145f + 0.01f;
	float limit = reach * reach;
	int count = 0;
	for (int i = 0; i < parent_count; ++i)
	{
		if (nc_mesh_squared_distance(&sites[parent_list[i]], x, y) <= limit)
		{
			list[count++] = parent_list[i];
		}
	}
	work->job->field->cull_count += parent_count;
	return count;
}

// The nearest site of every pixel of a tile: see shaders/mesh.comp.
static void compute_pixels(Work* work, const NcMeshTile* tile, const uint32_t* list, int count)
{
	const NcMeshSite* sites = work->job->chunk.sites;
	for (int i = 0; i < NC_MESH_TILE_SIZE * NC_MESH_TILE_SIZE; ++i)
	{
		int column = tile->x + i % NC_MESH_TILE_SIZE;
		int row = tile->y + i / NC_MESH_TILE_SIZE;
		float x = (float)column + 0.5f;
		float y = (float)row + 0.5f;
		NcMeshPixel best = {nc_mesh_squared_distance(&sites[list[0]], x, y), list[0]};
		for (int k = 1; k < count; ++k)
		{
			float squared = nc_mesh_squared_distance(&sites[list[k]], x, y);
			if (squared < best.squared_distance)
			{
				best = (NcMeshPixel){squared, list[k]};
			}
		}
		best.label = sites[best.label].id;
		work->pixels[row * NC_MESH_CHUNK_SIZE + column] = best;
	}
}

// Compute a tile and everything in it. The depth of the recursion is the number of levels.
static bool compute_tile(Work* work, int level, int index, int parent_count)
{
	NcFieldChunk* chunk = &work->job->chunk;
	NcMeshTile* tile = &chunk->tiles[index];
	int count = cull(work, level, tile, parent_count);
	tile->count = (uint32_t)count;
	if (level + 1 < NC_MESH_LEVEL_COUNT)
	{
		for (int i = chunk->first_children[index]; i < chunk->first_children[index + 1]; ++i)
		{
			if (!compute_tile(work, level + 1, i, count))
			{
				return false;
			}
		}
		return true;
	}

	if (needs_pixels(work->job->field))
	{
		compute_pixels(work, tile, work->lists[level], count);
	}
	return work->job->field->tiles == NULL ||
		   nc_field_store_candidates(work->job, tile, work->lists[level], count);
}

// The first pixel of a row to the right of an edge: see shaders/wind.comp.
static int find_first_right_of(const NcMeshEdge* edge, float y)
{
	float crossing = (edge->ux * y + edge->offset) / edge->uy;
	int x = (int)fminf(fmaxf(crossing, 0.0f), (float)NC_MESH_CHUNK_SIZE);
	while (
		x > 0 && nc_mesh_height(edge->ux, edge->uy, edge->offset, (float)(x - 1) + 0.5f, y) < 0.0f)
	{
		--x;
	}
	while (x < NC_MESH_CHUNK_SIZE &&
		   !(nc_mesh_height(edge->ux, edge->uy, edge->offset, (float)x + 0.5f, y) < 0.0f))
	{
		++x;
	}
	return x;
}

// Add the changes of cover at an edge to all rows that it passes.
static void add_changes(Work* work, const NcMeshEdge* edge)
{
	int height = work->job->chunk.height;
	int row = edge->ay > 0.5f ? (int)(edge->ay - 0.5f) : 0;
	for (; row < height && (float)row + 0.5f < edge->by; ++row)
	{
		float y = (float)row + 0.5f;
		int x = y < edge->ay ? NC_MESH_CHUNK_SIZE : find_first_right_of(edge, y);
		if (x < NC_MESH_CHUNK_SIZE)
		{
			work->changes[row * NC_MESH_CHUNK_SIZE + x] += edge->change;
		}
	}
}

static void mark_blocked(Work* work)
{
	const NcFieldChunk* chunk = &work->job->chunk;
	memset(work->changes, 0, PIXEL_COUNT * sizeof(int));
	for (int i = 0; i < chunk->edge_count; ++i)
	{
		add_changes(work, &chunk->edges[i]);
	}
	for (int y = 0; y < chunk->height; ++y)
	{
		int cover = chunk->cover[y];
		for (int x = 0; x < chunk->width; ++x)
		{
			cover += work->changes[y * NC_MESH_CHUNK_SIZE + x];
			if (cover != 0)
			{
				work->pixels[y * NC_MESH_CHUNK_SIZE + x].label |= NC_FIELD_BLOCKED;
			}
		}
	}
}

static bool allocate(Work* work)
{
	const NcFieldJob* job = work->job;
	bool is_done = true;
	if (needs_pixels(job->field))
	{
		work->pixels = nc_allocate(NULL, 0, PIXEL_COUNT * sizeof(NcMeshPixel));
		is_done = work->pixels != NULL;
	}
	if (work->pixels != NULL && job->chunk.has_areas)
	{
		work->changes = nc_allocate(NULL, 0, PIXEL_COUNT * sizeof(int));
		is_done = work->changes != NULL;
	}
	for (int i = 0; i < NC_MESH_LEVEL_COUNT && is_done; ++i)
	{
		work->lists[i] = nc_allocate(NULL, 0, sizeof(uint32_t) * (size_t)job->chunk.site_count);
		is_done = work->lists[i] != NULL;
	}
	return is_done;
}

static void release(Work* work)
{
	nc_allocate(work->pixels, work->pixels != NULL ? PIXEL_COUNT * sizeof(NcMeshPixel) : 0, 0);
	nc_allocate(work->changes, work->changes != NULL ? PIXEL_COUNT * sizeof(int) : 0, 0);
	for (int i = 0; i < NC_MESH_LEVEL_COUNT; ++i)
	{
		size_t size = sizeof(uint32_t) * (size_t)work->job->chunk.site_count;
		nc_allocate(work->lists[i], work->lists[i] != NULL ? size : 0, 0);
	}
}

static bool compute(Work* work)
{
	NcFieldChunk* chunk = &work->job->chunk;
	for (int i = 0; i < chunk->site_count; ++i)
	{
		work->lists[0][i] = (uint32_t)i;
	}
	for (int i = chunk->level_begins[1]; i < chunk->level_begins[2]; ++i)
	{
		if (!compute_tile(work, 1, i, chunk->site_count))
		{
			return false;
		}
	}
	if (!needs_pixels(work->job->field))
	{
		return true;
	}

	if (chunk->has_areas)
	{
		mark_blocked(work);
	}
	for (int i = chunk->level_begins[NC_MESH_LEVEL_COUNT - 1]; i < chunk->tile_count; ++i)
	{
		nc_field_store_pixels(work->job, &chunk->tiles[i], work->pixels);
	}
	return true;
}

bool nc_field_compute_chunk(void* context, NcFieldJob* job)
{
	(void)context;
	Work work = {.job = job};
	bool is_done = allocate(&work) && compute(&work);
	release(&work);
	return is_done;
}
