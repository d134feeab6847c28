// SPDX-License-Identifier: MIT
// Changing a snapped world in place: some edges go, others come, and only what is near them
// changes. The result is the same as that of building the world from the remaining edges.
#pragma once

#include "cover.h"
#include "fragment.h"

/// What changes, what that did, and working memory. Lists are cleared, not freed, between updates.
typedef struct NcSnapUpdate
{
	NcIntArray removed_edges; ///< in: slots of the edges that go
	NcEdgeArray added_edges;  ///< in: the edges that come
	NcArray(NcBox) boxes;     ///< in: where covers may change: around all edges of edited obstacles

	NcIntArray new_edges;        ///< out: the slots of the added edges, in their order
	NcIntArray dead_fragments;   ///< out: slots that became empty
	NcIntArray dead_vertices;    ///< out: likewise
	NcIntArray touched_vertices; ///< out: those whose surroundings may have changed; may repeat
	NcCover cover;               ///< out: the fragments and isolated points that may have changed

	NcIntArray dead_uses;
	NcIntArray cooled, created, affected, lonely;
	NcIntArray edge_stamps, fragment_stamps;
	int stamp;
	NcRoute route;
} NcSnapUpdate;

void nc_snap_update_clear(NcSnapUpdate* update);
void nc_snap_update_free(NcSnapUpdate* update);

/// Apply the change.
/// @return false if memory ran out: roll the journal back
bool nc_snap_apply(NcSnap* snap, NcSnapUpdate* update, NcJournal* journal);

/// Make sure that nc_snap_finish() cannot fail. @return false if memory ran out
bool nc_snap_prepare_finish(NcSnap* snap, const NcSnapUpdate* update);

/// After everything succeeded: let the empty slots be used again.
void nc_snap_finish(NcSnap* snap, const NcSnapUpdate* update);
