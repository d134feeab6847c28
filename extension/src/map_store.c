// SPDX-License-Identifier: MIT

// The maps and obstacles of the server.
//
// A RID is a slot number and a serial number that is never given twice. Engine RIDs count their
// serial numbers from one; ours start at a billion, so that a RID of another server names nothing
// here and is reported.

#include "map_store.h"

#include "circle.h"
#include "clip.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SERIAL 0x40000000u

// Half the width of the world that the core can represent, in snaps.
#define MAX_SNAPS 33554431.0

// Obstacles are cut off this far from the bounds, in parts of their larger side: far enough that
// most that reach out are left as they are.
#define CLIP_MARGIN 0.0625

typedef struct Slot
{
	GdRid rid;     // 0: the slot is free
	int next_free; // of a free slot: the next one, counted from one; 0 ends the chain
	StoreMap* map;
	StoreObstacle* obstacle;
} Slot;

static struct
{
	Slot* slots;
	int count;
	int capacity;
	int first_free; // counted from one; 0: none
	uint32_t serial;
} store;

static Slot* find_slot(GdRid rid)
{
	uint32_t number = (uint32_t)rid;
	if (number == 0 || number > (uint32_t)store.count || store.slots[number - 1].rid != rid)
	{
		return NULL;
	}
	return &store.slots[number - 1];
}

// @return NULL if there is no memory
static Slot* take_slot(void)
{
	if (store.first_free != 0)
	{
		Slot* slot = &store.slots[store.first_free - 1];
		store.first_free = slot->next_free;
		return slot;
	}
	if (store.count == store.capacity)
	{
		int capacity = 2 * store.capacity + 64;
		Slot* slots = realloc(store.slots, (size_t)capacity * sizeof(Slot));
		if (slots == NULL)
		{
			return NULL;
		}
		store.slots = slots;
		store.capacity = capacity;
	}
	return &store.slots[store.count++];
}

static void release_slot(Slot* slot)
{
	*slot = (Slot){.next_free = store.first_free};
	store.first_free = (int)(slot - store.slots) + 1;
}

// Give a new item its RID.
static GdRid add_item(StoreMap* map, StoreObstacle* obstacle)
{
	Slot* slot = map != NULL || obstacle != NULL ? take_slot() : NULL;
	if (slot == NULL)
	{
		GD_ERROR("Out of memory.");
		free(map);
		free(obstacle);
		return 0;
	}
	uint64_t serial = FIRST_SERIAL | (store.serial++ & (FIRST_SERIAL - 1));
	*slot = (Slot){
		.rid = serial << 32 | (uint64_t)(slot - store.slots + 1),
		.map = map,
		.obstacle = obstacle,
	};
	return slot->rid;
}

GdRid store_create_map(void)
{
	StoreMap* map = calloc(1, sizeof(StoreMap));
	GdRid rid = add_item(map, NULL);
	if (rid != 0)
	{
		map->rid = rid;
		map->bounds = nc_box_empty();
	}
	return rid;
}

GdRid store_create_obstacle(void)
{
	StoreObstacle* obstacle = calloc(1, sizeof(StoreObstacle));
	GdRid rid = add_item(NULL, obstacle);
	if (rid != 0)
	{
		obstacle->rid = rid;
		obstacle->kind = NC_SHAPE_POLYGON;
	}
	return rid;
}

StoreMap* store_get_map(GdRid rid)
{
	Slot* slot = find_slot(rid);
	return slot != NULL ? slot->map : NULL;
}

StoreObstacle* store_get_obstacle(GdRid rid)
{
	Slot* slot = find_slot(rid);
	return slot != NULL ? slot->obstacle : NULL;
}

StoreMap* store_next_map(int* slot)
{
	while (*slot < store.count)
	{
		StoreMap* map = store.slots[(*slot)++].map;
		if (map != NULL)
		{
			return map;
		}
	}
	return NULL;
}

static void free_core(StoreMap* map)
{
	nc_query_destroy(map->query);
	nc_map_destroy(map->core);
	map->query = NULL;
	map->core = NULL;
}

static void free_map(StoreMap* map)
{
	for (int i = 0; i < map->obstacle_count; ++i)
	{
		StoreObstacle* obstacle = store_get_obstacle(map->obstacles[i]);
		obstacle->map = 0;
		obstacle->core_id = (NcObstacleId){0};
	}
	free_core(map);
	free(map->obstacles);
	free(map);
}

static void free_obstacle(StoreObstacle* obstacle)
{
	store_set_obstacle_map(obstacle, NULL, "free_rid()");
	points_free(&obstacle->vertices);
	free(obstacle);
}

bool store_free(GdRid rid)
{
	Slot* slot = find_slot(rid);
	if (slot == NULL)
	{
		return false;
	}
	if (slot->map != NULL)
	{
		free_map(slot->map);
	}
	else
	{
		free_obstacle(slot->obstacle);
	}
	release_slot(slot);
	return true;
}

void store_free_all(void)
{
	for (int i = 0; i < store.count; ++i)
	{
		if (store.slots[i].rid != 0)
		{
			store_free(store.slots[i].rid);
		}
	}
	free(store.slots);
	memset(&store, 0, sizeof(store));
}

void store_set_bounds(StoreMap* map, NcBox bounds)
{
	map->bounds = bounds;
	map->needs_core = true;
	map->has_failed = false;
}

// ---- Staging -----------------------------------------------------------------------------------

static bool report(NcStatus status, const NcError* error, const char* what)
{
	if (status != NC_OK)
	{
		GD_ERROR("%s cannot be used: %s (%s, item %d).", what, error->reason,
			nc_status_name(status), error->item);
	}
	return status == NC_OK;
}

static bool is_area(NcShapeKind kind)
{
	return kind == NC_SHAPE_POLYGON || kind == NC_SHAPE_WALKABLE;
}

// The part of the world in which obstacles matter and can be represented.
static NcBox make_clip_box(const NcMap* core)
{
	NcBox bounds = nc_map_get_bounds(core);
	NcVec2 size = nc_sub(bounds.upper, bounds.lower);
	NcBox box = nc_box_grow(bounds, CLIP_MARGIN * nc_max(size.x, size.y));
	double limit = MAX_SNAPS * nc_map_get_snap(core);
	return (NcBox){{nc_max(box.lower.x, -limit), nc_max(box.lower.y, -limit)},
		{nc_min(box.upper.x, limit), nc_min(box.upper.y, limit)}};
}

// The obstacle's shape in world coordinates, as far as it is in the box. `points` holds it.
static NcShape make_shape(const StoreObstacle* obstacle, NcBox box, Points* points)
{
	NcShapeKind kind = obstacle->kind;
	for (int i = 0; i < obstacle->vertices.count; ++i)
	{
		points_push(points, nc_add(obstacle->vertices.data[i], obstacle->position));
	}
	if (obstacle->vertices.count == 0 && obstacle->radius > 0.0)
	{
		circle_add_arc(points, obstacle->position, obstacle->radius, 0.0, CIRCLE_FULL_TURN);
		kind = NC_SHAPE_POLYGON;
	}
	bool is_walkable = kind == NC_SHAPE_WALKABLE && points->count > 0;
	clip_to_box(points, kind, box);
	if (is_walkable && !clip_has_three_points(points))
	{
		// Outside of a walkable area nothing is free, also if the area is elsewhere: what is left
		// of it is a line on the border of the box.
		points->count = 0;
		points_push(points, box.lower);
		points_push(points, (NcVec2){0.5 * (box.lower.x + box.upper.x), box.lower.y});
		points_push(points, (NcVec2){box.upper.x, box.lower.y});
	}
	else if (is_area(kind) && !clip_has_three_points(points))
	{
		kind = NC_SHAPE_CHAIN; // too small to have an inside, or it only touches the box
	}
	return (NcShape){.kind = kind, .points = points->data, .point_count = points->count};
}

static NcStatus stage_in_core(
	NcMap* core, const StoreObstacle* obstacle, NcObstacleId* id, NcError* error)
{
	Points points = {0};
	NcShape shape = make_shape(obstacle, make_clip_box(core), &points);
	NcStatus status = NC_OK;
	bool is_known = nc_map_has_obstacle(core, *id);
	if (points.is_failed)
	{
		status = NC_OUT_OF_MEMORY;
	}
	else if (shape.point_count == 0 && is_known)
	{
		status = nc_map_remove_obstacle(core, *id);
		*id = (NcObstacleId){0};
	}
	else if (shape.point_count > 0 && is_known)
	{
		status = nc_map_set_obstacle(core, *id, &shape, error);
	}
	else if (shape.point_count > 0)
	{
		status = nc_map_add_obstacle(core, &shape, id, error);
	}
	points_free(&points);
	return status;
}

// Whether the obstacle can be in a map, with a message if not.
static bool check_shape(const StoreObstacle* obstacle, const char* who)
{
	int count = obstacle->vertices.count;
	if (count == 0 || !is_area(obstacle->kind) || clip_has_three_points(&obstacle->vertices))
	{
		return true;
	}
	GD_ERROR("%s: the obstacle stays as it was, because a polygon or a walkable area needs at "
			 "least three different points. There are %d points. For walls without an inside use "
			 "the type OBSTACLE_CHAIN.",
		who, count);
	return false;
}

// Stage the obstacle in the core of its map, if there is one already.
static bool stage(StoreObstacle* obstacle, const char* who)
{
	StoreMap* map = store_get_map(obstacle->map);
	if (map == NULL)
	{
		return true;
	}
	map->has_failed = false;
	if (map->core == NULL || map->needs_core)
	{
		return true;
	}
	NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
	NcStatus status = stage_in_core(map->core, obstacle, &obstacle->core_id, &error);
	if (status != NC_OK)
	{
		GD_ERROR("%s: the obstacle stays as it was, because %s.", who, error.reason);
	}
	return status == NC_OK;
}

bool store_change_obstacle(StoreObstacle* obstacle, const StoreObstacle* changed, const char* who)
{
	StoreObstacle old = *obstacle;
	if (changed->vertices.is_failed)
	{
		GD_ERROR("%s: out of memory.", who);
		return false;
	}
	if (obstacle->map != 0 && !check_shape(changed, who))
	{
		return false;
	}
	*obstacle = *changed;
	if (!stage(obstacle, who))
	{
		*obstacle = old;
		return false;
	}
	return true;
}

static void remove_from_map(StoreMap* map, StoreObstacle* obstacle)
{
	// From the end, because whole sets of obstacles are freed in reverse order.
	for (int i = map->obstacle_count - 1; i >= 0; --i)
	{
		if (map->obstacles[i] == obstacle->rid)
		{
			map->obstacles[i] = map->obstacles[--map->obstacle_count];
			break;
		}
	}
	if (map->core != NULL && nc_map_has_obstacle(map->core, obstacle->core_id))
	{
		nc_map_remove_obstacle(map->core, obstacle->core_id);
	}
	map->has_failed = false;
	obstacle->map = 0;
	obstacle->core_id = (NcObstacleId){0};
}

static bool add_to_map(StoreMap* map, StoreObstacle* obstacle)
{
	if (map->obstacle_count == map->obstacle_capacity)
	{
		int capacity = 2 * map->obstacle_capacity + 16;
		GdRid* obstacles = realloc(map->obstacles, (size_t)capacity * sizeof(GdRid));
		if (obstacles == NULL)
		{
			GD_ERROR("Out of memory.");
			return false;
		}
		map->obstacles = obstacles;
		map->obstacle_capacity = capacity;
	}
	map->obstacles[map->obstacle_count++] = obstacle->rid;
	obstacle->map = map->rid;
	return true;
}

bool store_set_obstacle_map(StoreObstacle* obstacle, StoreMap* map, const char* who)
{
	StoreMap* old = store_get_map(obstacle->map);
	if (old == map)
	{
		return true;
	}
	if (map != NULL && !check_shape(obstacle, who))
	{
		return false;
	}
	if (old != NULL)
	{
		remove_from_map(old, obstacle);
	}
	if (map == NULL)
	{
		return true;
	}
	if (!add_to_map(map, obstacle))
	{
		return false;
	}
	if (!stage(obstacle, who))
	{
		remove_from_map(map, obstacle);
		return false;
	}
	return true;
}

// ---- Updating ----------------------------------------------------------------------------------

// The finest grid, from the default upwards, on which the bounds can be represented.
static double choose_snap(NcBox bounds, double snap)
{
	double reach =
		nc_max(nc_max(-bounds.lower.x, bounds.upper.x), nc_max(-bounds.lower.y, bounds.upper.y));
	while (reach > MAX_SNAPS * snap)
	{
		snap *= 2.0;
	}
	return snap;
}

// Build a new core with all obstacles of the map, whose ids in it are written.
static bool build_core(const StoreMap* map, NcMap** core, NcQuery** query, NcObstacleId* ids)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = map->bounds;
	def.snap = choose_snap(map->bounds, def.snap);
	NcError error = {.reason = "out of memory", .item = NC_NULL_INDEX};
	if (!report(nc_map_create(&def, core, &error), &error, "The map's bounds"))
	{
		return false;
	}
	for (int i = 0; i < map->obstacle_count; ++i)
	{
		const StoreObstacle* obstacle = store_get_obstacle(map->obstacles[i]);
		if (!report(stage_in_core(*core, obstacle, &ids[i], &error), &error, "An obstacle"))
		{
			return false;
		}
	}
	return report(nc_map_update(*core, NULL), &error, "The map") &&
		   report(nc_query_create(*core, query), &error, "The map's query");
}

static void swap_core(StoreMap* map, NcMap* core, NcQuery* query, const NcObstacleId* ids)
{
	free_core(map);
	map->core = core;
	map->query = query;
	map->needs_core = false;
	for (int i = 0; i < map->obstacle_count; ++i)
	{
		store_get_obstacle(map->obstacles[i])->core_id = ids[i];
	}
}

// On failure the old core stays and answers, if there is one.
static bool replace_core(StoreMap* map)
{
	NcMap* core = NULL;
	NcQuery* query = NULL;
	NcObstacleId* ids = calloc((size_t)map->obstacle_count + 1, sizeof(NcObstacleId));
	bool is_built = ids != NULL && build_core(map, &core, &query, ids);
	if (is_built)
	{
		swap_core(map, core, query, ids);
	}
	else
	{
		nc_query_destroy(query);
		nc_map_destroy(core);
	}
	free(ids);
	return is_built;
}

static bool update_core(StoreMap* map)
{
	NcError error = {.reason = "the update failed", .item = NC_NULL_INDEX};
	return report(nc_map_update(map->core, NULL), &error, "The map's edits");
}

NcQuery* store_sync(StoreMap* map)
{
	if (map->has_failed || nc_box_is_empty(map->bounds))
	{
		return map->query;
	}
	if (map->needs_core || map->core == NULL)
	{
		map->has_failed = !replace_core(map);
		++map->iteration;
	}
	else if (nc_map_has_staged_edits(map->core))
	{
		map->has_failed = !update_core(map);
		++map->iteration;
	}
	return map->query;
}

StoreMap* store_find_map(uint64_t world_id, NcVec2 point)
{
	StoreMap* first = NULL;
	StoreMap* homeless = NULL;
	int slot = 0;
	for (StoreMap* map = store_next_map(&slot); map != NULL; map = store_next_map(&slot))
	{
		if (!map->is_active)
		{
			continue;
		}
		if (map->world_id == world_id && nc_box_contains(map->bounds, point))
		{
			return map;
		}
		first = first == NULL && map->world_id == world_id ? map : first;
		homeless = homeless == NULL && map->world_id == 0 ? map : homeless;
	}
	return first != NULL ? first : homeless;
}

static void add_lines(const Points* polyline, Points* lines)
{
	for (int i = 0; i + 1 < polyline->count; ++i)
	{
		points_push(lines, polyline->data[i]);
		points_push(lines, polyline->data[i + 1]);
	}
}

void store_add_axis_lines(const StoreMap* map, double tolerance, Points* lines)
{
	Points polyline = {0};
	for (int i = 0; i < nc_map_get_edge_range(map->core); ++i)
	{
		points_clear(&polyline);
		int count = nc_map_get_edge_points(map->core, i, tolerance, NULL, 0);
		NcVec2* data = points_reserve(&polyline, count);
		if (data != NULL)
		{
			polyline.count = nc_map_get_edge_points(map->core, i, tolerance, data, count);
		}
		add_lines(&polyline, lines);
	}
	points_free(&polyline);
}
