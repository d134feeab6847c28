// SPDX-License-Identifier: MIT
// Loading the diagram: the borders of the cells come from the file, with their twins. What goes on
// where, the junctions and the graph are derived from them.
//
// Positions cannot be verified without computing the cells. But a wrong one does no harm beyond
// wrong answers: questions depend on indices for their safety, and these are consistent here by
// construction. Updates in place depend on more, and are not made before the next build.

#include "map_file.h"

#include "check.h"
#include "stitch.h"

// The first and last linked piece of a cell, or NC_NULL_INDEX.
typedef struct CellEnds
{
	int first, last;
	bool is_passed; // by the walk around its obstacle
} CellEnds;

// Random access goes to small arrays as long as possible; the large ones are written once, in
// order.
typedef struct Loader
{
	const NcFile* file;
	NcDiagram* diagram;
	NcIntArray features;    // all that exist, in the order of the file
	NcIntArray owners;      // per record: in whose cell it is; NC_NULL_INDEX for ends
	NcArray(CellEnds) ends; // per feature
	int linked_count;
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

// Give every cell its range of records: as in the file, without room to spare, because the first
// update makes new ones.
// @return whether there are as many as the file has
static bool place_cells(const Loader* l)
{
	const NcFileHeader* h = &l->file->header;
	int begin = 0;
	if (l->features.count != h->feature_count)
	{
		return false;
	}
	for (int i = 0; i < l->features.count; ++i)
	{
		uint32_t count = nc_file_read_u32(l->file->cells + 4 * (size_t)i);
		if (count >= (uint32_t)(h->record_count - begin))
		{
			return false;
		}
		int capacity = (int)count + 1;
		*nc_diagram_cell(l->diagram, l->features.data[i]) = (NcCell){begin, (int)count, capacity};
		begin += capacity;
	}
	return begin == h->record_count;
}

// Note in whose cell every piece is.
static void list_owners(Loader* l)
{
	for (int i = 0; i < l->features.count; ++i)
	{
		NcFeature feature = l->features.data[i];
		int count = nc_diagram_cell(l->diagram, feature)->count;
		for (int k = 0; k < count; ++k)
		{
			l->owners.data[l->owners.count++] = feature;
		}
		l->owners.data[l->owners.count++] = NC_NULL_INDEX;
	}
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
	return nc_file_read_u32(l->file->mirrors + 4 * (size_t)record);
}

// Find the neighbour of a piece, and its twin, from its mirror. The mirror's own mirror is in the
// cell that this piece is in, and is this piece itself if they are twins.
static bool resolve_mirror(const Loader* l, uint32_t record, NcFeature* neighbor, int* twin)
{
	uint32_t count = (uint32_t)l->owners.count;
	uint32_t bits = read_mirror(l, record);
	uint32_t mirror = bits & NC_FILE_NO_MIRROR;
	bool is_linked = (bits & NC_FILE_LINKED) != 0;
	*neighbor = *twin = NC_NULL_INDEX;
	if (mirror >= count)
	{
		return mirror == NC_FILE_NO_MIRROR && !is_linked;
	}
	uint32_t back_bits = read_mirror(l, mirror);
	uint32_t back = back_bits & NC_FILE_NO_MIRROR;
	NcFeature owner = l->owners.data[record];
	*neighbor = l->owners.data[mirror];
	if (*neighbor == NC_NULL_INDEX || back >= count || l->owners.data[back] != owner)
	{
		return false;
	}
	if (!is_linked)
	{
		return can_be_neighbors(&l->diagram->snap, owner, *neighbor);
	}
	*twin = (int)mirror;
	// The first of two twins answers for both.
	return back == record && (back_bits & NC_FILE_LINKED) != 0 && (bits & NC_FILE_TINY) == 0 &&
		   (record > mirror || can_be_neighbors(&l->diagram->snap, owner, *neighbor));
}

// Records.

static bool read_record(const Loader* l, uint32_t index, NcRecord* record)
{
	const uint8_t* p = l->file->records + (size_t)index * NC_FILE_RECORD_SIZE;
	record->position.x = nc_file_read_double(p);
	record->position.y = nc_file_read_double(p + 8);
	record->twin = (read_mirror(l, index) & NC_FILE_TINY) != 0 ? NC_TINY : NC_NULL_INDEX;
	record->next = record->junction = record->edge = record->arc = NC_NULL_INDEX;
	return fabs(record->position.x) <= MAX_POSITION && fabs(record->position.y) <= MAX_POSITION;
}

// Read the cell of a feature.
static bool read_cell(Loader* l, NcFeature feature)
{
	NcCell cell = *nc_diagram_cell(l->diagram, feature);
	NcRecord* records = l->diagram->records.data;
	int end = cell.begin + cell.count;
	CellEnds ends = {NC_NULL_INDEX, NC_NULL_INDEX, false};
	bool is_valid = true;
	for (int p = cell.begin; p < end && is_valid; ++p)
	{
		int twin = NC_NULL_INDEX;
		is_valid = read_record(l, (uint32_t)p, &records[p]) &&
				   resolve_mirror(l, (uint32_t)p, &records[p].neighbor, &twin);
		if (twin != NC_NULL_INDEX)
		{
			records[p].twin = twin;
			ends.first = ends.first == NC_NULL_INDEX ? p : ends.first;
			if (ends.last != NC_NULL_INDEX)
			{
				records[ends.last].next = p;
			}
			ends.last = p;
			++l->linked_count;
		}
	}
	records[end] = (NcRecord){.neighbor = NC_NULL_INDEX};
	l->ends.data[feature] = ends;
	return is_valid && read_record(l, (uint32_t)end, &records[end]) &&
		   read_mirror(l, (uint32_t)end) == NC_FILE_NO_MIRROR;
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

// Next.

// Let the last linked piece before a cell go on with the first one in it.
static void chain_cell(const Loader* l, NcFeature feature, CellEnds* chain)
{
	CellEnds* ends = &l->ends.data[feature];
	ends->is_passed = true;
	if (ends->first == NC_NULL_INDEX)
	{
		return;
	}
	if (chain->last != NC_NULL_INDEX)
	{
		l->diagram->records.data[chain->last].next = ends->first;
	}
	chain->first = chain->first == NC_NULL_INDEX ? ends->first : chain->first;
	chain->last = ends->last;
}

// Walk once around an obstacle, as nc_feature_next() does: from side to side, and over the cone in
// between where there is one.
static void chain_obstacle(const Loader* l, int first, CellEnds* chain)
{
	const NcSnap* snap = &l->diagram->snap;
	int half = first;
	do
	{
		chain_cell(l, nc_side_feature(half), chain);
		half = nc_wall_previous(snap, half ^ 1);
		int vertex = nc_half_vertex(snap, half);
		if (l->diagram->sites.has_cone.data[vertex] && nc_wall_is_reflex(snap, half))
		{
			chain_cell(l, nc_cone_feature(vertex), chain);
		}
	} while (half != first);
}

static void chain_pieces(const Loader* l)
{
	NcDiagram* diagram = l->diagram;
	for (int i = 0; i < l->features.count; ++i)
	{
		NcFeature feature = l->features.data[i];
		int index = nc_feature_index(feature);
		bool is_cone = nc_feature_is_cone(feature);
		bool is_corner = is_cone && diagram->snap.vertices.data[index].half != NC_NULL_INDEX;
		if (l->ends.data[feature].is_passed || is_corner)
		{
			continue;
		}
		CellEnds chain = {NC_NULL_INDEX, NC_NULL_INDEX, false};
		is_cone ? chain_cell(l, feature, &chain) : chain_obstacle(l, index, &chain);
		if (chain.last != NC_NULL_INDEX)
		{
			diagram->records.data[chain.last].next = chain.first;
		}
	}
}

static bool allocate_lists(Loader* l)
{
	const NcSnap* snap = &l->diagram->snap;
	int record_count = l->file->header.record_count;
	int last_side = nc_side_feature(2 * snap->fragments.count);
	int last_cone = nc_cone_feature(snap->vertices.count);
	return nc_array_reserve(&l->owners, record_count) &&
		   nc_array_reserve(&l->ends, last_side > last_cone ? last_side : last_cone);
}

static NcStatus load(Loader* l, NcWorld* world)
{
	NcDiagram* diagram = l->diagram;
	const NcSnap* snap = &diagram->snap;
	NcParallel alone = {0};
	if (!nc_sites_build(&diagram->sites, snap, &alone) ||
		!nc_array_resize(&diagram->side_cells, 2 * snap->fragments.count) ||
		!nc_array_resize(&diagram->cone_cells, snap->vertices.count) || !list_features(l))
	{
		return NC_OUT_OF_MEMORY;
	}
	if (!place_cells(l))
	{
		return NC_WRONG_FORMAT;
	}
	if (!nc_array_resize_raw(&diagram->records, l->file->header.record_count) || !allocate_lists(l))
	{
		return NC_OUT_OF_MEMORY;
	}
	list_owners(l);
	if (!read_cells(l))
	{
		return NC_WRONG_FORMAT;
	}
	chain_pieces(l);
	return nc_diagram_make_junctions(diagram) ? nc_file_load_graph(l->file, l->linked_count, world)
											  : NC_OUT_OF_MEMORY;
}

NcStatus nc_file_load_cells(const NcFile* file, NcMap* map)
{
	Loader l = {.file = file, .diagram = &map->world.diagram};
	NcStatus status = load(&l, &map->world);
	nc_array_free(&l.features);
	nc_array_free(&l.owners);
	nc_array_free(&l.ends);
	return status;
}
