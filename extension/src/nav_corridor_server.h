// SPDX-License-Identifier: MIT
#pragma once

// class NavCorridorServer: Object, the singleton that owns all corridor maps.

/// Register the class and its singleton.
void nav_corridor_server_register(void);

/// Follow the physics frames of the scene tree, once there is one.
void nav_corridor_server_start(void);

/// Let go of the scene tree and of listeners, while scripts still exist.
void nav_corridor_server_stop(void);

/// Remove the singleton and free all maps.
void nav_corridor_server_unregister(void);
