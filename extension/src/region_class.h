// SPDX-License-Identifier: MIT
#pragma once

// The rows that the tables of both region classes have in common.

#include "region.h"
#include "region_shapes.h"

#define REGION_FLAG(member) \
	{ \
		.name = #member, .type = GD_BOOL, .field = offsetof(RegionNode, member), \
		.changed = region_on_look_changed \
	}
#define REGION_COLOR(member) \
	{ \
		.name = #member, .type = GD_COLOR, .field = offsetof(RegionNode, member), \
		.changed = region_on_look_changed \
	}

#define REGION_ENABLED_ROW \
	{ \
		.name = "enabled", .type = GD_BOOL, .field = offsetof(RegionNode, enabled), \
		.changed = region_on_enabled_changed, .getter = "is_enabled" \
	}
#define REGION_LAYERS_ROW(kind) \
	{ \
		.name = "navigation_layers", .type = GD_INT, \
		.field = offsetof(RegionNode, navigation_layers), .changed = region_on_enabled_changed, \
		.maximum = 4294967295.0, .hint = kind \
	}
#define REGION_DATA_ROW \
	{ \
		.name = "corridor_map", .type = GD_OBJECT, .get = region_get_corridor_map, \
		.set = region_set_corridor_map, .hint = GD_HINT_RESOURCE_TYPE, \
		.hint_string = "CorridorMapData", .enum_name = "CorridorMapData" \
	}
#define REGION_GEOMETRY_ROW(names, enum_class) \
	{ \
		.name = "parsed_geometry_type", .type = GD_INT, \
		.field = offsetof(RegionNode, parsed_geometry_type), .changed = region_request_update, \
		.maximum = SHAPES_BOTH, .hint = GD_HINT_ENUM, .hint_string = names, \
		.enum_name = enum_class ".ParsedGeometryType" \
	}
#define REGION_MASK_ROW(layers) \
	{ \
		.name = "parsed_collision_mask", .type = GD_INT, \
		.field = offsetof(RegionNode, parsed_collision_mask), .changed = region_request_update, \
		.maximum = 4294967295.0, .hint = layers \
	}
#define REGION_MODE_ROW(enum_class) \
	{ \
		.name = "source_geometry_mode", .type = GD_INT, \
		.field = offsetof(RegionNode, source_geometry_mode), .changed = region_on_mode_changed, \
		.maximum = ROOTS_GROUP, .hint = GD_HINT_ENUM, \
		.hint_string = "Root Node Children,Groups With Children,Groups Explicit", \
		.enum_name = enum_class ".SourceGeometryMode" \
	}
#define REGION_GROUP_ROW \
	{ \
		.name = "source_geometry_group_name", .type = GD_STRING_NAME, \
		.get = region_get_group_name, .set = region_set_group_name \
	}

// clang-format off
#define REGION_MODE_CONSTANTS \
	{"SourceGeometryMode", "SOURCE_GEOMETRY_ROOT_NODE_CHILDREN", ROOTS_CHILDREN}, \
	{"SourceGeometryMode", "SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN", ROOTS_GROUP_AND_BELOW}, \
	{"SourceGeometryMode", "SOURCE_GEOMETRY_GROUPS_EXPLICIT", ROOTS_GROUP}
// clang-format on

static const GdVirtual region_virtuals[] = {
	{"_get_configuration_warnings", region_get_configuration_warnings},
};
