// SPDX-License-Identifier: MIT

// The methods of NavCorridorServer for agents without nodes: the server moves them in the batch of
// all agents, and scripts read where they are.

#include "server.h"
#include "walker.h"

#include <stdlib.h>

static Walker* find_agent(const GdCall* call)
{
	Walker* walker = walker_get(gd_arg_rid(call, 0));
	if (walker == NULL)
	{
		GD_ERROR("%s(): the RID names no agent. Use one that agent_create() returned and that was "
				 "not freed.",
			call->method->name);
	}
	return walker;
}

// The same for a change, which the node of an agent would not know of.
static Walker* find_own_agent(const GdCall* call)
{
	Walker* walker = find_agent(call);
	if (walker != NULL && walker->owner != NULL)
	{
		GD_ERROR("%s(): this agent belongs to a CorridorAgent. Change the properties of the node.",
			call->method->name);
		return NULL;
	}
	return walker;
}

// agent_create() -> RID
static void agent_create(GdCall* call)
{
	Walker* walker = calloc(1, sizeof(Walker));
	if (walker == NULL)
	{
		GD_ERROR("Out of memory.");
		return;
	}
	walker_init(walker, NULL);
	if (walker->rid == 0)
	{
		free(walker);
		return;
	}
	gd_return_rid(call, walker->rid);
}

// agent_set_map(agent: RID, map: RID)
static void agent_set_map(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	GdRid rid = gd_arg_rid(call, 1);
	if (walker == NULL)
	{
		return;
	}
	if (rid != 0 && store_get_map(rid) == NULL)
	{
		GD_ERROR("agent_set_map(): the second RID names no map. Pass RID() to take the agent out "
				 "of its map.");
		return;
	}
	walker->map = rid;
	walker_forget_path(walker);
}

// agent_get_map(agent: RID) -> RID
static void agent_get_map(GdCall* call)
{
	const Walker* walker = find_agent(call);
	gd_return_rid(call, walker != NULL ? walker->map : 0);
}

// agent_set_position(agent: RID, position: Vector2)
static void agent_set_position(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	if (walker != NULL && server_check_point(call, 1))
	{
		walker_put(walker, gd_arg_vec2(call, 1));
		walker->is_lost = walker->path.count > 0;
	}
}

// agent_get_position(agent: RID) -> Vector2
static void agent_get_position(GdCall* call)
{
	const Walker* walker = find_agent(call);
	gd_return_vec2(call, walker != NULL ? walker->position : (NcVec2){0.0, 0.0});
}

// agent_get_velocity(agent: RID) -> Vector2
static void agent_get_velocity(GdCall* call)
{
	const Walker* walker = find_agent(call);
	gd_return_vec2(call, walker != NULL ? walker->velocity : (NcVec2){0.0, 0.0});
}

// agent_set_target(agent: RID, position: Vector2)
static void agent_set_target(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	if (walker != NULL && server_check_point(call, 1))
	{
		walker_forget_path(walker);
		walker->target = gd_arg_vec2(call, 1);
		walker->has_target = true;
		walker->outcome = NC_STEER_WALKING;
	}
}

// agent_stop(agent: RID)
static void agent_stop(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	if (walker != NULL)
	{
		walker_forget_path(walker);
		walker_put(walker, walker->position);
		walker->velocity = walker->body.velocity = (NcVec2){0.0, 0.0};
		walker->has_target = false;
	}
}

// agent_is_finished(agent: RID) -> bool
static void agent_is_finished(GdCall* call)
{
	const Walker* walker = find_agent(call);
	bool is_stuck = walker != NULL && walker->path.count > 0 && !walker->is_found;
	gd_return_bool(call,
		walker == NULL || !walker->has_target || is_stuck || walker->outcome == NC_STEER_ARRIVED);
}

// agent_get_path(agent: RID) -> PackedVector2Array
static void agent_get_path(GdCall* call)
{
	const Walker* walker = find_agent(call);
	if (walker != NULL)
	{
		gd_assign_vector2_array(call->result, walker->path.data, walker->path.count);
	}
}

// Numbers and switches of an agent, by their place in the struct.
#define FIELD(name, member) static const size_t name = offsetof(Walker, member)
FIELD(radius_field, radius);
FIELD(max_speed_field, max_speed);
FIELD(max_acceleration_field, max_acceleration);
FIELD(avoidance_field, is_avoiding);
FIELD(paused_field, is_paused);

static void* get_field(const GdCall* call, Walker* walker)
{
	return (char*)walker + *(const size_t*)call->method->data;
}

// agent_set_radius(agent: RID, radius: float), and other numbers of at least zero
static void set_number(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	double value = gd_arg_float(call, 1);
	if (walker == NULL)
	{
		return;
	}
	if (!(value >= 0.0 && value <= STORE_MAX_COORDINATE))
	{
		GD_ERROR("%s(): the %s must be a number of at least 0, not %g.", call->method->name,
			call->method->args[1].name, value);
		return;
	}
	*(double*)get_field(call, walker) = value;
	walker->is_lost = walker->path.count > 0;
}

static void get_number(GdCall* call)
{
	Walker* walker = find_agent(call);
	gd_return_float(call, walker != NULL ? *(double*)get_field(call, walker) : 0.0);
}

static void set_switch(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	if (walker != NULL)
	{
		*(bool*)get_field(call, walker) = gd_arg_bool(call, 1);
	}
}

static void get_switch(GdCall* call)
{
	Walker* walker = find_agent(call);
	gd_return_bool(call, walker != NULL && *(bool*)get_field(call, walker));
}

// agent_set_method(agent: RID, method: int)
static void agent_set_method(GdCall* call)
{
	Walker* walker = find_own_agent(call);
	int64_t method = gd_arg_int(call, 1);
	if (walker == NULL)
	{
		return;
	}
	if (method < 0 || method >= WALKER_METHOD_COUNT)
	{
		GD_ERROR("agent_set_method(): there is no method %lld. Use a constant of Method.",
			(long long)method);
		return;
	}
	walker->method = method;
	walker->route = method == WALKER_CMM ? NC_ROUTE_MEDIAL : NC_ROUTE_SHORTEST;
	walker->is_lost = walker->path.count > 0;
}

// agent_get_method(agent: RID) -> int
static void agent_get_method(GdCall* call)
{
	const Walker* walker = find_agent(call);
	gd_return_int(call, walker != NULL ? walker->method : 0);
}

// map_get_agents(map: RID) -> Array
static void map_get_agents(GdCall* call)
{
	const StoreMap* map = server_find_map(call);
	int slot = 0;
	for (const Walker* walker = rid_next(RID_AGENT, &slot); map != NULL && walker != NULL;
		 walker = rid_next(RID_AGENT, &slot))
	{
		if (walker->map == map->rid)
		{
			gd_array_push(call->result, gd_variant(GD_RID, &walker->rid));
		}
	}
}

// agent_get_search_count(agent: RID) -> int
static void agent_get_search_count(GdCall* call)
{
	const Walker* walker = find_agent(call);
	gd_return_int(call, walker != NULL ? walker->path_serial : 0);
}

// clang-format off
#define AGENT {"agent", GD_RID}
#define POSITION {"position", GD_VECTOR2}
#define METHOD "NavCorridorServer.Method"
// clang-format on

const GdMethod server_agent_methods[SERVER_AGENT_METHOD_COUNT] = {
	{"agent_create", agent_create, GD_RID},
	{"agent_set_map", agent_set_map, GD_NIL, {AGENT, {"map", GD_RID}}},
	{"agent_get_map", agent_get_map, GD_RID, {AGENT}, true},
	{"agent_set_position", agent_set_position, GD_NIL, {AGENT, POSITION}},
	{"agent_get_position", agent_get_position, GD_VECTOR2, {AGENT}, true},
	{"agent_get_velocity", agent_get_velocity, GD_VECTOR2, {AGENT}, true},
	{"agent_set_target", agent_set_target, GD_NIL, {AGENT, POSITION}},
	{"agent_stop", agent_stop, GD_NIL, {AGENT}},
	{"agent_is_finished", agent_is_finished, GD_BOOL, {AGENT}, true},
	{"agent_get_path", agent_get_path, GD_PACKED_VECTOR2_ARRAY, {AGENT}, true},
	{"agent_get_search_count", agent_get_search_count, GD_INT, {AGENT}, true},
	{"agent_set_radius", set_number, GD_NIL, {AGENT, {"radius", GD_FLOAT}}, .data = &radius_field},
	{"agent_get_radius", get_number, GD_FLOAT, {AGENT}, true, &radius_field},
	{"agent_set_max_speed", set_number, GD_NIL, {AGENT, {"max_speed", GD_FLOAT}},
		.data = &max_speed_field},
	{"agent_get_max_speed", get_number, GD_FLOAT, {AGENT}, true, &max_speed_field},
	{"agent_set_max_acceleration", set_number, GD_NIL, {AGENT, {"max_acceleration", GD_FLOAT}},
		.data = &max_acceleration_field},
	{"agent_get_max_acceleration", get_number, GD_FLOAT, {AGENT}, true, &max_acceleration_field},
	{"agent_set_method", agent_set_method, GD_NIL,
		{AGENT, {"method", GD_INT, .enum_name = METHOD}}},
	{"agent_get_method", agent_get_method, GD_INT, {AGENT}, true, NULL, METHOD},
	{"agent_set_avoidance_enabled", set_switch, GD_NIL, {AGENT, {"enabled", GD_BOOL}},
		.data = &avoidance_field},
	{"agent_get_avoidance_enabled", get_switch, GD_BOOL, {AGENT}, true, &avoidance_field},
	{"agent_set_paused", set_switch, GD_NIL, {AGENT, {"paused", GD_BOOL}}, .data = &paused_field},
	{"agent_get_paused", get_switch, GD_BOOL, {AGENT}, true, &paused_field},
	{"map_get_agents", map_get_agents, GD_ARRAY, {{"map", GD_RID}}, true},
};
