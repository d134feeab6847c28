// SPDX-License-Identifier: MIT
// What finished cells know about those that are still to be computed: every border is the border of
// two cells, and only the first one has to search for it.
#pragma once

#include "cell.h"

/// Make room for features up to, but without, `feature_range`. @return false if memory ran out
bool nc_hints_reserve(NcCellWorker* worker, int feature_range);

/// Tell that the cell of a feature is finished, and that its records are the last ones of the
/// worker, from `begin` on. Where it agrees with a finished neighbour, their pieces become twins.
void nc_hints_finish_cell(NcCellWorker* worker, NcFeature feature, int begin);

/// List what the finished cells of the worker know about a feature.
void nc_hints_collect(NcCellWorker* worker, NcFeature feature);

/// Add what a piece of a neighbour's finished cell says.
/// @param piece its record; the next one is where it ends
/// @param index of that record, if it is one of the worker's own, or NC_NULL_INDEX
void nc_hints_add_piece(NcCellWorker* worker, NcFeature neighbor, const NcRecord* piece, int index);

/// Add that there may be a neighbour.
void nc_hints_add_guess(NcCellWorker* worker, NcFeature neighbor);

/// Where the records of a finished cell begin, or NC_NULL_INDEX.
int nc_hints_find_cell(const NcCellWorker* worker, NcFeature feature);

/// Forget all finished cells, which are those listed.
void nc_hints_forget(NcCellWorker* worker, const NcIntArray* features);

/// Two cells that agree on an end of their common border agree this well, in snaps. If another
/// feature should hide in between, its border is less than twice as long: that is contracted, and
/// has no influence on what is left.
#define NC_SAME_PLACE 1e-4

/// Whether two cells mean the same place, where their border ends.
static inline bool nc_hint_is_same_place(NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(b, a)) < NC_SAME_PLACE * NC_SAME_PLACE;
}
