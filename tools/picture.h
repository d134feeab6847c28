// SPDX-License-Identifier: MIT
#pragma once

#include "ground.h"
#include "nav_corridor/query.h"
#include "svg.h"
#include "world.h"

/// A path to draw on top of a map. Without points only start and goal are drawn.
typedef struct PicturePath
{
	NcVec2 start, goal;
	double radius; ///< of the disc that walks, in world units

	const NcVec2* points;
	int point_count;

	const NcMapEvent* corridor;
	int corridor_count;

	const Ground* ground; ///< terrain to draw below; NULL: none
} PicturePath;

/// Draw obstacles, walls, the medial axis coloured by its clearance and, unless it is NULL, a path.
/// Complain on stderr if the file cannot be written.
bool picture_write(const char* file_name, const World* world, const PicturePath* path);

/// Draw the ground, terrain and filled obstacles; the walls: for pictures of other kinds.
/// @param ground NULL: no terrain
void picture_draw_areas(Svg* svg, const Scene* scene, const Ground* ground);
void picture_draw_walls(Svg* svg, const NcMap* map);
