// SPDX-License-Identifier: MIT
// How good a walked path is: length, curvature, clearance, acceleration, jerk, time on terrain.

#include "nav_corridor/steer.h"

#include <string.h>

// One over the radius of the circle through three points: four times the area of their triangle, by
// the product of its sides.
static double compute_curvature(NcVec2 a, NcVec2 b, NcVec2 c)
{
	double sides = nc_distance(a, b) * nc_distance(b, c) * nc_distance(c, a);
	double area = fabs(nc_cross(nc_sub(b, a), nc_sub(c, a)));
	return sides > 0.0 ? 2.0 * area / sides : 0.0;
}

// The mean over all points but the ends, as in the paper. Where the agent stands there is no
// circle.
static double measure_curvature(const NcVec2* points, int count)
{
	double sum = 0.0;
	for (int i = 1; i + 1 < count; ++i)
	{
		sum += compute_curvature(points[i - 1], points[i], points[i + 1]);
	}
	return count > 2 ? sum / (count - 2) : 0.0;
}

static void measure_steps(
	const NcTerrain* terrain, const NcVec2* points, int count, double dt, NcPathMetrics* metrics)
{
	for (int i = 1; i < count; ++i)
	{
		double length = nc_distance(points[i - 1], points[i]);
		double lengths[NC_TERRAIN_TYPE_COUNT];
		metrics->length += length;
		if (terrain == NULL || !(length > 0.0))
		{
			int type = terrain != NULL ? nc_terrain_get_type(terrain, points[i]) : 0;
			metrics->times[type] += dt;
			continue;
		}
		nc_terrain_measure_segment(terrain, points[i - 1], points[i], lengths);
		for (int t = 0; t < NC_TERRAIN_TYPE_COUNT; ++t)
		{
			metrics->times[t] += dt * lengths[t] / length;
		}
	}
}

static void measure_bends(const NcVec2* points, int count, double dt, NcPathMetrics* metrics)
{
	double acceleration = 0.0, jerk = 0.0;
	for (int i = 1; i + 1 < count; ++i)
	{
		NcVec2 second = nc_sub(nc_add(points[i - 1], points[i + 1]), nc_scale(2.0, points[i]));
		double size = nc_length(second) / (dt * dt);
		acceleration += size;
		metrics->max_acceleration = nc_max(metrics->max_acceleration, size);
		if (i + 2 < count)
		{
			NcVec2 next = nc_sub(nc_add(points[i], points[i + 2]), nc_scale(2.0, points[i + 1]));
			jerk += nc_distance(next, second) / (dt * dt * dt);
		}
	}
	metrics->mean_curvature = measure_curvature(points, count);
	metrics->mean_acceleration = count > 2 ? acceleration / (count - 2) : 0.0;
	metrics->mean_jerk = count > 3 ? jerk / (count - 3) : 0.0;
}

NcPathMetrics nc_path_measure(
	NcQuery* query, const NcTerrain* terrain, const NcVec2* points, int point_count, double dt)
{
	NcPathMetrics metrics = {0};
	if (point_count < 1 || !(dt > 0.0))
	{
		return metrics;
	}
	metrics.time = (point_count - 1) * dt;
	metrics.min_clearance = HUGE_VAL;
	for (int i = 0; i < point_count; ++i)
	{
		double clearance = nc_query_get_clearance(query, points[i]);
		metrics.min_clearance = nc_min(metrics.min_clearance, clearance);
		metrics.mean_clearance += clearance / point_count;
	}
	measure_steps(terrain, points, point_count, dt, &metrics);
	measure_bends(points, point_count, dt, &metrics);
	return metrics;
}
