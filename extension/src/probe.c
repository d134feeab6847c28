// SPDX-License-Identifier: MIT

#include "probe.h"

#include "plan.h"

#include <math.h>
#include <stdio.h>

// The clearance of a route is measured at so many places of each of its lines.
#define CLEARANCE_SAMPLES 8

// Where start and goal are at first, as parts of the bounds.
#define FIRST_MARGIN 0.15

static const NcRouteKind route_kinds[PROBE_ROUTE_COUNT] = {
	[PROBE_MEDIAL] = NC_ROUTE_MEDIAL,
	[PROBE_SHORTEST] = NC_ROUTE_SHORTEST,
	[PROBE_WEIGHTED] = NC_ROUTE_WEIGHTED,
};

void probe_place(Probe* probe, const StoreMap* map)
{
	NcBox box = map->bounds;
	for (int i = 0; i < PROBE_END_COUNT; ++i)
	{
		double part = i == PROBE_START ? FIRST_MARGIN : 1.0 - FIRST_MARGIN;
		NcVec2 point = {box.lower.x + part * (box.upper.x - box.lower.x),
			box.lower.y + part * (box.upper.y - box.lower.y)};
		probe->ends[i] = point;
		plan_find_closest(map, point, probe->radius, &probe->ends[i]);
	}
	probe->is_placed = true;
	probe->is_fresh = false;
}

void probe_touch(Probe* probe)
{
	probe->is_fresh = false;
}

static double measure_clearance(const StoreMap* map, const Points* points)
{
	double clearance = HUGE_VAL;
	for (int i = 0; i + 1 < points->count; ++i)
	{
		for (int k = 0; k <= CLEARANCE_SAMPLES; ++k)
		{
			double t = (double)k / CLEARANCE_SAMPLES;
			NcVec2 point = nc_lerp(points->data[i], points->data[i + 1], t);
			clearance = nc_min(clearance, nc_query_get_clearance(map->query, point));
		}
	}
	return points->count > 1 ? clearance : 0.0;
}

static void read_points(const StoreMap* map, Points* points)
{
	int count = nc_query_get_path_points(map->query, NULL, 0);
	points_clear(points);
	NcVec2* place = points_reserve(points, count);
	if (place != NULL)
	{
		points->count = nc_query_get_path_points(map->query, place, count);
	}
}

static void read_corridor(Probe* probe, const StoreMap* map)
{
	int count = nc_query_get_corridor(map->query, NULL, 0);
	NcMapEvent* events = calloc((size_t)count + 1, sizeof(NcMapEvent));
	if (events != NULL)
	{
		nc_query_get_corridor(map->query, events, count);
		corridor_shape_add_path(&probe->corridor, events, count);
		corridor_shape_shrink(&probe->corridor, probe->radius);
		free(events);
	}
}

static bool find_route(Probe* probe, const StoreMap* map, ProbeRouteKind kind)
{
	ProbeRoute* route = &probe->routes[kind];
	PlanRequest request = {
		.start = probe->places[PROBE_START],
		.goal = probe->places[PROBE_GOAL],
		.radius = probe->radius,
		.route = route_kinds[kind],
		.profile = probe->has_profile ? &probe->profile : NULL,
	};
	NcPathInfo info;
	route->is_found = plan_find(map, &request, &info);
	if (route->is_found)
	{
		read_points(map, &route->points);
		route->length = info.length;
		route->cost = info.cost;
		route->clearance = measure_clearance(map, &route->points);
	}
	return route->is_found;
}

static void explain(Probe* probe)
{
	const char* names[] = {"start", "goal"};
	for (int i = 0; i < PROBE_END_COUNT; ++i)
	{
		if (!probe->fits[i])
		{
			snprintf(probe->reason, sizeof(probe->reason),
				"A disc of radius %.4g fits nowhere near the %s.", probe->radius, names[i]);
			return;
		}
	}
	if (probe->largest_radius >= 0.0)
	{
		snprintf(probe->reason, sizeof(probe->reason),
			"No way is wide enough: a radius of up to %.4g gets there.", probe->largest_radius);
		return;
	}
	snprintf(probe->reason, sizeof(probe->reason),
		"Start and goal are in parts of the map that are not connected.");
}

static void forget_answer(Probe* probe)
{
	for (int i = 0; i < PROBE_ROUTE_COUNT; ++i)
	{
		probe->routes[i].is_found = false;
		points_clear(&probe->routes[i].points);
	}
	corridor_shape_clear(&probe->corridor);
	probe->is_reachable = false;
	probe->largest_radius = -1.0;
	probe->reason[0] = '\0';
}

static void ask(Probe* probe, const StoreMap* map)
{
	bool fits = true;
	for (int i = 0; i < PROBE_END_COUNT; ++i)
	{
		probe->places[i] = probe->ends[i];
		probe->fits[i] = plan_find_closest(map, probe->ends[i], probe->radius, &probe->places[i]);
		fits = fits && probe->fits[i];
	}
	if (fits)
	{
		probe->largest_radius = nc_query_find_largest_radius(
			map->query, probe->places[PROBE_START], probe->places[PROBE_GOAL]);
		probe->is_reachable = find_route(probe, map, PROBE_MEDIAL);
	}
	if (!probe->is_reachable)
	{
		explain(probe);
		return;
	}
	read_corridor(probe, map);
	find_route(probe, map, PROBE_SHORTEST);
	if (map->terrain != NULL && probe->has_profile)
	{
		find_route(probe, map, PROBE_WEIGHTED);
	}
}

void probe_update(Probe* probe, const StoreMap* map)
{
	GdRid rid = map != NULL ? map->rid : 0;
	uint32_t iteration = map != NULL ? map->iteration : 0;
	if (probe->is_fresh && probe->map == rid && probe->iteration == iteration)
	{
		return;
	}
	forget_answer(probe);
	probe->is_fresh = true;
	probe->map = rid;
	probe->iteration = iteration;
	if (map == NULL || map->query == NULL)
	{
		probe->fits[PROBE_START] = probe->fits[PROBE_GOAL] = false;
		snprintf(
			probe->reason, sizeof(probe->reason), "There is no map here yet: bake the region.");
		return;
	}
	if (!probe->is_placed)
	{
		probe_place(probe, map);
		probe->is_fresh = true;
	}
	ask(probe, map);
}

void probe_free(Probe* probe)
{
	for (int i = 0; i < PROBE_ROUTE_COUNT; ++i)
	{
		points_free(&probe->routes[i].points);
	}
	corridor_shape_free(&probe->corridor);
}
