// SPDX-License-Identifier: MIT
#pragma once

// What obstacle and terrain nodes share, in the plane and in space: a shape that follows its node
// and lies in all maps that it touches.
//
//   corridor_obstacle.c, corridor_terrain.c  the classes
//   shape_node.c       properties, methods, notifications
//   shape_node_maps.c  the maps it lies in
//   shape_node_draw.c  drawing
//
// Nodes change their maps together: at the begin of a physics frame, when a region appears, and
// when they enter the tree themselves.

#include "gd.h"
#include "lines_3d.h"
#include "map_store.h"

/// An obstacle or terrain of the store, in one of the maps that the node lies in.
typedef struct ShapeCopy
{
	GdRid map;
	GdRid item;
} ShapeCopy;

typedef struct ShapeNode
{
	GdInstance base;
	bool is_3d;      ///< a Node3D; else a Node2D
	bool is_terrain; ///< else an obstacle

	// Properties.
	bool enabled;
	double radius;   ///< of a circle, for a node without vertices
	Points vertices; ///< in local coordinates; of space the plane (x, z)
	int64_t type;    ///< an NcShapeKind, or a type of terrain
	int64_t priority;
	double height;        ///< in space: from the origin of the node upwards
	GdRid navigation_map; ///< 0: all maps that it touches

	// In the tree.
	bool is_inside;
	bool is_dirty;     ///< something changed that the maps have to know
	uint64_t world_id; ///< of the World2D or World3D
	Points points;     ///< the shape in world coordinates; empty: none that can be used
	double y_min, y_max;
	ShapeCopy* copies;
	int copy_count;
	int copy_capacity;
	Lines3D lines;                     ///< what is shown of it in the game, in space
	struct ShapeNode *next, *previous; ///< in the list of all that are inside
} ShapeNode;

/// Set what both kinds have in common.
void shape_node_create(ShapeNode* self, bool is_3d, bool is_terrain);
void shape_node_destroy(void* instance);
void shape_node_notify(void* instance, int what);

/// @return the node's shape in local coordinates: its vertices, or the circle
void shape_node_get_outline(const ShapeNode* self, Points* outline);

/// @return how points of the node's own plane get into the world, seen from above
GdTransform2D shape_node_get_transform(const ShapeNode* self);

/// @return whether that is the border of an area
bool shape_node_is_area(const ShapeNode* self);

/// What happens after a property changed, and after the node moved.
void shape_node_touch(void* instance);
void shape_node_move(ShapeNode* self);

// The accessors and methods that the tables of the classes name.
void shape_node_set_vertices(GdCall* call);
void shape_node_get_vertices(GdCall* call);
void shape_node_set_navigation_map(GdCall* call);
void shape_node_get_navigation_map(GdCall* call);
void shape_node_get_rid(GdCall* call);
void shape_node_get_configuration_warnings(GdCall* call);

// ---- shape_node_maps.c

/// Enter or leave the list of nodes that change maps, and all maps.
void shape_node_enter(ShapeNode* self);
void shape_node_leave(ShapeNode* self);

/// Bring maps up to date with nodes that changed, or with all if maps came, went or were moved. For
/// the main thread.
void shape_nodes_update(void);

/// The same for all nodes, also those that moved since the last frame.
void shape_nodes_force_update(void);

// ---- shape_node_draw.c

/// Draw a node of the plane; only while Godot asks for it.
void shape_node_draw(const ShapeNode* self);

/// Add the outline of a node in space as pairs of points in its own coordinates.
void shape_node_add_lines(const ShapeNode* self, Vectors* lines);

/// Show a node in space in the game, if somebody wants to see it.
void shape_node_show_lines(ShapeNode* self);

/// @return whether the node is to be seen
bool shape_node_is_drawn(const ShapeNode* self);

/// The color in which obstacles or a type of terrain are drawn.
GdColor shape_node_get_color(const ShapeNode* self);
GdColor terrain_get_color(int64_t type);
