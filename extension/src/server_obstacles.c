// SPDX-License-Identifier: MIT

// The methods of NavCorridorServer that make, place and shape obstacles.
//
// An obstacle has vertices, or else a radius, around its position. It blocks as soon as it is in a
// map: the next question sees it.

#include "server.h"

static StoreObstacle* find_obstacle(const GdCall* call)
{
	StoreObstacle* obstacle = store_get_obstacle(gd_arg_rid(call, 0));
	if (obstacle == NULL)
	{
		GD_ERROR(
			"%s(): the RID names no obstacle. Use one that obstacle_create() returned and that "
			"was not freed.",
			call->method->name);
	}
	return obstacle;
}

// obstacle_create() -> RID
static void obstacle_create(GdCall* call)
{
	gd_return_rid(call, store_create_obstacle());
}

// obstacle_set_map(obstacle: RID, map: RID)
static void obstacle_set_map(GdCall* call)
{
	StoreObstacle* obstacle = find_obstacle(call);
	GdRid rid = gd_arg_rid(call, 1);
	StoreMap* map = store_get_map(rid);
	if (obstacle == NULL)
	{
		return;
	}
	if (rid != 0 && map == NULL)
	{
		GD_ERROR("obstacle_set_map(): the second RID names no map. Pass RID() to take the obstacle "
				 "out of its map.");
		return;
	}
	store_set_obstacle_map(obstacle, map, "obstacle_set_map()");
}

// obstacle_get_map(obstacle: RID) -> RID
static void obstacle_get_map(GdCall* call)
{
	const StoreObstacle* obstacle = find_obstacle(call);
	gd_return_rid(call, obstacle != NULL ? obstacle->map : 0);
}

// obstacle_set_position(obstacle: RID, position: Vector2)
static void obstacle_set_position(GdCall* call)
{
	StoreObstacle* obstacle = find_obstacle(call);
	if (obstacle != NULL && server_check_point(call, 1))
	{
		StoreObstacle changed = *obstacle;
		changed.position = gd_arg_vec2(call, 1);
		store_change_obstacle(obstacle, &changed, "obstacle_set_position()");
	}
}

// obstacle_get_position(obstacle: RID) -> Vector2
static void obstacle_get_position(GdCall* call)
{
	const StoreObstacle* obstacle = find_obstacle(call);
	gd_return_vec2(call, obstacle != NULL ? obstacle->position : (NcVec2){0.0, 0.0});
}

// obstacle_set_radius(obstacle: RID, radius: float)
static void obstacle_set_radius(GdCall* call)
{
	StoreObstacle* obstacle = find_obstacle(call);
	if (obstacle != NULL && server_check_radius(call, 1))
	{
		StoreObstacle changed = *obstacle;
		changed.radius = gd_arg_float(call, 1);
		store_change_obstacle(obstacle, &changed, "obstacle_set_radius()");
	}
}

// obstacle_get_radius(obstacle: RID) -> float
static void obstacle_get_radius(GdCall* call)
{
	const StoreObstacle* obstacle = find_obstacle(call);
	gd_return_float(call, obstacle != NULL ? obstacle->radius : 0.0);
}

// obstacle_set_type(obstacle: RID, type: int)
static void obstacle_set_type(GdCall* call)
{
	StoreObstacle* obstacle = find_obstacle(call);
	int64_t kind = gd_arg_int(call, 1);
	if (obstacle == NULL)
	{
		return;
	}
	if (kind < NC_SHAPE_POINTS || kind > NC_SHAPE_WALKABLE)
	{
		GD_ERROR("obstacle_set_type(): there is no type %lld. Use a constant of ObstacleType.",
			(long long)kind);
		return;
	}
	StoreObstacle changed = *obstacle;
	changed.kind = (NcShapeKind)kind;
	store_change_obstacle(obstacle, &changed, "obstacle_set_type()");
}

// obstacle_get_type(obstacle: RID) -> int
static void obstacle_get_type(GdCall* call)
{
	const StoreObstacle* obstacle = find_obstacle(call);
	gd_return_int(call, obstacle != NULL ? obstacle->kind : NC_SHAPE_POLYGON);
}

// obstacle_set_vertices(obstacle: RID, vertices: PackedVector2Array)
static void obstacle_set_vertices(GdCall* call)
{
	StoreObstacle* obstacle = find_obstacle(call);
	int count;
	const GdVector2* items = gd_vector2_items(call->args[1], &count);
	if (obstacle == NULL || !server_check_points(call, 1))
	{
		return;
	}
	StoreObstacle changed = *obstacle;
	changed.vertices = (Points){0};
	for (int i = 0; i < count; ++i)
	{
		points_push(&changed.vertices, gd_vec2(items[i]));
	}
	Points unused = obstacle->vertices;
	if (!store_change_obstacle(obstacle, &changed, "obstacle_set_vertices()"))
	{
		unused = changed.vertices;
	}
	points_free(&unused);
}

// obstacle_get_vertices(obstacle: RID) -> PackedVector2Array
static void obstacle_get_vertices(GdCall* call)
{
	const StoreObstacle* obstacle = find_obstacle(call);
	if (obstacle != NULL)
	{
		gd_assign_vector2_array(call->result, obstacle->vertices.data, obstacle->vertices.count);
	}
}

// clang-format off
#define OBSTACLE {"obstacle", GD_RID}
#define TYPE_ENUM "NavCorridorServer.ObstacleType"
#define TYPE {"type", GD_INT, .enum_name = TYPE_ENUM}
// clang-format on

const GdMethod server_obstacle_methods[SERVER_OBSTACLE_METHOD_COUNT] = {
	{"obstacle_create", obstacle_create, GD_RID},
	{"obstacle_set_map", obstacle_set_map, GD_NIL, {OBSTACLE, {"map", GD_RID}}},
	{"obstacle_get_map", obstacle_get_map, GD_RID, {OBSTACLE}, true},
	{"obstacle_set_position", obstacle_set_position, GD_NIL, {OBSTACLE, {"position", GD_VECTOR2}}},
	{"obstacle_get_position", obstacle_get_position, GD_VECTOR2, {OBSTACLE}, true},
	{"obstacle_set_radius", obstacle_set_radius, GD_NIL, {OBSTACLE, {"radius", GD_FLOAT}}},
	{"obstacle_get_radius", obstacle_get_radius, GD_FLOAT, {OBSTACLE}, true},
	{"obstacle_set_type", obstacle_set_type, GD_NIL, {OBSTACLE, TYPE}},
	{"obstacle_get_type", obstacle_get_type, GD_INT, {OBSTACLE}, true, NULL, TYPE_ENUM},
	{"obstacle_set_vertices", obstacle_set_vertices, GD_NIL,
		{OBSTACLE, {"vertices", GD_PACKED_VECTOR2_ARRAY}}},
	{"obstacle_get_vertices", obstacle_get_vertices, GD_PACKED_VECTOR2_ARRAY, {OBSTACLE}, true},
};
