// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/route.h"

/// Corridors with an explicit boundary. A corridor is the union of the largest free discs around
/// its part of the medial axis. It is cut into sections, each between two spokes: lines from the
/// medial axis to the closest obstacle points on its left and on its right. A corridor is an array
/// of sections in the caller's memory: copy it, keep it, ask it without a map. All lengths are in
/// world units.
typedef enum NcCorridorSideKind
{
	NC_CORRIDOR_WALL,    ///< along a wall: a straight piece
	NC_CORRIDOR_CORNER,  ///< around a corner of an obstacle: an arc, or the corner itself
	NC_CORRIDOR_OPENING, ///< where another corridor leads off: an arc of the disc around the vertex
} NcCorridorSideKind;

/// Which side of a corridor, as seen when walking.
enum
{
	NC_CORRIDOR_RIGHT = 0,
	NC_CORRIDOR_LEFT = 1,
};

/// One side of a section.
typedef struct NcCorridorSide
{
	NcCorridorSideKind kind;
	NcRoutePiece piece; ///< the boundary in walking direction, at the margin from the obstacle
	NcVec2 feet[2];     ///< the closest obstacle points at both spokes
} NcCorridorSide;

typedef struct NcCorridorSection
{
	NcVec2 axis[2];       ///< the medial axis at both spokes; the same place at an opening
	double clearances[2]; ///< there
	double begin;         ///< length of the medial axis before this section
	double length;        ///< of the medial axis in it; 0 at an opening
	double margin;        ///< by how much the corridor was shrunk: radius and preferred clearance
	bool is_narrow;       ///< there is less room than the margin: both sides are the medial axis
	NcCorridorSide sides[2]; ///< NC_CORRIDOR_RIGHT and NC_CORRIDOR_LEFT
} NcCorridorSection;

/// The corridor of the path that was found last, shrunk on both sides: what is left for the centre
/// of a disc that keeps away from obstacles. Where there is not that much room, the corridor has no
/// width and follows the medial axis, along which the disc fits: up to rounding, and to chords that
/// cost no more than half of what the disc can spare.
/// @param radius of the disc, in world units: that of the path, or less
/// @param preferred_clearance between the disc and obstacles, in world units, wherever possible
/// @return the number of sections; at most `capacity` are written; 0 without a path
NC_API int nc_query_get_corridor_sections(const NcQuery* query, double radius,
	double preferred_clearance, NcCorridorSection* sections, int capacity);

/// What a corridor knows about a point in it.
typedef struct NcCorridorPoint
{
	int section;
	int side;         ///< NC_CORRIDOR_RIGHT or NC_CORRIDOR_LEFT of the medial axis
	NcVec2 closest;   ///< the closest point of the boundary
	double depth;     ///< the distance to it; negative within the margin, too close to an obstacle
	NcVec2 foot;      ///< the closest obstacle point; at an opening, the closest point of the disc
	NcVec2 axis;      ///< where a walk straight away from the foot meets the medial axis
	double clearance; ///< there
	double distance;  ///< how far along the medial axis that is
} NcCorridorPoint;

/// Find the closest point of the boundary, for a point anywhere in the corridor, its margin
/// included. The ends of a corridor are open: they are not part of the boundary.
/// @param hint the section to look at first, such as that of the last answer. The cost grows with
/// the number of sections between it and the point
/// @return false, and nothing is written, if the point is not in the corridor
NC_API bool nc_corridor_find_point(
	const NcCorridorSection* sections, int count, int hint, NcVec2 point, NcCorridorPoint* found);

/// A corridor at one place of its medial axis.
typedef struct NcCorridorCross
{
	int section;
	NcVec2 axis;
	double clearance;     ///< there
	NcVec2 boundaries[2]; ///< the points of the boundary on the right and on the left
	double width;         ///< the way from one to the other, through `axis`
} NcCorridorCross;

/// Cut across a corridor.
/// @param distance along the medial axis; beyond the ends it means the ends. Exact where sections
/// begin; in between it counts the way of the foot on a curved axis
/// @return false, and nothing is written, for an empty corridor or what is not a number
NC_API bool nc_corridor_get_cross(
	const NcCorridorSection* sections, int count, double distance, NcCorridorCross* cross);

/// @return the least width between two places along the medial axis; 0 for an empty corridor
NC_API double nc_corridor_find_min_width(
	const NcCorridorSection* sections, int count, double from, double to);

/// The part of a corridor between two places along its medial axis: what an agent has ahead of it,
/// from the distance that nc_corridor_find_point() says to some way on. Cut exactly; distances stay
/// those of the whole.
/// @param part may be `sections`
/// @return the number of its sections; at most `capacity` are written
NC_API int nc_corridor_get_part(const NcCorridorSection* sections, int count, double from,
	double to, NcCorridorSection* part, int capacity);

/// The boundary as a closed polyline: forward along the right side, back along the left one. Arcs
/// around corners are drawn from outside and arcs of openings by chords, so that nothing of it is
/// nearer to an obstacle than the boundary is, up to rounding.
/// @param tolerance how far from the boundary it may be, in world units; more than zero
/// @return the number of points; at most `capacity` are written
NC_API int nc_corridor_sample_outline(
	const NcCorridorSection* sections, int count, double tolerance, NcVec2* points, int capacity);
