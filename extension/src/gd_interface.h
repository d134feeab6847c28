// SPDX-License-Identifier: MIT
#pragma once

// The interface functions that we call, shared by the gd_*.c files and by no others.

#include "gd.h"

// Adding a line declares and loads a function. The engine prints an error when it does not know a
// name, so only functions of Godot 4.5 and older belong here.
#define GD_INTERFACE_FUNCTIONS(X) \
	X(array_operator_index_const, ArrayOperatorIndexConst) \
	X(callable_custom_create2, CallableCustomCreate2) \
	X(classdb_construct_object2, ClassdbConstructObject2) \
	X(classdb_get_method_bind, ClassdbGetMethodBind) \
	X(classdb_register_extension_class4, ClassdbRegisterExtensionClass4) \
	X(classdb_register_extension_class_integer_constant, \
		ClassdbRegisterExtensionClassIntegerConstant) \
	X(classdb_register_extension_class_method, ClassdbRegisterExtensionClassMethod) \
	X(classdb_register_extension_class_property, ClassdbRegisterExtensionClassProperty) \
	X(classdb_register_extension_class_property_group, ClassdbRegisterExtensionClassPropertyGroup) \
	X(classdb_register_extension_class_property_subgroup, \
		ClassdbRegisterExtensionClassPropertySubgroup) \
	X(classdb_register_extension_class_signal, ClassdbRegisterExtensionClassSignal) \
	X(classdb_unregister_extension_class, ClassdbUnregisterExtensionClass) \
	X(dictionary_operator_index, DictionaryOperatorIndex) \
	X(dictionary_operator_index_const, DictionaryOperatorIndexConst) \
	X(editor_add_plugin, EditorAddPlugin) \
	X(editor_remove_plugin, EditorRemovePlugin) \
	X(get_variant_from_type_constructor, GetVariantFromTypeConstructor) \
	X(get_variant_to_type_constructor, GetVariantToTypeConstructor) \
	X(global_get_singleton, GlobalGetSingleton) \
	X(object_destroy, ObjectDestroy) \
	X(object_get_instance_binding, ObjectGetInstanceBinding) \
	X(object_get_instance_from_id, ObjectGetInstanceFromId) \
	X(object_get_instance_id, ObjectGetInstanceId) \
	X(object_method_bind_call, ObjectMethodBindCall) \
	X(object_method_bind_ptrcall, ObjectMethodBindPtrcall) \
	X(object_set_instance, ObjectSetInstance) \
	X(object_set_instance_binding, ObjectSetInstanceBinding) \
	X(packed_byte_array_operator_index, PackedByteArrayOperatorIndex) \
	X(packed_byte_array_operator_index_const, PackedByteArrayOperatorIndexConst) \
	X(packed_color_array_operator_index, PackedColorArrayOperatorIndex) \
	X(packed_float32_array_operator_index, PackedFloat32ArrayOperatorIndex) \
	X(packed_float32_array_operator_index_const, PackedFloat32ArrayOperatorIndexConst) \
	X(packed_int32_array_operator_index, PackedInt32ArrayOperatorIndex) \
	X(packed_int32_array_operator_index_const, PackedInt32ArrayOperatorIndexConst) \
	X(packed_vector2_array_operator_index, PackedVector2ArrayOperatorIndex) \
	X(packed_vector2_array_operator_index_const, PackedVector2ArrayOperatorIndexConst) \
	X(packed_vector3_array_operator_index, PackedVector3ArrayOperatorIndex) \
	X(packed_vector3_array_operator_index_const, PackedVector3ArrayOperatorIndexConst) \
	X(print_error_with_message, PrintErrorWithMessage) \
	X(print_warning_with_message, PrintWarningWithMessage) \
	X(ref_set_object, RefSetObject) \
	X(register_main_loop_callbacks, RegisterMainLoopCallbacks) \
	X(string_name_new_with_utf8_chars, StringNameNewWithUtf8Chars) \
	X(string_new_with_utf8_chars, StringNewWithUtf8Chars) \
	X(string_to_utf8_chars, StringToUtf8Chars) \
	X(variant_can_convert_strict, VariantCanConvertStrict) \
	X(variant_destroy, VariantDestroy) \
	X(variant_get_object_instance_id, VariantGetObjectInstanceId) \
	X(variant_get_ptr_builtin_method, VariantGetPtrBuiltinMethod) \
	X(variant_get_ptr_constructor, VariantGetPtrConstructor) \
	X(variant_get_ptr_destructor, VariantGetPtrDestructor) \
	X(variant_get_type, VariantGetType) \
	X(variant_new_copy, VariantNewCopy) \
	X(variant_new_nil, VariantNewNil) \
	X(worker_thread_pool_add_native_group_task, WorkerThreadPoolAddNativeGroupTask) \
	X(worker_thread_pool_add_native_task, WorkerThreadPoolAddNativeTask)

/// The loaded functions and what the engine gave us.
typedef struct GdInterface
{
	GDExtensionClassLibraryPtr library;
	GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars editor_help_load_xml_from_utf8_chars;
#define X(name, type) GDExtensionInterface##type name;
	GD_INTERFACE_FUNCTIONS(X)
#undef X
} GdInterface;

extern GdInterface gd;

/// @return the bind of an engine method, for calls with Variants
GDExtensionMethodBindPtr gd_get_bind(GdMethodIndex method);

// The trampolines of all methods, and the accessors of all properties that are fields; gd_call.c.
void gd_call_typed(void* userdata, GDExtensionClassInstancePtr instance,
	const GDExtensionConstTypePtr* args, GDExtensionTypePtr result);
void gd_call_variants(void* userdata, GDExtensionClassInstancePtr instance,
	const GDExtensionConstVariantPtr* args, GDExtensionInt count, GDExtensionVariantPtr result,
	GDExtensionCallError* error);
void gd_set_field(GdCall* call);
void gd_get_field(GdCall* call);

/// @return the number of arguments up to the first without a name
int gd_count_args(const GdArg* args, int capacity);

/// Store the default of an optional argument in ptrcall encoding.
void gd_store_default(const GdArg* arg, GdValue* value);
