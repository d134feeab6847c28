// SPDX-License-Identifier: MIT

// Included by C and by GLSL: the one definition of everything that crosses the bus. Only 4-byte
// scalars and structs of them, so both languages agree on the layout.

#ifndef NC_SHARED_H
#define NC_SHARED_H

// GLSL compilers for Vulkan define this name.
#ifdef VULKAN
#define NC_UINT uint
#else
#define NC_UINT uint32_t
#endif

#define NC_CLEARANCE_GROUP_SIZE 8

#define NC_CLEARANCE_SEGMENTS 0
#define NC_CLEARANCE_PIXELS 1
#define NC_CLEARANCE_BUFFER_COUNT 2

// A segment in the frame of a tile: the unit is a pixel, the origin the tile's lower corner.
struct NcClearanceSegment
{
	float ax, ay;
	float bx, by;
	float ux, uy; // unit vector from a to b; zero if they are equal
	float offset; // of the line: the height of p above it is ux * p.y - uy * p.x + offset
};

struct NcClearancePixel
{
	float squared_distance; // in pixels
	NC_UINT nearest;        // index of the segment
};

struct NcClearanceParams
{
	int width, height;     // of the tile, in pixels
	int segment_count;     // in the buffer
	NC_UINT first_segment; // index of the buffer's first segment; 0 begins a tile
};

// Distance meshes. A chunk is a part of the picture that is computed at once; its unit is a pixel,
// its origin the chunk's lower corner.

#define NC_MESH_CHUNK_SIZE 1024
#define NC_MESH_TILE_SIZE 8
#define NC_MESH_CULL_GROUP_SIZE 64
#define NC_MESH_SCAN_GROUP_SIZE 64

// A site in the frame of a chunk.
struct NcMeshSite
{
	float ax, ay;
	float bx, by;
	float ux, uy; // unit vector from a to b; zero if they are equal
	float offset; // of the line: the height of p above it is ux * p.y - uy * p.x + offset
	NC_UINT id;
};

// A tile of any level of the hierarchy, and its candidates.
struct NcMeshTile
{
	int x, y;       // its lower corner
	NC_UINT parent; // the tile that it is a part of
	NC_UINT begin;  // of its candidates in the list of its level
	NC_UINT count;
	NC_UINT filled; // how many of them are written
	float nearest;  // the squared distance from its centre to the nearest site
};

struct NcMeshPixel
{
	float squared_distance; // in pixels
	NC_UINT label;
};

// cull.comp: the candidates of tiles out of those of their parents.
#define NC_CULL_SITES 0
#define NC_CULL_TILES 1
#define NC_CULL_PARENT_LIST 2
#define NC_CULL_LIST 3
#define NC_CULL_BUFFER_COUNT 4

// The steps of culling, one run after the other.
#define NC_CULL_NEAREST 0
#define NC_CULL_COUNT 1
#define NC_CULL_FILL 2

// How many candidates a run handles at most. Some devices, lavapipe among them, end loops after
// 65,535 rounds without a word.
#define NC_MESH_SLICE_SIZE 32768

struct NcCullParams
{
	NC_UINT first_tile, tile_count; // which tiles to handle
	float tile_size;                // in pixels
	NC_UINT step;
	NC_UINT slice_begin; // the first candidate of each parent to handle; 0 begins a step
};

// mesh.comp, mesh.vert and mesh.frag: the nearest site of every pixel.
#define NC_MESH_SITES 0
#define NC_MESH_TILES 1
#define NC_MESH_LIST 2
#define NC_MESH_PIXELS 3
#define NC_MESH_BUFFER_COUNT 4

struct NcMeshParams
{
	NC_UINT first_tile, tile_count;
	float depth_scale;   // what turns a squared distance into a depth; a power of two
	NC_UINT slice_begin; // the first candidate of each tile to handle; 0 begins a tile
};

// gather.comp: labels and distances out of the images that were drawn.
#define NC_GATHER_LABELS 0
#define NC_GATHER_DEPTHS 1
#define NC_GATHER_PIXELS 2
#define NC_GATHER_BUFFER_COUNT 3

struct NcGatherParams
{
	float distance_scale; // what turns a depth into a squared distance; a power of two
};

// wind.comp: where the borders of areas cross the rows of pixels; inside.comp: what is inside.
#define NC_WIND_EDGES 0
#define NC_WIND_CHANGES 1
#define NC_WIND_BUFFER_COUNT 2

#define NC_INSIDE_PIXELS 0
#define NC_INSIDE_CHANGES 1
#define NC_INSIDE_BUFFER_COUNT 2

// A piece of the border of an area.
struct NcMeshEdge
{
	float ay, by; // of the lower and the upper end
	float ux, uy; // unit vector from a to b; uy > 0
	float offset; // as that of a site
	int change;   // of how often the area covers a pixel, from the left of the edge to its right
};

struct NcWindParams
{
	int edge_count;
};

struct NcInsideParams
{
	NC_UINT blocked_bit; // of labels
};

// extract.comp and rows.comp: the skeleton in the labels of a chunk.
#define NC_EXTRACT_SITES 0
#define NC_EXTRACT_LABELS 1
#define NC_EXTRACT_ROWS 2
#define NC_EXTRACT_SAMPLES 3
#define NC_EXTRACT_BUFFER_COUNT 4

// Labels come with one column and one row more than the chunk has pixels.
#define NC_EXTRACT_STRIDE (NC_MESH_CHUNK_SIZE + 1)

// What a sample is.
#define NC_SAMPLE_UPRIGHT 0 // runs from corner (x + 1, y) upwards
#define NC_SAMPLE_LEVEL 1   // runs from corner (x, y + 1) to the right
#define NC_SAMPLE_VERTEX 2  // the corner (x + 1, y + 1), where three or four of them meet

struct NcExtractSample
{
	int x, y; // the pixel
	int kind;
	NC_UINT left, right;    // labels, seen along the sample
	float left_x, left_y;   // the closest point of the left site, in the frame of the chunk
	float right_x, right_y; // likewise of the right site
};

struct NcExtractParams
{
	NC_UINT is_fill;     // 0: count the samples of each row; 1: write them
	NC_UINT blocked_bit; // of labels
};

// project.comp: triangles onto cells. The unit is a cell; heights are counted from the middle of
// the columns.
#define NC_PROJECT_TRIANGLES 0
#define NC_PROJECT_ITEMS 1
#define NC_PROJECT_WORDS 2
#define NC_PROJECT_BUFFER_COUNT 3

// A work group handles a triangle on a block of cells as wide as a word of the bitmap.
#define NC_PROJECT_BLOCK_SIZE 32

struct NcProjectTriangle
{
	float x[3], y[3], z[3];
};

struct NcProjectItem
{
	NC_UINT triangle;
	NC_UINT word; // the column of words
	NC_UINT row;  // the first row of cells
};

struct NcProjectParams
{
	int item_count;
	int height;                    // of the bitmap, in cells
	int stride;                    // in words
	float half_width, half_height; // of a column
};

#endif
