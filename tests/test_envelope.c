// SPDX-License-Identifier: MIT

// Lower envelopes against the minimum of all functions at densely sampled places.

#include "test.h"

#include "envelope.h"

#define MAX_FUNCTIONS 40
#define SAMPLES 500

typedef struct Function
{
	NcPiece piece; // `lo` as it was inserted
	double hi;
} Function;

// A quadratic of the sizes that cells have; some are straight, some are copies of others.
static Function make_function(uint64_t* seed, const Function* others, int count)
{
	Function f = {.piece = {.a = random_between(seed, -0.2, 0.5),
					  .b = random_between(seed, -3.0, 3.0),
					  .c = random_between(seed, -5.0, 20.0),
					  .id = count}};
	int kind = random_int(seed, 0, 5);
	if (kind == 0)
	{
		f.piece.a = 0.0;
	}
	else if (kind == 1)
	{
		f.piece.a = f.piece.b = 0.0;
		f.piece.c = random_int(seed, -3, 10);
	}
	else if (kind == 2 && count > 0)
	{
		f.piece = others[random_int(seed, 0, count - 1)].piece;
		f.piece.id = count;
	}
	f.piece.lo = random_between(seed, -12.0, 12.0);
	f.hi = random_between(seed, -12.0, 12.0);
	if (random_int(seed, 0, 2) == 0)
	{
		f.piece.lo = -1e300;
		f.hi = 1e300;
	}
	return f;
}

static double compute_minimum(const Function* functions, int count, double t)
{
	double best = HUGE_VAL;
	for (int i = 0; i < count; ++i)
	{
		if (functions[i].piece.lo <= t && t <= functions[i].hi)
		{
			best = nc_min(best, nc_piece_evaluate(&functions[i].piece, t));
		}
	}
	return best;
}

static const NcPiece* find_piece(const NcEnvelope* envelope, double t)
{
	const NcPiece* p = envelope->pieces.data;
	int k = 0;
	while (k + 1 < envelope->count && p[k + 1].lo <= t)
	{
		++k;
	}
	return &p[k];
}

static void require_minimum(
	const NcEnvelope* envelope, const Function* functions, int count, int round)
{
	const NcPiece* p = envelope->pieces.data;
	for (int k = 0; k < envelope->count; ++k)
	{
		assert_in_round(p[k].lo < p[k + 1].lo, round);
		assert_in_round(k == 0 || p[k].id != p[k - 1].id || p[k].c != p[k - 1].c ||
							p[k].b != p[k - 1].b || p[k].a != p[k - 1].a,
			round);
	}
	for (int i = 0; i < SAMPLES; ++i)
	{
		double t = -10.0 + 20.0 * (i + 0.5) / SAMPLES;
		double value = nc_piece_evaluate(find_piece(envelope, t), t);
		assert_in_round(fabs(value - compute_minimum(functions, count, t)) < 1e-9, round);
	}
}

static void envelope_is_the_minimum_of_all_functions(void** state)
{
	(void)state;
	uint64_t seed = 51;
	NcEnvelope envelope = {0};
	for (int round = 0; round < 300; ++round)
	{
		Function functions[MAX_FUNCTIONS];
		functions[0] = (Function){.piece = {.lo = -1e300, .c = 50.0}, .hi = 1e300};
		assert_true(nc_envelope_reset(&envelope, -10.0, 10.0, functions[0].piece));
		int count = 1;
		while (count < MAX_FUNCTIONS)
		{
			functions[count] = make_function(&seed, functions, count);
			nc_envelope_insert(&envelope, functions[count].piece, functions[count].hi);
			++count;
		}
		require_minimum(&envelope, functions, count, round);
	}
	nc_envelope_free(&envelope);
}

static void order_of_insertion_does_not_change_the_function(void** state)
{
	(void)state;
	uint64_t seed = 52;
	NcEnvelope envelope = {0};
	for (int round = 0; round < 100; ++round)
	{
		Function functions[MAX_FUNCTIONS];
		int order[MAX_FUNCTIONS];
		functions[0] = (Function){.piece = {.lo = -1e300, .c = 50.0}, .hi = 1e300};
		for (int i = 1; i < MAX_FUNCTIONS; ++i)
		{
			functions[i] = make_function(&seed, functions, i);
			order[i] = i;
		}
		shuffle(&seed, order + 1, MAX_FUNCTIONS - 1);
		nc_envelope_reset(&envelope, -10.0, 10.0, functions[0].piece);
		for (int i = 1; i < MAX_FUNCTIONS; ++i)
		{
			nc_envelope_insert(&envelope, functions[order[i]].piece, functions[order[i]].hi);
		}
		require_minimum(&envelope, functions, MAX_FUNCTIONS, round);
	}
	nc_envelope_free(&envelope);
}

static void functions_that_stay_above_change_nothing(void** state)
{
	(void)state;
	NcEnvelope envelope = {0};
	nc_envelope_reset(&envelope, 0.0, 10.0, (NcPiece){.c = 5.0});
	int change_count = envelope.change_count;
	nc_envelope_insert(&envelope, (NcPiece){.lo = 0.0, .c = 6.0, .id = 1}, 10.0);
	nc_envelope_insert(&envelope, (NcPiece){.lo = 0.0, .c = 5.0, .id = 2}, 10.0);
	nc_envelope_insert(&envelope, (NcPiece){.lo = 11.0, .c = 1.0, .id = 3}, 12.0);
	nc_envelope_insert(&envelope, (NcPiece){.lo = -5.0, .c = 1.0, .id = 4}, 0.0);
	nc_envelope_insert(&envelope, (NcPiece){.lo = 7.0, .c = 1.0, .id = 5}, 3.0);
	nc_envelope_insert(&envelope, (NcPiece){.lo = 4.0, .c = 1.0, .id = 6}, 4.0);
	nc_envelope_insert(&envelope, (NcPiece){.lo = NOT_A_NUMBER, .c = 1.0, .id = 7}, NOT_A_NUMBER);
	assert_int_equal(envelope.change_count, change_count);
	assert_int_equal(envelope.count, 1);
	nc_envelope_free(&envelope);
}

// Rounding neither leaves a gap at an end of the interval nor puts a sliver there.
static void bounds_next_to_the_ends_are_at_the_ends(void** state)
{
	(void)state;
	NcEnvelope envelope = {0};
	double lo = -0.41421356237309503;
	double hi = 0.41421356237309503;
	assert_true(nc_envelope_reset(&envelope, lo, hi, (NcPiece){.c = 100.0, .id = -1}));
	double after = lo + 4e-16;
	double before = hi - 4e-16;
	assert_true(after > lo && before < hi);
	nc_envelope_insert(&envelope, (NcPiece){.lo = -1.0, .c = 1.0, .id = 1}, after);
	nc_envelope_insert(&envelope, (NcPiece){.lo = before, .c = 1.0, .id = 2}, 1.0);
	assert_int_equal(envelope.count, 1);
	assert_int_equal(envelope.pieces.data[0].id, -1);
	nc_envelope_insert(&envelope, (NcPiece){.lo = after, .c = 2.0, .id = 3}, before);
	assert_int_equal(envelope.count, 1);
	assert_int_equal(envelope.pieces.data[0].id, 3);
	assert_true(envelope.pieces.data[0].lo == lo && envelope.pieces.data[0].valid_lo == after);
	nc_envelope_insert(&envelope, (NcPiece){.lo = -1.0, .c = 1.0, .id = 4}, lo + 1e-14);
	assert_int_equal(envelope.count, 2);
	nc_envelope_free(&envelope);
}

static void parabola_between_two_samples_is_seen(void** state)
{
	(void)state;
	// It is below only between 4.9 and 5.1, far from both ends of the piece.
	NcEnvelope envelope = {0};
	nc_envelope_reset(&envelope, 0.0, 10.0, (NcPiece){.c = 1.0});
	double a = 100.0;
	assert_true(nc_envelope_is_above(&envelope, a, -10.0 * a, 25.0 * a));
	nc_envelope_insert(
		&envelope, (NcPiece){.lo = 0.0, .a = a, .b = -10.0 * a, .c = 25.0 * a, .id = 1}, 10.0);
	assert_int_equal(envelope.count, 3);
	assert_near(envelope.pieces.data[1].lo, 4.9, 1e-12);
	assert_near(envelope.pieces.data[2].lo, 5.1, 1e-12);
	assert_int_equal(envelope.pieces.data[1].id, 1);
	assert_int_equal(envelope.pieces.data[2].id, 0);
	nc_envelope_free(&envelope);
}

static void is_above_agrees_with_samples(void** state)
{
	(void)state;
	uint64_t seed = 53;
	NcEnvelope envelope = {0};
	int counts[2] = {0};
	for (int round = 0; round < 500; ++round)
	{
		Function functions[8] = {{.piece = {.c = 20.0}}};
		nc_envelope_reset(&envelope, -10.0, 10.0, functions[0].piece);
		for (int i = 1; i < 8; ++i)
		{
			functions[i] = make_function(&seed, functions, i);
			nc_envelope_insert(&envelope, functions[i].piece, functions[i].hi);
		}
		Function probe = make_function(&seed, functions, 8);
		probe.piece.c += random_between(&seed, -10.0, 10.0);
		double least = HUGE_VAL;
		for (int i = 0; i <= SAMPLES; ++i)
		{
			double t = -10.0 + 20.0 * i / SAMPLES;
			double value = nc_piece_evaluate(find_piece(&envelope, t), t);
			least = nc_min(least, nc_piece_evaluate(&probe.piece, t) - value);
		}
		bool is_above =
			nc_envelope_is_above(&envelope, probe.piece.a, probe.piece.b, probe.piece.c);
		++counts[is_above];

		// Between two samples a difference of these functions changes by less than 0.5.
		assert_in_round(least >= -1e-9 || is_above, round);
		assert_in_round(least < 0.5 || !is_above, round);
	}
	assert_true(counts[0] > 50 && counts[1] > 50);
	nc_envelope_free(&envelope);
}

static void intersections_have_the_same_bits_in_either_order(void** state)
{
	(void)state;
	uint64_t seed = 54;
	int counts[3] = {0};
	for (int round = 0; round < 5000; ++round)
	{
		Function f = make_function(&seed, NULL, 0);
		Function g = make_function(&seed, NULL, 0);
		double roots[2] = {0.0, 0.0};
		double reversed[2] = {0.0, 0.0};
		int count = nc_piece_intersect(&f.piece, &g.piece, roots);
		assert_in_round(nc_piece_intersect(&g.piece, &f.piece, reversed) == count, round);
		++counts[count];
		for (int i = 0; i < count; ++i)
		{
			assert_in_round(roots[i] == reversed[i], round);
			double value = nc_piece_evaluate(&f.piece, roots[i]);
			double scale = fabs(value) + (1.0 + roots[i] * roots[i]);
			assert_in_round(
				fabs(value - nc_piece_evaluate(&g.piece, roots[i])) <= 1e-12 * scale, round);
		}
		assert_in_round(count < 2 || roots[0] <= roots[1], round);
	}
	assert_true(counts[0] > 100 && counts[1] > 100 && counts[2] > 100);
}

static void equal_and_parallel_functions_do_not_intersect(void** state)
{
	(void)state;
	NcPiece f = {.a = 1.0, .b = 2.0, .c = 3.0};
	NcPiece g = {.a = 1.0, .b = 2.0, .c = 4.0};
	double roots[2];
	assert_int_equal(nc_piece_intersect(&f, &f, roots), 0);
	assert_int_equal(nc_piece_intersect(&f, &g, roots), 0);
	NcPiece touching = {.a = 2.0, .b = 2.0, .c = 3.0};
	assert_int_equal(nc_piece_intersect(&f, &touching, roots), 0);
}

static void running_out_of_memory_keeps_the_envelope(void** state)
{
	(void)state;
	FailingAllocator allocator = {.first_fail = 0};
	nc_set_allocator(allocate_or_fail, &allocator);
	NcEnvelope envelope = {0};
	assert_false(nc_envelope_reset(&envelope, 0.0, 10.0, (NcPiece){.c = 5.0}));
	nc_envelope_free(&envelope);

	allocator = (FailingAllocator){.first_fail = 2};
	envelope = (NcEnvelope){0};
	assert_true(nc_envelope_reset(&envelope, 0.0, 1000.0, (NcPiece){.c = 5.0}));
	for (int i = 0; i < 100; ++i)
	{
		NcPiece piece = {.lo = 10.0 * i + 2.0, .c = 1.0, .id = i};
		nc_envelope_insert(&envelope, piece, 10.0 * i + 7.0);
	}
	assert_true(envelope.pieces.failed || envelope.spare.failed);
	assert_true(envelope.count < envelope.pieces.capacity);
	nc_envelope_free(&envelope);
	nc_set_allocator(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(envelope_is_the_minimum_of_all_functions),
		TEST(order_of_insertion_does_not_change_the_function),
		TEST(functions_that_stay_above_change_nothing),
		TEST(bounds_next_to_the_ends_are_at_the_ends),
		TEST(parabola_between_two_samples_is_seen),
		TEST(is_above_agrees_with_samples),
		TEST(intersections_have_the_same_bits_in_either_order),
		TEST(equal_and_parallel_functions_do_not_intersect),
		TEST(running_out_of_memory_keeps_the_envelope),
	};
	return cmocka_run_group_tests_name("envelope", tests, NULL, NULL);
}
