// SPDX-License-Identifier: MIT

// navcorridor edit: random edits, one update each. In the end the map must be the one that a fresh
// build of the same obstacles in another order gives, and pass the check. The obstacles of a saved
// map stay; those that come are compared with the same ones in the map as it was loaded.

#include "checker.h"
#include "clock.h"
#include "commands.h"
#include "edit.h"
#include "memory.h"
#include "world.h"

#include <inttypes.h>
#include <stdlib.h>

#define CHECKED_POINTS 1000

// Larger maps are only compared with the fresh build.
#define MAX_CHECKED_WALLS 50000

typedef struct Outcome
{
	double* times; // of the edits, in microseconds, sorted
	int edit_count;
	uint64_t hash, fresh_hash;
	CheckReport report;
	bool is_checked;
} Outcome;

static bool complain(const char* what, NcStatus status, const NcError* error)
{
	fprintf(stderr, "navcorridor: %s: %s\n", what,
		error->reason != NULL ? error->reason : nc_status_name(status));
	return false;
}

static int compare_times(const void* a, const void* b)
{
	double s = *(const double*)a;
	double t = *(const double*)b;
	return (s > t) - (s < t);
}

static bool run_edits(EditSet* set, Outcome* outcome)
{
	for (int i = 0; i < outcome->edit_count; ++i)
	{
		NcError error = {0};
		NcStatus status = edit_stage(set, &error);
		status = status == NC_OK ? nc_map_update(set->map, NULL) : status;
		outcome->times[i] = 1e3 * (clock_get_milliseconds() - set->start_ms);
		if (status != NC_OK)
		{
			return complain("an edit failed", status, &error);
		}
	}
	qsort(outcome->times, (size_t)outcome->edit_count, sizeof(double), compare_times);
	return true;
}

static bool build_fresh(const Options* options, World* world, EditSet* set, Outcome* outcome)
{
	NcMap* fresh = world_create_map(options, world);
	if (fresh == NULL)
	{
		return false;
	}
	NcError error = {0};
	NcStatus status = edit_add_all(set, fresh, &error);
	status = status == NC_OK ? nc_map_update(fresh, NULL) : status;
	outcome->hash = nc_map_compute_hash(world->map);
	outcome->fresh_hash = nc_map_compute_hash(fresh);
	nc_map_destroy(fresh);
	return status == NC_OK || complain("the fresh build failed", status, &error);
}

static bool check_result(const World* world, const EditSet* set, Outcome* outcome)
{
	Checker checker;
	bool is_begun = check_begin(set->map, &checker);
	outcome->is_checked = is_begun && checker.walls.count <= MAX_CHECKED_WALLS;
	if (outcome->is_checked)
	{
		NcShape* shapes = edit_get_shapes(set);
		CheckInput input = {
			.shapes = shapes,
			.shape_count = set->present_count,
			.point_count = CHECKED_POINTS,
			.is_saved = world->is_saved,
			.seed = 1,
		};
		check_all(&checker, &input);
		outcome->report = checker.report;
		free(shapes);
	}
	check_end(&checker);
	return is_begun;
}

static void write_hash(JsonWriter* json, const char* key, uint64_t hash)
{
	// A string: numbers of JSON readers have 53 bits.
	char text[32];
	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	json_write_key(json, key);
	json_write_string(json, text);
}

static void write_time(JsonWriter* json, const char* key, const Outcome* outcome, double part)
{
	json_write_key(json, key);
	json_write_number(json, outcome->times[(int)(part * (outcome->edit_count - 1))]);
}

static void write_outcome(const EditSet* set, const Outcome* outcome)
{
	JsonWriter json = json_begin(stdout);
	json_begin_object(&json);
	json_write_key(&json, "edits");
	json_write_integer(&json, outcome->edit_count);
	write_time(&json, "p50_us", outcome, 0.5);
	write_time(&json, "p99_us", outcome, 0.99);
	write_time(&json, "max_us", outcome, 1.0);
	json_write_key(&json, "equal_to_fresh_build");
	json_write_bool(&json, outcome->hash == outcome->fresh_hash);
	write_hash(&json, "hash", outcome->hash);
	write_hash(&json, "fresh_hash", outcome->fresh_hash);
	json_write_key(&json, "obstacles");
	json_write_integer(&json, set->present_count);
	json_write_key(&json, "unresolved");
	json_write_integer(&json, nc_map_get_stats(set->map).unresolved_count);
	if (outcome->is_checked)
	{
		json_write_key(&json, "check");
		check_write_report(&outcome->report, &json);
	}
	json_end_object(&json);
	putchar('\n');
}

static ExitCode edit_world(const Options* options, World* world)
{
	NcShape* shapes = world_get_shapes(world);
	EditSet set;
	edit_begin(world->map, shapes, world->ids, world->scene.shape_count, options->seed, &set);
	Outcome outcome = {
		.times = memory_allocate(options->edit_count, sizeof(double)),
		.edit_count = options->edit_count,
	};
	ExitCode code = EXIT_CODE_BAD;
	if (run_edits(&set, &outcome) && build_fresh(options, world, &set, &outcome) &&
		check_result(world, &set, &outcome))
	{
		write_outcome(&set, &outcome);
		bool is_good = outcome.hash == outcome.fresh_hash && outcome.report.failure_count == 0;
		code = is_good ? EXIT_CODE_YES : EXIT_CODE_NO;
	}
	free(outcome.times);
	free(shapes);
	edit_end(&set);
	return code;
}

ExitCode command_edit(const Options* options)
{
	World world;
	ExitCode code = world_build(options, &world) ? edit_world(options, &world) : EXIT_CODE_BAD;
	world_destroy(&world);
	return code;
}
