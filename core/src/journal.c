// SPDX-License-Identifier: MIT
// The journal of an update: see journal.h.

#include "journal.h"

#include "check.h"

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

bool nc_journal_reserve(NcJournal* journal, int item_count)
{
	if (journal == NULL)
	{
		return true;
	}
	long long entries = (long long)journal->entries.count + item_count;
	long long bytes = journal->bytes.count + (long long)item_count * NC_JOURNAL_ITEM_SIZE;
	journal->has_failed |=
		!nc_array_reserve(&journal->entries, entries) || !nc_array_reserve(&journal->bytes, bytes);
	return !journal->has_failed;
}

static void save(NcJournal* journal, const void* memory, NcJournalEntry entry)
{
	NC_ASSERT(entry.size <= NC_JOURNAL_ITEM_SIZE);
	NC_ASSERT(journal->entries.count < journal->entries.capacity);
	NC_ASSERT(journal->bytes.count + entry.size <= journal->bytes.capacity);
	memcpy(journal->bytes.data + journal->bytes.count, memory, (size_t)entry.size);
	journal->bytes.count += entry.size;
	journal->entries.data[journal->entries.count++] = entry;
}

void nc_journal_save_memory(NcJournal* journal, void* memory, int size)
{
	if (journal != NULL)
	{
		save(journal, memory, (NcJournalEntry){.place = memory, .size = size});
	}
}

// Read the pointer in a place, whatever it points to.
static uint8_t* read_pointer(const void* place)
{
	uint8_t* pointer;
	memcpy(&pointer, place, sizeof(pointer));
	return pointer;
}

void nc_journal_save_item(NcJournal* journal, void* data, int item_size, int index)
{
	if (journal != NULL)
	{
		size_t offset = (size_t)item_size * (size_t)index;
		NcJournalEntry entry = {
			.place = data, .offset = offset, .size = item_size, .is_item = true};
		save(journal, read_pointer(data) + offset, entry);
	}
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
