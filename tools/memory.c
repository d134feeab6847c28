// SPDX-License-Identifier: MIT

// Memory for the command line: either there is enough, or the program ends.

#include "memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_CAPACITY 16

static void* end_without_memory(void)
{
	fputs("navcorridor: out of memory\n", stderr);
	exit(2);
}

void* memory_grow(void* items, int count, int* capacity, size_t item_size)
{
	if (count < *capacity)
	{
		return items;
	}
	if (*capacity > INT_MAX / 2)
	{
		return end_without_memory();
	}

	int room = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
	void* grown = realloc(items, (size_t)room * item_size);
	if (grown == NULL)
	{
		return end_without_memory();
	}
	*capacity = room;
	return grown;
}

void* memory_allocate(int count, size_t item_size)
{
	void* items = calloc(count > 0 ? (size_t)count : 1, item_size);
	return items != NULL ? items : end_without_memory();
}
