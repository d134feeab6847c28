// SPDX-License-Identifier: MIT
// A search without a route, for measuring.
#pragma once

#include "nav_corridor/nav_corridor.h"

#ifdef __cplusplus
extern "C"
{
#endif

	/// Search from one point to another, up to the arcs of the corridor.
	/// @param visited receives how many vertices were expanded
	/// @return the length of the path along the medial axis, in world units; negative without one
	double search_only(NcQuery* query, NcVec2 start, NcVec2 goal, double radius,
		NcSearchMethod method, int* visited);

#ifdef __cplusplus
}
#endif
