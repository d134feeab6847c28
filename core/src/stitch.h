// SPDX-License-Identifier: MIT
// How the cells of a new diagram become one graph.
#pragma once

#include "diagram.h"

/// Link the pieces of all cells: twins, next ones, and junctions.
/// @param features all that have a cell, in the order of their records
/// @return false if memory ran out
bool nc_diagram_stitch(
	NcDiagram* diagram, const NcFeature* features, int feature_count, const NcParallel* parallel);

/// Make the junctions of a diagram whose pieces know their twins and what is next, one after the
/// other. Pieces must not have a junction yet. @return false if memory ran out
bool nc_diagram_make_junctions(NcDiagram* diagram);
