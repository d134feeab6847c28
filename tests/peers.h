// SPDX-License-Identifier: MIT
// Those that we compare with and measure against: Boost.Polygon's Voronoi diagram, CGAL's segment
// Delaunay graph, and the bake of Godot. Test programs only: CGAL's licence is not ours.
#pragma once

#include "scenes.h"
#include "walls.h"

#include <memory>

// All edges of their diagrams in free space that belong to the medial axis, short ones included.
std::vector<SiteEdge> boost_find_edges(const Walls& walls);
std::vector<SiteEdge> cgal_find_edges(const Walls& walls);

// Only build, for measuring. The result is a count that depends on all of the work.
size_t boost_build(const std::vector<Wall>& walls);
size_t cgal_build(const std::vector<Wall>& walls);

// Bake a scene in Godot, whose path is in the environment as GODOT. The working directory must be
// that of the repository. @return the seconds of the best run, or 0 if there is none
double godot_bake(const TestScene& made, int runs);

// CGAL's diagram with walls that can be removed and inserted again.
class CgalEditor
{
  public:
	explicit CgalEditor(const std::vector<Wall>& walls);
	~CgalEditor();

	// Remove or insert some walls with all of their ends, which no other wall may share.
	void remove(const std::vector<Wall>& walls);
	void insert(const std::vector<Wall>& walls);
	size_t count_vertices() const;
	// How many removals CGAL refused.
	int count_failures() const;

  private:
	struct State;
	std::unique_ptr<State> state;
};
