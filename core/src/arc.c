// SPDX-License-Identifier: MIT
// Arcs of the medial axis: see arc.h.
//
// In the frame of its side, with the focus at (0, y) and the side on the t-axis, a parabola is
// h = (t^2 + y^2) / (2 y). Its slope is u = t / y, so its length from the lowest point is
// y/2 (u sqrt(1 + u^2) + asinh u).

#include "arc.h"

#include "check.h"

// The natural logarithm, with the same bits everywhere. With x = m 2^e and z = (m - 1) / (m + 1),
// log m = 2 (z + z^3/3 + z^5/5 ...); |z| < 0.172, so the next term is below 1e-17.
static double compute_log(double x)
{
	int exponent;
	double m = frexp(x, &exponent);
	if (m < 0.70710678118654752)
	{
		m *= 2.0;
		--exponent;
	}
	double z = (m - 1.0) / (m + 1.0);
	double zz = z * z;
	double sum = 0.0;
	for (int n = 21; n >= 1; n -= 2)
	{
		sum = 1.0 / n + zz * sum;
	}
	return 2.0 * z * sum + exponent * 0.69314718055994531;
}

// u sqrt(1 + u^2) + asinh u
static double compute_parabola_integral(double u)
{
	double v = fabs(u);
	double root = sqrt(1.0 + v * v);
	double value = v * root + compute_log(v + root);
	return u < 0.0 ? -value : value;
}

NcArc nc_arc_of_piece(const NcDiagram* diagram, int piece)
{
	int twin = nc_piece_twin(diagram, piece);
	NcFeature f = nc_piece_owner(diagram, piece);
	NcFeature g = nc_piece_owner(diagram, twin);
	const NcJunction* from = nc_piece_junction(diagram, piece);
	const NcJunction* to = nc_piece_junction(diagram, twin);
	NcArc arc = {
		.ends = {from->position, to->position},
		.clearances = {from->clearance, to->clearance},
	};
	if (!nc_feature_is_cone(f) && !nc_feature_is_cone(g))
	{
		arc.kind = NC_ARC_TWO_SIDES;
		return arc;
	}
	if (nc_feature_is_cone(f) && nc_feature_is_cone(g))
	{
		arc.kind = NC_ARC_TWO_CORNERS;
		NcVec2 a = diagram->sites.cones.data[nc_feature_index(f)].apex;
		NcVec2 b = diagram->sites.cones.data[nc_feature_index(g)].apex;
		arc.corner = (NcVec2){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
		arc.height = nc_distance(a, b);
		return arc;
	}
	arc.kind = NC_ARC_PARABOLA;
	NcFeature cone = nc_feature_is_cone(f) ? f : g;
	NcFeature side = nc_feature_is_cone(f) ? g : f;
	const NcWall* wall = &diagram->sites.walls.data[nc_feature_index(side) >> 1];
	NcDirection d = wall->direction;
	arc.corner = diagram->sites.cones.data[nc_feature_index(cone)].apex;
	arc.axis = (NcVec2){d.x * d.inverse_length, d.y * d.inverse_length};
	NcVec2 v = nc_sub(arc.corner, wall->a);
	double height = (d.x * v.y - d.y * v.x) * d.inverse_length;
	arc.height = fabs(height);
	arc.normal = nc_scale(height < 0.0 ? -1.0 : 1.0, nc_perp(arc.axis));
	return arc;
}

// Where an end is along the side of a parabola, measured from below the focus.
static double get_parameter(const NcArc* arc, int end)
{
	return nc_dot(nc_sub(arc->ends[end], arc->corner), arc->axis);
}

double nc_arc_compute_length(const NcArc* arc)
{
	if (arc->kind != NC_ARC_PARABOLA)
	{
		return nc_distance(arc->ends[0], arc->ends[1]);
	}
	double y = arc->height;
	double u0 = get_parameter(arc, 0) / y;
	double u1 = get_parameter(arc, 1) / y;
	return 0.5 * y * fabs(compute_parabola_integral(u1) - compute_parabola_integral(u0));
}

double nc_arc_find_min(const NcArc* arc, NcVec2* position)
{
	bool begins_lower = arc->clearances[0] < arc->clearances[1];
	*position = begins_lower ? arc->ends[0] : arc->ends[1];
	double min = begins_lower ? arc->clearances[0] : arc->clearances[1];
	if (arc->kind == NC_ARC_TWO_CORNERS)
	{
		NcVec2 d = nc_sub(arc->ends[1], arc->ends[0]);
		double before = nc_dot(nc_sub(arc->corner, arc->ends[0]), d);
		if (before > 0.0 && before < nc_dot(d, d))
		{
			*position = arc->corner;
			min = nc_min(min, 0.5 * arc->height);
		}
	}
	else if (arc->kind == NC_ARC_PARABOLA &&
			 (get_parameter(arc, 0) < 0.0) != (get_parameter(arc, 1) < 0.0))
	{
		// The lowest point of a parabola is halfway from its focus to its side.
		*position = nc_mul_add(arc->corner, -0.5 * arc->height, arc->normal);
		min = nc_min(min, 0.5 * arc->height);
	}
	return min;
}

// The place of an arc above a part s of its chord.
static NcVec2 get_place(const NcArc* arc, double s)
{
	if (arc->kind != NC_ARC_PARABOLA)
	{
		return nc_lerp(arc->ends[0], arc->ends[1], s);
	}

	// Along the chord, plus the sag of the parabola towards its side: that is a quadratic of t.
	double t0 = get_parameter(arc, 0);
	double t1 = get_parameter(arc, 1);
	double sag = s * (1.0 - s) * (t1 - t0) * (t1 - t0) / (2.0 * arc->height);
	return nc_mul_add(nc_lerp(arc->ends[0], arc->ends[1], s), -sag, arc->normal);
}

// Keep what lies between both ends: places are parts of the chord.
static int keep_between(const NcArc* arc, const double* parts, int count, NcVec2* positions)
{
	int kept = 0;
	for (int i = 0; i < count; ++i)
	{
		if (parts[i] > 0.0 && parts[i] < 1.0)
		{
			positions[kept++] = get_place(arc, parts[i]);
		}
	}
	return kept;
}

int nc_arc_find_clearance(const NcArc* arc, double clearance, NcVec2 positions[2])
{
	if (arc->kind == NC_ARC_TWO_SIDES)
	{
		double slope = arc->clearances[1] - arc->clearances[0];
		double part = slope != 0.0 ? (clearance - arc->clearances[0]) / slope : -1.0;
		return keep_between(arc, &part, 1, positions);
	}
	// At t along the arc from its lowest place: t^2 = c^2 - (y/2)^2 between two corners that are y
	// apart, and t^2 = 2 y c - y^2 on a parabola.
	bool is_parabola = arc->kind == NC_ARC_PARABOLA;
	double y = arc->height;
	double square = is_parabola ? (2.0 * clearance - y) * y : clearance * clearance - 0.25 * y * y;
	NcVec2 along = is_parabola ? arc->axis : nc_normalize(nc_sub(arc->ends[1], arc->ends[0]));
	double from = nc_dot(nc_sub(arc->ends[0], arc->corner), along);
	double to = nc_dot(nc_sub(arc->ends[1], arc->corner), along);
	if (!(square > 0.0) || from == to)
	{
		return 0;
	}
	double t = from < to ? -sqrt(square) : sqrt(square);
	double parts[2] = {(t - from) / (to - from), (-t - from) / (to - from)};
	return keep_between(arc, parts, 2, positions);
}

// More parts than this would not be seen by anybody, whatever the tolerance.
#define MAX_PARTS 256

int nc_arc_count_parts(const NcArc* arc, double tolerance)
{
	if (arc->kind != NC_ARC_PARABOLA)
	{
		return 1;
	}
	// A chord over a step dt stays within dt^2 / (8 y) of the parabola.
	double dt = fabs(get_parameter(arc, 1) - get_parameter(arc, 0));
	double parts = ceil(dt / sqrt(8.0 * arc->height * tolerance));
	return (int)nc_clamp(parts, 1.0, MAX_PARTS);
}

NcVec2 nc_arc_get_point(const NcArc* arc, int index, int count)
{
	if (index <= 0 || index >= count)
	{
		return arc->ends[index > 0];
	}
	return get_place(arc, (double)index / count);
}
