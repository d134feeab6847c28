// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/math2d.h"

/// Terrain: regions of the ground with a type each, and profiles that say what a character makes of
/// the types. Walking a unit of length on a type costs its weight.
///
/// Edits (add, replace, remove) are staged and applied together by nc_terrain_update(). Between two
/// updates the terrain does not change, and any number of threads may read it. Staging and updating
/// are for one thread at a time, while nobody reads. Terrain knows nothing of obstacles: regions
/// may reach into them, cross each other, and lie anywhere.
typedef struct NcTerrain NcTerrain;

/// How many types there are, counted from zero.
#define NC_TERRAIN_TYPE_COUNT 64

/// The type of the ground where no region lies.
#define NC_TERRAIN_GROUND 0

/// A weight for what nobody may enter.
#define NC_TERRAIN_BLOCKED HUGE_VAL

/// Names a region of one terrain. All zero names nothing. An id is never used again.
typedef struct NcRegionId
{
	uint32_t index;      ///< counts from one
	uint32_t generation; ///< tells a removed region from its successor in the same place
} NcRegionId;

/// An area of one type, in world units. A point belongs to it if the rings wind around it an odd
/// number of times: the first ring is usually the border, the others are holes. Rings turn either
/// way and may cross; a last point equal to the first is allowed.
typedef struct NcRegion
{
	/// All points, ring after ring; at least three in each.
	const NcVec2* points;
	int point_count;

	/// How many points each ring has; the counts add up to `point_count`. NULL means one ring.
	const int* ring_counts;
	int ring_count;

	int type; ///< from 0 to NC_TERRAIN_TYPE_COUNT - 1

	/// Where regions overlap, the highest priority is seen; of equal ones, the highest type.
	int priority;
} NcRegion;

/// What a character makes of the ground. Initialize with nc_default_terrain_profile().
typedef struct NcTerrainProfile
{
	/// The cost of a unit of length on each type: above zero, or NC_TERRAIN_BLOCKED. It counts
	/// where the centre of the character is.
	double weights[NC_TERRAIN_TYPE_COUNT];
} NcTerrainProfile;

/// @return a profile that makes no difference: every weight is one
NC_API NcTerrainProfile nc_default_terrain_profile(void);

/// Check the weights of a profile.
/// @return NC_INVALID_INPUT, with the type as the bad item, if a weight is zero, negative or not a
/// number
NC_API NcStatus nc_terrain_profile_check(const NcTerrainProfile* profile, NcError* error);

/// Create a terrain without regions.
/// @param terrain receives it, or NULL on failure
NC_API NcStatus nc_terrain_create(NcTerrain** terrain);

/// Destroy a terrain. NULL is allowed. No query may use it afterwards.
NC_API void nc_terrain_destroy(NcTerrain* terrain);

/// Stage a new region. It is copied. On failure nothing changes, and `error` names the first bad
/// point or ring.
/// @param id receives the name of the new region, or all zero on failure
NC_API NcStatus nc_terrain_add_region(
	NcTerrain* terrain, const NcRegion* region, NcRegionId* id, NcError* error);

/// Stage a new shape, type or priority for a region that keeps its id.
NC_API NcStatus nc_terrain_set_region(
	NcTerrain* terrain, NcRegionId id, const NcRegion* region, NcError* error);

/// Stage the removal of a region. Its id is invalid from now on.
NC_API NcStatus nc_terrain_remove_region(NcTerrain* terrain, NcRegionId id);

/// @return whether the id names a region of this terrain, staged ones included
NC_API bool nc_terrain_has_region(const NcTerrain* terrain, NcRegionId id);

/// Read a region back, as it was staged last.
/// @param region receives pointers into the terrain, valid until its next edit
/// @return false, and nothing is written, if the id names nothing
NC_API bool nc_terrain_get_region(const NcTerrain* terrain, NcRegionId id, NcRegion* region);

/// @return how many regions there are, staged edits included
NC_API int nc_terrain_get_region_count(const NcTerrain* terrain);

/// Apply all staged edits. Without edits nothing changes, not even the revision. On failure the
/// terrain stays as it was and the edits stay staged. Costs time proportional to all regions.
NC_API NcStatus nc_terrain_update(NcTerrain* terrain);

/// @return a number that grows with every update that changed something; 1 after creation
NC_API uint32_t nc_terrain_get_revision(const NcTerrain* terrain);

/// @return the type of the ground at a point; on a border, one of the types around it
NC_API int nc_terrain_get_type(const NcTerrain* terrain, NcVec2 point);

/// Measure a straight walk from a to b.
/// @param lengths receives how long it is on each type, in world units
NC_API void nc_terrain_measure_segment(
	const NcTerrain* terrain, NcVec2 a, NcVec2 b, double lengths[NC_TERRAIN_TYPE_COUNT]);

/// Compute what a straight walk from a to b costs: the sum over all types of weight times length,
/// without any raster.
/// @return NC_TERRAIN_BLOCKED if it leads over a blocked type
NC_API double nc_terrain_compute_cost(
	const NcTerrain* terrain, const NcTerrainProfile* profile, NcVec2 a, NcVec2 b);

/// A stretch of a straight walk on one type.
typedef struct NcTerrainStretch
{
	double begin, end; ///< as parts of the walk, from 0 to 1
	int type;
} NcTerrainStretch;

/// Cut a straight walk from a to b where the type changes.
/// @return the number of stretches, which follow each other from 0 to 1; at most `capacity` are
/// written
NC_API int nc_terrain_cut_segment(
	const NcTerrain* terrain, NcVec2 a, NcVec2 b, NcTerrainStretch* stretches, int capacity);
