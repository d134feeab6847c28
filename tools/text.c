// SPDX-License-Identifier: MIT

// Reading text that others wrote: lines, words and numbers, with complaints that say where and
// what. Nothing here depends on the locale, on a terminating zero or on the text being text.

#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for any number that a program prints; 17 digits and an exponent need 24.
#define NUMBER_CAPACITY 64

// How much of an unexpected text a complaint quotes.
#define QUOTE_CAPACITY 24

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_letter(char c)
{
	return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

static char to_capital(char c)
{
	return 'a' <= c && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

// What separates one item from the next, beside the end of the line.
static bool is_separator(char c)
{
	return is_space(c) || c == ',' || c == '(' || c == ')' || c == ';';
}

static void skip_spaces(Text* text)
{
	while (text->at < text->line_end && is_space(*text->at))
	{
		++text->at;
	}
}

// The item that comes next, cut to a length for messages, with anything unprintable replaced. A
// separator is an item of its own.
static void quote_next(Text* text, char quote[QUOTE_CAPACITY + 4])
{
	int length = 0;
	const char* at = text->at;
	bool is_item = at < text->line_end && !is_separator(*at);
	int max_length = is_item ? QUOTE_CAPACITY : 1;
	while (at < text->line_end && length < max_length && (length == 0 || !is_separator(*at)))
	{
		quote[length++] = ' ' <= *at && *at <= '~' ? *at : '?';
		++at;
	}
	bool is_cut = is_item && at < text->line_end && !is_separator(*at);
	strcpy(quote + length, is_cut ? "..." : "");
}

Text text_begin(const char* bytes, size_t size, TextError* error)
{
	static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};
	*error = (TextError){0};
	const char* start = bytes;
	if (size >= sizeof(byte_order_mark) && memcmp(bytes, byte_order_mark, 3) == 0)
	{
		start += sizeof(byte_order_mark);
	}
	return (Text){
		.at = start, .line_end = start, .next = start, .end = bytes + size, .error = error};
}

// Step to the next line, comment included.
static void step_line(Text* text)
{
	const char* start = text->next;
	const char* newline = memchr(start, '\n', (size_t)(text->end - start));
	text->at = start;
	text->line_end = newline != NULL ? newline : text->end;
	text->next = newline != NULL ? newline + 1 : text->end;
	++text->line;
}

static void cut_comment(Text* text)
{
	const char* comment = memchr(text->at, '#', (size_t)(text->line_end - text->at));
	text->line_end = comment != NULL ? comment : text->line_end;
}

bool text_next_line(Text* text)
{
	while (text->next < text->end)
	{
		step_line(text);
		cut_comment(text);
		if (!text_is_line_done(text))
		{
			return true;
		}
	}
	return false;
}

bool text_next_row(Text* text)
{
	if (text->next >= text->end)
	{
		return false;
	}
	step_line(text);
	if (text->line_end > text->at && text->line_end[-1] == '\r')
	{
		--text->line_end;
	}
	return true;
}

bool text_is_line_done(Text* text)
{
	skip_spaces(text);
	return text->at == text->line_end;
}

bool text_accept(Text* text, char character)
{
	if (text_is_line_done(text) || *text->at != character)
	{
		return false;
	}
	++text->at;
	return true;
}

bool text_accept_word(Text* text, const char* word)
{
	skip_spaces(text);
	const char* at = text->at;
	for (; *word != '\0'; ++word, ++at)
	{
		if (at == text->line_end || to_capital(*at) != to_capital(*word))
		{
			return false;
		}
	}
	if (at < text->line_end && is_letter(*at))
	{
		return false;
	}
	text->at = at;
	return true;
}

bool text_expect(Text* text, char character)
{
	char expected[] = {'\'', character, '\'', '\0'};
	return text_accept(text, character) || text_fail_expected(text, expected);
}

bool text_read_word(Text* text, char* word, int capacity)
{
	skip_spaces(text);
	int length = 0;
	while (text->at + length < text->line_end && is_letter(text->at[length]))
	{
		if (length + 1 == capacity)
		{
			return text_fail_expected(text, "a shorter word");
		}
		word[length] = to_capital(text->at[length]);
		++length;
	}
	word[length] = '\0';
	if (length == 0)
	{
		return text_fail_expected(text, "a word");
	}
	text->at += length;
	return true;
}

// Only decimal digits: strtod() alone would also take hexadecimal numbers, "nan" and "inf".
static bool is_decimal(const char* string)
{
	return string[0] != '\0' && strspn(string, "+-.0123456789eE") == strlen(string);
}

static bool is_not_finite_word(const char* string)
{
	const char* word = string + (string[0] == '-' || string[0] == '+');
	char start[4] = {0};
	for (int i = 0; i < 3 && word[i] != '\0'; ++i)
	{
		start[i] = to_capital(word[i]);
	}
	return strcmp(start, "NAN") == 0 || strcmp(start, "INF") == 0;
}

bool text_parse_number(const char* string, double* value, char reason[TEXT_REASON_CAPACITY])
{
	if (is_not_finite_word(string))
	{
		snprintf(reason, TEXT_REASON_CAPACITY, "'%.8s' is not a finite number", string);
		return false;
	}

	char* end = NULL;
	double number = is_decimal(string) ? strtod(string, &end) : 0.0;
	if (end == NULL || end == string || *end != '\0')
	{
		snprintf(reason, TEXT_REASON_CAPACITY, "'%.*s' is not a number", QUOTE_CAPACITY, string);
		return false;
	}
	if (!isfinite(number))
	{
		snprintf(
			reason, TEXT_REASON_CAPACITY, "the number %.*s is too large", QUOTE_CAPACITY, string);
		return false;
	}
	*value = number;
	return true;
}

bool text_read_number(Text* text, double* value)
{
	if (text_is_line_done(text) || is_separator(*text->at))
	{
		return text_fail_expected(text, "a number");
	}

	char string[NUMBER_CAPACITY];
	char quote[QUOTE_CAPACITY + 4];
	quote_next(text, quote);
	int length = 0;
	const char* at = text->at;
	for (; at < text->line_end && !is_separator(*at); ++at)
	{
		if (length + 1 == NUMBER_CAPACITY)
		{
			return text_fail(text, "the number %s has more than %d characters", quote, length);
		}
		string[length++] = *at;
	}
	string[length] = '\0';

	// Bytes that cannot be printed stay out of messages, and a zero would hide what follows it.
	char reason[TEXT_REASON_CAPACITY];
	if (strlen(string) != (size_t)length || strpbrk(quote, "?") != NULL)
	{
		return text_fail(text, "'%s' is not a number", quote);
	}
	if (!text_parse_number(string, value, reason))
	{
		return text_fail(text, "%s", reason);
	}
	text->at = at;
	return true;
}

bool text_fail(Text* text, const char* format, ...)
{
	if (text->error->reason[0] == '\0')
	{
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(text->error->reason, sizeof(text->error->reason), format, arguments);
		va_end(arguments);
		text->error->line = text->line;
	}
	return false;
}

bool text_fail_expected(Text* text, const char* expected)
{
	if (text_is_line_done(text))
	{
		return text_fail(text, "expected %s, but the line ends", expected);
	}
	char quote[QUOTE_CAPACITY + 4];
	quote_next(text, quote);
	return text_fail(text, "expected %s, not '%s'", expected, quote);
}
