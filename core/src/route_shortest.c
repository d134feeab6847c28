// SPDX-License-Identifier: MIT
// The shortest route of a disc: the string through the corridor that is shortest along the medial
// axis, or through one that is likely to be better, and then whatever the search over all corridors
// finds that is shorter.

#include "query_state.h"

static double pull(NcQuery* query, const NcRouteEnds* ends)
{
	return nc_route_pull(query, ends->start, ends->goal, ends->radius);
}

static bool copy_arcs(NcQuery* query, bool is_back)
{
	int count = is_back ? query->spare_arcs.count : query->arcs.count;
	bool has_room = is_back ? nc_array_reserve(&query->arcs, count)
							: nc_array_reserve(&query->spare_arcs, count);
	if (has_room)
	{
		NcPathArc* to = is_back ? query->arcs.data : query->spare_arcs.data;
		const NcPathArc* from = is_back ? query->spare_arcs.data : query->arcs.data;
		memcpy(to, from, sizeof(NcPathArc) * (size_t)count);
		*(is_back ? &query->arcs.count : &query->spare_arcs.count) = count;
	}
	return has_room;
}

// Of the corridor that the medial axis prefers and the one through good gates, keep the one with
// the shorter string.
static double choose_first(NcQuery* query, const NcRouteEnds* ends)
{
	double length = pull(query, ends);
	if (!copy_arcs(query, false) || !nc_route_search_gates(query, ends))
	{
		return length;
	}
	double other = pull(query, ends);
	if (other < length)
	{
		return other;
	}
	return copy_arcs(query, true) ? pull(query, ends) : HUGE_VAL;
}

// A string runs along corners at exactly the disc's radius; rounding may take this much, in snaps.
#define CLEARANCE_SLACK 0.01

// Whether the disc really can walk along the string: its straight pieces are measured against all
// walls around them, and its arcs have their ends in common with these. A point touches corners, so
// there is nothing to measure for it.
static bool is_clear(const NcQuery* query, double radius)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	double needed = radius - CLEARANCE_SLACK;
	for (int i = 0; i < query->route.pieces.count && needed > 0.0; ++i)
	{
		const NcRoutePiece* piece = &query->route.pieces.data[i];
		if (piece->angle == 0.0 &&
			!nc_locate_is_segment_free(diagram, piece->from, piece->to, needed))
		{
			return false;
		}
	}
	return true;
}

void nc_route_build_shortest(NcQuery* query, const NcRouteEnds* ends, int budget)
{
	double length = budget > 0 ? choose_first(query, ends) : pull(query, ends);
	if (budget > 0 && length < HUGE_VAL && nc_route_search_taut(query, ends, length, budget))
	{
		pull(query, ends);
	}
	// The search over all corridors is known to be wrong now and then, for wide discs in narrow
	// places. The corridor that the medial axis prefers is a safe place to fall back to.
	if (budget > 0 && !is_clear(query, ends->radius) && copy_arcs(query, true))
	{
		pull(query, ends);
	}
	if (!is_clear(query, ends->radius))
	{
		nc_route_build_medial(query, ends);
	}
}
