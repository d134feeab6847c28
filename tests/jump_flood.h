// SPDX-License-Identifier: MIT
// Jump flooding that propagates the indices of sites: the usual way to compute labels on a GPU, and
// the peer of our fields. It is not exact.
#pragma once

#include "field_chunk.h"

/// Compute the labels of a picture, whose sides are a power of two, on a device.
/// @param labels receives width * height indices of sites
/// @param milliseconds receives how long the passes took, without seeding, upload and reading back
/// @return false if Vulkan failed
bool jump_flood_compute(NcGpu* gpu, const NcFieldDef* def, uint32_t* labels, double* milliseconds);
