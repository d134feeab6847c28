// SPDX-License-Identifier: MIT
// A* over the nodes of weighted.h.
//
// A lattice node is joined with 32 others, whose directions are at most 18.5 degrees apart: a chain
// of such joins is never more than 1.4 percent longer than a straight line, and refining takes most
// of that away again. Joins are looked at only when they could improve something, cheap questions
// first: far from borders and obstacles no geometry is needed at all.

#include "weighted.h"

#include "check.h"

// The steps of the lattice: all without common divisor, up to this far.
#define REACH 3

static const int8_t steps[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1},
	{-1, -1}, {2, 1}, {-2, 1}, {2, -1}, {-2, -1}, {1, 2}, {-1, 2}, {1, -2}, {-1, -2}, {3, 1},
	{-3, 1}, {3, -1}, {-3, -1}, {1, 3}, {-1, 3}, {1, -3}, {-1, -3}, {3, 2}, {-3, 2}, {3, -2},
	{-3, -2}, {2, 3}, {-2, 3}, {2, -3}, {-2, -3}};

typedef struct Search
{
	NcWeighted* weighted;
	const NcWeightedTask* task;
	int start, goal; // nodes
} Search;

static NcVec2 get_position(const Search* search, int node)
{
	const NcWeighted* weighted = search->weighted;
	int lattice_count = nc_weighted_lattice_count(weighted);
	if (node < lattice_count)
	{
		int i = node % weighted->columns;
		int j = node / weighted->columns;
		return (NcVec2){
			weighted->origin.x + i * weighted->spacing, weighted->origin.y + j * weighted->spacing};
	}
	if (node < search->start)
	{
		return weighted->extras.data[node - lattice_count];
	}
	return node == search->start ? search->task->start : search->task->goal;
}

// The heap. Equal priorities are decided by position.

static bool is_before(const Search* search, NcWeightedHeapItem a, NcWeightedHeapItem b)
{
	if (a.priority != b.priority)
	{
		return a.priority < b.priority;
	}
	NcVec2 p = get_position(search, a.node);
	NcVec2 q = get_position(search, b.node);
	return p.x < q.x || (p.x == q.x && p.y < q.y);
}

static void push_item(Search* search, NcWeightedHeapItem item)
{
	NcWeighted* weighted = search->weighted;
	if (!nc_array_push(&weighted->heap, item))
	{
		return;
	}
	NcWeightedHeapItem* heap = weighted->heap.data;
	int i = weighted->heap.count - 1;
	for (; i > 0 && is_before(search, item, heap[(i - 1) / 2]); i = (i - 1) / 2)
	{
		heap[i] = heap[(i - 1) / 2];
	}
	heap[i] = item;
}

static NcWeightedHeapItem pop_item(Search* search)
{
	NcWeighted* weighted = search->weighted;
	NcWeightedHeapItem* heap = weighted->heap.data;
	NcWeightedHeapItem top = heap[0];
	NcWeightedHeapItem last = heap[--weighted->heap.count];
	int n = weighted->heap.count;
	int i = 0;
	for (int child = 1; child < n; child = 2 * i + 1)
	{
		child += child + 1 < n && is_before(search, heap[child + 1], heap[child]);
		if (!is_before(search, heap[child], last))
		{
			break;
		}
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return top;
}

// Nodes and joins.

static NcWeightedVisit* get_visit(Search* search, int node)
{
	NcWeightedVisit* visit = &search->weighted->visits.data[node];
	if (visit->search != search->weighted->search)
	{
		*visit = (NcWeightedVisit){
			.search = search->weighted->search, .parent = NC_NULL_INDEX, .cost = HUGE_VAL};
	}
	return visit;
}

static const NcWeightedNode* get_node(Search* search, int node)
{
	NcWeightedNode* known = &search->weighted->nodes.data[node];
	if (known->clearance >= 0.0)
	{
		return known;
	}
	const NcMap* map = search->task->map;
	NcVec2 p = get_position(search, node);
	NcNearest nearest;
	bool is_free = nc_locate_nearest(&map->world.diagram, nc_map_to_snaps(map, p), &nearest) &&
				   nearest.is_free;
	known->clearance = is_free ? map->snap * nearest.distance : 0.0;
	int type;
	NcBox around = nc_box_grow((NcBox){p, p}, (REACH + 0.01) * search->weighted->spacing);
	known->is_uniform = nc_terrain_grid_is_uniform(search->task->terrain, around, &type);
	known->type = (int8_t)type;
	return known;
}

static void relax(Search* search, int from, NcVec2 p, int to)
{
	const NcWeightedTask* task = search->task;
	NcWeightedVisit* visit = get_visit(search, to);
	NcVec2 q = get_position(search, to);
	double length = nc_distance(p, q);
	double cost = search->weighted->visits.data[from].cost;
	if (visit->is_closed || cost + task->min_weight * length >= visit->cost)
	{
		return;
	}
	const NcWeightedNode* a = get_node(search, from);
	const NcWeightedNode* b = get_node(search, to);
	if (b->clearance < task->radius || !(b->clearance > 0.0))
	{
		return;
	}
	cost += a->is_uniform ? task->weights[a->type] * length : nc_weighted_cost(task, p, q);
	if (!(cost < visit->cost))
	{
		return;
	}
	// Clearance changes by no more than the length of the way.
	bool is_clear = a->clearance + b->clearance - length > 2.0 * task->radius;
	if (!is_clear && !nc_weighted_is_free(task, p, q))
	{
		return;
	}
	visit->cost = cost;
	visit->parent = from;
	double left = task->min_weight * nc_distance(q, task->goal);
	push_item(search, (NcWeightedHeapItem){cost + left, to});
}

static void relax_lattice(Search* search, int from, NcVec2 p, int i, int j)
{
	const NcWeighted* weighted = search->weighted;
	if (0 <= i && i < weighted->columns && 0 <= j && j < weighted->rows)
	{
		relax(search, from, p, j * weighted->columns + i);
	}
}

// Relax the extra nodes in a rectangle of cells.
static void relax_extras(Search* search, int from, NcVec2 p, NcCellRange cells)
{
	const NcWeighted* weighted = search->weighted;
	int i0 = cells.i0 > 0 ? cells.i0 : 0;
	int i1 = cells.i1 < weighted->columns - 1 ? cells.i1 : weighted->columns - 1;
	int j1 = cells.j1 < weighted->rows - 1 ? cells.j1 : weighted->rows - 1;
	for (int j = cells.j0 > 0 ? cells.j0 : 0; j <= j1 && i0 <= i1; ++j)
	{
		int row = j * weighted->columns;
		int begin = weighted->cell_starts.data[row + i0];
		int end = weighted->cell_starts.data[row + i1 + 1];
		for (int k = begin; k < end; ++k)
		{
			relax(search, from, p, nc_weighted_lattice_count(weighted) + k);
		}
	}
}

static void expand(Search* search, int node)
{
	const NcWeighted* weighted = search->weighted;
	NcVec2 p = get_position(search, node);
	if (node < nc_weighted_lattice_count(weighted))
	{
		int i = node % weighted->columns;
		int j = node / weighted->columns;
		for (int k = 0; k < NC_COUNT(steps); ++k)
		{
			relax_lattice(search, node, p, i + steps[k][0], j + steps[k][1]);
		}
		relax_extras(search, node, p, (NcCellRange){i - 2, j - 2, i + 1, j + 1});
	}
	else
	{
		int i = nc_grid_clamp((p.x - weighted->origin.x) / weighted->spacing, weighted->columns);
		int j = nc_grid_clamp((p.y - weighted->origin.y) / weighted->spacing, weighted->rows);
		for (int k = 0; k < 16; ++k)
		{
			relax_lattice(search, node, p, i - 1 + k % 4, j - 1 + k / 4);
		}
		relax_extras(search, node, p, (NcCellRange){i - 1, j - 1, i + 1, j + 1});
	}
	NcVec2 d = nc_sub(search->task->goal, p);
	double reach = REACH * weighted->spacing;
	if (fabs(d.x) <= reach && fabs(d.y) <= reach)
	{
		relax(search, node, p, search->goal);
	}
}

// Write the chain of nodes that leads to the goal, from start to goal.
static bool trace(Search* search)
{
	NcVec2Array* route = &search->weighted->route;
	route->count = 0;
	for (int node = search->goal; node != NC_NULL_INDEX;
		 node = search->weighted->visits.data[node].parent)
	{
		nc_array_push(route, get_position(search, node));
	}
	for (int i = 0, j = route->count - 1; i < j; ++i, --j)
	{
		NcVec2 p = route->data[i];
		route->data[i] = route->data[j];
		route->data[j] = p;
	}
	return !route->failed;
}

static void begin_search(Search* search)
{
	NcWeighted* weighted = search->weighted;
	weighted->heap.count = 0;
	if (++weighted->search == 0)
	{
		memset(weighted->visits.data, 0, sizeof(NcWeightedVisit) * (size_t)weighted->visits.count);
		weighted->search = 1;
	}
	weighted->nodes.data[search->start].clearance = -1.0;
	weighted->nodes.data[search->goal].clearance = -1.0;
	get_node(search, search->start);
	get_node(search, search->goal);
	get_visit(search, search->start)->cost = 0.0;
	push_item(search, (NcWeightedHeapItem){0.0, search->start});
}

bool nc_weighted_search(NcWeighted* weighted, const NcWeightedTask* task, int* visited_count)
{
	int start = nc_weighted_start_node(weighted);
	Search search = {weighted, task, start, start + 1};
	begin_search(&search);
	while (weighted->heap.count > 0 && !weighted->heap.failed)
	{
		int node = pop_item(&search).node;
		NcWeightedVisit* visit = &weighted->visits.data[node];
		if (visit->is_closed)
		{
			continue;
		}
		visit->is_closed = true;
		if (node == search.goal)
		{
			return trace(&search);
		}
		++*visited_count;
		expand(&search, node);
	}
	return false;
}
