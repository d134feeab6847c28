// SPDX-License-Identifier: MIT
// Random scenes. All coordinates are whole numbers of snaps, so that nothing moves by snapping and
// scenes that do not touch stay so. Small worlds make coincidences (equal distances, collinear and
// touching walls) common, large ones test the numbers.

#include "scenes_kinds.h"

#include <stdlib.h>
#include <string.h>

static NcVec2 round_point(double x, double y)
{
	return (NcVec2){floor(x + 0.5), floor(y + 0.5)};
}

static bool is_same_point(NcVec2 a, NcVec2 b)
{
	return a.x == b.x && a.y == b.y;
}

// Many short walls. A grid of buckets finds the ones that a new wall could touch.

typedef struct Wall
{
	NcVec2 a, b;
} Wall;

typedef struct WallGrid
{
	double lower, cell; ///< in snaps
	int size;           ///< cells a side
	int* first;         ///< per cell: index of its first entry, or -1
	int* next;          ///< per entry
	int* wall;          ///< per entry
	int entry_count;
	const Wall* walls;
} WallGrid;

typedef struct CellRange
{
	int x0, y0, x1, y1;
} CellRange;

static int find_column(const WallGrid* grid, double x)
{
	int column = (int)((x - grid->lower) / grid->cell);
	return column < 0 ? 0 : column >= grid->size ? grid->size - 1 : column;
}

static CellRange find_range(const WallGrid* grid, Wall w)
{
	return (CellRange){find_column(grid, fmin(w.a.x, w.b.x)), find_column(grid, fmin(w.a.y, w.b.y)),
		find_column(grid, fmax(w.a.x, w.b.x)), find_column(grid, fmax(w.a.y, w.b.y))};
}

// Whole numbers below 2^25 make these determinants exact.
static int compute_turn(NcVec2 a, NcVec2 b, NcVec2 c)
{
	double d = nc_cross(nc_sub(b, a), nc_sub(c, a));
	return (d > 0.0) - (d < 0.0);
}

// Whether two walls touch, or would with collinear ones taken as endless: good enough to reject.
static bool may_touch(Wall p, Wall q)
{
	return compute_turn(p.a, p.b, q.a) * compute_turn(p.a, p.b, q.b) <= 0 &&
		   compute_turn(q.a, q.b, p.a) * compute_turn(q.a, q.b, p.b) <= 0;
}

static bool is_clear(const WallGrid* grid, Wall wall)
{
	CellRange range = find_range(grid, wall);
	for (int y = range.y0; y <= range.y1; ++y)
	{
		for (int x = range.x0; x <= range.x1; ++x)
		{
			for (int e = grid->first[y * grid->size + x]; e >= 0; e = grid->next[e])
			{
				if (may_touch(grid->walls[grid->wall[e]], wall))
				{
					return false;
				}
			}
		}
	}
	return true;
}

static void enter_wall(WallGrid* grid, int index, Wall wall)
{
	CellRange range = find_range(grid, wall);
	for (int y = range.y0; y <= range.y1; ++y)
	{
		for (int x = range.x0; x <= range.x1; ++x)
		{
			int* first = &grid->first[y * grid->size + x];
			grid->wall[grid->entry_count] = index;
			grid->next[grid->entry_count] = *first;
			*first = grid->entry_count++;
		}
	}
}

#define RANDOM_REACH 1e7
// Walls are at most as long as a cell is wide, so each lies in at most 4 cells.
#define CELLS_PER_WALL 4

static void fill_with_walls(WallGrid* grid, Wall* walls, int n, double longest)
{
	uint64_t random = 7;
	for (int i = 0; i < n;)
	{
		double x = scenes_random_double(&random, -RANDOM_REACH + longest, RANDOM_REACH - longest);
		double y = scenes_random_double(&random, -RANDOM_REACH + longest, RANDOM_REACH - longest);
		double length = scenes_random_double(&random, 0.2 * longest, longest);
		NcVec2 u = nc_direction(scenes_random_double(&random, 0.0, 6.28));
		Wall wall = {round_point(x, y), round_point(x + length * u.x, y + length * u.y)};
		if (is_clear(grid, wall))
		{
			walls[i] = wall;
			enter_wall(grid, i++, wall);
		}
	}
}

bool scenes_make_random(int n, TestScene* made)
{
	double spacing = 2.0 * RANDOM_REACH / sqrt((double)n + 1.0);
	double longest = 0.9 * spacing;
	Wall* walls = calloc((size_t)n + 1, sizeof(Wall));
	WallGrid grid = {.lower = -RANDOM_REACH, .size = (int)(2.0 * RANDOM_REACH / spacing) + 1};
	grid.cell = 2.0 * RANDOM_REACH / grid.size * 1.0000001;
	if (grid.cell < longest)
	{
		grid.cell = longest;
	}
	size_t cell_count = (size_t)grid.size * (size_t)grid.size;
	grid.first = malloc(cell_count * sizeof(int));
	memset(grid.first, 0xff, cell_count * sizeof(int));
	grid.next = malloc(CELLS_PER_WALL * ((size_t)n + 1) * sizeof(int));
	grid.wall = malloc(CELLS_PER_WALL * ((size_t)n + 1) * sizeof(int));
	grid.walls = walls;

	fill_with_walls(&grid, walls, n, longest);
	for (int i = 0; i < n; ++i)
	{
		scenes_add_wall(&made->scene, walls[i].a, walls[i].b);
	}
	free(walls);
	free(grid.first);
	free(grid.next);
	free(grid.wall);
	made->bounds = (NcBox){{-RANDOM_REACH, -RANDOM_REACH}, {RANDOM_REACH, RANDOM_REACH}};
	return true;
}

// Lattices. Their diagonals cross, so that up to 8 walls meet in a point.

bool scenes_make_lattice(int seed, TestScene* made)
{
	uint64_t random = (uint64_t)seed;
	int size = scenes_random_int(&random, 3, 40);
	int pitch = scenes_random_int(&random, 1, 4) == 1 ? 3 : 1000;
	double density = scenes_random_double(&random, 0.2, 0.8);
	static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
	for (int i = 0; i < size * size; ++i)
	{
		int x = i % size;
		int y = i / size;
		for (int k = 0; k < 4; ++k)
		{
			int x1 = x + steps[k][0];
			int y1 = y + steps[k][1];
			double chance = scenes_random_double(&random, 0.0, k >= 2 ? 3.0 : 1.0);
			if (chance < density && x1 < size && 0 <= y1 && y1 < size)
			{
				scenes_add_wall(&made->scene, (NcVec2){(double)x * pitch, (double)y * pitch},
					(NcVec2){(double)x1 * pitch, (double)y1 * pitch});
			}
		}
	}
	made->bounds =
		(NcBox){{-2.0 * pitch, -2.0 * pitch}, {(size + 1.0) * pitch, (size + 1.0) * pitch}};
	return true;
}

// Mixed shapes. Each fits in a disc, so that keeping the discs apart keeps the shapes apart.

typedef struct Disc
{
	NcVec2 center;
	double radius;
} Disc;

#define MAX_SHAPES 40
#define MAX_STAR 24

// Random scenes in the making.
typedef struct Mix
{
	uint64_t random;
	double reach; ///< the world is a square from 0 to this, in snaps
	int unit;     ///< all coordinates are multiples of it, in snaps
	bool overlaps;
	Scene* scene;
	Disc discs[MAX_SHAPES];
	int disc_count;
} Mix;

static NcVec2 align(const Mix* mix, double x, double y)
{
	return (NcVec2){floor(x / mix->unit + 0.5) * mix->unit, floor(y / mix->unit + 0.5) * mix->unit};
}

static bool take_disc(Mix* mix, Disc* disc)
{
	double largest = mix->reach * (mix->overlaps ? 0.4 : 0.25);
	double radius = scenes_random_double(&mix->random, 2.0, fmax(largest, 3.0));
	double margin = mix->overlaps ? 0.0 : radius + 2.0;
	if (margin > 0.5 * mix->reach)
	{
		return false;
	}
	NcVec2 center = {scenes_random_double(&mix->random, margin, mix->reach - margin),
		scenes_random_double(&mix->random, margin, mix->reach - margin)};
	for (int i = 0; i < mix->disc_count && !mix->overlaps; ++i)
	{
		// Points are rounded by up to 0.71 snaps, on both sides.
		if (nc_distance(center, mix->discs[i].center) < radius + mix->discs[i].radius + 2.0)
		{
			return false;
		}
	}
	*disc = mix->discs[mix->disc_count++] = (Disc){center, radius};
	return true;
}

static void add_rectangle(Mix* mix, Disc disc)
{
	double turn = scenes_random_int(&mix->random, 0, 1) == 0
					  ? 0.0
					  : scenes_random_double(&mix->random, 0.0, 1.57);
	NcVec2 u = nc_direction(turn);
	NcVec2 half = nc_direction(scenes_random_double(&mix->random, 0.1, 1.4));
	static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	NcVec2 points[4];
	for (int i = 0; i < 4; ++i)
	{
		NcVec2 p = nc_mul_add(nc_mul_add(disc.center, signs[i][0] * half.x * disc.radius, u),
			signs[i][1] * half.y * disc.radius, nc_perp(u));
		points[i] = align(mix, p.x, p.y);
	}
	scenes_add_polygon(mix->scene, points, 4);
}

// A ring around the centre whose corners are at random distances up to the radius.
static int make_star(Mix* mix, Disc disc, NcVec2* points)
{
	int count = scenes_random_int(&mix->random, 3, MAX_STAR);
	int kept = 0;
	for (int i = 0; i < count; ++i)
	{
		double r = disc.radius * scenes_random_double(&mix->random, 0.3, 1.0);
		NcVec2 p = nc_mul_add(disc.center, r, nc_direction(6.28 * i / count));
		points[kept] = align(mix, p.x, p.y);
		kept += kept == 0 || !is_same_point(points[kept], points[kept - 1]);
	}
	return kept;
}

static void add_star(Mix* mix, Disc disc)
{
	NcVec2 points[MAX_STAR];
	int count = make_star(mix, disc, points);
	scenes_add_polygon(mix->scene, points, count);
	// A hole, shrunk towards the centre: its inside is free and cut off from the rest.
	if (scenes_random_int(&mix->random, 0, 3) == 0)
	{
		scene_begin_ring(mix->scene);
		for (int i = 0; i < count; ++i)
		{
			NcVec2 p = nc_lerp(disc.center, points[i], 0.5);
			scene_add_point(mix->scene, align(mix, p.x, p.y));
		}
	}
}

static void add_chain(Mix* mix, Disc disc)
{
	NcVec2 points[MAX_STAR];
	int count = make_star(mix, disc, points);
	scene_begin_shape(mix->scene, NC_SHAPE_CHAIN, 0);
	for (int i = 0; i < count - 1; ++i)
	{
		scene_add_point(mix->scene, points[i]);
	}
}

static void add_wall(Mix* mix, Disc disc)
{
	NcVec2 u = nc_scale(disc.radius, nc_direction(scenes_random_double(&mix->random, 0.0, 6.28)));
	scenes_add_wall(mix->scene, align(mix, disc.center.x - u.x, disc.center.y - u.y),
		align(mix, disc.center.x + u.x, disc.center.y + u.y));
}

static void add_point(Mix* mix, Disc disc)
{
	scene_begin_shape(mix->scene, NC_SHAPE_POINTS, 0);
	scene_add_point(mix->scene, align(mix, disc.center.x, disc.center.y));
}

// Whether a ring has at least three corners that are not on one line, so that a map accepts it.
static bool is_usable(const Scene* scene)
{
	NcShape shape = scene_get_shape(scene, scene->shape_count - 1);
	if (shape.kind != NC_SHAPE_POLYGON)
	{
		return shape.point_count > 0;
	}
	int first = 0;
	for (int r = 0; r < shape.ring_count; ++r)
	{
		bool is_flat = true;
		for (int i = 2; i < shape.ring_counts[r]; ++i)
		{
			const NcVec2* p = shape.points + first;
			is_flat = is_flat && compute_turn(p[0], p[i - 1], p[i]) == 0;
		}
		first += shape.ring_counts[r];
		if (is_flat)
		{
			return false;
		}
	}
	return true;
}

static void drop_shape(Scene* scene)
{
	const SceneShape* shape = &scene->shapes[--scene->shape_count];
	scene->point_count = shape->first_point;
	scene->ring_count = shape->first_ring;
}

static void add_shape(Mix* mix)
{
	Disc disc;
	if (!take_disc(mix, &disc))
	{
		return;
	}
	typedef void AddFn(Mix*, Disc);
	static AddFn* const adders[] = {
		add_rectangle, add_rectangle, add_star, add_star, add_chain, add_wall, add_point};
	int count = (int)(sizeof(adders) / sizeof(adders[0]));
	adders[scenes_random_int(&mix->random, 0, count - 1)](mix, disc);
	if (!is_usable(mix->scene))
	{
		drop_shape(mix->scene);
	}
}

static void make_mix(int seed, TestScene* made, bool overlaps)
{
	static const double reaches[] = {40.0, 300.0, 4000.0, 100000.0, 20000000.0};
	static const int units[] = {1, 1, 5};
	Mix mix = {
		.random = (uint64_t)seed * 2 + overlaps, .overlaps = overlaps, .scene = &made->scene};
	mix.reach = reaches[scenes_random_int(&mix.random, 0, 4)];
	mix.unit = overlaps ? units[scenes_random_int(&mix.random, 0, 2)] : 1;
	int count = scenes_random_int(&mix.random, 1, MAX_SHAPES);
	for (int i = 0; i < count; ++i)
	{
		add_shape(&mix);
	}
	if (overlaps && made->scene.shape_count > 1 && scenes_random_int(&mix.random, 0, 4) == 0)
	{
		// The first shape with an area becomes the only place to walk.
		SceneShape* first = made->scene.shapes;
		first->kind = first->kind == NC_SHAPE_POLYGON ? NC_SHAPE_WALKABLE : first->kind;
	}
	made->bounds = (NcBox){{0.0, 0.0}, {mix.reach, mix.reach}};
}

bool scenes_make_mixed(int seed, TestScene* made)
{
	make_mix(seed, made, false);
	return true;
}

bool scenes_make_overlap(int seed, TestScene* made)
{
	make_mix(seed, made, true);
	return true;
}
