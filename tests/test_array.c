// SPDX-License-Identifier: MIT

// Growing arrays, and what they do when memory ends.

#include "test.h"

#include "array.h"

// An allocator that stops giving after some bytes.
static void* allocate_up_to(void* context, void* memory, size_t old_size, size_t new_size)
{
	(void)old_size;
	if (new_size == 0)
	{
		free(memory);
		return NULL;
	}
	return new_size <= *(size_t*)context ? realloc(memory, new_size) : NULL;
}

static void pushed_values_stay_in_order(void** state)
{
	(void)state;
	NcIntArray array = {0};
	for (int i = 0; i < 10000; ++i)
	{
		assert_true(nc_array_push(&array, 3 * i));
		assert_int_equal(array.count, i + 1);
		assert_true(array.capacity >= array.count);
	}
	for (int i = 0; i < 10000; ++i)
	{
		assert_int_equal(array.data[i], 3 * i);
	}
	assert_true(array.capacity < 4 * 10000);
	nc_array_free(&array);
	assert_null(array.data);
	assert_int_equal(array.count, 0);
	assert_int_equal(array.capacity, 0);
}

static void freed_arrays_are_usable_again(void** state)
{
	(void)state;
	NcIntArray array = {0};
	nc_array_free(&array);
	assert_true(nc_array_push(&array, 1));
	nc_array_free(&array);
	assert_true(nc_array_push(&array, 2));
	assert_int_equal(array.count, 1);
	assert_int_equal(array.data[0], 2);
	nc_array_free(&array);
}

static void resizing_fills_with_zeros(void** state)
{
	(void)state;
	NcIntArray array = {0};
	assert_true(nc_array_resize(&array, 0));
	assert_true(nc_array_resize(&array, 5));
	array.data[3] = 7;
	array.data[4] = 8;
	assert_true(nc_array_resize(&array, 4));
	assert_true(nc_array_resize(&array, 100));
	assert_int_equal(array.count, 100);
	assert_int_equal(array.data[3], 7);
	for (int i = 4; i < 100; ++i)
	{
		assert_int_equal(array.data[i], 0);
	}
	nc_array_free(&array);
}

static void reserving_changes_no_count(void** state)
{
	(void)state;
	NcArray(double) array = {0};
	assert_true(nc_array_reserve(&array, 77));
	assert_int_equal(array.count, 0);
	assert_int_equal(array.capacity, 77); // who knows the number wastes nothing
	double* data = array.data;
	for (int i = 0; i < 77; ++i)
	{
		assert_true(nc_array_push(&array, (double)i));
	}
	assert_ptr_equal(array.data, data);
	nc_array_free(&array);
}

static void failure_is_remembered_and_nothing_is_lost(void** state)
{
	(void)state;
	size_t limit = 64 * sizeof(int);
	nc_set_allocator(allocate_up_to, &limit);
	NcIntArray array = {0};
	int pushed = 0;
	for (int i = 0; i < 1000; ++i)
	{
		pushed += nc_array_push(&array, i);
	}
	assert_true(array.failed);
	assert_int_equal(pushed, 64);
	assert_int_equal(array.count, 64);
	for (int i = 0; i < 64; ++i)
	{
		assert_int_equal(array.data[i], i);
	}

	// The failure sticks even when there is memory again.
	limit = 1 << 20;
	assert_false(nc_array_push(&array, 1));
	assert_false(nc_array_resize(&array, 100));
	assert_int_equal(array.count, 64);
	assert_true(nc_array_resize(&array, 10));
	nc_array_free(&array);
	assert_false(array.failed);
	nc_set_allocator(NULL, NULL);
}

static void sizes_beyond_all_indices_fail(void** state)
{
	(void)state;
	NcIntArray array = {0};
	long long too_many = (long long)INT_MAX + 1;
	assert_false(nc_array_reserve(&array, too_many));
	assert_true(array.failed);
	nc_array_free(&array);

	NcArray(NcVec2) large = {.capacity = INT_MAX / 2 + 1, .count = INT_MAX / 2 + 1};
	size_t limit = 0;
	nc_set_allocator(allocate_up_to, &limit);
	assert_false(nc_array_reserve(&large, INT_MAX / 2 + 2LL));
	assert_true(large.failed);
	nc_set_allocator(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pushed_values_stay_in_order),
		TEST(freed_arrays_are_usable_again),
		TEST(resizing_fills_with_zeros),
		TEST(reserving_changes_no_count),
		TEST(failure_is_remembered_and_nothing_is_lost),
		TEST(sizes_beyond_all_indices_fail),
	};
	return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
