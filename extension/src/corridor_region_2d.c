// SPDX-License-Identifier: MIT

// class CorridorRegion2D: Node2D, builds a corridor map from the nodes below it.
//
// Obstacles are collected when the region enters the tree, which is before any _ready(); the map is
// computed at the first question to it. In the editor the region looks for changes below it a few
// times per second.

#include "corridor_region_2d.h"

#include "region_shapes.h"

#include <math.h>
#include <string.h>

// Physics frames between two looks of the editor: three looks per second.
#define POLL_INTERVAL 20

// Room for the name of a node in messages; what is longer is cut.
#define MAX_NAME_LENGTH 128

// ---- Baking ------------------------------------------------------------------------------------

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

// The border in world coordinates and the box around it.
// @return false if the border has no area that can be used
static bool make_border(
	const CorridorRegion2D* self, GdTransform2D transform, Points* border, NcBox* box)
{
	region_get_border(self, border);
	*box = nc_box_empty();
	for (int i = 0; i < border->count; ++i)
	{
		border->data[i] = gd_transform(transform, border->data[i]);
		*box = nc_box_add_point(*box, border->data[i]);
	}
	return border->count >= 3 && box->upper.x - box->lower.x > 0.0 &&
		   box->upper.y - box->lower.y > 0.0 && fabs(box->lower.x) <= STORE_MAX_COORDINATE &&
		   fabs(box->lower.y) <= STORE_MAX_COORDINATE &&
		   fabs(box->upper.x) <= STORE_MAX_COORDINATE && fabs(box->upper.y) <= STORE_MAX_COORDINATE;
}

static uint64_t add_to_checksum(uint64_t checksum, const void* data, size_t size)
{
	// FNV-1a.
	const uint8_t* bytes = data;
	for (size_t i = 0; i < size; ++i)
	{
		checksum = (checksum ^ bytes[i]) * 1099511628211ULL;
	}
	return checksum;
}

static uint64_t compute_checksum(const RegionShapes* shapes, const Points* border)
{
	uint64_t checksum = 14695981039346656037ULL;
	checksum =
		add_to_checksum(checksum, border->data, (size_t)border->count * sizeof(border->data[0]));
	for (int i = 0; i < shapes->count; ++i)
	{
		int32_t numbers[] = {(int32_t)shapes->items[i].kind, shapes->items[i].count};
		checksum = add_to_checksum(checksum, numbers, sizeof(numbers));
	}
	return add_to_checksum(
		checksum, shapes->points.data, (size_t)shapes->points.count * sizeof(NcVec2));
}

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
	gd_get_node_name(shape.node, name, sizeof(name));
	store_set_obstacle_map(obstacle, map, name);
}

// Replace everything in the map. Needs gd_lock().
// @return false if there is no memory
static bool fill_map(CorridorRegion2D* self, const RegionShapes* shapes, const Points* border,
	NcBox box, GdTransform2D transform)
{
	StoreMap* map = store_get_map(self->map);
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
	if (memcmp(&box, &map->bounds, sizeof(box)) != 0)
	{
		store_set_bounds(map, box); // everything is computed anew, not only what changed
	}
	if (!is_plain_rectangle(self, transform))
	{
		RegionShape outline = {NC_SHAPE_WALKABLE, 0, border->count, self->base.object};
		add_obstacle(self, map, outline, border->data);
	}
	for (int i = 0; i < shapes->count; ++i)
	{
		RegionShape shape = shapes->items[i];
		add_obstacle(self, map, shape, shapes->points.data + shape.begin);
	}
	return true;
}

// Tell the map where agents find it. Only inside the tree.
static void place_map(CorridorRegion2D* self)
{
	GDExtensionObjectPtr world = gd_viewport_find_world_2d(gd_node_get_viewport(self->base.object));
	gd_lock();
	StoreMap* map = store_get_map(self->map);
	if (map != NULL)
	{
		map->is_active = self->enabled;
		map->world_id = gd_get_id(world);
	}
	gd_unlock();
	gd_release(world);
}

// A script may free the map of a region by its RID. Then the region needs a new one, and nothing
// that it knows about the old one holds.
static void restore_map(CorridorRegion2D* self)
{
	gd_lock();
	bool is_lost = store_get_map(self->map) == NULL;
	if (is_lost)
	{
		self->map = store_create_map();
		self->checksum = 0;
		self->told_iteration = 0;
		self->drawn_iteration = 0;
	}
	gd_unlock();
	if (is_lost)
	{
		place_map(self);
	}
}

// Collect the geometry and, if it is not what the map has, replace it.
// @return false if the region has no usable border
static bool bake(CorridorRegion2D* self)
{
	restore_map(self);
	GdTransform2D transform = gd_canvas_item_get_global_transform(self->base.object);
	RegionShapes shapes = {
		.sources = (ShapeSources)self->parsed_geometry_type,
		.collision_mask = (uint32_t)self->parsed_collision_mask,
	};
	Points border = {0};
	NcBox box;
	bool is_usable = make_border(self, transform, &border, &box);
	if (is_usable)
	{
		region_shapes_collect(&shapes, self->base.object, transform);
		uint64_t checksum = compute_checksum(&shapes, &border);
		if (checksum != self->checksum)
		{
			gd_lock();
			bool is_filled = fill_map(self, &shapes, &border, box, transform);
			gd_unlock();
			self->checksum = is_filled ? checksum : 0;
		}
	}
	region_shapes_free(&shapes);
	points_free(&border);
	self->needs_bake = false;
	return is_usable;
}

static void request_bake(void* instance)
{
	((CorridorRegion2D*)instance)->needs_bake = true;
	gd_node_update_configuration_warnings(((CorridorRegion2D*)instance)->base.object);
}

static void redraw(void* instance)
{
	gd_canvas_item_queue_redraw(((CorridorRegion2D*)instance)->base.object);
}

// ---- Properties and methods --------------------------------------------------------------------

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
	request_bake(self);
}

static void get_outline(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	gd_assign_vector2_array(call->result, self->outline.data, self->outline.count);
}

static void on_enabled_changed(void* instance)
{
	CorridorRegion2D* self = instance;
	gd_lock();
	StoreMap* map = store_get_map(self->map);
	if (map != NULL)
	{
		map->is_active = self->enabled && gd_node_is_inside_tree(self->base.object);
	}
	gd_unlock();
}

// bake_corridor_map()
static void bake_corridor_map(GdCall* call)
{
	CorridorRegion2D* self = call->self;
	if (!gd_node_is_inside_tree(self->base.object))
	{
		GD_ERROR("CorridorRegion2D.bake_corridor_map(): add the region to the tree first.");
		return;
	}
	if (!bake(self))
	{
		GD_ERROR("CorridorRegion2D.bake_corridor_map(): the region has no area. Set bounds or an "
				 "outline of at least three points.");
		return;
	}
	gd_lock();
	StoreMap* map = store_get_map(self->map);
	if (map != NULL)
	{
		store_sync(map);
	}
	gd_unlock();
	gd_emit(self->base.object, "bake_finished", NULL, 0);
}

// get_navigation_map() -> RID
static void get_navigation_map(GdCall* call)
{
	gd_return_rid(call, ((const CorridorRegion2D*)call->self)->map);
}

static void add_warning(GdCall* call, const char* text)
{
	GdString string = gd_string(text);
	gd_packed_string_array_append(call->result, &string);
	gd_destroy(GD_STRING, &string);
}

// _get_configuration_warnings() -> PackedStringArray
static void get_configuration_warnings(GdCall* call)
{
	const CorridorRegion2D* self = call->self;
	GdTransform2D transform = gd_canvas_item_get_transform(self->base.object);
	if (self->outline.count == 0 && !(self->bounds.size.x > 0.0f && self->bounds.size.y > 0.0f))
	{
		add_warning(
			call, "The region has no area. Give it bounds of a positive size or an outline.");
	}
	if (self->outline.count == 1 || self->outline.count == 2)
	{
		add_warning(call, "The outline needs at least three points.");
	}
	if (nc_cross(gd_vec2(transform.x), gd_vec2(transform.y)) == 0.0)
	{
		add_warning(call, "The region is scaled to nothing, so its map is empty.");
	}
}

// ---- Notifications -----------------------------------------------------------------------------

static void enter_tree(CorridorRegion2D* self)
{
	GDExtensionObjectPtr object = self->base.object;
	place_map(self);
	gd_canvas_item_set_notify_transform(object, true);
	gd_node_set_physics_process_internal(object, true);
	bake(self);
}

static void exit_tree(CorridorRegion2D* self)
{
	gd_lock();
	StoreMap* map = store_get_map(self->map);
	if (map != NULL)
	{
		map->is_active = false;
	}
	gd_unlock();
	gd_node_set_physics_process_internal(self->base.object, false);
}

// Emit what changed and have it drawn.
static void tell_changes(CorridorRegion2D* self)
{
	gd_lock();
	const StoreMap* map = store_get_map(self->map);
	uint32_t iteration = map != NULL ? map->iteration : 0;
	gd_unlock();
	if (iteration != self->drawn_iteration && region_is_drawn(self))
	{
		gd_canvas_item_queue_redraw(self->base.object);
	}
	if (iteration != self->told_iteration)
	{
		self->told_iteration = iteration;
		gd_emit(self->base.object, "corridor_map_changed", NULL, 0); // may free us
	}
}

static void step(CorridorRegion2D* self)
{
	bool is_editor = gd_engine_is_editor_hint(gd_singleton("Engine"));
	if (is_editor && --self->frames_to_poll < 0)
	{
		self->frames_to_poll = POLL_INTERVAL;
		self->needs_bake = true;
	}
	if (self->needs_bake)
	{
		bake(self);
	}
	tell_changes(self);
}

static void notify(void* instance, int what)
{
	CorridorRegion2D* self = instance;
	switch (what)
	{
	case GD_NOTIFICATION_ENTER_TREE:
		enter_tree(self);
		break;
	case GD_NOTIFICATION_READY:
		bake(self); // scripts of the children may have added obstacles
		break;
	case GD_NOTIFICATION_EXIT_TREE:
		exit_tree(self);
		break;
	case GD_NOTIFICATION_INTERNAL_PHYSICS_PROCESS:
		step(self);
		break;
	case GD_NOTIFICATION_TRANSFORM_CHANGED:
		self->needs_bake = true;
		break;
	case GD_NOTIFICATION_DRAW:
		region_draw(self);
		break;
	default:
		break;
	}
}

// ---- The class ---------------------------------------------------------------------------------

static void create(void* instance)
{
	CorridorRegion2D* self = instance;
	self->enabled = true;
	self->bounds = (GdRect2){{0.0f, 0.0f}, {1152.0f, 648.0f}}; // the default window
	self->parsed_geometry_type = SHAPES_BOTH;
	self->parsed_collision_mask = 0xffffffff;
	self->show_medial_axis = true;
	self->show_clearance = true;
	self->show_walls = true;
	self->walkable_color = (GdColor){0.35f, 0.65f, 0.85f, 0.06f};
	self->wall_color = (GdColor){0.95f, 0.45f, 0.35f, 0.8f};
	self->medial_axis_color = (GdColor){0.1f, 0.85f, 0.65f, 1.0f};
	self->clearance_color = (GdColor){0.35f, 0.7f, 1.0f, 0.08f};
	gd_lock();
	self->map = store_create_map();
	gd_unlock();
}

static void destroy(void* instance)
{
	CorridorRegion2D* self = instance;
	gd_lock();
	remove_obstacles(self);
	store_free(self->map);
	gd_unlock();
	points_free(&self->outline);
	free(self->obstacles);
}

static const GdMethod methods[] = {
	{"bake_corridor_map", bake_corridor_map, GD_NIL},
	{"get_navigation_map", get_navigation_map, GD_RID, {{0}}, true},
};

#define FLAG(member) \
	{ \
		.name = #member, .type = GD_BOOL, .field = offsetof(CorridorRegion2D, member), \
		.changed = redraw \
	}
#define COLOR(member) \
	{ \
		.name = #member, .type = GD_COLOR, .field = offsetof(CorridorRegion2D, member), \
		.changed = redraw \
	}

static const GdProperty properties[] = {
	{.name = "enabled",
		.type = GD_BOOL,
		.field = offsetof(CorridorRegion2D, enabled),
		.changed = on_enabled_changed,
		.getter = "is_enabled"},
	{.name = "bounds",
		.type = GD_RECT2,
		.field = offsetof(CorridorRegion2D, bounds),
		.changed = request_bake},
	{.name = "outline", .type = GD_PACKED_VECTOR2_ARRAY, .get = get_outline, .set = set_outline},
	GD_GROUP("Obstacles"),
	{.name = "parsed_geometry_type",
		.type = GD_INT,
		.field = offsetof(CorridorRegion2D, parsed_geometry_type),
		.changed = request_bake,
		.maximum = SHAPES_BOTH,
		.hint = GD_HINT_ENUM,
		.hint_string = "Polygons,Static Colliders,Both",
		.enum_name = "CorridorRegion2D.ParsedGeometryType"},
	{.name = "parsed_collision_mask",
		.type = GD_INT,
		.field = offsetof(CorridorRegion2D, parsed_collision_mask),
		.changed = request_bake,
		.maximum = 4294967295.0,
		.hint = GD_HINT_LAYERS_2D_PHYSICS},
	GD_GROUP("Debug"),
	FLAG(debug_enabled),
	FLAG(show_medial_axis),
	FLAG(show_clearance),
	FLAG(show_walls),
	COLOR(medial_axis_color),
	COLOR(clearance_color),
	COLOR(wall_color),
	COLOR(walkable_color),
};

static const GdSignal signals[] = {
	{"bake_finished"},
	{"corridor_map_changed"},
};

static const GdConstant constants[] = {
	{"ParsedGeometryType", "PARSED_GEOMETRY_POLYGONS", SHAPES_POLYGONS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_STATIC_COLLIDERS", SHAPES_COLLIDERS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_BOTH", SHAPES_BOTH},
};

static const GdVirtual virtuals[] = {
	{"_get_configuration_warnings", get_configuration_warnings},
};

static const GdClass class = {
	.name = "CorridorRegion2D",
	.parent = "Node2D",
	.size = sizeof(CorridorRegion2D),
	.create = create,
	.destroy = destroy,
	.notify = notify,
	.methods = methods,
	.method_count = GD_COUNT(methods),
	.properties = properties,
	.property_count = GD_COUNT(properties),
	.signals = signals,
	.signal_count = GD_COUNT(signals),
	.constants = constants,
	.constant_count = GD_COUNT(constants),
	.virtuals = virtuals,
	.virtual_count = GD_COUNT(virtuals),
};

void corridor_region_2d_register(void)
{
	gd_register_class(&class);
}
