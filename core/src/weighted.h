// SPDX-License-Identifier: MIT
// Routes over weighted terrain: the working memory of their search. In world units.
//
// The free space is tessellated by a square lattice, refined where it matters: pairs of points
// along the borders of regions, one on each side, and points of the medial axis where the lattice
// is too coarse for a passage. Nodes are joined with everything around them; what a join costs is
// its exact weighted length, split where the region changes. A* finds the best chain of nodes, and
// weighted_refine.c turns that into a route that bends only at borders and obstacles.
#pragma once

#include "query_state.h"
#include "terrain_state.h"

/// What a route is searched for.
typedef struct NcWeightedTask
{
	const NcMap* map;
	const NcTerrainGrid* terrain;
	const double* weights; ///< per type
	double min_weight;     ///< of the types that there are
	double radius;         ///< of the disc, in world units
	NcVec2 start, goal;
} NcWeightedTask;

/// A node's properties that do not depend on the task. Found out when needed.
typedef struct NcWeightedNode
{
	double clearance; ///< negative: not known yet
	int8_t type;      ///< of everything around, if that is uniform
	bool is_uniform;  ///< all that it can be joined with lies on the same type
} NcWeightedNode;

/// What a search knows about a node.
typedef struct NcWeightedVisit
{
	uint32_t search; ///< the search that this belongs to; others are forgotten
	bool is_closed;
	int parent; ///< or NC_NULL_INDEX
	double cost;
} NcWeightedVisit;

typedef struct NcWeightedHeapItem
{
	double priority;
	int node;
} NcWeightedHeapItem;

typedef NcArray(NcVec2) NcVec2Array;

struct NcWeighted
{
	// The lattice, and what it was made for.
	uint32_t map_revision, terrain_revision;
	const NcTerrain* terrain;
	NcVec2 origin;
	double spacing;
	int columns, rows;             ///< of lattice nodes
	NcVec2Array extras;            ///< the other nodes, sorted by cell
	NcIntArray cell_starts;        ///< per cell of the lattice, and one more
	NcArray(NcWeightedNode) nodes; ///< lattice nodes, extras, start, goal
	NcVec2Array unsorted;          ///< working memory

	// The search.
	NcArray(NcWeightedVisit) visits; ///< as `nodes`
	NcArray(NcWeightedHeapItem) heap;
	uint32_t search;

	// The route.
	NcVec2Array route, other, scratch;
	NcArray(double) costs; ///< working memory
};

/// Make the lattice fit for a map and a terrain; nothing to do if it is.
/// @return false if memory ran out
bool nc_weighted_prepare(NcWeighted* weighted, const NcMap* map, const NcTerrain* terrain);
void nc_weighted_free(NcWeighted* weighted);

static inline int nc_weighted_lattice_count(const NcWeighted* weighted)
{
	return weighted->columns * weighted->rows;
}

/// The node of the start; that of the goal is the next one.
static inline int nc_weighted_start_node(const NcWeighted* weighted)
{
	return nc_weighted_lattice_count(weighted) + weighted->extras.count;
}

/// Search a chain of nodes and write it to `route`.
/// @return false if there is none, or memory ran out: then an array of it has failed
bool nc_weighted_search(NcWeighted* weighted, const NcWeightedTask* task, int* visited_count);

/// Shorten a route as long as that pays.
/// @return what it costs, or HUGE_VAL if memory ran out
double nc_weighted_refine(NcWeighted* weighted, const NcWeightedTask* task, NcVec2Array* route);

/// Whether a disc can walk straight.
static inline bool nc_weighted_is_free(const NcWeightedTask* task, NcVec2 a, NcVec2 b)
{
	return nc_locate_is_segment_free(&task->map->world.diagram, nc_map_to_snaps(task->map, a),
		nc_map_to_snaps(task->map, b), task->radius * task->map->inverse_snap);
}

static inline double nc_weighted_cost(const NcWeightedTask* task, NcVec2 a, NcVec2 b)
{
	return nc_terrain_grid_compute_cost(task->terrain, task->weights, a, b);
}

/// What a whole route costs.
double nc_weighted_sum(const NcWeightedTask* task, const NcVec2* points, int count);

/// @return whether an allocation failed
bool nc_weighted_failed(const NcWeighted* weighted);
