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
	nc_search_free(&query->search);
	nc_landmarks_free(&query->landmarks);
	nc_array_free(&query->arcs);
	nc_array_free(&query->points);
	nc_array_free(&query->kept);
	nc_array_free(&query->found);
	nc_array_free(&query->spare_arcs);
	nc_route_memory_free(&query->route);
	nc_array_free(&query->wall_stamps);
	nc_reach_free(&query->reach);
	nc_query_destroy_weighted(query->weighted);
	nc_allocate(query, sizeof(NcQuery), 0);
}

// Points.

bool nc_query_locate(NcQuery* query, NcVec2 point, NcLocation* location)
{
	const NcMap* map = query->map;
	NcNearest nearest;
	NcRetraction retraction;
	if (!nc_query_find_nearest(query, point, &nearest) ||
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
	return nc_query_find_nearest(query, point, &nearest) ? query->map->snap * nearest.distance
														 : 0.0;
}

bool nc_query_is_segment_free(NcQuery* query, NcVec2 a, NcVec2 b, double radius)
{
	const NcMap* map = query->map;
	NcNearest nearest;
	return radius >= 0.0 && isfinite(radius) && nc_query_find_nearest(query, a, &nearest) &&
		   nc_query_find_nearest(query, b, &nearest) &&
		   nc_locate_is_segment_clear(&map->world.diagram, nc_map_to_snaps(map, a),
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
	case NC_PATH_PARTIAL:
		return "a limit was reached before the goal";
	}
	return "unknown outcome";
}

static void fill_info(const NcQuery* query, NcPathInfo* info)
{
	const NcRouteMemory* route = &query->route;
	double length = nc_route_compute_length(route->pieces.data, route->pieces.count);
	double min = HUGE_VAL;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		NcVec2 position;
		min = nc_min(min, nc_arc_find_min(&query->arcs.data[i].arc, &position));
	}
	info->length = query->map->snap * length;
	info->cost = info->length;
	info->min_clearance = query->map->snap * min;
	info->refused_clearance = query->map->snap * query->refused;
	info->point_count = query->points.count;
	info->event_count = query->arcs.count + 1;
}

// A search that ran out of memory must not spoil the next one.
static void clear_failures(NcQuery* query)
{
	nc_search_clear_failures(&query->search);
	query->kept.failed = query->found.failed = query->spare_arcs.failed = false;
	query->arcs.failed = query->points.failed = false;
	nc_route_memory_clear_failures(&query->route);
}

// The way to an end of an anchor's edge may be too narrow.
static void refuse_ends(NcQuery* query, const NcAnchor* anchor)
{
	for (int end = 0; end < 2; ++end)
	{
		if (anchor->clearance_to[end] < query->search.radius)
		{
			nc_query_refuse(query, anchor->clearance_to[end]);
		}
	}
}

NcPathOutcome nc_query_set_search(NcQuery* query, const NcPathDef* def)
{
	NC_ASSERT(def->cookie == PATH_DEF_COOKIE);
	query->path_revision = 0;
	query->search_revision = 0;
	query->refused = 0.0;
	clear_failures(query);
	if (!(def->radius >= 0.0) || !isfinite(def->radius))
	{
		return NC_PATH_NONE;
	}
	const NcMap* map = query->map;
	NcSearch* search = &query->search;
	bool is_limited = def->max_iterations > 0 || def->clock != NULL;
	search->radius = def->radius * map->inverse_snap;
	search->method = is_limited ? NC_SEARCH_PLAIN : def->method;
	search->edge_cost = def->edge_cost;
	search->edge_cost_context = def->edge_cost_context;
	search->goals.count = 0;
	search->start = (NcSearchEnd){0};
	if (!nc_query_find_anchor(query, def->start, search->radius, &search->start.anchor))
	{
		return NC_PATH_START_BLOCKED;
	}
	refuse_ends(query, &search->start.anchor);
	int count = def->goals != NULL ? def->goal_count : 1;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 point = def->goals != NULL ? def->goals[i] : def->goal;
		NcSearchEnd goal = {.index = i};
		if (nc_query_find_anchor(query, point, search->radius, &goal.anchor))
		{
			refuse_ends(query, &goal.anchor);
			goal.point = nc_map_to_snaps(map, point);
			goal.extra = nc_distance(goal.point, goal.anchor.position);
			nc_array_push(&search->goals, goal);
		}
	}
	return search->goals.failed      ? NC_PATH_OUT_OF_MEMORY
		   : search->goals.count > 0 ? NC_PATH_FOUND
									 : NC_PATH_GOAL_BLOCKED;
}

// Make the points of the route, and say what it is like.
static bool end_path(NcQuery* query, NcVec2 start, NcVec2 goal, NcPathInfo* info)
{
	nc_route_build_points(query, start, goal);
	if (nc_query_failed(query))
	{
		info->outcome = NC_PATH_OUT_OF_MEMORY;
		return false;
	}
	fill_info(query, info);
	query->path_revision = query->map->revision;
	return info->outcome == NC_PATH_FOUND;
}

static NcRouteEnds make_ends(
	const NcQuery* query, const NcPathDef* def, NcVec2 goal, const NcAnchor* anchor)
{
	return (NcRouteEnds){
		.start = nc_map_to_snaps(query->map, def->start),
		.goal = goal,
		.start_anchor = &query->search.start.anchor,
		.goal_anchor = anchor,
		.radius = query->search.radius,
		.side = def->side,
	};
}

// Make the route through the corridor in `query->arcs`. If edges have costs of their own, or if the
// path is partial, that corridor is what was asked for: then no other one is looked for.
bool nc_query_finish_path(
	NcQuery* query, const NcPathDef* def, NcVec2 goal, const NcAnchor* anchor, NcPathInfo* info)
{
	NcRouteEnds ends = make_ends(query, def, goal, anchor);
	bool is_fixed = def->edge_cost != NULL || info->outcome == NC_PATH_PARTIAL;
	switch (def->route)
	{
	case NC_ROUTE_SHORTEST:
		nc_route_build_shortest(query, &ends, is_fixed ? 0 : def->corridor_budget);
		break;
	case NC_ROUTE_SIDE:
		nc_route_build_side(query, &ends);
		break;
	default:
		nc_route_build_medial(query, &ends);
		break;
	}
	return end_path(query, ends.start, ends.goal, info);
}

static bool finish_partial_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	NcAnchor end;
	if (!nc_search_build_partial_path(query, &end))
	{
		info->outcome = nc_query_failed(query) ? NC_PATH_OUT_OF_MEMORY : info->outcome;
		return false;
	}
	info->goal_distance = query->map->snap * query->search.nearest_distance;
	return nc_query_finish_path(query, def, end.position, &end, info);
}

// Go on with a search that has begun, and make its route.
static bool run_search(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	const NcMap* map = query->map;
	NcSearch* search = &query->search;
	NcSearchLimits limits = {
		.max_iterations = def->max_iterations,
		.clock = def->clock,
		.clock_context = def->clock_context,
		.max_time = def->max_time,
		.dead_end_distance = def->dead_end_distance * map->inverse_snap,
	};
	info->outcome = nc_search_run(query, limits);
	info->visited_count = search->visited_count;
	query->search_revision = info->outcome == NC_PATH_PARTIAL ? map->revision : 0;
	if (info->outcome == NC_PATH_PARTIAL)
	{
		return finish_partial_path(query, def, info);
	}
	if (info->outcome != NC_PATH_FOUND)
	{
		return false;
	}
	const NcSearchEnd* goal = &search->goals.data[search->goal_index];
	info->goal_index = goal->index;
	info->axis_cost = map->snap * (double)(search->best_cost - goal->extra_cost) / 65536.0;
	NcVec2 point = def->goals != NULL ? def->goals[goal->index] : def->goal;
	return nc_query_finish_path(query, def, nc_map_to_snaps(map, point), &goal->anchor, info);
}

static bool find_by_search(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	if (!nc_search_begin(query))
	{
		info->outcome = NC_PATH_OUT_OF_MEMORY;
		return false;
	}
	return run_search(query, def, info);
}

// Whether the shortest route of all is asked for, and nothing is said about the way to find it.
static bool is_shortest_of_all(const NcPathDef* def)
{
	return def->route == NC_ROUTE_SHORTEST && def->corridor_budget > 0 && def->edge_cost == NULL &&
		   def->goals == NULL && def->max_iterations <= 0 && def->clock == NULL;
}

static bool find_shortest(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	NcVec2 goal = nc_map_to_snaps(query->map, def->goal);
	NcRouteEnds ends = make_ends(query, def, goal, &query->search.goals.data[0].anchor);
	info->outcome =
		nc_route_find_shortest(query, &ends, def->corridor_budget, &info->visited_count);
	if (info->outcome != NC_PATH_FOUND)
	{
		return false;
	}
	info->axis_cost = query->map->snap * nc_path_measure_axis(query);
	return end_path(query, ends.start, ends.goal, info);
}

bool nc_query_find_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	*info = (NcPathInfo){.outcome = nc_query_set_search(query, def)};
	if (def->route == NC_ROUTE_CONTROL && info->outcome == NC_PATH_FOUND)
	{
		info->outcome = nc_route_build_control(query, def, &info->visited_count);
		return info->outcome == NC_PATH_FOUND &&
			   end_path(query, nc_map_to_snaps(query->map, def->start),
				   nc_map_to_snaps(query->map, def->goal), info);
	}
	if (info->outcome != NC_PATH_FOUND)
	{
		return false;
	}
	if (def->route == NC_ROUTE_WEIGHTED)
	{
		return nc_query_find_weighted(query, def, info);
	}
	return is_shortest_of_all(def) ? find_shortest(query, def, info)
								   : find_by_search(query, def, info);
}

bool nc_query_continue_path(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	NC_ASSERT(def->cookie == PATH_DEF_COOKIE);
	if (query->search_revision == 0 || query->search_revision != query->map->revision)
	{
		return nc_query_find_path(query, def, info);
	}
	*info = (NcPathInfo){.outcome = NC_PATH_NONE};
	query->path_revision = 0;
	clear_failures(query);
	return run_search(query, def, info);
}

NcPathOutcome nc_query_set_points(NcQuery* query, const NcVec2* points, int count, NcPathInfo* info)
{
	query->points.count = 0;
	query->arcs.count = 0;
	info->length = 0.0;
	info->min_clearance = HUGE_VAL;
	for (int i = 0; i < count; ++i)
	{
		nc_array_push(&query->points, nc_map_to_snaps(query->map, points[i]));
		info->length += i > 0 ? nc_distance(points[i - 1], points[i]) : 0.0;
		double clearance = nc_query_get_clearance(query, points[i]);
		info->min_clearance = nc_min(info->min_clearance, clearance);
	}
	info->point_count = count;
	info->event_count = 0;
	return query->points.failed ? NC_PATH_OUT_OF_MEMORY : NC_PATH_FOUND;
}

void nc_query_forget_path(NcQuery* query)
{
	query->path_revision = 0;
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
