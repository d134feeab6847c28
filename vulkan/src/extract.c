// SPDX-License-Identifier: MIT

// Extracting a skeleton on a device: count the samples of each row, sum up the rows, and write all
// samples without gaps, so that little has to be read back.

#include "extract.h"

#include "extract.comp.h"
#include "grow.h"
#include "rows.comp.h"

#include <string.h>

typedef struct NcExtractParams NcExtractParams;

_Static_assert(sizeof(NcExtractSample) == 36, "must match the shader");

#define ROW_BYTES (sizeof(uint32_t) * (NC_MESH_CHUNK_SIZE + 1))

static bool create_pipelines(NcGpu* gpu)
{
	NcVkPipelineDef extract = {nc_extract_comp_spv, sizeof(nc_extract_comp_spv),
		.buffer_count = NC_EXTRACT_BUFFER_COUNT, .constant_size = (int)sizeof(NcExtractParams)};
	NcVkPipelineDef rows = {nc_rows_comp_spv, sizeof(nc_rows_comp_spv), .buffer_count = 1,
		.constant_size = (int)sizeof(NcExtractParams)};
	return nc_vk_pipeline_create(&gpu->vk, &extract, &gpu->extract) &&
		   nc_vk_pipeline_create(&gpu->vk, &rows, &gpu->rows);
}

static bool upload(NcExtractJob* job, const NcExtractChunk* chunk)
{
	NcVk* vk = &job->gpu->vk;
	size_t site_bytes = sizeof(NcMeshSite) * (size_t)chunk->site_count;
	size_t label_bytes = sizeof(uint32_t) * NC_EXTRACT_LABEL_COUNT;
	if (!nc_vk_buffer_reserve(vk, site_bytes, NC_VK_UPLOAD, &job->sites) ||
		!nc_vk_buffer_reserve(vk, label_bytes, NC_VK_UPLOAD, &job->labels) ||
		!nc_vk_buffer_reserve(vk, ROW_BYTES, NC_VK_READBACK, &job->rows) ||
		!nc_vk_buffer_reserve(vk, sizeof(NcExtractSample), NC_VK_READBACK, &job->samples))
	{
		return false;
	}
	memcpy(job->sites.data, chunk->sites, site_bytes);
	memcpy(job->labels.data, chunk->labels, label_bytes);
	return true;
}

static void separate(const NcVk* vk)
{
	nc_vk_barrier(vk, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
		VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
		VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
}

// Count the samples, or write them.
static bool run(NcExtractJob* job, bool is_fill)
{
	NcGpu* gpu = job->gpu;
	NcVk* vk = &gpu->vk;
	NcExtractParams params = {.is_fill = is_fill, .blocked_bit = NC_FIELD_BLOCKED};
	nc_vk_pipeline_bind(
		vk, &gpu->extract, (NcVkBuffer[]){job->sites, job->labels, job->rows, job->samples});
	nc_vk_pipeline_bind(vk, &gpu->rows, &job->rows);
	if (!nc_vk_begin(vk))
	{
		return false;
	}
	separate(vk);
	nc_vk_dispatch(vk, &gpu->extract, &params, NC_MESH_CHUNK_SIZE, 1);
	separate(vk);
	if (!is_fill)
	{
		nc_vk_dispatch(vk, &gpu->rows, &params, 1, 1);
		separate(vk);
	}
	return nc_vk_submit_and_wait(vk);
}

bool nc_extract_on_device(void* context, NcExtractChunk* chunk)
{
	NcExtractJob* job = context;
	NcVk* vk = &job->gpu->vk;
	if (!create_pipelines(job->gpu) || !upload(job, chunk) || !run(job, false))
	{
		return false;
	}

	int count = (int)((const uint32_t*)job->rows.data)[NC_MESH_CHUNK_SIZE];
	chunk->sample_count = count;
	if (count == 0)
	{
		return true;
	}
	size_t size = sizeof(NcExtractSample) * (size_t)count;
	if (!nc_vk_buffer_reserve(vk, size, NC_VK_READBACK, &job->samples) || !run(job, true))
	{
		return false;
	}
	if (!nc_grow((void**)&chunk->samples, &chunk->sample_capacity, sizeof(NcExtractSample), count))
	{
		return nc_vk_fail(vk, VK_ERROR_OUT_OF_HOST_MEMORY, "out of memory");
	}
	memcpy(chunk->samples, job->samples.data, size);
	return true;
}

void nc_extract_job_destroy(NcExtractJob* job)
{
	const NcVk* vk = &job->gpu->vk;
	nc_vk_buffer_destroy(vk, &job->sites);
	nc_vk_buffer_destroy(vk, &job->labels);
	nc_vk_buffer_destroy(vk, &job->rows);
	nc_vk_buffer_destroy(vk, &job->samples);
}
