// SPDX-License-Identifier: MIT

// All walkers together: who is where, who is near whom, then a step of each, then the bodies move.
//
// Everybody sees the others as they were at the begin of the frame, so the order does not matter.

#include "crowd.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NEIGHBORS 32

typedef struct Member
{
	GdRid rid;
	Walker* walker; // only while the lock is held
	WalkerPresence presence;
} Member;

static struct
{
	Member* members;
	NcNeighbor* places; // of all members
	int count;
	int capacity;
	NcNeighborGrid* grid;
} crowd;

static bool reserve(int count)
{
	if (count <= crowd.capacity)
	{
		return true;
	}
	int capacity = 2 * count;
	Member* members = realloc(crowd.members, (size_t)capacity * sizeof(Member));
	crowd.members = members != NULL ? members : crowd.members;
	NcNeighbor* places = realloc(crowd.places, (size_t)capacity * sizeof(NcNeighbor));
	crowd.places = places != NULL ? places : crowd.places;
	if (members == NULL || places == NULL)
	{
		return false;
	}
	crowd.capacity = capacity;
	return true;
}

static WalkerPresence get_presence(const Walker* walker)
{
	bool is_walking = walker->has_target && !walker->is_paused;
	return walker->map == 0 ? WALKER_ABSENT : is_walking ? WALKER_WALKING : WALKER_STANDING;
}

// Ask everybody where they are and what they do.
static void gather(void)
{
	crowd.count = 0;
	int slot = 0;
	for (Walker* walker = rid_next(RID_AGENT, &slot); walker != NULL;
		 walker = rid_next(RID_AGENT, &slot))
	{
		WalkerPresence presence =
			walker->owner != NULL ? walker->owner->prepare(walker) : get_presence(walker);
		bool is_needed =
			presence > WALKER_STANDING || (presence != WALKER_ABSENT && walker->is_avoiding);
		if (is_needed && reserve(crowd.count + 1))
		{
			crowd.members[crowd.count] = (Member){walker->rid, walker, presence};
			crowd.places[crowd.count++] =
				(NcNeighbor){walker->body.position, walker->body.velocity, walker->radius};
		}
	}
}

// How far a walker looks for others.
static double get_reach(const Walker* walker)
{
	double reach = 4.0 * walker->radius + walker->max_speed * walker->time_horizon;
	return nc_min(walker->neighbor_distance, reach);
}

static bool fill_grid(void)
{
	double cell_size = 0.0;
	for (int i = 0; i < crowd.count; ++i)
	{
		const Walker* walker = crowd.members[i].walker;
		cell_size = walker->is_avoiding ? nc_max(cell_size, get_reach(walker)) : cell_size;
	}
	return cell_size > 0.0 &&
		   (crowd.grid != NULL || nc_neighbor_grid_create(&crowd.grid) == NC_OK) &&
		   nc_neighbor_grid_fill(crowd.grid, crowd.places, crowd.count, cell_size) == NC_OK;
}

static bool is_concerned(const Walker* walker, const Walker* other)
{
	return other != walker && other->is_avoiding && other->map == walker->map &&
		   (walker->avoidance_mask & other->avoidance_layers) != 0 &&
		   other->avoidance_priority >= walker->avoidance_priority;
}

static int find_neighbors(const Walker* walker, NcNeighbor* neighbors)
{
	int found[2 * MAX_NEIGHBORS];
	int found_count = nc_neighbor_grid_find(
		crowd.grid, walker->body.position, get_reach(walker), found, 2 * MAX_NEIGHBORS);
	int count = 0;
	int limit = (int)nc_min((double)walker->max_neighbors, MAX_NEIGHBORS);
	for (int i = 0; i < found_count && count < limit; ++i)
	{
		if (is_concerned(walker, crowd.members[found[i]].walker))
		{
			neighbors[count++] = crowd.places[found[i]];
		}
	}
	return count;
}

static void step_member(const Member* member, bool has_grid, double dt)
{
	Walker* walker = member->walker;
	StoreMap* map = store_get_map(walker->map);
	if (member->presence <= WALKER_STANDING || map == NULL || store_sync(map) == NULL)
	{
		return;
	}
	NcNeighbor neighbors[MAX_NEIGHBORS];
	int count = has_grid && walker->is_avoiding ? find_neighbors(walker, neighbors) : 0;
	if (member->presence == WALKER_ANSWERING)
	{
		walker_answer(walker, map, neighbors, count, dt);
		return;
	}
	walker_refresh(walker, map);
	walker_step(walker, map, neighbors, count, dt);
}

// The owner of a walker may free any other.
static void apply(double dt)
{
	for (int i = 0; i < crowd.count; ++i)
	{
		gd_lock();
		Walker* walker = walker_get(crowd.members[i].rid);
		const WalkerOwner* owner = walker != NULL ? walker->owner : NULL;
		gd_unlock();
		if (owner != NULL && crowd.members[i].presence > WALKER_STANDING)
		{
			owner->apply(walker, crowd.members[i].presence, dt);
		}
	}
}

void crowd_step(double dt)
{
	gd_lock();
	gather();
	bool has_grid = fill_grid();
	for (int i = 0; i < crowd.count && dt > 0.0; ++i)
	{
		step_member(&crowd.members[i], has_grid, dt);
	}
	gd_unlock();
	if (dt > 0.0)
	{
		apply(dt);
	}
}

void crowd_free(void)
{
	nc_neighbor_grid_destroy(crowd.grid);
	free(crowd.members);
	free(crowd.places);
	memset(&crowd, 0, sizeof(crowd));
}
