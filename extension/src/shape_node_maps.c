// SPDX-License-Identifier: MIT

// The maps that a shape node lies in. It has one obstacle, or one piece of terrain, in each.

#include "shape_node.h"

#include "map_shape.h"

#include <math.h>
#include <string.h>

// Room for the name of a node in messages; what is longer is cut.
#define MAX_NAME_LENGTH 128

// All nodes inside the tree; for the main thread.
static ShapeNode* first;
static bool has_dirty;
static uint32_t seen_layout; // of the store, when all nodes were last placed

// ---- From the node to the world ----------------------------------------------------------------

static bool is_usable(NcVec2 point)
{
	return fabs(point.x) <= STORE_MAX_COORDINATE && fabs(point.y) <= STORE_MAX_COORDINATE;
}

static void move_to_world(const ShapeNode* self, Points* points)
{
	GdTransform2D transform = shape_node_get_transform(self);
	for (int i = 0; i < points->count; ++i)
	{
		points->data[i] = gd_transform(transform, points->data[i]);
	}
}

static void read_heights(const ShapeNode* self, double* y_min, double* y_max)
{
	*y_min = -HUGE_VAL;
	*y_max = HUGE_VAL;
	if (self->is_3d)
	{
		GdTransform3D t = gd_node_3d_get_global_transform(self->base.object);
		double end = (double)t.origin.y + self->height * (double)t.rows[1].y;
		*y_min = nc_min((double)t.origin.y, end);
		*y_max = nc_max((double)t.origin.y, end);
	}
}

// The kind under which the shape is known to maps.
static NcShapeKind get_kind(const ShapeNode* self)
{
	return shape_node_is_area(self) ? NC_SHAPE_POLYGON : (NcShapeKind)self->type;
}

// The shape in world coordinates; nothing if it cannot be used.
static void make_points(const ShapeNode* self, Points* points)
{
	if (!self->enabled)
	{
		return;
	}
	shape_node_get_outline(self, points);
	move_to_world(self, points);
	bool is_good = !points->is_failed && map_shape_has_enough_points(get_kind(self), points);
	for (int i = 0; i < points->count && is_good; ++i)
	{
		is_good = is_usable(points->data[i]);
	}
	points->count = is_good ? points->count : 0;
}

// ---- Maps --------------------------------------------------------------------------------------

static NcBox get_box(const Points* points)
{
	NcBox box = nc_box_empty();
	for (int i = 0; i < points->count; ++i)
	{
		box = nc_box_add_point(box, points->data[i]);
	}
	return box;
}

static bool belongs_to(const ShapeNode* self, const StoreMap* map, NcBox box)
{
	if (self->navigation_map != 0)
	{
		return map->rid == self->navigation_map;
	}
	bool is_of_world = map->world_id == self->world_id || (map->world_id == 0 && map->is_active);
	return is_of_world && nc_box_overlaps(box, map->bounds) && self->y_min <= map->y_max &&
		   map->y_min <= self->y_max;
}

static int find_copy(const ShapeNode* self, GdRid map)
{
	int index = self->copy_count - 1;
	while (index >= 0 && self->copies[index].map != map)
	{
		--index;
	}
	return index;
}

static void remove_copy(ShapeNode* self, int index)
{
	store_free(self->copies[index].item); // scripts may have freed it before
	self->copies[index] = self->copies[--self->copy_count];
}

static void fill(Points* target, const Points* source)
{
	for (int i = 0; i < source->count; ++i)
	{
		points_push(target, source->data[i]);
	}
}

// Give an obstacle of the store the node's shape.
static void write_obstacle(const ShapeNode* self, GdRid item, const char* name)
{
	StoreObstacle* obstacle = store_get_obstacle(item);
	if (obstacle == NULL)
	{
		return;
	}
	StoreObstacle changed = *obstacle;
	changed.kind = get_kind(self);
	changed.vertices = (Points){0};
	fill(&changed.vertices, &self->points);
	Points unused = obstacle->vertices;
	if (!store_change_obstacle(obstacle, &changed, name))
	{
		unused = changed.vertices;
	}
	points_free(&unused);
}

static void write_terrain(const ShapeNode* self, GdRid item, const char* name)
{
	StoreTerrain* terrain = store_get_terrain(item);
	if (terrain == NULL)
	{
		return;
	}
	StoreTerrain changed = *terrain;
	changed.type = (int)self->type;
	changed.priority = (int)self->priority;
	changed.vertices = (Points){0};
	fill(&changed.vertices, &self->points);
	Points unused = terrain->vertices;
	if (!store_change_terrain(terrain, &changed, name))
	{
		unused = changed.vertices;
	}
	points_free(&unused);
}

static void write_item(const ShapeNode* self, GdRid item, const char* name)
{
	if (self->is_terrain)
	{
		write_terrain(self, item, name);
	}
	else
	{
		write_obstacle(self, item, name);
	}
}

static bool reserve_copy(ShapeNode* self)
{
	if (self->copy_count == self->copy_capacity)
	{
		int capacity = 2 * self->copy_capacity + 2;
		ShapeCopy* copies = realloc(self->copies, (size_t)capacity * sizeof(ShapeCopy));
		if (copies == NULL)
		{
			GD_ERROR("Out of memory.");
			return false;
		}
		self->copies = copies;
		self->copy_capacity = capacity;
	}
	return true;
}

static void add_copy(ShapeNode* self, StoreMap* map, const char* name)
{
	GdRid item = self->is_terrain ? store_create_terrain() : store_create_obstacle();
	if (item == 0 || !reserve_copy(self))
	{
		store_free(item);
		return;
	}
	write_item(self, item, name);
	bool is_added = self->is_terrain ? store_set_terrain_map(store_get_terrain(item), map, name)
									 : store_set_obstacle_map(store_get_obstacle(item), map, name);
	if (!is_added)
	{
		store_free(item);
		return;
	}
	self->copies[self->copy_count++] = (ShapeCopy){map->rid, item};
}

// Whether somebody freed the item or moved it elsewhere behind our back, by its RID.
static bool is_lost(const ShapeNode* self, ShapeCopy copy)
{
	const StoreObstacle* obstacle = store_get_obstacle(copy.item);
	const StoreTerrain* terrain = store_get_terrain(copy.item);
	return self->is_terrain ? terrain == NULL || terrain->map != copy.map
							: obstacle == NULL || obstacle->map != copy.map;
}

static void remove_unwanted_copies(ShapeNode* self, NcBox box)
{
	for (int i = self->copy_count - 1; i >= 0; --i)
	{
		const StoreMap* map = store_get_map(self->copies[i].map);
		if (map == NULL || self->points.count == 0 || !belongs_to(self, map, box) ||
			is_lost(self, self->copies[i]))
		{
			remove_copy(self, i);
		}
	}
}

// Lie in the maps that the shape belongs to, and in no others. Needs gd_lock().
static void place(ShapeNode* self)
{
	NcBox box = get_box(&self->points);
	char name[MAX_NAME_LENGTH];
	gd_get_node_name(self->base.object, name, sizeof(name));
	remove_unwanted_copies(self, box);
	for (int i = 0; i < self->copy_count; ++i)
	{
		write_item(self, self->copies[i].item, name);
	}
	int slot = 0;
	for (StoreMap* map = store_next_map(&slot); map != NULL && self->points.count > 0;
		 map = store_next_map(&slot))
	{
		if (belongs_to(self, map, box) && find_copy(self, map->rid) < 0)
		{
			add_copy(self, map, name);
		}
	}
}

static void update_node(ShapeNode* self)
{
	bool was_nowhere = self->copy_count == 0;
	self->is_dirty = false;
	points_clear(&self->points);
	make_points(self, &self->points);
	read_heights(self, &self->y_min, &self->y_max);
	gd_lock();
	place(self);
	gd_unlock();
	shape_node_show_lines(self);
	if (was_nowhere != (self->copy_count == 0))
	{
		gd_node_update_configuration_warnings(self->base.object);
	}
}

// ---- All nodes ---------------------------------------------------------------------------------

void shape_nodes_force_update(void)
{
	gd_lock();
	seen_layout = store_get_layout();
	gd_unlock();
	has_dirty = false;
	for (ShapeNode* node = first; node != NULL; node = node->next)
	{
		update_node(node);
	}
}

void shape_nodes_update(void)
{
	gd_lock();
	bool is_layout_new = seen_layout != store_get_layout();
	gd_unlock();
	if (is_layout_new)
	{
		shape_nodes_force_update();
		return;
	}
	for (ShapeNode* node = first; node != NULL && has_dirty; node = node->next)
	{
		if (node->is_dirty)
		{
			update_node(node);
		}
	}
	has_dirty = false;
}

static uint64_t find_world(const ShapeNode* self)
{
	GDExtensionObjectPtr viewport = gd_node_get_viewport(self->base.object);
	GDExtensionObjectPtr world = viewport == NULL ? NULL
								 : self->is_3d    ? gd_viewport_find_world_3d(viewport)
												  : gd_viewport_find_world_2d(viewport);
	uint64_t id = gd_get_id(world);
	gd_release(world);
	return id;
}

void shape_node_enter(ShapeNode* self)
{
	self->is_inside = true;
	self->world_id = find_world(self);
	self->previous = NULL;
	self->next = first;
	if (first != NULL)
	{
		first->previous = self;
	}
	first = self;
	update_node(self);
}

static void unlink_node(ShapeNode* self)
{
	if (self->next != NULL)
	{
		self->next->previous = self->previous;
	}
	if (self->previous != NULL)
	{
		self->previous->next = self->next;
	}
	else
	{
		first = self->next;
	}
	self->next = self->previous = NULL;
}

void shape_node_leave(ShapeNode* self)
{
	if (self->is_inside)
	{
		unlink_node(self);
	}
	self->is_inside = false;
	lines_3d_free(&self->lines);
	gd_lock();
	while (self->copy_count > 0)
	{
		remove_copy(self, self->copy_count - 1);
	}
	gd_unlock();
}

void shape_node_move(ShapeNode* self)
{
	self->is_dirty = true;
	has_dirty = true;
}

void shape_node_touch(void* instance)
{
	ShapeNode* self = instance;
	shape_node_move(self);
	gd_node_update_configuration_warnings(self->base.object);
	if (self->is_3d)
	{
		gd_node_3d_update_gizmos(self->base.object);
	}
	else
	{
		gd_canvas_item_queue_redraw(self->base.object);
	}
}
