// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/map.h"
#include "random.h"

/// An obstacle that may be in the map or not. Owns its points and rings.
typedef struct EditObstacle
{
	NcShapeKind kind;
	NcVec2* points;
	int point_count;
	int* ring_counts; ///< NULL if there is one ring
	int ring_count;

	NcObstacleId id;
	bool is_present;
} EditObstacle;

/// All obstacles that ever were in a map, and where the removed ones wait to come back. Owns its
/// arrays.
typedef struct EditSet
{
	NcMap* map; ///< belongs to the caller
	Random random;

	EditObstacle* obstacles;
	int obstacle_count, obstacle_capacity;
	int first_count;   ///< how many there were in the beginning
	int present_count; ///< how many are in the map

	double start_ms; ///< when the last edit was handed to the map, after it was made up
} EditSet;

/// Take over the obstacles of a map.
/// @param shapes with the ids of the obstacles they became
void edit_begin(NcMap* map, const NcShape* shapes, const NcObstacleId* ids, int count,
	uint64_t seed, EditSet* set);
void edit_end(EditSet* set);

/// Stage one random edit: insert a new obstacle near another or one that was removed, remove one,
/// or move one. What is there may overlap, and stays about as much as in the beginning.
NcStatus edit_stage(EditSet* set, NcError* error);

/// Add all present obstacles to another map, in random order.
NcStatus edit_add_all(EditSet* set, NcMap* map, NcError* error);

/// @return the shapes of all present obstacles, for the caller to free; they point into the set
NcShape* edit_get_shapes(const EditSet* set);
