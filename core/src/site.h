// SPDX-License-Identifier: MIT
// Sites: the obstacle features that have a cell, in the form that computes fast.
//
// A feature is a free side of a fragment, or a cone: the directions around a vertex in which the
// vertex itself, and none of its fragments, is the nearest obstacle point. A cone exists where the
// free angle is larger than a half turn; an isolated point is a cone all around.
//
// Directions are kept as whole numbers without common divisor, next to the inverse of their length:
// all products of two of them, and of one with a difference of points, are exact. So collinear
// walls have the same bits everywhere, and whether something lies in front of a wall is never in
// doubt.
#pragma once

#include "grid_boxes.h"
#include "parallel_loop.h"
#include "snap_update.h"

/// Names a feature: 2 * half for a side, 2 * vertex + 1 for a cone.
typedef int NcFeature;

static inline NcFeature nc_side_feature(int half)
{
	return 2 * half;
}

static inline NcFeature nc_cone_feature(int vertex)
{
	return 2 * vertex + 1;
}

static inline bool nc_feature_is_cone(NcFeature feature)
{
	return feature & 1;
}

/// The half of a side, or the vertex of a cone.
static inline int nc_feature_index(NcFeature feature)
{
	return feature >> 1;
}

/// A whole-number direction d and 1 / |d|. Its left normal is the unit vector perp(d) / |d|.
typedef struct NcDirection
{
	double x, y, inverse_length;
} NcDirection;

/// A fragment. One cache line.
typedef struct NcWall
{
	NcVec2 a, b; ///< lower and upper end, in snaps
	NcDirection direction;
	int is_free; ///< bit 0: left, bit 1: right
	int is_open; ///< not a wall at all
} NcWall;

/// A cone. One cache line. Its directions run counter-clockwise from the left normal of `first` to
/// the left normal of `last`.
typedef struct NcCone
{
	NcVec2 apex; ///< in snaps
	NcDirection first, last;
} NcCone;

/// Whether a cone is an isolated point, with all directions. Then `first` and `last` are zero.
static inline bool nc_cone_is_full(const NcCone* cone)
{
	return !(cone->first.inverse_length > 0.0);
}

typedef struct NcSites
{
	const NcSnap* snap;
	NcArray(NcWall) walls;     ///< one per fragment slot; empty ones are not free
	NcArray(NcCone) cones;     ///< one per vertex slot
	NcArray(uint8_t) has_cone; ///< per vertex slot
	NcIntArray
		gaps; ///< per vertex slot with a cone: the half on whose left it is, unless it is full
	NcGrid cone_grid;  ///< the vertices with a cone
	NcGridBoxes boxes; ///< what is in each cell of the two grids of fragments and cones
} NcSites;

/// Which features an update took away and brought. A feature that changed is in both lists.
typedef struct NcSitesUpdate
{
	NcIntArray dead, fresh;
	NcIntArray vertices; ///< those that were touched, each once
	NcIntArray vertex_stamps;
	int stamp;
} NcSitesUpdate;

/// Derive the sites of a snapped world.
/// @return false if memory ran out; still to be freed then
bool nc_sites_build(NcSites* sites, const NcSnap* snap, const NcParallel* parallel);
void nc_sites_free(NcSites* sites);

/// Follow a change of the snapped world.
/// @return false if memory ran out: roll the journal back
bool nc_sites_apply(
	NcSites* sites, const NcSnapUpdate* change, NcSitesUpdate* update, NcJournal* journal);
void nc_sites_update_clear(NcSitesUpdate* update);
void nc_sites_update_free(NcSitesUpdate* update);

/// The wall that a feature belongs to: a fragment, or beyond them the number of an isolated point.
int nc_sites_find_wall(const NcSites* sites, NcFeature feature);

/// Whether a feature has a cell.
bool nc_feature_exists(const NcSites* sites, NcFeature feature);

/// The feature after this one when walking along the obstacles with the free space on the left.
NcFeature nc_feature_next(const NcSites* sites, NcFeature feature);

/// The feature before this one.
NcFeature nc_feature_previous(const NcSites* sites, NcFeature feature);

/// A total order of features by their coordinates: the same whatever their indices.
int nc_feature_compare(const NcSites* sites, NcFeature f, NcFeature g);
