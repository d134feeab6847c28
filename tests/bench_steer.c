// SPDX-License-Identifier: MIT

// Steering: the tables of the papers, repeated with our scenes, and what a step costs.
//
//   tools/bench steer [--json]

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
#define QUERY_COUNT 30
#define CHARACTER_COUNT 90

// What everything is measured on.
typedef struct Place
{
	NcMap* map;
	NcQuery* query;
	Ground ground;
	NcTerrainProfile profile;
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

static void place_characters(const Place* place, Random* random, NcNeighbor* characters)
{
	for (int i = 0; i < CHARACTER_COUNT;)
	{
		// In the middle of the passages, where people stand in the way.
		NcLocation location;
		NcVec2 p = find_place(place, random, 0.5);
		bool is_apart = nc_query_locate(place->query, p, &location);
		p = nc_mul_add(location.retraction, random_get_double(random, 0.0, 1.0),
			nc_direction(random_get_double(random, 0.0, 6.28)));
		is_apart = is_apart && nc_query_get_clearance(place->query, p) > 3.5;
		for (int k = 0; k < i; ++k)
		{
			is_apart &= nc_distance(p, characters[k].position) > 5.0;
		}
		if (is_apart)
		{
			characters[i++] = (NcNeighbor){.position = p, .radius = 1.0};
		}
	}
}

typedef struct Sum
{
	double length, curvature, milliseconds;
	int arrived;
} Sum;

static void add_walk(
	const Place* place, const NcSteerRoute* route, const WalkDef* def, Sum* sum)
{
	Walk walk;
	double begin = clock_get_milliseconds();
	walk_run(place->query, route, def, &walk);
	sum->milliseconds += clock_get_milliseconds() - begin;
	sum->length += walk.metrics.length;
	sum->curvature += walk.metrics.mean_curvature;
	sum->arrived += walk.outcome == NC_STEER_ARRIVED;
	walk_destroy(&walk);
}

static void print_static_characters(const Place* place)
{
	static NcNeighbor characters[CHARACTER_COUNT];
	Random random = random_begin(2008);
	place_characters(place, &random, characters);
	Sum sums[2] = {{0}};
	for (int i = 0; i < QUERY_COUNT;)
	{
		NcVec2 start = find_place(place, &random, 3.0);
		NcVec2 goal = find_place(place, &random, 3.0);
		bool is_clear = nc_distance(start, goal) > 100.0;
		for (int k = 0; k < CHARACTER_COUNT; ++k)
		{
			is_clear &= nc_distance(characters[k].position, start) > 3.0 &&
						nc_distance(characters[k].position, goal) > 3.0;
		}
		// Both forces need room: the paper extracts corridors with R > r + d_safe.
		NcSteerRoute* route =
			is_clear ? search_route(place, NC_ROUTE_MEDIAL, start, goal, 1.5) : NULL;
		if (route == NULL)
		{
			continue;
		}
		for (int m = 0; m < 2; ++m)
		{
			WalkDef def = make_walk(m == 0 ? METHOD_CMM : METHOD_IMPROVED, 0.75, 1.4);
			def.neighbors = characters;
			def.neighbor_count = CHARACTER_COUNT;
			add_walk(place, route, &def, &sums[m]);
		}
		nc_steer_route_destroy(route);
		++i;
	}
	printf("\n2008 paper, table 1: mckenna with %d static characters, r 0.75, r_i 1, means of %d queries"
		   "\n\n  %-26s%12s%14s%10s\n",
		CHARACTER_COUNT, QUERY_COUNT, "", "length", "curvature", "arrived");
	for (int m = 0; m < 2; ++m)
	{
		printf("  %-26s%12.2f%14.4f%10d\n", m == 0 ? "original CMM" : "improved CMM",
			sums[m].length / QUERY_COUNT, sums[m].curvature / QUERY_COUNT, sums[m].arrived);
	}
	printf("  %-26s%12.4f%14.4f   paper: %.4f, %.4f\n", "improved by original",
		sums[1].length / sums[0].length, sums[1].curvature / sums[0].curvature, 150.61 / 155.12,
		0.13 / 0.27);
}

int main(int argc, char** argv)
{
	is_json = argc > 1 && strcmp(argv[1], "--json") == 0;
	NcBox bounds = {{0.0, 0.0}, {200.0, 200.0}};
	Place mckenna;
	open_place(&mckenna, "tests/data/mckenna.wkt", bounds, NULL, NULL);
	print_static_characters(&mckenna);
	close_place(&mckenna);
	(void)read_route;
	return 0;
}
