// SPDX-License-Identifier: MIT
// A grid over the regions of a terrain, for reading. In world units.
//
// Use: a step of an agent measures some ten segments, a search many thousands; edits are rare. So
// everything about a cell is precomputed. Most cells are of one type and answer at once. The others
// know, for each region whose border passes through and that is not hidden by a higher one, the
// edges inside the cell and whether a reference point of the cell is inside the region: a point is
// inside if the way to the reference crosses an even number of those edges, and the reference is
// inside; or an odd number, and it is not.
#pragma once

#include "array.h"
#include "nav_corridor/terrain.h"

typedef struct NcTerrainEdge
{
	NcVec2 a, b;
} NcTerrainEdge;

/// A region whose border passes through a cell.
typedef struct NcTerrainItem
{
	int type;
	int first_edge, edge_count; ///< those that pass through the cell
	bool has_reference;         ///< whether the reference point of the cell is inside
} NcTerrainItem;

typedef struct NcTerrainCell
{
	int first_item, item_count; ///< from the highest rank to the lowest
	int base_type;              ///< where none of the items is
} NcTerrainCell;

/// A region as the grid needs it.
typedef struct NcTerrainArea
{
	int type, priority;
	int first_edge, edge_count; ///< in `edges` of the build
	NcBox box;
} NcTerrainArea;

typedef struct NcTerrainGrid
{
	NcBox box; ///< of all regions; beyond is ground
	int columns, rows;
	double cell_width, cell_height;
	double inverse_width, inverse_height;
	uint64_t types; ///< a bit for each type that some region has, and for the ground
	NcArray(NcTerrainCell) cells;
	NcArray(NcTerrainItem) items;
	NcArray(NcTerrainEdge) edges; ///< copies, one for each cell that an edge passes through
} NcTerrainGrid;

/// Build a grid.
/// @param areas sorted from the highest rank to the lowest
/// @return false if memory ran out; still to be freed then
bool nc_terrain_grid_build(NcTerrainGrid* grid, const NcTerrainArea* areas, int area_count,
	const NcTerrainEdge* edges, int edge_count);
void nc_terrain_grid_free(NcTerrainGrid* grid);

int nc_terrain_grid_get_type(const NcTerrainGrid* grid, NcVec2 p);

/// Receive a stretch of a walk on one type; stretches follow each other.
typedef void NcTerrainVisitFn(void* context, double begin, double end, int type);

/// Visit the stretches of a walk in order, from 0 to 1. The type changes from each to the next.
void nc_terrain_grid_walk(
	const NcTerrainGrid* grid, NcVec2 a, NcVec2 b, NcTerrainVisitFn* visit, void* context);

/// The cost of a straight walk.
double nc_terrain_grid_compute_cost(
	const NcTerrainGrid* grid, const double* weights, NcVec2 a, NcVec2 b);

/// Whether a box is known to be of one type. Never wrong if it says yes.
bool nc_terrain_grid_is_uniform(const NcTerrainGrid* grid, NcBox box, int* type);

/// Find the direction of the border that is nearest to a point, within the point's cell.
/// @param tangent receives a unit vector
/// @return false if no border passes through that cell
bool nc_terrain_grid_find_border(const NcTerrainGrid* grid, NcVec2 p, NcVec2* tangent);
