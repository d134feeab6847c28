// SPDX-License-Identifier: MIT

// All walkers together: who is where, who is near whom, then a step of each, then the bodies move.
//
// Everybody sees the others as they were at the begin of the frame, so the order does not matter:
// many decisions are shared among the threads of the engine.

#include "crowd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NEIGHBORS 32

// Decisions are shared if there are that many for each thread, and among so many threads at most.
#define MIN_SHARE 32
#define MAX_SHARES 16

typedef struct Member
{
	Walker* walker; // NULL: freed meanwhile
	WalkerPresence presence;
} Member;

static struct
{
	Member* members;
	NcNeighbor* places; // of all members
	int* deciders;      // the members that decide in this frame
	int decider_count;
	int count;
	int capacity;
	NcNeighborGrid* grid;

	// The map of the last member, which most share, while the lock is held.
	GdRid map_rid;
	StoreMap* map;
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
	int* deciders = realloc(crowd.deciders, (size_t)capacity * sizeof(int));
	crowd.deciders = deciders != NULL ? deciders : crowd.deciders;
	if (members == NULL || places == NULL || deciders == NULL)
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
			walker->crowd_index = crowd.count;
			crowd.members[crowd.count] = (Member){walker, presence};
			crowd.places[crowd.count++] =
				(NcNeighbor){walker->position, walker->velocity, walker->radius};
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
		crowd.grid, walker->position, get_reach(walker), found, 2 * MAX_NEIGHBORS);
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

// @return NULL if there is no such map, or nothing in it
static StoreMap* find_map(GdRid rid)
{
	if (rid != crowd.map_rid || crowd.map == NULL)
	{
		StoreMap* map = store_get_map(rid);
		crowd.map = map != NULL && store_sync(map) != NULL ? map : NULL;
		crowd.map_rid = rid;
	}
	return crowd.map;
}

// Find paths where they are missing.
// @return whether the member has to decide where to go
static bool prepare_member(const Member* member, bool has_grid, double dt)
{
	Walker* walker = member->walker;
	StoreMap* map = member->presence > WALKER_STANDING ? find_map(walker->map) : NULL;
	if (map == NULL)
	{
		return false;
	}
	if (member->presence == WALKER_ANSWERING)
	{
		NcNeighbor neighbors[MAX_NEIGHBORS];
		int count = has_grid && walker->is_avoiding ? find_neighbors(walker, neighbors) : 0;
		walker_answer(walker, map, neighbors, count, dt);
		return false;
	}
	if (walker_needs_path(walker, map))
	{
		if (walker->owner != NULL)
		{
			walker->owner->describe(walker);
		}
		walker_refresh(walker, map);
	}
	return walker_prepare(walker, map, dt);
}

// The decisions of a frame: shares of them, for members of one map. Threads take one share after
// the other. The main thread does so, too, and thus never waits for a thread that has not begun.
static struct
{
	StoreMap* map;
	NcQuery* queries[MAX_SHARES];
	int share_count;
	atomic_int next; // the share to take
	atomic_int done; // shares that are finished
	bool has_grid;
	double dt;
	bool has_group;
	int64_t group; // the tasks of the engine
} decisions;

static void decide(Walker* walker, StoreMap* map, NcQuery* query)
{
	NcNeighbor neighbors[MAX_NEIGHBORS];
	bool is_looking = decisions.has_grid && walker->is_avoiding;
	int count = is_looking ? find_neighbors(walker, neighbors) : 0;
	walker_decide(walker, map, query, neighbors, count, decisions.dt);
}

static void decide_share(int share)
{
	long long count = crowd.decider_count;
	int begin = (int)(count * share / decisions.share_count);
	int end = (int)(count * (share + 1) / decisions.share_count);
	for (int i = begin; i < end; ++i)
	{
		Walker* walker = crowd.members[crowd.deciders[i]].walker;
		if (walker->map == decisions.map->rid)
		{
			decide(walker, decisions.map, decisions.queries[share]);
		}
	}
}

static void take_shares(void* context, uint32_t index)
{
	(void)context, (void)index;
	for (;;)
	{
		int share = atomic_fetch_add(&decisions.next, 1);
		if (share >= decisions.share_count)
		{
			return;
		}
		decide_share(share);
		atomic_fetch_add(&decisions.done, 1);
	}
}

static void open_shares(void)
{
	int wanted = crowd.decider_count / MIN_SHARE;
	int limit = gd_count_threads();
	limit = limit < MAX_SHARES ? limit : MAX_SHARES;
	wanted = wanted < limit ? wanted : limit;
	decisions.map = wanted > 1 ? find_map(crowd.members[crowd.deciders[0]].walker->map) : NULL;
	decisions.share_count = 0;
	while (decisions.map != NULL && decisions.share_count < wanted &&
		   nc_query_create(decisions.map->core, &decisions.queries[decisions.share_count]) == NC_OK)
	{
		++decisions.share_count;
	}
}

// Let the members of one map decide on several threads.
// @return the map, or 0 if there is too little to do
static GdRid decide_in_shares(void)
{
	open_shares();
	GdRid shared = 0;
	if (decisions.share_count > 1)
	{
		shared = decisions.map->rid;
		atomic_store(&decisions.done, 0);
		atomic_store(&decisions.next, 0);
		decisions.group =
			gd_start_group(take_shares, NULL, decisions.share_count - 1, "NavCorridor: steering");
		decisions.has_group = true;
		take_shares(NULL, 0);
		while (atomic_load(&decisions.done) < decisions.share_count)
		{
			// The others have begun, and wait for nothing.
		}
	}
	for (int i = 0; i < decisions.share_count; ++i)
	{
		nc_query_destroy(decisions.queries[i]);
	}
	return shared;
}

// Without the lock: tasks that had no thread so far find nothing left to do.
static void end_decisions(void)
{
	if (decisions.has_group)
	{
		gd_wait_for_group(decisions.group);
		decisions.has_group = false;
	}
}

static void decide_all(bool has_grid, double dt)
{
	decisions.has_grid = has_grid;
	decisions.dt = dt;
	GdRid shared = decide_in_shares();
	for (int i = 0; i < crowd.decider_count; ++i)
	{
		Walker* walker = crowd.members[crowd.deciders[i]].walker;
		if (walker->map != shared)
		{
			StoreMap* map = find_map(walker->map);
			decide(walker, map, map->query);
		}
	}
}

static void step_all(double dt)
{
	bool has_grid = fill_grid();
	crowd.decider_count = 0;
	for (int i = 0; i < crowd.count; ++i)
	{
		if (prepare_member(&crowd.members[i], has_grid, dt))
		{
			crowd.deciders[crowd.decider_count++] = i;
		}
	}
	decide_all(has_grid, dt);
	for (int i = 0; i < crowd.count; ++i)
	{
		Walker* walker = crowd.members[i].walker;
		StoreMap* map = crowd.members[i].presence == WALKER_WALKING ? find_map(walker->map) : NULL;
		if (map != NULL)
		{
			walker_glide(walker, map, dt);
		}
	}
}

// Whoever has no owner may be freed by any thread as soon as the lock is gone.
static void drop_unowned(void)
{
	int count = 0;
	for (int i = 0; i < crowd.count; ++i)
	{
		Member member = crowd.members[i];
		if (member.walker->owner != NULL && member.presence > WALKER_STANDING)
		{
			member.walker->crowd_index = count;
			crowd.members[count++] = member;
		}
	}
	crowd.count = count;
}

// The owner of a walker may free any other; nodes in the tree are freed by this thread only.
static void apply(double dt)
{
	for (int i = 0; i < crowd.count; ++i)
	{
		Walker* walker = crowd.members[i].walker;
		if (walker != NULL)
		{
			walker->owner->apply(walker, crowd.members[i].presence, dt);
		}
	}
}

void crowd_step(double dt)
{
	gd_lock();
	crowd.map = NULL;
	gather();
	if (dt > 0.0)
	{
		step_all(dt);
	}
	crowd.map = NULL;
	drop_unowned();
	gd_unlock();
	end_decisions();
	if (dt > 0.0)
	{
		apply(dt);
	}
	crowd.count = 0;
}

void crowd_forget(const Walker* walker)
{
	int index = walker->crowd_index;
	if (index < crowd.count && crowd.members[index].walker == walker)
	{
		crowd.members[index].walker = NULL;
	}
}

void crowd_free(void)
{
	int slot = 0;
	for (Walker* walker = rid_next(RID_AGENT, &slot); walker != NULL;
		 walker = rid_next(RID_AGENT, &slot))
	{
		if (walker->owner == NULL)
		{
			walker_close(walker);
			free(walker);
		}
	}
	nc_neighbor_grid_destroy(crowd.grid);
	free(crowd.members);
	free(crowd.places);
	free(crowd.deciders);
	memset(&crowd, 0, sizeof(crowd));
}
