// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/base.h"

/// How much parallel_for() may use: the context that goes with it.
typedef struct Parallel
{
	int thread_count; ///< the calling thread included; at least 1
} Parallel;

#define PARALLEL_MAX_THREADS 256

/// An NcParallelForFn on threads of the operating system. They live as long as the call.
/// @param context a Parallel
void parallel_for(void* context, int count, NcTaskFn* task, void* task_context);
