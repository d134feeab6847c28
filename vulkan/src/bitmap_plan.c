// SPDX-License-Identifier: MIT

// The planner of 1998: Dijkstra's algorithm on the cells of a bitmap, or A* with the distance to
// the goal on an empty bitmap. Costs are whole numbers, as in the paper, so that equal costs are
// equal; of equal ones the cell with the lower number goes first.
//
// This work is based on:
// Kuffner. Goal-Directed Navigation for Animated Characters Using Real-Time Path Planning and
// Control. 1998

#include "nav_corridor/bitmap.h"

#include "grow.h"

#include <assert.h>
#include <string.h>

// The cost of a step straight and a step across, and how much a cell is worth.
typedef struct Costs
{
	int64_t straight, across;
} Costs;

static const Costs cost_table[] = {
	[NC_BITMAP_COSTS_1998] = {10, 14},
	[NC_BITMAP_COSTS_EXACT] = {1 << 20, 1482910}, // 2^20 times the root of 2
};

typedef struct Entry
{
	int64_t priority;
	int cell;
} Entry;

typedef struct Search
{
	const NcBitmap* bitmap;
	const NcBitmapPathDef* def;
	Costs costs;
	int64_t* lengths; // per cell, from the start; negative: not reached
	uint8_t* parents; // per cell: the direction that it was reached by
	uint8_t* is_done;
	Entry* heap;
	int heap_count, heap_capacity;
	int looked_at;
} Search;

static const int step_x[8] = {1, -1, 0, 0, 1, -1, 1, -1};
static const int step_y[8] = {0, 0, 1, -1, 1, 1, -1, -1};

static bool is_before(Entry a, Entry b)
{
	return a.priority < b.priority || (a.priority == b.priority && a.cell < b.cell);
}

static bool push(Search* search, Entry entry)
{
	if (!nc_grow(
			(void**)&search->heap, &search->heap_capacity, sizeof(Entry), search->heap_count + 1LL))
	{
		return false;
	}
	int i = search->heap_count++;
	while (i > 0 && is_before(entry, search->heap[(i - 1) / 2]))
	{
		search->heap[i] = search->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	search->heap[i] = entry;
	return true;
}

static Entry pop(Search* search)
{
	Entry top = search->heap[0];
	Entry last = search->heap[--search->heap_count];
	int i = 0;
	for (int child = 1; child < search->heap_count; child = 2 * i + 1)
	{
		if (child + 1 < search->heap_count &&
			is_before(search->heap[child + 1], search->heap[child]))
		{
			++child;
		}
		if (!is_before(search->heap[child], last))
		{
			break;
		}
		search->heap[i] = search->heap[child];
		i = child;
	}
	search->heap[i] = last;
	return top;
}

// What the way to the goal costs at least.
static int64_t estimate(const Search* search, int x, int y)
{
	if (search->def->search == NC_BITMAP_DIJKSTRA)
	{
		return 0;
	}
	int64_t dx = x > search->def->goal.x ? x - search->def->goal.x : search->def->goal.x - x;
	int64_t dy = y > search->def->goal.y ? y - search->def->goal.y : search->def->goal.y - y;
	int64_t across = dx < dy ? dx : dy;
	return across * search->costs.across + (dx + dy - 2 * across) * search->costs.straight;
}

// Look at the neighbours of a cell. False if memory ran out.
static bool expand(Search* search, int cell)
{
	int width = search->bitmap->width;
	for (int i = 0; i < 8; ++i)
	{
		int x = cell % width + step_x[i];
		int y = cell / width + step_y[i];
		if (nc_bitmap_is_blocked(search->bitmap, x, y))
		{
			continue;
		}
		int next = y * width + x;
		int64_t length =
			search->lengths[cell] + (i < 4 ? search->costs.straight : search->costs.across);
		if (search->lengths[next] >= 0 && search->lengths[next] <= length)
		{
			continue;
		}
		search->lengths[next] = length;
		search->parents[next] = (uint8_t)i;
		if (!push(search, (Entry){length + estimate(search, x, y), next}))
		{
			return false;
		}
	}
	return true;
}

static bool run(Search* search, int start, int goal)
{
	search->lengths[start] = 0;
	if (!push(search, (Entry){0, start}))
	{
		return false;
	}
	while (search->heap_count > 0)
	{
		int cell = pop(search).cell;
		if (search->is_done[cell])
		{
			continue;
		}
		search->is_done[cell] = 1;
		++search->looked_at;
		if (cell == goal)
		{
			return true;
		}
		if (!expand(search, cell))
		{
			return false;
		}
	}
	return true;
}

// Follow the parents from the goal back to the start.
static NcStatus collect(const Search* search, int start, int goal, NcBitmapPath* path)
{
	int width = search->bitmap->width;
	int count = 1;
	for (int cell = goal; cell != start; ++count)
	{
		cell -= step_y[search->parents[cell]] * width + step_x[search->parents[cell]];
	}
	path->cells = nc_allocate(NULL, 0, sizeof(NcCell2) * (size_t)count);
	if (path->cells == NULL)
	{
		return NC_OUT_OF_MEMORY;
	}
	path->count = count;
	path->length =
		(double)search->lengths[goal] / (double)search->costs.straight * search->bitmap->cell_size;
	for (int cell = goal; count > 0;)
	{
		path->cells[--count] = (NcCell2){cell % width, cell / width};
		cell -=
			count == 0 ? 0 : step_y[search->parents[cell]] * width + step_x[search->parents[cell]];
	}
	return NC_OK;
}

static NcStatus search_path(Search* search, size_t cell_count, NcBitmapPath* path)
{
	const NcBitmapPathDef* def = search->def;
	int width = search->bitmap->width;
	int start = def->start.y * width + def->start.x;
	int goal = def->goal.y * width + def->goal.x;
	if (search->lengths == NULL || search->parents == NULL || search->is_done == NULL)
	{
		return NC_OUT_OF_MEMORY;
	}
	memset(search->lengths, 0xff, sizeof(int64_t) * cell_count);
	memset(search->is_done, 0, cell_count);
	if (!run(search, start, goal))
	{
		return NC_OUT_OF_MEMORY;
	}
	path->looked_at = search->looked_at;
	return search->is_done[goal] ? collect(search, start, goal, path) : NC_OK;
}

NcStatus nc_bitmap_find_path(const NcBitmap* bitmap, const NcBitmapPathDef* def, NcBitmapPath* path)
{
	assert(bitmap->words != NULL && def != NULL && path != NULL);
	*path = (NcBitmapPath){0};
	if (nc_bitmap_is_blocked(bitmap, def->start.x, def->start.y) ||
		nc_bitmap_is_blocked(bitmap, def->goal.x, def->goal.y))
	{
		return NC_OK;
	}
	size_t cell_count = (size_t)bitmap->width * (size_t)bitmap->height;
	if (cell_count > INT_MAX)
	{
		return NC_TOO_LARGE;
	}
	Search search = {
		.bitmap = bitmap,
		.def = def,
		.costs = cost_table[def->costs],
		.lengths = nc_allocate(NULL, 0, sizeof(int64_t) * cell_count),
		.parents = nc_allocate(NULL, 0, cell_count),
		.is_done = nc_allocate(NULL, 0, cell_count),
	};
	NcStatus status = search_path(&search, cell_count, path);
	nc_allocate(search.lengths, search.lengths != NULL ? sizeof(int64_t) * cell_count : 0, 0);
	nc_allocate(search.parents, search.parents != NULL ? cell_count : 0, 0);
	nc_allocate(search.is_done, search.is_done != NULL ? cell_count : 0, 0);
	nc_grow_free((void**)&search.heap, &search.heap_capacity, sizeof(Entry));
	return status;
}

void nc_bitmap_path_free(NcBitmapPath* path)
{
	nc_allocate(path->cells, sizeof(NcCell2) * (size_t)path->count, 0);
	*path = (NcBitmapPath){0};
}
