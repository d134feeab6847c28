// SPDX-License-Identifier: MIT

// class CorridorRegion3D: Node3D, builds a corridor map from what stands on a floor.
//
// The map is the plane (x, z), seen from above. What stands between the knees and the head of a
// walker is projected onto it; its borders are the obstacles. That costs too much to do it for each
// change: without baked data the map is made when the region enters the tree, and in the editor on
// a worker when a sketch of the sources has changed.

#include "corridor_region_3d.h"

#include "region_class.h"
#include "region_project.h"
#include "settings.h"

#define DEGREE 0.017453292519943295

// ---- The border --------------------------------------------------------------------------------

static GdTransform3D get_transform(const CorridorRegion3D* self)
{
	return gd_node_3d_get_global_transform(self->node.base.object);
}

static bool read_border(const RegionNode* node, Points* border, NcBox* box)
{
	const CorridorRegion3D* self = (const CorridorRegion3D*)node;
	GdTransform3D t = get_transform(self);
	NcVec3 p = {(double)self->bounds.position.x, (double)self->bounds.position.y,
		(double)self->bounds.position.z};
	double width = (double)self->bounds.size.x;
	double depth = (double)self->bounds.size.z;
	const NcVec2 corners[] = {{0.0, 0.0}, {width, 0.0}, {width, depth}, {0.0, depth}};
	for (int i = 0; i < GD_COUNT(corners); ++i)
	{
		NcVec3 corner = solids_transform(&t, (NcVec3){p.x + corners[i].x, p.y, p.z + corners[i].y});
		points_push(border, (NcVec2){corner.x, corner.y});
	}
	*box = region_get_box(border);
	return (double)self->bounds.size.y > 0.0 && region_is_border_usable(border, *box);
}

static void get_heights(const RegionNode* node, double* y_min, double* y_max)
{
	const CorridorRegion3D* self = (const CorridorRegion3D*)node;
	GdTransform3D t = get_transform(self);
	double scale = (double)t.rows[1].y;
	double from = (double)t.origin.y + scale * (double)self->bounds.position.y;
	double to = from + scale * (double)self->bounds.size.y;
	*y_min = nc_min(from, to);
	*y_max = nc_max(from, to);
}

// Whether the border is an upright rectangle, which needs no walkable area of its own.
static bool is_plain_rectangle(const CorridorRegion3D* self)
{
	GdTransform3D t = get_transform(self);
	return t.rows[0].z == 0.0f && t.rows[2].x == 0.0f;
}

// ---- Sources -----------------------------------------------------------------------------------

static void collect(const CorridorRegion3D* self, NcBox box, Solids* solids)
{
	const RegionNode* node = &self->node;
	double y_min, y_max;
	get_heights(node, &y_min, &y_max);
	solids->lower = (NcVec3){box.lower.x, box.lower.y, y_min};
	solids->upper = (NcVec3){box.upper.x, box.upper.y, y_max};
	solids->sources = (ShapeSources)node->parsed_geometry_type;
	solids->collision_mask = (uint32_t)node->parsed_collision_mask;
	if (node->source_geometry_mode == ROOTS_CHILDREN)
	{
		solids_collect(solids, node->base.object, get_transform(self));
		return;
	}
	solids_collect_group(solids, gd_node_get_tree(node->base.object),
		&node->source_geometry_group_name, node->source_geometry_mode == ROOTS_GROUP_AND_BELOW);
}

static uint64_t compute_checksum(
	const CorridorRegion3D* self, const Points* border, const Solids* solids)
{
	const double numbers[] = {self->cell_size, self->agent_height, self->agent_max_climb,
		self->agent_max_slope, self->max_floor_rise, (double)self->needs_floor,
		(double)get_transform(self).origin.y};
	uint64_t checksum = region_add_to_checksum(REGION_CHECKSUM_BEGIN, numbers, sizeof(numbers));
	checksum = region_add_to_checksum(
		checksum, border->data, (size_t)border->count * sizeof(border->data[0]));
	return region_add_to_checksum(
		checksum, solids->triangles, (size_t)solids->count * sizeof(NcTriangle));
}

// The checksum is that of a sketch, with a box for every mesh: in the editor it is asked all the
// time.
static bool read_checksum(RegionNode* node, uint64_t* checksum)
{
	CorridorRegion3D* self = (CorridorRegion3D*)node;
	Points border = {0};
	NcBox box;
	Solids solids = {.is_sketch = true};
	bool is_usable = read_border(node, &border, &box);
	if (is_usable)
	{
		collect(self, box, &solids);
		*checksum = compute_checksum(self, &border, &solids);
		node->shape_count = solids.node_count;
	}
	solids_free(&solids);
	points_free(&border);
	return is_usable;
}

static void describe_project(const CorridorRegion3D* self, struct RegionProject* project)
{
	double y_min, y_max;
	get_heights(&self->node, &y_min, &y_max);
	double floor = (double)get_transform(self).origin.y;
	project->cell_size = self->cell_size;
	project->z_min = floor + self->agent_max_climb;
	project->z_max = nc_min(floor + self->max_floor_rise + self->agent_height, y_max);
	project->floor_min = y_min;
	project->floor_max = project->z_min + self->max_floor_rise;
	project->max_slope = DEGREE * self->agent_max_slope;
	project->needs_floor = self->needs_floor;
	project->device = (ProjectDevice)settings_get_number(SETTING_VULKAN);
}

static bool read_sources(RegionNode* node, MapBake* bake)
{
	CorridorRegion3D* self = (CorridorRegion3D*)node;
	if (!read_checksum(node, &bake->checksum) || !read_border(node, &bake->border, &bake->box))
	{
		return false;
	}
	bake->is_rectangle = is_plain_rectangle(self);
	bake->project = calloc(1, sizeof(*bake->project));
	if (bake->project == NULL)
	{
		GD_ERROR("Out of memory.");
		return false;
	}
	bake->prepare = region_project_run;
	describe_project(self, bake->project);
	collect(self, bake->box, &bake->project->solids);
	node->shape_count = bake->project->solids.node_count;
	return true;
}

// ---- A map that follows its sources ------------------------------------------------------------

static void finish_follow(GDExtensionObjectPtr owner, MapBake* bake)
{
	CorridorRegion3D* self = corridor_region_3d_get(owner);
	if (self != NULL && !self->node.region.is_baked)
	{
		region_restore_map(&self->node);
		region_map_take_core(&self->node.region, bake, owner);
		self->node.checksum = bake->checksum;
		gd_node_update_configuration_warnings(owner);
	}
}

static bool follow_sources(RegionNode* node, bool was_baked)
{
	const MapBake* running = map_bake_find(node->base.object);
	uint64_t checksum;
	if (!read_checksum(node, &checksum))
	{
		return false;
	}
	bool is_known = checksum == node->checksum ||
					(running != NULL && (running->is_data_wanted || running->checksum == checksum));
	if (is_known && !was_baked)
	{
		return true;
	}
	MapBake* bake = map_bake_create();
	if (bake == NULL || !read_sources(node, bake))
	{
		map_bake_destroy(bake);
		return false;
	}
	if (gd_engine_is_editor_hint(gd_singleton("Engine")))
	{
		map_bake_start(bake, node->base.object, finish_follow);
		return true;
	}
	bake->owner_id = gd_get_id(node->base.object);
	map_bake_run(bake);
	finish_follow(node->base.object, bake);
	map_bake_destroy(bake);
	return true;
}

static void forget_sources(RegionNode* node)
{
	node->checksum = 0;
}

// ---- Drawing, warnings -------------------------------------------------------------------------

static void redraw(RegionNode* node)
{
	if (gd_node_is_inside_tree(node->base.object))
	{
		region_show_lines((CorridorRegion3D*)node);
		gd_node_3d_update_gizmos(node->base.object);
	}
}

static void add_warnings(GdCall* call, const RegionNode* node)
{
	const CorridorRegion3D* self = (const CorridorRegion3D*)node;
	GdVector3 size = self->bounds.size;
	if (!(size.x > 0.0f && size.y > 0.0f && size.z > 0.0f))
	{
		region_add_warning(call, "The region has no room. Give it bounds of a positive size.");
	}
	if (self->agent_max_climb >= self->agent_height)
	{
		region_add_warning(call, "Agents step over everything: make Agent Height larger than Agent "
								 "Max Climb.");
	}
	if (self->bounds.position.y > 0.0f || self->bounds.position.y + size.y < 0.0f)
	{
		region_add_warning(call, "The bounds do not contain the floor, which is at the height of "
								 "the node's origin.");
	}
}

static const RegionSpace space = {
	.is_3d = true,
	.read_border = read_border,
	.read_sources = read_sources,
	.read_checksum = read_checksum,
	.follow_sources = follow_sources,
	.forget_sources = forget_sources,
	.get_heights = get_heights,
	.redraw = redraw,
	.add_warnings = add_warnings,
	.no_sources_text = "There is no floor and there are no obstacles. Add a StaticBody3D with a "
					   "shape, a MeshInstance3D, a CSG node or a GridMap below the region.",
};

// ---- The class ---------------------------------------------------------------------------------

static void notify(void* instance, int what)
{
	CorridorRegion3D* self = instance;
	region_notify(&self->node, what);
	if (what == GD_NOTIFICATION_EXIT_TREE)
	{
		lines_3d_free(&self->lines);
		self->node.drawn_iteration = 0;
	}
}

static void create(void* instance)
{
	CorridorRegion3D* self = instance;
	region_create(&self->node, &space);
	self->bounds = (GdAabb){{-10.0f, -1.0f, -10.0f}, {20.0f, 4.0f, 20.0f}};
	self->cell_size = 0.1;
	self->agent_height = 1.8;
	self->agent_max_climb = 0.25;
	self->agent_max_slope = 45.0;
	self->needs_floor = true;
}

static void destroy(void* instance)
{
	CorridorRegion3D* self = instance;
	lines_3d_free(&self->lines);
	region_destroy(&self->node);
}

#define NUMBER(member, least, most, range) \
	{ \
		.name = #member, .type = GD_FLOAT, .field = offsetof(CorridorRegion3D, member), \
		.changed = region_request_update, .minimum = least, .maximum = most, \
		.hint = GD_HINT_RANGE, .hint_string = range \
	}

static const GdProperty properties[] = {
	REGION_ENABLED_ROW,
	REGION_DATA_ROW,
	{.name = "bounds",
		.type = GD_AABB,
		.field = offsetof(CorridorRegion3D, bounds),
		.changed = region_request_update},
	NUMBER(cell_size, 0.001, 0.0, "0.01,1,0.01,or_greater,suffix:m"),
	REGION_LAYERS_ROW(GD_HINT_LAYERS_3D_NAVIGATION),
	GD_GROUP("Agents"),
	NUMBER(agent_height, 0.0, 0.0, "0,5,0.01,or_greater,suffix:m"),
	NUMBER(agent_max_climb, 0.0, 0.0, "0,2,0.01,or_greater,suffix:m"),
	NUMBER(agent_max_slope, 0.0, 90.0, "0,90,0.1,degrees"),
	NUMBER(max_floor_rise, 0.0, 0.0, "0,10,0.01,or_greater,suffix:m"),
	{.name = "needs_floor",
		.type = GD_BOOL,
		.field = offsetof(CorridorRegion3D, needs_floor),
		.changed = region_request_update},
	GD_GROUP("Obstacles"),
	REGION_GEOMETRY_ROW("Mesh Instances,Static Colliders,Both", "CorridorRegion3D"),
	REGION_MASK_ROW(GD_HINT_LAYERS_3D_PHYSICS),
	REGION_MODE_ROW("CorridorRegion3D"),
	REGION_GROUP_ROW,
	GD_GROUP("Debug"),
	REGION_FLAG(debug_enabled),
	REGION_FLAG(show_medial_axis),
	REGION_FLAG(show_closest_points),
	REGION_FLAG(show_walls),
	GD_SUBGROUP("Colors"),
	REGION_COLOR(medial_axis_color),
	REGION_COLOR(clearance_color),
	REGION_COLOR(wall_color),
};

static const GdConstant constants[] = {
	{"ParsedGeometryType", "PARSED_GEOMETRY_MESH_INSTANCES", SHAPES_POLYGONS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_STATIC_COLLIDERS", SHAPES_COLLIDERS},
	{"ParsedGeometryType", "PARSED_GEOMETRY_BOTH", SHAPES_BOTH},
	REGION_MODE_CONSTANTS,
};

static const GdClass class = {
	.name = "CorridorRegion3D",
	.parent = "Node3D",
	.size = sizeof(CorridorRegion3D),
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

CorridorRegion3D* corridor_region_3d_get(GDExtensionObjectPtr object)
{
	return gd_get_instance(object, &class);
}

void corridor_region_3d_register(void)
{
	gd_register_class(&class);
}
