// SPDX-License-Identifier: MIT
// The corridor map of one revision: see world.h.

#include "world.h"

#include "check.h"
#include "warm.h"

// Every array of a world. What is not listed here would survive a roll-back.
#define WORLD_ARRAYS(X) \
	X(diagram.snap.edges) \
	X(diagram.snap.uses) \
	X(diagram.snap.vertices) \
	X(diagram.snap.fragments) \
	X(diagram.snap.vertex_grid.lists) \
	X(diagram.snap.vertex_grid.pool) \
	X(diagram.snap.fragment_grid.lists) \
	X(diagram.snap.fragment_grid.pool) \
	X(diagram.snap.free_edges) \
	X(diagram.snap.free_uses) \
	X(diagram.snap.free_vertices) \
	X(diagram.snap.free_fragments) \
	X(diagram.sites.walls) \
	X(diagram.sites.cones) \
	X(diagram.sites.has_cone) \
	X(diagram.sites.gaps) \
	X(diagram.sites.cone_grid.lists) \
	X(diagram.sites.cone_grid.pool) \
	X(diagram.side_cells) \
	X(diagram.cone_cells) \
	X(diagram.records) \
	X(diagram.junctions) \
	X(diagram.free_junctions) \
	X(graph.vertices) \
	X(graph.edges) \
	X(graph.ends) \
	X(graph.vertex_of) \
	X(graph.free_vertices) \
	X(graph.free_edges)

// Fewer are done before threads have started.
#define MIN_PARALLEL_EDGES 64

NcStatus nc_world_build(NcWorld* world, const NcSnapDef* def, const NcEdge* edges, int edge_count,
	const NcParallel* parallel)
{
	NcParallel alone = *parallel;
	alone.run = NULL;
	parallel = edge_count < MIN_PARALLEL_EDGES ? &alone : parallel;
	NcStatus status = nc_snap_build(&world->diagram.snap, def, edges, edge_count, parallel);
	if (status == NC_OK)
	{
		status = nc_diagram_build(&world->diagram, parallel);
	}
	return status == NC_OK ? nc_graph_build(&world->graph, &world->diagram, parallel) : status;
}

void nc_world_free(NcWorld* world)
{
	nc_graph_free(&world->graph);
	nc_diagram_free(&world->diagram);
}

void nc_world_move(NcWorld* to, NcWorld* from)
{
	*to = *from;
	to->diagram.sites.snap = &to->diagram.snap;
	*from = (NcWorld){0};
}

size_t nc_world_count_bytes(const NcWorld* world)
{
	size_t bytes = 0;
#define X(array) bytes += sizeof(world->array.data[0]) * (size_t)world->array.capacity;
	WORLD_ARRAYS(X)
#undef X
	for (int i = 0; i < NC_RANGE_CLASSES; ++i)
	{
		bytes += sizeof(int) * (size_t)world->diagram.free_ranges[i].capacity;
	}
	return bytes;
}

// Every array of an update.
#define UPDATE_ARRAYS(X) \
	X(snap.removed_edges) \
	X(snap.added_edges) \
	X(snap.boxes) \
	X(snap.new_edges) \
	X(snap.dead_fragments) \
	X(snap.dead_vertices) \
	X(snap.touched_vertices) \
	X(snap.cover.fragments) \
	X(snap.cover.points) \
	X(snap.cover.component_of) \
	X(snap.cover.lowest) \
	X(snap.cover.hits) \
	X(snap.cover.stack) \
	X(snap.cover.waiting) \
	X(snap.dead_uses) \
	X(snap.cooled) \
	X(snap.created) \
	X(snap.affected) \
	X(snap.lonely) \
	X(snap.edge_stamps) \
	X(snap.fragment_stamps) \
	X(snap.route.chain) \
	X(snap.route.found) \
	X(sites.dead) \
	X(sites.fresh) \
	X(sites.vertices) \
	X(sites.vertex_stamps) \
	X(diagram.dirty) \
	X(diagram.recomputed) \
	X(diagram.starts) \
	X(diagram.around) \
	X(diagram.loose) \
	X(diagram.dead_junctions) \
	X(diagram.dead_ranges) \
	X(diagram.changed) \
	X(diagram.side_stamps) \
	X(diagram.cone_stamps) \
	X(diagram.worker.envelope.pieces) \
	X(diagram.worker.envelope.spare) \
	X(diagram.worker.stamps) \
	X(diagram.worker.records) \
	X(diagram.worker.gathered) \
	X(diagram.worker.border) \
	X(diagram.worker.discs) \
	X(diagram.worker.hints) \
	X(diagram.worker.heads) \
	X(diagram.worker.listed_walls) \
	X(diagram.worker.listed_cones) \
	X(graph.dead_vertices) \
	X(graph.dead_edges) \
	X(graph.loose) \
	X(graph.touched) \
	X(graph.stamps) \
	X(journal.entries) \
	X(journal.bytes)

size_t nc_world_update_count_bytes(const NcWorldUpdate* update)
{
	size_t bytes = 0;
#define X(array) bytes += sizeof(update->array.data[0]) * (size_t)update->array.capacity;
	UPDATE_ARRAYS(X)
#undef X
	return bytes;
}

// Changing in place.

#define ARRAY_COUNT_LIMIT 64

// The counts of the lists of free ranges, many of them and few used, are saved by who changes them.
static bool save_counts(NcWorld* world, NcJournal* journal)
{
	if (!nc_journal_reserve(journal, ARRAY_COUNT_LIMIT))
	{
		return false;
	}
#define X(array) nc_journal_save_memory(journal, &world->array.count, (int)sizeof(int));
	WORLD_ARRAYS(X)
#undef X
	return true;
}

static void clear_failures(NcWorld* world)
{
#define X(array) world->array.failed = false;
	WORLD_ARRAYS(X)
#undef X
	for (int i = 0; i < NC_RANGE_CLASSES; ++i)
	{
		world->diagram.free_ranges[i].failed = false;
	}
}

// Remove the edges of the graph that end in or pass through junctions that are about to change.
static void detach_loose_pieces(NcWorld* world, NcWorldUpdate* u)
{
	const NcIntArray* loose = &u->diagram.loose;
	for (int i = 0; i < loose->count; ++i)
	{
		if (world->diagram.records.data[loose->data[i]].edge != NC_NULL_INDEX)
		{
			nc_graph_detach(&world->graph, &world->diagram, loose->data[i], &u->graph, &u->journal);
		}
	}
}

static bool apply(NcWorld* world, NcWorldUpdate* u)
{
	NcDiagram* diagram = &world->diagram;
	NcJournal* journal = &u->journal;
	nc_world_warm(world, u);
	if (!save_counts(world, journal) || !nc_snap_apply(&diagram->snap, &u->snap, journal) ||
		!nc_sites_apply(&diagram->sites, &u->snap, &u->sites, journal) ||
		!nc_diagram_recompute(diagram, &u->sites, &u->diagram, journal) ||
		!nc_diagram_free_junctions(diagram, &u->sites, &u->diagram, journal))
	{
		return false;
	}
	detach_loose_pieces(world, u);
	return !journal->has_failed && nc_diagram_restitch(diagram, &u->sites, &u->diagram, journal) &&
		   nc_graph_attach(&world->graph, diagram, &u->diagram.recomputed, &u->graph, journal) &&
		   nc_snap_prepare_finish(&diagram->snap, &u->snap) &&
		   nc_diagram_prepare_finish(diagram, &u->diagram) &&
		   nc_graph_prepare_finish(&world->graph, &u->graph);
}

NcStatus nc_world_apply(NcWorld* world, NcWorldUpdate* update)
{
	if (!apply(world, update))
	{
		nc_journal_roll_back(&update->journal);
		clear_failures(world);
		return NC_OUT_OF_MEMORY;
	}
	nc_snap_finish(&world->diagram.snap, &update->snap);
	nc_diagram_finish(&world->diagram, &update->diagram);
	nc_graph_finish(&world->graph, &update->graph);
	return NC_OK;
}

void nc_world_update_clear(NcWorldUpdate* update)
{
	nc_snap_update_clear(&update->snap);
	nc_sites_update_clear(&update->sites);
	nc_diagram_update_clear(&update->diagram);
	nc_graph_update_clear(&update->graph);
	nc_journal_clear(&update->journal);
}

void nc_world_update_free(NcWorldUpdate* update)
{
	nc_snap_update_free(&update->snap);
	nc_sites_update_free(&update->sites);
	nc_diagram_update_free(&update->diagram);
	nc_graph_update_free(&update->graph);
	nc_journal_free(&update->journal);
}
