// SPDX-License-Identifier: MIT
// A random point at which a disc fits.
//
// Points of the bounds are tried until the disc fits: that is uniform over the area in which it
// does. Where that area is too small to be met, an arc of the medial axis is chosen instead: the
// one with the least random number, which is computed from its coordinates, so that the answer does
// not depend on how the map is numbered.

#include "query_state.h"

#define MAX_TRIES 4096

// splitmix64
static uint64_t next_random(uint64_t* seed)
{
	*seed += 0x9E3779B97F4A7C15u;
	uint64_t z = *seed;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

// From 0 up to, not including, 1.
static double next_fraction(uint64_t* seed)
{
	return (double)(next_random(seed) >> 11) / 9007199254740992.0;
}

static bool fits(const NcDiagram* diagram, NcVec2 p, double radius)
{
	NcNearest nearest;
	return nc_locate_nearest(diagram, p, &nearest) && nearest.is_free && nearest.distance >= radius;
}

static uint64_t mix_position(uint64_t hash, NcVec2 p)
{
	uint64_t bits[2];
	memcpy(bits, &p, sizeof(bits));
	hash ^= bits[0];
	hash = next_random(&hash) ^ bits[1];
	return next_random(&hash);
}

// A random number for an arc.
static uint64_t compute_key(const NcArc* arc, uint64_t seed)
{
	return mix_position(seed, arc->ends[0]) + mix_position(seed, arc->ends[1]);
}

static bool choose_arc(const NcWorld* world, double radius, uint64_t seed, NcArc* chosen)
{
	uint64_t best = UINT64_MAX;
	bool is_found = false;
	for (int e = 0; e < world->graph.edges.count; ++e)
	{
		NcEdgeWalk walk =
			nc_graph_walk_edge(&world->graph, &world->diagram, (NcEdgeEnd){.edge = e});
		bool goes_on = walk.left > 0;
		while (goes_on)
		{
			NcArc arc = nc_arc_of_piece(&world->diagram, walk.piece);
			uint64_t key = compute_key(&arc, seed);
			bool is_high = nc_max(arc.clearances[0], arc.clearances[1]) >= radius;
			if (is_high && (!is_found || key < best))
			{
				best = key;
				*chosen = arc;
				is_found = true;
			}
			goes_on = nc_edge_walk_advance(&walk);
		}
	}
	return is_found;
}

// How finely an arc is cut to choose a point of it.
#define ARC_STEPS 1024

bool nc_query_find_random_point(NcQuery* query, double radius, uint64_t* seed, NcVec2* found)
{
	const NcMap* map = query->map;
	const NcDiagram* diagram = &map->world.diagram;
	if (!(radius >= 0.0) || !isfinite(radius))
	{
		return false;
	}
	double snaps = radius * map->inverse_snap;
	NcVec2 lower = nc_add(nc_point_to_vec2(map->lower), (NcVec2){snaps, snaps});
	NcVec2 upper = nc_sub(nc_point_to_vec2(map->upper), (NcVec2){snaps, snaps});
	bool is_possible = lower.x <= upper.x && lower.y <= upper.y;
	for (int i = 0; i < MAX_TRIES && is_possible; ++i)
	{
		double x = lower.x + (upper.x - lower.x) * next_fraction(seed);
		double y = lower.y + (upper.y - lower.y) * next_fraction(seed);
		if (fits(diagram, (NcVec2){x, y}, snaps))
		{
			*found = nc_map_to_world(map, (NcVec2){x, y});
			return true;
		}
	}
	NcArc arc;
	if (!is_possible || !choose_arc(&map->world, snaps, next_random(seed), &arc))
	{
		return false;
	}
	NcVec2 p = nc_arc_get_point(&arc, (int)(ARC_STEPS * next_fraction(seed)), ARC_STEPS);
	NcVec2 highest = arc.clearances[0] >= arc.clearances[1] ? arc.ends[0] : arc.ends[1];
	*found = nc_map_to_world(map, fits(diagram, p, snaps) ? p : highest);
	return true;
}
