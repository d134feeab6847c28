// SPDX-License-Identifier: MIT
// The shortest route of a disc.
//
// Most routes have few corners around them: the search over all corridors (taut.h) is asked first,
// and has proven the shortest string within some dozen steps. Where it has not, it is given a
// bound: the string through the corridor that is shortest along the medial axis, or through one
// that is likely to be better. Then it goes on for as long as it is expected to end within its
// budget. In worlds with very many corners it is not, and that string is the answer.

#include "taut.h"

// After this many steps a search for the shortest string is given a bound.
#define TRIAL_STEPS 75

// Whether the disc really can walk along the route that was pulled: see is_clear() in taut_ends.c.
static bool is_clear(const NcQuery* query, double radius)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	double needed = radius - NC_TAUT_SLACK;
	for (int i = 0; i < query->route.pieces.count && needed > 0.0; ++i)
	{
		const NcRoutePiece* piece = &query->route.pieces.data[i];
		if (piece->angle == 0.0 &&
			!nc_locate_is_segment_clear(diagram, piece->from, piece->to, needed))
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

// Exchange the route and its corridor with the spare ones.
static void swap_routes(NcQuery* query)
{
	NcRouteMemory* memory = &query->route;
	NcPathArcArray arcs = query->arcs;
	NcRoutePieceArray pieces = memory->pieces;
	NcDoubleArray rooms = memory->rooms;
	query->arcs = query->spare_arcs;
	memory->pieces = memory->spare_pieces;
	memory->rooms = memory->spare_rooms;
	query->spare_arcs = arcs;
	memory->spare_pieces = pieces;
	memory->spare_rooms = rooms;
}

// Copy the items of one array to another one, if there is memory.
#define COPY_ITEMS(from, to) \
	(nc_array_reserve(to, (from)->count) \
			? (void)(memcpy( \
						 (to)->data, (from)->data, sizeof((to)->data[0]) * (size_t)(from)->count), \
				  (to)->count = (from)->count) \
			: (void)0)

// Keep a route that was made while it was exchanged with the spare one. It is copied, so that the
// two blocks of memory never change places: each becomes as large as what is put into it.
static void keep_exchanged(NcQuery* query)
{
	NcRouteMemory* memory = &query->route;
	COPY_ITEMS(&query->arcs, &query->spare_arcs);
	COPY_ITEMS(&memory->pieces, &memory->spare_pieces);
	COPY_ITEMS(&memory->rooms, &memory->spare_rooms);
	swap_routes(query);
}

// Of the corridor that the medial axis prefers and the one through good gates, keep the one with
// the shorter string that is a way for the disc.
static double choose_first(NcQuery* query, const NcRouteEnds* ends)
{
	double lengths[2];
	lengths[0] = nc_route_pull(query, ends->start, ends->goal, ends->radius);
	swap_routes(query);
	bool has_other = nc_route_search_gates(query, ends);
	lengths[1] = has_other ? nc_route_pull(query, ends->start, ends->goal, ends->radius) : HUGE_VAL;
	bool is_good = lengths[1] < lengths[0] && is_clear(query, ends->radius);
	swap_routes(query);
	if (!is_good && is_clear(query, ends->radius))
	{
		return lengths[0];
	}
	swap_routes(query);
	is_good = is_good || (lengths[1] < HUGE_VAL && is_clear(query, ends->radius));
	is_good ? keep_exchanged(query) : swap_routes(query);
	return is_good ? lengths[1] : HUGE_VAL;
}

// Whether nothing is between start and goal. If they are close together, there may be no portal
// between them, and the search over all corridors has no way to get from one to the other.
static bool is_direct(const NcQuery* query, const NcRouteEnds* ends)
{
	return nc_locate_is_segment_clear(
		&query->map->world.diagram, ends->start, ends->goal, ends->radius);
}

// How many edges a corridor has.
static int count_edges(const NcQuery* query)
{
	const NcRecord* records = query->map->world.diagram.records.data;
	int count = 0;
	int last = NC_NULL_INDEX;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		int edge = records[query->arcs.data[i].piece].edge;
		count += edge != last;
		last = edge;
	}
	return count;
}

// Look for a string that is shorter than what the pieces are now, and take it.
static bool improve(NcTaut* taut, double length, int budget)
{
	taut->limit = nc_min(taut->limit, length);
	taut->edge_count = count_edges(taut->query);
	int steps = budget < TRIAL_STEPS ? budget : TRIAL_STEPS;
	while (!nc_taut_run(taut, steps) && steps < budget && !nc_taut_is_hopeless(taut, budget) &&
		   !nc_query_failed(taut->query))
	{
		steps = steps < budget / 2 ? 2 * steps : budget;
	}
	return taut->best.node != NC_NULL_INDEX && taut->best.length < length && nc_taut_build(taut);
}

// Make the route through the corridor in `query->arcs`, or a shorter one.
// @param taut a search that is to go on, or NULL
static void build_through(NcQuery* query, NcTaut* taut, const NcRouteEnds* ends, int budget)
{
	if (taut != NULL && is_direct(query, ends))
	{
		NcVec2 at = ends->start;
		query->route.pieces.count = query->route.rooms.count = 0;
		nc_route_push_segment(query, &at, ends->goal);
		return;
	}
	double length = taut != NULL ? choose_first(query, ends) : pull(query, ends);
	bool is_improved = taut != NULL && improve(taut, length, budget);
	if (!is_improved && !(length < HUGE_VAL))
	{
		nc_route_build_medial(query, ends);
	}
}

void nc_route_build_shortest(NcQuery* query, const NcRouteEnds* ends, int budget)
{
	NcTaut taut;
	bool has_search = budget > 0 && nc_taut_begin(&taut, query, ends);
	build_through(query, has_search ? &taut : NULL, ends, budget);
}

// Find the shortest route of all and its corridor, if a short search is enough for that.
static bool try_short_search(NcTaut* taut, int budget)
{
	const NcRouteEnds* ends = taut->ends;
	double distance = nc_distance(ends->start, ends->goal);
	bool is_found = !taut->is_close &&
					nc_taut_run(taut, budget < TRIAL_STEPS ? budget : TRIAL_STEPS) &&
					taut->best.node != NC_NULL_INDEX;
	if (is_found && taut->best.length > distance + NC_TAUT_SAME_LENGTH &&
		is_direct(taut->query, ends))
	{
		return false;
	}
	return is_found && nc_taut_build(taut);
}

NcPathOutcome nc_route_find_shortest(
	NcQuery* query, const NcRouteEnds* ends, int budget, int* step_count)
{
	NcTaut taut;
	bool has_search = nc_taut_begin(&taut, query, ends);
	NcPathOutcome outcome = NC_PATH_OUT_OF_MEMORY;
	if (has_search && try_short_search(&taut, budget))
	{
		outcome = NC_PATH_FOUND;
	}
	else if (has_search)
	{
		outcome = nc_search_begin(query) ? nc_search_run(query, (NcSearchLimits){0})
										 : NC_PATH_OUT_OF_MEMORY;
		outcome == NC_PATH_FOUND ? build_through(query, &taut, ends, budget) : (void)0;
	}
	*step_count = taut.steps;
	return nc_query_failed(query) ? NC_PATH_OUT_OF_MEMORY : outcome;
}
