// SPDX-License-Identifier: MIT
// Sites: see site.h.

#include "site.h"

#include "check.h"

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
	while (b != 0)
	{
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static NcDirection make_direction(NcPoint from, NcPoint to)
{
	int32_t dx = to.x - from.x;
	int32_t dy = to.y - from.y;
	int32_t divisor = (int32_t)greatest_common_divisor(
		(uint32_t)(dx < 0 ? -dx : dx), (uint32_t)(dy < 0 ? -dy : dy));
	double x = dx / divisor;
	double y = dy / divisor;
	return (NcDirection){x, y, 1.0 / sqrt(x * x + y * y)};
}

// The direction of a half, from that of its fragment: opposite halves have opposite bits.
static NcDirection get_half_direction(const NcSites* sites, int half)
{
	NcDirection d = sites->walls.data[half >> 1].direction;
	return (half & 1) ? (NcDirection){-d.x, -d.y, d.inverse_length} : d;
}

static NcWall make_wall(const NcSnap* snap, int fragment)
{
	NcPoint a = nc_half_start(snap, 2 * fragment);
	NcPoint b = nc_half_end(snap, 2 * fragment);
	return (NcWall){
		.a = nc_point_to_vec2(a),
		.b = nc_point_to_vec2(b),
		.direction = make_direction(a, b),
		.is_free = snap->fragments.data[fragment].is_free,
		.is_open = snap->fragments.data[fragment].is_open,
	};
}

// The half whose left angle is larger than a half turn and free, or NC_NULL_INDEX.
static int find_reflex_half(const NcSnap* snap, int vertex)
{
	int first = nc_wall_of_vertex(snap, vertex);
	int half = first;
	do
	{
		if (nc_wall_is_reflex(snap, half))
		{
			return nc_side_is_free(snap, half) ? half : NC_NULL_INDEX;
		}
		half = nc_wall_next(snap, half);
	} while (half != first);
	return NC_NULL_INDEX;
}

// @param gap receives the half on whose left the cone is
static bool make_cone(const NcSites* sites, int vertex, NcCone* cone, int* gap)
{
	const NcVertex* v = &sites->snap->vertices.data[vertex];
	*gap = NC_NULL_INDEX;
	*cone = (NcCone){.apex = nc_point_to_vec2(v->point)};
	if (v->half == NC_NULL_INDEX)
	{
		return v->hot_count > 0 && v->is_free;
	}
	if (nc_wall_of_vertex(sites->snap, vertex) == NC_NULL_INDEX)
	{
		return false;
	}
	int half = find_reflex_half(sites->snap, vertex);
	if (half == NC_NULL_INDEX)
	{
		return false;
	}
	*gap = half;
	int next = nc_wall_next(sites->snap, half);
	cone->first = get_half_direction(sites, half);
	cone->last = get_half_direction(sites, next);
	cone->last.x = -cone->last.x;
	cone->last.y = -cone->last.y;
	return true;
}

static void fill_cone_grid(NcSites* sites)
{
	const NcGrid* like = &sites->snap->vertex_grid;
	NcBox box = {{like->x0, like->y0},
		{like->x0 + like->columns * like->cell_width, like->y0 + like->rows * like->cell_height}};
	NcGrid* grid = &sites->cone_grid;
	nc_grid_init(grid, box, like->columns, like->rows);
	for (int pass = 0; pass < 2 && !nc_grid_failed(grid); ++pass)
	{
		for (int v = 0; v < sites->cones.count; ++v)
		{
			if (sites->has_cone.data[v])
			{
				NcVec2 p = sites->cones.data[v].apex;
				int cell = nc_grid_cell_of(grid, p.x, p.y);
				pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, v, NULL);
			}
		}
		if (pass == 0)
		{
			nc_grid_allocate(grid);
		}
	}
}

static void make_walls(void* context, int begin, int end, int worker)
{
	(void)worker;
	NcSites* sites = context;
	for (int f = begin; f < end; ++f)
	{
		bool exists = nc_fragment_exists(sites->snap, f);
		sites->walls.data[f] = exists ? make_wall(sites->snap, f) : (NcWall){0};
	}
}

static void make_cones(void* context, int begin, int end, int worker)
{
	(void)worker;
	NcSites* sites = context;
	for (int v = begin; v < end; ++v)
	{
		sites->has_cone.data[v] = make_cone(sites, v, &sites->cones.data[v], &sites->gaps.data[v]);
	}
}

// Box what is in the cells of both grids, which are alike.
static bool fill_boxes(NcSites* sites)
{
	const NcGrid* grid = &sites->snap->fragment_grid;
	if (!nc_grid_boxes_init(&sites->boxes, grid))
	{
		return false;
	}
	for (int f = 0; f < sites->walls.count; ++f)
	{
		const NcWall* wall = &sites->walls.data[f];
		if (wall->is_free != 0)
		{
			nc_grid_boxes_add(&sites->boxes, grid, wall->a, wall->b);
		}
	}
	for (int v = 0; v < sites->cones.count; ++v)
	{
		if (sites->has_cone.data[v])
		{
			NcVec2 apex = sites->cones.data[v].apex;
			nc_grid_boxes_add(&sites->boxes, grid, apex, apex);
		}
	}
	return true;
}

bool nc_sites_build(NcSites* sites, const NcSnap* snap, const NcParallel* parallel)
{
	sites->snap = snap;
	if (!nc_array_resize_raw(&sites->walls, snap->fragments.count) ||
		!nc_array_resize_raw(&sites->cones, snap->vertices.count) ||
		!nc_array_resize_raw(&sites->has_cone, snap->vertices.count) ||
		!nc_array_resize_raw(&sites->gaps, snap->vertices.count))
	{
		return false;
	}
	nc_parallel_run(parallel, snap->fragments.count, make_walls, sites);
	nc_parallel_run(parallel, snap->vertices.count, make_cones, sites);
	fill_cone_grid(sites);
	return !nc_grid_failed(&sites->cone_grid) && fill_boxes(sites);
}

void nc_sites_free(NcSites* sites)
{
	nc_array_free(&sites->walls);
	nc_array_free(&sites->cones);
	nc_array_free(&sites->has_cone);
	nc_array_free(&sites->gaps);
	nc_grid_free(&sites->cone_grid);
	nc_array_free(&sites->boxes);
}

// Updating.

// Note what happened to the sides of a fragment, and store its new wall.
static bool update_wall(NcSites* sites, int fragment, NcSitesUpdate* update, NcJournal* journal)
{
	bool exists = nc_fragment_exists(sites->snap, fragment);
	NcWall wall = exists ? make_wall(sites->snap, fragment) : sites->walls.data[fragment];
	wall.is_free = exists ? wall.is_free : 0;
	int before = sites->walls.data[fragment].is_free;
	for (int bit = 0; bit < 2; ++bit)
	{
		NcFeature side = nc_side_feature(2 * fragment + bit);
		bool was_free = (before >> bit) & 1;
		bool is_free = (wall.is_free >> bit) & 1;
		if (was_free && !is_free)
		{
			nc_array_push(&update->dead, side);
		}
		if (is_free && !was_free)
		{
			nc_array_push(&update->fresh, side);
		}
	}
	if (!nc_journal_reserve(journal, 1))
	{
		return false;
	}
	*nc_edit(journal, &sites->walls, fragment) = wall;
	if (wall.is_free != 0)
	{
		nc_grid_boxes_add(&sites->boxes, &sites->snap->fragment_grid, wall.a, wall.b);
	}
	return true;
}

static bool touch_vertex(int vertex, NcSitesUpdate* update)
{
	if (vertex == NC_NULL_INDEX || update->vertex_stamps.data[vertex] == update->stamp)
	{
		return true;
	}
	update->vertex_stamps.data[vertex] = update->stamp;
	return nc_array_push(&update->vertices, vertex);
}

static bool update_walls(
	NcSites* sites, const NcSnapUpdate* change, NcSitesUpdate* update, NcJournal* journal)
{
	for (int i = 0; i < change->dead_fragments.count; ++i)
	{
		if (!update_wall(sites, change->dead_fragments.data[i], update, journal))
		{
			return false;
		}
	}
	for (int i = 0; i < change->cover.fragments.count; ++i)
	{
		int f = change->cover.fragments.data[i];
		const NcFragment* fragment = &sites->snap->fragments.data[f];
		bool is_changed = sites->walls.data[f].is_free != fragment->is_free ||
						  sites->walls.data[f].is_open != fragment->is_open;
		if (is_changed && (!touch_vertex(fragment->vertices[0], update) ||
							  !touch_vertex(fragment->vertices[1], update)))
		{
			return false;
		}
		if (!update_wall(sites, f, update, journal))
		{
			return false;
		}
	}
	return true;
}

static bool update_cone(NcSites* sites, int vertex, NcSitesUpdate* update, NcJournal* journal)
{
	NcCone cone = {0};
	int gap;
	bool has_cone = make_cone(sites, vertex, &cone, &gap);
	if (gap != sites->gaps.data[vertex])
	{
		if (!nc_journal_reserve(journal, 1))
		{
			return false;
		}
		*nc_edit(journal, &sites->gaps, vertex) = gap;
	}
	bool had_cone = sites->has_cone.data[vertex];
	NcVec2 old_apex = sites->cones.data[vertex].apex;
	bool is_same = had_cone == has_cone &&
				   (!has_cone || memcmp(&cone, &sites->cones.data[vertex], sizeof(cone)) == 0);
	if (is_same)
	{
		return true;
	}
	NcGrid* grid = &sites->cone_grid;
	int old_cell = nc_grid_cell_of(grid, old_apex.x, old_apex.y);
	int new_cell = nc_grid_cell_of(grid, cone.apex.x, cone.apex.y);
	if (!nc_journal_reserve(journal, 6) || !nc_grid_reserve(grid, new_cell))
	{
		return false;
	}
	if (had_cone)
	{
		nc_array_push(&update->dead, nc_cone_feature(vertex));
		nc_grid_remove(grid, old_cell, vertex, journal);
	}
	if (has_cone)
	{
		nc_array_push(&update->fresh, nc_cone_feature(vertex));
		nc_grid_add(grid, new_cell, vertex, journal);
		nc_grid_boxes_add(&sites->boxes, grid, cone.apex, cone.apex);
	}
	*nc_edit(journal, &sites->cones, vertex) = cone;
	*nc_edit(journal, &sites->has_cone, vertex) = has_cone;
	return true;
}

bool nc_sites_apply(
	NcSites* sites, const NcSnapUpdate* change, NcSitesUpdate* update, NcJournal* journal)
{
	const NcSnap* snap = sites->snap;
	++update->stamp;
	bool is_done = nc_array_resize(&sites->walls, snap->fragments.count) &&
				   nc_array_resize(&sites->cones, snap->vertices.count) &&
				   nc_array_resize(&sites->has_cone, snap->vertices.count) &&
				   nc_array_resize(&sites->gaps, snap->vertices.count) &&
				   nc_array_resize(&update->vertex_stamps, snap->vertices.count) &&
				   update_walls(sites, change, update, journal);
	for (int i = 0; is_done && i < change->touched_vertices.count; ++i)
	{
		is_done = touch_vertex(change->touched_vertices.data[i], update);
	}
	for (int i = 0; is_done && i < change->cover.points.count; ++i)
	{
		is_done = touch_vertex(change->cover.points.data[i], update);
	}
	for (int i = 0; is_done && i < update->vertices.count; ++i)
	{
		is_done = update_cone(sites, update->vertices.data[i], update, journal);
	}
	is_done = is_done && !update->dead.failed && !update->fresh.failed;
	journal->has_failed |= !is_done;
	return is_done;
}

void nc_sites_update_clear(NcSitesUpdate* update)
{
	update->dead.count = update->fresh.count = update->vertices.count = 0;
	update->dead.failed = update->fresh.failed = update->vertices.failed = false;
	update->vertex_stamps.failed = false;
}

void nc_sites_update_free(NcSitesUpdate* update)
{
	nc_array_free(&update->dead);
	nc_array_free(&update->fresh);
	nc_array_free(&update->vertices);
	nc_array_free(&update->vertex_stamps);
}

bool nc_feature_exists(const NcSites* sites, NcFeature feature)
{
	int index = nc_feature_index(feature);
	return nc_feature_is_cone(feature) ? sites->has_cone.data[index]
									   : nc_side_is_free(sites->snap, index);
}

// Whether the angle on the left of a half is that of a cone.
static inline bool is_cone_gap(const NcSites* sites, int vertex, int half)
{
	return sites->has_cone.data[vertex] && sites->gaps.data[vertex] == half;
}

// The free angle at the end of a side lies clockwise of the way back; the next side leaves there.
NcFeature nc_feature_next(const NcSites* sites, NcFeature feature)
{
	const NcSnap* snap = sites->snap;
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		int gap = sites->gaps.data[index];
		return gap == NC_NULL_INDEX ? feature : nc_side_feature(gap);
	}
	int next = nc_wall_previous(snap, index ^ 1);
	int vertex = nc_half_vertex(snap, next);
	return is_cone_gap(sites, vertex, next) ? nc_cone_feature(vertex) : nc_side_feature(next);
}

NcFeature nc_feature_previous(const NcSites* sites, NcFeature feature)
{
	const NcSnap* snap = sites->snap;
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		int gap = sites->gaps.data[index];
		return gap == NC_NULL_INDEX ? feature : nc_side_feature(nc_wall_next(snap, gap) ^ 1);
	}
	int vertex = nc_half_vertex(snap, index);
	return is_cone_gap(sites, vertex, index) ? nc_cone_feature(vertex)
											 : nc_side_feature(nc_wall_next(snap, index) ^ 1);
}

int nc_feature_compare(const NcSites* sites, NcFeature f, NcFeature g)
{
	const NcSnap* snap = sites->snap;
	int i = nc_feature_index(f);
	int j = nc_feature_index(g);
	bool f_is_cone = nc_feature_is_cone(f);
	bool g_is_cone = nc_feature_is_cone(g);
	NcPoint p = f_is_cone ? snap->vertices.data[i].point : nc_half_start(snap, i);
	NcPoint q = g_is_cone ? snap->vertices.data[j].point : nc_half_start(snap, j);
	int order = nc_point_compare(p, q);
	if (order != 0)
	{
		return order;
	}
	if (f_is_cone || g_is_cone)
	{
		return g_is_cone - f_is_cone;
	}
	return nc_point_compare(nc_half_end(snap, i), nc_half_end(snap, j));
}

int nc_sites_find_wall(const NcSites* sites, NcFeature feature)
{
	int index = nc_feature_index(feature);
	if (!nc_feature_is_cone(feature))
	{
		return index >> 1;
	}
	bool is_point = nc_cone_is_full(&sites->cones.data[index]);
	return is_point ? sites->walls.count + index : sites->gaps.data[index] >> 1;
}
