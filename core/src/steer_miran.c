// SPDX-License-Identifier: MIT
// MIRAN: modified indicative routes and navigation, for discs.
//
// The candidates are those points of the next sigma of the route that the disc can reach straight:
// the ends of every visible interval, and samples in between at most d apart (counted from r). The
// weight of a candidate at length s along the route, seen from the reference point r,
//
//      omega = (weighted length of the way from x) / (s - r),
//
// rewards what is far along the route and near for the feet. The least weight wins; of equal ones,
// the farthest. The paper leaves open how to treat a character that is a disc: here a point is
// visible if the whole disc can walk there, so that the proofs of the paper hold for discs as well.
//
// This work is based on:
// Jaklin, Cook, Geraerts. Real-time Path Planning in Heterogeneous Environments. 2013

#include "steer_state.h"
#include "steer_visibility.h"
#include "terrain_state.h"

// Weights that differ by less than this part are equal: rounding must not make a near candidate
// win.
#define EQUAL (1.0 - 1e-12)

typedef struct Choice
{
	const NcSteerStep* step;
	double min_weight; // no type weighs less
	double best;       // the least weight so far
	double length;     // of the best candidate; negative if there is none
} Choice;

static double compute_cost(const Choice* choice, NcVec2 p)
{
	const NcSteerDef* def = choice->step->def;
	NcVec2 x = choice->step->agent->position;
	return def->terrain != NULL && def->profile != NULL
			   ? nc_terrain_grid_compute_cost(&def->terrain->grid, def->profile->weights, x, p)
			   : nc_distance(x, p);
}

// Whether a candidate is not farther along the route than the best one.
static bool is_nearer(const Choice* choice, double length)
{
	return length <= choice->length;
}

static void offer(Choice* choice, double length, NcVec2 p)
{
	const NcAgent* agent = choice->step->agent;
	double ahead = length - agent->reference;
	double distance = nc_distance(agent->position, p);
	if (!(ahead > 0.0))
	{
		// The reference point itself: only if there is nothing else, and not if the agent is there.
		choice->length = choice->length < 0.0 && distance > 0.0 ? length : choice->length;
		return;
	}
	if (choice->min_weight * distance >= EQUAL * choice->best * ahead && is_nearer(choice, length))
	{
		return;
	}
	double weight = compute_cost(choice, p) / ahead;
	if (weight < EQUAL * choice->best ||
		(weight * EQUAL <= choice->best && !is_nearer(choice, length)))
	{
		choice->best = weight;
		choice->length = length;
	}
}

// A piece of a segment of the route, between two lengths along it.
typedef struct Piece
{
	double begin, end;
	NcVec2 p, q;
} Piece;

static NcVec2 get_point(const Piece* piece, double length)
{
	double span = piece->end - piece->begin;
	return span > 0.0 ? nc_lerp(piece->p, piece->q, (length - piece->begin) / span) : piece->p;
}

// Offer the ends of a visible part of a piece, and the samples in between.
static void offer_visible(Choice* choice, const Piece* piece, double begin, double end)
{
	double d = choice->step->def->d;
	double reference = choice->step->agent->reference;
	offer(choice, end, get_point(piece, end));
	offer(choice, begin, get_point(piece, begin));
	double first = floor((begin - reference) / d) + 1.0;
	for (double k = first; reference + k * d < end; k += 1.0)
	{
		offer(choice, reference + k * d, get_point(piece, reference + k * d));
	}
}

static void look_along(Choice* choice, const Piece* piece)
{
	const NcSteerStep* step = choice->step;
	const NcMap* map = step->query->map;
	NcHidden hidden;
	nc_visibility_find_hidden(&map->world.diagram, nc_map_to_snaps(map, step->agent->position),
		step->plan_radius * map->inverse_snap, nc_map_to_snaps(map, piece->p),
		nc_map_to_snaps(map, piece->q), &hidden);
	double span = piece->end - piece->begin;
	double from = piece->begin;
	for (int i = 0; i < hidden.count; ++i)
	{
		double to = piece->begin + hidden.begins[i] * span;
		if (hidden.begins[i] > 0.0 && to >= from)
		{
			offer_visible(choice, piece, from, to);
		}
		from = hidden.ends[i] < 1.0 ? piece->begin + hidden.ends[i] * span : HUGE_VAL;
	}
	if (from < HUGE_VAL)
	{
		offer_visible(choice, piece, from, piece->end);
	}
}

static double find_min_weight(const NcSteerDef* def)
{
	double least = HUGE_VAL;
	if (def->terrain == NULL || def->profile == NULL)
	{
		return 1.0;
	}
	for (int i = 0; i < NC_TERRAIN_TYPE_COUNT; ++i)
	{
		bool is_there = (def->terrain->grid.types >> i & 1) != 0;
		least = is_there ? nc_min(least, def->profile->weights[i]) : least;
	}
	return least;
}

// The least that distance / (s - r) can be on a piece. With a the length and h the distance of the
// foot of x on the line of the piece it is sqrt((s - a)^2 + h^2) / (s - r), which falls until
// s = a + h^2 / (a - r) and then grows; if a <= r it only falls.
static double compute_bound(const NcSteerStep* step, const Piece* piece)
{
	double r = step->agent->reference;
	double span = piece->end - piece->begin;
	NcVec2 from = nc_sub(step->agent->position, piece->p);
	NcVec2 along = span > 0.0 ? nc_scale(1.0 / span, nc_sub(piece->q, piece->p)) : from;
	double foot = span > 0.0 ? nc_dot(from, along) : 0.0;
	double a = piece->begin + foot;
	double h_squared = nc_max(nc_length_squared(from) - foot * foot, 0.0);
	double s = a > r ? nc_clamp(a + h_squared / (a - r), piece->begin, piece->end) : piece->end;
	return s > r ? sqrt((s - a) * (s - a) + h_squared) / (s - r) : 0.0;
}

static bool choose(const NcSteerStep* step, double* length)
{
	const NcSteerRoute* route = step->route;
	double from = step->agent->reference;
	double to = nc_min(from + step->def->sigma, nc_steer_route_length(route));
	Choice choice = {
		.step = step, .min_weight = find_min_weight(step->def), .best = HUGE_VAL, .length = -1.0};
	// From the far end back: what is far weighs little, and most of what is near need not be seen.
	int first = nc_steer_route_find_segment(route, from);
	for (int i = nc_steer_route_find_segment(route, to); i >= first; --i)
	{
		double begin = route->lengths.data[i];
		double end = route->lengths.data[i + 1];
		NcVec2 a = route->points.data[i];
		NcVec2 b = route->points.data[i + 1];
		Piece piece = {nc_max(begin, from), nc_min(end, to), a, b};
		piece.p = piece.begin > begin ? nc_lerp(a, b, (piece.begin - begin) / (end - begin)) : a;
		piece.q = piece.end < end ? nc_lerp(a, b, (piece.end - begin) / (end - begin)) : b;
		if (choice.length < 0.0 ||
			choice.min_weight * compute_bound(step, &piece) < EQUAL * choice.best)
		{
			look_along(&choice, &piece);
		}
	}
	*length = choice.length;
	return choice.length >= 0.0;
}

NcSteerOutcome nc_steer_step_miran(NcQuery* query, const NcSteerRoute* route, const NcSteerDef* def,
	const NcNeighbor* neighbors, int neighbor_count, double dt, NcAgent* agent)
{
	NcSteerStep step = {query, route, def, neighbors, neighbor_count, dt, agent};
	return nc_steer_walk(&step, choose);
}
