// SPDX-License-Identifier: MIT
// Asking for the memory around a change before anybody waits for it.
//
// A change touches some hundred places in two dozen arrays, and in a large world hardly any of them
// is in the cache. Most of its time went into waiting for one after the other, because what is
// where is only known from the one before. Here everything of one kind is asked for at once, then
// what that leads to, and so on. Nothing is changed and nothing decided.
#pragma once

#include "world.h"

/// Ask for what an update is likely to touch: the surroundings of `update->snap.boxes`.
void nc_world_warm(const NcWorld* world, const NcWorldUpdate* update);
