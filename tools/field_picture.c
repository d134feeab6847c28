// SPDX-License-Identifier: MIT

// Pictures of distance fields. Clearance goes from warm (close to a wall) to cold, every other
// tenth of the largest a little darker; nearest walls have the colour of their obstacle, a little
// lighter or darker from wall to wall. Blocked areas are grey.

#include "field_picture.h"

#include "memory.h"
#include "nav_corridor/field.h"
#include "png.h"

#include <stdlib.h>

#define BAND_COUNT 10
#define LEVEL_COUNT 30

typedef struct Rgb
{
	double red, green, blue; // from 0 to 255
} Rgb;

static const Rgb ramp[] = {
	{214, 40, 57}, {240, 128, 40}, {236, 200, 60}, {84, 168, 98}, {28, 144, 178}, {52, 84, 168}};

#define RAMP_COUNT ((int)(sizeof(ramp) / sizeof(ramp[0])))

static const Rgb blocked_color = {96, 94, 100};

static Rgb mix(Rgb a, Rgb b, double t)
{
	return (Rgb){a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
		a.blue + t * (b.blue - a.blue)};
}

static Rgb color_clearance(double clearance, double max_clearance)
{
	double part = max_clearance > 0.0 ? nc_clamp(clearance / max_clearance, 0.0, 1.0) : 0.0;
	// Some steps instead of a smooth ramp make small files.
	double position = floor(part * LEVEL_COUNT) / LEVEL_COUNT * (RAMP_COUNT - 1);
	int index = (int)nc_min(position, RAMP_COUNT - 2);
	Rgb color = mix(ramp[index], ramp[index + 1], position - index);
	bool is_dark = (int)(part * BAND_COUNT) % 2 == 1;
	return mix(color, (Rgb){0, 0, 0}, is_dark ? 0.1 : 0.0);
}

static uint32_t scramble(uint32_t value)
{
	value = (value ^ value >> 16) * 0x7feb352du;
	value = (value ^ value >> 15) * 0x846ca68bu;
	return value ^ value >> 16;
}

// A light colour for an obstacle, by its number; the walls of one obstacle differ a little.
static Rgb color_wall(const NcMap* map, int wall_index)
{
	NcMapWall wall = {0};
	nc_map_get_wall(map, wall_index, &wall);
	uint32_t bits = scramble(wall.obstacle.index * 2654435761u + 1u);
	Rgb color = {110 + bits % 130, 110 + (bits >> 8) % 130, 110 + (bits >> 16) % 130};
	double shade = 0.8 + 0.05 * (double)(scramble((uint32_t)wall_index) % 5);
	return mix((Rgb){0, 0, 0}, color, shade);
}

// The walls of a map as the sites of a field, in an array for the caller to free.
static NcFieldSite* make_sites(const NcMap* map, int* count)
{
	*count = nc_map_get_wall_range(map);
	NcFieldSite* sites = memory_allocate(*count, sizeof(NcFieldSite));
	for (int i = 0; i < *count; ++i)
	{
		NcMapWall wall;
		bool is_used = nc_map_get_wall(map, i, &wall) && (wall.left_free || wall.right_free);
		sites[i].is_gap = !is_used;
		if (is_used)
		{
			sites[i].a = wall.a;
			sites[i].b = wall.b;
			sites[i].winding = wall.right_free - wall.left_free;
		}
	}
	return sites;
}

static NcFieldDef make_def(const Options* options, const NcMap* map)
{
	NcBox bounds = nc_map_get_bounds(map);
	NcVec2 extent = nc_sub(bounds.upper, bounds.lower);
	NcFieldDef def = nc_default_field_def();
	def.lower = bounds.lower;
	def.pixel_size = nc_max(extent.x, extent.y) / options->pixel_count;
	def.width = (int)nc_max(1.0, ceil(extent.x / def.pixel_size - 1e-6));
	def.height = (int)nc_max(1.0, ceil(extent.y / def.pixel_size - 1e-6));
	def.outer_cover = 1;
	return def;
}

static bool compute(NcGpu* gpu, const NcFieldDef* def, NcField* field)
{
	NcError error = {0};
	NcStatus status = nc_field_compute(gpu, def, field, &error);
	if (status != NC_OK)
	{
		fprintf(stderr, "navcorridor: cannot compute the field: %s\n", error.reason);
	}
	return status == NC_OK;
}

static double find_max(const float* values, size_t count)
{
	double max = 0.0;
	for (size_t i = 0; i < count; ++i)
	{
		max = nc_max(max, (double)values[i]);
	}
	return max;
}

static uint8_t* paint(
	const Options* options, const NcMap* map, const NcFieldDef* def, const NcField* field)
{
	size_t count = (size_t)def->width * (size_t)def->height;
	double max_clearance = find_max(field->clearances, count);
	uint8_t* pixels = memory_allocate((int)count, 3);
	for (size_t i = 0; i < count; ++i)
	{
		// Rows of the picture come from the top.
		size_t row = (size_t)def->height - 1 - i / (size_t)def->width;
		size_t source = row * (size_t)def->width + i % (size_t)def->width;
		uint32_t label = field->labels[source];
		Rgb color = blocked_color;
		if ((label & NC_FIELD_BLOCKED) == 0)
		{
			color = options->field == FIELD_CLEARANCE
						? color_clearance((double)field->clearances[source], max_clearance)
						: color_wall(map, (int)label);
		}
		pixels[3 * i] = (uint8_t)color.red;
		pixels[3 * i + 1] = (uint8_t)color.green;
		pixels[3 * i + 2] = (uint8_t)color.blue;
	}
	return pixels;
}

bool field_picture_write(const Options* options, const World* world)
{
	NcFieldDef def = make_def(options, world->map);
	NcFieldSite* sites = make_sites(world->map, &def.site_count);
	def.sites = sites;
	int count = def.width * def.height;
	NcField field = {
		.clearances = memory_allocate(count, sizeof(float)),
		.labels = memory_allocate(count, sizeof(uint32_t)),
	};
	bool is_done = compute(world->gpu, &def, &field);
	if (is_done)
	{
		uint8_t* pixels = paint(options, world->map, &def, &field);
		is_done = png_write(options->output, pixels, def.width, def.height);
		free(pixels);
	}
	free(field.clearances);
	free(field.labels);
	free(sites);
	return is_done;
}
