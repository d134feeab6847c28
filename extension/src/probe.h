// SPDX-License-Identifier: MIT
#pragma once

// The editor's probe: a disc that asks the map for ways from a start to a goal, to show what agents
// of that size would do.
//
//   probe.c       what the map answers
//   probe_draw.c  how it looks

#include "corridor_shape.h"
#include "map_store.h"

typedef enum ProbeEnd
{
	PROBE_START,
	PROBE_GOAL,
	PROBE_END_COUNT,
} ProbeEnd;

typedef enum ProbeRouteKind
{
	PROBE_MEDIAL,
	PROBE_SHORTEST,
	PROBE_WEIGHTED,
	PROBE_ROUTE_COUNT,
} ProbeRouteKind;

typedef struct ProbeRoute
{
	bool is_found;
	Points points;
	double length;    ///< in world units
	double cost;      ///< over terrain
	double clearance; ///< the smallest on the way, in world units
} ProbeRoute;

/// All in the plane of the map and in world units. All zero is a probe that was never placed.
typedef struct Probe
{
	// What is asked.
	bool is_placed;
	NcVec2 ends[PROBE_END_COUNT]; ///< where the user put them
	double radius;
	bool has_profile;
	NcTerrainProfile profile; ///< for the weighted route

	// What the map answered last.
	bool is_fresh;
	GdRid map;
	uint32_t iteration;             ///< of the map
	bool fits[PROBE_END_COUNT];     ///< whether there is any place for the disc
	NcVec2 places[PROBE_END_COUNT]; ///< the nearest place where it fits
	bool is_reachable;
	double largest_radius; ///< that gets from place to place; negative: none
	char reason[160];      ///< why the goal is not reachable
	ProbeRoute routes[PROBE_ROUTE_COUNT];
	CorridorShape corridor; ///< for the centre of the disc
} Probe;

/// Put start and goal at two places of the map that are far from each other.
void probe_place(Probe* probe, const StoreMap* map);

/// Ask the map, if the probe or the map changed since the last time. Needs gd_lock().
/// @param map up to date, by store_sync(); NULL: there is none
void probe_update(Probe* probe, const StoreMap* map);

/// Have the next update ask again.
void probe_touch(Probe* probe);

void probe_free(Probe* probe);
