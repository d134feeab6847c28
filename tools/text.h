// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define TEXT_REASON_CAPACITY 200

/// What is wrong with a text, and where.
typedef struct TextError
{
	int line;                          ///< counts from one; 0 if it is about the whole text
	char reason[TEXT_REASON_CAPACITY]; ///< an English sentence without a full stop
} TextError;

/// A reader that walks over a text line by line and item by item. It never looks beyond `end`, and
/// the text may contain any bytes. The text stays with the caller.
typedef struct Text
{
	const char* at;       ///< the next byte of the current line
	const char* line_end; ///< where the current line ends
	const char* next;     ///< where the next line begins
	const char* end;      ///< where the text ends
	int line;             ///< of the current line; 0 before the first
	TextError* error;     ///< receives the first complaint
} Text;

/// Begin to read `size` bytes. A byte order mark at the start is left out.
/// @param error must outlive the reader
Text text_begin(const char* bytes, size_t size, TextError* error);

/// Go to the next line that has more on it than spaces and a comment (from `#` to its end).
/// @return false at the end of the text
bool text_next_line(Text* text);

/// Go to the next line whatever is on it: blank, with spaces or `#` as they are. Only the ending of
/// the line, `\n` or `\r\n`, is not part of it.
/// @return false at the end of the text
bool text_next_row(Text* text);

/// @return whether nothing but spaces is left on the line
bool text_is_line_done(Text* text);

/// Skip this character if it comes next, after spaces.
bool text_accept(Text* text, char character);

/// Skip this word if it comes next, in capitals or not.
bool text_accept_word(Text* text, const char* word);

/// Skip this character; complain if something else comes next.
bool text_expect(Text* text, char character);

/// Read a word of letters, in capitals. Complain if there is none or if it is too long.
bool text_read_word(Text* text, char* word, int capacity);

/// Read a finite decimal number. Complain about anything else.
bool text_read_number(Text* text, double* value);

/// Complain with a printf format; only the first complaint counts.
/// @return false
__attribute__((format(printf, 2, 3))) bool text_fail(Text* text, const char* format, ...);

/// Complain that something else was expected than what comes next.
/// @return false
bool text_fail_expected(Text* text, const char* expected);

/// Read a number from a string that holds nothing else.
/// @param reason receives what is wrong on failure
bool text_parse_number(const char* string, double* value, char reason[TEXT_REASON_CAPACITY]);
