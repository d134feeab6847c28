// SPDX-License-Identifier: MIT

// Terrain from files, profiles from options, and both in pictures: see ground.h.

#include "ground.h"

#include "memory.h"
#include "scene_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PRIORITY 1000000.0

// Colours of types by their name, then those that others get in turn.
static const char* const named_colors[][2] = {{"ROAD", "#9aa0a8"}, {"SIDEWALK", "#e3d9b8"},
	{"MUD", "#8a6242"}, {"GRASS", "#a9cf8a"}, {"FOREST", "#7fae74"}, {"PATH", "#d8c8a0"},
	{"PUDDLE", "#7fb6e6"}, {"WATER", "#7fb6e6"}, {"LOG", "#a5743f"}, {"VIEW", "#e9e9e4"}};
static const char* const other_colors[] = {
	"#cfe3c2", "#e6d3b1", "#bcd4e6", "#e2c4cf", "#d6cfe8", "#c9c9b0", "#f0c9a0", "#b5d8cd"};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static int find_type(const Ground* ground, const char* name)
{
	for (int i = 0; i < ground->type_count; ++i)
	{
		if (strcmp(ground->names[i], name) == 0)
		{
			return i;
		}
	}
	return NC_NULL_INDEX;
}

static int add_type(Ground* ground, const char* name)
{
	int type = find_type(ground, name);
	if (type == NC_NULL_INDEX && ground->type_count < NC_TERRAIN_TYPE_COUNT)
	{
		type = ground->type_count++;
		snprintf(ground->names[type], GROUND_NAME_CAPACITY, "%s", name);
	}
	return type;
}

static void remember_region(Ground* ground, int type, int priority)
{
	ground->types =
		memory_grow(ground->types, ground->region_count, &ground->type_capacity, sizeof(int));
	ground->priorities = memory_grow(
		ground->priorities, ground->region_count, &ground->priority_capacity, sizeof(int));
	ground->types[ground->region_count] = type;
	ground->priorities[ground->region_count++] = priority;
}

// Read the polygons behind type and priority with the reader of scenes.
static bool read_polygons(Text* text, Ground* ground, int type, int priority)
{
	int first = ground->scene.shape_count;
	Text rest = text_begin(text->at, (size_t)(text->line_end - text->at), text->error);
	if (!scene_read_wkt(&rest, &ground->scene))
	{
		text->error->line = text->line;
		return false;
	}
	if (ground->scene.shape_count == first)
	{
		return text_fail(text, "expected a polygon behind the type and the priority");
	}
	for (int i = first; i < ground->scene.shape_count; ++i)
	{
		if (ground->scene.shapes[i].kind != NC_SHAPE_POLYGON)
		{
			return text_fail(text, "a region must be a polygon");
		}
		ground->scene.shapes[i].line = text->line;
		remember_region(ground, type, priority);
	}
	return true;
}

static bool read_line(Text* text, Ground* ground)
{
	char name[GROUND_NAME_CAPACITY];
	double priority;
	if (!text_read_word(text, name, sizeof(name)) || !text_read_number(text, &priority))
	{
		return false;
	}
	if (!(fabs(priority) <= MAX_PRIORITY) || priority != floor(priority))
	{
		return text_fail(text, "the priority must be a whole number up to a million");
	}
	int type = add_type(ground, name);
	if (type == NC_NULL_INDEX)
	{
		return text_fail(text, "there are more than %d types", NC_TERRAIN_TYPE_COUNT);
	}
	return read_polygons(text, ground, type, (int)priority);
}

static bool complain(const char* path, const TextError* error)
{
	fprintf(stderr, "navcorridor: %s:%d: %s\n", path, error->line, error->reason);
	return false;
}

static bool read_regions(const char* path, Ground* ground)
{
	FileBytes bytes = {0};
	TextError error = {0};
	bool is_read = file_read_bytes(path, &bytes, &error);
	if (is_read)
	{
		Text text = text_begin(bytes.data, bytes.size, &error);
		while (is_read && text_next_line(&text))
		{
			is_read = read_line(&text, ground);
		}
	}
	free(bytes.data);
	return is_read || complain(path, &error);
}

static bool build_terrain(const char* path, Ground* ground)
{
	NcError error = {.reason = "out of memory"};
	bool is_built = nc_terrain_create(&ground->terrain) == NC_OK;
	for (int i = 0; i < ground->region_count && is_built; ++i)
	{
		NcShape shape = scene_get_shape(&ground->scene, i);
		NcRegion region = {.points = shape.points,
			.point_count = shape.point_count,
			.ring_counts = shape.ring_counts,
			.ring_count = shape.ring_count,
			.type = ground->types[i],
			.priority = ground->priorities[i]};
		NcRegionId id;
		is_built = nc_terrain_add_region(ground->terrain, &region, &id, &error) == NC_OK;
		if (!is_built)
		{
			fprintf(stderr, "navcorridor: %s:%d: item %d: %s\n", path, ground->scene.shapes[i].line,
				error.item, error.reason);
			return false;
		}
	}
	is_built = is_built && nc_terrain_update(ground->terrain) == NC_OK;
	if (!is_built)
	{
		fprintf(stderr, "navcorridor: no terrain: %s\n", error.reason);
	}
	return is_built;
}

// Read "name=weight" up to a comma.
static bool read_weight(const char** at, Ground* ground)
{
	char name[GROUND_NAME_CAPACITY] = "", number[GROUND_NAME_CAPACITY] = "";
	int used = 0;
	if (sscanf(*at, "%31[A-Za-z]=%31[^,]%n", name, number, &used) != 2 || used == 0)
	{
		fprintf(stderr, "navcorridor: --profile: expected name=weight at \"%s\"\n", *at);
		return false;
	}
	for (char* c = name; *c != '\0'; ++c)
	{
		*c = (char)toupper((unsigned char)*c);
	}
	int type = find_type(ground, name);
	if (type == NC_NULL_INDEX)
	{
		fprintf(stderr, "navcorridor: --profile: the terrain has no type %s\n", name);
		return false;
	}
	double weight = NC_TERRAIN_BLOCKED;
	char reason[TEXT_REASON_CAPACITY] = "the weight must be above zero";
	bool is_number = strcmp(number, "blocked") == 0 || text_parse_number(number, &weight, reason);
	if (!is_number || !(weight > 0.0))
	{
		fprintf(stderr, "navcorridor: --profile: %s=%s: %s\n", name, number, reason);
		return false;
	}
	ground->profile.weights[type] = weight;
	*at += used;
	return true;
}

static bool read_profile(const char* text, Ground* ground)
{
	for (const char* at = text; *at != '\0'; at += *at == ',')
	{
		if (!read_weight(&at, ground))
		{
			return false;
		}
	}
	return true;
}

bool ground_read(const Options* options, Ground* ground)
{
	*ground = (Ground){.profile = nc_default_terrain_profile()};
	add_type(ground, "GROUND");
	return (options->terrain == NULL || read_regions(options->terrain, ground)) &&
		   build_terrain(options->terrain, ground) &&
		   (options->profile == NULL || read_profile(options->profile, ground));
}

void ground_destroy(Ground* ground)
{
	nc_terrain_destroy(ground->terrain);
	scene_destroy(&ground->scene);
	free(ground->types);
	free(ground->priorities);
	*ground = (Ground){0};
}

// Pictures.

static const char* choose_color(const Ground* ground, int type)
{
	for (int i = 0; i < COUNT(named_colors); ++i)
	{
		if (strcmp(ground->names[type], named_colors[i][0]) == 0)
		{
			return named_colors[i][1];
		}
	}
	return other_colors[type % COUNT(other_colors)];
}

static void draw_region(const Ground* ground, int index, Svg* svg)
{
	NcShape shape = scene_get_shape(&ground->scene, index);
	char attributes[96];
	snprintf(attributes, sizeof(attributes), "fill=\"%s\" fill-rule=\"evenodd\"",
		choose_color(ground, ground->types[index]));
	svg_begin_path(svg, attributes);
	const NcVec2* ring = shape.points;
	for (int i = 0; i < shape.ring_count; ++i)
	{
		svg_add_polygon(svg, ring, shape.ring_counts[i]);
		ring += shape.ring_counts[i];
	}
	svg_end_path(svg);
}

void ground_draw(const Ground* ground, Svg* svg)
{
	svg_begin_group(svg, "terrain", "");
	// Draw in the order of (priority, type), the lowest first: each pass takes the next pair.
	double last = -HUGE_VAL;
	for (;;)
	{
		double next = HUGE_VAL;
		for (int i = 0; i < ground->region_count; ++i)
		{
			double rank = (double)ground->priorities[i] * NC_TERRAIN_TYPE_COUNT + ground->types[i];
			next = rank > last ? nc_min(next, rank) : next;
		}
		if (next == HUGE_VAL)
		{
			break;
		}
		for (int i = 0; i < ground->region_count; ++i)
		{
			double rank = (double)ground->priorities[i] * NC_TERRAIN_TYPE_COUNT + ground->types[i];
			if (rank == next)
			{
				draw_region(ground, i, svg);
			}
		}
		last = next;
	}
	svg_end_group(svg);
}
