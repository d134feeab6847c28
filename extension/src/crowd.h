// SPDX-License-Identifier: MIT
#pragma once

// All walkers together: one batch per physics frame.

#include "walker.h"

/// Move all walkers by a time step of `dt` seconds. For the main thread, without the lock.
void crowd_step(double dt);

/// Release the memory of the batches, at the end.
void crowd_free(void);
