// SPDX-License-Identifier: MIT
// 3D levels made of boxes, in the number of triangles of the 1998 paper's scenes.
#pragma once

#include "nav_corridor/project.h"

typedef enum LevelKind
{
	LEVEL_MAZE,   ///< 50 x 50 units, corridors between walls; 2,780 triangles
	LEVEL_OFFICE, ///< 45 x 45 units, rooms with doors, desks, chairs and lamps; 15,320 triangles
} LevelKind;

typedef struct Level
{
	double size; ///< its side, in world units
	NcTriangle* triangles;
	int count, capacity;
} Level;

/// Make a level; the seed decides where walls and furniture are. Exits without memory.
Level level_create(LevelKind kind, uint64_t seed);
void level_destroy(Level* level);

/// A projection of the whole level for somebody who walks on the ground and is 1.8 units tall.
NcProjectDef level_make_def(const Level* level, int cells_per_side);
