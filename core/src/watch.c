// SPDX-License-Identifier: MIT
// Watching a path: does an update concern it?
//
// A new obstacle gets in the way only if it enters a disc of the medial axis along the corridor.
// Then that point of the axis is gone, and the update reports a box around it. So the boxes of the
// arcs suffice for whatever stays in the corridor, and those of the route, grown by the radius, for
// what leaves it.

#include "query_state.h"

#define ARC_BOXES (NC_WATCH_BOX_COUNT / 2)

// A box around an arc. A parabola stays within the triangle of its ends and the crossing of the
// tangents there.
static NcBox compute_arc_box(const NcArc* arc)
{
	NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), arc->ends[0]), arc->ends[1]);
	if (arc->kind != NC_ARC_PARABOLA)
	{
		return box;
	}
	double t0 = nc_dot(nc_sub(arc->ends[0], arc->corner), arc->axis);
	double t1 = nc_dot(nc_sub(arc->ends[1], arc->corner), arc->axis);
	double y = arc->height;
	NcVec2 crossing = nc_mul_add(arc->corner, 0.5 * (t0 + t1), arc->axis);
	crossing = nc_mul_add(crossing, (t0 * t1 - y * y) / (2.0 * y), arc->normal);
	return nc_box_add_point(box, crossing);
}

// Add a box, in snaps, to the one that collects item `index` of `count`.
static void add_box(NcPathWatch* watch, int first, int index, int count, NcBox box)
{
	int slot = first + (int)((long long)index * ARC_BOXES / count);
	for (; watch->box_count <= slot; ++watch->box_count)
	{
		watch->boxes[watch->box_count] = nc_box_empty();
	}
	watch->boxes[slot] = nc_box_union(watch->boxes[slot], box);
}

bool nc_query_watch_path(const NcQuery* query, NcPathWatch* watch)
{
	const NcMap* map = query->map;
	*watch = (NcPathWatch){0};
	if (query->path_revision == 0 || query->path_revision != map->revision)
	{
		return false;
	}
	for (int i = 0; i < query->arcs.count; ++i)
	{
		NcBox box = compute_arc_box(&query->arcs.data[i].arc);
		add_box(watch, 0, i, query->arcs.count, nc_box_grow(box, 1.0));
	}
	for (int i = 1; i < query->points.count; ++i)
	{
		const NcVec2* points = query->points.data;
		NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), points[i - 1]), points[i]);
		box = nc_box_grow(box, query->search.radius);
		add_box(watch, ARC_BOXES, i - 1, query->points.count - 1, box);
	}
	for (int i = 0; i < watch->box_count; ++i)
	{
		watch->boxes[i].lower = nc_map_to_world(map, watch->boxes[i].lower);
		watch->boxes[i].upper = nc_map_to_world(map, watch->boxes[i].upper);
	}
	watch->revision = map->revision;
	return true;
}

static bool overlaps(const NcPathWatch* watch, NcBox box)
{
	for (int i = 0; i < watch->box_count; ++i)
	{
		if (nc_box_overlaps(watch->boxes[i], box))
		{
			return true;
		}
	}
	return false;
}

bool nc_map_is_path_stale(const NcMap* map, NcPathWatch* watch)
{
	const NcChanges* changes = &map->changes;
	if (watch->revision == 0 || watch->revision > map->revision ||
		watch->revision < changes->forgotten)
	{
		return true;
	}
	for (int i = changes->boxes.count - 1; i >= 0; --i)
	{
		const NcChangedBox* changed = &changes->boxes.data[i];
		if (changed->revision <= watch->revision)
		{
			break;
		}
		if (overlaps(watch, changed->box))
		{
			return true;
		}
	}
	watch->revision = map->revision;
	return false;
}
