// SPDX-License-Identifier: MIT

// Scenes from .wkt and .seg text: what is read, what is refused and how the complaint reads, and
// that no bytes whatsoever do harm.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// Read a text from memory of exactly its size, so that the sanitizers see every step too far.
static bool read_bytes(
	const char* ending, const char* bytes, size_t size, Scene* scene, TextError* error)
{
	char* copy = malloc(size > 0 ? size : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, size);
	bool is_read = scene_read_text(ending, copy, size, scene, error);
	free(copy);
	return is_read;
}

static bool read_string(const char* ending, const char* string, Scene* scene, TextError* error)
{
	return read_bytes(ending, string, strlen(string), scene, error);
}

// Read a text that must be good.
static Scene read_good(const char* ending, const char* string)
{
	Scene scene = {0};
	TextError error;
	if (!read_string(ending, string, &scene, &error))
	{
		fail_msg("line %d: %s\n%s", error.line, error.reason, string);
	}
	return scene;
}

// One shape and what it must look like.
typedef struct ShapeCase
{
	const char* text;
	int shape_count;
	NcShapeKind kind; // of the first shape
	int point_count;  // of all shapes
	int ring_count;   // of all shapes
} ShapeCase;

static void every_geometry_is_read(void** state)
{
	(void)state;
	static const ShapeCase cases[] = {
		{"POINT (1 2)", 1, NC_SHAPE_POINTS, 1, 0},
		{"point(1 2)", 1, NC_SHAPE_POINTS, 1, 0},
		{"MULTIPOINT (1 2, 3 4)", 2, NC_SHAPE_POINTS, 2, 0},
		{"MULTIPOINT ((1 2), (3 4), EMPTY)", 2, NC_SHAPE_POINTS, 2, 0},
		{"LINESTRING (0 0, 1 0, 1 1)", 1, NC_SHAPE_CHAIN, 3, 0},
		{"MULTILINESTRING ((0 0, 1 0), EMPTY, (5 5, 6 6, 7 5))", 2, NC_SHAPE_CHAIN, 5, 0},
		{"POLYGON ((0 0, 4 0, 4 4, 0 0))", 1, NC_SHAPE_POLYGON, 4, 1},
		{"POLYGON ((0 0, 4 0, 4 4))", 1, NC_SHAPE_POLYGON, 3, 1},
		{"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 1))", 1, NC_SHAPE_POLYGON, 9, 2},
		{"MULTIPOLYGON (((0 0, 4 0, 4 4)), EMPTY, ((5 5, 6 5, 6 6), (5 5, 6 5, 6 6)))", 2,
			NC_SHAPE_POLYGON, 9, 3},
		{"GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1)))", 2,
			NC_SHAPE_POINTS, 3, 0},
		{"  POINT\t( 1   2 )  # a tree\r\n", 1, NC_SHAPE_POINTS, 1, 0},
		{"\xef\xbb\xbfPOINT (1 2)", 1, NC_SHAPE_POINTS, 1, 0},
		{"POLYGON EMPTY", 0, NC_SHAPE_POINTS, 0, 0},
	};

	for (int i = 0; i < COUNT(cases); ++i)
	{
		Scene scene = read_good(".wkt", cases[i].text);
		assert_int_equal(scene.shape_count, cases[i].shape_count);
		assert_int_equal(scene.point_count, cases[i].point_count);
		assert_int_equal(scene.ring_count, cases[i].ring_count);
		if (scene.shape_count > 0)
		{
			assert_int_equal(scene.shapes[0].kind, cases[i].kind);
		}
		scene_destroy(&scene);
	}
}

static void coordinates_are_read_to_the_last_bit(void** state)
{
	(void)state;
	Scene scene = read_good(".wkt", "MULTIPOINT (0.1 -2.5e-3, +7. .5, -0 1E+2)");
	static const NcVec2 expected[] = {{0.1, -2.5e-3}, {7.0, 0.5}, {-0.0, 100.0}};
	assert_int_equal(scene.point_count, COUNT(expected));
	assert_memory_equal(scene.points, expected, sizeof(expected));
	scene_destroy(&scene);
}

static void shapes_know_their_rings_and_lines(void** state)
{
	(void)state;
	Scene scene = read_good(".wkt", "# a town\n\nPOINT (7 7)\n"
									"POLYGON ((0 0, 9 0, 9 9, 0 9), (1 1, 2 1, 2 2))\n");
	assert_int_equal(scene.shape_count, 2);
	assert_int_equal(scene.shapes[0].line, 3);
	assert_int_equal(scene.shapes[1].line, 4);

	NcShape polygon = scene_get_shape(&scene, 1);
	assert_int_equal(polygon.kind, NC_SHAPE_POLYGON);
	assert_int_equal(polygon.point_count, 7);
	assert_int_equal(polygon.ring_count, 2);
	assert_int_equal(polygon.ring_counts[0], 4);
	assert_int_equal(polygon.ring_counts[1], 3);
	assert_true(polygon.points[4].x == 1.0 && polygon.points[6].y == 2.0);

	NcBox box = scene_compute_box(&scene);
	assert_true(box.lower.x == 0.0 && box.upper.y == 9.0);
	scene_destroy(&scene);
}

static void polygons_become_walkable_when_asked(void** state)
{
	(void)state;
	const char* text = "POLYGON ((0 0, 4 0, 4 4))\nLINESTRING (1 1, 2 1)";
	Scene scene = {.polygons_are_walkable = true};
	TextError error;
	assert_true(read_string(".wkt", text, &scene, &error));
	assert_int_equal(scene.shapes[0].kind, NC_SHAPE_WALKABLE);
	assert_int_equal(scene.shapes[1].kind, NC_SHAPE_CHAIN);
	scene_destroy(&scene);
}

// A text that must be refused: where, and which words the complaint has.
typedef struct RefusedCase
{
	const char* ending;
	const char* text;
	int line;
	const char* words;
} RefusedCase;

static void check_refused(RefusedCase refused)
{
	Scene scene = {0};
	TextError error;
	if (read_string(refused.ending, refused.text, &scene, &error))
	{
		fail_msg("this was accepted: %s", refused.text);
	}
	if (strstr(error.reason, refused.words) == NULL || error.line != refused.line)
	{
		fail_msg("%s\ngives line %d: %s", refused.text, error.line, error.reason);
	}
	scene_destroy(&scene);
}

static void bad_wkt_is_refused_with_line_and_reason(void** state)
{
	(void)state;
	static const RefusedCase cases[] = {
		{".wkt", "", 0, "empty"},
		{".wkt", "# nothing\n\n", 0, "no geometry"},
		{".wkt", "POINT (1 2)\nPOINT (nan 2)", 2, "'nan' is not a finite number"},
		{".wkt", "POINT (1 -Infinity)", 1, "'-Infinit' is not a finite number"},
		{".wkt", "POINT (1e999 2)", 1, "1e999 is too large"},
		{".wkt", "POINT (0x10 2)", 1, "'0x10' is not a number"},
		{".wkt", "POINT (1.2.3 2)", 1, "'1.2.3' is not a number"},
		{".wkt", "POINT (1 2 3)", 1, "after the two coordinates of a point, not '3'"},
		{".wkt", "POINT Z (1 2 3)", 1, "two coordinates"},
		{".wkt", "POINT (1)", 1, "expected a number, not ')'"},
		{".wkt", "POINT 1 2", 1, "expected '(', not '1'"},
		{".wkt", "POINT (1 2", 1, "expected ')', but the line ends"},
		{".wkt", "POINT (1 2) x", 1, "expected the end of the line after the geometry, not 'x'"},
		{".wkt", "POINT (1 2) POINT (3 4)", 1, "after the geometry, not 'POINT'"},
		{".wkt", "LINESTRING (1 2)", 1, "at least two points"},
		{".wkt", "POLYGON ((0 0, 1 1))", 1, "ring 1 of the polygon has only 2 different points"},
		{".wkt", "POLYGON ((0 0, 1 1, 0 0))", 1, "only 2 different points"},
		{".wkt", "POLYGON ((3 3, 3 3, 3 3, 3 3))", 1, "only 1 different point,"},
		{".wkt", "\nPOLYGON ((0 0, 9 0, 9 9), (1 1, 2 2, 1 1, 2 2))", 2, "ring 2 of the polygon"},
		{".wkt", "POLYGON ((0 0, 1 0, 1 1)", 1, "expected ',' or ')', but the line ends"},
		{".wkt", "POLYGON (0 0, 1 0, 1 1)", 1, "expected '(', not '0'"},
		{".wkt", "CIRCLE (0 0, 1)", 1, "unknown geometry 'CIRCLE'"},
		{".wkt", "12 13", 1, "expected a word, not '12'"},
		{".wkt", "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ", 1, "a shorter word"},
		{".txt", "POINT (1 2)", 0, "unknown ending '.txt'"},
		{"", "POINT (1 2)", 0, "unknown ending ''"},
		{".ncm", "POINT (1 2)", 0, "a saved map has no shapes"},
	};
	for (int i = 0; i < COUNT(cases); ++i)
	{
		check_refused(cases[i]);
	}
}

static void numbers_and_nesting_have_limits(void** state)
{
	(void)state;
	char digits[200];
	memset(digits, '1', sizeof(digits));
	digits[sizeof(digits) - 1] = '\0';
	char text[2048];
	snprintf(text, sizeof(text), "POINT (%s 2)", digits);
	check_refused((RefusedCase){".wkt", text, 1, "has more than 63 characters"});

	text[0] = '\0';
	for (int i = 0; i < 40; ++i)
	{
		strcat(text, "GEOMETRYCOLLECTION (");
	}
	check_refused((RefusedCase){".wkt", text, 1, "nested more than 16 deep"});
}

static void a_zero_byte_does_not_end_a_number(void** state)
{
	(void)state;
	static const char text[] = "POINT (1\0 2)";
	Scene scene = {0};
	TextError error;
	assert_false(read_bytes(".wkt", text, sizeof(text) - 1, &scene, &error));
	assert_non_null(strstr(error.reason, "'1?' is not a number"));
	scene_destroy(&scene);
}

static void segments_are_read_with_and_without_a_count(void** state)
{
	(void)state;
	static const char* const texts[] = {
		"0 0 1 0\n5 5 6 7\n",
		"2\n0 0 1 0\n5 5 6 7",
		"# plan\n\n  0\t0 1 0 # door\r\n5 5 6 7\r\n",
	};
	for (int i = 0; i < COUNT(texts); ++i)
	{
		Scene scene = read_good(".seg", texts[i]);
		assert_int_equal(scene.shape_count, 2);
		NcShape shape = scene_get_shape(&scene, 1);
		assert_int_equal(shape.kind, NC_SHAPE_CHAIN);
		assert_int_equal(shape.point_count, 2);
		assert_true(shape.points[1].x == 6.0 && shape.points[1].y == 7.0);
		scene_destroy(&scene);
	}
}

static void bad_segments_are_refused_with_line_and_reason(void** state)
{
	(void)state;
	static const RefusedCase cases[] = {
		{".seg", "", 0, "empty"},
		{".seg", "0 0 1 0\n3 4\n", 2, "four numbers x0 y0 x1 y1, but there are 2"},
		{".seg", "0 0 1 0\n7\n", 2, "but there are 1"},
		{".seg", "0 0 1 0 9\n", 1, "the end of the line after x0 y0 x1 y1, not '9'"},
		{".seg", "0 0 1 inf\n", 1, "'inf' is not a finite number"},
		{".seg", "0,0,1,1\n", 1, "expected a number, not ','"},
		{".seg", "3\n0 0 1 0\n1 1 2 2\n", 3, "begins with the count 3, but has 2 segments"},
		{".seg", "-1\n", 1, "begins with the count -1, but has 0 segments"},
		{".seg", "x\n", 1, "'x' is not a number"},
	};
	for (int i = 0; i < COUNT(cases); ++i)
	{
		check_refused(cases[i]);
	}
}

static void missing_files_and_folders_are_refused(void** state)
{
	(void)state;
	Scene scene = {0};
	TextError error;
	assert_false(scene_read_file("no/such/file.wkt", &scene, &error));
	assert_non_null(strstr(error.reason, "cannot open"));
	assert_false(scene_read_file("no.dir/file", &scene, &error));
	assert_non_null(strstr(error.reason, "unknown ending ''"));
	scene_destroy(&scene);
}

static uint32_t next_random(uint32_t* seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

// Whatever was read is consistent, and a refusal has a reason.
static void check_any(const char* ending, const char* bytes, size_t size)
{
	Scene scene = {0};
	TextError error;
	if (!read_bytes(ending, bytes, size, &scene, &error))
	{
		assert_true(error.reason[0] != '\0');
	}
	else
	{
		int point_count = 0;
		for (int i = 0; i < scene.shape_count; ++i)
		{
			assert_int_equal(scene.shapes[i].first_point, point_count);
			point_count += scene.shapes[i].point_count;
		}
		assert_int_equal(point_count, scene.point_count);
		for (int i = 0; i < scene.point_count; ++i)
		{
			assert_true(nc_is_finite(scene.points[i]));
		}
	}
	scene_destroy(&scene);
}

// Property: no bytes do harm. Half of the bytes come from the alphabet of the formats, so that the
// reader gets further than the first word.
static void random_bytes_never_crash(void** state)
{
	(void)state;
	static const char alphabet[] = "POLYGNMUTIEZ ((()),,, 0123456789.-e\n\n#naif";
	uint32_t seed = 2024;
	for (int round = 0; round < 20000; ++round)
	{
		char bytes[96];
		size_t size = next_random(&seed) % sizeof(bytes);
		bool is_any = next_random(&seed) % 4 == 0;
		for (size_t i = 0; i < size; ++i)
		{
			uint32_t random = next_random(&seed);
			bytes[i] = is_any ? (char)random : alphabet[random % (sizeof(alphabet) - 1)];
		}
		check_any(round % 2 == 0 ? ".wkt" : ".seg", bytes, size);
	}
}

// Property: good text with some bytes replaced, removed or cut off does no harm either.
static void damaged_text_never_crashes(void** state)
{
	(void)state;
	static const char good[] =
		"POLYGON ((0 0, 9.5 0, 9 9, 0 0), (1 1, 2 1, 2 2))\n"
		"GEOMETRYCOLLECTION (MULTIPOINT ((1 2), 3 4), LINESTRING (0 0, 1e3 1))\n"
		"MULTIPOLYGON (((0 0, 4 0, 4 4)), EMPTY)\n";
	uint32_t seed = 7;
	for (int round = 0; round < 20000; ++round)
	{
		char bytes[sizeof(good)];
		memcpy(bytes, good, sizeof(good));
		size_t size = sizeof(good) - 1 - next_random(&seed) % 3 * (next_random(&seed) % 60);
		int change_count = (int)(next_random(&seed) % 4);
		for (int i = 0; i < change_count; ++i)
		{
			size_t at = next_random(&seed) % size;
			bytes[at] = next_random(&seed) % 2 == 0 ? good[next_random(&seed) % size]
													: (char)next_random(&seed);
		}
		check_any(".wkt", bytes, size);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_geometry_is_read),
		cmocka_unit_test(coordinates_are_read_to_the_last_bit),
		cmocka_unit_test(shapes_know_their_rings_and_lines),
		cmocka_unit_test(polygons_become_walkable_when_asked),
		cmocka_unit_test(bad_wkt_is_refused_with_line_and_reason),
		cmocka_unit_test(numbers_and_nesting_have_limits),
		cmocka_unit_test(a_zero_byte_does_not_end_a_number),
		cmocka_unit_test(segments_are_read_with_and_without_a_count),
		cmocka_unit_test(bad_segments_are_refused_with_line_and_reason),
		cmocka_unit_test(missing_files_and_folders_are_refused),
		cmocka_unit_test(random_bytes_never_crash),
		cmocka_unit_test(damaged_text_never_crashes),
	};
	return cmocka_run_group_tests_name("scene_file", tests, NULL, NULL);
}
