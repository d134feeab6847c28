// SPDX-License-Identifier: MIT
// What updates changed, for those who keep something that depends on a map: which vertices of the
// graph, and where. Kept for a number of updates; who comes later has to begin again.
#pragma once

#include "array.h"

#include "nav_corridor/math2d.h"

typedef struct NcChangedBox
{
	uint32_t revision; ///< after the update
	NcBox box;         ///< in world units
} NcChangedBox;

typedef struct NcChanges
{
	/// Vertices that came or whose edges changed; ~vertex for one that went.
	NcIntArray vertices;
	long long first; ///< the number of the first entry, counted from the map's creation

	NcArray(NcChangedBox) boxes; ///< in the order of revisions
	uint32_t forgotten;          ///< the latest revision whose boxes are not there
} NcChanges;

void nc_changes_free(NcChanges* changes);

/// The number of the entry that comes next.
static inline long long nc_changes_end(const NcChanges* changes)
{
	return changes->first + changes->vertices.count;
}

/// Forget everything: a map was built from scratch, with this revision.
void nc_changes_reset(NcChanges* changes, uint32_t revision);

/// Note the vertices of an update. Without memory everybody has to begin again.
void nc_changes_add_vertices(
	NcChanges* changes, const NcIntArray* dead, const NcIntArray* touched, int vertex_count);

/// Note the boxes of an update.
void nc_changes_add_boxes(NcChanges* changes, const NcBox* boxes, int box_count, uint32_t revision);
