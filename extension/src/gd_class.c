// SPDX-License-Identifier: MIT

// Classes: from a table to a registered class, its instances, virtual methods and notifications.

#include "gd_interface.h"

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
	const GdClass* class = userdata;
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
	return attach_instance(userdata, object);
}

static void free_instance(void* userdata, GDExtensionClassInstancePtr instance)
{
	const GdClass* class = userdata;
	if (class->destroy != NULL)
	{
		class->destroy(instance);
	}
	free(instance);
}

void* gd_create(const GdClass* class)
{
	return gd_get_instance(create_instance((void*)class, 1), class);
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

// ---- What the engine asks of an instance --------------------------------------------------------

static void* find_virtual(void* userdata, GDExtensionConstStringNamePtr name, uint32_t hash)
{
	(void)hash;
	const GdClass* class = userdata;
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

// ---- Registration ------------------------------------------------------------------------------

// Property infos point to names and strings; this one also holds them.
typedef struct Info
{
	GdString hint_string;
	GDExtensionPropertyInfo info;
} Info;

static void fill_info(Info* info, const char* name, GdType type, const char* enum_name)
{
	uint32_t usage = GD_USAGE_DEFAULT | (type == GD_VARIANT ? GD_USAGE_NIL_IS_VARIANT : 0) |
					 (enum_name != NULL && type == GD_INT ? GD_USAGE_CLASS_IS_ENUM : 0);
	info->hint_string = gd_string("");
	info->info = (GDExtensionPropertyInfo){
		.type = type == GD_VARIANT ? GDEXTENSION_VARIANT_TYPE_NIL : (GDExtensionVariantType)type,
		.name = (GDExtensionStringNamePtr)gd_name(name),
		.class_name = (GDExtensionStringNamePtr)gd_name(enum_name != NULL ? enum_name : ""),
		.hint_string = &info->hint_string,
		.usage = usage,
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
	int count = gd_count_args(method->args, GD_MAX_ARGS);
	for (int i = 0; i < count; ++i)
	{
		const GdArg* arg = &method->args[i];
		fill_info(&infos[i], arg->name, arg->type, arg->enum_name);
		arguments[i] = infos[i].info;
		if (arg->is_optional)
		{
			GdValue value = {0};
			gd_store_default(arg, &value);
			defaults[default_count] = gd_variant(arg->type, &value);
			default_pointers[default_count] = &defaults[default_count];
			++default_count;
		}
	}
	fill_info(&infos[count], "", method->result, method->result_enum);

	GDExtensionClassMethodInfo info = {
		.name = (GDExtensionStringNamePtr)gd_name(method->name),
		.method_userdata = (void*)method,
		.call_func = gd_call_variants,
		.ptrcall_func = gd_call_typed,
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

static void register_group(const GdClass* class, const GdProperty* group)
{
	GdString name = gd_string(group->name);
	GdString prefix = gd_string("");
	if (group->usage == GD_USAGE_SUBGROUP)
	{
		gd.classdb_register_extension_class_property_subgroup(
			gd.library, gd_name(class->name), &name, &prefix);
	}
	else
	{
		gd.classdb_register_extension_class_property_group(
			gd.library, gd_name(class->name), &name, &prefix);
	}
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
		.function = property->field != 0 ? gd_set_field : property->set,
		.args = {{property->name, property->type, .enum_name = property->enum_name}},
		.data = property,
	};
	pair[1] = (GdMethod){
		.name = property->getter != NULL ? property->getter : names[1],
		.function = property->field != 0 ? gd_get_field : property->get,
		.result = property->type,
		.is_const = true,
		.data = property,
		.result_enum = property->enum_name,
		.is_result_counted = property->hint == GD_HINT_RESOURCE_TYPE,
	};
}

static void register_property(ClassRecord* record, int index)
{
	const GdClass* class = record->class;
	const GdProperty* property = &class->properties[index];
	if (property->type == GD_NIL)
	{
		register_group(class, property);
		return;
	}
	GdMethod* pair = record->accessors + 2 * index;
	fill_accessors(property, pair, record->accessor_names + 2 * index);
	register_method(class, &pair[0]);
	register_method(class, &pair[1]);

	Info info;
	fill_info(&info, property->name, property->type, property->enum_name);
	info.info.hint = property->hint;
	if (property->hint_string != NULL)
	{
		gd_destroy(GD_STRING, &info.hint_string);
		info.hint_string = gd_string(property->hint_string);
	}
	if (property->usage != 0)
	{
		info.info.usage &= ~(uint32_t)GD_USAGE_DEFAULT;
		info.info.usage |= property->usage & ~(uint32_t)GD_USAGE_NONE;
	}
	gd.classdb_register_extension_class_property(
		gd.library, gd_name(class->name), &info.info, gd_name(pair[0].name), gd_name(pair[1].name));
	gd_destroy(GD_STRING, &info.hint_string);
}

static void register_signal(const GdClass* class, const GdSignal* signal)
{
	Info infos[GD_COUNT(signal->args)];
	GDExtensionPropertyInfo arguments[GD_COUNT(signal->args)];
	int count = gd_count_args(signal->args, GD_COUNT(signal->args));
	for (int i = 0; i < count; ++i)
	{
		fill_info(&infos[i], signal->args[i].name, signal->args[i].type, NULL);
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
	for (int k = 0; k < GD_MAX_TABLES; ++k)
	{
		for (int i = 0; i < class->more_methods[k].count; ++i)
		{
			register_method(class, &class->more_methods[k].rows[i]);
		}
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
		.is_exposed = !class->is_internal,
		.validate_property_func = validate_property,
		.notification_func = notify,
		.create_instance_func = create_instance,
		.free_instance_func = free_instance,
		.recreate_instance_func = recreate_instance,
		.get_virtual_call_data_func = find_virtual,
		.call_virtual_with_data_func = call_virtual,
		.class_userdata = (void*)class,
	};
	gd.classdb_register_extension_class4(
		gd.library, gd_name(class->name), gd_name(class->parent), &info);
	register_members(record);
}

static void unregister_last_class(void)
{
	ClassRecord* record = &records[--record_count];
	gd.classdb_unregister_extension_class(gd.library, gd_name(record->class->name));
	free(record->accessors);
	free(record->accessor_names);
	*record = (ClassRecord){0};
}

void gd_unregister_classes_from(const GdClass* class)
{
	while (record_count > 0)
	{
		bool is_last = records[record_count - 1].class == class;
		unregister_last_class();
		if (is_last)
		{
			return;
		}
	}
}

void gd_unregister_classes(void)
{
	gd_unregister_classes_from(NULL);
}
