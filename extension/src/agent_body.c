// SPDX-License-Identifier: MIT

// The parent of an agent: where it is, and how it moves after the batch of all agents.

#include "agent.h"

#include "terrain_profile.h"

#include <string.h>

// A difference of this many units per unit of coordinate is rounding: some steps between floats.
#define ROUNDING 1.0e-6

#define WALKER_TO_AGENT(walker) ((CorridorAgent*)((char*)(walker)-offsetof(CorridorAgent, walker)))

// What all agents of a batch need to know of the engine.
static struct
{
	int64_t number;
	bool is_editor;
	bool is_debugging; // Visible Navigation
	const GdStringName* velocity_computed;
} frame;

void agent_begin_frame(void)
{
	GDExtensionObjectPtr engine = gd_singleton("Engine");
	GDExtensionObjectPtr loop = gd_engine_get_main_loop(engine);
	++frame.number;
	frame.velocity_computed = gd_name("velocity_computed");
	frame.is_editor = gd_engine_is_editor_hint(engine);
	frame.is_debugging = gd_scene_tree_is_debugging_navigation_hint(loop);
}

int64_t agent_get_frame(void)
{
	return frame.number;
}

// ---- Where it is -------------------------------------------------------------------------------

GDExtensionObjectPtr agent_get_parent(const CorridorAgent* self)
{
	if (self->parent == NULL || self->parent_type == GD_NIL)
	{
		return NULL;
	}
	// Parents enter the tree before their children.
	return self->is_inside_tree || gd_node_is_inside_tree(self->parent) ? self->parent : NULL;
}

static Place read_position(const CorridorAgent* self, GDExtensionObjectPtr parent)
{
	if (self->parent_type == GD_VECTOR3)
	{
		GdVector3 v = gd_node_3d_get_global_position(parent);
		return (Place){{(double)v.x, (double)v.z}, (double)v.y, GD_VECTOR3};
	}
	GdVector2 v = gd_node_2d_get_global_position(parent);
	return (Place){{(double)v.x, (double)v.y}, 0.0, GD_VECTOR2};
}

Place agent_get_position(const CorridorAgent* self)
{
	GDExtensionObjectPtr parent = agent_get_parent(self);
	return parent != NULL ? read_position(self, parent) : (Place){.type = GD_VECTOR2};
}

static void put_walker(CorridorAgent* self, NcVec2 position)
{
	double distance = nc_distance(position, self->walker.position);
	if (distance > ROUNDING * (1.0 + fabs(position.x) + fabs(position.y)))
	{
		walker_put(&self->walker, position);
		// Somebody has put it elsewhere: its path does not begin here.
		bool is_far = distance >= self->path_max_distance;
		self->walker.is_lost |= self->walker.path.count > 0 && is_far;
	}
}

void agent_read_position(CorridorAgent* self)
{
	put_walker(self, agent_get_position(self).plane);
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
	self->parent = parent;
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
		NcVec2 way = nc_sub(self->walker.position, agent_get_position(self).plane);
		slide_parent(self, parent, nc_scale(1.0 / dt, way));
	}
	else if (parent != NULL)
	{
		place_parent(self, parent, self->walker.position);
	}
}

// ---- The batch ---------------------------------------------------------------------------------

// Weights that changed make the path a matter of the past.
static void read_profile(CorridorAgent* self)
{
	NcTerrainProfile profile;
	Walker* walker = &self->walker;
	if (walker->has_profile && terrain_profile_read(self->terrain_profile, &profile) &&
		memcmp(&profile, &walker->profile, sizeof(profile)) != 0)
	{
		walker->is_lost |= walker->path.count > 0;
	}
}

static WalkerPresence prepare(Walker* walker)
{
	CorridorAgent* self = WALKER_TO_AGENT(walker);
	GDExtensionObjectPtr parent = frame.is_editor ? NULL : agent_get_parent(self);
	if (parent == NULL)
	{
		return WALKER_ABSENT;
	}
	Place place = read_position(self, parent);
	self->height = place.height;
	put_walker(self, place.plane);
	if (!gd_node_can_process(self->base.object))
	{
		return WALKER_STANDING;
	}
	agent_choose_map(self, walker->position);
	if (self->auto_move && walker->has_target)
	{
		if (self->terrain_profile != NULL)
		{
			read_profile(self);
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

static void describe(Walker* walker)
{
	agent_describe_path(WALKER_TO_AGENT(walker));
}

// @return false if a listener freed the agent
static bool tell_velocity(CorridorAgent* self, NcVec2 velocity, double height)
{
	GDExtensionObjectPtr object = self->base.object;
	if (!gd_object_has_connections(object, frame.velocity_computed))
	{
		return true;
	}
	uint64_t id = gd_get_id(object);
	GdVariant args[] = {place_to_variant(velocity, height, self->parent_type)};
	gd_emit(object, "velocity_computed", args, 1);
	return gd_get_object(id) != NULL;
}

// Whether agent_update() would do anything for an agent that moved.
static bool has_news(const CorridorAgent* self)
{
	const Walker* walker = &self->walker;
	double near = nc_max(self->target_desired_distance, self->path_desired_distance);
	double near_squared = near * near;
	return walker->path_serial != self->told_serial || self->waypoint < walker->path_index ||
		   walker->outcome != NC_STEER_WALKING || !walker->is_found ||
		   nc_length_squared(nc_sub(walker->position, walker->target)) <= near_squared ||
		   nc_length_squared(nc_sub(walker->position, walker->path_end)) <= near_squared;
}

static void apply(Walker* walker, WalkerPresence presence, double dt)
{
	CorridorAgent* self = WALKER_TO_AGENT(walker);
	bool is_there = true;
	if (presence == WALKER_ANSWERING)
	{
		self->has_velocity = false;
		is_there = tell_velocity(self, walker->wish, self->velocity.height);
	}
	else if (walker->has_target)
	{
		move_parent(self, dt);
		is_there = tell_velocity(self, walker->velocity, 0.0);
		// Arrival is told in the frame in which it happens.
		if (is_there && walker->path.count > 0)
		{
			bool is_told = !has_news(self);
			self->update_frame = is_told ? frame.number : -1;
			is_there = is_told || agent_update(self);
		}
	}
	bool is_drawn =
		is_there && (frame.is_debugging || self->debug_enabled || agent_has_drawing(self));
	if (is_drawn)
	{
		agent_draw(self);
	}
}

const WalkerOwner agent_owner = {prepare, describe, apply};
