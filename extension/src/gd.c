// SPDX-License-Identifier: MIT

// The engine's side of the binding layer: interface functions, names, method binds, singletons,
// errors. Names and binds live in tables that are filled on the main thread and emptied at the end,
// so that the engine finds no orphan.

#include "gd_interface.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// A power of two, well above the number of names in all class tables.
#define MAX_NAMES 2048

#define MAX_ERROR_LENGTH 512

GdInterface gd;

// StringNames by text: open addressing, key NULL means free. Keys are string literals. A text is
// written after its name, so that threads may look names up while another one adds one.
static struct
{
	_Atomic(const char*) texts[MAX_NAMES];
	GdStringName names[MAX_NAMES];
	int count;
	atomic_flag is_growing;
} name_table = {.is_growing = ATOMIC_FLAG_INIT};

static GDExtensionMethodBindPtr method_binds[GD_METHOD_COUNT];
static GDExtensionPtrBuiltInMethod builtin_methods[GD_BUILTIN_COUNT];
static GDExtensionObjectPtr mutex;

static const struct
{
	const char* owner;
	const char* method;
	int64_t hash;
} method_rows[] = {
#define X(symbol, owner, method, hash) {owner, method, hash},
	GD_API_METHODS(X) GD_API_EDITOR_METHODS(X)
#undef X
};

static bool load_functions(GDExtensionInterfaceGetProcAddress get_proc_address)
{
	bool is_complete = true;
#define X(name, type) \
	gd.name = (GDExtensionInterface##type)(void (*)(void))get_proc_address(#name); \
	is_complete = is_complete && gd.name != NULL;
	GD_INTERFACE_FUNCTIONS(X)
#undef X
	gd.editor_help_load_xml_from_utf8_chars =
		(GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars)(void (*)(void))get_proc_address(
			"editor_help_load_xml_from_utf8_chars");
	return is_complete && gd.editor_help_load_xml_from_utf8_chars != NULL;
}

bool gd_load(
	GDExtensionInterfaceGetProcAddress get_proc_address, GDExtensionClassLibraryPtr library)
{
	gd.library = library;
	return load_functions(get_proc_address);
}

static uint32_t compute_text_hash(const char* text)
{
	// FNV-1a.
	uint32_t hash = 2166136261u;
	for (; *text != '\0'; ++text)
	{
		hash = (hash ^ (uint8_t)*text) * 16777619u;
	}
	return hash;
}

// @return whether the text is there; `slot` is where it is, or where it belongs
static bool find_name(const char* text, uint32_t* slot)
{
	*slot = compute_text_hash(text) & (MAX_NAMES - 1);
	for (;;)
	{
		const char* other = atomic_load_explicit(&name_table.texts[*slot], memory_order_acquire);
		if (other == NULL || strcmp(other, text) == 0)
		{
			return other != NULL;
		}
		*slot = (*slot + 1) & (MAX_NAMES - 1);
	}
}

static uint32_t add_name(const char* text)
{
	while (atomic_flag_test_and_set_explicit(&name_table.is_growing, memory_order_acquire))
	{
		// Another thread is adding a name, which takes no time.
	}
	uint32_t slot;
	if (!find_name(text, &slot) && name_table.count < MAX_NAMES - 1)
	{
		gd.string_name_new_with_utf8_chars(&name_table.names[slot], text);
		++name_table.count;
		atomic_store_explicit(&name_table.texts[slot], text, memory_order_release);
	}
	atomic_flag_clear_explicit(&name_table.is_growing, memory_order_release);
	return slot;
}

const GdStringName* gd_name(const char* text)
{
	uint32_t slot;
	if (!find_name(text, &slot))
	{
		slot = add_name(text);
		if (name_table.texts[slot] == NULL)
		{
			GD_ERROR("The name table is full: raise MAX_NAMES.");
		}
	}
	return &name_table.names[slot];
}

static void bind_builtins(void)
{
#define X(symbol, type, method, hash) \
	builtin_methods[GD_BUILTIN_##symbol] = \
		gd.variant_get_ptr_builtin_method(type, gd_name(method), hash);
	GD_API_BUILTINS(X)
#undef X
}

static void bind_methods(int begin, int end)
{
	for (int i = begin; i < end; ++i)
	{
		method_binds[i] = gd.classdb_get_method_bind(
			gd_name(method_rows[i].owner), gd_name(method_rows[i].method), method_rows[i].hash);
		if (method_binds[i] == NULL)
		{
			GD_ERROR("This Godot has no %s.%s as NavCorridor knows it. Use a NavCorridor that was "
					 "built for this version of Godot.",
				method_rows[i].owner, method_rows[i].method);
		}
	}
}

void gd_bind_editor_methods(void)
{
	bind_methods(GD_METHOD_EDITOR_BEGIN, GD_METHOD_COUNT);
}

void gd_bind_methods(void)
{
	bind_methods(0, GD_METHOD_EDITOR_BEGIN);
	bind_builtins();

	mutex = gd.classdb_construct_object2(gd_name("Mutex"));
	gd_ref_counted_init_ref(mutex);
}

GDExtensionMethodBindPtr gd_get_bind(GdMethodIndex method)
{
	return method_binds[method];
}

void gd_ptrcall(GdMethodIndex method, GDExtensionObjectPtr self,
	const GDExtensionConstTypePtr* args, GDExtensionTypePtr result)
{
	if (method_binds[method] != NULL && self != NULL)
	{
		gd.object_method_bind_ptrcall(method_binds[method], self, args, result);
	}
}

void gd_builtin_call(GdBuiltinIndex method, GDExtensionTypePtr self,
	const GDExtensionConstTypePtr* args, GDExtensionTypePtr result, int count)
{
	builtin_methods[method](self, args, result, count);
}

void gd_lock(void)
{
	gd_mutex_lock(mutex);
}

void gd_unlock(void)
{
	gd_mutex_unlock(mutex);
}

GDExtensionObjectPtr gd_singleton(const char* name)
{
	return gd.global_get_singleton(gd_name(name));
}

bool gd_is_main_thread(void)
{
	GDExtensionObjectPtr os = gd_singleton("OS");
	return gd_os_get_thread_caller_id(os) == gd_os_get_main_thread_id(os);
}

uint64_t gd_get_id(GDExtensionObjectPtr object)
{
	return object != NULL ? gd.object_get_instance_id(object) : 0;
}

GDExtensionObjectPtr gd_get_object(uint64_t id)
{
	return id != 0 ? gd.object_get_instance_from_id(id) : NULL;
}

bool gd_is_class(GDExtensionObjectPtr object, const char* name)
{
	GdString text = gd_string(name);
	bool is_class = gd_object_is_class(object, &text);
	gd_destroy(GD_STRING, &text);
	return is_class;
}

void gd_get_node_name(GDExtensionObjectPtr node, char* text, size_t size)
{
	GdStringName name = gd_node_get_name(node);
	GdVariant variant = gd_variant(GD_STRING_NAME, &name);
	GdString string;
	gd_variant_read(&variant, GD_STRING, &string); // converts
	GDExtensionInt capacity = (GDExtensionInt)size - 1;
	GDExtensionInt length = gd.string_to_utf8_chars(&string, text, capacity);
	text[length < capacity ? length : capacity] = '\0';
	gd_destroy(GD_STRING, &string);
	gd_destroy(GD_VARIANT, &variant);
	gd_destroy(GD_STRING_NAME, &name);
}

void gd_release(GDExtensionObjectPtr ref_counted)
{
	if (ref_counted != NULL && gd_ref_counted_unreference(ref_counted))
	{
		gd.object_destroy(ref_counted);
	}
}

void gd_set_reference(GDExtensionObjectPtr* place, GDExtensionObjectPtr ref_counted)
{
	GDExtensionObjectPtr old = *place;
	if (old == ref_counted)
	{
		return;
	}
	if (ref_counted != NULL)
	{
		gd_ref_counted_init_ref(ref_counted); // adds a reference, also to an object that has some
	}
	*place = ref_counted;
	gd_release(old);
}

int64_t gd_start_task(void (*function)(void* context), void* context, const char* description)
{
	GdString text = gd_string(description);
	// High priority: the engine hangs at its end if tasks of low priority are left.
	int64_t task = gd.worker_thread_pool_add_native_task(
		gd_singleton("WorkerThreadPool"), function, context, true, &text);
	gd_destroy(GD_STRING, &text);
	return task;
}

bool gd_is_task_done(int64_t task)
{
	return gd_worker_thread_pool_is_task_completed(gd_singleton("WorkerThreadPool"), task);
}

void gd_wait_for_task(int64_t task)
{
	gd_worker_thread_pool_wait_for_task_completion(gd_singleton("WorkerThreadPool"), task);
}

int64_t gd_start_group(void (*function)(void* context, uint32_t index), void* context, int count,
	const char* description)
{
	GdString text = gd_string(description);
	int64_t group = gd.worker_thread_pool_add_native_group_task(
		gd_singleton("WorkerThreadPool"), function, context, count, count, true, &text);
	gd_destroy(GD_STRING, &text);
	return group;
}

void gd_wait_for_group(int64_t group)
{
	gd_worker_thread_pool_wait_for_group_task_completion(gd_singleton("WorkerThreadPool"), group);
}

int gd_count_threads(void)
{
	static int count;
	if (count == 0)
	{
		count = (int)gd_os_get_processor_count(gd_singleton("OS"));
	}
	return count;
}

void gd_add_singleton(GdInstance* instance)
{
	gd_engine_register_singleton(
		gd_singleton("Engine"), gd_name(instance->class->name), instance->object);
}

void gd_forget_singleton(const GdInstance* instance)
{
	gd_engine_unregister_singleton(gd_singleton("Engine"), gd_name(instance->class->name));
}

void gd_destroy_object(GdInstance* instance)
{
	gd.object_destroy(instance->object);
}

void gd_error(const char* function, const char* file, int line, const char* format, ...)
{
	char text[MAX_ERROR_LENGTH];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gd.print_error_with_message("NavCorridor", text, function, file, line, 0);
}

void gd_warning(const char* function, const char* file, int line, const char* format, ...)
{
	char text[MAX_ERROR_LENGTH];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gd.print_warning_with_message("NavCorridor", text, function, file, line, 0);
}

static void (*on_startup)(void);
static void (*on_shutdown)(void);

static void startup(void)
{
	on_startup();
}

static void shutdown(void)
{
	on_shutdown();
}

// The engine expects a function; nothing of ours happens in idle frames.
static void frame(void)
{
}

void gd_set_main_loop_callbacks(void (*startup_function)(void), void (*shutdown_function)(void))
{
	on_startup = startup_function;
	on_shutdown = shutdown_function;
	GDExtensionMainLoopCallbacks callbacks = {startup, shutdown, frame};
	gd.register_main_loop_callbacks(gd.library, &callbacks);
}

void gd_load_help(const char* xml)
{
	gd.editor_help_load_xml_from_utf8_chars(xml);
}

void gd_unload(void)
{
	gd_release(mutex);
	mutex = NULL;
	for (int i = 0; i < MAX_NAMES; ++i)
	{
		if (name_table.texts[i] != NULL)
		{
			gd.variant_get_ptr_destructor(GDEXTENSION_VARIANT_TYPE_STRING_NAME)(
				&name_table.names[i]);
		}
	}
	memset(name_table.texts, 0, sizeof(name_table.texts));
	name_table.count = 0;
}
