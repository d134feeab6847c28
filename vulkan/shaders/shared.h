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

#endif
