// SPDX-License-Identifier: MIT
// Who can get where: the widest way between any two vertices of the medial axis.
//
// Let passages open one after the other, the widest first, and join the parts that they connect.
// Whoever is joined when a passage of clearance c opens can reach each other with a radius of c. A
// smaller part is always hung below a larger one, so that the tree of parts has a depth of log n:
//
//            5          the number at a vertex is the clearance of the passage that joined it to
//          /   \        its parent; along any way to the root the numbers do not grow. The widest
//         4     3       way between two vertices is as wide as the least number on the way
//        /     / \      between them in this tree.
//       4     3   1
//
// The tree belongs to a query, not to the map, so that updates of the map cost nothing. It is made
// anew for a revision when questions have cost about as much without it as making it does.
#pragma once

#include "array.h"

#include "nav_corridor/map.h"

typedef struct NcReachNode
{
	int parent;       ///< a vertex, or NC_NULL_INDEX at a root
	int size;         ///< vertices below and including this one
	double clearance; ///< of the way to the parent, in snaps; -1 at a root
} NcReachNode;

/// An edge of the graph, to be sorted.
typedef struct NcReachEdge
{
	uint64_t key; ///< the bits of its clearance, whose order is that of the numbers
	int edge;
} NcReachEdge;

typedef struct NcReach
{
	NcArray(NcReachNode) nodes;         ///< per vertex of the graph
	NcArray(NcReachEdge) edges, sorted; ///< working memory
	uint32_t revision;                  ///< of the map that the tree belongs to; 0: none

	// Questions that are asked before the tree is worth its making.
	NcIntArray queues[2];     ///< vertices that were reached from either end
	NcArray(uint32_t) stamps; ///< per vertex: the question and the end that reached it last
	uint32_t stamp;
	uint32_t flooded_revision; ///< of the map that the next number belongs to
	long long flooded_count;   ///< vertices visited by such questions
} NcReach;

void nc_reach_free(NcReach* reach);

/// Make the tree for the present revision of a map, unless it is there.
/// @return false if memory ran out
bool nc_reach_build(NcReach* reach, const NcMap* map);

/// @return the clearance of the widest way between two vertices, in snaps; -1 if there is none
double nc_reach_find_widest(const NcReach* reach, int a, int b);
