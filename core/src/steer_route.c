// SPDX-License-Identifier: MIT
// Routes, prepared for steering: lengths along them, and samples.

#include "steer_state.h"

#include "check.h"

// How many samples a route has at most, its points aside.
#define MAX_SAMPLES 2048.0

double nc_steer_get_margin(const NcMap* map, double radius)
{
	return nc_max(1e-6 * radius, 1e-3 * map->snap);
}

double nc_steer_get_route_radius(const NcMap* map, double radius)
{
	return radius + 4.0 * nc_steer_get_margin(map, radius);
}

static void copy_points(NcSteerRoute* route, const NcVec2* points, int count)
{
	double length = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double step = i > 0 ? nc_distance(points[i - 1], points[i]) : 1.0;
		if (step > 0.0)
		{
			length += i > 0 ? step : 0.0;
			nc_array_push(&route->points, points[i]);
			nc_array_push(&route->lengths, length);
		}
	}
}

static void count_samples(NcSteerRoute* route)
{
	double length = nc_steer_route_length(route);
	route->step = nc_max(length / MAX_SAMPLES, 0.25 * route->radius);
	int count = 0;
	nc_array_push(&route->samples, count);
	for (int i = 0; i + 1 < route->points.count; ++i)
	{
		double span = route->lengths.data[i + 1] - route->lengths.data[i];
		count += (int)(span / route->step) + 1;
		nc_array_push(&route->samples, count);
	}
}

static NcStatus check_points(
	NcQuery* query, const NcVec2* points, int count, double radius, NcError* error)
{
	if (!(radius >= 0.0) || !isfinite(radius))
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX, "the radius must be zero or more");
	}
	if (count < 2)
	{
		return nc_fail(error, NC_INVALID_INPUT, 0, "a route needs at least two points");
	}
	double plan_radius = radius + nc_steer_get_margin(query->map, radius);
	bool is_somewhere_else = false;
	for (int i = 0; i < count; ++i)
	{
		if (!nc_is_finite(points[i]))
		{
			return nc_fail(error, NC_INVALID_INPUT, i, "a point of the route is not a number");
		}
		is_somewhere_else |= nc_distance(points[0], points[i]) > 0.0;
	}
	for (int i = 0; i + 1 < count; ++i)
	{
		if (!nc_query_is_segment_free(query, points[i], points[i + 1], plan_radius))
		{
			return nc_fail(error, NC_INVALID_INPUT, i,
				"the disc does not fit along this segment of the route");
		}
	}
	return is_somewhere_else
			   ? NC_OK
			   : nc_fail(error, NC_INVALID_INPUT, 0, "a route needs at least two different points");
}

static void measure_clearances(NcSteerRoute* route, NcQuery* query)
{
	double length = nc_steer_route_length(route);
	route->revision = query->map->revision;
	for (int i = 0; i <= NC_STEER_PIECE_COUNT; ++i)
	{
		NcVec2 p = nc_steer_route_get_point(route, length * i / NC_STEER_PIECE_COUNT);
		route->clearances[i] = nc_query_get_clearance(query, p);
	}
}

static bool fill_route(
	NcSteerRoute* route, NcQuery* query, const NcVec2* points, int count, double radius)
{
	route->radius = radius;
	copy_points(route, points, count);
	if (route->points.failed || route->lengths.failed)
	{
		return false;
	}
	count_samples(route);
	measure_clearances(route, query);
	return !route->samples.failed;
}

static void free_route(NcSteerRoute* route)
{
	nc_array_free(&route->points);
	nc_array_free(&route->lengths);
	nc_array_free(&route->samples);
}

NcStatus nc_steer_route_create(NcQuery* query, const NcVec2* points, int point_count, double radius,
	NcSteerRoute** route, NcError* error)
{
	*route = NULL;
	NcStatus status = check_points(query, points, point_count, radius, error);
	if (status != NC_OK)
	{
		return status;
	}
	NcSteerRoute* created = nc_allocate(NULL, 0, sizeof(NcSteerRoute));
	if (created == NULL)
	{
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the route");
	}
	*created = (NcSteerRoute){0};
	if (!fill_route(created, query, points, point_count, radius))
	{
		nc_steer_route_destroy(created);
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the route");
	}
	*route = created;
	return NC_OK;
}

// Whether an update after a revision changed anything in a box.
static bool has_changed(const NcMap* map, NcBox box, uint32_t since)
{
	const NcChanges* changes = &map->changes;
	if (since < changes->forgotten)
	{
		return true;
	}
	for (int i = changes->boxes.count - 1; i >= 0; --i)
	{
		const NcChangedBox* changed = &changes->boxes.data[i];
		if (changed->revision <= since)
		{
			return false;
		}
		if (nc_box_overlaps(changed->box, box))
		{
			return true;
		}
	}
	return false;
}

bool nc_steer_route_recheck(NcQuery* query, const NcSteerRoute* route, double from, uint32_t since)
{
	double plan_radius = route->radius + nc_steer_get_margin(query->map, route->radius);
	NcVec2 a = nc_steer_route_get_point(route, from);
	for (int i = nc_steer_route_find_segment(route, from) + 1; i < route->points.count; ++i)
	{
		NcVec2 b = route->points.data[i];
		NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), a), b);
		if (has_changed(query->map, nc_box_grow(box, plan_radius), since) &&
			!nc_query_is_segment_free(query, a, b, plan_radius))
		{
			return false;
		}
		a = b;
	}
	return true;
}

void nc_steer_route_destroy(NcSteerRoute* route)
{
	if (route != NULL)
	{
		free_route(route);
		nc_allocate(route, sizeof(NcSteerRoute), 0);
	}
}

double nc_steer_route_get_length(const NcSteerRoute* route)
{
	return nc_steer_route_length(route);
}

int nc_steer_route_find_segment(const NcSteerRoute* route, double length)
{
	int low = 0;
	int high = route->lengths.count - 2;
	while (low < high)
	{
		int middle = (low + high + 1) / 2;
		if (route->lengths.data[middle] <= length)
		{
			low = middle;
		}
		else
		{
			high = middle - 1;
		}
	}
	return low;
}

NcVec2 nc_steer_route_get_point(const NcSteerRoute* route, double length)
{
	int i = nc_steer_route_find_segment(route, length);
	double begin = route->lengths.data[i];
	double s = (length - begin) / (route->lengths.data[i + 1] - begin);
	return nc_lerp(route->points.data[i], route->points.data[i + 1], nc_clamp(s, 0.0, 1.0));
}

NcSteerSample nc_steer_route_get_sample(const NcSteerRoute* route, int index)
{
	int low = 0;
	int high = route->points.count - 1;
	while (high - low > 1)
	{
		int middle = (low + high) / 2;
		bool is_before = route->samples.data[middle] < index;
		low = is_before ? middle : low;
		high = is_before ? high : middle;
	}
	double begin = route->lengths.data[low];
	int first = route->samples.data[low];
	double s = (double)(index - first) / (route->samples.data[high] - first);
	return (NcSteerSample){nc_lerp(route->points.data[low], route->points.data[high], s),
		begin + s * (route->lengths.data[high] - begin)};
}

// Lengths and clearances have some units in the last place of error.
#define BOUND_MARGIN (1.0 + 1e-9)

double nc_steer_route_bound_clearance(
	const NcQuery* query, const NcSteerRoute* route, double length)
{
	if (route->revision != query->map->revision)
	{
		return HUGE_VAL;
	}
	double step = nc_steer_route_length(route) / NC_STEER_PIECE_COUNT;
	int nearest = (int)nc_min(length / step + 0.5, NC_STEER_PIECE_COUNT);
	return (route->clearances[nearest] + fabs(length - step * nearest)) * BOUND_MARGIN;
}

NcAgent nc_steer_make_agent(const NcSteerRoute* route, double radius, double max_speed)
{
	const NcVec2* points = route->points.data;
	return (NcAgent){
		.position = points[0],
		.radius = radius,
		.max_speed = max_speed,
		.max_acceleration = 5.0,
		.attraction_point = points[0],
		.heading = nc_atan2(points[1].y - points[0].y, points[1].x - points[0].x),
	};
}

// Put a fresh route into an old one's place.
static NcStatus replace_route(
	NcQuery* query, NcSteerRoute* route, const NcVec2* points, int count, NcAgent* agent)
{
	NcSteerRoute fresh = {0};
	if (check_points(query, points, count, route->radius, NULL) != NC_OK)
	{
		return NC_NOT_FOUND;
	}
	if (!fill_route(&fresh, query, points, count, route->radius))
	{
		free_route(&fresh);
		return NC_OUT_OF_MEMORY;
	}
	free_route(route);
	*route = fresh;
	agent->reference = agent->attraction = agent->stall_time = 0.0;
	agent->attraction_point = agent->position;
	return NC_OK;
}

NcStatus nc_steer_route_replan(NcQuery* query, NcSteerRoute* route, NcAgent* agent)
{
	NcPathDef def = nc_default_path_def();
	def.start = agent->position;
	def.goal = route->points.data[route->points.count - 1];
	def.radius = nc_steer_get_route_radius(query->map, route->radius);
	// Where the agent touches a wall, it has to leave it first.
	NcPathInfo info;
	NcVec2 free_start = def.start;
	nc_query_find_free_point(query, def.start, def.radius, &free_start);
	def.start = free_start;
	if (!nc_query_find_path(query, &def, &info))
	{
		return info.outcome == NC_PATH_OUT_OF_MEMORY ? NC_OUT_OF_MEMORY : NC_NOT_FOUND;
	}
	NcArray(NcVec2) points = {0};
	NcStatus status = NC_OUT_OF_MEMORY;
	if (nc_array_resize(&points, info.point_count))
	{
		nc_query_get_path_points(query, points.data, info.point_count);
		status = replace_route(query, route, points.data, info.point_count, agent);
	}
	nc_array_free(&points);
	return status;
}
