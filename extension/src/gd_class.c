// SPDX-License-Identifier: MIT

// Classes: from a table to a registered class, and from a call of the engine to a C function.
//
// All methods of all classes share two trampolines. call_typed() gets pointers to plain values and
// passes them on; call_variants() checks and unpacks Variants first, fills defaults in, and packs
// the result. Properties that are plain fields share a getter and a setter, which checks numbers
// before it stores them.

#include "gd_interface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CLASSES 32
#define MAX_NAME_LENGTH 64

// Bits of GDExtensionClassMethodFlags.
#define FLAG_NORMAL 1
#define FLAG_CONST 4

// A registered class, with the methods that its properties need.
typedef struct ClassRecord
{
	const GdClass* class;
	GdMethod* accessors; // a setter and a getter for each property
	char (*accessor_names)[MAX_NAME_LENGTH];
} ClassRecord;

static ClassRecord records[MAX_CLASSES];
static int record_count;

// ---- Instances ---------------------------------------------------------------------------------

static const GDExtensionInstanceBindingCallbacks binding_callbacks = {NULL, NULL, NULL};

static GdInstance* attach_instance(const GdClass* class, GDExtensionObjectPtr object)
{
	GdInstance* instance = calloc(1, class->size);
	if (instance == NULL)
	{
		abort(); // as the engine itself does when an object cannot be allocated
	}
	instance->class = class;
	instance->object = object;
	if (class->create != NULL)
	{
		class->create(instance);
	}
	gd.object_set_instance_binding(object, gd.library, instance, &binding_callbacks);
	return instance;
}

static GDExtensionObjectPtr create_instance(void* userdata, GDExtensionBool notify)
{
	const GdClass* class = ((const ClassRecord*)userdata)->class;
	GDExtensionObjectPtr object = gd.classdb_construct_object2(gd_name(class->parent));
	GdInstance* instance = attach_instance(class, object);
	gd.object_set_instance(object, gd_name(class->name), instance);
	if (notify)
	{
		gd_object_notification(object, GD_NOTIFICATION_POSTINITIALIZE, false);
	}
	return object;
}

static GDExtensionClassInstancePtr recreate_instance(void* userdata, GDExtensionObjectPtr object)
{
	return attach_instance(((const ClassRecord*)userdata)->class, object);
}

static void free_instance(void* userdata, GDExtensionClassInstancePtr instance)
{
	const GdClass* class = ((const ClassRecord*)userdata)->class;
	if (class->destroy != NULL)
	{
		class->destroy(instance);
	}
	free(instance);
}

static ClassRecord* find_record(const GdClass* class)
{
	for (int i = 0; i < record_count; ++i)
	{
		if (records[i].class == class)
		{
			return &records[i];
		}
	}
	return NULL;
}

void* gd_create(const GdClass* class)
{
	return gd_get_instance(create_instance(find_record(class), 1), class);
}

void* gd_get_instance(GDExtensionObjectPtr object, const GdClass* class)
{
	if (object == NULL)
	{
		return NULL;
	}
	GdInstance* instance = gd.object_get_instance_binding(object, gd.library, NULL);
	return instance != NULL && instance->class == class ? instance : NULL;
}

// ---- Calls -------------------------------------------------------------------------------------

static int count_args(const GdArg* args, int capacity)
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

static void call_typed(void* userdata, GDExtensionClassInstancePtr instance,
	const GDExtensionConstTypePtr* args, GDExtensionTypePtr result)
{
	const GdMethod* method = userdata;
	if (method->result != GD_NIL)
	{
		// The engine may hand us the result of an earlier call.
		gd_destroy(method->result, result);
		gd_construct(method->result, result);
	}
	GdCall call = {method, instance, args, result};
	invoke(method, &call);
}

static bool check_args(const GdMethod* method, const GDExtensionConstVariantPtr* args, int count,
	GDExtensionCallError* error)
{
	int max_count = count_args(method->args, GD_MAX_ARGS);
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
		GDExtensionVariantType actual = gd.variant_get_type(args[i]);
		if (type != GD_VARIANT && (int)actual != (int)type &&
			!gd.variant_can_convert_strict(actual, (GDExtensionVariantType)type))
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

static void store_default(const GdArg* arg, GdValue* value)
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
static void call_variants(void* userdata, GDExtensionClassInstancePtr instance,
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
	for (int i = 0; i < count_args(method->args, GD_MAX_ARGS); ++i)
	{
		pointers[i] = &values[i];
		if (i < (int)count)
		{
			gd_variant_read(args[i], method->args[i].type, &values[i]);
		}
		else
		{
			store_default(&method->args[i], &values[i]);
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

static void* find_virtual(void* userdata, GDExtensionConstStringNamePtr name, uint32_t hash)
{
	(void)hash;
	const GdClass* class = ((const ClassRecord*)userdata)->class;
	for (int i = 0; i < class->virtual_count; ++i)
	{
		if (memcmp(name, gd_name(class->virtuals[i].name), sizeof(GdStringName)) == 0)
		{
			return (void*)&class->virtuals[i];
		}
	}
	return NULL;
}

static void call_virtual(GDExtensionClassInstancePtr instance, GDExtensionConstStringNamePtr name,
	void* userdata, const GDExtensionConstTypePtr* args, GDExtensionTypePtr result)
{
	(void)name;
	GdCall call = {NULL, instance, args, result};
	((const GdVirtual*)userdata)->function(&call);
}

static void notify(GDExtensionClassInstancePtr instance, int32_t what, GDExtensionBool reversed)
{
	(void)reversed;
	const GdInstance* self = instance;
	if (self->class->notify != NULL)
	{
		self->class->notify(instance, what);
	}
}

static GDExtensionBool validate_property(
	GDExtensionClassInstancePtr instance, GDExtensionPropertyInfo* info)
{
	const GdClass* class = ((const GdInstance*)instance)->class;
	for (int i = 0; i < class->property_count && class->validate_property != NULL; ++i)
	{
		const char* name = class->properties[i].name;
		if (memcmp(info->name, gd_name(name), sizeof(GdStringName)) == 0)
		{
			class->validate_property(instance, name, info);
			return true;
		}
	}
	return false;
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
	case GD_RECT2:
	case GD_COLOR:
		return sizeof(GdColor);
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

static void set_field(GdCall* call)
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

static void get_field(GdCall* call)
{
	const GdProperty* property = call->method->data;
	memcpy(call->result, (const char*)call->self + property->field, get_field_size(property->type));
}

// ---- Registration ------------------------------------------------------------------------------

// Property infos point to names and strings; this one also holds them.
typedef struct Info
{
	GdString hint_string;
	GDExtensionPropertyInfo info;
} Info;

static void fill_info(Info* info, const char* name, GdType type, uint32_t hint,
	const char* hint_string, uint32_t usage)
{
	info->hint_string = gd_string(hint_string != NULL ? hint_string : "");
	info->info = (GDExtensionPropertyInfo){
		.type = type == GD_VARIANT ? GDEXTENSION_VARIANT_TYPE_NIL : (GDExtensionVariantType)type,
		.name = (GDExtensionStringNamePtr)gd_name(name),
		.class_name = (GDExtensionStringNamePtr)gd_name(""),
		.hint = hint,
		.hint_string = &info->hint_string,
		.usage = usage | (type == GD_VARIANT ? GD_USAGE_NIL_IS_VARIANT : 0),
	};
}

static void register_method(const GdClass* class, const GdMethod* method)
{
	Info infos[GD_MAX_ARGS + 1];
	GDExtensionPropertyInfo arguments[GD_MAX_ARGS];
	GDExtensionClassMethodArgumentMetadata metadata[GD_MAX_ARGS] = {
		GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
	GdVariant defaults[GD_MAX_ARGS];
	GDExtensionVariantPtr default_pointers[GD_MAX_ARGS];
	int default_count = 0;
	int count = count_args(method->args, GD_MAX_ARGS);
	for (int i = 0; i < count; ++i)
	{
		const GdArg* arg = &method->args[i];
		fill_info(&infos[i], arg->name, arg->type, 0, NULL, GD_USAGE_DEFAULT);
		arguments[i] = infos[i].info;
		if (arg->is_optional)
		{
			GdValue value = {0};
			store_default(arg, &value);
			defaults[default_count] = gd_variant(arg->type, &value);
			default_pointers[default_count] = &defaults[default_count];
			++default_count;
		}
	}
	fill_info(&infos[count], "", method->result, 0, NULL, GD_USAGE_DEFAULT);

	GDExtensionClassMethodInfo info = {
		.name = (GDExtensionStringNamePtr)gd_name(method->name),
		.method_userdata = (void*)method,
		.call_func = call_variants,
		.ptrcall_func = call_typed,
		.method_flags = FLAG_NORMAL | (method->is_const ? FLAG_CONST : 0),
		.has_return_value = method->result != GD_NIL,
		.return_value_info = &infos[count].info,
		.return_value_metadata = GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE,
		.argument_count = (uint32_t)count,
		.arguments_info = arguments,
		.arguments_metadata = metadata,
		.default_argument_count = (uint32_t)default_count,
		.default_arguments = default_pointers,
	};
	gd.classdb_register_extension_class_method(gd.library, gd_name(class->name), &info);

	for (int i = 0; i <= count; ++i)
	{
		gd_destroy(GD_STRING, &infos[i].hint_string);
	}
	for (int i = 0; i < default_count; ++i)
	{
		gd_destroy(GD_VARIANT, &defaults[i]);
	}
}

static void register_group(const GdClass* class, const char* title)
{
	GdString name = gd_string(title);
	GdString prefix = gd_string("");
	gd.classdb_register_extension_class_property_group(
		gd.library, gd_name(class->name), &name, &prefix);
	gd_destroy(GD_STRING, &name);
	gd_destroy(GD_STRING, &prefix);
}

static void fill_accessors(
	const GdProperty* property, GdMethod* pair, char (*names)[MAX_NAME_LENGTH])
{
	snprintf(names[0], MAX_NAME_LENGTH, "set_%s", property->name);
	snprintf(names[1], MAX_NAME_LENGTH, "get_%s", property->name);
	pair[0] = (GdMethod){
		.name = names[0],
		.function = property->field != 0 ? set_field : property->set,
		.args = {{property->name, property->type}},
		.data = property,
	};
	pair[1] = (GdMethod){
		.name = property->getter != NULL ? property->getter : names[1],
		.function = property->field != 0 ? get_field : property->get,
		.result = property->type,
		.is_const = true,
		.data = property,
	};
}

static void register_property(ClassRecord* record, int index)
{
	const GdClass* class = record->class;
	const GdProperty* property = &class->properties[index];
	if (property->type == GD_NIL)
	{
		register_group(class, property->name);
		return;
	}
	GdMethod* pair = record->accessors + 2 * index;
	fill_accessors(property, pair, record->accessor_names + 2 * index);
	register_method(class, &pair[0]);
	register_method(class, &pair[1]);

	uint32_t usage = property->usage == GD_USAGE_NONE ? 0
					 : property->usage != 0           ? property->usage
													  : GD_USAGE_DEFAULT;
	Info info;
	fill_info(&info, property->name, property->type, property->hint, property->hint_string, usage);
	gd.classdb_register_extension_class_property(
		gd.library, gd_name(class->name), &info.info, gd_name(pair[0].name), gd_name(pair[1].name));
	gd_destroy(GD_STRING, &info.hint_string);
}

static void register_signal(const GdClass* class, const GdSignal* signal)
{
	Info infos[GD_COUNT(signal->args)];
	GDExtensionPropertyInfo arguments[GD_COUNT(signal->args)];
	int count = count_args(signal->args, GD_COUNT(signal->args));
	for (int i = 0; i < count; ++i)
	{
		fill_info(&infos[i], signal->args[i].name, signal->args[i].type, 0, NULL, GD_USAGE_DEFAULT);
		arguments[i] = infos[i].info;
	}
	gd.classdb_register_extension_class_signal(
		gd.library, gd_name(class->name), gd_name(signal->name), arguments, count);
	for (int i = 0; i < count; ++i)
	{
		gd_destroy(GD_STRING, &infos[i].hint_string);
	}
}

static void register_members(ClassRecord* record)
{
	const GdClass* class = record->class;
	for (int i = 0; i < class->method_count; ++i)
	{
		register_method(class, &class->methods[i]);
	}
	for (int i = 0; i < class->property_count; ++i)
	{
		register_property(record, i);
	}
	for (int i = 0; i < class->signal_count; ++i)
	{
		register_signal(class, &class->signals[i]);
	}
	for (int i = 0; i < class->constant_count; ++i)
	{
		const GdConstant* constant = &class->constants[i];
		gd.classdb_register_extension_class_integer_constant(gd.library, gd_name(class->name),
			gd_name(constant->enum_name), gd_name(constant->name), constant->value, false);
	}
	for (int i = 0; i < class->virtual_count; ++i)
	{
		gd_name(class->virtuals[i].name); // find_virtual() may run on any thread later
	}
}

void gd_register_class(const GdClass* class)
{
	ClassRecord* record = &records[record_count];
	size_t accessor_count = 2 * (size_t) class->property_count + 1;
	*record = (ClassRecord){
		.class = class,
		.accessors = calloc(accessor_count, sizeof(GdMethod)),
		.accessor_names = calloc(accessor_count, sizeof(record->accessor_names[0])),
	};
	if (record_count == MAX_CLASSES || record->accessors == NULL || record->accessor_names == NULL)
	{
		GD_ERROR("The class %s cannot be registered: out of memory.", class->name);
		return;
	}
	++record_count;

	GDExtensionClassCreationInfo4 info = {
		.is_abstract = class->is_abstract,
		.is_exposed = true,
		.validate_property_func = validate_property,
		.notification_func = notify,
		.create_instance_func = create_instance,
		.free_instance_func = free_instance,
		.recreate_instance_func = recreate_instance,
		.get_virtual_call_data_func = find_virtual,
		.call_virtual_with_data_func = call_virtual,
		.class_userdata = record,
	};
	gd.classdb_register_extension_class4(
		gd.library, gd_name(class->name), gd_name(class->parent), &info);
	register_members(record);
}

void gd_unregister_classes(void)
{
	while (record_count > 0)
	{
		ClassRecord* record = &records[--record_count];
		gd.classdb_unregister_extension_class(gd.library, gd_name(record->class->name));
		free(record->accessors);
		free(record->accessor_names);
		*record = (ClassRecord){0};
	}
}
