// SPDX-License-Identifier: MIT
// Landmarks: see landmarks.h.

#include "landmarks.h"

#include "check.h"
#include "map_state.h"

#define ALL_LANDMARKS ((1u << NC_LANDMARK_COUNT) - 1)

void nc_landmarks_free(NcLandmarks* landmarks)
{
	nc_array_free(&landmarks->vertices);
	nc_array_free(&landmarks->queue);
	nc_array_free(&landmarks->flooded);
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		nc_array_free(&landmarks->heaps[i]);
	}
}

// Without memory there are no landmarks; searches go on without.
static void give_up(NcLandmarks* landmarks)
{
	landmarks->stage = NC_LANDMARKS_NONE;
	landmarks->vertices.failed = landmarks->queue.failed = landmarks->flooded.failed = false;
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		landmarks->heaps[i].count = 0;
		landmarks->heaps[i].failed = false;
	}
}

static uint32_t get_usable(const NcLandmarks* landmarks)
{
	uint32_t usable = 0;
	for (int i = 0; i < NC_LANDMARK_COUNT && landmarks->stage == NC_LANDMARKS_READY; ++i)
	{
		usable |= landmarks->heaps[i].count == 0 ? 1u << i : 0;
	}
	return usable;
}

// The heap of a landmark: the lowest value first.

static void push_item(NcLandmarkHeap* heap, int64_t value, int vertex)
{
	NcLandmarkItem item = {value, vertex};
	if (!nc_array_push(heap, item))
	{
		return;
	}
	int i = heap->count - 1;
	while (i > 0 && value < heap->data[(i - 1) / 2].value)
	{
		heap->data[i] = heap->data[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap->data[i] = item;
}

static NcLandmarkItem pop_item(NcLandmarkHeap* heap)
{
	NcLandmarkItem top = heap->data[0];
	NcLandmarkItem last = heap->data[--heap->count];
	int i = 0;
	for (int child = 1; child < heap->count; child = 2 * i + 1)
	{
		child += child + 1 < heap->count && heap->data[child + 1].value < heap->data[child].value;
		if (heap->data[child].value >= last.value)
		{
			break;
		}
		heap->data[i] = heap->data[child];
		i = child;
	}
	heap->data[i] = last;
	return top;
}

// Values.

static bool exists(const NcGraph* graph, int vertex)
{
	return graph->vertices.data[vertex].junction != NC_NULL_INDEX;
}

static NcVec2 get_position(const NcWorld* world, int vertex)
{
	return world->diagram.junctions.data[world->graph.vertices.data[vertex].junction].position;
}

// The cost of an edge without penalties; see nc_search_get_cost().
static int64_t compute_cost(const NcWorld* world, const NcGraphEdge* edge)
{
	double straight =
		nc_distance(get_position(world, edge->vertices[0]), get_position(world, edge->vertices[1]));
	return nc_search_quantize(nc_max(edge->length, straight));
}

// Lower the neighbours of a vertex for one landmark.
static void expand(NcLandmarks* landmarks, const NcWorld* world, int index, int vertex)
{
	const NcGraphVertex* v = &world->graph.vertices.data[vertex];
	int64_t value = landmarks->vertices.data[vertex].values[index];
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = world->graph.ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &world->graph.edges.data[end.edge];
		int other = edge->vertices[!end.end];
		int64_t* other_value = &landmarks->vertices.data[other].values[index];
		int64_t through = value + compute_cost(world, edge);
		if (through < *other_value)
		{
			*other_value = through;
			push_item(&landmarks->heaps[index], through, other);
		}
	}
}

// Follow the map.

// Lower a vertex whose edges changed as far as its neighbours demand, and let it lower them.
static void touch(NcLandmarks* landmarks, const NcWorld* world, int vertex)
{
	const NcGraphVertex* v = &world->graph.vertices.data[vertex];
	NcLandmarkValues lowest = landmarks->vertices.data[vertex];
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = world->graph.ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &world->graph.edges.data[end.edge];
		const NcLandmarkValues* other = &landmarks->vertices.data[edge->vertices[!end.end]];
		int64_t cost = compute_cost(world, edge);
		for (int k = 0; k < NC_LANDMARK_COUNT; ++k)
		{
			bool is_lower = other->values[k] + cost < lowest.values[k];
			lowest.values[k] = is_lower ? other->values[k] + cost : lowest.values[k];
		}
	}
	landmarks->vertices.data[vertex] = lowest;
	for (int k = 0; k < NC_LANDMARK_COUNT; ++k)
	{
		if (lowest.values[k] < NC_BLOCKED)
		{
			push_item(&landmarks->heaps[k], lowest.values[k], vertex);
		}
	}
}

static bool grow(NcLandmarks* landmarks, int vertex_count)
{
	int count = landmarks->vertices.count;
	if (count < vertex_count && !nc_array_resize(&landmarks->vertices, vertex_count))
	{
		return false;
	}
	for (int v = count; v < landmarks->vertices.count; ++v)
	{
		for (int k = 0; k < NC_LANDMARK_COUNT; ++k)
		{
			landmarks->vertices.data[v].values[k] = NC_BLOCKED;
		}
	}
	return true;
}

static bool has_failed(const NcLandmarks* landmarks)
{
	bool failed = landmarks->queue.failed || landmarks->flooded.failed;
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		failed = failed || landmarks->heaps[i].failed;
	}
	return failed;
}

static void read_changes(NcLandmarks* landmarks, const NcMap* map)
{
	const NcChanges* changes = &map->changes;
	const int* entries = changes->vertices.data;
	for (int i = (int)(landmarks->change - changes->first); i < changes->vertices.count; ++i)
	{
		for (int k = 0; entries[i] < 0 && k < NC_LANDMARK_COUNT; ++k)
		{
			landmarks->vertices.data[~entries[i]].values[k] = NC_BLOCKED;
		}
	}
	for (int i = (int)(landmarks->change - changes->first); i < changes->vertices.count; ++i)
	{
		if (entries[i] >= 0 && exists(&map->world.graph, entries[i]))
		{
			touch(landmarks, &map->world, entries[i]);
		}
	}
}

uint32_t nc_landmarks_catch_up(NcLandmarks* landmarks, const NcMap* map)
{
	long long end = nc_changes_end(&map->changes);
	if (landmarks->change == end && landmarks->stage != NC_LANDMARKS_NONE)
	{
		return get_usable(landmarks);
	}
	bool is_lost = landmarks->stage != NC_LANDMARKS_READY || landmarks->change < map->changes.first;
	if (is_lost || !grow(landmarks, map->world.graph.vertices.count))
	{
		give_up(landmarks);
		return 0;
	}
	read_changes(landmarks, map);
	landmarks->has_changed = true;
	landmarks->change = end;
	if (has_failed(landmarks))
	{
		give_up(landmarks);
	}
	return get_usable(landmarks);
}

// Making them.

static bool begin_flood(NcLandmarks* landmarks, const NcMap* map, int vertex)
{
	int count = map->world.graph.vertices.count;
	landmarks->queue.count = landmarks->queue_begin = 0;
	landmarks->flooded.count = 0;
	if (!nc_array_resize(&landmarks->flooded, count) || !nc_array_push(&landmarks->queue, vertex))
	{
		return false;
	}
	landmarks->flooded.data[vertex] = true;
	landmarks->change = nc_changes_end(&map->changes);
	landmarks->debt = 0;
	landmarks->has_changed = false;
	landmarks->stage = NC_LANDMARKS_CHOOSING;
	return true;
}

static void flood_step(NcLandmarks* landmarks, const NcGraph* graph)
{
	const NcGraphVertex* v = &graph->vertices.data[landmarks->queue.data[landmarks->queue_begin++]];
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = graph->ends.data[v->end_begin + i];
		int other = graph->edges.data[end.edge].vertices[!end.end];
		if (!landmarks->flooded.data[other])
		{
			landmarks->flooded.data[other] = true;
			nc_array_push(&landmarks->queue, other);
		}
	}
}

// The flooded vertex that lies farthest in one of eight directions. @return NC_NULL_INDEX if there
// is none, which cannot be
static int find_farthest(const NcLandmarks* landmarks, const NcWorld* world, int index)
{
	static const NcVec2 directions[NC_LANDMARK_COUNT] = {
		{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
	double best = -HUGE_VAL;
	int farthest = NC_NULL_INDEX;
	for (int i = 0; i < landmarks->queue.count; ++i)
	{
		double reach = nc_dot(get_position(world, landmarks->queue.data[i]), directions[index]);
		farthest = reach > best ? landmarks->queue.data[i] : farthest;
		best = nc_max(best, reach);
	}
	return farthest;
}

static bool begin_values(NcLandmarks* landmarks, const NcWorld* world)
{
	landmarks->vertices.count = 0;
	if (!grow(landmarks, world->graph.vertices.count))
	{
		return false;
	}
	for (int k = 0; k < NC_LANDMARK_COUNT; ++k)
	{
		int source = find_farthest(landmarks, world, k);
		landmarks->vertices.data[source].values[k] = 0;
		landmarks->heaps[k].count = 0;
		push_item(&landmarks->heaps[k], 0, source);
	}
	landmarks->stage = NC_LANDMARKS_READY;
	return true;
}

// Spend steps on one landmark. @return how many are left
static long long lower_values(
	NcLandmarks* landmarks, const NcWorld* world, int index, long long step_count)
{
	NcLandmarkHeap* heap = &landmarks->heaps[index];
	while (step_count > 0 && heap->count > 0)
	{
		NcLandmarkItem item = pop_item(heap);
		if (item.value == landmarks->vertices.data[item.vertex].values[index] &&
			exists(&world->graph, item.vertex))
		{
			expand(landmarks, world, index, item.vertex);
			--step_count;
		}
	}
	return step_count;
}

// Landmarks are made again when they know nothing about the place, or when the map has changed and
// searches have since expanded this many times as many vertices as there are.
#define MAX_DEBT 32

static bool should_begin(const NcLandmarks* landmarks, const NcMap* map, int vertex)
{
	if (landmarks->stage == NC_LANDMARKS_NONE || get_usable(landmarks) != ALL_LANDMARKS)
	{
		return landmarks->stage == NC_LANDMARKS_NONE;
	}
	bool is_unknown = landmarks->vertices.data[vertex].values[0] >= NC_BLOCKED;
	long long limit = (long long)MAX_DEBT * map->world.graph.vertices.count;
	return is_unknown || (landmarks->has_changed && landmarks->debt > limit);
}

uint32_t nc_landmarks_advance(
	NcLandmarks* landmarks, const NcMap* map, int vertex, long long step_count)
{
	const NcWorld* world = &map->world;
	nc_landmarks_catch_up(landmarks, map);
	landmarks->debt += get_usable(landmarks) == ALL_LANDMARKS ? step_count : 0;
	bool is_good = !should_begin(landmarks, map, vertex) || begin_flood(landmarks, map, vertex);
	while (is_good && landmarks->stage == NC_LANDMARKS_CHOOSING && step_count-- > 0)
	{
		if (landmarks->queue_begin < landmarks->queue.count)
		{
			flood_step(landmarks, &world->graph);
		}
		else
		{
			is_good = begin_values(landmarks, world);
		}
	}
	for (int k = 0; is_good && landmarks->stage == NC_LANDMARKS_READY && k < NC_LANDMARK_COUNT; ++k)
	{
		step_count = lower_values(landmarks, world, k, step_count);
	}
	if (!is_good || has_failed(landmarks))
	{
		give_up(landmarks);
	}
	return get_usable(landmarks);
}

void nc_landmarks_prepare_end(
	const NcLandmarks* landmarks, uint32_t used, const NcGraphEdge* edge, NcSearchEnd* end)
{
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		// Without a landmark both estimates are below zero.
		end->highest[i] = -NC_BLOCKED;
		end->lowest[i] = 2 * NC_BLOCKED;
		if (!(used & (1u << i)))
		{
			continue;
		}
		end->highest[i] = 2 * NC_BLOCKED - 1;
		end->lowest[i] = -NC_BLOCKED;
		for (int k = 0; k < 2; ++k)
		{
			int64_t value = landmarks->vertices.data[edge->vertices[k]].values[i];
			int64_t cost = end->costs[k];
			if (cost < NC_BLOCKED)
			{
				int64_t high = value + cost;
				int64_t low = value - cost;
				end->highest[i] = high < end->highest[i] ? high : end->highest[i];
				end->lowest[i] = low > end->lowest[i] ? low : end->lowest[i];
			}
		}
	}
}
