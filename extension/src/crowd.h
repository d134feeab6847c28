// SPDX-License-Identifier: MIT
#pragma once

// All walkers together: one batch per physics frame.

#include "walker.h"

/// Move all walkers by a time step of `dt` seconds. For the main thread, without the lock.
void crowd_step(double dt);

/// A walker is about to be freed: do not touch it any more. With the lock held.
void crowd_forget(const Walker* walker);

/// Free the agents that no node owns, and the memory of the batches, at the end.
void crowd_free(void);
