// SPDX-License-Identifier: MIT

// Random terrain, and a fine grid as a witness: see terrain_scenes.h.

#include "terrain_scenes.h"

#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Cells of the rasters for each cell of the grid, along a side.
#define SUBCELLS 4

#define MAX_REACH 3

// Scenes.

// Corners around a centre: convex or star-shaped.
static TerrainPolygon make_polygon(Random* random, double least, double greatest, bool is_star)
{
	NcVec2 center = {random_get_double(random, 2.0, TERRAIN_SCENE_SIZE - 2.0),
		random_get_double(random, 2.0, TERRAIN_SCENE_SIZE - 2.0)};
	TerrainPolygon polygon = {.count = 3 + random_get_int(random, TERRAIN_SCENE_MAX_CORNERS - 2)};
	double size = random_get_double(random, least, greatest);
	double flat = random_get_double(random, 0.2, 1.0);
	double turn = random_get_double(random, 0.0, 3.0);
	for (int i = 0; i < polygon.count; ++i)
	{
		double radius = is_star ? size * random_get_double(random, 0.4, 1.0) : size;
		NcVec2 u = nc_direction(
			6.283185307179586 * (i + random_get_double(random, 0.0, 0.7)) / polygon.count);
		NcVec2 v = nc_direction(turn);
		NcVec2 p = {radius * u.x, flat * radius * u.y};
		p = nc_add(nc_scale(p.x, v), nc_scale(p.y, nc_perp(v)));
		polygon.corners[i] = nc_add(center, p);
	}
	return polygon;
}

static bool is_inside(const TerrainPolygon* polygon, NcVec2 p)
{
	bool inside = false;
	for (int i = 0; i < polygon->count; ++i)
	{
		NcVec2 a = polygon->corners[i];
		NcVec2 b = polygon->corners[(i + 1) % polygon->count];
		if ((a.y > p.y) != (b.y > p.y))
		{
			inside ^= a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)) > p.x;
		}
	}
	return inside;
}

// The distance to all obstacles and to the border of the world; 0 inside.
static double compute_clearance(const TerrainScene* scene, NcVec2 p)
{
	double best =
		nc_min(nc_min(p.x, p.y), nc_min(TERRAIN_SCENE_SIZE - p.x, TERRAIN_SCENE_SIZE - p.y));
	for (int k = 0; k < scene->obstacle_count && best > 0.0; ++k)
	{
		const TerrainPolygon* polygon = &scene->obstacles[k];
		for (int i = 0; i < polygon->count; ++i)
		{
			NcVec2 a = polygon->corners[i];
			NcVec2 b = polygon->corners[(i + 1) % polygon->count];
			best = nc_min(best, nc_distance(p, nc_closest_on_segment(p, a, b)));
		}
		best = is_inside(polygon, p) ? 0.0 : best;
	}
	return best;
}

static double find_weight(const TerrainScene* scene, NcVec2 p)
{
	int type = NC_TERRAIN_GROUND;
	int priority = -1000;
	for (int k = 0; k < scene->region_count; ++k)
	{
		const TerrainPolygon* region = &scene->regions[k];
		bool is_higher =
			region->priority > priority || (region->priority == priority && region->type > type);
		if (is_higher && is_inside(region, p))
		{
			type = region->type;
			priority = region->priority;
		}
	}
	return scene->profile.weights[type];
}

// A place with room. Where blocked ground leaves none, nothing is blocked after all.
static NcVec2 choose_place(TerrainScene* scene, Random* random, double x0, double x1)
{
	for (int tries = 0;; ++tries)
	{
		if (tries == 1000)
		{
			scene->profile.weights[5] = 9.0;
		}
		NcVec2 p = {random_get_double(random, x0, x1),
			random_get_double(random, 3.0, TERRAIN_SCENE_SIZE - 3.0)};
		bool is_room = compute_clearance(scene, p) > scene->radius + 0.3;
		if (is_room && find_weight(scene, p) < HUGE_VAL)
		{
			return p;
		}
	}
}

static bool build_scene(TerrainScene* scene)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = (NcBox){{0.0, 0.0}, {TERRAIN_SCENE_SIZE, TERRAIN_SCENE_SIZE}};
	bool is_good = nc_map_create(&def, &scene->map, NULL) == NC_OK &&
				   nc_terrain_create(&scene->terrain) == NC_OK;
	for (int i = 0; i < scene->obstacle_count && is_good; ++i)
	{
		NcShape shape = {.kind = NC_SHAPE_POLYGON,
			.points = scene->obstacles[i].corners,
			.point_count = scene->obstacles[i].count};
		NcObstacleId id;
		is_good = nc_map_add_obstacle(scene->map, &shape, &id, NULL) == NC_OK;
	}
	for (int i = 0; i < scene->region_count && is_good; ++i)
	{
		const TerrainPolygon* polygon = &scene->regions[i];
		NcRegion region = {.points = polygon->corners,
			.point_count = polygon->count,
			.type = polygon->type,
			.priority = polygon->priority};
		NcRegionId id;
		is_good = nc_terrain_add_region(scene->terrain, &region, &id, NULL) == NC_OK;
	}
	return is_good && nc_map_update(scene->map, NULL) == NC_OK &&
		   nc_terrain_update(scene->terrain) == NC_OK;
}

bool terrain_scene_make(TerrainScene* scene, uint64_t seed)
{
	Random random = random_begin(seed);
	*scene = (TerrainScene){.profile = nc_default_terrain_profile()};
	scene->obstacle_count = random_get_int(&random, 9);
	for (int i = 0; i < scene->obstacle_count; ++i)
	{
		scene->obstacles[i] = make_polygon(&random, 4.0, 14.0, false);
	}
	scene->region_count = 1 + random_get_int(&random, 12);
	for (int i = 0; i < scene->region_count; ++i)
	{
		bool is_path = random_get_int(&random, 3) == 0;
		scene->regions[i] = is_path ? make_polygon(&random, 30.0, 60.0, false)
									: make_polygon(&random, 8.0, 35.0, true);
		scene->regions[i].type = 1 + random_get_int(&random, 5);
		scene->regions[i].priority = random_get_int(&random, 4);
	}
	for (int i = 1; i <= 5; ++i)
	{
		double power = random_get_double(&random, -1.5, 3.0);
		scene->profile.weights[i] = power < 0.0 ? 1.0 / (1.0 + power * power) : 1.0 + power * power;
	}
	if (random_get_int(&random, 3) == 0)
	{
		scene->profile.weights[5] = NC_TERRAIN_BLOCKED;
	}
	scene->radius = random_get_int(&random, 3) * random_get_double(&random, 0.2, 1.0);
	scene->start = choose_place(scene, &random, 3.0, 30.0);
	scene->goal = choose_place(scene, &random, 70.0, 97.0);
	if (!build_scene(scene))
	{
		fprintf(stderr, "the library refuses scene %llu\n", (unsigned long long)seed);
		return false;
	}
	return true;
}

void terrain_scene_destroy(TerrainScene* scene)
{
	nc_map_destroy(scene->map);
	nc_terrain_destroy(scene->terrain);
	*scene = (TerrainScene){0};
}

// The grid.

typedef struct Item
{
	double cost;
	int node;
} Item;

typedef struct Grid
{
	const TerrainScene* scene;
	int side, fine_side; // points along a side of the grid and of the rasters
	double step, fine_step;
	double* weights; // rasters
	uint8_t* is_free;
	double* costs;
	Item* heap;
	int heap_count, heap_capacity;
} Grid;

static void push(Grid* grid, Item item)
{
	if (grid->heap_count == grid->heap_capacity)
	{
		grid->heap_capacity = 2 * grid->heap_capacity + 1024;
		grid->heap = realloc(grid->heap, sizeof(Item) * (size_t)grid->heap_capacity);
	}
	int i = grid->heap_count++;
	for (; i > 0 && item.cost < grid->heap[(i - 1) / 2].cost; i = (i - 1) / 2)
	{
		grid->heap[i] = grid->heap[(i - 1) / 2];
	}
	grid->heap[i] = item;
}

static Item pop(Grid* grid)
{
	Item top = grid->heap[0];
	Item last = grid->heap[--grid->heap_count];
	int i = 0;
	for (int child = 1; child < grid->heap_count; child = 2 * i + 1)
	{
		bool is_right =
			child + 1 < grid->heap_count && grid->heap[child + 1].cost < grid->heap[child].cost;
		child += is_right;
		if (!(grid->heap[child].cost < last.cost))
		{
			break;
		}
		grid->heap[i] = grid->heap[child];
		i = child;
	}
	grid->heap[i] = last;
	return top;
}

static void fill_rasters(Grid* grid)
{
	for (int j = 0; j < grid->fine_side; ++j)
	{
		for (int i = 0; i < grid->fine_side; ++i)
		{
			NcVec2 p = {i * grid->fine_step, j * grid->fine_step};
			size_t at = (size_t)j * (size_t)grid->fine_side + (size_t)i;
			double clearance = compute_clearance(grid->scene, p);
			grid->is_free[at] = clearance > 0.0 && clearance >= grid->scene->radius;
			grid->weights[at] = grid->is_free[at] ? find_weight(grid->scene, p) : HUGE_VAL;
		}
	}
}

// The cost of a straight step, from the raster; HUGE_VAL if it is blocked.
static double compute_step(const Grid* grid, int i, int j, int di, int dj)
{
	int samples = SUBCELLS * (abs(di) > abs(dj) ? abs(di) : abs(dj));
	double sum = 0.0;
	for (int k = 0; k <= samples; ++k)
	{
		double s = (double)k / samples;
		int x = (int)(SUBCELLS * (i + s * di) + 0.5);
		int y = (int)(SUBCELLS * (j + s * dj) + 0.5);
		size_t at = (size_t)y * (size_t)grid->fine_side + (size_t)x;
		sum += grid->weights[at] * (k == 0 || k == samples ? 0.5 : 1.0);
	}
	return sum / samples * grid->step * sqrt((double)(di * di + dj * dj));
}

static int gcd(int a, int b)
{
	return b == 0 ? a : gcd(b, a % b);
}

static void expand(Grid* grid, int node, double cost)
{
	int i = node % grid->side;
	int j = node / grid->side;
	for (int dj = -MAX_REACH; dj <= MAX_REACH; ++dj)
	{
		for (int di = -MAX_REACH; di <= MAX_REACH; ++di)
		{
			int x = i + di, y = j + dj;
			bool is_inside = 0 <= x && x < grid->side && 0 <= y && y < grid->side;
			if (gcd(abs(di), abs(dj)) != 1 || !is_inside)
			{
				continue;
			}
			int other = y * grid->side + x;
			double reached = cost + compute_step(grid, i, j, di, dj);
			if (reached < grid->costs[other])
			{
				grid->costs[other] = reached;
				push(grid, (Item){reached, other});
			}
		}
	}
}

static int find_node(const Grid* grid, NcVec2 p)
{
	int i = (int)(p.x / grid->step + 0.5);
	int j = (int)(p.y / grid->step + 0.5);
	return j * grid->side + i;
}

static double run_search(Grid* grid, int start, int goal)
{
	for (int i = 0; i < grid->side * grid->side; ++i)
	{
		grid->costs[i] = HUGE_VAL;
	}
	grid->costs[start] = 0.0;
	push(grid, (Item){0.0, start});
	while (grid->heap_count > 0)
	{
		Item item = pop(grid);
		if (item.node == goal)
		{
			return item.cost;
		}
		if (item.cost <= grid->costs[item.node])
		{
			expand(grid, item.node, item.cost);
		}
	}
	return HUGE_VAL;
}

double terrain_scene_search_grid(const TerrainScene* scene, int cells)
{
	Grid grid = {.scene = scene, .side = cells + 1, .fine_side = SUBCELLS * cells + 1};
	grid.step = TERRAIN_SCENE_SIZE / cells;
	grid.fine_step = grid.step / SUBCELLS;
	size_t fine_count = (size_t)grid.fine_side * (size_t)grid.fine_side;
	grid.weights = malloc(sizeof(double) * fine_count);
	grid.is_free = malloc(fine_count);
	grid.costs = malloc(sizeof(double) * (size_t)grid.side * (size_t)grid.side);
	fill_rasters(&grid);
	double cost = run_search(&grid, find_node(&grid, scene->start), find_node(&grid, scene->goal));
	free(grid.weights);
	free(grid.is_free);
	free(grid.costs);
	free(grid.heap);
	return cost;
}

// Routes.

#define SAMPLE_STEP 0.01

bool terrain_scene_is_route_free(const TerrainScene* scene, const NcVec2* points, int count)
{
	// Coordinates of obstacles are rounded to the snap of the map.
	double least = scene->radius - 2.0 * nc_map_get_snap(scene->map);
	for (int i = 1; i < count; ++i)
	{
		int steps = (int)(nc_distance(points[i - 1], points[i]) / (5.0 * SAMPLE_STEP)) + 1;
		for (int k = 0; k <= steps; ++k)
		{
			NcVec2 p = nc_lerp(points[i - 1], points[i], (double)k / steps);
			if (compute_clearance(scene, p) < least)
			{
				return false;
			}
		}
	}
	return true;
}

double terrain_scene_sum_cost(const TerrainScene* scene, const NcVec2* points, int count)
{
	double sum = 0.0;
	for (int i = 1; i < count; ++i)
	{
		double length = nc_distance(points[i - 1], points[i]);
		int steps = (int)(length / SAMPLE_STEP) + 1;
		for (int k = 0; k < steps; ++k)
		{
			NcVec2 p = nc_lerp(points[i - 1], points[i], (k + 0.5) / steps);
			sum += find_weight(scene, p) * length / steps;
		}
	}
	return sum;
}
