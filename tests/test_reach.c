// SPDX-License-Identifier: MIT

// Reachability: doors of known width, and a share of the long proof against the search.

#include "test.h"

#include "proof_reach.h"
#include "query_state.h"

static NcMap* create_doors(void)
{
	// A narrow door of 4 units and a wide one of 16 lead to the right half.
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 45.0, 0.0, 55.0, 18.0);
	scene_add_box(&scene, 45.0, 22.0, 55.0, 80.0);
	scene_add_box(&scene, 45.0, 96.0, 55.0, 100.0);
	return scene_create_map(&scene, NULL);
}

static void answers_are_those_of_the_search(void** state)
{
	(void)state;
	for (int i = 0; i < PROOF_REACH_SCENE_COUNT; ++i)
	{
		ReachProof proof = proof_reach_run(proof_reach_scenes[i], 300, 40, 3);
		assert_in_round(proof.failure_count == 0, i);
		assert_in_round(proof.reachable_count > 20 && proof.unreachable_count > 20, i);
		assert_in_round(proof.tight_count > 10, i);
	}
}

static void the_widest_door_decides(void** state)
{
	(void)state;
	NcMap* map = create_doors();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcVec2 a = {20.0, 20.0};
	NcVec2 b = {80.0, 30.0};
	for (int i = 0; i < 2; ++i)
	{
		assert_true(nc_query_is_reachable(query, a, b, 8.0));
		assert_false(nc_query_is_reachable(query, a, b, 8.001));
		assert_near(nc_query_find_largest_radius(query, a, b), 8.0, 1e-9);
		// The room at the ends counts, too.
		assert_near(nc_query_find_largest_radius(query, (NcVec2){3.0, 50.0}, b), 3.0, 1e-9);
		assert_near(nc_query_find_largest_radius(query, a, (NcVec2){22.0, 20.0}), 20.0, 1e-9);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void odd_questions_have_a_defined_answer(void** state)
{
	(void)state;
	NcMap* map = create_doors();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	const NcVec2 a = {20.0, 20.0};
	const NcVec2 blocked[] = {{50.0, 5.0}, {-5.0, 5.0}, {NOT_A_NUMBER, 5.0}, {1e300, 1e300}};
	for (int i = 0; i < NC_COUNT(blocked); ++i)
	{
		assert_false(nc_query_is_reachable(query, a, blocked[i], 0.0));
		assert_false(nc_query_is_reachable(query, blocked[i], a, 0.0));
		assert_true(nc_query_find_largest_radius(query, a, blocked[i]) < 0.0);
		assert_true(nc_query_find_largest_radius(query, blocked[i], a) < 0.0);
	}
	// On a wall only a point fits.
	assert_true(nc_query_is_reachable(query, a, (NcVec2){45.0, 5.0}, 0.0));
	assert_near(nc_query_find_largest_radius(query, a, (NcVec2){45.0, 5.0}), 0.0, 1e-9);
	assert_true(nc_query_is_reachable(query, a, a, 20.0));
	assert_false(nc_query_is_reachable(query, a, a, 20.1));
	assert_false(nc_query_is_reachable(query, a, a, -1.0));
	assert_false(nc_query_is_reachable(query, a, a, NOT_A_NUMBER));
	assert_false(nc_query_is_reachable(query, a, a, HUGE_VAL));
	assert_near(nc_query_find_largest_radius(query, a, a), 20.0, 1e-9);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void questions_without_memory_say_no_and_recover(void** state)
{
	(void)state;
	NcMap* map = create_doors();
	for (int fail = 0; fail < 12; ++fail)
	{
		NcQuery* query = NULL;
		assert_int_equal(nc_query_create(map, &query), NC_OK);
		FailingAllocator allocator = {.first_fail = fail};
		nc_set_allocator(allocate_or_fail, &allocator);
		NcVec2 a = {20.0, 20.0};
		NcVec2 b = {80.0, 30.0};
		double radius = nc_query_find_largest_radius(query, a, b);
		bool is_reachable = nc_query_is_reachable(query, a, b, 7.0);
		nc_set_allocator(NULL, NULL);
		assert_true(radius < 0.0 || fabs(radius - 8.0) < 1e-9);
		assert_true(!is_reachable || radius < 9.0);
		assert_near(nc_query_find_largest_radius(query, a, b), 8.0, 1e-9);
		assert_true(nc_query_is_reachable(query, a, b, 8.0));
		nc_query_destroy(query);
	}
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(answers_are_those_of_the_search),
		TEST(the_widest_door_decides),
		TEST(odd_questions_have_a_defined_answer),
		TEST(questions_without_memory_say_no_and_recover),
	};
	return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
