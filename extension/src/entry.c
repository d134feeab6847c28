// SPDX-License-Identifier: MIT

// Where Godot enters: the list of classes, and what happens at each level of its start and end.

#include "corridor_agent.h"
#include "corridor_editor_plugin.h"
#include "corridor_map_data.h"
#include "corridor_obstacle.h"
#include "corridor_region_2d.h"
#include "corridor_region_3d.h"
#include "corridor_terrain.h"
#include "gd.h"
#include "map_bake.h"
#include "nav_corridor_server.h"
#include "path_query.h"
#include "settings.h"
#include "terrain_profile.h"

#include "doc_classes.gen.h"
#include "nav_corridor/base.h"

// Messages of the core reach the editor's output.
static void log_message(void* context, const char* message)
{
	(void)context;
	GD_WARNING("%s", message);
}

// A broken precondition is a bug of ours. The game goes on, and the log says where to look.
static void report_assert(void* context, const char* condition, const char* file, int line)
{
	(void)context;
	gd_error(
		"NC_ASSERT", file, line, "This is a bug in NavCorridor, please report it: %s", condition);
}

static void register_classes(void)
{
	nc_set_log(log_message, NULL);
	nc_set_assert(report_assert, NULL);
	gd_bind_methods();
	settings_register();

	path_query_register();
	nav_corridor_server_register();
	corridor_agent_register();
	corridor_map_data_register();
	corridor_region_2d_register();
	corridor_region_3d_register();
	corridor_obstacle_register();
	corridor_terrain_register();
	terrain_profile_register();
}

// A library for shipped games carries no help.
static void load_help(void)
{
	for (int i = 0; i < NC_DOC_CLASS_COUNT; ++i)
	{
		gd_load_help(nc_doc_classes[i].text);
	}
}

static void initialize(void* userdata, GDExtensionInitializationLevel level)
{
	(void)userdata;
	if (level == GDEXTENSION_INITIALIZATION_SCENE)
	{
		register_classes();
	}
	if (level == GDEXTENSION_INITIALIZATION_EDITOR)
	{
		load_help();
		corridor_editor_plugin_register();
	}
}

static void deinitialize(void* userdata, GDExtensionInitializationLevel level)
{
	(void)userdata;
	if (level == GDEXTENSION_INITIALIZATION_EDITOR)
	{
		corridor_editor_plugin_unregister();
	}
	if (level == GDEXTENSION_INITIALIZATION_SCENE)
	{
		nav_corridor_server_unregister();
		gd_unregister_classes();
		gd_unload();
	}
}

static void start(void)
{
	nav_corridor_server_start();
	map_bakes_begin();
}

static void stop(void)
{
	map_bakes_end();
	nav_corridor_server_stop();
}

// The only symbol that the library exports; Godot finds it by the .gdextension file.
__attribute__((visibility("default"))) GDExtensionBool nav_corridor_init(
	GDExtensionInterfaceGetProcAddress get_proc_address, GDExtensionClassLibraryPtr library,
	GDExtensionInitialization* initialization);

GDExtensionBool nav_corridor_init(GDExtensionInterfaceGetProcAddress get_proc_address,
	GDExtensionClassLibraryPtr library, GDExtensionInitialization* initialization)
{
	if (!gd_load(get_proc_address, library))
	{
		return false;
	}
	gd_set_main_loop_callbacks(start, stop);
	*initialization = (GDExtensionInitialization){
		.minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE,
		.initialize = initialize,
		.deinitialize = deinitialize,
	};
	return true;
}
