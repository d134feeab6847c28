// SPDX-License-Identifier: MIT
// Maps: obstacles in, corridor map out. See map_state.h for what is inside.

#include "nav_corridor/map.h"

#include "check.h"
#include "map_state.h"
#include "shape.h"

#define MAP_DEF_COOKIE 0x4e434d50

NcMapDef nc_default_map_def(void)
{
	return (NcMapDef){
		.bounds = {{-100.0, -100.0}, {100.0, 100.0}},
		.snap = 1.0 / 1024.0,
		.worker_count = 1,
		.cookie = MAP_DEF_COOKIE,
	};
}

// Creation.

static NcStatus check_def(const NcMapDef* def, NcError* error)
{
	if (!(def->snap > 0.0) || !isfinite(def->snap))
	{
		return nc_fail(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "the snap must be a positive finite number");
	}
	if (!nc_is_finite(def->bounds.lower) || !nc_is_finite(def->bounds.upper))
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX, "the bounds are not finite numbers");
	}
	double limit = (NC_MAX_COORDINATE - 1) * def->snap;
	NcVec2 a = def->bounds.lower;
	NcVec2 b = def->bounds.upper;
	if (fabs(a.x) > limit || fabs(a.y) > limit || fabs(b.x) > limit || fabs(b.y) > limit)
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the bounds are too large: at most 2^25 snaps from the origin");
	}
	NcPoint lower = nc_snap_point(a, 1.0 / def->snap);
	NcPoint upper = nc_snap_point(b, 1.0 / def->snap);
	if (lower.x >= upper.x || lower.y >= upper.y)
	{
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the bounds must be at least one snap wide and high");
	}
	return NC_OK;
}

NcStatus nc_map_create(const NcMapDef* def, NcMap** map, NcError* error)
{
	NC_ASSERT(def->cookie == MAP_DEF_COOKIE);
	*map = NULL;
	NcStatus status = check_def(def, error);
	if (status != NC_OK)
	{
		return status;
	}
	NcMap* created = nc_allocate(NULL, 0, sizeof(NcMap));
	if (created == NULL)
	{
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the map");
	}
	*created = (NcMap){
		.snap = def->snap,
		.inverse_snap = 1.0 / def->snap,
		.lower = nc_snap_point(def->bounds.lower, 1.0 / def->snap),
		.upper = nc_snap_point(def->bounds.upper, 1.0 / def->snap),
		.parallel = {def->parallel_for, def->parallel_context, def->worker_count,
			def->find_candidates, def->candidates_context},
	};
	status = nc_map_update(created, NULL);
	if (status != NC_OK)
	{
		nc_map_destroy(created);
		return nc_fail(error, status, NC_NULL_INDEX, "no memory for the map");
	}
	*map = created;
	return NC_OK;
}

static void free_edges(NcObstacleSlot* slot)
{
	if (slot->edges.capacity == 0)
	{
		slot->edges.data = NULL; // It belongs to the map, if there is any.
	}
	nc_array_free(&slot->edges);
}

void nc_map_destroy(NcMap* map)
{
	if (map == NULL)
	{
		return;
	}
	for (int i = 0; i < map->slots.count; ++i)
	{
		free_edges(&map->slots.data[i]);
	}
	nc_array_free(&map->loaded_edges);
	nc_array_free(&map->slots);
	nc_array_free(&map->free_slots);
	nc_array_free(&map->edited);
	nc_array_free(&map->changed_boxes);
	nc_changes_free(&map->changes);
	nc_world_update_free(&map->update);
	nc_world_free(&map->world);
	nc_allocate(map, sizeof(NcMap), 0);
}

// Obstacles.

static NcObstacleSlot* find_slot(const NcMap* map, NcObstacleId id)
{
	if (id.index == 0 || id.index > (uint32_t)map->slots.count)
	{
		return NULL;
	}
	NcObstacleSlot* slot = &map->slots.data[id.index - 1];
	return slot->is_used && slot->generation == id.generation ? slot : NULL;
}

// Take a free slot, or a new one.
static int take_slot(NcMap* map)
{
	if (map->free_slots.count > 0)
	{
		return map->free_slots.data[--map->free_slots.count];
	}
	// Room in the other lists is made now, so that removing can never fail.
	NcObstacleSlot slot = {.generation = 1, .first_built_edge = NC_NULL_INDEX};
	int count = map->slots.count;
	if (!nc_array_reserve(&map->free_slots, count + 1LL) ||
		!nc_array_reserve(&map->edited, count + 1LL) || !nc_array_push(&map->slots, slot))
	{
		map->slots.failed = map->free_slots.failed = map->edited.failed = false;
		return NC_NULL_INDEX;
	}
	return count;
}

static void mark_edited(NcMap* map, int index)
{
	NcObstacleSlot* slot = &map->slots.data[index];
	if (!slot->is_edited)
	{
		nc_array_push(&map->edited, index);
		slot->is_edited = true;
	}
}

// Check a shape and turn it into edges for a slot. Until everything has worked, the slot stays as
// it is.
static NcStatus make_edges(
	NcMap* map, const NcShape* shape, int slot, NcEdgeArray* edges, NcError* error)
{
	NcStatus status = nc_shape_check(shape, map->snap, error);
	if (status != NC_OK)
	{
		return status;
	}
	status = nc_shape_append_edges(shape, map->snap, slot, edges);
	if (status != NC_OK)
	{
		nc_array_free(edges);
		return nc_fail(error, status, NC_NULL_INDEX, "no memory for the obstacle");
	}
	return NC_OK;
}

static void store_edges(NcMap* map, int index, const NcShape* shape, NcEdgeArray edges)
{
	NcObstacleSlot* slot = &map->slots.data[index];
	map->edge_count += edges.count - slot->edges.count;
	free_edges(slot);
	slot->edges = edges;
	bool is_walkable = shape->kind == NC_SHAPE_WALKABLE;
	map->walkable_count += is_walkable - slot->is_walkable;
	slot->is_walkable = is_walkable;
	mark_edited(map, index);
}

NcStatus nc_map_add_obstacle(NcMap* map, const NcShape* shape, NcObstacleId* id, NcError* error)
{
	*id = (NcObstacleId){0};
	int index = take_slot(map);
	if (index == NC_NULL_INDEX)
	{
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the obstacle");
	}
	NcEdgeArray edges = {0};
	NcStatus status = make_edges(map, shape, index, &edges, error);
	if (status != NC_OK)
	{
		nc_array_push(&map->free_slots, index);
		return status;
	}
	store_edges(map, index, shape, edges);
	map->slots.data[index].is_used = true;
	++map->obstacle_count;
	*id = (NcObstacleId){(uint32_t)index + 1, map->slots.data[index].generation};
	return NC_OK;
}

NcStatus nc_map_set_obstacle(NcMap* map, NcObstacleId id, const NcShape* shape, NcError* error)
{
	NcObstacleSlot* slot = find_slot(map, id);
	if (slot == NULL)
	{
		return nc_fail(error, NC_NOT_FOUND, NC_NULL_INDEX, "the map has no such obstacle");
	}
	int index = (int)id.index - 1;
	NcEdgeArray edges = {0};
	NcStatus status = make_edges(map, shape, index, &edges, error);
	if (status == NC_OK)
	{
		store_edges(map, index, shape, edges);
	}
	return status;
}

NcStatus nc_map_remove_obstacle(NcMap* map, NcObstacleId id)
{
	NcObstacleSlot* slot = find_slot(map, id);
	if (slot == NULL)
	{
		return NC_NOT_FOUND;
	}
	map->edge_count -= slot->edges.count;
	free_edges(slot);
	map->walkable_count -= slot->is_walkable;
	slot->is_used = false;
	slot->is_walkable = false;
	++slot->generation;
	mark_edited(map, (int)id.index - 1);
	--map->obstacle_count;
	nc_array_push(&map->free_slots, (int)id.index - 1);
	return NC_OK;
}

bool nc_map_has_obstacle(const NcMap* map, NcObstacleId id)
{
	return find_slot(map, id) != NULL;
}

int nc_map_get_obstacle_count(const NcMap* map)
{
	return map->obstacle_count;
}

bool nc_map_has_staged_edits(const NcMap* map)
{
	return map->edited.count > 0;
}

size_t nc_map_count_bytes(const NcMap* map)
{
	size_t bytes = sizeof(NcMap) + nc_world_count_bytes(&map->world) +
				   nc_world_update_count_bytes(&map->update) +
				   sizeof(NcBox) * (size_t)map->changed_boxes.capacity +
				   sizeof(NcChangedBox) * (size_t)map->changes.boxes.capacity +
				   sizeof(int) * (size_t)map->changes.vertices.capacity +
				   sizeof(NcObstacleSlot) * (size_t)map->slots.capacity +
				   sizeof(NcEdge) * (size_t)map->loaded_edges.capacity +
				   sizeof(int) * (size_t)(map->free_slots.capacity + map->edited.capacity);
	for (int i = 0; i < map->slots.count; ++i)
	{
		bytes += sizeof(NcEdge) * (size_t)map->slots.data[i].edges.capacity;
	}
	return bytes;
}

// Updating: from scratch if much has changed, else in place.

static void append_bounds(const NcMap* map, NcEdgeArray* edges)
{
	NcPoint corners[4] = {
		map->lower, {map->upper.x, map->lower.y}, map->upper, {map->lower.x, map->upper.y}};
	for (int i = 0; i < 4; ++i)
	{
		// The outside, on the right, is covered once.
		NcEdge edge = {
			.a = corners[i], .b = corners[(i + 1) % 4], .obstacle = NC_NULL_INDEX, .solid = -1};
		nc_array_push(edges, edge);
	}
}

// Enter an edge of the world into the list of its obstacle.
static void list_built_edge(NcMap* map, int edge)
{
	NcEdgeSlot* slot = &map->world.diagram.snap.edges.data[edge];
	if (slot->edge.obstacle != NC_NULL_INDEX)
	{
		int* first = &map->slots.data[slot->edge.obstacle].first_built_edge;
		slot->next_of_obstacle = *first;
		*first = edge;
	}
}

// The edges of an obstacle follow each other in a new world, which lists them from the last one on.
static void list_all_built_edges(NcMap* map)
{
	for (int i = 0; i < map->slots.count; ++i)
	{
		map->slots.data[i].first_built_edge = NC_NULL_INDEX;
	}
	int last = NC_NULL_INDEX;
	for (int e = map->world.diagram.snap.edges.count - 1; e >= 0; --e)
	{
		int obstacle = map->world.diagram.snap.edges.data[e].edge.obstacle;
		if (obstacle != last && obstacle != NC_NULL_INDEX)
		{
			map->slots.data[obstacle].first_built_edge = e;
		}
		last = obstacle;
	}
}

// Spatial order: the cells of a square grid along a curve that stays near itself, Z-shaped at every
// scale. Obstacles that are close to each other get close indices, and share memory pages.
#define ORDER_BITS 8
#define ORDER_CELLS (1 << ORDER_BITS)

static int compute_order_cell(const NcMap* map, NcPoint p)
{
	double x = ((double)p.x - map->lower.x) / ((double)map->upper.x - map->lower.x);
	double y = ((double)p.y - map->lower.y) / ((double)map->upper.y - map->lower.y);
	int i = (int)nc_clamp(x * ORDER_CELLS, 0.0, ORDER_CELLS - 1);
	int j = (int)nc_clamp(y * ORDER_CELLS, 0.0, ORDER_CELLS - 1);
	int cell = 0;
	for (int bit = 0; bit < ORDER_BITS; ++bit)
	{
		cell |= ((i >> bit) & 1) << (2 * bit) | ((j >> bit) & 1) << (2 * bit + 1);
	}
	return cell;
}

// List all slots in spatial order: a counting sort.
static bool order_slots(const NcMap* map, NcIntArray* order)
{
	int count = map->slots.count;
	NcIntArray cells = {0};
	NcIntArray starts = {0};
	bool is_done = nc_array_resize(&cells, count) && nc_array_resize(order, count) &&
				   nc_array_resize(&starts, ORDER_CELLS * ORDER_CELLS + 1);
	for (int i = 0; is_done && i < count; ++i)
	{
		const NcEdgeArray* edges = &map->slots.data[i].edges;
		cells.data[i] = edges->count > 0 ? compute_order_cell(map, edges->data[0].a) : 0;
		++starts.data[cells.data[i] + 1];
	}
	for (int i = 0; is_done && i < ORDER_CELLS * ORDER_CELLS; ++i)
	{
		starts.data[i + 1] += starts.data[i];
	}
	for (int i = 0; is_done && i < count; ++i)
	{
		order->data[starts.data[cells.data[i]]++] = i;
	}
	nc_array_free(&cells);
	nc_array_free(&starts);
	return is_done;
}

// Few obstacles fit into the cache in any order.
#define MIN_ORDERED_OBSTACLES 2048

static void append_obstacles(const NcMap* map, NcEdgeArray* edges)
{
	NcIntArray order = {0};
	bool is_ordered = map->slots.count >= MIN_ORDERED_OBSTACLES && order_slots(map, &order);
	for (int i = 0; i < map->slots.count && !edges->failed; ++i)
	{
		const NcObstacleSlot* slot = &map->slots.data[is_ordered ? order.data[i] : i];
		for (int k = 0; k < slot->edges.count; ++k)
		{
			nc_array_push(edges, slot->edges.data[k]);
		}
	}
	nc_array_free(&order);
}

static NcStatus build_from_scratch(NcMap* map)
{
	NcEdgeArray edges = {0};
	NcWorld world = {0};
	(void)nc_array_reserve(&edges, map->edge_count + 4LL);
	append_bounds(map, &edges);
	append_obstacles(map, &edges);
	NcSnapDef def = {
		.box = {nc_point_to_vec2(map->lower), nc_point_to_vec2(map->upper)},
		.outer_cover = 1,
		.outer_walkable = map->walkable_count == 0,
	};
	NcStatus status = edges.failed
						  ? NC_OUT_OF_MEMORY
						  : nc_world_build(&world, &def, edges.data, edges.count, &map->parallel);
	nc_array_free(&edges);
	if (status != NC_OK)
	{
		nc_world_free(&world);
		return status;
	}

	nc_world_free(&map->world);
	nc_world_move(&map->world, &world);
	map->built_edge_count = map->edge_count;
	list_all_built_edges(map);
	map->changed_boxes.count = 0;
	nc_array_push(&map->changed_boxes, nc_map_get_bounds(map));
	nc_changes_reset(&map->changes, map->revision + 1);
	return NC_OK;
}

static NcBox add_edge_to_box(NcBox box, const NcEdge* edge)
{
	box = nc_box_add_point(box, nc_point_to_vec2(edge->a));
	return nc_box_add_point(box, nc_point_to_vec2(edge->b));
}

// List what a change in place has to do for an edited obstacle.
static void append_change(NcMap* map, int index)
{
	const NcObstacleSlot* slot = &map->slots.data[index];
	NcSnapUpdate* change = &map->update.snap;
	NcBox boxes[2] = {nc_box_empty(), nc_box_empty()};
	for (int e = slot->first_built_edge; e != NC_NULL_INDEX;
		 e = map->world.diagram.snap.edges.data[e].next_of_obstacle)
	{
		nc_array_push(&change->removed_edges, e);
		boxes[0] = add_edge_to_box(boxes[0], &map->world.diagram.snap.edges.data[e].edge);
	}
	for (int k = 0; k < slot->edges.count; ++k)
	{
		nc_array_push(&change->added_edges, slot->edges.data[k]);
		boxes[1] = add_edge_to_box(boxes[1], &slot->edges.data[k]);
	}
	for (int i = 0; i < 2; ++i)
	{
		if (!nc_box_is_empty(boxes[i]))
		{
			// Snapping moves borders by some snaps.
			nc_array_push(&change->boxes, nc_box_grow(boxes[i], 32.0));
		}
	}
}

static NcStatus change_in_place(NcMap* map)
{
	for (int i = 0; i < map->edited.count; ++i)
	{
		append_change(map, map->edited.data[i]);
	}
	const NcSnapUpdate* change = &map->update.snap;
	if (change->removed_edges.failed || change->added_edges.failed || change->boxes.failed)
	{
		return NC_OUT_OF_MEMORY;
	}
	NcStatus status = nc_world_apply(&map->world, &map->update);
	if (status != NC_OK)
	{
		return status;
	}
	for (int i = 0; i < map->edited.count; ++i)
	{
		map->slots.data[map->edited.data[i]].first_built_edge = NC_NULL_INDEX;
	}
	for (int i = 0; i < change->new_edges.count; ++i)
	{
		list_built_edge(map, change->new_edges.data[i]);
	}
	map->changed_boxes.count = 0;
	for (int i = 0; i < map->update.diagram.changed.count; ++i)
	{
		NcBox box = map->update.diagram.changed.data[i];
		nc_array_push(&map->changed_boxes,
			((NcBox){nc_map_to_world(map, box.lower), nc_map_to_world(map, box.upper)}));
	}
	const NcGraphUpdate* graph = &map->update.graph;
	nc_changes_add_vertices(
		&map->changes, &graph->dead_vertices, &graph->touched, map->world.graph.vertices.count);
	nc_changes_add_boxes(
		&map->changes, map->changed_boxes.data, map->changed_boxes.count, map->revision + 1);
	return NC_OK;
}

// A change in place compares new edges with each other, and pays a little more for each of them
// than building does. The grid, too, fits a certain number of edges only.
#define MAX_CHANGED_EDGES 1024

// How many edges go and come; counting ends when they are too many to be changed in place.
static int count_changed_edges(const NcMap* map)
{
	int count = 0;
	for (int i = 0; i < map->edited.count && count <= MAX_CHANGED_EDGES; ++i)
	{
		const NcObstacleSlot* slot = &map->slots.data[map->edited.data[i]];
		count += slot->edges.count;
		for (int e = slot->first_built_edge; e != NC_NULL_INDEX;
			 e = map->world.diagram.snap.edges.data[e].next_of_obstacle)
		{
			++count;
		}
	}
	return count;
}

static bool should_build_from_scratch(const NcMap* map)
{
	int changed = count_changed_edges(map);
	bool is_large = changed > MAX_CHANGED_EDGES || 2 * changed > map->edge_count + 16;
	bool has_grown = map->edge_count > 4 * map->built_edge_count + 256;
	bool is_switched = map->world.diagram.snap.outer_walkable != (map->walkable_count == 0);
	return map->revision == 0 || is_large || has_grown || is_switched;
}

static void finish_edits(NcMap* map)
{
	for (int i = 0; i < map->edited.count; ++i)
	{
		NcObstacleSlot* slot = &map->slots.data[map->edited.data[i]];
		slot->built_generation = slot->generation;
		slot->is_edited = false;
	}
	map->edited.count = 0;
}

static NcStatus update_world(NcMap* map, NcMapUpdate* done)
{
	if (!nc_array_reserve(&map->changed_boxes, NC_MAX_CHANGED_BOXES))
	{
		map->changed_boxes.failed = false;
		return NC_OUT_OF_MEMORY;
	}
	nc_world_update_clear(&map->update);
	bool is_build = should_build_from_scratch(map);
	NcStatus status = is_build ? build_from_scratch(map) : change_in_place(map);
	if (status == NC_OK)
	{
		done->edited_obstacle_count = map->edited.count;
		done->recomputed_cell_count = is_build ? nc_diagram_count_cells(&map->world.diagram)
											   : map->update.diagram.recomputed.count;
		done->changed_box_count = map->changed_boxes.count;
		finish_edits(map);
		done->revision = ++map->revision;
	}
	return status;
}

NcStatus nc_map_update(NcMap* map, NcMapUpdate* update)
{
	NcMapUpdate done = {.revision = map->revision};
	if (map->edited.count > 0 || map->revision == 0)
	{
		NcStatus status = update_world(map, &done);
		if (status != NC_OK)
		{
			return status;
		}
	}
	if (update != NULL)
	{
		*update = done;
	}
	return NC_OK;
}
