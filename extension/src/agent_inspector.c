// SPDX-License-Identifier: MIT

// How an agent looks in the editor's docks: types and units of its properties, and warnings.

#include "agent.h"

#include <string.h>

// The sliders below a Node3D; the table of the class has those below a Node2D.
static const struct
{
	const char* property;
	const char* range;
} ranges_3d[] = {
	{"radius", "0,10,0.01,or_greater,suffix:m"},
	{"path_desired_distance", "0.01,100,0.01,or_greater,suffix:m"},
	{"target_desired_distance", "0.01,100,0.01,or_greater,suffix:m"},
	{"path_max_distance", "0.01,100,0.01,or_greater,suffix:m"},
	{"preferred_clearance", "0,20,0.01,or_greater,suffix:m"},
	{"max_speed", "0,100,0.01,or_greater,suffix:m/s"},
	{"max_acceleration", "0,1000,0.01,or_greater,suffix:m/s²"},
	{"sigma", "0,20,0.01,or_greater,suffix:m"},
	{"sampling_distance", "0,20,0.01,or_greater,suffix:m"},
	{"neighbor_distance", "0.1,1000,0.01,or_greater,suffix:m"},
};

static void show_in_meters(const char* name, GDExtensionPropertyInfo* info)
{
	for (int i = 0; i < GD_COUNT(ranges_3d); ++i)
	{
		if (strcmp(name, ranges_3d[i].property) == 0)
		{
			GdString range = gd_string(ranges_3d[i].range);
			gd_assign(GD_STRING, info->hint_string, &range);
			gd_destroy(GD_STRING, &range);
			return;
		}
	}
	if (strcmp(name, "navigation_layers") == 0)
	{
		info->hint = GD_HINT_LAYERS_3D_NAVIGATION;
	}
}

// Positions are shown and stored as what the parent has.
void agent_validate_property(void* instance, const char* name, GDExtensionPropertyInfo* info)
{
	const CorridorAgent* self = instance;
	if (self->parent_type == GD_VECTOR3)
	{
		show_in_meters(name, info);
	}
	bool is_position = strcmp(name, "target_position") == 0 || strcmp(name, "velocity") == 0;
	if (is_position && self->parent_type != GD_NIL)
	{
		info->type = (GDExtensionVariantType)self->parent_type;
		info->usage &= ~(uint32_t)GD_USAGE_NIL_IS_VARIANT;
	}
}

// Whoever is alone in a scene of its own will find a map where that is used.
static bool is_alone(const CorridorAgent* self)
{
	GDExtensionObjectPtr tree = gd_node_get_tree(self->base.object);
	GDExtensionObjectPtr root = gd_scene_tree_get_edited_scene_root(tree);
	return root == NULL || root == self->parent || gd_node_get_owner(self->base.object) != root;
}

void agent_look_for_map(CorridorAgent* self)
{
	NcVec2 position = agent_get_position(self).plane;
	gd_lock();
	bool is_homeless = agent_choose_map(self, position) == NULL && !is_alone(self);
	gd_unlock();
	if (is_homeless != self->is_homeless)
	{
		self->is_homeless = is_homeless;
		gd_node_update_configuration_warnings(self->base.object);
	}
}

static void add_warning(GdCall* call, const char* warning)
{
	GdString text = gd_string(warning);
	gd_packed_string_array_append(call->result, &text);
	gd_destroy(GD_STRING, &text);
}

// _get_configuration_warnings() -> PackedStringArray
void agent_get_configuration_warnings(GdCall* call)
{
	const CorridorAgent* self = call->self;
	if (self->parent_type == GD_NIL)
	{
		add_warning(call, "CorridorAgent moves its parent, which must be a Node2D or a "
						  "Node3D. Make it a child of one.");
	}
	if (self->is_homeless)
	{
		add_warning(call, "There is no map for the agent. Add a CorridorRegion2D or a "
						  "CorridorRegion3D to the scene, or compare their Navigation Layers.");
	}
	GDExtensionObjectPtr route = agent_find_route(self);
	bool is_path = route != NULL && (gd_is_class(route, "Path2D") || gd_is_class(route, "Path3D"));
	if (!gd_node_path_is_empty(&self->route) && !is_path)
	{
		add_warning(call, "The route must lead to a Path2D or a Path3D.");
	}
}
