// SPDX-License-Identifier: MIT
// Detour on the free space of a city: its streets and crossings as rectangles.
#pragma once

#include "nav_corridor/math2d.h"

#include <memory>
#include <vector>

class DetourCity
{
  public:
	// The city of scenes.h with n x n blocks.
	explicit DetourCity(int n);
	~DetourCity();

	// Find the polygons of both ends, a path, and the points of its taut string.
	// @return its length, or a negative number if there is none
	double find_path(NcVec2 start, NcVec2 goal);

	int get_point_count() const;

  private:
	struct State;
	std::unique_ptr<State> state;
};
