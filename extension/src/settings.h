// SPDX-License-Identifier: MIT
#pragma once

// Our project settings: under navigation/nav_corridor and debug/shapes/nav_corridor.

#include "gd.h"

typedef enum SettingColor
{
	COLOR_MEDIAL_AXIS,
	COLOR_PATH,
	COLOR_CORRIDOR,
	COLOR_OBSTACLE,
	COLOR_COUNT,
} SettingColor;

typedef enum SettingFlag
{
	SETTING_MONITORS, ///< the debugger shows what the server does
	SETTING_THREADS,  ///< agents search and decide on all threads of the engine
	SETTING_FLAG_COUNT,
} SettingFlag;

typedef enum SettingNumber
{
	SETTING_VULKAN, ///< a ProjectDevice: who projects the sources of regions in space
	SETTING_NUMBER_COUNT,
} SettingNumber;

/// Add the settings with their defaults to the project, where the user has not set them.
void settings_register(void);

GdColor settings_get_color(SettingColor color);
bool settings_get_flag(SettingFlag flag);
int64_t settings_get_number(SettingNumber number);
