// SPDX-License-Identifier: MIT
// Work on several threads, through the loop that the caller of the library provides.
//
// A build is a row of such loops. Every item writes to places of its own, and reads only what the
// loops before have finished, so the result does not depend on how the items are cut into pieces.
#pragma once

#include "nav_corridor/map.h"

/// How to run work on several threads, and who else helps.
typedef struct NcParallel
{
	NcParallelForFn* run; ///< NULL: in the calling thread
	void* context;
	int worker_count;
	NcCandidatesFn* find_candidates; ///< NULL: the grid finds them
	void* candidates_context;
} NcParallel;

/// In the calling thread, with nobody's help.
static const NcParallel NC_ALONE = {0};

/// How many workers there are, at least one.
static inline int nc_parallel_count_workers(const NcParallel* parallel)
{
	return parallel->run != NULL && parallel->worker_count > 1 ? parallel->worker_count : 1;
}

/// Run `task` over the items from 0 to `count`.
static inline void nc_parallel_run(
	const NcParallel* parallel, int count, NcTaskFn* task, void* context)
{
	if (nc_parallel_count_workers(parallel) > 1)
	{
		parallel->run(parallel->context, count, task, context);
	}
	else
	{
		task(context, 0, count, 0);
	}
}
