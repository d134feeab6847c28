// SPDX-License-Identifier: MIT
// Compares the skeleton that was found in a picture with the exact corridor map of the same scene.
#pragma once

#include "field_scene.h"
#include "nav_corridor/skeleton.h"

/// What a comparison found.
typedef struct SkeletonMatch
{
	int sample_count;
	int edge_count;       ///< of the exact map, longer than two pixels
	int contracted_count; ///< samples on edges of the picture that are two samples or shorter
	/// No edge of the exact map with the same two sites is within a pixel, because a cell in
	/// between is thinner than that; but one with the same closest points, within a pixel, or edges
	/// with each of the sites are.
	int split_samples;
	/// The two closest points are within a pixel of each other, and no edge is there: they are on
	/// two sides of an obstacle that is thinner than a pixel.
	int thin_samples;
	int unmatched_samples; ///< none of this
	int wrong_points;      ///< closest points more than a pixel from those of the exact map
	int wrong_sides;       ///< edges on which left and right are exchanged
	int lost_edges;        ///< edges of the exact map, longer than two pixels, without a sample
	/// Of the lost ones: less than two pixels of it are in passages as wide as 1.5 pixels, or all
	/// of the edge is within a pixel of others, so that the cell in between is thinner than a
	/// pixel.
	int invisible_edges;
	double max_distance;       ///< of a matched sample to the exact map, in pixels
	double max_point_distance; ///< of closest points to those of the exact map, in pixels
} SkeletonMatch;

SkeletonMatch skeleton_match(const FieldScene* scene, const NcSkeleton* skeleton);
