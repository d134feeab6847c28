// SPDX-License-Identifier: MIT

// The methods of CorridorAgent, with the names of NavigationAgent.

#include "agent.h"

static bool check_parent(const GdCall* call)
{
	const CorridorAgent* self = call->self;
	if (agent_get_parent(self) != NULL)
	{
		return true;
	}
	GD_ERROR(
		"CorridorAgent.%s(): the agent needs a parent in the tree that is a Node2D or a Node3D.",
		call->method->name);
	return false;
}

// get_next_path_position() -> Vector2 or Vector3
static void get_next_path_position(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (!check_parent(call) || !agent_update(self))
	{
		return;
	}
	Place position = agent_get_position(self);
	const Walker* walker = &self->walker;
	bool is_walking = walker->path_index < walker->path.count;
	agent_return_place(call, is_walking ? walker->path.data[walker->path_index] : position.plane,
		position.height, self->parent_type);
}

// get_final_position() -> Vector2 or Vector3
static void get_final_position(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (!check_parent(call) || !agent_update(self))
	{
		return;
	}
	Place position = agent_get_position(self);
	const Points* path = &self->walker.path;
	agent_return_place(call, path->count > 0 ? path->data[path->count - 1] : position.plane,
		position.height, self->parent_type);
}

// Points as a packed array of what the parent's positions are.
static GdVariant make_points_variant(const CorridorAgent* self, const NcVec2* points, int count)
{
	GdVariant variant;
	if (self->parent_type == GD_VECTOR3)
	{
		GdPackedVector3Array array =
			gd_vector3_array(points, count, agent_get_position(self).height);
		variant = gd_variant(GD_PACKED_VECTOR3_ARRAY, &array);
		gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
		return variant;
	}
	GdPackedVector2Array array = gd_vector2_array(points, count);
	variant = gd_variant(GD_PACKED_VECTOR2_ARRAY, &array);
	gd_destroy(GD_PACKED_VECTOR2_ARRAY, &array);
	return variant;
}

// get_current_navigation_path() -> PackedVector2Array or PackedVector3Array
static void get_current_navigation_path(GdCall* call)
{
	const CorridorAgent* self = call->self;
	GdVariant variant = make_points_variant(self, self->walker.path.data, self->walker.path.count);
	gd_assign(GD_VARIANT, call->result, &variant);
	gd_destroy(GD_VARIANT, &variant);
}

// get_corridor() -> Dictionary
static void get_corridor(GdCall* call)
{
	// With y pointing down, what is on the left for the library is on the right.
	static const char* const keys[] = {"points", "right", "left"};
	const CorridorAgent* self = call->self;
	const Points* corridor = &self->walker.corridor;
	Points points = {0};
	for (int k = 0; k < GD_COUNT(keys); ++k)
	{
		points_clear(&points);
		for (int i = k; i < corridor->count; i += GD_COUNT(keys))
		{
			points_push(&points, corridor->data[i]);
		}
		gd_dictionary_set(
			call->result, keys[k], make_points_variant(self, points.data, points.count));
	}
	points_free(&points);
}

// get_current_navigation_path_index() -> int
static void get_current_navigation_path_index(GdCall* call)
{
	gd_return_int(call, ((const CorridorAgent*)call->self)->walker.path_index);
}

// get_path_length() -> float
static void get_path_length(GdCall* call)
{
	gd_return_float(call, ((const CorridorAgent*)call->self)->walker.path_length);
}

// is_navigation_finished() -> bool
static void is_navigation_finished(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (agent_update(self))
	{
		gd_return_bool(call, self->is_navigation_finished);
	}
}

// is_target_reached() -> bool
static void is_target_reached(GdCall* call)
{
	gd_return_bool(call, ((const CorridorAgent*)call->self)->is_target_reached);
}

// is_target_reachable() -> bool
static void is_target_reachable(GdCall* call)
{
	CorridorAgent* self = call->self;
	if (agent_update(self) && self->walker.path.count > 0)
	{
		NcVec2 end = self->walker.path.data[self->walker.path.count - 1];
		gd_return_bool(call, nc_distance(end, self->target.plane) <= self->target_desired_distance);
	}
}

// distance_to_target() -> float
static void distance_to_target(GdCall* call)
{
	const CorridorAgent* self = call->self;
	if (check_parent(call) && self->target.type != GD_NIL)
	{
		gd_return_float(call, nc_distance(agent_get_position(self).plane, self->target.plane));
	}
}

// set_navigation_map(navigation_map: RID)
static void set_navigation_map(GdCall* call)
{
	CorridorAgent* self = call->self;
	GdRid rid = gd_arg_rid(call, 0);
	gd_lock();
	bool is_known = rid == 0 || store_get_map(rid) != NULL;
	gd_unlock();
	if (!is_known)
	{
		GD_ERROR("CorridorAgent.set_navigation_map(): the RID names no map of NavCorridorServer.");
		return;
	}
	self->navigation_map = rid;
	agent_on_path_changed(self);
}

// get_navigation_map() -> RID
static void get_navigation_map(GdCall* call)
{
	CorridorAgent* self = call->self;
	gd_lock();
	const StoreMap* map = agent_get_parent(self) != NULL ? agent_find_map(self) : NULL;
	gd_return_rid(call, self->navigation_map != 0 ? self->navigation_map
						: map != NULL             ? map->rid
												  : 0);
	gd_unlock();
}

// get_rid() -> RID
static void get_rid(GdCall* call)
{
	gd_return_rid(call, ((const CorridorAgent*)call->self)->walker.rid);
}

// set_velocity_forced(velocity: Vector2 or Vector3)
static void set_velocity_forced(GdCall* call)
{
	CorridorAgent* self = call->self;
	Place place;
	if (agent_read_place(call, &place))
	{
		self->walker.body.velocity = place.plane;
	}
}

// The bit sets that single layers are read from and written to, by their place in the struct.
static const size_t navigation_field = offsetof(CorridorAgent, navigation_layers);
static const size_t layers_field = offsetof(CorridorAgent, walker.avoidance_layers);
static const size_t mask_field = offsetof(CorridorAgent, walker.avoidance_mask);

// @return NULL, with an error message, if there is no such layer
static int64_t* find_bits(GdCall* call, int64_t* bit)
{
	int64_t number = gd_arg_int(call, 0);
	if (number < 1 || number > 32)
	{
		GD_ERROR("CorridorAgent.%s(): layers are numbered from 1 to 32, not %lld.",
			call->method->name, (long long)number);
		return NULL;
	}
	*bit = (int64_t)1 << (number - 1);
	return (int64_t*)((char*)call->self + *(const size_t*)call->method->data);
}

// set_avoidance_layer_value(layer_number: int, value: bool), and the same for the other sets
static void set_bit(GdCall* call)
{
	int64_t bit;
	int64_t* bits = find_bits(call, &bit);
	if (bits != NULL)
	{
		*bits = gd_arg_bool(call, 1) ? *bits | bit : *bits & ~bit;
	}
}

// get_avoidance_layer_value(layer_number: int) -> bool, and the same for the other sets
static void get_bit(GdCall* call)
{
	int64_t bit;
	const int64_t* bits = find_bits(call, &bit);
	gd_return_bool(call, bits != NULL && (*bits & bit) != 0);
}

const GdMethod agent_methods[AGENT_METHOD_COUNT] = {
	{"get_next_path_position", get_next_path_position, GD_VARIANT},
	{"get_final_position", get_final_position, GD_VARIANT},
	{"get_current_navigation_path", get_current_navigation_path, GD_VARIANT, {{0}}, true},
	{"get_current_navigation_path_index", get_current_navigation_path_index, GD_INT, {{0}}, true},
	{"get_path_length", get_path_length, GD_FLOAT, {{0}}, true},
	{"is_navigation_finished", is_navigation_finished, GD_BOOL},
	{"is_target_reached", is_target_reached, GD_BOOL, {{0}}, true},
	{"is_target_reachable", is_target_reachable, GD_BOOL},
	{"distance_to_target", distance_to_target, GD_FLOAT, {{0}}, true},
	{"set_navigation_map", set_navigation_map, GD_NIL, {{"navigation_map", GD_RID}}},
	{"get_navigation_map", get_navigation_map, GD_RID, {{0}}, true},
	{"get_corridor", get_corridor, GD_DICTIONARY, {{0}}, true},
	{"get_rid", get_rid, GD_RID, {{0}}, true},
	{"set_velocity_forced", set_velocity_forced, GD_NIL, {{"velocity", GD_VARIANT}}},
	{"set_navigation_layer_value", set_bit, GD_NIL, {{"layer_number", GD_INT}, {"value", GD_BOOL}},
		.data = &navigation_field},
	{"get_navigation_layer_value", get_bit, GD_BOOL, {{"layer_number", GD_INT}}, true,
		&navigation_field},
	{"set_avoidance_layer_value", set_bit, GD_NIL, {{"layer_number", GD_INT}, {"value", GD_BOOL}},
		.data = &layers_field},
	{"get_avoidance_layer_value", get_bit, GD_BOOL, {{"layer_number", GD_INT}}, true,
		&layers_field},
	{"set_avoidance_mask_value", set_bit, GD_NIL, {{"mask_number", GD_INT}, {"value", GD_BOOL}},
		.data = &mask_field},
	{"get_avoidance_mask_value", get_bit, GD_BOOL, {{"mask_number", GD_INT}}, true, &mask_field},
};
