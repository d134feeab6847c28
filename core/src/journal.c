// SPDX-License-Identifier: MIT
// The journal of an update: see journal.h.

#include "journal.h"

void nc_journal_clear(NcJournal* journal)
{
	journal->entries.count = 0;
	journal->bytes.count = 0;
	journal->entries.failed = false;
	journal->bytes.failed = false;
	journal->has_failed = false;
}

void nc_journal_free(NcJournal* journal)
{
	nc_array_free(&journal->entries);
	nc_array_free(&journal->bytes);
}

bool nc_journal_grow(NcJournal* journal, long long entry_count, long long byte_count)
{
	journal->has_failed |= !nc_array_reserve(&journal->entries, entry_count) ||
						   !nc_array_reserve(&journal->bytes, byte_count);
	return !journal->has_failed;
}

// Read the pointer in a place, whatever it points to.
static uint8_t* read_pointer(const void* place)
{
	uint8_t* pointer;
	memcpy(&pointer, place, sizeof(pointer));
	return pointer;
}

void nc_journal_roll_back(NcJournal* journal)
{
	while (journal->entries.count > 0)
	{
		const NcJournalEntry* entry = &journal->entries.data[--journal->entries.count];
		journal->bytes.count -= entry->size;
		void* memory = entry->is_item ? read_pointer(entry->place) + entry->offset : entry->place;
		memcpy(memory, journal->bytes.data + journal->bytes.count, (size_t)entry->size);
	}
	nc_journal_clear(journal);
}
