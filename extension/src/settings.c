// SPDX-License-Identifier: MIT

// Our project settings.

#include "settings.h"

static const struct
{
	const char* name;
	GdColor color;
} colors[COLOR_COUNT] = {
	[COLOR_MEDIAL_AXIS] = {"debug/shapes/nav_corridor/medial_axis_color",
		{0.1f, 0.85f, 0.65f, 1.0f}},
	[COLOR_PATH] = {"debug/shapes/nav_corridor/path_color", {1.0f, 0.85f, 0.25f, 1.0f}},
	[COLOR_CORRIDOR] = {"debug/shapes/nav_corridor/corridor_color", {0.30f, 0.62f, 1.0f, 1.0f}},
	[COLOR_OBSTACLE] = {"debug/shapes/nav_corridor/obstacle_color", {1.0f, 0.45f, 0.30f, 0.9f}},
};

static const struct
{
	const char* name;
	bool value;
} flags[SETTING_FLAG_COUNT] = {
	[SETTING_MONITORS] = {"navigation/nav_corridor/debug/performance_monitors", true},
	[SETTING_THREADS] = {"navigation/nav_corridor/agents/use_multiple_threads", true},
};

static const struct
{
	const char* name;
	int64_t value;
	int64_t count;     // of choices
	const char* names; // of them
} numbers[SETTING_NUMBER_COUNT] = {
	[SETTING_VULKAN] = {"navigation/nav_corridor/baking/use_vulkan", 1, 3,
		"Never,Automatic,Always"},
};

// Describe the type, so that the dialog knows what to show.
static void add_info(
	GDExtensionObjectPtr settings, const char* name, GdType type, const char* names)
{
	GdDictionary info;
	gd_construct(GD_DICTIONARY, &info);
	GdString text = gd_string(name);
	int64_t number = (int64_t)type;
	gd_dictionary_set(&info, "name", gd_variant(GD_STRING, &text));
	gd_dictionary_set(&info, "type", gd_variant(GD_INT, &number));
	if (names != NULL)
	{
		GdString choices = gd_string(names);
		int64_t hint = GD_HINT_ENUM;
		gd_dictionary_set(&info, "hint", gd_variant(GD_INT, &hint));
		gd_dictionary_set(&info, "hint_string", gd_variant(GD_STRING, &choices));
		gd_destroy(GD_STRING, &choices);
	}
	gd_project_settings_add_property_info(settings, &info);
	gd_destroy(GD_STRING, &text);
	gd_destroy(GD_DICTIONARY, &info);
}

// Add a setting with its default. The value is consumed.
static void add_setting(const char* name, GdType type, GdVariant value, const char* names)
{
	GDExtensionObjectPtr settings = gd_singleton("ProjectSettings");
	GdString text = gd_string(name);
	if (!gd_project_settings_has_setting(settings, &text))
	{
		gd_project_settings_set_setting(settings, &text, &value);
	}
	gd_project_settings_set_initial_value(settings, &text, &value);
	gd_project_settings_set_as_basic(settings, &text, true);
	add_info(settings, name, type, names);
	gd_destroy(GD_STRING, &text);
	gd_destroy(GD_VARIANT, &value);
}

void settings_register(void)
{
	for (int i = 0; i < COLOR_COUNT; ++i)
	{
		add_setting(colors[i].name, GD_COLOR, gd_variant(GD_COLOR, &colors[i].color), NULL);
	}
	for (int i = 0; i < SETTING_FLAG_COUNT; ++i)
	{
		GDExtensionBool value = flags[i].value;
		add_setting(flags[i].name, GD_BOOL, gd_variant(GD_BOOL, &value), NULL);
	}
	for (int i = 0; i < SETTING_NUMBER_COUNT; ++i)
	{
		GdVariant value = gd_variant(GD_INT, &numbers[i].value);
		add_setting(numbers[i].name, GD_INT, value, numbers[i].names);
	}
}

// Read a setting; one of another type, from a file that was edited by hand, counts as none.
static void read_setting(const char* name, GdType type, void* value)
{
	GdVariant variant = gd_project_settings_get_setting_with_override(
		gd_singleton("ProjectSettings"), gd_name(name));
	if ((int)gd_variant_type(&variant) == (int)type)
	{
		gd_variant_read(&variant, type, value);
	}
	gd_destroy(GD_VARIANT, &variant);
}

GdColor settings_get_color(SettingColor color)
{
	GdColor value = colors[color].color;
	read_setting(colors[color].name, GD_COLOR, &value);
	return value;
}

bool settings_get_flag(SettingFlag flag)
{
	GDExtensionBool value = flags[flag].value;
	read_setting(flags[flag].name, GD_BOOL, &value);
	return value != 0;
}

int64_t settings_get_number(SettingNumber number)
{
	int64_t value = numbers[number].value;
	read_setting(numbers[number].name, GD_INT, &value);
	return 0 <= value && value < numbers[number].count ? value : numbers[number].value;
}
