// SPDX-License-Identifier: MIT
// Questions to a map: where am I, how much room is there, how do I get there.

#include "nav_corridor/query.h"

#include "check.h"
#include "query_state.h"

#define PATH_DEF_COOKIE 0x4e435044

NcStatus nc_query_create(const NcMap* map, NcQuery** query)
{
	*query = nc_allocate(NULL, 0, sizeof(NcQuery));
	if (*query == NULL)
	{
		return NC_OUT_OF_MEMORY;
	}
	**query = (NcQuery){.map = map};
	return NC_OK;
}

void nc_query_destroy(NcQuery* query)
{
	if (query == NULL)
	{
		return;
	}
	nc_array_free(&query->nodes);
	nc_array_free(&query->heap);
	nc_array_free(&query->trace);
	nc_array_free(&query->arcs);
	nc_array_free(&query->points);
	nc_route_memory_free(&query->route);
	nc_allocate(query, sizeof(NcQuery), 0);
}

// Points.

// Beyond this many snaps from the origin nothing is free, and numbers lose their meaning.
#define MAX_QUERY_COORDINATE (4.0 * NC_MAX_COORDINATE)

static bool find_nearest(const NcQuery* query, NcVec2 point, NcNearest* nearest)
{
	NcVec2 p = nc_map_to_snaps(query->map, point);
	bool is_near = fabs(p.x) < MAX_QUERY_COORDINATE && fabs(p.y) < MAX_QUERY_COORDINATE;
	return is_near && nc_locate_nearest(&query->map->world.diagram, p, nearest) && nearest->is_free;
}

bool nc_query_locate(NcQuery* query, NcVec2 point, NcLocation* location)
{
	const NcMap* map = query->map;
	NcNearest nearest;
	NcRetraction retraction;
	if (!find_nearest(query, point, &nearest) ||
		!nc_locate_retraction(&map->world.diagram, &nearest, &retraction))
	{
		return false;
	}
	NcAnchor anchor = nc_query_make_anchor(query, &retraction);
	*location = (NcLocation){
		.clearance = map->snap * nearest.distance,
		.closest = nc_map_to_world(map, nearest.foot),
		.obstacle = nc_map_get_feature_owner(map, nearest.feature),
		.edge = anchor.edge,
		.event = anchor.arc,
		.retraction = nc_map_to_world(map, anchor.position),
		.edge_position = map->snap * anchor.length_to[0],
	};
	return true;
}

double nc_query_get_clearance(NcQuery* query, NcVec2 point)
{
	NcNearest nearest;
	return find_nearest(query, point, &nearest) ? query->map->snap * nearest.distance : 0.0;
}

bool nc_query_is_segment_free(NcQuery* query, NcVec2 a, NcVec2 b, double radius)
{
	const NcMap* map = query->map;
	NcNearest nearest;
	return radius >= 0.0 && isfinite(radius) && find_nearest(query, a, &nearest) &&
		   find_nearest(query, b, &nearest) &&
		   nc_locate_is_segment_free(&map->world.diagram, nc_map_to_snaps(map, a),
			   nc_map_to_snaps(map, b), radius * map->inverse_snap);
}

// Paths.

NcPathDef nc_default_path_def(void)
{
	return (NcPathDef){
		.route = NC_ROUTE_SHORTEST,
		.corridor_budget = NC_DEFAULT_CORRIDOR_BUDGET,
		.cookie = PATH_DEF_COOKIE,
	};
}

const char* nc_path_outcome_name(NcPathOutcome outcome)
{
	switch (outcome)
	{
	case NC_PATH_FOUND:
		return "found";
	case NC_PATH_NONE:
		return "no way is wide enough";
	case NC_PATH_START_BLOCKED:
		return "the start is blocked";
	case NC_PATH_GOAL_BLOCKED:
		return "the goal is blocked";
	case NC_PATH_OUT_OF_MEMORY:
		return "out of memory";
	}
	return "unknown outcome";
}

// Find where a disc of a radius, in snaps, gets onto the medial axis.
static bool find_anchor(const NcQuery* query, NcVec2 point, double radius, NcAnchor* anchor)
{
	NcNearest nearest;
	NcRetraction retraction;
	if (!find_nearest(query, point, &nearest) || nearest.distance < radius ||
		!nc_locate_retraction(&query->map->world.diagram, &nearest, &retraction))
	{
		return false;
	}
	*anchor = nc_query_make_anchor(query, &retraction);
	return true;
}

static void fill_info(const NcQuery* query, NcPathInfo* info)
{
	double min = HUGE_VAL;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		NcVec2 position;
		min = nc_min(min, nc_arc_find_min(&query->arcs.data[i].arc, &position));
	}
	const NcRouteMemory* route = &query->route;
	info->length =
		query->map->snap * nc_route_compute_length(route->pieces.data, route->pieces.count);
	info->min_clearance = query->map->snap * min;
	info->point_count = query->points.count;
	info->event_count = query->arcs.count + 1;
}

// A search that ran out of memory must not spoil the next one.
static void clear_failures(NcQuery* query)
{
	query->nodes.failed = query->heap.failed = query->trace.failed = false;
	query->arcs.failed = query->points.failed = false;
	nc_route_memory_clear_failures(&query->route);
}

bool nc_query_find_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	NC_ASSERT(def->cookie == PATH_DEF_COOKIE);
	*info = (NcPathInfo){.outcome = NC_PATH_NONE};
	query->path_revision = 0;
	clear_failures(query);
	if (!(def->radius >= 0.0) || !isfinite(def->radius))
	{
		return false;
	}
	const NcMap* map = query->map;
	double radius = def->radius * map->inverse_snap;
	NcAnchor start, goal;
	if (!find_anchor(query, def->start, radius, &start))
	{
		info->outcome = NC_PATH_START_BLOCKED;
		return false;
	}
	if (!find_anchor(query, def->goal, radius, &goal))
	{
		info->outcome = NC_PATH_GOAL_BLOCKED;
		return false;
	}
	info->outcome = nc_query_search(query, &start, &goal, radius, &info->visited_count);
	if (info->outcome != NC_PATH_FOUND)
	{
		return false;
	}
	NcRouteEnds ends = {
		.start = nc_map_to_snaps(map, def->start),
		.goal = nc_map_to_snaps(map, def->goal),
		.start_anchor = &start,
		.goal_anchor = &goal,
		.radius = radius,
	};
	def->route == NC_ROUTE_SHORTEST ? nc_route_build_shortest(query, &ends, def->corridor_budget)
									: nc_route_build_medial(query, &ends);
	nc_route_build_points(query, ends.start, ends.goal);
	if (nc_query_failed(query))
	{
		info->outcome = NC_PATH_OUT_OF_MEMORY;
		return false;
	}
	fill_info(query, info);
	query->path_revision = map->revision;
	return true;
}

static bool has_path(const NcQuery* query)
{
	return query->path_revision != 0 && query->path_revision == query->map->revision;
}

int nc_query_get_path_points(const NcQuery* query, NcVec2* points, int capacity)
{
	int count = has_path(query) ? query->points.count : 0;
	for (int i = 0; i < count && i < capacity; ++i)
	{
		points[i] = nc_map_to_world(query->map, query->points.data[i]);
	}
	return count;
}

// The event at one end of an arc of the path, which may be cut.
static NcMapEvent make_event(const NcQuery* query, const NcPathArc* item, int end)
{
	const NcMap* map = query->map;
	const NcDiagram* diagram = &map->world.diagram;
	NcMapEvent event = nc_map_make_event(map, item->piece);
	NcVec2 p = item->arc.ends[end];
	NcFeature right = nc_piece_owner(diagram, item->piece);
	NcFeature left = nc_piece_owner(diagram, nc_piece_twin(diagram, item->piece));
	event.position = nc_map_to_world(map, p);
	event.clearance = map->snap * item->arc.clearances[end];
	event.left = nc_map_to_world(map, nc_diagram_compute_foot(diagram, left, p));
	event.right = nc_map_to_world(map, nc_diagram_compute_foot(diagram, right, p));
	return event;
}

int nc_query_get_corridor(const NcQuery* query, NcMapEvent* events, int capacity)
{
	int count = has_path(query) ? query->arcs.count : 0;
	for (int i = 0; i < count && i < capacity; ++i)
	{
		events[i] = make_event(query, &query->arcs.data[i], 0);
	}
	if (count > 0 && count < capacity)
	{
		events[count] = make_event(query, &query->arcs.data[count - 1], 1);
	}
	return count > 0 ? count + 1 : 0;
}
