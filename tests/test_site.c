// SPDX-License-Identifier: MIT

// Sites: which features there are, and the walk along the obstacles from one to the next.

#include "test.h"

#include "site.h"
#include "test_edits.h"

typedef struct Built
{
	NcSnap snap;
	NcSites sites;
} Built;

static void build(const World* world, Built* built)
{
	*built = (Built){0};
	world_build(world, &built->snap);
	assert_true(nc_sites_build(&built->sites, &built->snap, &(NcParallel){0}));
}

static void destroy(Built* built)
{
	nc_sites_free(&built->sites);
	nc_snap_free(&built->snap);
}

static int count_sides(const Built* built)
{
	int count = 0;
	for (int half = 0; half < 2 * built->snap.fragments.count; ++half)
	{
		count += nc_feature_exists(&built->sites, nc_side_feature(half));
	}
	return count;
}

static int count_cones(const Built* built)
{
	int count = 0;
	for (int v = 0; v < built->snap.vertices.count; ++v)
	{
		count += nc_feature_exists(&built->sites, nc_cone_feature(v));
	}
	return count;
}

static void require_counts(const World* world, int side_count, int cone_count)
{
	Built built;
	build(world, &built);
	assert_int_equal(count_sides(&built), side_count);
	assert_int_equal(count_cones(&built), cone_count);
	destroy(&built);
}

static void init_room(World* world)
{
	world_init(world, (NcPoint){0, 0}, (NcPoint){100, 100});
}

static void features_name_sides_and_cones(void** state)
{
	(void)state;
	assert_false(nc_feature_is_cone(nc_side_feature(7)));
	assert_true(nc_feature_is_cone(nc_cone_feature(7)));
	assert_int_equal(nc_feature_index(nc_side_feature(7)), 7);
	assert_int_equal(nc_feature_index(nc_cone_feature(7)), 7);
}

static void hollow_corners_have_no_cone(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	require_counts(&world, 4, 0);
}

static void boxes_have_four_sides_and_four_cones(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_ring(&world, (NcPoint[]){{20, 20}, {40, 20}, {40, 40}, {20, 40}}, 4);
	require_counts(&world, 4 + 4, 4);
}

static void straight_angles_have_no_cone(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_wall(&world, (NcPoint){20, 20}, (NcPoint){40, 20});
	world_add_wall(&world, (NcPoint){40, 20}, (NcPoint){60, 20});
	require_counts(&world, 4 + 4, 2);
	world_add_wall(&world, (NcPoint){40, 20}, (NcPoint){40, 50}); // a T: three ends
	require_counts(&world, 4 + 6, 3);
}

static void thin_walls_have_two_sides_and_points_are_cones(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_wall(&world, (NcPoint){20, 20}, (NcPoint){40, 30});
	world_add_wall(&world, (NcPoint){70, 70}, (NcPoint){70, 70});
	require_counts(&world, 4 + 2, 2 + 1);
}

static void stars_have_cones_only_at_their_tips(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	for (int i = 0; i < 24; ++i)
	{
		NcVec2 d = nc_direction(i * 3.14159265358979 / 12.0);
		NcPoint tip = {50 + (int)floor(40.0 * d.x), 50 + (int)floor(40.0 * d.y)};
		world_add_wall(&world, (NcPoint){50, 50}, tip);
	}
	require_counts(&world, 4 + 48, 24);
}

static void covered_worlds_have_no_features(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_ring(&world, (NcPoint[]){{-10, -10}, {110, -10}, {110, 110}, {-10, 110}}, 4);
	world_add_wall(&world, (NcPoint){20, 20}, (NcPoint){40, 30});
	world_add_wall(&world, (NcPoint){70, 70}, (NcPoint){70, 70});
	require_counts(&world, 0, 0);
}

// Properties, for random worlds.

static void require_walk(const Built* built, NcFeature feature, int round)
{
	const NcSites* sites = &built->sites;
	NcFeature next = nc_feature_next(sites, feature);
	assert_in_round(nc_feature_exists(sites, next), round);
	assert_in_round(nc_feature_previous(sites, next) == feature, round);
	assert_in_round(nc_feature_next(sites, nc_feature_previous(sites, feature)) == feature, round);

	// The next one begins where this one ends.
	int i = nc_feature_index(feature);
	int k = nc_feature_index(next);
	int end = nc_feature_is_cone(feature) ? i : nc_half_vertex(&built->snap, i ^ 1);
	int start = nc_feature_is_cone(next) ? k : nc_half_vertex(&built->snap, k);
	assert_in_round(start == end, round);
}

static void require_cone(const Built* built, int vertex, int round)
{
	const NcCone* cone = &built->sites.cones.data[vertex];
	if (nc_cone_is_full(cone))
	{
		assert_in_round(built->snap.vertices.data[vertex].half == NC_NULL_INDEX, round);
		return;
	}
	// From the first normal counter-clockwise to the last: a positive angle below a half turn, or
	// exactly a half turn at the tip of a single wall.
	double turn = cone->first.x * cone->last.y - cone->first.y * cone->last.x;
	bool is_tip = turn == 0.0 && cone->first.x * cone->last.x + cone->first.y * cone->last.y < 0.0;
	assert_in_round(turn > 0.0 || is_tip, round);
}

static int64_t find_divisor(int64_t a, int64_t b)
{
	return b == 0 ? llabs(a) : find_divisor(b, a % b);
}

static void require_wall(const Built* built, int fragment, int round)
{
	const NcWall* wall = &built->sites.walls.data[fragment];
	NcDirection d = wall->direction;
	NcVec2 ab = nc_sub(wall->b, wall->a);
	assert_in_round(d.x == floor(d.x) && d.y == floor(d.y), round);
	assert_in_round(find_divisor((int64_t)d.x, (int64_t)d.y) == 1, round);
	assert_in_round(nc_cross((NcVec2){d.x, d.y}, ab) == 0.0, round);
	assert_in_round(nc_dot((NcVec2){d.x, d.y}, ab) > 0.0, round);
	assert_in_round(fabs(d.inverse_length * sqrt(d.x * d.x + d.y * d.y) - 1.0) < 1e-15, round);
}

// Whether the free angle at a vertex is larger than a half turn: with the angles as numbers.
static bool has_cone_slowly(const NcSnap* snap, int vertex)
{
	int first = snap->vertices.data[vertex].half;
	if (first == NC_NULL_INDEX)
	{
		return snap->vertices.data[vertex].is_free;
	}
	NcVec2 p = nc_point_to_vec2(snap->vertices.data[vertex].point);
	int half = first;
	do
	{
		int next = nc_half_next(snap, half);
		NcVec2 a = nc_sub(nc_point_to_vec2(nc_half_end(snap, half)), p);
		NcVec2 b = nc_sub(nc_point_to_vec2(nc_half_end(snap, next)), p);
		double angle = atan2(b.y, b.x) - atan2(a.y, a.x);
		angle += angle <= 0.0 ? 2.0 * 3.14159265358979323846 : 0.0;
		if (angle > 3.14159265358979323846 + 1e-9 && nc_side_is_free(snap, half))
		{
			return true;
		}
		half = next;
	} while (half != first);
	return false;
}

static void walks_and_cones_are_right_in_random_worlds(void** state)
{
	(void)state;
	uint64_t seed = 71;
	static World world;
	for (int round = 0; round < 200; ++round)
	{
		world_init(&world, (NcPoint){-210, -210}, (NcPoint){210, 210});
		world_add_random(&world, &seed, 30, 200, round % 2 ? 25 : 1);
		Built built;
		build(&world, &built);
		for (int f = 0; f < built.snap.fragments.count; ++f)
		{
			require_wall(&built, f, round);
			for (int half = 2 * f; half <= 2 * f + 1; ++half)
			{
				bool exists = nc_feature_exists(&built.sites, nc_side_feature(half));
				assert_in_round(exists == nc_side_is_free(&built.snap, half), round);
				exists ? require_walk(&built, nc_side_feature(half), round) : (void)0;
			}
		}
		for (int v = 0; v < built.snap.vertices.count; ++v)
		{
			bool exists = nc_feature_exists(&built.sites, nc_cone_feature(v));
			assert_in_round(exists == has_cone_slowly(&built.snap, v), round);
			if (exists)
			{
				require_walk(&built, nc_cone_feature(v), round);
				require_cone(&built, v, round);
			}
		}
		destroy(&built);
	}
}

static void order_of_features_is_total(void** state)
{
	(void)state;
	uint64_t seed = 72;
	static World world;
	world_init(&world, (NcPoint){-60, -60}, (NcPoint){60, 60});
	world_add_random(&world, &seed, 12, 50, 10);
	Built built;
	build(&world, &built);
	NcFeature features[4096];
	int count = 0;
	for (int half = 0; half < 2 * built.snap.fragments.count; ++half)
	{
		features[count++] = nc_side_feature(half);
	}
	for (int v = 0; v < built.snap.vertices.count; ++v)
	{
		features[count++] = nc_cone_feature(v);
	}
	assert_true(count > 50 && count < NC_COUNT(features));
	for (int round = 0; round < 50000; ++round)
	{
		NcFeature f = features[random_int(&seed, 0, count - 1)];
		NcFeature g = features[random_int(&seed, 0, count - 1)];
		NcFeature h = features[random_int(&seed, 0, count - 1)];
		int fg = nc_feature_compare(&built.sites, f, g);
		int gh = nc_feature_compare(&built.sites, g, h);
		int gf = nc_feature_compare(&built.sites, g, f);
		assert_in_round((fg == 0) == (f == g), round);
		assert_in_round((fg > 0) == (gf < 0), round);
		bool is_chain = fg < 0 && gh < 0;
		assert_in_round(!is_chain || nc_feature_compare(&built.sites, f, h) < 0, round);
	}
	destroy(&built);
}

// A feature by its coordinates instead of its index.
typedef struct Site
{
	NcPoint a, b; // equal for a cone
	NcDirection directions[2];
} Site;

#define MAX_SITES 4096

static int compare_sites(const void* p, const void* q)
{
	const Site* f = p;
	const Site* g = q;
	int order = nc_point_compare(f->a, g->a);
	return order != 0 ? order : nc_point_compare(f->b, g->b);
}

static int list_sites(const Built* built, Site* sites)
{
	int count = 0;
	for (int half = 0; half < 2 * built->snap.fragments.count; ++half)
	{
		const NcWall* wall = &built->sites.walls.data[half >> 1];
		assert_int_equal((wall->is_free >> (half & 1)) & 1, nc_side_is_free(&built->snap, half));
		if (nc_side_is_free(&built->snap, half))
		{
			assert_true(count < MAX_SITES);
			NcVec2 start = nc_point_to_vec2(nc_half_start(&built->snap, half & ~1));
			assert_vec2(wall->a, start.x, start.y, 0.0);
			sites[count++] = (Site){nc_half_start(&built->snap, half),
				nc_half_end(&built->snap, half), {wall->direction}};
		}
	}
	for (int v = 0; v < built->snap.vertices.count; ++v)
	{
		if (built->sites.has_cone.data[v])
		{
			assert_true(count < MAX_SITES);
			const NcCone* cone = &built->sites.cones.data[v];
			NcPoint p = built->snap.vertices.data[v].point;
			assert_vec2(cone->apex, p.x, p.y, 0.0);
			sites[count++] = (Site){p, p, {cone->first, cone->last}};
		}
	}
	qsort(sites, (size_t)count, sizeof(Site), compare_sites);
	return count;
}

// The same features with the same bits.
static void require_same_sites(const Built* a, const Built* b, int round)
{
	static Site sites[2][MAX_SITES];
	int count = list_sites(a, sites[0]);
	assert_in_round(count == list_sites(b, sites[1]), round);
	assert_in_round(memcmp(sites[0], sites[1], sizeof(Site) * (size_t)count) == 0, round);
}

// Every cone is once in the grid, in the cell of its apex, and nothing else is.
static void require_cone_grid(const NcSites* sites, int round)
{
	const NcGrid* grid = &sites->cone_grid;
	int count = 0;
	for (int v = 0; v < sites->has_cone.count; ++v)
	{
		NcVec2 apex = sites->cones.data[v].apex;
		NcGridList list = grid->lists.data[nc_grid_cell_of(grid, apex.x, apex.y)];
		int found_count = 0;
		for (int k = 0; k < list.count; ++k)
		{
			found_count += grid->pool.data[list.start + k] == v;
		}
		assert_in_round(found_count == sites->has_cone.data[v], round);
		count += found_count;
	}
	for (int cell = 0; cell < grid->lists.count; ++cell)
	{
		count -= grid->lists.data[cell].count;
	}
	assert_in_round(count == 0, round);
}

static bool contains(const NcIntArray* features, NcFeature feature)
{
	for (int i = 0; i < features->count; ++i)
	{
		if (features->data[i] == feature)
		{
			return true;
		}
	}
	return false;
}

// Which features there were.
typedef struct Presence
{
	int side_count, cone_count;
	bool has_side[MAX_SITES];
	bool has_cone[MAX_SITES];
} Presence;

static void note_presence(const NcSites* sites, Presence* presence)
{
	presence->side_count = 2 * sites->walls.count;
	presence->cone_count = sites->cones.count;
	assert_true(presence->side_count <= MAX_SITES && presence->cone_count <= MAX_SITES);
	for (int half = 0; half < presence->side_count; ++half)
	{
		presence->has_side[half] = nc_feature_exists(sites, nc_side_feature(half));
	}
	for (int v = 0; v < presence->cone_count; ++v)
	{
		presence->has_cone[v] = nc_feature_exists(sites, nc_cone_feature(v));
	}
}

static void require_listed(
	const NcSites* sites, const NcSitesUpdate* update, NcFeature f, bool was_there, int round)
{
	bool is_dead = contains(&update->dead, f);
	bool is_fresh = contains(&update->fresh, f);
	assert_in_round(nc_feature_exists(sites, f) == (is_fresh || (was_there && !is_dead)), round);
	assert_in_round(!is_dead || was_there, round);
	assert_in_round(!is_fresh || !was_there || is_dead, round);
}

// Features that came and went are listed: all others are there before and after, or never.
static void require_lists(
	const Presence* before, const NcSites* sites, const NcSitesUpdate* update, int round)
{
	for (int half = 0; half < 2 * sites->walls.count; ++half)
	{
		bool was_there = half < before->side_count && before->has_side[half];
		require_listed(sites, update, nc_side_feature(half), was_there, round);
	}
	for (int v = 0; v < sites->cones.count; ++v)
	{
		bool was_there = v < before->cone_count && before->has_cone[v];
		require_listed(sites, update, nc_cone_feature(v), was_there, round);
	}
}

typedef struct Change
{
	NcSnapUpdate snap;
	NcSitesUpdate sites;
	NcJournal journal;
} Change;

static void apply_some(Edits* edits, uint64_t* seed, Built* built, Change* change)
{
	nc_journal_clear(&change->journal);
	nc_sites_update_clear(&change->sites);
	edits_clear(edits, &change->snap);
	edits_toggle_some(edits, seed, 3, &change->snap);
	assert_true(nc_snap_apply(&built->snap, &change->snap, &change->journal));
	assert_true(nc_sites_apply(&built->sites, &change->snap, &change->sites, &change->journal));
	assert_true(nc_snap_prepare_finish(&built->snap, &change->snap));
	nc_snap_finish(&built->snap, &change->snap);
	edits_finish(edits, &change->snap);
}

static void changed_sites_are_the_same_as_built_ones(void** state)
{
	(void)state;
	uint64_t seed = 73;
	static Edits edits;
	static World world;
	static Presence before;
	Change change = {0};
	for (int round = 0; round < 84; ++round)
	{
		Built built;
		edits_make(&edits, &seed, round);
		edits_make_world(&edits, &world);
		build(&world, &built);
		for (int step = 0; step < 8; ++step)
		{
			note_presence(&built.sites, &before);
			apply_some(&edits, &seed, &built, &change);
			require_lists(&before, &built.sites, &change.sites, round);
			require_cone_grid(&built.sites, round);
			edits_make_world(&edits, &world);
			Built fresh;
			build(&world, &fresh);
			require_same_sites(&built, &fresh, round);
			destroy(&fresh);
		}
		destroy(&built);
	}
	nc_snap_update_free(&change.snap);
	nc_sites_update_free(&change.sites);
	nc_journal_free(&change.journal);
}

static void running_out_of_memory_is_reported(void** state)
{
	(void)state;
	World world;
	init_room(&world);
	world_add_wall(&world, (NcPoint){20, 20}, (NcPoint){40, 30});
	NcSnap snap;
	world_build(&world, &snap);
	FailingAllocator allocator = {.first_fail = -1};
	nc_set_allocator(allocate_or_fail, &allocator);
	NcSites sites = {0};
	bool is_built = nc_sites_build(&sites, &snap, &(NcParallel){0});
	nc_sites_free(&sites);
	int needed = allocator.calls;
	int unnoticed_count = 0;
	for (int i = 0; i < needed; ++i)
	{
		allocator = (FailingAllocator){.first_fail = i};
		sites = (NcSites){0};
		unnoticed_count += nc_sites_build(&sites, &snap, &(NcParallel){0});
		nc_sites_free(&sites);
	}
	nc_snap_free(&snap);
	nc_set_allocator(NULL, NULL);
	assert_true(is_built && needed >= 4);
	assert_int_equal(unnoticed_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(features_name_sides_and_cones),
		TEST(hollow_corners_have_no_cone),
		TEST(boxes_have_four_sides_and_four_cones),
		TEST(straight_angles_have_no_cone),
		TEST(thin_walls_have_two_sides_and_points_are_cones),
		TEST(stars_have_cones_only_at_their_tips),
		TEST(covered_worlds_have_no_features),
		TEST(walks_and_cones_are_right_in_random_worlds),
		TEST(order_of_features_is_total),
		TEST(changed_sites_are_the_same_as_built_ones),
		TEST(running_out_of_memory_is_reported),
	};
	return cmocka_run_group_tests_name("site", tests, NULL, NULL);
}
