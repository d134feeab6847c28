// SPDX-License-Identifier: MIT

// Fuzz the readers of scenes: the first byte chooses the format, the others are the file.

#include "scene_file.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	if (size == 0)
	{
		return 0;
	}
	Scene scene = {0};
	TextError error;
	static const char* const endings[] = {".wkt", ".seg", ".map"};
	if (!scene_read_text(endings[data[0] % 3], (const char*)data + 1, size - 1, &scene, &error) &&
		error.reason[0] == '\0')
	{
		// A refusal without a reason helps nobody.
		__builtin_trap();
	}
	scene_destroy(&scene);
	return 0;
}
