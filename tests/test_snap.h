// SPDX-License-Identifier: MIT
#pragma once

// What must hold for every snapped world, whether it was built or changed in place, and what it
// consists of without the indices.

#include "test.h"

#include "snap.h"

static inline bool ends_in(const NcFragment* fragment, int vertex)
{
	return fragment->vertices[0] == vertex || fragment->vertices[1] == vertex;
}

// No two fragments cross or repeat, and no vertex is near a fragment that does not end there.
static inline void require_planar(const NcSnap* snap, int round)
{
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		if (!nc_fragment_exists(snap, f))
		{
			continue;
		}
		NcPoint a = nc_half_start(snap, 2 * f);
		NcPoint b = nc_half_end(snap, 2 * f);
		assert_in_round(nc_point_compare(a, b) < 0, round);
		for (int g = 0; g < f; ++g)
		{
			if (!nc_fragment_exists(snap, g))
			{
				continue;
			}
			NcPoint c = nc_half_start(snap, 2 * g);
			NcPoint d = nc_half_end(snap, 2 * g);
			assert_in_round(!nc_segments_cross(a, b, c, d), round);
			assert_in_round(!nc_point_equals(a, c) || !nc_point_equals(b, d), round);
		}
		for (int v = 0; v < snap->vertices.count; ++v)
		{
			if (nc_vertex_exists(snap, v) && !ends_in(&snap->fragments.data[f], v))
			{
				NcVec2 p = nc_point_to_vec2(snap->vertices.data[v].point);
				NcVec2 foot = nc_closest_on_segment(p, nc_point_to_vec2(a), nc_point_to_vec2(b));
				assert_in_round(nc_distance(p, foot) > 0.5 - 1e-6, round);
			}
		}
	}
}

// The halves around every vertex form one ring, which turns once, counter-clockwise.
static inline void require_rings(const NcSnap* snap, int round)
{
	int half_count = 0;
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		if (!nc_vertex_exists(snap, v))
		{
			continue;
		}
		NcPoint p = snap->vertices.data[v].point;
		int first = snap->vertices.data[v].half;
		int descents = 0;
		for (int half = first; half != NC_NULL_INDEX;)
		{
			++half_count;
			int next = nc_half_next(snap, half);
			assert_in_round(nc_half_vertex(snap, half) == v, round);
			assert_in_round(nc_half_previous(snap, next) == half, round);
			int order = nc_compare_angle(p, nc_half_end(snap, half), nc_half_end(snap, next));
			assert_in_round(order != 0 || next == half, round);
			descents += order >= 0;
			half = next == first ? NC_NULL_INDEX : next;
		}
		assert_in_round(first == NC_NULL_INDEX || descents == 1, round);
	}
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		half_count -= nc_fragment_exists(snap, f) ? 2 : 0;
	}
	assert_in_round(half_count == 0, round);
}

#define MAX_SNAP_ITEMS 20000

// A fragment or an isolated point, by coordinates instead of indices.
typedef struct SnapItem
{
	NcPoint a, b;
	int solid, walkable, cover, walkable_cover, obstacle, is_free, is_open;
} SnapItem;

static inline int compare_snap_items(const void* p, const void* q)
{
	const SnapItem* f = p;
	const SnapItem* g = q;
	int order = nc_point_compare(f->a, g->a);
	return order != 0 ? order : nc_point_compare(f->b, g->b);
}

// @return the number of items, in the order of their coordinates
static inline int snap_list_items(const NcSnap* snap, SnapItem* items)
{
	int count = 0;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		const NcFragment* fragment = &snap->fragments.data[f];
		if (!nc_fragment_exists(snap, f))
		{
			continue;
		}
		assert_true(count < MAX_SNAP_ITEMS);
		items[count++] = (SnapItem){nc_half_start(snap, 2 * f), nc_half_end(snap, 2 * f),
			fragment->solid, fragment->walkable, fragment->cover, fragment->walkable_cover,
			nc_fragment_owner(snap, f), fragment->is_free, fragment->is_open};
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		const NcVertex* vertex = &snap->vertices.data[v];
		if (nc_vertex_exists(snap, v) && vertex->half == NC_NULL_INDEX)
		{
			assert_true(count < MAX_SNAP_ITEMS);
			items[count++] = (SnapItem){.a = vertex->point,
				.b = vertex->point,
				.obstacle = nc_vertex_owner(snap, v),
				.is_free = vertex->is_free};
		}
	}
	qsort(items, (size_t)count, sizeof(SnapItem), compare_snap_items);
	return count;
}
