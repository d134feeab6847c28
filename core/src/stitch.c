// SPDX-License-Identifier: MIT
// Link all pieces of all cells at once, on several threads: see diagram.h for the terms.
//
// Junctions are numbered by the first of their pieces, which is found by walking around them. They
// are counted block by block, so that every block knows its first number before any is made.

#include "stitch.h"

#include "check.h"
#include "prefetch.h"

// A number of cells, in the order of their records, and of the junctions that begin in them.
#define CELLS_PER_BLOCK 64

typedef struct Stitch
{
	NcDiagram* diagram;
	const NcFeature* features;
	int feature_count;
	NcIntArray* loose;    // per worker: pieces that no hint linked, each followed by its twin
	int* junction_begins; // per block, and one more
} Stitch;

// Find the twins of pieces that have none. Nobody writes them down yet: others are still reading.
static void find_loose_twins(void* context, int begin, int end, int worker)
{
	const Stitch* s = context;
	for (int i = begin; i < end; ++i)
	{
		const NcCell* cell = nc_diagram_cell(s->diagram, s->features[i]);
		for (int p = cell->begin; p < cell->begin + cell->count; ++p)
		{
			if (s->diagram->records.data[p].twin == NC_NULL_INDEX)
			{
				nc_array_push(&s->loose[worker], p);
				nc_array_push(
					&s->loose[worker], nc_diagram_find_twin(s->diagram, s->features[i], p));
			}
		}
	}
}

static bool link_loose_pieces(const Stitch* s, int worker_count)
{
	bool has_failed = false;
	for (int i = 0; i < worker_count; ++i)
	{
		has_failed |= s->loose[i].failed;
		for (int k = 0; k < s->loose[i].count && !has_failed; k += 2)
		{
			int piece = s->loose[i].data[k];
			int twin = s->loose[i].data[k + 1];
			if (twin != NC_NULL_INDEX)
			{
				s->diagram->records.data[piece].twin = twin;
				s->diagram->records.data[twin].twin = piece;
			}
		}
		nc_array_free(&s->loose[i]);
	}
	return !has_failed;
}

// Backwards, because then what comes next is known, but for the last one.
static void find_nexts(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Stitch* s = context;
	NcRecord* records = s->diagram->records.data;
	for (int i = begin; i < end; ++i)
	{
		const NcCell* cell = nc_diagram_cell(s->diagram, s->features[i]);
		int next = NC_NULL_INDEX;
		for (int p = cell->begin + cell->capacity - 1; p >= cell->begin; --p)
		{
			bool is_linked = records[p].twin >= 0;
			bool is_last = is_linked && next == NC_NULL_INDEX;
			records[p].next = is_last     ? nc_diagram_find_first_after(s->diagram, s->features[i])
							  : is_linked ? next
										  : NC_NULL_INDEX;
			records[p].junction = NC_NULL_INDEX;
			next = is_linked ? p : next;
		}
	}
}

// The records of a block.
static void get_block(const Stitch* s, int block, int* begin, int* end)
{
	int first = block * CELLS_PER_BLOCK;
	int last = first + CELLS_PER_BLOCK;
	last = last < s->feature_count ? last : s->feature_count;
	const NcCell* last_cell = nc_diagram_cell(s->diagram, s->features[last - 1]);
	*begin = nc_diagram_cell(s->diagram, s->features[first])->begin;
	*end = last_cell->begin + last_cell->count;
}

// The first of the pieces that begin in a junction speaks for all of them. Pieces have no edge yet,
// so that is where it says so.
#define FIRST_OF_JUNCTION 0

static bool is_first_of_junction(const NcDiagram* diagram, int piece)
{
	int p = nc_piece_around(diagram, piece);
	while (p > piece)
	{
		p = nc_piece_around(diagram, p);
	}
	return p == piece;
}

// What a junction is made of is up to a block of cells away in memory. So all records come into the
// cache in their order, before they are needed, and then the places of the neighbours they name.
#define RECORDS_AHEAD 1500
#define NEIGHBORS_AHEAD 750

NC_PREFETCHING void prefetch_ahead(const NcDiagram* diagram, int piece)
{
	if (piece + RECORDS_AHEAD < diagram->records.count)
	{
		nc_prefetch_record(diagram, piece + RECORDS_AHEAD);
		nc_prefetch_neighbor(diagram, piece + NEIGHBORS_AHEAD);
	}
}

static void count_junctions(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Stitch* s = context;
	for (int block = begin; block < end; ++block)
	{
		int p, block_end;
		int count = 0;
		for (get_block(s, block, &p, &block_end); p < block_end; ++p)
		{
			prefetch_ahead(s->diagram, p);
			if (nc_piece_is_linked(s->diagram, p) && is_first_of_junction(s->diagram, p))
			{
				s->diagram->records.data[p].edge = FIRST_OF_JUNCTION;
				++count;
			}
		}
		s->junction_begins[block + 1] = count;
	}
}

static void add_junction(NcDiagram* diagram, int piece, int index)
{
	diagram->junctions.data[index] = nc_diagram_compute_junction(diagram, piece);
	int p = piece;
	do
	{
		diagram->records.data[p].junction = index;
		p = nc_piece_around(diagram, p);
	} while (p != piece);
}

static void add_junctions(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Stitch* s = context;
	for (int block = begin; block < end; ++block)
	{
		int p, block_end;
		int index = s->junction_begins[block];
		for (get_block(s, block, &p, &block_end); p < block_end; ++p)
		{
			if (s->diagram->records.data[p].edge == FIRST_OF_JUNCTION)
			{
				s->diagram->records.data[p].edge = NC_NULL_INDEX;
				add_junction(s->diagram, p, index++);
			}
		}
	}
}

// A single worker can number them as it goes: no junction has a number unless it is finished.
bool nc_diagram_make_junctions(NcDiagram* diagram)
{
	const NcRecord* records = diagram->records.data;
	bool is_done = nc_array_reserve(&diagram->junctions, diagram->records.count / 4 + 1);
	for (int p = 0; is_done && p < diagram->records.count; ++p)
	{
		prefetch_ahead(diagram, p);
		if (records[p].twin >= 0 && records[p].junction == NC_NULL_INDEX)
		{
			int index = diagram->junctions.count;
			is_done = nc_array_reserve(&diagram->junctions, index + 1LL);
			if (is_done)
			{
				++diagram->junctions.count;
				add_junction(diagram, p, index);
			}
		}
	}
	nc_array_shrink(&diagram->junctions);
	return is_done;
}

static bool make_junctions(Stitch* s, const NcParallel* parallel)
{
	if (nc_parallel_count_workers(parallel) == 1)
	{
		return nc_diagram_make_junctions(s->diagram);
	}
	int block_count = (s->feature_count + CELLS_PER_BLOCK - 1) / CELLS_PER_BLOCK;
	NcIntArray begins = {0};
	bool is_done = nc_array_resize(&begins, block_count + 1);
	if (is_done)
	{
		s->junction_begins = begins.data;
		nc_parallel_run(parallel, block_count, count_junctions, s);
		for (int i = 0; i < block_count; ++i)
		{
			begins.data[i + 1] += begins.data[i];
		}
		is_done = nc_array_resize_raw(&s->diagram->junctions, begins.data[block_count]);
	}
	if (is_done)
	{
		nc_parallel_run(parallel, block_count, add_junctions, s);
	}
	nc_array_free(&begins);
	return is_done;
}

bool nc_diagram_stitch(
	NcDiagram* diagram, const NcFeature* features, int feature_count, const NcParallel* parallel)
{
	NcArray(NcIntArray) loose = {0};
	int worker_count = nc_parallel_count_workers(parallel);
	Stitch s = {.diagram = diagram, .features = features, .feature_count = feature_count};
	bool is_done = nc_array_resize(&loose, worker_count);
	if (is_done)
	{
		s.loose = loose.data;
		nc_parallel_run(parallel, feature_count, find_loose_twins, &s);
		is_done = link_loose_pieces(&s, worker_count);
	}
	nc_array_free(&loose);
	if (is_done)
	{
		nc_parallel_run(parallel, feature_count, find_nexts, &s);
		is_done = make_junctions(&s, parallel);
	}
	return is_done;
}
