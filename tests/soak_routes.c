// SPDX-License-Identifier: MIT

// The long proof of shortest routes: against the graph of all tangents, on mckenna and on random
// scenes, for several radii. Prints how much longer than the truth routes are.
//
//   soak_routes [SCENES] [QUERIES] [SEED]     default 200 random scenes, 20 queries for each radius

#include "scenes.h"
#include "visibility.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_PIECES 4096

typedef struct Tally
{
	int queries, found, exact, one, two, worse, shorter, wrong_answer, not_clear;
	double worst;
} Tally;

// splitmix64
static double random_between(uint64_t* seed, double lower, double upper)
{
	*seed += 0x9E3779B97F4A7C15u;
	uint64_t z = *seed;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	z ^= z >> 31;
	return lower + (upper - lower) * ((double)(z >> 11) / 9007199254740992.0);
}

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
				nc_distance(p, nc_closest_on_segment(p, wall.a, wall.b)) < radius - 1e-6)
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
		tally->exact += fabs(excess) <= 1e-6;
		tally->shorter += excess < -1e-6;
		tally->one += excess > 1e-6 && part <= 0.01;
		tally->two += part > 0.01 && part <= 0.02;
		tally->worse += part > 0.02;
		tally->worst = fmax(tally->worst, part);
		int count = nc_query_get_route(query, pieces, MAX_PIECES);
		bool clear = is_clear(map, pieces, count, def->radius);
		tally->not_clear += !clear;
		problem = !clear ? "not clear" : excess < -1e-6 ? "shorter" : excess > 1e-6 ? "longer" : NULL;
	}
	if (problem != NULL)
	{
		printf("%s --from %.17g,%.17g --to %.17g,%.17g --radius %.17g: %s, %.9g instead of %.9g\n",
			name, def->start.x, def->start.y, def->goal.x, def->goal.y, def->radius, problem,
			info.length, truth);
	}
}

static void soak_scene(
	const char* name, const double* radii, int radius_count, int queries, uint64_t* seed, Tally* tally)
{
	TestScene made;
	if (!scenes_make(name, &made))
	{
		exit(2);
	}
	NcMap* map = scenes_build_map(&made, 1, NULL);
	NcQuery* query = NULL;
	nc_query_create(map, &query);
	for (int r = 0; r < radius_count; ++r)
	{
		Visibility* graph = visibility_create(map, radii[r]);
		for (int i = 0; i < queries; ++i)
		{
			NcPathDef def = nc_default_path_def();
			def.radius = radii[r];
			def.start.x = random_between(seed, made.bounds.lower.x, made.bounds.upper.x);
			def.start.y = random_between(seed, made.bounds.lower.y, made.bounds.upper.y);
			def.goal.x = random_between(seed, made.bounds.lower.x, made.bounds.upper.x);
			def.goal.y = random_between(seed, made.bounds.lower.y, made.bounds.upper.y);
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
	printf("%s: %d queries, %d found, %.2f %% exact within 1e-6, %d up to 1 %% longer, %d up to 2 %%,"
		   " %d more; worst %.4f %%; %d shorter, %d wrong about reachability, %d not clear\n",
		name, t->queries, t->found, share, t->one, t->two, t->worse, 100.0 * t->worst, t->shorter,
		t->wrong_answer, t->not_clear);
	return share >= 95.0 && t->worse == 0 && t->shorter == 0 && t->wrong_answer == 0 &&
		   t->not_clear == 0;
}

int main(int argc, char** argv)
{
	int scenes = argc > 1 ? atoi(argv[1]) : 200;
	int queries = argc > 2 ? atoi(argv[2]) : 20;
	uint64_t seed = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
	static const double town_radii[] = {0.0, 0.5, 1.5, 3.0};
	static const double room_radii[] = {0.0, 0.4, 1.1, 2.3};
	Tally town = {0}, rooms = {0};
	soak_scene("mckenna", town_radii, 4, 10 * queries, &seed, &town);
	for (int i = 0; i < scenes; ++i)
	{
		static const char* const kinds[] = {"mixed", "overlap", "lattice"};
		char name[32];
		snprintf(name, sizeof(name), "%s:%d", kinds[i % 3], i);
		soak_scene(name, room_radii, 4, queries, &seed, &rooms);
	}
	bool is_good = report("mckenna", &town);
	is_good &= report("random scenes", &rooms);
	return is_good ? 0 : 1;
}
