// SPDX-License-Identifier: MIT
#pragma once

// Obstacles of a world that come and go: what tests of updates stage, and what must come out.

#include "test.h"

#include "snap_update.h"

typedef struct Edits
{
	World all;                        // every obstacle that may be there, and the bounds
	bool is_present[MAX_WORLD_EDGES]; // per edge; those of an obstacle agree
	int slots[MAX_WORLD_EDGES];       // of the edges that are present
	int added[MAX_WORLD_EDGES];       // the edges that the present update adds, in their order
	int added_count;
} Edits;

// Where rounding may move the borders of an edited obstacle, in snaps; the map takes the same.
#define EDIT_MARGIN 32.0

// An obstacle is named by its first edge. @return one past its last edge
static inline int edits_find_end(const Edits* edits, int obstacle)
{
	int end = obstacle;
	while (end < edits->all.count && edits->all.edges[end].obstacle == obstacle)
	{
		++end;
	}
	return end;
}

// Choose any obstacle but the bounds, which are the first four edges. There must be one.
static inline int edits_choose(const Edits* edits, uint64_t* seed)
{
	return edits->all.edges[random_int(seed, 4, edits->all.count - 1)].obstacle;
}

// The world of all present edges, in their order.
static inline void edits_make_world(const Edits* edits, World* world)
{
	world->def = edits->all.def;
	world->count = 0;
	for (int e = 0; e < edits->all.count; ++e)
	{
		edits->is_present[e] ? world_add(world, edits->all.edges[e]) : (void)0;
	}
}

// Decide by chance what is present at first, and in which slots a build puts it.
static inline void edits_begin(Edits* edits, uint64_t* seed)
{
	int slot = 0;
	for (int e = 0; e < edits->all.count; ++e)
	{
		bool goes_on = e > 0 && edits->all.edges[e].obstacle == edits->all.edges[e - 1].obstacle;
		edits->is_present[e] =
			e < 4 || (goes_on ? edits->is_present[e - 1] : random_bits(seed) & 1);
		edits->slots[e] = edits->is_present[e] ? slot++ : NC_NULL_INDEX;
	}
}

static inline void edits_clear(Edits* edits, NcSnapUpdate* update)
{
	nc_snap_update_clear(update);
	edits->added_count = 0;
}

// Stage that an obstacle goes if it is there, and comes if it is not.
static inline void edits_toggle(Edits* edits, int obstacle, NcSnapUpdate* update)
{
	int end = edits_find_end(edits, obstacle);
	NcBox box = nc_box_empty();
	for (int e = obstacle; e < end; ++e)
	{
		const NcEdge* edge = &edits->all.edges[e];
		box = nc_box_add_point(box, nc_point_to_vec2(edge->a));
		box = nc_box_add_point(box, nc_point_to_vec2(edge->b));
		if (edits->is_present[e])
		{
			assert_true(nc_array_push(&update->removed_edges, edits->slots[e]));
		}
		else
		{
			assert_true(nc_array_push(&update->added_edges, *edge));
			edits->added[edits->added_count++] = e;
		}
		edits->is_present[e] = !edits->is_present[e];
	}
	assert_true(nc_array_push(&update->boxes, nc_box_grow(box, EDIT_MARGIN)));
}

// Stage some different obstacles.
static inline void edits_toggle_some(Edits* edits, uint64_t* seed, int count, NcSnapUpdate* update)
{
	int chosen[8];
	assert_true(count <= NC_COUNT(chosen));
	for (int i = 0; i < count; ++i)
	{
		bool is_new = true;
		chosen[i] = edits_choose(edits, seed);
		for (int k = 0; k < i; ++k)
		{
			is_new = is_new && chosen[k] != chosen[i];
		}
		is_new ? edits_toggle(edits, chosen[i], update) : (void)0;
	}
}

// After the update: learn in which slots the new edges are.
static inline void edits_finish(Edits* edits, const NcSnapUpdate* update)
{
	assert_int_equal(update->new_edges.count, edits->added_count);
	for (int i = 0; i < edits->added_count; ++i)
	{
		edits->slots[edits->added[i]] = update->new_edges.data[i];
	}
}

// Add triangles that make their inside walkable, in a world that is not walkable by itself.
static inline void world_add_walkable(World* world, uint64_t* seed, int count, int range, int step)
{
	world->def.outer_walkable = 0;
	for (int i = 0; i < count; ++i)
	{
		NcPoint a = random_lattice_point(seed, range, step);
		NcPoint b = random_lattice_point(seed, range, step);
		NcPoint c = random_lattice_point(seed, range, step);
		bool is_left = nc_orient(a, b, c) > 0;
		NcPoint ring[3] = {a, is_left ? b : c, is_left ? c : b};
		int obstacle = world->count;
		for (int k = 0; k < 3 && nc_orient(a, b, c) != 0; ++k)
		{
			NcEdge edge = {.a = ring[k], .b = ring[(k + 1) % 3], .obstacle = obstacle};
			edge.walkable = 1;
			world_add(world, edge);
		}
	}
}

// The worlds of random edits, one recipe after the other: walls, points and polygons on coarse and
// fine lattices, with walkable areas in every third of them.
static inline void edits_make(Edits* edits, uint64_t* seed, int round)
{
	static const int recipes[][3] = {{60, 10, 20}, {40, 1, 20}, {100, 25, 14}, {2000, 1, 20},
		{100000, 1, 20}, {NC_MAX_COORDINATE - 8, 4000000, 20}, {NC_MAX_COORDINATE - 8, 1, 14}};
	const int* recipe = recipes[round % NC_COUNT(recipes)];
	int edge = recipe[0] + 5;
	world_init(&edits->all, (NcPoint){-edge, -edge}, (NcPoint){edge, edge});
	world_add_random(&edits->all, seed, recipe[2], recipe[0], recipe[1]);
	if (round % 3 == 0)
	{
		world_add_walkable(&edits->all, seed, 6, recipe[0], recipe[1]);
	}
	edits_begin(edits, seed);
}
