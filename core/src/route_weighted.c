// SPDX-License-Identifier: MIT
// The route of least weighted length: the weighted region problem.
//
// The shortest route comes first. Where nothing can be cheaper (all weights are equal, or it is
// straight and never leaves the best type) it is the answer. Otherwise the search over the lattice
// of weighted.h gives a second route, both are refined, and the cheaper one wins: the answer never
// costs more than the shortest route.
//
// This work is based on:
// Mitchell, Papadimitriou. The Weighted Region Problem. 1991
// Jaklin, Cook, Geraerts. Real-time Path Planning in Heterogeneous Environments. 2013, section 4

#include "weighted.h"

#include "check.h"

void nc_query_destroy_weighted(NcWeighted* weighted)
{
	if (weighted != NULL)
	{
		nc_weighted_free(weighted);
		nc_allocate(weighted, sizeof(NcWeighted), 0);
	}
}

static bool create_weighted(NcQuery* query)
{
	if (query->weighted == NULL)
	{
		query->weighted = nc_allocate(NULL, 0, sizeof(NcWeighted));
		if (query->weighted == NULL)
		{
			return false;
		}
		*query->weighted = (NcWeighted){0};
	}
	NcWeighted* weighted = query->weighted;
	if (nc_weighted_failed(weighted))
	{
		// Start afresh after a failure: it must not spoil this search.
		nc_weighted_free(weighted);
		*weighted = (NcWeighted){0};
	}
	return true;
}

// The least and the greatest weight of the types that there are.
static void find_weights(
	const NcTerrainGrid* terrain, const double* weights, double* least, double* greatest)
{
	*least = HUGE_VAL;
	*greatest = 0.0;
	for (int i = 0; i < NC_TERRAIN_TYPE_COUNT; ++i)
	{
		if ((terrain->types >> i & 1) != 0)
		{
			*least = nc_min(*least, weights[i]);
			*greatest = nc_max(*greatest, weights[i]);
		}
	}
}

// Copy the points of the path that the query has into a route, in world units.
static bool copy_path(const NcQuery* query, NcVec2Array* route)
{
	int count = nc_query_get_path_points(query, NULL, 0);
	if (!nc_array_resize(route, count))
	{
		return false;
	}
	nc_query_get_path_points(query, route->data, count);
	return true;
}

static NcPathOutcome search(
	NcQuery* query, const NcWeightedTask* task, const NcTerrain* terrain, NcPathInfo* info)
{
	NcWeighted* weighted = query->weighted;
	bool is_prepared = nc_weighted_prepare(weighted, task->map, terrain);
	bool is_found = is_prepared && nc_weighted_search(weighted, task, &info->visited_count);
	if (!is_prepared || nc_weighted_failed(weighted) || !copy_path(query, &weighted->other))
	{
		return NC_PATH_OUT_OF_MEMORY;
	}
	double cost = is_found ? nc_weighted_refine(weighted, task, &weighted->route) : HUGE_VAL;
	double other = nc_weighted_sum(task, weighted->other.data, weighted->other.count);
	if (other < 1.5 * cost)
	{
		other = nc_weighted_refine(weighted, task, &weighted->other);
	}
	if (nc_weighted_failed(weighted))
	{
		return NC_PATH_OUT_OF_MEMORY;
	}
	info->cost = nc_min(cost, other);
	const NcVec2Array* best = other <= cost ? &weighted->other : &weighted->route;
	return info->cost < HUGE_VAL ? nc_query_set_points(query, best->data, best->count, info)
								 : NC_PATH_NONE;
}

bool nc_query_find_weighted(NcQuery* query, const NcPathDef* def, NcPathInfo* info)
{
	NC_ASSERT(def->profile == NULL || nc_terrain_profile_check(def->profile, NULL) == NC_OK);
	NcPathDef shortest = *def;
	shortest.route = NC_ROUTE_SHORTEST;
	if (!nc_query_find_path(query, &shortest, info) || def->terrain == NULL || def->profile == NULL)
	{
		return info->outcome == NC_PATH_FOUND;
	}
	NcWeightedTask task = {
		.map = query->map,
		.terrain = &def->terrain->grid,
		.weights = def->profile->weights,
		.radius = def->radius,
		.start = def->start,
		.goal = def->goal,
	};
	double greatest;
	find_weights(task.terrain, task.weights, &task.min_weight, &greatest);
	info->cost = task.min_weight * info->length;
	if (task.min_weight == greatest)
	{
		return true;
	}
	if (!create_weighted(query) || !copy_path(query, &query->weighted->other))
	{
		*info = (NcPathInfo){.outcome = NC_PATH_OUT_OF_MEMORY};
		return false;
	}
	NcVec2Array* path = &query->weighted->other;
	double cost = nc_weighted_sum(&task, path->data, path->count);
	if (path->count == 2 && cost <= info->cost * (1.0 + 1e-12))
	{
		return true;
	}
	NcPathOutcome outcome = search(query, &task, def->terrain, info);
	if (outcome != NC_PATH_FOUND)
	{
		*info = (NcPathInfo){.outcome = outcome, .visited_count = info->visited_count};
		nc_query_forget_path(query);
	}
	return outcome == NC_PATH_FOUND;
}
