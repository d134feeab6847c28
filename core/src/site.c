// SPDX-License-Identifier: MIT
// Sites: see site.h.

#include "site.h"

#include "check.h"

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
	while (b != 0)
	{
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

static NcDirection make_direction(NcPoint from, NcPoint to)
{
	int64_t dx = (int64_t)to.x - from.x;
	int64_t dy = (int64_t)to.y - from.y;
	int64_t divisor = greatest_common_divisor(dx, dy);
	double x = (double)(dx / divisor);
	double y = (double)(dy / divisor);
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
	};
}

// The half whose left angle is larger than a half turn and free, or NC_NULL_INDEX.
static int find_reflex_half(const NcSnap* snap, int vertex)
{
	int first = snap->vertices.data[vertex].half;
	int half = first;
	do
	{
		if (nc_half_is_reflex(snap, half))
		{
			return nc_side_is_free(snap, half) ? half : NC_NULL_INDEX;
		}
		half = nc_half_next(snap, half);
	} while (half != first);
	return NC_NULL_INDEX;
}

static bool make_cone(const NcSites* sites, int vertex, NcCone* cone)
{
	const NcVertex* v = &sites->snap->vertices.data[vertex];
	*cone = (NcCone){.apex = nc_point_to_vec2(v->point)};
	if (v->half == NC_NULL_INDEX)
	{
		return v->is_free;
	}
	int half = find_reflex_half(sites->snap, vertex);
	if (half == NC_NULL_INDEX)
	{
		return false;
	}
	int next = nc_half_next(sites->snap, half);
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
				pass == 0 ? nc_grid_count(grid, cell) : nc_grid_add(grid, cell, v);
			}
		}
		if (pass == 0)
		{
			nc_grid_allocate(grid);
		}
	}
}

bool nc_sites_build(NcSites* sites, const NcSnap* snap)
{
	sites->snap = snap;
	if (!nc_array_resize(&sites->walls, snap->fragments.count) ||
		!nc_array_resize(&sites->cones, snap->vertices.count) ||
		!nc_array_resize(&sites->has_cone, snap->vertices.count))
	{
		return false;
	}
	for (int f = 0; f < snap->fragments.count; ++f)
	{
		sites->walls.data[f] = make_wall(snap, f);
	}
	for (int v = 0; v < snap->vertices.count; ++v)
	{
		sites->has_cone.data[v] = make_cone(sites, v, &sites->cones.data[v]);
	}
	fill_cone_grid(sites);
	return !nc_grid_failed(&sites->cone_grid);
}

void nc_sites_free(NcSites* sites)
{
	nc_array_free(&sites->walls);
	nc_array_free(&sites->cones);
	nc_array_free(&sites->has_cone);
	nc_grid_free(&sites->cone_grid);
}

bool nc_feature_exists(const NcSites* sites, NcFeature feature)
{
	int index = nc_feature_index(feature);
	return nc_feature_is_cone(feature) ? sites->has_cone.data[index]
									   : nc_side_is_free(sites->snap, index);
}

// The free angle at the end of a side lies clockwise of the way back; the next side leaves there.
NcFeature nc_feature_next(const NcSites* sites, NcFeature feature)
{
	const NcSnap* snap = sites->snap;
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		bool is_full = snap->vertices.data[index].half == NC_NULL_INDEX;
		return is_full ? feature : nc_side_feature(find_reflex_half(snap, index));
	}
	int next = nc_half_previous(snap, index ^ 1);
	return nc_half_is_reflex(snap, next) ? nc_cone_feature(nc_half_vertex(snap, next))
										 : nc_side_feature(next);
}

NcFeature nc_feature_previous(const NcSites* sites, NcFeature feature)
{
	const NcSnap* snap = sites->snap;
	int index = nc_feature_index(feature);
	if (nc_feature_is_cone(feature))
	{
		bool is_full = snap->vertices.data[index].half == NC_NULL_INDEX;
		return is_full ? feature
					   : nc_side_feature(nc_half_next(snap, find_reflex_half(snap, index)) ^ 1);
	}
	return nc_half_is_reflex(snap, index) ? nc_cone_feature(nc_half_vertex(snap, index))
										  : nc_side_feature(nc_half_next(snap, index) ^ 1);
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
