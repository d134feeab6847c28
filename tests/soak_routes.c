// SPDX-License-Identifier: MIT

// The long proof of shortest routes: against the graph of all tangents, on mckenna and on random
// scenes, for several radii. Prints how much longer than the truth routes are.
//
//   soak_routes [SCENES] [QUERIES] [SEED]     default 200 random scenes, 20 queries for each radius
//   soak_routes FILE.map FILE.scen            a MovingAI scenario instead

#include "../tools/world.h"
#include "options.h"
#include "scenes.h"
#include "scenes_kinds.h"
#include "visibility.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PIECES 4096

typedef struct Tally
{
	int queries, found, exact, one, two, worse, shorter, wrong_answer, not_clear;
	double worst;
} Tally;

// Whether a route keeps its distance from all walls.
static bool is_clear(const NcMap* map, const NcRoutePiece* pieces, int count, double radius)
{
	double length = nc_route_compute_length(pieces, count);
	int steps = 200;
	for (int i = 0; i <= steps; ++i)
	{
		NcVec2 p = nc_route_get_point(pieces, count, length * i / steps, NULL);
		for (int w = 0; w < nc_map_get_wall_range(map); ++w)
		{
			NcMapWall wall;
			if (nc_map_get_wall(map, w, &wall) && (wall.left_free || wall.right_free) &&
				nc_distance(p, nc_closest_on_segment(p, wall.a, wall.b)) < radius)
			{
				return false;
			}
		}
	}
	return true;
}

static void compare(const char* name, const NcMap* map, NcQuery* query, Visibility* graph,
	const NcPathDef* def, Tally* tally)
{
	static NcRoutePiece pieces[MAX_PIECES];
	NcBox box = nc_map_get_bounds(map);
	double tolerance = 1e-8 * (box.upper.x - box.lower.x);
	NcPathInfo info;
	nc_query_find_path(query, def, &info);
	if (info.outcome == NC_PATH_START_BLOCKED || info.outcome == NC_PATH_GOAL_BLOCKED)
	{
		return;
	}
	++tally->queries;
	double truth = visibility_find(graph, def->start, def->goal);
	bool is_found = info.outcome == NC_PATH_FOUND;
	const char* problem = NULL;
	if (is_found != (truth < HUGE_VAL))
	{
		++tally->wrong_answer;
		problem = "reachable or not";
	}
	else if (is_found)
	{
		++tally->found;
		double excess = info.length - truth;
		double part = truth > 0.0 ? excess / truth : 0.0;
		tally->exact += fabs(excess) <= tolerance;
		tally->shorter += excess < -tolerance;
		tally->one += excess > tolerance && part <= 0.01;
		tally->two += part > 0.01 && part <= 0.02;
		tally->worse += part > 0.02;
		tally->worst = fmax(tally->worst, part);
		int count = nc_query_get_route(query, pieces, MAX_PIECES);
		bool clear = is_clear(map, pieces, count, def->radius - tolerance);
		tally->not_clear += !clear;
		problem = !clear                ? "not clear"
				  : excess < -tolerance ? "shorter"
				  : excess > tolerance  ? "longer"
										: NULL;
	}
	if (problem != NULL)
	{
		printf("%s --from %.17g,%.17g --to %.17g,%.17g --radius %.17g: %s, %.9g instead of %.9g\n",
			name, def->start.x, def->start.y, def->goal.x, def->goal.y, def->radius, problem,
			info.length, truth);
	}
}

// A few dozen obstacles in a square of 100: boxes, triangles, walls and points, overlapping or not.
static void make_random(uint64_t* seed, TestScene* made)
{
	*made = (TestScene){.bounds = {{0.0, 0.0}, {100.0, 100.0}}, .snap = 1.0 / 1024.0};
	int count = scenes_random_int(seed, 5, 30);
	double size = scenes_random_double(seed, 2.0, 15.0);
	double step = scenes_random_int(seed, 0, 3) == 0 ? 5.0 : 0.01;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 corners[5];
		int corner_count = scenes_random_int(seed, 2, 5);
		NcVec2 center = {
			scenes_random_double(seed, 0.0, 100.0), scenes_random_double(seed, 0.0, 100.0)};
		for (int k = 0; k < corner_count; ++k)
		{
			double x = center.x + scenes_random_double(seed, -size, size);
			double y = center.y + scenes_random_double(seed, -size, size);
			corners[k] = (NcVec2){step * floor(x / step), step * floor(y / step)};
		}
		bool is_proper = true;
		for (int k = 0; k < corner_count * corner_count; ++k)
		{
			NcVec2 a = corners[k / corner_count], b = corners[k % corner_count];
			is_proper &= k / corner_count == k % corner_count || a.x != b.x || a.y != b.y;
		}
		if (!is_proper)
		{
			continue;
		}
		if (corner_count > 2)
		{
			scenes_add_polygon(&made->scene, corners, corner_count);
		}
		else
		{
			scenes_add_wall(&made->scene, corners[0], corners[1]);
		}
	}
}

static void soak_scene(const char* name, TestScene made, const double* radii, int radius_count,
	int queries, uint64_t* seed, Tally* tally)
{
	NcMap* map = scenes_build_map(&made, 1, NULL);
	NcQuery* query = NULL;
	nc_query_create(map, &query);
	double size = made.bounds.upper.x - made.bounds.lower.x;
	for (int r = 0; r < radius_count; ++r)
	{
		double radius = radii[r] * size;
		Visibility* graph = visibility_create(map, radius);
		for (int i = 0; i < queries; ++i)
		{
			NcPathDef def = nc_default_path_def();
			def.radius = radius;
			def.start.x = scenes_random_double(seed, made.bounds.lower.x, made.bounds.upper.x);
			def.start.y = scenes_random_double(seed, made.bounds.lower.y, made.bounds.upper.y);
			def.goal.x = scenes_random_double(seed, made.bounds.lower.x, made.bounds.upper.x);
			def.goal.y = scenes_random_double(seed, made.bounds.lower.y, made.bounds.upper.y);
			compare(name, map, query, graph, &def, tally);
		}
		visibility_destroy(graph);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
	scenes_destroy(&made);
}

static bool report(const char* name, const Tally* t)
{
	double share = t->found > 0 ? 100.0 * t->exact / t->found : 0.0;
	printf(
		"%s: %d queries, %d found, %.2f %% exact within 1e-6, %d up to 1 %% longer, %d up to 2 %%,"
		" %d more; worst %.4f %%; %d shorter, %d wrong about reachability, %d not clear\n",
		name, t->queries, t->found, share, t->one, t->two, t->worse, 100.0 * t->worst, t->shorter,
		t->wrong_answer, t->not_clear);
	return share >= 95.0 && t->worse == 0 && t->shorter == 0 && t->wrong_answer == 0 &&
		   t->not_clear == 0;
}

// The instances of a MovingAI scenario, for a point: reachable as the file says, never much longer
// than its optimum on the grid, and shorter on average.
static int soak_scenario(const char* map_path, const char* scenario_path)
{
	Options options = {.input = map_path, .thread_count = 1};
	World world;
	FILE* file = fopen(scenario_path, "r");
	NcQuery* query = NULL;
	if (file == NULL || !world_build(&options, &world) ||
		nc_query_create(world.map, &query) != NC_OK)
	{
		fprintf(stderr, "%s or %s cannot be used\n", map_path, scenario_path);
		return 2;
	}
	char line[512];
	int count = 0, missing = 0, not_clear = 0;
	double worst = 0.0, sum = 0.0, grid_sum = 0.0;
	while (fgets(line, sizeof(line), file) != NULL)
	{
		NcPathDef def = nc_default_path_def();
		double optimum;
		if (sscanf(line, "%*d %*s %*d %*d %lf %lf %lf %lf %lf", &def.start.x, &def.start.y,
				&def.goal.x, &def.goal.y, &optimum) != 5)
		{
			continue;
		}
		def.start = nc_add(def.start, (NcVec2){0.5, 0.5});
		def.goal = nc_add(def.goal, (NcVec2){0.5, 0.5});
		NcPathInfo info;
		++count;
		if (!nc_query_find_path(query, &def, &info))
		{
			++missing;
			continue;
		}
		static NcRoutePiece pieces[MAX_PIECES];
		int piece_count = nc_query_get_route(query, pieces, MAX_PIECES);
		not_clear += count % 50 == 0 && !is_clear(world.map, pieces, piece_count, -1e-6);
		sum += info.length;
		grid_sum += optimum;
		worst = optimum > 0.0 ? fmax(worst, info.length / optimum) : worst;
	}
	fclose(file);
	nc_query_destroy(query);
	world_destroy(&world);
	printf("%s: %d instances, %d not reached; longest %.5f of the grid's optimum, on average %.5f;"
		   " %d of every fiftieth not clear\n",
		scenario_path, count, missing, worst, sum / grid_sum, not_clear);
	return missing == 0 && worst <= 1.02 && sum < grid_sum && not_clear == 0 ? 0 : 1;
}

int main(int argc, char** argv)
{
	if (argc == 3 && strstr(argv[2], ".scen") != NULL)
	{
		return soak_scenario(argv[1], argv[2]);
	}
	int scenes = argc > 1 ? atoi(argv[1]) : 200;
	int queries = argc > 2 ? atoi(argv[2]) : 20;
	uint64_t seed_begin = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
	uint64_t seed = seed_begin;
	static const double town_radii[] = {0.0, 0.0025, 0.0075, 0.015};
	static const double room_radii[] = {0.0, 0.004, 0.01, 0.025};
	Tally town = {0}, rooms = {0};
	TestScene mckenna;
	if (!scenes_make("mckenna", &mckenna))
	{
		return 2;
	}
	soak_scene("mckenna", mckenna, town_radii, 4, 10 * queries, &seed, &town);
	for (int i = 0; i < scenes; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "scene %d", i);
		uint64_t scene_seed = 1000 * seed_begin + (uint64_t)i;
		TestScene made;
		make_random(&scene_seed, &made);
		soak_scene(name, made, room_radii, 4, queries, &scene_seed, &rooms);
	}
	bool is_good = report("mckenna", &town);
	is_good &= report("random scenes", &rooms);
	return is_good ? 0 : 1;
}
