// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/field.h"
#include "nav_corridor/map.h"

/// Building maps with a Vulkan device: it groups the walls of the world by tiles of a picture, and
/// the map computes its cells from these groups. The map has the same bits as without, at every
/// resolution, also where passages are narrower than a pixel.
///
///     NcCandidateTiles* tiles = nc_candidate_tiles_create(gpu, 1024);
///     def.find_candidates = nc_candidate_tiles_find;
///     def.candidates_context = tiles;
///
/// Updates in place need no candidates, and do not ask.

/// Where the groups are kept. Belongs to one map at a time, and must outlive it.
typedef struct NcCandidateTiles NcCandidateTiles;

/// @param gpu must outlive the object; NULL lets the processor make the tiles
/// @param resolution how many pixels lie along the larger side of the world, from 8 to 16384. More
/// make smaller groups and cost more themselves
/// @return NULL if there is no memory
NC_API NcCandidateTiles* nc_candidate_tiles_create(NcGpu* gpu, int resolution);

/// NULL is allowed.
NC_API void nc_candidate_tiles_destroy(NcCandidateTiles* tiles);

/// How candidates were found the last time, for messages and tests.
typedef struct NcCandidateStats
{
	bool is_used;        ///< the map got groups; otherwise it found its candidates itself
	bool is_from_device; ///< a device made them, not the processor
	int group_count;
	long long candidate_count; ///< of all groups in sum
} NcCandidateStats;

NC_API NcCandidateStats nc_candidate_tiles_get_stats(const NcCandidateTiles* tiles);

/// For NcMapDef.find_candidates; `context` is an NcCandidateTiles. If the device fails, the map
/// finds its candidates itself, which a message to the log hook says.
NC_API bool nc_candidate_tiles_find(void* context, NcBox bounds, const NcCandidateWall* walls,
	int wall_count, NcCandidates* candidates);
