// SPDX-License-Identifier: MIT

// Fuzz obstacles: bytes become shapes of all kinds that are added, moved and removed, with updates
// in between. In the end the map must be that of a fresh build, with every border seen from both
// sides.

#include "nav_corridor/map.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define MAX_OBSTACLES 24
#define MAX_POINTS 12
#define MAX_RINGS 3

typedef struct Shape
{
	NcShapeKind kind;
	NcVec2 points[MAX_POINTS];
	int point_count;
	int ring_counts[MAX_RINGS];
	int ring_count;
} Shape;

typedef struct Fuzz
{
	const uint8_t* data;
	size_t size;
	double step;   // between the coordinates of points, in world units
	double offset; // that fine coordinates may have, in snaps
	NcMapDef def;
	NcMap* map;
	Shape shapes[MAX_OBSTACLES];
	NcObstacleId ids[MAX_OBSTACLES]; // all zero: not there
} Fuzz;

static int take_byte(Fuzz* fuzz)
{
	if (fuzz->size == 0)
	{
		return 0;
	}
	--fuzz->size;
	return *fuzz->data++;
}

static NcVec2 take_point(Fuzz* fuzz)
{
	double x = (take_byte(fuzz) - 128) * fuzz->step;
	double y = (take_byte(fuzz) - 128) * fuzz->step;
	if (fuzz->offset > 0.0)
	{
		int fine = take_byte(fuzz);
		x += (fine & 15) * fuzz->offset;
		y += (fine >> 4) * fuzz->offset;
	}
	return (NcVec2){x, y};
}

static void take_shape(Fuzz* fuzz, Shape* shape)
{
	int bits = take_byte(fuzz);
	*shape = (Shape){.kind = (NcShapeKind)(bits & 3), .point_count = 1 + (bits >> 2) % MAX_POINTS};
	for (int i = 0; i < shape->point_count; ++i)
	{
		shape->points[i] = take_point(fuzz);
	}
	if (shape->kind < NC_SHAPE_POLYGON || shape->point_count < 6)
	{
		return;
	}
	shape->ring_count = 1 + take_byte(fuzz) % MAX_RINGS;
	int left = shape->point_count;
	for (int i = 0; i < shape->ring_count; ++i)
	{
		bool is_last = i + 1 == shape->ring_count;
		shape->ring_counts[i] = is_last ? left : left / 2;
		left -= shape->ring_counts[i];
	}
}

static NcShape get_shape(const Shape* shape)
{
	return (NcShape){
		.kind = shape->kind,
		.points = shape->points,
		.point_count = shape->point_count,
		.ring_counts = shape->ring_count > 0 ? shape->ring_counts : NULL,
		.ring_count = shape->ring_count,
	};
}

// Add or change an obstacle. A shape that is refused changes nothing.
static void place_obstacle(Fuzz* fuzz, int index)
{
	Shape taken;
	take_shape(fuzz, &taken);
	NcShape shape = get_shape(&taken);
	NcObstacleId id = fuzz->ids[index];
	NcStatus status = id.index != 0 ? nc_map_set_obstacle(fuzz->map, id, &shape, NULL)
									: nc_map_add_obstacle(fuzz->map, &shape, &id, NULL);
	if (status == NC_OK)
	{
		fuzz->ids[index] = id;
		fuzz->shapes[index] = taken;
	}
}

static void take_action(Fuzz* fuzz)
{
	int bits = take_byte(fuzz);
	int index = (bits >> 2) % MAX_OBSTACLES;
	if ((bits & 3) == 0 && fuzz->ids[index].index != 0)
	{
		nc_map_remove_obstacle(fuzz->map, fuzz->ids[index]);
		fuzz->ids[index] = (NcObstacleId){0};
	}
	else
	{
		place_obstacle(fuzz, index);
	}
	if ((bits & 3) <= 1 && nc_map_update(fuzz->map, NULL) != NC_OK)
	{
		abort();
	}
}

// Say what is wrong before the fuzzer keeps the input.
static void require(bool condition, const char* what)
{
	if (!condition)
	{
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

static void compare_with_fresh_build(const Fuzz* fuzz)
{
	NcMap* fresh;
	require(nc_map_create(&fuzz->def, &fresh, NULL) == NC_OK, "no fresh map");
	for (int i = MAX_OBSTACLES - 1; i >= 0; --i)
	{
		if (fuzz->ids[i].index != 0)
		{
			NcShape shape = get_shape(&fuzz->shapes[i]);
			NcObstacleId id;
			require(nc_map_add_obstacle(fresh, &shape, &id, NULL) == NC_OK, "refused later");
		}
	}
	require(nc_map_update(fresh, NULL) == NC_OK, "no fresh build");
	require(nc_map_get_stats(fresh).unresolved_count == 0, "unresolved borders after building");
	require(nc_map_get_stats(fuzz->map).unresolved_count == 0, "unresolved borders after edits");
	require(nc_map_compute_hash(fresh) == nc_map_compute_hash(fuzz->map),
		"edits end in another map than a fresh build");
	nc_map_destroy(fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	static const double steps[] = {1.0 / 1024.0, 1.0 / 64.0, 1.0, 8.0};
	static const double offsets[] = {0.0, 1.0 / 1024.0, 0.37, 37.0};
	Fuzz fuzz = {.data = data, .size = size, .def = nc_default_map_def()};
	int bits = take_byte(&fuzz);
	fuzz.step = steps[bits & 3];
	fuzz.offset = offsets[bits >> 2 & 3];
	double reach = 130.0 * fuzz.step + 16.0 * fuzz.offset;
	double part = bits & 16 ? 0.6 : 1.0; // obstacles may lie outside of the world
	fuzz.def.bounds = (NcBox){{-part * reach, -part * reach}, {part * reach, part * reach}};
	require(nc_map_create(&fuzz.def, &fuzz.map, NULL) == NC_OK, "no map");
	while (fuzz.size > 0)
	{
		take_action(&fuzz);
	}
	require(nc_map_update(fuzz.map, NULL) == NC_OK, "no update");
	compare_with_fresh_build(&fuzz);
	nc_map_destroy(fuzz.map);
	require(nc_get_byte_count() == 0, "memory was not freed");
	return 0;
}
