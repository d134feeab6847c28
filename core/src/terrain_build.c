// SPDX-License-Identifier: MIT
// Building the grid over the regions of a terrain: see terrain_grid.h.
//
// Regions come from the highest rank to the lowest. Each marks the cells that its edges pass
// through, and covers those that lie inside of it; what a higher region covers is hidden.

#include "terrain_grid.h"

// How many cells there are for each edge, and in all.
#define CELLS_PER_EDGE 16
#define MIN_CELLS 64
#define MAX_CELLS (1 << 17)

// Edges count as inside of a cell if they pass it this closely, in parts of its size: rounding must
// not lose one.
#define CELL_MARGIN 1e-6

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
	grid->columns = 1 + nc_terrain_grid_clamp(width / size, MAX_CELLS);
	grid->rows = 1 + nc_terrain_grid_clamp(height / size, MAX_CELLS);
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
	for (int j = nc_terrain_grid_row(grid, y0); j <= nc_terrain_grid_row(grid, y1); ++j)
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
		int last = nc_terrain_grid_column(grid, x1 + margin_x);
		for (int i = nc_terrain_grid_column(grid, x0 - margin_x); i <= last; ++i)
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
	double y = nc_terrain_grid_reference(grid, 0, row).y;
	for (int k = area->first_edge; k < area->first_edge + area->edge_count; ++k)
	{
		NcTerrainEdge e = build->edges[k];
		if ((e.a.y > y) == (e.b.y > y))
		{
			continue;
		}
		double x = e.a.x + (e.b.x - e.a.x) * ((y - e.a.y) / (e.b.y - e.a.y));
		int column = nc_terrain_grid_column(grid, x);
		toggles[column + (nc_terrain_grid_reference(grid, column, row).x <= x)] ^= 1;
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
	int first = nc_terrain_grid_column(grid, area->box.lower.x);
	int last = nc_terrain_grid_column(grid, area->box.upper.x);
	int last_row = nc_terrain_grid_row(grid, area->box.upper.y);
	for (int j = nc_terrain_grid_row(grid, area->box.lower.y); j <= last_row; ++j)
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
