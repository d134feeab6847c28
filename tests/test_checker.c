// SPDX-License-Identifier: MIT

// The checker: a good map passes, and whatever is changed about it fails. A checker that finds
// nothing wrong with a wrong map would prove nothing.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check_arc.h"
#include "check_graph.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SNAP (1.0 / 1024.0)

static const NcVec2 box[] = {{8.0, 8.0}, {16.0, 8.0}, {16.0, 14.0}, {8.0, 14.0}};
static const NcVec2 triangle[] = {{22.0, 6.0}, {30.0, 9.5}, {24.0, 17.0}};
static const NcVec2 donut[] = {{6.0, 20.0}, {20.0, 20.0}, {20.0, 34.0}, {6.0, 34.0}, {9.0, 23.0},
	{9.0, 31.0}, {17.0, 31.0}, {17.0, 23.0}};
static const int donut_rings[] = {4, 4};
static const NcVec2 chain[] = {{26.0, 22.0}, {34.0, 24.0}, {30.0, 33.0}};

static const NcShape shapes[] = {
	{NC_SHAPE_POLYGON, box, COUNT(box), NULL, 0},
	{NC_SHAPE_POLYGON, triangle, COUNT(triangle), NULL, 0},
	{NC_SHAPE_POLYGON, donut, COUNT(donut), donut_rings, COUNT(donut_rings)},
	{NC_SHAPE_CHAIN, chain, COUNT(chain), NULL, 0},
};

static const CheckInput input = {
	.shapes = shapes, .shape_count = COUNT(shapes), .point_count = 500, .seed = 7};

static NcMap* map;
static Checker checker;

static int begin(void** state)
{
	(void)state;
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {40.0, 40.0}};
	def.snap = SNAP;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	for (int i = 0; i < COUNT(shapes); ++i)
	{
		NcObstacleId id;
		assert_int_equal(nc_map_add_obstacle(map, &shapes[i], &id, NULL), NC_OK);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	assert_true(check_begin(map, &checker));
	return 0;
}

static int end(void** state)
{
	(void)state;
	check_end(&checker);
	nc_map_destroy(map);
	return nc_get_byte_count() == 0 ? 0 : -1;
}

// Whether something failed for a reason with these words.
static bool has_failed(const char* words)
{
	bool is_found = false;
	for (int i = 0; i < checker.report.failure_count && i < CHECK_MAX_FAILURES; ++i)
	{
		is_found = is_found || strstr(checker.report.failures[i].reason, words) != NULL;
	}
	return is_found;
}

// Require a failure with these words, and forget all failures.
static void assert_failed(const char* words)
{
	if (!has_failed(words))
	{
		fail_msg("this is not seen: %s", words);
	}
	checker.report.failure_count = 0;
}

static void assert_passes(void)
{
	if (checker.report.failure_count != 0)
	{
		const CheckFailure* failure = &checker.report.failures[0];
		fail_msg("%g,%g: %s", failure->place.x, failure->place.y, failure->reason);
	}
}

static void good_map_passes_and_everything_is_counted(void** state)
{
	(void)state;
	check_all(&checker, &input);
	assert_passes();
	NcMapStats stats = nc_map_get_stats(map);
	const CheckReport* report = &checker.report;
	assert_int_equal(report->vertex_count, stats.vertex_count);
	assert_int_equal(report->edge_count, stats.edge_count);
	assert_int_equal(report->point_count, input.point_count);
	assert_int_equal(report->side_count, 4 + 4 + 3 + 8 + 4);
	assert_int_equal(report->corner_count, 4 + 4 + 3 + 8 + 3);
	assert_int_equal(report->face_count, 6);
	assert_int_equal(report->full_scan_count, report->search_count);
	double expected = 1600.0 - 48.0 - 40.5 - (196.0 - 64.0);
	assert_true(fabs(report->free_area - expected) < 1e-9);
}

static void wrong_vertices_fail(void** state)
{
	(void)state;
	int checked_count = 0;
	for (int i = 0; i < nc_map_get_vertex_range(map); ++i)
	{
		NcMapVertex vertex;
		if (!nc_map_get_vertex(map, i, &vertex))
		{
			continue;
		}
		++checked_count;
		check_vertex(&checker, i, &vertex);
		assert_passes();

		vertex.clearance += 0.1 * SNAP;
		check_vertex(&checker, i, &vertex);
		assert_failed("the clearance of vertex");
	}
	assert_int_equal(checked_count, nc_map_get_stats(map).vertex_count);
}

// An edge with its events, to be spoilt. The longest one has several arcs, some of them bent.
typedef struct SpoiltEdge
{
	NcMapEdge edge;
	NcMapEvent events[64];
} SpoiltEdge;

static SpoiltEdge get_longest_edge(void)
{
	SpoiltEdge longest = {0};
	int index = 0;
	for (int i = 0; i < nc_map_get_edge_range(map); ++i)
	{
		NcMapEdge edge;
		if (nc_map_get_edge(map, i, &edge) && edge.event_count > longest.edge.event_count)
		{
			longest.edge = edge;
			index = i;
		}
	}
	assert_in_range(longest.edge.event_count, 4, COUNT(longest.events));
	nc_map_get_edge_events(map, index, longest.events, COUNT(longest.events));
	return longest;
}

static void swap_sides(SpoiltEdge* e)
{
	for (int i = 0; i < e->edge.event_count; ++i)
	{
		NcVec2 left = e->events[i].left;
		e->events[i].left = e->events[i].right;
		e->events[i].right = left;
	}
}

static void move_event(SpoiltEdge* e)
{
	e->events[1].position.x += 0.2 * SNAP;
	e->events[1].position.y -= 0.2 * SNAP;
}

static void leave_event_out(SpoiltEdge* e)
{
	memmove(&e->events[1], &e->events[2], sizeof(NcMapEvent) * (size_t)(e->edge.event_count - 2));
	--e->edge.event_count;
}

static void move_left_foot(SpoiltEdge* e)
{
	e->events[1].left = nc_lerp(e->events[1].left, e->events[1].position, 0.01);
}

static void move_right_foot(SpoiltEdge* e)
{
	e->events[1].right = nc_lerp(e->events[1].right, e->events[1].position, 0.01);
}

static void raise_clearance(SpoiltEdge* e)
{
	e->events[2].clearance += 0.1 * SNAP;
}

static void lower_min_clearance(SpoiltEdge* e)
{
	e->edge.min_clearance -= 0.1 * SNAP;
}

static void move_min_position(SpoiltEdge* e)
{
	e->edge.min_position = e->events[e->edge.event_count / 2].position;
}

static void change_length(SpoiltEdge* e)
{
	e->edge.length *= 1.001;
}

static void move_end(SpoiltEdge* e)
{
	e->events[0] = e->events[1];
}

static void wrong_edges_fail(void** state)
{
	(void)state;
	static const struct
	{
		void (*spoil)(SpoiltEdge* edge);
		const char* words;
	} cases[] = {
		{swap_sides, "on the left of an arc is on its right"},
		{move_event, "the clearance of an event"},
		{leave_event_out, "the length of an edge"},
		{move_left_foot, "to its left closest point"},
		{move_right_foot, "to its right closest point"},
		{raise_clearance, "the clearance of an event"},
		{lower_min_clearance, "the smallest clearance of an edge"},
		{move_min_position, "where an edge is narrowest"},
		{change_length, "the length of an edge"},
		{move_end, "the distance of an edge to its vertex"},
	};
	SpoiltEdge good = get_longest_edge();
	check_edge(&checker, &good.edge, good.events);
	assert_passes();
	for (int i = 0; i < COUNT(cases); ++i)
	{
		SpoiltEdge edge = good;
		cases[i].spoil(&edge);
		check_edge(&checker, &edge.edge, edge.events);
		assert_failed(cases[i].words);
	}
}

// Every wall in turn is changed for the checker: then the map is wrong about it.
static void wrong_walls_fail(void** state)
{
	(void)state;
	check_graph(&checker);
	check_cells(&checker);
	assert_passes();
	for (int i = 0; i < checker.walls.count; ++i)
	{
		NcMapWall good = checker.walls.items[i];
		checker.walls.items[i].left_free = !good.left_free;
		check_cells(&checker);
		assert_failed("beside a ");

		// Blocked on both sides, it is open space for nobody.
		checker.walls.items[i] = good;
		checker.walls.items[i].left_free = checker.walls.items[i].right_free = false;
		check_cells(&checker);
		assert_failed("along a side of a wall has a cell");
		checker.walls.items[i] = good;
	}
}

static void moved_walls_fail(void** state)
{
	(void)state;
	for (int i = 0; i < checker.walls.count; ++i)
	{
		NcMapWall good = checker.walls.items[i];
		NcVec2 normal = nc_perp(nc_normalize(nc_sub(good.b, good.a)));
		checker.walls.items[i].a = nc_mul_add(good.a, 0.3 * SNAP, normal);
		checker.walls.items[i].b = nc_mul_add(good.b, 0.3 * SNAP, normal);
		check_edges(&checker);
		assert_failed(""); // which words depends on where the wall went
		checker.walls.items[i] = good;
	}
}

// A part of the medial axis is missing if a wall is there that it does not know.
static void missing_cells_fail(void** state)
{
	(void)state;
	NcMapWall* items = memory_allocate(checker.walls.count + 1, sizeof(NcMapWall));
	memcpy(items, checker.walls.items, sizeof(NcMapWall) * (size_t)checker.walls.count);
	items[checker.walls.count++] = (NcMapWall){{2.0, 2.0}, {4.0, 3.0}, true, true, {0, 0}};
	free(checker.walls.items);
	checker.walls.items = items;

	check_graph(&checker);
	check_cells(&checker);
	assert_true(checker.report.failure_count >= 4);
	assert_true(has_failed("along a side of a wall has a cell"));
	assert_true(has_failed("radians around a corner"));
	assert_true(has_failed("faces, but the free space"));
}

static void edge_ends_in_wrong_order_fail(void** state)
{
	(void)state;
	CheckGraph graph;
	assert_true(check_graph_read(&checker, &graph));
	check_euler(&checker, &graph);
	assert_passes();
	int branch_count = 0;
	for (int v = 0; v < graph.vertex_range; ++v)
	{
		int first = graph.begins[v];
		if (graph.begins[v + 1] - first < 3)
		{
			continue;
		}
		++branch_count;
		for (int undo = 0; undo < 2; ++undo)
		{
			int other = graph.ends[first];
			graph.ends[first] = graph.ends[first + 1];
			graph.ends[first + 1] = other;
			graph.slots[graph.ends[first]] = first;
			graph.slots[graph.ends[first + 1]] = first + 1;
			check_order(&checker, &graph, v);
			assert_int_equal(has_failed("not in counter-clockwise order"), undo == 0);
			checker.report.failure_count = 0;
		}
	}
	assert_true(branch_count >= 4);
	check_graph_destroy(&graph);
}

static void wrong_shapes_fail(void** state)
{
	(void)state;
	check_points(&checker, &input);
	assert_passes();
	CheckInput fewer = input;
	fewer.shape_count = 1;
	check_points(&checker, &fewer);
	assert_failed("a point is free, but the map says it is blocked");

	NcVec2 corners[] = {{1.0, 1.0}, {6.0, 1.0}, {6.0, 6.0}, {1.0, 6.0}};
	NcShape more = {NC_SHAPE_POLYGON, corners, COUNT(corners), NULL, 0};
	CheckInput other = {.shapes = &more, .shape_count = 1, .point_count = 500, .seed = 7};
	check_points(&checker, &other);
	assert_failed("a point is blocked, but the map says it is free");
}

// An arc between the wall y = 0 and the point (0, 2): the parabola y = x^2 / 4 + 1.
static void parabolas_are_measured(void** state)
{
	(void)state;
	NcMapWall items[] = {{{-9.0, 0.0}, {9.0, 0.0}, true, false, {0, 0}},
		{{0.0, 2.0}, {0.0, 2.0}, true, true, {0, 0}}};
	int starts[] = {0, 2};
	int entries[] = {0, 1};
	CheckWalls walls = {.items = items,
		.count = 2,
		.box = {{-9.0, 0.0}, {9.0, 9.0}},
		.cell_size = 18.0,
		.column_count = 1,
		.row_count = 1,
		.starts = starts,
		.entries = entries};
	NcMapEvent events[] = {
		{{4.0, 5.0}, 5.0, {4.0, 0.0}, {0.0, 2.0}, {0, 0}, {0, 0}},
		{{-4.0, 5.0}, 5.0, {-4.0, 0.0}, {0.0, 2.0}, {0, 0}, {0, 0}},
	};
	CheckArc arc = check_arc_make(&walls, events, SNAP);
	assert_true(arc.is_parabola);
	for (int i = 0; i <= 8; ++i)
	{
		NcVec2 p = check_arc_get_point(&arc, i / 8.0);
		assert_true(fabs(p.x - (4.0 - i)) < 1e-12 && fabs(p.y - (p.x * p.x / 4.0 + 1.0)) < 1e-12);
	}
	// With u = x / 2: the length from the lowest point is u sqrt(1 + u^2) + asinh u.
	double length = 2.0 * (2.0 * sqrt(5.0) + asinh(2.0));
	assert_true(fabs(check_arc_compute_length(&arc) - length) < 1e-6);
	assert_true(fabs(check_arc_find_min(&walls, &arc) - 1.0) < 1e-9);
	// Seen from the focus it turns from (4, 3) over (0, -1) to (-4, 3): clockwise.
	double turn = check_arc_compute_turn(&arc, (NcVec2){0.0, 2.0});
	assert_true(fabs(turn + 2.0 * (atan2(3.0, 4.0) + atan2(1.0, 0.0))) < 1e-9);
}

static void nearest_walls_are_those_of_a_scan(void** state)
{
	(void)state;
	uint32_t seed = 5;
	for (int i = 0; i < 2000; ++i)
	{
		NcVec2 p;
		seed = seed * 1664525u + 1013904223u;
		p.x = 40.0 * (seed >> 8) / (1 << 24);
		seed = seed * 1664525u + 1013904223u;
		p.y = 40.0 * (seed >> 8) / (1 << 24);
		int found, scanned;
		double distance = check_walls_find_nearest(&checker.walls, p, NC_NULL_INDEX, &found);
		assert_true(
			distance == check_walls_scan_nearest(&checker.walls, p, NC_NULL_INDEX, &scanned));
		assert_true(distance == check_walls_get_distance(&checker.walls, found, p));
		assert_true(check_walls_find_nearest(&checker.walls, p, found, NULL) >= distance);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(good_map_passes_and_everything_is_counted, begin, end),
		cmocka_unit_test_setup_teardown(wrong_vertices_fail, begin, end),
		cmocka_unit_test_setup_teardown(wrong_edges_fail, begin, end),
		cmocka_unit_test_setup_teardown(wrong_walls_fail, begin, end),
		cmocka_unit_test_setup_teardown(moved_walls_fail, begin, end),
		cmocka_unit_test_setup_teardown(missing_cells_fail, begin, end),
		cmocka_unit_test_setup_teardown(edge_ends_in_wrong_order_fail, begin, end),
		cmocka_unit_test_setup_teardown(wrong_shapes_fail, begin, end),
		cmocka_unit_test(parabolas_are_measured),
		cmocka_unit_test_setup_teardown(nearest_walls_are_those_of_a_scan, begin, end),
	};
	return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
