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

/// Read a file by the format that its ending names. A file without any geometry is an error; one
/// with empty geometry only gives an empty scene.
/// @param scene empty but for its settings; on failure it may hold a part of the file
/// @return false if the file cannot be used; `error` says why
bool scene_read_file(const char* path, Scene* scene, TextError* error);

/// Read a text in the format of an ending, for example ".wkt". As above.
bool scene_read_text(
	const char* ending, const char* bytes, size_t size, Scene* scene, TextError* error);
