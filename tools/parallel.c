// SPDX-License-Identifier: MIT

// Loops on several threads. All workers take pieces from one counter until none is left; the
// calling thread is worker 0. A thread that cannot be started is not missed: the others do its
// work.

#include "parallel.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// More pieces than workers, so that one slow piece does not hold up all.
#define PIECES_PER_WORKER 8

typedef struct Loop
{
	int count;
	int piece_size;
	int piece_count;
	NcTaskFn* task;
	void* task_context;
	atomic_int next_piece;
} Loop;

typedef struct Worker
{
	Loop* loop;
	int index;
	pthread_t thread;
} Worker;

static void* run_worker(void* context)
{
	Worker* worker = context;
	Loop* loop = worker->loop;
	for (;;)
	{
		int piece = atomic_fetch_add(&loop->next_piece, 1);
		if (piece >= loop->piece_count)
		{
			return NULL;
		}
		int begin = piece * loop->piece_size;
		int end = loop->count - begin < loop->piece_size ? loop->count : begin + loop->piece_size;
		loop->task(loop->task_context, begin, end, worker->index);
	}
}

void parallel_for(void* context, int count, NcTaskFn* task, void* task_context)
{
	const Parallel* parallel = context;
	assert(1 <= parallel->thread_count && parallel->thread_count <= PARALLEL_MAX_THREADS);
	if (count <= 0)
	{
		return;
	}

	int piece_size = count / (parallel->thread_count * PIECES_PER_WORKER) + 1;
	Loop loop = {
		.count = count,
		.piece_size = piece_size,
		.piece_count = (count - 1) / piece_size + 1,
		.task = task,
		.task_context = task_context,
	};

	Worker workers[PARALLEL_MAX_THREADS];
	workers[0] = (Worker){.loop = &loop};
	int started = 1;
	while (started < parallel->thread_count && started < loop.piece_count)
	{
		workers[started] = (Worker){.loop = &loop, .index = started};
		Worker* worker = &workers[started];
		if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
		{
			break;
		}
		++started;
	}

	run_worker(&workers[0]);
	for (int i = 1; i < started; ++i)
	{
		pthread_join(workers[i].thread, NULL);
	}
}
