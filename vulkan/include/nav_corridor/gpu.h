// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/math2d.h"

/// A Vulkan device that works for us, without a window and beside any other user of Vulkan in the
/// same process. Vulkan is loaded when a device is opened; nothing links to it. A device is for one
/// thread at a time; different threads may use different devices at the same time.
typedef struct NcGpu NcGpu;

typedef enum NcGpuKind
{
	NC_GPU_ANY,        ///< only for choosing: the fastest kind there is
	NC_GPU_DISCRETE,   ///< a card with its own memory
	NC_GPU_INTEGRATED, ///< shares the memory of the processor
	NC_GPU_VIRTUAL,    ///< a part of a card, in a virtual machine
	NC_GPU_SOFTWARE,   ///< the processor itself
	NC_GPU_OTHER,      ///< none of these
} NcGpuKind;

/// How closely the Khronos validation layer watches our calls. For tests and bug reports.
typedef enum NcGpuValidation
{
	NC_GPU_VALIDATION_OFF,
	NC_GPU_VALIDATION_ON,
	NC_GPU_VALIDATION_SYNC, ///< on, and looks for missing barriers too, which is slow
} NcGpuValidation;

/// Receive a message of the validation layer. Called within our functions, in the thread that
/// called them. Must not call back into the device.
typedef void NcGpuMessageFn(void* context, const char* message);

/// Which device to open, and how. Initialize with nc_default_gpu_def().
typedef struct NcGpuDef
{
	/// Only devices of this kind are considered. Default NC_GPU_ANY: discrete devices are
	/// preferred to integrated, virtual, software and other ones, in this order.
	NcGpuKind kind;

	/// Only devices with this text in their name are considered, in whatever case. NULL or empty
	/// means all.
	const char* name;

	/// Default off. Opening fails if the layer is asked for and not installed.
	NcGpuValidation validation;

	/// Receives every validation message; NULL drops them. Errors and warnings only.
	NcGpuMessageFn* message;
	void* message_context;

	/// The Vulkan loader's file. NULL means the one that the system finds.
	const char* loader_path;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcGpuDef;

NC_API NcGpuDef nc_default_gpu_def(void);

/// Open a device. Without a loader, a driver or a device that fits, return NC_NO_DEVICE and say
/// in `error` which of them is missing.
/// @param gpu receives the new device, or NULL on failure
NC_API NcStatus nc_gpu_open(const NcGpuDef* def, NcGpu** gpu, NcError* error);

/// Close a device. NULL is allowed, and so is a lost device.
NC_API void nc_gpu_close(NcGpu* gpu);

/// What a device is and can do.
typedef struct NcGpuInfo
{
	const char* name;                                ///< lives as long as the device
	NcGpuKind kind;                                  ///< never NC_GPU_ANY
	int version_major, version_minor, version_patch; ///< of Vulkan
	uint64_t memory_size;         ///< of its largest heap of device memory, in bytes
	uint32_t max_storage_size;    ///< that a shader can see of one buffer, in bytes
	uint32_t max_image_size;      ///< width and height of the largest image, in pixels
	uint32_t max_group_counts[3]; ///< work groups of one dispatch in x, y and z
} NcGpuInfo;

NC_API NcGpuInfo nc_gpu_get_info(const NcGpu* gpu);

/// @return a short name for messages, for example "software"
NC_API const char* nc_gpu_kind_name(NcGpuKind kind);

/// @return whether the driver gave the device up. All further jobs return NC_NO_DEVICE: close it,
/// and open a new one.
NC_API bool nc_gpu_is_lost(const NcGpu* gpu);

/// The nearest segment of a pixel if there are no segments at all.
#define NC_GPU_NO_SEGMENT 0xffffffffu

/// A wall from a to b, or a point if they are equal. In world units.
typedef struct NcGpuSegment
{
	NcVec2 a, b;
} NcGpuSegment;

/// A raster of square pixels over a rectangle of the world, and the segments to look for.
/// Initialize with nc_default_gpu_clearance_def().
typedef struct NcGpuClearanceDef
{
	/// The corner of the raster with the smallest coordinates, in world units.
	NcVec2 lower;

	/// The side of a pixel, in world units. From 1e-20 to 1e20. Default 1.
	double pixel_size;

	/// Number of pixels, at least 1. There is no upper limit.
	int width, height;

	/// May lie anywhere within 2^40 pixels of the raster, also outside of it.
	const NcGpuSegment* segments;
	int segment_count;

	/// Catches definitions that were not initialized. Do not set.
	int cookie;
} NcGpuClearanceDef;

NC_API NcGpuClearanceDef nc_default_gpu_clearance_def(void);

/// Compute for the centre of every pixel which segment is nearest and how far it is away. Of
/// equally near ones the first is taken. The pixel in column x of row y is number y * width + x,
/// and row 0 has the smallest y. All pixels are compared with all segments. The error of a distance
/// is below a thousandth of a pixel plus a millionth of the distance; two segments that differ by
/// less may change places.
///
/// On failure the contents of the buffers are unspecified; `error` names the first bad segment.
/// @param distances receives width * height distances, in world units; infinity without segments.
/// NULL is allowed
/// @param nearest receives width * height indices of segments, or NC_GPU_NO_SEGMENT. NULL is
/// allowed
NC_API NcStatus nc_gpu_compute_clearance(
	NcGpu* gpu, const NcGpuClearanceDef* def, float* distances, uint32_t* nearest, NcError* error);
