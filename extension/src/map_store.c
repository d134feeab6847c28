// SPDX-License-Identifier: MIT

// The maps of the server and their obstacles. Terrain is in store_terrain.c.

#include "map_store.h"

#include "circle.h"
#include "map_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t layout = 1;

uint32_t store_get_layout(void)
{
	return layout;
}

void store_touch_layout(void)
{
	++layout;
}

GdRid store_create_map(void)
{
	StoreMap* map = calloc(1, sizeof(StoreMap));
	GdRid rid = rid_add(RID_MAP, map);
	if (rid == 0)
	{
		free(map);
		return 0;
	}
	map->rid = rid;
	map->bounds = nc_box_empty();
	map->layers = 1;
	map->search_budget = nc_default_path_def().corridor_budget;
	map->y_min = -HUGE_VAL;
	map->y_max = HUGE_VAL;
	return rid;
}

GdRid store_create_obstacle(void)
{
	StoreObstacle* obstacle = calloc(1, sizeof(StoreObstacle));
	GdRid rid = rid_add(RID_OBSTACLE, obstacle);
	if (rid == 0)
	{
		free(obstacle);
		return 0;
	}
	obstacle->rid = rid;
	obstacle->kind = NC_SHAPE_POLYGON;
	return rid;
}

StoreMap* store_get_map(GdRid rid)
{
	return rid_get(rid, RID_MAP);
}

StoreObstacle* store_get_obstacle(GdRid rid)
{
	return rid_get(rid, RID_OBSTACLE);
}

StoreMap* store_next_map(int* slot)
{
	return rid_next(RID_MAP, slot);
}

static void free_core(StoreMap* map)
{
	nc_query_destroy(map->query);
	for (int i = 0; i < GD_COUNT(map->more_queries); ++i)
	{
		nc_query_destroy(map->more_queries[i]);
		map->more_queries[i] = NULL;
	}
	nc_map_destroy(map->core);
	map->query = NULL;
	map->core = NULL;
}

static void free_map(StoreMap* map)
{
	for (int i = 0; i < map->obstacles.count; ++i)
	{
		StoreObstacle* obstacle = store_get_obstacle(map->obstacles.data[i]);
		obstacle->map = 0;
		obstacle->core_id = (NcObstacleId){0};
	}
	store_touch_layout();
	free_core(map);
	store_forget_terrain(map);
	rid_list_free(&map->obstacles);
	rid_list_free(&map->terrains);
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
	switch (rid_get_kind(rid))
	{
	case RID_MAP:
		free_map(store_get_map(rid));
		break;
	case RID_OBSTACLE:
		free_obstacle(store_get_obstacle(rid));
		break;
	case RID_TERRAIN:
		store_free_terrain(store_get_terrain(rid));
		break;
	default:
		return false;
	}
	rid_remove(rid);
	return true;
}

void store_free_all(void)
{
	static const RidKind kinds[] = {RID_MAP, RID_OBSTACLE, RID_TERRAIN};
	for (int i = 0; i < GD_COUNT(kinds); ++i)
	{
		int slot = 0;
		for (const GdRid* rid = rid_next(kinds[i], &slot); rid != NULL;
			 rid = rid_next(kinds[i], &slot))
		{
			store_free(*rid); // every item begins with its RID
		}
	}
	rid_remove_all();
}

void store_set_bounds(StoreMap* map, NcBox bounds)
{
	map->bounds = bounds;
	store_touch_layout();
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
	return map_shape_cut(kind, points, box);
}

static NcStatus stage_in_core(
	NcMap* core, const StoreObstacle* obstacle, NcObstacleId* id, NcError* error)
{
	Points points = {0};
	NcShape shape = make_shape(obstacle, map_shape_get_clip_box(core), &points);
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
	if (count == 0 || map_shape_has_enough_points(obstacle->kind, &obstacle->vertices))
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
	rid_list_remove(&map->obstacles, obstacle->rid);
	if (map->core != NULL && nc_map_has_obstacle(map->core, obstacle->core_id))
	{
		nc_map_remove_obstacle(map->core, obstacle->core_id);
	}
	map->has_failed = false;
	obstacle->map = 0;
	obstacle->core_id = (NcObstacleId){0};
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
	if (!rid_list_add(&map->obstacles, obstacle->rid))
	{
		return false;
	}
	obstacle->map = map->rid;
	if (!stage(obstacle, who))
	{
		remove_from_map(map, obstacle);
		return false;
	}
	return true;
}

// ---- Updating ----------------------------------------------------------------------------------

// Stage all obstacles of the map in a core, whose ids in it are written, and apply them.
static bool fill_core(const StoreMap* map, NcMap* core, NcQuery** query, NcObstacleId* ids)
{
	NcError error = {.reason = "out of memory", .item = NC_NULL_INDEX};
	for (int i = 0; i < map->obstacles.count; ++i)
	{
		const StoreObstacle* obstacle = store_get_obstacle(map->obstacles.data[i]);
		if (!report(stage_in_core(core, obstacle, &ids[i], &error), &error, "An obstacle"))
		{
			return false;
		}
	}
	return report(nc_map_update(core, NULL), &error, "The map") &&
		   report(nc_query_create(core, query), &error, "The map's query");
}

static bool create_core(const StoreMap* map, NcMap** core)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = map->bounds;
	def.snap = map_shape_choose_snap(map->bounds);
	NcError error = {.reason = "out of memory", .item = NC_NULL_INDEX};
	return report(nc_map_create(&def, core, &error), &error, "The map's bounds");
}

static void swap_core(StoreMap* map, NcMap* core, NcQuery* query, const NcObstacleId* ids)
{
	free_core(map);
	map->core = core;
	map->query = query;
	map->needs_core = false;
	for (int i = 0; i < map->obstacles.count; ++i)
	{
		store_get_obstacle(map->obstacles.data[i])->core_id = ids[i];
	}
}

// Take a core, with the obstacles of the map added to it. On failure the old one stays and answers,
// if there is one.
static bool replace_core(StoreMap* map, NcMap* core)
{
	NcQuery* query = NULL;
	NcObstacleId* ids = calloc((size_t)map->obstacles.count + 1, sizeof(NcObstacleId));
	bool is_filled = ids != NULL && core != NULL && fill_core(map, core, &query, ids);
	if (is_filled)
	{
		swap_core(map, core, query, ids);
	}
	else
	{
		nc_query_destroy(query);
		nc_map_destroy(core);
	}
	free(ids);
	return is_filled;
}

static bool rebuild_core(StoreMap* map)
{
	NcMap* core = NULL;
	return create_core(map, &core) && replace_core(map, core);
}

bool store_install_core(StoreMap* map, NcMap* core)
{
	NcBox bounds = nc_map_get_bounds(core);
	if (!replace_core(map, core))
	{
		return false;
	}
	map->bounds = bounds;
	store_touch_layout();
	map->has_failed = false;
	++map->core_serial;
	++map->iteration;
	return true;
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
		map->has_failed = !rebuild_core(map);
		++map->core_serial;
		++map->iteration;
	}
	else if (nc_map_has_staged_edits(map->core))
	{
		map->has_failed = !update_core(map);
		++map->iteration;
	}
	store_sync_terrain(map);
	return map->query;
}

bool store_open_view(StoreMap* map, int index, StoreMap* view)
{
	NcQuery** query = index == 0 ? &map->query : &map->more_queries[index - 1];
	if (*query == NULL && nc_query_create(map->core, query) != NC_OK)
	{
		return false;
	}
	*view = *map;
	view->query = *query;
	return true;
}

bool store_is_within(const StoreMap* map, NcVec2 point, double height)
{
	return nc_box_contains(map->bounds, point) && map->y_min <= height && height <= map->y_max;
}

StoreMap* store_find_map(uint64_t world_id, NcVec2 point, double height, uint32_t layers)
{
	StoreMap* below = NULL; // or above

	StoreMap* first = NULL;
	StoreMap* homeless = NULL;
	int slot = 0;
	for (StoreMap* map = store_next_map(&slot); map != NULL; map = store_next_map(&slot))
	{
		if (!map->is_active || (map->layers & layers) == 0)
		{
			continue;
		}
		if (map->world_id == world_id && store_is_within(map, point, height))
		{
			return map;
		}
		bool is_below = map->world_id == world_id && nc_box_contains(map->bounds, point);
		below = below == NULL && is_below ? map : below;
		first = first == NULL && map->world_id == world_id ? map : first;
		homeless = homeless == NULL && map->world_id == 0 ? map : homeless;
	}
	return below != NULL ? below : first != NULL ? first : homeless;
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

void store_add_wall_lines(const StoreMap* map, Points* lines)
{
	for (int i = 0; i < nc_map_get_wall_range(map->core); ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map->core, i, &wall) && (wall.left_free || wall.right_free))
		{
			points_push(lines, wall.a);
			points_push(lines, wall.b);
		}
	}
}
