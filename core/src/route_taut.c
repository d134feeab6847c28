// SPDX-License-Identifier: MIT
#include "query_state.h"
bool nc_route_search_taut(NcQuery* query, const NcRouteEnds* ends, double limit, int budget)
{
	(void)query;
	(void)ends;
	(void)limit;
	(void)budget;
	return false;
}
