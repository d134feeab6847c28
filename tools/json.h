// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define JSON_MAX_DEPTH 16

// Room for json_format_number().
#define JSON_NUMBER_CAPACITY 32

/// Writes JSON, one value after the other, commas and quotes included. The caller keeps to the
/// grammar: inside an object every value follows its key, and what begins also ends.
typedef struct JsonWriter
{
	FILE* file;
	int depth;                      ///< how many objects and arrays are open
	bool has_items[JSON_MAX_DEPTH]; ///< of each open object or array
	bool is_after_key;
} JsonWriter;

JsonWriter json_begin(FILE* file);

void json_begin_object(JsonWriter* json);
void json_end_object(JsonWriter* json);
void json_begin_array(JsonWriter* json);
void json_end_array(JsonWriter* json);

/// Write the key of the value that comes next.
void json_write_key(JsonWriter* json, const char* key);

/// Write the shortest decimal number that reads back as the same bits. JSON has no word for numbers
/// that are not finite: they become null.
void json_write_number(JsonWriter* json, double value);

void json_write_integer(JsonWriter* json, long long value);
void json_write_bool(JsonWriter* json, bool value);
void json_write_string(JsonWriter* json, const char* utf8);

/// Write a position as the array [x,y].
void json_write_pair(JsonWriter* json, double x, double y);

/// The shortest decimal number that reads back as the same bits, as text.
/// @return `text`
const char* json_format_number(double value, char text[JSON_NUMBER_CAPACITY]);
