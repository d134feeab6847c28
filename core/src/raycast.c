// SPDX-License-Identifier: MIT
// Casting discs: where a disc that moves straight first touches something.
//
// The disc touches a wall when its centre enters the set of points within one radius of it: a
// stadium, which consists of two circles around the ends and the band between two parallels.
//
//          .--------------------.          The first contact is the earliest time at which
//         (   o------wall------o  )        the ray enters a circle, or crosses the parallel
//          '--------------------'          on its own side above the wall.
//
// Walls come from the grid, stretch by stretch along the ray, so that a contact nearby costs
// nothing for what lies beyond.

#include "query_state.h"

typedef struct Cast
{
	const NcDiagram* diagram;
	NcVec2 from;
	NcVec2 direction; // unit
	double radius;
	double best; // distance of the first contact so far
	NcVec2 point;
	NcFeature feature;
	NcVec2 tie_breaker; // of equal contacts, that of the lowest wall counts
} Cast;

static bool is_lower(NcVec2 a, NcVec2 b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static void offer(Cast* cast, double distance, NcVec2 point, NcFeature feature, NcVec2 tie_breaker)
{
	bool is_tie = distance == cast->best && is_lower(tie_breaker, cast->tie_breaker);
	if (distance < cast->best || is_tie)
	{
		cast->best = distance;
		cast->point = point;
		cast->feature = feature;
		cast->tie_breaker = tie_breaker;
	}
}

// How far the disc moves until it touches a point, or HUGE_VAL.
static double compute_point_distance(const Cast* cast, NcVec2 point)
{
	NcVec2 v = nc_sub(point, cast->from);
	double along = nc_dot(v, cast->direction);
	double across = nc_cross(cast->direction, v);
	double squared = cast->radius * cast->radius - across * across;
	if (along <= 0.0 || squared < 0.0)
	{
		return HUGE_VAL;
	}
	return nc_max(along - sqrt(squared), 0.0);
}

// Offer the contact with the side of a wall on which the disc starts.
static void offer_side(Cast* cast, int fragment)
{
	const NcWall* wall = &cast->diagram->sites.walls.data[fragment];
	NcDirection d = wall->direction;
	NcVec2 axis = {d.x * d.inverse_length, d.y * d.inverse_length};
	double height = nc_cross(axis, nc_sub(cast->from, wall->a));
	double approach = nc_cross(axis, cast->direction);
	int is_right = height < 0.0 || (height == 0.0 && approach > 0.0);
	double sign = is_right ? -1.0 : 1.0;
	if (!(sign * approach < 0.0))
	{
		return;
	}
	double distance = nc_max((sign * height - cast->radius) / (-sign * approach), 0.0);
	NcVec2 center = nc_mul_add(cast->from, distance, cast->direction);
	double t = nc_dot(nc_sub(center, wall->a), axis);
	if (t >= 0.0 && t <= nc_distance(wall->a, wall->b))
	{
		NcVec2 foot = nc_mul_add(wall->a, t, axis);
		offer(cast, distance, foot, nc_side_feature(2 * fragment + is_right), wall->a);
	}
}

static void offer_wall(Cast* cast, int fragment)
{
	const NcWall* wall = &cast->diagram->sites.walls.data[fragment];
	const int* ends = cast->diagram->snap.fragments.data[fragment].vertices;
	offer_side(cast, fragment);
	offer(cast, compute_point_distance(cast, wall->a), wall->a, nc_cone_feature(ends[0]), wall->a);
	offer(cast, compute_point_distance(cast, wall->b), wall->b, nc_cone_feature(ends[1]), wall->b);
}

static void visit_cell(Cast* cast, int cell, NcVec2 end, double limit)
{
	const NcDiagram* diagram = cast->diagram;
	const NcGrid* walls = &diagram->snap.fragment_grid;
	NcGridList list = walls->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int fragment = walls->pool.data[list.start + k];
		const NcWall* wall = &diagram->sites.walls.data[fragment];
		if (!wall->is_open &&
			nc_segment_segment_squared(cast->from, end, wall->a, wall->b) < limit * limit)
		{
			offer_wall(cast, fragment);
		}
	}
	const NcGrid* cones = &diagram->sites.cone_grid;
	list = cones->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int vertex = cones->pool.data[list.start + k];
		NcVec2 apex = diagram->sites.cones.data[vertex].apex;
		if (nc_distance(apex, nc_closest_on_segment(apex, cast->from, end)) < limit)
		{
			offer(cast, compute_point_distance(cast, apex), apex, nc_cone_feature(vertex), apex);
		}
	}
}

// Look at everything along one stretch of the ray.
static void visit_stretch(Cast* cast, NcVec2 a, NcVec2 b, NcVec2 end, double limit)
{
	const NcGrid* grid = &cast->diagram->snap.fragment_grid;
	NcSegmentCells cells = nc_grid_segment_cells(grid, a, b, limit);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			visit_cell(cast, j * grid->columns + i, end, limit);
		}
	}
}

// Stretches are some cells of the grid long.
#define STRETCH_CELLS 3.0

static void find_contact(Cast* cast, NcVec2 end, double length)
{
	const NcGrid* grid = &cast->diagram->snap.fragment_grid;
	double limit = nc_locate_get_limit(cast->radius);
	double step = STRETCH_CELLS * nc_max(grid->cell_width, grid->cell_height) + cast->radius;
	for (double begin = 0.0; begin < length && begin <= cast->best; begin += step)
	{
		NcVec2 a = nc_mul_add(cast->from, begin, cast->direction);
		bool is_last = begin + step >= length;
		NcVec2 b = is_last ? end : nc_mul_add(cast->from, begin + step, cast->direction);
		visit_stretch(cast, a, b, end, limit);
	}
}

// A point of no size touches from the side it comes from.
static NcVec2 compute_normal(const Cast* cast, NcVec2 center, double radius)
{
	if (radius > 0.0)
	{
		return nc_normalize(nc_sub(center, cast->point));
	}
	if (nc_feature_is_cone(cast->feature))
	{
		return nc_scale(-1.0, cast->direction);
	}
	int half = nc_feature_index(cast->feature);
	NcDirection d = cast->diagram->sites.walls.data[half >> 1].direction;
	return nc_scale((half & 1) ? -d.inverse_length : d.inverse_length, (NcVec2){-d.y, d.x});
}

static NcRayHit make_hit(const NcMap* map, double distance, NcVec2 center, NcVec2 point,
	NcVec2 normal, NcFeature feature)
{
	return (NcRayHit){
		.distance = map->snap * distance,
		.center = nc_map_to_world(map, center),
		.point = nc_map_to_world(map, point),
		.normal = normal,
		.obstacle = nc_map_get_feature_owner(map, feature),
	};
}

// In snaps. @return whether there is a contact
static bool cast_disc(const NcMap* map, NcVec2 from, NcVec2 to, double radius, NcRayHit* hit)
{
	const NcDiagram* diagram = &map->world.diagram;
	double limit = nc_locate_get_limit(radius);
	NcNearest nearest;
	if (!nc_locate_nearest(diagram, from, &nearest))
	{
		return false;
	}
	if (!nearest.is_free || nearest.distance < limit)
	{
		*hit = make_hit(map, 0.0, from, nearest.foot, nearest.away, nearest.feature);
		return true;
	}
	double length = nc_distance(from, to);
	Cast cast = {
		.diagram = diagram,
		.from = from,
		.direction = nc_normalize(nc_sub(to, from)),
		.radius = nc_max(radius, limit),
		.best = HUGE_VAL,
	};
	find_contact(&cast, to, length);
	if (!(cast.best < HUGE_VAL))
	{
		return false;
	}
	double distance = nc_min(cast.best, length);
	NcVec2 center = nc_mul_add(from, distance, cast.direction);
	NcVec2 normal = compute_normal(&cast, center, radius);
	*hit = make_hit(map, distance, center, cast.point, normal, cast.feature);
	return true;
}

bool nc_query_cast_disc(NcQuery* query, NcVec2 from, NcVec2 to, double radius, NcRayHit* hit)
{
	const NcMap* map = query->map;
	NcRayHit ignored;
	hit = hit != NULL ? hit : &ignored;
	*hit = (NcRayHit){0};
	if (!nc_is_finite(from) || !nc_is_finite(to) || !(radius >= 0.0) || !isfinite(radius))
	{
		return true;
	}
	// Whoever starts beyond this is not free; who goes there has left the world long before.
	double limit = 4.0 * NC_MAX_COORDINATE;
	NcVec2 a = nc_map_to_snaps(map, from);
	a = (NcVec2){nc_clamp(a.x, -limit, limit), nc_clamp(a.y, -limit, limit)};
	NcVec2 way = nc_sub(nc_map_to_snaps(map, to), a);
	double scale = nc_min(1.0, 2.0 * limit / nc_max(nc_max(fabs(way.x), fabs(way.y)), 1.0));
	NcVec2 b = scale < 1.0 ? nc_mul_add(a, scale, way) : nc_map_to_snaps(map, to);
	if (!nc_is_finite(b))
	{
		return true;
	}
	return cast_disc(map, a, b, radius * map->inverse_snap, hit);
}
