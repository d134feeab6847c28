// SPDX-License-Identifier: MIT
// Compares the skeleton that was found in a picture with the exact corridor map of the same scene.
#pragma once

#include "diagram.h"
#include "field_scene.h"
#include "nav_corridor/skeleton.h"

#include <stdio.h>

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
	/// The two closest points are within the precision of a field of each other, and so it cannot
	/// tell where their border is.
	int tied_samples;
	int unmatched_samples; ///< none of this
	int wrong_points;      ///< closest points more than a pixel from those of the exact map
	int wrong_sides;       ///< edges on which left and right are exchanged
	/// Edges of the exact map, longer than two pixels, that no sample shows, because the passage
	/// or a cell beside it is thinner than a pixel; but a closer picture of a part of it does.
	int zoomed_edges;
	int lost_edges;            ///< none shows it, however close
	double max_zoom;           ///< the largest of these enlargements
	double max_distance;       ///< of a matched sample to the exact map, in pixels
	double max_point_distance; ///< of closest points to those of the exact map, in pixels
} SkeletonMatch;

SkeletonMatch skeleton_match(const FieldScene* scene, const NcSkeleton* skeleton);

/// Add the findings of one comparison to those of others.
void skeleton_match_add(SkeletonMatch* sum, const SkeletonMatch* match);

/// How much is really wrong.
int skeleton_match_count_wrong(const SkeletonMatch* match);

void skeleton_match_print(FILE* file, const char* name, const SkeletonMatch* match);

/// Whether a wall is the feature of the exact map, or meets others in it.
bool skeleton_is_site_of(const FieldScene* scene, NcFeature feature, uint32_t site);

/// Look for an edge of the exact map in pictures of its parts that are 4, 16, 64 ... times closer.
/// @return how much closer it took; 0 if none shows it
double skeleton_find_closer(const FieldScene* scene, int edge);
