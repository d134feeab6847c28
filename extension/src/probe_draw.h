// SPDX-License-Identifier: MIT
#pragma once

#include "probe.h"

/// How the plane of the map gets onto the screen: by a transform, or by a camera.
typedef struct ProbeView
{
	GDExtensionObjectPtr control; ///< what is drawn on
	double scale;                 ///< of the editor: pixels of the screen per pixel of a drawing
	GdTransform2D transform;      ///< from the world to the control, without a camera
	GDExtensionObjectPtr camera;  ///< NULL in 2D
	double height;                ///< of the plane, with a camera
	const char* unit;             ///< of lengths, for texts
} ProbeView;

/// What of the probe is shown.
typedef struct ProbeLook
{
	bool corridor;
	bool routes[PROBE_ROUTE_COUNT];
	int active_end; ///< under the mouse or dragged; -1: none
	int dragged_end;
} ProbeLook;

/// @return false if the point is behind the camera
bool probe_project(const ProbeView* view, NcVec2 point, NcVec2* screen);

/// The colors of routes and corridor, which project settings may change.
GdColor probe_get_route_color(ProbeRouteKind kind);
GdColor probe_get_corridor_color(void);

extern const GdColor probe_white;
extern const GdColor probe_bad_color;

/// @return whether an end is shown as the reason why there is no way
bool probe_is_bad(const Probe* probe, int end);

/// @return which end is at a point of the screen; -1: none
int probe_find_end(const Probe* probe, const ProbeView* view, NcVec2 screen);

/// Draw everything of the probe over the view.
void probe_draw(const Probe* probe, const ProbeView* view, const ProbeLook* look);

/// Its parts: the legend in the corner, and the label at the handle in use; probe_legend.c.
void probe_draw_legend(const Probe* probe, const ProbeView* view, const ProbeLook* look);
void probe_draw_label(const Probe* probe, const ProbeView* view, const ProbeLook* look);
