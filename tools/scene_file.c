// SPDX-License-Identifier: MIT

// Scenes from files: find the format by the ending, load the file, let the format's reader walk
// over it. A new format is one more file with a SceneReadFn and one more line in the table.

#include "scene_file.h"

#include "memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Larger files are refused: every index stays well within an int.
#define MAX_FILE_BYTES ((size_t)1 << 30)
#define FIRST_FILE_BYTES ((size_t)1 << 16)

typedef struct SceneFormat
{
	const char* ending;
	SceneReadFn* read;
	const char* missing; // why there is no reader
} SceneFormat;

static const SceneFormat formats[] = {
	{".wkt", scene_read_wkt, NULL},
	{".seg", scene_read_seg, NULL},
	{".map", scene_read_map, NULL},
	{".obj", scene_read_obj, NULL},
	{".ncm", NULL, "a saved map has no shapes"},
};

// Complain about the file as a whole.
__attribute__((format(printf, 2, 3))) static bool fail(TextError* error, const char* format, ...)
{
	*error = (TextError){0};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->reason, sizeof(error->reason), format, arguments);
	va_end(arguments);
	return false;
}

// The part of a path from its last dot, or an empty string.
static const char* find_ending(const char* path)
{
	const char* slash = strrchr(path, '/');
	const char* dot = strrchr(slash != NULL ? slash : path, '.');
	return dot != NULL ? dot : "";
}

static SceneReadFn* find_reader(const char* ending, TextError* error)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); ++i)
	{
		if (strcmp(ending, formats[i].ending) == 0)
		{
			if (formats[i].read == NULL)
			{
				fail(error, "%s", formats[i].missing);
			}
			return formats[i].read;
		}
	}
	fail(error, "unknown ending '%.40s'; known are .wkt, .seg, .map, .obj and .ncm", ending);
	return NULL;
}

static bool reserve(FileBytes* bytes, TextError* error)
{
	if (bytes->size < bytes->capacity)
	{
		return true;
	}
	size_t capacity = bytes->capacity > 0 ? 2 * bytes->capacity : FIRST_FILE_BYTES;
	char* grown = capacity <= 2 * MAX_FILE_BYTES ? realloc(bytes->data, capacity) : NULL;
	if (grown == NULL)
	{
		return fail(error, "the file does not fit into memory");
	}
	bytes->data = grown;
	bytes->capacity = capacity;
	return true;
}

// Read to the end, whatever kind of file it is: pipes do not know their size.
static bool load(FILE* file, FileBytes* bytes, TextError* error)
{
	while (!feof(file))
	{
		if (!reserve(bytes, error))
		{
			return false;
		}
		bytes->size += fread(bytes->data + bytes->size, 1, bytes->capacity - bytes->size, file);
		if (ferror(file))
		{
			return fail(error, "cannot read: %s", strerror(errno));
		}
		if (bytes->size > MAX_FILE_BYTES)
		{
			return fail(error, "the file is larger than 1 GiB");
		}
	}
	return true;
}

static bool read_text(
	SceneReadFn* read, const char* bytes, size_t size, Scene* scene, TextError* error)
{
	Text text = text_begin(bytes, size, error);
	Text first = text;
	if (!text_next_line(&first))
	{
		return fail(error, "%s", size == 0 ? "the file is empty" : "the file has no geometry");
	}
	return read(&text, scene);
}

bool scene_read_text(
	const char* ending, const char* bytes, size_t size, Scene* scene, TextError* error)
{
	SceneReadFn* read = find_reader(ending, error);
	return read != NULL && read_text(read, bytes, size, scene, error);
}

bool file_read_bytes(const char* path, FileBytes* bytes, TextError* error)
{
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		return fail(error, "cannot open: %s", strerror(errno));
	}
	bool is_read = load(file, bytes, error);
	fclose(file);
	return is_read;
}

bool file_has_ending(const char* path, const char* ending)
{
	return strcmp(find_ending(path), ending) == 0;
}

bool scene_read_file(const char* path, Scene* scene, TextError* error)
{
	SceneReadFn* read = find_reader(find_ending(path), error);
	if (read == NULL)
	{
		return false;
	}
	FileBytes bytes = {0};
	bool is_read = file_read_bytes(path, &bytes, error) &&
				   read_text(read, bytes.data, bytes.size, scene, error);
	free(bytes.data);
	return is_read;
}

bool scene_read_line(const char* path, NcVec2** points, int* count)
{
	Scene scene = {0};
	TextError error = {0};
	*points = NULL;
	*count = 0;
	bool is_read = scene_read_file(path, &scene, &error);
	if (!is_read)
	{
		fprintf(stderr, "navcorridor: %s:%d: %s\n", path, error.line, error.reason);
	}
	for (int i = 0; is_read && i < scene.shape_count && *points == NULL; ++i)
	{
		if (scene.shapes[i].kind == NC_SHAPE_CHAIN)
		{
			NcShape shape = scene_get_shape(&scene, i);
			*points = memory_allocate(shape.point_count, sizeof(NcVec2));
			*count = shape.point_count;
			memcpy(*points, shape.points, sizeof(NcVec2) * (size_t)shape.point_count);
		}
	}
	scene_destroy(&scene);
	if (is_read && *points == NULL)
	{
		fprintf(stderr, "navcorridor: %s: there is no LINESTRING\n", path);
	}
	return *points != NULL;
}
