// SPDX-License-Identifier: MIT

// The methods of NavCorridorServer that ask a map. They apply its edits first.

#include "plan.h"
#include "server.h"

// The medial axis is drawn with an error of at most this part of the map's larger side.
#define AXIS_TOLERANCE 5.0e-4

StoreMap* server_find_built_map(const GdCall* call)
{
	StoreMap* map = server_find_map(call);
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
			   ? server_find_built_map(call)
			   : NULL;
}

// map_get_path(map: RID, origin: Vector2, destination: Vector2, radius: float = 0.0,
//     route: int = ROUTE_SHORTEST) -> PackedVector2Array
static void map_get_path(GdCall* call)
{
	int64_t route = gd_arg_int(call, 4);
	if (route != NC_ROUTE_MEDIAL && route != NC_ROUTE_SHORTEST)
	{
		GD_ERROR(
			"map_get_path(): the route must be ROUTE_MEDIAL or ROUTE_SHORTEST. The other kinds "
			"need more parameters: use query_path().");
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
	// With y pointing down, what is on the left for the library is on the right.
	put_event_points(call->result, "left", events, count, offsetof(NcMapEvent, right), &points);
	put_event_points(call->result, "right", events, count, offsetof(NcMapEvent, left), &points);
	put_clearances(call->result, events, count);
	points_free(&points);
	free(events);
}

// map_is_reachable(map: RID, origin: Vector2, destination: Vector2, radius: float = 0.0) -> bool
static void map_is_reachable(GdCall* call)
{
	StoreMap* map = find_map_for_path(call);
	gd_return_bool(call, map != NULL && nc_query_is_reachable(map->query, gd_arg_vec2(call, 1),
											gd_arg_vec2(call, 2), gd_arg_float(call, 3)));
}

// map_get_largest_radius(map: RID, origin: Vector2, destination: Vector2) -> float
static void map_get_largest_radius(GdCall* call)
{
	bool is_good = server_check_point(call, 1) && server_check_point(call, 2);
	StoreMap* map = is_good ? server_find_built_map(call) : NULL;
	double radius = -1.0;
	if (map != NULL)
	{
		radius =
			nc_query_find_largest_radius(map->query, gd_arg_vec2(call, 1), gd_arg_vec2(call, 2));
	}
	gd_return_float(call, radius);
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
	StoreMap* map = server_check_point(call, 1) ? server_find_built_map(call) : NULL;
	if (map != NULL)
	{
		gd_return_float(call, nc_query_get_clearance(map->query, gd_arg_vec2(call, 1)));
	}
}

// map_get_closest_point(map: RID, to_point: Vector2, radius: float = 0.0) -> Vector2
static void map_get_closest_point(GdCall* call)
{
	StoreMap* map = server_check_point(call, 1) && server_check_radius(call, 2)
						? server_find_built_map(call)
						: NULL;
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
	StoreMap* map = server_check_point(call, 1) ? server_find_built_map(call) : NULL;
	NcLocation location;
	if (map != NULL)
	{
		bool is_free = nc_query_locate(map->query, gd_arg_vec2(call, 1), &location);
		gd_return_vec2(call, is_free ? location.closest : gd_arg_vec2(call, 1));
	}
}

// The RID of an obstacle of the core; 0 for the bounds and for what was baked.
static GdRid find_obstacle_rid(const StoreMap* map, NcObstacleId id)
{
	for (int i = 0; i < map->obstacles.count && id.index != 0; ++i)
	{
		NcObstacleId other = store_get_obstacle(map->obstacles.data[i])->core_id;
		if (other.index == id.index && other.generation == id.generation)
		{
			return map->obstacles.data[i];
		}
	}
	return 0;
}

// map_get_closest_obstacle(map: RID, to_point: Vector2) -> RID
static void map_get_closest_obstacle(GdCall* call)
{
	StoreMap* map = server_check_point(call, 1) ? server_find_built_map(call) : NULL;
	NcLocation location;
	if (map != NULL && nc_query_locate(map->query, gd_arg_vec2(call, 1), &location))
	{
		gd_return_rid(call, find_obstacle_rid(map, location.obstacle));
	}
}

// map_cast_disc(map: RID, from: Vector2, to: Vector2, radius: float = 0.0) -> Dictionary
static void map_cast_disc(GdCall* call)
{
	StoreMap* map = find_map_for_path(call);
	NcRayHit hit;
	if (map == NULL || !nc_query_cast_disc(map->query, gd_arg_vec2(call, 1), gd_arg_vec2(call, 2),
						   gd_arg_float(call, 3), &hit))
	{
		return;
	}
	GdRid obstacle = find_obstacle_rid(map, hit.obstacle);
	gd_dictionary_set(call->result, "position", gd_variant_vec2(hit.center));
	gd_dictionary_set(call->result, "point", gd_variant_vec2(hit.point));
	gd_dictionary_set(call->result, "normal", gd_variant_vec2(hit.normal));
	gd_dictionary_set(call->result, "distance", gd_variant(GD_FLOAT, &hit.distance));
	gd_dictionary_set(call->result, "obstacle", gd_variant(GD_RID, &obstacle));
}

// map_get_random_point(map: RID, radius: float = 0.0) -> Vector2
static void map_get_random_point(GdCall* call)
{
	static uint64_t seed = 1;
	StoreMap* map = server_check_radius(call, 1) ? server_find_built_map(call) : NULL;
	NcVec2 point;
	if (map != NULL && nc_query_find_random_point(map->query, gd_arg_float(call, 1), &seed, &point))
	{
		gd_return_vec2(call, point);
	}
}

// map_get_medial_axis(map: RID) -> PackedVector2Array
static void map_get_medial_axis(GdCall* call)
{
	StoreMap* map = server_find_built_map(call);
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

// clang-format off
#define MAP {"map", GD_RID}
#define ORIGIN {"origin", GD_VECTOR2}
#define DESTINATION {"destination", GD_VECTOR2}
#define TO_POINT {"to_point", GD_VECTOR2}
#define ROUTE {"route", GD_INT, true, NC_ROUTE_SHORTEST, "NavCorridorServer.Route"}
#define RADIUS {"radius", GD_FLOAT, true, 0.0}
// clang-format on

const GdMethod server_question_methods[SERVER_QUESTION_METHOD_COUNT] = {
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
	{"map_get_largest_radius", map_get_largest_radius, GD_FLOAT, {MAP, ORIGIN, DESTINATION}},
	{"map_get_closest_obstacle", map_get_closest_obstacle, GD_RID, {MAP, TO_POINT}},
	{"map_cast_disc", map_cast_disc, GD_DICTIONARY,
		{MAP, {"from", GD_VECTOR2}, {"to", GD_VECTOR2}, RADIUS}},
	{"map_get_random_point", map_get_random_point, GD_VECTOR2, {MAP, RADIUS}},
	{"query_path", server_query_path, GD_NIL,
		{{"parameters", GD_OBJECT, .enum_name = "CorridorPathQueryParameters"},
			{"result", GD_OBJECT, .enum_name = "CorridorPathQueryResult"},
			{"callback", GD_CALLABLE, true}}},
};
