// SPDX-License-Identifier: MIT
// The planar walls of a map in whole numbers, as other libraries take them, and what all diagrams
// of them have in common: names for sites, and which parts of a diagram lie in free space.
#pragma once

#include "nav_corridor/map.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

// A wall between two snapped points. Equal ends make it a point.
struct Wall
{
	int32_t x0, y0, x1, y1;
	bool left_free, right_free;

	bool is_point() const
	{
		return x0 == x1 && y0 == y1;
	}
};

// An edge of a diagram, in snaps. Sites are named by Walls.
struct SiteEdge
{
	int sites[2]; // the lower first
	NcVec2 ends[2];

	double length() const;
};

// All walls. Site names: a wall's index for the wall between its ends, and size() plus a number for
// each point that is an end of walls.
class Walls
{
  public:
	Walls() = default;
	explicit Walls(const NcMap* map);
	explicit Walls(std::vector<Wall> walls);

	const std::vector<Wall>& all() const
	{
		return walls;
	}

	int point_site(int32_t x, int32_t y) const;
	// The site of a wall by its ends, in any order.
	int wall_site(int32_t x0, int32_t y0, int32_t x1, int32_t y1) const;
	// The site that a wall index of the map stands for.
	int site_of_map_wall(int index) const;

	// Whether one site is an end of the other: such a border is not part of a medial axis.
	bool are_incident(int site_a, int site_b) const;

	// Whether an edge between two sites that has this midpoint lies in free space.
	bool is_free(const SiteEdge& edge) const;

  private:
	struct Point
	{
		int32_t x, y;
		std::vector<int> walls; // that end here
	};

	void index();
	int add_point(int32_t x, int32_t y);
	bool is_free_at_wall(int wall, NcVec2 p) const;
	bool is_free_at_point(const Point& point, NcVec2 p) const;

	std::vector<Wall> walls;
	std::vector<Point> points;
	std::vector<int> of_map; // per wall index of the map
	std::unordered_map<uint64_t, int> points_by_place;
	std::unordered_map<uint64_t, int> walls_by_points;
};
