// SPDX-License-Identifier: MIT
// The format of saved maps, shared by those who write and read it.
//
// A file holds what is expensive to compute: how edges are cut into fragments, which sides are
// free, and the borders of all cells. Everything else is derived again on loading, which is as
// cheap as checking it would be, and leaves a damaged or malicious file fewer ways to lie. Numbers
// are little-endian, real ones IEEE 754 doubles. The header is followed by these sections, whose
// lengths it gives:
//
//   slots       generation, edge count, kind (see NcFileSlotKind)           12 bytes per slot
//   free slots  slot, in the order in which they were emptied                4 bytes each
//   vertices    x, y, degree and NC_FILE_FREE if it is a point in free space; along a Z-shaped
//               curve, so all are different                                 12 bytes each
//   rings       halves around each vertex, counter-clockwise, with NC_FILE_FREE if their left side
//               is free and NC_FILE_OPEN if they are no wall                 4 bytes each
//   edges       solid + 1, walkable + 1, number of uses in 2, 2 and 28 bits  4 bytes each
//   uses        halves of each edge from end to end, or the vertex that a point lies on   4 bytes
//   cells       number of pieces of each feature: the sides that begin in each vertex, in the
//               order of its ring, and its cone                              4 bytes each
//   records     x, y                                                        16 bytes each
//   mirrors     of each record (see NC_FILE_NO_MIRROR)                       4 bytes each
//   graph edges record of the first piece, rising; length, minimum clearance
//               and its x, y                                                36 bytes each
//   checksum    of everything before it                                      8 bytes
//
// Slots of obstacles keep their numbers, because ids name them. Everything else is numbered without
// gaps: fragments in the order of the rings, edges in the order of the slots after the four of the
// bounds, records in the order of the cells.
#pragma once

#include "map_state.h"

#define NC_FILE_VERSION 3

/// A line end of another system, and a character that ends texts, show what damages binary files.
#define NC_FILE_MAGIC "NCMAP\r\n\x1a"
#define NC_FILE_MAGIC_SIZE 8
#define NC_FILE_HEADER_SIZE 80
#define NC_FILE_SECTION_COUNT 10
#define NC_FILE_CHECKSUM_SIZE 8
#define NC_FILE_SLOT_SIZE 12
#define NC_FILE_VERTEX_SIZE 12
#define NC_FILE_RECORD_SIZE 16
#define NC_FILE_GRAPH_EDGE_SIZE 36

#define NC_FILE_OPEN 0x40000000u
#define NC_FILE_FREE 0x80000000u

/// The mirror of a piece is a piece of its neighbour's cell whose neighbour is its own cell: its
/// twin if it is linked. It names the neighbour, too. A neighbour that does not know about a tiny
/// piece has no mirror for it; nobody needs to know about that neighbour, then.
#define NC_FILE_NO_MIRROR 0x3fffffffu
#define NC_FILE_LINKED 0x40000000u
#define NC_FILE_TINY 0x80000000u

typedef enum NcFileSlotKind
{
	NC_FILE_SLOT_EMPTY,
	NC_FILE_SLOT_OBSTACLE,
	NC_FILE_SLOT_WALKABLE,
} NcFileSlotKind;

/// The bounds come first among all edges.
#define NC_FILE_BOUNDS_EDGES 4

typedef struct NcFileHeader
{
	double snap;
	NcPoint lower, upper;
	int columns, rows; ///< of the grids
	int slot_count, free_slot_count;
	int vertex_count, fragment_count;
	int edge_count, use_count;
	int feature_count, record_count;
	int graph_edge_count;
} NcFileHeader;

/// A file in memory, cut into its sections.
typedef struct NcFile
{
	NcFileHeader header;
	const uint8_t *slots, *free_slots, *vertices, *rings, *edges, *uses, *cells, *records, *mirrors,
		*graph_edges;
} NcFile;

/// Larger grids than this are not worth their memory, whatever the header says.
static inline long long nc_file_max_grid_cells(int edge_count)
{
	return 64 + 4LL * edge_count;
}

// Numbers. Compilers turn these into single loads and stores where the machine has that order.

static inline uint32_t nc_file_read_u32(const uint8_t* p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t nc_file_read_u64(const uint8_t* p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
		   (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
		   (uint64_t)p[7] << 56;
}

static inline double nc_file_read_double(const uint8_t* p)
{
	uint64_t bits = nc_file_read_u64(p);
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/// Two's complement, whatever the machine does.
static inline int32_t nc_file_read_i32(const uint8_t* p)
{
	uint32_t bits = nc_file_read_u32(p);
	return bits <= INT32_MAX ? (int32_t)bits : -(int32_t)(UINT32_MAX - bits) - 1;
}

// The checksum: four lanes over blocks of 32 bytes. Every step is invertible, both in the lane and
// in the word, so a change of a single word always changes the result.

#define NC_FILE_BLOCK_SIZE 32

typedef struct NcFileChecksum
{
	uint64_t lanes[4];
} NcFileChecksum;

static inline uint64_t nc_file_mix(uint64_t lane, uint64_t word)
{
	lane = (lane ^ word) * 0x9E3779B97F4A7C15u;
	return lane ^ lane >> 29;
}

static inline void nc_file_checksum_add_block(NcFileChecksum* sum, const uint8_t* block)
{
	for (int i = 0; i < 4; ++i)
	{
		sum->lanes[i] = nc_file_mix(sum->lanes[i], nc_file_read_u64(block + 8 * i));
	}
}

/// Add the rest, less than a block, and finish. @param size of everything
uint64_t nc_file_checksum_finish(NcFileChecksum* sum, const uint8_t* rest, uint64_t size);

/// Where the sections begin. @return the size of the whole file
uint64_t nc_file_compute_size(const NcFileHeader* header, uint64_t offsets[NC_FILE_SECTION_COUNT]);

/// Whether p comes before q on the Z-shaped curve. Equal points do not.
bool nc_file_is_before(NcPoint p, NcPoint q);

/// The steps of loading. Each returns NC_OK, NC_OUT_OF_MEMORY or NC_WRONG_FORMAT, and leaves a map
/// that can be destroyed.
NcStatus nc_file_load_obstacles(const NcFile* file, NcMap* map);
NcStatus nc_file_load_snap(const NcFile* file, NcMap* map);
NcStatus nc_file_load_cells(const NcFile* file, NcMap* map);

/// How edges relate to fragments.
typedef enum NcFileWorldKind
{
	NC_FILE_WORLD_ANY,
	NC_FILE_WORLD_SIMPLE, ///< every edge is a point, or a fragment of its own
} NcFileWorldKind;

/// The last part of loading the snapped world: fill its grids and, unless it is simple, count what
/// makes vertices hot, and verify that edges are cut into the right fragments.
NcStatus nc_file_check_snap(const NcFile* file, NcSnap* snap, NcFileWorldKind kind);

/// The last part of loading the cells.
/// @param linked_count of all pieces, how many have a twin
NcStatus nc_file_load_graph(const NcFile* file, int linked_count, NcWorld* world);
