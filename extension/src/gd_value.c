// SPDX-License-Identifier: MIT

// Values at the border: Variants, strings, packed arrays, dictionaries; signals out, callables in.
//
// Constructors and destructors are asked from the engine once and kept by type.

#include "gd_interface.h"

#include <string.h>

#define TYPE_COUNT GDEXTENSION_VARIANT_TYPE_VARIANT_MAX

// Filled on first use. Two threads may fill a slot at the same time, with the same value.
static GDExtensionPtrConstructor constructors[TYPE_COUNT];
static GDExtensionPtrConstructor copy_constructors[TYPE_COUNT];
static GDExtensionVariantFromTypeConstructorFunc from_type[TYPE_COUNT];
static GDExtensionTypeFromVariantConstructorFunc to_type[TYPE_COUNT];

// Whether values of a type own memory. An Object is only a pointer here.
static bool owns_memory(GdType type)
{
	return type == GD_STRING || type == GD_STRING_NAME || type == GD_NODE_PATH ||
		   (type >= GD_CALLABLE && type <= GD_PACKED_COLOR_ARRAY);
}

static size_t get_plain_size(GdType type)
{
	switch (type)
	{
	case GD_NIL:
		return 0;
	case GD_BOOL:
		return sizeof(GDExtensionBool);
	case GD_VECTOR3:
		return sizeof(GdVector3);
	case GD_RECT2:
	case GD_COLOR:
		return sizeof(GdColor);
	case GD_AABB:
		return sizeof(GdAabb);
	case GD_VECTOR3I:
		return sizeof(GdVector3i);
	case GD_TRANSFORM3D:
		return sizeof(GdTransform3D);
	default:
		return sizeof(uint64_t); // numbers, ids, pointers, two floats
	}
}

void gd_construct(GdType type, void* value)
{
	if (type == GD_VARIANT)
	{
		gd.variant_new_nil(value);
		return;
	}
	if (!owns_memory(type))
	{
		memset(value, 0, get_plain_size(type));
		return;
	}
	if (constructors[type] == NULL)
	{
		constructors[type] = gd.variant_get_ptr_constructor((GDExtensionVariantType)type, 0);
	}
	constructors[type](value, NULL);
}

void gd_destroy(GdType type, void* value)
{
	if (type == GD_VARIANT)
	{
		gd.variant_destroy(value);
	}
	else if (owns_memory(type))
	{
		gd.variant_get_ptr_destructor((GDExtensionVariantType)type)(value);
	}
}

void gd_assign(GdType type, void* target, const void* source)
{
	gd_destroy(type, target);
	if (type == GD_VARIANT)
	{
		gd.variant_new_copy(target, source);
		return;
	}
	// Constructor 1 of every type copies.
	if (copy_constructors[type] == NULL)
	{
		copy_constructors[type] = gd.variant_get_ptr_constructor((GDExtensionVariantType)type, 1);
	}
	const GDExtensionConstTypePtr args[] = {source};
	copy_constructors[type](target, args);
}

GdVariant gd_variant(GdType type, const void* value)
{
	GdVariant variant;
	if (type == GD_VARIANT)
	{
		gd.variant_new_copy(&variant, value);
		return variant;
	}
	if (type == GD_NIL)
	{
		gd.variant_new_nil(&variant);
		return variant;
	}
	if (from_type[type] == NULL)
	{
		from_type[type] = gd.get_variant_from_type_constructor((GDExtensionVariantType)type);
	}
	from_type[type](&variant, (GDExtensionTypePtr)value);
	return variant;
}

GdVariant gd_variant_vec2(NcVec2 value)
{
	GdVector2 vector = gd_vector2(value);
	return gd_variant(GD_VECTOR2, &vector);
}

GDExtensionVariantType gd_variant_type(const GdVariant* variant)
{
	return gd.variant_get_type(variant);
}

void gd_variant_read(const GdVariant* variant, GdType type, void* value)
{
	if (type == GD_VARIANT)
	{
		gd.variant_new_copy(value, variant);
		return;
	}
	if (type == GD_OBJECT)
	{
		// By its id, because the object may have been freed.
		*(GDExtensionObjectPtr*)value = gd_get_object(gd.variant_get_object_instance_id(variant));
		return;
	}
	if (to_type[type] == NULL)
	{
		to_type[type] = gd.get_variant_to_type_constructor((GDExtensionVariantType)type);
	}
	to_type[type](value, (GDExtensionVariantPtr)variant);
}

GdString gd_string(const char* utf8)
{
	GdString string;
	gd.string_new_with_utf8_chars(&string, utf8);
	return string;
}

void gd_dictionary_set(GdDictionary* dictionary, const char* key, GdVariant value)
{
	GdString text = gd_string(key);
	gd_dictionary_set_key(dictionary, gd_variant(GD_STRING, &text), value);
	gd_destroy(GD_STRING, &text);
}

void gd_dictionary_set_key(GdDictionary* dictionary, GdVariant key, GdVariant value)
{
	gd_assign(GD_VARIANT, gd.dictionary_operator_index(dictionary, &key), &value);
	gd_destroy(GD_VARIANT, &key);
	gd_destroy(GD_VARIANT, &value);
}

const GdVariant* gd_dictionary_get(const GdDictionary* dictionary, const GdVariant* key)
{
	return gd.dictionary_operator_index_const(dictionary, key);
}

void gd_array_push(GdArray* array, GdVariant value)
{
	gd_array_append(array, &value);
	gd_destroy(GD_VARIANT, &value);
}

void gd_assign_vector2_array(void* array, const NcVec2* points, int count)
{
	gd_packed_vector2_array_resize(array, count);
	if (count > 0)
	{
		GdVector2* items = gd.packed_vector2_array_operator_index(array, 0);
		for (int i = 0; i < count; ++i)
		{
			items[i] = gd_vector2(points[i]);
		}
	}
}

void gd_assign_byte_array(void* array, const void* bytes, size_t size)
{
	gd_packed_byte_array_resize(array, (int64_t)size);
	if (size > 0)
	{
		memcpy(gd.packed_byte_array_operator_index(array, 0), bytes, size);
	}
}

void gd_assign_float32_array(void* array, const double* values, int count)
{
	gd_packed_float32_array_resize(array, count);
	if (count > 0)
	{
		float* items = gd.packed_float32_array_operator_index(array, 0);
		for (int i = 0; i < count; ++i)
		{
			items[i] = (float)values[i];
		}
	}
}

GdPackedVector2Array gd_vector2_array(const NcVec2* points, int count)
{
	GdPackedVector2Array array;
	gd_construct(GD_PACKED_VECTOR2_ARRAY, &array);
	gd_assign_vector2_array(&array, points, count);
	return array;
}

GdPackedVector3Array gd_vectors_array(const GdVector3* vectors, int count)
{
	GdPackedVector3Array array;
	gd_construct(GD_PACKED_VECTOR3_ARRAY, &array);
	gd_packed_vector3_array_resize(&array, count);
	if (count > 0)
	{
		memcpy(gd.packed_vector3_array_operator_index(&array, 0), vectors,
			(size_t)count * sizeof(GdVector3));
	}
	return array;
}

GdPackedVector3Array gd_vector3_array(const NcVec2* points, int count, double height)
{
	GdPackedVector3Array array;
	gd_construct(GD_PACKED_VECTOR3_ARRAY, &array);
	gd_packed_vector3_array_resize(&array, count);
	GdVector3* items = count > 0 ? gd.packed_vector3_array_operator_index(&array, 0) : NULL;
	for (int i = 0; i < count; ++i)
	{
		items[i] = (GdVector3){(float)points[i].x, (float)height, (float)points[i].y};
	}
	return array;
}

GdPackedInt32Array gd_index_array(int count)
{
	GdPackedInt32Array array;
	gd_construct(GD_PACKED_INT32_ARRAY, &array);
	gd_packed_int32_array_resize(&array, count);
	int32_t* items = count > 0 ? gd.packed_int32_array_operator_index(&array, 0) : NULL;
	for (int i = 0; i < count; ++i)
	{
		items[i] = i;
	}
	return array;
}

GdPackedColorArray gd_colors_array(const GdColor* colors, int count)
{
	GdPackedColorArray array;
	gd_construct(GD_PACKED_COLOR_ARRAY, &array);
	gd_packed_color_array_resize(&array, count);
	if (count > 0)
	{
		memcpy(gd.packed_color_array_operator_index(&array, 0), colors,
			(size_t)count * sizeof(GdColor));
	}
	return array;
}

GdPackedColorArray gd_color_array(GdColor color)
{
	return gd_colors_array(&color, 1);
}

const GdVector2* gd_vector2_items(const GdPackedVector2Array* array, int* count)
{
	*count = (int)gd_packed_vector2_array_size(array);
	return *count > 0 ? gd.packed_vector2_array_operator_index_const(array, 0) : NULL;
}

const GdVector3* gd_vector3_items(const GdPackedVector3Array* array, int* count)
{
	*count = (int)gd_packed_vector3_array_size(array);
	return *count > 0 ? gd.packed_vector3_array_operator_index_const(array, 0) : NULL;
}

const uint8_t* gd_byte_items(const GdPackedByteArray* array, size_t* size)
{
	*size = (size_t)gd_packed_byte_array_size(array);
	return *size > 0 ? gd.packed_byte_array_operator_index_const(array, 0) : NULL;
}

const int32_t* gd_int32_items(const GdPackedInt32Array* array, int* count)
{
	*count = (int)gd_packed_int32_array_size(array);
	return *count > 0 ? gd.packed_int32_array_operator_index_const(array, 0) : NULL;
}

const float* gd_float32_items(const GdPackedFloat32Array* array, int* count)
{
	*count = (int)gd_packed_float32_array_size(array);
	return *count > 0 ? gd.packed_float32_array_operator_index_const(array, 0) : NULL;
}

const GdVariant* gd_array_item(const GdArray* array, int index)
{
	return gd.array_operator_index_const(array, index);
}

#define MAX_SIGNAL_ARGS 2

void gd_emit(GDExtensionObjectPtr object, const char* signal, GdVariant* args, int count)
{
	GdVariant name = gd_variant(GD_STRING_NAME, gd_name(signal));
	GDExtensionConstVariantPtr pointers[1 + MAX_SIGNAL_ARGS] = {&name};
	for (int i = 0; i < count; ++i)
	{
		pointers[1 + i] = &args[i];
	}

	GdVariant result;
	GDExtensionCallError error = {GDEXTENSION_CALL_OK, 0, 0};
	gd.object_method_bind_call(
		gd_get_bind(GD_METHOD_object_emit_signal), object, pointers, 1 + count, &result, &error);

	gd_destroy(GD_VARIANT, &result);
	gd_destroy(GD_VARIANT, &name);
	for (int i = 0; i < count; ++i)
	{
		gd_destroy(GD_VARIANT, &args[i]);
	}
}

// A connection of a signal to a C function. There are only a few.
typedef struct Connection
{
	void (*function)(void);
	uint64_t object_id;
	const char* signal;
	GdCallable callable;
} Connection;

#define MAX_CONNECTIONS 4

static Connection connections[MAX_CONNECTIONS];
static int connection_count;

static void call_connection(void* userdata, const GDExtensionConstVariantPtr* args,
	GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError* error)
{
	(void)args, (void)count;
	((const Connection*)userdata)->function();
	gd.variant_new_nil(result);
	error->error = GDEXTENSION_CALL_OK;
}

void gd_connect(GDExtensionObjectPtr object, const char* signal, void (*function)(void))
{
	if (connection_count == MAX_CONNECTIONS)
	{
		GD_ERROR("No connection is left: raise MAX_CONNECTIONS.");
		return;
	}
	Connection* connection = &connections[connection_count++];
	*connection = (Connection){function, gd_get_id(object), signal, {{0}}};
	GDExtensionCallableCustomInfo2 info = {
		.callable_userdata = connection,
		.token = gd.library,
		.object_id = connection->object_id,
		.call_func = call_connection,
	};
	gd.callable_custom_create2(&connection->callable, &info);
	gd_object_connect(object, gd_name(signal), &connection->callable, 0);
}

void gd_disconnect_all(void)
{
	for (; connection_count > 0; --connection_count)
	{
		Connection* connection = &connections[connection_count - 1];
		GDExtensionObjectPtr object = gd_get_object(connection->object_id);
		if (object != NULL)
		{
			gd_object_disconnect(object, gd_name(connection->signal), &connection->callable);
		}
		gd_destroy(GD_CALLABLE, &connection->callable);
	}
}

void gd_disconnect_listeners(GDExtensionObjectPtr object, const char* signal)
{
	GdArray list = gd_object_get_signal_connection_list(object, gd_name(signal));
	GdString text = gd_string("callable");
	GdVariant key = gd_variant(GD_STRING, &text);
	for (int i = 0; i < (int)gd_array_size(&list); ++i)
	{
		GdDictionary row;
		GdCallable callable;
		gd_variant_read(gd_array_item(&list, i), GD_DICTIONARY, &row);
		gd_variant_read(gd.dictionary_operator_index(&row, &key), GD_CALLABLE, &callable);
		gd_object_disconnect(object, gd_name(signal), &callable);
		gd_destroy(GD_CALLABLE, &callable);
		gd_destroy(GD_DICTIONARY, &row);
	}
	gd_destroy(GD_VARIANT, &key);
	gd_destroy(GD_STRING, &text);
	gd_destroy(GD_ARRAY, &list);
}
