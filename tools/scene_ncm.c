// SPDX-License-Identifier: MIT

// Saved maps on the command line. They are worlds without shapes: the map knows the walls that came
// out of the obstacles, and the obstacles by their ids, and that is enough for most commands.

#include "scene_ncm.h"

#include <errno.h>
#include <string.h>

// The world is in the file, and cannot be chosen.
#define FIXED_OPTIONS (OPTION_BOUNDS | OPTION_SNAP | OPTION_WALKABLE)

bool saved_map_read(const Options* options, FileBytes* bytes)
{
	if ((options->given & FIXED_OPTIONS) != 0)
	{
		fprintf(stderr,
			"navcorridor: %s: a saved map has its own world: leave out --bounds, --snap and"
			" --walkable\n",
			options->input);
		return false;
	}
	TextError error;
	if (!file_read_bytes(options->input, bytes, &error))
	{
		fprintf(stderr, "navcorridor: %s: %s\n", options->input, error.reason);
		return false;
	}
	return true;
}

NcMap* saved_map_load(const Options* options, const FileBytes* bytes, const NcMapDef* def)
{
	NcMap* map;
	NcError error = {0};
	if (nc_map_load(def, bytes->data, bytes->size, &map, &error) != NC_OK)
	{
		fprintf(stderr, "navcorridor: %s: %s\n", options->input, error.reason);
	}
	return map;
}

static bool append_to_file(void* context, const void* data, size_t size)
{
	FILE* file = context;
	return fwrite(data, 1, size, file) == size;
}

bool saved_map_write(const char* path, const NcMap* map)
{
	FILE* file = fopen(path, "wb");
	if (file == NULL)
	{
		fprintf(stderr, "navcorridor: %s: cannot write: %s\n", path, strerror(errno));
		return false;
	}
	NcStatus status = nc_map_save(map, append_to_file, file);
	bool is_closed = fclose(file) == 0;
	if (status == NC_OUT_OF_MEMORY)
	{
		fprintf(stderr, "navcorridor: %s: cannot save: %s\n", path, nc_status_name(status));
	}
	else if (status != NC_OK || !is_closed)
	{
		fprintf(stderr, "navcorridor: %s: cannot write: %s\n", path, strerror(errno));
	}
	return status == NC_OK && is_closed;
}
