// SPDX-License-Identifier: MIT
// Asking for memory ahead of time.
//
// A build goes through arrays that are larger than the caches, in an order in which everything that
// belongs together is close, but rarely side by side. To wait for each part of it would take longer
// than all computations. The processor cannot foresee what will be needed, but we can.
#pragma once

#include "check.h"
#include "diagram.h"

/// How many features ahead the parts are asked for that the cell of a side needs. Each part says
/// where the next one is, so it has to be there by then.
#define NC_PLACE_AHEAD 64
#define NC_LISTS_AHEAD 48
#define NC_ITEMS_AHEAD 32

/// The place of a side.
NC_PREFETCHING void nc_prefetch_place(const NcSites* sites, NcFeature feature)
{
	if (!nc_feature_is_cone(feature))
	{
		int fragment = nc_feature_index(feature) >> 1;
		NC_PREFETCH(&sites->walls.data[fragment]);
		NC_PREFETCH(&sites->snap->fragments.data[fragment]);
	}
}

static inline int nc_find_cell_of_side(const NcSites* sites, NcFeature feature)
{
	NcVec2 a = sites->walls.data[nc_feature_index(feature) >> 1].a;
	return nc_grid_cell_of(&sites->snap->fragment_grid, a.x, a.y);
}

/// The lists of what is near a side, and the cones at its ends.
NC_PREFETCHING void nc_prefetch_lists(const NcSites* sites, NcFeature feature)
{
	if (!nc_feature_is_cone(feature))
	{
		int cell = nc_find_cell_of_side(sites, feature);
		NC_PREFETCH(&sites->snap->fragment_grid.lists.data[cell]);
		NC_PREFETCH(&sites->cone_grid.lists.data[cell]);
		const NcFragment* f = &sites->snap->fragments.data[nc_feature_index(feature) >> 1];
		NC_PREFETCH(&sites->cones.data[f->vertices[0]]);
		NC_PREFETCH(&sites->cones.data[f->vertices[1]]);
	}
}

/// The items of these lists.
NC_PREFETCHING void nc_prefetch_items(const NcSites* sites, NcFeature feature)
{
	if (!nc_feature_is_cone(feature))
	{
		const NcGrid* walls = &sites->snap->fragment_grid;
		const NcGrid* cones = &sites->cone_grid;
		int cell = nc_find_cell_of_side(sites, feature);
		// Without any cones there is no memory for their lists.
		const int* items = cones->pool.count > 0 ? cones->pool.data : walls->pool.data;
		NC_PREFETCH(&walls->pool.data[walls->lists.data[cell].start]);
		NC_PREFETCH(&items[cones->lists.data[cell].start]);
	}
}

NC_PREFETCHING void nc_prefetch_record(const NcDiagram* diagram, int record)
{
	NC_PREFETCH(&diagram->records.data[record]);
}

/// The place of the neighbour that a record names.
NC_PREFETCHING void nc_prefetch_neighbor(const NcDiagram* diagram, int record)
{
	NcFeature neighbor = diagram->records.data[record].neighbor;
	if (neighbor != NC_NULL_INDEX)
	{
		int index = nc_feature_index(neighbor);
		const NcSites* sites = &diagram->sites;
		const void* place = nc_feature_is_cone(neighbor) ? (const void*)&sites->cones.data[index]
														 : &sites->walls.data[index >> 1];
		NC_PREFETCH(place);
	}
}
