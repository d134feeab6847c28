// SPDX-License-Identifier: MIT

// Drawing of a region: the ground, the walls as the map sees them, clearance, the medial axis.
//
// Everything is drawn in world coordinates, below the region's children.

#include "region.h"

// Arcs are drawn with this error, in pixels at zoom 1.
#define TOLERANCE 0.5

#define AXIS_WIDTH 2.0
#define THIN -1.0 // one pixel at any zoom

bool region_is_drawn(const CorridorRegion2D* self)
{
	return self->debug_enabled || gd_engine_is_editor_hint(gd_singleton("Engine")) ||
		   gd_scene_tree_is_debugging_navigation_hint(gd_node_get_tree(self->base.object));
}

// The transform that undoes another; false if it cannot be undone.
static bool invert(GdTransform2D t, GdTransform2D* inverse)
{
	NcVec2 x = gd_vec2(t.x);
	NcVec2 y = gd_vec2(t.y);
	double determinant = nc_cross(x, y);
	if (determinant == 0.0)
	{
		return false;
	}
	*inverse = (GdTransform2D){
		gd_vector2(nc_scale(1.0 / determinant, (NcVec2){y.y, -x.y})),
		gd_vector2(nc_scale(1.0 / determinant, (NcVec2){-y.x, x.x})),
		{0.0f, 0.0f},
	};
	NcVec2 origin = gd_transform(*inverse, gd_vec2(t.origin));
	inverse->origin = gd_vector2(nc_scale(-1.0, origin));
	return true;
}

static void draw_lines(
	const CorridorRegion2D* self, const Points* lines, GdColor color, double width)
{
	if (lines->count < 2)
	{
		return;
	}
	GdPackedVector2Array array = gd_vector2_array(lines->data, lines->count);
	gd_canvas_item_draw_multiline(self->base.object, &array, color, width, width > 0.0);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

static void draw_walls(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	for (int i = 0; i < nc_map_get_wall_range(map->core); ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map->core, i, &wall) && (wall.left_free || wall.right_free))
		{
			points_push(&lines, wall.a);
			points_push(&lines, wall.b);
		}
	}
	draw_lines(self, &lines, self->wall_color, AXIS_WIDTH);
	points_free(&lines);
}

// The largest empty disc at each branch of the axis, and the lines to the closest obstacle points.
static void draw_clearance(const CorridorRegion2D* self, const StoreMap* map)
{
	for (int i = 0; i < nc_map_get_vertex_range(map->core); ++i)
	{
		NcMapVertex vertex;
		if (nc_map_get_vertex(map->core, i, &vertex) && vertex.clearance > TOLERANCE)
		{
			gd_canvas_item_draw_circle(self->base.object, gd_vector2(vertex.position),
				vertex.clearance, self->clearance_color, true, THIN, false);
		}
	}
}

static void draw_closest_points(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	NcMapEvent* events = NULL;
	int capacity = 0;
	for (int i = 0; i < nc_map_get_edge_range(map->core); ++i)
	{
		int count = nc_map_get_edge_events(map->core, i, NULL, 0);
		if (count > capacity)
		{
			free(events);
			events = calloc((size_t)count, sizeof(NcMapEvent));
			capacity = events != NULL ? count : 0;
		}
		count = nc_map_get_edge_events(map->core, i, events, capacity);
		for (int k = 0; k < count && k < capacity; ++k)
		{
			points_push(&lines, events[k].position);
			points_push(&lines, events[k].left);
			points_push(&lines, events[k].position);
			points_push(&lines, events[k].right);
		}
	}
	draw_lines(self, &lines, self->clearance_color, THIN);
	points_free(&lines);
	free(events);
}

static void draw_axis(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	store_add_axis_lines(map, TOLERANCE, &lines);
	draw_lines(self, &lines, self->medial_axis_color, AXIS_WIDTH);
	points_free(&lines);
}

static void draw_ground(const CorridorRegion2D* self)
{
	// Only the rectangle is filled: the engine complains about polygons it cannot triangulate.
	if (self->outline.count == 0)
	{
		gd_canvas_item_draw_rect(
			self->base.object, self->bounds, self->walkable_color, true, THIN, false);
	}
}

void region_draw(CorridorRegion2D* self)
{
	GdTransform2D inverse;
	if (!region_is_drawn(self) ||
		!invert(gd_canvas_item_get_global_transform(self->base.object), &inverse))
	{
		return;
	}
	gd_lock();
	draw_ground(self);
	gd_canvas_item_draw_set_transform_matrix(self->base.object, inverse);
	StoreMap* map = store_get_map(self->region.map);
	if (map != NULL && store_sync(map) != NULL)
	{
		self->drawn_iteration = map->iteration;
		if (self->show_clearance)
		{
			draw_clearance(self, map);
			draw_closest_points(self, map);
		}
		if (self->show_walls)
		{
			draw_walls(self, map);
		}
		if (self->show_medial_axis)
		{
			draw_axis(self, map);
		}
	}
	gd_unlock();
}
