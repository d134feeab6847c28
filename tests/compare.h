// SPDX-License-Identifier: MIT
// Comparing two diagrams of the same walls.
//
// A diagram is the list of its edges in free space. Ours is contracted: edges shorter than the
// contraction length are gone, and a point near their ends, where the edges around them would meet,
// stands for both. Witnesses keep every edge, of length zero even, so their ends are first grouped
// along short edges. Then
//
//   - every end of ours must be an end of theirs, within a thousandth of a snap; or where theirs
//   has
//     a short edge, within the contraction length,
//   - every group of theirs that has a long edge must likewise contain an end of ours,
//   - every edge of ours must be an edge of theirs between the same two sites, and every long edge
//     of theirs one of ours, each used once.
//
// Edges about as long as the contraction length may be there or not: both are right.
#pragma once

#include "walls.h"

#include <string>

struct Comparison
{
	int our_edges = 0, their_edges = 0;       // long ones
	int our_vertices = 0, their_vertices = 0; // theirs after grouping
	int only_our_edges = 0, only_their_edges = 0;
	int only_our_vertices = 0, only_their_vertices = 0;
	// Of a vertex of ours from the nearest of theirs, in snaps: where nothing is contracted, and
	// where something is.
	double worst_distance = 0.0, worst_contracted = 0.0;
	NcVec2 worst_vertex = {0.0, 0.0};
	std::string first_difference;

	bool is_equal() const;
};

// Our diagram of a map in the form of the witnesses.
std::vector<SiteEdge> read_our_edges(const NcMap* map, const Walls& walls);

// Vertices this close, in snaps, are the same, unless a scene needs another tolerance.
const double VERTEX_TOLERANCE = 1e-3;

Comparison compare_diagrams(const std::vector<SiteEdge>& ours, const std::vector<SiteEdge>& theirs,
	double tolerance = VERTEX_TOLERANCE);
