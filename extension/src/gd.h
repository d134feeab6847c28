// SPDX-License-Identifier: MIT
#pragma once

// The binding layer: the only code that knows the GDExtension interface.
//
// A class is a table (GdClass), a method one line of it, and a property that is a plain field of
// the instance is one line without any function. Godot reaches all methods through two trampolines
// in gd_class.c: a typed one and one for Variants. The engine's own methods are called through
// typed functions that tools/godot_api.py makes from gd_api.list, for example gd_node_get_parent().
//
//   gd.c        interface functions, names, method binds, singletons, errors
//   gd_class.c  registration of classes, their instances
//   gd_call.c   trampolines, plain properties
//   gd_value.c  Variants, strings, arrays, dictionaries, signals, callables
//   gd_object.c objects of the engine: making them, calling them by name, connecting to them

#include "gd_types.h"

#include <stddef.h>

void gd_construct(GdType type, void* value);

#include "gd_api.gen.h"

/// Number of items of a C array.
#define GD_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define GD_MAX_ARGS 6

// ---- Classes -----------------------------------------------------------------------------------

typedef struct GdClass GdClass;
typedef struct GdMethod GdMethod;

/// The begin of every instance struct.
typedef struct GdInstance
{
	const GdClass* class;
	GDExtensionObjectPtr object;
} GdInstance;

/// One call of one of our methods. Arguments and result are in ptrcall encoding; the result is
/// already constructed and holds the neutral value of its type.
typedef struct GdCall
{
	const GdMethod* method;
	void* self; ///< the instance struct
	const GDExtensionConstTypePtr* args;
	GDExtensionTypePtr result;
} GdCall;

typedef void GdFunction(GdCall* call);

/// An argument. Optional ones come last and have a number or a boolean as default.
typedef struct GdArg
{
	const char* name;
	GdType type;
	bool is_optional;
	double default_value;
	const char* enum_name; ///< for an integer: "Class.Enum"; for an object: its class
} GdArg;

struct GdMethod
{
	const char* name;
	GdFunction* function;
	GdType result;
	GdArg args[GD_MAX_ARGS]; ///< up to the first without a name
	bool is_const;           ///< does not change the object
	const void* data;        ///< for the function
	const char* result_enum; ///< for an integer: "Class.Enum"; for an object: its class
	bool is_result_counted;  ///< for an object: it is RefCounted
};

/// A property. With `field` it is a plain member of the instance struct (bool, int64_t, double,
/// GdVector2, GdVector3, GdRect2, GdAabb or GdColor); otherwise `get` and `set` are its functions.
/// Methods set_<name> and get_<name> are registered for it. Without a type the line starts a group
/// or a subgroup.
typedef struct GdProperty
{
	const char* name;
	GdType type;
	size_t field;
	GdFunction* get;
	GdFunction* set;
	void (*changed)(void* self); ///< called after a field got another value; may be NULL
	const char* getter;          ///< the getter's name if it is not get_<name>
	double minimum;              ///< for numbers: smaller values are refused
	double maximum;              ///< for numbers: larger values are refused; 0 means no limit
	uint32_t hint;
	const char* hint_string;
	uint32_t usage;        ///< 0 means stored and shown in the Inspector
	const char* enum_name; ///< for an integer: "Class.Enum"; for a resource: its class
} GdProperty;

#define GD_GROUP(title) \
	{ \
		.name = title \
	}
#define GD_SUBGROUP(title) \
	{ \
		.name = title, .usage = GD_USAGE_SUBGROUP \
	}

// Values of Godot's PropertyHint and PropertyUsageFlags.
#define GD_HINT_RANGE 1
#define GD_HINT_ENUM 2
#define GD_HINT_LAYERS_2D_PHYSICS 8
#define GD_HINT_LAYERS_2D_NAVIGATION 9
#define GD_HINT_LAYERS_3D_PHYSICS 11
#define GD_HINT_LAYERS_3D_NAVIGATION 12
#define GD_HINT_RESOURCE_TYPE 17
#define GD_HINT_DICTIONARY_TYPE 38
#define GD_HINT_NODE_PATH_VALID_TYPES 26
#define GD_HINT_LAYERS_AVOIDANCE 37
#define GD_USAGE_STORAGE 2
#define GD_USAGE_EDITOR 4
#define GD_USAGE_DEFAULT 6
#define GD_USAGE_SUBGROUP 256
#define GD_USAGE_NONE 0x40000000 // neither stored nor shown: a bit of ours
#define GD_USAGE_CLASS_IS_ENUM 65536
#define GD_USAGE_NIL_IS_VARIANT 131072

typedef struct GdSignal
{
	const char* name;
	GdArg args[2];
} GdSignal;

typedef struct GdConstant
{
	const char* enum_name;
	const char* name;
	int64_t value;
} GdConstant;

/// A virtual method of the engine that our class overrides.
typedef struct GdVirtual
{
	const char* name;
	GdFunction* function;
} GdVirtual;

typedef struct GdMethodTable
{
	const GdMethod* rows;
	int count;
} GdMethodTable;

#define GD_MAX_TABLES 4

struct GdClass
{
	const char* name;
	const char* parent;
	size_t size;      ///< of the instance struct, which begins with a GdInstance
	bool is_abstract; ///< scripts cannot make instances
	bool is_internal; ///< neither in the list of nodes nor in the class help
	bool is_locked;   ///< methods run one at a time, so that any thread may call them

	void (*create)(void* self);  ///< sets what is not zero; the object exists already
	void (*destroy)(void* self); ///< releases what the instance owns
	void (*notify)(void* self, int what);
	/// Change how a property is shown and stored: its `type`, `usage`, `hint` or, with
	/// gd_assign(), `hint_string`.
	void (*validate_property)(void* self, const char* name, GDExtensionPropertyInfo* info);

	const GdMethod* methods;
	int method_count;
	GdMethodTable more_methods[GD_MAX_TABLES]; ///< for a class whose methods fill several files
	const GdProperty* properties;
	int property_count;
	const GdSignal* signals;
	int signal_count;
	const GdConstant* constants;
	int constant_count;
	const GdVirtual* virtuals;
	int virtual_count;
};

void gd_register_class(const GdClass* class);

/// Unregister all classes, the last one first.
void gd_unregister_classes(void);

/// Unregister this class and those that were registered after it.
void gd_unregister_classes_from(const GdClass* class);

/// Make an object of one of our classes.
/// @return its instance struct
void* gd_create(const GdClass* class);

/// @return the instance struct if the object is of this class of ours, else NULL
void* gd_get_instance(GDExtensionObjectPtr object, const GdClass* class);

/// The lock of all classes with `is_locked`. The same thread may take it several times.
void gd_lock(void);
void gd_unlock(void);

// Notifications of Godot that we listen to.
enum
{
	GD_NOTIFICATION_POSTINITIALIZE = 0,
	GD_NOTIFICATION_ENTER_TREE = 10,
	GD_NOTIFICATION_EXIT_TREE = 11,
	GD_NOTIFICATION_READY = 13,
	GD_NOTIFICATION_PARENTED = 18,
	GD_NOTIFICATION_UNPARENTED = 19,
	GD_NOTIFICATION_INTERNAL_PROCESS = 25,
	GD_NOTIFICATION_INTERNAL_PHYSICS_PROCESS = 26,
	GD_NOTIFICATION_DRAW = 30,
	GD_NOTIFICATION_TRANSFORM_CHANGED = 2000,
};

// ---- Arguments and results ---------------------------------------------------------------------

static inline bool gd_arg_bool(const GdCall* call, int index)
{
	return *(const GDExtensionBool*)call->args[index] != 0;
}

static inline int64_t gd_arg_int(const GdCall* call, int index)
{
	return *(const int64_t*)call->args[index];
}

static inline double gd_arg_float(const GdCall* call, int index)
{
	return *(const double*)call->args[index];
}

static inline GdRid gd_arg_rid(const GdCall* call, int index)
{
	return *(const GdRid*)call->args[index];
}

static inline NcVec2 gd_arg_vec2(const GdCall* call, int index)
{
	return gd_vec2(*(const GdVector2*)call->args[index]);
}

static inline void gd_return_bool(GdCall* call, bool value)
{
	*(GDExtensionBool*)call->result = value;
}

static inline void gd_return_int(GdCall* call, int64_t value)
{
	*(int64_t*)call->result = value;
}

static inline void gd_return_float(GdCall* call, double value)
{
	*(double*)call->result = value;
}

static inline void gd_return_rid(GdCall* call, GdRid value)
{
	*(GdRid*)call->result = value;
}

static inline void gd_return_vec2(GdCall* call, NcVec2 value)
{
	*(GdVector2*)call->result = gd_vector2(value);
}

// ---- Values ------------------------------------------------------------------------------------

/// Release what a value owns. Nothing happens for plain values.
void gd_destroy(GdType type, void* value);

/// Assign a copy to a constructed value.
void gd_assign(GdType type, void* target, const void* source);

/// Make a Variant of a value in ptrcall encoding. Destroy it with gd_destroy(GD_VARIANT, ...).
GdVariant gd_variant(GdType type, const void* value);
GdVariant gd_variant_vec2(NcVec2 value);

GDExtensionVariantType gd_variant_type(const GdVariant* variant);

/// Read a plain value out of a Variant of exactly this type.
void gd_variant_read(const GdVariant* variant, GdType type, void* value);

GdString gd_string(const char* utf8);

/// Set a key of a dictionary. The value is consumed.
void gd_dictionary_set(GdDictionary* dictionary, const char* key, GdVariant value);

/// The same with a key of any type, which is consumed, too.
void gd_dictionary_set_key(GdDictionary* dictionary, GdVariant key, GdVariant value);

/// @return the value of a key that is there, valid until the dictionary changes
const GdVariant* gd_dictionary_get(const GdDictionary* dictionary, const GdVariant* key);

/// Append to an array. The value is consumed.
void gd_array_push(GdArray* array, GdVariant value);

/// Replace what a constructed packed array holds.
void gd_assign_vector2_array(void* array, const NcVec2* points, int count);
void gd_assign_byte_array(void* array, const void* bytes, size_t size);
void gd_assign_float32_array(void* array, const double* values, int count);

/// Make a packed array. Destroy it with gd_destroy().
GdPackedVector2Array gd_vector2_array(const NcVec2* points, int count);
GdPackedColorArray gd_color_array(GdColor color); ///< with a single color
GdPackedColorArray gd_colors_array(const GdColor* colors, int count);

/// The numbers from 0 to `count` - 1.
GdPackedInt32Array gd_index_array(int count);

GdPackedVector3Array gd_vectors_array(const GdVector3* vectors, int count);

/// Points of the plane (x, z) at one height.
GdPackedVector3Array gd_vector3_array(const NcVec2* points, int count, double height);

/// @return the items, valid until the array changes; NULL if it is empty
const GdVector2* gd_vector2_items(const GdPackedVector2Array* array, int* count);
const GdVector3* gd_vector3_items(const GdPackedVector3Array* array, int* count);
const uint8_t* gd_byte_items(const GdPackedByteArray* array, size_t* size);
const int32_t* gd_int32_items(const GdPackedInt32Array* array, int* count);
const float* gd_float32_items(const GdPackedFloat32Array* array, int* count);
const GdVariant* gd_array_item(const GdArray* array, int index);

// ---- Objects -----------------------------------------------------------------------------------

/// The StringName of a text, which must live as long as the extension. It lives until the extension
/// ends.
const GdStringName* gd_name(const char* text);

GDExtensionObjectPtr gd_singleton(const char* name);
uint64_t gd_get_id(GDExtensionObjectPtr object);

/// @return whether the calling thread is the one of the scene tree
bool gd_is_main_thread(void);

/// @return the object, or NULL if it was freed
GDExtensionObjectPtr gd_get_object(uint64_t id);

bool gd_is_class(GDExtensionObjectPtr object, const char* name);

/// Make an object of one of the engine's classes. If it is counted, it has one reference, for
/// gd_release(); nodes are freed by their parent.
GDExtensionObjectPtr gd_new(const char* class_name);

/// Call any method of any object, as a script would. The arguments are consumed.
/// @return its result, for gd_destroy(GD_VARIANT, ...)
GdVariant gd_call(GDExtensionObjectPtr object, const char* method, GdVariant* args, int count);

/// Call an engine method that takes any number of arguments. The arguments are consumed.
GdVariant gd_call_bind(
	GdMethodIndex method, GDExtensionObjectPtr object, GdVariant* args, int count);

/// Write the name of a node as UTF-8, for messages. What is longer than the buffer is cut.
void gd_get_node_name(GDExtensionObjectPtr node, char* text, size_t size);

/// Give back the reference that came with a RefCounted result of an engine method. NULL is allowed.
void gd_release(GDExtensionObjectPtr ref_counted);

/// Keep a reference to a RefCounted object, or to none, in place of an old one. Both may be NULL.
void gd_set_reference(GDExtensionObjectPtr* place, GDExtensionObjectPtr ref_counted);

/// Emit a signal of an object of ours. The arguments are consumed. The object may be gone
/// afterwards: look it up by its id before using it again.
void gd_emit(GDExtensionObjectPtr object, const char* signal, GdVariant* args, int count);

/// Connect a C function to a signal without arguments, until gd_disconnect_all().
void gd_connect(GDExtensionObjectPtr object, const char* signal, void (*function)(void));
void gd_disconnect_all(void);

/// Make a callable of a method. Destroy it with gd_destroy().
GdCallable gd_callable(GDExtensionObjectPtr target, const char* method);

/// Connect a signal to a method of an object of ours, until one of both is freed or
/// gd_disconnect_method(). Connecting twice does nothing more.
void gd_connect_method(GDExtensionObjectPtr source, const char* signal, GDExtensionObjectPtr target,
	const char* method);
void gd_disconnect_method(GDExtensionObjectPtr source, const char* signal,
	GDExtensionObjectPtr target, const char* method);

/// Disconnect everybody from a signal of an object of ours.
void gd_disconnect_listeners(GDExtensionObjectPtr object, const char* signal);

/// Register an instance of ours as a singleton under its class name.
void gd_add_singleton(GdInstance* instance);

/// Unregister the singleton. Its object lives on.
void gd_forget_singleton(const GdInstance* instance);

/// Destroy an object of ours that is not counted, and with it the instance.
void gd_destroy_object(GdInstance* instance);

// ---- Tasks -------------------------------------------------------------------------------------

/// Run a function on one of the engine's worker threads. Every task must be waited for once.
/// @param description a literal, for the engine's messages
/// @return the number of the task
int64_t gd_start_task(void (*function)(void* context), void* context, const char* description);
bool gd_is_task_done(int64_t task);
void gd_wait_for_task(int64_t task);

/// Run a function `count` times on the engine's worker threads. Every group must be waited for
/// once, without gd_lock(): those threads may have other work first that waits for it.
/// @return the number of the group
int64_t gd_start_group(void (*function)(void* context, uint32_t index), void* context, int count,
	const char* description);
void gd_wait_for_group(int64_t group);

/// @return how many threads can run at the same time
int gd_count_threads(void);

// ---- Errors ------------------------------------------------------------------------------------

/// Report a mistake of the calling script: what is wrong and what to do. With format as printf.
#define GD_ERROR(...) gd_error(__func__, __FILE__, __LINE__, __VA_ARGS__)
#define GD_WARNING(...) gd_warning(__func__, __FILE__, __LINE__, __VA_ARGS__)

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void gd_error(const char* function, const char* file, int line, const char* format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void gd_warning(const char* function, const char* file, int line, const char* format, ...);

// ---- Start and end -----------------------------------------------------------------------------

/// Load the interface functions. To be called first.
/// @return false if the engine is too old
bool gd_load(
	GDExtensionInterfaceGetProcAddress get_proc_address, GDExtensionClassLibraryPtr library);

/// Find the engine methods of gd_api.list. To be called when the scene level is initialized.
void gd_bind_methods(void);

/// Find those that only the editor has. To be called when the editor level is initialized.
void gd_bind_editor_methods(void);

/// Have the editor make an instance of a class of ours that extends EditorPlugin, or end it.
void gd_add_editor_plugin(const GdClass* class);
void gd_remove_editor_plugin(const GdClass* class);

/// Call these when the main loop starts and before it ends.
void gd_set_main_loop_callbacks(void (*startup)(void), void (*shutdown)(void));

/// Show class help (XML) in the editor.
void gd_load_help(const char* xml);

/// Release all names and the lock. To be called last.
void gd_unload(void);
