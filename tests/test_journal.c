// SPDX-License-Identifier: MIT

// The journal: whatever was saved comes back, wherever it has moved in the meantime.

#include "test.h"

#include "journal.h"

typedef struct Triple
{
	int a, b, c;
} Triple;

typedef NcArray(Triple) TripleArray;

static void saved_items_come_back(void** state)
{
	(void)state;
	NcJournal journal = {0};
	TripleArray triples = {0};
	for (int i = 0; i < 4; ++i)
	{
		nc_array_push(&triples, ((Triple){i, 10 * i, 100 * i}));
	}
	assert_true(nc_journal_reserve(&journal, 2));
	nc_edit(&journal, &triples, 1)->b = 7;
	*nc_edit(&journal, &triples, 3) = (Triple){8, 8, 8};
	assert_int_equal(triples.data[1].a, 1);
	assert_int_equal(triples.data[1].b, 7);
	nc_journal_roll_back(&journal);
	for (int i = 0; i < 4; ++i)
	{
		Triple expected = {i, 10 * i, 100 * i};
		assert_memory_equal(&triples.data[i], &expected, sizeof(expected));
	}
	nc_array_free(&triples);
	nc_journal_free(&journal);
}

static void items_come_back_to_where_their_array_has_moved(void** state)
{
	(void)state;
	NcJournal journal = {0};
	NcIntArray numbers = {0};
	nc_array_push(&numbers, 5);
	assert_true(nc_journal_reserve(&journal, 1));
	*nc_edit(&journal, &numbers, 0) = 6;
	NcIntArray moved = {0};
	assert_true(nc_array_resize(&moved, 100000));
	memcpy(moved.data, numbers.data, sizeof(int));
	nc_array_free(&numbers);
	numbers = moved;
	nc_journal_roll_back(&journal);
	assert_int_equal(numbers.data[0], 5);
	nc_array_free(&numbers);
	nc_journal_free(&journal);
}

static void the_first_of_several_savings_wins(void** state)
{
	(void)state;
	NcJournal journal = {0};
	NcIntArray numbers = {0};
	int plain = 1;
	nc_array_push(&numbers, 1);
	assert_true(nc_journal_reserve(&journal, 10));
	for (int i = 0; i < 5; ++i)
	{
		*nc_edit(&journal, &numbers, 0) += 10;
		nc_journal_save_memory(&journal, &plain, (int)sizeof(plain));
		plain -= 10;
	}
	nc_journal_roll_back(&journal);
	assert_int_equal(numbers.data[0], 1);
	assert_int_equal(plain, 1);
	nc_array_free(&numbers);
	nc_journal_free(&journal);
}

static void random_changes_are_taken_back(void** state)
{
	(void)state;
	uint64_t seed = 201;
	NcJournal journal = {0};
	TripleArray triples = {0};
	nc_array_resize(&triples, 20);
	for (int round = 0; round < 200; ++round)
	{
		Triple before[64];
		int count = triples.count;
		memcpy(before, triples.data, sizeof(Triple) * (size_t)count);
		nc_journal_clear(&journal);
		assert_in_round(nc_journal_reserve(&journal, 1), round);
		nc_journal_save_memory(&journal, &triples.count, (int)sizeof(int));
		int change_count = random_int(&seed, 0, 100);
		for (int i = 0; i < change_count; ++i)
		{
			Triple triple = {random_int(&seed, 0, 9), i, round};
			if (random_int(&seed, 0, 2) == 0)
			{
				assert_in_round(nc_array_push(&triples, triple), round);
				continue;
			}
			assert_in_round(nc_journal_reserve(&journal, 1), round);
			int index = random_int(&seed, 0, triples.count - 1);
			*nc_edit(&journal, &triples, index) = triple;
		}
		if (round % 2)
		{
			// Kept: the next round has to bring back something else.
			triples.count = 20 + round % 40 < triples.count ? 20 + round % 40 : triples.count;
			continue;
		}
		nc_journal_roll_back(&journal);
		assert_in_round(triples.count == count, round);
		assert_in_round(memcmp(before, triples.data, sizeof(Triple) * (size_t)count) == 0, round);
	}
	nc_array_free(&triples);
	nc_journal_free(&journal);
}

static void a_journal_that_was_rolled_back_is_empty(void** state)
{
	(void)state;
	NcJournal journal = {0};
	int plain = 1;
	assert_true(nc_journal_reserve(&journal, 1));
	nc_journal_save_memory(&journal, &plain, (int)sizeof(plain));
	nc_journal_roll_back(&journal);
	plain = 2;
	nc_journal_roll_back(&journal);
	assert_int_equal(plain, 2);

	assert_true(nc_journal_reserve(&journal, 1));
	nc_journal_save_memory(&journal, &plain, (int)sizeof(plain));
	nc_journal_clear(&journal);
	plain = 3;
	nc_journal_roll_back(&journal);
	assert_int_equal(plain, 3);
	nc_journal_free(&journal);
}

static void no_journal_saves_nothing_and_cannot_fail(void** state)
{
	(void)state;
	NcIntArray numbers = {0};
	nc_array_push(&numbers, 1);
	FailingAllocator allocator = {.first_fail = 0};
	nc_set_allocator(allocate_or_fail, &allocator);
	assert_true(nc_journal_reserve(NULL, 1000000));
	*nc_edit((NcJournal*)NULL, &numbers, 0) = 2;
	nc_journal_save_memory(NULL, &numbers, (int)sizeof(int));
	assert_int_equal(allocator.calls, 0);
	nc_set_allocator(NULL, NULL);
	assert_int_equal(numbers.data[0], 2);
	nc_array_free(&numbers);
}

static void room_for_the_largest_items_is_reserved(void** state)
{
	(void)state;
	NcJournal journal = {0};
	unsigned char memory[NC_JOURNAL_ITEM_SIZE];
	memset(memory, 1, sizeof(memory));
	assert_true(nc_journal_reserve(&journal, 50));
	FailingAllocator allocator = {.first_fail = 0};
	nc_set_allocator(allocate_or_fail, &allocator);
	for (int i = 0; i < 50; ++i)
	{
		nc_journal_save_memory(&journal, memory, NC_JOURNAL_ITEM_SIZE);
		memset(memory, 2 + i, sizeof(memory));
	}
	nc_journal_roll_back(&journal);
	assert_int_equal(allocator.calls, 0);
	nc_set_allocator(NULL, NULL);
	for (int i = 0; i < NC_JOURNAL_ITEM_SIZE; ++i)
	{
		assert_int_equal(memory[i], 1);
	}
	nc_journal_free(&journal);
}

// Both of its arrays may find no room. Either way the update has failed, and what was saved before
// still comes back.
static void failures_are_remembered_until_the_end(void** state)
{
	(void)state;
	for (int fail = 0; fail < 2; ++fail)
	{
		NcJournal journal = {0};
		int plain = 1;
		assert_true(nc_journal_reserve(&journal, 1));
		nc_journal_save_memory(&journal, &plain, (int)sizeof(plain));
		plain = 2;
		FailingAllocator allocator = {.first_fail = fail, .fails_once = true};
		nc_set_allocator(allocate_or_fail, &allocator);
		assert_false(nc_journal_reserve(&journal, 10000));
		assert_true(journal.has_failed);
		assert_false(nc_journal_reserve(&journal, 1));
		nc_set_allocator(NULL, NULL);
		nc_journal_roll_back(&journal);
		assert_int_equal(plain, 1);
		assert_false(journal.has_failed);
		assert_true(nc_journal_reserve(&journal, 10000));
		nc_journal_free(&journal);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(saved_items_come_back),
		TEST(items_come_back_to_where_their_array_has_moved),
		TEST(the_first_of_several_savings_wins),
		TEST(random_changes_are_taken_back),
		TEST(a_journal_that_was_rolled_back_is_empty),
		TEST(no_journal_saves_nothing_and_cannot_fail),
		TEST(room_for_the_largest_items_is_reserved),
		TEST(failures_are_remembered_until_the_end),
	};
	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
