// SPDX-License-Identifier: MIT
#pragma once

// The rows that the tables of obstacle and terrain classes have in common.

#include "shape_node.h"

#define RADIUS_2D "0,500,0.1,or_greater,suffix:px"
#define RADIUS_3D "0,100,0.01,or_greater,suffix:m"

#define ENABLED_ROW \
	{ \
		.name = "enabled", .type = GD_BOOL, .field = offsetof(ShapeNode, enabled), \
		.changed = shape_node_touch, .getter = "is_enabled" \
	}

#define RADIUS_ROW(range) \
	{ \
		.name = "radius", .type = GD_FLOAT, .field = offsetof(ShapeNode, radius), \
		.changed = shape_node_touch, .hint = GD_HINT_RANGE, .hint_string = range \
	}

#define HEIGHT_ROW \
	{ \
		.name = "height", .type = GD_FLOAT, .field = offsetof(ShapeNode, height), \
		.changed = shape_node_touch, .hint = GD_HINT_RANGE, .hint_string = RADIUS_3D \
	}

#define VERTICES_ROW(array) \
	{ \
		.name = "vertices", .type = array, .get = shape_node_get_vertices, \
		.set = shape_node_set_vertices \
	}

static const GdMethod shape_node_methods[] = {
	{"set_navigation_map", shape_node_set_navigation_map, GD_NIL, {{"navigation_map", GD_RID}}},
	{"get_navigation_map", shape_node_get_navigation_map, GD_RID, {{0}}, true},
	{"get_rid", shape_node_get_rid, GD_RID, {{0}}, true},
};

static const GdVirtual shape_node_virtuals[] = {
	{"_get_configuration_warnings", shape_node_get_configuration_warnings},
};

/// A class of shape nodes.
#define SHAPE_NODE_CLASS(class_name, parent_name, create_function, property_table) \
	{ \
		.name = class_name, .parent = parent_name, .size = sizeof(ShapeNode), \
		.create = create_function, .destroy = shape_node_destroy, .notify = shape_node_notify, \
		.methods = shape_node_methods, .method_count = GD_COUNT(shape_node_methods), \
		.properties = property_table, .property_count = GD_COUNT(property_table), \
		.virtuals = shape_node_virtuals, .virtual_count = GD_COUNT(shape_node_virtuals), \
	}
