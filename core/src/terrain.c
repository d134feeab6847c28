// SPDX-License-Identifier: MIT
// Terrain: regions in, a grid that answers out. See terrain_grid.h for the answers.

#include "nav_corridor/terrain.h"

#include "check.h"
#include "terrain_state.h"

#include <stdlib.h>

// Beyond this, in world units, products of coordinates lose their meaning.
#define MAX_TERRAIN_COORDINATE 1e12

// Profiles.

NcTerrainProfile nc_default_terrain_profile(void)
{
	NcTerrainProfile profile;
	for (int i = 0; i < NC_TERRAIN_TYPE_COUNT; ++i)
	{
		profile.weights[i] = 1.0;
	}
	return profile;
}

NcStatus nc_terrain_profile_check(const NcTerrainProfile* profile, NcError* error)
{
	for (int i = 0; i < NC_TERRAIN_TYPE_COUNT; ++i)
	{
		if (!(profile->weights[i] > 0.0))
		{
			return nc_fail(error, NC_INVALID_INPUT, i, "the weight of a type must be above zero");
		}
	}
	return NC_OK;
}

// Creation.

NcStatus nc_terrain_create(NcTerrain** terrain)
{
	*terrain = NULL;
	NcTerrain* created = nc_allocate(NULL, 0, sizeof(NcTerrain));
	if (created == NULL)
	{
		return NC_OUT_OF_MEMORY;
	}
	*created = (NcTerrain){.revision = 1};
	if (!nc_terrain_grid_build(&created->grid, NULL, 0, NULL, 0))
	{
		nc_terrain_destroy(created);
		return NC_OUT_OF_MEMORY;
	}
	*terrain = created;
	return NC_OK;
}

static void free_slot(NcRegionSlot* slot)
{
	nc_array_free(&slot->points);
	nc_array_free(&slot->ring_counts);
}

void nc_terrain_destroy(NcTerrain* terrain)
{
	if (terrain == NULL)
	{
		return;
	}
	for (int i = 0; i < terrain->slots.count; ++i)
	{
		free_slot(&terrain->slots.data[i]);
	}
	nc_array_free(&terrain->slots);
	nc_array_free(&terrain->free_slots);
	nc_terrain_grid_free(&terrain->grid);
	nc_allocate(terrain, sizeof(NcTerrain), 0);
}

// Regions.

static NcStatus check_rings(const NcRegion* region, NcError* error)
{
	if (region->ring_counts == NULL)
	{
		return region->point_count >= 3 ? NC_OK
										: nc_fail(error, NC_INVALID_INPUT, 0,
											  "a ring of a region needs at least three points");
	}
	long long sum = 0;
	for (int i = 0; i < region->ring_count; ++i)
	{
		if (region->ring_counts[i] < 3)
		{
			return nc_fail(
				error, NC_INVALID_INPUT, i, "a ring of a region needs at least three points");
		}
		sum += region->ring_counts[i];
	}
	return sum == region->point_count && sum > 0
			   ? NC_OK
			   : nc_fail(error, NC_INVALID_INPUT, NC_NULL_INDEX,
					 "the rings of a region do not add up to its points");
}

static NcStatus check_region(const NcRegion* region, NcError* error)
{
	if (region->type < 0 || region->type >= NC_TERRAIN_TYPE_COUNT)
	{
		return nc_fail(
			error, NC_INVALID_INPUT, NC_NULL_INDEX, "the type of a region must be from 0 to 63");
	}
	NcStatus status = check_rings(region, error);
	if (status != NC_OK)
	{
		return status;
	}
	for (int i = 0; i < region->point_count; ++i)
	{
		NcVec2 p = region->points[i];
		if (!(fabs(p.x) <= MAX_TERRAIN_COORDINATE && fabs(p.y) <= MAX_TERRAIN_COORDINATE))
		{
			return nc_fail(
				error, NC_INVALID_INPUT, i, "a point of a region is not a number, or beyond 1e12");
		}
	}
	return NC_OK;
}

// Copy a region into a slot that owns nothing yet.
static bool fill_slot(NcRegionSlot* slot, const NcRegion* region)
{
	int ring_count = region->ring_counts != NULL ? region->ring_count : 1;
	if (!nc_array_resize(&slot->points, region->point_count) ||
		!nc_array_resize(&slot->ring_counts, ring_count))
	{
		free_slot(slot);
		return false;
	}
	memcpy(slot->points.data, region->points, sizeof(NcVec2) * (size_t)region->point_count);
	for (int i = 0; i < ring_count; ++i)
	{
		slot->ring_counts.data[i] =
			region->ring_counts != NULL ? region->ring_counts[i] : region->point_count;
	}
	slot->type = region->type;
	slot->priority = region->priority;
	return true;
}

static NcRegionSlot* find_slot(const NcTerrain* terrain, NcRegionId id)
{
	if (id.index == 0 || id.index > (uint32_t)terrain->slots.count)
	{
		return NULL;
	}
	NcRegionSlot* slot = &terrain->slots.data[id.index - 1];
	return slot->is_used && slot->generation == id.generation ? slot : NULL;
}

// A free slot, or a new one; NC_NULL_INDEX without memory. Removing must not need memory, so the
// list of free slots has room for all of them.
static int take_slot(NcTerrain* terrain)
{
	if (terrain->free_slots.count > 0)
	{
		return terrain->free_slots.data[--terrain->free_slots.count];
	}
	terrain->slots.failed = terrain->free_slots.failed = false;
	NcRegionSlot fresh = {.generation = 1};
	if (!nc_array_reserve(&terrain->free_slots, terrain->slots.count + 1LL) ||
		!nc_array_push(&terrain->slots, fresh))
	{
		return NC_NULL_INDEX;
	}
	return terrain->slots.count - 1;
}

NcStatus nc_terrain_add_region(
	NcTerrain* terrain, const NcRegion* region, NcRegionId* id, NcError* error)
{
	*id = (NcRegionId){0};
	NcStatus status = check_region(region, error);
	if (status != NC_OK)
	{
		return status;
	}
	int index = take_slot(terrain);
	if (index == NC_NULL_INDEX)
	{
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the region");
	}
	NcRegionSlot* slot = &terrain->slots.data[index];
	if (!fill_slot(slot, region))
	{
		nc_array_push(&terrain->free_slots, index);
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the region");
	}
	slot->is_used = true;
	*id = (NcRegionId){(uint32_t)index + 1, slot->generation};
	++terrain->region_count;
	terrain->is_edited = true;
	return NC_OK;
}

NcStatus nc_terrain_set_region(
	NcTerrain* terrain, NcRegionId id, const NcRegion* region, NcError* error)
{
	NcRegionSlot* slot = find_slot(terrain, id);
	if (slot == NULL)
	{
		return nc_fail(error, NC_NOT_FOUND, NC_NULL_INDEX, "there is no region with this id");
	}
	NcStatus status = check_region(region, error);
	if (status != NC_OK)
	{
		return status;
	}
	NcRegionSlot changed = {.generation = slot->generation, .is_used = true};
	if (!fill_slot(&changed, region))
	{
		return nc_fail(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "no memory for the region");
	}
	free_slot(slot);
	*slot = changed;
	terrain->is_edited = true;
	return NC_OK;
}

NcStatus nc_terrain_remove_region(NcTerrain* terrain, NcRegionId id)
{
	NcRegionSlot* slot = find_slot(terrain, id);
	if (slot == NULL)
	{
		return NC_NOT_FOUND;
	}
	free_slot(slot);
	slot->is_used = false;
	++slot->generation;
	--terrain->region_count;
	nc_array_push(&terrain->free_slots, (int)id.index - 1);
	terrain->is_edited = true;
	return NC_OK;
}

bool nc_terrain_has_region(const NcTerrain* terrain, NcRegionId id)
{
	return find_slot(terrain, id) != NULL;
}

bool nc_terrain_get_region(const NcTerrain* terrain, NcRegionId id, NcRegion* region)
{
	const NcRegionSlot* slot = find_slot(terrain, id);
	if (slot == NULL)
	{
		return false;
	}
	*region = (NcRegion){
		.points = slot->points.data,
		.point_count = slot->points.count,
		.ring_counts = slot->ring_counts.data,
		.ring_count = slot->ring_counts.count,
		.type = slot->type,
		.priority = slot->priority,
	};
	return true;
}

int nc_terrain_get_region_count(const NcTerrain* terrain)
{
	return terrain->region_count;
}

uint32_t nc_terrain_get_revision(const NcTerrain* terrain)
{
	return terrain->revision;
}

// The update.

// What a grid is built from.
typedef struct Input
{
	NcArray(NcTerrainArea) areas;
	NcArray(NcTerrainEdge) edges;
} Input;

static void add_area(Input* input, const NcRegionSlot* slot)
{
	NcTerrainArea area = {.type = slot->type,
		.priority = slot->priority,
		.first_edge = input->edges.count,
		.box = nc_box_empty()};
	const NcVec2* ring = slot->points.data;
	for (int r = 0; r < slot->ring_counts.count; ++r)
	{
		int count = slot->ring_counts.data[r];
		for (int i = 0; i < count; ++i)
		{
			NcTerrainEdge edge = {ring[i], ring[(i + 1) % count]};
			area.box = nc_box_add_point(area.box, edge.a);
			if (edge.a.x != edge.b.x || edge.a.y != edge.b.y)
			{
				nc_array_push(&input->edges, edge);
			}
		}
		ring += count;
	}
	area.edge_count = input->edges.count - area.first_edge;
	nc_array_push(&input->areas, area);
}

// From the highest rank to the lowest. Regions of the same priority and type need no order: it does
// not matter which of them is seen.
static int compare_areas(const void* a, const void* b)
{
	const NcTerrainArea* p = a;
	const NcTerrainArea* q = b;
	if (p->priority != q->priority)
	{
		return p->priority > q->priority ? -1 : 1;
	}
	if (p->type != q->type)
	{
		return p->type > q->type ? -1 : 1;
	}
	return p->first_edge < q->first_edge ? -1 : p->first_edge > q->first_edge;
}

NcStatus nc_terrain_update(NcTerrain* terrain)
{
	if (!terrain->is_edited)
	{
		return NC_OK;
	}
	Input input = {0};
	for (int i = 0; i < terrain->slots.count; ++i)
	{
		if (terrain->slots.data[i].is_used)
		{
			add_area(&input, &terrain->slots.data[i]);
		}
	}
	NcTerrainGrid grid = {0};
	bool is_built = !input.areas.failed && !input.edges.failed;
	if (is_built)
	{
		if (input.areas.count > 0)
		{
			qsort(
				input.areas.data, (size_t)input.areas.count, sizeof(NcTerrainArea), compare_areas);
		}
		is_built = nc_terrain_grid_build(
			&grid, input.areas.data, input.areas.count, input.edges.data, input.edges.count);
	}
	nc_array_free(&input.areas);
	nc_array_free(&input.edges);
	if (!is_built)
	{
		nc_terrain_grid_free(&grid);
		return NC_OUT_OF_MEMORY;
	}
	nc_terrain_grid_free(&terrain->grid);
	terrain->grid = grid;
	terrain->is_edited = false;
	++terrain->revision;
	return NC_OK;
}

// Reading.

int nc_terrain_get_type(const NcTerrain* terrain, NcVec2 point)
{
	return nc_terrain_grid_get_type(&terrain->grid, point);
}

typedef struct Lengths
{
	double whole; // of the segment
	double* lengths;
} Lengths;

static void add_length(void* context, double begin, double end, int type)
{
	Lengths* sum = context;
	sum->lengths[type] += (end - begin) * sum->whole;
}

void nc_terrain_measure_segment(
	const NcTerrain* terrain, NcVec2 a, NcVec2 b, double lengths[NC_TERRAIN_TYPE_COUNT])
{
	memset(lengths, 0, sizeof(double) * NC_TERRAIN_TYPE_COUNT);
	Lengths sum = {nc_distance(a, b), lengths};
	nc_terrain_grid_walk(&terrain->grid, a, b, add_length, &sum);
}

double nc_terrain_compute_cost(
	const NcTerrain* terrain, const NcTerrainProfile* profile, NcVec2 a, NcVec2 b)
{
	return nc_terrain_grid_compute_cost(&terrain->grid, profile->weights, a, b);
}

typedef struct Cuts
{
	NcTerrainStretch* stretches;
	int count, capacity;
} Cuts;

static void add_stretch(void* context, double begin, double end, int type)
{
	Cuts* cuts = context;
	if (cuts->count < cuts->capacity)
	{
		cuts->stretches[cuts->count] = (NcTerrainStretch){begin, end, type};
	}
	++cuts->count;
}

int nc_terrain_cut_segment(
	const NcTerrain* terrain, NcVec2 a, NcVec2 b, NcTerrainStretch* stretches, int capacity)
{
	Cuts cuts = {.stretches = stretches, .capacity = capacity};
	nc_terrain_grid_walk(&terrain->grid, a, b, add_stretch, &cuts);
	return cuts.count;
}
