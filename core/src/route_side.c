// SPDX-License-Identifier: MIT
// Routes that keep to a side: every point of the medial axis is moved towards its closest obstacle
// point on that side, by a part of the room that the disc has there.
//
// A moved point stays within the disc of its place, so it keeps its distance. Between two of them
// that belong to the same corner the route goes around that corner, outside of the arc.

#include "query_state.h"

// Spokes that differ by more than this, in radians, get others in between.
#define SPOKE_STEP 0.3

static double compute_angle(NcVec2 center, NcVec2 from, NcVec2 to)
{
	NcVec2 a = nc_sub(from, center);
	NcVec2 b = nc_sub(to, center);
	return fabs(nc_atan2(nc_cross(a, b), nc_dot(a, b)));
}

// The clearance of a point of an arc: its distance to the foot.
static NcVec2 move_aside(NcVec2 p, NcVec2 foot, double part, double radius)
{
	double clearance = nc_distance(p, foot);
	double room = nc_max(clearance - radius, 0.0);
	return clearance > 0.0 ? nc_lerp(p, foot, part * room / clearance) : p;
}

// Around a corner: through where the tangents at both points meet, or nearly so.
static void go_around(NcQuery* query, NcVec2* at, NcVec2 corner, NcVec2 to)
{
	NcVec2 a = nc_sub(*at, corner);
	NcVec2 b = nc_sub(to, corner);
	NcVec2 middle = nc_add(nc_normalize(a), nc_normalize(b));
	double half_cosine = 0.5 * nc_length(middle);
	double distance = nc_max(nc_length(a), nc_length(b));
	if (half_cosine > 0.5 && half_cosine < 1.0)
	{
		NcVec2 u = nc_normalize(middle);
		nc_route_push_segment(query, at, nc_mul_add(corner, distance / half_cosine, u));
	}
	nc_route_push_segment(query, at, to);
}

static void push_arc(NcQuery* query, const NcPathArc* item, const NcRouteEnds* ends, NcVec2* at)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	int left = ends->side > 0.0;
	int piece = left ? nc_piece_twin(diagram, item->piece) : item->piece;
	NcFeature feature = nc_piece_owner(diagram, piece);
	double part = nc_min(fabs(ends->side), 1.0);
	NcVec2 first_foot = nc_diagram_compute_foot(diagram, feature, item->arc.ends[0]);
	bool is_corner = nc_feature_is_cone(feature);
	double angle =
		is_corner ? compute_angle(first_foot, item->arc.ends[0], item->arc.ends[1]) : 0.0;
	int parts = nc_arc_count_parts(&item->arc, nc_max(0.02 * item->arc.clearances[0], 0.01));
	int needed = (int)ceil(angle / SPOKE_STEP);
	parts = parts > needed ? parts : needed;
	for (int k = 0; k <= parts; ++k)
	{
		NcVec2 p = nc_arc_get_point(&item->arc, k, parts);
		NcVec2 foot = nc_diagram_compute_foot(diagram, feature, p);
		NcVec2 moved = move_aside(p, foot, part, ends->radius);
		k > 0 && is_corner ? go_around(query, at, foot, moved)
						   : nc_route_push_segment(query, at, moved);
	}
}

void nc_route_build_side(NcQuery* query, const NcRouteEnds* ends)
{
	query->route.pieces.count = query->route.rooms.count = 0;
	NcVec2 at = ends->start;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		push_arc(query, &query->arcs.data[i], ends, &at);
	}
	nc_route_push_segment(query, &at, ends->goal);
}
