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
	NcIntArray features; // all that exist, in the order of the file
	NcIntArray pieces; // per record of the file: where it is now, or NC_NULL_INDEX if it is an end
} Loader;

// Cells that are open on one side, which a bounded world has none of, would end at 1e12 snaps.
#define MAX_POSITION 1e13

// List the features that exist, in the order of the file.
static bool list_features(Loader* l)
{
	const NcSnap* snap = &l->diagram->snap;
	if (!nc_array_reserve(&l->features, 2 * snap->fragments.count + snap->vertices.count))
	{
		return false;
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		int first = snap->vertices.data[v].half;
		int half = first;
		while (half != NC_NULL_INDEX)
		{
			if (nc_side_is_free(snap, half))
			{
				l->features.data[l->features.count++] = nc_side_feature(half);
			}
			half = nc_half_next(snap, half);
			half = half != first ? half : NC_NULL_INDEX;
		}
		if (l->diagram->sites.has_cone.data[v])
		{
			l->features.data[l->features.count++] = nc_cone_feature(v);
		}
	}
	return true;
}

// Give every cell its range of records. @return how many records that makes, or a negative number
// if the file is damaged
static long long place_cells(const Loader* l)
{
	const NcFileHeader* h = &l->file->header;
	NcDiagram* diagram = l->diagram;
	long long total = 0;
	int left = h->record_count;
	if (l->features.count != h->feature_count)
	{
		return -1;
	}
	for (int i = 0; i < l->features.count; ++i)
	{
		uint32_t count = nc_file_read_u32(l->file->cells + 4 * (size_t)i);
		if (count >= (uint32_t)left || total > INT_MAX / 4)
		{
			return -1;
		}
		int capacity = nc_range_capacity((int)count + 1);
		*nc_diagram_cell(diagram, l->features.data[i]) = (NcCell){(int)total, (int)count, capacity};
		total += capacity;
		left -= (int)count + 1;
	}
	return left == 0 ? total : -1;
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
	for (int i = 0; i < l->features.count; ++i)
	{
		if (!read_cell(l, l->features.data[i]))
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
// this piece itself if they are twins. Twins are linked by the first of them.
static bool link_piece(const Loader* l, int record)
{
	NcDiagram* diagram = l->diagram;
	int piece = l->pieces.data[record];
	uint32_t bits = read_mirror(l, (uint32_t)record);
	uint32_t mirror_record = bits & NC_FILE_NO_MIRROR;
	bool is_linked = (bits & NC_FILE_LINKED) != 0;
	if (mirror_record == NC_FILE_NO_MIRROR || piece == NC_NULL_INDEX)
	{
		return !is_linked && mirror_record == NC_FILE_NO_MIRROR;
	}
	int mirror = find_mirror(l, bits);
	if (mirror == NC_NULL_INDEX)
	{
		return false;
	}
	if (is_linked && mirror_record < (uint32_t)record)
	{
		return diagram->links.data[piece].twin == mirror;
	}
	uint32_t back_bits = read_mirror(l, mirror_record);
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
	diagram->records.data[mirror].neighbor = owner;
	diagram->links.data[piece].twin = mirror;
	diagram->links.data[mirror].twin = piece;
	return back == piece && (back_bits & NC_FILE_LINKED) != 0 && !(bits & NC_FILE_TINY) &&
		   !(back_bits & NC_FILE_TINY);
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

// Let every linked piece of a cell go on with the next one.
typedef struct Chain
{
	int first, last; // or NC_NULL_INDEX
} Chain;

static void chain_cell(NcDiagram* diagram, NcFeature feature, Chain* chain)
{
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	int end = cell->begin + cell->count;
	for (int p = cell->begin; p < end; ++p)
	{
		if (nc_piece_is_linked(diagram, p))
		{
			chain->first = chain->first == NC_NULL_INDEX ? p : chain->first;
			if (chain->last != NC_NULL_INDEX)
			{
				diagram->links.data[chain->last].next = p;
			}
			chain->last = p;
		}
	}
	// The end is no piece: its link shows that the cell was passed.
	diagram->links.data[end].next = 0;
}

// Walk once around an obstacle, as nc_feature_next() does: from side to side, and over the cone in
// between where there is one.
static void chain_obstacle(NcDiagram* diagram, NcFeature start)
{
	const NcSnap* snap = &diagram->snap;
	Chain chain = {NC_NULL_INDEX, NC_NULL_INDEX};
	int first = nc_feature_index(start);
	int half = first;
	do
	{
		chain_cell(diagram, nc_side_feature(half), &chain);
		half = nc_wall_previous(snap, half ^ 1);
		int vertex = nc_half_vertex(snap, half);
		if (diagram->sites.has_cone.data[vertex] && nc_wall_is_reflex(snap, half))
		{
			chain_cell(diagram, nc_cone_feature(vertex), &chain);
		}
	} while (half != first);
	if (chain.last != NC_NULL_INDEX)
	{
		diagram->links.data[chain.last].next = chain.first;
	}
}

static void chain_isolated_point(NcDiagram* diagram, NcFeature cone)
{
	Chain chain = {NC_NULL_INDEX, NC_NULL_INDEX};
	chain_cell(diagram, cone, &chain);
	if (chain.last != NC_NULL_INDEX)
	{
		diagram->links.data[chain.last].next = chain.first;
	}
}

static int* get_mark(const NcDiagram* diagram, NcFeature feature)
{
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	return &diagram->links.data[cell->begin + cell->count].next;
}

static void chain_pieces(const Loader* l)
{
	NcDiagram* diagram = l->diagram;
	for (int i = 0; i < l->features.count; ++i)
	{
		NcFeature feature = l->features.data[i];
		if (*get_mark(diagram, feature) != NC_NULL_INDEX)
		{
			continue;
		}
		if (!nc_feature_is_cone(feature))
		{
			chain_obstacle(diagram, feature);
		}
		else if (diagram->snap.vertices.data[nc_feature_index(feature)].half == NC_NULL_INDEX)
		{
			chain_isolated_point(diagram, feature);
		}
	}
	for (int i = 0; i < l->features.count; ++i)
	{
		*get_mark(diagram, l->features.data[i]) = NC_NULL_INDEX;
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

static NcStatus load(Loader* l, NcWorld* world)
{
	NcDiagram* diagram = l->diagram;
	const NcSnap* snap = &diagram->snap;
	if (!nc_sites_build(&diagram->sites, snap) ||
		!nc_array_resize(&diagram->side_cells, 2 * snap->fragments.count) ||
		!nc_array_resize(&diagram->cone_cells, snap->vertices.count) || !list_features(l))
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
	chain_pieces(l);
	return add_junctions(diagram) ? nc_file_load_graph(l->file, &l->pieces, world)
								  : NC_OUT_OF_MEMORY;
}

NcStatus nc_file_load_cells(const NcFile* file, NcMap* map)
{
	Loader l = {.file = file, .diagram = &map->world.diagram};
	NcStatus status = load(&l, &map->world);
	nc_array_free(&l.features);
	nc_array_free(&l.pieces);
	return status;
}
