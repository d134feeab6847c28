// SPDX-License-Identifier: MIT

// Shapes on their way into a map.

#include "map_shape.h"

#include "clip.h"

// Half the width of the world that the core can represent, in snaps.
#define MAX_SNAPS 33554431.0

// Obstacles are cut off this far from the bounds, in parts of their larger side: far enough that
// most that reach out are left as they are.
#define CLIP_MARGIN 0.0625

double map_shape_choose_snap(NcBox bounds)
{
	double snap = nc_default_map_def().snap;
	double reach =
		nc_max(nc_max(-bounds.lower.x, bounds.upper.x), nc_max(-bounds.lower.y, bounds.upper.y));
	while (reach > MAX_SNAPS * snap)
	{
		snap *= 2.0;
	}
	return snap;
}

NcBox map_shape_get_clip_box(const NcMap* core)
{
	NcBox bounds = nc_map_get_bounds(core);
	NcVec2 size = nc_sub(bounds.upper, bounds.lower);
	NcBox box = nc_box_grow(bounds, CLIP_MARGIN * nc_max(size.x, size.y));
	double limit = MAX_SNAPS * nc_map_get_snap(core);
	return (NcBox){{nc_max(box.lower.x, -limit), nc_max(box.lower.y, -limit)},
		{nc_min(box.upper.x, limit), nc_min(box.upper.y, limit)}};
}

static bool is_area(NcShapeKind kind)
{
	return kind == NC_SHAPE_POLYGON || kind == NC_SHAPE_WALKABLE;
}

bool map_shape_has_enough_points(NcShapeKind kind, const Points* points)
{
	return !is_area(kind) || clip_has_three_points(points);
}

NcShape map_shape_cut(NcShapeKind kind, Points* points, NcBox box)
{
	bool is_walkable = kind == NC_SHAPE_WALKABLE && points->count > 0;
	clip_to_box(points, kind, box);
	if (is_walkable && !clip_has_three_points(points))
	{
		// Outside of a walkable area nothing is free, also if the area is elsewhere: what is left
		// of it is a line on the border of the box.
		points->count = 0;
		points_push(points, box.lower);
		points_push(points, (NcVec2){0.5 * (box.lower.x + box.upper.x), box.lower.y});
		points_push(points, (NcVec2){box.upper.x, box.lower.y});
	}
	else if (is_area(kind) && !clip_has_three_points(points))
	{
		kind = NC_SHAPE_CHAIN; // too small to have an inside, or it only touches the box
	}
	return (NcShape){.kind = kind, .points = points->data, .point_count = points->count};
}
