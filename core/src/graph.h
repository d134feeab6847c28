// SPDX-License-Identifier: MIT
// The medial axis as users see it: vertices where it branches or ends, and edges in between, each a
// chain of arcs. Everything is in snaps and refers to the pieces of the diagram.
#pragma once

#include "arc.h"
#include "nav_corridor/map.h"

typedef struct NcGraphVertex
{
	int junction;
	int end_begin, end_count; ///< its part of NcGraph.ends
} NcGraphVertex;

typedef struct NcGraphEdge
{
	int vertices[2];
	int first_piece; ///< the pieces go on with next()
	int last_piece;
	int arc_count;
	double length;
	double min_clearance;
	NcVec2 min_position;
} NcGraphEdge;

typedef struct NcGraph
{
	NcArray(NcGraphVertex) vertices;
	NcArray(NcGraphEdge) edges;
	NcArray(NcEdgeEnd) ends;  ///< of all vertices, counter-clockwise around each
	NcIntArray vertex_of;     ///< per junction, or NC_NULL_INDEX
	NcIntArray edge_of;       ///< per piece with a twin: 2 * edge, plus 1 if it runs against the edge
	NcIntArray arc_of;        ///< per piece with a twin: which arc of the edge it is
	int component_count;
} NcGraph;

NcStatus nc_graph_build(NcGraph* graph, const NcDiagram* diagram);
void nc_graph_free(NcGraph* graph);

/// Walks along an edge, or a part of it, arc by arc, in either direction.
typedef struct NcEdgeWalk
{
	const NcDiagram* diagram;
	int piece; ///< runs in the direction of the walk
	int left;  ///< arcs that are still to come, this one included
} NcEdgeWalk;

/// Start at one end of an edge: 0 is its first vertex.
NcEdgeWalk nc_graph_walk_edge(const NcGraph* graph, const NcDiagram* diagram, NcEdgeEnd from);

/// Go on to the next arc. @return false at the end
bool nc_edge_walk_advance(NcEdgeWalk* walk);
