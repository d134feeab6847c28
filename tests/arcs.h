// SPDX-License-Identifier: MIT
// The arcs of a map's diagram with the two walls or corners that each lies between. Users see the
// closest points only; oracles compare by the features themselves, so this looks inside.
#pragma once

#include "nav_corridor/map.h"

#ifdef __cplusplus
extern "C"
{
#endif

	/// What an arc keeps away from: a wall, or one of the points that walls end in.
	typedef struct ArcSite
	{
		int wall;      ///< index for nc_map_get_wall(), or NC_NULL_INDEX for a point
		NcVec2 corner; ///< the point, in snaps; zero for a wall
	} ArcSite;

	typedef struct Arc
	{
		NcVec2 ends[2]; ///< in snaps, after contraction
		ArcSite sites[2];
	} Arc;

	/// @return the number of arcs; at most `capacity` are written
	int arcs_read(const NcMap* map, Arc* arcs, int capacity);

	/// Pieces shorter than this, in snaps, are contracted: the map cannot have them.
	double arcs_get_contract_length(void);

#ifdef __cplusplus
}
#endif
