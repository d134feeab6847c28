// SPDX-License-Identifier: MIT

// Scenes in well-known text: one geometry a line. Every point, line and polygon becomes an obstacle
// of its own, also those inside a MULTI geometry or a collection.
//
//     geometry   = TYPE "EMPTY" | TYPE body
//     POINT      = "(" x y ")"
//     LINESTRING = "(" x y, x y, ... ")"
//     POLYGON    = "(" ring, ring, ... ")"         border first, then holes
//     MULTI...   = "(" body, body, ... ")"
//
// Rings may be open or closed and turn either way. Only two coordinates a point.
//
// This work is based on:
// Open Geospatial Consortium. Simple Feature Access, Part 1: Common Architecture. 2011

#include "scene_file.h"

#include <string.h>

// Collections may contain collections; this bounds the recursion.
#define MAX_DEPTH 16

#define MAX_TYPE_LENGTH 32

typedef struct WktReader
{
	Text* text;
	Scene* scene;
	int depth; // of nested collections
} WktReader;

// Reads one thing: a body of a type, or an item of a list.
typedef bool WktReadFn(WktReader* reader);

typedef struct WktType
{
	const char* name;
	WktReadFn* read_body;
} WktType;

static bool read_list(WktReader* reader, WktReadFn* read_item)
{
	if (!text_expect(reader->text, '('))
	{
		return false;
	}
	do
	{
		if (!read_item(reader))
		{
			return false;
		}
	} while (text_accept(reader->text, ','));
	return text_accept(reader->text, ')') || text_fail_expected(reader->text, "',' or ')'");
}

static bool read_position(WktReader* reader)
{
	NcVec2 point;
	if (!text_read_number(reader->text, &point.x) || !text_read_number(reader->text, &point.y))
	{
		return false;
	}
	scene_add_point(reader->scene, point);

	Text* text = reader->text;
	bool is_followed = text_is_line_done(text) || *text->at == ',' || *text->at == ')';
	return is_followed ||
		   text_fail_expected(text, "',' or ')' after the two coordinates of a point");
}

static bool read_point(WktReader* reader)
{
	scene_begin_shape(reader->scene, NC_SHAPE_POINTS, reader->text->line);
	return text_expect(reader->text, '(') && read_position(reader) &&
		   text_expect(reader->text, ')');
}

// Inside a MULTIPOINT the parentheses around a point may be missing.
static bool read_bare_point(WktReader* reader)
{
	Text ahead = *reader->text;
	if (text_accept(&ahead, '('))
	{
		return read_point(reader);
	}
	scene_begin_shape(reader->scene, NC_SHAPE_POINTS, reader->text->line);
	return read_position(reader);
}

static bool read_linestring(WktReader* reader)
{
	Scene* scene = reader->scene;
	scene_begin_shape(scene, NC_SHAPE_CHAIN, reader->text->line);
	if (!read_list(reader, read_position))
	{
		return false;
	}
	if (scene->shapes[scene->shape_count - 1].point_count < 2)
	{
		return text_fail(reader->text, "a LINESTRING needs at least two points");
	}
	return true;
}

static bool is_same(NcVec2 a, NcVec2 b)
{
	return a.x == b.x && a.y == b.y;
}

// How many different points there are, counting no further than three.
static int count_different(const NcVec2* points, int count)
{
	int second = 1;
	while (second < count && is_same(points[second], points[0]))
	{
		++second;
	}
	int third = second + 1;
	while (third < count &&
		   (is_same(points[third], points[0]) || is_same(points[third], points[second])))
	{
		++third;
	}
	return third < count ? 3 : second < count ? 2 : 1;
}

static bool read_ring(WktReader* reader)
{
	Scene* scene = reader->scene;
	scene_begin_ring(scene);
	if (!read_list(reader, read_position))
	{
		return false;
	}

	int count = scene->ring_counts[scene->ring_count - 1];
	int different = count_different(scene->points + scene->point_count - count, count);
	if (different < 3)
	{
		int ring = scene->shapes[scene->shape_count - 1].ring_count;
		return text_fail(reader->text,
			"ring %d of the polygon has only %d different point%s, but needs three", ring,
			different, different == 1 ? "" : "s");
	}
	return true;
}

static bool read_polygon(WktReader* reader)
{
	scene_begin_polygon(reader->scene, reader->text->line);
	return read_list(reader, read_ring);
}

// The items of MULTI geometries may be empty, each on its own.
static bool read_multipoint_item(WktReader* reader)
{
	return text_accept_word(reader->text, "EMPTY") || read_bare_point(reader);
}

static bool read_multilinestring_item(WktReader* reader)
{
	return text_accept_word(reader->text, "EMPTY") || read_linestring(reader);
}

static bool read_multipolygon_item(WktReader* reader)
{
	return text_accept_word(reader->text, "EMPTY") || read_polygon(reader);
}

static bool read_multipoint(WktReader* reader)
{
	return read_list(reader, read_multipoint_item);
}

static bool read_multilinestring(WktReader* reader)
{
	return read_list(reader, read_multilinestring_item);
}

static bool read_multipolygon(WktReader* reader)
{
	return read_list(reader, read_multipolygon_item);
}

// Recursion: a collection contains geometries. MAX_DEPTH bounds it.
static bool read_collection(WktReader* reader);

static const WktType types[] = {
	{"POINT", read_point},
	{"LINESTRING", read_linestring},
	{"POLYGON", read_polygon},
	{"MULTIPOINT", read_multipoint},
	{"MULTILINESTRING", read_multilinestring},
	{"MULTIPOLYGON", read_multipolygon},
	{"GEOMETRYCOLLECTION", read_collection},
};

static const WktType* find_type(const char* name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i)
	{
		if (strcmp(name, types[i].name) == 0)
		{
			return &types[i];
		}
	}
	return NULL;
}

static bool read_geometry(WktReader* reader)
{
	char name[MAX_TYPE_LENGTH];
	if (!text_read_word(reader->text, name, sizeof(name)))
	{
		return false;
	}
	const WktType* type = find_type(name);
	if (type == NULL)
	{
		return text_fail(reader->text, "unknown geometry '%s'", name);
	}
	if (text_accept_word(reader->text, "Z") || text_accept_word(reader->text, "M") ||
		text_accept_word(reader->text, "ZM"))
	{
		return text_fail(reader->text, "points must have two coordinates, not more");
	}
	return text_accept_word(reader->text, "EMPTY") || type->read_body(reader);
}

static bool read_collection(WktReader* reader)
{
	if (reader->depth == MAX_DEPTH)
	{
		return text_fail(reader->text, "collections are nested more than %d deep", MAX_DEPTH);
	}
	++reader->depth;
	bool is_read = read_list(reader, read_geometry);
	--reader->depth;
	return is_read;
}

bool scene_read_wkt(Text* text, Scene* scene)
{
	WktReader reader = {.text = text, .scene = scene};
	while (text_next_line(text))
	{
		if (!read_geometry(&reader))
		{
			return false;
		}
		if (!text_is_line_done(text))
		{
			return text_fail_expected(text, "the end of the line after the geometry");
		}
	}
	return true;
}
