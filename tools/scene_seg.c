// SPDX-License-Identifier: MIT

// Scenes of segments: "x0 y0 x1 y1" a line, each an obstacle of its own. A first line with a single
// number is their count, as some programs write it; then the file must have that many.

#include "scene_file.h"

#define NUMBERS_PER_LINE 4

// The numbers of a line. Complain if there are too many or something else.
static bool read_numbers(Text* text, double numbers[NUMBERS_PER_LINE], int* count)
{
	*count = 0;
	while (!text_is_line_done(text))
	{
		if (*count == NUMBERS_PER_LINE)
		{
			return text_fail_expected(text, "the end of the line after x0 y0 x1 y1");
		}
		if (!text_read_number(text, &numbers[*count]))
		{
			return false;
		}
		++*count;
	}
	return true;
}

static void add_segment(Scene* scene, const double numbers[NUMBERS_PER_LINE], int line)
{
	scene_begin_shape(scene, NC_SHAPE_CHAIN, line);
	scene_add_point(scene, (NcVec2){numbers[0], numbers[1]});
	scene_add_point(scene, (NcVec2){numbers[2], numbers[3]});
}

bool scene_read_seg(Text* text, Scene* scene)
{
	double promised = -1.0;
	int line_count = 0;
	int segment_count = 0;
	while (text_next_line(text))
	{
		double numbers[NUMBERS_PER_LINE];
		int count;
		if (!read_numbers(text, numbers, &count))
		{
			return false;
		}
		if (line_count++ == 0 && count == 1)
		{
			promised = numbers[0];
			continue;
		}
		if (count != NUMBERS_PER_LINE)
		{
			return text_fail(
				text, "expected the four numbers x0 y0 x1 y1, but there are %d", count);
		}
		add_segment(scene, numbers, text->line);
		++segment_count;
	}

	if (line_count > segment_count && promised != (double)segment_count)
	{
		return text_fail(text, "the file begins with the count %.9g, but has %d segments", promised,
			segment_count);
	}
	return true;
}
