// SPDX-License-Identifier: MIT

// class NavCorridorServer: Object, the singleton that owns all corridor maps.
//
// Methods are named as in NavigationServer2D. They run under the lock of the binding layer, so
// scripts may call them from any thread. map_changed() is emitted at the begin of a physics frame.

#include "nav_corridor_server.h"

#include "agent.h"
#include "crowd.h"
#include "plan.h"
#include "server.h"
#include "shape_node.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

typedef struct NavCorridorServer
{
	GdInstance base;
} NavCorridorServer;

// What the last physics frame took.
static int64_t update_usec;
static int64_t agent_usec;

// NULL before the extension starts, after it ended, and when a script freed the server. Nodes only
// need the store, so they go on without it.
static NavCorridorServer* server;
static bool has_monitors;

// ---- Checked arguments -------------------------------------------------------------------------

StoreMap* server_find_map(const GdCall* call)
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

bool server_check_points(const GdCall* call, int index)
{
	int count;
	const GdVector2* items = gd_vector2_items(call->args[index], &count);
	for (int i = 0; i < count; ++i)
	{
		NcVec2 point = gd_vec2(items[i]);
		if (!(fabs(point.x) <= STORE_MAX_COORDINATE && fabs(point.y) <= STORE_MAX_COORDINATE))
		{
			GD_ERROR("%s(): vertex %d is (%g, %g), which is no usable position. Coordinates must "
					 "be numbers within %g units of the origin.",
				call->method->name, i, point.x, point.y, STORE_MAX_COORDINATE);
			return false;
		}
	}
	return true;
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

// ---- Maps --------------------------------------------------------------------------------------

// map_create() -> RID
static void map_create(GdCall* call)
{
	gd_return_rid(call, store_create_map());
}

// map_set_active(map: RID, active: bool)
static void map_set_active(GdCall* call)
{
	StoreMap* map = server_find_map(call);
	if (map != NULL)
	{
		map->is_active = gd_arg_bool(call, 1);
		store_touch_layout();
	}
}

// map_is_active(map: RID) -> bool
static void map_is_active(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
	gd_return_bool(call, map != NULL && map->is_active);
}

// map_set_navigation_layers(map: RID, navigation_layers: int)
static void map_set_navigation_layers(GdCall* call)
{
	StoreMap* map = server_find_map(call);
	int64_t layers = gd_arg_int(call, 1);
	if (map == NULL)
	{
		return;
	}
	if (layers < 0 || layers > UINT32_MAX)
	{
		GD_ERROR("map_set_navigation_layers(): the layers are a set of 32 bits, not %lld.",
			(long long)layers);
		return;
	}
	map->layers = (uint32_t)layers;
	store_touch_layout();
}

// map_get_navigation_layers(map: RID) -> int
static void map_get_navigation_layers(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
	gd_return_int(call, map != NULL ? map->layers : 0);
}

// map_set_search_budget(map: RID, steps: int)
static void map_set_search_budget(GdCall* call)
{
	StoreMap* map = server_find_map(call);
	int64_t steps = gd_arg_int(call, 1);
	if (map == NULL)
	{
		return;
	}
	if (steps < 0 || steps > INT_MAX)
	{
		GD_ERROR("map_set_search_budget(): the budget is a number of steps from 0 on, not %lld.",
			(long long)steps);
		return;
	}
	map->search_budget = (int)steps;
}

// map_get_search_budget(map: RID) -> int
static void map_get_search_budget(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
	gd_return_int(call, map != NULL ? map->search_budget : 0);
}

// map_set_bounds(map: RID, bounds: Rect2)
static void map_set_bounds(GdCall* call)
{
	StoreMap* map = server_find_map(call);
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
	const StoreMap* map = server_find_map(call);
	if (map != NULL && !nc_box_is_empty(map->bounds))
	{
		*(GdRect2*)call->result = (GdRect2){gd_vector2(map->bounds.lower),
			gd_vector2(nc_sub(map->bounds.upper, map->bounds.lower))};
	}
}

// map_force_update(map: RID)
static void map_force_update(GdCall* call)
{
	if (gd_is_main_thread())
	{
		shape_nodes_force_update();
	}
	server_find_built_map(call);
}

// map_get_iteration_id(map: RID) -> int
static void map_get_iteration_id(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
	gd_return_int(call, map != NULL ? map->iteration : 0);
}

// map_get_obstacles(map: RID) -> Array
static void map_get_obstacles(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
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
	GdRid rid = gd_arg_rid(call, 0);
	Walker* walker = walker_get(rid);
	if (walker != NULL && walker->owner != NULL)
	{
		GD_ERROR("free_rid(): this agent belongs to a CorridorAgent. Free the node.");
		return;
	}
	if (walker != NULL)
	{
		walker_close(walker);
		free(walker);
		return;
	}
	if (!store_free(rid))
	{
		GD_ERROR("free_rid(): the RID names nothing of this server. Was it freed before?");
	}
}

// ---- Information -------------------------------------------------------------------------------

static void sum_maps(int64_t* sums)
{
	int slot = 0;
	for (StoreMap* map = store_next_map(&slot); map != NULL; map = store_next_map(&slot))
	{
		NcMapStats stats = map->core != NULL ? nc_map_get_stats(map->core) : (NcMapStats){0};
		sums[INFO_ACTIVE_MAPS] += map->is_active;
		sums[INFO_OBSTACLE_COUNT] += map->obstacles.count;
		sums[INFO_TERRAIN_COUNT] += map->terrains.count;
		sums[INFO_VERTEX_COUNT] += stats.vertex_count;
		sums[INFO_EDGE_COUNT] += stats.edge_count;
		sums[INFO_SITE_COUNT] += stats.site_count;
	}
}

static int64_t get_info(int64_t kind)
{
	WalkerCounts counts = walker_get_counts();
	int64_t sums[INFO_COUNT] = {
		[INFO_MEMORY] = (int64_t)nc_get_byte_count(),
		[INFO_SEARCH_COUNT] = counts.search_count,
		[INFO_REPLAN_COUNT] = counts.replan_count,
		[INFO_KEPT_COUNT] = counts.kept_count,
		[INFO_UPDATE_USEC] = update_usec,
		[INFO_AGENT_USEC] = agent_usec,
	};
	if (kind == INFO_AGENT_COUNT)
	{
		int slot = 0;
		for (; rid_next(RID_AGENT, &slot) != NULL;)
		{
			++sums[INFO_AGENT_COUNT];
		}
		return sums[INFO_AGENT_COUNT];
	}
	if (sums[kind] == 0)
	{
		sum_maps(sums);
	}
	return sums[kind];
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
	gd_return_int(call, get_info(kind));
}

// ---- The class ---------------------------------------------------------------------------------

// clang-format off
#define MAP {"map", GD_RID}
// clang-format on

static const GdMethod methods[] = {
	{"map_create", map_create, GD_RID},
	{"map_set_active", map_set_active, GD_NIL, {MAP, {"active", GD_BOOL}}},
	{"map_is_active", map_is_active, GD_BOOL, {MAP}, true},
	{"map_set_navigation_layers", map_set_navigation_layers, GD_NIL,
		{MAP, {"navigation_layers", GD_INT}}},
	{"map_get_navigation_layers", map_get_navigation_layers, GD_INT, {MAP}, true},
	{"map_set_search_budget", map_set_search_budget, GD_NIL, {MAP, {"steps", GD_INT}}},
	{"map_get_search_budget", map_get_search_budget, GD_INT, {MAP}, true},
	{"map_set_bounds", map_set_bounds, GD_NIL, {MAP, {"bounds", GD_RECT2}}},
	{"map_get_bounds", map_get_bounds, GD_RECT2, {MAP}, true},
	{"map_force_update", map_force_update, GD_NIL, {MAP}},
	{"map_get_iteration_id", map_get_iteration_id, GD_INT, {MAP}, true},
	{"map_get_obstacles", map_get_obstacles, GD_ARRAY, {MAP}, true},
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
	{"ProcessInfo", "INFO_AGENT_COUNT", INFO_AGENT_COUNT},
	{"ProcessInfo", "INFO_TERRAIN_COUNT", INFO_TERRAIN_COUNT},
	{"ProcessInfo", "INFO_SEARCH_COUNT", INFO_SEARCH_COUNT},
	{"ProcessInfo", "INFO_REPLAN_COUNT", INFO_REPLAN_COUNT},
	{"ProcessInfo", "INFO_KEPT_COUNT", INFO_KEPT_COUNT},
	{"ProcessInfo", "INFO_UPDATE_USEC", INFO_UPDATE_USEC},
	{"ProcessInfo", "INFO_AGENT_USEC", INFO_AGENT_USEC},
	{"Route", "ROUTE_MEDIAL", NC_ROUTE_MEDIAL},
	{"Route", "ROUTE_SHORTEST", NC_ROUTE_SHORTEST},
	{"Route", "ROUTE_WEIGHTED", NC_ROUTE_WEIGHTED},
	{"Route", "ROUTE_SIDE", NC_ROUTE_SIDE},
	{"Route", "ROUTE_CONTROL", NC_ROUTE_CONTROL},
	{"Method", "METHOD_CMM", WALKER_CMM},
	{"Method", "METHOD_IMPROVED", WALKER_IMPROVED},
	{"Method", "METHOD_IRM", WALKER_IRM},
	{"Method", "METHOD_MIRAN", WALKER_MIRAN},
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
		if (has_monitors)
		{
			server_remove_monitors();
		}
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
	.more_methods =
		{
			{server_obstacle_methods, SERVER_OBSTACLE_METHOD_COUNT},
			{server_question_methods, SERVER_QUESTION_METHOD_COUNT},
			{server_terrain_methods, SERVER_TERRAIN_METHOD_COUNT},
			{server_agent_methods, SERVER_AGENT_METHOD_COUNT},
		},
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

static int64_t get_usec(void)
{
	return gd_time_get_ticks_usec(gd_singleton("Time"));
}

static void on_physics_frame(void)
{
	GDExtensionObjectPtr engine = gd_singleton("Engine");
	int64_t begin = get_usec();
	server_finish_path_queries(false);
	shape_nodes_update();
	update_maps();
	int64_t middle = get_usec();
	agent_begin_frame();
	crowd_step(
		gd_engine_get_time_scale(engine) / (double)gd_engine_get_physics_ticks_per_second(engine));
	update_usec = middle - begin;
	agent_usec = get_usec() - middle;
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
	if (server != NULL)
	{
		server_add_monitors(server->base.object);
		has_monitors = true;
	}
}

// The engine ends its scripting languages before us: a listener of theirs must not be left behind.
void nav_corridor_server_stop(void)
{
	server_finish_path_queries(true);
	gd_disconnect_all();
	if (has_monitors)
	{
		server_remove_monitors();
		has_monitors = false;
	}
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
