// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/field.h"

/// The skeleton of the free space as the labels of a field show it: the borders between pixels that
/// belong to different obstacle features. A raster picture of the corridor map, made without it,
/// and its independent witness. What is narrower than a pixel may be lost.
///
/// Borders run between pixels, from one corner of a pixel to the next. Corner (x, y) is the lower
/// left one of the pixel in column x and row y.

/// A piece of the skeleton, as long as the side of a pixel: between two pixels that are neighbours.
/// Left and right are those of a walk along the edge that it belongs to.
typedef struct NcSkeletonSample
{
	NcVec2 position;                ///< its middle, in world units
	NcVec2 left, right;             ///< the closest points of the two sites
	uint32_t left_site, right_site; ///< the labels of the two pixels
	double clearance;               ///< distance to the nearer of the closest points
} NcSkeletonSample;

/// The most sites that meet in a corner.
#define NC_SKELETON_MAX_SITES 4

/// A corner in which an edge ends: where three or four pieces meet, or where one ends alone.
typedef struct NcSkeletonVertex
{
	int x, y;        ///< the corner
	NcVec2 position; ///< in world units
	int edge_count;  ///< how many pieces meet here
	int site_count;  ///< how many different sites its pixels belong to; blocked ones do not count
	uint32_t sites[NC_SKELETON_MAX_SITES];
	NcVec2 points[NC_SKELETON_MAX_SITES]; ///< the closest points of these sites
} NcSkeletonVertex;

/// A chain of samples between two vertices, or a loop.
typedef struct NcSkeletonEdge
{
	int vertices[2]; ///< NC_NULL_INDEX twice for a loop
	int first_sample, sample_count;
} NcSkeletonEdge;

/// All zero is empty; free with nc_skeleton_free().
typedef struct NcSkeleton
{
	NcSkeletonSample* samples; ///< edge by edge
	int sample_count, sample_capacity;
	NcSkeletonVertex* vertices;
	int vertex_count, vertex_capacity;
	NcSkeletonEdge* edges;
	int edge_count, edge_capacity;
	bool is_from_device; ///< a device found the samples, not the processor
} NcSkeleton;

/// Find the skeleton in the labels of a field. A device finds and packs the samples; without one
/// (NULL), or if it fails, the processor does, with the same bits.
/// @param def what the field was computed from; `dirty_boxes` are ignored
/// @param labels the labels of all pixels
/// @param skeleton what it held is freed
NC_API NcStatus nc_skeleton_extract(NcGpu* gpu, const NcFieldDef* def, const uint32_t* labels,
	NcSkeleton* skeleton, NcError* error);

NC_API void nc_skeleton_free(NcSkeleton* skeleton);
