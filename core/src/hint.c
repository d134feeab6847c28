// SPDX-License-Identifier: MIT
// What finished cells know about others: see hint.h.
//
// For every feature there is one number. Zero: nothing is known. Positive: its cell is finished,
// and its records begin there, counted from one. Negative: that of the last record that names it as
// a neighbour, counted from minus one. Such records form a list: until they get their place in the
// diagram, `next` is the number of the next one, and `junction` the feature that they belong to.

#include "hint.h"

#include "check.h"

bool nc_hints_reserve(NcCellWorker* w, int feature_range)
{
	return w->heads.count >= feature_range || nc_array_resize(&w->heads, feature_range);
}

static bool is_same_place(NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(b, a)) < NC_SAME_PLACE * NC_SAME_PLACE;
}

// Make a new piece and one that runs back along it twins.
static void link_to_known(NcCellWorker* w, int p)
{
	NcRecord* record = &w->records.data[p];
	for (int i = 0; i < w->hints.count && record->twin == NC_NULL_INDEX; ++i)
	{
		const NcHint* hint = &w->hints.data[i];
		if (hint->neighbor != record->neighbor || hint->piece == NC_NULL_INDEX)
		{
			continue;
		}
		NcRecord* known = &w->records.data[hint->piece];
		if (known->twin == NC_NULL_INDEX && is_same_place(record[0].position, known[1].position) &&
			is_same_place(record[1].position, known[0].position))
		{
			record->twin = hint->piece;
			known->twin = p;
		}
	}
}

void nc_hints_finish_cell(NcCellWorker* w, NcFeature feature, int begin)
{
	w->heads.data[feature] = begin + 1;
	for (int p = begin; p < w->records.count - 1; ++p)
	{
		NcRecord* record = &w->records.data[p];
		if (record->neighbor == NC_NULL_INDEX)
		{
			continue;
		}
		int* head = &w->heads.data[record->neighbor];
		if (*head > 0)
		{
			link_to_known(w, p);
			continue;
		}
		record->next = *head;
		record->junction = feature;
		*head = -(p + 1);
	}
}

int nc_hints_find_cell(const NcCellWorker* w, NcFeature feature)
{
	int head = w->heads.data[feature];
	return head > 0 ? head - 1 : NC_NULL_INDEX;
}

void nc_hints_add_guess(NcCellWorker* w, NcFeature neighbor)
{
	NcHint hint = {.neighbor = neighbor, .piece = NC_NULL_INDEX};
	nc_array_push(&w->hints, hint);
}

void nc_hints_collect(NcCellWorker* w, NcFeature feature)
{
	for (int head = w->heads.data[feature]; head < 0;)
	{
		NcRecord* record = &w->records.data[-head - 1];
		NcHint hint = {.neighbor = record->junction, .piece = -head - 1};
		nc_array_push(&w->hints, hint);
		head = record->next;
	}
}

void nc_hints_forget(NcCellWorker* w, const NcIntArray* features)
{
	for (int i = 0; i < features->count; ++i)
	{
		w->heads.data[features->data[i]] = 0;
	}
	for (int p = 0; p < w->records.count; ++p)
	{
		if (w->records.data[p].neighbor != NC_NULL_INDEX)
		{
			w->heads.data[w->records.data[p].neighbor] = 0;
		}
	}
}
