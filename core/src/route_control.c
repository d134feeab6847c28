// SPDX-License-Identifier: MIT
// Routes that a designer draws. Each point of the drawing is retracted onto the medial axis, which
// gives the corridor of the route. The route itself is the drawing, wherever the disc can walk
// along it; a point at which the disc does not fit moves to the nearest one where it does, and a
// line that crosses an obstacle becomes the string around it.

#include "query_state.h"

// Where a point of the drawing is, and its place on the medial axis. In snaps.
typedef struct Stop
{
	NcVec2 position;
	NcAnchor anchor;
} Stop;

static bool find_stop(NcQuery* query, NcVec2 point, double radius, Stop* stop)
{
	const NcMap* map = query->map;
	NcVec2 found = point;
	if (!nc_query_find_anchor(query, found, radius, &stop->anchor) &&
		(!nc_query_find_free_point(query, point, radius * map->snap, &found) ||
			!nc_query_find_anchor(query, found, 0.0, &stop->anchor)))
	{
		return false;
	}
	stop->position = nc_map_to_snaps(map, found);
	return true;
}

// Append what the last leg put into the pieces and arcs.
static void keep_leg(NcQuery* query)
{
	NcRouteMemory* memory = &query->route;
	for (int i = 0; i < memory->pieces.count; ++i)
	{
		nc_array_push(&memory->kept_pieces, memory->pieces.data[i]);
		nc_array_push(&memory->kept_rooms, memory->rooms.data[i]);
	}
	for (int i = 0; i < query->arcs.count; ++i)
	{
		nc_array_push(&query->spare_arcs, query->arcs.data[i]);
	}
}

static NcPathOutcome add_leg(
	NcQuery* query, const Stop* from, const Stop* to, double radius, int* visited_count)
{
	int visited = 0;
	NcPathOutcome outcome = nc_query_search(query, &from->anchor, &to->anchor, radius, &visited);
	*visited_count += visited;
	if (outcome != NC_PATH_FOUND)
	{
		return outcome;
	}
	const NcDiagram* diagram = &query->map->world.diagram;
	query->route.pieces.count = query->route.rooms.count = 0;
	if (nc_locate_is_segment_free(diagram, from->position, to->position, radius))
	{
		NcVec2 at = from->position;
		nc_route_push_segment(query, &at, to->position);
	}
	else
	{
		nc_route_pull(query, from->position, to->position, radius);
	}
	keep_leg(query);
	return nc_query_failed(query) ? NC_PATH_OUT_OF_MEMORY : NC_PATH_FOUND;
}

// Exchange the kept legs with the working memory: they are the route now.
static void take_legs(NcQuery* query)
{
	NcRouteMemory* memory = &query->route;
	memory->pieces.count = memory->rooms.count = query->arcs.count = 0;
	for (int i = 0; i < memory->kept_pieces.count; ++i)
	{
		nc_array_push(&memory->pieces, memory->kept_pieces.data[i]);
		nc_array_push(&memory->rooms, memory->kept_rooms.data[i]);
	}
	for (int i = 0; i < query->spare_arcs.count; ++i)
	{
		nc_array_push(&query->arcs, query->spare_arcs.data[i]);
	}
}

NcPathOutcome nc_route_build_control(NcQuery* query, const NcPathDef* def, int* visited_count)
{
	double radius = def->radius * query->map->inverse_snap;
	NcRouteMemory* memory = &query->route;
	Stop from, to, goal;
	memory->kept_pieces.count = memory->kept_rooms.count = query->spare_arcs.count = 0;
	if (!nc_query_find_anchor(query, def->start, radius, &from.anchor))
	{
		return NC_PATH_START_BLOCKED;
	}
	if (!nc_query_find_anchor(query, def->goal, radius, &goal.anchor))
	{
		return NC_PATH_GOAL_BLOCKED;
	}
	from.position = nc_map_to_snaps(query->map, def->start);
	goal.position = nc_map_to_snaps(query->map, def->goal);
	for (int i = 0; i < def->control_count; ++i)
	{
		if (!find_stop(query, def->control[i], radius, &to))
		{
			return NC_PATH_NONE;
		}
		NcPathOutcome outcome = add_leg(query, &from, &to, radius, visited_count);
		if (outcome != NC_PATH_FOUND)
		{
			return outcome;
		}
		from = to;
	}
	NcPathOutcome outcome = add_leg(query, &from, &goal, radius, visited_count);
	take_legs(query);
	return nc_query_failed(query) ? NC_PATH_OUT_OF_MEMORY : outcome;
}
