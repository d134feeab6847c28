// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"
#include "scene_file.h"

/// The ending of saved maps.
#define SAVED_MAP_ENDING ".ncm"

/// Read a saved map and keep its bytes, so that it can be loaded more than once. Complain on
/// stderr.
/// @param bytes all zero; to be freed in any case
bool saved_map_read(const Options* options, FileBytes* bytes);

/// Load the map that was read. @param def how to run work on several threads
/// @return NULL, after a complaint, if it is damaged
NcMap* saved_map_load(const Options* options, const FileBytes* bytes, const NcMapDef* def);

/// Save a map. Complain on stderr.
bool saved_map_write(const char* path, const NcMap* map);
