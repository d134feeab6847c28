// SPDX-License-Identifier: MIT

// The JSON writer: commas, quotes, and numbers that read back as the same bits.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define TEXT_CAPACITY 512

// What was written to a file, as a string.
static void read_back(FILE* file, char text[TEXT_CAPACITY])
{
	rewind(file);
	size_t size = fread(text, 1, TEXT_CAPACITY - 1, file);
	text[size] = '\0';
	fclose(file);
}

static void commas_stand_between_items_only(void** state)
{
	(void)state;
	FILE* file = tmpfile();
	assert_non_null(file);
	JsonWriter json = json_begin(file);
	json_begin_object(&json);
	json_write_key(&json, "empty");
	json_begin_array(&json);
	json_end_array(&json);
	json_write_key(&json, "points");
	json_begin_array(&json);
	json_write_pair(&json, 1.0, 2.5);
	json_write_pair(&json, -3.0, 0.1);
	json_end_array(&json);
	json_write_key(&json, "ok");
	json_write_bool(&json, true);
	json_write_key(&json, "count");
	json_write_integer(&json, -12);
	json_write_key(&json, "nested");
	json_begin_object(&json);
	json_end_object(&json);
	json_end_object(&json);

	char text[TEXT_CAPACITY];
	read_back(file, text);
	assert_string_equal(text, "{\"empty\":[],\"points\":[[1,2.5],[-3,0.1]],\"ok\":true,"
							  "\"count\":-12,\"nested\":{}}");
}

static void strings_are_escaped(void** state)
{
	(void)state;
	FILE* file = tmpfile();
	assert_non_null(file);
	JsonWriter json = json_begin(file);
	json_write_string(&json, "a\"b\\c\n\t\x01 \xc3\xa9");

	char text[TEXT_CAPACITY];
	read_back(file, text);
	assert_string_equal(text, "\"a\\\"b\\\\c\\u000a\\u0009\\u0001 \xc3\xa9\"");
}

static void numbers_that_are_not_finite_become_null(void** state)
{
	(void)state;
	FILE* file = tmpfile();
	assert_non_null(file);
	JsonWriter json = json_begin(file);
	json_begin_array(&json);
	json_write_number(&json, (double)NAN);
	json_write_number(&json, (double)INFINITY);
	json_write_number(&json, -(double)INFINITY);
	json_end_array(&json);

	char text[TEXT_CAPACITY];
	read_back(file, text);
	assert_string_equal(text, "[null,null,null]");
}

static void numbers_are_as_short_as_possible(void** state)
{
	(void)state;
	static const struct
	{
		double value;
		const char* text;
	} cases[] = {
		{0.0, "0"},
		{-0.0, "-0"},
		{0.1, "0.1"},
		{100.0, "100"},
		{1.0 / 3.0, "0.3333333333333333"},
		{0.1 + 0.2, "0.30000000000000004"},
		{1e300, "1e+300"},
	};
	for (int i = 0; i < COUNT(cases); ++i)
	{
		char text[JSON_NUMBER_CAPACITY];
		assert_string_equal(json_format_number(cases[i].value, text), cases[i].text);
	}
}

// Property: every finite double survives, subnormal ones and the largest included.
static void numbers_read_back_as_the_same_bits(void** state)
{
	(void)state;
	uint64_t bits = 88172645463325252u;
	for (int round = 0; round < 20000; ++round)
	{
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		double value;
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
		{
			continue;
		}
		char text[JSON_NUMBER_CAPACITY];
		double back = strtod(json_format_number(value, text), NULL);
		assert_memory_equal(&back, &value, sizeof(value));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_stand_between_items_only),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(numbers_that_are_not_finite_become_null),
		cmocka_unit_test(numbers_are_as_short_as_possible),
		cmocka_unit_test(numbers_read_back_as_the_same_bits),
	};
	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
