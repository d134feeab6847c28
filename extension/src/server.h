// SPDX-License-Identifier: MIT
#pragma once

// What the files of NavCorridorServer share.
//
//   nav_corridor_server.c  the class: maps, information, frames
//   server_questions.c     its methods that ask a map
//   server_obstacles.c     its methods for obstacles
//   server_terrain.c       its methods for terrain
//   server_agents.c        its methods for agents
//   server_monitors.c      what the debugger shows
//   path_query.c           query_path() and its two classes
//   map_store.c            the data

#include "gd.h"
#include "map_store.h"

#define SERVER_OBSTACLE_METHOD_COUNT 11
#define SERVER_QUESTION_METHOD_COUNT 13
#define SERVER_TERRAIN_METHOD_COUNT 13
#define SERVER_AGENT_METHOD_COUNT 24

extern const GdMethod server_obstacle_methods[SERVER_OBSTACLE_METHOD_COUNT];
extern const GdMethod server_question_methods[SERVER_QUESTION_METHOD_COUNT];
extern const GdMethod server_terrain_methods[SERVER_TERRAIN_METHOD_COUNT];
extern const GdMethod server_agent_methods[SERVER_AGENT_METHOD_COUNT];

/// Values of ProcessInfo.
typedef enum ServerInfo
{
	INFO_ACTIVE_MAPS,
	INFO_OBSTACLE_COUNT,
	INFO_VERTEX_COUNT,
	INFO_EDGE_COUNT,
	INFO_SITE_COUNT,
	INFO_MEMORY,
	INFO_AGENT_COUNT,
	INFO_TERRAIN_COUNT,
	INFO_SEARCH_COUNT,
	INFO_REPLAN_COUNT,
	INFO_KEPT_COUNT,
	INFO_UPDATE_USEC,
	INFO_AGENT_USEC,
	INFO_COUNT
} ServerInfo;

/// The map that the first argument names.
/// @return NULL, with an error message, if it names none
StoreMap* server_find_map(const GdCall* call);

/// The same, built and up to date.
StoreMap* server_find_built_map(const GdCall* call);

/// Check a Vector2 argument.
/// @return false, with an error message, if it is no usable position
bool server_check_point(const GdCall* call, int index);

/// Check a float argument.
/// @return false, with an error message, if it is no usable radius
bool server_check_radius(const GdCall* call, int index);

/// Check the points of an argument.
/// @return false, with an error message that names the bad one
bool server_check_points(const GdCall* call, int index);

/// query_path(parameters, result, callback); path_query.c
void server_query_path(GdCall* call);

/// Hand out the results of queries that ran on other threads.
/// @param is_waiting also wait for those that still run, without calling anybody
void server_finish_path_queries(bool is_waiting);

/// Have the debugger show what the server does, if the project wants that; server_monitors.c
void server_add_monitors(GDExtensionObjectPtr server);
void server_remove_monitors(void);
