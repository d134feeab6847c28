// SPDX-License-Identifier: MIT

// The clearance raster: the nearest segment of every pixel and its distance, by comparing all
// pixels with all segments. Slow and obvious: the witness for everything that culls.
//
// The raster is cut into tiles and the segments into batches; one submission handles one batch in
// one tile, and the pixels in the buffer carry the best segment up to now to the next batch:
//
//     for each tile:  for each batch:  upload, run, wait       then read the tile back
//
// Within a tile the unit is a pixel and the origin the tile's corner. There the centres of the
// pixels are exact in single precision, and the segments as exact as they get.
//
// The sizes below are constants and not the device's limits, so that all devices give the same
// bits; what Vulkan guarantees for every device is above them. A submission is small enough to be
// done long before a desktop's watchdog resets the device.

#include "vk.h"

#include "clearance.comp.h"
#include "shared.h"

#include <assert.h>
#include <math.h>

#define CLEARANCE_DEF_COOKIE 0x636c7231

#define TILE_SIZE 1024  // in pixels
#define BATCH_SIZE 1024 // in segments

// Farther away, squares of distances and the offsets of lines would lose their precision.
#define MAX_PIXEL_DISTANCE 1099511627776.0 // 2^40

// In world units. Within these, every distance of a usable segment fits into a float.
#define MIN_PIXEL_SIZE 1e-20
#define MAX_PIXEL_SIZE 1e20

// What every Vulkan device offers (Vulkan 1.1, chapter "Limits", required limits).
#define GUARANTEED_STORAGE_SIZE 134217728u // maxStorageBufferRange, in bytes
#define GUARANTEED_GROUP_COUNT 65535       // maxComputeWorkGroupCount
#define GUARANTEED_CONSTANT_SIZE 128       // maxPushConstantsSize, in bytes

typedef struct NcClearanceSegment NcClearanceSegment;
typedef struct NcClearancePixel NcClearancePixel;
typedef struct NcClearanceParams NcClearanceParams;

_Static_assert(sizeof(NcClearanceSegment) == 28, "must match the shader");
_Static_assert(sizeof(NcClearancePixel) == 8, "must match the shader");
_Static_assert(sizeof(NcClearanceParams) == 16, "must match the shader");
_Static_assert(TILE_SIZE* TILE_SIZE * sizeof(NcClearancePixel) <= GUARANTEED_STORAGE_SIZE, "");
_Static_assert(BATCH_SIZE * sizeof(NcClearanceSegment) <= GUARANTEED_STORAGE_SIZE, "");
_Static_assert(TILE_SIZE / NC_CLEARANCE_GROUP_SIZE <= GUARANTEED_GROUP_COUNT, "");
_Static_assert(sizeof(NcClearanceParams) <= GUARANTEED_CONSTANT_SIZE, "");

// A part of the raster, in pixels.
typedef struct Tile
{
	int x, y; // of its corner
	int width, height;
} Tile;

// Where a job writes to. Each may be NULL.
typedef struct Output
{
	float* distances;
	uint32_t* nearest;
} Output;

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static NcVec2 to_pixels(const NcGpuClearanceDef* def, NcVec2 point)
{
	return nc_scale(1.0 / def->pixel_size, nc_sub(point, def->lower));
}

static bool is_near(NcVec2 pixel)
{
	return fabs(pixel.x) <= MAX_PIXEL_DISTANCE && fabs(pixel.y) <= MAX_PIXEL_DISTANCE;
}

static NcStatus check_raster(const NcGpuClearanceDef* def, NcError* error)
{
	if (def->width < 1 || def->height < 1)
	{
		return nc_vk_set_error(error, NC_INVALID_INPUT, NC_NULL_INDEX, "the raster has no pixels");
	}
	if (!nc_is_finite(def->lower) || !(def->pixel_size >= MIN_PIXEL_SIZE) ||
		!(def->pixel_size <= MAX_PIXEL_SIZE))
	{
		return nc_vk_set_error(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the raster's corner or pixel size is not a usable number");
	}
	return NC_OK;
}

static NcStatus check_segments(const NcGpuClearanceDef* def, NcError* error)
{
	for (int i = 0; i < def->segment_count; ++i)
	{
		NcGpuSegment segment = def->segments[i];
		if (!nc_is_finite(segment.a) || !nc_is_finite(segment.b))
		{
			return nc_vk_set_error(
				error, NC_INVALID_INPUT, i, "a coordinate of a segment is not a number");
		}
		if (!is_near(to_pixels(def, segment.a)) || !is_near(to_pixels(def, segment.b)))
		{
			return nc_vk_set_error(
				error, NC_INVALID_INPUT, i, "a segment is too many pixels away from the raster");
		}
	}
	return NC_OK;
}

static NcClearanceSegment convert_segment(
	const NcGpuClearanceDef* def, const Tile* tile, NcGpuSegment segment)
{
	NcVec2 corner = {tile->x, tile->y};
	NcVec2 a = nc_sub(to_pixels(def, segment.a), corner);
	NcVec2 b = nc_sub(to_pixels(def, segment.b), corner);
	NcVec2 u = nc_normalize(nc_sub(b, a));
	return (NcClearanceSegment){
		.ax = (float)a.x,
		.ay = (float)a.y,
		.bx = (float)b.x,
		.by = (float)b.y,
		.ux = (float)u.x,
		.uy = (float)u.y,
		// The height of p above the line is u x (p - a) = u x p - u x a.
		.offset = (float)-nc_cross(u, a),
	};
}

static bool run_batch(NcGpu* gpu, const NcClearanceParams* params)
{
	NcVk* vk = &gpu->vk;
	if (!nc_vk_begin(vk))
	{
		return false;
	}

	VkPipelineStageFlags shader = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
	VkAccessFlags read_and_write = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
	int group = NC_CLEARANCE_GROUP_SIZE;
	nc_vk_barrier(vk, shader, VK_ACCESS_SHADER_WRITE_BIT, shader, read_and_write);
	nc_vk_dispatch(vk, &gpu->clearance, params, (uint32_t)((params->width + group - 1) / group),
		(uint32_t)((params->height + group - 1) / group));
	nc_vk_barrier(vk, shader, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
		VK_ACCESS_HOST_READ_BIT);
	return nc_vk_submit_and_wait(vk);
}

static bool run_tile(
	NcGpu* gpu, const NcGpuClearanceDef* def, const Tile* tile, const NcVkBuffer* buffers)
{
	NcClearanceSegment* batch = buffers[NC_CLEARANCE_SEGMENTS].data;
	for (int left = def->segment_count; left > 0; left -= min_int(left, BATCH_SIZE))
	{
		int first = def->segment_count - left;
		NcClearanceParams params = {
			.width = tile->width,
			.height = tile->height,
			.segment_count = min_int(left, BATCH_SIZE),
			.first_segment = (uint32_t)first,
		};
		for (int i = 0; i < params.segment_count; ++i)
		{
			batch[i] = convert_segment(def, tile, def->segments[first + i]);
		}
		if (!run_batch(gpu, &params))
		{
			return false;
		}
	}
	return true;
}

static void read_tile(const NcGpuClearanceDef* def, const Tile* tile,
	const NcClearancePixel* pixels, const Output* output)
{
	for (int y = 0; y < tile->height; ++y)
	{
		size_t row = (size_t)(tile->y + y) * (size_t)def->width + (size_t)tile->x;
		for (int x = 0; x < tile->width; ++x)
		{
			NcClearancePixel pixel = pixels[y * tile->width + x];
			if (output->distances != NULL)
			{
				double distance = sqrt((double)pixel.squared_distance) * def->pixel_size;
				output->distances[row + (size_t)x] = (float)distance;
			}
			if (output->nearest != NULL)
			{
				output->nearest[row + (size_t)x] = pixel.nearest;
			}
		}
	}
}

static bool run_all_tiles(
	NcGpu* gpu, const NcGpuClearanceDef* def, const NcVkBuffer* buffers, const Output* output)
{
	// Counting what is left cannot overflow, unlike stepping past the end.
	for (int rows = def->height; rows > 0; rows -= min_int(rows, TILE_SIZE))
	{
		for (int columns = def->width; columns > 0; columns -= min_int(columns, TILE_SIZE))
		{
			Tile tile = {
				.x = def->width - columns,
				.y = def->height - rows,
				.width = min_int(columns, TILE_SIZE),
				.height = min_int(rows, TILE_SIZE),
			};
			if (!run_tile(gpu, def, &tile, buffers))
			{
				return false;
			}
			read_tile(def, &tile, buffers[NC_CLEARANCE_PIXELS].data, output);
		}
	}
	return true;
}

static void fill_without_segments(const NcGpuClearanceDef* def, const Output* output)
{
	size_t count = (size_t)def->width * (size_t)def->height;
	for (size_t i = 0; output->distances != NULL && i < count; ++i)
	{
		output->distances[i] = INFINITY;
	}
	for (size_t i = 0; output->nearest != NULL && i < count; ++i)
	{
		output->nearest[i] = NC_GPU_NO_SEGMENT;
	}
}

// The pipeline stays for the next job.
static bool ensure_pipeline(NcGpu* gpu)
{
	NcVkPipelineDef def = {
		.code = nc_clearance_comp_spv,
		.code_size = sizeof(nc_clearance_comp_spv),
		.buffer_count = NC_CLEARANCE_BUFFER_COUNT,
		.constant_size = (int)sizeof(NcClearanceParams),
	};
	return nc_vk_pipeline_create(&gpu->vk, &def, &gpu->clearance);
}

static bool run_job(NcGpu* gpu, const NcGpuClearanceDef* def, const Output* output)
{
	size_t segment_count = (size_t)min_int(def->segment_count, BATCH_SIZE);
	size_t pixel_count =
		(size_t)min_int(def->width, TILE_SIZE) * (size_t)min_int(def->height, TILE_SIZE);

	NcVk* vk = &gpu->vk;
	NcVkBuffer buffers[NC_CLEARANCE_BUFFER_COUNT] = {0};
	NcVkBuffer* segments = &buffers[NC_CLEARANCE_SEGMENTS];
	NcVkBuffer* pixels = &buffers[NC_CLEARANCE_PIXELS];
	bool is_done =
		ensure_pipeline(gpu) &&
		nc_vk_buffer_create(
			vk, segment_count * sizeof(NcClearanceSegment), NC_VK_UPLOAD, segments) &&
		nc_vk_buffer_create(vk, pixel_count * sizeof(NcClearancePixel), NC_VK_READBACK, pixels);
	if (is_done)
	{
		nc_vk_pipeline_bind(vk, &gpu->clearance, buffers);
		is_done = run_all_tiles(gpu, def, buffers, output);
	}

	nc_vk_buffer_destroy(vk, pixels);
	nc_vk_buffer_destroy(vk, segments);
	return is_done;
}

NcGpuClearanceDef nc_default_gpu_clearance_def(void)
{
	return (NcGpuClearanceDef){.pixel_size = 1.0, .cookie = CLEARANCE_DEF_COOKIE};
}

NcStatus nc_gpu_compute_clearance(
	NcGpu* gpu, const NcGpuClearanceDef* def, float* distances, uint32_t* nearest, NcError* error)
{
	assert(gpu != NULL && def != NULL && def->cookie == CLEARANCE_DEF_COOKIE);
	assert(def->segment_count >= 0 && (def->segments != NULL || def->segment_count == 0));

	NcStatus status = check_raster(def, error);
	if (status == NC_OK)
	{
		status = check_segments(def, error);
	}
	if (status != NC_OK)
	{
		return status;
	}
	if (gpu->vk.is_lost)
	{
		nc_vk_fail(&gpu->vk, VK_ERROR_DEVICE_LOST, "the Vulkan device was lost before this job");
		return nc_vk_report(&gpu->vk, error);
	}

	Output output = {distances, nearest};
	if (def->segment_count == 0)
	{
		fill_without_segments(def, &output);
		return NC_OK;
	}
	return run_job(gpu, def, &output) ? NC_OK : nc_vk_report(&gpu->vk, error);
}
