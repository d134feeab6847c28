// SPDX-License-Identifier: MIT
// Reading arcs: every piece of the diagram that has a twin is half of an arc.

#include "arcs.h"

#include "map_state.h"

static ArcSite read_site(const NcDiagram* diagram, NcFeature feature)
{
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return (ArcSite){.wall = NC_NULL_INDEX, .corner = diagram->sites.cones.data[index].apex};
	}
	return (ArcSite){.wall = index >> 1};
}

int arcs_read(const NcMap* map, Arc* arcs, int capacity)
{
	const NcDiagram* diagram = &map->world.diagram;
	int count = 0;
	for (int piece = 0; piece < diagram->records.count; ++piece)
	{
		int twin = nc_piece_twin(diagram, piece);
		if (twin <= piece) // none, or seen already
		{
			continue;
		}
		if (count < capacity)
		{
			arcs[count] = (Arc){
				.ends = {nc_piece_junction(diagram, piece)->position,
					nc_piece_junction(diagram, twin)->position},
				.sites = {read_site(diagram, nc_piece_owner(diagram, piece)),
					read_site(diagram, nc_piece_owner(diagram, twin))},
			};
		}
		++count;
	}
	return count;
}

double arcs_get_contract_length(void)
{
	return NC_CONTRACT_LENGTH;
}
