// SPDX-License-Identifier: MIT

// The parent of an agent: where it is, and how it moves after the batch of all agents.

#include "agent.h"

#include "terrain_profile.h"

#include <string.h>

// A difference of this many units per unit of coordinate is rounding: some steps between floats.
#define ROUNDING 1.0e-6

#define WALKER_TO_AGENT(walker) ((CorridorAgent*)((char*)(walker)-offsetof(CorridorAgent, walker)))

// ---- Where it is -------------------------------------------------------------------------------

GDExtensionObjectPtr agent_get_parent(const CorridorAgent* self)
{
	GDExtensionObjectPtr parent = gd_get_object(self->parent_id);
	return parent != NULL && self->parent_type != GD_NIL && gd_node_is_inside_tree(parent) ? parent
																						   : NULL;
}

Place agent_get_position(const CorridorAgent* self)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	if (parent != NULL && self->parent_type == GD_VECTOR3)
	{
		GdVector3 v = gd_node_3d_get_global_position(parent);
		return (Place){{(double)v.x, (double)v.z}, (double)v.y, GD_VECTOR3};
	}
	GdVector2 v = parent != NULL ? gd_node_2d_get_global_position(parent) : (GdVector2){0.0f, 0.0f};
	return (Place){{(double)v.x, (double)v.y}, 0.0, GD_VECTOR2};
}

void agent_read_position(CorridorAgent* self)
{
	NcVec2 position = agent_get_position(self).plane;
	NcVec2 known = self->walker.body.position;
	double distance = nc_distance(position, known);
	if (distance > ROUNDING * (1.0 + fabs(position.x) + fabs(position.y)))
	{
		self->walker.body.position = position;
		// Somebody has put it elsewhere: its path does not begin here.
		bool is_far = distance >= self->path_max_distance;
		self->walker.is_lost |= self->walker.path.count > 0 && is_far;
	}
}

// An agent that nobody has touched has the defaults of its parent's space.
static void take_defaults_of_3d(CorridorAgent* self)
{
	const struct
	{
		double* value;
		double in_2d, in_3d;
	} rows[] = {
		{&self->path_desired_distance, 20.0, 1.0},
		{&self->target_desired_distance, 10.0, 1.0},
		{&self->path_max_distance, 100.0, 5.0},
		{&self->walker.radius, 10.0, 0.5},
		{&self->walker.max_speed, 100.0, 10.0},
		{&self->walker.neighbor_distance, 500.0, 50.0},
	};
	for (int i = 0; i < GD_COUNT(rows); ++i)
	{
		*rows[i].value = *rows[i].value == rows[i].in_2d ? rows[i].in_3d : *rows[i].value;
	}
	self->dimension = 3;
}

void agent_set_parent(CorridorAgent* self, GDExtensionObjectPtr parent)
{
	self->parent_id = gd_get_id(parent);
	self->parent_type = parent == NULL                  ? GD_NIL
						: gd_is_class(parent, "Node2D") ? GD_VECTOR2
						: gd_is_class(parent, "Node3D") ? GD_VECTOR3
														: GD_NIL;
	self->is_body = parent != NULL && (gd_is_class(parent, "CharacterBody2D") ||
										  gd_is_class(parent, "CharacterBody3D"));
	if (self->parent_type == GD_VECTOR3 && self->dimension != 3 && !self->has_space)
	{
		take_defaults_of_3d(self);
	}
	self->has_space |= self->parent_type != GD_NIL;
	gd_object_notify_property_list_changed(self->base.object);
	gd_node_update_configuration_warnings(self->base.object);
}

// ---- How it moves ------------------------------------------------------------------------------

static void place_parent(const CorridorAgent* self, GDExtensionObjectPtr parent, NcVec2 plane)
{
	if (self->parent_type == GD_VECTOR3)
	{
		GdVector3 v = gd_node_3d_get_global_position(parent);
		gd_node_3d_set_global_position(parent, (GdVector3){(float)plane.x, v.y, (float)plane.y});
	}
	else
	{
		gd_node_2d_set_global_position(parent, gd_vector2(plane));
	}
}

// A body collides; what happens above the plane, as falling, is left as it is.
static void slide_parent(const CorridorAgent* self, GDExtensionObjectPtr parent, NcVec2 velocity)
{
	if (self->parent_type == GD_VECTOR3)
	{
		GdVector3 v = gd_character_body_3d_get_velocity(parent);
		gd_character_body_3d_set_velocity(
			parent, (GdVector3){(float)velocity.x, v.y, (float)velocity.y});
		gd_character_body_3d_move_and_slide(parent);
	}
	else
	{
		gd_character_body_2d_set_velocity(parent, gd_vector2(velocity));
		gd_character_body_2d_move_and_slide(parent);
	}
}

static void move_parent(CorridorAgent* self, double dt)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	if (parent != NULL && self->is_body)
	{
		NcVec2 way = nc_sub(self->walker.body.position, agent_get_position(self).plane);
		slide_parent(self, parent, nc_scale(1.0 / dt, way));
	}
	else if (parent != NULL)
	{
		place_parent(self, parent, self->walker.body.position);
	}
}

// ---- The batch ---------------------------------------------------------------------------------

// Weights that changed make the path a matter of the past.
static void read_profile(CorridorAgent* self)
{
	NcTerrainProfile profile;
	Walker* walker = &self->walker;
	bool has_profile = terrain_profile_read(self->terrain_profile, &profile);
	if (has_profile && walker->has_profile &&
		memcmp(&profile, &walker->profile, sizeof(profile)) != 0)
	{
		walker->is_lost |= walker->path.count > 0;
	}
}

static WalkerPresence prepare(Walker* walker)
{
	CorridorAgent* self = WALKER_TO_AGENT(walker);
	if (agent_get_parent(self) == NULL || gd_engine_is_editor_hint(gd_singleton("Engine")))
	{
		return WALKER_ABSENT;
	}
	agent_read_position(self);
	if (!gd_node_can_process(self->base.object))
	{
		return WALKER_STANDING;
	}
	StoreMap* map = agent_find_map(self);
	if (self->auto_move && walker->has_target)
	{
		read_profile(self);
		if (map != NULL && walker_needs_path(walker, map))
		{
			agent_describe_path(self);
		}
		return WALKER_WALKING;
	}
	if (self->has_velocity)
	{
		walker->wish = self->velocity.plane;
		return WALKER_ANSWERING;
	}
	return WALKER_STANDING;
}

static void tell_velocity(CorridorAgent* self, NcVec2 velocity, double height)
{
	GdVariant args[] = {place_to_variant(velocity, height, self->parent_type)};
	gd_emit(self->base.object, "velocity_computed", args, 1);
}

static void apply(Walker* walker, WalkerPresence presence, double dt)
{
	CorridorAgent* self = WALKER_TO_AGENT(walker);
	uint64_t id = gd_get_id(self->base.object);
	if (presence == WALKER_ANSWERING)
	{
		self->has_velocity = false;
		tell_velocity(self, walker->wish, self->velocity.height);
	}
	else if (walker->has_target)
	{
		move_parent(self, dt);
		tell_velocity(self, walker->body.velocity, 0.0);
		// Arrival is told in the frame in which it happens.
		if (gd_get_object(id) != NULL)
		{
			self->update_frame = -1;
			agent_update(self);
		}
	}
	if (gd_get_object(id) != NULL)
	{
		agent_draw(self);
	}
}

const WalkerOwner agent_owner = {prepare, apply};
