// SPDX-License-Identifier: MIT
// Pulling a path tight: skip every point that a disc does not need on its way.
//
// From each point the path goes straight to the farthest later point that the disc can reach. How
// far that is gets doubled while it works and then halved, so most points are never looked at.

#include "query_state.h"

#include "check.h"

static bool can_walk(const NcQuery* query, int from, int to, double radius)
{
	const NcVec2* points = query->points.data;
	return nc_locate_is_segment_free(&query->map->world.diagram, points[from], points[to], radius);
}

// The farthest point that was found to be reachable. The next one always is.
static int find_farthest(const NcQuery* query, int from, double radius)
{
	int last = query->points.count - 1;
	int reachable = from + 1;
	int step = 1;
	while (reachable + step <= last && can_walk(query, from, reachable + step, radius))
	{
		reachable += step;
		step *= 2;
	}
	for (; step >= 1; step /= 2)
	{
		if (reachable + step <= last && can_walk(query, from, reachable + step, radius))
		{
			reachable += step;
		}
	}
	return reachable;
}

void nc_route_pull(NcQuery* query, double radius)
{
	query->pulled.count = 0;
	int last = query->points.count - 1;
	nc_array_push(&query->pulled, query->points.data[0]);
	for (int i = 0; i < last;)
	{
		i = find_farthest(query, i, radius);
		nc_array_push(&query->pulled, query->points.data[i]);
	}
	if (!query->pulled.failed)
	{
		memcpy(
			query->points.data, query->pulled.data, sizeof(NcVec2) * (size_t)query->pulled.count);
		query->points.count = query->pulled.count;
	}
}
