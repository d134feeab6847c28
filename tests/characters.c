// SPDX-License-Identifier: MIT

// Characters that stand in the way: see characters.h.

#include "characters.h"

#include "query_state.h"
#include "random.h"

#include <stdlib.h>

#define MAX_POINTS 8192
#define RADIUS 0.75

static NcVec2 find_place(NcQuery* query, Random* random, double clearance)
{
	for (;;)
	{
		NcVec2 p = {random_get_double(random, 2.0, 198.0), random_get_double(random, 2.0, 198.0)};
		if (nc_query_get_clearance(query, p) >= clearance)
		{
			return p;
		}
	}
}

static bool is_apart(const NcNeighbor* characters, int count, NcVec2 p, double distance)
{
	for (int i = 0; i < count; ++i)
	{
		if (nc_distance(p, characters[i].position) <= distance)
		{
			return false;
		}
	}
	return true;
}

// In the middle of the passages, where people stand in the way, and with room to pass on both
// sides.
static void place_characters(NcQuery* query, Random* random, NcNeighbor* characters, int count)
{
	for (int i = 0; i < count;)
	{
		NcLocation location;
		NcVec2 p = find_place(query, random, 0.5);
		bool is_found = nc_query_locate(query, p, &location);
		p = nc_mul_add(location.retraction, random_get_double(random, 0.0, 1.0),
			nc_direction(random_get_double(random, 0.0, 6.28)));
		if (is_found && nc_query_get_clearance(query, p) > 3.5 && is_apart(characters, i, p, 5.0))
		{
			characters[i++] = (NcNeighbor){.position = p, .radius = 1.0};
		}
	}
}

// Both forces need room: the paper extracts corridors with R > r + d_safe.
static NcSteerRoute* search_route(NcQuery* query, NcVec2 start, NcVec2 goal)
{
	static NcVec2 points[MAX_POINTS];
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	NcSteerRoute* route = NULL;
	def.route = NC_ROUTE_MEDIAL;
	def.start = start;
	def.goal = goal;
	def.radius = nc_steer_get_route_radius(query->map, 2.0 * RADIUS);
	if (nc_query_find_path(query, &def, &info) && info.point_count <= MAX_POINTS)
	{
		nc_query_get_path_points(query, points, MAX_POINTS);
		nc_steer_route_create(query, points, info.point_count, 2.0 * RADIUS, &route, NULL);
	}
	return route;
}

static void add_walk(NcQuery* query, const NcSteerRoute* route, const NcNeighbor* characters,
	int count, CharactersRow row, CharactersSum* sum)
{
	WalkDef def = {.method = row == CHARACTERS_ORIGINAL ? METHOD_CMM : METHOD_IMPROVED,
		.steer = nc_default_steer_def(),
		.neighbors = characters,
		.neighbor_count = count,
		.radius = RADIUS,
		.speed = 1.4,
		.dt = 0.05,
		.max_steps = 100000};
	def.steer.c_side = row == CHARACTERS_PUBLISHED ? 0.0 : def.steer.c_side;
	Walk walk;
	walk_run(query, route, &def, &walk);
	sum->length += walk.metrics.length / CHARACTERS_QUERY_COUNT;
	sum->curvature += walk.metrics.mean_curvature / CHARACTERS_QUERY_COUNT;
	sum->arrived += walk.outcome == NC_STEER_ARRIVED;
	walk_destroy(&walk);
}

void characters_run(
	NcQuery* query, int character_count, uint64_t seed, CharactersSum sums[CHARACTERS_ROW_COUNT])
{
	static NcNeighbor characters[CHARACTERS_MAX];
	Random random = random_begin(seed);
	place_characters(query, &random, characters, character_count);
	for (int row = 0; row < CHARACTERS_ROW_COUNT; ++row)
	{
		sums[row] = (CharactersSum){0};
	}
	for (int i = 0; i < CHARACTERS_QUERY_COUNT;)
	{
		NcVec2 start = find_place(query, &random, 3.0);
		NcVec2 goal = find_place(query, &random, 3.0);
		bool is_clear = nc_distance(start, goal) > 100.0 &&
						is_apart(characters, character_count, start, 3.0) &&
						is_apart(characters, character_count, goal, 3.0);
		NcSteerRoute* route = is_clear ? search_route(query, start, goal) : NULL;
		for (int row = 0; row < CHARACTERS_ROW_COUNT && route != NULL; ++row)
		{
			add_walk(query, route, characters, character_count, (CharactersRow)row, &sums[row]);
		}
		i += route != NULL;
		nc_steer_route_destroy(route);
	}
}
