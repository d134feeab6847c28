// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/gpu_candidates.h"
#include "options.h"
#include "parallel.h"
#include "scene_ncm.h"

/// A scene and the corridor map that was built from it. Do not move it: the map points into it.
typedef struct World
{
	Scene scene;
	NcMap* map;
	double build_ms; ///< how long adding the obstacles and building, or loading, the map took

	/// The map was loaded: nobody knows the shapes of its obstacles, and the scene is empty.
	bool is_saved;
	FileBytes bytes; ///< what it was loaded from

	NcObstacleId* ids; ///< of the obstacle that each shape of the scene became

	/// For the index of each obstacle id, which shape of the scene it is.
	int* shapes_by_id;
	int id_range;

	Parallel parallel;

	// With --backend vulkan, if there is a device.
	NcGpu* gpu;
	NcCandidateTiles* tiles;
} World;

/// Read the input file and build its map as the options say. Complain on stderr, naming the file
/// and, where there is one, the line.
/// @return false if there is no map; destroy the world in any case
bool world_build(const Options* options, World* world);

void world_destroy(World* world);

/// Create another map of the same world as the options say: without obstacles, or, if the world is
/// a saved map, with those that were saved.
/// @return NULL, after a complaint, if that is not possible; the caller destroys it before the
/// world
NcMap* world_create_map(const Options* options, World* world);

/// @return all shapes of the scene, in an array for the caller to free; they point into the scene
NcShape* world_get_shapes(const World* world);

/// @return the index of the shape that an obstacle comes from, or -1 for the bounds; for a saved
/// map, which obstacle it is, in the order in which they were added to it
int world_find_shape(const World* world, NcObstacleId obstacle);
