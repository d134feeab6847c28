// SPDX-License-Identifier: MIT
// The journal of an update: what every changed item was before, so that an update that runs out of
// memory can be taken back as if it had never begun.
//
// Whoever changes an item of a shared array saves it first. Making room for that is separate from
// saving: an operation reserves room for all it is going to change, gives up if there is none, and
// from then on cannot fail. A NULL journal saves nothing: builds of new worlds use that.
#pragma once

#include "array.h"

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

/// Make room for a number of saved items of at most NC_JOURNAL_ITEM_SIZE bytes each.
/// @return false if there is none, now or before; nothing may be changed then
bool nc_journal_reserve(NcJournal* journal, int item_count);
#define NC_JOURNAL_ITEM_SIZE 96

/// Save a piece of memory that does not move.
void nc_journal_save_memory(NcJournal* journal, void* memory, int size);

/// Save an item of an array. @param data the address of the array's data pointer
void nc_journal_save_item(NcJournal* journal, void* data, int item_size, int index);

/// Restore everything, last first.
void nc_journal_roll_back(NcJournal* journal);

/// Save item `index` of an NcArray and return it for changing.
#define nc_edit(journal, array, index) \
	(nc_journal_save_item((journal), &(array)->data, (int)sizeof((array)->data[0]), (index)), \
		&(array)->data[index])
