// SPDX-License-Identifier: MIT

// Random edits of a map. Every obstacle that ever was in the map keeps its shape here, so that a
// removed one can come back where it was, and a fresh map can be made of the same obstacles.

#include "edit.h"

#include "clock.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CORNERS 8
#define FULL_TURN 6.28318530717958647692

// New obstacles are as large as one that is there, times a factor up to this, and lie within twice
// that size of it. An obstacle without extent counts as this part of the world.
#define MAX_GROWTH 1.5
#define SMALL_PART 0.01

static NcBox compute_box(const EditObstacle* obstacle)
{
	NcBox box = nc_box_empty();
	for (int i = 0; i < obstacle->point_count; ++i)
	{
		box = nc_box_add_point(box, obstacle->points[i]);
	}
	return box;
}

static NcShape get_shape(const EditObstacle* obstacle)
{
	return (NcShape){
		.kind = obstacle->kind,
		.points = obstacle->points,
		.point_count = obstacle->point_count,
		.ring_counts = obstacle->ring_counts,
		.ring_count = obstacle->ring_count,
	};
}

static EditObstacle* append_obstacle(EditSet* set, NcShape shape)
{
	set->obstacles = memory_grow(
		set->obstacles, set->obstacle_count, &set->obstacle_capacity, sizeof(EditObstacle));
	EditObstacle* obstacle = &set->obstacles[set->obstacle_count++];
	*obstacle = (EditObstacle){
		.kind = shape.kind,
		.points = memory_allocate(shape.point_count, sizeof(NcVec2)),
		.point_count = shape.point_count,
		.ring_count = shape.ring_count,
	};
	memcpy(obstacle->points, shape.points, (size_t)shape.point_count * sizeof(NcVec2));
	if (shape.ring_counts != NULL)
	{
		obstacle->ring_counts = memory_allocate(shape.ring_count, sizeof(int));
		memcpy(obstacle->ring_counts, shape.ring_counts, (size_t)shape.ring_count * sizeof(int));
	}
	return obstacle;
}

void edit_begin(NcMap* map, const NcShape* shapes, const NcObstacleId* ids, int count,
	uint64_t seed, EditSet* set)
{
	*set = (EditSet){
		.map = map,
		.random = random_begin(seed),
		.first_count = count,
		.present_count = count,
	};
	for (int i = 0; i < count; ++i)
	{
		EditObstacle* obstacle = append_obstacle(set, shapes[i]);
		obstacle->id = ids[i];
		obstacle->is_present = true;
	}
}

void edit_end(EditSet* set)
{
	for (int i = 0; i < set->obstacle_count; ++i)
	{
		free(set->obstacles[i].points);
		free(set->obstacles[i].ring_counts);
	}
	free(set->obstacles);
	*set = (EditSet){0};
}

// Choose any obstacle that is present or not, as asked.
// @return NULL if there is none
static EditObstacle* choose_obstacle(EditSet* set, bool is_present)
{
	int count = is_present ? set->present_count : set->obstacle_count - set->present_count;
	if (count == 0)
	{
		return NULL;
	}
	// The first from a random place on: cheap, and even enough.
	int index = random_get_int(&set->random, set->obstacle_count);
	while (set->obstacles[index].is_present != is_present)
	{
		index = (index + 1) % set->obstacle_count;
	}
	return &set->obstacles[index];
}

static NcVec2 choose_offset(EditSet* set, double size)
{
	NcVec2 offset;
	offset.x = random_get_double(&set->random, -size, size);
	offset.y = random_get_double(&set->random, -size, size);
	return offset;
}

static double get_size(const EditSet* set, const EditObstacle* obstacle)
{
	NcBox box = compute_box(obstacle);
	NcBox bounds = nc_map_get_bounds(set->map);
	double size = nc_max(box.upper.x - box.lower.x, box.upper.y - box.lower.y);
	return size > 0.0 ? size : SMALL_PART * (bounds.upper.x - bounds.lower.x);
}

// The place that a wish for one leads to: inside the world.
static NcVec2 clamp_place(const EditSet* set, NcVec2 p)
{
	NcBox bounds = nc_map_get_bounds(set->map);
	return (NcVec2){nc_clamp(p.x, bounds.lower.x, bounds.upper.x),
		nc_clamp(p.y, bounds.lower.y, bounds.upper.y)};
}

static NcStatus insert(EditSet* set, EditObstacle* obstacle, NcError* error)
{
	NcShape shape = get_shape(obstacle);
	set->start_ms = clock_get_milliseconds();
	NcStatus status = nc_map_add_obstacle(set->map, &shape, &obstacle->id, error);
	if (status == NC_OK)
	{
		obstacle->is_present = true;
		++set->present_count;
	}
	return status;
}

// A new box or convex polygon near an obstacle, or anywhere if there is none.
static NcStatus insert_new(EditSet* set, NcError* error)
{
	NcBox bounds = nc_map_get_bounds(set->map);
	NcVec2 center = nc_lerp(bounds.lower, bounds.upper, 0.5);
	double size = SMALL_PART * (bounds.upper.x - bounds.lower.x);
	const EditObstacle* near = choose_obstacle(set, true);
	if (near != NULL)
	{
		NcBox box = compute_box(near);
		size = get_size(set, near) * random_get_double(&set->random, 0.1, MAX_GROWTH);
		center = nc_lerp(box.lower, box.upper, 0.5);
	}
	center = clamp_place(set, nc_add(center, choose_offset(set, 2.0 * size)));

	NcVec2 points[MAX_CORNERS];
	int count = 3 + random_get_int(&set->random, MAX_CORNERS - 2);
	double turn = random_get_int(&set->random, 2) == 0
					  ? FULL_TURN / (2.0 * count)
					  : random_get_double(&set->random, 0.0, FULL_TURN);
	for (int i = 0; i < count; ++i)
	{
		NcVec2 direction = nc_direction(turn + FULL_TURN * i / count);
		points[i] = nc_mul_add(center, 0.5 * size, direction);
	}
	NcShape shape = {.kind = NC_SHAPE_POLYGON, .points = points, .point_count = count};
	return insert(set, append_obstacle(set, shape), error);
}

static NcStatus insert_any(EditSet* set, NcError* error)
{
	EditObstacle* removed = choose_obstacle(set, false);
	bool is_new = removed == NULL || random_get_int(&set->random, 4) == 0;
	return is_new ? insert_new(set, error) : insert(set, removed, error);
}

static NcStatus remove_any(EditSet* set)
{
	EditObstacle* obstacle = choose_obstacle(set, true);
	obstacle->is_present = false;
	--set->present_count;
	set->start_ms = clock_get_milliseconds();
	return nc_map_remove_obstacle(set->map, obstacle->id);
}

static NcStatus move_any(EditSet* set, NcError* error)
{
	EditObstacle* obstacle = choose_obstacle(set, true);
	NcVec2 from = obstacle->points[0];
	NcVec2 to = clamp_place(set, nc_add(from, choose_offset(set, get_size(set, obstacle))));
	for (int i = 0; i < obstacle->point_count; ++i)
	{
		obstacle->points[i] = nc_add(obstacle->points[i], nc_sub(to, from));
	}
	NcShape shape = get_shape(obstacle);
	set->start_ms = clock_get_milliseconds();
	return nc_map_set_obstacle(set->map, obstacle->id, &shape, error);
}

NcStatus edit_stage(EditSet* set, NcError* error)
{
	// Half of the edits move. The others bring the number of obstacles back to where it began, give
	// or take a few.
	int excess = set->present_count - set->first_count;
	if (set->present_count > 0 && random_get_int(&set->random, 2) == 0)
	{
		return move_any(set, error);
	}
	bool is_removal = random_get_int(&set->random, 8) < 4 + excess;
	return is_removal && set->present_count > 0 ? remove_any(set) : insert_any(set, error);
}

NcStatus edit_add_all(EditSet* set, NcMap* map, NcError* error)
{
	int* order = memory_allocate(set->obstacle_count, sizeof(int));
	for (int i = 0; i < set->obstacle_count; ++i)
	{
		int other = random_get_int(&set->random, i + 1);
		order[i] = order[other];
		order[other] = i;
	}
	NcStatus status = NC_OK;
	for (int i = 0; i < set->obstacle_count && status == NC_OK; ++i)
	{
		const EditObstacle* obstacle = &set->obstacles[order[i]];
		if (obstacle->is_present)
		{
			NcShape shape = get_shape(obstacle);
			NcObstacleId id;
			status = nc_map_add_obstacle(map, &shape, &id, error);
		}
	}
	free(order);
	return status;
}

NcShape* edit_get_shapes(const EditSet* set)
{
	NcShape* shapes = memory_allocate(set->present_count, sizeof(NcShape));
	int count = 0;
	for (int i = 0; i < set->obstacle_count; ++i)
	{
		if (set->obstacles[i].is_present)
		{
			shapes[count++] = get_shape(&set->obstacles[i]);
		}
	}
	return shapes;
}
