// SPDX-License-Identifier: MIT

// Distance fields by a Vulkan device.
//
// A chunk goes through the levels of tiles from large to small. On each level the shader cull.comp
// counts the candidates of every tile, the host decides where each list begins, and the shader
// writes the lists. Long lists take several runs. The candidates of the smallest tiles are compared
// pixel by pixel, either by a compute shader or by drawing each of them as a distance mesh. At last
// the inside of areas is marked.
//
//     sites --cull--> tiles of 512 --> 128 --> 32 --> 8 --mesh--> pixels --inside--> labels
//
// Lists that would be too long for one buffer are handled in batches of tiles, depth first: a batch
// goes all the way down to its pixels before the next one begins. A tile is never cut, so batches
// change no result.

#include "field_chunk.h"
#include "vk.h"

#include "cull.comp.h"
#include "inside.comp.h"
#include "mesh.comp.h"
#include "wind.comp.h"

#include <assert.h>
#include <string.h>

typedef struct NcCullParams NcCullParams;
typedef struct NcMeshParams NcMeshParams;
typedef struct NcWindParams NcWindParams;
typedef struct NcInsideParams NcInsideParams;

_Static_assert(sizeof(NcMeshSite) == 32, "must match the shaders");
_Static_assert(sizeof(NcMeshTile) == 28, "must match the shaders");
_Static_assert(sizeof(NcMeshPixel) == 8, "must match the shaders");
_Static_assert(sizeof(NcMeshEdge) == 24, "must match the shaders");

#define LEAF_LEVEL (NC_MESH_LEVEL_COUNT - 1)
#define PIXEL_COUNT ((VkDeviceSize)NC_MESH_CHUNK_SIZE * NC_MESH_CHUNK_SIZE)

// The candidates of a batch; a quarter of what the smallest buffer of any device holds. A
// submission with so many is done before a desktop's watchdog resets the device.
#define MAX_BATCH_CANDIDATES (1 << 23)

// The groups of a dispatch in one direction; every device allows 65535.
#define MAX_GROUPS 32768

// What lives as long as a job. All buffers grow when they have to.
typedef struct Mesh
{
	NcGpu* gpu;
	NcFieldJob* job;
	bool needs_pixels;
	bool is_raster;
	float depth_scale; // a power of two

	NcVkBuffer sites;
	NcVkBuffer tiles; // the host reads and writes them, too
	NcVkBuffer lists[NC_MESH_LEVEL_COUNT];
	NcVkBuffer list_copy;
	NcVkBuffer pixels, pixel_copy;
	NcVkBuffer edges, changes;
} Mesh;

// Begin recording, behind everything that was submitted before.
static bool begin(NcVk* vk)
{
	if (!nc_vk_begin(vk))
	{
		return false;
	}
	nc_vk_barrier(vk, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
	return true;
}

// Between a step of a recording and the next.
static void separate(const NcVk* vk)
{
	VkPipelineStageFlags stages =
		VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
	nc_vk_barrier(vk, stages, VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, stages,
		VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
			VK_ACCESS_TRANSFER_WRITE_BIT);
}

// Run what was recorded, and let the host see what was written.
static bool finish(NcVk* vk)
{
	nc_vk_barrier(vk, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
		VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
	return nc_vk_submit_and_wait(vk);
}

static NcMeshTile* get_tiles(const Mesh* mesh)
{
	return mesh->tiles.data;
}

// Record a step of culling for some tiles, whose parents have up to `longest` candidates.
static void record_cull(Mesh* mesh, NcCullParams params, uint32_t longest)
{
	NcVk* vk = &mesh->gpu->vk;
	uint32_t group = NC_MESH_CULL_GROUP_SIZE;
	for (uint32_t slice = 0; slice < longest; slice += NC_MESH_SLICE_SIZE)
	{
		params.slice_begin = slice;
		nc_vk_dispatch(vk, &mesh->gpu->cull, &params, (params.tile_count + group - 1) / group, 1);
		separate(vk);
	}
}

// Count or write the candidates of the tiles from `first` to `end` of a level.
static bool cull(Mesh* mesh, int level, int first, int end, bool is_fill)
{
	NcVk* vk = &mesh->gpu->vk;
	NcVkBuffer buffers[NC_CULL_BUFFER_COUNT] = {
		[NC_CULL_SITES] = mesh->sites,
		[NC_CULL_TILES] = mesh->tiles,
		[NC_CULL_PARENT_LIST] = mesh->lists[level - 1],
		[NC_CULL_LIST] = mesh->lists[level],
	};
	NcCullParams params = {
		.first_tile = (uint32_t)first,
		.tile_count = (uint32_t)(end - first),
		.tile_size = (float)nc_mesh_tile_size(level),
		.step = is_fill ? NC_CULL_FILL : NC_CULL_NEAREST,
	};
	const NcMeshTile* tiles = get_tiles(mesh);
	uint32_t longest = 0;
	for (int i = first; i < end; ++i)
	{
		uint32_t count = tiles[tiles[i].parent].count;
		longest = count > longest ? count : longest;
	}

	nc_vk_pipeline_bind(vk, &mesh->gpu->cull, buffers);
	if (!begin(vk))
	{
		return false;
	}
	record_cull(mesh, params, longest);
	if (!is_fill)
	{
		params.step = NC_CULL_COUNT;
		record_cull(mesh, params, longest);
	}
	return finish(vk);
}

static void record_pixels(Mesh* mesh, NcMeshParams params)
{
	const NcMeshTile* tiles = get_tiles(mesh) + params.first_tile;
	uint32_t longest = 0;
	for (uint32_t i = 0; i < params.tile_count; ++i)
	{
		longest = tiles[i].count > longest ? tiles[i].count : longest;
	}
	for (uint32_t slice = 0; slice < longest; slice += NC_MESH_SLICE_SIZE)
	{
		params.slice_begin = slice;
		nc_vk_dispatch(&mesh->gpu->vk, &mesh->gpu->mesh, &params, params.tile_count, 1);
		separate(&mesh->gpu->vk);
	}
}

// Compare the candidates of some of the smallest tiles with their pixels.
static bool compute_pixels(Mesh* mesh, int first, int end, uint32_t candidate_count)
{
	NcGpu* gpu = mesh->gpu;
	NcVkBuffer buffers[NC_MESH_BUFFER_COUNT] = {
		[NC_MESH_SITES] = mesh->sites,
		[NC_MESH_TILES] = mesh->tiles,
		[NC_MESH_LIST] = mesh->lists[LEAF_LEVEL],
		[NC_MESH_PIXELS] = mesh->pixels,
	};
	NcMeshParams params = {
		.first_tile = (uint32_t)first,
		.tile_count = (uint32_t)(end - first),
		.depth_scale = mesh->depth_scale,
	};
	nc_vk_pipeline_bind(&gpu->vk, mesh->is_raster ? &gpu->raster.pipeline : &gpu->mesh, buffers);
	if (!begin(&gpu->vk))
	{
		return false;
	}
	if (mesh->is_raster)
	{
		nc_mesh_raster_draw(&gpu->vk, &gpu->raster, &params, candidate_count);
	}
	else
	{
		record_pixels(mesh, params);
	}
	return finish(&gpu->vk);
}

// Hand over the candidates of some of the smallest tiles.
static bool store_candidates(Mesh* mesh, int first, int end, uint32_t candidate_count)
{
	NcVk* vk = &mesh->gpu->vk;
	VkDeviceSize size = candidate_count * sizeof(uint32_t);
	if (!nc_vk_buffer_reserve(vk, size, NC_VK_READBACK, &mesh->list_copy) || !begin(vk))
	{
		return false;
	}
	nc_vk_copy(vk, &mesh->lists[LEAF_LEVEL], &mesh->list_copy, size);
	if (!finish(vk))
	{
		return false;
	}

	const uint32_t* list = mesh->list_copy.data;
	for (int i = first; i < end; ++i)
	{
		const NcMeshTile* tile = &get_tiles(mesh)[i];
		if (!nc_field_store_candidates(mesh->job, tile, list + tile->begin, (int)tile->count))
		{
			return nc_vk_fail(vk, VK_ERROR_OUT_OF_HOST_MEMORY, "out of memory");
		}
	}
	return true;
}

static bool compute_leaves(Mesh* mesh, int first, int end, uint32_t candidate_count)
{
	return (!mesh->needs_pixels || compute_pixels(mesh, first, end, candidate_count)) &&
		   (mesh->job->field->tiles == NULL || store_candidates(mesh, first, end, candidate_count));
}

// Decide where the lists of tiles begin, from `first` on, as far as they fit into a batch. Returns
// the end of the batch.
static int place_lists(Mesh* mesh, int first, int end, uint32_t* candidate_count)
{
	NcMeshTile* tiles = get_tiles(mesh);
	uint32_t total = 0;
	int i = first;
	for (; i < end && (i == first || total + tiles[i].count <= MAX_BATCH_CANDIDATES); ++i)
	{
		tiles[i].begin = total;
		total += tiles[i].count;
	}
	*candidate_count = total;
	return i;
}

// Compute the tiles of a level, whose parents' candidates are listed, and everything in them. The
// depth of the recursion is the number of levels.
static bool compute_tiles(Mesh* mesh, int level, int first, int end)
{
	const NcFieldChunk* chunk = &mesh->job->chunk;
	if (!cull(mesh, level, first, end, false))
	{
		return false;
	}
	for (int i = first; i < end; ++i)
	{
		mesh->job->field->cull_count += get_tiles(mesh)[get_tiles(mesh)[i].parent].count;
	}

	while (first < end)
	{
		uint32_t candidate_count;
		int batch_end = place_lists(mesh, first, end, &candidate_count);
		if (!nc_vk_buffer_reserve(&mesh->gpu->vk, candidate_count * sizeof(uint32_t), NC_VK_DEVICE,
				&mesh->lists[level]) ||
			!cull(mesh, level, first, batch_end, true))
		{
			return false;
		}
		bool is_done = level == LEAF_LEVEL
						   ? compute_leaves(mesh, first, batch_end, candidate_count)
						   : compute_tiles(mesh, level + 1, chunk->first_children[first],
								 chunk->first_children[batch_end]);
		if (!is_done)
		{
			return false;
		}
		first = batch_end;
	}
	return true;
}

// The inside of areas.

static bool upload_areas(Mesh* mesh)
{
	NcVk* vk = &mesh->gpu->vk;
	const NcFieldChunk* chunk = &mesh->job->chunk;
	size_t edge_bytes = sizeof(NcMeshEdge) * (size_t)chunk->edge_count;
	if (!nc_vk_buffer_reserve(vk, edge_bytes + sizeof(NcMeshEdge), NC_VK_UPLOAD, &mesh->edges) ||
		!nc_vk_buffer_reserve(vk, PIXEL_COUNT * sizeof(int), NC_VK_UPLOAD, &mesh->changes))
	{
		return false;
	}
	if (edge_bytes > 0)
	{
		memcpy(mesh->edges.data, chunk->edges, edge_bytes);
	}
	int* changes = mesh->changes.data;
	memset(changes, 0, PIXEL_COUNT * sizeof(int));
	for (int row = 0; row < NC_MESH_CHUNK_SIZE; ++row)
	{
		changes[row * NC_MESH_CHUNK_SIZE] = chunk->cover[row];
	}
	return true;
}

static void record_areas(Mesh* mesh)
{
	NcGpu* gpu = mesh->gpu;
	NcWindParams wind = {.edge_count = mesh->job->chunk.edge_count};
	NcInsideParams inside = {.blocked_bit = NC_FIELD_BLOCKED};
	if (wind.edge_count > 0)
	{
		uint32_t columns = (uint32_t)(wind.edge_count < MAX_GROUPS ? wind.edge_count : MAX_GROUPS);
		uint32_t rows = ((uint32_t)wind.edge_count + columns - 1) / columns;
		nc_vk_dispatch(&gpu->vk, &gpu->wind, &wind, columns, rows);
		separate(&gpu->vk);
	}
	nc_vk_dispatch(&gpu->vk, &gpu->inside, &inside, NC_MESH_CHUNK_SIZE, 1);
	separate(&gpu->vk);
}

// Bring the pixels of the chunk to the host, with those inside of areas marked.
static bool read_pixels(Mesh* mesh)
{
	NcGpu* gpu = mesh->gpu;
	bool has_areas = mesh->job->chunk.has_areas;
	if (has_areas)
	{
		if (!upload_areas(mesh))
		{
			return false;
		}
		nc_vk_pipeline_bind(&gpu->vk, &gpu->wind, (NcVkBuffer[]){mesh->edges, mesh->changes});
		nc_vk_pipeline_bind(&gpu->vk, &gpu->inside, (NcVkBuffer[]){mesh->pixels, mesh->changes});
	}
	if (mesh->is_raster)
	{
		nc_vk_pipeline_bind(&gpu->vk, &gpu->raster.gather,
			(NcVkBuffer[]){gpu->raster.copies[0], gpu->raster.copies[1], mesh->pixels});
	}

	if (!begin(&gpu->vk))
	{
		return false;
	}
	if (mesh->is_raster)
	{
		nc_mesh_raster_gather(&gpu->vk, &gpu->raster, mesh->depth_scale);
		separate(&gpu->vk);
	}
	if (has_areas)
	{
		record_areas(mesh);
	}
	nc_vk_copy(&gpu->vk, &mesh->pixels, &mesh->pixel_copy, PIXEL_COUNT * sizeof(NcMeshPixel));
	return finish(&gpu->vk);
}

// The chunk.

static bool create_pipelines(NcGpu* gpu)
{
	NcVkPipelineDef cull_def = {nc_cull_comp_spv, sizeof(nc_cull_comp_spv),
		.buffer_count = NC_CULL_BUFFER_COUNT, .constant_size = (int)sizeof(NcCullParams)};
	NcVkPipelineDef mesh_def = {nc_mesh_comp_spv, sizeof(nc_mesh_comp_spv),
		.buffer_count = NC_MESH_BUFFER_COUNT, .constant_size = (int)sizeof(NcMeshParams)};
	NcVkPipelineDef wind_def = {nc_wind_comp_spv, sizeof(nc_wind_comp_spv),
		.buffer_count = NC_WIND_BUFFER_COUNT, .constant_size = (int)sizeof(NcWindParams)};
	NcVkPipelineDef inside_def = {nc_inside_comp_spv, sizeof(nc_inside_comp_spv),
		.buffer_count = NC_INSIDE_BUFFER_COUNT, .constant_size = (int)sizeof(NcInsideParams)};
	return nc_vk_pipeline_create(&gpu->vk, &cull_def, &gpu->cull) &&
		   nc_vk_pipeline_create(&gpu->vk, &mesh_def, &gpu->mesh) &&
		   nc_vk_pipeline_create(&gpu->vk, &wind_def, &gpu->wind) &&
		   nc_vk_pipeline_create(&gpu->vk, &inside_def, &gpu->inside);
}

static bool upload_chunk(Mesh* mesh)
{
	NcVk* vk = &mesh->gpu->vk;
	const NcFieldChunk* chunk = &mesh->job->chunk;
	size_t site_bytes = sizeof(NcMeshSite) * (size_t)chunk->site_count;
	size_t tile_bytes = sizeof(NcMeshTile) * (size_t)chunk->tile_count;
	size_t list_bytes = sizeof(uint32_t) * (size_t)chunk->site_count;
	bool is_done = nc_vk_buffer_reserve(vk, site_bytes, NC_VK_UPLOAD, &mesh->sites) &&
				   nc_vk_buffer_reserve(vk, tile_bytes, NC_VK_READBACK, &mesh->tiles) &&
				   nc_vk_buffer_reserve(vk, list_bytes, NC_VK_UPLOAD, &mesh->lists[0]);
	// Shaders that only count must see some list.
	for (int level = 1; level < NC_MESH_LEVEL_COUNT && is_done; ++level)
	{
		is_done = nc_vk_buffer_reserve(vk, list_bytes, NC_VK_DEVICE, &mesh->lists[level]);
	}
	if (is_done && mesh->needs_pixels)
	{
		VkDeviceSize size = PIXEL_COUNT * sizeof(NcMeshPixel);
		is_done = nc_vk_buffer_reserve(vk, size, NC_VK_DEVICE, &mesh->pixels) &&
				  nc_vk_buffer_reserve(vk, size, NC_VK_READBACK, &mesh->pixel_copy);
	}
	if (!is_done)
	{
		return false;
	}

	memcpy(mesh->sites.data, chunk->sites, site_bytes);
	memcpy(mesh->tiles.data, chunk->tiles, tile_bytes);
	uint32_t* list = mesh->lists[0].data;
	for (int i = 0; i < chunk->site_count; ++i)
	{
		list[i] = (uint32_t)i;
	}
	return true;
}

// The largest power of four below 1 that keeps every squared distance of the chunk below a half.
static float choose_depth_scale(const NcFieldChunk* chunk)
{
	int exponent;
	frexp(chunk->max_distance, &exponent);
	return ldexpf(1.0f, -2 * (exponent + 1));
}

static bool clear_raster(NcGpu* gpu)
{
	if (!begin(&gpu->vk))
	{
		return false;
	}
	nc_mesh_raster_clear(&gpu->vk, &gpu->raster);
	return finish(&gpu->vk);
}

static bool compute_chunk(void* context, NcFieldJob* job)
{
	Mesh* mesh = context;
	NcGpu* gpu = mesh->gpu;
	const NcFieldChunk* chunk = &job->chunk;
	mesh->job = job;
	mesh->needs_pixels = job->field->labels != NULL || job->field->clearances != NULL;
	mesh->is_raster = mesh->needs_pixels && job->def->method == NC_FIELD_RASTER;
	mesh->depth_scale = choose_depth_scale(chunk);
	if (!create_pipelines(gpu) ||
		(mesh->is_raster && !nc_mesh_raster_create(&gpu->vk, &gpu->raster)) ||
		!upload_chunk(mesh) || (mesh->is_raster && !clear_raster(gpu)) ||
		!compute_tiles(mesh, 1, chunk->level_begins[1], chunk->level_begins[2]))
	{
		return false;
	}
	if (!mesh->needs_pixels)
	{
		return true;
	}
	if (!read_pixels(mesh))
	{
		return false;
	}
	for (int i = chunk->level_begins[LEAF_LEVEL]; i < chunk->tile_count; ++i)
	{
		nc_field_store_pixels(job, &get_tiles(mesh)[i], mesh->pixel_copy.data);
	}
	return true;
}

static void destroy_buffers(Mesh* mesh)
{
	const NcVk* vk = &mesh->gpu->vk;
	NcVkBuffer* buffers[] = {&mesh->sites, &mesh->tiles, &mesh->list_copy, &mesh->pixels,
		&mesh->pixel_copy, &mesh->edges, &mesh->changes};
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); ++i)
	{
		nc_vk_buffer_destroy(vk, buffers[i]);
	}
	for (int i = 0; i < NC_MESH_LEVEL_COUNT; ++i)
	{
		nc_vk_buffer_destroy(vk, &mesh->lists[i]);
	}
}

NcStatus nc_gpu_compute_field(NcGpu* gpu, const NcFieldDef* def, NcField* field, NcError* error)
{
	assert(gpu != NULL && def != NULL && field != NULL);
	if (gpu->vk.is_lost)
	{
		nc_vk_fail(&gpu->vk, VK_ERROR_DEVICE_LOST, "the Vulkan device was lost before this job");
		return nc_vk_report(&gpu->vk, error);
	}

	Mesh mesh = {.gpu = gpu};
	NcStatus status = nc_field_run(def, field, compute_chunk, &mesh, error);
	destroy_buffers(&mesh);
	field->is_from_device = status == NC_OK;
	return status == NC_NO_DEVICE ? nc_vk_report(&gpu->vk, error) : status;
}
