// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/query.h"

/// A route is an array of these, in the caller's memory: copy it, keep it, ask it without a map.
/// All lengths are in world units.
typedef struct NcRoutePiece
{
	NcVec2 from, to;
	double length; ///< exact

	/// 0 for a straight piece. Else it is an arc around `center`, the angle in radians by which it
	/// turns: positive counter-clockwise.
	double angle;
	NcVec2 center;
	double radius;
} NcRoutePiece;

/// The route that nc_query_find_path() found last, exactly: the shortest one consists of straight
/// lines and of arcs around corners, the others of straight lines.
/// @return the number of pieces; at most `capacity` are written; 0 without a path
NC_API int nc_query_get_route(const NcQuery* query, NcRoutePiece* pieces, int capacity);

/// @return the sum of all lengths, in world units
NC_API double nc_route_compute_length(const NcRoutePiece* pieces, int count);

/// Where somebody is after walking some way along a route.
/// @param distance from the beginning, in world units; beyond the ends it means the ends
/// @param direction receives the unit direction of the walk; NULL is allowed. Zero if the route has
/// no length at all
/// @return the point; zero if the route is empty
NC_API NcVec2 nc_route_get_point(
	const NcRoutePiece* pieces, int count, double distance, NcVec2* direction);

/// The route as a polyline. It runs outside of the arcs, touching them, so that it is as far from
/// their corners as they are.
/// @param tolerance how far it may be from the arcs, in world units; positive
/// @return the number of points; at most `capacity` are written
NC_API int nc_route_sample(
	const NcRoutePiece* pieces, int count, double tolerance, NcVec2* points, int capacity);
