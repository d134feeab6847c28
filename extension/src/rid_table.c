// SPDX-License-Identifier: MIT

// RIDs: the names under which scripts know maps, obstacles, terrain and agents.

#include "rid_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SERIAL 0x40000000u

typedef struct Slot
{
	GdRid rid;     // 0: the slot is free
	int next_free; // of a free slot: the next one, counted from one; 0 ends the chain
	void* item;
} Slot;

// The lower half of a RID: the kind of the item, and its slot in the table of that kind.
#define KIND_SHIFT 28
#define SLOT_MASK ((1u << KIND_SHIFT) - 1)

typedef struct Table
{
	Slot* slots;
	int count;
	int capacity;
	int first_free; // counted from one; 0: none
} Table;

static Table tables[RID_KIND_COUNT];
static uint32_t next_serial;

RidKind rid_get_kind(GdRid rid)
{
	uint32_t kind = (uint32_t)rid >> KIND_SHIFT;
	return kind < RID_KIND_COUNT && rid_get(rid, (RidKind)kind) != NULL ? (RidKind)kind : RID_NONE;
}

static Slot* find_slot(GdRid rid, RidKind kind)
{
	const Table* table = &tables[kind];
	uint32_t number = (uint32_t)rid & SLOT_MASK;
	bool is_known =
		number > 0 && number <= (uint32_t)table->count && table->slots[number - 1].rid == rid;
	return is_known ? &table->slots[number - 1] : NULL;
}

// @return NULL if there is no memory
static Slot* take_slot(Table* table)
{
	if (table->first_free != 0)
	{
		Slot* slot = &table->slots[table->first_free - 1];
		table->first_free = slot->next_free;
		return slot;
	}
	if (table->count == table->capacity)
	{
		int capacity = 2 * table->capacity + 64;
		Slot* slots = realloc(table->slots, (size_t)capacity * sizeof(Slot));
		if (slots == NULL)
		{
			return NULL;
		}
		table->slots = slots;
		table->capacity = capacity;
	}
	return &table->slots[table->count++];
}

GdRid rid_add(RidKind kind, void* item)
{
	Table* table = &tables[kind];
	Slot* slot = item != NULL && table->count < (int)SLOT_MASK ? take_slot(table) : NULL;
	if (slot == NULL)
	{
		GD_ERROR("Out of memory.");
		return 0;
	}
	uint64_t serial = FIRST_SERIAL | (next_serial++ & (FIRST_SERIAL - 1));
	uint32_t number = (uint32_t)kind << KIND_SHIFT | (uint32_t)(slot - table->slots + 1);
	*slot = (Slot){.rid = serial << 32 | number, .item = item};
	return slot->rid;
}

void* rid_get(GdRid rid, RidKind kind)
{
	const Slot* slot = find_slot(rid, kind);
	return slot != NULL ? slot->item : NULL;
}

void rid_remove(GdRid rid)
{
	RidKind kind = rid_get_kind(rid);
	Slot* slot = find_slot(rid, kind);
	if (slot != NULL)
	{
		*slot = (Slot){.next_free = tables[kind].first_free};
		tables[kind].first_free = (int)(slot - tables[kind].slots) + 1;
	}
}

void* rid_next(RidKind kind, int* slot)
{
	const Table* table = &tables[kind];
	while (*slot < table->count)
	{
		const Slot* next = &table->slots[(*slot)++];
		if (next->rid != 0)
		{
			return next->item;
		}
	}
	return NULL;
}

void rid_remove_all(void)
{
	for (int i = 0; i < RID_KIND_COUNT; ++i)
	{
		free(tables[i].slots);
	}
	memset(tables, 0, sizeof(tables));
}

// ---- Lists -------------------------------------------------------------------------------------

bool rid_list_add(RidList* list, GdRid rid)
{
	if (list->count == list->capacity)
	{
		int capacity = 2 * list->capacity + 16;
		GdRid* data = realloc(list->data, (size_t)capacity * sizeof(GdRid));
		if (data == NULL)
		{
			GD_ERROR("Out of memory.");
			return false;
		}
		list->data = data;
		list->capacity = capacity;
	}
	list->data[list->count++] = rid;
	return true;
}

void rid_list_remove(RidList* list, GdRid rid)
{
	// From the end, because whole sets are freed in reverse order.
	for (int i = list->count - 1; i >= 0; --i)
	{
		if (list->data[i] == rid)
		{
			list->data[i] = list->data[--list->count];
			return;
		}
	}
}

void rid_list_free(RidList* list)
{
	free(list->data);
	*list = (RidList){0};
}
