// SPDX-License-Identifier: MIT

// Steering: the tables of the papers, repeated with our scenes, and what a step costs.
//
//   tools/bench steer [--json]

#include "characters.h"
#include "clock.h"
#include "random.h"
#include "scenes.h"
#include "walk.h"

#include "ground.h"
#include "scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 8192

// What everything is measured on.
typedef struct Place
{
	NcMap* map;
	NcQuery* query;
	Ground ground;
} Place;

static bool is_json;

static void fail(const char* what)
{
	fprintf(stderr, "bench_steer: %s\n", what);
	exit(2);
}

static void open_place(
	Place* place, const char* scene_file, NcBox bounds, const char* terrain, const char* profile)
{
	Scene scene = {0};
	TextError text_error;
	NcMapDef def = nc_default_map_def();
	def.bounds = bounds;
	*place = (Place){0};
	if (!scene_read_file(scene_file, &scene, &text_error) ||
		nc_map_create(&def, &place->map, NULL) != NC_OK)
	{
		fail(scene_file);
	}
	for (int i = 0; i < scene.shape_count; ++i)
	{
		NcShape shape = scene_get_shape(&scene, i);
		NcObstacleId id;
		nc_map_add_obstacle(place->map, &shape, &id, NULL);
	}
	Options options = {.terrain = terrain, .profile = profile};
	if (nc_map_update(place->map, NULL) != NC_OK || !ground_read(&options, &place->ground) ||
		nc_query_create(place->map, &place->query) != NC_OK)
	{
		fail("cannot build the scene");
	}
	scene_destroy(&scene);
}

static void close_place(Place* place)
{
	nc_query_destroy(place->query);
	ground_destroy(&place->ground);
	nc_map_destroy(place->map);
}

static NcSteerRoute* search_route(
	const Place* place, NcRouteKind kind, NcVec2 start, NcVec2 goal, double radius)
{
	static NcVec2 points[MAX_POINTS];
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	def.route = kind;
	def.start = start;
	def.goal = goal;
	def.radius = nc_steer_get_route_radius(place->map, radius);
	def.terrain = place->ground.terrain;
	def.profile = &place->ground.profile;
	NcSteerRoute* route = NULL;
	if (nc_query_find_path(place->query, &def, &info))
	{
		int count = nc_query_get_path_points(place->query, points, MAX_POINTS);
		nc_steer_route_create(place->query, points, count, radius, &route, NULL);
	}
	return route;
}

static NcSteerRoute* read_route(const Place* place, const char* file, double radius)
{
	Scene scene = {0};
	TextError text_error;
	NcError error = {0};
	NcSteerRoute* route = NULL;
	if (!scene_read_file(file, &scene, &text_error))
	{
		fail(file);
	}
	NcShape shape = scene_get_shape(&scene, 0);
	if (nc_steer_route_create(
			place->query, shape.points, shape.point_count, radius, &route, &error) != NC_OK)
	{
		fprintf(stderr, "bench_steer: %s: segment %d: %s\n", file, error.item, error.reason);
		exit(2);
	}
	scene_destroy(&scene);
	return route;
}

static WalkDef make_walk(MethodChoice method, double radius, double speed)
{
	return (WalkDef){.method = method,
		.steer = nc_default_steer_def(),
		.radius = radius,
		.speed = speed,
		.dt = 0.05,
		.max_steps = 100000};
}

// Table 1 of the 2008 paper: static characters in the way.

static void print_static_characters(const Place* place)
{
	static const char* const names[CHARACTERS_ROW_COUNT] = {
		"original CMM", "improved CMM", "improved, c_side 0"};
	static const int counts[] = {10, 20, 40, 60};
	CharactersSum sums[CHARACTERS_ROW_COUNT];
	characters_run(place->query, 40, 2008, sums);
	printf("\n2008 paper, table 1: mckenna with 40 static characters, r 0.75, r_i 1, means of %d "
		   "queries\n\n  %-26s%12s%14s%10s\n",
		CHARACTERS_QUERY_COUNT, "", "length", "curvature", "arrived");
	for (int row = 0; row < CHARACTERS_ROW_COUNT; ++row)
	{
		printf("  %-26s%12.2f%14.4f%10d\n", names[row], sums[row].length, sums[row].curvature,
			sums[row].arrived);
	}
	printf("  %-26s%12.4f%14.4f   paper: %.4f, %.4f\n", "improved by original",
		sums[1].length / sums[0].length, sums[1].curvature / sums[0].curvature, 150.61 / 155.12,
		0.13 / 0.27);
	printf("\n  improved by original with other characters: length, curvature\n\n  characters");
	for (int i = 0; i < 16; ++i)
	{
		int count = counts[i / 4];
		characters_run(place->query, count, (uint64_t)(2008 + i % 4), sums);
		if (i % 4 == 0)
		{
			printf("\n  %-10d", count);
		}
		printf(
			"   %.3f %.2f", sums[1].length / sums[0].length, sums[1].curvature / sums[0].curvature);
	}
	printf("\n");
}

// MIRAN's section 5.

// The best of some runs, in milliseconds, without measuring the path afterwards.
static double time_walk(const Place* place, const NcSteerRoute* route, const WalkDef* def)
{
	double best = HUGE_VAL;
	for (int i = 0; i < 5; ++i)
	{
		NcAgent agent = nc_steer_make_agent(route, def->radius, def->speed);
		NcSteerStepFn* step = method_get_step(def->method);
		double begin = clock_get_milliseconds();
		for (int k = 0; k < def->max_steps && !agent.has_arrived; ++k)
		{
			step(place->query, route, &def->steer, NULL, 0, def->dt, &agent);
		}
		best = nc_min(best, clock_get_milliseconds() - begin);
	}
	return best;
}

static void print_row(const char* scene, const char* method, const NcSteerDef* steer,
	const Walk* walk, double milliseconds, double paper)
{
	if (is_json)
	{
		printf("{\"bench\":\"steer\",\"scene\":\"%s %s sigma %g\",\"ours\":%.5f,\"peer\":\"paper, "
			   "2013\",\"peer_time\":%.2f,\"unit\":\"ms\",\"ratio\":%.1f}\n",
			scene, method, steer->sigma, milliseconds, paper, paper / milliseconds);
		return;
	}
	printf("  %-16s%-8s%7g%5g%9.1f%9.1f%7d%10.3f%9.2f%8.0f\n", scene, method, steer->sigma,
		steer->d, walk->metrics.length, walk->skipped_length, walk->point_count - 1, milliseconds,
		paper, paper / milliseconds);
}

// Walk a route and print what came out. The paper's characters take steps of about a pixel, that is
// a unit: ours walk at 10 units a second in steps of 0.1 s.
static void run_row(const Place* place, const NcSteerRoute* route, const char* scene,
	MethodChoice method, double sigma, double d, double paper)
{
	WalkDef def = make_walk(method, 0.75, 10.0);
	def.dt = 0.1;
	def.steer.sigma = sigma;
	def.steer.d = d;
	if (place->ground.region_count > 0)
	{
		def.steer.terrain = place->ground.terrain;
		def.steer.profile = &place->ground.profile;
	}
	Walk walk;
	walk_run(place->query, route, &def, &walk);
	print_row(scene, method_names[method], &def.steer, &walk, time_walk(place, route, &def), paper);
	walk_destroy(&walk);
}

static void print_terrain_times(const Place* place, const NcSteerRoute* route, const char* scene,
	MethodChoice method, double sigma, double d)
{
	WalkDef def = make_walk(method, 0.75, 1.4);
	def.steer.sigma = sigma;
	def.steer.d = d;
	def.steer.terrain = place->ground.terrain;
	def.steer.profile = &place->ground.profile;
	Walk walk;
	walk_run(place->query, route, &def, &walk);
	printf("  %-16s%-8s", scene, method_names[method]);
	for (int i = 0; i < place->ground.type_count; ++i)
	{
		printf("  %s %.1f", place->ground.names[i], walk.metrics.times[i]);
	}
	printf("  (%s)\n", nc_steer_outcome_name(walk.outcome));
	walk_destroy(&walk);
}

static void print_miran(
	const Place* mckenna, const Place* road, const Place* adult, const Place* child)
{
	static const double sigmas[] = {100, 250, 300, 400, 1250};
	static const double papers[] = {7.13, 16.50, 16.04, 20.90, 63.33};
	if (!is_json)
	{
		printf("\nMIRAN, section 5 and table 1: a whole path, in milliseconds\n\n  "
			   "%-16s%-8s%7s%5s%9s%9s%7s"
			   "%10s%9s%8s\n",
			"scene", "method", "sigma", "d", "length", "skipped", "steps", "ours", "paper",
			"ratio");
	}
	NcSteerRoute* loop = read_route(mckenna, "tests/data/mckenna_loop.wkt", 0.75);
	for (int i = 0; i < 5; ++i)
	{
		run_row(mckenna, loop, "mckenna", METHOD_MIRAN, sigmas[i], 20.0, papers[i]);
	}
	NcSteerRoute* walkway = read_route(road, "tests/data/mckenna_road_route.wkt", 0.75);
	run_row(road, walkway, "mckenna+road", METHOD_MIRAN, 40.0, 10.0, 4.66);
	run_row(road, walkway, "mckenna+road", METHOD_IRM, 40.0, 10.0, 4.48);
	NcVec2 start = {12.0, 100.0}, goal = {288.0, 100.0};
	NcSteerRoute* adults = search_route(adult, NC_ROUTE_WEIGHTED, start, goal, 0.75);
	NcSteerRoute* childs = search_route(child, NC_ROUTE_WEIGHTED, start, goal, 0.75);
	run_row(adult, adults, "forest adult", METHOD_MIRAN, 80.0, 20.0, 8.00);
	run_row(child, childs, "forest child", METHOD_MIRAN, 100.0, 20.0, 10.52);
	if (!is_json)
	{
		printf("\nSeconds on each terrain, at 1.4 units a second\n\n");
		print_terrain_times(road, walkway, "mckenna+road", METHOD_MIRAN, 40.0, 10.0);
		print_terrain_times(road, walkway, "mckenna+road", METHOD_IRM, 40.0, 10.0);
		print_terrain_times(adult, adults, "forest adult", METHOD_MIRAN, 80.0, 20.0);
		print_terrain_times(child, childs, "forest child", METHOD_MIRAN, 100.0, 20.0);
	}
	nc_steer_route_destroy(loop);
	nc_steer_route_destroy(walkway);
	nc_steer_route_destroy(adults);
	nc_steer_route_destroy(childs);
}

// Speed.

static NcVec2 find_place(const Place* place, Random* random, double clearance)
{
	for (;;)
	{
		NcVec2 p = {random_get_double(random, 2.0, 198.0), random_get_double(random, 2.0, 198.0)};
		if (nc_query_get_clearance(place->query, p) >= clearance)
		{
			return p;
		}
	}
}

static double time_clearance(const Place* place)
{
	Random random = random_begin(5);
	static NcVec2 points[4096];
	for (int i = 0; i < 4096; ++i)
	{
		points[i] = find_place(place, &random, 0.0);
	}
	double sum = 0.0;
	double best = HUGE_VAL;
	for (int round = 0; round < 20; ++round)
	{
		double begin = clock_get_milliseconds();
		for (int i = 0; i < 4096; ++i)
		{
			sum += nc_query_get_clearance(place->query, points[i]);
		}
		best = nc_min(best, clock_get_milliseconds() - begin);
	}
	return sum > 0.0 ? best * 1e6 / 4096.0 : 0.0;
}

// Agents all along a route, in steps of 0.05 s; those that arrive begin again.
static double time_steps(
	const Place* place, const NcSteerRoute* route, MethodChoice method, int agent_count)
{
	WalkDef def = make_walk(method, 0.75, 1.4);
	def.steer.terrain = place->ground.terrain;
	def.steer.profile = &place->ground.profile;
	NcAgent* agents = malloc(sizeof(NcAgent) * (size_t)agent_count);
	NcSteerStepFn* step = method_get_step(method);
	for (int i = 0; i < agent_count; ++i)
	{
		agents[i] = nc_steer_make_agent(route, def.radius, def.speed);
		agents[i].reference = agents[i].attraction =
			nc_steer_route_get_length(route) * i / agent_count;
		agents[i].position = nc_steer_route_get_point(route, agents[i].reference);
	}
	int rounds = 200000 / agent_count;
	rounds = rounds > 3000 ? 3000 : rounds;
	double begin = clock_get_milliseconds();
	for (int k = 0; k < rounds; ++k)
	{
		for (int i = 0; i < agent_count; ++i)
		{
			if (step(place->query, route, &def.steer, NULL, 0, 0.05, &agents[i]) ==
				NC_STEER_ARRIVED)
			{
				agents[i] = nc_steer_make_agent(route, def.radius, def.speed);
			}
		}
	}
	double nanoseconds = (clock_get_milliseconds() - begin) * 1e6 / rounds / agent_count;
	free(agents);
	return nanoseconds;
}

static void print_speed(const Place* road)
{
	static const int counts[] = {1, 1000, 10000};
	NcSteerRoute* route = read_route(road, "tests/data/mckenna_road_route.wkt", 0.75);
	double clearance = time_clearance(road);
	if (!is_json)
	{
		printf("\nNanoseconds per agent-step on mckenna+road; one clearance query takes %.0f "
			   "ns\n\n  %-10s"
			   "%10s%10s%10s%22s\n",
			clearance, "method", "1", "1,000", "10,000", "clearance queries");
	}
	for (int m = 0; m < METHOD_COUNT; ++m)
	{
		double times[3];
		for (int i = 0; i < 3; ++i)
		{
			times[i] = time_steps(road, route, (MethodChoice)m, counts[i]);
			if (is_json)
			{
				printf(
					"{\"bench\":\"steer\",\"scene\":\"mckenna+road %s, %d agents\",\"ours\":%.1f,"
					"\"peer\":\"clearance "
					"query\",\"peer_time\":%.1f,\"unit\":\"ns\",\"ratio\":%.4f}\n",
					method_names[m], counts[i], times[i], clearance, clearance / times[i]);
			}
		}
		if (!is_json)
		{
			printf("  %-10s%10.0f%10.0f%10.0f%22.1f\n", method_names[m], times[0], times[1],
				times[2], times[1] / clearance);
		}
	}
	nc_steer_route_destroy(route);
}

int main(int argc, char** argv)
{
	is_json = argc > 1 && strcmp(argv[1], "--json") == 0;
	const char* pedestrian = "sidewalk=0.5,road=4,mud=40";
	NcBox bounds = {{0.0, 0.0}, {200.0, 200.0}};
	NcBox forest = {{0.0, 0.0}, {300.0, 200.0}};
	Place mckenna, road, adult, child;
	open_place(&mckenna, "tests/data/mckenna.wkt", bounds, NULL, NULL);
	open_place(
		&road, "tests/data/mckenna.wkt", bounds, "tests/data/mckenna_road.terrain", pedestrian);
	open_place(&adult, "tests/data/forest.wkt", forest, "tests/data/forest.terrain",
		"ground=30,path=2,puddle=10,log=30,view=1");
	open_place(&child, "tests/data/forest.wkt", forest, "tests/data/forest.terrain",
		"ground=30,path=2,puddle=1,log=1,view=10");
	if (!is_json)
	{
		print_static_characters(&mckenna);
	}
	print_miran(&mckenna, &road, &adult, &child);
	print_speed(&road);
	close_place(&mckenna);
	close_place(&road);
	close_place(&adult);
	close_place(&child);
	return 0;
}
