// SPDX-License-Identifier: MIT
// Growing arrays. NcArray(T) declares {data, count, capacity, failed}; all zero is empty.
//
// Running out of memory is remembered in `failed`: the array keeps what it has, ignores further
// pushes, and whoever uses it checks once, at the end of the whole operation. No push needs an
// error branch of its own.
#pragma once

#include "nav_corridor/base.h"

#include <limits.h>
#include <string.h>

#define NcArray(Type) \
	struct \
	{ \
		Type* data; \
		int count, capacity; \
		bool failed; \
	}

/// An array of plain indices, the most common one.
typedef NcArray(int) NcIntArray;

/// Make room for `needed` items, doubling so that pushes cost constant time on average. Who asks
/// for several items at once in the beginning knows how many there will be.
/// @return the block, moved or not; on failure the old one, with `failed` set
static inline void* nc_array_grow(
	void* data, int* capacity, bool* failed, size_t item_size, long long needed)
{
	if (needed <= *capacity)
	{
		return data;
	}
	long long wanted = *capacity == 0 && needed > 1 ? needed : *capacity < 8 ? 8 : 2LL * *capacity;
	wanted = wanted < needed ? needed : wanted;
	if (*failed || wanted > INT_MAX || (size_t)wanted > SIZE_MAX / item_size)
	{
		*failed = true;
		return data;
	}

	void* grown = nc_allocate(data, (size_t)*capacity * item_size, (size_t)wanted * item_size);
	if (grown == NULL)
	{
		*failed = true;
		return data;
	}
	*capacity = (int)wanted;
	return grown;
}

/// Make room for `n` items in all.
/// @return whether there is room
#define nc_array_reserve(array, n) \
	((array)->data = nc_array_grow( \
		 (array)->data, &(array)->capacity, &(array)->failed, sizeof((array)->data[0]), (n)), \
		(n) <= (array)->capacity)

/// Append a value. @return whether it was appended
#define nc_array_push(array, value) \
	(((array)->count < (array)->capacity || nc_array_reserve(array, (array)->count + 1LL)) \
			? ((array)->data[(array)->count++] = (value), true) \
			: false)

/// Change the number of items; new ones are all zero bytes. @return whether there is room
#define nc_array_resize(array, n) \
	(nc_array_reserve(array, n) \
			? ((n) > (array)->count \
					  ? (void)memset((array)->data + (array)->count, 0, \
							sizeof((array)->data[0]) * (size_t)((n) - (array)->count)) \
					  : (void)0, \
				  (array)->count = (n), true) \
			: false)

/// Change the number of items; new ones are whatever was there, for the caller to write.
/// @return whether there is room
#define nc_array_resize_raw(array, n) \
	(nc_array_reserve(array, n) ? ((array)->count = (n), true) : false)

/// Less unused room than this is not worth the effort, in bytes.
#define NC_MIN_SHRINK 65536

/// Give back room that is not used, if that is possible.
static inline void* nc_array_shrink_block(void* data, int* capacity, int count, size_t item_size)
{
	if (count == 0 || (size_t)(*capacity - count) * item_size < NC_MIN_SHRINK)
	{
		return data;
	}
	void* shrunk = nc_allocate(data, (size_t)*capacity * item_size, (size_t)count * item_size);
	if (shrunk == NULL)
	{
		return data;
	}
	*capacity = count;
	return shrunk;
}

#define nc_array_shrink(array) \
	((array)->data = nc_array_shrink_block( \
		 (array)->data, &(array)->capacity, (array)->count, sizeof((array)->data[0])))

/// Free the memory; the array is empty and usable afterwards.
#define nc_array_free(array) \
	((void)nc_allocate((array)->data, sizeof((array)->data[0]) * (size_t)(array)->capacity, 0), \
		(array)->data = NULL, (array)->count = 0, (array)->capacity = 0, (array)->failed = false)
