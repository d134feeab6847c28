// SPDX-License-Identifier: MIT

// Projecting 3D levels onto the ground, by the processor; project_device.c lets a device do the
// same. A cell is blocked if a triangle touches its column between two heights. Triangles are put
// into the frame of the bitmap in single precision, and all that follows is done with the
// operations of shaders/project.comp, in their order.
//
// This work is based on:
// Kuffner. Goal-Directed Navigation for Animated Characters Using Real-Time Path Planning and
// Control. 1998
// Akenine-Moller. Fast 3D Triangle-Box Overlap Testing. 2001

#include "project.h"

#include "grow.h"
#include "vk.h"

#include <assert.h>
#include <string.h>

#define PROJECT_DEF_COOKIE 0x70726a31

#define MAX_CELLS_PER_SIDE 16384

// How much columns are wider and higher than they are, in cells: more than all rounding errors.
#define COLUMN_MARGIN (1.0f / 256.0f)

// Farther away than this, in cells, a triangle loses its shape in single precision.
#define MAX_CELL_DISTANCE 16777216.0

typedef struct Vec3f
{
	float x, y, z;
} Vec3f;

// Comparing.

static bool separates(
	const NcProjectJob* job, float ax, float ay, float az, Vec3f p, Vec3f q, Vec3f r)
{
	float dp = ax * p.x + ay * p.y + az * p.z;
	float dq = ax * q.x + ay * q.y + az * q.z;
	float dr = ax * r.x + ay * r.y + az * r.z;
	float reach = (fabsf(ax) + fabsf(ay)) * job->half_width + fabsf(az) * job->half_height;
	return fminf(fminf(dp, dq), dr) > reach || fmaxf(fmaxf(dp, dq), dr) < -reach;
}

static bool edge_separates(const NcProjectJob* job, Vec3f e, Vec3f p, Vec3f q, Vec3f r)
{
	return separates(job, 0.0f, -e.z, e.y, p, q, r) || separates(job, e.z, 0.0f, -e.x, p, q, r) ||
		   separates(job, -e.y, e.x, 0.0f, p, q, r);
}

static Vec3f subtract(Vec3f a, Vec3f b)
{
	return (Vec3f){a.x - b.x, a.y - b.y, a.z - b.z};
}

static bool touches(const NcProjectJob* job, Vec3f p, Vec3f q, Vec3f r)
{
	if (separates(job, 1.0f, 0.0f, 0.0f, p, q, r) || separates(job, 0.0f, 1.0f, 0.0f, p, q, r) ||
		separates(job, 0.0f, 0.0f, 1.0f, p, q, r))
	{
		return false;
	}
	Vec3f e = subtract(q, p);
	Vec3f f = subtract(r, q);
	Vec3f g = subtract(p, r);
	float nx = e.y * f.z - e.z * f.y;
	float ny = e.z * f.x - e.x * f.z;
	float nz = e.x * f.y - e.y * f.x;
	return !separates(job, nx, ny, nz, p, q, r) && !edge_separates(job, e, p, q, r) &&
		   !edge_separates(job, f, p, q, r) && !edge_separates(job, g, p, q, r);
}

static Vec3f get_corner(const NcProjectTriangle* t, int i, float x, float y)
{
	return (Vec3f){t->x[i] - x, t->y[i] - y, t->z[i]};
}

static int clamp_cell(float value, int count)
{
	return value < 0.0f ? 0 : value > (float)(count - 1) ? count - 1 : (int)value;
}

NcProjectRange nc_project_range(const NcProjectJob* job, const NcProjectTriangle* t)
{
	// A cell more on each side, for the margin and rounding.
	float x0 = fminf(fminf(t->x[0], t->x[1]), t->x[2]) - 1.0f;
	float y0 = fminf(fminf(t->y[0], t->y[1]), t->y[2]) - 1.0f;
	float x1 = fmaxf(fmaxf(t->x[0], t->x[1]), t->x[2]) + 1.0f;
	float y1 = fmaxf(fmaxf(t->y[0], t->y[1]), t->y[2]) + 1.0f;
	int width = job->bitmap->width;
	int height = job->bitmap->height;
	if (x1 < 0.0f || y1 < 0.0f || x0 > (float)width || y0 > (float)height)
	{
		return (NcProjectRange){1, 1, 0, 0};
	}
	return (NcProjectRange){clamp_cell(x0, width), clamp_cell(y0, height), clamp_cell(x1, width),
		clamp_cell(y1, height)};
}

static void project_triangle(const NcProjectJob* job, const NcProjectTriangle* t)
{
	NcProjectRange range = nc_project_range(job, t);
	for (int cell_y = range.y0; cell_y <= range.y1; ++cell_y)
	{
		for (int cell_x = range.x0; cell_x <= range.x1; ++cell_x)
		{
			float x = (float)cell_x + 0.5f;
			float y = (float)cell_y + 0.5f;
			if (touches(
					job, get_corner(t, 0, x, y), get_corner(t, 1, x, y), get_corner(t, 2, x, y)))
			{
				nc_bitmap_block(job->bitmap, cell_x, cell_y);
			}
		}
	}
}

// Preparing.

static NcVec3 subtract_points(NcVec3 a, NcVec3 b)
{
	return (NcVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// Whether a triangle is walkable floor. Which way it faces does not matter.
static bool is_floor(const NcProjectDef* def, const NcTriangle* triangle)
{
	const NcVec3* p = triangle->points;
	NcVec3 e = subtract_points(p[1], p[0]);
	NcVec3 f = subtract_points(p[2], p[0]);
	NcVec3 n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
	double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
	for (int i = 0; i < 3; ++i)
	{
		if (p[i].z < def->floor_min || p[i].z > def->floor_max)
		{
			return false;
		}
	}
	return length > 0.0 && fabs(n.z) >= nc_direction(def->max_slope).x * length;
}

static NcStatus check_triangle(const NcProjectDef* def, int index, NcError* error)
{
	for (int i = 0; i < 3; ++i)
	{
		NcVec3 p = def->triangles[index].points[i];
		NcVec2 ground = nc_scale(1.0 / def->cell_size, nc_sub((NcVec2){p.x, p.y}, def->lower));
		if (!(fabs(ground.x) <= MAX_CELL_DISTANCE) || !(fabs(ground.y) <= MAX_CELL_DISTANCE) ||
			!(fabs(p.z) <= MAX_CELL_DISTANCE * def->cell_size))
		{
			return nc_vk_set_error(error, NC_INVALID_INPUT, index,
				"a coordinate of a triangle is not a number, or too far away");
		}
	}
	return NC_OK;
}

static NcStatus check(const NcProjectDef* def, NcError* error)
{
	if (def->width > MAX_CELLS_PER_SIDE || def->height > MAX_CELLS_PER_SIDE)
	{
		return nc_vk_set_error(
			error, NC_TOO_LARGE, NC_NULL_INDEX, "the bitmap has more than 16384 cells a side");
	}
	if (!(def->z_min < def->z_max) || !(def->max_slope >= 0.0) || !(def->max_slope <= 1.6))
	{
		return nc_vk_set_error(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "the heights or the slope are not usable");
	}
	for (int i = 0; i < def->triangle_count; ++i)
	{
		NcStatus status = check_triangle(def, i, error);
		if (status != NC_OK)
		{
			return status;
		}
	}
	return NC_OK;
}

// Put a triangle into the frame of the bitmap, with heights counted from `middle`.
static bool add_triangle(
	NcProjectJob* job, const NcProjectDef* def, const NcTriangle* triangle, double middle)
{
	if (!nc_grow((void**)&job->triangles, &job->triangle_capacity, sizeof(NcProjectTriangle),
			job->triangle_count + 1LL))
	{
		return false;
	}
	double scale = 1.0 / def->cell_size;
	NcProjectTriangle converted;
	for (int i = 0; i < 3; ++i)
	{
		NcVec3 p = triangle->points[i];
		converted.x[i] = (float)(scale * (p.x - def->lower.x));
		converted.y[i] = (float)(scale * (p.y - def->lower.y));
		converted.z[i] = (float)(scale * (p.z - middle));
	}
	job->triangles[job->triangle_count++] = converted;
	return true;
}

static bool overlaps_heights(const NcTriangle* triangle, double lower, double upper)
{
	const NcVec3* p = triangle->points;
	double z_min = nc_min(nc_min(p[0].z, p[1].z), p[2].z);
	double z_max = nc_max(nc_max(p[0].z, p[1].z), p[2].z);
	return z_min <= upper && z_max >= lower;
}

// Collect what blocks, or the floor.
static bool collect(NcProjectJob* job, const NcProjectDef* def, bool wants_floor)
{
	double middle = 0.5 * (def->z_min + def->z_max);
	// Of the floor, what lies in the middle of a cell counts, at any height.
	job->half_width = wants_floor ? COLUMN_MARGIN : 0.5f + COLUMN_MARGIN;
	job->half_height =
		wants_floor ? 1e9f
					: (float)(0.5 * (def->z_max - def->z_min) / def->cell_size) + COLUMN_MARGIN;
	job->triangle_count = 0;
	for (int i = 0; i < def->triangle_count; ++i)
	{
		const NcTriangle* triangle = &def->triangles[i];
		bool is_wanted = is_floor(def, triangle) == wants_floor &&
						 (wants_floor || overlaps_heights(triangle, def->z_min, def->z_max));
		if (is_wanted && !add_triangle(job, def, triangle, middle))
		{
			return false;
		}
	}
	return true;
}

static bool project(NcGpu* gpu, NcProjectJob* job, bool* is_from_device)
{
	if (gpu != NULL && nc_project_on_device(gpu, job))
	{
		return true;
	}
	if (gpu != NULL)
	{
		nc_log("the Vulkan device failed; the processor projects the triangles");
	}
	*is_from_device = false;
	for (int i = 0; i < job->triangle_count; ++i)
	{
		project_triangle(job, &job->triangles[i]);
	}
	return true;
}

// Block what has no floor.
static void block_without_floor(NcBitmap* bitmap, const NcBitmap* floor)
{
	for (int i = 0; i < bitmap->stride * bitmap->height; ++i)
	{
		bitmap->words[i] |= ~floor->words[i];
	}
}

static NcStatus project_all(
	NcGpu* gpu, const NcProjectDef* def, NcBitmap* bitmap, bool* is_from_device)
{
	NcProjectJob job = {.bitmap = bitmap};
	bool is_done = collect(&job, def, false) && project(gpu, &job, is_from_device);
	NcBitmap floor = {0};
	if (is_done && def->needs_floor)
	{
		job.bitmap = &floor;
		is_done = nc_bitmap_create(
					  def->lower, def->cell_size, def->width, def->height, &floor, NULL) == NC_OK &&
				  collect(&job, def, true) && project(gpu, &job, is_from_device);
		if (is_done)
		{
			block_without_floor(bitmap, &floor);
		}
	}
	nc_bitmap_free(&floor);
	nc_grow_free((void**)&job.triangles, &job.triangle_capacity, sizeof(NcProjectTriangle));
	return is_done ? NC_OK : NC_OUT_OF_MEMORY;
}

NcProjectDef nc_default_project_def(void)
{
	return (NcProjectDef){
		.cell_size = 1.0,
		.max_slope = 0.8,
		.floor_min = -HUGE_VAL,
		.floor_max = HUGE_VAL,
		.cookie = PROJECT_DEF_COOKIE,
	};
}

NcStatus nc_project(
	NcGpu* gpu, const NcProjectDef* def, NcBitmap* bitmap, bool* is_from_device, NcError* error)
{
	assert(def != NULL && def->cookie == PROJECT_DEF_COOKIE && bitmap != NULL);
	assert(def->triangle_count >= 0 && (def->triangles != NULL || def->triangle_count == 0));

	*bitmap = (NcBitmap){0};
	NcStatus status = check(def, error);
	NcProjectDef copy = *def;
	copy.floor_max = def->floor_max < HUGE_VAL ? def->floor_max : def->z_min;
	status = status == NC_OK ? nc_bitmap_create(def->lower, def->cell_size, def->width, def->height,
								   bitmap, error)
							 : status;
	if (status != NC_OK)
	{
		return status;
	}

	bool is_device_used = gpu != NULL;
	status = project_all(gpu, &copy, bitmap, &is_device_used);
	if (status != NC_OK)
	{
		nc_bitmap_free(bitmap);
		return nc_vk_set_error(error, status, NC_NULL_INDEX, "out of memory");
	}
	if (is_from_device != NULL)
	{
		*is_from_device = is_device_used;
	}
	return NC_OK;
}
