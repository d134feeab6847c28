// SPDX-License-Identifier: MIT
#pragma once

#include "scene.h"
#include "text.h"

/// Read all shapes of a text and append them to the scene. One such function, in a file of its own,
/// for each format.
typedef bool SceneReadFn(Text* text, Scene* scene);

SceneReadFn scene_read_wkt;
SceneReadFn scene_read_seg;
SceneReadFn scene_read_map;
SceneReadFn scene_read_obj;

/// The content of a file. The data is for the caller to free.
typedef struct FileBytes
{
	char* data;
	size_t size, capacity;
} FileBytes;

/// Read a whole file. @param bytes all zero; to be freed in any case
bool file_read_bytes(const char* path, FileBytes* bytes, TextError* error);

/// @return whether a file is of the kind that an ending names, for example ".ncm"
bool file_has_ending(const char* path, const char* ending);

/// Read a file by the format that its ending names. A file without any geometry is an error; one
/// with empty geometry only gives an empty scene.
/// @param scene empty but for its settings; on failure it may hold a part of the file
/// @return false if the file cannot be used; `error` says why
bool scene_read_file(const char* path, Scene* scene, TextError* error);

/// Read a text in the format of an ending, for example ".wkt". As above.
bool scene_read_text(
	const char* ending, const char* bytes, size_t size, Scene* scene, TextError* error);

/// Read the first line of a file, and say on stderr why that failed if it did.
/// @param points for the caller to free
bool scene_read_line(const char* path, NcVec2** points, int* count);
