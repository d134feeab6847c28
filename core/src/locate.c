// SPDX-License-Identifier: MIT
// Point location: see locate.h.

#include "locate.h"

#include "check.h"

// The nearest wall or isolated point, before anything is known about sides.
typedef struct Search
{
	const NcDiagram* diagram;
	NcVec2 p;
	double squared_distance;
	NcVec2 foot;
	int fragment; // or NC_NULL_INDEX if it is an isolated vertex
	int vertex;
} Search;

static void visit_cell(Search* search, int cell)
{
	const NcDiagram* diagram = search->diagram;
	const NcGrid* walls = &diagram->snap.fragment_grid;
	NcGridList list = walls->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int fragment = walls->pool.data[list.start + k];
		const NcWall* wall = &diagram->sites.walls.data[fragment];
		NcVec2 foot = nc_closest_on_segment(search->p, wall->a, wall->b);
		double squared_distance = nc_length_squared(nc_sub(search->p, foot));
		if (squared_distance < search->squared_distance && !wall->is_open)
		{
			search->squared_distance = squared_distance;
			search->foot = foot;
			search->fragment = fragment;
		}
	}

	const NcGrid* cones = &diagram->sites.cone_grid;
	list = cones->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		int vertex = cones->pool.data[list.start + k];
		NcVec2 apex = diagram->sites.cones.data[vertex].apex;
		double squared_distance = nc_length_squared(nc_sub(search->p, apex));
		bool is_isolated = diagram->snap.vertices.data[vertex].half == NC_NULL_INDEX;
		if (is_isolated && squared_distance < search->squared_distance)
		{
			search->squared_distance = squared_distance;
			search->foot = apex;
			search->fragment = NC_NULL_INDEX;
			search->vertex = vertex;
		}
	}
}

double nc_locate_ring_distance(const NcGrid* grid, NcVec2 p, NcCellRange ring)
{
	double left = ring.i0 <= 0 ? HUGE_VAL : p.x - (grid->x0 + ring.i0 * grid->cell_width);
	double right =
		ring.i1 + 1 >= grid->columns ? HUGE_VAL : grid->x0 + (ring.i1 + 1) * grid->cell_width - p.x;
	double below = ring.j0 <= 0 ? HUGE_VAL : p.y - (grid->y0 + ring.j0 * grid->cell_height);
	double above =
		ring.j1 + 1 >= grid->rows ? HUGE_VAL : grid->y0 + (ring.j1 + 1) * grid->cell_height - p.y;
	return nc_min(nc_min(left, right), nc_min(below, above));
}

static void search_rings(Search* search)
{
	const NcGrid* grid = &search->diagram->snap.fragment_grid;
	NcCellRange ring = nc_grid_range(grid, (NcBox){search->p, search->p});
	for (int distance = 0;; ++distance)
	{
		for (int j = ring.j0 < 0 ? 0 : ring.j0; j <= ring.j1 && j < grid->rows; ++j)
		{
			bool is_whole_row = j == ring.j0 || j == ring.j1;
			int step = is_whole_row || ring.i1 == ring.i0 ? 1 : ring.i1 - ring.i0;
			for (int i = ring.i0; i <= ring.i1; i += step)
			{
				if (i >= 0 && i < grid->columns)
				{
					visit_cell(search, j * grid->columns + i);
				}
			}
		}
		double reached = nc_locate_ring_distance(grid, search->p, ring);
		if (reached == HUGE_VAL || (reached > 0.0 && search->squared_distance <= reached * reached))
		{
			return;
		}
		ring = (NcCellRange){ring.i0 - 1, ring.j0 - 1, ring.i1 + 1, ring.j1 + 1};
	}
}

// Sides.

// The half around a vertex whose left angle contains a direction.
static int find_half_before(const NcSnap* snap, int vertex, NcVec2 direction)
{
	NcVec2 origin = nc_point_to_vec2(snap->vertices.data[vertex].point);
	int first = nc_wall_of_vertex(snap, vertex);
	int half = first;
	do
	{
		int next = nc_wall_next(snap, half);
		NcVec2 a = nc_sub(nc_point_to_vec2(nc_half_end(snap, half)), origin);
		NcVec2 b = nc_sub(nc_point_to_vec2(nc_half_end(snap, next)), origin);
		bool is_left_of_a = nc_cross(a, direction) >= 0.0;
		bool is_right_of_b = nc_cross(direction, b) >= 0.0;
		bool is_inside = nc_wall_is_reflex(snap, half) ? is_left_of_a || is_right_of_b
													   : is_left_of_a && is_right_of_b;
		if (is_inside)
		{
			return half;
		}
		half = next;
	} while (half != first);
	return first;
}

// A half with free space on its left, if there is one around a vertex.
static int find_free_half(const NcSnap* snap, int vertex)
{
	int first = nc_wall_of_vertex(snap, vertex);
	int half = first;
	do
	{
		half = nc_wall_next(snap, half);
	} while (half != first && !nc_side_is_free(snap, half));
	return half;
}

static void resolve_at_vertex(const NcDiagram* diagram, int vertex, NcNearest* nearest)
{
	const NcSnap* snap = &diagram->snap;
	int half = find_half_before(snap, vertex, nearest->away);
	if (!(nearest->distance > 0.0))
	{
		// The point is the vertex itself and belongs to the free space around it.
		half = find_free_half(snap, vertex);
		NcVec2 along = nc_sub(nc_point_to_vec2(nc_half_end(snap, half)), nearest->foot);
		nearest->away = nc_normalize(nc_perp(along));
	}
	nearest->is_free = nc_side_is_free(snap, half);
	bool is_cone = nc_wall_is_reflex(snap, half) && diagram->sites.has_cone.data[vertex];
	nearest->feature = is_cone ? nc_cone_feature(vertex) : nc_side_feature(half);
}

static void resolve_at_side(const NcDiagram* diagram, int fragment, NcVec2 p, NcNearest* nearest)
{
	const NcWall* wall = &diagram->sites.walls.data[fragment];
	NcDirection d = wall->direction;
	NcVec2 normal = {-d.y * d.inverse_length, d.x * d.inverse_length};
	double side = nc_cross(nc_sub(wall->b, wall->a), nc_sub(p, wall->a));

	// A point on the wall itself belongs to a free side, if there is one.
	bool is_right = side < 0.0 || (side == 0.0 && !(wall->is_free & 1));
	nearest->is_free = (wall->is_free >> is_right) & 1;
	nearest->feature = nc_side_feature(2 * fragment + is_right);
	nearest->away = is_right ? nc_scale(-1.0, normal) : normal;
}

bool nc_locate_nearest(const NcDiagram* diagram, NcVec2 p, NcNearest* nearest)
{
	Search search = {.diagram = diagram,
		.p = p,
		.squared_distance = HUGE_VAL,
		.fragment = NC_NULL_INDEX,
		.vertex = NC_NULL_INDEX};
	search_rings(&search);
	if (search.fragment == NC_NULL_INDEX && search.vertex == NC_NULL_INDEX)
	{
		return false;
	}
	*nearest = (NcNearest){
		.distance = sqrt(search.squared_distance),
		.foot = search.foot,
		.away = nc_normalize(nc_sub(p, search.foot)),
	};
	if (search.fragment == NC_NULL_INDEX)
	{
		nearest->is_free = diagram->snap.vertices.data[search.vertex].is_free;
		nearest->feature = nc_cone_feature(search.vertex);
		return true;
	}

	const NcWall* wall = &diagram->sites.walls.data[search.fragment];
	const int* ends = diagram->snap.fragments.data[search.fragment].vertices;
	bool is_at_a = search.foot.x == wall->a.x && search.foot.y == wall->a.y;
	bool is_at_b = search.foot.x == wall->b.x && search.foot.y == wall->b.y;
	if (is_at_a || is_at_b)
	{
		resolve_at_vertex(diagram, ends[is_at_b], nearest);
	}
	else
	{
		resolve_at_side(diagram, search.fragment, p, nearest);
	}
	return true;
}

// Retraction.

// The piece of a side's cell above a point of the side.
static int find_piece_of_side(const NcDiagram* diagram, int half, NcVec2 foot)
{
	const NcCell* cell = nc_diagram_cell(diagram, nc_side_feature(half));
	NcVec2 start = nc_point_to_vec2(nc_half_start(&diagram->snap, half));
	NcVec2 along = nc_sub(nc_point_to_vec2(nc_half_end(&diagram->snap, half)), start);
	double t = nc_dot(along, foot);
	int best = NC_NULL_INDEX;
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		bool is_candidate =
			best == NC_NULL_INDEX || nc_dot(along, diagram->records.data[p].position) <= t;
		if (nc_piece_is_linked(diagram, p) && is_candidate)
		{
			best = p;
		}
	}
	return best;
}

// The piece of a cone's cell in a direction. Pieces follow each other clockwise.
static int find_piece_of_cone(const NcDiagram* diagram, int vertex, NcVec2 direction)
{
	const NcCell* cell = nc_diagram_cell(diagram, nc_cone_feature(vertex));
	NcVec2 apex = diagram->sites.cones.data[vertex].apex;
	int best = NC_NULL_INDEX;
	for (int p = cell->begin; p < cell->begin + cell->count; ++p)
	{
		if (!nc_piece_is_linked(diagram, p))
		{
			continue;
		}
		NcVec2 from = nc_sub(diagram->records.data[p].position, apex);
		NcVec2 to = nc_sub(diagram->records.data[p + 1].position, apex);
		bool is_after_from = nc_cross(direction, from) >= 0.0;
		bool is_before_to = nc_cross(to, direction) >= 0.0;
		bool is_wide = nc_cross(from, to) > 0.0; // more than a half turn
		if (is_wide ? is_after_from || is_before_to : is_after_from && is_before_to)
		{
			return p;
		}
		bool is_nearer = best == NC_NULL_INDEX || (is_after_from && nc_dot(direction, from) > 0.0);
		best = is_nearer ? p : best;
	}
	return best;
}

// How far from `foot`, in a direction, the distance to another feature is as large.
static double compute_equal_distance(
	const NcDiagram* diagram, NcFeature other, NcVec2 foot, NcVec2 away)
{
	int index = nc_feature_index(other);
	if (nc_feature_is_cone(other))
	{
		// |foot + h away - q| = h
		NcVec2 v = nc_sub(diagram->sites.cones.data[index].apex, foot);
		double along = nc_dot(v, away);
		return along > 0.0 ? nc_dot(v, v) / (2.0 * along) : HUGE_VAL;
	}
	// s + h n.away = h, where s is the distance of the foot from the line.
	const NcWall* wall = &diagram->sites.walls.data[index >> 1];
	NcDirection d = wall->direction;
	double sign = (index & 1) ? -1.0 : 1.0;
	NcVec2 v = nc_sub(foot, wall->a);
	double s = sign * (d.x * v.y - d.y * v.x) * d.inverse_length;
	NcVec2 normal = nc_scale(sign * d.inverse_length, (NcVec2){-d.y, d.x});
	double rest = 1.0 - nc_dot(normal, away);
	return s > 0.0 && rest > 0.0 ? s / rest : HUGE_VAL;
}

// How high the border of a cell is at the end of a piece, if the walk passes beside the piece
// there. Between two linked pieces there may be contracted ones; a piece must not be continued over
// them, because it may be steep. @return HUGE_VAL if the walk meets the piece
static double compute_height_beside(
	const NcDiagram* diagram, int piece, const NcNearest* nearest, bool is_cone)
{
	NcVec2 from = nc_sub(diagram->records.data[piece].position, nearest->foot);
	NcVec2 to = nc_sub(diagram->records.data[piece + 1].position, nearest->foot);
	bool is_past_from = nc_cross(nearest->away, from) >= 0.0;
	bool is_past_to = nc_cross(nearest->away, to) > 0.0;
	if (is_cone)
	{
		bool is_wide = nc_cross(from, to) > 0.0;
		bool is_met = is_wide ? is_past_from || !is_past_to : is_past_from && !is_past_to;
		double from_height = nc_length(from);
		double to_height = nc_length(to);
		bool is_nearer_from =
			nc_dot(nearest->away, from) * to_height > nc_dot(nearest->away, to) * from_height;
		return is_met ? HUGE_VAL : is_nearer_from ? from_height : to_height;
	}
	if (is_past_from && !is_past_to)
	{
		return HUGE_VAL;
	}
	return nc_dot(nearest->away, is_past_from ? to : from);
}

bool nc_locate_retraction(
	const NcDiagram* diagram, const NcNearest* nearest, NcRetraction* retraction)
{
	int index = nc_feature_index(nearest->feature);
	int piece = nc_feature_is_cone(nearest->feature)
					? find_piece_of_cone(diagram, index, nearest->away)
					: find_piece_of_side(diagram, index, nearest->foot);
	bool is_own = piece != NC_NULL_INDEX;

	// A cell that was contracted altogether lends its place to the next one along the obstacle.
	for (NcFeature f = nc_feature_next(&diagram->sites, nearest->feature);
		 piece == NC_NULL_INDEX && f != nearest->feature; f = nc_feature_next(&diagram->sites, f))
	{
		const NcCell* cell = nc_diagram_cell(diagram, f);
		for (int q = cell->begin; q < cell->begin + cell->count && piece == NC_NULL_INDEX; ++q)
		{
			piece = nc_piece_is_linked(diagram, q) ? q : NC_NULL_INDEX;
		}
	}
	if (piece == NC_NULL_INDEX)
	{
		return false;
	}

	const NcJunction* from = nc_piece_junction(diagram, piece);
	*retraction = (NcRetraction){piece, from->position, from->clearance};
	if (!is_own)
	{
		return true;
	}
	double h = compute_height_beside(diagram, piece, nearest, nc_feature_is_cone(nearest->feature));
	if (!isfinite(h))
	{
		h = compute_equal_distance(
			diagram, diagram->records.data[piece].neighbor, nearest->foot, nearest->away);
	}
	if (isfinite(h))
	{
		h = nc_max(h, nearest->distance);
		retraction->position = nc_mul_add(nearest->foot, h, nearest->away);
		retraction->clearance = h;
	}
	return true;
}

// Segments.

static double point_segment_squared(NcVec2 p, NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(p, nc_closest_on_segment(p, a, b)));
}

// The squared distance of two segments: zero if they cross, else at one of the four ends.
double nc_segment_segment_squared(NcVec2 a, NcVec2 b, NcVec2 c, NcVec2 d)
{
	NcVec2 ab = nc_sub(b, a);
	NcVec2 cd = nc_sub(d, c);
	double c_side = nc_cross(ab, nc_sub(c, a));
	double d_side = nc_cross(ab, nc_sub(d, a));
	double a_side = nc_cross(cd, nc_sub(a, c));
	double b_side = nc_cross(cd, nc_sub(b, c));
	if (c_side * d_side < 0.0 && a_side * b_side < 0.0)
	{
		return 0.0;
	}
	return nc_min(nc_min(point_segment_squared(a, c, d), point_segment_squared(b, c, d)),
		nc_min(point_segment_squared(c, a, b), point_segment_squared(d, a, b)));
}

// Both ends of a wall are on one side of the line through a segment, and too far from it.
static bool is_beside(NcVec2 a, NcVec2 b, const NcWall* wall, double squared_radius)
{
	NcVec2 ab = nc_sub(b, a);
	double first = nc_cross(ab, nc_sub(wall->a, a));
	double second = nc_cross(ab, nc_sub(wall->b, a));
	double least = (1.0 + 1e-9) * squared_radius * nc_dot(ab, ab);
	return first * second > 0.0 && nc_min(first * first, second * second) > least;
}

static bool is_cell_clear(
	const NcDiagram* diagram, int cell, NcVec2 a, NcVec2 b, double squared_radius)
{
	const NcGrid* walls = &diagram->snap.fragment_grid;
	NcGridList list = walls->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		const NcWall* wall = &diagram->sites.walls.data[walls->pool.data[list.start + k]];
		if (!wall->is_open && !is_beside(a, b, wall, squared_radius) &&
			nc_segment_segment_squared(a, b, wall->a, wall->b) < squared_radius)
		{
			return false;
		}
	}
	const NcGrid* cones = &diagram->sites.cone_grid;
	list = cones->lists.data[cell];
	for (int k = 0; k < list.count; ++k)
	{
		NcVec2 apex = diagram->sites.cones.data[cones->pool.data[list.start + k]].apex;
		if (point_segment_squared(apex, a, b) < squared_radius)
		{
			return false;
		}
	}
	return true;
}

bool nc_locate_is_segment_clear(const NcDiagram* diagram, NcVec2 a, NcVec2 b, double radius)
{
	double limit = nc_locate_get_limit(radius);
	const NcGrid* grid = &diagram->snap.fragment_grid;
	NcSegmentCells cells = nc_grid_segment_cells(grid, a, b, limit);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			if (!is_cell_clear(diagram, j * grid->columns + i, a, b, limit * limit))
			{
				return false;
			}
		}
	}
	return true;
}

bool nc_locate_is_segment_free(const NcDiagram* diagram, NcVec2 a, NcVec2 b, double radius)
{
	NcNearest nearest;
	return nc_locate_nearest(diagram, a, &nearest) && nearest.is_free &&
		   nc_locate_is_segment_clear(diagram, a, b, radius);
}
