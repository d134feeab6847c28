// SPDX-License-Identifier: MIT
#pragma once

// What the files of CorridorAgent share: its data, and the steps of its work.
//
//   corridor_agent.c  the class: properties, notifications
//   agent_methods.c   its methods
//   agent_inspector.c how it looks in the editor's docks
//   agent_body.c      the parent: where it is, how it moves
//   agent_path.c      from the target to a path and along it
//   agent_draw.c      debug drawing

#include "gd.h"
#include "lines_3d.h"
#include "walker.h"

/// A position or velocity as Godot knows it. The plane of a Vector2 is (x, y); that of a Vector3 is
/// (x, z), and y is the height.
typedef struct Place
{
	NcVec2 plane;
	double height;
	GdType type; ///< GD_VECTOR2 or GD_VECTOR3; GD_NIL means none
} Place;

/// Values of PathPostProcessing, as NavigationAgent has them.
typedef enum AgentPath
{
	AGENT_PATH_SHORTEST,
	AGENT_PATH_MEDIAL,
} AgentPath;

typedef struct CorridorAgent
{
	GdInstance base;

	Walker walker;

	// Properties, beyond those of the walker.
	double path_desired_distance;
	double target_desired_distance;
	double path_max_distance;
	bool auto_move;
	bool debug_enabled;
	GdColor debug_path_color;
	GdColor debug_corridor_color;
	int64_t path_postprocessing;          ///< an AgentPath
	GDExtensionObjectPtr terrain_profile; ///< a TerrainProfile, or NULL
	GdNodePath route;                     ///< to a Path2D or Path3D that a designer drew
	int64_t dimension;                    ///< 3 after it has taken the defaults of three dimensions
	GdRid navigation_map;                 ///< 0: found by position
	int64_t navigation_layers;            ///< of the maps that may be found
	Place target;                         ///< as it was given
	Place velocity;                       ///< as it was given

	// The parent, which it moves. As long as it is the parent, the engine keeps it alive.
	GDExtensionObjectPtr parent;
	bool is_inside_tree;
	GdType parent_type; ///< GD_VECTOR2 or GD_VECTOR3: what its positions are; GD_NIL: neither
	bool has_space;     ///< it had a parent with a position before
	bool is_body;       ///< a CharacterBody, which moves by move_and_slide()
	uint64_t world_id;  ///< of the World2D or World3D that the tree shows it in
	double height;      ///< of the parent in space, when it was read last

	// Progress.
	int waypoint;           ///< of the path, which waypoint_reached() tells about next
	uint32_t told_serial;   ///< of the path that path_changed() told about
	uint32_t target_serial; ///< grows whenever the target is set
	int64_t update_frame;   ///< the physics frame of the last update; -1: none
	bool has_velocity;      ///< a velocity was set and not answered yet
	bool is_target_reached;
	bool is_last_waypoint_reached;
	bool is_navigation_finished;

	bool is_homeless; ///< the editor found no map for it

	// Debug drawing.
	GdRid canvas_item; ///< below a 2D parent; 0: nothing is drawn
	Lines3D lines;     ///< below a 3D parent
	NcVec2 shown_position;
	uint32_t shown_serial; ///< of the target that the editor shows; 0: draw again
} CorridorAgent;

// ---- Positions

/// Read a Vector2 or Vector3.
/// @return false if it is neither or holds numbers that are no usable coordinates
bool place_from_variant(const GdVariant* variant, Place* place);

/// Make a Variant of a type; GD_NIL makes null.
GdVariant place_to_variant(NcVec2 plane, double height, GdType type);

/// Return a position or a velocity of a type, GD_NIL for null.
void agent_return_place(GdCall* call, NcVec2 plane, double height, GdType type);

/// Read the first argument, a position that may also be null.
/// @return false, with an error message, if it is neither
bool agent_read_place(const GdCall* call, Place* place);

// ---- The class

#define AGENT_METHOD_COUNT 20
extern const GdMethod agent_methods[AGENT_METHOD_COUNT]; ///< agent_methods.c

/// To be called when a property changed on which the path depends.
void agent_on_path_changed(void* instance);

/// For the editor's docks; agent_inspector.c.
void agent_validate_property(void* instance, const char* name, GDExtensionPropertyInfo* info);
void agent_get_configuration_warnings(GdCall* call);

/// Show or hide the warning that there is no map, in the editor.
void agent_look_for_map(CorridorAgent* self);

// ---- The parent; agent_body.c

/// What moves the walkers of agents.
extern const WalkerOwner agent_owner;

/// Ask the engine what all agents need to know, before they are moved.
void agent_begin_frame(void);

/// @return the number of the physics frame
int64_t agent_get_frame(void);

/// Take another parent, or none.
void agent_set_parent(CorridorAgent* self, GDExtensionObjectPtr parent);

/// @return NULL if there is none in the tree that has a position
GDExtensionObjectPtr agent_get_parent(const CorridorAgent* self);

/// The parent's position. Needs a parent.
Place agent_get_position(const CorridorAgent* self);

/// Tell the walker where the parent is. What only rounding has changed is left alone.
void agent_read_position(CorridorAgent* self);

// ---- The way; agent_path.c

/// @return what the property `route` names; NULL if that is nothing
GDExtensionObjectPtr agent_find_route(const CorridorAgent* self);

/// Tell the walker what path to search: its kind, the drawing, the ground. Needs gd_lock().
void agent_describe_path(CorridorAgent* self);

/// Forget the path and search a new one at the next update.
void agent_request_path(CorridorAgent* self);

/// Bring path and progress up to date, at most once per physics frame, and emit signals.
/// @return false if a listener freed the agent
bool agent_update(CorridorAgent* self);

/// Search a path from the parent to the target now, without signals.
void agent_find_path(CorridorAgent* self);

/// @return whether the path was found in another map, or one that changed where the path is
bool agent_is_path_stale(CorridorAgent* self);

/// The map of this agent, up to date; NULL if there is none. Needs gd_lock().
StoreMap* agent_find_map(CorridorAgent* self);

/// Choose the map of an agent whose position is known, and tell the walker.
/// @return NULL if there is none; otherwise it may have to be brought up to date
StoreMap* agent_choose_map(CorridorAgent* self, NcVec2 position);

// ---- Debug drawing; agent_draw.c

/// Draw or remove what the debug settings ask for.
void agent_draw(CorridorAgent* self);
void agent_free_drawing(CorridorAgent* self);

/// @return whether path and corridor are to be seen
bool agent_is_drawn(const CorridorAgent* self);

/// @return whether there is a drawing that may have to be removed
bool agent_has_drawing(const CorridorAgent* self);
