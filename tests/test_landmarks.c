// SPDX-License-Identifier: MIT

// Landmarks make searches faster and change nothing else: a share of the long proof.

#include "test.h"

#include "proof_search.h"
#include "query_state.h"

static void fast_searches_find_what_plain_ones_find(void** state)
{
	(void)state;
	long long fast = 0;
	long long plain = 0;
	for (int i = 0; i < PROOF_SEARCH_SCENE_COUNT; ++i)
	{
		SearchProof proof = proof_search_run(proof_search_scenes[i], 150, 50, 11);
		assert_in_round(proof.failure_count == 0, i);
		assert_in_round(proof.found_count > 10 && proof.fast_count > 3, i);
		fast += proof.fast_visits;
		plain += proof.plain_visits;
	}
	assert_true(fast < plain);
}

static void landmarks_without_memory_are_done_without(void** state)
{
	(void)state;
	static Scene scene;
	uint64_t seed = 3;
	scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
	scene_add_random(&scene, &seed, 12, 50.0, 0.37);
	NcMap* map = scene_create_map(&scene, NULL);
	for (int fail = 0; fail < 40; ++fail)
	{
		NcLandmarks landmarks = {0};
		int vertex = map->world.graph.edges.data[0].vertices[0];
		FailingAllocator allocator = {.first_fail = fail, .fails_once = fail % 2};
		nc_set_allocator(allocate_or_fail, &allocator);
		nc_landmarks_advance(&landmarks, map, vertex, 0, 20);
		nc_landmarks_advance(&landmarks, map, vertex, 0, 1000000);
		nc_set_allocator(NULL, NULL);
		assert_int_equal(nc_landmarks_advance(&landmarks, map, vertex, 0, 1000000),
			(1 << NC_LANDMARK_COUNT) - 1);
		nc_landmarks_free(&landmarks);
	}
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fast_searches_find_what_plain_ones_find),
		TEST(landmarks_without_memory_are_done_without),
	};
	return cmocka_run_group_tests_name("landmarks", tests, NULL, NULL);
}
