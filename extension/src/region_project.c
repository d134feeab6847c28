// SPDX-License-Identifier: MIT

// From triangles in space to the obstacles of a map.

#include "region_project.h"

#include "solid_fill.h"

#include <math.h>

#define MAX_CELLS 16384 // in a row or column; the limit of nc_project()

// Borders are simplified by this many cells. Below a half no passage opens or closes.
#define TOLERANCE 0.45

// From this much work on a device is worth its start.
#define MANY_CELLS 1000000.0
#define MANY_TRIANGLES 20000

static NcGpu* open_device(const struct RegionProject* project, double cell_count)
{
	bool is_large = cell_count >= MANY_CELLS || project->solids.count >= MANY_TRIANGLES;
	if (project->device == PROJECT_ON_PROCESSOR ||
		(project->device == PROJECT_AUTOMATIC && !is_large))
	{
		return NULL;
	}
	NcGpuDef def = nc_default_gpu_def();
	NcGpu* gpu = NULL;
	NcError error;
	if (nc_gpu_open(&def, &gpu, &error) != NC_OK)
	{
		return NULL; // the processor gives the same bits
	}
	if (project->device == PROJECT_AUTOMATIC && nc_gpu_get_info(gpu).kind == NC_GPU_SOFTWARE)
	{
		nc_gpu_close(gpu);
		return NULL;
	}
	return gpu;
}

static NcProjectDef make_def(const MapBake* bake)
{
	const struct RegionProject* project = bake->project;
	NcVec2 size = nc_sub(bake->box.upper, bake->box.lower);
	NcProjectDef def = nc_default_project_def();
	def.lower = bake->box.lower;
	def.cell_size = project->cell_size;
	def.width = (int)ceil(nc_min(size.x / project->cell_size, MAX_CELLS + 1.0));
	def.height = (int)ceil(nc_min(size.y / project->cell_size, MAX_CELLS + 1.0));
	def.triangles = project->solids.triangles;
	def.triangle_count = project->solids.count;
	def.z_min = project->z_min;
	def.z_max = project->z_max;
	def.needs_floor = project->needs_floor;
	def.max_slope = project->max_slope;
	def.floor_min = project->floor_min;
	def.floor_max = project->floor_max;
	return def;
}

// Add the polygons, each with its holes, to the shapes of the bake.
static bool add_contours(MapBake* bake, const NcBitmapContours* contours)
{
	const NcVec2* points = contours->points;
	const int* rings = contours->ring_counts;
	for (int i = 0; i < contours->shape_count; ++i)
	{
		int ring_count = contours->shape_rings[i];
		if (!region_shapes_add_rings(&bake->shapes, points, rings, ring_count))
		{
			return map_bake_fail(bake, NC_OUT_OF_MEMORY, "there is no memory");
		}
		for (int k = 0; k < ring_count; ++k)
		{
			points += *rings++;
		}
	}
	return true;
}

static bool trace(MapBake* bake, const NcBitmap* bitmap)
{
	NcBitmapContours contours = {0};
	NcStatus status = nc_bitmap_trace(bitmap, TOLERANCE * bitmap->cell_size, &contours);
	bool is_done = status == NC_OK ? add_contours(bake, &contours)
								   : map_bake_fail(bake, status, "there is no memory");
	nc_bitmap_contours_free(&contours);
	return is_done;
}

bool region_project_run(MapBake* bake)
{
	struct RegionProject* project = bake->project;
	NcProjectDef def = make_def(bake);
	if (project->solids.is_failed)
	{
		return map_bake_fail(bake, NC_OUT_OF_MEMORY, "there is no memory");
	}
	if (def.width > MAX_CELLS || def.height > MAX_CELLS)
	{
		return map_bake_fail(bake, NC_TOO_LARGE,
			"it has more than 16384 cells in one direction: make its cell_size larger or its "
			"bounds smaller");
	}
	NcGpu* gpu = open_device(project, (double)def.width * def.height);
	NcBitmap bitmap = {0};
	NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
	NcStatus status = nc_project(gpu, &def, &bitmap, &project->is_from_device, &error);
	nc_gpu_close(gpu);
	// Inside of what has its top in the heights of the floor is what walkers stand on.
	bool is_filled =
		status != NC_OK || solid_fill(&project->solids, def.floor_max, def.z_max, &bitmap);
	status = is_filled ? status : NC_OUT_OF_MEMORY;
	bool is_done =
		status == NC_OK ? trace(bake, &bitmap) : map_bake_fail(bake, status, error.reason);
	nc_bitmap_free(&bitmap);
	solids_free(&project->solids);
	return is_done;
}

void region_project_free(struct RegionProject* project)
{
	if (project != NULL)
	{
		solids_free(&project->solids);
		free(project);
	}
}
