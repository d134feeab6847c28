// SPDX-License-Identifier: MIT
// The grid over the regions of a terrain: see terrain_grid.h.

#include "terrain_grid.h"

#include "check.h"

// How many places a walk may cross borders within a cell before it is cut in two halves.
#define MAX_CROSSINGS 32

// How often it may be cut. After that, what is left is too short to matter.
#define MAX_CUTS 24

// Points.

// Whether the way from c to p crosses an edge. Points on a line count to one of its sides, always
// the same, so that a way through a vertex crosses both of its edges or none.
static bool crosses(NcVec2 c, NcVec2 p, const NcTerrainEdge* edge)
{
	NcVec2 way = nc_sub(p, c);
	bool is_a_left = nc_cross(way, nc_sub(edge->a, c)) > 0.0;
	bool is_b_left = nc_cross(way, nc_sub(edge->b, c)) > 0.0;
	if (is_a_left == is_b_left)
	{
		return false;
	}
	NcVec2 along = nc_sub(edge->b, edge->a);
	bool is_c_left = nc_cross(along, nc_sub(c, edge->a)) > 0.0;
	bool is_p_left = nc_cross(along, nc_sub(p, edge->a)) > 0.0;
	return is_c_left != is_p_left;
}

static int find_type_in_cell(const NcTerrainGrid* grid, int column, int row, NcVec2 p)
{
	const NcTerrainCell* cell = &grid->cells.data[row * grid->columns + column];
	NcVec2 reference = nc_terrain_grid_reference(grid, column, row);
	for (int k = 0; k < cell->item_count; ++k)
	{
		const NcTerrainItem* item = &grid->items.data[cell->first_item + k];
		bool is_inside = item->has_reference;
		for (int e = 0; e < item->edge_count; ++e)
		{
			is_inside ^= crosses(reference, p, &grid->edges.data[item->first_edge + e]);
		}
		if (is_inside)
		{
			return item->type;
		}
	}
	return cell->base_type;
}

int nc_terrain_grid_get_type(const NcTerrainGrid* grid, NcVec2 p)
{
	if (!nc_box_contains(grid->box, p))
	{
		return NC_TERRAIN_GROUND;
	}
	return find_type_in_cell(
		grid, nc_terrain_grid_column(grid, p.x), nc_terrain_grid_row(grid, p.y), p);
}

bool nc_terrain_grid_is_uniform(const NcTerrainGrid* grid, NcBox box, int* type)
{
	*type = NC_TERRAIN_GROUND;
	if (!nc_box_overlaps(grid->box, box))
	{
		return true;
	}
	bool is_contained =
		nc_box_contains(grid->box, box.lower) && nc_box_contains(grid->box, box.upper);
	int i0 = nc_terrain_grid_column(grid, box.lower.x),
		i1 = nc_terrain_grid_column(grid, box.upper.x);
	int j0 = nc_terrain_grid_row(grid, box.lower.y), j1 = nc_terrain_grid_row(grid, box.upper.y);
	*type = is_contained ? grid->cells.data[j0 * grid->columns + i0].base_type : NC_TERRAIN_GROUND;
	for (int j = j0; j <= j1; ++j)
	{
		for (int i = i0; i <= i1; ++i)
		{
			const NcTerrainCell* cell = &grid->cells.data[j * grid->columns + i];
			if (cell->item_count > 0 || cell->base_type != *type)
			{
				return false;
			}
		}
	}
	return true;
}

bool nc_terrain_grid_find_border(const NcTerrainGrid* grid, NcVec2 p, NcVec2* tangent)
{
	int index = nc_terrain_grid_row(grid, p.y) * grid->columns + nc_terrain_grid_column(grid, p.x);
	const NcTerrainCell* cell = &grid->cells.data[index];
	double best = HUGE_VAL;
	for (int k = 0; k < cell->item_count; ++k)
	{
		const NcTerrainItem* item = &grid->items.data[cell->first_item + k];
		for (int e = 0; e < item->edge_count; ++e)
		{
			const NcTerrainEdge* edge = &grid->edges.data[item->first_edge + e];
			double distance = nc_distance(p, nc_closest_on_segment(p, edge->a, edge->b));
			if (distance < best)
			{
				best = distance;
				*tangent = nc_normalize(nc_sub(edge->b, edge->a));
			}
		}
	}
	return best < HUGE_VAL;
}

// Walks.

typedef struct Walk
{
	const NcTerrainGrid* grid;
	NcVec2 a, d; // the way is a + t d
	NcTerrainVisitFn* visit;
	void* context;
	double begin; // of the stretch that was entered last
	int type;     // of that stretch, or NC_NULL_INDEX before the first
} Walk;

// Shorter stretches, in parts of the walk, are rounding: two borders in the same place.
#define MIN_STRETCH 1e-13

// Enter the next part of a walk. What has the same type as before makes one stretch with it, so the
// answer does not depend on where cells or hidden borders cut it.
static void enter(Walk* walk, double begin, double end, int type)
{
	if (type == walk->type || !(end - begin > MIN_STRETCH))
	{
		return;
	}
	if (walk->type != NC_NULL_INDEX)
	{
		walk->visit(walk->context, walk->begin, begin, walk->type);
		walk->begin = begin;
	}
	walk->type = type;
}

static void insert_sorted(double* items, int* count, double value)
{
	int i = (*count)++;
	for (; i > 0 && items[i - 1] > value; --i)
	{
		items[i] = items[i - 1];
	}
	items[i] = value;
}

// Where a walk crosses an edge; beyond everything if it does not. A little too much is no harm:
// what lies between two crossings is looked up anyway.
static double find_crossing(const Walk* walk, const NcTerrainEdge* edge)
{
	NcVec2 e = nc_sub(edge->b, edge->a);
	NcVec2 m = nc_sub(edge->a, walk->a);
	double denominator = nc_cross(walk->d, e);
	double s = nc_cross(m, walk->d);
	double slack = 1e-9 * fabs(denominator);
	bool is_hit = denominator > 0.0 ? -slack <= s && s <= denominator + slack
									: denominator < 0.0 && denominator - slack <= s && s <= slack;
	return is_hit ? nc_cross(m, e) / denominator : HUGE_VAL;
}

static NcVec2 get_walk_point(const Walk* walk, double t)
{
	return nc_mul_add(walk->a, t, walk->d);
}

// Visit the part of a walk that lies in a cell through which borders pass.
static void visit_mixed(Walk* walk, int column, int row, double begin, double end, int cuts_left)
{
	const NcTerrainGrid* grid = walk->grid;
	const NcTerrainCell* cell = &grid->cells.data[row * grid->columns + column];
	const NcTerrainItem* items = &grid->items.data[cell->first_item];
	int first = items[0].first_edge;
	int last = items[cell->item_count - 1].first_edge + items[cell->item_count - 1].edge_count;
	double crossings[MAX_CROSSINGS + 1];
	int count = 0;
	for (int e = first; e < last; ++e)
	{
		double t = find_crossing(walk, &grid->edges.data[e]);
		if (!(begin < t && t < end))
		{
			continue;
		}
		if (count == MAX_CROSSINGS)
		{
			if (cuts_left == 0)
			{
				break;
			}
			double middle = 0.5 * (begin + end);
			visit_mixed(walk, column, row, begin, middle, cuts_left - 1);
			visit_mixed(walk, column, row, middle, end, cuts_left - 1);
			return;
		}
		insert_sorted(crossings, &count, t);
	}
	crossings[count] = end;
	double t0 = begin;
	for (int k = 0; k <= count; ++k)
	{
		NcVec2 middle = get_walk_point(walk, 0.5 * (t0 + crossings[k]));
		int type = find_type_in_cell(grid, column, row, middle);
		enter(walk, t0, crossings[k], type);
		t0 = crossings[k];
	}
}

// The part of a walk that lies in the box of the grid; empty if begin >= end.
static void clip_walk(const Walk* walk, double* begin, double* end)
{
	NcBox box = walk->grid->box;
	double starts[2] = {walk->a.x, walk->a.y};
	double directions[2] = {walk->d.x, walk->d.y};
	double lowers[2] = {box.lower.x, box.lower.y};
	double uppers[2] = {box.upper.x, box.upper.y};
	*begin = 0.0;
	*end = 1.0;
	for (int k = 0; k < 2; ++k)
	{
		if (directions[k] == 0.0)
		{
			bool is_inside = lowers[k] <= starts[k] && starts[k] <= uppers[k];
			*end = is_inside ? *end : -1.0;
			continue;
		}
		double t0 = (lowers[k] - starts[k]) / directions[k];
		double t1 = (uppers[k] - starts[k]) / directions[k];
		*begin = nc_max(*begin, nc_min(t0, t1));
		*end = nc_min(*end, nc_max(t0, t1));
	}
}

// One axis of the way from cell to cell.
typedef struct Axis
{
	int index, step, left; // cells: where we are, which way, how many more there are
	double next, advance;  // where the walk leaves the cell, and how much it takes per cell
} Axis;

static Axis make_axis(
	int index, int last_index, double start, double direction, double lower, double size)
{
	Axis axis = {.index = index, .step = direction < 0.0 ? -1 : 1, .next = HUGE_VAL};
	axis.left = last_index > index ? last_index - index : index - last_index;
	bool is_stepping =
		direction != 0.0 && axis.left > 0 && (last_index > index) == (direction > 0.0);
	axis.left = is_stepping ? axis.left : 0;
	if (is_stepping)
	{
		axis.advance = size / fabs(direction);
		axis.next = (lower + (index + (direction > 0.0)) * size - start) / direction;
	}
	return axis;
}

// Walk through the cells of the grid, from parameter `begin` to `end`.
static void walk_cells(Walk* walk, double begin, double end)
{
	const NcTerrainGrid* grid = walk->grid;
	NcVec2 p = get_walk_point(walk, begin);
	NcVec2 q = get_walk_point(walk, end);
	Axis x = make_axis(nc_terrain_grid_column(grid, p.x), nc_terrain_grid_column(grid, q.x),
		walk->a.x, walk->d.x, grid->box.lower.x, grid->cell_width);
	Axis y = make_axis(nc_terrain_grid_row(grid, p.y), nc_terrain_grid_row(grid, q.y), walk->a.y,
		walk->d.y, grid->box.lower.y, grid->cell_height);
	for (double t = begin; t < end;)
	{
		double next = nc_clamp(nc_min(nc_min(x.next, y.next), end), t, end);
		const NcTerrainCell* cell = &grid->cells.data[y.index * grid->columns + x.index];
		if (cell->item_count == 0)
		{
			enter(walk, t, next, cell->base_type);
		}
		else
		{
			visit_mixed(walk, x.index, y.index, t, next, MAX_CUTS);
		}
		t = next;
		Axis* axis = x.next <= y.next ? &x : &y;
		if (axis->left == 0)
		{
			break;
		}
		axis->index += axis->step;
		axis->next = --axis->left > 0 ? axis->next + axis->advance : HUGE_VAL;
	}
}

void nc_terrain_grid_walk(
	const NcTerrainGrid* grid, NcVec2 a, NcVec2 b, NcTerrainVisitFn* visit, void* context)
{
	Walk walk = {grid, a, nc_sub(b, a), visit, context, 0.0, NC_NULL_INDEX};
	double begin, end;
	clip_walk(&walk, &begin, &end);
	if (begin < end)
	{
		enter(&walk, 0.0, begin, NC_TERRAIN_GROUND);
		walk_cells(&walk, begin, end);
		enter(&walk, end, 1.0, NC_TERRAIN_GROUND);
	}
	int type = walk.type != NC_NULL_INDEX ? walk.type : nc_terrain_grid_get_type(grid, a);
	visit(context, walk.begin, 1.0, type);
}

typedef struct Cost
{
	const double* weights;
	double sum; // in parts of the whole walk
} Cost;

static void add_cost(void* context, double begin, double end, int type)
{
	Cost* cost = context;
	cost->sum += cost->weights[type] * (end - begin);
}

double nc_terrain_grid_compute_cost(
	const NcTerrainGrid* grid, const double* weights, NcVec2 a, NcVec2 b)
{
	Cost cost = {.weights = weights};
	nc_terrain_grid_walk(grid, a, b, add_cost, &cost);
	return cost.sum < HUGE_VAL ? cost.sum * nc_distance(a, b) : HUGE_VAL;
}
