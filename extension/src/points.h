// SPDX-License-Identifier: MIT
#pragma once

// A growing array of points, for geometry on its way between Godot and the core.

#include "nav_corridor/math2d.h"

#include <stdlib.h>

/// All zero is empty. After a failed allocation nothing more is added and `is_failed` stays set.
typedef struct Points
{
	NcVec2* data;
	int count;
	int capacity;
	bool is_failed;
} Points;

/// Make room for `count` more points.
/// @return where they go; NULL if there is no memory
static inline NcVec2* points_reserve(Points* points, int count)
{
	int needed = points->count + count;
	if (needed > points->capacity)
	{
		int capacity = needed + points->capacity / 2 + 16;
		NcVec2* data = realloc(points->data, (size_t)capacity * sizeof(NcVec2));
		if (data == NULL)
		{
			points->is_failed = true;
			return NULL;
		}
		points->data = data;
		points->capacity = capacity;
	}
	return points->data + points->count;
}

static inline void points_push(Points* points, NcVec2 point)
{
	NcVec2* place = points_reserve(points, 1);
	if (place != NULL)
	{
		*place = point;
		++points->count;
	}
}

static inline void points_clear(Points* points)
{
	points->count = 0;
	points->is_failed = false;
}

static inline void points_free(Points* points)
{
	free(points->data);
	*points = (Points){0};
}
