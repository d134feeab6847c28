// SPDX-License-Identifier: MIT
// All cells, stitched into one graph: see diagram.h for the terms. This file builds everything at
// once; diagram_update.c changes parts of it.

#include "diagram.h"

#include "check.h"
#include "hint.h"
#include "prefetch.h"
#include "refine.h"
#include "stitch.h"

int nc_range_capacity(int record_count)
{
	if (record_count <= 64)
	{
		return (record_count + 1) & ~1;
	}
	int capacity = 128;
	while (capacity < record_count)
	{
		capacity *= 2;
	}
	return capacity;
}

int nc_range_class(int capacity)
{
	if (capacity <= 64)
	{
		return capacity / 2 - 1;
	}
	int class = 32;
	for (int c = 128; c < capacity; c *= 2)
	{
		++class;
	}
	return class;
}

// Cells.

// Fill the rest of a range.
static void pad_records(NcCellWorker* w, int count)
{
	for (int i = 0; i < count && !w->records.failed; ++i)
	{
		NcRecord last = w->records.data[w->records.count - 1];
		nc_array_push(&w->records, last);
	}
}

// What one call of the parallel loop works on.
typedef struct Work
{
	NcDiagram* diagram;
	const NcFeature* features;
	NcCellWorker* workers;
	const int* worker_of; // who computed each cell, while they are brought together
} Work;

// Where two cells along an obstacle meet, they have the same neighbour: if the one before or after
// is computed already, by the same worker, its outermost neighbours are good guesses.
static void guess_neighbors(const NcSites* sites, NcFeature feature, NcCellWorker* w)
{
	int before = nc_hints_find_cell(w, nc_feature_previous(sites, feature));
	int after = nc_hints_find_cell(w, nc_feature_next(sites, feature));
	const NcRecord* records = w->records.data;
	NcFeature guesses[2] = {NC_NULL_INDEX, NC_NULL_INDEX};
	if (before != NC_NULL_INDEX)
	{
		int piece = before;
		while (records[piece + 1].neighbor != NC_NULL_INDEX)
		{
			++piece;
		}
		guesses[0] = records[piece].neighbor;
	}
	if (after != NC_NULL_INDEX)
	{
		guesses[1] = records[after].neighbor;
	}
	for (int i = 0; i < 2; ++i)
	{
		if (guesses[i] != feature && guesses[i] != NC_NULL_INDEX)
		{
			nc_hints_add_guess(w, guesses[i]);
		}
	}
}

// Until all records are together, the capacity of a cell names its worker, counted from one.
static void compute_cell(const Work* work, NcFeature feature, int worker)
{
	NcCellWorker* w = &work->workers[worker];
	NcCell* cell = nc_diagram_cell(work->diagram, feature);
	w->hints.count = 0;
	nc_hints_collect(w, feature);
	guess_neighbors(&work->diagram->sites, feature, w);
	cell->begin = w->records.count;
	nc_cell_compute(w, &work->diagram->sites, feature);
	cell->count = w->records.count - cell->begin - 1;
	cell->capacity = worker + 1;
	nc_hints_finish_cell(w, feature, cell->begin);
	pad_records(w, nc_range_capacity(cell->count + 1) - cell->count - 1);
}

// Cones find what their sides needed.
NC_PREFETCHING void prefetch_ahead(const Work* work, int i, int end)
{
	const NcSites* sites = &work->diagram->sites;
	const NcFeature* feature = work->features + i;
	if (i + NC_PLACE_AHEAD < end)
	{
		nc_prefetch_place(sites, feature[NC_PLACE_AHEAD]);
		nc_prefetch_lists(sites, feature[NC_LISTS_AHEAD]);
		nc_prefetch_items(sites, feature[NC_ITEMS_AHEAD]);
	}
}

static void compute_cells(void* context, int begin, int end, int worker)
{
	const Work* work = context;
	for (int i = begin; i < end && !nc_cell_worker_failed(&work->workers[worker]); ++i)
	{
		prefetch_ahead(work, i, end);
		compute_cell(work, work->features[i], worker);
	}
}

// Copy a cell from its worker to its place, and number its twins as the diagram does.
static void collect_cell(const Work* work, NcFeature feature, int worker)
{
	const NcCellWorker* w = &work->workers[worker];
	const NcCell* cell = nc_diagram_cell(work->diagram, feature);
	NcRecord* records = work->diagram->records.data + cell->begin;
	memcpy(records, w->records.data + nc_hints_find_cell(w, feature),
		sizeof(NcRecord) * (size_t)cell->capacity);
	for (int i = 0; i < cell->count; ++i)
	{
		if (records[i].twin >= 0)
		{
			NcFeature neighbor = records[i].neighbor;
			records[i].twin +=
				nc_diagram_cell(work->diagram, neighbor)->begin - nc_hints_find_cell(w, neighbor);
		}
	}
}

static void collect_cells(void* context, int begin, int end, int worker)
{
	(void)worker;
	const Work* work = context;
	for (int i = begin; i < end; ++i)
	{
		collect_cell(work, work->features[i], work->worker_of[i]);
	}
}

// Give every cell its place, then move all of them there.
static bool collect_from_all(Work* work, int feature_count, const NcParallel* parallel)
{
	NcDiagram* diagram = work->diagram;
	NcIntArray worker_of = {0};
	if (!nc_array_resize(&worker_of, feature_count))
	{
		return false;
	}
	for (int i = 0; i < feature_count; ++i)
	{
		NcCell* cell = nc_diagram_cell(diagram, work->features[i]);
		worker_of.data[i] = cell->capacity - 1;
		cell->capacity = nc_range_capacity(cell->count + 1);
		cell->begin = diagram->records.count;
		diagram->records.count += cell->capacity;
	}
	work->worker_of = worker_of.data;
	nc_parallel_run(parallel, feature_count, collect_cells, work);
	nc_array_free(&worker_of);
	return true;
}

// Edits append records, and to move all of them then would take milliseconds.
static long long add_room_for_edits(long long record_count)
{
	return record_count + record_count / 8;
}

// A single worker has the records in the right order already.
static void take_from_one(const Work* work, int feature_count)
{
	NcDiagram* diagram = work->diagram;
	for (int i = 0; i < feature_count; ++i)
	{
		NcCell* cell = nc_diagram_cell(diagram, work->features[i]);
		cell->capacity = nc_range_capacity(cell->count + 1);
	}
	memcpy(&diagram->records, &work->workers[0].records, sizeof(diagram->records));
	memset(&work->workers[0].records, 0, sizeof(work->workers[0].records));
	long long capacity = add_room_for_edits(diagram->records.count);
	if (capacity < diagram->records.capacity)
	{
		diagram->records.data = nc_array_shrink_block(
			diagram->records.data, &diagram->records.capacity, (int)capacity, sizeof(NcRecord));
	}
}

// Bring the records of all workers together, in the order of the features.
static bool collect_records(Work* work, int feature_count, const NcParallel* parallel)
{
	int worker_count = nc_parallel_count_workers(parallel);
	long long total = 0;
	for (int i = 0; i < worker_count; ++i)
	{
		if (nc_cell_worker_failed(&work->workers[i]))
		{
			return false;
		}
		total += work->workers[i].records.count;
	}
	if (total > INT_MAX / 2)
	{
		return false;
	}
	if (worker_count == 1)
	{
		take_from_one(work, feature_count);
		return true;
	}
	return nc_array_reserve(&work->diagram->records, add_room_for_edits(total)) &&
		   collect_from_all(work, feature_count, parallel);
}

// Ask for candidates. Walls are numbered as nc_map_get_wall() does: fragments, then isolated
// points.
static bool find_candidates(
	const NcDiagram* diagram, const NcParallel* parallel, NcCandidates* candidates)
{
	const NcSites* sites = &diagram->sites;
	const NcSnap* snap = &diagram->snap;
	int fragment_count = sites->walls.count;
	NcArray(NcCandidateWall) walls = {0};
	if (parallel->find_candidates == NULL ||
		!nc_array_resize(&walls, fragment_count + snap->vertices.count))
	{
		return false; // Without memory for this, the grid still works.
	}
	NcBox bounds = nc_box_empty();
	for (int i = 0; i < walls.count; ++i)
	{
		NcCandidateWall* wall = &walls.data[i];
		if (i < fragment_count)
		{
			const NcWall* w = &sites->walls.data[i];
			*wall = (NcCandidateWall){w->a, w->b, nc_fragment_exists(snap, i) && !w->is_open};
		}
		else
		{
			int vertex = i - fragment_count;
			const NcCone* cone = &sites->cones.data[vertex];
			bool is_point = sites->has_cone.data[vertex] && nc_cone_is_full(cone);
			*wall = (NcCandidateWall){cone->apex, cone->apex, is_point};
		}
		bounds =
			wall->is_used ? nc_box_add_point(nc_box_add_point(bounds, wall->a), wall->b) : bounds;
	}
	bool is_found = parallel->find_candidates(
		parallel->candidates_context, bounds, walls.data, walls.count, candidates);
	nc_array_free(&walls);
	return is_found;
}

// Cells have about this many records, with room to spare.
#define RECORDS_PER_CELL 6

static bool compute_all_cells(
	NcDiagram* diagram, const NcFeature* features, int count, const NcParallel* parallel)
{
	int worker_count = nc_parallel_count_workers(parallel);
	NcArray(NcCellWorker) workers = {0};
	NcCandidates candidates;
	bool has_candidates = find_candidates(diagram, parallel, &candidates);
	bool is_done = nc_array_resize(&workers, worker_count);
	for (int i = 0; is_done && i < worker_count; ++i)
	{
		workers.data[i].candidates = has_candidates ? &candidates : NULL;
		is_done = nc_hints_reserve(&workers.data[i], nc_diagram_get_feature_range(diagram));
	}
	// One worker's records stay where they are; room that is not needed is given back. Workers that
	// let their records grow would touch far more memory than they need.
	for (int i = 0; is_done && i < worker_count; ++i)
	{
		is_done = nc_array_reserve(
			&workers.data[i].records, RECORDS_PER_CELL * (long long)count / worker_count);
	}
	if (is_done)
	{
		Work work = {.diagram = diagram, .features = features, .workers = workers.data};
		nc_parallel_run(parallel, count, compute_cells, &work);
		is_done = collect_records(&work, count, parallel);
	}
	for (int i = 0; i < workers.count; ++i)
	{
		nc_cell_worker_free(&workers.data[i]);
	}
	nc_array_free(&workers);
	return is_done;
}

// Twins.

// Twins begin and end in the same places up to rounding, and up to the pieces that were contracted
// on either side. In snaps.
#define TWIN_DISTANCE (4.0 * NC_CONTRACT_LENGTH)

// The piece of the neighbour's cell that runs back along a piece best, with both ends within a
// distance, or NC_NULL_INDEX.
// @param distance the limit; receives the square of how far their ends are apart
static int find_match_within(const NcDiagram* diagram, NcFeature owner, int piece, double* distance)
{
	const NcRecord* r = diagram->records.data;
	const NcCell* cell = nc_diagram_cell(diagram, r[piece].neighbor);
	int best = NC_NULL_INDEX;
	double best_distance = *distance * *distance;
	for (int q = cell->begin; q < cell->begin + cell->count; ++q)
	{
		if (r[q].neighbor != owner || nc_record_is_tiny(&r[q]))
		{
			continue;
		}
		double apart = nc_max(nc_length_squared(nc_sub(r[q].position, r[piece + 1].position)),
			nc_length_squared(nc_sub(r[q + 1].position, r[piece].position)));
		if (apart < best_distance)
		{
			best = q;
			best_distance = apart;
		}
	}
	*distance = best_distance;
	return best;
}

// In the largest worlds, with sites that are close together, even a piece that is longer than the
// contraction length can be lost in a double. Then the ends of the pieces beside it differ by as
// much; but those are far longer still. In parts of their length.
#define LOST_SHARE 0.1

static int find_best_match(const NcDiagram* diagram, NcFeature owner, int piece, double* distance)
{
	*distance = TWIN_DISTANCE;
	int best = find_match_within(diagram, owner, piece, distance);
	if (best == NC_NULL_INDEX)
	{
		const NcRecord* r = diagram->records.data;
		double length = nc_distance(r[piece].position, r[piece + 1].position);
		*distance = LOST_SHARE * length;
		best = find_match_within(diagram, owner, piece, distance);
	}
	return best;
}

int nc_diagram_find_twin(const NcDiagram* diagram, NcFeature owner, int piece)
{
	const NcRecord* record = &diagram->records.data[piece];
	if (record->neighbor == NC_NULL_INDEX || nc_record_is_tiny(record))
	{
		return NC_NULL_INDEX;
	}
	double distance;
	int twin = find_best_match(diagram, owner, piece, &distance);
	if (twin == NC_NULL_INDEX || distance < NC_SAME_PLACE * NC_SAME_PLACE)
	{
		return twin; // No other piece begins and ends there: they are longer than that.
	}
	bool is_mutual = find_best_match(diagram, record->neighbor, twin, &distance) == piece;
	return is_mutual ? twin : NC_NULL_INDEX;
}

// Next.

int nc_diagram_find_linked(const NcDiagram* diagram, const NcCell* cell, int from)
{
	for (int p = from; p < cell->begin + cell->count; ++p)
	{
		if (nc_piece_is_linked(diagram, p))
		{
			return p;
		}
	}
	return NC_NULL_INDEX;
}

// A walk around an obstacle comes back to the feature, which has a linked piece.
int nc_diagram_find_first_after(const NcDiagram* diagram, NcFeature feature)
{
	int next = NC_NULL_INDEX;
	while (next == NC_NULL_INDEX)
	{
		feature = nc_feature_next(&diagram->sites, feature);
		const NcCell* cell = nc_diagram_cell(diagram, feature);
		next = nc_diagram_find_linked(diagram, cell, cell->begin);
	}
	return next;
}

// Junctions.

NcVec2 nc_diagram_compute_foot(const NcDiagram* diagram, NcFeature feature, NcVec2 p)
{
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return diagram->sites.cones.data[index].apex;
	}
	const NcWall* wall = &diagram->sites.walls.data[index >> 1];
	return nc_closest_on_segment(p, wall->a, wall->b);
}

static bool is_before(NcVec2 a, NcVec2 b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// The piece around a junction whose beginning is its position; of several, the first by its sites.
static int find_first_piece(const NcDiagram* diagram, const NcJunction* junction)
{
	const NcRecord* r = diagram->records.data;
	int best = NC_NULL_INDEX;
	int p = junction->piece;
	do
	{
		bool is_there =
			r[p].position.x == junction->position.x && r[p].position.y == junction->position.y;
		if (is_there && best == NC_NULL_INDEX)
		{
			best = p;
		}
		else if (is_there)
		{
			int order = nc_feature_compare(
				&diagram->sites, nc_piece_owner(diagram, p), nc_piece_owner(diagram, best));
			order = order != 0
						? order
						: nc_feature_compare(&diagram->sites, r[p].neighbor, r[best].neighbor);
			best = order < 0 ? p : best;
		}
		p = nc_piece_around(diagram, p);
	} while (p != junction->piece);
	return best;
}

// The features that decide where a piece begins: those on both sides of it and of the piece before
// it around the junction. @return how many there are
static int list_deciding_features(const NcDiagram* diagram, int piece, NcFeature features[4])
{
	int before = piece;
	while (nc_piece_around(diagram, before) != piece)
	{
		before = nc_piece_around(diagram, before);
	}
	const NcRecord* r = diagram->records.data;
	NcFeature all[] = {nc_piece_owner(diagram, piece), r[piece].neighbor,
		nc_piece_owner(diagram, before), r[before].neighbor};
	int count = 0;
	for (int i = 0; i < NC_COUNT(all); ++i)
	{
		bool is_new = true;
		for (int k = 0; k < count; ++k)
		{
			is_new = is_new && features[k] != all[i];
		}
		if (is_new)
		{
			features[count++] = all[i];
		}
	}
	return count;
}

// Cells that disagree by more than this about a junction, in snaps, had too few digits for it; or,
// if more than three borders meet, they contracted something.
#define DOUBTFUL_LENGTH 1e-4

static void refine_junction(const NcDiagram* diagram, NcJunction* junction)
{
	NcFeature features[4];
	int piece = find_first_piece(diagram, junction);
	int count = list_deciding_features(diagram, piece, features);
	NcVec2 position = junction->position;
	if (nc_refine_position(&diagram->sites, features, count, false, TWIN_DISTANCE, &position))
	{
		junction->position = position;
		junction->clearance = HUGE_VAL;
		for (int i = 0; i < count; ++i)
		{
			NcVec2 foot = nc_diagram_compute_foot(diagram, features[i], position);
			junction->clearance = nc_min(junction->clearance, nc_distance(foot, position));
		}
	}
}

// More borders than this begin in one place in worlds that are made for it only.
#define MAX_OWNERS 8

// Those who say that a junction is where it is.
typedef struct Owners
{
	NcFeature features[MAX_OWNERS];
	int count; // of all of them, listed or not
} Owners;

// Of all positions that the cells around a junction computed, take the first by coordinates.
// @return how far they are apart
static double find_position(const NcDiagram* diagram, NcJunction* junction, Owners* owners)
{
	const NcRecord* r = diagram->records.data;
	NcVec2 best = r[junction->piece].position;
	NcBox box = {best, best};
	int p = junction->piece;
	do
	{
		const NcRecord* twin = &r[r[p].twin];
		NcVec2 position = r[p].position;
		if (is_before(position, best))
		{
			best = position;
			owners->count = 0;
		}
		if (position.x == best.x && position.y == best.y)
		{
			owners->features[owners->count < MAX_OWNERS ? owners->count : 0] = twin->neighbor;
			++owners->count;
		}
		box = nc_box_add_point(box, position);
		++junction->degree;
		p = twin->next;
	} while (p != junction->piece);
	junction->position = best;
	return box.upper.x - box.lower.x + (box.upper.y - box.lower.y);
}

static double compute_clearance(const NcDiagram* diagram, NcFeature owner, NcVec2 position)
{
	return nc_distance(nc_diagram_compute_foot(diagram, owner, position), position);
}

// The same as find_position() followed by the clearances, for any number of owners.
static double find_clearance_of_many(const NcDiagram* diagram, const NcJunction* junction)
{
	double clearance = HUGE_VAL;
	int p = junction->piece;
	do
	{
		NcVec2 position = diagram->records.data[p].position;
		if (position.x == junction->position.x && position.y == junction->position.y)
		{
			clearance =
				nc_min(clearance, compute_clearance(diagram, nc_piece_owner(diagram, p), position));
		}
		p = nc_piece_around(diagram, p);
	} while (p != junction->piece);
	return clearance;
}

// The clearance is the smallest of those who say that this is the place. Where they disagree, find
// out.
NcJunction nc_diagram_compute_junction(const NcDiagram* diagram, int piece)
{
	NcJunction junction = {.clearance = HUGE_VAL, .piece = piece};
	Owners owners = {.count = 0};
	double spread = find_position(diagram, &junction, &owners);
	for (int i = 0; i < owners.count && i < MAX_OWNERS; ++i)
	{
		junction.clearance = nc_min(
			junction.clearance, compute_clearance(diagram, owners.features[i], junction.position));
	}
	if (owners.count > MAX_OWNERS)
	{
		junction.clearance = find_clearance_of_many(diagram, &junction);
	}
	if (spread > DOUBTFUL_LENGTH && junction.degree <= 3)
	{
		refine_junction(diagram, &junction);
	}
	return junction;
}

// Building.

// All features that have a cell, in blocks: first the sides of some fragments, then the cones of as
// many vertices. Cells of one kind run the same code, cones get their sides' neighbours as seeds,
// and what is close in the list is close in the world and in memory.
#define FRAGMENTS_PER_BLOCK 128

static void list_features(const NcSites* sites, NcIntArray* features)
{
	int vertex = 0;
	for (int f = 0; f < sites->walls.count || vertex < sites->cones.count;)
	{
		int end = f + FRAGMENTS_PER_BLOCK;
		for (; f < end && f < sites->walls.count; ++f)
		{
			for (int half = 2 * f; half <= 2 * f + 1; ++half)
			{
				if (nc_side_is_free(sites->snap, half))
				{
					nc_array_push(features, nc_side_feature(half));
				}
			}
		}
		// Vertices are numbered as their fragments are, but there may be more of them.
		bool is_last = f == sites->walls.count;
		int vertex_end = is_last ? sites->cones.count
								 : (int)((double)sites->cones.count * f / sites->walls.count);
		for (; vertex < vertex_end; ++vertex)
		{
			if (sites->has_cone.data[vertex])
			{
				nc_array_push(features, nc_cone_feature(vertex));
			}
		}
	}
}

NcStatus nc_diagram_build(NcDiagram* diagram, const NcParallel* parallel)
{
	NcSnap* snap = &diagram->snap;
	NcIntArray features = {0};
	bool is_built = nc_sites_build(&diagram->sites, snap, parallel) &&
					nc_array_resize(&diagram->side_cells, 2 * snap->fragments.count) &&
					nc_array_resize(&diagram->cone_cells, snap->vertices.count);
	if (is_built)
	{
		list_features(&diagram->sites, &features);
		is_built = !features.failed &&
				   compute_all_cells(diagram, features.data, features.count, parallel) &&
				   nc_diagram_stitch(diagram, features.data, features.count, parallel);
	}
	nc_array_free(&features);
	return is_built ? NC_OK : NC_OUT_OF_MEMORY;
}

void nc_diagram_free(NcDiagram* diagram)
{
	nc_snap_free(&diagram->snap);
	nc_sites_free(&diagram->sites);
	nc_array_free(&diagram->side_cells);
	nc_array_free(&diagram->cone_cells);
	nc_array_free(&diagram->records);
	nc_array_free(&diagram->junctions);
	nc_array_free(&diagram->free_junctions);
	for (int i = 0; i < NC_RANGE_CLASSES; ++i)
	{
		nc_array_free(&diagram->free_ranges[i]);
	}
}

// Counting.

int nc_diagram_count_cells(const NcDiagram* diagram)
{
	int count = 0;
	for (int half = 0; half < 2 * diagram->snap.fragments.count; ++half)
	{
		count += nc_side_is_free(&diagram->snap, half);
	}
	for (int v = 0; v < diagram->sites.has_cone.count; ++v)
	{
		count += diagram->sites.has_cone.data[v];
	}
	return count;
}

static int count_unresolved_in(const NcDiagram* diagram, const NcCell* cell)
{
	const NcRecord* r = diagram->records.data;
	int count = 0;
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		bool is_lonely = !nc_piece_is_linked(diagram, p) && !nc_record_is_tiny(&r[p]);
		count += is_lonely && nc_distance(r[p].position, r[p + 1].position) > TWIN_DISTANCE;
	}
	return count;
}

int nc_diagram_count_unresolved(const NcDiagram* diagram)
{
	int count = 0;
	for (int i = 0; i < diagram->side_cells.count; ++i)
	{
		count += count_unresolved_in(diagram, &diagram->side_cells.data[i]);
	}
	for (int i = 0; i < diagram->cone_cells.count; ++i)
	{
		count += count_unresolved_in(diagram, &diagram->cone_cells.data[i]);
	}
	return count;
}
