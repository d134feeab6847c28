// SPDX-License-Identifier: MIT

// Large blocks: who has which part of memory, and that all of it goes back.

#include "test.h"

#include "large_block.h"
#include "parallel.h"
#include "random.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

static char* allocate(size_t size)
{
	char* block = nc_large_block_resize(NULL, 0, size);
	assert_non_null(block);
	return block;
}

static void release(char* block, size_t size)
{
	assert_null(nc_large_block_resize(block, size, 0));
}

static void blocks_lie_side_by_side(void** state)
{
	(void)state;
	char* a = allocate(300 * KIB);
	char* b = allocate(700 * KIB);
	assert_ptr_equal(b, a + 300 * KIB);
	assert_int_equal((uintptr_t)a % 64, 0);
	release(a, 300 * KIB);
	release(b, 700 * KIB);
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

static void freed_room_is_used_again(void** state)
{
	(void)state;
	char* a = allocate(1 * MIB);
	char* b = allocate(1 * MIB);
	char* c = allocate(1 * MIB);
	char* d = allocate(1 * MIB);
	release(b, 1 * MIB);
	release(c, 1 * MIB);
	assert_ptr_equal(allocate(2 * MIB), b);
	release(a, 1 * MIB);
	release(b, 2 * MIB);
	release(d, 1 * MIB);
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

static void blocks_shrink_and_grow_where_they_are(void** state)
{
	(void)state;
	char* a = allocate(4 * MIB);
	a[0] = 5;
	assert_ptr_equal(nc_large_block_resize(a, 4 * MIB, 1 * MIB), a);
	char* b = allocate(1 * MIB);
	assert_ptr_equal(b, a + 1 * MIB);
	release(b, 1 * MIB);
	assert_ptr_equal(nc_large_block_resize(a, 1 * MIB, 3 * MIB), a);
	assert_int_equal(a[0], 5);
	release(a, 3 * MIB);
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

static void what_is_not_needed_goes_back(void** state)
{
	(void)state;
	char* small = allocate(256 * KIB);
	char* large = allocate(200 * MIB);
	assert_true(nc_large_block_count_bytes() > 200 * MIB);
	release(large, 200 * MIB);
	assert_true(nc_large_block_count_bytes() < 32 * MIB);
	release(small, 256 * KIB);
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

static void impossible_sizes_leave_the_old_block(void** state)
{
	(void)state;
	char* a = allocate(256 * KIB);
	a[256 * KIB - 1] = 7;
	assert_null(nc_large_block_resize(a, 256 * KIB, SIZE_MAX));
	assert_null(nc_large_block_resize(a, 256 * KIB, SIZE_MAX / 4));
	assert_int_equal(a[256 * KIB - 1], 7);
	release(a, 256 * KIB);
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

// Blocks that change their sizes at random. Each is full of a number of its own.

#define BLOCK_COUNT 24
#define ROUNDS 600

typedef struct Block
{
	unsigned char* data;
	size_t size;
} Block;

static bool is_full_of(const Block* block, size_t size, unsigned char number)
{
	for (size_t i = 0; i < size; i += 512)
	{
		if (block->data[i] != number)
		{
			return false;
		}
	}
	return size == 0 || block->data[size - 1] == number;
}

// @return whether all blocks kept what was in them
static bool resize_at_random(uint64_t seed)
{
	Random random = random_begin(seed);
	Block blocks[BLOCK_COUNT] = {0};
	bool is_right = true;
	for (int round = 0; round < ROUNDS && is_right; ++round)
	{
		int i = random_get_int(&random, BLOCK_COUNT);
		Block* block = &blocks[i];
		size_t size =
			random_get_int(&random, 4) == 0 ? 0 : 1 + (size_t)random_get_int(&random, 1 << 20);
		block->data = nc_large_block_resize(block->data, block->size, size);
		size_t kept = block->size < size ? block->size : size;
		is_right = (block->data != NULL) == (size > 0) && is_full_of(block, kept, (unsigned char)i);
		if (size > 0)
		{
			memset(block->data, i, size);
		}
		block->size = size;
	}
	for (int i = 0; i < BLOCK_COUNT; ++i)
	{
		is_right &= is_full_of(&blocks[i], blocks[i].size, (unsigned char)i);
		nc_large_block_resize(blocks[i].data, blocks[i].size, 0);
	}
	return is_right;
}

static void resize_in_thread(void* context, int begin, int end, int worker)
{
	(void)worker;
	bool* results = context;
	for (int i = begin; i < end; ++i)
	{
		results[i] = resize_at_random((uint64_t)i + 1);
	}
}

static void blocks_keep_what_is_in_them_on_all_threads(void** state)
{
	(void)state;
	Parallel parallel = {.thread_count = 4};
	bool results[8] = {false};
	parallel_for(&parallel, NC_COUNT(results), resize_in_thread, results);
	for (int i = 0; i < NC_COUNT(results); ++i)
	{
		assert_in_round(results[i], i);
	}
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

// The default allocator, whichever way its blocks come.
static void blocks_change_between_small_and_large(void** state)
{
	(void)state;
	size_t sizes[] = {100, 1 * MIB, 3 * MIB, 200, NC_MIN_LARGE_BLOCK, NC_MIN_LARGE_BLOCK - 1};
	size_t size = 0;
	char* memory = NULL;
	for (int i = 0; i < NC_COUNT(sizes); ++i)
	{
		memory = nc_allocate(memory, size, sizes[i]);
		assert_non_null(memory);
		assert_true(i == 0 || memory[99] == 9);
		memory[99] = 9;
		memory[sizes[i] - 1] = 9;
		size = sizes[i];
	}
	assert_null(nc_allocate(memory, size, 0));
	assert_int_equal(nc_large_block_count_bytes(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(blocks_lie_side_by_side),
		TEST(freed_room_is_used_again),
		TEST(blocks_shrink_and_grow_where_they_are),
		TEST(what_is_not_needed_goes_back),
		TEST(impossible_sizes_leave_the_old_block),
		TEST(blocks_keep_what_is_in_them_on_all_threads),
		TEST(blocks_change_between_small_and_large),
	};
	return cmocka_run_group_tests_name("large block", tests, NULL, NULL);
}
