// SPDX-License-Identifier: MIT
#pragma once

// class CorridorGizmoPlugin: EditorNode3DGizmoPlugin, what the 3D view of the editor shows of our
// nodes.

#include "gd.h"

void corridor_gizmo_plugin_register(void);

/// @return a new one, with a reference for gd_release()
GDExtensionObjectPtr corridor_gizmo_plugin_create(void);
