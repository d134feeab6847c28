// SPDX-License-Identifier: MIT

// The map of a CorridorRegion2D.
//
// A region with baked data that fits its border loads it. Any other collects its sources when it
// enters the tree and keeps one obstacle in the map for each, so that the map is computed at the
// first question to it, and changes cost what they change.

#include "region.h"

#include "corridor_region_2d.h"
#include "shape_node.h"

#include <math.h>
#include <string.h>

// Room for the name of a node in messages; what is longer is cut.
#define MAX_NAME_LENGTH 128

// ---- The border --------------------------------------------------------------------------------

void region_get_border(const CorridorRegion2D* self, Points* border)
{
	if (self->outline.count > 0)
	{
		for (int i = 0; i < self->outline.count; ++i)
		{
			points_push(border, self->outline.data[i]);
		}
		return;
	}
	NcVec2 lower = gd_vec2(self->bounds.position);
	NcVec2 upper = nc_add(lower, gd_vec2(self->bounds.size));
	points_push(border, lower);
	points_push(border, (NcVec2){upper.x, lower.y});
	points_push(border, upper);
	points_push(border, (NcVec2){lower.x, upper.y});
}

// Whether the border is an upright rectangle, which needs no walkable area of its own.
static bool is_plain_rectangle(const CorridorRegion2D* self, GdTransform2D transform)
{
	return self->outline.count == 0 && transform.x.y == 0.0f && transform.y.x == 0.0f;
}

// The border in world coordinates and the box around it.
// @return false if the border has no area that can be used
static bool make_border(
	const CorridorRegion2D* self, GdTransform2D transform, Points* border, NcBox* box)
{
	region_get_border(self, border);
	*box = nc_box_empty();
	for (int i = 0; i < border->count; ++i)
	{
		border->data[i] = gd_transform(transform, border->data[i]);
		*box = nc_box_add_point(*box, border->data[i]);
	}
	return border->count >= 3 && box->upper.x - box->lower.x > 0.0 &&
		   box->upper.y - box->lower.y > 0.0 && fabs(box->lower.x) <= STORE_MAX_COORDINATE &&
		   fabs(box->lower.y) <= STORE_MAX_COORDINATE &&
		   fabs(box->upper.x) <= STORE_MAX_COORDINATE && fabs(box->upper.y) <= STORE_MAX_COORDINATE;
}

// ---- Sources -----------------------------------------------------------------------------------

static uint64_t add_to_checksum(uint64_t checksum, const void* data, size_t size)
{
	// FNV-1a.
	const uint8_t* bytes = data;
	for (size_t i = 0; i < size; ++i)
	{
		checksum = (checksum ^ bytes[i]) * 1099511628211ULL;
	}
	return checksum;
}

static uint64_t compute_checksum(const RegionShapes* shapes, const Points* border)
{
	uint64_t checksum = 14695981039346656037ULL;
	checksum =
		add_to_checksum(checksum, border->data, (size_t)border->count * sizeof(border->data[0]));
	for (int i = 0; i < shapes->count; ++i)
	{
		int32_t numbers[] = {(int32_t)shapes->items[i].kind, shapes->items[i].count};
		checksum = add_to_checksum(checksum, numbers, sizeof(numbers));
	}
	return add_to_checksum(
		checksum, shapes->points.data, (size_t)shapes->points.count * sizeof(NcVec2));
}

static void collect(CorridorRegion2D* self, GdTransform2D transform, RegionShapes* shapes)
{
	shapes->sources = (ShapeSources)self->parsed_geometry_type;
	shapes->collision_mask = (uint32_t)self->parsed_collision_mask;
	if (self->source_geometry_mode == ROOTS_CHILDREN)
	{
		region_shapes_collect(shapes, self->base.object, transform);
		return;
	}
	region_shapes_collect_group(shapes, gd_node_get_tree(self->base.object),
		&self->source_geometry_group_name, self->source_geometry_mode == ROOTS_GROUP_AND_BELOW);
}

// Collect everything that a map of the region needs.
// @return false if the region has no usable border
static bool read_sources(CorridorRegion2D* self, MapBake* bake)
{
	GdTransform2D transform = gd_canvas_item_get_global_transform(self->base.object);
	if (!make_border(self, transform, &bake->border, &bake->box))
	{
		return false;
	}
	bake->is_rectangle = is_plain_rectangle(self, transform);
	collect(self, transform, &bake->shapes);
	bake->checksum = compute_checksum(&bake->shapes, &bake->border);
	self->shape_count = bake->shapes.count;
	return true;
}

bool region_is_stale(CorridorRegion2D* self)
{
	const CorridorMapData* data = region_map_get_data(&self->region);
	MapBake bake = {0};
	bool is_stale = data != NULL && read_sources(self, &bake) &&
					(!region_map_is_data_for(&self->region, &bake.border) ||
						(uint64_t)data->source_checksum != bake.checksum);
	region_shapes_free(&bake.shapes);
	points_free(&bake.border);
	return is_stale;
}

// ---- A map that follows its sources ------------------------------------------------------------

void region_remove_obstacles(CorridorRegion2D* self)
{
	while (self->obstacle_count > 0)
	{
		store_free(self->obstacles[--self->obstacle_count]);
	}
}

static void add_obstacle(
	CorridorRegion2D* self, StoreMap* map, RegionShape shape, const NcVec2* points)
{
	GdRid rid = store_create_obstacle();
	StoreObstacle* obstacle = store_get_obstacle(rid);
	if (obstacle == NULL)
	{
		return;
	}
	obstacle->kind = shape.kind;
	for (int i = 0; i < shape.count; ++i)
	{
		points_push(&obstacle->vertices, points[i]);
	}
	self->obstacles[self->obstacle_count++] = rid;
	char name[MAX_NAME_LENGTH];
	gd_get_node_name(gd_get_object(shape.node_id), name, sizeof(name));
	store_set_obstacle_map(obstacle, map, name);
}

// Replace everything in the map. Needs gd_lock().
// @return false if there is no memory
static bool fill_map(CorridorRegion2D* self, const MapBake* sources, bool was_baked)
{
	StoreMap* map = store_get_map(self->region.map);
	const RegionShapes* shapes = &sources->shapes;
	region_remove_obstacles(self);
	GdRid* obstacles = realloc(self->obstacles, ((size_t)shapes->count + 1) * sizeof(GdRid));
	if (obstacles == NULL)
	{
		return false;
	}
	self->obstacles = obstacles;
	if (map == NULL)
	{
		return false;
	}
	if (was_baked || memcmp(&sources->box, &map->bounds, sizeof(sources->box)) != 0)
	{
		store_set_bounds(map, sources->box); // everything is computed anew, not only what changed
	}
	if (!sources->is_rectangle)
	{
		RegionShape outline = {
			NC_SHAPE_WALKABLE, 0, sources->border.count, gd_get_id(self->base.object)};
		add_obstacle(self, map, outline, sources->border.data);
	}
	for (int i = 0; i < shapes->count; ++i)
	{
		RegionShape shape = shapes->items[i];
		add_obstacle(self, map, shape, shapes->points.data + shape.begin);
	}
	return true;
}

void region_place_map(CorridorRegion2D* self)
{
	GDExtensionObjectPtr world = gd_viewport_find_world_2d(gd_node_get_viewport(self->base.object));
	region_map_place(&self->region, gd_get_id(world), self->enabled);
	gd_release(world);
}

// Make a new map if a script freed the old one.
static void restore_map(CorridorRegion2D* self)
{
	if (!region_map_restore(&self->region))
	{
		return;
	}
	self->checksum = 0;
	self->drawn_iteration = 0;
	if (gd_node_is_inside_tree(self->base.object))
	{
		region_place_map(self);
	}
}

// The map will be that of baked data.
static void forget_sources(CorridorRegion2D* self)
{
	gd_lock();
	region_remove_obstacles(self);
	gd_unlock();
	self->checksum = 0;
}

static bool follow_sources(CorridorRegion2D* self, bool was_baked)
{
	MapBake sources = {0};
	bool is_usable = read_sources(self, &sources);
	if (is_usable && (was_baked || sources.checksum != self->checksum))
	{
		gd_lock();
		bool is_filled = fill_map(self, &sources, was_baked);
		gd_unlock();
		self->checksum = is_filled ? sources.checksum : 0;
	}
	region_shapes_free(&sources.shapes);
	points_free(&sources.border);
	return is_usable;
}

bool region_update(CorridorRegion2D* self)
{
	self->needs_update = false;
	restore_map(self);
	Points border = {0};
	NcBox box;
	GdTransform2D transform = gd_canvas_item_get_global_transform(self->base.object);
	bool was_baked = self->region.is_baked;
	bool is_usable = make_border(self, transform, &border, &box);
	if (is_usable && !was_baked && region_map_wants_load(&self->region, &border))
	{
		forget_sources(self);
	}
	bool is_loaded = is_usable && region_map_load(&self->region, &border, self->base.object);
	points_free(&border);
	is_usable = is_loaded || follow_sources(self, was_baked);
	shape_nodes_update();
	return is_usable;
}

// ---- Baking ------------------------------------------------------------------------------------

static void finish_bake(CorridorRegion2D* self, MapBake* bake)
{
	restore_map(self);
	if (bake->status == NC_OK)
	{
		forget_sources(self);
	}
	if (region_map_take(&self->region, bake, self->base.object))
	{
		self->is_stale = false;
	}
	self->needs_update = true; // the region may have moved meanwhile
	region_end_bake(self);
}

static void finish_task(GDExtensionObjectPtr owner, MapBake* bake)
{
	CorridorRegion2D* self = corridor_region_2d_get(owner);
	if (self != NULL)
	{
		finish_bake(self, bake);
	}
}

bool region_bake(CorridorRegion2D* self, bool is_on_thread)
{
	MapBake* bake = map_bake_create();
	if (bake == NULL || !read_sources(self, bake))
	{
		map_bake_destroy(bake);
		return false;
	}
	bake->is_data_wanted = true;
	if (is_on_thread)
	{
		map_bake_start(bake, self->base.object, finish_task);
		return true;
	}
	map_bake_cancel(self->base.object);
	bake->owner_id = gd_get_id(self->base.object);
	map_bake_run(bake);
	finish_bake(self, bake);
	map_bake_destroy(bake);
	return true;
}
