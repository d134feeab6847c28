// SPDX-License-Identifier: MIT

// What all regions share: their map in the store, and the baked data that it may come from.

#include "region_map.h"

#include <math.h>

// A border may differ by this much from the one that was baked: in world units, and in parts of its
// coordinates. Other machines turn nodes with other rounding.
#define BORDER_TOLERANCE 0.004
#define BORDER_PRECISION 1.0e-6

// Room for the name of a node in messages; what is longer is cut.
#define MAX_NAME_LENGTH 128

void region_map_init(RegionMap* self)
{
	gd_lock();
	self->map = store_create_map();
	gd_unlock();
}

void region_map_free(RegionMap* self)
{
	gd_lock();
	store_free(self->map);
	gd_unlock();
	gd_set_reference(&self->data, NULL);
}

bool region_map_restore(RegionMap* self)
{
	gd_lock();
	bool is_lost = store_get_map(self->map) == NULL;
	if (is_lost)
	{
		self->map = store_create_map();
		self->data_revision = 0;
		self->is_baked = false;
		self->told_iteration = 0;
	}
	gd_unlock();
	return is_lost;
}

void region_map_place(const RegionMap* self, uint64_t world_id, uint32_t layers, bool is_active)
{
	gd_lock();
	StoreMap* map = store_get_map(self->map);
	if (map != NULL)
	{
		map->world_id = world_id;
		map->layers = layers;
		map->is_active = is_active;
		store_touch_layout();
	}
	gd_unlock();
}

bool region_map_set_data(RegionMap* self, GDExtensionObjectPtr object, const char* class_name)
{
	if (object != NULL && corridor_map_data_get(object) == NULL)
	{
		GD_ERROR("%s.corridor_map must be a CorridorMapData or null.", class_name);
		return false;
	}
	gd_set_reference(&self->data, object);
	self->data_revision = 0;
	return true;
}

CorridorMapData* region_map_get_data(const RegionMap* self)
{
	CorridorMapData* data = corridor_map_data_get(self->data);
	return data != NULL && !corridor_map_data_is_empty(data) ? data : NULL;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= BORDER_TOLERANCE + BORDER_PRECISION * fabs(b);
}

bool region_map_is_data_for(const RegionMap* self, const Points* border)
{
	const CorridorMapData* data = region_map_get_data(self);
	bool is_same = data != NULL && data->border.count == border->count;
	for (int i = 0; is_same && i < border->count; ++i)
	{
		is_same = is_near(data->border.data[i].x, border->data[i].x) &&
				  is_near(data->border.data[i].y, border->data[i].y);
	}
	return is_same;
}

static bool install(RegionMap* self, NcMap* core)
{
	gd_lock();
	StoreMap* map = store_get_map(self->map);
	bool is_installed = map != NULL && store_install_core(map, core);
	if (map == NULL)
	{
		nc_map_destroy(core);
	}
	gd_unlock();
	return is_installed;
}

static bool load_data(RegionMap* self, const CorridorMapData* data, GDExtensionObjectPtr node)
{
	size_t size;
	const uint8_t* bytes = gd_byte_items(&data->data, &size);
	NcMapDef def = nc_default_map_def();
	NcMap* core = NULL;
	NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
	if (nc_map_load(&def, bytes, size, &core, &error) != NC_OK)
	{
		char name[MAX_NAME_LENGTH];
		gd_get_node_name(node, name, sizeof(name));
		GD_ERROR("%s: the baked map cannot be used, because %s. Bake it again; until then the "
				 "region builds its map from its sources.",
			name, error.reason);
		return false;
	}
	return install(self, core);
}

bool region_map_wants_load(const RegionMap* self, const Points* border)
{
	return region_map_is_data_for(self, border) &&
		   self->data_revision != region_map_get_data(self)->revision;
}

bool region_map_load(RegionMap* self, const Points* border, GDExtensionObjectPtr node)
{
	if (!region_map_is_data_for(self, border))
	{
		self->is_baked = false;
		self->data_revision = 0;
		self->is_data_bad = false;
		return false;
	}
	if (region_map_wants_load(self, border))
	{
		const CorridorMapData* data = region_map_get_data(self);
		self->data_revision = data->revision;
		self->is_baked = load_data(self, data, node);
		self->is_data_bad = !self->is_baked;
	}
	return self->is_baked;
}

bool region_map_take_core(RegionMap* self, MapBake* bake, GDExtensionObjectPtr node)
{
	char name[MAX_NAME_LENGTH];
	gd_get_node_name(node, name, sizeof(name));
	map_bake_report_problems(bake);
	if (bake->status != NC_OK)
	{
		GD_ERROR("%s: the map was not baked, because %s.", name, bake->error.reason);
		return false;
	}
	NcMap* core = bake->core;
	bake->core = NULL;
	return install(self, core);
}

bool region_map_take(RegionMap* self, MapBake* bake, GDExtensionObjectPtr node)
{
	bool is_taken = region_map_take_core(self, bake, node);
	if (bake->status != NC_OK)
	{
		return false;
	}
	self->is_baked = is_taken;
	if (!is_taken)
	{
		return false;
	}
	if (self->data == NULL)
	{
		gd_set_reference(&self->data, corridor_map_data_create()->base.object);
	}
	CorridorMapData* data = corridor_map_data_get(self->data);
	self->data_revision = data->revision + 1; // nobody needs to load what is there already
	self->is_data_bad = false;
	corridor_map_data_fill(data, bake->bytes, bake->byte_count, &bake->border, bake->checksum);
	return true;
}

bool region_map_has_news(RegionMap* self)
{
	gd_lock();
	const StoreMap* map = store_get_map(self->map);
	uint32_t iteration = map != NULL ? map->iteration : 0;
	gd_unlock();
	bool has_news = iteration != self->told_iteration;
	self->told_iteration = iteration;
	return has_news;
}
