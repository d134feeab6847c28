// SPDX-License-Identifier: MIT
// The corridor map of one revision: snapped obstacles, diagram and graph. It is built from edges,
// or changed in place; either way it is the same. In snaps.
#pragma once

#include "diagram_update.h"
#include "graph.h"

typedef struct NcWorld
{
	NcDiagram diagram;
	NcGraph graph;
} NcWorld;

/// A change of a world, and working memory that is kept from one to the next.
typedef struct NcWorldUpdate
{
	NcSnapUpdate snap; ///< its inputs are what is to be changed
	NcSitesUpdate sites;
	NcDiagramUpdate diagram;
	NcGraphUpdate graph;
	NcJournal journal;
} NcWorldUpdate;

/// @param world all zero; on failure still to be freed
NcStatus nc_world_build(NcWorld* world, const NcSnapDef* def, const NcEdge* edges, int edge_count,
	const NcParallel* parallel);
void nc_world_free(NcWorld* world);

/// Move a world to another place in memory, which must be empty.
void nc_world_move(NcWorld* to, NcWorld* from);

/// Change a world in place.
/// @return NC_OUT_OF_MEMORY if that failed: then the world is as it was
NcStatus nc_world_apply(NcWorld* world, NcWorldUpdate* update);

/// Prepare an update for the next change.
void nc_world_update_clear(NcWorldUpdate* update);
void nc_world_update_free(NcWorldUpdate* update);

/// @return the memory that a world holds, in bytes
size_t nc_world_count_bytes(const NcWorld* world);
size_t nc_world_update_count_bytes(const NcWorldUpdate* update);
