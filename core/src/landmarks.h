// SPDX-License-Identifier: MIT
// Landmarks: good estimates for long searches.
//
// A landmark is a vertex at the edge of the map, with its distance to every vertex. The difference
// of two such distances is at least left of the way between them, and often all of it:
//
//      L -------- 300 --------- a -------- b        |ab| >= |Lb| - |La| = 120
//      L -------------- 420 -------------- b
//
// All that is needed is that the number of a vertex differs from that of its neighbours by no more
// than the edge in between costs. Radius and penalties only make ways longer, so the same numbers
// serve for all of them.
//
// Landmarks belong to a query, and updates of the map cost nothing for them. They are made, and
// follow the map, step by step: each long search pays for it with a part of what it cost itself,
// and uses those landmarks that are up to date. What a search finds does not depend on them, only
// how fast it does.
#pragma once

#include "search.h"

typedef struct NcLandmarkItem
{
	int64_t value;
	int vertex;
} NcLandmarkItem;

typedef NcArray(NcLandmarkItem) NcLandmarkHeap;

/// What the landmarks say about a vertex: one cache line.
typedef struct NcLandmarkValues
{
	int64_t values[NC_LANDMARK_COUNT]; ///< NC_BLOCKED: unknown
} NcLandmarkValues;

typedef enum NcLandmarkStage
{
	NC_LANDMARKS_NONE,
	NC_LANDMARKS_CHOOSING, ///< flooding the graph for the vertices that lie farthest out
	NC_LANDMARKS_READY,    ///< those whose heap is empty can be used
} NcLandmarkStage;

typedef struct NcLandmarks
{
	NcLandmarkStage stage;
	long long change; ///< the end of the map's list of changes when choosing began
	NcArray(NcLandmarkValues) vertices;
	NcLandmarkHeap heaps[NC_LANDMARK_COUNT]; ///< vertices whose neighbours may be too high
	int sources[NC_LANDMARK_COUNT];          ///< the vertices that the distances are from
	long long changes[NC_LANDMARK_COUNT];    ///< per landmark: the entry to be read next
	NcIntArray suspects, raised;             ///< working memory
	NcIntArray queue;                        ///< of the flood
	int queue_begin;                         ///< what comes before was expanded
	NcArray(uint8_t) flooded;                ///< per vertex
} NcLandmarks;

void nc_landmarks_free(NcLandmarks* landmarks);

/// See what is left after updates of the map. @return bits of the landmarks that can be used now
uint32_t nc_landmarks_catch_up(NcLandmarks* landmarks, const NcMap* map);

/// Spend some steps on making and repairing landmarks. @return bits of those that can be used now
/// @param vertex one from which the interesting part of the graph can be reached
/// @param first the landmark to begin with
uint32_t nc_landmarks_advance(
	NcLandmarks* landmarks, const NcMap* map, int vertex, int first, long long step_count);

/// The landmark that probably knows most about the way between two vertices.
int nc_landmarks_find_best(const NcLandmarks* landmarks, const NcMap* map, int a, int b);

/// Note what the landmarks know about the start or a goal: of every path from a vertex v to it, the
/// last stretch leads from an end of its edge, so its cost is at least highest - value(v), and at
/// least value(v) - lowest.
void nc_landmarks_prepare_end(
	const NcLandmarks* landmarks, uint32_t used, const NcGraphEdge* edge, NcSearchEnd* end);

/// At least what the way between a vertex and an end costs.
static inline int64_t nc_landmarks_estimate(
	const NcLandmarks* landmarks, uint32_t used, int vertex, const NcSearchEnd* end)
{
	int64_t best = 0;
	if (used == 0)
	{
		return best;
	}
	const int64_t* values = landmarks->vertices.data[vertex].values;
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		int64_t up = end->highest[i] - values[i];
		int64_t down = values[i] - end->lowest[i];
		best = up > best ? up : best;
		best = down > best ? down : best;
	}
	return best;
}
