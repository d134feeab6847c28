// SPDX-License-Identifier: MIT
#pragma once

// Walls that follow each other around an obstacle, private to this folder.
//
// Between the walls of a convex chain there is no skeleton, however many of them lie between two
// pixels:
//
//            p | q                    the labels of p and q are s and t, and the wall in between
//        s ____|____ t                is too short for a pixel of its own
//

#include "nav_corridor/field.h"

// Which walls end where. All zero is empty; made when it is first needed.
typedef struct NcChains
{
	const NcFieldSite* sites;
	int site_count;
	int* heads; // a hash table over the ends: an entry 2 * site + end, or NC_NULL_INDEX
	int head_count;
	int* next; // per entry: the next one in its list
} NcChains;

// Collect the ends of all walls. False if memory ran out.
bool nc_chains_make(NcChains* chains, const NcFieldSite* sites, int site_count);
void nc_chains_free(NcChains* chains);

// Whether the walls from the foot of p on one site to its foot on the other, along the free side on
// which p lies, turn away from the free side only and are no longer than `max_length` in sum.
bool nc_chains_is_convex(
	const NcChains* chains, uint32_t from, uint32_t to, NcVec2 p, double max_length);
