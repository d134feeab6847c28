// SPDX-License-Identifier: MIT
#pragma once

// RIDs: the names under which scripts know maps, obstacles, terrain and agents.
//
// A RID is a kind, a slot number and a serial number that is never given twice. Engine RIDs count
// their serial numbers from one; ours start at a billion, so that a RID of another server names
// nothing here and is reported. Call everything with gd_lock() held.

#include "gd.h"

typedef enum RidKind
{
	RID_NONE,
	RID_MAP,
	RID_OBSTACLE,
	RID_TERRAIN,
	RID_AGENT,
	RID_KIND_COUNT,
} RidKind;

/// Name an item.
/// @return 0, with an error message, if there is no memory
GdRid rid_add(RidKind kind, void* item);

/// @return the item; NULL if the RID names nothing or something of another kind
void* rid_get(GdRid rid, RidKind kind);

/// @return what the RID names
RidKind rid_get_kind(GdRid rid);

/// Forget a RID. The item lives on.
void rid_remove(GdRid rid);

/// Go through all items of a kind: start with 0 and pass the same variable again.
/// @return the next item after the slot, or NULL; `slot` moves on
void* rid_next(RidKind kind, int* slot);

/// Forget all RIDs, at the end.
void rid_remove_all(void);

/// A growing list of RIDs, in no order. All zero is empty.
typedef struct RidList
{
	GdRid* data;
	int count;
	int capacity;
} RidList;

/// @return false, with an error message, if there is no memory
bool rid_list_add(RidList* list, GdRid rid);
void rid_list_remove(RidList* list, GdRid rid);
void rid_list_free(RidList* list);
