// SPDX-License-Identifier: MIT

// Walks along walls with the free side at one hand. At an end of a wall the next one is the first
// on the way around that end through the free side; the chain turns away from the free side if that
// way takes at least half a turn.

#include "chain.h"

#include <string.h>

// One end of a wall, which is the begin of a walk along it, or where a walk arrives.
static NcVec2 get_end(const NcChains* chains, int entry)
{
	const NcFieldSite* site = &chains->sites[entry >> 1];
	return (entry & 1) != 0 ? site->b : site->a;
}

static bool is_same_point(NcVec2 p, NcVec2 q)
{
	return p.x == q.x && p.y == q.y;
}

static int find_head(const NcChains* chains, NcVec2 p)
{
	uint64_t bits[2];
	NcVec2 key = {p.x + 0.0, p.y + 0.0}; // minus zero is zero
	memcpy(bits, &key, sizeof(bits));
	uint64_t hash = bits[0] * 0x9E3779B97F4A7C15u ^ bits[1] * 0xC2B2AE3D27D4EB4Fu;
	return (int)((hash ^ hash >> 29) % (uint64_t)chains->head_count);
}

bool nc_chains_make(NcChains* chains, const NcFieldSite* sites, int site_count)
{
	*chains = (NcChains){.sites = sites, .site_count = site_count};
	size_t bytes = 2 * sizeof(int) * (size_t)site_count;
	chains->heads = nc_allocate(NULL, 0, bytes);
	chains->next = nc_allocate(NULL, 0, bytes);
	if (chains->heads == NULL || chains->next == NULL)
	{
		nc_chains_free(chains);
		return false;
	}
	chains->head_count = 2 * site_count;
	memset(chains->heads, 0xff, bytes);
	for (int i = 0; i < 2 * site_count; ++i)
	{
		if (!sites[i >> 1].is_gap)
		{
			int* head = &chains->heads[find_head(chains, get_end(chains, i))];
			chains->next[i] = *head;
			*head = i;
		}
	}
	return true;
}

void nc_chains_free(NcChains* chains)
{
	size_t bytes = 2 * sizeof(int) * (size_t)chains->site_count;
	nc_allocate(chains->heads, chains->heads != NULL ? bytes : 0, 0);
	nc_allocate(chains->next, chains->next != NULL ? bytes : 0, 0);
	*chains = (NcChains){0};
}

// Whether direction e comes before f on the way from d around the origin, clockwise (hand 1) or
// counter-clockwise (hand -1). A full turn comes last.
static bool comes_before(NcVec2 d, NcVec2 e, NcVec2 f, double hand)
{
	double to_e = -hand * nc_cross(d, e);
	double to_f = -hand * nc_cross(d, f);
	bool is_e_near = to_e > 0.0 || (to_e == 0.0 && nc_dot(d, e) < 0.0);
	bool is_f_near = to_f > 0.0 || (to_f == 0.0 && nc_dot(d, f) < 0.0);
	return is_e_near != is_f_near ? is_e_near : -hand * nc_cross(e, f) > 0.0;
}

// The first wall around the point v on the way from direction d, as the entry of its end in v.
static int find_next(const NcChains* chains, NcVec2 v, NcVec2 d, double hand)
{
	int best = NC_NULL_INDEX;
	NcVec2 best_direction = {0};
	for (int i = chains->heads[find_head(chains, v)]; i != NC_NULL_INDEX; i = chains->next[i])
	{
		NcVec2 direction = nc_sub(get_end(chains, i ^ 1), v);
		bool is_wall =
			is_same_point(get_end(chains, i), v) && !is_same_point(direction, (NcVec2){0});
		if (is_wall && (best == NC_NULL_INDEX || comes_before(d, direction, best_direction, hand)))
		{
			best = i;
			best_direction = direction;
		}
	}
	return best;
}

typedef struct Walk
{
	const NcChains* chains;
	uint32_t from, to;
	NcVec2 p;
	NcVec2 feet[2]; // of p, on the two sites
	double max_length;
} Walk;

// The first wall of a walk from a corner, or none if the walls enclose p there in less than half a
// turn: then the corner is nobody's closest point.
static int find_begin_at_corner(const NcChains* chains, NcVec2 corner, NcVec2 p, double hand)
{
	NcVec2 d = nc_sub(p, corner);
	int next = find_next(chains, corner, d, hand);
	int last = find_next(chains, corner, d, -hand);
	bool is_convex = next == last || next == NC_NULL_INDEX ||
					 hand * nc_cross(nc_sub(get_end(chains, next ^ 1), corner),
								nc_sub(get_end(chains, last ^ 1), corner)) <=
						 0.0;
	return is_convex ? next : NC_NULL_INDEX;
}

// Where a walk begins, as the entry of the end behind it.
static int find_begin(const Walk* walk, double hand)
{
	const NcFieldSite* wall = &walk->chains->sites[walk->from];
	NcVec2 foot = walk->feet[0];
	if (is_same_point(foot, wall->a) || is_same_point(foot, wall->b))
	{
		return find_begin_at_corner(walk->chains, foot, walk->p, hand);
	}
	double side = nc_cross(nc_sub(wall->b, wall->a), nc_sub(walk->p, wall->a));
	return 2 * (int)walk->from + (hand * side < 0.0);
}

// Whether a walk that arrives in v along a wall passes p there before it goes on.
static bool passes_around(NcVec2 v, NcVec2 back, NcVec2 ahead, NcVec2 p, double hand)
{
	NcVec2 d = nc_sub(p, v);
	return is_same_point(back, ahead) || comes_before(back, d, ahead, hand);
}

// Walk with the free side at the left (hand 1) or at the right (hand -1).
static bool is_convex_walk(const Walk* walk, double hand)
{
	const NcChains* chains = walk->chains;
	const NcFieldSite* last = &chains->sites[walk->to];
	NcVec2 p = walk->p;
	NcVec2 foot = walk->feet[1];
	bool ends_in_corner = is_same_point(foot, last->a) || is_same_point(foot, last->b);
	NcVec2 from = walk->feet[0];
	double length = 0.0;
	int entry = find_begin(walk, hand);
	while (entry != NC_NULL_INDEX)
	{
		NcVec2 v = get_end(chains, entry ^ 1);
		NcVec2 back = nc_sub(get_end(chains, entry), v);
		if ((uint32_t)(entry >> 1) == walk->to && !ends_in_corner)
		{
			return -hand * nc_cross(back, nc_sub(p, v)) > 0.0 &&
				   length + nc_distance(from, foot) <= walk->max_length;
		}
		length += nc_distance(from, v);
		from = v;
		int next = find_next(chains, v, back, hand);
		NcVec2 ahead = nc_sub(get_end(chains, next ^ 1), v);
		if (length > walk->max_length || hand * nc_cross(back, ahead) < 0.0)
		{
			return false;
		}
		if (is_same_point(v, foot) && passes_around(v, back, ahead, p, hand))
		{
			return true;
		}
		entry = next;
	}
	return false;
}

bool nc_chains_is_convex(
	const NcChains* chains, uint32_t from, uint32_t to, NcVec2 p, double max_length)
{
	const NcFieldSite* first = &chains->sites[from];
	const NcFieldSite* last = &chains->sites[to];
	Walk walk = {
		.chains = chains,
		.from = from,
		.to = to,
		.p = p,
		.feet = {nc_closest_on_segment(p, first->a, first->b),
			nc_closest_on_segment(p, last->a, last->b)},
		.max_length = max_length,
	};
	if (is_same_point(walk.feet[0], walk.feet[1]))
	{
		return find_begin_at_corner(chains, walk.feet[0], p, 1.0) != NC_NULL_INDEX;
	}
	return is_convex_walk(&walk, 1.0) || is_convex_walk(&walk, -1.0);
}
