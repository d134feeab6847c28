// SPDX-License-Identifier: MIT
// Scenes by name, and the regular ones. Those made of random shapes are in scenes_random.c, those
// that are hard on the numbers in scenes_hard.c, those from issue trackers in scenes_published.c.

#include "scenes.h"

#include "parallel.h"
#include "scene_file.h"
#include "scenes_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METERS_SNAP (1.0 / 1024.0)

void scenes_add_polygon(Scene* scene, const NcVec2* points, int count)
{
	scene_begin_shape(scene, NC_SHAPE_POLYGON, 0);
	scene_begin_ring(scene);
	for (int i = 0; i < count; ++i)
	{
		scene_add_point(scene, points[i]);
	}
}

void scenes_add_wall(Scene* scene, NcVec2 a, NcVec2 b)
{
	scene_begin_shape(scene, NC_SHAPE_CHAIN, 0);
	scene_add_point(scene, a);
	scene_add_point(scene, b);
}

uint64_t scenes_random(uint64_t* state)
{
	// The generator splitmix64 of Steele, Lea, Flood: Fast splittable pseudorandom numbers, 2014.
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int scenes_random_int(uint64_t* state, int lower, int upper)
{
	return lower + (int)(scenes_random(state) % (uint64_t)(upper - lower + 1));
}

double scenes_random_double(uint64_t* state, double lower, double upper)
{
	return lower + (upper - lower) * (double)(scenes_random(state) >> 11) * 0x1p-53;
}

// Regular scenes.

#define BLOCK 15.0
#define PITCH 20.0

// Blocks around the origin, turned by an angle, with a street along the bounds.
static void make_turned_city(int n, double angle, TestScene* made)
{
	NcVec2 u = nc_direction(angle);
	double start = 0.5 * (PITCH - BLOCK) - 0.5 * PITCH * n;
	for (int i = 0; i < n * n; ++i)
	{
		double x = start + PITCH * (i % n);
		double y = start + PITCH * (i / n);
		NcVec2 corners[4] = {{x, y}, {x + BLOCK, y}, {x + BLOCK, y + BLOCK}, {x, y + BLOCK}};
		for (int k = 0; k < 4; ++k)
		{
			NcVec2 p = corners[k];
			corners[k] = nc_mul_add(nc_scale(p.x, u), p.y, nc_perp(u));
		}
		scenes_add_polygon(&made->scene, corners, 4);
	}
	double reach = 0.5 * PITCH * n * (fabs(u.x) + fabs(u.y)) + PITCH - BLOCK;
	made->bounds = (NcBox){{-reach, -reach}, {reach, reach}};
	made->snap = METERS_SNAP;
}

static bool make_city(int n, TestScene* made)
{
	make_turned_city(n, 0.0, made);
	return true;
}

#define DEGREE (3.14159265358979323846 / 180.0)

static bool make_city17(int n, TestScene* made)
{
	make_turned_city(n, 17.3 * DEGREE, made);
	return true;
}

#define GON_SIDES 720
#define GON_RADIUS 100.0
#define GONS_PER_ROW 5

static bool make_gons(int n, TestScene* made)
{
	for (int i = 0; i < n; ++i)
	{
		NcVec2 center = {
			3.0 * GON_RADIUS * (i % GONS_PER_ROW), 3.0 * GON_RADIUS * (i / GONS_PER_ROW)};
		NcVec2 points[GON_SIDES];
		for (int k = 0; k < GON_SIDES; ++k)
		{
			// Every polygon is turned a little more, so that no two see the same numbers.
			double angle = 360.0 * DEGREE * (k + 0.1 * i) / GON_SIDES;
			points[k] = nc_mul_add(center, GON_RADIUS, nc_direction(angle));
		}
		scenes_add_polygon(&made->scene, points, GON_SIDES);
	}
	made->bounds = nc_box_grow(scene_compute_box(&made->scene), 0.5 * GON_RADIUS);
	made->snap = METERS_SNAP;
	return true;
}

#define SLIT_LENGTH 100000
#define SLIT_PITCH 4

static bool make_comb(int n, TestScene* made)
{
	for (int i = 0; i < n; ++i)
	{
		// A lean of up to 2 snaps and ends that do not line up keep it from being regular.
		double x = SLIT_PITCH * i;
		scenes_add_wall(
			&made->scene, (NcVec2){x, 0.0}, (NcVec2){x + i * 7 % 3, SLIT_LENGTH + i * 37 % 101});
	}
	made->bounds = nc_box_grow(scene_compute_box(&made->scene), 1000.0);
	made->snap = 1.0;
	return true;
}

static bool read_scene(const char* path, TestScene* made)
{
	TextError error;
	if (!scene_read_file(path, &made->scene, &error))
	{
		fprintf(stderr, "%s cannot be read; the working folder must be the top one\n", path);
		return false;
	}
	return true;
}

static bool make_mckenna(int n, TestScene* made)
{
	(void)n;
	made->bounds = (NcBox){{0.0, 0.0}, {200.0, 200.0}};
	made->snap = METERS_SNAP;
	return read_scene("tests/data/mckenna.wkt", made);
}

// A file in snaps, with its bounds drawn as walls.
static bool make_from_file(const char* path, TestScene* made)
{
	if (!read_scene(path, made))
	{
		return false;
	}
	made->bounds = scene_compute_box(&made->scene);
	return true;
}

// By name.

typedef struct Kind
{
	const char* name;
	ScenesMakeFn* make;
} Kind;

static const Kind kinds[] = {
	{"city", make_city},
	{"city17", make_city17},
	{"gons", make_gons},
	{"comb", make_comb},
	{"mckenna", make_mckenna},
	{"random", scenes_make_random},
	{"lattice", scenes_make_lattice},
	{"mixed", scenes_make_mixed},
	{"overlap", scenes_make_overlap},
	{"hard", scenes_make_hard},
	{"published", scenes_make_published},
};

bool scenes_make(const char* name, TestScene* made)
{
	*made = (TestScene){.snap = 1.0};
	if (strchr(name, '.') != NULL)
	{
		return make_from_file(name, made);
	}
	size_t length = strcspn(name, ":");
	int number = name[length] == ':' ? atoi(name + length + 1) : 0;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
	{
		if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, name, length) == 0)
		{
			return number >= 0 && kinds[i].make(number, made);
		}
	}
	fprintf(stderr, "There is no scene '%s'.\n", name);
	return false;
}

void scenes_destroy(TestScene* made)
{
	scene_destroy(&made->scene);
}

NcShape scenes_get_shape(const TestScene* made, int index)
{
	return scene_get_shape(&made->scene, index);
}

// Tests cannot go on without their map.
static void require(NcStatus status, const NcError* error, int shape)
{
	if (status != NC_OK)
	{
		fprintf(stderr, "shape %d, item %d: %s (%s)\n", shape, error->item,
			error->reason == NULL ? "failed" : error->reason, nc_status_name(status));
		exit(2);
	}
}

NcMap* scenes_build_map(const TestScene* made, int thread_count, NcObstacleId* ids)
{
	static Parallel parallel; // outlives the map, which keeps its address
	NcMapDef def = nc_default_map_def();
	def.bounds = made->bounds;
	def.snap = made->snap;
	if (thread_count > 1)
	{
		parallel.thread_count = thread_count;
		def.parallel_for = parallel_for;
		def.parallel_context = &parallel;
		def.worker_count = thread_count;
	}
	NcMap* map;
	NcError error = {0};
	require(nc_map_create(&def, &map, &error), &error, NC_NULL_INDEX);
	for (int i = 0; i < made->scene.shape_count; ++i)
	{
		NcShape shape = scenes_get_shape(made, i);
		NcObstacleId id;
		require(nc_map_add_obstacle(map, &shape, &id, &error), &error, i);
		if (ids != NULL)
		{
			ids[i] = id;
		}
	}
	error = (NcError){.item = NC_NULL_INDEX};
	require(nc_map_update(map, NULL), &error, NC_NULL_INDEX);
	return map;
}
