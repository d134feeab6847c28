// SPDX-License-Identifier: MIT

// The grid against plain arrays, and the cells of segments against dense samples.

#include "test.h"

#include "grid.h"
#include "grid_boxes.h"

#define COLUMNS 5
#define ROWS 3
#define ITEMS 40

// Which items each cell of the model holds, and how many times.
typedef struct Model
{
	int counts[COLUMNS * ROWS][ITEMS];
} Model;

static void require_equal(const NcGrid* grid, const Model* model)
{
	for (int cell = 0; cell < COLUMNS * ROWS; ++cell)
	{
		int counts[ITEMS] = {0};
		NcGridList list = grid->lists.data[cell];
		assert_true(list.count <= list.capacity);
		for (int k = 0; k < list.count; ++k)
		{
			++counts[grid->pool.data[list.start + k]];
		}
		assert_memory_equal(counts, model->counts[cell], sizeof(counts));
	}
}

static void lists_hold_what_was_added_and_not_removed(void** state)
{
	(void)state;
	uint64_t seed = 31;
	Model model = {0};
	NcGrid grid = {0};
	nc_grid_init(&grid, (NcBox){{0.0, 0.0}, {50.0, 30.0}}, COLUMNS, ROWS);
	nc_grid_allocate(&grid);
	for (int round = 0; round < 3000; ++round)
	{
		int cell = random_int(&seed, 0, COLUMNS * ROWS - 1);
		int item = random_int(&seed, 0, ITEMS - 1);
		if (random_int(&seed, 0, 2) > 0)
		{
			nc_grid_add(&grid, cell, item, NULL);
			++model.counts[cell][item];
		}
		else
		{
			nc_grid_remove(&grid, cell, item, NULL);
			model.counts[cell][item] -= model.counts[cell][item] > 0;
		}
	}
	assert_false(nc_grid_failed(&grid));
	require_equal(&grid, &model);
	nc_grid_free(&grid);
}

static void counted_items_lie_packed_in_cell_order(void** state)
{
	(void)state;
	NcGrid grid = {0};
	nc_grid_init(&grid, (NcBox){{0.0, 0.0}, {50.0, 30.0}}, COLUMNS, ROWS);
	Model model = {0};
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int item = 0; item < ITEMS; ++item)
		{
			int cell = item * item % (COLUMNS * ROWS);
			pass == 0 ? nc_grid_count(&grid, cell) : nc_grid_add(&grid, cell, item, NULL);
			model.counts[cell][item] += pass;
		}
		pass == 0 ? nc_grid_allocate(&grid) : (void)0;
	}
	require_equal(&grid, &model);
	int start = 0;
	for (int cell = 0; cell < COLUMNS * ROWS; ++cell)
	{
		assert_int_equal(grid.lists.data[cell].start, start);
		start += grid.lists.data[cell].count;
	}
	assert_int_equal(grid.pool.count, ITEMS);
	nc_grid_free(&grid);
}

static void places_outside_belong_to_the_border_cells(void** state)
{
	(void)state;
	NcGrid grid = {0};
	nc_grid_init(&grid, (NcBox){{-10.0, 100.0}, {40.0, 130.0}}, COLUMNS, ROWS);
	struct
	{
		double x, y;
		int column, row;
	} cases[] = {
		{-10.0, 100.0, 0, 0},
		{0.0, 110.0, 1, 1},
		{39.9, 129.9, 4, 2},
		{40.0, 130.0, 4, 2},
		{-1e9, 1e9, 0, 2},
		{1e9, -1e9, 4, 0},
		{HUGE_VAL, -HUGE_VAL, 4, 0},
		{NOT_A_NUMBER, NOT_A_NUMBER, 0, 0},
	};
	for (int i = 0; i < NC_COUNT(cases); ++i)
	{
		int cell = nc_grid_cell_of(&grid, cases[i].x, cases[i].y);
		assert_int_equal(cell, cases[i].row * COLUMNS + cases[i].column);
	}
	NcCellRange range = nc_grid_range(&grid, (NcBox){{-1e9, 105.0}, {5.0, 125.0}});
	assert_int_equal(range.i0, 0);
	assert_int_equal(range.i1, 1);
	assert_int_equal(range.j0, 0);
	assert_int_equal(range.j1, 2);
	nc_grid_free(&grid);
}

// Whether the cells of a segment include that of a point.
static bool includes(const NcGrid* grid, const NcSegmentCells* cells, NcVec2 p)
{
	int row = nc_grid_row(grid, p.y);
	if (row < cells->range.j0 || row > cells->range.j1)
	{
		return false;
	}
	int first, last;
	nc_grid_segment_row(grid, cells, row, &first, &last);
	int column = nc_grid_column(grid, p.x);
	return first <= column && column <= last;
}

static void segments_find_all_cells_around_them(void** state)
{
	(void)state;
	uint64_t seed = 32;
	NcGrid grid = {0};
	nc_grid_init(&grid, (NcBox){{-100.0, -60.0}, {100.0, 60.0}}, 23, 9);
	NcBox around = {{-140.0, -90.0}, {140.0, 90.0}};
	for (int round = 0; round < 2000; ++round)
	{
		NcVec2 a = random_vec2(&seed, around);
		NcVec2 b = random_vec2(&seed, around);
		if (round % 3 == 0)
		{
			a = (NcVec2){random_int(&seed, -10, 10) * 10.0, random_int(&seed, -6, 6) * 10.0};
			b = (NcVec2){random_int(&seed, -10, 10) * 10.0, random_int(&seed, -6, 6) * 10.0};
		}
		double margin = round % 2 ? random_between(&seed, 0.0, 15.0) : 0.0;
		NcSegmentCells cells = nc_grid_segment_cells(&grid, a, b, margin);
		for (int i = 0; i <= 50; ++i)
		{
			NcVec2 p = nc_lerp(a, b, i / 50.0);
			NcVec2 direction = nc_direction(random_between(&seed, 0.0, 6.3));
			NcVec2 q = nc_mul_add(p, 0.999 * margin, direction);
			assert_in_round(includes(&grid, &cells, p), round);
			assert_in_round(includes(&grid, &cells, q), round);
		}
	}
	nc_grid_free(&grid);
}

static void diagonal_segments_leave_most_cells_alone(void** state)
{
	(void)state;
	NcGrid grid = {0};
	nc_grid_init(&grid, (NcBox){{0.0, 0.0}, {100.0, 100.0}}, 50, 50);
	NcSegmentCells cells =
		nc_grid_segment_cells(&grid, (NcVec2){1.0, 1.0}, (NcVec2){99.0, 99.0}, 0.0);
	int count = 0;
	for (int j = cells.range.j0 + 1; j < cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(&grid, &cells, j, &first, &last);
		count += last - first + 1;
	}
	assert_true(count < 200);
	nc_grid_free(&grid);
}

// Every point of a segment must be in a box of the cell in which a search looks for it.
static void boxes_of_long_cells_contain_their_segments(void** state)
{
	(void)state;
	uint64_t seed = 33;
	NcGrid grid = {0};
	NcGridBoxes boxes = {0};
	nc_grid_init(&grid, (NcBox){{-100.0, -600.0}, {100.0, 600.0}}, 20, 6);
	assert_true(nc_grid_boxes_init(&boxes, &grid));
	assert_int_equal(boxes.count, 20 * 6);
	NcBox around = {{-140.0, -900.0}, {140.0, 900.0}};
	for (int round = 0; round < 500; ++round)
	{
		NcVec2 a = random_vec2(&seed, around);
		NcVec2 b = round % 7 == 0 ? a : random_vec2(&seed, around);
		nc_grid_boxes_add(&boxes, &grid, a, b);
		for (int i = 0; i <= 50; ++i)
		{
			NcVec2 p = nc_lerp(a, b, i / 50.0);
			const NcCellBoxes* in = &boxes.data[nc_grid_cell_of(&grid, p.x, p.y)];
			assert_in_round(nc_box_contains(in->wide, p) || nc_box_contains(in->other, p), round);
		}
	}
	nc_array_free(&boxes);
	nc_grid_free(&grid);
}

static void boxes_stay_close_to_what_they_contain(void** state)
{
	(void)state;
	NcGrid grid = {0};
	NcGridBoxes boxes = {0};
	nc_grid_init(&grid, (NcBox){{0.0, 0.0}, {100.0, 1000.0}}, 10, 2);
	assert_true(nc_grid_boxes_init(&boxes, &grid));
	nc_grid_boxes_add(&boxes, &grid, (NcVec2){5.0, 100.0}, (NcVec2){5.0, 700.0});
	nc_grid_boxes_add(&boxes, &grid, (NcVec2){-20.0, 3.0}, (NcVec2){95.0, 3.0});
	assert_vec2(boxes.data[0].other.lower, 5.0, 100.0, 0.1);
	assert_vec2(boxes.data[0].other.upper, 5.0, 500.0, 0.1);
	assert_vec2(boxes.data[10].other.upper, 5.0, 700.0, 0.1);
	assert_vec2(boxes.data[0].wide.lower, -20.0, 3.0, 0.1);
	assert_vec2(boxes.data[0].wide.upper, 10.0, 3.0, 0.1);
	assert_true(nc_box_is_empty(boxes.data[1].other));
	assert_true(nc_box_is_empty(boxes.data[10].wide));
	nc_array_free(&boxes);
	nc_grid_free(&grid);
}

static void square_cells_have_no_boxes(void** state)
{
	(void)state;
	NcGrid grid = {0};
	NcGridBoxes boxes = {0};
	nc_grid_init(&grid, (NcBox){{0.0, 0.0}, {50.0, 30.0}}, COLUMNS, ROWS);
	assert_true(nc_grid_boxes_init(&boxes, &grid));
	nc_grid_boxes_add(&boxes, &grid, (NcVec2){5.0, 5.0}, (NcVec2){45.0, 25.0});
	assert_int_equal(boxes.count, 0);
	nc_grid_free(&grid);
}

static void* allocate_nothing(void* context, void* memory, size_t old_size, size_t new_size)
{
	(void)context, (void)old_size;
	if (new_size == 0)
	{
		free(memory);
	}
	return NULL;
}

static void failed_grids_say_so_and_stay_whole(void** state)
{
	(void)state;
	NcGrid grid = {0};
	nc_grid_init(&grid, (NcBox){{0.0, 0.0}, {50.0, 30.0}}, COLUMNS, ROWS);
	nc_set_allocator(allocate_nothing, NULL);
	nc_grid_add(&grid, 3, 7, NULL);
	assert_true(nc_grid_failed(&grid));
	assert_int_equal(grid.lists.data[3].count, 0);

	NcGrid empty = {0};
	nc_grid_init(&empty, (NcBox){{0.0, 0.0}, {50.0, 30.0}}, COLUMNS, ROWS);
	assert_true(nc_grid_failed(&empty));
	nc_grid_free(&empty);
	nc_grid_free(&grid);
	nc_set_allocator(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lists_hold_what_was_added_and_not_removed),
		TEST(counted_items_lie_packed_in_cell_order),
		TEST(places_outside_belong_to_the_border_cells),
		TEST(segments_find_all_cells_around_them),
		TEST(diagonal_segments_leave_most_cells_alone),
		TEST(boxes_of_long_cells_contain_their_segments),
		TEST(boxes_stay_close_to_what_they_contain),
		TEST(square_cells_have_no_boxes),
		TEST(failed_grids_say_so_and_stay_whole),
	};
	return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
