// SPDX-License-Identifier: MIT
#pragma once

// Work that is shared among the threads of the engine, within one call.

/// At most this many threads take part.
#define SHARE_MAX_WORKERS 16

/// Do a piece of work. No two threads have the same `worker` number at the same time; it is below
/// the number that share_run() was given.
typedef void ShareFn(void* context, int worker, int job);

/// Do jobs from 0 to `job_count` - 1, in any order, on this thread and on others, and return when
/// all are done. May be called with gd_lock() held, if the jobs do without it.
/// @param worker_count how many threads may take part, this one included: from 1 to
/// SHARE_MAX_WORKERS. Before share_end(), a second call takes one only
/// @param description a literal, for the engine's messages
void share_run(
	ShareFn* function, void* context, int job_count, int worker_count, const char* description);

/// To be called after share_run(), without gd_lock(): let go of threads that came too late.
void share_end(void);

/// @return how many threads there are to share among, if the project allows more than one
int share_get_worker_limit(void);
