// SPDX-License-Identifier: MIT
// Refining a route over weighted terrain.
//
// The best route is straight within a region, is refracted at borders as light is, and bends around
// obstacles. A chain of lattice nodes becomes that by rounds of four simple steps, each of which
// never makes it more expensive:
//
//   shorten   skip points where the straight way costs no more
//   split     put a point wherever the route crosses a border
//   slide     move points: those on a border along it, the others towards the way past them
//   cut       replace a corner in the open by two, which fits the round way around an obstacle

#include "weighted.h"

#include "check.h"

#define MAX_ROUNDS 10

// Another round must save this part of the costs.
#define MIN_SAVING 2e-5

// How finely points are moved, in parts of the lattice's spacing.
#define MIN_STEP 1e-3

// Corners are cut while they turn by more than this: the sine of 4 degrees.
#define MIN_TURN 0.07

// Borders crossed by one segment of the route at a time.
#define MAX_STRETCHES 64

typedef struct Refine
{
	NcWeighted* weighted;
	const NcWeightedTask* task;
	NcVec2Array* route;
} Refine;

double nc_weighted_sum(const NcWeightedTask* task, const NcVec2* points, int count)
{
	double sum = 0.0;
	for (int i = 1; i < count; ++i)
	{
		sum += nc_weighted_cost(task, points[i - 1], points[i]);
	}
	return sum;
}

// The cost of a straight way, if it is free and below a limit; else HUGE_VAL.
static double try_segment(const Refine* refine, NcVec2 a, NcVec2 b, double limit)
{
	if (refine->task->min_weight * nc_distance(a, b) >= limit)
	{
		return HUGE_VAL;
	}
	double cost = nc_weighted_cost(refine->task, a, b);
	return cost < limit && nc_weighted_is_free(refine->task, a, b) ? cost : HUGE_VAL;
}

static void take_scratch(Refine* refine)
{
	NcVec2Array* scratch = &refine->weighted->scratch;
	if (!scratch->failed)
	{
		NcVec2Array old = *refine->route;
		*refine->route = *scratch;
		*scratch = old;
	}
}

// Shorten.

static bool can_skip(const Refine* refine, int from, int to)
{
	const NcVec2* points = refine->route->data;
	const double* costs = refine->weighted->costs.data;
	double limit = (costs[to] - costs[from]) * (1.0 + 1e-12);
	return try_segment(refine, points[from], points[to], limit) < HUGE_VAL;
}

// The farthest point that was found to be better reached straight.
static int find_farthest(const Refine* refine, int from)
{
	int last = refine->route->count - 1;
	int reached = from + 1;
	int step = 1;
	while (reached + step <= last && can_skip(refine, from, reached + step))
	{
		reached += step;
		step *= 2;
	}
	for (; step >= 1; step /= 2)
	{
		if (reached + step <= last && can_skip(refine, from, reached + step))
		{
			reached += step;
		}
	}
	return reached;
}

static void shorten(Refine* refine)
{
	NcWeighted* weighted = refine->weighted;
	const NcVec2* points = refine->route->data;
	weighted->costs.count = weighted->scratch.count = 0;
	nc_array_push(&weighted->costs, 0.0);
	for (int i = 1; i < refine->route->count && !weighted->costs.failed; ++i)
	{
		double cost = nc_weighted_cost(refine->task, points[i - 1], points[i]);
		nc_array_push(&weighted->costs, weighted->costs.data[i - 1] + cost);
	}
	if (weighted->costs.failed)
	{
		return;
	}
	nc_array_push(&weighted->scratch, points[0]);
	for (int i = 0; i + 1 < refine->route->count;)
	{
		i = find_farthest(refine, i);
		nc_array_push(&weighted->scratch, points[i]);
	}
	take_scratch(refine);
}

// Split.

typedef struct Cuts
{
	double ends[MAX_STRETCHES];
	int count;
} Cuts;

static void add_cut(void* context, double begin, double end, int type)
{
	(void)begin;
	(void)type;
	Cuts* cuts = context;
	if (cuts->count < MAX_STRETCHES)
	{
		cuts->ends[cuts->count++] = end;
	}
}

static void split(Refine* refine)
{
	NcVec2Array* scratch = &refine->weighted->scratch;
	const NcVec2* points = refine->route->data;
	double near = 1e-6 * refine->weighted->spacing;
	scratch->count = 0;
	nc_array_push(scratch, points[0]);
	for (int i = 1; i < refine->route->count; ++i)
	{
		NcVec2 a = points[i - 1];
		NcVec2 b = points[i];
		Cuts cuts = {.count = 0};
		nc_terrain_grid_walk(refine->task->terrain, a, b, add_cut, &cuts);
		for (int k = 0; k < cuts.count; ++k)
		{
			NcVec2 p = nc_lerp(a, b, cuts.ends[k]);
			bool is_new = nc_distance(p, a) > near && nc_distance(p, b) > near;
			if (cuts.ends[k] < 1.0 && is_new)
			{
				nc_array_push(scratch, p);
			}
		}
		nc_array_push(scratch, b);
	}
	take_scratch(refine);
}

// Slide.

// Move a point back and forth along a direction, in ever smaller steps, as long as that pays.
static void slide_along(Refine* refine, int index, NcVec2 direction, double step)
{
	NcVec2* points = refine->route->data;
	NcVec2 a = points[index - 1];
	NcVec2 b = points[index + 1];
	double best = nc_weighted_cost(refine->task, a, points[index]) +
				  nc_weighted_cost(refine->task, points[index], b);
	double least = MIN_STEP * refine->weighted->spacing;
	double sign = 1.0;
	int failures = 0;
	while (step >= least)
	{
		NcVec2 p = nc_mul_add(points[index], sign * step, direction);
		double first = try_segment(refine, a, p, best);
		double cost = first < HUGE_VAL ? first + try_segment(refine, p, b, best - first) : HUGE_VAL;
		if (cost < best)
		{
			best = cost;
			points[index] = p;
			failures = 0;
			continue;
		}
		sign = -sign;
		if (++failures == 2)
		{
			failures = 0;
			step *= 0.5;
		}
	}
}

static bool is_on_border(const Refine* refine, NcVec2 a, NcVec2 p, NcVec2 b)
{
	double near = 1e-4 * refine->weighted->spacing;
	NcVec2 before = nc_mul_add(p, near, nc_normalize(nc_sub(a, p)));
	NcVec2 after = nc_mul_add(p, near, nc_normalize(nc_sub(b, p)));
	return nc_terrain_grid_get_type(refine->task->terrain, before) !=
		   nc_terrain_grid_get_type(refine->task->terrain, after);
}

static void slide(Refine* refine)
{
	double spacing = refine->weighted->spacing;
	for (int i = 1; i + 1 < refine->route->count; ++i)
	{
		NcVec2 a = refine->route->data[i - 1];
		NcVec2 p = refine->route->data[i];
		NcVec2 b = refine->route->data[i + 1];
		double reach = nc_min(nc_distance(a, p), nc_distance(p, b));
		NcVec2 tangent;
		if (is_on_border(refine, a, p, b) &&
			nc_terrain_grid_find_border(refine->task->terrain, p, &tangent))
		{
			slide_along(refine, i, tangent, nc_clamp(reach, spacing, 8.0 * spacing));
			continue;
		}
		NcVec2 to_chord = nc_sub(nc_closest_on_segment(p, a, b), p);
		double height = nc_length(to_chord);
		if (height > MIN_STEP * spacing)
		{
			NcVec2 direction = nc_scale(1.0 / height, to_chord);
			slide_along(refine, i, direction, height);
			slide_along(refine, i, nc_perp(direction), nc_min(reach, spacing));
		}
	}
}

// Cut.

// The largest part of its two sides that a corner can lose.
static double find_cut(const Refine* refine, NcVec2 a, NcVec2 p, NcVec2 b)
{
	for (double part = 0.5; part > 0.05; part *= 0.5)
	{
		NcVec2 q = nc_lerp(p, a, part);
		NcVec2 r = nc_lerp(p, b, part);
		double limit = nc_weighted_cost(refine->task, q, p) + nc_weighted_cost(refine->task, p, r);
		if (try_segment(refine, q, r, limit) < HUGE_VAL)
		{
			return part;
		}
	}
	return 0.0;
}

static void cut(Refine* refine)
{
	NcVec2Array* scratch = &refine->weighted->scratch;
	const NcVec2* points = refine->route->data;
	int last = refine->route->count - 1;
	scratch->count = 0;
	if (!nc_array_push(scratch, points[0]))
	{
		return;
	}
	for (int i = 1; i < last; ++i)
	{
		NcVec2 a = scratch->data[scratch->count - 1];
		NcVec2 p = points[i];
		NcVec2 b = points[i + 1];
		double turn = nc_cross(nc_normalize(nc_sub(p, a)), nc_normalize(nc_sub(b, p)));
		double part = fabs(turn) > MIN_TURN ? find_cut(refine, a, p, b) : 0.0;
		if (part > 0.0)
		{
			nc_array_push(scratch, nc_lerp(p, a, part));
			nc_array_push(scratch, nc_lerp(p, b, part));
		}
		else
		{
			nc_array_push(scratch, p);
		}
		if (scratch->failed)
		{
			return;
		}
	}
	nc_array_push(scratch, points[last]);
	take_scratch(refine);
}

double nc_weighted_refine(NcWeighted* weighted, const NcWeightedTask* task, NcVec2Array* route)
{
	Refine refine = {weighted, task, route};
	shorten(&refine);
	double cost = nc_weighted_sum(task, route->data, route->count);
	for (int round = 0; round < MAX_ROUNDS; ++round)
	{
		split(&refine);
		slide(&refine);
		cut(&refine);
		shorten(&refine);
		if (nc_weighted_failed(weighted))
		{
			return HUGE_VAL;
		}
		double refined = nc_weighted_sum(task, route->data, route->count);
		bool is_done = refined > cost * (1.0 - MIN_SAVING);
		cost = refined;
		if (is_done && round > 2)
		{
			break;
		}
	}
	return cost;
}
