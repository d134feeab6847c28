// SPDX-License-Identifier: MIT
// Changing a diagram in place: see diagram_update.h.
//
// Why the neighbours are enough: if a point belongs to another feature after a removal, its way
// straight to the nearest point of that feature left the old cell directly into the cell of that
// feature, so the two had a common border. Removed and added features together are a removal
// followed by an insertion, and insertions are removals backwards.

#include "diagram_update.h"

#include "check.h"
#include "hint.h"

typedef struct Context
{
	NcDiagram* diagram;
	const NcSitesUpdate* sites;
	NcDiagramUpdate* update;
	NcJournal* journal;
} Context;

static bool fail(const Context* c)
{
	c->journal->has_failed = true;
	return false;
}

// Stamps.

static bool next_stamp(Context* c)
{
	NcDiagramUpdate* u = c->update;
	++u->stamp;
	return nc_array_resize(&u->side_stamps, c->diagram->side_cells.count) &&
		   nc_array_resize(&u->cone_stamps, c->diagram->cone_cells.count);
}

// Mark a feature. @return whether it was not marked before
static bool mark(Context* c, NcFeature feature)
{
	NcIntArray* stamps =
		nc_feature_is_cone(feature) ? &c->update->cone_stamps : &c->update->side_stamps;
	int* stamp = &stamps->data[nc_feature_index(feature)];
	bool is_new = *stamp != c->update->stamp;
	*stamp = c->update->stamp;
	return is_new;
}

// Recomputing.

// Most neighbours of a cell stay when it changes.
static void guess_old_neighbors(Context* c, NcFeature feature)
{
	const NcDiagram* diagram = c->diagram;
	NcCellWorker* w = &c->update->worker;
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		NcFeature neighbor = diagram->records.data[p].neighbor;
		if (neighbor != NC_NULL_INDEX && nc_feature_exists(&diagram->sites, neighbor) &&
			nc_hints_find_cell(w, neighbor) == NC_NULL_INDEX)
		{
			nc_hints_add_guess(w, neighbor);
		}
	}
}

// New features of one obstacle share neighbours.
static void guess_from_last_cell(Context* c, NcFeature feature)
{
	NcDiagramUpdate* u = c->update;
	NcCellWorker* w = &u->worker;
	if (u->starts.count == 0)
	{
		return;
	}
	for (int k = u->starts.data[u->starts.count - 1]; k < w->records.count; ++k)
	{
		NcFeature neighbor = w->records.data[k].neighbor;
		if (neighbor != NC_NULL_INDEX && neighbor != feature)
		{
			nc_hints_add_guess(w, neighbor);
		}
	}
}

static void compute_cell(Context* c, NcFeature feature)
{
	NcDiagramUpdate* u = c->update;
	int begin = u->worker.records.count;
	nc_array_push(&u->recomputed, feature);
	nc_array_push(&u->starts, begin);
	nc_cell_compute(&u->worker, &c->diagram->sites, feature);
	nc_hints_finish_cell(&u->worker, feature, begin);
}

static void compute_fresh_cell(Context* c, NcFeature feature)
{
	c->update->worker.hints.count = 0;
	nc_hints_collect(&c->update->worker, feature);
	guess_from_last_cell(c, feature);
	compute_cell(c, feature);
}

static void compute_dirty_cell(Context* c, NcFeature feature)
{
	c->update->worker.hints.count = 0;
	nc_hints_collect(&c->update->worker, feature);
	guess_old_neighbors(c, feature);
	compute_cell(c, feature);
}

// Tiny pieces need not be seen from both sides, so one may still name a feature that went long ago.
static void push_dirty(Context* c, NcFeature feature)
{
	if (feature != NC_NULL_INDEX && nc_feature_exists(&c->diagram->sites, feature) &&
		mark(c, feature))
	{
		nc_array_push(&c->update->dirty, feature);
	}
}

// @return how many of them are neighbours of dead features: these come first
static int find_dirty_features(Context* c)
{
	NcDiagram* diagram = c->diagram;
	for (int i = 0; i < c->sites->dead.count; ++i)
	{
		mark(c, c->sites->dead.data[i]);
	}
	for (int i = 0; i < c->sites->fresh.count; ++i)
	{
		mark(c, c->sites->fresh.data[i]);
	}
	for (int i = 0; i < c->sites->dead.count; ++i)
	{
		const NcCell* cell = nc_diagram_cell(diagram, c->sites->dead.data[i]);
		for (int k = 0; k < cell->count; ++k)
		{
			push_dirty(c, diagram->records.data[cell->begin + k].neighbor);
		}
	}
	int count = c->update->dirty.count;
	const NcRecord* records = c->update->worker.records.data;
	for (int k = 0; k < c->update->worker.records.count; ++k)
	{
		push_dirty(c, records[k].neighbor);
	}
	return count;
}

static void list_candidates(NcCellWorker* w, const NcFeature* features, int count)
{
	for (int i = 0; i < count; ++i)
	{
		int index = nc_feature_index(features[i]);
		if (nc_feature_is_cone(features[i]))
		{
			nc_array_push(&w->listed_cones, index);
		}
		else
		{
			nc_array_push(&w->listed_walls, index >> 1);
		}
	}
}

// Longer lists take longer than searching.
#define MAX_LISTED_CANDIDATES 64

// A dirty cell can get new neighbours only from two sides: fresh features, and those that were
// neighbours of dead ones, for the same reason that makes these the only ones to be computed again.
static void compute_dirty_cells(Context* c, int dead_neighbor_count)
{
	NcDiagramUpdate* u = c->update;
	NcCellWorker* w = &u->worker;
	w->is_listed = dead_neighbor_count + c->sites->fresh.count <= MAX_LISTED_CANDIDATES;
	w->listed_walls.count = w->listed_cones.count = 0;
	if (w->is_listed)
	{
		list_candidates(w, u->dirty.data, dead_neighbor_count);
		list_candidates(w, c->sites->fresh.data, c->sites->fresh.count);
	}
	for (int i = 0; i < u->dirty.count && !nc_cell_worker_failed(w); ++i)
	{
		compute_dirty_cell(c, u->dirty.data[i]);
	}
	w->is_listed = false;
}

bool nc_diagram_recompute(
	NcDiagram* diagram, const NcSitesUpdate* sites, NcDiagramUpdate* update, NcJournal* journal)
{
	Context c = {diagram, sites, update, journal};
	const NcSnap* snap = &diagram->snap;
	if (!nc_array_resize(&diagram->side_cells, 2 * snap->fragments.count) ||
		!nc_array_resize(&diagram->cone_cells, snap->vertices.count) || !next_stamp(&c) ||
		!nc_hints_reserve(&update->worker, nc_diagram_get_feature_range(diagram)))
	{
		return fail(&c);
	}
	update->worker.records.count = 0;
	for (int i = 0; i < sites->fresh.count && !nc_cell_worker_failed(&update->worker); ++i)
	{
		compute_fresh_cell(&c, sites->fresh.data[i]);
	}
	int dead_neighbor_count = find_dirty_features(&c);
	compute_dirty_cells(&c, dead_neighbor_count);
	bool is_done = !nc_cell_worker_failed(&update->worker) && !update->dirty.failed &&
				   !update->recomputed.failed && !update->starts.failed &&
				   nc_array_push(&update->starts, update->worker.records.count);
	return is_done || fail(&c);
}

// Unlinking.

// Empty the junction in which a piece begins.
static void free_junction(Context* c, int piece)
{
	NcDiagram* diagram = c->diagram;
	int junction = diagram->records.data[piece].junction;
	if (junction == NC_NULL_INDEX)
	{
		return;
	}
	int degree = diagram->junctions.data[junction].degree;
	if (!nc_journal_reserve(c->journal, degree + 1))
	{
		return;
	}
	nc_array_push(&c->update->dead_junctions, junction);
	int p = piece;
	do
	{
		*nc_edit_member(c->journal, &diagram->records, p, junction) = NC_NULL_INDEX;
		nc_array_push(&c->update->loose, p);
		p = nc_piece_around(diagram, p);
	} while (p != piece);
	*nc_edit_member(c->journal, &diagram->junctions, junction, degree) = 0;
}

static void free_junctions_of_cell(Context* c, NcFeature feature)
{
	const NcCell* cell = nc_diagram_cell(c->diagram, feature);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		if (nc_piece_is_linked(c->diagram, p))
		{
			free_junction(c, p);
			free_junction(c, nc_piece_twin(c->diagram, p));
		}
	}
}

// How far a point of the cell of a feature is from it.
static double compute_clearance(const NcSites* sites, NcFeature feature, NcVec2 p)
{
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		return nc_distance(p, sites->cones.data[index].apex);
	}
	const NcWall* wall = &sites->walls.data[index >> 1];
	NcVec2 q = nc_sub(p, wall->a);
	return fabs(wall->direction.x * q.y - wall->direction.y * q.x) * wall->direction.inverse_length;
}

// Note the box of a cell, together with boxes that it overlaps. The discs around the ends of its
// pieces contain it: they touch the feature, and borders do not bulge out of their hull.
static void push_changed_box(Context* c, NcFeature feature, const NcRecord* records, int count)
{
	NcBox box = nc_box_empty();
	for (int i = 0; i <= count; ++i)
	{
		NcVec2 p = records[i].position;
		double radius = compute_clearance(&c->diagram->sites, feature, p);
		box.lower.x = nc_min(box.lower.x, p.x - radius);
		box.lower.y = nc_min(box.lower.y, p.y - radius);
		box.upper.x = nc_max(box.upper.x, p.x + radius);
		box.upper.y = nc_max(box.upper.y, p.y + radius);
	}
	for (int i = 0; i < c->update->changed.count; ++i)
	{
		NcBox* other = &c->update->changed.data[i];
		bool is_full = c->update->changed.count == NC_MAX_CHANGED_BOXES;
		if (is_full || nc_box_overlaps(*other, box))
		{
			*other = nc_box_union(*other, box);
			return;
		}
	}
	nc_array_push(&c->update->changed, box);
}

// Cut a cell off, and give its records away.
static void unlink_cell(Context* c, NcFeature feature)
{
	NcDiagram* diagram = c->diagram;
	NcCell cell = *nc_diagram_cell(diagram, feature);
	if (cell.capacity == 0 || !nc_journal_reserve(c->journal, 2 * cell.count + 1))
	{
		return;
	}
	push_changed_box(c, feature, diagram->records.data + cell.begin, cell.count);
	for (int p = cell.begin; p < cell.begin + cell.count; ++p)
	{
		int twin = nc_piece_twin(diagram, p);
		if (twin >= 0)
		{
			nc_array_push(&c->update->around, diagram->records.data[p].neighbor);
			*nc_edit_member(c->journal, &diagram->records, twin, twin) = NC_NULL_INDEX;
			*nc_edit_member(c->journal, &diagram->records, p, twin) = NC_NULL_INDEX;
		}
	}
	nc_array_push(&c->update->dead_ranges, cell.begin);
	nc_array_push(&c->update->dead_ranges, cell.capacity);
	if (nc_feature_is_cone(feature))
	{
		*nc_edit(c->journal, &diagram->cone_cells, nc_feature_index(feature)) = (NcCell){0};
	}
	else
	{
		*nc_edit(c->journal, &diagram->side_cells, nc_feature_index(feature)) = (NcCell){0};
	}
}

static void unlink_cells(Context* c)
{
	const NcIntArray* lists[] = {&c->sites->dead, &c->update->dirty};
	for (int l = 0; l < NC_COUNT(lists); ++l)
	{
		for (int i = 0; i < lists[l]->count; ++i)
		{
			unlink_cell(c, lists[l]->data[i]);
		}
	}
}

// Storing.

// Find room for records: an old range, or the end of the array.
static int take_range(Context* c, int capacity)
{
	NcDiagram* diagram = c->diagram;
	NcIntArray* ranges = &diagram->free_ranges[nc_range_class(capacity)];
	if (ranges->count > 0)
	{
		nc_journal_save_memory(c->journal, &ranges->count, (int)sizeof(int));
		return ranges->data[--ranges->count];
	}
	int begin = diagram->records.count;
	if (begin > INT_MAX / 2 || !nc_array_resize(&diagram->records, begin + capacity))
	{
		fail(c);
		return NC_NULL_INDEX;
	}
	return begin;
}

static void store_cell(Context* c, int index)
{
	NcDiagram* diagram = c->diagram;
	NcDiagramUpdate* u = c->update;
	NcFeature feature = u->recomputed.data[index];
	const NcRecord* from = u->worker.records.data + u->starts.data[index];
	int count = u->starts.data[index + 1] - u->starts.data[index] - 1;
	int capacity = nc_range_capacity(count + 1);
	if (!nc_journal_reserve(c->journal, 2))
	{
		return;
	}
	int begin = take_range(c, capacity);
	if (begin == NC_NULL_INDEX)
	{
		return;
	}
	NcCell cell = {begin, count, capacity};
	if (nc_feature_is_cone(feature))
	{
		*nc_edit(c->journal, &diagram->cone_cells, nc_feature_index(feature)) = cell;
	}
	else
	{
		*nc_edit(c->journal, &diagram->side_cells, nc_feature_index(feature)) = cell;
	}
	push_changed_box(c, feature, from, count);
	for (int k = 0; k < capacity; ++k)
	{
		NcRecord record = from[k < count ? k : count];
		record.twin = nc_record_is_tiny(&record) ? NC_TINY : NC_NULL_INDEX;
		record.next = record.junction = NC_NULL_INDEX;
		diagram->records.data[begin + k] = record; // What was there belonged to nobody.
	}
}

// Linking.

// The twin that the worker found already, for two new cells, or NC_NULL_INDEX.
static int find_known_twin(const Context* c, const NcRecord* computed)
{
	if (computed->twin < 0)
	{
		return NC_NULL_INDEX;
	}
	int old_begin = nc_hints_find_cell(&c->update->worker, computed->neighbor);
	return nc_diagram_cell(c->diagram, computed->neighbor)->begin + computed->twin - old_begin;
}

static void link_cell(Context* c, int index)
{
	NcDiagram* diagram = c->diagram;
	NcFeature feature = c->update->recomputed.data[index];
	const NcRecord* computed = c->update->worker.records.data + c->update->starts.data[index];
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	nc_array_push(&c->update->around, feature);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p, ++computed)
	{
		NcRecord* record = &diagram->records.data[p];
		nc_array_push(&c->update->around, record->neighbor);
		if (record->twin != NC_NULL_INDEX)
		{
			continue;
		}
		int twin = find_known_twin(c, computed);
		twin = twin != NC_NULL_INDEX ? twin : nc_diagram_find_twin(diagram, feature, p);
		if (twin != NC_NULL_INDEX && nc_journal_reserve(c->journal, 1))
		{
			record->twin = twin; // It is in a new cell, so there is nothing to be saved.
			*nc_edit_member(c->journal, &diagram->records, twin, twin) = p;
		}
	}
}

// The features around a vertex, whose order may have changed.
static void push_features_around(Context* c, int vertex)
{
	const NcSnap* snap = &c->diagram->snap;
	int first = snap->vertices.data[vertex].half;
	int half = first;
	while (half != NC_NULL_INDEX)
	{
		nc_array_push(&c->update->around, nc_side_feature(half));
		nc_array_push(&c->update->around, nc_side_feature(half ^ 1));
		half = nc_half_next(snap, half);
		half = half == first ? NC_NULL_INDEX : half;
	}
	nc_array_push(&c->update->around, nc_cone_feature(vertex));
}

static void set_next(Context* c, int piece, int next)
{
	if (next != nc_piece_next(c->diagram, piece) && nc_journal_reserve(c->journal, 1))
	{
		*nc_edit_member(c->journal, &c->diagram->records, piece, next) = next;
	}
}

// The last linked piece of a cell, or NC_NULL_INDEX.
static int find_last_linked(const NcDiagram* diagram, NcFeature feature)
{
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	for (int p = cell->begin + cell->count - 1; p >= cell->begin && cell->count > 0; --p)
	{
		if (nc_piece_is_linked(diagram, p))
		{
			return p;
		}
	}
	return NC_NULL_INDEX;
}

// Set the next pieces of a cell, and of the last piece before it along the obstacle.
static void set_nexts(Context* c, NcFeature feature)
{
	NcDiagram* diagram = c->diagram;
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	int next = NC_NULL_INDEX;
	for (int p = cell->begin + cell->count - 1; p >= cell->begin; --p)
	{
		if (nc_piece_is_linked(diagram, p))
		{
			bool is_last = next == NC_NULL_INDEX;
			set_next(c, p, is_last ? nc_diagram_find_first_after(diagram, feature) : next);
			next = p;
		}
	}
	NcFeature before = nc_feature_previous(&diagram->sites, feature);
	int last = find_last_linked(diagram, before);
	while (last == NC_NULL_INDEX && before != feature)
	{
		before = nc_feature_previous(&diagram->sites, before);
		last = find_last_linked(diagram, before);
	}
	if (last != NC_NULL_INDEX)
	{
		bool has_next = next != NC_NULL_INDEX && before != feature;
		set_next(c, last, has_next ? next : nc_diagram_find_first_after(diagram, before));
	}
}

static void set_nexts_around(Context* c)
{
	for (int i = 0; i < c->sites->vertices.count; ++i)
	{
		push_features_around(c, c->sites->vertices.data[i]);
	}
	if (c->update->around.failed || !next_stamp(c))
	{
		fail(c);
		return;
	}
	for (int i = 0; i < c->update->around.count; ++i)
	{
		NcFeature feature = c->update->around.data[i];
		if (feature != NC_NULL_INDEX && nc_feature_exists(&c->diagram->sites, feature) &&
			mark(c, feature))
		{
			set_nexts(c, feature);
		}
	}
}

// Junctions.

static void add_junction(Context* c, int piece)
{
	NcDiagram* diagram = c->diagram;
	NcJunction junction = nc_diagram_compute_junction(diagram, piece);
	if (!nc_journal_reserve(c->journal, 1))
	{
		return;
	}
	int index;
	if (diagram->free_junctions.count > 0)
	{
		index = diagram->free_junctions.data[--diagram->free_junctions.count];
		(void)nc_edit_member(c->journal, &diagram->junctions, index, degree);
		diagram->junctions.data[index] = junction; // What was there belonged to nobody.
	}
	else
	{
		index = diagram->junctions.count;
		if (!nc_array_push(&diagram->junctions, junction))
		{
			fail(c);
			return;
		}
	}
	int p = piece;
	do
	{
		// Pieces that are not new were saved when their junction was emptied.
		diagram->records.data[p].junction = index;
		p = nc_piece_around(diagram, p);
	} while (p != piece);
}

static void add_junction_if_missing(Context* c, int piece)
{
	const NcRecord* record = &c->diagram->records.data[piece];
	if (record->twin >= 0 && record->junction == NC_NULL_INDEX)
	{
		add_junction(c, piece);
	}
}

static void add_junctions(Context* c)
{
	NcDiagram* diagram = c->diagram;
	for (int i = 0; i < c->update->recomputed.count && !c->journal->has_failed; ++i)
	{
		const NcCell* cell = nc_diagram_cell(diagram, c->update->recomputed.data[i]);
		for (int p = cell->begin; p < cell->begin + cell->count; ++p)
		{
			add_junction_if_missing(c, p);
			if (nc_piece_is_linked(diagram, p))
			{
				add_junction_if_missing(c, nc_piece_twin(diagram, p));
			}
		}
	}
	for (int i = 0; i < c->update->loose.count && !c->journal->has_failed; ++i)
	{
		add_junction_if_missing(c, c->update->loose.data[i]);
	}
}

static bool has_failed(const Context* c)
{
	const NcDiagramUpdate* u = c->update;
	return c->journal->has_failed || u->around.failed || u->loose.failed ||
		   u->dead_junctions.failed || u->dead_ranges.failed || u->changed.failed;
}

bool nc_diagram_free_junctions(
	NcDiagram* diagram, const NcSitesUpdate* sites, NcDiagramUpdate* update, NcJournal* journal)
{
	Context c = {diagram, sites, update, journal};
	const NcIntArray* lists[] = {&sites->dead, &update->dirty};
	for (int l = 0; l < NC_COUNT(lists); ++l)
	{
		for (int i = 0; i < lists[l]->count; ++i)
		{
			free_junctions_of_cell(&c, lists[l]->data[i]);
		}
	}
	return !has_failed(&c) || fail(&c);
}

bool nc_diagram_restitch(
	NcDiagram* diagram, const NcSitesUpdate* sites, NcDiagramUpdate* update, NcJournal* journal)
{
	Context c = {diagram, sites, update, journal};
	unlink_cells(&c);
	if (has_failed(&c))
	{
		return fail(&c);
	}
	for (int i = 0; i < update->recomputed.count && !journal->has_failed; ++i)
	{
		store_cell(&c, i);
	}
	if (has_failed(&c))
	{
		return fail(&c);
	}
	for (int i = 0; i < update->recomputed.count; ++i)
	{
		link_cell(&c, i);
	}
	if (has_failed(&c))
	{
		return fail(&c);
	}
	set_nexts_around(&c);
	if (has_failed(&c))
	{
		return fail(&c);
	}
	add_junctions(&c);
	return !has_failed(&c) || fail(&c);
}

bool nc_diagram_prepare_finish(NcDiagram* diagram, const NcDiagramUpdate* u)
{
	bool is_ready = nc_array_reserve(
		&diagram->free_junctions, diagram->free_junctions.count + u->dead_junctions.count);
	for (int i = 0; i < u->dead_ranges.count; i += 2)
	{
		NcIntArray* ranges = &diagram->free_ranges[nc_range_class(u->dead_ranges.data[i + 1])];
		is_ready = is_ready && nc_array_reserve(ranges, ranges->count + u->dead_ranges.count / 2);
	}
	return is_ready;
}

void nc_diagram_finish(NcDiagram* diagram, const NcDiagramUpdate* u)
{
	for (int i = 0; i < u->dead_junctions.count; ++i)
	{
		nc_array_push(&diagram->free_junctions, u->dead_junctions.data[i]);
	}
	for (int i = 0; i < u->dead_ranges.count; i += 2)
	{
		int class = nc_range_class(u->dead_ranges.data[i + 1]);
		nc_array_push(&diagram->free_ranges[class], u->dead_ranges.data[i]);
	}
}

void nc_diagram_update_clear(NcDiagramUpdate* u)
{
	nc_hints_forget(&u->worker, &u->recomputed);
	NcIntArray* lists[] = {&u->dirty, &u->recomputed, &u->starts, &u->around, &u->loose,
		&u->dead_junctions, &u->dead_ranges};
	for (int i = 0; i < NC_COUNT(lists); ++i)
	{
		lists[i]->count = 0;
		lists[i]->failed = false;
	}
	u->side_stamps.failed = u->cone_stamps.failed = false;
	u->changed.count = 0;
	u->changed.failed = false;
	nc_cell_worker_reset(&u->worker);
}

void nc_diagram_update_free(NcDiagramUpdate* u)
{
	nc_array_free(&u->dirty);
	nc_array_free(&u->recomputed);
	nc_array_free(&u->starts);
	nc_array_free(&u->around);
	nc_array_free(&u->loose);
	nc_array_free(&u->dead_junctions);
	nc_array_free(&u->dead_ranges);
	nc_array_free(&u->changed);
	nc_array_free(&u->side_stamps);
	nc_array_free(&u->cone_stamps);
	nc_cell_worker_free(&u->worker);
}
