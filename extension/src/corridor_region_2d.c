// SPDX-License-Identifier: MIT

// class CorridorRegion2D: Node2D, builds a corridor map from nodes.
//
// Without baked data it keeps one obstacle in the map for each source, so that the map is computed
// at the first question to it, and changes cost what they change.

#include "corridor_region_2d.h"

#include "region_class.h"

#include <string.h>

// Room for the name of a node in messages; what is longer is cut.
#define MAX_NAME_LENGTH 128

// ---- The border --------------------------------------------------------------------------------

void region_get_border(const CorridorRegion2D* self, Points* border)
{
	if (self->outline.count > 0)
	{
		for (int i = 0; i < self->outline.count; ++i)
		{
			points_push(border, self->outline.data[i]);
		}
		return;
	}
	NcVec2 lower = gd_vec2(self->bounds.position);
	NcVec2 upper = nc_add(lower, gd_vec2(self->bounds.size));
	points_push(border, lower);
	points_push(border, (NcVec2){upper.x, lower.y});
	points_push(border, upper);
	points_push(border, (NcVec2){lower.x, upper.y});
}

// Whether the border is an upright rectangle, which needs no walkable area of its own.
static bool is_plain_rectangle(const CorridorRegion2D* self, GdTransform2D transform)
{
	return self->outline.count == 0 && transform.x.y == 0.0f && transform.y.x == 0.0f;
}

static bool read_border(const RegionNode* node, Points* border, NcBox* box)
{
	GdTransform2D transform = gd_canvas_item_get_global_transform(node->base.object);
	region_get_border((const CorridorRegion2D*)node, border);
	for (int i = 0; i < border->count; ++i)
	{
		border->data[i] = gd_transform(transform, border->data[i]);
	}
	*box = region_get_box(border);
	return region_is_border_usable(border, *box);
}

// ---- Sources -----------------------------------------------------------------------------------

static uint64_t compute_checksum(const RegionShapes* shapes, const Points* border)
{
	uint64_t checksum = region_add_to_checksum(
		REGION_CHECKSUM_BEGIN, border->data, (size_t)border->count * sizeof(border->data[0]));
	for (int i = 0; i < shapes->count; ++i)
	{
		int32_t numbers[] = {(int32_t)shapes->items[i].kind, shapes->items[i].count};
		checksum = region_add_to_checksum(checksum, numbers, sizeof(numbers));
	}
	return region_add_to_checksum(
		checksum, shapes->points.data, (size_t)shapes->points.count * sizeof(NcVec2));
}

static void collect(RegionNode* node, GdTransform2D transform, RegionShapes* shapes)
{
	shapes->sources = (ShapeSources)node->parsed_geometry_type;
	shapes->collision_mask = (uint32_t)node->parsed_collision_mask;
	if (node->source_geometry_mode == ROOTS_CHILDREN)
	{
		region_shapes_collect(shapes, node->base.object, transform);
		return;
	}
	region_shapes_collect_group(shapes, gd_node_get_tree(node->base.object),
		&node->source_geometry_group_name, node->source_geometry_mode == ROOTS_GROUP_AND_BELOW);
}

static bool read_sources(RegionNode* node, MapBake* bake)
{
	GdTransform2D transform = gd_canvas_item_get_global_transform(node->base.object);
	if (!read_border(node, &bake->border, &bake->box))
	{
		return false;
	}
	bake->is_rectangle = is_plain_rectangle((const CorridorRegion2D*)node, transform);
	collect(node, transform, &bake->shapes);
	bake->checksum = compute_checksum(&bake->shapes, &bake->border);
	node->shape_count = bake->shapes.count;
	return true;
}

static bool read_checksum(RegionNode* node, uint64_t* checksum)
{
	MapBake bake = {0};
	bool is_usable = read_sources(node, &bake);
	*checksum = bake.checksum;
	region_shapes_free(&bake.shapes);
	points_free(&bake.border);
	return is_usable;
}

// ---- A map that follows its sources ------------------------------------------------------------

static void remove_obstacles(CorridorRegion2D* self)
{
	while (self->obstacle_count > 0)
	{
		store_free(self->obstacles[--self->obstacle_count]);
	}
}

static void add_obstacle(
	CorridorRegion2D* self, StoreMap* map, RegionShape shape, const NcVec2* points)
{
	GdRid rid = store_create_obstacle();
	StoreObstacle* obstacle = store_get_obstacle(rid);
	if (obstacle == NULL)
	{
		return;
	}
	obstacle->kind = shape.kind;
	for (int i = 0; i < shape.count; ++i)
	{
		points_push(&obstacle->vertices, points[i]);
	}
	self->obstacles[self->obstacle_count++] = rid;
	char name[MAX_NAME_LENGTH];
	gd_get_node_name(gd_get_object(shape.node_id), name, sizeof(name));
	store_set_obstacle_map(obstacle, map, name);
}

// Replace everything in the map. Needs gd_lock().
// @return false if there is no memory
static bool fill_map(CorridorRegion2D* self, const MapBake* sources, bool was_baked)
{
	StoreMap* map = store_get_map(self->node.region.map);
	const RegionShapes* shapes = &sources->shapes;
	remove_obstacles(self);
	GdRid* obstacles = realloc(self->obstacles, ((size_t)shapes->count + 1) * sizeof(GdRid));
	if (obstacles == NULL)
	{
		return false;
	}
	self->obstacles = obstacles;
	if (map == NULL)
	{
		return false;
	}
	if (was_baked || memcmp(&sources->box, &map->bounds, sizeof(sources->box)) != 0)
	{
		store_set_bounds(map, sources->box); // everything is computed anew, not only what changed
	}
	if (!sources->is_rectangle)
	{
		RegionShape outline = {.kind = NC_SHAPE_WALKABLE,
			.count = sources->border.count,
			.node_id = gd_get_id(self->node.base.object)};
		add_obstacle(self, map, outline, sources->border.data);
	}
	for (int i = 0; i < shapes->count; ++i)
	{
		RegionShape shape = shapes->items[i];
		add_obstacle(self, map, shape, shapes->points.data + shape.begin);
	}
	return true;
}

static bool follow_sources(RegionNode* node, bool was_baked)
{
	MapBake sources = {0};
	bool is_usable = read_sources(node, &sources);
	if (is_usable && (was_baked || sources.checksum != node->checksum))
	{
		gd_lock();
		bool is_filled = fill_map((CorridorRegion2D*)node, &sources, was_baked);
		gd_unlock();
		node->checksum = is_filled ? sources.checksum : 0;
	}
	region_shapes_free(&sources.shapes);
	points_free(&sources.border);
	return is_usable;
}

static void forget_sources(RegionNode* node)
{
	gd_lock();
	remove_obstacles((CorridorRegion2D*)node);
	gd_unlock();
	node->checksum = 0;
}

// ---- Properties --------------------------------------------------------------------------------

static void redraw(RegionNode* node)
{
	gd_canvas_item_queue_redraw(node->base.object);
}

static void set_outline(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	int count;
	const GdVector2* items = gd_vector2_items(call->args[0], &count);
	for (int i = 0; i < count; ++i)
	{
		if (!nc_is_finite(gd_vec2(items[i])))
		{
			GD_ERROR("CorridorRegion2D.outline: point %d must be made of ordinary numbers.", i);
			return;
		}
	}
	points_clear(&self->outline);
	for (int i = 0; i < count; ++i)
	{
		points_push(&self->outline, gd_vec2(items[i]));
	}
	region_request_update(self);
}

static void get_outline(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	gd_assign_vector2_array(call->result, self->outline.data, self->outline.count);
}

static void add_warnings(GdCall* call, const RegionNode* node)
{
	const CorridorRegion2D* self = (const CorridorRegion2D*)node;
	GdTransform2D transform = gd_canvas_item_get_transform(node->base.object);
	if (self->outline.count == 0 && !(self->bounds.size.x > 0.0f && self->bounds.size.y > 0.0f))
	{
		region_add_warning(
			call, "The region has no area. Give it bounds of a positive size or an outline.");
	}
	if (self->outline.count == 1 || self->outline.count == 2)
	{
		region_add_warning(call, "The outline needs at least three points.");
	}
	if (nc_cross(gd_vec2(transform.x), gd_vec2(transform.y)) == 0.0)
	{
		region_add_warning(call, "The region is scaled to nothing, so its map is empty.");
	}
}

static const RegionSpace plane = {
	.read_border = read_border,
	.read_sources = read_sources,
	.read_checksum = read_checksum,
	.follow_sources = follow_sources,
	.forget_sources = forget_sources,
	.redraw = redraw,
	.add_warnings = add_warnings,
	.no_sources_text = "There are no obstacles. Add a Polygon2D, a StaticBody2D with a shape, a "
					   "TileMapLayer or a LightOccluder2D below the region.",
};

// ---- The class ---------------------------------------------------------------------------------

static void notify(void* instance, int what)
{
	if (what == GD_NOTIFICATION_DRAW)
	{
		region_draw(instance);
	}
	region_notify(instance, what);
}

static void create(void* instance)
{
	CorridorRegion2D* self = instance;
	region_create(&self->node, &plane);
	self->bounds = (GdRect2){{0.0f, 0.0f}, {1152.0f, 648.0f}}; // the default window
	self->walkable_color = (GdColor){0.35f, 0.65f, 0.85f, 0.06f};
}

static void destroy(void* instance)
{
	CorridorRegion2D* self = instance;
	region_destroy(&self->node);
	points_free(&self->outline);
	free(self->obstacles);
}

static const GdProperty properties[] = {
	REGION_ENABLED_ROW,
	REGION_DATA_ROW,
	{.name = "bounds",
		.type = GD_RECT2,
		.field = offsetof(CorridorRegion2D, bounds),
		.changed = region_request_update},
	{.name = "outline", .type = GD_PACKED_VECTOR2_ARRAY, .get = get_outline, .set = set_outline},
	REGION_LAYERS_ROW(GD_HINT_LAYERS_2D_NAVIGATION),
	GD_GROUP("Obstacles"),
	REGION_GEOMETRY_ROW("Polygons,Static Colliders,Both", "CorridorRegion2D"),
	REGION_MASK_ROW(GD_HINT_LAYERS_2D_PHYSICS),
	REGION_MODE_ROW("CorridorRegion2D"),
	REGION_GROUP_ROW,
	GD_GROUP("Debug"),
	REGION_FLAG(debug_enabled),
	REGION_FLAG(show_medial_axis),
	REGION_FLAG(show_clearance),
	REGION_FLAG(show_closest_points),
	REGION_FLAG(show_walls),
	REGION_FLAG(show_terrain),
	GD_SUBGROUP("Colors"),
	REGION_COLOR(medial_axis_color),
	REGION_COLOR(clearance_color),
	REGION_COLOR(wall_color),
	{.name = "walkable_color",
		.type = GD_COLOR,
		.field = offsetof(CorridorRegion2D, walkable_color),
		.changed = region_on_look_changed},
};

static const GdConstant constants[] = {
	{"ParsedGeometryType", "PARSED_GEOMETRY_POLYGONS", SHAPES_POLYGONS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_STATIC_COLLIDERS", SHAPES_COLLIDERS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_BOTH", SHAPES_BOTH},
	REGION_MODE_CONSTANTS,
};

static const GdClass class = {
	.name = "CorridorRegion2D",
	.parent = "Node2D",
	.size = sizeof(CorridorRegion2D),
	.create = create,
	.destroy = destroy,
	.notify = notify,
	.validate_property = region_validate_property,
	.methods = region_methods,
	.method_count = REGION_METHOD_COUNT,
	.properties = properties,
	.property_count = GD_COUNT(properties),
	.signals = region_signals,
	.signal_count = REGION_SIGNAL_COUNT,
	.constants = constants,
	.constant_count = GD_COUNT(constants),
	.virtuals = region_virtuals,
	.virtual_count = GD_COUNT(region_virtuals),
};

CorridorRegion2D* corridor_region_2d_get(GDExtensionObjectPtr object)
{
	return gd_get_instance(object, &class);
}

void corridor_region_2d_register(void)
{
	gd_register_class(&class);
}
