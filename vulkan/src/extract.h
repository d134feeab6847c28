// SPDX-License-Identifier: MIT
#pragma once

// What the two ways to extract a skeleton share, private to this folder. A chunk of labels goes in,
// its samples come out, row by row; skeleton.c links those of all chunks.

#include "nav_corridor/skeleton.h"

#include "field_chunk.h"
#include "vk.h"

typedef struct NcExtractSample NcExtractSample;

// A part of the picture. The frame is that of the chunk of the field.
typedef struct NcExtractChunk
{
	int x, y;                 // of its corner in the picture, in pixels
	NcMeshSite* sites;        // all sites, in the frame of the chunk
	int site_count;           // at least 1
	uint32_t* labels;         // NC_EXTRACT_STRIDE a row; blocked outside of the picture
	NcExtractSample* samples; // receives the samples
	int sample_count, sample_capacity;
} NcExtractChunk;

// Find the samples of a chunk. False if memory ran out or the device failed.
typedef bool NcExtractFn(void* context, NcExtractChunk* chunk);

// By the processor, in skeleton.c.
NcExtractFn nc_extract_on_cpu;

// By a device, in extract.c.
typedef struct NcExtractJob
{
	NcGpu* gpu;
	NcVkBuffer sites, labels, rows, samples;
} NcExtractJob;

NcExtractFn nc_extract_on_device;
void nc_extract_job_destroy(NcExtractJob* job);

#define NC_EXTRACT_LABEL_COUNT ((size_t)NC_EXTRACT_STRIDE * NC_EXTRACT_STRIDE)
