// SPDX-License-Identifier: MIT
// The shortest route of a disc.
//
// Most routes have few corners around them: the search over all corridors (taut.h) is asked first,
// and has proven the shortest string within a few hundred steps. Where it has not, it is given a
// bound: the string through the corridor that is shortest along the medial axis, or through one
// that is likely to be better. Then it goes on, as long as there is any hope of its getting
// through. In worlds with very many corners there is not, and that string is the answer.

#include "taut.h"

// After this many steps a search for the shortest string is given a bound, or given up.
#define TRIAL_STEPS 256

// Whether the disc really can walk along the route that was pulled: see is_clear() in taut_ends.c.
static bool is_clear(const NcQuery* query, double radius)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	double needed = radius - NC_TAUT_SLACK;
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

// @return the length of the string in the corridor, or HUGE_VAL if it is no way for the disc
static double pull(NcQuery* query, const NcRouteEnds* ends)
{
	double length = nc_route_pull(query, ends->start, ends->goal, ends->radius);
	return length < HUGE_VAL && is_clear(query, ends->radius) ? length : HUGE_VAL;
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

// Whether nothing is between start and goal. If they are close together, there may be no portal
// between them, and the search over all corridors has no way to get from one to the other.
static bool is_direct(const NcQuery* query, const NcRouteEnds* ends)
{
	return nc_locate_is_segment_free(
		&query->map->world.diagram, ends->start, ends->goal, ends->radius);
}

// Look for a string that is shorter than what the pieces are now, and take it.
static bool improve(NcQuery* query, const NcRouteEnds* ends, double length, int budget)
{
	NcTaut own;
	NcTaut* taut = query->taut;
	if (taut == NULL)
	{
		taut = &own;
		if (!nc_taut_begin(taut, query, ends))
		{
			return false;
		}
	}
	taut->limit = nc_min(taut->limit, length);
	int steps = budget < TRIAL_STEPS ? budget : TRIAL_STEPS;
	while (!nc_taut_run(taut, steps) && steps < budget && !nc_taut_is_hopeless(taut, budget) &&
		   !nc_query_failed(query))
	{
		steps = steps < budget / 2 ? 2 * steps : budget;
	}
	return taut->best.node != NC_NULL_INDEX && taut->best.length < length && nc_taut_build(taut);
}

void nc_route_build_shortest(NcQuery* query, const NcRouteEnds* ends, int budget)
{
	if (budget > 0 && is_direct(query, ends))
	{
		NcVec2 at = ends->start;
		query->route.pieces.count = query->route.rooms.count = 0;
		nc_route_push_segment(query, &at, ends->goal);
		return;
	}
	double length = budget > 0 ? choose_first(query, ends) : pull(query, ends);
	if (budget > 0 && improve(query, ends, length, budget))
	{
		return;
	}
	if (!(length < HUGE_VAL))
	{
		nc_route_build_medial(query, ends);
	}
}

bool nc_route_try_shortest(NcQuery* query, NcTaut* taut, const NcRouteEnds* ends, int budget)
{
	double distance = nc_distance(ends->start, ends->goal);
	bool is_found = nc_taut_begin(taut, query, ends) && !taut->is_close &&
					nc_taut_run(taut, budget < TRIAL_STEPS ? budget : TRIAL_STEPS) &&
					taut->best.node != NC_NULL_INDEX;
	if (is_found && taut->best.length > distance + NC_TAUT_SAME_LENGTH && is_direct(query, ends))
	{
		return false;
	}
	return is_found && nc_taut_build(taut);
}
