// SPDX-License-Identifier: MIT

// Reading a map: vertices, edges, events and walls agree with each other and with brute force.

#include "test.h"

#define MAX_EVENTS 256
#define MAX_ENDS 64

// How exact a place is, in world units.
static double get_tolerance(const NcMap* map)
{
	NcBox bounds = nc_map_get_bounds(map);
	return 0.03 * nc_map_get_snap(map) + 1e-9 * (bounds.upper.x - bounds.lower.x);
}

static NcMap* create_random(uint64_t* seed, int round)
{
	static Scene scene;
	scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
	scene.def.snap = round % 2 ? 1.0 / 1024.0 : 0.25;
	scene_add_random(&scene, seed, 14, 50.0, round % 3 ? 0.37 : 10.0);
	return scene_create_map(&scene, NULL);
}

static void require_vertices(const NcMap* map, int round)
{
	double tolerance = get_tolerance(map);
	int end_count = 0;
	int vertex_count = 0;
	for (int v = 0; v < nc_map_get_vertex_range(map); ++v)
	{
		NcMapVertex vertex;
		NcEdgeEnd ends[MAX_ENDS];
		if (!nc_map_get_vertex(map, v, &vertex))
		{
			assert_in_round(nc_map_get_vertex_edges(map, v, ends, MAX_ENDS) == 0, round);
			continue;
		}
		++vertex_count;
		int count = nc_map_get_vertex_edges(map, v, ends, MAX_ENDS);
		assert_in_round(count == vertex.edge_count && count <= MAX_ENDS, round);
		end_count += count;
		for (int i = 0; i < count; ++i)
		{
			NcMapEdge edge;
			assert_in_round(nc_map_get_edge(map, ends[i].edge, &edge), round);
			assert_in_round(edge.vertices[ends[i].end] == v, round);
		}
		double distance = compute_wall_distance(map, vertex.position);
		assert_in_round(fabs(distance - vertex.clearance) < tolerance, round);
	}
	assert_in_round(end_count == 2 * nc_map_get_stats(map).edge_count, round);
	assert_in_round(vertex_count == nc_map_get_stats(map).vertex_count, round);
}

// Left of the walk from one event to the next lies the left foot, or on the way itself.
static void require_sides(const NcMapEvent* event, NcVec2 direction, double tolerance, int round)
{
	double left = nc_cross(direction, nc_sub(event->left, event->position));
	double right = nc_cross(direction, nc_sub(event->right, event->position));
	assert_in_round(left >= -tolerance && right <= tolerance, round);
}

static void require_edge(const NcMap* map, int index, int round)
{
	double tolerance = get_tolerance(map);
	NcMapEdge edge;
	NcMapEvent events[MAX_EVENTS];
	assert_in_round(nc_map_get_edge(map, index, &edge), round);
	int count = nc_map_get_edge_events(map, index, events, MAX_EVENTS);
	assert_in_round(count == edge.event_count && count >= 2 && count <= MAX_EVENTS, round);
	for (int end = 0; end < 2; ++end)
	{
		NcMapVertex vertex;
		assert_in_round(nc_map_get_vertex(map, edge.vertices[end], &vertex), round);
		NcVec2 p = events[end == 0 ? 0 : count - 1].position;
		assert_in_round(nc_distance(p, vertex.position) == 0.0, round);
	}
	double min = HUGE_VAL;
	for (int i = 0; i < count; ++i)
	{
		const NcMapEvent* event = &events[i];
		min = nc_min(min, event->clearance);
		double distance = compute_wall_distance(map, event->position);
		double left = nc_distance(event->position, event->left);
		double right = nc_distance(event->position, event->right);
		assert_in_round(fabs(event->clearance - distance) < tolerance, round);
		assert_in_round(fabs(left - event->clearance) < tolerance, round);
		assert_in_round(fabs(right - event->clearance) < tolerance, round);
	}
	assert_in_round(edge.min_clearance <= min + tolerance, round);
	double there = compute_wall_distance(map, edge.min_position);
	assert_in_round(fabs(there - edge.min_clearance) < 2.0 * tolerance, round);
}

#define MAX_POINTS 4096

static void require_points(const NcMap* map, int index, int round)
{
	static NcVec2 points[MAX_POINTS];
	static NcMapEvent events[MAX_EVENTS];
	NcMapEdge edge;
	nc_map_get_edge(map, index, &edge);
	double snap = nc_map_get_snap(map);
	int count = nc_map_get_edge_points(map, index, snap, points, MAX_POINTS);
	assert_in_round(count >= edge.event_count && count <= MAX_POINTS, round);
	nc_map_get_edge_events(map, index, events, MAX_EVENTS);
	int event = 0;
	double length = 0.0;
	double clearance = HUGE_VAL;
	for (int i = 0; i < count; ++i)
	{
		event += event < edge.event_count && nc_distance(points[i], events[event].position) == 0.0;
		length += i > 0 ? nc_distance(points[i - 1], points[i]) : 0.0;
		clearance = nc_min(clearance, compute_wall_distance(map, points[i]));
	}
	assert_in_round(event == edge.event_count, round);
	assert_in_round(length <= edge.length * (1.0 + 1e-9) + get_tolerance(map), round);
	assert_in_round(length >= 0.98 * edge.length - 4.0 * snap, round);
	assert_in_round(clearance >= edge.min_clearance - 2.0 * snap, round);
}

// Connected parts, by giving every vertex the lowest one that it is connected to.
static void require_components(const NcMap* map, int round)
{
	int count = nc_map_get_vertex_range(map);
	int* labels = calloc((size_t)count + 1, sizeof(int));
	for (int v = 0; v < count; ++v)
	{
		labels[v] = v;
	}
	for (bool is_changed = true; is_changed;)
	{
		is_changed = false;
		for (int e = 0; e < nc_map_get_edge_range(map); ++e)
		{
			NcMapEdge edge;
			if (nc_map_get_edge(map, e, &edge))
			{
				int* a = &labels[edge.vertices[0]];
				int* b = &labels[edge.vertices[1]];
				is_changed |= *a != *b;
				*a = *b = *a < *b ? *a : *b;
			}
		}
	}
	int component_count = 0;
	for (int v = 0; v < count; ++v)
	{
		NcMapVertex vertex;
		component_count += nc_map_get_vertex(map, v, &vertex) && labels[v] == v;
	}
	free(labels);
	assert_in_round(component_count == nc_map_get_stats(map).component_count, round);
}

static void random_maps_agree_with_brute_force(void** state)
{
	(void)state;
	uint64_t seed = 131;
	for (int round = 0; round < 60; ++round)
	{
		NcMap* map = create_random(&seed, round);
		require_vertices(map, round);
		int edge_count = 0;
		for (int e = 0; e < nc_map_get_edge_range(map); ++e)
		{
			NcMapEdge edge;
			if (nc_map_get_edge(map, e, &edge))
			{
				++edge_count;
				require_edge(map, e, round);
				require_points(map, e, round);
			}
		}
		assert_in_round(edge_count == nc_map_get_stats(map).edge_count, round);
		require_components(map, round);
		nc_map_destroy(map);
	}
}

static void left_and_right_are_those_of_the_walk(void** state)
{
	(void)state;
	uint64_t seed = 132;
	static NcVec2 points[MAX_POINTS];
	for (int round = 0; round < 40; ++round)
	{
		NcMap* map = create_random(&seed, round);
		for (int e = 0; e < nc_map_get_edge_range(map); ++e)
		{
			NcMapEvent events[MAX_EVENTS];
			int event_count = nc_map_get_edge_events(map, e, events, MAX_EVENTS);
			int count = nc_map_get_edge_points(map, e, nc_map_get_snap(map), points, MAX_POINTS);
			for (int i = 0, k = 0; k < event_count && i + 1 < count; ++i)
			{
				if (nc_distance(points[i], events[k].position) == 0.0)
				{
					// The chord leaves the arc by no more than the tolerance asked for.
					NcVec2 chord = nc_sub(points[i + 1], points[i]);
					double slack =
						2.0 * nc_map_get_snap(map) * nc_length(chord) + 0.1 * nc_dot(chord, chord);
					require_sides(&events[k], chord, slack, round);
					++k;
				}
			}
		}
		nc_map_destroy(map);
	}
}

static void buffers_are_never_overrun(void** state)
{
	(void)state;
	uint64_t seed = 133;
	NcMap* map = create_random(&seed, 1);
	for (int e = 0; e < nc_map_get_edge_range(map); ++e)
	{
		NcMapEvent events[MAX_EVENTS];
		NcMapEvent some[MAX_EVENTS];
		int count = nc_map_get_edge_events(map, e, events, MAX_EVENTS);
		if (count == 0)
		{
			continue; // an unused index
		}
		assert_int_equal(nc_map_get_edge_events(map, e, NULL, 0), count);
		for (int capacity = 0; capacity <= count; ++capacity)
		{
			memset(some, 0x55, sizeof(some));
			assert_int_equal(nc_map_get_edge_events(map, e, some, capacity), count);
			assert_memory_equal(some, events, sizeof(NcMapEvent) * (size_t)capacity);
			assert_int_equal(((unsigned char*)&some[capacity])[0], 0x55);
		}
		NcVec2 points[2] = {{7.0, 7.0}, {7.0, 7.0}};
		int point_count = nc_map_get_edge_points(map, e, 0.01, NULL, 0);
		assert_int_equal(nc_map_get_edge_points(map, e, 0.01, points, 1), point_count);
		assert_vec2(points[1], 7.0, 7.0, 0.0);
		assert_true(nc_map_get_edge_points(map, e, 0.0, NULL, 0) >= point_count);
		assert_true(nc_map_get_edge_points(map, e, NOT_A_NUMBER, NULL, 0) >= 2);
		assert_true(nc_map_get_edge_points(map, e, -1.0, NULL, 0) >= point_count);
	}
	nc_map_destroy(map);
}

static void indices_out_of_range_are_unused(void** state)
{
	(void)state;
	uint64_t seed = 134;
	NcMap* map = create_random(&seed, 1);
	int indices[] = {-1, INT_MIN, INT_MAX, 0};
	for (int i = 0; i < NC_COUNT(indices); ++i)
	{
		bool is_last = i + 1 == NC_COUNT(indices);
		int v = is_last ? nc_map_get_vertex_range(map) : indices[i];
		int e = is_last ? nc_map_get_edge_range(map) : indices[i];
		int w = is_last ? nc_map_get_wall_range(map) : indices[i];
		NcMapVertex vertex;
		NcMapEdge edge;
		NcMapWall wall;
		assert_false(nc_map_get_vertex(map, v, &vertex));
		assert_false(nc_map_get_edge(map, e, &edge));
		assert_false(nc_map_get_wall(map, w, &wall));
		assert_int_equal(nc_map_get_vertex_edges(map, v, NULL, 0), 0);
		assert_int_equal(nc_map_get_edge_events(map, e, NULL, 0), 0);
		assert_int_equal(nc_map_get_edge_points(map, e, 1.0, NULL, 0), 0);
	}
	nc_map_destroy(map);
}

static bool is_zero(NcObstacleId id)
{
	return id.index == 0 && id.generation == 0;
}

static void owners_are_the_obstacles_that_were_added(void** state)
{
	(void)state;
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	NcMap* map = scene_create_map(&scene, NULL);
	NcVec2 points[] = {{40.0, 40.0}, {60.0, 40.0}, {60.0, 60.0}, {40.0, 60.0}};
	NcObstacleId box, point;
	NcShape shape = {NC_SHAPE_POLYGON, points, 4};
	assert_int_equal(nc_map_add_obstacle(map, &shape, &box, NULL), NC_OK);
	shape = (NcShape){NC_SHAPE_POINTS, &(NcVec2){10.0, 10.0}, 1};
	assert_int_equal(nc_map_add_obstacle(map, &shape, &point, NULL), NC_OK);
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	for (int e = 0; e < nc_map_get_edge_range(map); ++e)
	{
		NcMapEvent events[MAX_EVENTS];
		int count = nc_map_get_edge_events(map, e, events, MAX_EVENTS);
		for (int i = 0; i < count; ++i)
		{
			NcVec2 feet[2] = {events[i].left, events[i].right};
			NcObstacleId owners[2] = {events[i].left_obstacle, events[i].right_obstacle};
			for (int k = 0; k < 2; ++k)
			{
				bool is_on_point = nc_distance(feet[k], (NcVec2){10.0, 10.0}) < 1e-9;
				bool is_on_box = nc_box_contains((NcBox){{39.9, 39.9}, {60.1, 60.1}}, feet[k]);
				NcObstacleId expected = is_on_point ? point : is_on_box ? box : (NcObstacleId){0};
				assert_memory_equal(&owners[k], &expected, sizeof(expected));
			}
		}
	}

	int counts[3] = {0};
	for (int i = 0; i < nc_map_get_wall_range(map); ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall))
		{
			++counts[is_zero(wall.obstacle) ? 0 : wall.obstacle.index];
			bool is_point = nc_distance(wall.a, wall.b) == 0.0;
			assert_int_equal(is_point, wall.obstacle.index == point.index);
			assert_int_equal(wall.left_free && wall.right_free, is_point);
			assert_true(wall.left_free || wall.right_free);
		}
	}
	assert_int_equal(counts[0], 4);
	assert_int_equal(counts[box.index], 4);
	assert_int_equal(counts[point.index], 1);
	nc_map_destroy(map);
}

static void bounds_are_snapped(void** state)
{
	(void)state;
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{-3.2, 0.1}, {7.7, 9.4}};
	def.snap = 0.5;
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
	NcBox bounds = nc_map_get_bounds(map);
	assert_vec2(bounds.lower, -3.0, 0.0, 0.0);
	assert_vec2(bounds.upper, 7.5, 9.5, 0.0);
	assert_near(nc_map_get_snap(map), 0.5, 0.0);
	nc_map_destroy(map);
}

static void bytes_are_all_that_the_map_holds(void** state)
{
	(void)state;
	uint64_t seed = 135;
	size_t before = nc_get_byte_count();
	NcMap* map = create_random(&seed, 1);
	size_t bytes = nc_map_get_stats(map).byte_count;
	size_t held = nc_get_byte_count() - before;
	nc_map_destroy(map);
	assert_int_equal(bytes, held);
}

static void different_maps_have_different_hashes(void** state)
{
	(void)state;
	uint64_t seed = 136;
	uint64_t hashes[40];
	for (int i = 0; i < NC_COUNT(hashes); ++i)
	{
		static Scene scene;
		scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
		scene_add_single(&scene, random_between(&seed, 10.0, 90.0), 50.0);
		NcMap* map = scene_create_map(&scene, NULL);
		hashes[i] = nc_map_compute_hash(map);
		nc_map_destroy(map);
		for (int k = 0; k < i; ++k)
		{
			assert_true(hashes[k] != hashes[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_maps_agree_with_brute_force),
		TEST(left_and_right_are_those_of_the_walk),
		TEST(buffers_are_never_overrun),
		TEST(indices_out_of_range_are_unused),
		TEST(owners_are_the_obstacles_that_were_added),
		TEST(bounds_are_snapped),
		TEST(bytes_are_all_that_the_map_holds),
		TEST(different_maps_have_different_hashes),
	};
	return cmocka_run_group_tests_name("map_read", tests, NULL, NULL);
}
