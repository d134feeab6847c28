// SPDX-License-Identifier: MIT
// Which sides of the fragments are free: how many filled obstacles lie over each of them.
#pragma once

#include "snap.h"

/// What to compute, and working memory for it.
typedef struct NcCover
{
	NcIntArray fragments;    ///< whose cover is to be computed: all others are known
	NcIntArray points;       ///< isolated vertices whose freedom is to be computed
	NcIntArray component_of; ///< per fragment: which component of unknown ones it is in
	NcIntArray lowest;       ///< per component: its lowest vertex
	NcIntArray hits;         ///< per component: the first fragment to the left of that vertex
	NcIntArray stack, waiting;
	bool is_nothing_known; ///< all fragments are listed
} NcCover;

/// Compute the cover of the listed fragments and points. Everything else is known, and what is
/// listed is connected to it or not.
/// @return false if memory ran out
bool nc_cover_compute(NcSnap* snap, NcCover* cover, const NcParallel* parallel);
void nc_cover_free(NcCover* cover);
