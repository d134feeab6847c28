// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(NC_SHARED_BUILD)
#define NC_EXPORT __declspec(dllexport)
#elif defined(_WIN32) && defined(NC_SHARED)
#define NC_EXPORT __declspec(dllimport)
#elif defined(NC_SHARED_BUILD)
#define NC_EXPORT __attribute__((visibility("default")))
#else
#define NC_EXPORT
#endif

/// Marks every public function. Nothing without it is visible outside the library.
#ifdef __cplusplus
#define NC_API extern "C" NC_EXPORT
#else
#define NC_API extern NC_EXPORT
#endif

#define NC_VERSION_MAJOR 0
#define NC_VERSION_MINOR 1
#define NC_VERSION_PATCH 0

/// "No such item" wherever an index is expected.
#define NC_NULL_INDEX (-1)

/// What went wrong. Only for things the caller could not have known beforehand;
/// breaking a documented rule is a bug and asserts instead.
typedef enum NcStatus
{
	NC_OK = 0,
	NC_INVALID_INPUT, ///< the data cannot be used: not a number, out of range, too few points
	NC_TOO_LARGE,     ///< more items than the indices can hold
	NC_OUT_OF_MEMORY, ///< the allocator returned NULL; everything is as it was before the call
	NC_WRONG_FORMAT,  ///< saved data is damaged or comes from another version
	NC_NO_DEVICE,     ///< no usable Vulkan loader, driver or device
	NC_NOT_FOUND,     ///< the id names nothing, or something that was removed
	NC_STATUS_COUNT
} NcStatus;

/// Which item was bad and why. Functions that take data from outside fill it on failure and leave
/// it alone on success; NULL is always allowed.
typedef struct NcError
{
	NcStatus status;
	int item;           ///< index of the bad item (point, ring, line), or NC_NULL_INDEX
	const char* reason; ///< a static English sentence without a full stop; never NULL after failure
} NcError;

/// @return a short name for messages, for example "invalid input"
NC_API const char* nc_status_name(NcStatus status);

/// @return the version of the library that is linked, as "major.minor.patch"
NC_API const char* nc_get_version(void);

/// Allocate, resize or free memory, like realloc: `memory` NULL allocates, `new_size` 0 frees and
/// returns NULL. May return NULL when there is no memory; then the old block stays valid.
/// @param old_size the size this block was allocated with, in bytes; 0 if `memory` is NULL
typedef void* NcAllocFn(void* context, void* memory, size_t old_size, size_t new_size);

/// Receive a message for people: what the library did instead of what it was asked to do.
typedef void NcLogFn(void* context, const char* message);

/// Receive a broken precondition. If it returns, the program goes on at its own risk.
typedef void NcAssertFn(void* context, const char* condition, const char* file, int line);

/// The three hooks. They, and the memory that the default allocator keeps for later, are the only
/// global state of the library. Set them before anything else and never while another thread uses
/// the library. NULL restores the default (realloc and free, and on Linux large pages for large
/// blocks; no log; abort).
NC_API void nc_set_allocator(NcAllocFn* function, void* context);
NC_API void nc_set_log(NcLogFn* function, void* context);
NC_API void nc_set_assert(NcAssertFn* function, void* context);

/// Allocate, resize or free through the hook; the library's own and everybody's who extends it.
/// The rules are those of NcAllocFn. Safe to call from several threads if the hook is.
NC_API void* nc_allocate(void* memory, size_t old_size, size_t new_size);

/// Hand a message to the log hook; the library's own and everybody's who extends it.
NC_API void nc_log(const char* message);

/// @return how many bytes the library holds right now; zero when everything is destroyed
NC_API size_t nc_get_byte_count(void);

/// One piece of work: handle the items from `begin` up to, not including, `end`.
/// @param worker below the worker count; no two pieces run with the same worker at the same time
typedef void NcTaskFn(void* task_context, int begin, int end, int worker);

/// Run `task` over all items from 0 to `count`, in pieces, on as many threads as the caller likes,
/// and return when all are done. The library starts no threads of its own, and its results do not
/// depend on how the work is cut or in which order the pieces run.
typedef void NcParallelForFn(void* context, int count, NcTaskFn* task, void* task_context);
