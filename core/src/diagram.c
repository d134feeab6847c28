// SPDX-License-Identifier: MIT
// All cells, stitched into one graph: see diagram.h for the terms.
//
// Everything that decides about the result does so by coordinates: which of two neighbours decides
// whether their border exists, and which of the computed positions of a junction is taken. So the
// diagram has the same bits for every order of features and threads.

#include "diagram.h"

#include "check.h"

// Twins begin and end in the same places up to rounding, and up to the pieces that were contracted
// on either side. In snaps.
#define TWIN_DISTANCE (4.0 * NC_CONTRACT_LENGTH)

// Cells.

// What one call of the parallel loop works on.
typedef struct Work
{
	NcDiagram* diagram;
	const NcFeature* features;
	NcCellWorker* workers;
	NcIntArray worker_of; // per feature of the list
} Work;

static void compute_cells(void* context, int begin, int end, int worker)
{
	Work* work = context;
	NcCellWorker* w = &work->workers[worker];
	for (int i = begin; i < end && !nc_cell_worker_failed(w); ++i)
	{
		NcFeature feature = work->features[i];
		NcCell* cell = nc_diagram_cell(work->diagram, feature);
		cell->begin = w->records.count;
		nc_cell_compute(w, &work->diagram->sites, feature);
		cell->count = w->records.count - cell->begin - 1;
		cell->count = cell->count < 0 ? 0 : cell->count;
		work->worker_of.data[i] = worker;
	}
}

// Bring the records of all workers together, in the order of the features.
static bool collect_records(Work* work, int feature_count, int worker_count)
{
	NcDiagram* diagram = work->diagram;
	long long total = 0;
	for (int i = 0; i < worker_count; ++i)
	{
		if (nc_cell_worker_failed(&work->workers[i]))
		{
			return false;
		}
		total += work->workers[i].records.count;
	}
	if (total > INT_MAX / 2 || !nc_array_reserve(&diagram->records, total) ||
		!nc_array_reserve(&diagram->owners, total))
	{
		return false;
	}
	for (int i = 0; i < feature_count; ++i)
	{
		NcCell* cell = nc_diagram_cell(diagram, work->features[i]);
		const NcRecord* from = work->workers[work->worker_of.data[i]].records.data + cell->begin;
		cell->begin = diagram->records.count;
		for (int k = 0; cell->count > 0 && k <= cell->count; ++k)
		{
			diagram->records.data[diagram->records.count++] = from[k];
			diagram->owners.data[diagram->owners.count++] = work->features[i];
		}
	}
	return true;
}

static bool compute_all_cells(
	NcDiagram* diagram, const NcFeature* features, int count, const NcParallel* parallel)
{
	int worker_count = parallel->run != NULL && parallel->worker_count > 1
						   ? parallel->worker_count
						   : 1;
	NcArray(NcCellWorker) workers = {0};
	Work work = {.diagram = diagram, .features = features};
	bool is_done =
		nc_array_resize(&workers, worker_count) && nc_array_resize(&work.worker_of, count);
	if (is_done)
	{
		work.workers = workers.data;
		if (worker_count > 1)
		{
			parallel->run(parallel->context, count, compute_cells, &work);
		}
		else
		{
			compute_cells(&work, 0, count, 0);
		}
		is_done = collect_records(&work, count, worker_count);
	}
	for (int i = 0; i < workers.count; ++i)
	{
		nc_cell_worker_free(&workers.data[i]);
	}
	nc_array_free(&workers);
	nc_array_free(&work.worker_of);
	return is_done;
}

// Twins.

static double max_squared_distance(NcVec2 a, NcVec2 b, NcVec2 c, NcVec2 d)
{
	return nc_max(nc_length_squared(nc_sub(a, b)), nc_length_squared(nc_sub(c, d)));
}

// The piece of the neighbour's cell that runs back along a piece, or NC_NULL_INDEX.
static int find_twin(const NcDiagram* diagram, int piece)
{
	const NcRecord* r = diagram->records.data;
	NcFeature owner = diagram->owners.data[piece];
	const NcCell* cell = nc_diagram_cell(diagram, r[piece].neighbor);
	int best = NC_NULL_INDEX;
	double best_distance = TWIN_DISTANCE * TWIN_DISTANCE;
	for (int i = 0; i < cell->count; ++i)
	{
		int candidate = cell->begin + i;
		if (r[candidate].neighbor != owner)
		{
			continue;
		}
		double distance = max_squared_distance(r[candidate].position, r[piece + 1].position,
			r[candidate + 1].position, r[piece].position);
		if (distance < best_distance)
		{
			best = candidate;
			best_distance = distance;
		}
	}
	return best;
}

static void link_twins(NcDiagram* diagram)
{
	const NcRecord* r = diagram->records.data;
	for (int p = 0; p < diagram->records.count; ++p)
	{
		diagram->twins.data[p] = NC_NULL_INDEX;
	}
	for (int p = 0; p < diagram->records.count; ++p)
	{
		NcFeature g = r[p].neighbor;
		if (g == NC_NULL_INDEX || diagram->twins.data[p] != NC_NULL_INDEX ||
			nc_feature_compare(&diagram->sites, diagram->owners.data[p], g) > 0)
		{
			continue;
		}
		int twin = find_twin(diagram, p);
		if (twin != NC_NULL_INDEX)
		{
			diagram->twins.data[p] = twin;
			diagram->twins.data[twin] = p;
		}
	}
	for (int p = 0; p < diagram->records.count; ++p)
	{
		bool is_lonely = r[p].neighbor != NC_NULL_INDEX && diagram->twins.data[p] == NC_NULL_INDEX;
		diagram->unresolved_count +=
			is_lonely && nc_distance(r[p].position, r[p + 1].position) > TWIN_DISTANCE;
	}
}

// Next.

// The first piece with a twin at or after a record of a cell, or NC_NULL_INDEX.
static int find_linked_piece(const NcDiagram* diagram, const NcCell* cell, int from)
{
	for (int p = from; p < cell->begin + cell->count; ++p)
	{
		if (diagram->twins.data[p] != NC_NULL_INDEX)
		{
			return p;
		}
	}
	return NC_NULL_INDEX;
}

static int find_next(const NcDiagram* diagram, int piece)
{
	NcFeature owner = diagram->owners.data[piece];
	const NcCell* cell = nc_diagram_cell(diagram, owner);
	int next = find_linked_piece(diagram, cell, piece + 1);
	NcFeature feature = owner;
	while (next == NC_NULL_INDEX)
	{
		// A walk around an obstacle comes back to the owner, which has a linked piece.
		feature = nc_feature_next(&diagram->sites, feature);
		cell = nc_diagram_cell(diagram, feature);
		next = find_linked_piece(diagram, cell, cell->begin);
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

// Of all positions that the cells around a junction computed, take the first by coordinates.
static NcVec2 choose_position(const NcDiagram* diagram, int piece)
{
	NcVec2 best = diagram->records.data[piece].position;
	for (int p = diagram->nexts.data[diagram->twins.data[piece]]; p != piece;
		 p = diagram->nexts.data[diagram->twins.data[p]])
	{
		NcVec2 position = diagram->records.data[p].position;
		best = is_before(position, best) ? position : best;
	}
	return best;
}

static void add_junction(NcDiagram* diagram, int piece)
{
	NcJunction junction = {.position = choose_position(diagram, piece), .piece = piece};
	junction.clearance = HUGE_VAL;
	int p = piece;
	do
	{
		diagram->junction_of.data[p] = diagram->junctions.count;
		++junction.degree;
		NcVec2 foot =
			nc_diagram_compute_foot(diagram, diagram->owners.data[p], junction.position);
		junction.clearance =
			nc_min(junction.clearance, nc_distance(foot, junction.position));
		p = diagram->nexts.data[diagram->twins.data[p]];
	} while (p != piece);
	nc_array_push(&diagram->junctions, junction);
}

static bool stitch(NcDiagram* diagram)
{
	int count = diagram->records.count;
	if (!nc_array_resize(&diagram->twins, count) || !nc_array_resize(&diagram->nexts, count) ||
		!nc_array_resize(&diagram->junction_of, count))
	{
		return false;
	}
	link_twins(diagram);
	for (int p = 0; p < count; ++p)
	{
		bool is_linked = diagram->twins.data[p] != NC_NULL_INDEX;
		diagram->nexts.data[p] = is_linked ? find_next(diagram, p) : NC_NULL_INDEX;
		diagram->junction_of.data[p] = NC_NULL_INDEX;
	}
	for (int p = 0; p < count; ++p)
	{
		if (diagram->twins.data[p] != NC_NULL_INDEX &&
			diagram->junction_of.data[p] == NC_NULL_INDEX)
		{
			add_junction(diagram, p);
		}
	}
	return !diagram->junctions.failed;
}

// All features that have a cell: first the sides, then the cones. Cells of one kind run the same
// code, and neighbours in the list are neighbours in the world.
static void list_features(const NcSites* sites, NcIntArray* features)
{
	for (int half = 0; half < 2 * sites->walls.count; ++half)
	{
		if (nc_side_is_free(sites->snap, half))
		{
			nc_array_push(features, nc_side_feature(half));
		}
	}
	for (int v = 0; v < sites->cones.count; ++v)
	{
		if (sites->has_cone.data[v])
		{
			nc_array_push(features, nc_cone_feature(v));
		}
	}
}

NcStatus nc_diagram_build(NcDiagram* diagram, const NcParallel* parallel)
{
	NcSnap* snap = &diagram->snap;
	NcIntArray features = {0};
	bool is_built = nc_sites_build(&diagram->sites, snap) &&
					nc_array_resize(&diagram->side_cells, 2 * snap->fragments.count) &&
					nc_array_resize(&diagram->cone_cells, snap->vertices.count);
	if (is_built)
	{
		list_features(&diagram->sites, &features);
		diagram->cell_count = features.count;
		is_built = !features.failed &&
				   compute_all_cells(diagram, features.data, features.count, parallel) &&
				   stitch(diagram);
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
	nc_array_free(&diagram->owners);
	nc_array_free(&diagram->twins);
	nc_array_free(&diagram->nexts);
	nc_array_free(&diagram->junction_of);
	nc_array_free(&diagram->junctions);
}
