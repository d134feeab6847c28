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
	if (choice->min_weight * distance > choice->best * ahead)
	{
		return;
	}
	double weight = compute_cost(choice, p) / ahead;
	bool is_farther = weight == choice->best && length > choice->length;
	if (weight < choice->best || is_farther)
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
		NcVec2 x = step->agent->position;
		double nearest = nc_distance(x, nc_closest_on_segment(x, piece.p, piece.q));
		double ahead = piece.end - from;
		if (!(ahead > 0.0) || choice.min_weight * nearest <= choice.best * ahead)
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
