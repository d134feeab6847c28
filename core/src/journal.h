// SPDX-License-Identifier: MIT
// The journal of an update: what every changed item was before, so that an update that runs out of
// memory can be taken back as if it had never begun.
//
// Whoever changes an item of a shared array saves it first. Making room for that is separate from
// saving: an operation reserves room for all it is going to change, gives up if there is none, and
// from then on cannot fail. A NULL journal saves nothing: builds of new worlds use that.
#pragma once

#include "array.h"
#include "check.h"

typedef struct NcJournalEntry
{
	void* place;   ///< of the memory, or of the pointer to it if `is_item`
	size_t offset; ///< from what the pointer points to
	int size;      ///< in bytes
	bool is_item;  ///< the memory is an item of an array and may move
} NcJournalEntry;

typedef struct NcJournal
{
	NcArray(NcJournalEntry) entries;
	NcArray(uint8_t) bytes;
	bool has_failed; ///< somebody found no room: the update must be taken back
} NcJournal;

/// Forget everything, but keep the memory.
void nc_journal_clear(NcJournal* journal);
void nc_journal_free(NcJournal* journal);

#define NC_JOURNAL_ITEM_SIZE 96

/// Make the arrays larger: the rare half of nc_journal_reserve().
bool nc_journal_grow(NcJournal* journal, long long entry_count, long long byte_count);

/// Make room for a number of saved items of at most NC_JOURNAL_ITEM_SIZE bytes each.
/// @return false if there is none, now or before; nothing may be changed then
static inline bool nc_journal_reserve(NcJournal* journal, int item_count)
{
	if (journal == NULL)
	{
		return true;
	}
	long long entries = (long long)journal->entries.count + item_count;
	long long bytes = journal->bytes.count + (long long)item_count * NC_JOURNAL_ITEM_SIZE;
	bool is_there = entries <= journal->entries.capacity && bytes <= journal->bytes.capacity;
	return is_there ? !journal->has_failed : nc_journal_grow(journal, entries, bytes);
}

// An update saves about a thousand items, whose size the compiler knows: everything is inline.
static inline void nc_journal_save(NcJournal* journal, const void* memory, NcJournalEntry entry)
{
	NC_ASSERT(entry.size <= NC_JOURNAL_ITEM_SIZE);
	NC_ASSERT(journal->entries.count < journal->entries.capacity);
	NC_ASSERT(journal->bytes.count + entry.size <= journal->bytes.capacity);
	memcpy(journal->bytes.data + journal->bytes.count, memory, (size_t)entry.size);
	journal->bytes.count += entry.size;
	journal->entries.data[journal->entries.count++] = entry;
}

/// Save a piece of memory that does not move.
static inline void nc_journal_save_memory(NcJournal* journal, void* memory, int size)
{
	if (journal != NULL)
	{
		nc_journal_save(journal, memory, (NcJournalEntry){.place = memory, .size = size});
	}
}

/// Save some bytes of an array. @param data the address of the array's data pointer
static inline void nc_journal_save_bytes(NcJournal* journal, void* data, size_t offset, int size)
{
	if (journal != NULL)
	{
		NcJournalEntry entry = {.place = data, .offset = offset, .size = size, .is_item = true};
		uint8_t* items;
		memcpy(&items, data, sizeof(items));
		nc_journal_save(journal, items + offset, entry);
	}
}

/// Restore everything, last first.
void nc_journal_roll_back(NcJournal* journal);

/// Save item `index` of an NcArray and return it for changing.
#define nc_edit(journal, array, index) \
	(nc_journal_save_bytes((journal), &(array)->data, sizeof((array)->data[0]) * (size_t)(index), \
		 (int)sizeof((array)->data[0])), \
		&(array)->data[index])

/// Save one member of item `index` of an NcArray and return it for changing: less to copy, and to
/// fetch from far away in memory.
#define nc_edit_member(journal, array, index, member) \
	(nc_journal_save_bytes((journal), &(array)->data, \
		 (size_t)((const char*)&(array)->data[index].member - (const char*)(array)->data), \
		 (int)sizeof((array)->data[0].member)), \
		&(array)->data[index].member)
