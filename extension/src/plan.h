// SPDX-License-Identifier: MIT
#pragma once

// Paths, nearest free points and safe steps: what nodes ask a map, in terms of its public
// functions.
//
// Godot stores positions as floats and the core rounds obstacles to its grid. Both move things by a
// little, so plans keep a guard distance beyond the radius wherever there is room for it.

#include "map_store.h"

/// How far rounding can move an agent and an obstacle towards each other, in world units.
double plan_get_guard(const StoreMap* map);

/// Find the nearest point where a disc fits.
/// @return false if it fits nowhere
bool plan_find_closest(const StoreMap* map, NcVec2 point, double radius, NcVec2* closest);

/// What path to find. All zero but the ends is the medial axis for a point.
typedef struct PlanRequest
{
	NcVec2 start, goal;
	double radius;
	double preferred_clearance; ///< kept instead of the radius if there is such a path at all
	NcRouteKind route;
	double side;           ///< of NC_ROUTE_SIDE: see NcPathDef
	const NcVec2* control; ///< of NC_ROUTE_CONTROL: see NcPathDef
	int control_count;
	const NcTerrainProfile* profile; ///< of NC_ROUTE_WEIGHTED; NULL: the ground makes no difference
} PlanRequest;

/// Find a path for a disc. A start or a goal where the disc does not fit is replaced by the nearest
/// point where it does. The result stays in the query of the map.
/// @return false if there is none
bool plan_find(const StoreMap* map, const PlanRequest* request, NcPathInfo* info);

/// Shorten and bend a step so that the disc's clearance is at least its radius afterwards, or at
/// least not smaller than before if it is too close already.
/// @return the place where the step ends
NcVec2 plan_compute_step(const StoreMap* map, NcVec2 from, NcVec2 step, double radius);
