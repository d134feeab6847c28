// SPDX-License-Identifier: MIT
// How the cells of a new diagram become one graph.
#pragma once

#include "diagram.h"

/// Link the pieces of all cells: twins, next ones, and junctions.
/// @param features all that have a cell, in the order of their records
/// @return false if memory ran out
bool nc_diagram_stitch(
	NcDiagram* diagram, const NcFeature* features, int feature_count, const NcParallel* parallel);
