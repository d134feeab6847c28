// SPDX-License-Identifier: MIT
// Junctions in higher precision.
//
// The position of a junction is as good as the angles between its borders. Between walls that are
// almost parallel, or far away from sites that are close together, these are so small that a double
// has too few digits: the cells around the junction then disagree about where it is. Here it is
// computed once more, from the sites themselves, with twice the digits (see wide.h).
//
// A point p at distance r from three features satisfies one equation for each,
//
//   a side with normal n through a:    n.(p - a) = r
//   a corner q:                        |p - q|   = r
//
// and if two of the features follow each other along an obstacle and meet in its vertex v with the
// same distance, theirs is that p lies straight above v. Newton's method solves them.
#pragma once

#include "cell.h"

/// Compute the point that has the same distance from three features, near an estimate. The result
/// does not depend on their order.
/// @param features 3, or 4 of which the three that decide best are taken; each once
/// @param is_contracted the estimate stands for several points that do not quite agree: only a
/// lack of digits is a reason to move it then
/// @param position the estimate; receives the result
/// @param max_move how far the result may be from the estimate, in snaps
/// @return false if the estimate is good enough already, or there is no such point near it
bool nc_refine_position(const NcSites* sites, const NcFeature* features, int count,
	bool is_contracted, double max_move, NcVec2* position);

/// Compute the places anew where the pieces of a large cell meet, if a double may be too short for
/// them. Costs next to nothing for cells of ordinary size.
/// @param records of the cell of a feature, as nc_cell_compute() appended them
/// @param count how many there are, the last one included
void nc_refine_records(const NcSites* sites, NcFeature feature, NcRecord* records, int count);
