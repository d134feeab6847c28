// SPDX-License-Identifier: MIT

// The map of a region. With baked data that fits its border it loads that; without, it follows its
// sources.

#include "corridor_region_2d.h"
#include "corridor_region_3d.h"
#include "region.h"
#include "shape_node.h"

#include <math.h>

NcBox region_get_box(const Points* border)
{
	NcBox box = nc_box_empty();
	for (int i = 0; i < border->count; ++i)
	{
		box = nc_box_add_point(box, border->data[i]);
	}
	return box;
}

bool region_is_border_usable(const Points* border, NcBox box)
{
	return border->count >= 3 && box.upper.x - box.lower.x > 0.0 &&
		   box.upper.y - box.lower.y > 0.0 && fabs(box.lower.x) <= STORE_MAX_COORDINATE &&
		   fabs(box.lower.y) <= STORE_MAX_COORDINATE && fabs(box.upper.x) <= STORE_MAX_COORDINATE &&
		   fabs(box.upper.y) <= STORE_MAX_COORDINATE;
}

uint64_t region_add_to_checksum(uint64_t checksum, const void* data, size_t size)
{
	// FNV-1a.
	const uint8_t* bytes = data;
	for (size_t i = 0; i < size; ++i)
	{
		checksum = (checksum ^ bytes[i]) * 1099511628211ULL;
	}
	return checksum;
}

// ---- The map -----------------------------------------------------------------------------------

void region_place_map(RegionNode* self)
{
	GDExtensionObjectPtr viewport = gd_node_get_viewport(self->base.object);
	GDExtensionObjectPtr world = self->space->is_3d ? gd_viewport_find_world_3d(viewport)
													: gd_viewport_find_world_2d(viewport);
	region_map_place(
		&self->region, gd_get_id(world), (uint32_t)self->navigation_layers, self->enabled);
	gd_release(world);
}

void region_restore_map(RegionNode* self)
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

bool region_is_stale(RegionNode* self)
{
	const CorridorMapData* data = region_map_get_data(&self->region);
	if (data == NULL)
	{
		return false;
	}
	Points border = {0};
	NcBox box;
	uint64_t checksum;
	bool is_stale = self->space->read_border(self, &border, &box) &&
					(!region_map_is_data_for(&self->region, &border) ||
						(self->space->read_checksum(self, &checksum) &&
							(uint64_t)data->source_checksum != checksum));
	points_free(&border);
	return is_stale;
}

// Tell the map for which heights it is.
static void place_heights(const RegionNode* self)
{
	double y_min, y_max;
	self->space->get_heights(self, &y_min, &y_max);
	gd_lock();
	StoreMap* map = store_get_map(self->region.map);
	if (map != NULL && (map->y_min != y_min || map->y_max != y_max))
	{
		map->y_min = y_min;
		map->y_max = y_max;
		store_touch_layout();
	}
	gd_unlock();
}

bool region_update(RegionNode* self)
{
	self->needs_update = false;
	region_restore_map(self);
	if (self->space->is_3d)
	{
		place_heights(self);
	}
	Points border = {0};
	NcBox box;
	bool was_baked = self->region.is_baked;
	bool is_usable = self->space->read_border(self, &border, &box);
	if (is_usable && !was_baked && region_map_wants_load(&self->region, &border))
	{
		self->space->forget_sources(self);
	}
	bool is_loaded = is_usable && region_map_load(&self->region, &border, self->base.object);
	points_free(&border);
	is_usable = is_loaded || self->space->follow_sources(self, was_baked);
	shape_nodes_update();
	return is_usable;
}

// ---- Baking ------------------------------------------------------------------------------------

static void finish_bake(RegionNode* self, MapBake* bake)
{
	region_restore_map(self);
	if (bake->status == NC_OK)
	{
		self->space->forget_sources(self);
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
	RegionNode* self = (RegionNode*)corridor_region_2d_get(owner);
	self = self != NULL ? self : (RegionNode*)corridor_region_3d_get(owner);
	if (self != NULL)
	{
		finish_bake(self, bake);
	}
}

bool region_bake(RegionNode* self, bool is_on_thread)
{
	MapBake* bake = map_bake_create();
	if (bake == NULL || !self->space->read_sources(self, bake))
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
