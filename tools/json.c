// SPDX-License-Identifier: MIT

// Writing JSON: the writer remembers only how deep it is and whether a comma is due.
//
// This work is based on:
// RFC 8259, The JavaScript Object Notation (JSON) Data Interchange Format. 2017

#include "json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// A double has between 15 digits, which always survive, and 17, which always suffice.
#define MIN_DIGITS 15
#define MAX_DIGITS 17

JsonWriter json_begin(FILE* file)
{
	return (JsonWriter){.file = file};
}

// Write the comma before a key, or before a value that has no key.
static void separate(JsonWriter* json)
{
	if (json->is_after_key)
	{
		json->is_after_key = false;
		return;
	}
	if (json->depth > 0)
	{
		bool* has_items = &json->has_items[json->depth - 1];
		if (*has_items)
		{
			fputc(',', json->file);
		}
		*has_items = true;
	}
}

static void open_level(JsonWriter* json, char bracket)
{
	assert(json->depth < JSON_MAX_DEPTH);
	separate(json);
	fputc(bracket, json->file);
	json->has_items[json->depth++] = false;
}

static void close_level(JsonWriter* json, char bracket)
{
	assert(json->depth > 0);
	fputc(bracket, json->file);
	--json->depth;
}

static void write_quoted(FILE* file, const char* utf8)
{
	fputc('"', file);
	for (const char* at = utf8; *at != '\0'; ++at)
	{
		unsigned char byte = (unsigned char)*at;
		if (byte == '"' || byte == '\\')
		{
			fprintf(file, "\\%c", byte);
		}
		else if (byte < 0x20)
		{
			fprintf(file, "\\u%04x", byte);
		}
		else
		{
			fputc(byte, file);
		}
	}
	fputc('"', file);
}

void json_begin_object(JsonWriter* json)
{
	open_level(json, '{');
}

void json_end_object(JsonWriter* json)
{
	close_level(json, '}');
}

void json_begin_array(JsonWriter* json)
{
	open_level(json, '[');
}

void json_end_array(JsonWriter* json)
{
	close_level(json, ']');
}

void json_write_key(JsonWriter* json, const char* key)
{
	separate(json);
	write_quoted(json->file, key);
	fputc(':', json->file);
	json->is_after_key = true;
}

void json_write_number(JsonWriter* json, double value)
{
	char text[JSON_NUMBER_CAPACITY];
	separate(json);
	fputs(isfinite(value) ? json_format_number(value, text) : "null", json->file);
}

void json_write_integer(JsonWriter* json, long long value)
{
	separate(json);
	fprintf(json->file, "%lld", value);
}

void json_write_bool(JsonWriter* json, bool value)
{
	separate(json);
	fputs(value ? "true" : "false", json->file);
}

void json_write_string(JsonWriter* json, const char* utf8)
{
	separate(json);
	write_quoted(json->file, utf8);
}

void json_write_pair(JsonWriter* json, double x, double y)
{
	json_begin_array(json);
	json_write_number(json, x);
	json_write_number(json, y);
	json_end_array(json);
}

const char* json_format_number(double value, char text[JSON_NUMBER_CAPACITY])
{
	for (int digits = MIN_DIGITS; digits <= MAX_DIGITS; ++digits)
	{
		snprintf(text, JSON_NUMBER_CAPACITY, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
		{
			break;
		}
	}
	return text;
}
