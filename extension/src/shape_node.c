// SPDX-License-Identifier: MIT

// Properties, methods and notifications of obstacle and terrain nodes.

#include "shape_node.h"

#include "circle.h"

// ---- The shape ---------------------------------------------------------------------------------

void shape_node_get_outline(const ShapeNode* self, Points* outline)
{
	for (int i = 0; i < self->vertices.count; ++i)
	{
		points_push(outline, self->vertices.data[i]);
	}
	if (self->vertices.count == 0 && self->radius > 0.0)
	{
		circle_add_arc(outline, (NcVec2){0.0, 0.0}, self->radius, 0.0, CIRCLE_FULL_TURN);
	}
}

GdTransform2D shape_node_get_transform(const ShapeNode* self)
{
	if (!self->is_3d)
	{
		return gd_canvas_item_get_global_transform(self->base.object);
	}
	GdTransform3D t = gd_node_3d_get_global_transform(self->base.object);
	return (GdTransform2D){
		{t.rows[0].x, t.rows[2].x}, {t.rows[0].z, t.rows[2].z}, {t.origin.x, t.origin.z}};
}

bool shape_node_is_area(const ShapeNode* self)
{
	return self->is_terrain || self->vertices.count == 0 || self->type == NC_SHAPE_POLYGON;
}

// Read the vertices of an argument; of space the plane (x, z).
static void read_vertices(const ShapeNode* self, const void* argument, Points* vertices)
{
	int count;
	if (self->is_3d)
	{
		const GdVector3* items = gd_vector3_items(argument, &count);
		for (int i = 0; i < count; ++i)
		{
			points_push(vertices, (NcVec2){(double)items[i].x, (double)items[i].z});
		}
		return;
	}
	const GdVector2* items = gd_vector2_items(argument, &count);
	for (int i = 0; i < count; ++i)
	{
		points_push(vertices, gd_vec2(items[i]));
	}
}

void shape_node_set_vertices(GdCall* call)
{
	ShapeNode* self = call->self;
	Points vertices = {0};
	read_vertices(self, call->args[0], &vertices);
	for (int i = 0; i < vertices.count; ++i)
	{
		if (!nc_is_finite(vertices.data[i]))
		{
			GD_ERROR("%s.vertices: vertex %d must be made of ordinary numbers, not inf or nan.",
				self->base.class->name, i);
			points_free(&vertices);
			return;
		}
	}
	points_free(&self->vertices);
	self->vertices = vertices;
	shape_node_touch(self);
}

void shape_node_get_vertices(GdCall* call)
{
	const ShapeNode* self = call->self;
	if (self->is_3d)
	{
		GdPackedVector3Array array = gd_vector3_array(self->vertices.data, self->vertices.count, 0);
		gd_assign(GD_PACKED_VECTOR3_ARRAY, call->result, &array);
		gd_destroy(GD_PACKED_VECTOR3_ARRAY, &array);
		return;
	}
	gd_assign_vector2_array(call->result, self->vertices.data, self->vertices.count);
}

// ---- Methods -----------------------------------------------------------------------------------

// set_navigation_map(navigation_map: RID)
void shape_node_set_navigation_map(GdCall* call)
{
	ShapeNode* self = call->self;
	GdRid rid = gd_arg_rid(call, 0);
	gd_lock();
	bool is_known = rid == 0 || store_get_map(rid) != NULL;
	gd_unlock();
	if (!is_known)
	{
		GD_ERROR("%s.set_navigation_map(): the RID names no map of NavCorridorServer. Pass RID() "
				 "for all maps that the node touches.",
			self->base.class->name);
		return;
	}
	self->navigation_map = rid;
	shape_node_touch(self);
}

// get_navigation_map() -> RID
void shape_node_get_navigation_map(GdCall* call)
{
	const ShapeNode* self = call->self;
	GdRid found = self->copy_count > 0 ? self->copies[0].map : 0;
	gd_return_rid(call, self->navigation_map != 0 ? self->navigation_map : found);
}

// get_rid() -> RID
void shape_node_get_rid(GdCall* call)
{
	const ShapeNode* self = call->self;
	gd_return_rid(call, self->copy_count > 0 ? self->copies[0].item : 0);
}

static void add_warning(GdCall* call, const char* text)
{
	GdString string = gd_string(text);
	gd_packed_string_array_append(call->result, &string);
	gd_destroy(GD_STRING, &string);
}

// _get_configuration_warnings() -> PackedStringArray
void shape_node_get_configuration_warnings(GdCall* call)
{
	const ShapeNode* self = call->self;
	int least = shape_node_is_area(self) ? 3 : 1;
	if (self->vertices.count == 0 && self->radius <= 0.0)
	{
		add_warning(call, "The node has no shape. Set a radius above 0, or draw at least three "
						  "vertices.");
	}
	else if (self->vertices.count > 0 && self->vertices.count < least)
	{
		add_warning(call, "An area needs at least three vertices.");
	}
	else if (self->is_inside && self->enabled && self->points.count == 0 && !self->is_dirty)
	{
		add_warning(call, "The shape has no area: its vertices lie in one place, or the node is "
						  "scaled to nothing.");
	}
	else if (self->is_inside && self->enabled && self->copy_count == 0 && !self->is_dirty)
	{
		add_warning(call, self->is_3d ? "The node touches no corridor map. Put it into the bounds "
										"and the height of a CorridorRegion3D."
									  : "The node touches no corridor map. Put it into the bounds "
										"of a CorridorRegion2D.");
	}
}

// ---- Notifications -----------------------------------------------------------------------------

static void enter_tree(ShapeNode* self)
{
	if (self->is_3d)
	{
		gd_node_3d_set_notify_transform(self->base.object, true);
	}
	else
	{
		gd_canvas_item_set_notify_transform(self->base.object, true);
	}
	shape_node_enter(self);
}

void shape_node_notify(void* instance, int what)
{
	ShapeNode* self = instance;
	switch (what)
	{
	case GD_NOTIFICATION_ENTER_TREE:
		enter_tree(self);
		break;
	case GD_NOTIFICATION_EXIT_TREE:
		shape_node_leave(self);
		break;
	case GD_NOTIFICATION_TRANSFORM_CHANGED:
		shape_node_move(self);
		break;
	case GD_NOTIFICATION_DRAW:
		if (!self->is_3d)
		{
			shape_node_draw(self);
		}
		break;
	default:
		break;
	}
}

void shape_node_create(ShapeNode* self, bool is_3d, bool is_terrain)
{
	self->is_3d = is_3d;
	self->is_terrain = is_terrain;
	self->enabled = true;
	self->type = is_terrain ? 1 : NC_SHAPE_POLYGON;
	self->height = 1.0;
}

void shape_node_destroy(void* instance)
{
	ShapeNode* self = instance;
	shape_node_leave(self);
	points_free(&self->vertices);
	points_free(&self->points);
	free(self->copies);
}
