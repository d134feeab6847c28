// SPDX-License-Identifier: MIT
// Junctions in higher precision: see refine.h.

#include "refine.h"

#include "check.h"
#include "wide.h"

// One condition on a point p and its clearance r.
typedef struct Equation
{
	enum
	{
		ON_SIDE,  // normal.(p - point) = r
		ON_POINT, // |p - point| = r
		ABOVE     // normal.(p - point) = 0
	} kind;
	NcWide2 point, normal;
} Equation;

// The unknowns, and the row of the Jacobian and the residual of one equation.
typedef struct Guess
{
	NcWide2 p;
	NcWide r;
} Guess;

typedef struct Row
{
	NcWide2 gradient;
	double by_clearance; // -1 or 0
	NcWide residual;
} Row;

// Equations.

static NcWide2 widen(NcVec2 p)
{
	return (NcWide2){nc_wide(p.x), nc_wide(p.y)};
}

// A unit vector along whole numbers, which are exact.
static NcWide2 normalize(double x, double y)
{
	NcWide length = nc_wide_sqrt(nc_wide_add(nc_wide_product(x, x), nc_wide_product(y, y)));
	return (NcWide2){nc_wide_div(nc_wide(x), length), nc_wide_div(nc_wide(y), length)};
}

static const NcWall* get_wall(const NcSites* sites, NcFeature side)
{
	return &sites->walls.data[nc_feature_index(side) >> 1];
}

static Equation make_equation(const NcSites* sites, NcFeature feature)
{
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return (Equation){.kind = ON_POINT, .point = widen(sites->cones.data[index].apex)};
	}
	const NcWall* wall = get_wall(sites, feature);
	double sign = (index & 1) ? -1.0 : 1.0;
	return (Equation){.kind = ON_SIDE,
		.point = widen(wall->a),
		.normal = normalize(-sign * wall->direction.y, sign * wall->direction.x)};
}

// Whether two features touch in a vertex so that both are as near wherever one hands over to the
// other: a side and the cone at its end, or two sides in one line. @param along one of the sides
static bool find_common_vertex(
	const NcSites* sites, NcFeature f, NcFeature g, int* vertex, NcFeature* along)
{
	bool f_is_cone = nc_feature_is_cone(f);
	bool g_is_cone = nc_feature_is_cone(g);
	if (f_is_cone && g_is_cone)
	{
		return false;
	}
	*along = f_is_cone ? g : f;
	NcFeature other = f_is_cone ? f : g;
	const int* ends = sites->snap->fragments.data[nc_feature_index(*along) >> 1].vertices;
	if (f_is_cone || g_is_cone)
	{
		*vertex = nc_feature_index(other);
		return ends[0] == *vertex || ends[1] == *vertex;
	}
	const int* others = sites->snap->fragments.data[nc_feature_index(other) >> 1].vertices;
	bool has_first = ends[0] == others[0] || ends[0] == others[1];
	bool has_last = ends[1] == others[0] || ends[1] == others[1];
	*vertex = ends[has_first ? 0 : 1];
	const NcDirection* d = &get_wall(sites, f)->direction;
	const NcDirection* e = &get_wall(sites, g)->direction;
	return has_first != has_last && d->x * e->y == d->y * e->x;
}

// The equations of three features. Two that touch have one in common, and one for both.
static void make_equations(const NcSites* sites, const NcFeature triple[3], Equation equations[3])
{
	for (int i = 0; i < 3; ++i)
	{
		equations[i] = make_equation(sites, triple[i]);
	}
	for (int i = 0; i < 3; ++i)
	{
		int vertex;
		NcFeature along;
		int j = (i + 1) % 3;
		if (find_common_vertex(sites, triple[i], triple[j], &vertex, &along))
		{
			// Of the two, the side stays: it is linear.
			const NcDirection* d = &get_wall(sites, along)->direction;
			equations[along == triple[i] ? j : i] = (Equation){.kind = ABOVE,
				.point = widen(nc_point_to_vec2(sites->snap->vertices.data[vertex].point)),
				.normal = normalize(d->x, d->y)};
			return;
		}
	}
}

// Newton's method.

static Row evaluate(const Equation* equation, const Guess* guess)
{
	NcWide2 v = {
		nc_wide_sub(guess->p.x, equation->point.x), nc_wide_sub(guess->p.y, equation->point.y)};
	if (equation->kind == ON_POINT)
	{
		NcWide length = nc_wide_sqrt(nc_wide_dot(v, v));
		return (Row){.gradient = {nc_wide_div(v.x, length), nc_wide_div(v.y, length)},
			.by_clearance = -1.0,
			.residual = nc_wide_sub(length, guess->r)};
	}
	bool is_above = equation->kind == ABOVE;
	NcWide height = nc_wide_dot(v, equation->normal);
	return (Row){.gradient = equation->normal,
		.by_clearance = is_above ? 0.0 : -1.0,
		.residual = is_above ? height : nc_wide_sub(height, guess->r)};
}

// The difference of two rows, from which the clearance is gone.
static Row eliminate(const Row* a, const Row* b)
{
	return (Row){
		.gradient = {nc_wide_sub(a->gradient.x, b->gradient.x),
			nc_wide_sub(a->gradient.y, b->gradient.y)},
		.residual = nc_wide_sub(a->residual, b->residual),
	};
}

// Bring the rows into the form: two without clearance, and one with.
static bool reduce(const Row rows[3], Row reduced[2], Row* last)
{
	int with[3];
	int with_count = 0;
	int count = 0;
	for (int i = 0; i < 3; ++i)
	{
		if (rows[i].by_clearance == 0.0)
		{
			reduced[count++] = rows[i];
		}
		else
		{
			with[with_count++] = i;
		}
	}
	if (with_count < 2)
	{
		return false;
	}
	*last = rows[with[0]];
	for (int i = 1; i < with_count; ++i)
	{
		reduced[count++] = eliminate(last, &rows[with[i]]);
	}
	return count == 2;
}

// One step. @return its length, or NAN
static double improve(const Equation equations[3], Guess* guess)
{
	Row rows[3], reduced[2], last;
	for (int i = 0; i < 3; ++i)
	{
		rows[i] = evaluate(&equations[i], guess);
	}
	if (!reduce(rows, reduced, &last))
	{
		return (double)NAN;
	}
	const Row* a = &reduced[0];
	const Row* b = &reduced[1];
	NcWide determinant = nc_wide_cross(a->gradient, b->gradient);
	NcWide x = nc_wide_sub(
		nc_wide_mul(b->residual, a->gradient.y), nc_wide_mul(a->residual, b->gradient.y));
	NcWide y = nc_wide_sub(
		nc_wide_mul(a->residual, b->gradient.x), nc_wide_mul(b->residual, a->gradient.x));
	NcWide2 step = {nc_wide_div(x, determinant), nc_wide_div(y, determinant)};
	guess->p = (NcWide2){nc_wide_add(guess->p.x, step.x), nc_wide_add(guess->p.y, step.y)};
	NcWide rise = nc_wide_add(last.residual, nc_wide_dot(last.gradient, step));
	guess->r = nc_wide_add(guess->r, rise);
	return nc_length((NcVec2){step.x.hi, step.y.hi});
}

// Steps below this, in snaps, are done; more of them than this do not come to an end.
#define ENOUGH 1e-7
#define MAX_STEPS 12

static bool solve(const Equation equations[3], double max_move, NcVec2* position, Guess guess)
{
	NcVec2 start = *position;
	double previous = HUGE_VAL;
	for (int i = 0; i < MAX_STEPS; ++i)
	{
		double step = improve(equations, &guess);
		NcVec2 p = {guess.p.x.hi, guess.p.y.hi};
		if (!(step < previous) || !(nc_distance(p, start) <= 2.0 * max_move))
		{
			return false;
		}
		if (step < ENOUGH)
		{
			*position = nc_distance(p, start) <= max_move ? p : start;
			return nc_distance(p, start) <= max_move;
		}
		previous = step;
	}
	return false;
}

// Choosing.

#define MAX_FEATURES 4

static void sort_features(
	const NcSites* sites, const NcFeature* features, int count, NcFeature sorted[MAX_FEATURES])
{
	for (int i = 0; i < count; ++i)
	{
		int k = i;
		for (; k > 0 && nc_feature_compare(sites, features[i], sorted[k - 1]) < 0; --k)
		{
			sorted[k] = sorted[k - 1];
		}
		sorted[k] = features[i];
	}
}

// How three features see a point, in double.
typedef struct View
{
	double condition; // how well they tell where it is: the area between their directions
	double error;     // by how much their distances differ
} View;

// The vector from the closest point of a feature to p.
static NcVec2 compute_away(const NcSites* sites, NcFeature feature, NcVec2 p)
{
	if (nc_feature_is_cone(feature))
	{
		return nc_sub(p, sites->cones.data[nc_feature_index(feature)].apex);
	}
	const NcWall* wall = get_wall(sites, feature);
	return nc_sub(p, nc_closest_on_segment(p, wall->a, wall->b));
}

// Features that touch see it in the same direction, and have a condition of their own.
static View compute_view(const NcSites* sites, const NcFeature triple[3], NcVec2 p)
{
	NcVec2 away[3];
	NcVec2 distances = {HUGE_VAL, -HUGE_VAL};
	for (int i = 0; i < 3; ++i)
	{
		NcVec2 v = compute_away(sites, triple[i], p);
		double distance = nc_length(v);
		away[i] = nc_scale(1.0 / distance, v);
		distances = (NcVec2){nc_min(distances.x, distance), nc_max(distances.y, distance)};
	}
	View view = {.error = distances.y - distances.x};
	for (int i = 0; i < 3; ++i)
	{
		int vertex;
		NcFeature along;
		int j = (i + 1) % 3;
		if (find_common_vertex(sites, triple[i], triple[j], &vertex, &along))
		{
			// The border of the two is straight above the vertex; the third crosses it.
			NcVec2 v = nc_sub(p, nc_point_to_vec2(sites->snap->vertices.data[vertex].point));
			NcDirection d = get_wall(sites, along)->direction;
			double beside = (d.x * v.x + d.y * v.y) * d.inverse_length;
			view.condition = fabs(nc_dot(nc_sub(away[(j + 1) % 3], away[i]), away[i]));
			view.error = nc_max(view.error, fabs(beside));
			return view;
		}
	}
	view.condition = fabs(nc_cross(nc_sub(away[1], away[0]), nc_sub(away[2], away[0])));
	return view;
}

// A point that three features see well and at the same distance needs no more digits.
#define GOOD_CONDITION 1e-2
#define GOOD_ERROR 1e-6

bool nc_refine_position(const NcSites* sites, const NcFeature* features, int count,
	bool is_contracted, double max_move, NcVec2* position)
{
	if (count < 3 || count > MAX_FEATURES)
	{
		return false;
	}
	NcFeature f[MAX_FEATURES];
	sort_features(sites, features, count, f);
	NcFeature best[3] = {0};
	View best_view = {0};
	for (int left_out = count == 3 ? 3 : 0; left_out < MAX_FEATURES; ++left_out)
	{
		NcFeature triple[3];
		for (int i = 0, k = 0; i < 3; ++i, ++k)
		{
			k += k == left_out;
			triple[i] = f[k];
		}
		View view = compute_view(sites, triple, *position);
		if (view.condition > best_view.condition)
		{
			best_view = view;
			memcpy(best, triple, sizeof(best));
		}
	}
	bool is_good =
		best_view.condition > GOOD_CONDITION && (is_contracted || best_view.error < GOOD_ERROR);
	if (is_good || !(best_view.condition > 0.0))
	{
		return false;
	}
	Equation equations[3];
	make_equations(sites, best, equations);
	double clearance = nc_length(compute_away(sites, best[0], *position));
	return solve(equations, max_move, position, (Guess){widen(*position), nc_wide(clearance)});
}

// Cells.

// Cells below this size, in snaps, have all the digits that they need: an error of a thousandth of
// a snap takes a condition that only happens in larger ones.
#define LARGE_SIZE 1048576.0

// How far rounding may have moved a joint of a large cell, in snaps.
#define MAX_JOINT_MOVE 256.0

static bool is_large(const NcRecord* records, int count, NcVec2 origin)
{
	bool result = false;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 v = nc_sub(records[i].position, origin);
		result |= fabs(v.x) > LARGE_SIZE || fabs(v.y) > LARGE_SIZE;
	}
	return result;
}

static NcVec2 get_origin(const NcSites* sites, NcFeature feature)
{
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return sites->cones.data[index].apex;
	}
	const NcWall* wall = get_wall(sites, feature);
	return (index & 1) ? wall->b : wall->a;
}

// Set the place where two pieces meet, and everything contracted in between.
static void refine_joint(const NcSites* sites, NcFeature feature, NcFeature before, NcFeature after,
	NcRecord* first, NcRecord* last)
{
	NcFeature features[] = {feature, before, after};
	bool is_double = before == after || before == feature || after == feature;
	bool is_contracted = first != last;
	NcVec2 position = last->position;
	// What is contracted for its length is not a matter of digits; what rounding made is.
	double max_move = is_contracted ? 0.25 * NC_CONTRACT_LENGTH : MAX_JOINT_MOVE;
	bool is_moved =
		!is_double &&
		(nc_refine_position(sites, features, 3, is_contracted, MAX_JOINT_MOVE, &position) ||
			nc_refine_position(sites, features, 3, false, max_move, &position));
	if (is_moved)
	{
		for (NcRecord* record = first; record <= last; ++record)
		{
			record->position = position;
		}
	}
}

void nc_refine_records(const NcSites* sites, NcFeature feature, NcRecord* records, int count)
{
	if (count < 2 || !is_large(records, count, get_origin(sites, feature)))
	{
		return;
	}
	bool is_ring = nc_feature_previous(sites, feature) == feature;
	NcFeature before = nc_feature_previous(sites, feature);
	for (int i = 0; is_ring && i + 1 < count; ++i)
	{
		before = nc_record_is_tiny(&records[i]) ? before : records[i].neighbor;
	}
	int first = 0;
	for (int i = 0; i < count; ++i)
	{
		if (nc_record_is_tiny(&records[i]))
		{
			continue;
		}
		bool is_end = i + 1 == count;
		NcFeature after = is_end ? nc_feature_next(sites, feature) : records[i].neighbor;
		refine_joint(sites, feature, before, after, &records[first], &records[i]);
		before = records[i].neighbor;
		first = i + 1;
	}
	if (is_ring)
	{
		records[count - 1].position = records[0].position;
	}
}
