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
	RidKind kind;
	void* item;
} Slot;

static struct
{
	Slot* slots;
	int count;
	int capacity;
	int first_free; // counted from one; 0: none
	uint32_t serial;
} table;

static Slot* find_slot(GdRid rid)
{
	uint32_t number = (uint32_t)rid;
	if (number == 0 || number > (uint32_t)table.count || table.slots[number - 1].rid != rid)
	{
		return NULL;
	}
	return &table.slots[number - 1];
}

// @return NULL if there is no memory
static Slot* take_slot(void)
{
	if (table.first_free != 0)
	{
		Slot* slot = &table.slots[table.first_free - 1];
		table.first_free = slot->next_free;
		return slot;
	}
	if (table.count == table.capacity)
	{
		int capacity = 2 * table.capacity + 64;
		Slot* slots = realloc(table.slots, (size_t)capacity * sizeof(Slot));
		if (slots == NULL)
		{
			return NULL;
		}
		table.slots = slots;
		table.capacity = capacity;
	}
	return &table.slots[table.count++];
}

GdRid rid_add(RidKind kind, void* item)
{
	Slot* slot = item != NULL ? take_slot() : NULL;
	if (slot == NULL)
	{
		GD_ERROR("Out of memory.");
		return 0;
	}
	uint64_t serial = FIRST_SERIAL | (table.serial++ & (FIRST_SERIAL - 1));
	*slot = (Slot){
		.rid = serial << 32 | (uint64_t)(slot - table.slots + 1),
		.kind = kind,
		.item = item,
	};
	return slot->rid;
}

void* rid_get(GdRid rid, RidKind kind)
{
	const Slot* slot = find_slot(rid);
	return slot != NULL && slot->kind == kind ? slot->item : NULL;
}

RidKind rid_get_kind(GdRid rid)
{
	const Slot* slot = find_slot(rid);
	return slot != NULL ? slot->kind : RID_NONE;
}

void rid_remove(GdRid rid)
{
	Slot* slot = find_slot(rid);
	if (slot != NULL)
	{
		*slot = (Slot){.next_free = table.first_free};
		table.first_free = (int)(slot - table.slots) + 1;
	}
}

void* rid_next(RidKind kind, int* slot)
{
	while (*slot < table.count)
	{
		const Slot* next = &table.slots[(*slot)++];
		if (next->rid != 0 && next->kind == kind)
		{
			return next->item;
		}
	}
	return NULL;
}

void rid_remove_all(void)
{
	free(table.slots);
	memset(&table, 0, sizeof(table));
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
