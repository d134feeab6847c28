// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/gpu.h"

/// Distance fields: which obstacle is nearest to each pixel of a rectangle of the world, and how
/// far it is away. This is the generalized Voronoi diagram as a picture: labels are its colours,
/// clearances its depth. A Vulkan device or the processor computes it, with the same bits.

/// An obstacle feature: a wall from a to b, or a point if they are equal. In world units.
typedef struct NcFieldSite
{
	NcVec2 a, b;

	/// For the border of an area: how much more often the area covers the left of the wall than
	/// its right, seen from a to b. 1 for a polygon that runs counter-clockwise, -1 for one that
	/// runs clockwise, 0 for a wall with no area. What is covered a number of times other than
	/// zero is blocked.
	int winding;

	/// Nothing is here. Keeps the numbers of the other sites as they are.
	bool is_gap;
} NcFieldSite;

/// How a device computes a field. The results are the same.
typedef enum NcFieldMethod
{
	/// A compute shader asks the candidates of each tile for every pixel.
	NC_FIELD_COMPUTE,
	/// Each candidate of a tile is drawn as a distance mesh: a quad whose fragments have the exact
	/// distance as depth and the site as colour. The depth test finds the nearest.
	NC_FIELD_RASTER,
} NcFieldMethod;

/// The label of a pixel if there are no sites at all.
#define NC_FIELD_NO_SITE 0x7fffffffu

/// This bit of a label says that the pixel is inside of a blocked area; its clearance is then 0.
#define NC_FIELD_BLOCKED 0x80000000u

/// The other bits of a label are the index of the nearest site, inside of areas, too.
#define NC_FIELD_SITE_MASK 0x7fffffffu

/// The side of the tiles for which candidates are listed, in pixels.
#define NC_FIELD_TILE_SIZE 8

/// What to compute. Initialize with nc_default_field_def().
typedef struct NcFieldDef
{
	/// The corner of the picture with the smallest coordinates, in world units.
	NcVec2 lower;

	/// The side of a pixel, in world units. From 1e-20 to 1e20. Default 1.
	double pixel_size;

	/// Number of pixels, at least 1. There is no upper limit but that of the caller's memory.
	int width, height;

	/// May lie anywhere within 2^40 pixels of the picture, also outside of it.
	const NcFieldSite* sites;
	int site_count;

	/// How often areas cover what lies far outside of all sites. 1 if the borders of the world are
	/// among the sites, and nothing beyond them is free. Default 0.
	int outer_cover;

	/// Only the tiles that touch one of these boxes, in world units, are computed; what else is in
	/// the outputs stays. For changes: the boxes must contain every point whose nearest site or
	/// clearance changed. Those of nc_map_get_changed_boxes() contain all free ones; in blocked
	/// areas the old nearest site stays. NULL means everything.
	const NcBox* dirty_boxes;
	int dirty_box_count;

	/// Default NC_FIELD_COMPUTE. Without meaning when the processor does the work.
	NcFieldMethod method;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcFieldDef;

NC_API NcFieldDef nc_default_field_def(void);

/// The candidates of a tile: the nearest site of every point of the tile is among them.
typedef struct NcFieldTile
{
	int begin, count; ///< in NcFieldTiles.sites
} NcFieldTile;

/// The candidates of all tiles. All zero is empty; free with nc_field_tiles_free().
typedef struct NcFieldTiles
{
	int columns, rows;  ///< number of tiles; the last ones may reach out of the picture
	NcFieldTile* tiles; ///< row by row
	uint32_t* sites;    ///< indices of sites; those of a tile are in ascending order
	int site_count, site_capacity;
} NcFieldTiles;

NC_API void nc_field_tiles_free(NcFieldTiles* tiles);

/// Where results go. The pixel in column x of row y is number y * width + x, and row 0 has the
/// smallest y.
typedef struct NcField
{
	/// Receives width * height distances from the pixels' centres, in world units; infinity without
	/// sites. NULL is allowed.
	float* clearances;

	/// Receives width * height labels. Of equally near sites the first is taken. NULL is allowed.
	uint32_t* labels;

	/// Receives the candidates of the tiles that were computed; what it held is freed. Devices may
	/// differ in what they list. NULL is allowed.
	NcFieldTiles* tiles;

	// The rest is about how it was done.

	bool is_from_device;       ///< a device did the work, not the processor
	long long computed_pixels; ///< how many pixels were computed
	long long candidate_count; ///< how many candidates were compared with all these pixels in sum
	long long cull_count;      ///< how many candidates were compared with tiles
} NcField;

/// Compute a field. With a device the device does the work; without one (NULL), or if the device
/// fails, the processor does, which a message to the log hook says. The error of a clearance is
/// below a thousandth of a pixel plus a millionth of the clearance; two sites that differ by less
/// may change places.
/// @return NC_INVALID_INPUT with the number of the first bad site; NC_OUT_OF_MEMORY; else NC_OK.
/// On failure the contents of the outputs are unspecified.
NC_API NcStatus nc_field_compute(NcGpu* gpu, const NcFieldDef* def, NcField* field, NcError* error);

/// The same with a device only: if it fails, say why.
/// @return also NC_NO_DEVICE, NC_OUT_OF_MEMORY of the device, NC_TOO_LARGE
NC_API NcStatus nc_gpu_compute_field(
	NcGpu* gpu, const NcFieldDef* def, NcField* field, NcError* error);
