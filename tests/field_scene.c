// SPDX-License-Identifier: MIT
// Scenes as distance fields see them. See field_scene.h.

#include "field_scene.h"

#include <stdio.h>
#include <stdlib.h>

void field_scene_take_walls(FieldScene* scene)
{
	int count = nc_map_get_wall_range(scene->map);
	free(scene->sites);
	scene->sites = calloc((size_t)count + 1, sizeof(NcFieldSite));
	for (int i = 0; i < count; ++i)
	{
		NcMapWall wall;
		bool is_used = nc_map_get_wall(scene->map, i, &wall) && (wall.left_free || wall.right_free);
		scene->sites[i].is_gap = !is_used;
		if (is_used)
		{
			scene->sites[i].a = wall.a;
			scene->sites[i].b = wall.b;
			scene->sites[i].winding = wall.right_free - wall.left_free;
		}
	}
	scene->def.sites = scene->sites;
	scene->def.site_count = count;
}

FieldScene* field_scene_create(const char* name, int size)
{
	FieldScene* scene = calloc(1, sizeof(FieldScene));
	if (!scenes_make(name, &scene->made))
	{
		exit(2);
	}
	scene->map = scenes_build_map(&scene->made, 1, NULL);
	NcBox bounds = nc_map_get_bounds(scene->map);
	NcVec2 extent = nc_sub(bounds.upper, bounds.lower);
	scene->def = nc_default_field_def();
	scene->def.lower = bounds.lower;
	scene->def.pixel_size = nc_max(extent.x, extent.y) / size;
	scene->def.width = (int)nc_max(1.0, ceil(extent.x / scene->def.pixel_size - 1e-6));
	scene->def.height = (int)nc_max(1.0, ceil(extent.y / scene->def.pixel_size - 1e-6));
	scene->def.outer_cover = 1;
	field_scene_take_walls(scene);
	return scene;
}

void field_scene_destroy(FieldScene* scene)
{
	nc_map_destroy(scene->map);
	scenes_destroy(&scene->made);
	free(scene->sites);
	free(scene);
}

NcField field_create(const NcFieldDef* def)
{
	size_t count = (size_t)def->width * (size_t)def->height;
	return (NcField){
		.clearances = calloc(count, sizeof(float)), .labels = calloc(count, sizeof(uint32_t))};
}

void field_destroy(NcField* field)
{
	free(field->clearances);
	free(field->labels);
	*field = (NcField){0};
}

// Any pixel of the chunk that has its corner in (corner_x, corner_y).
typedef struct Converted
{
	int corner_x, corner_y, count;
	NcMeshSite* sites;
} Converted;

static Converted convert(const NcFieldDef* def, int corner_x, int corner_y)
{
	Converted converted = {
		corner_x, corner_y, 0, calloc((size_t)def->site_count + 1, sizeof(NcMeshSite))};
	for (int i = 0; i < def->site_count; ++i)
	{
		if (!def->sites[i].is_gap)
		{
			converted.sites[converted.count++] = nc_mesh_site_convert(def, corner_x, corner_y, i);
		}
	}
	return converted;
}

static NcMeshPixel find_nearest(const Converted* converted, int x, int y)
{
	NcMeshPixel best = {INFINITY, NC_FIELD_NO_SITE};
	float px = (float)(x - converted->corner_x) + 0.5f;
	float py = (float)(y - converted->corner_y) + 0.5f;
	for (int i = 0; i < converted->count; ++i)
	{
		float squared = nc_mesh_squared_distance(&converted->sites[i], px, py);
		if (squared < best.squared_distance)
		{
			best = (NcMeshPixel){squared, converted->sites[i].id};
		}
	}
	return best;
}

static int get_corner(int pixel)
{
	return pixel / NC_MESH_CHUNK_SIZE * NC_MESH_CHUNK_SIZE;
}

uint32_t field_find_nearest(const NcFieldDef* def, int x, int y, float* clearance)
{
	Converted converted = convert(def, get_corner(x), get_corner(y));
	NcMeshPixel pixel = find_nearest(&converted, x, y);
	*clearance = (float)(sqrt((double)pixel.squared_distance) * def->pixel_size);
	free(converted.sites);
	return pixel.label;
}

static long long count_wrong_in_chunk(
	const NcFieldDef* def, const NcField* field, int corner_x, int corner_y, int step)
{
	Converted converted = convert(def, corner_x, corner_y);
	long long wrong_count = 0;
	for (int y = corner_y; y < def->height && y < corner_y + NC_MESH_CHUNK_SIZE; y += step)
	{
		for (int x = corner_x; x < def->width && x < corner_x + NC_MESH_CHUNK_SIZE; ++x)
		{
			NcMeshPixel pixel = find_nearest(&converted, x, y);
			size_t i = (size_t)y * (size_t)def->width + (size_t)x;
			bool is_blocked = (field->labels[i] & NC_FIELD_BLOCKED) != 0;
			float clearance = (float)(sqrt((double)pixel.squared_distance) * def->pixel_size);
			wrong_count += (field->labels[i] & NC_FIELD_SITE_MASK) != pixel.label ||
						   field->clearances[i] != (is_blocked ? 0.0f : clearance);
		}
	}
	free(converted.sites);
	return wrong_count;
}

long long field_count_wrong_pixels(const NcFieldDef* def, const NcField* field, int step)
{
	long long wrong_count = 0;
	for (int y = 0; y < def->height; y += NC_MESH_CHUNK_SIZE)
	{
		for (int x = 0; x < def->width; x += NC_MESH_CHUNK_SIZE)
		{
			wrong_count += count_wrong_in_chunk(def, field, x, y, step);
		}
	}
	return wrong_count;
}

double field_compute_distance(const NcFieldDef* def, int site, int x, int y)
{
	NcVec2 p = {
		def->lower.x + (x + 0.5) * def->pixel_size, def->lower.y + (y + 0.5) * def->pixel_size};
	return nc_distance(p, nc_closest_on_segment(p, def->sites[site].a, def->sites[site].b));
}

double field_compute_exact_clearance(const NcFieldDef* def, int x, int y)
{
	double best = HUGE_VAL;
	for (int i = 0; i < def->site_count; ++i)
	{
		if (!def->sites[i].is_gap)
		{
			best = nc_min(best, field_compute_distance(def, i, x, y));
		}
	}
	return best;
}
