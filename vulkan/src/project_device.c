// SPDX-License-Identifier: MIT

// Projecting triangles on a device. Every triangle is compared with all blocks of cells that its
// box reaches; see shaders/project.comp.

#include "project.h"

#include "grow.h"
#include "project.comp.h"
#include "vk.h"

#include <string.h>

typedef struct NcProjectItem NcProjectItem;
typedef struct NcProjectParams NcProjectParams;

_Static_assert(sizeof(NcProjectTriangle) == 36, "must match the shader");
_Static_assert(sizeof(NcProjectItem) == 12, "must match the shader");

// The triangles and blocks of one submission.
#define MAX_BATCH_ITEMS (1 << 20)

// The groups of a dispatch in one direction; every device allows 65535.
#define MAX_GROUPS 32768

typedef struct Work
{
	NcGpu* gpu;
	const NcProjectJob* job;
	NcVkBuffer triangles, items, words;
	int item_count;
} Work;

static bool run_batch(Work* work)
{
	if (work->item_count == 0)
	{
		return true;
	}
	NcGpu* gpu = work->gpu;
	NcProjectParams params = {
		.item_count = work->item_count,
		.height = work->job->bitmap->height,
		.stride = work->job->bitmap->stride,
		.half_width = work->job->half_width,
		.half_height = work->job->half_height,
	};
	uint32_t count = (uint32_t)work->item_count;
	uint32_t columns = count < MAX_GROUPS ? count : MAX_GROUPS;
	work->item_count = 0;
	if (!nc_vk_begin(&gpu->vk))
	{
		return false;
	}
	VkPipelineStageFlags shader = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
	VkAccessFlags read_and_write = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
	nc_vk_barrier(&gpu->vk, shader, VK_ACCESS_SHADER_WRITE_BIT, shader, read_and_write);
	nc_vk_dispatch(&gpu->vk, &gpu->project, &params, columns, (count + columns - 1) / columns);
	nc_vk_barrier(&gpu->vk, shader, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
		VK_ACCESS_HOST_READ_BIT);
	return nc_vk_submit_and_wait(&gpu->vk);
}

static bool add_item(Work* work, int triangle, int word, int row)
{
	if (work->item_count == MAX_BATCH_ITEMS && !run_batch(work))
	{
		return false;
	}
	NcProjectItem* items = work->items.data;
	items[work->item_count++] = (NcProjectItem){(uint32_t)triangle, (uint32_t)word, (uint32_t)row};
	return true;
}

static bool add_triangle(Work* work, int index)
{
	NcProjectRange range = nc_project_range(work->job, &work->job->triangles[index]);
	for (int y = range.y0; y <= range.y1; y += NC_PROJECT_BLOCK_SIZE)
	{
		for (int word = range.x0 / 32; range.x0 <= range.x1 && word <= range.x1 / 32; ++word)
		{
			if (!add_item(work, index, word, y))
			{
				return false;
			}
		}
	}
	return true;
}

static bool run(Work* work)
{
	NcVk* vk = &work->gpu->vk;
	const NcProjectJob* job = work->job;
	NcVkPipelineDef def = {nc_project_comp_spv, sizeof(nc_project_comp_spv),
		.buffer_count = NC_PROJECT_BUFFER_COUNT, .constant_size = (int)sizeof(NcProjectParams)};
	size_t triangle_bytes = sizeof(NcProjectTriangle) * (size_t)job->triangle_count;
	size_t word_bytes =
		sizeof(uint32_t) * (size_t)job->bitmap->stride * (size_t)job->bitmap->height;
	if (!nc_vk_pipeline_create(vk, &def, &work->gpu->project) ||
		!nc_vk_buffer_create(vk, triangle_bytes, NC_VK_UPLOAD, &work->triangles) ||
		!nc_vk_buffer_create(
			vk, sizeof(NcProjectItem) * MAX_BATCH_ITEMS, NC_VK_UPLOAD, &work->items) ||
		!nc_vk_buffer_create(vk, word_bytes, NC_VK_READBACK, &work->words))
	{
		return false;
	}
	memcpy(work->triangles.data, job->triangles, triangle_bytes);
	memset(work->words.data, 0, word_bytes);
	nc_vk_pipeline_bind(
		vk, &work->gpu->project, (NcVkBuffer[]){work->triangles, work->items, work->words});
	for (int i = 0; i < job->triangle_count; ++i)
	{
		if (!add_triangle(work, i))
		{
			return false;
		}
	}
	if (!run_batch(work))
	{
		return false;
	}
	memcpy(job->bitmap->words, work->words.data, word_bytes);
	return true;
}

// Bits beyond the last column belong to no cell.
static void clear_padding(NcBitmap* bitmap)
{
	if (bitmap->width % 32 == 0)
	{
		return;
	}
	uint32_t mask = (1u << (bitmap->width % 32)) - 1u;
	for (int y = 0; y < bitmap->height; ++y)
	{
		bitmap->words[(y + 1) * bitmap->stride - 1] &= mask;
	}
}

bool nc_project_on_device(NcGpu* gpu, const NcProjectJob* job)
{
	if (gpu->vk.is_lost)
	{
		return false;
	}
	if (job->triangle_count == 0)
	{
		return true;
	}
	Work work = {.gpu = gpu, .job = job};
	bool is_done = run(&work);
	nc_vk_buffer_destroy(&gpu->vk, &work.triangles);
	nc_vk_buffer_destroy(&gpu->vk, &work.items);
	nc_vk_buffer_destroy(&gpu->vk, &work.words);
	clear_padding(job->bitmap);
	return is_done;
}
