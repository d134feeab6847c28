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
		return nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the snap must be a positive finite number");
	}
	if (!nc_is_finite(def->bounds.lower) || !nc_is_finite(def->bounds.upper))
	{
		return nc_fail(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "the bounds are not finite numbers");
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
		.parallel = {def->parallel_for, def->parallel_context, def->worker_count},
		.edit_count = 1, // the bounds themselves
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

static void free_world(NcWorld* world)
{
	nc_graph_free(&world->graph);
	nc_diagram_free(&world->diagram);
}

void nc_map_destroy(NcMap* map)
{
	if (map == NULL)
	{
		return;
	}
	for (int i = 0; i < map->slots.count; ++i)
	{
		nc_array_free(&map->slots.data[i].edges);
	}
	nc_array_free(&map->slots);
	nc_array_free(&map->free_slots);
	nc_array_free(&map->changed_boxes);
	free_world(&map->world);
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
	// Room in the list of free slots is made now, so that removing can never fail.
	NcObstacleSlot slot = {.generation = 1, .built_box = nc_box_empty()};
	int count = map->slots.count;
	if (!nc_array_reserve(&map->free_slots, count + 1LL) || !nc_array_push(&map->slots, slot))
	{
		map->slots.failed = map->free_slots.failed = false;
		return NC_NULL_INDEX;
	}
	return count;
}

static void mark_edited(NcMap* map, NcObstacleSlot* slot)
{
	map->edit_count += !slot->is_edited;
	slot->is_edited = true;
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
	nc_array_free(&slot->edges);
	slot->edges = edges;
	slot->is_walkable = shape->kind == NC_SHAPE_WALKABLE;
	mark_edited(map, slot);
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
	nc_array_free(&slot->edges);
	slot->is_used = false;
	slot->is_walkable = false;
	++slot->generation;
	mark_edited(map, slot);
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
	return map->edit_count > 0;
}

// Updating.

static void append_bounds(const NcMap* map, NcEdgeArray* edges)
{
	NcPoint corners[4] = {map->lower, {map->upper.x, map->lower.y}, map->upper,
		{map->lower.x, map->upper.y}};
	for (int i = 0; i < 4; ++i)
	{
		// The outside, on the right, is covered once.
		NcEdge edge = {.a = corners[i], .b = corners[(i + 1) % 4], .obstacle = NC_NULL_INDEX,
			.solid = -1};
		nc_array_push(edges, edge);
	}
}

// All edges of all obstacles.
static NcStatus collect_edges(const NcMap* map, NcEdgeArray* edges, int* walkable_count)
{
	append_bounds(map, edges);
	for (int i = 0; i < map->slots.count; ++i)
	{
		const NcObstacleSlot* slot = &map->slots.data[i];
		*walkable_count += slot->is_walkable;
		for (int k = 0; k < slot->edges.count; ++k)
		{
			nc_array_push(edges, slot->edges.data[k]);
		}
	}
	return edges->failed ? NC_OUT_OF_MEMORY : NC_OK;
}

static NcBox compute_edge_box(const NcObstacleSlot* slot)
{
	NcBox box = nc_box_empty();
	for (int k = 0; k < slot->edges.count; ++k)
	{
		box = nc_box_add_point(box, nc_point_to_vec2(slot->edges.data[k].a));
		box = nc_box_add_point(box, nc_point_to_vec2(slot->edges.data[k].b));
	}
	return box;
}

static NcBox add_cell(const NcDiagram* diagram, NcFeature feature, NcBox box)
{
	const NcCell* cell = nc_diagram_cell(diagram, feature);
	for (int i = 0; cell->count > 0 && i <= cell->count; ++i)
	{
		box = nc_box_add_point(box, diagram->records.data[cell->begin + i].position);
	}
	return box;
}

// The box of all cells of features within a box: as far as an obstacle there reaches.
static NcBox compute_reach(const NcDiagram* diagram, NcBox area)
{
	NcBox reach = area;
	const NcSnap* snap = &diagram->snap;
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		const NcWall* wall = &diagram->sites.walls.data[f];
		if (nc_box_contains(area, wall->a) && nc_box_contains(area, wall->b))
		{
			reach = add_cell(diagram, nc_side_feature(2 * f), reach);
			reach = add_cell(diagram, nc_side_feature(2 * f + 1), reach);
		}
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		if (nc_box_contains(area, diagram->sites.cones.data[v].apex))
		{
			reach = add_cell(diagram, nc_cone_feature(v), reach);
		}
	}
	return reach;
}

static void add_changed_box(NcMap* map, NcBox box)
{
	NcBox world = {nc_map_to_world(map, box.lower), nc_map_to_world(map, box.upper)};
	nc_array_push(&map->changed_boxes, world);
}

// More edits than this at once are reported as one box around all of them.
#define MAX_CHANGED_BOXES 64

// List where the world changed: the reach of every edited obstacle, before and after.
static void report_changes(NcMap* map, const NcWorld* before)
{
	map->changed_boxes.count = 0;
	NcBox all = nc_box_empty();
	for (int i = 0; i < map->slots.count; ++i)
	{
		const NcObstacleSlot* slot = &map->slots.data[i];
		if (!slot->is_edited)
		{
			continue;
		}
		NcBox now = compute_edge_box(slot);
		NcBox area = nc_box_union(slot->built_box, now);
		if (nc_box_is_empty(area))
		{
			continue;
		}
		bool is_listed = map->edit_count <= MAX_CHANGED_BOXES;
		NcBox box = area;
		if (is_listed)
		{
			NcBox old = nc_box_is_empty(slot->built_box)
							? area
							: compute_reach(&before->diagram, slot->built_box);
			NcBox fresh = nc_box_is_empty(now) ? area : compute_reach(&map->world.diagram, now);
			box = nc_box_union(old, fresh);
			add_changed_box(map, box);
		}
		all = nc_box_union(all, box);
	}
	if (map->changed_boxes.count == 0 && !nc_box_is_empty(all))
	{
		add_changed_box(map, nc_box_union(compute_reach(&before->diagram, all),
								 compute_reach(&map->world.diagram, all)));
	}
}

static void finish_edits(NcMap* map)
{
	for (int i = 0; i < map->slots.count; ++i)
	{
		NcObstacleSlot* slot = &map->slots.data[i];
		if (slot->is_edited)
		{
			slot->built_box = compute_edge_box(slot);
			slot->built_generation = slot->generation;
			slot->is_edited = false;
		}
	}
	map->edit_count = 0;
}

static NcStatus build_world(const NcMap* map, NcWorld* world)
{
	NcEdgeArray edges = {0};
	int walkable_count = 0;
	NcStatus status = collect_edges(map, &edges, &walkable_count);
	if (status == NC_OK)
	{
		NcSnapDef def = {
			.box = {nc_point_to_vec2(map->lower), nc_point_to_vec2(map->upper)},
			.outer_cover = 1,
			.outer_walkable = walkable_count == 0,
		};
		status = nc_snap_build(&world->diagram.snap, &def, edges.data, edges.count);
	}
	nc_array_free(&edges);
	if (status == NC_OK)
	{
		status = nc_diagram_build(&world->diagram, &map->parallel);
	}
	if (status == NC_OK)
	{
		status = nc_graph_build(&world->graph, &world->diagram);
	}
	return status;
}

NcStatus nc_map_update(NcMap* map, NcMapUpdate* update)
{
	NcMapUpdate done = {.revision = map->revision};
	if (map->edit_count > 0)
	{
		NcWorld fresh = {0};
		NcStatus status = build_world(map, &fresh);
		if (status == NC_OK && !nc_array_reserve(&map->changed_boxes, MAX_CHANGED_BOXES))
		{
			map->changed_boxes.failed = false;
			status = NC_OUT_OF_MEMORY;
		}
		if (status != NC_OK)
		{
			free_world(&fresh);
			return status;
		}
		done.edited_obstacle_count = map->revision == 0 ? 0 : map->edit_count;
		NcWorld before = map->world;
		map->world = fresh;
		// The world moved: what points into it must follow.
		map->world.diagram.sites.snap = &map->world.diagram.snap;
		before.diagram.sites.snap = &before.diagram.snap;
		report_changes(map, &before);
		free_world(&before);
		finish_edits(map);
		done.revision = ++map->revision;
		done.recomputed_cell_count = map->world.diagram.cell_count;
		done.changed_box_count = map->changed_boxes.count;
	}
	if (update != NULL)
	{
		*update = done;
	}
	return NC_OK;
}
