// SPDX-License-Identifier: MIT
// Asserts: NC_ASSERT for preconditions and cheap invariants, NC_VALIDATE for checks that cost more
// than the work itself. Both vanish in release builds; define NC_CHECK_ALL to keep the latter.
#pragma once

#include "nav_corridor/base.h"

/// Report a broken condition to the assert hook.
void nc_report_assert(const char* condition, const char* file, int line);

#ifdef NDEBUG
#define NC_ASSERT(condition) ((void)0)
#else
#define NC_ASSERT(condition) \
	((condition) ? (void)0 : nc_report_assert(#condition, __FILE__, __LINE__))
#endif

#ifdef NC_CHECK_ALL
#define NC_VALIDATE(condition) NC_ASSERT(condition)
#else
#define NC_VALIDATE(condition) ((void)0)
#endif

/// The number of elements of a C array.
#define NC_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/// Ask for memory that is going to be read soon. Any address will do. A function that does nothing
/// else has to be NC_PREFETCHING, or gcc takes it for one that does nothing at all.
#ifdef __GNUC__
#define NC_PREFETCH(address) __builtin_prefetch(address)
#define NC_PREFETCHING static inline __attribute__((always_inline))
#else
#define NC_PREFETCH(address) ((void)(address))
#define NC_PREFETCHING static inline
#endif

/// Fill an error, if there is one to fill, and return its status.
static inline NcStatus nc_fail(NcError* error, NcStatus status, int item, const char* reason)
{
	if (error != NULL)
	{
		*error = (NcError){.status = status, .item = item, .reason = reason};
	}
	return status;
}
