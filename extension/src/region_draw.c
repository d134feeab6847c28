// SPDX-License-Identifier: MIT

// Drawing of a region: the ground, the walls as the map sees them, clearance, the medial axis.
//
// Everything is drawn in world coordinates, below the region's children.

#include "corridor_shape.h"
#include "paint.h"
#include "region.h"
#include "shape_node.h"

// Arcs are drawn with this error, in pixels at zoom 1.
#define TOLERANCE 0.5

#define AXIS_WIDTH 2.0
#define THIN -1.0 // one pixel at any zoom

// Levels that are not larger than this are measured in meters, and wide lines would cover them.
#define SMALL_LEVEL 200.0

// Of larger maps the clearance is not drawn: it would take more memory than it helps.
#define MAX_SHADED_EDGES 30000

static void draw_lines(
	const CorridorRegion2D* self, const Points* lines, GdColor color, double width)
{
	if (lines->count < 2)
	{
		return;
	}
	if (nc_max((double)self->bounds.size.x, (double)self->bounds.size.y) <= SMALL_LEVEL)
	{
		width = THIN;
	}
	GdPackedVector2Array array = gd_vector2_array(lines->data, lines->count);
	gd_canvas_item_draw_multiline(self->node.base.object, &array, color, width, width > 0.0);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

static void draw_walls(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	store_add_wall_lines(map, &lines);
	draw_lines(self, &lines, self->node.wall_color, AXIS_WIDTH);
	points_free(&lines);
}

// The events of an edge, in memory that is used for all of them.
typedef struct EventBuffer
{
	NcMapEvent* data;
	int capacity;
} EventBuffer;

// @return how many there are
static int read_events(EventBuffer* buffer, const NcMap* map, int edge)
{
	int count = nc_map_get_edge_events(map, edge, NULL, 0);
	if (count > buffer->capacity)
	{
		free(buffer->data);
		buffer->data = calloc((size_t)count, sizeof(NcMapEvent));
		buffer->capacity = buffer->data != NULL ? count : 0;
	}
	count = nc_map_get_edge_events(map, edge, buffer->data, buffer->capacity);
	return count < buffer->capacity ? count : buffer->capacity;
}

// The clearance as a picture: nothing at the walls, and the full color where it is largest. It
// grows evenly from a wall to the axis, so triangles with a color at each corner show it exactly.
static void shade_clearance(const CorridorRegion2D* self, const Points* corners)
{
	GdColor* colors = calloc((size_t)corners->count + 1, sizeof(GdColor));
	if (colors == NULL)
	{
		return;
	}
	double largest = 0.0;
	for (int i = 0; i + 1 < corners->count; i += 3)
	{
		largest = nc_max(largest, nc_distance(corners->data[i], corners->data[i + 1]));
	}
	for (int i = 0; i + 5 < corners->count; i += 6)
	{
		const NcVec2* six = corners->data + i; // axis, wall, wall; axis, wall, axis
		double begin = nc_distance(six[0], six[1]) / largest;
		double end = nc_distance(six[5], six[4]) / largest;
		const double parts[] = {begin, 0.0, 0.0, begin, 0.0, end};
		for (int k = 0; k < 6; ++k)
		{
			colors[i + k] = paint_fade(
				self->node.clearance_color, parts[k] * (double)self->node.clearance_color.a);
		}
	}
	paint_shaded_triangles(gd_canvas_item_get_canvas_item(self->node.base.object), corners, colors);
	free(colors);
}

static void draw_clearance(const CorridorRegion2D* self, const StoreMap* map)
{
	int edge_count = nc_map_get_edge_range(map->core);
	EventBuffer buffer = {0};
	CorridorShape shape = {0};
	Points corners = {0};
	for (int i = 0; i < edge_count && edge_count <= MAX_SHADED_EDGES; ++i)
	{
		corridor_shape_clear(&shape);
		int count = read_events(&buffer, map->core, i);
		corridor_shape_add(&shape, buffer.data, count);
		corridor_shape_add_triangles(&shape, &corners);
	}
	shade_clearance(self, &corners);
	points_free(&corners);
	corridor_shape_free(&shape);
	free(buffer.data);
}

// Lines from the axis to the closest obstacle points.
static void draw_closest_points(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	EventBuffer buffer = {0};
	for (int i = 0; i < nc_map_get_edge_range(map->core); ++i)
	{
		int count = read_events(&buffer, map->core, i);
		for (int k = 0; k < count; ++k)
		{
			points_push(&lines, buffer.data[k].position);
			points_push(&lines, buffer.data[k].left);
			points_push(&lines, buffer.data[k].position);
			points_push(&lines, buffer.data[k].right);
		}
	}
	draw_lines(self, &lines, self->node.clearance_color, THIN);
	points_free(&lines);
	free(buffer.data);
}

static void draw_axis(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	store_add_axis_lines(map, TOLERANCE, &lines);
	draw_lines(self, &lines, self->node.medial_axis_color, AXIS_WIDTH);
	points_free(&lines);
}

// The borders of all terrain, also of that which scripts made.
static void draw_terrain(const CorridorRegion2D* self, const StoreMap* map)
{
	Points lines = {0};
	for (int i = 0; i < map->terrains.count; ++i)
	{
		const StoreTerrain* terrain = store_get_terrain(map->terrains.data[i]);
		points_clear(&lines);
		store_add_terrain_lines(terrain, &lines);
		draw_lines(self, &lines, terrain_get_color(terrain->type), AXIS_WIDTH);
	}
	points_free(&lines);
}

static void draw_ground(const CorridorRegion2D* self)
{
	// Only the rectangle is filled: the engine complains about polygons it cannot triangulate.
	if (self->outline.count == 0)
	{
		gd_canvas_item_draw_rect(
			self->node.base.object, self->bounds, self->walkable_color, true, THIN, false);
	}
}

void region_draw(CorridorRegion2D* self)
{
	GdTransform2D inverse;
	if (!region_is_drawn(&self->node) ||
		!gd_invert(gd_canvas_item_get_global_transform(self->node.base.object), &inverse))
	{
		return;
	}
	gd_lock();
	draw_ground(self);
	gd_canvas_item_draw_set_transform_matrix(self->node.base.object, inverse);
	StoreMap* map = store_get_map(self->node.region.map);
	if (map != NULL && store_sync(map) != NULL)
	{
		self->node.drawn_iteration = map->iteration;
		if (self->node.show_clearance)
		{
			draw_clearance(self, map);
		}
		if (self->node.show_terrain)
		{
			draw_terrain(self, map);
		}
		if (self->node.show_closest_points)
		{
			draw_closest_points(self, map);
		}
		if (self->node.show_walls)
		{
			draw_walls(self, map);
		}
		if (self->node.show_medial_axis)
		{
			draw_axis(self, map);
		}
	}
	gd_unlock();
}
