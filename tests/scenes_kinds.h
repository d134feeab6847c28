// SPDX-License-Identifier: MIT
// What the makers of scenes share among themselves. Users need scenes.h only.
#pragma once

#include "scenes.h"

#ifdef __cplusplus
extern "C"
{
#endif

	/// Make a scene of one kind.
	/// @param number what follows the kind in its name; zero or more
	/// @param made an empty scene with a snap of 1
	/// @return false, after a message on stderr, if there is no such scene
	typedef bool ScenesMakeFn(int number, TestScene* made);

	ScenesMakeFn scenes_make_random;
	ScenesMakeFn scenes_make_lattice;
	ScenesMakeFn scenes_make_mixed;
	ScenesMakeFn scenes_make_overlap;
	ScenesMakeFn scenes_make_hard;
	ScenesMakeFn scenes_make_published;

	void scenes_add_polygon(Scene* scene, const NcVec2* points, int count);
	void scenes_add_wall(Scene* scene, NcVec2 a, NcVec2 b);

	/// Random numbers; the state is the seed at first. Bounds are included.
	uint64_t scenes_random(uint64_t* state);
	int scenes_random_int(uint64_t* state, int lower, int upper);
	double scenes_random_double(uint64_t* state, double lower, double upper);

#ifdef __cplusplus
}
#endif
