// SPDX-License-Identifier: MIT
#pragma once

// Growing arrays of this folder. Memory comes from the allocator hook and may run out.

#include "nav_corridor/base.h"

#include <limits.h>

// Make room for `needed` items in all, at least doubling. False, and nothing changes, if there is
// no memory for them.
static inline bool nc_grow(void** items, int* capacity, size_t item_size, long long needed)
{
	if (needed <= *capacity)
	{
		return true;
	}
	long long wanted = *capacity < 16 ? 16 : 2LL * *capacity;
	wanted = wanted < needed ? needed : wanted;
	wanted = wanted > INT_MAX ? INT_MAX : wanted;
	if (wanted < needed || (size_t)wanted > SIZE_MAX / item_size)
	{
		return false;
	}
	void* grown = nc_allocate(*items, (size_t)*capacity * item_size, (size_t)wanted * item_size);
	if (grown == NULL)
	{
		return false;
	}
	*items = grown;
	*capacity = (int)wanted;
	return true;
}

// Free an array that nc_grow() made.
static inline void nc_grow_free(void** items, int* capacity, size_t item_size)
{
	nc_allocate(*items, (size_t)*capacity * item_size, 0);
	*items = NULL;
	*capacity = 0;
}
