// SPDX-License-Identifier: MIT
// The scenes that oracles and benches share: generated, the same on every machine, and named by a
// short text such as "city:98".
//
//   city:N        N x N blocks of 15 m, 5 m apart; city17:N the same, turned by 17.3 degrees
//   random:N      N short segments that do not touch each other
//   gons:N        N polygons of 720 sides
//   comb:N        N long slits, 4 snaps apart
//   lattice:SEED  random edges and diagonals of a square lattice: junctions of up to 8 walls
//   mckenna       the file tests/data/mckenna.wkt
//   published:N   inputs on which other libraries fail, from their issue trackers
//   mixed:SEED    random rectangles, stars, points and walls that do not touch each other
//   hard:SEED     almost equal distances and directions, far and close at once
//   overlap:SEED  the same, but crossing, touching, nested and repeated, some with a walkable area
//   FILE.seg      a file in snaps whose bounds are drawn as walls; likewise .wkt
#pragma once

#include "scene.h"

#ifdef __cplusplus
extern "C"
{
#endif

	/// A scene with the world that it is meant for. The snap is a power of two, so that dividing by
	/// it gives the whole numbers that other libraries need.
	typedef struct TestScene
	{
		Scene scene;
		NcBox bounds;
		double snap;
	} TestScene;

/// How many scenes `published:N` has.
#define SCENES_PUBLISHED_COUNT 9

	/// Make a scene by its name.
	/// @param made receives it; destroy it in any case
	/// @return false, after a message on stderr, if there is no such scene
	bool scenes_make(const char* name, TestScene* made);

	void scenes_destroy(TestScene* made);

	/// @return a shape for nc_map_add_obstacle(); it points into the scene
	NcShape scenes_get_shape(const TestScene* made, int index);

	/// Build the corridor map of a scene: create, add all obstacles, update. Exits if anything
	/// fails.
	/// @param ids receives the name of the obstacle of each shape; NULL is allowed
	NcMap* scenes_build_map(const TestScene* made, int thread_count, NcObstacleId* ids);

#ifdef __cplusplus
}
#endif
