// SPDX-License-Identifier: MIT

// Corridors with an explicit boundary, against slow and obvious measures: distances to all walls,
// to all pieces of the boundary, and to all discs of the medial axis.

#include "test.h"

#define MAX_SECTIONS 4096

typedef struct Corridor
{
	NcMap* map;
	NcQuery* query;
	double radius, preferred;
	int count;
	NcCorridorSection sections[MAX_SECTIONS];
} Corridor;

static void create_query(Corridor* corridor, const Scene* scene)
{
	corridor->map = scene_create_map(scene, NULL);
	assert_int_equal(nc_query_create(corridor->map, &corridor->query), NC_OK);
}

static void destroy_query(Corridor* corridor)
{
	nc_query_destroy(corridor->query);
	nc_map_destroy(corridor->map);
}

static bool find_corridor(
	Corridor* corridor, NcVec2 start, NcVec2 goal, double radius, double preferred)
{
	NcPathDef def = nc_default_path_def();
	def.start = start;
	def.goal = goal;
	def.radius = radius;
	def.route = NC_ROUTE_MEDIAL;
	NcPathInfo info;
	corridor->radius = radius;
	corridor->preferred = preferred;
	corridor->count = 0;
	if (!nc_query_find_path(corridor->query, &def, &info))
	{
		return false;
	}
	corridor->count = nc_query_get_corridor_sections(
		corridor->query, radius, preferred, corridor->sections, MAX_SECTIONS);
	return corridor->count > 0 && corridor->count <= MAX_SECTIONS;
}

// Random corridors in random worlds.

typedef void CorridorTest(const Corridor* corridor, uint64_t* seed, int round);

static void for_random_corridors(CorridorTest* test, uint64_t seed)
{
	static Scene scene;
	static Corridor corridor;
	int found = 0;
	for (int round = 0; round < 30; ++round)
	{
		scene_init(&scene, -60.0, -60.0, 60.0, 60.0);
		scene_add_random(&scene, &seed, 8, 50.0, 0.37);
		create_query(&corridor, &scene);
		for (int i = 0; i < 12; ++i)
		{
			NcVec2 start = random_vec2(&seed, scene.def.bounds);
			NcVec2 goal = random_vec2(&seed, scene.def.bounds);
			double radius = i % 3 ? random_between(&seed, 0.0, 2.0) : 0.0;
			double preferred = i % 2 ? random_between(&seed, 0.0, 4.0) : 0.0;
			if (find_corridor(&corridor, start, goal, radius, preferred))
			{
				++found;
				test(&corridor, &seed, round);
			}
		}
		destroy_query(&corridor);
	}
	assert_true(found > 150);
}

static NcVec2 get_piece_point(const NcRoutePiece* piece, double part)
{
	return nc_route_get_point(piece, 1, part * piece->length, NULL);
}

static double measure_piece(const NcRoutePiece* piece, NcVec2 point)
{
	double least = nc_distance(point, nc_closest_on_segment(point, piece->from, piece->to));
	if (piece->angle == 0.0)
	{
		return least;
	}
	least = nc_min(nc_distance(point, piece->from), nc_distance(point, piece->to));
	NcVec2 spoke = nc_sub(point, piece->center);
	NcVec2 from = nc_sub(piece->from, piece->center);
	double sign = piece->angle < 0.0 ? -1.0 : 1.0;
	double turn = sign * nc_atan2(nc_cross(from, spoke), nc_dot(from, spoke));
	turn += turn < 0.0 ? 6.283185307179586 : 0.0;
	return turn < fabs(piece->angle) ? nc_min(least, fabs(nc_length(spoke) - piece->radius))
									 : least;
}

static double measure_boundary(const Corridor* corridor, NcVec2 point)
{
	double least = HUGE_VAL;
	for (int i = 0; i < corridor->count; ++i)
	{
		for (int side = 0; side < 2; ++side)
		{
			const NcRoutePiece* piece = &corridor->sections[i].sides[side].piece;
			least = nc_min(least, measure_piece(piece, point));
		}
	}
	return least;
}

// By how much the discs of the medial axis reach beyond a point. `is_cap`: the first or last one
// reaches farthest; it lies behind the open ends in part.
static double measure_discs(const Corridor* corridor, NcVec2 point, bool* is_cap)
{
	double length = corridor->sections[corridor->count - 1].begin +
					corridor->sections[corridor->count - 1].length;
	double best = -HUGE_VAL;
	for (int i = 0; i <= 4000; ++i)
	{
		NcCorridorCross cross;
		assert_true(nc_corridor_get_cross(
			corridor->sections, corridor->count, i * length / 4000.0, &cross));
		double reach = cross.clearance - nc_distance(cross.axis, point);
		*is_cap = reach > best ? i == 0 || i == 4000 : *is_cap;
		best = nc_max(best, reach);
	}
	return best;
}

static NcVec2 choose_point_near(const Corridor* corridor, uint64_t* seed)
{
	double length = corridor->sections[corridor->count - 1].begin +
					corridor->sections[corridor->count - 1].length;
	NcCorridorCross cross;
	nc_corridor_get_cross(
		corridor->sections, corridor->count, random_between(seed, 0.0, length), &cross);
	double reach = 1.2 * cross.clearance;
	return (NcVec2){cross.axis.x + random_between(seed, -reach, reach),
		cross.axis.y + random_between(seed, -reach, reach)};
}

static void require_joined(const Corridor* corridor, uint64_t* seed, int round)
{
	(void)seed;
	for (int i = 1; i < corridor->count; ++i)
	{
		const NcCorridorSection* a = &corridor->sections[i - 1];
		const NcCorridorSection* b = &corridor->sections[i];
		assert_in_round(nc_distance(a->axis[1], b->axis[0]) < 1e-9, round);
		assert_in_round(fabs(a->begin + a->length - b->begin) < 1e-9, round);
		for (int side = 0; side < 2; ++side)
		{
			double gap = nc_distance(a->sides[side].piece.to, b->sides[side].piece.from);
			assert_in_round(gap < 1e-5, round);
		}
	}
}

static void the_boundary_is_one_line_on_each_side(void** state)
{
	(void)state;
	for_random_corridors(require_joined, 17);
}

static void require_margins(const Corridor* corridor, uint64_t* seed, int round)
{
	(void)seed;
	for (int i = 0; i < corridor->count; ++i)
	{
		const NcCorridorSection* section = &corridor->sections[i];
		for (int k = 0; k < 10; ++k)
		{
			const NcCorridorSide* side = &section->sides[k % 2];
			NcVec2 p = get_piece_point(&side->piece, k / 9.0);
			double distance = compute_wall_distance(corridor->map, p);
			double margin = corridor->radius + corridor->preferred;
			bool is_exact = !section->is_narrow && side->kind != NC_CORRIDOR_OPENING;
			assert_in_round(distance >= corridor->radius - 1e-5, round);
			assert_in_round(section->is_narrow || distance >= margin - 1e-5, round);
			assert_in_round(!is_exact || distance <= margin + 1e-5, round);
		}
	}
}

static void the_boundary_keeps_radius_and_preferred_clearance(void** state)
{
	(void)state;
	for_random_corridors(require_margins, 23);
}

static void require_closest(const Corridor* corridor, uint64_t* seed, int round)
{
	double margin = corridor->radius + corridor->preferred;
	for (int i = 0; i < 20; ++i)
	{
		NcVec2 point = choose_point_near(corridor, seed);
		NcCorridorPoint found;
		bool is_cap = false;
		if (!nc_corridor_find_point(
				corridor->sections, corridor->count, i % corridor->count, point, &found))
		{
			double reach = measure_discs(corridor, point, &is_cap);
			assert_in_round(is_cap || reach < 1e-4, round);
			continue;
		}
		assert_in_round(fabs(nc_distance(found.closest, point) - fabs(found.depth)) < 1e-6, round);
		if (found.depth >= 0.0)
		{
			double least = measure_boundary(corridor, point);
			assert_in_round(fabs(least - found.depth) < 1e-5, round);
		}
		double reach = measure_discs(corridor, point, &is_cap);
		bool is_narrow = corridor->sections[found.section].is_narrow;
		// The discs are sampled, so they may reach a little less far.
		assert_in_round(is_narrow || fabs(reach - margin - found.depth) < 0.05, round);
	}
}

static void the_closest_boundary_point_is_that_of_brute_force(void** state)
{
	(void)state;
	for_random_corridors(require_closest, 31);
}

static void require_retraction(const Corridor* corridor, uint64_t* seed, int round)
{
	for (int i = 0; i < 20; ++i)
	{
		NcVec2 point = choose_point_near(corridor, seed);
		NcCorridorPoint found;
		NcLocation location;
		if (!nc_corridor_find_point(corridor->sections, corridor->count, 0, point, &found) ||
			corridor->sections[found.section].sides[found.side].kind == NC_CORRIDOR_OPENING)
		{
			continue;
		}
		assert_in_round(nc_query_locate(corridor->query, point, &location), round);
		assert_in_round(nc_distance(location.closest, found.foot) < 1e-5, round);
		assert_in_round(nc_distance(location.retraction, found.axis) < 1e-3, round);
	}
}

static void a_point_in_a_corridor_is_where_the_map_says(void** state)
{
	(void)state;
	for_random_corridors(require_retraction, 37);
}

static void require_part(const Corridor* corridor, uint64_t* seed, int round)
{
	static NcCorridorSection part[MAX_SECTIONS];
	const NcCorridorSection* last = &corridor->sections[corridor->count - 1];
	double length = last->begin + last->length;
	double from = random_between(seed, 0.0, length);
	double to = random_between(seed, from, length);
	int count =
		nc_corridor_get_part(corridor->sections, corridor->count, from, to, part, MAX_SECTIONS);
	assert_in_round(count > 0 && count <= corridor->count, round);
	assert_in_round(fabs(part[0].begin - from) < 1e-9 || part[0].length == 0.0, round);
	assert_in_round(fabs(part[count - 1].begin + part[count - 1].length - to) < 1e-9, round);
	for (int i = 0; i < 20; ++i)
	{
		NcVec2 point = choose_point_near(corridor, seed);
		NcCorridorPoint whole, found;
		if (!nc_corridor_find_point(corridor->sections, corridor->count, 0, point, &whole))
		{
			continue;
		}
		bool is_within = whole.distance > from + 1e-6 && whole.distance < to - 1e-6;
		bool is_found = nc_corridor_find_point(part, count, 0, point, &found);
		assert_in_round(is_found || !is_within, round);
		assert_in_round(!is_found || nc_distance(found.closest, whole.closest) < 1e-5, round);
	}
}

static void a_part_of_a_corridor_answers_like_the_whole(void** state)
{
	(void)state;
	for_random_corridors(require_part, 41);
}

static void require_width(const Corridor* corridor, uint64_t* seed, int round)
{
	const NcCorridorSection* last = &corridor->sections[corridor->count - 1];
	double length = last->begin + last->length;
	double from = random_between(seed, 0.0, length);
	double to = random_between(seed, from, length);
	double least = HUGE_VAL;
	for (int i = 0; i <= 400; ++i)
	{
		NcCorridorCross cross;
		double distance = from + i * (to - from) / 400.0;
		nc_corridor_get_cross(corridor->sections, corridor->count, distance, &cross);
		double wall = compute_wall_distance(corridor->map, cross.axis);
		assert_in_round(fabs(wall - cross.clearance) < 1e-5, round);
		double margin = nc_min(corridor->radius + corridor->preferred, cross.clearance);
		assert_in_round(fabs(cross.width - 2.0 * (cross.clearance - margin)) < 1e-9, round);
		double right = nc_distance(cross.boundaries[NC_CORRIDOR_RIGHT], cross.axis);
		assert_in_round(fabs(2.0 * right - cross.width) < 1e-5, round);
		least = nc_min(least, cross.width);
	}
	double width = nc_corridor_find_min_width(corridor->sections, corridor->count, from, to);
	assert_in_round(width <= least + 1e-9 && width >= least - 2.1 * (to - from) / 400.0, round);
}

static void the_width_is_twice_the_room_beside_the_axis(void** state)
{
	(void)state;
	for_random_corridors(require_width, 43);
}

static void require_outline(const Corridor* corridor, uint64_t* seed, int round)
{
	(void)seed;
	static NcVec2 points[65536];
	int count =
		nc_corridor_sample_outline(corridor->sections, corridor->count, 0.01, points, 65536);
	assert_in_round(count >= 4 && count <= 65536, round);
	for (int i = 0; i < count; ++i)
	{
		double distance = compute_wall_distance(corridor->map, points[i]);
		assert_in_round(distance >= corridor->radius - 1e-5, round);
		assert_in_round(measure_boundary(corridor, points[i]) < 0.0101, round);
	}
}

static void the_outline_follows_the_boundary(void** state)
{
	(void)state;
	for_random_corridors(require_outline, 47);
}

static void a_street_has_straight_sides(void** state)
{
	(void)state;
	static Scene scene;
	static Corridor corridor;
	scene_init(&scene, 0.0, 0.0, 100.0, 10.0);
	create_query(&corridor, &scene);
	assert_true(find_corridor(&corridor, (NcVec2){10.0, 5.0}, (NcVec2){90.0, 5.0}, 1.0, 0.5));
	assert_int_equal(corridor.count, 1);
	const NcCorridorSection* street = &corridor.sections[0];
	assert_vec2(street->sides[NC_CORRIDOR_RIGHT].piece.from, 10.0, 1.5, 1e-9);
	assert_vec2(street->sides[NC_CORRIDOR_RIGHT].piece.to, 90.0, 1.5, 1e-9);
	assert_vec2(street->sides[NC_CORRIDOR_LEFT].piece.from, 10.0, 8.5, 1e-9);
	NcCorridorPoint found;
	assert_true(nc_corridor_find_point(street, 1, 7, (NcVec2){40.0, 6.0}, &found));
	assert_int_equal(found.side, NC_CORRIDOR_LEFT);
	assert_vec2(found.closest, 40.0, 8.5, 1e-9);
	assert_near(found.depth, 2.5, 1e-9);
	assert_near(found.distance, 30.0, 1e-9);
	assert_true(nc_corridor_find_point(street, 1, 0, (NcVec2){40.0, 1.0}, &found));
	assert_near(found.depth, -0.5, 1e-9);
	assert_vec2(found.closest, 40.0, 1.5, 1e-9);
	assert_false(nc_corridor_find_point(street, 1, 0, (NcVec2){5.0, 5.0}, &found));
	assert_false(nc_corridor_find_point(street, 1, 0, (NcVec2){40.0, -1.0}, &found));
	assert_near(nc_corridor_find_min_width(street, 1, 0.0, 80.0), 7.0, 1e-9);

	// More clearance than there is room for: the middle of the street.
	int count = nc_query_get_corridor_sections(corridor.query, 1.0, 9.0, corridor.sections, 8);
	assert_int_equal(count, 1);
	assert_true(street->is_narrow);
	assert_vec2(street->sides[NC_CORRIDOR_LEFT].piece.from, 10.0, 5.0, 1e-9);
	assert_true(nc_corridor_find_point(street, 1, 0, (NcVec2){40.0, 6.0}, &found));
	assert_vec2(found.closest, 40.0, 5.0, 1e-9);
	destroy_query(&corridor);
}

static void odd_questions_have_answers(void** state)
{
	(void)state;
	static Scene scene;
	static Corridor corridor;
	scene_init(&scene, 0.0, 0.0, 100.0, 10.0);
	create_query(&corridor, &scene);
	NcCorridorPoint found;
	NcCorridorCross cross;
	assert_int_equal(nc_query_get_corridor_sections(corridor.query, 0.0, 0.0, NULL, 0), 0);
	assert_false(nc_corridor_find_point(NULL, 0, 0, (NcVec2){1.0, 1.0}, &found));
	assert_false(nc_corridor_get_cross(NULL, 0, 0.0, &cross));
	assert_near(nc_corridor_find_min_width(NULL, 0, 0.0, 1.0), 0.0, 0.0);
	assert_int_equal(nc_corridor_get_part(NULL, 0, 0.0, 1.0, NULL, 0), 0);
	assert_int_equal(nc_corridor_sample_outline(NULL, 0, 1.0, NULL, 0), 0);

	// Start and goal are the same.
	NcVec2 start = {10.0, 4.0};
	assert_true(find_corridor(&corridor, start, start, 1.0, 0.0));
	assert_true(nc_corridor_find_point(corridor.sections, corridor.count, 0, start, &found));
	assert_near(found.depth, 3.0, 1e-9);
	assert_true(nc_corridor_get_cross(corridor.sections, corridor.count, 3.0, &cross));
	assert_near(cross.width, 8.0, 1e-9);
	NcVec2 nowhere = {NOT_A_NUMBER, 0.0};
	assert_false(nc_corridor_find_point(corridor.sections, corridor.count, 0, nowhere, &found));
	assert_false(nc_corridor_get_cross(corridor.sections, corridor.count, NOT_A_NUMBER, &cross));
	assert_int_equal(nc_corridor_get_part(corridor.sections, corridor.count, 2.0, 1.0, NULL, 0), 0);
	assert_int_equal(
		nc_query_get_corridor_sections(corridor.query, NOT_A_NUMBER, HUGE_VAL, NULL, 0), 0);
	destroy_query(&corridor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_boundary_is_one_line_on_each_side),
		TEST(the_boundary_keeps_radius_and_preferred_clearance),
		TEST(the_closest_boundary_point_is_that_of_brute_force),
		TEST(a_point_in_a_corridor_is_where_the_map_says),
		TEST(a_part_of_a_corridor_answers_like_the_whole),
		TEST(the_width_is_twice_the_room_beside_the_axis),
		TEST(the_outline_follows_the_boundary),
		TEST(a_street_has_straight_sides),
		TEST(odd_questions_have_answers),
	};
	return cmocka_run_group_tests_name("corridor", tests, NULL, NULL);
}
