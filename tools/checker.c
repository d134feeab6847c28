// SPDX-License-Identifier: MIT

// A check as a whole: its beginning and end, what it noted, and how that is written.

#include "checker.h"

#include <stdarg.h>

// Searches of a nearest wall are repeated among all walls, to check the checker's grid: all of them
// for few walls, a share for many, until so many walls were looked at.
#define MAX_SCANNED_WALLS 2e8
#define WALLS_PER_SHARE 500

bool check_begin(const NcMap* map, Checker* checker)
{
	*checker = (Checker){.map = map, .snap = nc_map_get_snap(map)};
	checker->tolerance = CHECK_TOLERANCE * checker->snap;
	check_walls_create(map, &checker->walls);
	NcStatus status = nc_query_create(map, &checker->query);
	if (status != NC_OK)
	{
		fprintf(stderr, "navcorridor: cannot check: %s\n", nc_status_name(status));
	}
	return status == NC_OK;
}

void check_end(Checker* checker)
{
	nc_query_destroy(checker->query);
	check_walls_destroy(&checker->walls);
}

void check_fail(Checker* checker, NcVec2 place, const char* format, ...)
{
	CheckReport* report = &checker->report;
	if (report->failure_count < CHECK_MAX_FAILURES)
	{
		CheckFailure* failure = &report->failures[report->failure_count];
		failure->place = place;
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(failure->reason, sizeof(failure->reason), format, arguments);
		va_end(arguments);
	}
	++report->failure_count;
}

bool check_value(Checker* checker, NcVec2 place, const char* what, double value, double expected)
{
	double error = fabs(value - expected);
	if (error <= checker->tolerance)
	{
		checker->report.worst_error = nc_max(checker->report.worst_error, error / checker->snap);
		return true;
	}
	check_fail(checker, place, "%s is %.12g, not %.12g", what, value, expected);
	return false;
}

static bool is_scan_due(const Checker* checker)
{
	const CheckReport* report = &checker->report;
	return report->search_count % (1 + checker->walls.count / WALLS_PER_SHARE) == 0 &&
		   (double)report->full_scan_count * checker->walls.count < MAX_SCANNED_WALLS;
}

bool check_clearance(Checker* checker, NcVec2 place, const char* what, double clearance)
{
	double distance = check_walls_find_nearest(&checker->walls, place, NC_NULL_INDEX, NULL);
	if (is_scan_due(checker))
	{
		++checker->report.full_scan_count;
		double scanned = check_walls_scan_nearest(&checker->walls, place, NC_NULL_INDEX, NULL);
		if (scanned != distance)
		{
			check_fail(checker, place,
				"the checker itself is wrong: it finds a wall %.12g away, but one is %.12g away",
				distance, scanned);
		}
	}
	++checker->report.search_count;
	return check_value(checker, place, what, clearance, distance);
}

void check_all(Checker* checker, const CheckInput* input)
{
	NcMapStats stats = nc_map_get_stats(checker->map);
	if (stats.unresolved_count != 0)
	{
		check_fail(checker, nc_map_get_bounds(checker->map).lower,
			"%d borders of cells are not seen from both sides", stats.unresolved_count);
	}
	check_graph(checker);
	check_edges(checker);
	check_cells(checker);
	check_points(checker, input);
}

static void write_count(JsonWriter* json, const char* key, int count)
{
	json_write_key(json, key);
	json_write_integer(json, count);
}

static void write_failures(const CheckReport* report, JsonWriter* json)
{
	json_begin_array(json);
	for (int i = 0; i < report->failure_count && i < CHECK_MAX_FAILURES; ++i)
	{
		json_begin_object(json);
		json_write_key(json, "place");
		json_write_pair(json, report->failures[i].place.x, report->failures[i].place.y);
		json_write_key(json, "reason");
		json_write_string(json, report->failures[i].reason);
		json_end_object(json);
	}
	json_end_array(json);
}

void check_write_report(const CheckReport* report, JsonWriter* json)
{
	json_begin_object(json);
	json_write_key(json, "ok");
	json_write_bool(json, report->failure_count == 0);
	json_write_key(json, "checked");
	json_begin_object(json);
	write_count(json, "vertices", report->vertex_count);
	write_count(json, "edges", report->edge_count);
	write_count(json, "arcs", report->arc_count);
	write_count(json, "samples", report->sample_count);
	write_count(json, "faces", report->face_count);
	write_count(json, "sides", report->side_count);
	write_count(json, "corners", report->corner_count);
	write_count(json, "points", report->point_count);
	write_count(json, "nearest_walls", report->search_count);
	write_count(json, "full_scans", report->full_scan_count);
	json_end_object(json);
	json_write_key(json, "free_area");
	json_write_number(json, report->free_area);
	json_write_key(json, "worst_error_snaps");
	json_write_number(json, report->worst_error);
	write_count(json, "failure_count", report->failure_count);
	json_write_key(json, "failures");
	write_failures(report, json);
	json_end_object(json);
}
