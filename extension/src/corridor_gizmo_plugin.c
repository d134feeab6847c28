// SPDX-License-Identifier: MIT

// class CorridorGizmoPlugin: EditorNode3DGizmoPlugin, what the 3D view of the editor shows of our
// nodes: bounds, walls and medial axis of regions, outlines of obstacles and terrain.
//
// Gizmos are drawn in the coordinates of their node, and a click on their lines selects it.

#include "corridor_gizmo_plugin.h"

#include "corridor_obstacle.h"
#include "corridor_region_3d.h"
#include "corridor_terrain.h"
#include "region_solids.h"

// The editor makes the lines of nodes that are not selected five times as faint. Ours would be
// gone.
#define STRENGTH 5.0f

typedef struct CorridorGizmoPlugin
{
	GdInstance base;
	GDExtensionObjectPtr material; ///< counted; its color is that of the lines
} CorridorGizmoPlugin;

static ShapeNode* get_shape_node(GDExtensionObjectPtr object)
{
	ShapeNode* node = corridor_obstacle_get(object);
	node = node != NULL ? node : corridor_terrain_get(object);
	return node != NULL && node->is_3d ? node : NULL;
}

// _has_gizmo(node) -> bool
static void has_gizmo(GdCall* call)
{
	GDExtensionObjectPtr object = *(GDExtensionObjectPtr*)call->args[0];
	gd_return_bool(call, corridor_region_3d_get(object) != NULL || get_shape_node(object) != NULL);
}

// _get_gizmo_name() -> String
static void get_gizmo_name(GdCall* call)
{
	GdString name = gd_string("NavCorridor");
	gd_assign(GD_STRING, call->result, &name);
	gd_destroy(GD_STRING, &name);
}

// Add pairs of points in the coordinates of the node.
static void add_lines(CorridorGizmoPlugin* self, GDExtensionObjectPtr gizmo, const Vectors* lines,
	GdColor color, bool is_clickable)
{
	if (lines->count < 2)
	{
		return;
	}
	if (self->material == NULL)
	{
		self->material = lines_3d_create_material();
	}
	color.a *= STRENGTH;
	GdPackedVector3Array array = gd_vectors_array(lines->data, lines->count);
	gd_editor_node_3d_gizmo_add_lines(gizmo, &array, self->material, false, color);
	if (is_clickable)
	{
		gd_editor_node_3d_gizmo_add_collision_segments(gizmo, &array);
	}
	gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
}

// Move points of the world into the coordinates of a node.
static void move_to_node(GDExtensionObjectPtr node, Vectors* lines)
{
	GdTransform3D transform = gd_node_3d_get_global_transform(node);
	GdTransform3D inverse = gd_transform_3d_affine_inverse(&transform);
	for (int i = 0; i < lines->count; ++i)
	{
		GdVector3 v = lines->data[i];
		NcVec3 moved = solids_transform(&inverse, (NcVec3){(double)v.x, (double)v.y, (double)v.z});
		lines->data[i] = (GdVector3){(float)moved.x, (float)moved.z, (float)moved.y};
	}
}

static void draw_region(
	CorridorGizmoPlugin* self, GDExtensionObjectPtr gizmo, CorridorRegion3D* region)
{
	for (int kind = 0; kind < REGION_LINES_COUNT; ++kind)
	{
		Vectors lines = {0};
		gd_lock();
		region_add_lines(region, kind, &lines);
		const StoreMap* map = store_get_map(region->node.region.map);
		region->node.drawn_iteration = map != NULL ? map->iteration : 0;
		gd_unlock();
		move_to_node(region->node.base.object, &lines);
		add_lines(
			self, gizmo, &lines, region_get_line_color(region, kind), kind == REGION_LINES_BOX);
		vectors_free(&lines);
	}
}

static void draw_shape_node(
	CorridorGizmoPlugin* self, GDExtensionObjectPtr gizmo, const ShapeNode* node)
{
	Vectors lines = {0};
	shape_node_add_lines(node, &lines);
	add_lines(self, gizmo, &lines, shape_node_get_color(node), true);
	vectors_free(&lines);
}

// _redraw(gizmo)
static void redraw(GdCall* call)
{
	CorridorGizmoPlugin* self = call->self;
	GDExtensionObjectPtr gizmo = *(GDExtensionObjectPtr*)call->args[0];
	GDExtensionObjectPtr object = gd_editor_node_3d_gizmo_get_node_3d(gizmo);
	gd_editor_node_3d_gizmo_clear(gizmo);
	CorridorRegion3D* region = corridor_region_3d_get(object);
	const ShapeNode* node = get_shape_node(object);
	if (object == NULL || !gd_node_is_inside_tree(object))
	{
		return;
	}
	if (region != NULL)
	{
		draw_region(self, gizmo, region);
	}
	else if (node != NULL)
	{
		draw_shape_node(self, gizmo, node);
	}
}

static const GdVirtual virtuals[] = {
	{"_has_gizmo", has_gizmo},
	{"_get_gizmo_name", get_gizmo_name},
	{"_redraw", redraw},
};

static void destroy(void* instance)
{
	gd_release(((CorridorGizmoPlugin*)instance)->material);
}

static const GdClass class = {
	.name = "CorridorGizmoPlugin",
	.parent = "EditorNode3DGizmoPlugin",
	.size = sizeof(CorridorGizmoPlugin),
	.is_internal = true,
	.destroy = destroy,
	.virtuals = virtuals,
	.virtual_count = GD_COUNT(virtuals),
};

void corridor_gizmo_plugin_register(void)
{
	gd_register_class(&class);
}

GDExtensionObjectPtr corridor_gizmo_plugin_create(void)
{
	CorridorGizmoPlugin* plugin = gd_create(&class);
	gd_ref_counted_init_ref(plugin->base.object);
	return plugin->base.object;
}
