// SPDX-License-Identifier: MIT

// What is seen of a region in space: lines at the height of its floor.

#include "corridor_region_3d.h"
#include "region_solids.h"

// Lines float this far above the floor, in meters, so that they are not hidden in it.
#define LIFT 0.05

// Arcs are drawn with this error, in meters.
#define TOLERANCE 0.01

static void add_plane_lines(const CorridorRegion3D* self, const Points* points, Vectors* lines)
{
	float height = gd_node_3d_get_global_position(self->node.base.object).y + (float)LIFT;
	for (int i = 0; i < points->count; ++i)
	{
		vectors_push(
			lines, (GdVector3){(float)points->data[i].x, height, (float)points->data[i].y});
	}
}

static void add_box(const CorridorRegion3D* self, Vectors* lines)
{
	GdTransform3D t = gd_node_3d_get_global_transform(self->node.base.object);
	GdVector3 p = self->bounds.position;
	GdVector3 s = self->bounds.size;
	GdVector3 corners[8];
	for (int i = 0; i < 8; ++i)
	{
		NcVec3 corner = solids_transform(&t, (NcVec3){(double)(p.x + ((i & 1) != 0 ? s.x : 0.0f)),
												 (double)(p.y + ((i & 2) != 0 ? s.y : 0.0f)),
												 (double)(p.z + ((i & 4) != 0 ? s.z : 0.0f))});
		corners[i] = (GdVector3){(float)corner.x, (float)corner.z, (float)corner.y};
	}
	for (int i = 0; i < 8; ++i)
	{
		for (int bit = 1; bit < 8; bit *= 2)
		{
			if ((i & bit) == 0)
			{
				vectors_push(lines, corners[i]);
				vectors_push(lines, corners[i | bit]);
			}
		}
	}
}

static void add_closest_points(const StoreMap* map, Points* lines)
{
	for (int i = 0; i < nc_map_get_edge_range(map->core); ++i)
	{
		NcMapEvent events[64];
		int count = nc_map_get_edge_events(map->core, i, events, GD_COUNT(events));
		for (int k = 0; k < count && k < GD_COUNT(events); ++k)
		{
			points_push(lines, events[k].position);
			points_push(lines, events[k].left);
			points_push(lines, events[k].position);
			points_push(lines, events[k].right);
		}
	}
}

void region_add_lines(const CorridorRegion3D* self, RegionLines kind, Vectors* lines)
{
	if (kind == REGION_LINES_BOX)
	{
		add_box(self, lines);
		return;
	}
	StoreMap* map = store_get_map(self->node.region.map);
	if (map == NULL || store_sync(map) == NULL)
	{
		return;
	}
	Points points = {0};
	if (kind == REGION_LINES_WALLS && self->node.show_walls)
	{
		store_add_wall_lines(map, &points);
	}
	if (kind == REGION_LINES_AXIS && self->node.show_medial_axis)
	{
		store_add_axis_lines(map, TOLERANCE, &points);
	}
	if (kind == REGION_LINES_CLEARANCE && self->node.show_closest_points)
	{
		add_closest_points(map, &points);
	}
	add_plane_lines(self, &points, lines);
	points_free(&points);
}

GdColor region_get_line_color(const CorridorRegion3D* self, RegionLines kind)
{
	switch (kind)
	{
	case REGION_LINES_WALLS:
		return self->node.wall_color;
	case REGION_LINES_AXIS:
		return self->node.medial_axis_color;
	case REGION_LINES_CLEARANCE:
		return self->node.clearance_color;
	default:
		return (GdColor){0.35f, 0.65f, 0.85f, 0.5f};
	}
}

void region_show_lines(CorridorRegion3D* self)
{
	// The editor has gizmos for it.
	if (gd_engine_is_editor_hint(gd_singleton("Engine")) || !region_is_drawn(&self->node))
	{
		lines_3d_free(&self->lines);
		return;
	}
	lines_3d_begin(&self->lines, self->node.base.object);
	gd_lock();
	for (int kind = REGION_LINES_WALLS; kind < REGION_LINES_COUNT; ++kind)
	{
		Vectors lines = {0};
		region_add_lines(self, kind, &lines);
		lines_3d_add(&self->lines, &lines, region_get_line_color(self, kind));
		vectors_free(&lines);
	}
	const StoreMap* map = store_get_map(self->node.region.map);
	self->node.drawn_iteration = map != NULL ? map->iteration : 0;
	gd_unlock();
}
