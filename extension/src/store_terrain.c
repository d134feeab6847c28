// SPDX-License-Identifier: MIT

// Terrain of the server: pieces of ground, kept by RID and handed to the terrain of their map.

#include "map_store.h"

GdRid store_create_terrain(void)
{
	StoreTerrain* terrain = calloc(1, sizeof(StoreTerrain));
	GdRid rid = rid_add(RID_TERRAIN, terrain);
	if (rid == 0)
	{
		free(terrain);
		return 0;
	}
	terrain->rid = rid;
	terrain->type = 1;
	return rid;
}

StoreTerrain* store_get_terrain(GdRid rid)
{
	return rid_get(rid, RID_TERRAIN);
}

static NcStatus stage_region(
	NcTerrain* core, const StoreTerrain* terrain, NcRegionId* id, NcError* error)
{
	Points points = {0};
	for (int i = 0; i < terrain->vertices.count; ++i)
	{
		points_push(&points, nc_add(terrain->vertices.data[i], terrain->position));
	}
	NcRegion region = {.points = points.data,
		.point_count = points.count,
		.type = terrain->type,
		.priority = terrain->priority};
	bool is_known = nc_terrain_has_region(core, *id);
	NcStatus status = NC_OK;
	if (points.is_failed)
	{
		status = NC_OUT_OF_MEMORY;
	}
	else if (points.count > 0)
	{
		status = is_known ? nc_terrain_set_region(core, *id, &region, error)
						  : nc_terrain_add_region(core, &region, id, error);
	}
	else if (is_known)
	{
		status = nc_terrain_remove_region(core, *id);
		*id = (NcRegionId){0};
	}
	points_free(&points);
	return status;
}

// Stage the piece in the terrain of its map, which is made if there is none.
static bool stage(StoreTerrain* terrain, const char* who)
{
	StoreMap* map = store_get_map(terrain->map);
	if (map == NULL)
	{
		return true;
	}
	NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
	NcStatus status = map->terrain != NULL ? NC_OK : nc_terrain_create(&map->terrain);
	if (status == NC_OK)
	{
		status = stage_region(map->terrain, terrain, &terrain->core_id, &error);
	}
	if (status != NC_OK)
	{
		GD_ERROR("%s: the terrain stays as it was, because %s.", who, error.reason);
	}
	return status == NC_OK;
}

bool store_change_terrain(StoreTerrain* terrain, const StoreTerrain* changed, const char* who)
{
	StoreTerrain old = *terrain;
	if (changed->vertices.is_failed)
	{
		GD_ERROR("%s: out of memory.", who);
		return false;
	}
	*terrain = *changed;
	if (!stage(terrain, who))
	{
		*terrain = old;
		return false;
	}
	return true;
}

static void remove_from_map(StoreMap* map, StoreTerrain* terrain)
{
	rid_list_remove(&map->terrains, terrain->rid);
	if (map->terrain != NULL && nc_terrain_has_region(map->terrain, terrain->core_id))
	{
		nc_terrain_remove_region(map->terrain, terrain->core_id);
	}
	terrain->map = 0;
	terrain->core_id = (NcRegionId){0};
}

bool store_set_terrain_map(StoreTerrain* terrain, StoreMap* map, const char* who)
{
	StoreMap* old = store_get_map(terrain->map);
	if (old == map)
	{
		return true;
	}
	if (old != NULL)
	{
		remove_from_map(old, terrain);
	}
	if (map == NULL)
	{
		return true;
	}
	if (!rid_list_add(&map->terrains, terrain->rid))
	{
		return false;
	}
	terrain->map = map->rid;
	if (!stage(terrain, who))
	{
		remove_from_map(map, terrain);
		return false;
	}
	return true;
}

void store_free_terrain(StoreTerrain* terrain)
{
	store_set_terrain_map(terrain, NULL, "free_rid()");
	points_free(&terrain->vertices);
	free(terrain);
}

void store_forget_terrain(StoreMap* map)
{
	for (int i = 0; i < map->terrains.count; ++i)
	{
		StoreTerrain* terrain = store_get_terrain(map->terrains.data[i]);
		terrain->map = 0;
		terrain->core_id = (NcRegionId){0};
	}
	nc_terrain_destroy(map->terrain);
	map->terrain = NULL;
}

void store_add_terrain_lines(const StoreTerrain* terrain, Points* lines)
{
	int count = terrain->vertices.count;
	for (int i = 0; i < count; ++i)
	{
		points_push(lines, nc_add(terrain->vertices.data[i], terrain->position));
		points_push(lines, nc_add(terrain->vertices.data[(i + 1) % count], terrain->position));
	}
}

void store_sync_terrain(StoreMap* map)
{
	uint32_t revision = map->terrain != NULL ? nc_terrain_get_revision(map->terrain) : 0;
	if (map->terrain != NULL && nc_terrain_update(map->terrain) != NC_OK)
	{
		GD_ERROR("The terrain could not be updated: there is no memory.");
	}
	if (map->terrain != NULL && nc_terrain_get_revision(map->terrain) != revision)
	{
		++map->iteration;
	}
}
