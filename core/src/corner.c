// SPDX-License-Identifier: MIT
// The ends of the border of a side: see corner.h.

#include "corner.h"

#include "check.h"

// Whether two sides that meet are not in one line.
static bool is_corner(const NcSites* sites, int half, NcFeature other)
{
	const NcDirection* d = &sites->walls.data[half >> 1].direction;
	const NcDirection* e = &sites->walls.data[nc_feature_index(other) >> 1].direction;
	return d->x * e->y != d->y * e->x;
}

static bool is_tiny(NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(a, b)) < NC_CONTRACT_LENGTH * NC_CONTRACT_LENGTH;
}

// Let the border begin in a corner.
static void close_begin(
	NcCellWorker* w, const NcSites* sites, int half, int begin, NcFeature before)
{
	NcVec2 corner = nc_point_to_vec2(nc_half_start(sites->snap, half));
	int first = begin;
	while (first + 1 < w->records.count && nc_record_is_tiny(&w->records.data[first]))
	{
		++first;
	}
	if (w->records.data[first].neighbor != before)
	{
		NcRecord old = w->records.data[begin];
		if (!is_corner(sites, half, before) || !nc_array_push(&w->records, old))
		{
			return;
		}
		NcRecord* r = w->records.data + begin;
		memmove(r + 1, r, sizeof(NcRecord) * (size_t)(w->records.count - begin - 1));
		r[0].neighbor = before;
		r[0].twin = is_tiny(old.position, corner) ? NC_TINY : NC_NULL_INDEX;
		first = begin;
	}
	for (int i = begin; i <= first; ++i)
	{
		w->records.data[i].position = corner;
	}
}

// Let the border end in a corner.
static void close_end(NcCellWorker* w, const NcSites* sites, int half, int begin, NcFeature after)
{
	NcVec2 corner = nc_point_to_vec2(nc_half_end(sites->snap, half));
	int end = w->records.count - 1;
	int last = end - 1;
	while (last > begin && nc_record_is_tiny(&w->records.data[last]))
	{
		--last;
	}
	if (w->records.data[last].neighbor != after)
	{
		NcRecord old = w->records.data[end];
		if (!is_corner(sites, half, after) || !nc_array_push(&w->records, old))
		{
			return;
		}
		w->records.data[end].neighbor = after;
		w->records.data[end].twin = is_tiny(old.position, corner) ? NC_TINY : NC_NULL_INDEX;
		last = end++;
	}
	for (int i = last + 1; i <= end; ++i)
	{
		w->records.data[i].position = corner;
	}
}

void nc_corner_close(NcCellWorker* w, const NcSites* sites, int half, int begin)
{
	if (w->records.count - begin < 2)
	{
		return;
	}
	NcFeature before = nc_feature_previous(sites, nc_side_feature(half));
	NcFeature after = nc_feature_next(sites, nc_side_feature(half));
	if (!nc_feature_is_cone(before))
	{
		close_begin(w, sites, half, begin, before);
	}
	if (!nc_feature_is_cone(after))
	{
		close_end(w, sites, half, begin, after);
	}
}
