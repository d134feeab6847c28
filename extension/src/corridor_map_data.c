// SPDX-License-Identifier: MIT

// class CorridorMapData: Resource, a baked corridor map.
//
// The bytes are those of nc_map_save(), which have a version, and checksums over everything. They
// are looked at when a region loads them, not before: that takes as long as the check itself.

#include "corridor_map_data.h"

#include "nav_corridor/map.h"

bool corridor_map_data_is_empty(const CorridorMapData* self)
{
	return gd_packed_byte_array_size(&self->data) == 0;
}

static void tell_change(CorridorMapData* self)
{
	++self->revision;
	gd_resource_emit_changed(self->base.object);
}

void corridor_map_data_fill(CorridorMapData* self, const void* bytes, size_t size,
	const Points* border, uint64_t source_checksum)
{
	// Who holds the old bytes keeps them: they are shared until somebody writes.
	gd_destroy(GD_PACKED_BYTE_ARRAY, &self->data);
	gd_construct(GD_PACKED_BYTE_ARRAY, &self->data);
	gd_assign_byte_array(&self->data, bytes, size);
	points_clear(&self->border);
	for (int i = 0; i < border->count; ++i)
	{
		points_push(&self->border, border->data[i]);
	}
	self->source_checksum = (int64_t)source_checksum;
	tell_change(self);
}

// ---- Properties --------------------------------------------------------------------------------

static void set_data(GdCall* call)
{
	CorridorMapData* self = call->self;
	gd_assign(GD_PACKED_BYTE_ARRAY, &self->data, call->args[0]);
	tell_change(self);
}

static void get_data(GdCall* call)
{
	const CorridorMapData* self = call->self;
	gd_assign(GD_PACKED_BYTE_ARRAY, call->result, &self->data);
}

static void set_border(GdCall* call)
{
	CorridorMapData* self = call->self;
	int count;
	const GdVector2* items = gd_vector2_items(call->args[0], &count);
	points_clear(&self->border);
	for (int i = 0; i < count; ++i)
	{
		points_push(&self->border, gd_vec2(items[i]));
	}
	tell_change(self);
}

static void get_border(GdCall* call)
{
	const CorridorMapData* self = call->self;
	gd_assign_vector2_array(call->result, self->border.data, self->border.count);
}

static void set_source_checksum(GdCall* call)
{
	CorridorMapData* self = call->self;
	self->source_checksum = gd_arg_int(call, 0);
	tell_change(self);
}

static void get_source_checksum(GdCall* call)
{
	gd_return_int(call, ((const CorridorMapData*)call->self)->source_checksum);
}

// ---- Methods -----------------------------------------------------------------------------------

// is_empty() -> bool
static void is_empty(GdCall* call)
{
	gd_return_bool(call, corridor_map_data_is_empty(call->self));
}

// clear()
static void clear(GdCall* call)
{
	corridor_map_data_fill(call->self, NULL, 0, &(Points){0}, 0);
}

// check() -> String
static void check(GdCall* call)
{
	const CorridorMapData* self = call->self;
	size_t size;
	const uint8_t* bytes = gd_byte_items(&self->data, &size);
	NcMapDef def = nc_default_map_def();
	NcMap* map = NULL;
	NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
	NcStatus status = size > 0 ? nc_map_load(&def, bytes, size, &map, &error) : NC_INVALID_INPUT;
	GdString text = gd_string(status == NC_OK ? ""
							  : size == 0     ? "nothing was baked: bake a region"
											  : error.reason);
	gd_assign(GD_STRING, call->result, &text);
	gd_destroy(GD_STRING, &text);
	nc_map_destroy(map);
}

// ---- The class ---------------------------------------------------------------------------------

static void create(void* instance)
{
	CorridorMapData* self = instance;
	gd_construct(GD_PACKED_BYTE_ARRAY, &self->data);
	self->revision = 1;
}

static void destroy(void* instance)
{
	CorridorMapData* self = instance;
	gd_destroy(GD_PACKED_BYTE_ARRAY, &self->data);
	points_free(&self->border);
}

static const GdMethod methods[] = {
	{"is_empty", is_empty, GD_BOOL, {{0}}, true},
	{"check", check, GD_STRING, {{0}}, true},
	{"clear", clear, GD_NIL},
};

static const GdProperty properties[] = {
	{.name = "data",
		.type = GD_PACKED_BYTE_ARRAY,
		.get = get_data,
		.set = set_data,
		.usage = GD_USAGE_STORAGE},
	{.name = "border",
		.type = GD_PACKED_VECTOR2_ARRAY,
		.get = get_border,
		.set = set_border,
		.usage = GD_USAGE_STORAGE},
	{.name = "source_checksum",
		.type = GD_INT,
		.get = get_source_checksum,
		.set = set_source_checksum,
		.usage = GD_USAGE_STORAGE},
};

static const GdClass class = {
	.name = "CorridorMapData",
	.parent = "Resource",
	.size = sizeof(CorridorMapData),
	.create = create,
	.destroy = destroy,
	.methods = methods,
	.method_count = GD_COUNT(methods),
	.properties = properties,
	.property_count = GD_COUNT(properties),
};

void corridor_map_data_register(void)
{
	gd_register_class(&class);
}

CorridorMapData* corridor_map_data_get(GDExtensionObjectPtr object)
{
	return gd_get_instance(object, &class);
}

CorridorMapData* corridor_map_data_create(void)
{
	return gd_create(&class);
}
