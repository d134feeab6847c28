// SPDX-License-Identifier: MIT
// Random scenes with obstacles and terrain, and the cost of the best route through one by a fine
// grid. The grid shares nothing with the library: it knows the polygons only, fills two rasters
// with the type of the ground and the distance to the obstacles, and runs Dijkstra's algorithm with
// 32 neighbours.
#pragma once

#include "nav_corridor/nav_corridor.h"

#define TERRAIN_SCENE_SIZE 100.0
#define TERRAIN_SCENE_MAX_POLYGONS 24
#define TERRAIN_SCENE_MAX_CORNERS 8

typedef struct TerrainPolygon
{
	NcVec2 corners[TERRAIN_SCENE_MAX_CORNERS];
	int count;
	int type, priority; ///< of a region
} TerrainPolygon;

typedef struct TerrainScene
{
	TerrainPolygon obstacles[TERRAIN_SCENE_MAX_POLYGONS];
	int obstacle_count;
	TerrainPolygon regions[TERRAIN_SCENE_MAX_POLYGONS];
	int region_count;
	NcTerrainProfile profile;
	double radius;
	NcVec2 start, goal;

	NcMap* map;
	NcTerrain* terrain;
} TerrainScene;

/// Make a scene of its seed: the same on every machine. Start and goal have room for the disc.
/// @return false, after a message on stderr, if the library refuses it
bool terrain_scene_make(TerrainScene* scene, uint64_t seed);
void terrain_scene_destroy(TerrainScene* scene);

/// What the best route costs on a grid of so many cells a side; HUGE_VAL if there is none.
double terrain_scene_search_grid(const TerrainScene* scene, int cells);

/// Whether a route keeps its distance from all obstacles, by brute force over dense samples.
bool terrain_scene_is_route_free(const TerrainScene* scene, const NcVec2* points, int count);

/// The cost of a route, by adding up small steps.
double terrain_scene_sum_cost(const TerrainScene* scene, const NcVec2* points, int count);
