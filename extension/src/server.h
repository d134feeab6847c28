// SPDX-License-Identifier: MIT
#pragma once

// What the files of NavCorridorServer share.
//
//   nav_corridor_server.c  the class: maps and questions to them
//   server_obstacles.c     its methods for obstacles
//   map_store.c            the data

#include "gd.h"
#include "map_store.h"

#define SERVER_OBSTACLE_METHOD_COUNT 11

extern const GdMethod server_obstacle_methods[SERVER_OBSTACLE_METHOD_COUNT];

/// Check a Vector2 argument.
/// @return false, with an error message, if it is no usable position
bool server_check_point(const GdCall* call, int index);

/// Check a float argument.
/// @return false, with an error message, if it is no usable radius
bool server_check_radius(const GdCall* call, int index);
