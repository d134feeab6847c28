// SPDX-License-Identifier: MIT
// 3D levels made of boxes: see levels.h.

#include "levels.h"

#include "scenes_kinds.h"

#include <stdlib.h>

// The maze: its cells, and what is built.
#define MAZE_SIZE 50.0
#define MAZE_CELLS 14
#define MAZE_BOXES 231

// The office: rooms of equal size, each with a door in every inner wall.
#define OFFICE_SIZE 45.0
#define OFFICE_ROOMS 6
#define OFFICE_BOXES 1276

#define WALL_HEIGHT 2.5
#define WALL_HALF 0.1
#define DOOR_HALF 0.9

static void add_triangle(Level* level, NcVec3 a, NcVec3 b, NcVec3 c)
{
	if (level->count == level->capacity)
	{
		level->capacity = 2 * level->capacity + 64;
		level->triangles = realloc(level->triangles, sizeof(NcTriangle) * (size_t)level->capacity);
		if (level->triangles == NULL)
		{
			exit(2);
		}
	}
	level->triangles[level->count++] = (NcTriangle){{a, b, c}};
}

static void add_quad(Level* level, NcVec3 a, NcVec3 b, NcVec3 c, NcVec3 d)
{
	add_triangle(level, a, b, c);
	add_triangle(level, a, c, d);
}

static void add_box(Level* level, NcBox box, double z0, double z1)
{
	NcVec3 p[8];
	for (int i = 0; i < 8; ++i)
	{
		p[i] = (NcVec3){(i & 1) ? box.upper.x : box.lower.x, (i & 2) ? box.upper.y : box.lower.y,
			(i & 4) ? z1 : z0};
	}
	add_quad(level, p[0], p[2], p[3], p[1]);
	add_quad(level, p[4], p[5], p[7], p[6]);
	add_quad(level, p[0], p[1], p[5], p[4]);
	add_quad(level, p[2], p[6], p[7], p[3]);
	add_quad(level, p[0], p[4], p[6], p[2]);
	add_quad(level, p[1], p[3], p[7], p[5]);
}

// The ground: four quads.
static void add_ground(Level* level)
{
	double half = 0.5 * level->size;
	for (int i = 0; i < 4; ++i)
	{
		double x = half * (i % 2);
		double y = half * (i / 2);
		add_quad(level, (NcVec3){x, y, 0.0}, (NcVec3){x + half, y, 0.0},
			(NcVec3){x + half, y + half, 0.0}, (NcVec3){x, y + half, 0.0});
	}
}

static void add_wall(Level* level, NcVec2 a, NcVec2 b)
{
	NcBox box = nc_box_grow(nc_box_add_point(nc_box_add_point(nc_box_empty(), a), b), WALL_HALF);
	add_box(level, box, 0.0, WALL_HEIGHT);
}

// A wall of the maze lies between two cells; it is open if the tree of corridors passes it.
typedef struct Maze
{
	bool is_right_open[MAZE_CELLS][MAZE_CELLS];
	bool is_top_open[MAZE_CELLS][MAZE_CELLS];
	int roots[MAZE_CELLS * MAZE_CELLS];
} Maze;

static int find_root(Maze* maze, int cell)
{
	while (maze->roots[cell] != cell)
	{
		cell = maze->roots[cell];
	}
	return cell;
}

// Open random walls between cells that are not connected yet, until all are.
static void open_walls(Maze* maze, uint64_t* seed)
{
	for (int i = 0; i < MAZE_CELLS * MAZE_CELLS; ++i)
	{
		maze->roots[i] = i;
	}
	for (int left = MAZE_CELLS * MAZE_CELLS - 1; left > 0;)
	{
		int x = scenes_random_int(seed, 0, MAZE_CELLS - 1);
		int y = scenes_random_int(seed, 0, MAZE_CELLS - 1);
		bool is_right = scenes_random_int(seed, 0, 1) == 1;
		int other_x = is_right ? x + 1 : x;
		int other_y = is_right ? y : y + 1;
		if (other_x == MAZE_CELLS || other_y == MAZE_CELLS)
		{
			continue;
		}
		int a = find_root(maze, y * MAZE_CELLS + x);
		int b = find_root(maze, other_y * MAZE_CELLS + other_x);
		if (a != b)
		{
			maze->roots[a] = b;
			*(is_right ? &maze->is_right_open[y][x] : &maze->is_top_open[y][x]) = true;
			--left;
		}
	}
}

static void add_maze(Level* level, uint64_t* seed)
{
	Maze maze = {0};
	open_walls(&maze, seed);
	double cell = MAZE_SIZE / MAZE_CELLS;
	int box_count = 0;
	for (int y = 0; y <= MAZE_CELLS; ++y)
	{
		for (int x = 0; x <= MAZE_CELLS; ++x)
		{
			// The wall to the right of this corner has the cell above it, the other the cell
			// beside.
			NcVec2 corner = {cell * x, cell * y};
			bool is_level_open =
				y > 0 && y < MAZE_CELLS && x < MAZE_CELLS && maze.is_top_open[y - 1][x];
			bool is_upright_open =
				x > 0 && x < MAZE_CELLS && y < MAZE_CELLS && maze.is_right_open[y][x - 1];
			if (x < MAZE_CELLS && !is_level_open)
			{
				add_wall(level, corner, (NcVec2){corner.x + cell, corner.y});
				++box_count;
			}
			if (y < MAZE_CELLS && !is_upright_open)
			{
				add_wall(level, corner, (NcVec2){corner.x, corner.y + cell});
				++box_count;
			}
		}
	}
	// The rest are pillars in corners, where walls are already.
	for (; box_count < MAZE_BOXES; ++box_count)
	{
		double x = cell * scenes_random_int(seed, 0, MAZE_CELLS);
		add_wall(level, (NcVec2){x, 0.0}, (NcVec2){x, 0.0});
	}
}

// A wall of the office with a door somewhere.
static int add_wall_with_door(Level* level, NcVec2 a, NcVec2 b, uint64_t* seed)
{
	double length = nc_distance(a, b);
	double door = scenes_random_double(seed, 1.5, length - 1.5);
	add_wall(level, a, nc_lerp(a, b, (door - DOOR_HALF) / length));
	add_wall(level, nc_lerp(a, b, (door + DOOR_HALF) / length), b);
	return 2;
}

// A desk: a top on four legs.
static int add_desk(Level* level, NcVec2 p)
{
	add_box(level, (NcBox){p, {p.x + 1.4, p.y + 0.7}}, 0.7, 0.74);
	for (int i = 0; i < 4; ++i)
	{
		NcVec2 leg = {p.x + 1.3 * (i % 2), p.y + 0.6 * (i / 2)};
		add_box(level, (NcBox){leg, {leg.x + 0.1, leg.y + 0.1}}, 0.0, 0.7);
	}
	return 5;
}

static void add_office(Level* level, uint64_t* seed)
{
	double room = OFFICE_SIZE / OFFICE_ROOMS;
	int box_count = 0;
	for (int i = 0; i <= OFFICE_ROOMS; ++i)
	{
		for (int k = 0; k < OFFICE_ROOMS; ++k)
		{
			NcVec2 a = {room * k, room * i};
			NcVec2 b = {room * (k + 1), room * i};
			bool is_outer = i == 0 || i == OFFICE_ROOMS;
			for (int turn = 0; turn < 2; ++turn)
			{
				NcVec2 from = turn == 0 ? a : (NcVec2){a.y, a.x};
				NcVec2 to = turn == 0 ? b : (NcVec2){b.y, b.x};
				if (is_outer)
				{
					add_wall(level, from, to);
					++box_count;
				}
				else
				{
					box_count += add_wall_with_door(level, from, to, seed);
				}
			}
		}
	}
	for (int i = 0; i < 2 * OFFICE_ROOMS * OFFICE_ROOMS; ++i)
	{
		NcVec2 corner = {room * (i / 2 % OFFICE_ROOMS), room * (i / 2 / OFFICE_ROOMS)};
		NcVec2 p = {corner.x + scenes_random_double(seed, 2.0, room - 3.4),
			corner.y + scenes_random_double(seed, 2.0, room - 2.7)};
		box_count += add_desk(level, p);
	}
	// What nobody bumps into: lamps under the ceiling and tiles of carpet.
	for (int i = 0; box_count < OFFICE_BOXES; ++i, ++box_count)
	{
		NcVec2 p = {scenes_random_double(seed, 0.0, OFFICE_SIZE - 1.0),
			scenes_random_double(seed, 0.0, OFFICE_SIZE - 1.0)};
		double z = i % 2 == 0 ? 2.2 : 0.0;
		add_box(level, (NcBox){p, {p.x + 0.6, p.y + 0.6}}, z, z + 0.02);
	}
}

Level level_create(LevelKind kind, uint64_t seed)
{
	Level level = {.size = kind == LEVEL_MAZE ? MAZE_SIZE : OFFICE_SIZE};
	add_ground(&level);
	kind == LEVEL_MAZE ? add_maze(&level, &seed) : add_office(&level, &seed);
	return level;
}

void level_destroy(Level* level)
{
	free(level->triangles);
	*level = (Level){0};
}

NcProjectDef level_make_def(const Level* level, int cells_per_side)
{
	NcProjectDef def = nc_default_project_def();
	def.cell_size = level->size / cells_per_side;
	def.width = cells_per_side;
	def.height = cells_per_side;
	def.triangles = level->triangles;
	def.triangle_count = level->count;
	def.z_min = 0.1;
	def.z_max = 1.9;
	return def;
}
