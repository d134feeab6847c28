// SPDX-License-Identifier: MIT
// A search without a route: see search_only.h.

#include "search_only.h"

#include "query_state.h"

double search_only(
	NcQuery* query, NcVec2 start, NcVec2 goal, double radius, NcSearchMethod method, int* visited)
{
	NcSearch* search = &query->search;
	NcSearchEnd end = {0};
	search->radius = radius * query->map->inverse_snap;
	search->method = method;
	search->edge_cost = NULL;
	search->goals.count = 0;
	search->start = (NcSearchEnd){0};
	if (!nc_query_find_anchor(query, start, search->radius, &search->start.anchor) ||
		!nc_query_find_anchor(query, goal, search->radius, &end.anchor) ||
		!nc_array_push(&search->goals, end) || !nc_search_begin(query) ||
		nc_search_run(query, (NcSearchLimits){0}) != NC_PATH_FOUND)
	{
		return -1.0;
	}
	*visited = search->visited_count;
	return query->map->snap * (double)search->best_cost / 65536.0;
}
