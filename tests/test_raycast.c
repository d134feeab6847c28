// SPDX-License-Identifier: MIT

// Casting discs, and a share of the long proof of points and rays against brute force.

#include "test.h"

#include "proof_points.h"

static NcMap* create_room(void)
{
	static Scene scene;
	scene_init(&scene, 0.0, 0.0, 100.0, 100.0);
	scene_add_box(&scene, 40.0, 40.0, 60.0, 60.0);
	scene_add_wall(&scene, 80.0, 20.0, 80.0, 80.0);
	scene_add_single(&scene, 20.0, 80.0);
	return scene_create_map(&scene, NULL);
}

static void points_and_rays_are_those_of_brute_force(void** state)
{
	(void)state;
	for (int i = 0; i < PROOF_SCENE_COUNT; ++i)
	{
		PointProof proof = proof_points_run(proof_scenes[i], 300, 60, 77);
		assert_in_round(proof.failure_count == 0, i);
		assert_in_round(proof.free_count > 50 && proof.hit_count > 5, i);
	}
}

static void contacts_are_where_they_must_be(void** state)
{
	(void)state;
	NcMap* map = create_room();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	const struct
	{
		NcVec2 from, to;
		double radius;
		NcVec2 center, point, normal;
	} cases[] = {
		{{10, 50}, {90, 50}, 5, {35, 50}, {40, 50}, {-1, 0}},
		{{10, 50}, {90, 50}, 0, {40, 50}, {40, 50}, {-1, 0}},
		{{10, 20}, {10, 99}, 10, {10, 80}, {20, 80}, {-1, 0}}, // touches the point while passing
		{{70, 50}, {99, 50}, 2, {78, 50}, {80, 50}, {-1, 0}},
		{{90, 50}, {10, 50}, 2, {82, 50}, {80, 50}, {1, 0}},
		{{50, 10}, {50, -20}, 3, {50, 3}, {50, 0}, {0, 1}},
		{{20, 40}, {20, 95}, 0, {20, 80}, {20, 80}, {0, -1}},
	};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		NcRayHit hit;
		double radius = i == 2 ? 10.0 + 1e-6 : cases[i].radius;
		bool is_hit = nc_query_cast_disc(query, cases[i].from, cases[i].to, radius, &hit);
		if (i == 2)
		{
			// The wall of the world is as far away as the disc is wide: it is not allowed to start.
			assert_true(is_hit && hit.distance == 0.0);
			continue;
		}
		assert_in_round(is_hit, i);
		assert_vec2(hit.center, cases[i].center.x, cases[i].center.y, 1e-9);
		assert_vec2(hit.point, cases[i].point.x, cases[i].point.y, 1e-9);
		assert_vec2(hit.normal, cases[i].normal.x, cases[i].normal.y, 1e-9);
		assert_near(hit.distance, nc_distance(cases[i].from, cases[i].center), 1e-9);
	}
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void discs_slide_along_what_they_touch(void** state)
{
	(void)state;
	NcMap* map = create_room();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcVec2 a = {35.0, 30.0};
	assert_false(nc_query_cast_disc(query, a, (NcVec2){35.0, 70.0}, 5.0, NULL));
	assert_false(nc_query_cast_disc(query, (NcVec2){35.0, 50.0}, (NcVec2){20.0, 50.0}, 5.0, NULL));
	assert_false(nc_query_cast_disc(query, a, a, 5.0, NULL));
	NcRayHit hit;
	assert_true(nc_query_cast_disc(query, (NcVec2){35.0, 50.0}, (NcVec2){36.0, 50.0}, 5.0, &hit));
	assert_near(hit.distance, 0.0, 1e-9);
	nc_query_destroy(query);
	nc_map_destroy(map);
}

static void odd_rays_have_a_defined_answer(void** state)
{
	(void)state;
	NcMap* map = create_room();
	NcQuery* query = NULL;
	assert_int_equal(nc_query_create(map, &query), NC_OK);
	NcVec2 a = {10.0, 10.0};
	NcRayHit hit;
	assert_true(nc_query_cast_disc(query, (NcVec2){50.0, 45.0}, a, 1.0, &hit)); // in a wall
	assert_near(hit.distance, 0.0, 0.0);
	assert_vec2(hit.point, 50.0, 40.0, 1e-9);
	assert_true(nc_query_cast_disc(query, (NcVec2){-50.0, 45.0}, a, 0.0, &hit)); // outside
	assert_near(hit.distance, 0.0, 0.0);
	assert_true(nc_query_cast_disc(query, (NcVec2){40.0, 50.0}, a, 0.0, &hit)); // on a wall
	assert_near(hit.distance, 0.0, 0.0);
	assert_true(nc_query_cast_disc(query, a, (NcVec2){1e290, 1e290}, 1.0, &hit)); // far away
	assert_true(hit.distance > 30.0 && hit.distance < 130.0);
	assert_true(nc_query_cast_disc(query, a, a, 1e9, &hit)); // larger than anything
	assert_near(hit.distance, 0.0, 0.0);
	const NcVec2 bad = {NOT_A_NUMBER, 1.0};
	assert_true(nc_query_cast_disc(query, a, bad, 1.0, &hit) && hit.distance == 0.0);
	assert_true(nc_query_cast_disc(query, bad, a, 1.0, NULL));
	assert_true(nc_query_cast_disc(query, a, a, -1.0, NULL));
	assert_true(nc_query_cast_disc(query, a, a, NOT_A_NUMBER, NULL));
	nc_query_destroy(query);
	nc_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(points_and_rays_are_those_of_brute_force),
		TEST(contacts_are_where_they_must_be),
		TEST(discs_slide_along_what_they_touch),
		TEST(odd_rays_have_a_defined_answer),
	};
	return cmocka_run_group_tests_name("raycast", tests, NULL, NULL);
}
