// SPDX-License-Identifier: MIT
// Loading the diagram: the borders of the cells come from the file, with their twins. What goes on
// where, the junctions and the graph are derived from them.
//
// Positions cannot be verified without computing the cells. But a wrong one does no harm beyond a
// wrong map: all decisions of the library that it depends on for its own safety are about indices,
// and these are consistent here by construction.

#include "map_file.h"

#include "check.h"

typedef struct Loader
{
	const NcFile* file;
	NcDiagram* diagram;
	NcIntArray pieces; // per record of the file: where it is now, or NC_NULL_INDEX if it is an end
} Loader;

// Cells that are open on one side, which a bounded world has none of, would end at 1e12 snaps.
#define MAX_POSITION 1e13

// The features in the order of the file.

static NcFeature get_feature(const NcDiagram* diagram, int index)
{
	int side_count = 2 * diagram->snap.fragments.count;
	return index < side_count ? nc_side_feature(index) : nc_cone_feature(index - side_count);
}

static int get_feature_range(const NcDiagram* diagram)
{
	return 2 * diagram->snap.fragments.count + diagram->snap.vertices.count;
}

// Give every cell its range of records. @return how many records that makes, or a negative number
// if the file is damaged
static long long place_cells(const Loader* l)
{
	const NcFileHeader* h = &l->file->header;
	NcDiagram* diagram = l->diagram;
	long long total = 0;
	int feature_count = 0;
	int left = h->record_count;
	for (int i = 0; i < get_feature_range(diagram); ++i)
	{
		NcFeature feature = get_feature(diagram, i);
		if (!nc_feature_exists(&diagram->sites, feature))
		{
			continue;
		}
		uint32_t count = feature_count < h->feature_count
							 ? nc_file_read_u32(l->file->cells + 4 * (size_t)feature_count)
							 : UINT32_MAX;
		if (count >= (uint32_t)left || total > INT_MAX / 4)
		{
			return -1;
		}
		int capacity = nc_range_capacity((int)count + 1);
		*nc_diagram_cell(diagram, feature) = (NcCell){(int)total, (int)count, capacity};
		total += capacity;
		left -= (int)count + 1;
		++feature_count;
	}
	return feature_count == h->feature_count && left == 0 ? total : -1;
}

// Records.

static bool read_record(const uint8_t* p, NcRecord* record)
{
	*record = (NcRecord){
		.position = {nc_file_read_double(p), nc_file_read_double(p + 8)},
		.t = nc_file_read_double(p + 16),
		.neighbor = NC_NULL_INDEX,
		.is_tiny = (nc_file_read_u32(p + 24) & NC_FILE_TINY) != 0,
	};
	return fabs(record->position.x) <= MAX_POSITION && fabs(record->position.y) <= MAX_POSITION &&
		   isfinite(record->t);
}

// Read the records of a cell. The rest of its range is filled with the last one.
static bool read_cell(Loader* l, NcFeature feature)
{
	NcDiagram* diagram = l->diagram;
	NcCell cell = *nc_diagram_cell(diagram, feature);
	NcLink link = {
		feature, NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX, NC_NULL_INDEX};
	NcRecord* records = diagram->records.data + cell.begin;
	for (int k = 0; k < cell.capacity; ++k)
	{
		diagram->links.data[cell.begin + k] = link;
		if (k > cell.count)
		{
			records[k] = records[cell.count];
			continue;
		}
		const uint8_t* p = l->file->records + (size_t)l->pieces.count * NC_FILE_RECORD_SIZE;
		l->pieces.data[l->pieces.count++] = k < cell.count ? cell.begin + k : NC_NULL_INDEX;
		if (!read_record(p, &records[k]))
		{
			return false;
		}
	}
	return !records[cell.count].is_tiny;
}

static bool read_cells(Loader* l)
{
	NcDiagram* diagram = l->diagram;
	for (int i = 0; i < get_feature_range(diagram); ++i)
	{
		NcFeature feature = get_feature(diagram, i);
		if (nc_feature_exists(&diagram->sites, feature) && !read_cell(l, feature))
		{
			return false;
		}
	}
	return true;
}

// Mirrors and twins.

static bool is_in_front(const NcSnap* snap, int half, int vertex)
{
	return nc_orient(nc_half_start(snap, half), nc_half_end(snap, half),
			   snap->vertices.data[vertex].point) > 0;
}

// Whether two features can have a border: a corner must be in front of a side.
static bool can_be_neighbors(const NcSnap* snap, NcFeature f, NcFeature g)
{
	int i = nc_feature_index(f);
	int j = nc_feature_index(g);
	if (nc_feature_is_cone(f) == nc_feature_is_cone(g))
	{
		return f != g;
	}
	return nc_feature_is_cone(g) ? is_in_front(snap, i, j) : is_in_front(snap, j, i);
}

static uint32_t read_mirror(const Loader* l, uint32_t record)
{
	return nc_file_read_u32(l->file->records + (size_t)record * NC_FILE_RECORD_SIZE + 24);
}

// Where the mirror of a record is now, or NC_NULL_INDEX if it has none or a wrong one.
static int find_mirror(const Loader* l, uint32_t bits)
{
	uint32_t mirror = bits & NC_FILE_NO_MIRROR;
	return mirror < (uint32_t)l->pieces.count ? l->pieces.data[mirror] : NC_NULL_INDEX;
}

// Link a piece to its mirror. The mirror's own mirror is in the cell that this piece is in, and is
// this piece itself if they are twins.
static bool link_piece(const Loader* l, int record)
{
	NcDiagram* diagram = l->diagram;
	int piece = l->pieces.data[record];
	uint32_t bits = read_mirror(l, (uint32_t)record);
	bool is_linked = (bits & NC_FILE_LINKED) != 0;
	if ((bits & NC_FILE_NO_MIRROR) == NC_FILE_NO_MIRROR || piece == NC_NULL_INDEX)
	{
		return !is_linked && (bits & NC_FILE_NO_MIRROR) == NC_FILE_NO_MIRROR;
	}
	int mirror = find_mirror(l, bits);
	if (mirror == NC_NULL_INDEX)
	{
		return false;
	}
	uint32_t back_bits = read_mirror(l, bits & NC_FILE_NO_MIRROR);
	int back = find_mirror(l, back_bits);
	NcFeature owner = nc_piece_owner(diagram, piece);
	NcFeature neighbor = nc_piece_owner(diagram, mirror);
	if (back == NC_NULL_INDEX || nc_piece_owner(diagram, back) != owner ||
		!can_be_neighbors(&diagram->snap, owner, neighbor))
	{
		return false;
	}
	diagram->records.data[piece].neighbor = neighbor;
	if (!is_linked)
	{
		return true;
	}
	diagram->links.data[piece].twin = mirror;
	return back == piece && (back_bits & NC_FILE_LINKED) != 0 && (bits & NC_FILE_TINY) == 0;
}

static bool link_pieces(const Loader* l)
{
	for (int i = 0; i < l->pieces.count; ++i)
	{
		if (!link_piece(l, i))
		{
			return false;
		}
	}
	return true;
}

// Next.

// Walk once around an obstacle, and let every linked piece go on with the next one. Links of a cell
// that was passed name a next piece, or are marked by `arc`, which is not needed yet.
static void chain_cell(NcDiagram* diagram, NcFeature feature, int* first, int* last)
{
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		if (nc_piece_is_linked(diagram, p))
		{
			*first = *first == NC_NULL_INDEX ? p : *first;
			if (*last != NC_NULL_INDEX)
			{
				diagram->links.data[*last].next = p;
			}
			*last = p;
		}
	}
}

// What the last record of a cell tells: whether its feature was passed.
static int* get_mark(const NcDiagram* diagram, NcFeature feature)
{
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	return &diagram->links.data[cell->begin + cell->count].next;
}

static void chain_obstacle(NcDiagram* diagram, NcFeature start)
{
	int first = NC_NULL_INDEX;
	int last = NC_NULL_INDEX;
	NcFeature feature = start;
	do
	{
		*get_mark(diagram, feature) = 0;
		chain_cell(diagram, feature, &first, &last);
		feature = nc_feature_next(&diagram->sites, feature);
	} while (feature != start);
	if (last != NC_NULL_INDEX)
	{
		diagram->links.data[last].next = first;
	}
}

static void chain_pieces(NcDiagram* diagram)
{
	for (int i = 0; i < get_feature_range(diagram); ++i)
	{
		NcFeature feature = get_feature(diagram, i);
		if (nc_feature_exists(&diagram->sites, feature) &&
			*get_mark(diagram, feature) == NC_NULL_INDEX)
		{
			chain_obstacle(diagram, feature);
		}
	}
	for (int i = 0; i < get_feature_range(diagram); ++i)
	{
		NcFeature feature = get_feature(diagram, i);
		if (nc_feature_exists(&diagram->sites, feature))
		{
			*get_mark(diagram, feature) = NC_NULL_INDEX;
		}
	}
}

// Junctions.

static bool add_junctions(NcDiagram* diagram)
{
	for (int p = 0; p < diagram->links.count; ++p)
	{
		if (!nc_piece_is_linked(diagram, p) || diagram->links.data[p].junction != NC_NULL_INDEX)
		{
			continue;
		}
		NcJunction junction = nc_diagram_compute_junction(diagram, p);
		int q = p;
		do
		{
			diagram->links.data[q].junction = diagram->junctions.count;
			q = nc_piece_around(diagram, q);
		} while (q != p);
		nc_array_push(&diagram->junctions, junction);
	}
	return !diagram->junctions.failed;
}

// Lengths are sums of what was checked, but they are computed with divisions.
static bool is_graph_finite(const NcGraph* graph)
{
	for (int e = 0; e < graph->edges.count; ++e)
	{
		const NcGraphEdge* edge = &graph->edges.data[e];
		if (!isfinite(edge->length) || !isfinite(edge->min_clearance) ||
			!nc_is_finite(edge->min_position))
		{
			return false;
		}
	}
	return true;
}

static NcStatus load(Loader* l, NcWorld* world)
{
	NcDiagram* diagram = l->diagram;
	const NcSnap* snap = &diagram->snap;
	if (!nc_sites_build(&diagram->sites, snap) ||
		!nc_array_resize(&diagram->side_cells, 2 * snap->fragments.count) ||
		!nc_array_resize(&diagram->cone_cells, snap->vertices.count))
	{
		return NC_OUT_OF_MEMORY;
	}
	long long total = place_cells(l);
	if (total < 0)
	{
		return NC_WRONG_FORMAT;
	}
	if (!nc_array_reserve(&diagram->records, total) || !nc_array_reserve(&diagram->links, total) ||
		!nc_array_reserve(&l->pieces, l->file->header.record_count))
	{
		return NC_OUT_OF_MEMORY;
	}
	diagram->records.count = diagram->links.count = (int)total;
	if (!read_cells(l) || !link_pieces(l))
	{
		return NC_WRONG_FORMAT;
	}
	chain_pieces(diagram);
	if (!add_junctions(diagram) || nc_graph_build(&world->graph, diagram) != NC_OK)
	{
		return NC_OUT_OF_MEMORY;
	}
	return is_graph_finite(&world->graph) ? NC_OK : NC_WRONG_FORMAT;
}

NcStatus nc_file_load_cells(const NcFile* file, NcMap* map)
{
	Loader l = {.file = file, .diagram = &map->world.diagram};
	NcStatus status = load(&l, &map->world);
	nc_array_free(&l.pieces);
	return status;
}
