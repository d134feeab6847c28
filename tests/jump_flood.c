// SPDX-License-Identifier: MIT
// Jump flooding on a device: see jump_flood.h and jump_flood.comp.

#include "jump_flood.h"

#include "clock.h"
#include "vk.h"

#include "jump_flood.comp.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY 0xffffffffu

typedef struct Params
{
	int width, height, stride;
} Params;

// Mark the pixels along a site with its index, unless a lower one was there.
static void seed_site(
	const NcFieldDef* def, const NcMeshSite* site, uint32_t index, uint32_t* labels)
{
	int steps = (int)(2.0f * fmaxf(fabsf(site->bx - site->ax), fabsf(site->by - site->ay))) + 1;
	for (int i = 0; i <= steps; ++i)
	{
		float t = (float)i / (float)steps;
		float x = floorf(site->ax + t * (site->bx - site->ax));
		float y = floorf(site->ay + t * (site->by - site->ay));
		if (x >= 0.0f && y >= 0.0f && x < (float)def->width && y < (float)def->height)
		{
			uint32_t* label = &labels[(size_t)y * (size_t)def->width + (size_t)x];
			*label = *label == EMPTY || index < *label ? index : *label;
		}
	}
}

static int seed(const NcFieldDef* def, NcMeshSite* sites, uint32_t* labels)
{
	size_t count = (size_t)def->width * (size_t)def->height;
	memset(labels, 0xff, count * sizeof(uint32_t));
	int site_count = 0;
	for (int i = 0; i < def->site_count; ++i)
	{
		if (!def->sites[i].is_gap)
		{
			sites[site_count] = nc_mesh_site_convert(def, 0, 0, i);
			seed_site(def, &sites[site_count], (uint32_t)site_count, labels);
			++site_count;
		}
	}
	return site_count;
}

static bool run_pass(
	NcVk* vk, NcVkPipeline* pipeline, NcVkBuffer* buffers, const NcFieldDef* def, int stride)
{
	Params params = {def->width, def->height, stride};
	nc_vk_pipeline_bind(vk, pipeline, buffers);
	if (!nc_vk_begin(vk))
	{
		return false;
	}
	nc_vk_dispatch(
		vk, pipeline, &params, (uint32_t)(def->width + 7) / 8, (uint32_t)(def->height + 7) / 8);
	nc_vk_barrier(vk, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
		VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
	if (!nc_vk_submit_and_wait(vk))
	{
		return false;
	}
	NcVkBuffer swapped = buffers[1];
	buffers[1] = buffers[2];
	buffers[2] = swapped;
	return true;
}

// First one with stride 1, then from half of the picture down to 1. The result is in buffers[1].
static bool run_passes(NcVk* vk, NcVkPipeline* pipeline, NcVkBuffer* buffers, const NcFieldDef* def)
{
	int size = def->width > def->height ? def->width : def->height;
	bool is_done = run_pass(vk, pipeline, buffers, def, 1);
	for (int stride = size / 2; stride >= 1 && is_done; stride /= 2)
	{
		is_done = run_pass(vk, pipeline, buffers, def, stride);
	}
	return is_done;
}

bool jump_flood_compute(NcGpu* gpu, const NcFieldDef* def, uint32_t* labels, double* milliseconds)
{
	NcVk* vk = &gpu->vk;
	NcVkPipelineDef pipeline_def = {nc_jump_flood_comp_spv, sizeof(nc_jump_flood_comp_spv),
		.buffer_count = 3, .constant_size = (int)sizeof(Params)};
	NcVkPipeline pipeline = {0};
	NcVkBuffer buffers[3] = {0};
	size_t label_bytes = sizeof(uint32_t) * (size_t)def->width * (size_t)def->height;
	size_t site_bytes = sizeof(NcMeshSite) * (size_t)(def->site_count + 1);
	bool is_done = nc_vk_pipeline_create(vk, &pipeline_def, &pipeline) &&
				   nc_vk_buffer_create(vk, site_bytes, NC_VK_UPLOAD, &buffers[0]) &&
				   nc_vk_buffer_create(vk, label_bytes, NC_VK_READBACK, &buffers[1]) &&
				   nc_vk_buffer_create(vk, label_bytes, NC_VK_READBACK, &buffers[2]);
	if (is_done)
	{
		seed(def, buffers[0].data, buffers[1].data);
		double start = clock_get_milliseconds();
		is_done = run_passes(vk, &pipeline, buffers, def);
		*milliseconds = clock_get_milliseconds() - start;
		const NcMeshSite* sites = buffers[0].data;
		const uint32_t* result = buffers[1].data;
		for (size_t i = 0; is_done && i < label_bytes / sizeof(uint32_t); ++i)
		{
			labels[i] = result[i] == EMPTY ? NC_FIELD_NO_SITE : sites[result[i]].id;
		}
	}
	for (int i = 0; i < 3; ++i)
	{
		nc_vk_buffer_destroy(vk, &buffers[i]);
	}
	nc_vk_pipeline_destroy(vk, &pipeline);
	return is_done;
}
