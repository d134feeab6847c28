// SPDX-License-Identifier: MIT
// Asking for memory: see warm.h.

#include "warm.h"

#include "check.h"

// Large changes would only drive out what was asked for.
#define MAX_GRID_CELLS 64
#define MAX_FRAGMENTS 64
#define MAX_FEATURES 256

typedef struct Warm
{
	const NcWorld* world;
	const NcWorldUpdate* update;
	int cells[MAX_GRID_CELLS];
	int cell_count;
	int fragments[MAX_FRAGMENTS];
	int fragment_count;
	NcFeature features[MAX_FEATURES]; // first those of the fragments, then their neighbours
	int feature_count;
	int seen[MAX_FEATURES]; // one more than the last feature listed with these lowest bits
} Warm;

#define CACHE_LINE 64

static void ask_for(const void* begin, size_t size)
{
	const char* p = begin;
	for (size_t i = 0; i < size; i += CACHE_LINE)
	{
		NC_PREFETCH(p + i);
	}
	NC_PREFETCH(p + size - 1);
}

// Working memory may have no room for an item yet.
#define ask_for_item(array, index) \
	((index) < (array).count ? NC_PREFETCH(&(array).data[index]) : (void)0)

static void list_feature(Warm* w, NcFeature feature)
{
	int* seen = &w->seen[feature % MAX_FEATURES];
	if (*seen != feature + 1 && w->feature_count < MAX_FEATURES)
	{
		*seen = feature + 1;
		w->features[w->feature_count++] = feature;
	}
}

// The grid.

static void list_grid_cells(Warm* w, NcBox box)
{
	const NcDiagram* d = &w->world->diagram;
	const NcGrid* grid = &d->snap.fragment_grid;
	NcCellRange range = nc_grid_range(grid, box);
	for (int j = range.j0; j <= range.j1; ++j)
	{
		for (int i = range.i0; i <= range.i1 && w->cell_count < MAX_GRID_CELLS; ++i)
		{
			int cell = j * grid->columns + i;
			w->cells[w->cell_count++] = cell;
			ask_for_item(d->snap.fragment_grid.lists, cell);
			ask_for_item(d->snap.vertex_grid.lists, cell);
			ask_for_item(d->sites.cone_grid.lists, cell);
		}
	}
}

static void ask_for_lists(Warm* w)
{
	const NcDiagram* d = &w->world->diagram;
	const NcGrid* grids[] = {&d->snap.fragment_grid, &d->snap.vertex_grid, &d->sites.cone_grid};
	for (int g = 0; g < NC_COUNT(grids); ++g)
	{
		for (int i = 0; i < w->cell_count; ++i)
		{
			ask_for_item(grids[g]->pool, grids[g]->lists.data[w->cells[i]].start);
		}
	}
}

static void list_fragments(Warm* w)
{
	const NcDiagram* d = &w->world->diagram;
	const NcGrid* grid = &d->snap.fragment_grid;
	for (int i = 0; i < w->cell_count; ++i)
	{
		NcGridList list = grid->lists.data[w->cells[i]];
		for (int k = 0; k < list.count && w->fragment_count < MAX_FRAGMENTS; ++k)
		{
			int f = grid->pool.data[list.start + k];
			w->fragments[w->fragment_count++] = f;
			ask_for(&d->snap.fragments.data[f], sizeof(NcFragment));
			ask_for_item(d->sites.walls, f);
			ask_for_item(d->side_cells, 2 * f);
		}
	}
}

static void list_features(Warm* w)
{
	const NcDiagram* d = &w->world->diagram;
	for (int i = 0; i < w->fragment_count; ++i)
	{
		const NcFragment* f = &d->snap.fragments.data[w->fragments[i]];
		ask_for_item(d->snap.uses, f->first_use);
		for (int end = 0; end < 2; ++end)
		{
			int v = f->vertices[end];
			ask_for_item(d->snap.vertices, v);
			ask_for_item(d->sites.cones, v);
			ask_for_item(d->sites.has_cone, v);
			ask_for_item(d->sites.gaps, v);
			ask_for_item(d->cone_cells, v);
			list_feature(w, nc_side_feature(2 * w->fragments[i] + end));
			list_feature(w, nc_cone_feature(v));
		}
	}
	for (int i = 0; i < w->fragment_count; ++i)
	{
		int use = d->snap.fragments.data[w->fragments[i]].first_use;
		ask_for_item(d->snap.edges, d->snap.uses.data[use].edge);
	}
}

// Cells.

static void ask_for_record(const Warm* w, int piece)
{
	ask_for(&w->world->diagram.records.data[piece], sizeof(NcRecord));
}

static void ask_for_records(const Warm* w, int from)
{
	const NcDiagram* d = &w->world->diagram;
	for (int i = from; i < w->feature_count; ++i)
	{
		const NcCell* cell = nc_diagram_cell(d, w->features[i]);
		if (cell->capacity > 0)
		{
			ask_for(&d->records.data[cell->begin], sizeof(NcRecord) * (size_t)(cell->count + 1));
		}
	}
}

static void ask_for_feature(const Warm* w, NcFeature feature)
{
	const NcDiagram* d = &w->world->diagram;
	const NcDiagramUpdate* u = &w->update->diagram;
	int index = nc_feature_index(feature);
	ask_for_item(u->worker.heads, feature);
	if (nc_feature_is_cone(feature))
	{
		ask_for_item(d->sites.cones, index);
		ask_for_item(d->sites.has_cone, index);
		ask_for_item(d->cone_cells, index);
		ask_for_item(d->sites.gaps, index);
		ask_for_item(d->snap.vertices, index);
		ask_for_item(u->cone_stamps, index);
	}
	else
	{
		ask_for_item(d->sites.walls, index >> 1);
		ask_for_item(d->side_cells, index);
		ask_for_item(u->worker.stamps, index >> 1);
		ask_for_item(u->side_stamps, index);
		ask_for(&d->snap.fragments.data[index >> 1], sizeof(NcFragment));
	}
}

static void list_neighbors(Warm* w)
{
	const NcDiagram* d = &w->world->diagram;
	int own_count = w->feature_count;
	for (int i = 0; i < own_count; ++i)
	{
		NcCell cell = *nc_diagram_cell(d, w->features[i]);
		for (int p = cell.begin; p < cell.begin + cell.count; ++p)
		{
			if (nc_piece_is_linked(d, p))
			{
				ask_for_feature(w, d->records.data[p].neighbor);
				list_feature(w, d->records.data[p].neighbor);
			}
		}
	}
}

typedef void VisitFn(const Warm* w, const NcRecord* record);

// Visit the linked pieces of the listed cells.
static void visit_pieces(const Warm* w, int from, VisitFn* visit)
{
	const NcDiagram* d = &w->world->diagram;
	for (int i = from; i < w->feature_count; ++i)
	{
		NcCell cell = *nc_diagram_cell(d, w->features[i]);
		for (int p = cell.begin; p < cell.begin + cell.count; ++p)
		{
			if (nc_piece_is_linked(d, p))
			{
				visit(w, &d->records.data[p]);
			}
		}
	}
}

// What the pieces lead to.
static void ask_for_links(const Warm* w, const NcRecord* record)
{
	const NcDiagram* d = &w->world->diagram;
	const NcGraph* graph = &w->world->graph;
	ask_for_feature(w, record->neighbor);
	ask_for_record(w, record->twin);
	ask_for(&d->junctions.data[record->junction], sizeof(NcJunction));
	ask_for(&graph->edges.data[record->edge >> 1], sizeof(NcGraphEdge));
	ask_for_item(graph->vertex_of, record->junction);
}

// The pieces around their junctions, and the ends of their edges.
static void ask_for_edge_ends(const Warm* w, const NcRecord* record)
{
	const NcGraph* graph = &w->world->graph;
	const NcGraphEdge* edge = &graph->edges.data[record->edge >> 1];
	ask_for_record(w, nc_piece_next(&w->world->diagram, record->twin));
	ask_for_item(graph->vertices, edge->vertices[0]);
	ask_for_item(graph->vertices, edge->vertices[1]);
	ask_for_record(w, edge->first_piece);
	ask_for_record(w, edge->last_piece);
}

// What else ends where their edges end.
static void ask_for_vertices(const Warm* w, const NcRecord* record)
{
	const NcDiagram* d = &w->world->diagram;
	const NcGraph* graph = &w->world->graph;
	const NcGraphEdge* edge = &graph->edges.data[record->edge >> 1];
	for (int end = 0; end < 2; ++end)
	{
		const NcGraphVertex* v = &graph->vertices.data[edge->vertices[end]];
		ask_for_item(graph->ends, v->end_begin);
		ask_for_item(d->junctions, v->junction);
	}
	ask_for_record(w, nc_piece_twin(d, edge->first_piece));
	ask_for_record(w, nc_piece_twin(d, edge->last_piece));
}

void nc_world_warm(const NcWorld* world, const NcWorldUpdate* update)
{
	Warm w = {.world = world, .update = update};
	for (int i = 0; i < update->snap.boxes.count; ++i)
	{
		list_grid_cells(&w, update->snap.boxes.data[i]);
	}
	ask_for_lists(&w);
	list_fragments(&w);
	list_features(&w);
	ask_for_records(&w, 0);
	int own_count = w.feature_count;
	list_neighbors(&w);
	ask_for_records(&w, own_count);
	visit_pieces(&w, 0, ask_for_links);
	visit_pieces(&w, own_count, ask_for_edge_ends);
	visit_pieces(&w, own_count, ask_for_vertices);
}
