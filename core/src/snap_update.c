// SPDX-License-Identifier: MIT
// Changing a snapped world in place: see snap_update.h.
//
// An edge that comes or goes makes vertices hot or cold: its ends, and its crossings with others. A
// chain depends on the hot pixels near it and on nothing else, so the chains to route again are
// those near the vertices that appeared or disappeared.

#include "snap_update.h"

#include "check.h"

// A chain is this many snaps away from its edge at most: less than one for each round of routing.
#define ROUTE_MARGIN 16.0

typedef struct Context
{
	NcSnap* snap;
	NcSnapUpdate* update;
	NcJournal* journal;
} Context;

static bool reserve(const Context* c, int item_count)
{
	return nc_journal_reserve(c->journal, item_count);
}

static bool fail(const Context* c)
{
	c->journal->has_failed = true;
	return false;
}

// Stamps: which edges and fragments were seen already.

static bool next_stamp(Context* c)
{
	NcSnapUpdate* u = c->update;
	++u->stamp;
	return nc_array_resize(&u->edge_stamps, c->snap->edges.count) &&
		   nc_array_resize(&u->fragment_stamps, c->snap->fragments.count);
}

// Mark an item. @return whether it was not marked before
static bool mark(NcIntArray* stamps, int index, int stamp)
{
	bool is_new = stamps->data[index] != stamp;
	stamps->data[index] = stamp;
	return is_new;
}

// Call for every fragment whose box overlaps another box.
typedef void VisitFn(Context* c, int fragment, const NcEdge* edge);

static void visit_fragments(Context* c, NcBox box, VisitFn* visit, const NcEdge* edge)
{
	const NcGrid* grid = &c->snap->fragment_grid;
	NcCellRange range = nc_grid_range(grid, box);
	for (int j = range.j0; j <= range.j1; ++j)
	{
		for (int i = range.i0; i <= range.i1; ++i)
		{
			NcGridList list = grid->lists.data[j * grid->columns + i];
			for (int k = 0; k < list.count; ++k)
			{
				int f = grid->pool.data[list.start + k];
				NcVec2 a = nc_point_to_vec2(nc_half_start(c->snap, 2 * f));
				NcVec2 b = nc_point_to_vec2(nc_half_end(c->snap, 2 * f));
				NcBox own = nc_box_add_point(nc_box_add_point(nc_box_empty(), a), b);
				if (nc_box_overlaps(own, box) &&
					mark(&c->update->fragment_stamps, f, c->update->stamp))
				{
					visit(c, f, edge);
				}
			}
		}
	}
}

static NcBox get_edge_box(const NcEdge* edge, double margin)
{
	NcBox box = nc_box_add_point(nc_box_empty(), nc_point_to_vec2(edge->a));
	return nc_box_grow(nc_box_add_point(box, nc_point_to_vec2(edge->b)), margin);
}

// Heat.

static int find_vertex(const NcSnap* snap, NcPoint p)
{
	const NcGrid* grid = &snap->vertex_grid;
	NcGridList list = grid->lists.data[nc_grid_cell_of(grid, p.x, p.y)];
	for (int k = 0; k < list.count; ++k)
	{
		int v = grid->pool.data[list.start + k];
		if (nc_point_equals(snap->vertices.data[v].point, p))
		{
			return v;
		}
	}
	return NC_NULL_INDEX;
}

static int create_vertex(Context* c, NcPoint p)
{
	NcSnap* snap = c->snap;
	NcVertex vertex = {.point = p, .half = NC_NULL_INDEX, .first_use = NC_NULL_INDEX};
	int cell = nc_grid_cell_of(&snap->vertex_grid, p.x, p.y);
	if (!nc_grid_reserve(&snap->vertex_grid, cell))
	{
		fail(c);
		return NC_NULL_INDEX;
	}
	int index;
	if (snap->free_vertices.count > 0)
	{
		index = snap->free_vertices.data[--snap->free_vertices.count];
		*nc_edit(c->journal, &snap->vertices, index) = vertex;
	}
	else
	{
		index = snap->vertices.count;
		if (!nc_array_push(&snap->vertices, vertex))
		{
			fail(c);
			return NC_NULL_INDEX;
		}
	}
	nc_grid_add(&snap->vertex_grid, cell, index, c->journal);
	nc_array_push(&c->update->created, index);
	return index;
}

static void heat(Context* c, NcPoint p)
{
	if (!reserve(c, 4))
	{
		return;
	}
	int v = find_vertex(c->snap, p);
	v = v != NC_NULL_INDEX ? v : create_vertex(c, p);
	if (v != NC_NULL_INDEX)
	{
		++nc_edit(c->journal, &c->snap->vertices, v)->hot_count;
	}
}

static void cool(Context* c, NcPoint p)
{
	int v = find_vertex(c->snap, p);
	if (!reserve(c, 1) || v == NC_NULL_INDEX)
	{
		return;
	}
	if (--nc_edit(c->journal, &c->snap->vertices, v)->hot_count == 0)
	{
		nc_array_push(&c->update->cooled, v);
	}
}

static void heat_crossing(Context* c, const NcEdge* e, const NcEdge* f)
{
	if (nc_segments_cross(e->a, e->b, f->a, f->b))
	{
		heat(c, nc_round_crossing(e->a, e->b, f->a, f->b));
	}
}

static void cool_crossing(Context* c, const NcEdge* e, const NcEdge* f)
{
	if (nc_segments_cross(e->a, e->b, f->a, f->b))
	{
		cool(c, nc_round_crossing(e->a, e->b, f->a, f->b));
	}
}

// Visit the edges of a fragment that are still there, each once.
static void visit_uses(Context* c, int fragment, const NcEdge* edge,
	void (*visit)(Context* c, const NcEdge* e, const NcEdge* f))
{
	const NcSnap* snap = c->snap;
	int use = snap->fragments.data[fragment].first_use;
	for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
	{
		int e = snap->uses.data[use].edge;
		if (mark(&c->update->edge_stamps, e, c->update->stamp))
		{
			visit(c, edge, &snap->edges.data[e].edge);
		}
	}
}

static void cool_crossings_of_fragment(Context* c, int fragment, const NcEdge* edge)
{
	visit_uses(c, fragment, edge, cool_crossing);
}

static void heat_crossings_of_fragment(Context* c, int fragment, const NcEdge* edge)
{
	visit_uses(c, fragment, edge, heat_crossing);
}

// Edges that go: they must not be counted with each other twice, so the ones before are skipped.
// Stamps of removed edges are set anew for each of them.
static void cool_removed_edges(Context* c)
{
	NcSnapUpdate* u = c->update;
	for (int i = 0; i < u->removed_edges.count && !c->journal->has_failed; ++i)
	{
		if (!next_stamp(c))
		{
			fail(c);
			return;
		}
		NcEdge edge = c->snap->edges.data[u->removed_edges.data[i]].edge;
		for (int k = 0; k <= i; ++k)
		{
			mark(&u->edge_stamps, u->removed_edges.data[k], u->stamp);
		}
		cool(c, edge.a);
		cool(c, edge.b);
		visit_fragments(c, get_edge_box(&edge, ROUTE_MARGIN), cool_crossings_of_fragment, &edge);
	}
}

static int take_edge(Context* c, const NcEdge* edge)
{
	NcSnap* snap = c->snap;
	NcEdgeSlot slot = {
		.edge = *edge, .first_use = NC_NULL_INDEX, .next_of_obstacle = NC_NULL_INDEX};
	if (snap->free_edges.count > 0)
	{
		int index = snap->free_edges.data[--snap->free_edges.count];
		*nc_edit(c->journal, &snap->edges, index) = slot;
		return index;
	}
	return nc_array_push(&snap->edges, slot) ? snap->edges.count - 1 : NC_NULL_INDEX;
}

// Edges that come: they cross those that stay, and each other.
static void heat_added_edges(Context* c)
{
	NcSnapUpdate* u = c->update;
	for (int i = 0; i < u->added_edges.count && !c->journal->has_failed; ++i)
	{
		const NcEdge* edge = &u->added_edges.data[i];
		int slot = reserve(c, 1) ? take_edge(c, edge) : NC_NULL_INDEX;
		if (slot == NC_NULL_INDEX || !nc_array_push(&u->new_edges, slot) || !next_stamp(c))
		{
			fail(c);
			return;
		}
		for (int k = 0; k < u->removed_edges.count; ++k)
		{
			mark(&u->edge_stamps, u->removed_edges.data[k], u->stamp);
		}
		heat(c, edge->a);
		heat(c, edge->b);
		visit_fragments(c, get_edge_box(edge, ROUTE_MARGIN), heat_crossings_of_fragment, edge);
		for (int k = 0; k < i; ++k)
		{
			heat_crossing(c, edge, &u->added_edges.data[k]);
		}
	}
}

// Vertices that stayed cold leave the grid, so that nothing is routed through them.
static void remove_cold_vertices(Context* c)
{
	NcSnap* snap = c->snap;
	NcSnapUpdate* u = c->update;
	for (int i = 0; i < u->cooled.count && reserve(c, 2); ++i)
	{
		int v = u->cooled.data[i];
		NcPoint p = snap->vertices.data[v].point;
		if (snap->vertices.data[v].hot_count == 0 && find_vertex(snap, p) == v)
		{
			nc_grid_remove(
				&snap->vertex_grid, nc_grid_cell_of(&snap->vertex_grid, p.x, p.y), v, c->journal);
			nc_array_push(&u->dead_vertices, v);
		}
	}
}

// Chains.

static void push_affected(Context* c, int fragment, const NcEdge* unused)
{
	(void)unused;
	const NcSnap* snap = c->snap;
	int use = snap->fragments.data[fragment].first_use;
	for (; use != NC_NULL_INDEX; use = snap->uses.data[use].next_of_fragment)
	{
		int e = snap->uses.data[use].edge;
		if (mark(&c->update->edge_stamps, e, c->update->stamp))
		{
			nc_array_push(&c->update->affected, e);
		}
	}
}

static void find_affected_edges(Context* c)
{
	NcSnapUpdate* u = c->update;
	if (!next_stamp(c))
	{
		fail(c);
		return;
	}
	for (int i = 0; i < u->removed_edges.count; ++i)
	{
		mark(&u->edge_stamps, u->removed_edges.data[i], u->stamp);
	}
	const NcIntArray* lists[] = {&u->created, &u->dead_vertices};
	for (int l = 0; l < NC_COUNT(lists); ++l)
	{
		for (int i = 0; i < lists[l]->count; ++i)
		{
			NcVec2 p = nc_point_to_vec2(c->snap->vertices.data[lists[l]->data[i]].point);
			visit_fragments(c, nc_box_grow((NcBox){p, p}, ROUTE_MARGIN), push_affected, NULL);
		}
	}
}

static void touch_fragment_ends(Context* c, int fragment)
{
	const int* ends = c->snap->fragments.data[fragment].vertices;
	nc_array_push(&c->update->touched_vertices, ends[0]);
	nc_array_push(&c->update->touched_vertices, ends[1]);
}

// Take all shares of an edge away, given its old list of uses.
static void release_uses(Context* c, int first_use, NcPoint at)
{
	NcSnap* snap = c->snap;
	int next;
	for (int use = first_use; use != NC_NULL_INDEX && reserve(c, 2); use = next)
	{
		next = snap->uses.data[use].next_of_edge;
		int half = snap->uses.data[use].half;
		int vertex = NC_NULL_INDEX;
		if (half == NC_NULL_INDEX)
		{
			// The vertex may have left the grid already; then it is among the dead.
			vertex = find_vertex(snap, at);
			for (int i = 0; vertex == NC_NULL_INDEX; ++i)
			{
				int v = c->update->dead_vertices.data[i];
				vertex = nc_point_equals(snap->vertices.data[v].point, at) ? v : NC_NULL_INDEX;
			}
			nc_array_push(&c->update->touched_vertices, vertex);
		}
		nc_fragment_release_use(snap, use, vertex, c->journal);
		nc_array_push(&c->update->dead_uses, use);
		if (half != NC_NULL_INDEX)
		{
			nc_array_push(&c->update->lonely, half >> 1);
			nc_array_push(&c->update->cover.fragments, half >> 1);
		}
	}
}

// Find or create the fragment for a step of a chain. @return the half along it
static int take_half(Context* c, int from, int to)
{
	NcSnap* snap = c->snap;
	int half = nc_fragment_find_half(snap, from, to);
	if (half != NC_NULL_INDEX)
	{
		// Its cover changes with its uses. It may be far away from what was edited: an edge that is
		// moved there can meet further pixels all along its way.
		nc_array_push(&c->update->cover.fragments, half >> 1);
		return half;
	}
	int fragment = reserve(c, 12) ? nc_fragment_create(snap, from, to, c->journal) : NC_NULL_INDEX;
	if (fragment == NC_NULL_INDEX || !nc_fragment_enter_grid(snap, fragment, c->journal) ||
		!nc_array_push(&c->update->cover.fragments, fragment))
	{
		fail(c);
		return NC_NULL_INDEX;
	}
	touch_fragment_ends(c, fragment);
	return 2 * fragment + (snap->fragments.data[fragment].vertices[0] != from);
}

static void add_uses(Context* c, int edge)
{
	NcSnap* snap = c->snap;
	const NcIntArray* chain = &c->update->route.chain;
	NcEdge e = snap->edges.data[edge].edge;
	if (chain->count == 1)
	{
		nc_array_push(&c->update->touched_vertices, chain->data[0]);
		if (!reserve(c, 3) ||
			!nc_fragment_add_use(snap, edge, NC_NULL_INDEX, chain->data[0], c->journal))
		{
			fail(c);
		}
		return;
	}
	bool is_upward = nc_point_compare(e.a, e.b) < 0;
	for (int i = 1; i < chain->count && !c->journal->has_failed; ++i)
	{
		int half = take_half(c, chain->data[i - 1], chain->data[i]);
		if (half == NC_NULL_INDEX || !reserve(c, 3) ||
			!nc_fragment_add_use(
				snap, edge, is_upward ? half : half ^ 1, NC_NULL_INDEX, c->journal))
		{
			fail(c);
		}
	}
}

// Whether an edge has the chain that was just routed already.
static bool has_chain(const Context* c, int edge)
{
	const NcSnap* snap = c->snap;
	const NcIntArray* chain = &c->update->route.chain;
	int use_count = 0;
	for (int use = snap->edges.data[edge].first_use; use != NC_NULL_INDEX;
		 use = snap->uses.data[use].next_of_edge)
	{
		++use_count;
	}
	if (chain->count == 1)
	{
		return use_count == 1;
	}
	if (use_count != chain->count - 1)
	{
		return false;
	}
	for (int i = 1; i < chain->count; ++i)
	{
		int half = nc_fragment_find_half(snap, chain->data[i - 1], chain->data[i]);
		int use = half != NC_NULL_INDEX ? snap->fragments.data[half >> 1].first_use : NC_NULL_INDEX;
		while (use != NC_NULL_INDEX && snap->uses.data[use].edge != edge)
		{
			use = snap->uses.data[use].next_of_fragment;
		}
		if (use == NC_NULL_INDEX)
		{
			return false;
		}
	}
	return true;
}

// Route an edge again. New shares come before old ones go, so that fragments that stay are kept.
static void route_edge(Context* c, int edge)
{
	NcSnap* snap = c->snap;
	NcRoute* route = &c->update->route;
	NcEdge e = snap->edges.data[edge].edge;
	bool is_upward = nc_point_compare(e.a, e.b) < 0;
	int lower = find_vertex(snap, is_upward ? e.a : e.b);
	int upper = find_vertex(snap, is_upward ? e.b : e.a);
	nc_route_edge(snap, lower, upper, route);
	if (route->chain.failed || route->found.failed)
	{
		fail(c);
		return;
	}
	if (has_chain(c, edge) || !reserve(c, 1))
	{
		return;
	}
	int old_uses = snap->edges.data[edge].first_use;
	nc_edit(c->journal, &snap->edges, edge)->first_use = NC_NULL_INDEX;
	add_uses(c, edge);
	release_uses(c, old_uses, e.a);
}

static void route_edges(Context* c)
{
	NcSnapUpdate* u = c->update;
	for (int i = 0; i < u->new_edges.count && !c->journal->has_failed; ++i)
	{
		route_edge(c, u->new_edges.data[i]);
	}
	for (int i = 0; i < u->affected.count && !c->journal->has_failed; ++i)
	{
		route_edge(c, u->affected.data[i]);
	}
	for (int i = 0; i < u->removed_edges.count && reserve(c, 1); ++i)
	{
		NcEdgeSlot* slot = nc_edit(c->journal, &c->snap->edges, u->removed_edges.data[i]);
		int old_uses = slot->first_use;
		slot->first_use = NC_NULL_INDEX;
		release_uses(c, old_uses, slot->edge.a);
	}
}

static void remove_lonely_fragments(Context* c)
{
	NcSnap* snap = c->snap;
	NcSnapUpdate* u = c->update;
	for (int i = 0; i < u->lonely.count && reserve(c, 9); ++i)
	{
		int f = u->lonely.data[i];
		if (snap->fragments.data[f].first_use == NC_NULL_INDEX &&
			snap->fragments.data[f].vertices[0] != NC_NULL_INDEX)
		{
			touch_fragment_ends(c, f);
			nc_array_push(&u->dead_fragments, f);
			if (!nc_fragment_leave_grid(snap, f, c->journal) || !reserve(c, 9))
			{
				return;
			}
			nc_fragment_unlink(snap, f, c->journal);
			NcFragment* fragment = nc_edit(c->journal, &snap->fragments, f);
			fragment->vertices[0] = fragment->vertices[1] = NC_NULL_INDEX;
			fragment->is_free = 0;
		}
	}
}

// Covers.

static void push_unknown(Context* c, int fragment, const NcEdge* unused)
{
	(void)unused;
	nc_array_push(&c->update->cover.fragments, fragment);
}

static void push_points(Context* c, NcBox box)
{
	const NcSnap* snap = c->snap;
	const NcGrid* grid = &snap->vertex_grid;
	NcCellRange range = nc_grid_range(grid, box);
	for (int j = range.j0; j <= range.j1; ++j)
	{
		for (int i = range.i0; i <= range.i1; ++i)
		{
			NcGridList list = grid->lists.data[j * grid->columns + i];
			for (int k = 0; k < list.count; ++k)
			{
				int v = grid->pool.data[list.start + k];
				if (snap->vertices.data[v].half == NC_NULL_INDEX)
				{
					nc_array_push(&c->update->cover.points, v);
				}
			}
		}
	}
}

static void update_covers(Context* c)
{
	NcSnap* snap = c->snap;
	NcSnapUpdate* u = c->update;
	int listed = u->cover.fragments.count; // those whose uses changed
	if (!next_stamp(c))
	{
		fail(c);
		return;
	}
	// A fragment can be created and become lonely again within one update.
	u->cover.fragments.count = 0;
	for (int i = 0; i < listed; ++i)
	{
		int f = u->cover.fragments.data[i];
		bool is_new = mark(&u->fragment_stamps, f, u->stamp);
		if (is_new && nc_fragment_exists(snap, f))
		{
			u->cover.fragments.data[u->cover.fragments.count++] = f;
		}
	}
	for (int i = 0; i < u->boxes.count; ++i)
	{
		visit_fragments(c, u->boxes.data[i], push_unknown, NULL);
		push_points(c, u->boxes.data[i]);
	}
	if (u->cover.fragments.failed || u->cover.points.failed ||
		!reserve(c, u->cover.fragments.count + u->cover.points.count))
	{
		fail(c);
		return;
	}
	for (int i = 0; i < u->cover.fragments.count; ++i)
	{
		(void)nc_edit(c->journal, &snap->fragments, u->cover.fragments.data[i]);
	}
	for (int i = 0; i < u->cover.points.count; ++i)
	{
		(void)nc_edit(c->journal, &snap->vertices, u->cover.points.data[i]);
	}
	if (!nc_cover_compute(snap, &u->cover, &NC_ALONE))
	{
		fail(c);
	}
}

static bool have_lists_failed(const NcSnapUpdate* u)
{
	return u->new_edges.failed || u->dead_fragments.failed || u->dead_vertices.failed ||
		   u->touched_vertices.failed || u->dead_uses.failed || u->cooled.failed ||
		   u->created.failed || u->affected.failed || u->lonely.failed || u->cover.fragments.failed;
}

bool nc_snap_apply(NcSnap* snap, NcSnapUpdate* update, NcJournal* journal)
{
	Context c = {snap, update, journal};
	void (*const steps[])(Context*) = {cool_removed_edges, heat_added_edges, remove_cold_vertices,
		find_affected_edges, route_edges, remove_lonely_fragments, update_covers};
	for (int i = 0; i < NC_COUNT(steps); ++i)
	{
		steps[i](&c);
		if (journal->has_failed || have_lists_failed(update))
		{
			return fail(&c);
		}
	}
	for (int i = 0; i < update->dead_vertices.count; ++i)
	{
		nc_array_push(&update->touched_vertices, update->dead_vertices.data[i]);
	}
	return !update->touched_vertices.failed || fail(&c);
}

bool nc_snap_prepare_finish(NcSnap* snap, const NcSnapUpdate* u)
{
	return nc_array_reserve(&snap->free_edges, snap->free_edges.count + u->removed_edges.count) &&
		   nc_array_reserve(&snap->free_uses, snap->free_uses.count + u->dead_uses.count) &&
		   nc_array_reserve(
			   &snap->free_vertices, snap->free_vertices.count + u->dead_vertices.count) &&
		   nc_array_reserve(
			   &snap->free_fragments, snap->free_fragments.count + u->dead_fragments.count);
}

static void append(NcIntArray* list, const NcIntArray* items)
{
	for (int i = 0; i < items->count; ++i)
	{
		nc_array_push(list, items->data[i]);
	}
}

void nc_snap_finish(NcSnap* snap, const NcSnapUpdate* update)
{
	append(&snap->free_edges, &update->removed_edges);
	append(&snap->free_uses, &update->dead_uses);
	append(&snap->free_vertices, &update->dead_vertices);
	append(&snap->free_fragments, &update->dead_fragments);
}

void nc_snap_update_clear(NcSnapUpdate* u)
{
	NcIntArray* lists[] = {&u->removed_edges, &u->new_edges, &u->dead_fragments, &u->dead_vertices,
		&u->touched_vertices, &u->dead_uses, &u->cooled, &u->created, &u->affected, &u->lonely,
		&u->cover.fragments, &u->cover.points, &u->cover.lowest, &u->cover.hits, &u->cover.stack,
		&u->cover.waiting, &u->route.chain, &u->route.found};
	for (int i = 0; i < NC_COUNT(lists); ++i)
	{
		lists[i]->failed = false;
		lists[i]->count = 0;
	}
	u->added_edges.count = u->boxes.count = 0;
	u->added_edges.failed = u->boxes.failed = false;

	// These have an item for everything in the world, so clearing them would not be local.
	u->cover.component_of.failed = u->edge_stamps.failed = u->fragment_stamps.failed = false;
}

void nc_snap_update_free(NcSnapUpdate* u)
{
	nc_array_free(&u->removed_edges);
	nc_array_free(&u->added_edges);
	nc_array_free(&u->boxes);
	nc_array_free(&u->new_edges);
	nc_array_free(&u->dead_fragments);
	nc_array_free(&u->dead_vertices);
	nc_array_free(&u->touched_vertices);
	nc_cover_free(&u->cover);
	nc_array_free(&u->dead_uses);
	nc_array_free(&u->cooled);
	nc_array_free(&u->created);
	nc_array_free(&u->affected);
	nc_array_free(&u->lonely);
	nc_array_free(&u->edge_stamps);
	nc_array_free(&u->fragment_stamps);
	nc_route_free(&u->route);
}
