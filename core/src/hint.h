// SPDX-License-Identifier: MIT
// What finished cells know about those that are still to be computed: every border is the border of
// two cells, so the second one knows whom to try first, and who its twins are.
#pragma once

#include "cell.h"

/// Make room for features up to, but without, `feature_range`. @return false if memory ran out
bool nc_hints_reserve(NcCellWorker* worker, int feature_range);

/// Tell that the cell of a feature is finished, and that its records are the last ones of the
/// worker, from `begin` on. Where it agrees with a finished neighbour, their pieces become twins.
void nc_hints_finish_cell(NcCellWorker* worker, NcFeature feature, int begin);

/// List what the finished cells of the worker know about a feature.
void nc_hints_collect(NcCellWorker* worker, NcFeature feature);

/// Add that there may be a neighbour.
void nc_hints_add_guess(NcCellWorker* worker, NcFeature neighbor);

/// Where the records of a finished cell begin, or NC_NULL_INDEX.
int nc_hints_find_cell(const NcCellWorker* worker, NcFeature feature);

/// Forget all finished cells, which are those listed.
void nc_hints_forget(NcCellWorker* worker, const NcIntArray* features);
