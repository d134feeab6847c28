// SPDX-License-Identifier: MIT

// The ends of the borders of sides, in worlds so large that a double loses almost straight corners.

#include "test.h"

#include "corner.h"

#define REACH 32000000

// Long chains above each other that bend by a snap here and there.
static void make_chains(World* world, uint64_t* seed)
{
	world_init(world, (NcPoint){-33000000, -1000}, (NcPoint){33000000, 20000});
	int y = 0;
	for (int k = random_int(seed, 2, 5); k > 0; --k)
	{
		int count = random_int(seed, 3, 40);
		NcPoint before = {0, 0};
		for (int i = 0; i < count; ++i)
		{
			NcPoint p = {(int)(-REACH + 2.0 * REACH * i / (count - 1)), y + random_int(seed, 0, 2)};
			if (i > 0)
			{
				world_add_wall(world, before, p);
			}
			before = p;
		}
		y += random_int(seed, 3, 50);
	}
}

static bool is_collinear(const NcSites* sites, NcFeature f, NcFeature g)
{
	NcDirection d = sites->walls.data[nc_feature_index(f) >> 1].direction;
	NcDirection e = sites->walls.data[nc_feature_index(g) >> 1].direction;
	return d.x * e.y == d.y * e.x;
}

// Property: however flat a corner is, the bisector of its walls ends in it.
static void bisectors_end_in_their_corners(void** state)
{
	(void)state;
	uint64_t seed = 181;
	static World world;
	int count = 0;
	for (int round = 0; round < 100; ++round)
	{
		make_chains(&world, &seed);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		assert_in_round(nc_diagram_count_unresolved(&diagram) == 0, round);
		for (int half = 0; half < diagram.side_cells.count; ++half)
		{
			NcFeature side = nc_side_feature(half);
			if (!nc_feature_exists(&diagram.sites, side))
			{
				continue;
			}
			NcFeature after = nc_feature_next(&diagram.sites, side);
			if (nc_feature_is_cone(after) || is_collinear(&diagram.sites, side, after))
			{
				continue;
			}
			++count;
			const NcCell* cell = nc_diagram_cell(&diagram, side);
			int last = cell->begin + cell->count - 1;
			while (last > cell->begin && nc_record_is_tiny(&diagram.records.data[last]))
			{
				--last;
			}
			assert_in_round(diagram.records.data[last].neighbor == after, round);
			NcVec2 corner = nc_point_to_vec2(nc_half_end(&diagram.snap, half));
			NcVec2 end = diagram.records.data[cell->begin + cell->count].position;
			assert_in_round(end.x == corner.x && end.y == corner.y, round);
		}
		nc_diagram_free(&diagram);
	}
	assert_true(count > 1000);
}

// Property: single points and short walls, some snaps apart and half a world away from each other,
// agree on all borders, however they came.
static void far_groups_agree_on_all_borders(void** state)
{
	(void)state;
	uint64_t seed = 182;
	for (int round = 0; round < 60; ++round)
	{
		uint64_t hashes[2];
		uint64_t begin = seed;
		for (int is_stepwise = 0; is_stepwise < 2; ++is_stepwise)
		{
			seed = begin;
			NcMapDef def = nc_default_map_def();
			def.snap = 1.0;
			def.bounds = (NcBox){{-33000000.0, -33000000.0}, {33000000.0, 33000000.0}};
			NcMap* map;
			assert_int_equal(nc_map_create(&def, &map, NULL), NC_OK);
			for (int i = random_int(&seed, 3, 20); i > 0; --i)
			{
				NcPoint center = random_point(&seed, 30000000);
				NcVec2 points[4];
				int count = random_int(&seed, 1, 4);
				for (int k = 0; k < count; ++k)
				{
					points[k] = (NcVec2){
						center.x + random_int(&seed, -6, 6), center.y + random_int(&seed, -6, 6)};
				}
				NcShapeKind kind = count > 1 ? NC_SHAPE_CHAIN : NC_SHAPE_POINTS;
				NcShape shape = {.kind = kind, .points = points, .point_count = count};
				NcObstacleId id;
				(void)nc_map_add_obstacle(map, &shape, &id, NULL); // may be a single point
				assert_true(!is_stepwise || nc_map_update(map, NULL) == NC_OK);
			}
			assert_int_equal(nc_map_update(map, NULL), NC_OK);
			assert_in_round(nc_map_get_stats(map).unresolved_count == 0, round);
			hashes[is_stepwise] = nc_map_compute_hash(map);
			nc_map_destroy(map);
		}
		assert_in_round(hashes[0] == hashes[1], round);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bisectors_end_in_their_corners),
		TEST(far_groups_agree_on_all_borders),
	};
	return cmocka_run_group_tests_name("corner", tests, NULL, NULL);
}
