// SPDX-License-Identifier: MIT

// All walkers together: who is where, who is near whom, then a step of each, then the bodies move.
//
// Everybody sees the others as they were at the begin of the frame, so the order does not matter:
// searches and decisions are shared among the threads of the engine.

#include "crowd.h"

#include "share.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NEIGHBORS 32

// What a job takes: about as long as so many decisions. A search takes that long by itself.
#define JOB_SIZE 16

// Another thread takes part for so many jobs.
#define JOBS_PER_WORKER 2

// What a member does with its map in a frame.
typedef enum Task
{
	TASK_NONE, // it glides, or is not there
	TASK_DECIDE,
	TASK_SEARCH, // and then decide
} Task;

typedef struct Member
{
	Walker* walker; // NULL: freed meanwhile
	WalkerPresence presence;
	Task task;
} Member;

static struct
{
	Member* members;
	NcNeighbor* places; // of all members
	int* busy;          // members with a task of the map that has its turn: first who searches
	int search_count;   // of them
	int busy_count;
	int count;
	int capacity;
	NcNeighborGrid* grid;
	bool has_grid; // in this frame
	double dt;

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
	int* busy = realloc(crowd.busy, (size_t)capacity * sizeof(int));
	crowd.busy = busy != NULL ? busy : crowd.busy;
	if (members == NULL || places == NULL || busy == NULL)
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
			crowd.members[crowd.count] = (Member){walker, presence, TASK_NONE};
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
	if (!crowd.has_grid || !walker->is_avoiding || walker->hurry_time > 0.0)
	{
		return 0;
	}
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

// ---- Tasks -------------------------------------------------------------------------------------

static Task choose_task(const Member* member)
{
	Walker* walker = member->walker;
	StoreMap* map = member->presence > WALKER_STANDING ? find_map(walker->map) : NULL;
	if (map == NULL)
	{
		return TASK_NONE;
	}
	if (member->presence == WALKER_ANSWERING)
	{
		NcNeighbor neighbors[MAX_NEIGHBORS];
		walker_answer(walker, map, neighbors, find_neighbors(walker, neighbors), crowd.dt);
		return TASK_NONE;
	}
	if (walker_needs_path(walker, map))
	{
		if (walker->owner != NULL)
		{
			walker->owner->describe(walker);
		}
		return TASK_SEARCH;
	}
	return walker_must_decide(walker, map, crowd.dt) ? TASK_DECIDE : TASK_NONE;
}

// For any thread.
static void do_task(Member* member, const StoreMap* map)
{
	Walker* walker = member->walker;
	NcNeighbor neighbors[MAX_NEIGHBORS];
	if (member->task == TASK_SEARCH)
	{
		walker_search(walker, map);
	}
	walker_decide(walker, map, neighbors, find_neighbors(walker, neighbors), crowd.dt);
	member->task = TASK_NONE;
}

// The first jobs are a search each, the others some decisions each.
static void do_job(void* context, int worker, int job)
{
	const StoreMap* views = context;
	int decision = crowd.search_count + (job - crowd.search_count) * JOB_SIZE;
	int first = job < crowd.search_count ? job : decision;
	int end = job < crowd.search_count ? job + 1 : decision + JOB_SIZE;
	for (int i = first; i < end && i < crowd.busy_count; ++i)
	{
		do_task(&crowd.members[crowd.busy[i]], &views[worker]);
	}
}

static void do_jobs(StoreMap* map)
{
	_Static_assert(STORE_MAX_VIEWS >= SHARE_MAX_WORKERS, "each worker needs a view");
	StoreMap views[STORE_MAX_VIEWS];
	int job_count =
		crowd.search_count + (crowd.busy_count - crowd.search_count + JOB_SIZE - 1) / JOB_SIZE;
	int wanted = job_count / JOBS_PER_WORKER;
	int limit = share_get_worker_limit();
	int worker_count = 1;
	store_open_view(map, 0, &views[0]);
	while (worker_count < wanted && worker_count < limit &&
		   store_open_view(map, worker_count, &views[worker_count]))
	{
		++worker_count;
	}
	share_run(do_job, views, job_count, worker_count, "NavCorridor: agents");
}

static void add_busy(GdRid map, Task task)
{
	for (int i = 0; i < crowd.count; ++i)
	{
		const Member* member = &crowd.members[i];
		if (member->task == task && member->walker->map == map)
		{
			crowd.busy[crowd.busy_count++] = i;
		}
	}
}

// Map by map.
static void do_tasks(void)
{
	for (int i = 0; i < crowd.count; ++i)
	{
		if (crowd.members[i].task != TASK_NONE)
		{
			GdRid map = crowd.members[i].walker->map;
			crowd.busy_count = 0;
			add_busy(map, TASK_SEARCH);
			crowd.search_count = crowd.busy_count;
			add_busy(map, TASK_DECIDE);
			do_jobs(find_map(map));
		}
	}
}

static void step_all(double dt)
{
	crowd.dt = dt;
	crowd.has_grid = fill_grid();
	for (int i = 0; i < crowd.count; ++i)
	{
		crowd.members[i].task = choose_task(&crowd.members[i]);
	}
	do_tasks();
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
	share_end();
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
	free(crowd.busy);
	memset(&crowd, 0, sizeof(crowd));
}
