// SPDX-License-Identifier: MIT

// Scenes from grids: which polygons the blocked cells become, and what is refused. Rings are
// compared with the cells themselves: by area, by length, and by counting crossings.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MAX_SIDE 24

// A grid to be read, with room for a header.
typedef struct MapText
{
	int width, height;
	char cells[MAX_SIDE][MAX_SIDE];
	char text[64 + MAX_SIDE * (MAX_SIDE + 1)];
} MapText;

static void write_text(MapText* map)
{
	int size =
		snprintf(map->text, 64, "type octile\nheight %d\nwidth %d\nmap\n", map->height, map->width);
	for (int y = 0; y < map->height; ++y)
	{
		memcpy(map->text + size, map->cells[y], (size_t)map->width);
		size += map->width;
		map->text[size++] = '\n';
	}
	map->text[size] = '\0';
}

// Read a text from memory of exactly its size, so that the sanitizers see every step too far.
static bool read_text(const char* text, size_t size, Scene* scene, TextError* error)
{
	char* copy = malloc(size > 0 ? size : 1);
	assert_non_null(copy);
	memcpy(copy, text, size);
	bool is_read = scene_read_text(".map", copy, size, scene, error);
	free(copy);
	return is_read;
}

static Scene read_good(const char* text)
{
	Scene scene = {0};
	TextError error;
	if (!read_text(text, strlen(text), &scene, &error))
	{
		fail_msg("line %d: %s\n%s", error.line, error.reason, text);
	}
	return scene;
}

static void cells_that_share_a_side_become_one_polygon(void** state)
{
	(void)state;
	static const struct
	{
		const char* rows; // of three cells each, one after the other
		int shape_count, ring_count, point_count;
	} cases[] = {
		{".........", 0, 0, 0}, {"@OTW@O@TW", 1, 1, 4}, {"....@....", 1, 1, 4},
		{"@........", 1, 1, 4}, {"@@.......", 1, 1, 4}, {"@@.@.....", 1, 1, 6},
		{"@@@@.@@@@", 1, 2, 8}, {"@@@@G@@@@", 1, 2, 8},
		{"@...@....", 2, 2, 8},                           // only a corner in common
		{"@.@.@.@.@", 5, 5, 20},                          // a checkerboard
		{".@.@.@.@.", 4, 4, 16}, {"@@@@.@@@.", 1, 2, 10}, // the border touches its hole in a corner
		{"@@.@.@@@@", 1, 2, 10}, {".@@@.@@@@", 1, 2, 10}, {"@@@@S@.@@", 1, 2, 10},
		{"@@.@S@.@@", 2, 2, 12}, // two polygons touch in two corners
	};
	for (int i = 0; i < COUNT(cases); ++i)
	{
		char text[100];
		const char* rows = cases[i].rows;
		snprintf(text, sizeof(text), "type octile\nheight 3\nwidth 3\nmap\n%.3s\n%.3s\n%.3s\n",
			rows, rows + 3, rows + 6);
		Scene scene = read_good(text);
		if (scene.shape_count != cases[i].shape_count || scene.ring_count != cases[i].ring_count ||
			scene.point_count != cases[i].point_count)
		{
			fail_msg("%s: %d shapes, %d rings, %d points", rows, scene.shape_count,
				scene.ring_count, scene.point_count);
		}
		assert_true(scene.has_bounds);
		assert_true(scene.bounds.lower.x == 0.0 && scene.bounds.upper.y == 3.0);
		scene_destroy(&scene);
	}
}

static void cells_lie_where_the_file_has_them(void** state)
{
	(void)state;
	Scene scene = read_good("type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n....\r\n..T.\r\n");
	assert_int_equal(scene.shape_count, 1);
	assert_int_equal(scene.shapes[0].line, 6);
	assert_int_equal(scene.shapes[0].kind, NC_SHAPE_POLYGON);
	NcBox box = scene_compute_box(&scene);
	assert_true(box.lower.x == 2.0 && box.lower.y == 1.0);
	assert_true(box.upper.x == 3.0 && box.upper.y == 2.0);
	assert_true(scene.bounds.upper.x == 4.0 && scene.bounds.upper.y == 2.0);
	scene_destroy(&scene);
}

// Twice the signed area of a ring: positive if it turns from x to y.
static double compute_area(const NcVec2* points, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		sum += nc_cross(points[i], points[(i + 1) % count]);
	}
	return sum;
}

// How often the rings of all shapes wind around the middle of a cell.
static int compute_winding(const Scene* scene, double x, double y)
{
	int winding = 0;
	const NcVec2* points = scene->points;
	for (int ring = 0; ring < scene->ring_count; ++ring)
	{
		int count = scene->ring_counts[ring];
		for (int i = 0; i < count; ++i)
		{
			NcVec2 a = points[i];
			NcVec2 b = points[(i + 1) % count];
			if (a.x > x)
			{
				winding += (a.y < y && y < b.y) - (b.y < y && y < a.y);
			}
		}
		points += count;
	}
	return winding;
}

// A ring is simple if no point comes twice; it has no point in the middle of a straight run.
static void check_ring(const NcVec2* points, int count)
{
	assert_true(count >= 4);
	for (int i = 0; i < count; ++i)
	{
		NcVec2 a = points[i];
		NcVec2 b = points[(i + 1) % count];
		NcVec2 c = points[(i + 2) % count];
		assert_true(nc_cross(nc_sub(b, a), nc_sub(c, b)) != 0.0);
		for (int j = i + 1; j < count; ++j)
		{
			assert_false(points[j].x == a.x && points[j].y == a.y);
		}
	}
}

static void check_rings(const Scene* scene)
{
	for (int i = 0; i < scene->shape_count; ++i)
	{
		NcShape shape = scene_get_shape(scene, i);
		const NcVec2* points = shape.points;
		for (int ring = 0; ring < shape.ring_count; ++ring)
		{
			check_ring(points, shape.ring_counts[ring]);
			double area = compute_area(points, shape.ring_counts[ring]);
			assert_true(ring == 0 ? area > 0.0 : area < 0.0);
			points += shape.ring_counts[ring];
		}
	}
}

// Property: whatever the grid, the rings go exactly around its blocked cells.
static void rings_enclose_the_blocked_cells(void** state)
{
	(void)state;
	Random random = random_begin(3);
	for (int round = 0; round < 300; ++round)
	{
		MapText map = {.width = 1 + random_get_int(&random, MAX_SIDE),
			.height = 1 + random_get_int(&random, MAX_SIDE)};
		double density = random_get_double(&random, 0.0, 1.0);
		for (int y = 0; y < map.height; ++y)
		{
			for (int x = 0; x < map.width; ++x)
			{
				bool is_blocked = random_get_double(&random, 0.0, 1.0) < density;
				map.cells[y][x] = is_blocked ? "@OTW"[random_get_int(&random, 4)]
											 : ".GS"[random_get_int(&random, 3)];
			}
		}
		write_text(&map);
		Scene scene = read_good(map.text);
		check_rings(&scene);
		for (int y = 0; y < map.height; ++y)
		{
			for (int x = 0; x < map.width; ++x)
			{
				int expected = strchr("@OTW", map.cells[y][x]) != NULL ? 1 : 0;
				assert_int_equal(compute_winding(&scene, x + 0.5, y + 0.5), expected);
			}
		}
		scene_destroy(&scene);
	}
}

#define HEADER "type octile\nheight 2\nwidth 3\nmap\n"

static void bad_grids_are_refused_with_line_and_column(void** state)
{
	(void)state;
	static const struct
	{
		const char* text;
		int line;
		const char* words;
	} cases[] = {
		{"type tile\n", 1, "expected 'type octile'"},
		{"type octile\nwidth 3\n", 2, "expected 'height' and a number"},
		{"type octile\nheight 2\n", 2, "expected 'width' and a number"},
		{"type octile\nheight 0\n", 2, "the height must be a whole number"},
		{"type octile\nheight 1.5\n", 2, "the height must be a whole number"},
		{"type octile\nheight 99999999999\n", 2, "the height must be a whole number"},
		{"type octile\nheight two\n", 2, "'two' is not a number"},
		{"type octile\nheight 2 3\n", 2, "expected the end of the line"},
		{"type octile\nheight 2\nwidth 3\n...\n", 4, "expected 'map'"},
		{"type octile\nheight 9999999\nwidth 9999999\nmap\n...\n", 4, "too short"},
		{HEADER "...\n", 4, "too short"},
		{HEADER "...\n..\n", 6, "column 3: the row ends"},
		{HEADER ".......\n", 5, "column 4: the row goes on"},
		{HEADER "..\n....\n", 5, "column 3: the row ends"},
		{HEADER "...\n.x.\n", 6, "column 2: 'x' is no cell"},
		{HEADER "...\n..#\n", 6, "column 3: '#' is no cell"},
		{HEADER "#..\n...\n", 5, "column 1: '#' is no cell"},
		{HEADER "...\n. .\n", 6, "column 2: ' ' is no cell"},
		{HEADER "...\n.\t.\n", 6, "column 2: '?' is no cell"},
		{HEADER "...\n\n...\n", 6, "column 1: the row ends"},
		{HEADER "...\n...\n...\n", 7, "expected the end of the file"},
		{HEADER "......", 5, "column 4: the row goes on"},
	};
	for (int i = 0; i < COUNT(cases); ++i)
	{
		Scene scene = {0};
		TextError error;
		assert_false(read_text(cases[i].text, strlen(cases[i].text), &scene, &error));
		if (error.line != cases[i].line || strstr(error.reason, cases[i].words) == NULL)
		{
			fail_msg("line %d: %s\n%s", error.line, error.reason, cases[i].text);
		}
		scene_destroy(&scene);
	}
}

static void grids_are_not_walkable_polygons(void** state)
{
	(void)state;
	Scene scene = {.polygons_are_walkable = true};
	TextError error;
	static const char text[] = HEADER "...\n...\n";
	assert_false(read_text(text, strlen(text), &scene, &error));
	assert_non_null(strstr(error.reason, "leave out --walkable"));
	scene_destroy(&scene);
}

// Property: good text with some bytes replaced or cut off is refused with a reason, or read.
static void damaged_grids_never_crash(void** state)
{
	(void)state;
	static const char good[] = "type octile\nheight 4\nwidth 5\nmap\n@@@.T\n@.@@.\n@@.GS\nO.W..\n";
	Random random = random_begin(11);
	for (int round = 0; round < 20000; ++round)
	{
		char bytes[sizeof(good)];
		memcpy(bytes, good, sizeof(good));
		int size = COUNT(good) - 1 - random_get_int(&random, 3) * random_get_int(&random, 20);
		for (int i = random_get_int(&random, 4); i > 0; --i)
		{
			int at = random_get_int(&random, size);
			bytes[at] = random_get_int(&random, 2) == 0 ? good[random_get_int(&random, size)]
														: (char)random_get_bits(&random);
		}
		Scene scene = {0};
		TextError error;
		bool is_read = read_text(bytes, (size_t)size, &scene, &error);
		assert_true(is_read || error.reason[0] != '\0');
		scene_destroy(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_that_share_a_side_become_one_polygon),
		cmocka_unit_test(cells_lie_where_the_file_has_them),
		cmocka_unit_test(rings_enclose_the_blocked_cells),
		cmocka_unit_test(bad_grids_are_refused_with_line_and_column),
		cmocka_unit_test(grids_are_not_walkable_polygons),
		cmocka_unit_test(damaged_grids_never_crash),
	};
	return cmocka_run_group_tests_name("scene_map", tests, NULL, NULL);
}
