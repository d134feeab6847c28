// SPDX-License-Identifier: MIT
// The medial axis as users see it: vertices where it branches or ends, and edges in between, each a
// chain of arcs. Everything is in snaps and refers to the pieces of the diagram, whose links name
// their edge: 2 * edge for a piece in its direction, 2 * edge + 1 for one against it.
#pragma once

#include "arc.h"
#include "nav_corridor/map.h"

typedef struct NcGraphVertex
{
	int junction;             ///< NC_NULL_INDEX: the slot is empty
	int end_begin, end_count; ///< its part of NcGraph.ends
} NcGraphVertex;

typedef struct NcGraphEdge
{
	int vertices[2];
	int first_piece; ///< the pieces go on with next()
	int last_piece;
	int arc_count; ///< 0: the slot is empty
	double length;
	double min_clearance;
	NcVec2 min_position;
} NcGraphEdge;

typedef struct NcGraph
{
	NcArray(NcGraphVertex) vertices;
	NcArray(NcGraphEdge) edges;
	NcArray(NcEdgeEnd) ends; ///< of all vertices, counter-clockwise around each; with gaps
	NcIntArray vertex_of;    ///< per junction, or NC_NULL_INDEX
	NcIntArray free_vertices, free_edges;
	int live_end_count; ///< entries of `ends` that belong to a vertex
} NcGraph;

/// What an update does to a graph, and working memory.
typedef struct NcGraphUpdate
{
	NcIntArray dead_vertices, dead_edges;
	NcIntArray loose;   ///< pieces that lost their edge; some of them are gone
	NcIntArray touched; ///< vertices whose edge ends have to be listed again
	NcIntArray stamps;  ///< per vertex: the last update that listed it
	int stamp;
} NcGraphUpdate;

NcStatus nc_graph_build(NcGraph* graph, NcDiagram* diagram, const NcParallel* parallel);
void nc_graph_free(NcGraph* graph);

/// Remove the edge that a linked piece is on, if it still is on one.
void nc_graph_detach(
	NcGraph* graph, NcDiagram* diagram, int piece, NcGraphUpdate* update, NcJournal* journal);

/// Make vertices and edges of the pieces that have none: the given ones, and those that were on
/// detached edges. @return false if memory ran out
bool nc_graph_attach(NcGraph* graph, NcDiagram* diagram, const NcIntArray* cells,
	NcGraphUpdate* update, NcJournal* journal);

/// Make sure that nc_graph_finish() cannot fail. @return false if memory ran out
bool nc_graph_prepare_finish(NcGraph* graph, const NcGraphUpdate* update);
void nc_graph_finish(NcGraph* graph, const NcGraphUpdate* update);

void nc_graph_update_clear(NcGraphUpdate* update);
void nc_graph_update_free(NcGraphUpdate* update);

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
