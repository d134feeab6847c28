// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"

/// The medial axis as a graph in plain arrays. An end is named 2 * edge + end. Owns its arrays.
typedef struct CheckGraph
{
	int vertex_range, edge_range;
	int vertex_count, edge_count;
	int* begins;   ///< per vertex, where its ends begin in `ends`; one more at the end
	int* ends;     ///< of all vertices, counter-clockwise around each
	int* slots;    ///< per end, where it is in `ends`
	int* owners;   ///< per end, its vertex, or NC_NULL_INDEX if the edge is unused
	NcVec2* left;  ///< per end, the closest point on the left of who walks away from its vertex
	NcVec2* right; ///< and on the right
	int* parents;  ///< per vertex, another one of its component, or itself
} CheckGraph;

/// Read the graph of a map, and check its vertices on the way.
/// @return whether it is consistent; destroy it in any case
bool check_graph_read(Checker* checker, CheckGraph* graph);
void check_graph_destroy(CheckGraph* graph);

/// Check that the edge ends of a vertex are in counter-clockwise order: between an end and the
/// next, both see the same closest point.
void check_order(Checker* checker, const CheckGraph* graph, int vertex);

/// Check Euler's formula, and what the map says about its own size.
void check_euler(Checker* checker, const CheckGraph* graph);
