// SPDX-License-Identifier: MIT

// Diagrams that change in place have the same bits as those built from what is left, and only what
// is near the change is computed again.

#include "test.h"

#include "diagram_update.h"
#include "test_diagram.h"
#include "test_edits.h"

typedef struct Change
{
	NcSnapUpdate snap;
	NcSitesUpdate sites;
	NcDiagramUpdate diagram;
	NcJournal journal;
} Change;

static void clear(Change* change, Edits* edits)
{
	edits_clear(edits, &change->snap);
	nc_sites_update_clear(&change->sites);
	nc_diagram_update_clear(&change->diagram);
	nc_journal_clear(&change->journal);
}

static void free_change(Change* change)
{
	nc_snap_update_free(&change->snap);
	nc_sites_update_free(&change->sites);
	nc_diagram_update_free(&change->diagram);
	nc_journal_free(&change->journal);
}

static void apply(NcDiagram* d, Change* c, Edits* edits)
{
	assert_true(nc_snap_apply(&d->snap, &c->snap, &c->journal));
	assert_true(nc_sites_apply(&d->sites, &c->snap, &c->sites, &c->journal));
	assert_true(nc_diagram_recompute(d, &c->sites, &c->diagram, &c->journal));
	assert_true(nc_diagram_free_junctions(d, &c->sites, &c->diagram, &c->journal));
	assert_true(nc_diagram_restitch(d, &c->sites, &c->diagram, &c->journal));
	assert_true(nc_snap_prepare_finish(&d->snap, &c->snap));
	assert_true(nc_diagram_prepare_finish(d, &c->diagram));
	nc_snap_finish(&d->snap, &c->snap);
	nc_diagram_finish(d, &c->diagram);
	edits_finish(edits, &c->snap);
}

// A linked piece by its place: its ends, and the feet of its beginning.
typedef struct Place
{
	NcVec2 ends[2];
	NcVec2 own, other;
	double clearance;
	double degree;
} Place;

#define MAX_PLACES 8192

static int compare_places(const void* p, const void* q)
{
	return memcmp(p, q, sizeof(Place));
}

// Zero has two signs, and only one hash.
static NcVec2 without_sign_of_zero(NcVec2 p)
{
	return (NcVec2){p.x + 0.0, p.y + 0.0};
}

static int list_places(const NcDiagram* diagram, Place* places)
{
	int count = 0;
	for (int p = 0; p < diagram->records.count; ++p)
	{
		if (!nc_piece_is_linked(diagram, p))
		{
			continue;
		}
		assert_true(count < MAX_PLACES);
		const NcJunction* start = nc_piece_junction(diagram, p);
		const NcJunction* end = nc_piece_junction(diagram, nc_piece_twin(diagram, p));
		NcFeature neighbor = diagram->records.data[p].neighbor;
		places[count++] = (Place){
			.ends = {without_sign_of_zero(start->position), without_sign_of_zero(end->position)},
			.own = nc_diagram_compute_foot(diagram, nc_piece_owner(diagram, p), start->position),
			.other = nc_diagram_compute_foot(diagram, neighbor, start->position),
			.clearance = start->clearance,
			.degree = start->degree,
		};
		places[count - 1].own = without_sign_of_zero(places[count - 1].own);
		places[count - 1].other = without_sign_of_zero(places[count - 1].other);
	}
	qsort(places, (size_t)count, sizeof(Place), compare_places);
	return count;
}

static void require_same(const NcDiagram* a, const NcDiagram* b, int round)
{
	static Place places[2][MAX_PLACES];
	int count = list_places(a, places[0]);
	assert_in_round(count == list_places(b, places[1]), round);
	assert_in_round(memcmp(places[0], places[1], sizeof(Place) * (size_t)count) == 0, round);
}

// Every live cell has its own range of records, and no other one reaches into it.
static void require_ranges(const NcDiagram* diagram, int round)
{
	bool* is_taken = calloc((size_t)diagram->records.count + 1, sizeof(bool));
	int overlap_count = 0;
	int feature_count = 2 * (2 * diagram->snap.fragments.count + diagram->snap.vertices.count);
	for (NcFeature f = 0; f < feature_count; ++f)
	{
		bool is_cone = nc_feature_is_cone(f);
		int limit = is_cone ? diagram->cone_cells.count : diagram->side_cells.count;
		if (nc_feature_index(f) >= limit)
		{
			continue;
		}
		const NcCell* cell = nc_diagram_cell(diagram, f);
		assert_in_round(cell->count == 0 || cell->count < cell->capacity, round);
		assert_in_round(cell->begin + cell->capacity <= diagram->records.count, round);
		assert_in_round(nc_feature_exists(&diagram->sites, f) || cell->count == 0, round);
		for (int i = 0; i < cell->capacity && cell->count > 0; ++i)
		{
			overlap_count += is_taken[cell->begin + i];
			is_taken[cell->begin + i] = true;
		}
	}
	free(is_taken);
	assert_in_round(overlap_count == 0, round);
}

static void changed_diagrams_are_the_same_as_built_ones(void** state)
{
	(void)state;
	uint64_t seed = 231;
	static Edits edits;
	static World world;
	Change change = {0};
	for (int round = 0; round < 63; ++round)
	{
		NcDiagram diagram;
		int unresolved_count = 0;
		edits_make(&edits, &seed, round);
		edits_make_world(&edits, &world);
		world_build_diagram(&world, &diagram);
		for (int step = 0; step < 8; ++step)
		{
			clear(&change, &edits);
			edits_toggle_some(&edits, &seed, random_int(&seed, 1, 4), &change.snap);
			apply(&diagram, &change, &edits);
			edits_make_world(&edits, &world);
			NcDiagram fresh;
			world_build_diagram(&world, &fresh);
			require_same(&diagram, &fresh, round);
			require_pieces(&diagram, round);
			assert_in_round(
				nc_diagram_count_cells(&diagram) == nc_diagram_count_cells(&fresh), round);
			unresolved_count = nc_diagram_count_unresolved(&fresh);
			nc_diagram_free(&fresh);
		}
		require_plane(&diagram, round);

		// Where neighbours disagree, junctions are wrong however they were made: test_diagram.c.
		if (unresolved_count == 0)
		{
			require_junctions(&diagram, get_place_tolerance(&world), round);
		}
		nc_diagram_free(&diagram);
	}
	free_change(&change);
}

// Records of features that are gone would be found by nobody, or by the wrong one.
static void only_features_that_exist_have_records(void** state)
{
	(void)state;
	uint64_t seed = 231;
	static Edits edits;
	static World world;
	Change change = {0};
	for (int round = 0; round < 42; ++round)
	{
		NcDiagram diagram;
		edits_make(&edits, &seed, round);
		edits_make_world(&edits, &world);
		world_build_diagram(&world, &diagram);
		for (int step = 0; step < 8; ++step)
		{
			clear(&change, &edits);
			edits_toggle_some(&edits, &seed, random_int(&seed, 1, 4), &change.snap);
			apply(&diagram, &change, &edits);
			require_ranges(&diagram, round);
		}
		edits_make_world(&edits, &world);
		NcDiagram fresh;
		world_build_diagram(&world, &fresh);
		int counts[2] = {
			nc_diagram_count_unresolved(&diagram), nc_diagram_count_unresolved(&fresh)};
		assert_in_round(counts[0] == counts[1], round);
		nc_diagram_free(&fresh);
		nc_diagram_free(&diagram);
	}
	free_change(&change);
}

#define SIDE 20

// Points in rows, not quite regular, so that each has six neighbours or so.
static void make_field(Edits* edits)
{
	uint64_t seed = 232;
	world_init(&edits->all, (NcPoint){0, 0}, (NcPoint){100 * SIDE, 100 * SIDE});
	for (int i = 0; i < SIDE * SIDE; ++i)
	{
		NcPoint p = {50 + 100 * (i % SIDE) + random_int(&seed, -20, 20),
			50 + 100 * (i / SIDE) + random_int(&seed, -20, 20)};
		world_add_wall(&edits->all, p, p);
	}
	for (int e = 0; e < edits->all.count; ++e)
	{
		edits->is_present[e] = true;
		edits->slots[e] = e;
	}
}

static void only_what_is_near_is_computed_again(void** state)
{
	(void)state;
	static Edits edits;
	Change change = {0};
	NcDiagram diagram;
	make_field(&edits);
	world_build_diagram(&edits.all, &diagram);
	assert_int_equal(nc_diagram_count_cells(&diagram), 4 + SIDE * SIDE);
	for (int i = 0; i < 40; ++i)
	{
		clear(&change, &edits);
		edits_toggle(&edits, 4 + SIDE * SIDE / 2 + i / 2, &change.snap);
		apply(&diagram, &change, &edits);
		assert_in_range(change.diagram.recomputed.count, 3, 30);
	}
	nc_diagram_free(&diagram);
	free_change(&change);
}

static void memory_does_not_grow_with_the_number_of_updates(void** state)
{
	(void)state;
	static Edits edits;
	Change change = {0};
	NcDiagram diagram;
	make_field(&edits);
	world_build_diagram(&edits.all, &diagram);
	int counts[2] = {0};
	for (int i = 0; i < 1200; ++i)
	{
		clear(&change, &edits);
		edits_toggle(&edits, 4 + SIDE * SIDE / 2 + i / 2 % 7, &change.snap);
		apply(&diagram, &change, &edits);
		counts[i >= 200] = diagram.records.count + diagram.junctions.count;
	}
	assert_true(counts[1] <= counts[0]);
	nc_diagram_free(&diagram);
	free_change(&change);
}

// Whether a place is in a list of them.
static bool has_place(const Place* places, int count, const Place* place)
{
	return bsearch(place, places, (size_t)count, sizeof(Place), compare_places) != NULL;
}

// Borders that are there before and not after, or the other way round, touch a changed box.
static void changed_boxes_contain_what_went_and_came(void** state)
{
	(void)state;
	uint64_t seed = 233;
	static Edits edits;
	static World world;
	static Place places[2][MAX_PLACES];
	Change change = {0};
	for (int round = 0; round < 42; ++round)
	{
		NcDiagram diagram;
		edits_make(&edits, &seed, round);
		edits_make_world(&edits, &world);
		world_build_diagram(&world, &diagram);
		for (int step = 0; step < 4; ++step)
		{
			int counts[2] = {list_places(&diagram, places[0])};
			clear(&change, &edits);
			edits_toggle_some(&edits, &seed, 2, &change.snap);
			apply(&diagram, &change, &edits);
			counts[1] = list_places(&diagram, places[1]);
			assert_in_round(change.diagram.changed.count <= NC_MAX_CHANGED_BOXES, round);
			for (int i = 0; i < counts[0] + counts[1]; ++i)
			{
				bool is_new = i >= counts[0];
				const Place* place = &places[is_new][is_new ? i - counts[0] : i];
				bool is_told = has_place(places[!is_new], counts[!is_new], place);
				for (int k = 0; k < change.diagram.changed.count && !is_told; ++k)
				{
					// Contraction moves places by some hundredths of a snap.
					NcBox box = nc_box_grow(
						change.diagram.changed.data[k], get_place_tolerance(&edits.all));
					is_told = nc_box_contains(box, place->ends[0]) &&
							  nc_box_contains(box, place->ends[1]);
				}
				assert_in_round(is_told, round);
			}
		}
		nc_diagram_free(&diagram);
	}
	free_change(&change);
}

static void ranges_have_few_capacities(void** state)
{
	(void)state;
	int last = 0;
	for (int count = 1; count < 2000000; count += 1 + count / 50)
	{
		int capacity = nc_range_capacity(count);
		assert_true(capacity >= count && capacity <= 2 * count + 2);
		assert_true(capacity >= last);
		assert_int_equal(nc_range_capacity(capacity), capacity);
		assert_in_range(nc_range_class(capacity), 0, NC_RANGE_CLASSES - 1);
		assert_true(
			last == 0 || (nc_range_class(capacity) == nc_range_class(last)) == (capacity == last));
		last = capacity;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(changed_diagrams_are_the_same_as_built_ones),
		TEST(only_features_that_exist_have_records),
		TEST(only_what_is_near_is_computed_again),
		TEST(memory_does_not_grow_with_the_number_of_updates),
		TEST(changed_boxes_contain_what_went_and_came),
		TEST(ranges_have_few_capacities),
	};
	return cmocka_run_group_tests_name("diagram_update", tests, NULL, NULL);
}
