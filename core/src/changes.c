// SPDX-License-Identifier: MIT
// What updates changed: see changes.h.

#include "changes.h"

void nc_changes_free(NcChanges* changes)
{
	nc_array_free(&changes->vertices);
	nc_array_free(&changes->boxes);
}

// Leave a gap in the numbers, so that nobody has read up to here.
static void forget_vertices(NcChanges* changes)
{
	changes->first = nc_changes_end(changes) + 1;
	changes->vertices.count = 0;
	changes->vertices.failed = false;
}

void nc_changes_reset(NcChanges* changes, uint32_t revision)
{
	forget_vertices(changes);
	changes->boxes.count = 0;
	changes->forgotten = revision;
}

// Beyond this many entries, or as many as there are vertices, beginning again is not slower.
#define MIN_ENTRIES 4096

void nc_changes_add_vertices(
	NcChanges* changes, const NcIntArray* dead, const NcIntArray* touched, int vertex_count)
{
	long long count = (long long)changes->vertices.count + dead->count + touched->count;
	if (count > MIN_ENTRIES && count > vertex_count)
	{
		forget_vertices(changes);
	}
	for (int i = 0; i < dead->count; ++i)
	{
		nc_array_push(&changes->vertices, ~dead->data[i]);
	}
	for (int i = 0; i < touched->count; ++i)
	{
		nc_array_push(&changes->vertices, touched->data[i]);
	}
	if (changes->vertices.failed)
	{
		forget_vertices(changes);
	}
}

#define MAX_BOXES 4096

// Forget the older half.
static void forget_boxes(NcChanges* changes)
{
	int half = changes->boxes.count / 2;
	changes->forgotten = changes->boxes.data[half - 1].revision;
	changes->boxes.count -= half;
	memmove(changes->boxes.data, changes->boxes.data + half,
		sizeof(NcChangedBox) * (size_t)changes->boxes.count);
}

void nc_changes_add_boxes(NcChanges* changes, const NcBox* boxes, int box_count, uint32_t revision)
{
	if (changes->boxes.count + box_count > MAX_BOXES)
	{
		forget_boxes(changes);
	}
	for (int i = 0; i < box_count; ++i)
	{
		NcChangedBox item = {revision, boxes[i]};
		nc_array_push(&changes->boxes, item);
	}
	if (changes->boxes.failed)
	{
		changes->boxes.failed = false;
		changes->boxes.count = 0;
		changes->forgotten = revision;
	}
}
