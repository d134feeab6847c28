// SPDX-License-Identifier: MIT
// From finished envelopes to the records of a cell: joining parts, contracting what is tiny, and
// deciding where neighbours meet.
#pragma once

#include "cell.h"

/// Append the worker's envelope to the pieces gathered so far: long sides are computed in parts.
void nc_border_gather(NcCellWorker* worker);

/// Take the worker's envelope as it is: the border of a feature without parts.
void nc_border_take(NcCellWorker* worker);

/// Turn the finished pieces of a side into records.
void nc_border_emit_side(NcCellWorker* worker, const NcSites* sites, int half);

/// Turn the finished pieces of a cone into records.
/// @param is_open the cone is half of a full one: its ends are no ends of the border
void nc_border_emit_cone(NcCellWorker* worker, const NcSites* sites, bool is_open);

/// Join the records of the two halves of a full cone, from `begin` on, into a ring.
void nc_border_close_ring(NcCellWorker* worker, int begin);
