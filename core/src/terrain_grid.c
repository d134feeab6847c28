// SPDX-License-Identifier: MIT
// The grid over the regions of a terrain: see terrain_grid.h.

#include "terrain_grid.h"

#include "check.h"

// How many cells there are for each edge, and in all.
#define CELLS_PER_EDGE 16
#define MIN_CELLS 64
#define MAX_CELLS (1 << 17)

// Where in a cell its reference point lies, as parts of its size. Odd numbers, so that it is not on
// a border: people draw regions with round ones.
#define REFERENCE_X 0.48713
#define REFERENCE_Y 0.51637

// Edges count as inside of a cell if they pass it this closely, in parts of its size: rounding must
// not lose one.
#define CELL_MARGIN 1e-6

// How many places a walk may cross borders within a cell before it is cut in two halves.
#define MAX_CROSSINGS 32

// How often it may be cut. After that, what is left is too short to matter.
#define MAX_CUTS 24

// Building.

// An edge of an area in a cell.
typedef struct Mark
{
	int cell, area, edge;
} Mark;

typedef struct Build
{
	NcTerrainGrid* grid;
	const NcTerrainArea* areas;
	const NcTerrainEdge* edges;
	NcArray(Mark) marks;        // from the highest area to the lowest
	NcArray(Mark) sorted_marks; // by cell, otherwise as above
	NcIntArray starts;          // of each cell in the sorted marks
	NcIntArray base_areas;      // the highest area that covers a cell, or NC_NULL_INDEX
	NcArray(uint8_t) has_edge;  // per cell: an edge of the current area passes through
	NcArray(uint8_t) toggles;   // per column of a row
	NcArray(uint8_t) insides;   // per mark: the reference of its cell is inside of its area
} Build;

static NcVec2 get_reference(const NcTerrainGrid* grid, int column, int row)
{
	return (NcVec2){grid->box.lower.x + (column + REFERENCE_X) * grid->cell_width,
		grid->box.lower.y + (row + REFERENCE_Y) * grid->cell_height};
}

static int clamp_index(double value, int count)
{
	return !(value > 0.0) ? 0 : value >= count ? count - 1 : (int)value;
}

static int get_column(const NcTerrainGrid* grid, double x)
{
	return clamp_index((x - grid->box.lower.x) * grid->inverse_width, grid->columns);
}

static int get_row(const NcTerrainGrid* grid, double y)
{
	return clamp_index((y - grid->box.lower.y) * grid->inverse_height, grid->rows);
}

static void choose_size(
	NcTerrainGrid* grid, const NcTerrainArea* areas, int area_count, int edge_count)
{
	NcBox box = nc_box_empty();
	for (int i = 0; i < area_count; ++i)
	{
		box = nc_box_union(box, areas[i].box);
	}
	if (area_count == 0)
	{
		box = (NcBox){{0.0, 0.0}, {0.0, 0.0}};
	}
	double width = box.upper.x - box.lower.x;
	double height = box.upper.y - box.lower.y;
	double margin = 1e-9 * nc_max(nc_max(width, height), 1e-9 + nc_length(box.upper));
	grid->box = nc_box_grow(box, nc_max(margin, 1e-15));
	width = grid->box.upper.x - grid->box.lower.x;
	height = grid->box.upper.y - grid->box.lower.y;
	double wanted = nc_clamp((double)CELLS_PER_EDGE * edge_count, MIN_CELLS, MAX_CELLS);
	double size = sqrt(width * height / wanted);
	size = nc_max(size, nc_max(width, height) / wanted);
	grid->columns = 1 + clamp_index(width / size, MAX_CELLS);
	grid->rows = 1 + clamp_index(height / size, MAX_CELLS);
	grid->cell_width = width / grid->columns;
	grid->cell_height = height / grid->rows;
	grid->inverse_width = 1.0 / grid->cell_width;
	grid->inverse_height = 1.0 / grid->cell_height;
}

// Mark the cells that an edge passes through, row by row.
static void mark_edge(Build* build, int area, int edge)
{
	const NcTerrainGrid* grid = build->grid;
	NcTerrainEdge e = build->edges[edge];
	double margin_x = CELL_MARGIN * grid->cell_width;
	double margin_y = CELL_MARGIN * grid->cell_height;
	double y0 = nc_min(e.a.y, e.b.y) - margin_y;
	double y1 = nc_max(e.a.y, e.b.y) + margin_y;
	double slope = e.a.y != e.b.y ? (e.b.x - e.a.x) / (e.b.y - e.a.y) : 0.0;
	double left = nc_min(e.a.x, e.b.x);
	double right = nc_max(e.a.x, e.b.x);
	for (int j = get_row(grid, y0); j <= get_row(grid, y1); ++j)
	{
		double lower = grid->box.lower.y + j * grid->cell_height - margin_y;
		double upper = lower + grid->cell_height + 2.0 * margin_y;
		double x0 = left, x1 = right;
		if (slope != 0.0)
		{
			double xa = e.a.x + slope * (lower - e.a.y);
			double xb = e.a.x + slope * (upper - e.a.y);
			x0 = nc_max(left, nc_min(xa, xb));
			x1 = nc_min(right, nc_max(xa, xb));
		}
		int last = get_column(grid, x1 + margin_x);
		for (int i = get_column(grid, x0 - margin_x); i <= last; ++i)
		{
			Mark mark = {j * grid->columns + i, area, edge};
			nc_array_push(&build->marks, mark);
			build->has_edge.data[mark.cell] = 1;
		}
	}
}

// Find out for each cell of a row whether its reference point is inside of an area: an edge that
// passes on its left, at its height, changes that.
static void toggle_row(Build* build, const NcTerrainArea* area, int row, int first, int last)
{
	const NcTerrainGrid* grid = build->grid;
	uint8_t* toggles = build->toggles.data;
	memset(toggles, 0, (size_t)grid->columns + 1);
	double y = get_reference(grid, 0, row).y;
	for (int k = area->first_edge; k < area->first_edge + area->edge_count; ++k)
	{
		NcTerrainEdge e = build->edges[k];
		if ((e.a.y > y) == (e.b.y > y))
		{
			continue;
		}
		double x = e.a.x + (e.b.x - e.a.x) * ((y - e.a.y) / (e.b.y - e.a.y));
		int column = get_column(grid, x);
		toggles[column + (get_reference(grid, column, row).x <= x)] ^= 1;
	}
	for (int i = first + 1; i <= last; ++i)
	{
		toggles[i] ^= toggles[i - 1];
	}
}

// Add an area: its marks, and the cells that it covers wholly. Areas come from the highest to the
// lowest, so a cell that is covered already stays so, and hides the edges of this area.
static void add_area(Build* build, int index)
{
	const NcTerrainGrid* grid = build->grid;
	const NcTerrainArea* area = &build->areas[index];
	int first_mark = build->marks.count;
	for (int k = area->first_edge; k < area->first_edge + area->edge_count; ++k)
	{
		mark_edge(build, index, k);
	}
	int first = get_column(grid, area->box.lower.x);
	int last = get_column(grid, area->box.upper.x);
	int last_row = get_row(grid, area->box.upper.y);
	for (int j = get_row(grid, area->box.lower.y); j <= last_row; ++j)
	{
		toggle_row(build, area, j, first, last);
		for (int i = first; i <= last; ++i)
		{
			int cell = j * grid->columns + i;
			bool is_inside = build->toggles.data[i];
			if (build->has_edge.data[cell])
			{
				build->has_edge.data[cell] = 1 + is_inside;
			}
			else if (is_inside && build->base_areas.data[cell] == NC_NULL_INDEX)
			{
				build->base_areas.data[cell] = index;
			}
		}
	}
	// Keep the marks of cells that no higher area covers, with the answer for their cells.
	int kept = first_mark;
	for (int k = first_mark; k < build->marks.count; ++k)
	{
		Mark mark = build->marks.data[k];
		int base = build->base_areas.data[mark.cell];
		if (base == NC_NULL_INDEX || base == index)
		{
			build->marks.data[kept++] = mark;
			nc_array_push(&build->insides, (uint8_t)(build->has_edge.data[mark.cell] == 2));
		}
	}
	for (int k = first_mark; k < build->marks.count; ++k)
	{
		build->has_edge.data[build->marks.data[k].cell] = 0;
	}
	build->marks.count = kept;
}

// Sort the marks by cell, keeping their order otherwise. The area of a sorted mark carries in its
// lowest bit whether the reference point is inside.
static bool sort_marks(Build* build)
{
	int cell_count = build->grid->columns * build->grid->rows;
	if (!nc_array_resize(&build->starts, cell_count + 1) ||
		!nc_array_resize(&build->sorted_marks, build->marks.count))
	{
		return false;
	}
	for (int k = 0; k < build->marks.count; ++k)
	{
		++build->starts.data[build->marks.data[k].cell + 1];
	}
	for (int c = 0; c < cell_count; ++c)
	{
		build->starts.data[c + 1] += build->starts.data[c];
	}
	for (int k = 0; k < build->marks.count; ++k)
	{
		Mark mark = build->marks.data[k];
		mark.area = 2 * mark.area + build->insides.data[k];
		build->sorted_marks.data[build->starts.data[mark.cell]++] = mark;
	}
	return true;
}

// Turn the marks of a cell into its items. An area that is the same type as what lies below all
// the rest of the items could be left out, but that is rare.
static void fill_cell(Build* build, int cell, int begin, int end)
{
	NcTerrainGrid* grid = build->grid;
	int base = build->base_areas.data[cell];
	NcTerrainCell* filled = &grid->cells.data[cell];
	*filled = (NcTerrainCell){.first_item = grid->items.count,
		.base_type = base == NC_NULL_INDEX ? NC_TERRAIN_GROUND : build->areas[base].type};
	for (int k = begin; k < end; ++k)
	{
		Mark mark = build->sorted_marks.data[k];
		bool is_new = k == begin || build->sorted_marks.data[k - 1].area != mark.area;
		if (is_new)
		{
			NcTerrainItem item = {.type = build->areas[mark.area >> 1].type,
				.first_edge = grid->edges.count,
				.has_reference = mark.area & 1};
			nc_array_push(&grid->items, item);
		}
		if (!grid->items.failed)
		{
			++grid->items.data[grid->items.count - 1].edge_count;
		}
		nc_array_push(&grid->edges, build->edges[mark.edge]);
	}
	filled->item_count = grid->items.count - filled->first_item;
}

static bool run_build(Build* build, int area_count)
{
	NcTerrainGrid* grid = build->grid;
	int cell_count = grid->columns * grid->rows;
	if (!nc_array_resize(&grid->cells, cell_count) ||
		!nc_array_resize(&build->base_areas, cell_count) ||
		!nc_array_resize(&build->has_edge, cell_count) ||
		!nc_array_resize(&build->toggles, grid->columns + 1))
	{
		return false;
	}
	memset(build->base_areas.data, 0xff, sizeof(int) * (size_t)cell_count);
	for (int i = 0; i < area_count && !build->marks.failed && !build->insides.failed; ++i)
	{
		add_area(build, i);
	}
	if (build->marks.failed || build->insides.failed || !sort_marks(build))
	{
		return false;
	}
	for (int c = 0; c < cell_count; ++c)
	{
		// After sorting, the start of a cell is where its marks end.
		fill_cell(build, c, c > 0 ? build->starts.data[c - 1] : 0, build->starts.data[c]);
	}
	return !grid->items.failed && !grid->edges.failed;
}

bool nc_terrain_grid_build(NcTerrainGrid* grid, const NcTerrainArea* areas, int area_count,
	const NcTerrainEdge* edges, int edge_count)
{
	*grid = (NcTerrainGrid){.types = 1u << NC_TERRAIN_GROUND};
	choose_size(grid, areas, area_count, edge_count);
	for (int i = 0; i < area_count; ++i)
	{
		grid->types |= (uint64_t)1 << areas[i].type;
	}
	Build build = {.grid = grid, .areas = areas, .edges = edges};
	bool is_built = run_build(&build, area_count);
	nc_array_free(&build.marks);
	nc_array_free(&build.sorted_marks);
	nc_array_free(&build.starts);
	nc_array_free(&build.base_areas);
	nc_array_free(&build.has_edge);
	nc_array_free(&build.toggles);
	nc_array_free(&build.insides);
	return is_built;
}

void nc_terrain_grid_free(NcTerrainGrid* grid)
{
	nc_array_free(&grid->cells);
	nc_array_free(&grid->items);
	nc_array_free(&grid->edges);
}

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
	NcVec2 reference = get_reference(grid, column, row);
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
	return find_type_in_cell(grid, get_column(grid, p.x), get_row(grid, p.y), p);
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
	int i0 = get_column(grid, box.lower.x), i1 = get_column(grid, box.upper.x);
	int j0 = get_row(grid, box.lower.y), j1 = get_row(grid, box.upper.y);
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
	int index = get_row(grid, p.y) * grid->columns + get_column(grid, p.x);
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
	Axis x = make_axis(get_column(grid, p.x), get_column(grid, q.x), walk->a.x, walk->d.x,
		grid->box.lower.x, grid->cell_width);
	Axis y = make_axis(get_row(grid, p.y), get_row(grid, q.y), walk->a.y, walk->d.y,
		grid->box.lower.y, grid->cell_height);
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
