// SPDX-License-Identifier: MIT

// What the free space sees of the walls: free sides, corners with the angle that is theirs, closed
// borders, and the area in between. All of it comes from the walls alone, by sorting the sides
// around each corner.

#include "check_sites.h"

#include "memory.h"

#include <stdlib.h>

#define HALF_TURN 3.14159265358979323846

// How far two sums for the same area may be apart, as a part of the world's area.
#define AREA_ROUNDING 1e-9

// A side where it begins.
typedef struct Spoke
{
	NcVec2 corner;
	double angle; // of its direction, in radians
	int side;
} Spoke;

bool check_is_point(const NcMapWall* wall)
{
	return wall->a.x == wall->b.x && wall->a.y == wall->b.y;
}

bool check_is_side_free(const CheckWalls* walls, int side)
{
	const NcMapWall* wall = &walls->items[side / 2];
	return side % 2 == 0 ? wall->left_free : wall->right_free;
}

static Spoke make_spoke(const NcMapWall* wall, int side)
{
	NcVec2 from = side % 2 == 0 ? wall->a : wall->b;
	NcVec2 to = side % 2 == 0 ? wall->b : wall->a;
	return (Spoke){.corner = from, .angle = atan2(to.y - from.y, to.x - from.x), .side = side};
}

static int compare_spokes(const void* a, const void* b)
{
	const Spoke* s = a;
	const Spoke* t = b;
	double keys[][2] = {
		{s->corner.x, t->corner.x}, {s->corner.y, t->corner.y}, {s->angle, t->angle}};
	for (int i = 0; i < 3; ++i)
	{
		if (keys[i][0] != keys[i][1])
		{
			return keys[i][0] < keys[i][1] ? -1 : 1;
		}
	}
	return (s->side > t->side) - (s->side < t->side);
}

// Make a corner of the spokes that begin there, counter-clockwise.
static void add_corner(Checker* checker, CheckSites* sites, const Spoke* spokes, int count)
{
	CheckCorner* corner = &sites->corners[sites->corner_count];
	*corner = (CheckCorner){.position = spokes[0].corner};
	for (int i = 0; i < count; ++i)
	{
		const Spoke* spoke = &spokes[i];
		const Spoke* after = &spokes[(i + 1) % count];
		bool is_free = check_is_side_free(&checker->walls, spoke->side);
		if (is_free != check_is_side_free(&checker->walls, after->side ^ 1))
		{
			check_fail(
				checker, corner->position, "two walls disagree on whether it is free between");
		}
		double gap = after->angle - spoke->angle;
		gap = gap > 0.0 ? gap : gap + 2.0 * HALF_TURN;
		corner->cone += is_free ? nc_max(0.0, gap - HALF_TURN) : 0.0;
		sites->corner_of[spoke->side] = sites->corner_count;

		// Whoever arrives along `after` has this gap on the left, and leaves along the spoke.
		sites->next[after->side ^ 1] = spoke->side;
	}
	++sites->corner_count;
}

static void add_isolated_point(CheckSites* sites, const NcMapWall* wall, int index)
{
	sites->corner_of[2 * index] = sites->corner_of[2 * index + 1] = sites->corner_count;
	sites->corners[sites->corner_count++] = (CheckCorner){
		.position = wall->a,
		.cone = wall->left_free ? 2.0 * HALF_TURN : 0.0,
	};
	sites->border_count += wall->left_free ? 1 : 0;
}

static void find_corners(Checker* checker, CheckSites* sites)
{
	const CheckWalls* walls = &checker->walls;
	Spoke* spokes = memory_allocate(2 * walls->count, sizeof(Spoke));
	int count = 0;
	for (int i = 0; i < walls->count; ++i)
	{
		if (check_is_point(&walls->items[i]))
		{
			add_isolated_point(sites, &walls->items[i], i);
			continue;
		}
		spokes[count++] = make_spoke(&walls->items[i], 2 * i);
		spokes[count++] = make_spoke(&walls->items[i], 2 * i + 1);
	}
	qsort(spokes, (size_t)count, sizeof(Spoke), compare_spokes);

	int begin = 0;
	for (int i = 1; i <= count; ++i)
	{
		if (i == count || spokes[i].corner.x != spokes[begin].corner.x ||
			spokes[i].corner.y != spokes[begin].corner.y)
		{
			add_corner(checker, sites, spokes + begin, i - begin);
			begin = i;
		}
	}
	free(spokes);
}

static void count_borders(const CheckWalls* walls, CheckSites* sites)
{
	bool* is_walked = memory_allocate(2 * walls->count, sizeof(bool));
	for (int i = 0; i < 2 * walls->count; ++i)
	{
		if (is_walked[i] || !check_is_side_free(walls, i) || check_is_point(&walls->items[i / 2]))
		{
			continue;
		}
		++sites->border_count;
		for (int side = i; !is_walked[side]; side = sites->next[side])
		{
			is_walked[side] = true;
		}
	}
	free(is_walked);
}

// Green's theorem: half the sum of a x b over all free sides from a to b, about any center.
static double compute_area(const CheckWalls* walls, NcVec2 center)
{
	double sum = 0.0;
	for (int i = 0; i < 2 * walls->count; ++i)
	{
		if (check_is_side_free(walls, i))
		{
			const NcMapWall* wall = &walls->items[i / 2];
			double cross = nc_cross(nc_sub(wall->a, center), nc_sub(wall->b, center));
			sum += i % 2 == 0 ? 0.5 * cross : -0.5 * cross;
		}
	}
	return sum;
}

// If the free sides are closed walks, the center does not matter.
static void find_area(Checker* checker, CheckSites* sites)
{
	NcBox box = checker->walls.box;
	NcVec2 size = nc_sub(box.upper, box.lower);
	double area = compute_area(&checker->walls, box.lower);
	double other = compute_area(&checker->walls, nc_add(box.upper, size));
	if (!(fabs(area - other) <= AREA_ROUNDING * size.x * size.y))
	{
		check_fail(checker, box.lower, "the free sides are not closed: they enclose %.12g or %.12g",
			area, other);
	}
	sites->free_area = area;
}

void check_sites_create(Checker* checker, CheckSites* sites)
{
	int side_count = 2 * checker->walls.count;
	*sites = (CheckSites){
		.corners = memory_allocate(side_count, sizeof(CheckCorner)),
		.corner_of = memory_allocate(side_count, sizeof(int)),
		.next = memory_allocate(side_count, sizeof(int)),
	};
	find_corners(checker, sites);
	count_borders(&checker->walls, sites);
	find_area(checker, sites);
}

void check_sites_destroy(CheckSites* sites)
{
	free(sites->corners);
	free(sites->corner_of);
	free(sites->next);
	*sites = (CheckSites){0};
}
