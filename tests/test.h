// SPDX-License-Identifier: MIT
#pragma once

// What the tests of core share: assertions with a tolerance, reproducible random numbers, worlds of
// edges with their slow and obvious measures, and whole scenes for maps.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check.h"
#include "diagram.h"
#include "nav_corridor/nav_corridor.h"
#include "snap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The C macro is a float, which must not silently become a double.
#define NOT_A_NUMBER ((double)NAN)

// Assertions.

#define assert_near(value, expected, tolerance) \
	require_near((value), (expected), (tolerance), __FILE__, __LINE__)

static inline void require_near(
	double value, double expected, double tolerance, const char* file, int line)
{
	if (!(fabs(value - expected) <= tolerance))
	{
		print_error("%.17g is not %.17g within %g\n", value, expected, tolerance);
		_fail(file, line);
	}
}

#define assert_vec2(value, x, y, tolerance) \
	require_vec2((value), (NcVec2){(x), (y)}, (tolerance), __FILE__, __LINE__)

static inline void require_vec2(
	NcVec2 value, NcVec2 expected, double tolerance, const char* file, int line)
{
	require_near(value.x, expected.x, tolerance, file, line);
	require_near(value.y, expected.y, tolerance, file, line);
}

// Fail and say in which round of a random test it happened, so that it can be looked at alone.
#define assert_in_round(condition, round) \
	((condition) \
			? (void)0 \
			: (print_error("round %d: %s\n", (round), #condition), _fail(__FILE__, __LINE__)))

// Teardown of every test: nothing is left behind. A test that fails in the middle of its work
// leaves its memory and hooks; those that follow are not blamed for it.
static inline int require_no_leak(void** state)
{
	(void)state;
	static size_t left_before = 0;
	nc_set_allocator(NULL, NULL);
	size_t left = nc_get_byte_count();
	bool is_clean = left == left_before;
	left_before = left;
	if (!is_clean)
	{
		print_error("%zu bytes were not freed\n", left);
	}
	return is_clean ? 0 : -1;
}

// An entry of cmocka's list of tests.
#define TEST(function) cmocka_unit_test_teardown(function, require_no_leak)

// An allocator that fails from its n-th allocation on, or only in that one.
typedef struct FailingAllocator
{
	int calls;      // allocations and growths so far
	int first_fail; // counted from zero; negative: never
	bool fails_once;
} FailingAllocator;

static inline void* allocate_or_fail(void* context, void* memory, size_t old_size, size_t new_size)
{
	FailingAllocator* allocator = context;
	(void)old_size;
	if (new_size == 0)
	{
		free(memory);
		return NULL;
	}
	int call = allocator->calls++;
	bool is_over = allocator->first_fail >= 0 && call >= allocator->first_fail;
	bool fails = allocator->fails_once ? call == allocator->first_fail : is_over;
	return fails ? NULL : realloc(memory, new_size);
}

// Random numbers (splitmix64): the same on every machine.

static inline uint64_t random_bits(uint64_t* seed)
{
	*seed += 0x9E3779B97F4A7C15u;
	uint64_t z = *seed;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

// A whole number from `lower` to `upper`, both included.
static inline int random_int(uint64_t* seed, int lower, int upper)
{
	uint64_t range = (uint64_t)((int64_t)upper - lower) + 1;
	return (int)(lower + (int64_t)(random_bits(seed) % range));
}

static inline double random_between(uint64_t* seed, double lower, double upper)
{
	return lower + (upper - lower) * ((double)(random_bits(seed) >> 11) / 9007199254740992.0);
}

static inline NcPoint random_point(uint64_t* seed, int range)
{
	int x = random_int(seed, -range, range);
	return (NcPoint){x, random_int(seed, -range, range)};
}

static inline NcVec2 random_vec2(uint64_t* seed, NcBox box)
{
	double x = random_between(seed, box.lower.x, box.upper.x);
	return (NcVec2){x, random_between(seed, box.lower.y, box.upper.y)};
}

// Worlds: edges in snaps, inside of bounds whose outside is covered.

#define MAX_WORLD_EDGES 512

typedef struct World
{
	NcEdge edges[MAX_WORLD_EDGES];
	int count;
	NcSnapDef def;
} World;

static inline void world_add(World* world, NcEdge edge)
{
	assert_true(world->count < MAX_WORLD_EDGES);
	world->edges[world->count++] = edge;
}

static inline void world_add_wall(World* world, NcPoint a, NcPoint b)
{
	world_add(world, (NcEdge){.a = a, .b = b, .obstacle = world->count});
}

// Add a filled ring. Counter-clockwise it covers its inside; clockwise it uncovers it.
static inline void world_add_ring(World* world, const NcPoint* points, int count)
{
	int obstacle = world->count;
	for (int i = 0; i < count; ++i)
	{
		NcEdge edge = {.a = points[i], .b = points[(i + 1) % count], .obstacle = obstacle};
		edge.solid = 1;
		world_add(world, edge);
	}
}

// An empty world: a rectangle, whose outside is covered once.
static inline void world_init(World* world, NcPoint lower, NcPoint upper)
{
	NcPoint corners[4] = {lower, {upper.x, lower.y}, upper, {lower.x, upper.y}};
	world->count = 0;
	world->def = (NcSnapDef){
		.box = {nc_point_to_vec2(lower), nc_point_to_vec2(upper)},
		.outer_cover = 1,
		.outer_walkable = 1,
	};
	for (int i = 0; i < 4; ++i)
	{
		NcEdge edge = {.a = corners[i], .b = corners[(i + 1) % 4], .obstacle = NC_NULL_INDEX};
		edge.solid = -1;
		world_add(world, edge);
	}
}

static inline NcPoint random_lattice_point(uint64_t* seed, int range, int step)
{
	NcPoint p = random_point(seed, range / step);
	return (NcPoint){p.x * step, p.y * step};
}

// Fill a world with walls, points, boxes and triangles whose corners lie on a lattice of the given
// step. A coarse one makes everything touch, overlap, cross and repeat.
static inline void world_add_random(
	World* world, uint64_t* seed, int item_count, int range, int step)
{
	for (int i = 0; i < item_count; ++i)
	{
		NcPoint a = random_lattice_point(seed, range, step);
		NcPoint b = random_lattice_point(seed, range, step);
		NcPoint c = random_lattice_point(seed, range, step);
		NcPoint ring[3] = {a, b, c};
		switch (random_int(seed, 0, 5))
		{
		case 0:
			world_add_wall(world, a, a);
			break;
		case 1:
			if (nc_orient(a, b, c) < 0)
			{
				ring[1] = c;
				ring[2] = b;
			}
			if (nc_orient(a, b, c) != 0)
			{
				world_add_ring(world, ring, 3);
			}
			break;
		default:
			world_add_wall(world, a, b);
			break;
		}
	}
}

static inline void world_build(const World* world, NcSnap* snap)
{
	*snap = (NcSnap){0};
	assert_int_equal(
		nc_snap_build(snap, &world->def, world->edges, world->count, &NC_ALONE), NC_OK);
}

// Build the diagram of a world, in this thread.
static inline void world_build_diagram(const World* world, NcDiagram* diagram)
{
	*diagram = (NcDiagram){0};
	world_build(world, &diagram->snap);
	NcParallel alone = {0};
	assert_int_equal(nc_diagram_build(diagram, &alone), NC_OK);
}

// The worlds of random tests of the diagram: the range and the lattice step, in snaps, and how many
// items. They include the degenerate ones, in which everything touches and is equally far away.
static inline void world_make_for_diagram(World* world, uint64_t* seed, int round)
{
	static const int recipes[][3] = {{100, 10, 12}, {100, 25, 10}, {1000, 1, 15}, {60, 1, 12},
		{100000, 1, 15}, {NC_MAX_COORDINATE - 8, 1, 8}, {400, 100, 20}};
	const int* recipe = recipes[round % NC_COUNT(recipes)];
	int edge = recipe[0] + recipe[1];
	edge = edge < NC_MAX_COORDINATE ? edge : NC_MAX_COORDINATE - 1;
	world_init(world, (NcPoint){-edge, -edge}, (NcPoint){edge, edge});
	world_add_random(world, seed, recipe[2], recipe[0], recipe[1]);
}

// How exact a place of the diagram is, in snaps: contraction may move it by as much as the pieces
// that it removes are long, and numbers have a relative error.
static inline double get_place_tolerance(const World* world)
{
	return 2.0 * NC_CONTRACT_LENGTH + 1e-9 * world->def.box.upper.x;
}

// The distance to everything, the slow way. Isolated points in covered places are no obstacles, and
// neither are outlines between two walkable areas.
static inline double compute_brute_distance(const NcSnap* snap, NcVec2 p)
{
	double best = HUGE_VAL;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		if (!nc_fragment_exists(snap, f) || snap->fragments.data[f].is_open)
		{
			continue;
		}
		NcVec2 a = nc_point_to_vec2(nc_half_start(snap, 2 * f));
		NcVec2 b = nc_point_to_vec2(nc_half_end(snap, 2 * f));
		best = nc_min(best, nc_distance(p, nc_closest_on_segment(p, a, b)));
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		const NcVertex* vertex = &snap->vertices.data[v];
		if (nc_vertex_exists(snap, v) && vertex->half == NC_NULL_INDEX && vertex->is_free)
		{
			best = nc_min(best, nc_distance(p, nc_point_to_vec2(vertex->point)));
		}
	}
	return best;
}

// By how much the cover changes from far away on the left to a point, because of one edge.
static inline int compute_step(NcPoint a, NcPoint b, int solid, NcVec2 p)
{
	if ((a.y > p.y) == (b.y > p.y))
	{
		return 0;
	}
	double x = a.x + ((double)b.x - a.x) * ((p.y - a.y) / ((double)b.y - a.y));
	return x < p.x ? (a.y < b.y ? -solid : solid) : 0;
}

// Scenes: shapes in world units, to be added to a map in any order.

#define MAX_SCENE_POINTS 2048
#define MAX_SCENE_SHAPES 128
#define MAX_SHAPE_RINGS 4

typedef struct SceneShape
{
	NcShapeKind kind;
	int first_point;
	int point_count;
	int ring_counts[MAX_SHAPE_RINGS];
	int ring_count;
} SceneShape;

typedef struct Scene
{
	NcMapDef def;
	NcVec2 points[MAX_SCENE_POINTS];
	int point_count;
	SceneShape shapes[MAX_SCENE_SHAPES];
	int shape_count;
} Scene;

static inline void scene_init(Scene* scene, double x0, double y0, double x1, double y1)
{
	scene->def = nc_default_map_def();
	scene->def.bounds = (NcBox){{x0, y0}, {x1, y1}};
	scene->point_count = 0;
	scene->shape_count = 0;
}

// Begin a shape; its points are those added until the next shape.
static inline void scene_begin(Scene* scene, NcShapeKind kind)
{
	assert_true(scene->shape_count < MAX_SCENE_SHAPES);
	scene->shapes[scene->shape_count++] =
		(SceneShape){.kind = kind, .first_point = scene->point_count, .ring_count = 1};
}

static inline void scene_add_point(Scene* scene, double x, double y)
{
	assert_true(scene->point_count < MAX_SCENE_POINTS);
	SceneShape* shape = &scene->shapes[scene->shape_count - 1];
	scene->points[scene->point_count++] = (NcVec2){x, y};
	++shape->point_count;
	++shape->ring_counts[shape->ring_count - 1];
}

static inline void scene_begin_hole(Scene* scene)
{
	SceneShape* shape = &scene->shapes[scene->shape_count - 1];
	assert_true(shape->ring_count < MAX_SHAPE_RINGS);
	++shape->ring_count;
}

static inline void scene_add_corners(Scene* scene, double x0, double y0, double x1, double y1)
{
	scene_add_point(scene, x0, y0);
	scene_add_point(scene, x1, y0);
	scene_add_point(scene, x1, y1);
	scene_add_point(scene, x0, y1);
}

static inline void scene_add_box(Scene* scene, double x0, double y0, double x1, double y1)
{
	scene_begin(scene, NC_SHAPE_POLYGON);
	scene_add_corners(scene, x0, y0, x1, y1);
}

static inline void scene_add_wall(Scene* scene, double x0, double y0, double x1, double y1)
{
	scene_begin(scene, NC_SHAPE_CHAIN);
	scene_add_point(scene, x0, y0);
	scene_add_point(scene, x1, y1);
}

static inline void scene_add_single(Scene* scene, double x, double y)
{
	scene_begin(scene, NC_SHAPE_POINTS);
	scene_add_point(scene, x, y);
}

static inline NcShape scene_get_shape(const Scene* scene, int index)
{
	const SceneShape* shape = &scene->shapes[index];
	return (NcShape){
		.kind = shape->kind,
		.points = scene->points + shape->first_point,
		.point_count = shape->point_count,
		.ring_counts = shape->ring_count > 1 ? shape->ring_counts : NULL,
		.ring_count = shape->ring_count,
	};
}

// Add shapes of all kinds with corners on a lattice.
static inline void scene_add_random(
	Scene* scene, uint64_t* seed, int shape_count, double range, double step)
{
	int cells = (int)(range / step);
	for (int i = 0; i < shape_count; ++i)
	{
		static const NcShapeKind kinds[] = {
			NC_SHAPE_POINTS, NC_SHAPE_CHAIN, NC_SHAPE_CHAIN, NC_SHAPE_POLYGON};
		NcShapeKind kind = kinds[random_int(seed, 0, 3)];
		int count = kind == NC_SHAPE_POLYGON ? random_int(seed, 3, 5) : random_int(seed, 1, 3);
		scene_begin(scene, kind);
		NcPoint corner = {0, 0};
		for (int k = 0; k < count; ++k)
		{
			NcPoint p = random_point(seed, cells);
			p.x += nc_point_equals(p, corner) && p.x < cells;
			corner = p;
			scene_add_point(scene, p.x * step, p.y * step);
		}
	}
}

// Create a map with all shapes of a scene, those that it refuses excepted. With an order, the
// shapes are added in that order.
static inline NcMap* scene_create_map(const Scene* scene, const int* order)
{
	NcMap* map = NULL;
	assert_int_equal(nc_map_create(&scene->def, &map, NULL), NC_OK);
	for (int i = 0; i < scene->shape_count; ++i)
	{
		NcShape shape = scene_get_shape(scene, order != NULL ? order[i] : i);
		NcObstacleId id;
		NcStatus status = nc_map_add_obstacle(map, &shape, &id, NULL);
		assert_true(status == NC_OK || status == NC_INVALID_INPUT);
	}
	assert_int_equal(nc_map_update(map, NULL), NC_OK);
	return map;
}

// The distance from a point to the walls that a map reports, in world units. Nothing else of the
// library takes part.
static inline double compute_wall_distance(const NcMap* map, NcVec2 p)
{
	double best = HUGE_VAL;
	for (int i = 0; i < nc_map_get_wall_range(map); ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall) && (wall.left_free || wall.right_free))
		{
			best = nc_min(best, nc_distance(p, nc_closest_on_segment(p, wall.a, wall.b)));
		}
	}
	return best;
}

static inline void shuffle(uint64_t* seed, int* items, int count)
{
	for (int i = count - 1; i > 0; --i)
	{
		int j = random_int(seed, 0, i);
		int item = items[i];
		items[i] = items[j];
		items[j] = item;
	}
}
