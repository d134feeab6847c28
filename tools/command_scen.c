// SPDX-License-Identifier: MIT

// navcorridor scen: the instances of a MovingAI scenario, each a path between the middles of two
// cells. A scenario is a text:
//
//     version 1
//     0	maps/dao/arena2.map	281	209	100	41	98	44	3.82843
//
// with a bucket, the map, its width and height, start and goal cell, and the length of the shortest
// path over the grid, which goes straight and diagonally but does not cut corners.

#include "clock.h"
#include "commands.h"
#include "json.h"
#include "memory.h"
#include "nav_corridor/query.h"
#include "world.h"

#include <stdlib.h>

typedef struct Instance
{
	NcVec2 start, goal;
	double optimal; // length over the grid
} Instance;

typedef struct Scenario
{
	Instance* instances;
	int count, capacity;
} Scenario;

// What the instances came to, for the line at the end.
typedef struct Tally
{
	int reachable_count;
	double ratio_sum, max_ratio; // of our length to that over the grid
	int ratio_count;
	double microseconds;
} Tally;

// Reading.

static void skip_name(Text* text)
{
	while (text->at < text->line_end && (*text->at == ' ' || *text->at == '\t'))
	{
		++text->at;
	}
	while (text->at < text->line_end && *text->at != '\t' && *text->at != ' ')
	{
		++text->at;
	}
}

static bool read_instance(Text* text, NcBox bounds, Instance* instance)
{
	double bucket;
	double n[7];
	if (!text_read_number(text, &bucket))
	{
		return false;
	}
	skip_name(text);
	for (int i = 0; i < 7; ++i)
	{
		if (!text_read_number(text, &n[i]))
		{
			return false;
		}
	}
	if (!text_is_line_done(text))
	{
		return text_fail_expected(text, "the end of the line after nine items");
	}
	if (n[0] != bounds.upper.x - bounds.lower.x || n[1] != bounds.upper.y - bounds.lower.y)
	{
		return text_fail(text, "the scenario is for a map of %.9g x %.9g cells", n[0], n[1]);
	}
	*instance = (Instance){{n[2] + 0.5, n[3] + 0.5}, {n[4] + 0.5, n[5] + 0.5}, n[6]};
	return true;
}

static bool read_instances(Text* text, NcBox bounds, Scenario* scenario)
{
	if (!text_next_line(text) || !text_accept_word(text, "version"))
	{
		return text_fail_expected(text, "\"version 1\" in the first line");
	}
	while (text_next_line(text))
	{
		scenario->instances = memory_grow(scenario->instances, scenario->count, &scenario->capacity,
			sizeof(*scenario->instances));
		if (!read_instance(text, bounds, &scenario->instances[scenario->count]))
		{
			return false;
		}
		++scenario->count;
	}
	return scenario->count > 0 || text_fail(text, "the scenario has no instances");
}

static bool read_scenario(const char* path, NcBox bounds, Scenario* scenario)
{
	TextError error = {0};
	FileBytes bytes = {0};
	bool is_read = file_read_bytes(path, &bytes, &error);
	if (is_read)
	{
		Text text = text_begin(bytes.data, bytes.size, &error);
		is_read = read_instances(&text, bounds, scenario);
	}
	free(bytes.data);
	if (!is_read)
	{
		char line[32] = "";
		if (error.line > 0)
		{
			snprintf(line, sizeof(line), ":%d", error.line);
		}
		fprintf(stderr, "navcorridor: %s%s: %s\n", path, line, error.reason);
	}
	return is_read;
}

// Running.

static void write_instance(int index, const Instance* instance, const NcPathInfo* info, double us)
{
	JsonWriter json = json_begin(stdout);
	json_begin_object(&json);
	json_write_key(&json, "index");
	json_write_integer(&json, index);
	json_write_key(&json, "reachable");
	json_write_bool(&json, info->outcome == NC_PATH_FOUND);
	json_write_key(&json, "length");
	json_write_number(&json, info->length);
	json_write_key(&json, "optimal");
	json_write_number(&json, instance->optimal);
	json_write_key(&json, "us");
	json_write_number(&json, us);
	json_write_key(&json, "min_clearance");
	json_write_number(&json, info->min_clearance);
	json_end_object(&json);
	putchar('\n');
}

static void run_instance(
	NcQuery* query, const Options* options, const Instance* instance, int index, Tally* tally)
{
	NcPathDef def = nc_default_path_def();
	def.start = instance->start;
	def.goal = instance->goal;
	def.radius = options->radius;
	def.route = options->route == ROUTE_MEDIAL ? NC_ROUTE_MEDIAL : NC_ROUTE_SHORTEST;
	NcPathInfo info;
	double start = clock_get_milliseconds();
	nc_query_find_path(query, &def, &info);
	double us = 1e3 * (clock_get_milliseconds() - start);
	write_instance(index, instance, &info, us);
	tally->microseconds += us;
	tally->reachable_count += info.outcome == NC_PATH_FOUND;
	if (info.outcome == NC_PATH_FOUND && instance->optimal > 0.0)
	{
		double ratio = info.length / instance->optimal;
		tally->ratio_sum += ratio;
		tally->max_ratio = nc_max(tally->max_ratio, ratio);
		++tally->ratio_count;
	}
}

static ExitCode run_scenario(const Options* options, const World* world, NcQuery* query)
{
	Scenario scenario = {0};
	Tally tally = {0};
	if (!read_scenario(options->scenario, nc_map_get_bounds(world->map), &scenario))
	{
		free(scenario.instances);
		return EXIT_CODE_BAD;
	}
	for (int i = 0; i < scenario.count; ++i)
	{
		run_instance(query, options, &scenario.instances[i], i, &tally);
	}
	fprintf(stderr,
		"navcorridor: %d of %d instances are reachable; length to that over the grid: mean %.4f,"
		" max %.4f; %.1f us each\n",
		tally.reachable_count, scenario.count,
		tally.ratio_count > 0 ? tally.ratio_sum / tally.ratio_count : 0.0, tally.max_ratio,
		tally.microseconds / scenario.count);
	free(scenario.instances);
	return tally.reachable_count == scenario.count ? EXIT_CODE_YES : EXIT_CODE_NO;
}

ExitCode command_scen(const Options* options)
{
	if (options->route == ROUTE_WEIGHTED)
	{
		fputs("navcorridor: --route weighted is not for scenarios\n", stderr);
		return EXIT_CODE_BAD;
	}
	World world;
	NcQuery* query = NULL;
	ExitCode code = EXIT_CODE_BAD;
	if (world_build(options, &world))
	{
		NcStatus status = nc_query_create(world.map, &query);
		if (status == NC_OK)
		{
			code = run_scenario(options, &world, query);
		}
		else
		{
			fprintf(stderr, "navcorridor: cannot search: %s\n", nc_status_name(status));
		}
	}
	nc_query_destroy(query);
	world_destroy(&world);
	return code;
}
