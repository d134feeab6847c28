// SPDX-License-Identifier: MIT
// Godot as a rival: its own bake of a navigation polygon, by tests/godot/bake.gd in the engine
// itself. It has no library, so it runs as a program; only the bake is timed, not the start.

#include "peers.h"

#include <cstdio>
#include <cstdlib>
#include <string>

// A meter in pixels: about a character's width, so that the engine's default sizes suit.
static const double PIXELS = 32.0;

static bool write_scene(const TestScene& made, const std::string& path)
{
	FILE* file = fopen(path.c_str(), "w");
	if (file == nullptr)
	{
		return false;
	}
	NcVec2 lower = nc_scale(PIXELS, made.bounds.lower);
	NcVec2 upper = nc_scale(PIXELS, made.bounds.upper);
	fprintf(file, "%.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f\n", lower.x, lower.y, upper.x, lower.y,
		upper.x, upper.y, lower.x, upper.y);
	for (int i = 0; i < made.scene.shape_count; ++i)
	{
		NcShape shape = scenes_get_shape(&made, i);
		for (int k = 0; k < shape.point_count; ++k)
		{
			fprintf(file, "%.3f %.3f ", PIXELS * shape.points[k].x, PIXELS * shape.points[k].y);
		}
		fprintf(file, "\n");
	}
	return fclose(file) == 0;
}

// Run a command and find the line of bake.gd in what it prints.
static double read_seconds(const std::string& command)
{
	FILE* pipe = popen(command.c_str(), "r");
	double seconds = 0.0;
	int polygon_count = 0;
	char line[512];
	while (pipe != nullptr && fgets(line, sizeof(line), pipe) != nullptr)
	{
		sscanf(line, "baked %lf %d", &seconds, &polygon_count);
	}
	int status = pipe != nullptr ? pclose(pipe) : -1;
	return status == 0 && polygon_count > 0 ? seconds : 0.0;
}

double godot_bake(const TestScene& made, int runs)
{
	const char* godot = getenv("GODOT");
	char folder[] = "/tmp/nav_corridor_bake_XXXXXX";
	if (godot == nullptr || mkdtemp(folder) == nullptr)
	{
		return 0.0;
	}
	std::string place = folder;
	FILE* project = fopen((place + "/project.godot").c_str(), "w");
	double seconds = 0.0;
	if (project != nullptr && fclose(project) == 0 && write_scene(made, place + "/scene.txt"))
	{
		// The copy keeps the engine from looking for other files next to the script.
		seconds = read_seconds("cp tests/godot/bake.gd '" + place + "' && '" + godot +
							   "' --headless --path '" + place + "' -s bake.gd -- '" + place +
							   "/scene.txt' " + std::to_string(runs) + " 2> /dev/null");
	}
	(void)!system(("rm -rf '" + place + "'").c_str());
	return seconds;
}
