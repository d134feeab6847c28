// SPDX-License-Identifier: MIT

// Loops on several threads: every item once, and no two pieces with one worker at the same time.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parallel.h"

#include <stdatomic.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MAX_ITEMS 5000
#define MAX_WORKERS 7

typedef struct Tally
{
	atomic_int visits[MAX_ITEMS];
	atomic_bool is_busy[MAX_WORKERS];
	atomic_int collision_count;
} Tally;

static void visit(void* context, int begin, int end, int worker)
{
	Tally* tally = context;
	if (worker < 0 || worker >= MAX_WORKERS || atomic_exchange(&tally->is_busy[worker], true))
	{
		atomic_fetch_add(&tally->collision_count, 1);
		return;
	}
	for (int i = begin; i < end; ++i)
	{
		atomic_fetch_add(&tally->visits[i], 1);
	}
	atomic_store(&tally->is_busy[worker], false);
}

static void every_item_is_visited_once(void** state)
{
	(void)state;
	static const int counts[] = {0, 1, 2, 6, 7, 8, 63, 64, 65, 1000, MAX_ITEMS};
	for (int threads = 1; threads <= MAX_WORKERS; threads += 2)
	{
		for (int i = 0; i < COUNT(counts); ++i)
		{
			Parallel parallel = {.thread_count = threads};
			static Tally tally;
			tally = (Tally){0};
			parallel_for(&parallel, counts[i], visit, &tally);
			assert_int_equal(atomic_load(&tally.collision_count), 0);
			for (int k = 0; k < MAX_ITEMS; ++k)
			{
				assert_int_equal(atomic_load(&tally.visits[k]), k < counts[i] ? 1 : 0);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_is_visited_once),
	};
	return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
