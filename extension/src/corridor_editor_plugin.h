// SPDX-License-Identifier: MIT
#pragma once

/// Register the plugin and have the editor load it; at the editor level.
void corridor_editor_plugin_register(void);

/// Have the editor drop it. To be called when the editor level ends.
void corridor_editor_plugin_unregister(void);
