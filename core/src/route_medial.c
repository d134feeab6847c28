// SPDX-License-Identifier: MIT
// The route along the medial axis: as far from everything as possible.

#include "query_state.h"

// Half of what the disc can spare is safe; beyond a fiftieth of the clearance the path would look
// angular.
double nc_route_choose_tolerance(const NcArc* arc, double radius)
{
	NcVec2 position;
	double min = nc_arc_find_min(arc, &position);
	double coarsest = nc_max(min / 50.0, NC_MIN_TOLERANCE);
	return nc_clamp(0.5 * (min - radius), NC_MIN_TOLERANCE, coarsest);
}

void nc_route_push_segment(NcQuery* query, NcVec2* at, NcVec2 to)
{
	NcRoutePiece piece = {.from = *at, .to = to, .length = nc_distance(*at, to)};
	*at = to;
	if (piece.length > 0.0)
	{
		nc_array_push(&query->route.pieces, piece);
		nc_array_push(&query->route.rooms, 0.0);
	}
}

void nc_route_build_medial(NcQuery* query, const NcRouteEnds* ends)
{
	query->route.pieces.count = query->route.rooms.count = 0;
	NcVec2 at = ends->start;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		const NcArc* arc = &query->arcs.data[i].arc;
		int parts = nc_arc_count_parts(arc, nc_route_choose_tolerance(arc, ends->radius));
		for (int k = 0; k <= parts; ++k)
		{
			nc_route_push_segment(query, &at, nc_arc_get_point(arc, k, parts));
		}
	}
	nc_route_push_segment(query, &at, ends->goal);
}
