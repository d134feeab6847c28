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
	nc_array_free(&landmarks->suspects);
	nc_array_free(&landmarks->raised);
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
	landmarks->suspects.failed = landmarks->raised.failed = false;
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		landmarks->heaps[i].count = 0;
		landmarks->heaps[i].failed = false;
	}
}

static uint32_t get_usable(const NcLandmarks* landmarks, const NcMap* map)
{
	uint32_t usable = 0;
	long long end = nc_changes_end(&map->changes);
	for (int i = 0; i < NC_LANDMARK_COUNT && landmarks->stage == NC_LANDMARKS_READY; ++i)
	{
		bool is_good = landmarks->heaps[i].count == 0 && landmarks->changes[i] == end;
		usable |= is_good ? 1u << i : 0;
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
	NcVec2 a = get_position(world, edge->vertices[0]);
	return nc_search_quantize(nc_search_measure(edge, a, get_position(world, edge->vertices[1])));
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

// The least value that the neighbours of a vertex allow.
static int64_t find_lowest(
	const NcLandmarks* landmarks, const NcWorld* world, int index, int vertex)
{
	const NcGraphVertex* v = &world->graph.vertices.data[vertex];
	int64_t lowest = NC_BLOCKED;
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = world->graph.ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &world->graph.edges.data[end.edge];
		int64_t value = landmarks->vertices.data[edge->vertices[!end.end]].values[index];
		int64_t through = value + compute_cost(world, edge);
		lowest = through < lowest ? through : lowest;
	}
	return lowest;
}

// Suspect the neighbours whose shortest way may have led through a vertex: now, or before its value
// was lowered without them knowing yet.
static void suspect_neighbors(
	NcLandmarks* landmarks, const NcWorld* world, int index, int vertex, int64_t old_value)
{
	const NcGraphVertex* v = &world->graph.vertices.data[vertex];
	for (int i = 0; i < v->end_count; ++i)
	{
		NcEdgeEnd end = world->graph.ends.data[v->end_begin + i];
		const NcGraphEdge* edge = &world->graph.edges.data[end.edge];
		int other = edge->vertices[!end.end];
		if (landmarks->vertices.data[other].values[index] >= old_value + compute_cost(world, edge))
		{
			nc_array_push(&landmarks->suspects, other);
		}
	}
}

// Forget the values of vertices whose shortest way is gone: no neighbour explains them any more.
static void raise_values(NcLandmarks* landmarks, const NcWorld* world, int index)
{
	while (landmarks->suspects.count > 0)
	{
		int vertex = landmarks->suspects.data[--landmarks->suspects.count];
		int64_t* value = &landmarks->vertices.data[vertex].values[index];
		if (*value < NC_BLOCKED && vertex != landmarks->sources[index] &&
			find_lowest(landmarks, world, index, vertex) > *value)
		{
			int64_t old_value = *value;
			*value = NC_BLOCKED;
			nc_array_push(&landmarks->raised, vertex);
			suspect_neighbors(landmarks, world, index, vertex, old_value);
		}
	}
}

// Lower a vertex as far as its neighbours demand, and let it lower them.
static void touch(NcLandmarks* landmarks, const NcWorld* world, int index, int vertex)
{
	int64_t* value = &landmarks->vertices.data[vertex].values[index];
	int64_t lowest = find_lowest(landmarks, world, index, vertex);
	*value = lowest < *value ? lowest : *value;
	if (*value < NC_BLOCKED)
	{
		push_item(&landmarks->heaps[index], *value, vertex);
	}
}

// Let one landmark follow what changed in the map. @return how many steps that took
static long long follow(NcLandmarks* landmarks, const NcMap* map, int index)
{
	const NcChanges* changes = &map->changes;
	const NcWorld* world = &map->world;
	const int* entries = changes->vertices.data;
	int begin = (int)(landmarks->changes[index] - changes->first);
	int source = landmarks->sources[index];
	landmarks->suspects.count = landmarks->raised.count = 0;
	for (int i = begin; i < changes->vertices.count; ++i)
	{
		int vertex = entries[i] < 0 ? ~entries[i] : entries[i];
		if (entries[i] < 0)
		{
			landmarks->vertices.data[vertex].values[index] = NC_BLOCKED;
		}
		else if (exists(&world->graph, vertex))
		{
			nc_array_push(&landmarks->suspects, vertex);
		}
	}
	// Without its source nothing would explain any value. They stay usable, if not exact.
	if (exists(&world->graph, source) && landmarks->vertices.data[source].values[index] == 0)
	{
		raise_values(landmarks, world, index);
	}
	for (int i = begin; i < changes->vertices.count; ++i)
	{
		if (entries[i] >= 0 && exists(&world->graph, entries[i]))
		{
			touch(landmarks, world, index, entries[i]);
		}
	}
	for (int i = 0; i < landmarks->raised.count; ++i)
	{
		touch(landmarks, world, index, landmarks->raised.data[i]);
	}
	landmarks->changes[index] = nc_changes_end(changes);
	return changes->vertices.count - begin + 2LL * landmarks->raised.count;
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
	bool failed = landmarks->queue.failed || landmarks->flooded.failed ||
				  landmarks->suspects.failed || landmarks->raised.failed;
	for (int i = 0; i < NC_LANDMARK_COUNT; ++i)
	{
		failed = failed || landmarks->heaps[i].failed;
	}
	return failed;
}

// Whether the list of changes still has what a landmark has not read.
static bool is_lost(const NcLandmarks* landmarks, const NcMap* map)
{
	bool is_lost = landmarks->stage == NC_LANDMARKS_CHOOSING &&
				   landmarks->change != nc_changes_end(&map->changes);
	for (int i = 0; i < NC_LANDMARK_COUNT && landmarks->stage == NC_LANDMARKS_READY; ++i)
	{
		is_lost = is_lost || landmarks->changes[i] < map->changes.first;
	}
	return is_lost;
}

uint32_t nc_landmarks_catch_up(NcLandmarks* landmarks, const NcMap* map)
{
	bool is_ready = landmarks->stage == NC_LANDMARKS_READY;
	if (is_lost(landmarks, map) || (is_ready && !grow(landmarks, map->world.graph.vertices.count)))
	{
		give_up(landmarks);
	}
	return get_usable(landmarks, map);
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
		landmarks->sources[k] = source;
		landmarks->changes[k] = landmarks->change;
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

// Landmarks are made again when most of them have lost their vertices, or know nothing about the
// place.
static bool should_begin(const NcLandmarks* landmarks, const NcMap* map, int vertex)
{
	if (landmarks->stage != NC_LANDMARKS_READY)
	{
		return landmarks->stage == NC_LANDMARKS_NONE;
	}
	int lost_count = 0;
	int unknown_count = 0;
	for (int k = 0; k < NC_LANDMARK_COUNT; ++k)
	{
		int source = landmarks->sources[k];
		lost_count +=
			!exists(&map->world.graph, source) || landmarks->vertices.data[source].values[k] != 0;
		unknown_count += landmarks->vertices.data[vertex].values[k] >= NC_BLOCKED;
	}
	bool is_up_to_date = get_usable(landmarks, map) == ALL_LANDMARKS;
	return lost_count > NC_LANDMARK_COUNT / 2 || (is_up_to_date && unknown_count > 0);
}

// Spend steps on choosing. @return whether memory was enough
static bool choose(NcLandmarks* landmarks, const NcWorld* world, long long* step_count)
{
	bool is_good = true;
	while (is_good && landmarks->stage == NC_LANDMARKS_CHOOSING && (*step_count)-- > 0)
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
	return is_good;
}

uint32_t nc_landmarks_advance(
	NcLandmarks* landmarks, const NcMap* map, int vertex, int first, long long step_count)
{
	const NcWorld* world = &map->world;
	nc_landmarks_catch_up(landmarks, map);
	bool is_good = !should_begin(landmarks, map, vertex) || begin_flood(landmarks, map, vertex);
	is_good = is_good && choose(landmarks, world, &step_count);
	bool is_ready = is_good && landmarks->stage == NC_LANDMARKS_READY;
	for (int i = 0; is_ready && i < NC_LANDMARK_COUNT && step_count > 0; ++i)
	{
		int k = (first + i) % NC_LANDMARK_COUNT;
		if (landmarks->changes[k] != nc_changes_end(&map->changes))
		{
			step_count -= follow(landmarks, map, k);
		}
		step_count = lower_values(landmarks, world, k, step_count);
	}
	if (!is_good || has_failed(landmarks))
	{
		give_up(landmarks);
	}
	return get_usable(landmarks, map);
}

int nc_landmarks_find_best(const NcLandmarks* landmarks, const NcMap* map, int a, int b)
{
	int best = 0;
	int64_t most = -1;
	int count = landmarks->vertices.count;
	bool is_known = landmarks->stage == NC_LANDMARKS_READY && a < count && b < count &&
					!is_lost(landmarks, map);
	for (int k = 0; is_known && k < NC_LANDMARK_COUNT; ++k)
	{
		int64_t difference =
			landmarks->vertices.data[a].values[k] - landmarks->vertices.data[b].values[k];
		difference = difference < 0 ? -difference : difference;
		best = difference > most ? k : best;
		most = difference > most ? difference : most;
	}
	return best;
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
