// SPDX-License-Identifier: MIT

// How long shortest routes take: across a scene, and short ones, with and without the search beyond
// the first corridor, and the medial axis for comparison.
//
//   bench_routes [--json] [SCENE ...]     scenes as in scenes.h; default city:30, city17:30,
//   mckenna

#include "clock.h"
#include "nav_corridor/nav_corridor.h"
#include "scenes.h"
#include "scenes_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 60

typedef struct Sums
{
	double microseconds, length;
	int found;
} Sums;

// Start and goal: in opposite corners of the scene, or a tenth of it apart.
static void choose_ends(uint64_t* seed, NcBox box, bool is_long, NcPathDef* def)
{
	double w = box.upper.x - box.lower.x, h = box.upper.y - box.lower.y;
	double x0 = is_long ? 0.0 : scenes_random_double(seed, 0.0, 0.9);
	double y0 = is_long ? 0.0 : scenes_random_double(seed, 0.0, 0.9);
	def->start.x = box.lower.x + w * (x0 + scenes_random_double(seed, 0.0, 0.1));
	def->start.y = box.lower.y + h * (y0 + scenes_random_double(seed, 0.0, 0.1));
	double x1 = is_long ? 0.9 : x0, y1 = is_long ? 0.9 : y0;
	def->goal.x = box.lower.x + w * (x1 + scenes_random_double(seed, 0.0, 0.1));
	def->goal.y = box.lower.y + h * (y1 + scenes_random_double(seed, 0.0, 0.1));
}

static Sums run(NcQuery* query, NcBox box, bool is_long, NcRouteKind kind, int budget)
{
	Sums sums = {0};
	uint64_t seed = 1;
	for (int i = 0; i < 2 * QUERIES; ++i)
	{
		NcPathDef def = nc_default_path_def();
		NcPathInfo info;
		choose_ends(&seed, box, is_long, &def);
		def.radius = 0.001 * (box.upper.x - box.lower.x);
		def.route = kind;
		def.corridor_budget = budget;
		double begin = clock_get_milliseconds();
		bool is_found = nc_query_find_path(query, &def, &info);
		double end = clock_get_milliseconds();
		if (i >= QUERIES && is_found) // the first half warms up
		{
			++sums.found;
			sums.microseconds += 1e3 * (end - begin);
			sums.length += info.length;
		}
	}
	return sums;
}

static void report(const char* scene, const char* what, Sums sums, Sums best, bool is_json)
{
	double each = sums.found > 0 ? sums.microseconds / sums.found : 0.0;
	double longer = best.length > 0.0 ? 100.0 * (sums.length / best.length - 1.0) : 0.0;
	printf(is_json ? "{\"scene\":\"%s\",\"route\":\"%s\",\"us\":%.3f,\"longer_percent\":%.4f}\n"
				   : "%-12s %-28s %9.2f us  %+9.4f %%\n",
		scene, what, each, longer);
}

static void bench_scene(const char* name, bool is_json)
{
	TestScene made;
	if (!scenes_make(name, &made))
	{
		exit(2);
	}
	NcMap* map = scenes_build_map(&made, 1, NULL);
	NcQuery* query = NULL;
	nc_query_create(map, &query);
	for (int is_long = 1; is_long >= 0; --is_long)
	{
		Sums exact = run(query, made.bounds, is_long, NC_ROUTE_SHORTEST, 1000000);
		Sums usual =
			run(query, made.bounds, is_long, NC_ROUTE_SHORTEST, NC_DEFAULT_CORRIDOR_BUDGET);
		Sums first = run(query, made.bounds, is_long, NC_ROUTE_SHORTEST, 0);
		Sums medial = run(query, made.bounds, is_long, NC_ROUTE_MEDIAL, 0);
		report(name, is_long ? "across, medial" : "short, medial", medial, exact, is_json);
		report(name, is_long ? "across, first corridor" : "short, first corridor", first, exact,
			is_json);
		report(name, is_long ? "across, default" : "short, default", usual, exact, is_json);
		report(name, is_long ? "across, exact" : "short, exact", exact, exact, is_json);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
	scenes_destroy(&made);
}

int main(int argc, char** argv)
{
	static const char* const defaults[] = {"city:30", "city17:30", "mckenna"};
	bool is_json = argc > 1 && strcmp(argv[1], "--json") == 0;
	int first = is_json ? 2 : 1;
	for (int i = 0; i < (argc > first ? argc - first : 3); ++i)
	{
		bench_scene(argc > first ? argv[first + i] : defaults[i], is_json);
	}
	return 0;
}
