// SPDX-License-Identifier: MIT

// The cells of the diagram, as the arcs of the medial axis cut them out. On every free side of a
// wall the feet of the arcs walk from one end to the other; around every corner the arcs turn by
// the angle that is the corner's; the cells together have the area that the free sides enclose; and
// the medial axis has as many faces as the free space has borders. What is missing, counted twice
// or given to the wrong side breaks one of these sums.
//
//      left.feet[0]  ________ left.feet[1]
//                   |        |
//           ends[0] +--------+ ends[1]
//                   |        |
//     right.feet[0] |________| right.feet[1]

#include "checker.h"

#include "check_arc.h"
#include "check_sites.h"
#include "memory.h"

#include <stdlib.h>

// How much of a side may be without a cell, in snaps, and of the angle at a corner, in radians:
// that is where short arcs were contracted.
#define SIDE_TOLERANCE 0.2
#define ANGLE_TOLERANCE 0.1

// How much of the area may be missing or counted twice: in snaps along the borders of all cells,
// and as a part of the whole, since it is a sum of many numbers.
#define AREA_TOLERANCE 1e-3
#define AREA_ROUNDING 1e-9

// A point whose closest point on a wall is this much nearer than the end of the wall, in snaps,
// does not see the end but the side.
#define CORNER_TOLERANCE 1e-4

typedef struct Cells
{
	CheckSites sites;
	double* covered;      // per side: how much of it has a cell, in world units
	double* turned;       // per corner: by how much arcs turn around it, in radians
	double area;          // of all cells, in square world units
	double border_length; // of all cells, in world units
} Cells;

// Note what an arc covers of the wall on one of its sides.
// @param sense 1 if the wall is on the left, -1 if it is on the right
static void cover_side(const Checker* checker, Cells* cells, const CheckArc* arc,
	const CheckFeature* feature, int sense)
{
	const NcMapWall* wall = &checker->walls.items[feature->wall];
	NcVec2 axis = nc_normalize(nc_sub(wall->b, wall->a));
	NcVec2 middle = check_arc_get_point(arc, 0.5);
	bool is_left = nc_cross(axis, nc_sub(middle, wall->a)) > 0.0;

	// With the wall on the left of the walk, the walk is on the right of the wall.
	double move = nc_dot(nc_sub(feature->feet[1], feature->feet[0]), axis);
	cells->covered[2 * feature->wall + (is_left ? 0 : 1)] += is_left ? -sense * move : sense * move;
}

// Note by how much an arc turns around the corner that its feet rest on.
static void cover_corner(const Checker* checker, Cells* cells, const CheckArc* arc,
	const CheckFeature* feature, int sense)
{
	const NcMapWall* wall = &checker->walls.items[feature->wall];
	bool is_at_a = nc_distance(feature->feet[0], wall->a) < nc_distance(feature->feet[0], wall->b);
	NcVec2 position = is_at_a ? wall->a : wall->b;
	NcVec2 middle = check_arc_get_point(arc, 0.5);
	double detour = nc_distance(middle, position) -
					nc_distance(middle, nc_closest_on_segment(middle, wall->a, wall->b));
	if (detour <= CORNER_TOLERANCE * checker->snap)
	{
		int corner = cells->sites.corner_of[2 * feature->wall + (is_at_a ? 0 : 1)];
		cells->turned[corner] += sense * check_arc_compute_turn(arc, position);
	}
}

static void cover(const Checker* checker, Cells* cells, const CheckArc* arc,
	const CheckFeature* feature, int sense)
{
	if (feature->wall == NC_NULL_INDEX)
	{
		return; // has failed already
	}
	if (!check_is_point(&checker->walls.items[feature->wall]))
	{
		cover_side(checker, cells, arc, feature, sense);
	}
	if (feature->is_point)
	{
		cover_corner(checker, cells, arc, feature, sense);
	}
}

// Add the two cells of an arc. What the arc bends away from one it gives to the other, so straight
// lines serve.
static void add_area(const Checker* checker, Cells* cells, const CheckArc* arc)
{
	const NcVec2 points[] = {
		check_feature_get_closest(&checker->walls, &arc->right, arc->ends[0]),
		check_feature_get_closest(&checker->walls, &arc->right, arc->ends[1]),
		arc->ends[1],
		check_feature_get_closest(&checker->walls, &arc->left, arc->ends[1]),
		check_feature_get_closest(&checker->walls, &arc->left, arc->ends[0]),
	};
	NcVec2 from = (NcVec2){0.0, 0.0}; // relative to ends[0]
	for (int i = 0; i < (int)(sizeof(points) / sizeof(points[0])); ++i)
	{
		NcVec2 to = nc_sub(points[i], arc->ends[0]);
		cells->area += 0.5 * nc_cross(from, to);
		cells->border_length += nc_distance(from, to);
		from = to;
	}
}

static void add_edge(const Checker* checker, Cells* cells, int index)
{
	int count = nc_map_get_edge_events(checker->map, index, NULL, 0);
	NcMapEvent* events = memory_allocate(count, sizeof(NcMapEvent));
	nc_map_get_edge_events(checker->map, index, events, count);
	for (int i = 0; i + 1 < count; ++i)
	{
		CheckArc arc = check_arc_make(&checker->walls, &events[i], checker->snap);
		cover(checker, cells, &arc, &arc.left, 1);
		cover(checker, cells, &arc, &arc.right, -1);
		add_area(checker, cells, &arc);
	}
	free(events);
}

// A place beside the middle of a wall, this part of the way to the nearest other wall, is nearer to
// the wall than to any other: less than half.
#define BESIDE 0.4

static void check_beside(Checker* checker, int side)
{
	const NcMapWall* wall = &checker->walls.items[side / 2];
	NcVec2 middle = nc_lerp(wall->a, wall->b, 0.5);
	double room = check_walls_find_nearest(&checker->walls, middle, side / 2, NULL);
	double distance = BESIDE * nc_min(room, nc_distance(wall->a, wall->b));
	if (distance <= 2.0 * checker->tolerance)
	{
		return;
	}
	NcVec2 normal = nc_perp(nc_normalize(nc_sub(wall->b, wall->a)));
	NcVec2 p = nc_mul_add(middle, side % 2 == 0 ? distance : -distance, normal);
	NcLocation location;
	bool is_free = check_is_side_free(&checker->walls, side);
	if (nc_query_locate(checker->query, p, &location) != is_free)
	{
		check_fail(checker, p, "beside a %s side of a wall it is %s", is_free ? "free" : "blocked",
			is_free ? "blocked" : "free");
	}
	else if (is_free)
	{
		check_value(checker, p, "the clearance beside a wall", location.clearance, distance);
		check_value(checker, p, "how far beside a wall the closest point is off",
			nc_distance(location.closest, middle), 0.0);
	}
}

static void check_sides(Checker* checker, const Cells* cells)
{
	for (int i = 0; i < 2 * checker->walls.count; ++i)
	{
		const NcMapWall* wall = &checker->walls.items[i / 2];
		if (check_is_point(wall))
		{
			continue;
		}
		bool is_free = check_is_side_free(&checker->walls, i);
		checker->report.side_count += is_free ? 1 : 0;
		double length = is_free ? nc_distance(wall->a, wall->b) : 0.0;
		if (!(fabs(cells->covered[i] - length) <= SIDE_TOLERANCE * checker->snap))
		{
			check_fail(checker, nc_lerp(wall->a, wall->b, 0.5),
				"%.12g of %.12g along a side of a wall has a cell", cells->covered[i], length);
		}
		check_beside(checker, i);
	}
}

static void check_corners(Checker* checker, const Cells* cells)
{
	for (int i = 0; i < cells->sites.corner_count; ++i)
	{
		const CheckCorner* corner = &cells->sites.corners[i];
		++checker->report.corner_count;
		if (!(fabs(cells->turned[i] - corner->cone) <= ANGLE_TOLERANCE))
		{
			check_fail(checker, corner->position,
				"%.9g of %.9g radians around a corner have a cell", cells->turned[i], corner->cone);
		}
	}
}

static void check_sums(Checker* checker, const Cells* cells)
{
	const CheckSites* sites = &cells->sites;
	NcVec2 place = checker->walls.box.lower;
	if (checker->report.face_count != sites->border_count)
	{
		check_fail(checker, place, "the medial axis has %d faces, but the free space %d borders",
			checker->report.face_count, sites->border_count);
	}
	checker->report.free_area = sites->free_area;
	double error = fabs(cells->area - sites->free_area);
	if (!(error <= AREA_TOLERANCE * checker->snap * cells->border_length +
					   AREA_ROUNDING * sites->free_area))
	{
		check_fail(checker, place, "the cells have an area of %.12g, but the free space %.12g",
			cells->area, sites->free_area);
	}
}

void check_cells(Checker* checker)
{
	Cells cells = {0};
	check_sites_create(checker, &cells.sites);
	cells.covered = memory_allocate(2 * checker->walls.count, sizeof(double));
	cells.turned = memory_allocate(cells.sites.corner_count, sizeof(double));
	int range = nc_map_get_edge_range(checker->map);
	for (int i = 0; i < range; ++i)
	{
		add_edge(checker, &cells, i);
	}
	check_sides(checker, &cells);
	check_corners(checker, &cells);
	check_sums(checker, &cells);
	free(cells.covered);
	free(cells.turned);
	check_sites_destroy(&cells.sites);
}
