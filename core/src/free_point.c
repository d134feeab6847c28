// SPDX-License-Identifier: MIT
// The nearest point at which a disc fits.
//
// Unless it is the point itself, it lies at a distance of exactly one radius from its nearest
// feature, so it is looked for cell by cell, the nearest first. Within a cell the points at that
// distance are a parallel of the side, or an arc around the corner, wherever the border of the cell
// is farther away:
//
//        border   ___________             clearance >= radius between the two x
//              x''           ''x
//        -----'-----------------'-----    the points at distance `radius`
//      ==================================  side
//
// The border consists of arcs along which the clearance falls to a single minimum and rises again;
// where it equals the radius is known in closed form.

#include "query_state.h"

// A stretch of the border along which the clearance does not fall.
typedef struct Slope
{
	NcVec2 low, high;
	double low_clearance, high_clearance;
} Slope;

typedef struct Search
{
	const NcDiagram* diagram;
	NcVec2 p;
	double radius;
	double best_distance;
	NcVec2 best;
} Search;

// Where the clearance on a slope of an arc equals the radius. Needs that it does somewhere.
static NcVec2 compute_crossing(const NcArc* arc, const Slope* slope, double radius)
{
	if (arc->kind == NC_ARC_TWO_SIDES)
	{
		double s = (radius - slope->low_clearance) / (slope->high_clearance - slope->low_clearance);
		return nc_lerp(slope->low, slope->high, s);
	}
	if (arc->kind == NC_ARC_TWO_CORNERS)
	{
		double half = 0.5 * arc->height;
		double along = sqrt(nc_max(radius * radius - half * half, 0.0));
		return nc_mul_add(arc->corner, along, nc_normalize(nc_sub(slope->high, slope->low)));
	}
	// (t^2 + y^2) / (2 y) = r
	double y = arc->height;
	double t = sqrt(nc_max(y * (2.0 * radius - y), 0.0));
	bool is_negative = nc_dot(nc_sub(slope->high, slope->low), arc->axis) < 0.0;
	NcVec2 point = nc_mul_add(arc->corner, is_negative ? -t : t, arc->axis);
	return nc_mul_add(point, radius - y, arc->normal);
}

static void offer(Search* search, NcVec2 candidate)
{
	double distance = nc_distance(candidate, search->p);
	bool is_lower = candidate.x < search->best.x ||
					(candidate.x == search->best.x && candidate.y < search->best.y);
	if (distance < search->best_distance || (distance == search->best_distance && is_lower))
	{
		search->best_distance = distance;
		search->best = candidate;
	}
}

// Offer the nearest point above the part of a side between the feet of two border points.
static void offer_above_side(Search* search, NcFeature side, NcVec2 from, NcVec2 to)
{
	const NcDiagram* diagram = search->diagram;
	NcVec2 a = nc_diagram_compute_foot(diagram, side, from);
	NcVec2 b = nc_diagram_compute_foot(diagram, side, to);
	int half = nc_feature_index(side);
	NcDirection d = diagram->sites.walls.data[half >> 1].direction;
	double sign = (half & 1) ? -1.0 : 1.0;
	NcVec2 normal = nc_scale(sign * d.inverse_length, (NcVec2){-d.y, d.x});
	NcVec2 foot = nc_closest_on_segment(search->p, a, b);
	offer(search, nc_mul_add(foot, search->radius, normal));
}

// Offer the nearest point around a corner between the directions of two border points.
static void offer_around_corner(Search* search, NcFeature cone, NcVec2 from, NcVec2 to)
{
	NcVec2 apex = search->diagram->sites.cones.data[nc_feature_index(cone)].apex;
	NcVec2 u = nc_normalize(nc_sub(from, apex));
	NcVec2 v = nc_normalize(nc_sub(to, apex));
	NcVec2 w = nc_normalize(nc_sub(search->p, apex));

	// The border runs clockwise around its corner.
	bool is_after_u = nc_cross(w, u) >= 0.0;
	bool is_before_v = nc_cross(v, w) >= 0.0;
	bool is_wide = nc_cross(u, v) > 0.0;
	bool is_inside = is_wide ? is_after_u || is_before_v : is_after_u && is_before_v;
	if (is_inside && nc_length_squared(w) > 0.0)
	{
		offer(search, nc_mul_add(apex, search->radius, w));
	}
	offer(search, nc_mul_add(apex, search->radius, u));
	offer(search, nc_mul_add(apex, search->radius, v));
}

// Offer what lies below the part of a slope that is high enough.
static void offer_slope(Search* search, int piece, const NcArc* arc, Slope slope, bool is_rising)
{
	if (slope.high_clearance < search->radius)
	{
		return;
	}
	NcVec2 low = slope.low_clearance >= search->radius
					 ? slope.low
					 : compute_crossing(arc, &slope, search->radius);
	NcVec2 from = is_rising ? low : slope.high;
	NcVec2 to = is_rising ? slope.high : low;
	NcFeature owner = nc_piece_owner(search->diagram, piece);
	nc_feature_is_cone(owner) ? offer_around_corner(search, owner, from, to)
							  : offer_above_side(search, owner, from, to);
}

static void offer_piece(Search* search, int piece)
{
	NcArc arc = nc_arc_of_piece(search->diagram, piece);
	NcVec2 lowest;
	double min = nc_arc_find_min(&arc, &lowest);
	Slope falling = {lowest, arc.ends[0], min, arc.clearances[0]};
	Slope rising = {lowest, arc.ends[1], min, arc.clearances[1]};
	offer_slope(search, piece, &arc, falling, false);
	offer_slope(search, piece, &arc, rising, true);
}

// Contraction may move the ends of a piece by less than this, in snaps.
#define ALONG_SLACK 1.0

// Whether a piece above a side is too far along it to matter.
static bool is_far_along(const Search* search, int piece, NcVec2 axis)
{
	const NcRecord* records = search->diagram->records.data;
	double before = nc_dot(nc_sub(records[piece].position, search->p), axis);
	double after = nc_dot(nc_sub(search->p, records[piece + 1].position), axis);
	return nc_max(before, after) - ALONG_SLACK > search->best_distance;
}

// The unit direction of a side; zero for a cone, along which nothing is far.
static NcVec2 get_axis(const NcDiagram* diagram, NcFeature feature)
{
	int half = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return (NcVec2){0.0, 0.0};
	}
	NcDirection d = diagram->sites.walls.data[half >> 1].direction;
	return nc_scale((half & 1) ? -d.inverse_length : d.inverse_length, (NcVec2){d.x, d.y});
}

// Offer everything in a cell, unless its feature is too far away or too near to matter.
static void offer_cell(Search* search, NcFeature feature)
{
	const NcDiagram* diagram = search->diagram;
	if (!nc_feature_exists(&diagram->sites, feature))
	{
		return;
	}
	NcVec2 foot = nc_diagram_compute_foot(diagram, feature, search->p);
	if (nc_distance(foot, search->p) - search->radius > search->best_distance)
	{
		return;
	}
	NcVec2 axis = get_axis(diagram, feature);
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	for (int piece = cell->begin; piece < cell->begin + cell->count; ++piece)
	{
		if (nc_piece_is_linked(diagram, piece) && !is_far_along(search, piece, axis))
		{
			offer_piece(search, piece);
		}
	}
}

// Offer the features of a grid cell that were not met in another one.
static void visit_cell(NcQuery* query, Search* search, int cell)
{
	const NcDiagram* diagram = search->diagram;
	const NcGrid* walls = &diagram->snap.fragment_grid;
	NcGridList list = walls->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int fragment = walls->pool.data[list.start + k];
		if (query->wall_stamps.data[fragment] != query->wall_stamp)
		{
			query->wall_stamps.data[fragment] = query->wall_stamp;
			offer_cell(search, nc_side_feature(2 * fragment));
			offer_cell(search, nc_side_feature(2 * fragment + 1));
		}
	}
	const NcGrid* cones = &diagram->sites.cone_grid;
	list = cones->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		offer_cell(search, nc_cone_feature(cones->pool.data[list.start + k]));
	}
}

// Look at rings of grid cells until nothing beyond them can be nearer: what a feature offers is one
// radius away from it.
static void visit_rings(NcQuery* query, Search* search)
{
	const NcGrid* grid = &search->diagram->snap.fragment_grid;
	NcCellRange ring = nc_grid_range(grid, (NcBox){search->p, search->p});
	for (;;)
	{
		for (int j = ring.j0 < 0 ? 0 : ring.j0; j <= ring.j1 && j < grid->rows; ++j)
		{
			bool is_whole_row = j == ring.j0 || j == ring.j1;
			int step = is_whole_row || ring.i1 == ring.i0 ? 1 : ring.i1 - ring.i0;
			for (int i = ring.i0; i <= ring.i1; i += step)
			{
				if (i >= 0 && i < grid->columns)
				{
					visit_cell(query, search, j * grid->columns + i);
				}
			}
		}
		double reached = nc_locate_ring_distance(grid, search->p, ring);
		if (reached == HUGE_VAL || search->best_distance < reached - search->radius)
		{
			return;
		}
		ring = (NcCellRange){ring.i0 - 1, ring.j0 - 1, ring.i1 + 1, ring.j1 + 1};
	}
}

// Prepare the marks of walls. @return false if memory ran out
static bool begin_walls(NcQuery* query)
{
	int count = query->map->world.diagram.snap.fragments.count;
	query->wall_stamps.failed = false;
	if (query->wall_stamps.count < count && !nc_array_resize(&query->wall_stamps, count))
	{
		return false;
	}
	if (++query->wall_stamp == 0)
	{
		memset(query->wall_stamps.data, 0, sizeof(uint32_t) * (size_t)query->wall_stamps.count);
		query->wall_stamp = 1;
	}
	return true;
}

bool nc_query_find_free_point(NcQuery* query, NcVec2 point, double radius, NcVec2* found)
{
	const NcMap* map = query->map;
	if (!nc_is_finite(point) || !(radius >= 0.0) || !isfinite(radius))
	{
		return false;
	}
	NcNearest nearest;
	NcVec2 p = nc_map_to_snaps(map, point);
	double limit = 4.0 * NC_MAX_COORDINATE;
	p = (NcVec2){nc_clamp(p.x, -limit, limit), nc_clamp(p.y, -limit, limit)};
	Search search = {.diagram = &map->world.diagram,
		.p = p,
		.radius = radius * map->inverse_snap,
		.best_distance = HUGE_VAL};
	if (nc_locate_nearest(search.diagram, p, &nearest) && nearest.is_free &&
		nearest.distance >= search.radius)
	{
		*found = point;
		return true;
	}
	if (!begin_walls(query))
	{
		return false;
	}
	visit_rings(query, &search);
	if (search.best_distance < HUGE_VAL)
	{
		*found = nc_map_to_world(map, search.best);
	}
	return search.best_distance < HUGE_VAL;
}
