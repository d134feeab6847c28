// SPDX-License-Identifier: MIT

// Junctions in higher precision: where the answer is known, and from wrong estimates in worlds
// where a double is good enough to know it.

#include "test.h"

#include "refine.h"

#define MAX_MOVE 0.05

// The features around a junction, if there are not more than four. @return how many, or 0
static int list_features(const NcDiagram* diagram, const NcJunction* junction, NcFeature f[4])
{
	int count = 0;
	int p = junction->piece;
	do
	{
		NcFeature pair[] = {nc_piece_owner(diagram, p), diagram->records.data[p].neighbor};
		for (int i = 0; i < 2; ++i)
		{
			int k = 0;
			while (k < count && f[k] != pair[i])
			{
				++k;
			}
			if (k == count && count == 4)
			{
				return 0;
			}
			f[k] = pair[i];
			count = k == count ? count + 1 : count;
		}
		p = nc_piece_around(diagram, p);
	} while (p != junction->piece);
	return count;
}

static const NcJunction* find_junction(const NcDiagram* diagram, NcVec2 p)
{
	const NcJunction* best = &diagram->junctions.data[0];
	for (int i = 1; i < diagram->junctions.count; ++i)
	{
		const NcJunction* junction = &diagram->junctions.data[i];
		bool is_nearer = nc_distance(junction->position, p) < nc_distance(best->position, p);
		best = is_nearer ? junction : best;
	}
	return best;
}

// The centre of a triangle that is 30 million snaps long and some snaps high is above the middle of
// its long side, whatever the digits.
static void flat_triangle_has_its_centre_in_the_middle(void** state)
{
	(void)state;
	for (int height = 2; height < 200; height += 9)
	{
		int x = 123457;
		int reach = 15000000 + height;
		NcPoint corners[] = {{x - reach, 7}, {x + reach, 7}, {x, 7 + height}};
		World world;
		world_init(&world, (NcPoint){-20000000, -1000}, (NcPoint){20000000, 1000});
		for (int i = 0; i < 3; ++i)
		{
			world_add_wall(&world, corners[i], corners[(i + 1) % 3]);
		}
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		double side = sqrt((double)reach * reach + (double)height * height);
		NcVec2 center = {x, 7.0 + (double)reach * height / (reach + side)};
		const NcJunction* junction = find_junction(&diagram, center);
		assert_vec2(junction->position, center.x, center.y, 1e-6);
		assert_near(junction->clearance, center.y - 7.0, 1e-6);

		NcFeature features[4];
		assert_int_equal(list_features(&diagram, junction, features), 3);
		NcVec2 p = {center.x + 0.03, center.y};
		assert_true(nc_refine_position(&diagram.sites, features, 3, false, MAX_MOVE, &p));
		assert_vec2(p, center.x, center.y, 1e-8);
		nc_diagram_free(&diagram);
	}
}

// Property: from anywhere near a junction the way leads back to it, in whatever order its features
// are given.
static void wrong_estimates_are_put_right(void** state)
{
	(void)state;
	uint64_t seed = 172;
	static World world;
	int count = 0;
	for (int round = 0; round < 140; ++round)
	{
		world_make_for_diagram(&world, &seed, round);
		NcDiagram diagram;
		world_build_diagram(&world, &diagram);
		for (int i = 0; i < diagram.junctions.count; ++i)
		{
			const NcJunction* junction = &diagram.junctions.data[i];
			NcFeature f[4];
			if (junction->clearance < 1.0 || list_features(&diagram, junction, f) != 3)
			{
				continue;
			}
			NcVec2 estimate =
				nc_mul_add(junction->position, 0.01, nc_direction(random_between(&seed, 0.0, 6.3)));
			NcVec2 p = estimate;
			if (!nc_refine_position(&diagram.sites, f, 3, false, MAX_MOVE, &p))
			{
				continue; // Sites that touch in more than one way.
			}
			++count;
			assert_in_round(nc_distance(p, junction->position) < 2e-4, round);
			NcVec2 q = estimate;
			NcFeature turned[] = {f[2], f[0], f[1]};
			assert_true(nc_refine_position(&diagram.sites, turned, 3, false, MAX_MOVE, &q));
			assert_in_round(p.x == q.x && p.y == q.y, round);
		}
		nc_diagram_free(&diagram);
	}
	print_message("%d junctions\n", count);
	assert_true(count > 3000);
}

static void what_is_not_near_is_left_alone(void** state)
{
	(void)state;
	World world;
	world_init(&world, (NcPoint){0, 0}, (NcPoint){1000, 400});
	NcDiagram diagram;
	world_build_diagram(&world, &diagram);
	const NcJunction* junction = find_junction(&diagram, (NcVec2){200.0, 200.0});
	NcFeature f[4];
	assert_int_equal(list_features(&diagram, junction, f), 3);
	NcVec2 p = {200.5, 200.0};
	assert_false(nc_refine_position(&diagram.sites, f, 3, false, MAX_MOVE, &p));
	assert_vec2(p, 200.5, 200.0, 0.0);
	p = (NcVec2){200.01, 200.0};
	assert_false(nc_refine_position(&diagram.sites, f, 2, false, MAX_MOVE, &p));
	assert_false(nc_refine_position(&diagram.sites, f, 3, true, MAX_MOVE, &p));
	assert_vec2(p, 200.01, 200.0, 0.0);
	assert_true(nc_refine_position(&diagram.sites, f, 3, false, MAX_MOVE, &p));
	assert_vec2(p, 200.0, 200.0, 1e-9);
	assert_false(nc_refine_position(&diagram.sites, f, 3, false, MAX_MOVE, &p)); // it is good
	p = (NcVec2){NOT_A_NUMBER, 200.0};
	assert_false(nc_refine_position(&diagram.sites, f, 3, false, MAX_MOVE, &p));
	nc_diagram_free(&diagram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(flat_triangle_has_its_centre_in_the_middle),
		TEST(wrong_estimates_are_put_right),
		TEST(what_is_not_near_is_left_alone),
	};
	return cmocka_run_group_tests_name("refine", tests, NULL, NULL);
}
