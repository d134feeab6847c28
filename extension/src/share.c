// SPDX-License-Identifier: MIT

// Work that is shared among the threads of the engine.
//
// Each thread takes one job after the other until there are none. The calling thread does so, too,
// and only waits for jobs that somebody has begun. So it does not matter whether the engine's
// threads are busy, nor whether they wait for a lock that the caller holds: a thread that comes
// late finds nothing left to do.

#include "share.h"

#include "gd.h"
#include "settings.h"

#include <stdatomic.h>

// How often to look whether the others are done before sleeping in between: some ten microseconds.
// Who waits longer has lost a thread to another program.
#define MAX_SPINS 20000

static struct
{
	ShareFn* function;
	void* context;
	int job_count;
	atomic_int next_worker;
	atomic_int next_job;
	atomic_int done_count;
	bool has_group;
	int64_t group; // the tasks of the engine
} shared;

static void take_jobs(void* unused, uint32_t index)
{
	(void)unused, (void)index;
	int worker = atomic_fetch_add(&shared.next_worker, 1);
	for (;;)
	{
		int job = atomic_fetch_add(&shared.next_job, 1);
		if (job >= shared.job_count)
		{
			return;
		}
		shared.function(shared.context, worker, job);
		atomic_fetch_add(&shared.done_count, 1);
	}
}

static void share_jobs(int worker_count, const char* description)
{
	atomic_store(&shared.next_worker, 0);
	atomic_store(&shared.done_count, 0);
	atomic_store(&shared.next_job, 0);
	shared.group = gd_start_group(take_jobs, NULL, worker_count - 1, description);
	shared.has_group = true;
	take_jobs(NULL, 0);
	for (int i = 0; atomic_load(&shared.done_count) < shared.job_count; ++i)
	{
		// The others have begun, and wait for nothing.
		if (i >= MAX_SPINS)
		{
			gd_os_delay_usec(gd_singleton("OS"), 1);
		}
	}
}

void share_run(
	ShareFn* function, void* context, int job_count, int worker_count, const char* description)
{
	// Threads that came too late for one run must not find another.
	if (worker_count > 1 && !shared.has_group)
	{
		shared.function = function;
		shared.context = context;
		shared.job_count = job_count;
		share_jobs(worker_count, description);
		return;
	}
	for (int job = 0; job < job_count; ++job)
	{
		function(context, 0, job);
	}
}

void share_end(void)
{
	if (shared.has_group)
	{
		gd_wait_for_group(shared.group);
		shared.has_group = false;
	}
}

int share_get_worker_limit(void)
{
	int count = settings_get_flag(SETTING_THREADS) ? gd_count_threads() : 1;
	return count < SHARE_MAX_WORKERS ? count : SHARE_MAX_WORKERS;
}
