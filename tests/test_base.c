// SPDX-License-Identifier: MIT

// Hooks, names and the count of bytes.

#include "test.h"

#include <stdio.h>

// An allocator that counts, and fails on request.
typedef struct Counter
{
	int calls;
	bool is_empty;
	size_t last_old_size;
} Counter;

static void* count_calls(void* context, void* memory, size_t old_size, size_t new_size)
{
	Counter* counter = context;
	++counter->calls;
	counter->last_old_size = old_size;
	if (new_size == 0)
	{
		free(memory);
		return NULL;
	}
	return counter->is_empty ? NULL : realloc(memory, new_size);
}

static void every_status_has_a_name_of_its_own(void** state)
{
	(void)state;
	for (int i = 0; i < NC_STATUS_COUNT; ++i)
	{
		assert_true(strlen(nc_status_name((NcStatus)i)) > 0);
		for (int k = 0; k < i; ++k)
		{
			assert_string_not_equal(nc_status_name((NcStatus)i), nc_status_name((NcStatus)k));
		}
	}
	assert_string_equal(nc_status_name(NC_STATUS_COUNT), "unknown status");
	assert_string_equal(nc_status_name((NcStatus)-1), "unknown status");
}

static void version_is_that_of_the_header(void** state)
{
	(void)state;
	char expected[64];
	snprintf(expected, sizeof(expected), "%d.%d.%d", NC_VERSION_MAJOR, NC_VERSION_MINOR,
		NC_VERSION_PATCH);
	assert_string_equal(nc_get_version(), expected);
}

static void byte_count_follows_every_allocation(void** state)
{
	(void)state;
	assert_null(nc_allocate(NULL, 0, 0));
	char* memory = nc_allocate(NULL, 0, 100);
	assert_non_null(memory);
	assert_int_equal(nc_get_byte_count(), 100);
	memory[99] = 7;
	memory = nc_allocate(memory, 100, 1000);
	assert_int_equal(nc_get_byte_count(), 1000);
	assert_int_equal(memory[99], 7);
	memory = nc_allocate(memory, 1000, 100);
	assert_int_equal(nc_get_byte_count(), 100);
	assert_int_equal(memory[99], 7);
	assert_null(nc_allocate(memory, 100, 0));
	assert_int_equal(nc_get_byte_count(), 0);
}

static void failed_allocations_leave_the_old_block(void** state)
{
	(void)state;
	Counter counter = {0};
	nc_set_allocator(count_calls, &counter);
	char* memory = nc_allocate(NULL, 0, 10);
	assert_non_null(memory);
	memory[9] = 3;

	counter.is_empty = true;
	assert_null(nc_allocate(memory, 10, 20));
	assert_null(nc_allocate(NULL, 0, 20));
	assert_int_equal(nc_get_byte_count(), 10);
	assert_int_equal(memory[9], 3);
	assert_null(nc_allocate(memory, 10, 0));
	assert_int_equal(counter.calls, 4);
	assert_int_equal(counter.last_old_size, 10);
	nc_set_allocator(NULL, NULL);
}

static void default_allocator_comes_back(void** state)
{
	(void)state;
	Counter counter = {.is_empty = true};
	nc_set_allocator(count_calls, &counter);
	nc_set_allocator(NULL, &counter);
	void* memory = nc_allocate(NULL, 0, 10);
	assert_non_null(memory);
	nc_allocate(memory, 10, 0);
	assert_int_equal(counter.calls, 0);
}

static void keep_message(void* context, const char* message)
{
	snprintf(context, 64, "%s", message);
}

static void log_hook_hears_messages(void** state)
{
	(void)state;
	char heard[64] = "";
	nc_log("nobody listens");
	nc_set_log(keep_message, heard);
	nc_log("somebody listens");
	nc_set_log(NULL, NULL);
	nc_log("nobody listens");
	assert_string_equal(heard, "somebody listens");
}

static void keep_condition(void* context, const char* condition, const char* file, int line)
{
	assert_non_null(strstr(file, "test_base"));
	assert_true(line > 0);
	snprintf(context, 64, "%s", condition);
}

static void assert_hook_hears_broken_conditions(void** state)
{
	(void)state;
	char heard[64] = "";
	nc_set_assert(keep_condition, heard);
	nc_report_assert("1 == 1", __FILE__, __LINE__);
	assert_string_equal(heard, "1 == 1");
	NC_ASSERT(heard[0] == '1');
	assert_string_equal(heard, "1 == 1");
#ifndef NDEBUG
	NC_ASSERT(heard[0] == '2');
	assert_string_equal(heard, "heard[0] == '2'");
#endif
	nc_set_assert(NULL, NULL);
}

static void errors_are_filled_only_where_there_is_room(void** state)
{
	(void)state;
	NcError error = {0};
	assert_int_equal(nc_fail(&error, NC_TOO_LARGE, 7, "too many"), NC_TOO_LARGE);
	assert_int_equal(error.status, NC_TOO_LARGE);
	assert_int_equal(error.item, 7);
	assert_string_equal(error.reason, "too many");
	assert_int_equal(nc_fail(NULL, NC_NOT_FOUND, 0, "nothing"), NC_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_status_has_a_name_of_its_own),
		TEST(version_is_that_of_the_header),
		TEST(byte_count_follows_every_allocation),
		TEST(failed_allocations_leave_the_old_block),
		TEST(default_allocator_comes_back),
		TEST(log_hook_hears_messages),
		TEST(assert_hook_hears_broken_conditions),
		TEST(errors_are_filled_only_where_there_is_room),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
