// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/terrain.h"
#include "options.h"
#include "scene.h"
#include "svg.h"

/// Terrain files: one region a line, as a type (a word), a priority (a whole number) and a polygon
/// in well-known text. Comments begin with #.
///
///     # what to walk on
///     road     1 POLYGON ((0 90, 200 90, 200 110, 0 110))
///     sidewalk 2 POLYGON ((0 110, 200 110, 200 114, 0 114))
///
/// The type GROUND is where no region lies. A profile gives weights to types: "road=4,mud=40";
/// those that it does not name have the weight 1. The weight "blocked" forbids a type.

#define GROUND_NAME_CAPACITY 32

/// The terrain of a file. Owns its parts; all zero is empty.
typedef struct Ground
{
	char names[NC_TERRAIN_TYPE_COUNT][GROUND_NAME_CAPACITY]; ///< of the types, in capitals
	int type_count;
	Scene scene;     ///< its shapes are the regions
	int* types;      ///< of each region
	int* priorities; ///< of each region
	int region_count, type_capacity, priority_capacity;
	NcTerrain* terrain;
	NcTerrainProfile profile;
} Ground;

/// Read the terrain and the profile that the options name. Without a file it is ground only.
/// Complain on stderr.
/// @return false if they cannot be used; destroy it in any case
bool ground_read(const Options* options, Ground* ground);
void ground_destroy(Ground* ground);

/// Draw the regions, the lowest priority first.
void ground_draw(const Ground* ground, Svg* svg);
