// SPDX-License-Identifier: MIT

// What the debugger shows of the server, under Monitors.

#include "server.h"
#include "settings.h"

// The names are shown as they are; the part before the slash is the category.
static const struct
{
	const char* name;
	ServerInfo info;
} monitors[] = {
	{"NavCorridor/active_maps", INFO_ACTIVE_MAPS},
	{"NavCorridor/agents", INFO_AGENT_COUNT},
	{"NavCorridor/obstacles", INFO_OBSTACLE_COUNT},
	{"NavCorridor/terrains", INFO_TERRAIN_COUNT},
	{"NavCorridor/edges", INFO_EDGE_COUNT},
	{"NavCorridor/memory_bytes", INFO_MEMORY},
	{"NavCorridor/searches", INFO_SEARCH_COUNT},
	{"NavCorridor/replans", INFO_REPLAN_COUNT},
	{"NavCorridor/update_usec", INFO_UPDATE_USEC},
	{"NavCorridor/agents_usec", INFO_AGENT_USEC},
};

// Called by name, because the method has got another argument since Godot 4.5.
static void add_monitor(GDExtensionObjectPtr server, const char* name, ServerInfo info)
{
	GdCallable callable = gd_callable(server, "get_process_info");
	GdArray arguments;
	gd_construct(GD_ARRAY, &arguments);
	int64_t number = info;
	gd_array_push(&arguments, gd_variant(GD_INT, &number));
	GdVariant args[] = {gd_variant(GD_STRING_NAME, gd_name(name)),
		gd_variant(GD_CALLABLE, &callable), gd_variant(GD_ARRAY, &arguments)};
	GdVariant result =
		gd_call(gd_singleton("Performance"), "add_custom_monitor", args, GD_COUNT(args));
	gd_destroy(GD_VARIANT, &result);
	gd_destroy(GD_ARRAY, &arguments);
	gd_destroy(GD_CALLABLE, &callable);
}

void server_add_monitors(GDExtensionObjectPtr server)
{
	GDExtensionObjectPtr performance = gd_singleton("Performance");
	for (int i = 0; i < GD_COUNT(monitors) && settings_get_flag(SETTING_MONITORS); ++i)
	{
		if (!gd_performance_has_custom_monitor(performance, gd_name(monitors[i].name)))
		{
			add_monitor(server, monitors[i].name, monitors[i].info);
		}
	}
}

void server_remove_monitors(void)
{
	GDExtensionObjectPtr performance = gd_singleton("Performance");
	for (int i = 0; i < GD_COUNT(monitors); ++i)
	{
		if (gd_performance_has_custom_monitor(performance, gd_name(monitors[i].name)))
		{
			gd_performance_remove_custom_monitor(performance, gd_name(monitors[i].name));
		}
	}
}
