// SPDX-License-Identifier: MIT
// The shortest route of a disc: first the string through the corridor that is shortest along the
// medial axis, then whatever the search over all corridors finds that is shorter.

#include "query_state.h"

void nc_route_build_shortest(NcQuery* query, const NcRouteEnds* ends, int budget)
{
	double length = nc_route_pull(query, ends->start, ends->goal, ends->radius);
	if (budget > 0 && length < HUGE_VAL && nc_route_search_taut(query, ends, length, budget))
	{
		nc_route_pull(query, ends->start, ends->goal, ends->radius);
	}
}
