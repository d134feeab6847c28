// SPDX-License-Identifier: MIT

// navcorridor steer: an agent walks along a route, with one method or with all of them.

#include "commands.h"
#include "json.h"
#include "memory.h"
#include "picture.h"
#include "scene_file.h"
#include "walk.h"

#include <stdlib.h>

#define MAX_STEPS 1000000

static const char* const method_colors[METHOD_COUNT] = {
	"#d1495b", "#2a7f9e", "#8a4fbf", "#1f8a4c", "#d68910"};

// The route to follow. Owns its points.
typedef struct Guide
{
	NcVec2* points;
	int count;
	NcSteerRoute* route;
} Guide;

// Search a route: over terrain if there is some; along the medial axis for the original method, and
// to compare all of them.
static bool search_guide(
	const Options* options, const Ground* ground, NcQuery* query, const NcMap* map, Guide* guide)
{
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	bool is_compared = (options->given & OPTION_COMPARE) != 0;
	bool is_medial = is_compared ? options->terrain == NULL : options->method == METHOD_CMM;
	def.start = options->from;
	def.goal = options->to;
	def.radius = nc_steer_get_route_radius(map, options->radius);
	def.route = is_medial ? NC_ROUTE_MEDIAL : NC_ROUTE_WEIGHTED;
	def.terrain = ground->terrain;
	def.profile = &ground->profile;
	if (!nc_query_find_path(query, &def, &info))
	{
		fprintf(stderr, "navcorridor: no path: %s\n", nc_path_outcome_name(info.outcome));
		return false;
	}
	guide->points = memory_allocate(info.point_count, sizeof(NcVec2));
	guide->count = nc_query_get_path_points(query, guide->points, info.point_count);
	return true;
}

static bool make_guide(
	const Options* options, const Ground* ground, NcQuery* query, const NcMap* map, Guide* guide)
{
	bool is_found = options->route_file != NULL
						? scene_read_line(options->route_file, &guide->points, &guide->count)
						: search_guide(options, ground, query, map, guide);
	NcError error = {0};
	if (is_found && nc_steer_route_create(query, guide->points, guide->count, options->radius,
						&guide->route, &error) != NC_OK)
	{
		fprintf(stderr, "navcorridor: the route, item %d: %s\n", error.item, error.reason);
		return false;
	}
	return is_found;
}

static void write_number(JsonWriter* json, const char* key, double value)
{
	json_write_key(json, key);
	json_write_number(json, value);
}

static void write_metrics(JsonWriter* json, const Ground* ground, const Walk* walk)
{
	const NcPathMetrics* metrics = &walk->metrics;
	write_number(json, "time", metrics->time);
	write_number(json, "length", metrics->length);
	write_number(json, "skipped_length", walk->skipped_length);
	write_number(json, "mean_curvature", metrics->mean_curvature);
	write_number(json, "min_clearance", metrics->min_clearance);
	write_number(json, "mean_clearance", metrics->mean_clearance);
	write_number(json, "mean_acceleration", metrics->mean_acceleration);
	write_number(json, "max_acceleration", metrics->max_acceleration);
	write_number(json, "mean_jerk", metrics->mean_jerk);
	json_write_key(json, "terrain_times");
	json_begin_object(json);
	for (int i = 0; i < ground->type_count; ++i)
	{
		write_number(json, ground->names[i], metrics->times[i]);
	}
	json_end_object(json);
}

static void write_walk(const WalkDef* def, const Ground* ground, const Walk* walk)
{
	JsonWriter json = json_begin(stdout);
	json_begin_object(&json);
	json_write_key(&json, "method");
	json_write_string(&json, method_names[def->method]);
	json_write_key(&json, "arrived");
	json_write_bool(&json, walk->outcome == NC_STEER_ARRIVED);
	json_write_key(&json, "outcome");
	json_write_string(&json, nc_steer_outcome_name(walk->outcome));
	write_metrics(&json, ground, walk);
	json_write_key(&json, "trajectory");
	json_begin_array(&json);
	for (int i = 0; i < walk->point_count; ++i)
	{
		json_write_pair(&json, walk->points[i].x, walk->points[i].y);
	}
	json_end_array(&json);
	json_end_object(&json);
	putchar('\n');
}

static void draw_line(
	Svg* svg, const char* color, const char* style, const NcVec2* points, int count)
{
	char attributes[160];
	snprintf(attributes, sizeof(attributes),
		"fill=\"none\" stroke=\"%s\" stroke-linejoin=\"round\" stroke-linecap=\"round\" %s", color,
		style);
	svg_begin_path(svg, attributes);
	svg_add_polyline(svg, points, count);
	svg_end_path(svg);
}

static bool draw_walks(const Options* options, const World* world, const Ground* ground,
	const Guide* guide, const Walk* walks)
{
	Svg svg;
	if (!svg_open(options->svg, nc_map_get_bounds(world->map), &svg))
	{
		return false;
	}
	picture_draw_areas(&svg, &world->scene, ground);
	picture_draw_walls(&svg, world->map);
	draw_line(&svg, "#222222", "stroke-width=\"2\" stroke-dasharray=\"3 7\"", guide->points,
		guide->count);
	int line = 0;
	for (int i = 0; i < METHOD_COUNT; ++i)
	{
		if (walks[i].point_count > 1)
		{
			draw_line(&svg, "#ffffff", "stroke-width=\"5\"", walks[i].points, walks[i].point_count);
			draw_line(&svg, method_colors[i], "stroke-width=\"2.6\"", walks[i].points,
				walks[i].point_count);
			svg_draw_legend(&svg, line++, method_colors[i], method_names[i]);
		}
	}
	svg_draw_legend(&svg, line, "#222222", "route (dotted)");
	svg_draw_disc(&svg, guide->points[0], options->radius, 0.0,
		"fill=\"#2a9d57\" fill-opacity=\"0.5\" stroke=\"#2a9d57\"");
	svg_draw_disc(&svg, guide->points[guide->count - 1], options->radius, 0.0,
		"fill=\"#a3156f\" fill-opacity=\"0.5\" stroke=\"#a3156f\"");
	return svg_close(&svg);
}

static WalkDef make_def(const Options* options, const Ground* ground)
{
	WalkDef def = {.method = options->method,
		.steer = nc_default_steer_def(),
		.radius = options->radius,
		.speed = options->speed,
		.dt = options->dt,
		.max_steps = MAX_STEPS};
	def.steer.sigma = options->sigma;
	def.steer.d = options->d;
	def.steer.terrain = ground->terrain;
	def.steer.profile = &ground->profile;
	return def;
}

static ExitCode walk_all(
	const Options* options, const World* world, const Ground* ground, NcQuery* query)
{
	WalkDef def = make_def(options, ground);
	NcError error = {0};
	if (nc_steer_check(&def.steer, &error) != NC_OK)
	{
		fprintf(stderr, "navcorridor: steer: %s\n", error.reason);
		return EXIT_CODE_BAD;
	}
	Guide guide = {0};
	Walk walks[METHOD_COUNT] = {0};
	ExitCode code = EXIT_CODE_BAD;
	if (make_guide(options, ground, query, world->map, &guide))
	{
		code = EXIT_CODE_YES;
		bool is_compared = (options->given & OPTION_COMPARE) != 0;
		for (int i = 0; i < METHOD_COUNT; ++i)
		{
			if (is_compared || i == (int)options->method)
			{
				def.method = (MethodChoice)i;
				walk_run(query, guide.route, &def, &walks[i]);
				write_walk(&def, ground, &walks[i]);
				code = walks[i].outcome == NC_STEER_ARRIVED ? code : EXIT_CODE_NO;
			}
		}
		if (options->svg != NULL && !draw_walks(options, world, ground, &guide, walks))
		{
			code = EXIT_CODE_BAD;
		}
	}
	for (int i = 0; i < METHOD_COUNT; ++i)
	{
		walk_destroy(&walks[i]);
	}
	nc_steer_route_destroy(guide.route);
	free(guide.points);
	return code;
}

ExitCode command_steer(const Options* options)
{
	uint32_t ends = OPTION_FROM | OPTION_TO;
	if (options->route_file == NULL && (options->given & ends) != ends)
	{
		fputs("navcorridor: give --from and --to, or --route; see --help\n", stderr);
		return EXIT_CODE_BAD;
	}
	World world = {0};
	Ground ground;
	NcQuery* query = NULL;
	ExitCode code = EXIT_CODE_BAD;
	if (ground_read(options, &ground) && world_build(options, &world) &&
		nc_query_create(world.map, &query) == NC_OK)
	{
		code = walk_all(options, &world, &ground, query);
	}
	nc_query_destroy(query);
	world_destroy(&world);
	ground_destroy(&ground);
	return code;
}
