// SPDX-License-Identifier: MIT

// Objects of the engine: making them, calling them by name, connecting their signals to methods of
// ours.

#include "gd_interface.h"

#define MAX_CALL_ARGS 8

// The constructor Callable(Object, StringName).
#define CALLABLE_FROM_METHOD 2

GDExtensionObjectPtr gd_new(const char* class_name)
{
	GDExtensionObjectPtr object = gd.classdb_construct_object2(gd_name(class_name));
	gd_object_notification(object, GD_NOTIFICATION_POSTINITIALIZE, false);
	if (gd_is_class(object, "RefCounted"))
	{
		gd_ref_counted_init_ref(object);
	}
	return object;
}

GdVariant gd_call_bind(
	GdMethodIndex method, GDExtensionObjectPtr object, GdVariant* args, int count)
{
	GDExtensionConstVariantPtr pointers[MAX_CALL_ARGS];
	for (int i = 0; i < count; ++i)
	{
		pointers[i] = &args[i];
	}
	GdVariant result;
	GDExtensionCallError error = {GDEXTENSION_CALL_OK, 0, 0};
	gd.object_method_bind_call(gd_get_bind(method), object, pointers, count, &result, &error);
	for (int i = 0; i < count; ++i)
	{
		gd_destroy(GD_VARIANT, &args[i]);
	}
	return result;
}

GdVariant gd_call(GDExtensionObjectPtr object, const char* method, GdVariant* args, int count)
{
	GdVariant all[MAX_CALL_ARGS] = {gd_variant(GD_STRING_NAME, gd_name(method))};
	for (int i = 0; i < count; ++i)
	{
		all[1 + i] = args[i];
	}
	return gd_call_bind(GD_METHOD_object_call, object, all, 1 + count);
}

GdCallable gd_callable(GDExtensionObjectPtr target, const char* method)
{
	static GDExtensionPtrConstructor construct;
	if (construct == NULL)
	{
		construct =
			gd.variant_get_ptr_constructor(GDEXTENSION_VARIANT_TYPE_CALLABLE, CALLABLE_FROM_METHOD);
	}
	GdCallable callable;
	const GDExtensionConstTypePtr args[] = {&target, gd_name(method)};
	construct(&callable, args);
	return callable;
}

void gd_connect_method(GDExtensionObjectPtr source, const char* signal, GDExtensionObjectPtr target,
	const char* method)
{
	GdCallable callable = gd_callable(target, method);
	if (!gd_object_is_connected(source, gd_name(signal), &callable))
	{
		gd_object_connect(source, gd_name(signal), &callable, 0);
	}
	gd_destroy(GD_CALLABLE, &callable);
}

void gd_disconnect_method(GDExtensionObjectPtr source, const char* signal,
	GDExtensionObjectPtr target, const char* method)
{
	GdCallable callable = gd_callable(target, method);
	if (gd_object_is_connected(source, gd_name(signal), &callable))
	{
		gd_object_disconnect(source, gd_name(signal), &callable);
	}
	gd_destroy(GD_CALLABLE, &callable);
}

void gd_add_editor_plugin(const GdClass* class)
{
	gd.editor_add_plugin(gd_name(class->name));
}

void gd_remove_editor_plugin(const GdClass* class)
{
	gd.editor_remove_plugin(gd_name(class->name));
}
