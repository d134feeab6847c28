// SPDX-License-Identifier: MIT

// The methods of NavCorridorServer that make, place and shape terrain.

#include "server.h"

static StoreTerrain* find_terrain(const GdCall* call)
{
	StoreTerrain* terrain = store_get_terrain(gd_arg_rid(call, 0));
	if (terrain == NULL)
	{
		GD_ERROR("%s(): the RID names no terrain. Use one that terrain_create() returned and that "
				 "was not freed.",
			call->method->name);
	}
	return terrain;
}

// terrain_create() -> RID
static void terrain_create(GdCall* call)
{
	gd_return_rid(call, store_create_terrain());
}

// terrain_set_map(terrain: RID, map: RID)
static void terrain_set_map(GdCall* call)
{
	StoreTerrain* terrain = find_terrain(call);
	GdRid rid = gd_arg_rid(call, 1);
	StoreMap* map = store_get_map(rid);
	if (terrain == NULL)
	{
		return;
	}
	if (rid != 0 && map == NULL)
	{
		GD_ERROR("terrain_set_map(): the second RID names no map. Pass RID() to take the terrain "
				 "out of its map.");
		return;
	}
	store_set_terrain_map(terrain, map, "terrain_set_map()");
}

// terrain_get_map(terrain: RID) -> RID
static void terrain_get_map(GdCall* call)
{
	const StoreTerrain* terrain = find_terrain(call);
	gd_return_rid(call, terrain != NULL ? terrain->map : 0);
}

// terrain_set_position(terrain: RID, position: Vector2)
static void terrain_set_position(GdCall* call)
{
	StoreTerrain* terrain = find_terrain(call);
	if (terrain != NULL && server_check_point(call, 1))
	{
		StoreTerrain changed = *terrain;
		changed.position = gd_arg_vec2(call, 1);
		store_change_terrain(terrain, &changed, "terrain_set_position()");
	}
}

// terrain_get_position(terrain: RID) -> Vector2
static void terrain_get_position(GdCall* call)
{
	const StoreTerrain* terrain = find_terrain(call);
	gd_return_vec2(call, terrain != NULL ? terrain->position : (NcVec2){0.0, 0.0});
}

// terrain_set_vertices(terrain: RID, vertices: PackedVector2Array)
static void terrain_set_vertices(GdCall* call)
{
	StoreTerrain* terrain = find_terrain(call);
	if (terrain == NULL || !server_check_points(call, 1))
	{
		return;
	}
	int count;
	const GdVector2* items = gd_vector2_items(call->args[1], &count);
	StoreTerrain changed = *terrain;
	changed.vertices = (Points){0};
	for (int i = 0; i < count; ++i)
	{
		points_push(&changed.vertices, gd_vec2(items[i]));
	}
	Points unused = terrain->vertices;
	if (!store_change_terrain(terrain, &changed, "terrain_set_vertices()"))
	{
		unused = changed.vertices;
	}
	points_free(&unused);
}

// terrain_get_vertices(terrain: RID) -> PackedVector2Array
static void terrain_get_vertices(GdCall* call)
{
	const StoreTerrain* terrain = find_terrain(call);
	if (terrain != NULL)
	{
		gd_assign_vector2_array(call->result, terrain->vertices.data, terrain->vertices.count);
	}
}

// terrain_set_type(terrain: RID, type: int)
static void terrain_set_type(GdCall* call)
{
	StoreTerrain* terrain = find_terrain(call);
	int64_t type = gd_arg_int(call, 1);
	if (terrain == NULL)
	{
		return;
	}
	if (type < 0 || type >= NC_TERRAIN_TYPE_COUNT)
	{
		GD_ERROR("terrain_set_type(): types are numbered from 0 to %d, not %lld.",
			NC_TERRAIN_TYPE_COUNT - 1, (long long)type);
		return;
	}
	StoreTerrain changed = *terrain;
	changed.type = (int)type;
	store_change_terrain(terrain, &changed, "terrain_set_type()");
}

// terrain_get_type(terrain: RID) -> int
static void terrain_get_type(GdCall* call)
{
	const StoreTerrain* terrain = find_terrain(call);
	gd_return_int(call, terrain != NULL ? terrain->type : 0);
}

// terrain_set_priority(terrain: RID, priority: int)
static void terrain_set_priority(GdCall* call)
{
	StoreTerrain* terrain = find_terrain(call);
	int64_t priority = gd_arg_int(call, 1);
	if (terrain == NULL)
	{
		return;
	}
	if (priority < INT32_MIN || priority > INT32_MAX)
	{
		GD_ERROR("terrain_set_priority(): the priority must be a number of 32 bits, not %lld.",
			(long long)priority);
		return;
	}
	StoreTerrain changed = *terrain;
	changed.priority = (int)priority;
	store_change_terrain(terrain, &changed, "terrain_set_priority()");
}

// terrain_get_priority(terrain: RID) -> int
static void terrain_get_priority(GdCall* call)
{
	const StoreTerrain* terrain = find_terrain(call);
	gd_return_int(call, terrain != NULL ? terrain->priority : 0);
}

// map_get_terrains(map: RID) -> Array
static void map_get_terrains(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
	for (int i = 0; map != NULL && i < map->terrains.count; ++i)
	{
		gd_array_push(call->result, gd_variant(GD_RID, &map->terrains.data[i]));
	}
}

// map_get_terrain_type(map: RID, point: Vector2) -> int
static void map_get_terrain_type(GdCall* call)
{
	StoreMap* map = server_check_point(call, 1) ? server_find_map(call) : NULL;
	if (map != NULL)
	{
		store_sync(map);
		gd_return_int(call, map->terrain != NULL
								? nc_terrain_get_type(map->terrain, gd_arg_vec2(call, 1))
								: NC_TERRAIN_GROUND);
	}
}

// clang-format off
#define TERRAIN {"terrain", GD_RID}
// clang-format on

const GdMethod server_terrain_methods[SERVER_TERRAIN_METHOD_COUNT] = {
	{"terrain_create", terrain_create, GD_RID},
	{"terrain_set_map", terrain_set_map, GD_NIL, {TERRAIN, {"map", GD_RID}}},
	{"terrain_get_map", terrain_get_map, GD_RID, {TERRAIN}, true},
	{"terrain_set_position", terrain_set_position, GD_NIL, {TERRAIN, {"position", GD_VECTOR2}}},
	{"terrain_get_position", terrain_get_position, GD_VECTOR2, {TERRAIN}, true},
	{"terrain_set_vertices", terrain_set_vertices, GD_NIL,
		{TERRAIN, {"vertices", GD_PACKED_VECTOR2_ARRAY}}},
	{"terrain_get_vertices", terrain_get_vertices, GD_PACKED_VECTOR2_ARRAY, {TERRAIN}, true},
	{"terrain_set_type", terrain_set_type, GD_NIL, {TERRAIN, {"type", GD_INT}}},
	{"terrain_get_type", terrain_get_type, GD_INT, {TERRAIN}, true},
	{"terrain_set_priority", terrain_set_priority, GD_NIL, {TERRAIN, {"priority", GD_INT}}},
	{"terrain_get_priority", terrain_get_priority, GD_INT, {TERRAIN}, true},
	{"map_get_terrains", map_get_terrains, GD_ARRAY, {{"map", GD_RID}}, true},
	{"map_get_terrain_type", map_get_terrain_type, GD_INT,
		{{"map", GD_RID}, {"point", GD_VECTOR2}}},
};
