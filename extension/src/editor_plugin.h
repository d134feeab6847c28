// SPDX-License-Identifier: MIT
#pragma once

// What the files of CorridorEditorPlugin share.
//
//   corridor_editor_plugin.c  the class: selection, toolbar, state
//   editor_bake.c             baking and clearing, with undo
//   editor_input.c            the mouse on the probe, in 2D and 3D
//   editor_vertices.c         the mouse on obstacles and terrain
//   editor_toolbar.c          the controls
//   probe.c, probe_draw.c, probe_legend.c  the probe

#include "editor_toolbar.h"
#include "gd.h"
#include "probe_draw.h"
#include "shape_node.h"

/// What a bake changes in the resource of a region.
typedef struct BakeState
{
	GdVariant resource; ///< the region's corridor_map; null: none
	GdVariant data;
	GdVariant border;
	GdVariant checksum;
} BakeState;

typedef struct CorridorEditorPlugin
{
	GdInstance base;
	EditorToolbar toolbars[2]; ///< of the 2D and the 3D view
	bool has_toolbars;
	GDExtensionObjectPtr gizmos; ///< the CorridorGizmoPlugin, counted
	uint64_t region_id;          ///< of the region that the tools are for; 0: none
	bool is_3d;                  ///< whether that is a region in space

	Probe probe;
	ProbeLook look;
	NcVec2 ends_before[PROBE_END_COUNT]; ///< where the probe was before it was dragged

	uint64_t shape_id; ///< of what is selected, which may be an obstacle or terrain; 0: nothing
	int held;          ///< what the mouse holds of it; see editor_vertices.c
	GdVariant shape_before; ///< what it was like before that; only while something is held

	uint64_t baking_id; ///< of the region that is being baked; 0: none
	BakeState before;   ///< of it, while it is being baked
} CorridorEditorPlugin;

/// @return the region, or NULL if there is none or if it is gone
GDExtensionObjectPtr editor_get_region(const CorridorEditorPlugin* self);

/// Ask the map again and draw the overlay.
void editor_refresh(CorridorEditorPlugin* self);

/// Bring the probe up to date with the map of the region.
void editor_update_probe(CorridorEditorPlugin* self);

/// Move the probe, so that it can be undone.
/// @param is_merged with the last move, as while a number is being changed
void editor_commit_probe(CorridorEditorPlugin* self, const NcVec2 ends_before[PROBE_END_COUNT],
	double radius_before, bool is_merged);

/// Show a message in the corner of the editor.
enum
{
	EDITOR_TOAST_INFO,
	EDITOR_TOAST_WARNING,
	EDITOR_TOAST_ERROR,
};
void editor_toast(int severity, const char* text);

// ---- editor_input.c

/// A view of the plane of a node, to draw on or to find a mouse position in.
ProbeView editor_make_view_2d(GDExtensionObjectPtr node, GDExtensionObjectPtr control);
ProbeView editor_make_view_3d(
	GDExtensionObjectPtr node, GDExtensionObjectPtr control, GDExtensionObjectPtr camera);

/// Find the point of the plane under a point of the screen.
/// @return false if there is none
bool editor_unproject(const ProbeView* view, NcVec2 screen, NcVec2* point);

/// @return the camera of the 3D view that a control lies over; NULL if there is none
GDExtensionObjectPtr editor_find_camera(GDExtensionObjectPtr control);

/// @return whether the event was for the probe
bool editor_handle_input(
	CorridorEditorPlugin* self, const ProbeView* view, GDExtensionObjectPtr event);

// ---- editor_vertices.c

/// @return the obstacle or terrain that is selected and in the tree, or NULL
ShapeNode* editor_get_shape(const CorridorEditorPlugin* self);

/// @return whether the event was for its vertices
bool editor_handle_vertices(
	CorridorEditorPlugin* self, const ProbeView* view, GDExtensionObjectPtr event);
void editor_draw_vertices(const CorridorEditorPlugin* self, const ProbeView* view);

/// Forget the node and what the mouse was doing with it.
void editor_forget_shape(CorridorEditorPlugin* self);

// ---- editor_bake.c

void editor_start_bake(CorridorEditorPlugin* self);
void editor_finish_bake(CorridorEditorPlugin* self);
void editor_clear(CorridorEditorPlugin* self);

/// Show how far the bake is; at every frame.
void editor_show_progress(CorridorEditorPlugin* self);

/// Forget a bake that is under way.
void editor_forget_bake(CorridorEditorPlugin* self);
