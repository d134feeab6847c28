// SPDX-License-Identifier: MIT
// Candidates: what one other feature contributes to the border of a cell.
#pragma once

#include "cell.h"

/// Insert a wall, both of its sides, or a cone into the envelope of the cell being computed.
void nc_candidate_try_wall(NcCellWorker* worker, const NcWall* wall, int fragment);
void nc_candidate_try_cone(NcCellWorker* worker, const NcCone* cone, int vertex);
