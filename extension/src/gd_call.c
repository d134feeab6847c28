// SPDX-License-Identifier: MIT

// From a call of the engine to a C function.
//
// All methods of all classes share two trampolines. gd_call_typed() gets pointers to plain values
// and passes them on; gd_call_variants() checks and unpacks Variants first, fills defaults in, and
// packs the result. Properties that are plain fields share a getter and a setter, which checks
// numbers before it stores them.

#include "gd_interface.h"

#include <math.h>
#include <string.h>

int gd_count_args(const GdArg* args, int capacity)
{
	int count = 0;
	while (count < capacity && args[count].name != NULL)
	{
		++count;
	}
	return count;
}

static void invoke(const GdMethod* method, GdCall* call)
{
	const GdInstance* instance = call->self;
	bool is_locked = instance->class->is_locked;
	if (is_locked)
	{
		gd_lock();
	}
	method->function(call);
	if (is_locked)
	{
		gd_unlock();
	}
}

void gd_call_typed(void* userdata, GDExtensionClassInstancePtr instance,
	const GDExtensionConstTypePtr* args, GDExtensionTypePtr result)
{
	const GdMethod* method = userdata;
	if (method->is_result_counted)
	{
		GDExtensionObjectPtr object = NULL;
		GdCall call = {method, instance, args, &object};
		invoke(method, &call);
		gd.ref_set_object(result, object); // the engine holds a Ref there
		return;
	}
	if (method->result != GD_NIL)
	{
		// The engine may hand us the result of an earlier call.
		gd_destroy(method->result, result);
		gd_construct(method->result, result);
	}
	GdCall call = {method, instance, args, result};
	invoke(method, &call);
}

// As strict as the engine, except that an object is never taken for its RID: the engine looks into
// it even when it was freed.
static bool is_convertible(GDExtensionVariantType actual, GdType type)
{
	return type == GD_VARIANT || (int)actual == (int)type ||
		   (actual != GDEXTENSION_VARIANT_TYPE_OBJECT &&
			   gd.variant_can_convert_strict(actual, (GDExtensionVariantType)type));
}

static bool check_args(const GdMethod* method, const GDExtensionConstVariantPtr* args, int count,
	GDExtensionCallError* error)
{
	int max_count = gd_count_args(method->args, GD_MAX_ARGS);
	int min_count = 0;
	while (min_count < max_count && !method->args[min_count].is_optional)
	{
		++min_count;
	}
	if (count > max_count || count < min_count)
	{
		error->error = count > max_count ? GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS
										 : GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS;
		error->expected = count > max_count ? max_count : min_count;
		return false;
	}
	for (int i = 0; i < count; ++i)
	{
		GdType type = method->args[i].type;
		if (!is_convertible(gd.variant_get_type(args[i]), type))
		{
			error->error = GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT;
			error->argument = i;
			error->expected = (int32_t)type;
			return false;
		}
	}
	error->error = GDEXTENSION_CALL_OK;
	return true;
}

void gd_store_default(const GdArg* arg, GdValue* value)
{
	switch (arg->type)
	{
	case GD_BOOL:
		value->boolean = arg->default_value != 0.0;
		break;
	case GD_INT:
		value->integer = (int64_t)arg->default_value;
		break;
	default:
		value->real = arg->default_value;
		break;
	}
}

// Godot calls this when it holds Variants: unpack, call, pack.
void gd_call_variants(void* userdata, GDExtensionClassInstancePtr instance,
	const GDExtensionConstVariantPtr* args, GDExtensionInt count, GDExtensionVariantPtr result,
	GDExtensionCallError* error)
{
	const GdMethod* method = userdata;
	if (!check_args(method, args, (int)count, error))
	{
		return;
	}

	GdValue values[GD_MAX_ARGS];
	GDExtensionConstTypePtr pointers[GD_MAX_ARGS];
	for (int i = 0; i < gd_count_args(method->args, GD_MAX_ARGS); ++i)
	{
		pointers[i] = &values[i];
		if (i < (int)count)
		{
			gd_variant_read(args[i], method->args[i].type, &values[i]);
		}
		else
		{
			gd_store_default(&method->args[i], &values[i]);
		}
	}

	GdValue value;
	gd_construct(method->result, &value);
	GdCall call = {method, instance, pointers, &value};
	invoke(method, &call);
	GdVariant packed = gd_variant(method->result, &value);
	gd_destroy(method->result, &value);
	memcpy(result, &packed, sizeof(packed)); // moves it into the unused storage of the caller

	for (int i = 0; i < (int)count; ++i)
	{
		gd_destroy(method->args[i].type, &values[i]);
	}
}

// ---- Properties that are fields ----------------------------------------------------------------

static size_t get_field_size(GdType type)
{
	switch (type)
	{
	case GD_BOOL:
		return sizeof(bool);
	case GD_VECTOR2:
		return sizeof(GdVector2);
	case GD_VECTOR3:
		return sizeof(GdVector3);
	case GD_RECT2:
	case GD_COLOR:
		return sizeof(GdColor);
	case GD_AABB:
		return sizeof(GdAabb);
	default:
		return sizeof(double); // numbers
	}
}

static bool check_floats(const GdProperty* property, const char* class_name, const float* values)
{
	for (size_t i = 0; i < get_field_size(property->type) / sizeof(float); ++i)
	{
		if (!isfinite(values[i]))
		{
			GD_ERROR("%s.%s must be made of ordinary numbers, not inf or nan.", class_name,
				property->name);
			return false;
		}
	}
	return true;
}

static bool check_number(const GdProperty* property, const char* class_name, double value)
{
	double maximum = property->maximum != 0.0 ? property->maximum : (double)INT64_MAX;
	if (isfinite(value) && property->minimum <= value && value <= maximum)
	{
		return true;
	}
	if (property->maximum != 0.0)
	{
		GD_ERROR("%s.%s must be a number from %g to %g, not %g.", class_name, property->name,
			property->minimum, property->maximum, value);
	}
	else
	{
		GD_ERROR("%s.%s must be a number of at least %g, not %g.", class_name, property->name,
			property->minimum, value);
	}
	return false;
}

static bool check_field(const GdProperty* property, const char* class_name, const void* value)
{
	switch (property->type)
	{
	case GD_BOOL:
		return true;
	case GD_INT:
		return check_number(property, class_name, (double)*(const int64_t*)value);
	case GD_FLOAT:
		return check_number(property, class_name, *(const double*)value);
	default:
		return check_floats(property, class_name, value);
	}
}

void gd_set_field(GdCall* call)
{
	const GdProperty* property = call->method->data;
	GdInstance* self = call->self;
	if (!check_field(property, self->class->name, call->args[0]))
	{
		return;
	}
	void* field = (char*)self + property->field;
	size_t size = get_field_size(property->type);
	if (memcmp(field, call->args[0], size) != 0)
	{
		memcpy(field, call->args[0], size);
		if (property->changed != NULL)
		{
			property->changed(self);
		}
	}
}

void gd_get_field(GdCall* call)
{
	const GdProperty* property = call->method->data;
	memcpy(call->result, (const char*)call->self + property->field, get_field_size(property->type));
}
