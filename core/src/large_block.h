// SPDX-License-Identifier: MIT
// Large blocks of memory, side by side in large pages.
//
// A new map touches some thousand pages for the first time, and the system takes longer to provide
// them one by one than we need to load a map. A large page is provided at once, in the time of two
// dozen small ones, but it has to have a part of memory for itself. Blocks that are allocated one
// by one seldom leave it one. These here share one part of memory, and what one step of a build has
// freed is there for the next.
#pragma once

#include "nav_corridor/base.h"

/// Smaller blocks are not worth the effort, in bytes.
#define NC_MIN_LARGE_BLOCK ((size_t)128 << 10)

/// Whether blocks can be had in this way at all.
bool nc_large_block_is_supported(void);

/// Allocate, resize or free a block, with the rules of NcAllocFn. Safe to call from several
/// threads.
void* nc_large_block_resize(void* memory, size_t old_size, size_t new_size);

/// How much of the system's memory belongs to all blocks and the room between them, in bytes.
size_t nc_large_block_count_bytes(void);
