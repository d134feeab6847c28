// SPDX-License-Identifier: MIT
// The two libraries that we compare with and measure against: Boost.Polygon's Voronoi diagram and
// CGAL's segment Delaunay graph. Test programs only: CGAL's licence is not ours.
#pragma once

#include "walls.h"

#include <memory>

// All edges of their diagrams in free space that belong to the medial axis, short ones included.
std::vector<SiteEdge> boost_find_edges(const Walls& walls);
std::vector<SiteEdge> cgal_find_edges(const Walls& walls);

// Only build, for measuring. The result is a count that depends on all of the work.
size_t boost_build(const std::vector<Wall>& walls);
size_t cgal_build(const std::vector<Wall>& walls);

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
