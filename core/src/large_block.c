// SPDX-License-Identifier: MIT
// Large blocks of memory: see large_block.h.
//
// Free memory is a list of spans in the order of their addresses; two that touch are one. Blocks
// are cut from the first span that has room. There are some dozens of either, so looking at all of
// them costs next to nothing.

#ifdef __linux__
#define _DEFAULT_SOURCE // for madvise() and anonymous memory
#endif

#include "large_block.h"

#ifdef __linux__
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#endif

#ifdef MADV_HUGEPAGE

// Sanitizers would not see who writes beyond the end of such a block.
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif

// All sizes are multiples of a cache line.
#define UNIT ((size_t)64)

#define LARGE_PAGE ((size_t)2 << 20)

// The system is asked for at least this much. What nobody touches costs nothing.
#define MIN_REGION ((size_t)16 << 20)

// With more free memory than this and as much as is in use, all that can go back to the system
// does.
#define MAX_SPARE ((size_t)16 << 20)

// The beginning of a part of memory that is free.
typedef struct Span
{
	size_t size;
	struct Span* next;
} Span;

static struct
{
	pthread_mutex_t mutex;
	Span* first;
	size_t used_bytes, free_bytes;
} blocks = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static size_t round_up(size_t value, size_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static bool touches(const Span* span, const void* memory)
{
	return (uintptr_t)span + span->size == (uintptr_t)memory;
}

static void add_span(void* memory, size_t size)
{
	Span* before = NULL;
	Span* next = blocks.first;
	while (next != NULL && (uintptr_t)next < (uintptr_t)memory)
	{
		before = next;
		next = next->next;
	}
	blocks.free_bytes += size;
	Span* span = memory;
	*span = (Span){.size = size, .next = next};
	if (next != NULL && touches(span, next))
	{
		*span = (Span){.size = size + next->size, .next = next->next};
	}
	if (before != NULL && touches(before, span))
	{
		*before = (Span){.size = before->size + span->size, .next = span->next};
	}
	else
	{
		*(before != NULL ? &before->next : &blocks.first) = span;
	}
}

// Take the beginning of a span, which is named by the one before it or by the list.
static void* cut_span(Span** link, size_t size)
{
	Span* span = *link;
	Span* rest = span->next;
	if (span->size > size)
	{
		rest = (Span*)(void*)((char*)span + size);
		*rest = (Span){.size = span->size - size, .next = span->next};
	}
	*link = rest;
	blocks.free_bytes -= size;
	return span;
}

// Get more memory, in whole large pages. Regions are placed downwards from each other: what lies
// before the first large page is trimmed, so that the next one touches this one.
static bool add_region(size_t size)
{
	size_t wanted = size > MIN_REGION ? round_up(size, LARGE_PAGE) : MIN_REGION;
	size_t mapped = wanted + LARGE_PAGE;
	void* memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
	{
		return false;
	}
	size_t after = ((uintptr_t)memory + mapped) % LARGE_PAGE;
	size_t before = LARGE_PAGE - after;
	char* begin = (char*)memory + before;
	(void)munmap(memory, before);
	if (after > 0)
	{
		(void)munmap(begin + wanted, after);
	}
	(void)madvise(begin, wanted, MADV_HUGEPAGE); // Without large pages small ones do, too.
	add_span(begin, wanted);
	return true;
}

static void* take(size_t size)
{
	for (;;)
	{
		for (Span** link = &blocks.first; *link != NULL; link = &(*link)->next)
		{
			if ((*link)->size >= size)
			{
				blocks.used_bytes += size;
				return cut_span(link, size);
			}
		}
		if (!add_region(size))
		{
			return NULL;
		}
	}
}

// Take what follows a block, if it is free.
static bool extend(void* memory, size_t old_size, size_t size)
{
	char* end = (char*)memory + old_size;
	for (Span** link = &blocks.first; *link != NULL; link = &(*link)->next)
	{
		if ((char*)*link == end && (*link)->size >= size - old_size)
		{
			blocks.used_bytes += size - old_size;
			(void)cut_span(link, size - old_size);
			return true;
		}
	}
	return false;
}

// Return the whole large pages of all spans to the system.
static void release(void)
{
	Span* span = blocks.first;
	blocks.first = NULL;
	blocks.free_bytes = 0;
	while (span != NULL)
	{
		char* memory = (char*)span;
		size_t size = span->size;
		span = span->next;
		size_t before = round_up((uintptr_t)memory, LARGE_PAGE) - (uintptr_t)memory;
		size_t pages = size > before ? (size - before) / LARGE_PAGE * LARGE_PAGE : 0;
		if (pages == 0)
		{
			add_span(memory, size);
			continue;
		}
		(void)munmap(memory + before, pages);
		if (before > 0)
		{
			add_span(memory, before);
		}
		if (size > before + pages)
		{
			add_span(memory + before + pages, size - before - pages);
		}
	}
}

static void give(void* memory, size_t size)
{
	blocks.used_bytes -= size;
	add_span(memory, size);
	if (blocks.used_bytes == 0 || blocks.free_bytes > blocks.used_bytes + MAX_SPARE)
	{
		release();
	}
}

// Resize a block where it is. @return NULL if it is too large for that
static void* resize_in_place(void* memory, size_t old_size, size_t size)
{
	if (size < old_size)
	{
		give((char*)memory + size, old_size - size);
		return memory;
	}
	return size == old_size || extend(memory, old_size, size) ? memory : NULL;
}

bool nc_large_block_is_supported(void)
{
#ifdef HAS_SANITIZER
	return false;
#else
	return true;
#endif
}

void* nc_large_block_resize(void* memory, size_t old_size, size_t new_size)
{
	if (new_size > SIZE_MAX / 2 || (memory == NULL && new_size == 0))
	{
		return NULL;
	}
	size_t size = round_up(new_size, UNIT);
	old_size = round_up(old_size, UNIT);
	pthread_mutex_lock(&blocks.mutex);
	void* block = memory != NULL ? resize_in_place(memory, old_size, size) : NULL;
	bool is_moved = block == NULL;
	block = is_moved ? take(size) : size > 0 ? block : NULL;
	pthread_mutex_unlock(&blocks.mutex);
	if (memory != NULL && is_moved && block != NULL)
	{
		memcpy(block, memory, old_size);
		pthread_mutex_lock(&blocks.mutex);
		give(memory, old_size);
		pthread_mutex_unlock(&blocks.mutex);
	}
	return block;
}

size_t nc_large_block_count_bytes(void)
{
	pthread_mutex_lock(&blocks.mutex);
	size_t bytes = blocks.used_bytes + blocks.free_bytes;
	pthread_mutex_unlock(&blocks.mutex);
	return bytes;
}

#else

bool nc_large_block_is_supported(void)
{
	return false;
}

void* nc_large_block_resize(void* memory, size_t old_size, size_t new_size)
{
	(void)memory, (void)old_size, (void)new_size;
	return NULL;
}

size_t nc_large_block_count_bytes(void)
{
	return 0;
}

#endif
