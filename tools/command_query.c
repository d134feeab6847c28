// SPDX-License-Identifier: MIT

// navcorridor query: a path for a disc from one point to another.

#include "commands.h"
#include "json.h"
#include "memory.h"
#include "picture.h"
#include "scene_file.h"

#include <stdlib.h>

// What was found. Owns its arrays.
typedef struct Answer
{
	NcPathInfo info;
	NcVec2* points;
	NcMapEvent* corridor;
} Answer;

static const char* get_outcome_word(NcPathOutcome outcome)
{
	switch (outcome)
	{
	case NC_PATH_FOUND:
		return "found";
	case NC_PATH_NONE:
		return "none";
	case NC_PATH_START_BLOCKED:
		return "start_blocked";
	case NC_PATH_GOAL_BLOCKED:
		return "goal_blocked";
	case NC_PATH_OUT_OF_MEMORY:
		return "out_of_memory";
	case NC_PATH_PARTIAL:
		return "partial";
	}
	return "unknown";
}

static NcRouteKind get_route_kind(RouteChoice choice)
{
	static const NcRouteKind kinds[] = {
		[ROUTE_SHORTEST] = NC_ROUTE_SHORTEST,
		[ROUTE_MEDIAL] = NC_ROUTE_MEDIAL,
		[ROUTE_WEIGHTED] = NC_ROUTE_WEIGHTED,
		[ROUTE_LEFT] = NC_ROUTE_SIDE,
		[ROUTE_RIGHT] = NC_ROUTE_SIDE,
		[ROUTE_CENTRE] = NC_ROUTE_SIDE,
		[ROUTE_CONTROL] = NC_ROUTE_CONTROL,
	};
	return kinds[choice];
}

static const char* get_route_word(RouteChoice choice)
{
	static const char* const words[] = {
		[ROUTE_SHORTEST] = "shortest",
		[ROUTE_MEDIAL] = "medial",
		[ROUTE_WEIGHTED] = "weighted",
		[ROUTE_LEFT] = "left",
		[ROUTE_RIGHT] = "right",
		[ROUTE_CENTRE] = "centre",
		[ROUTE_CONTROL] = "control",
	};
	return words[choice];
}

// The drawing that the route follows.
typedef struct Drawing
{
	NcVec2* points;
	int count;
} Drawing;

static void find_path(
	NcQuery* query, const Options* options, const Ground* ground, Drawing drawing, Answer* answer)
{
	NcPathDef def = nc_default_path_def();
	def.start = options->from;
	def.goal = options->to;
	def.radius = options->radius;
	def.route = get_route_kind(options->route);
	def.side = options->route == ROUTE_LEFT ? 1.0 : options->route == ROUTE_RIGHT ? -1.0 : 0.0;
	def.terrain = ground->terrain;
	def.profile = &ground->profile;
	def.control = drawing.points;
	def.control_count = drawing.count;
	NcPathInfo info;
	nc_query_find_path(query, &def, &info);

	*answer = (Answer){
		.info = info,
		.points = memory_allocate(info.point_count, sizeof(NcVec2)),
		.corridor = memory_allocate(info.event_count, sizeof(NcMapEvent)),
	};
	if (info.outcome == NC_PATH_FOUND)
	{
		nc_query_get_path_points(query, answer->points, info.point_count);
		nc_query_get_corridor(query, answer->corridor, info.event_count);
	}
}

static void destroy_answer(Answer* answer)
{
	free(answer->points);
	free(answer->corridor);
}

// Say why the disc does not fit at a point.
static void explain_blocked(
	NcQuery* query, NcBox bounds, const char* which, NcVec2 point, double radius)
{
	NcLocation location;
	fprintf(stderr, "navcorridor: the %s %.9g,%.9g ", which, point.x, point.y);
	if (!nc_box_contains(bounds, point))
	{
		fprintf(stderr, "is outside of the world %.9g,%.9g,%.9g,%.9g\n", bounds.lower.x,
			bounds.lower.y, bounds.upper.x, bounds.upper.y);
	}
	else if (!nc_query_locate(query, point, &location) || !(location.clearance > 0.0))
	{
		fputs("is inside an obstacle or a wall\n", stderr);
	}
	else
	{
		fprintf(stderr, "has a clearance of %.9g: too little for the radius %.9g\n",
			location.clearance, radius);
	}
}

static void explain(
	NcQuery* query, const World* world, const Options* options, NcPathOutcome outcome)
{
	NcBox bounds = nc_map_get_bounds(world->map);
	switch (outcome)
	{
	case NC_PATH_FOUND:
		break;
	case NC_PATH_START_BLOCKED:
		explain_blocked(query, bounds, "start", options->from, options->radius);
		break;
	case NC_PATH_GOAL_BLOCKED:
		explain_blocked(query, bounds, "goal", options->to, options->radius);
		break;
	case NC_PATH_NONE:
	case NC_PATH_OUT_OF_MEMORY:
	case NC_PATH_PARTIAL:
		fprintf(stderr, "navcorridor: no path: %s\n", nc_path_outcome_name(outcome));
		break;
	}
}

static void write_answer(const Options* options, const Answer* answer)
{
	JsonWriter json = json_begin(stdout);
	json_begin_object(&json);
	json_write_key(&json, "reachable");
	json_write_bool(&json, answer->info.outcome == NC_PATH_FOUND);
	json_write_key(&json, "outcome");
	json_write_string(&json, get_outcome_word(answer->info.outcome));
	json_write_key(&json, "route");
	json_write_string(&json, get_route_word(options->route));
	json_write_key(&json, "radius");
	json_write_number(&json, options->radius);
	json_write_key(&json, "length");
	json_write_number(&json, answer->info.length);
	if (options->route == ROUTE_WEIGHTED)
	{
		json_write_key(&json, "cost");
		json_write_number(&json, answer->info.cost);
	}
	json_write_key(&json, "min_clearance");
	json_write_number(&json, answer->info.min_clearance);
	json_write_key(&json, "visited");
	json_write_integer(&json, answer->info.visited_count);
	json_write_key(&json, "points");
	json_begin_array(&json);
	for (int i = 0; i < answer->info.point_count; ++i)
	{
		json_write_pair(&json, answer->points[i].x, answer->points[i].y);
	}
	json_end_array(&json);
	json_end_object(&json);
	putchar('\n');
}

static bool draw_answer(
	const Options* options, const World* world, const Ground* ground, const Answer* answer)
{
	PicturePath path = {
		.start = options->from,
		.goal = options->to,
		.radius = options->radius,
		.points = answer->points,
		.point_count = answer->info.point_count,
		.corridor = answer->corridor,
		.corridor_count = answer->info.event_count,
		.ground = ground,
	};
	return picture_write(options->svg, world, &path);
}

static ExitCode answer_query(
	const Options* options, const World* world, const Ground* ground, NcQuery* query)
{
	Answer answer;
	Drawing drawing = {0};
	if (options->control_file != NULL &&
		!scene_read_line(options->control_file, &drawing.points, &drawing.count))
	{
		return EXIT_CODE_BAD;
	}
	find_path(query, options, ground, drawing, &answer);
	free(drawing.points);
	explain(query, world, options, answer.info.outcome);
	ExitCode code = answer.info.outcome == NC_PATH_FOUND ? EXIT_CODE_YES : EXIT_CODE_NO;
	if (answer.info.outcome == NC_PATH_OUT_OF_MEMORY)
	{
		code = EXIT_CODE_BAD;
	}
	else if (options->svg != NULL && !draw_answer(options, world, ground, &answer))
	{
		code = EXIT_CODE_BAD;
	}
	else
	{
		write_answer(options, &answer);
	}
	destroy_answer(&answer);
	return code;
}

ExitCode command_query(const Options* options)
{
	World world = {0};
	Ground ground;
	NcQuery* query = NULL;
	ExitCode code = EXIT_CODE_BAD;
	if (ground_read(options, &ground) && world_build(options, &world))
	{
		NcStatus status = nc_query_create(world.map, &query);
		if (status == NC_OK)
		{
			code = answer_query(options, &world, &ground, query);
		}
		else
		{
			fprintf(stderr, "navcorridor: cannot search: %s\n", nc_status_name(status));
		}
	}
	nc_query_destroy(query);
	world_destroy(&world);
	ground_destroy(&ground);
	return code;
}
