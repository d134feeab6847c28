// SPDX-License-Identifier: MIT
// Arcs: the stretches of the medial axis between two fixed features. Two sides or two corners have
// a straight arc in between, a side and a corner a parabola. All lengths are in snaps.
#pragma once

#include "diagram.h"

typedef enum NcArcKind
{
	NC_ARC_TWO_SIDES,   ///< straight; the clearance changes evenly along it
	NC_ARC_TWO_CORNERS, ///< straight; the clearance is least halfway between the corners
	NC_ARC_PARABOLA,
} NcArcKind;

/// An arc, or a part of one: only the two ends change.
typedef struct NcArc
{
	NcArcKind kind;
	NcVec2 ends[2];
	double clearances[2];
	NcVec2 corner; ///< the focus of a parabola; of two corners, the point halfway between them
	NcVec2 axis;   ///< of a parabola: the unit direction of its side
	NcVec2 normal; ///< of a parabola: the unit direction from its side to its focus
	double height; ///< the distance from the focus to the side, or between the two corners
} NcArc;

/// The arc of a piece, from junction to junction.
NcArc nc_arc_of_piece(const NcDiagram* diagram, int piece);

double nc_arc_compute_length(const NcArc* arc);

/// The smallest clearance along an arc.
/// @param position receives where it is
double nc_arc_find_min(const NcArc* arc, NcVec2* position);

/// Where the clearance along an arc, between its ends, equals a given one.
/// @param positions receives up to two places, in the order of the arc
/// @return how many there are
int nc_arc_find_clearance(const NcArc* arc, double clearance, NcVec2 positions[2]);

/// A polyline that is closer to an arc than this, in snaps, is as good as the arc.
#define NC_MIN_TOLERANCE 1e-3

/// How many equal parts keep a polyline within `tolerance` of the arc.
int nc_arc_count_parts(const NcArc* arc, double tolerance);

/// The point where part `index` of `count` begins.
NcVec2 nc_arc_get_point(const NcArc* arc, int index, int count);
