// SPDX-License-Identifier: MIT
#pragma once

#include "region_solids.h"

/// Block the cells that lie inside of bodies, between two heights.
/// @return false if there is no memory
bool solid_fill(const Solids* solids, double z_min, double z_max, NcBitmap* bitmap);
