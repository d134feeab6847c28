// SPDX-License-Identifier: MIT

// class NavCorridorServer: Object, the singleton that owns all corridor maps.
//
// Methods are named as in NavigationServer2D. They run under the lock of the binding layer, so
// scripts may call them from any thread. map_changed() is emitted at the begin of a physics frame.

#include "nav_corridor_server.h"

#include "crowd.h"
#include "plan.h"
#include "server.h"

#include <math.h>

// The medial axis is drawn with an error of at most this part of the map's larger side.
#define AXIS_TOLERANCE 5.0e-4

typedef struct NavCorridorServer
{
	GdInstance base;
} NavCorridorServer;

// Values of ProcessInfo.
enum
{
	INFO_ACTIVE_MAPS,
	INFO_OBSTACLE_COUNT,
	INFO_VERTEX_COUNT,
	INFO_EDGE_COUNT,
	INFO_SITE_COUNT,
	INFO_MEMORY,
	INFO_COUNT
};

// NULL before the extension starts, after it ended, and when a script freed the server. Nodes only
// need the store, so they go on without it.
static NavCorridorServer* server;

// ---- Checked arguments -------------------------------------------------------------------------

static StoreMap* find_map(const GdCall* call)
{
	StoreMap* map = store_get_map(gd_arg_rid(call, 0));
	if (map == NULL)
	{
		GD_ERROR("%s(): the RID names no map. Use one that map_create() or a region returned and "
				 "that was not freed.",
			call->method->name);
	}
	return map;
}

bool server_check_point(const GdCall* call, int index)
{
	NcVec2 point = gd_arg_vec2(call, index);
	if (fabs(point.x) <= STORE_MAX_COORDINATE && fabs(point.y) <= STORE_MAX_COORDINATE)
	{
		return true;
	}
	GD_ERROR(
		"%s(): %s is (%g, %g), which is no usable position. Coordinates must be numbers within "
		"%g units of the origin.",
		call->method->name, call->method->args[index].name, point.x, point.y, STORE_MAX_COORDINATE);
	return false;
}

bool server_check_radius(const GdCall* call, int index)
{
	double radius = gd_arg_float(call, index);
	if (radius >= 0.0 && radius <= STORE_MAX_COORDINATE)
	{
		return true;
	}
	GD_ERROR(
		"%s(): the radius must be a number of at least 0, not %g.", call->method->name, radius);
	return false;
}

// The map of the first argument, built and up to date.
static StoreMap* find_built_map(const GdCall* call)
{
	StoreMap* map = find_map(call);
	if (map == NULL || store_sync(map) != NULL)
	{
		return map;
	}
	GD_ERROR("%s(): the map has no bounds yet. Call map_set_bounds() before asking it.",
		call->method->name);
	return NULL;
}

// For methods (map, point, point, radius).
static StoreMap* find_map_for_path(const GdCall* call)
{
	return server_check_point(call, 1) && server_check_point(call, 2) &&
				   server_check_radius(call, 3)
			   ? find_built_map(call)
			   : NULL;
}

// ---- Maps --------------------------------------------------------------------------------------

// map_create() -> RID
static void map_create(GdCall* call)
{
	gd_return_rid(call, store_create_map());
}

// map_set_active(map: RID, active: bool)
static void map_set_active(GdCall* call)
{
	StoreMap* map = find_map(call);
	if (map != NULL)
	{
		map->is_active = gd_arg_bool(call, 1);
	}
}

// map_is_active(map: RID) -> bool
static void map_is_active(GdCall* call)
{
	const StoreMap* map = find_map(call);
	gd_return_bool(call, map != NULL && map->is_active);
}

// map_set_bounds(map: RID, bounds: Rect2)
static void map_set_bounds(GdCall* call)
{
	StoreMap* map = find_map(call);
	const GdRect2* rect = call->args[1];
	NcVec2 lower = gd_vec2(rect->position);
	NcBox bounds = {lower, nc_add(lower, gd_vec2(rect->size))};
	if (map == NULL)
	{
		return;
	}
	if (!(rect->size.x > 0.0f && rect->size.y > 0.0f) ||
		fabs(bounds.lower.x) > STORE_MAX_COORDINATE ||
		fabs(bounds.lower.y) > STORE_MAX_COORDINATE ||
		!(fabs(bounds.upper.x) <= STORE_MAX_COORDINATE) ||
		!(fabs(bounds.upper.y) <= STORE_MAX_COORDINATE))
	{
		GD_ERROR("map_set_bounds(): the bounds must have a positive size and coordinates below %g.",
			STORE_MAX_COORDINATE);
		return;
	}
	store_set_bounds(map, bounds);
}

// map_get_bounds(map: RID) -> Rect2
static void map_get_bounds(GdCall* call)
{
	const StoreMap* map = find_map(call);
	if (map != NULL && !nc_box_is_empty(map->bounds))
	{
		*(GdRect2*)call->result = (GdRect2){gd_vector2(map->bounds.lower),
			gd_vector2(nc_sub(map->bounds.upper, map->bounds.lower))};
	}
}

// map_force_update(map: RID)
static void map_force_update(GdCall* call)
{
	find_built_map(call);
}

// map_get_iteration_id(map: RID) -> int
static void map_get_iteration_id(GdCall* call)
{
	const StoreMap* map = find_map(call);
	gd_return_int(call, map != NULL ? map->iteration : 0);
}

// map_get_obstacles(map: RID) -> Array
static void map_get_obstacles(GdCall* call)
{
	const StoreMap* map = find_map(call);
	for (int i = 0; map != NULL && i < map->obstacles.count; ++i)
	{
		gd_array_push(call->result, gd_variant(GD_RID, &map->obstacles.data[i]));
	}
}

// get_maps() -> Array
static void get_maps(GdCall* call)
{
	int slot = 0;
	for (StoreMap* map = store_next_map(&slot); map != NULL; map = store_next_map(&slot))
	{
		gd_array_push(call->result, gd_variant(GD_RID, &map->rid));
	}
}

// free_rid(rid: RID)
static void free_rid(GdCall* call)
{
	if (!store_free(gd_arg_rid(call, 0)))
	{
		GD_ERROR("free_rid(): the RID names nothing of this server. Was it freed before?");
	}
}

// ---- Questions ---------------------------------------------------------------------------------

// map_get_path(map: RID, origin: Vector2, destination: Vector2, radius: float = 0.0,
//     route: int = ROUTE_SHORTEST) -> PackedVector2Array
static void map_get_path(GdCall* call)
{
	int64_t route = gd_arg_int(call, 4);
	if (route != NC_ROUTE_MEDIAL && route != NC_ROUTE_SHORTEST)
	{
		GD_ERROR("map_get_path(): the route must be ROUTE_MEDIAL or ROUTE_SHORTEST.");
		return;
	}
	StoreMap* map = find_map_for_path(call);
	PlanRequest request = {.start = gd_arg_vec2(call, 1),
		.goal = gd_arg_vec2(call, 2),
		.radius = gd_arg_float(call, 3),
		.route = (NcRouteKind)route};
	NcPathInfo info;
	if (map == NULL || !plan_find(map, &request, &info))
	{
		return;
	}
	Points points = {0};
	NcVec2* data = points_reserve(&points, info.point_count);
	if (data != NULL)
	{
		nc_query_get_path_points(map->query, data, info.point_count);
		gd_assign_vector2_array(call->result, data, info.point_count);
	}
	points_free(&points);
}

// Take one member of all events as a packed array.
static void put_event_points(GdDictionary* dictionary, const char* key, const NcMapEvent* events,
	int count, size_t member, Points* points)
{
	points_clear(points);
	for (int i = 0; i < count; ++i)
	{
		points_push(points, *(const NcVec2*)((const char*)&events[i] + member));
	}
	GdPackedVector2Array array = gd_vector2_array(points->data, points->count);
	gd_dictionary_set(dictionary, key, gd_variant(GD_PACKED_VECTOR2_ARRAY, &array));
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
}

static void put_clearances(GdDictionary* dictionary, const NcMapEvent* events, int count)
{
	GdPackedFloat32Array array;
	gd_construct(GD_PACKED_FLOAT32_ARRAY, &array);
	double* values = calloc((size_t)count + 1, sizeof(double));
	for (int i = 0; i < count && values != NULL; ++i)
	{
		values[i] = events[i].clearance;
	}
	gd_assign_float32_array(&array, values, values != NULL ? count : 0);
	gd_dictionary_set(dictionary, "clearances", gd_variant(GD_PACKED_FLOAT32_ARRAY, &array));
	gd_destroy(GD_PACKED_FLOAT32_ARRAY, &array);
	free(values);
}

// map_get_corridor(map: RID, origin: Vector2, destination: Vector2, radius: float = 0.0)
//     -> Dictionary
static void map_get_corridor(GdCall* call)
{
	NcPathInfo info = {0};
	StoreMap* map = find_map_for_path(call);
	if (map != NULL)
	{
		PlanRequest request = {.start = gd_arg_vec2(call, 1),
			.goal = gd_arg_vec2(call, 2),
			.radius = gd_arg_float(call, 3)};
		plan_find(map, &request, &info);
	}
	NcMapEvent* events = calloc((size_t)info.event_count + 1, sizeof(NcMapEvent));
	if (events == NULL)
	{
		GD_ERROR("Out of memory.");
		return;
	}
	int count =
		info.event_count > 0 ? nc_query_get_corridor(map->query, events, info.event_count) : 0;
	Points points = {0};
	put_event_points(
		call->result, "points", events, count, offsetof(NcMapEvent, position), &points);
	put_event_points(call->result, "left", events, count, offsetof(NcMapEvent, left), &points);
	put_event_points(call->result, "right", events, count, offsetof(NcMapEvent, right), &points);
	put_clearances(call->result, events, count);
	points_free(&points);
	free(events);
}

// map_is_reachable(map: RID, origin: Vector2, destination: Vector2, radius: float = 0.0) -> bool
static void map_is_reachable(GdCall* call)
{
	StoreMap* map = find_map_for_path(call);
	if (map == NULL)
	{
		return;
	}
	NcPathDef def = nc_default_path_def();
	def.start = gd_arg_vec2(call, 1);
	def.goal = gd_arg_vec2(call, 2);
	def.radius = gd_arg_float(call, 3);
	def.route = NC_ROUTE_MEDIAL;
	NcPathInfo info;
	gd_return_bool(call, nc_query_find_path(map->query, &def, &info));
}

// map_is_segment_free(map: RID, from: Vector2, to: Vector2, radius: float = 0.0) -> bool
static void map_is_segment_free(GdCall* call)
{
	StoreMap* map = find_map_for_path(call);
	gd_return_bool(call, map != NULL && nc_query_is_segment_free(map->query, gd_arg_vec2(call, 1),
											gd_arg_vec2(call, 2), gd_arg_float(call, 3)));
}

// map_get_clearance(map: RID, point: Vector2) -> float
static void map_get_clearance(GdCall* call)
{
	StoreMap* map = server_check_point(call, 1) ? find_built_map(call) : NULL;
	if (map != NULL)
	{
		gd_return_float(call, nc_query_get_clearance(map->query, gd_arg_vec2(call, 1)));
	}
}

// map_get_closest_point(map: RID, to_point: Vector2, radius: float = 0.0) -> Vector2
static void map_get_closest_point(GdCall* call)
{
	StoreMap* map =
		server_check_point(call, 1) && server_check_radius(call, 2) ? find_built_map(call) : NULL;
	NcVec2 closest;
	if (map != NULL &&
		plan_find_closest(map, gd_arg_vec2(call, 1), gd_arg_float(call, 2), &closest))
	{
		gd_return_vec2(call, closest);
	}
}

// map_get_closest_obstacle_point(map: RID, to_point: Vector2) -> Vector2
static void map_get_closest_obstacle_point(GdCall* call)
{
	StoreMap* map = server_check_point(call, 1) ? find_built_map(call) : NULL;
	NcLocation location;
	if (map != NULL)
	{
		bool is_free = nc_query_locate(map->query, gd_arg_vec2(call, 1), &location);
		gd_return_vec2(call, is_free ? location.closest : gd_arg_vec2(call, 1));
	}
}

// map_get_medial_axis(map: RID) -> PackedVector2Array
static void map_get_medial_axis(GdCall* call)
{
	StoreMap* map = find_built_map(call);
	if (map == NULL)
	{
		return;
	}
	Points lines = {0};
	NcVec2 size = nc_sub(map->bounds.upper, map->bounds.lower);
	store_add_axis_lines(map, AXIS_TOLERANCE * nc_max(size.x, size.y), &lines);
	gd_assign_vector2_array(call->result, lines.data, lines.count);
	points_free(&lines);
}

// get_process_info(process_info: int) -> int
static void get_process_info(GdCall* call)
{
	int64_t kind = gd_arg_int(call, 0);
	if (kind < 0 || kind >= INFO_COUNT)
	{
		GD_ERROR("get_process_info(): there is no information number %lld. Use a constant of "
				 "ProcessInfo.",
			(long long)kind);
		return;
	}
	int64_t sums[INFO_COUNT] = {[INFO_MEMORY] = (int64_t)nc_get_byte_count()};
	int slot = 0;
	for (StoreMap* map = store_next_map(&slot); map != NULL; map = store_next_map(&slot))
	{
		NcMapStats stats = map->core != NULL ? nc_map_get_stats(map->core) : (NcMapStats){0};
		sums[INFO_ACTIVE_MAPS] += map->is_active;
		sums[INFO_OBSTACLE_COUNT] += map->obstacles.count;
		sums[INFO_VERTEX_COUNT] += stats.vertex_count;
		sums[INFO_EDGE_COUNT] += stats.edge_count;
		sums[INFO_SITE_COUNT] += stats.site_count;
	}
	gd_return_int(call, sums[kind]);
}

// ---- The class ---------------------------------------------------------------------------------

// clang-format off
#define MAP {"map", GD_RID}
#define ORIGIN {"origin", GD_VECTOR2}
#define DESTINATION {"destination", GD_VECTOR2}
#define TO_POINT {"to_point", GD_VECTOR2}
#define ROUTE {"route", GD_INT, true, NC_ROUTE_SHORTEST, "NavCorridorServer.Route"}
#define RADIUS {"radius", GD_FLOAT, true, 0.0}
// clang-format on

static const GdMethod methods[] = {
	{"map_create", map_create, GD_RID},
	{"map_set_active", map_set_active, GD_NIL, {MAP, {"active", GD_BOOL}}},
	{"map_is_active", map_is_active, GD_BOOL, {MAP}, true},
	{"map_set_bounds", map_set_bounds, GD_NIL, {MAP, {"bounds", GD_RECT2}}},
	{"map_get_bounds", map_get_bounds, GD_RECT2, {MAP}, true},
	{"map_force_update", map_force_update, GD_NIL, {MAP}},
	{"map_get_iteration_id", map_get_iteration_id, GD_INT, {MAP}, true},
	{"map_get_obstacles", map_get_obstacles, GD_ARRAY, {MAP}, true},
	{"map_get_path", map_get_path, GD_PACKED_VECTOR2_ARRAY,
		{MAP, ORIGIN, DESTINATION, RADIUS, ROUTE}},
	{"map_get_corridor", map_get_corridor, GD_DICTIONARY, {MAP, ORIGIN, DESTINATION, RADIUS}},
	{"map_is_reachable", map_is_reachable, GD_BOOL, {MAP, ORIGIN, DESTINATION, RADIUS}},
	{"map_is_segment_free", map_is_segment_free, GD_BOOL,
		{MAP, {"from", GD_VECTOR2}, {"to", GD_VECTOR2}, RADIUS}},
	{"map_get_clearance", map_get_clearance, GD_FLOAT, {MAP, {"point", GD_VECTOR2}}},
	{"map_get_closest_point", map_get_closest_point, GD_VECTOR2, {MAP, TO_POINT, RADIUS}},
	{"map_get_closest_obstacle_point", map_get_closest_obstacle_point, GD_VECTOR2, {MAP, TO_POINT}},
	{"map_get_medial_axis", map_get_medial_axis, GD_PACKED_VECTOR2_ARRAY, {MAP}},
	{"get_maps", get_maps, GD_ARRAY, {{0}}, true},
	{"get_process_info", get_process_info, GD_INT,
		{{"process_info", GD_INT, .enum_name = "NavCorridorServer.ProcessInfo"}}, true},
	{"free_rid", free_rid, GD_NIL, {{"rid", GD_RID}}},
};

static const GdSignal signals[] = {
	{"map_changed", {MAP}},
};

static const GdConstant constants[] = {
	{"ProcessInfo", "INFO_ACTIVE_MAPS", INFO_ACTIVE_MAPS},
	{"ProcessInfo", "INFO_OBSTACLE_COUNT", INFO_OBSTACLE_COUNT},
	{"ProcessInfo", "INFO_VERTEX_COUNT", INFO_VERTEX_COUNT},
	{"ProcessInfo", "INFO_EDGE_COUNT", INFO_EDGE_COUNT},
	{"ProcessInfo", "INFO_SITE_COUNT", INFO_SITE_COUNT},
	{"ProcessInfo", "INFO_MEMORY", INFO_MEMORY},
	{"Route", "ROUTE_MEDIAL", NC_ROUTE_MEDIAL},
	{"Route", "ROUTE_SHORTEST", NC_ROUTE_SHORTEST},
	{"ObstacleType", "OBSTACLE_POINTS", NC_SHAPE_POINTS},
	{"ObstacleType", "OBSTACLE_CHAIN", NC_SHAPE_CHAIN},
	{"ObstacleType", "OBSTACLE_POLYGON", NC_SHAPE_POLYGON},
	{"ObstacleType", "OBSTACLE_WALKABLE", NC_SHAPE_WALKABLE},
};

// A script that frees the server must not leave the engine with a singleton that is gone.
static void destroy(void* instance)
{
	if (instance == server)
	{
		gd_forget_singleton(&server->base);
		server = NULL;
	}
}

static const GdClass class = {
	.name = "NavCorridorServer",
	.parent = "Object",
	.size = sizeof(NavCorridorServer),
	.is_abstract = true,
	.is_locked = true,
	.destroy = destroy,
	.methods = methods,
	.method_count = GD_COUNT(methods),
	.more_methods = server_obstacle_methods,
	.more_method_count = SERVER_OBSTACLE_METHOD_COUNT,
	.signals = signals,
	.signal_count = GD_COUNT(signals),
	.constants = constants,
	.constant_count = GD_COUNT(constants),
};

// Apply edits and tell who listens. A listener may free maps and the server, so the walk goes by
// slot, and nothing of a map is used after its signal.
static void update_maps(void)
{
	int slot = 0;
	for (;;)
	{
		gd_lock();
		StoreMap* map = store_next_map(&slot);
		if (map == NULL)
		{
			gd_unlock();
			return;
		}
		if (map->is_active)
		{
			store_sync(map);
		}
		bool has_news = map->announced_iteration != map->iteration;
		map->announced_iteration = map->iteration;
		GdRid rid = map->rid;
		gd_unlock();

		if (has_news && server != NULL)
		{
			GdVariant args[] = {gd_variant(GD_RID, &rid)};
			gd_emit(server->base.object, "map_changed", args, 1);
		}
	}
}

static void on_physics_frame(void)
{
	GDExtensionObjectPtr engine = gd_singleton("Engine");
	update_maps();
	crowd_step(
		gd_engine_get_time_scale(engine) / (double)gd_engine_get_physics_ticks_per_second(engine));
}

void nav_corridor_server_register(void)
{
	gd_register_class(&class);
	server = gd_create(&class);
	gd_add_singleton(&server->base);
}

void nav_corridor_server_start(void)
{
	GDExtensionObjectPtr loop = gd_engine_get_main_loop(gd_singleton("Engine"));
	if (loop != NULL && gd_is_class(loop, "SceneTree"))
	{
		gd_connect(loop, "physics_frame", on_physics_frame);
	}
}

// The engine ends its scripting languages before us: a listener of theirs must not be left behind.
void nav_corridor_server_stop(void)
{
	gd_disconnect_all();
	if (server != NULL)
	{
		gd_disconnect_listeners(server->base.object, "map_changed");
	}
}

void nav_corridor_server_unregister(void)
{
	if (server != NULL)
	{
		gd_destroy_object(&server->base);
	}
	crowd_free();
	store_free_all();
}
