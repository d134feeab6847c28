// SPDX-License-Identifier: MIT
// The nodes of the search over weighted terrain: see weighted.h.

#include "weighted.h"

#include "check.h"

#include <stdlib.h>

// How many lattice nodes there are: so many, and more for each edge of the map and the terrain.
#define BASE_NODE_COUNT 16384
#define NODES_PER_EDGE 8
#define MAX_NODE_COUNT (1 << 19)

// How far from a border its two points are, in parts of the spacing.
#define BORDER_OFFSET 0.02

// The medial axis gets points where the clearance is below this many spacings, this many spacings
// apart from each other.
#define NARROW_CLEARANCE 2.0
#define MEDIAL_STEP 0.7

static void choose_spacing(NcWeighted* weighted, const NcMap* map, const NcTerrain* terrain)
{
	NcBox bounds = nc_map_get_bounds(map);
	double width = bounds.upper.x - bounds.lower.x;
	double height = bounds.upper.y - bounds.lower.y;
	double edges = (double)map->world.graph.edges.count + terrain->grid.edges.count;
	double wanted = nc_min(BASE_NODE_COUNT + NODES_PER_EDGE * edges, MAX_NODE_COUNT);
	double spacing = nc_max(sqrt(width * height / wanted), nc_max(width, height) / wanted);
	weighted->spacing = spacing;
	weighted->columns = (int)(width / spacing) + 2;
	weighted->rows = (int)(height / spacing) + 2;
	NcVec2 rest = {
		width - (weighted->columns - 1) * spacing, height - (weighted->rows - 1) * spacing};
	weighted->origin = nc_mul_add(bounds.lower, 0.5, rest);
}

static void push_node(NcWeighted* weighted, const NcMap* map, NcVec2 p)
{
	if (nc_box_contains(nc_map_get_bounds(map), p))
	{
		nc_array_push(&weighted->unsorted, p);
	}
}

// Add a point on each side of a border, unless it is none: the same type on both sides.
static void push_pair(
	NcWeighted* weighted, const NcMap* map, const NcTerrainGrid* grid, NcVec2 p, NcVec2 normal)
{
	NcVec2 left = nc_mul_add(p, BORDER_OFFSET * weighted->spacing, normal);
	NcVec2 right = nc_mul_add(p, -BORDER_OFFSET * weighted->spacing, normal);
	if (nc_terrain_grid_get_type(grid, left) != nc_terrain_grid_get_type(grid, right))
	{
		push_node(weighted, map, left);
		push_node(weighted, map, right);
	}
}

static void push_ring(NcWeighted* weighted, const NcMap* map, const NcTerrainGrid* grid,
	const NcVec2* ring, int count)
{
	for (int i = 0; i < count; ++i)
	{
		NcVec2 a = ring[i];
		NcVec2 b = ring[(i + 1) % count];
		NcVec2 before = nc_sub(a, ring[(i + count - 1) % count]);
		NcVec2 along = nc_sub(b, a);
		NcVec2 normal = nc_normalize(nc_perp(along));
		NcVec2 middle = nc_normalize(nc_add(nc_normalize(nc_perp(before)), normal));
		push_pair(weighted, map, grid, a, nc_scale(1.5, middle));
		int parts = (int)nc_min(nc_length(along) / weighted->spacing, 1e5) + 1;
		for (int k = 0; k < parts; ++k)
		{
			push_pair(weighted, map, grid, nc_lerp(a, b, (k + 0.5) / parts), normal);
		}
	}
}

static void push_borders(NcWeighted* weighted, const NcMap* map, const NcTerrain* terrain)
{
	for (int i = 0; i < terrain->slots.count; ++i)
	{
		const NcRegionSlot* slot = &terrain->slots.data[i];
		const NcVec2* ring = slot->points.data;
		for (int r = 0; slot->is_used && r < slot->ring_counts.count; ++r)
		{
			push_ring(weighted, map, &terrain->grid, ring, slot->ring_counts.data[r]);
			ring += slot->ring_counts.data[r];
		}
	}
}

// Add points of an arc of the medial axis. The direction is that of the coordinates, so that it
// does not depend on the numbering of the map.
static void push_arc(NcWeighted* weighted, const NcMap* map, int piece)
{
	const NcDiagram* diagram = &map->world.diagram;
	NcArc arc = nc_arc_of_piece(diagram, piece);
	NcVec2 a = arc.ends[0], b = arc.ends[1], lowest;
	if (map->snap * nc_arc_find_min(&arc, &lowest) >= NARROW_CLEARANCE * weighted->spacing)
	{
		return;
	}
	if (b.x < a.x || (b.x == a.x && b.y < a.y))
	{
		arc = nc_arc_of_piece(diagram, nc_piece_twin(diagram, piece));
	}
	double step = MEDIAL_STEP * weighted->spacing * map->inverse_snap;
	int parts = nc_arc_count_parts(&arc, nc_max(0.02 * arc.clearances[0], NC_MIN_TOLERANCE));
	int steps = (int)(nc_distance(a, b) / step) + 1;
	parts = parts > steps ? parts : steps;
	for (int k = 0; k <= parts; ++k)
	{
		push_node(weighted, map, nc_map_to_world(map, nc_arc_get_point(&arc, k, parts)));
	}
	push_node(weighted, map, nc_map_to_world(map, lowest));
}

static void push_medial_axis(NcWeighted* weighted, const NcMap* map)
{
	const NcGraph* graph = &map->world.graph;
	for (int i = 0; i < graph->edges.count; ++i)
	{
		if (graph->edges.data[i].arc_count == 0)
		{
			continue;
		}
		NcEdgeWalk walk = nc_graph_walk_edge(graph, &map->world.diagram, (NcEdgeEnd){i, 0});
		do
		{
			push_arc(weighted, map, walk.piece);
		} while (nc_edge_walk_advance(&walk));
	}
}

static int find_cell(const NcWeighted* weighted, NcVec2 p)
{
	int i = nc_grid_clamp((p.x - weighted->origin.x) / weighted->spacing, weighted->columns);
	int j = nc_grid_clamp((p.y - weighted->origin.y) / weighted->spacing, weighted->rows);
	return j * weighted->columns + i;
}

static int compare_points(const void* a, const void* b)
{
	const NcVec2* p = a;
	const NcVec2* q = b;
	if (p->x != q->x)
	{
		return p->x < q->x ? -1 : 1;
	}
	return p->y < q->y ? -1 : p->y > q->y;
}

// Sort the extra nodes by position, drop repeated ones, then by cell.
static bool sort_extras(NcWeighted* weighted)
{
	NcVec2* points = weighted->unsorted.data;
	int count = 0;
	if (weighted->unsorted.count > 0)
	{
		qsort(points, (size_t)weighted->unsorted.count, sizeof(NcVec2), compare_points);
	}
	for (int i = 0; i < weighted->unsorted.count; ++i)
	{
		if (count == 0 || compare_points(&points[count - 1], &points[i]) != 0)
		{
			points[count++] = points[i];
		}
	}
	int cell_count = nc_weighted_lattice_count(weighted);
	weighted->cell_starts.count = weighted->extras.count = 0;
	if (!nc_array_resize(&weighted->cell_starts, cell_count + 2) ||
		!nc_array_resize(&weighted->extras, count))
	{
		return false;
	}
	// Counted two places ahead and filled one ahead, the starts are right at the end.
	int* starts = weighted->cell_starts.data;
	for (int i = 0; i < count; ++i)
	{
		++starts[find_cell(weighted, points[i]) + 2];
	}
	for (int c = 0; c < cell_count; ++c)
	{
		starts[c + 2] += starts[c + 1];
	}
	for (int i = 0; i < count; ++i)
	{
		weighted->extras.data[starts[find_cell(weighted, points[i]) + 1]++] = points[i];
	}
	return true;
}

static bool reset_nodes(NcWeighted* weighted)
{
	int count = nc_weighted_start_node(weighted) + 2;
	weighted->nodes.count = 0;
	weighted->visits.count = 0;
	weighted->search = 0;
	if (!nc_array_resize(&weighted->nodes, count) || !nc_array_resize(&weighted->visits, count))
	{
		return false;
	}
	for (int i = 0; i < count; ++i)
	{
		weighted->nodes.data[i].clearance = -1.0;
	}
	return true;
}

bool nc_weighted_prepare(NcWeighted* weighted, const NcMap* map, const NcTerrain* terrain)
{
	if (weighted->terrain == terrain && weighted->map_revision == map->revision &&
		weighted->terrain_revision == terrain->revision)
	{
		return true;
	}
	weighted->terrain = NULL;
	choose_spacing(weighted, map, terrain);
	weighted->unsorted.count = 0;
	push_borders(weighted, map, terrain);
	push_medial_axis(weighted, map);
	if (weighted->unsorted.failed || !sort_extras(weighted) || !reset_nodes(weighted))
	{
		return false;
	}
	weighted->terrain = terrain;
	weighted->map_revision = map->revision;
	weighted->terrain_revision = terrain->revision;
	return true;
}

bool nc_weighted_failed(const NcWeighted* weighted)
{
	return weighted->extras.failed || weighted->cell_starts.failed || weighted->nodes.failed ||
		   weighted->unsorted.failed || weighted->visits.failed || weighted->heap.failed ||
		   weighted->route.failed || weighted->other.failed || weighted->scratch.failed ||
		   weighted->costs.failed;
}

void nc_weighted_free(NcWeighted* weighted)
{
	nc_array_free(&weighted->extras);
	nc_array_free(&weighted->cell_starts);
	nc_array_free(&weighted->nodes);
	nc_array_free(&weighted->unsorted);
	nc_array_free(&weighted->visits);
	nc_array_free(&weighted->heap);
	nc_array_free(&weighted->route);
	nc_array_free(&weighted->other);
	nc_array_free(&weighted->scratch);
	nc_array_free(&weighted->costs);
}
