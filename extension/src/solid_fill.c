// SPDX-License-Identifier: MIT

// The inside of bodies. A projection blocks what triangles touch, so the inside of a wall that is
// higher than a walker would be free ground, with a room of its own. Here bodies are cut at some
// heights, and what lies inside the cut is blocked, row by row of cells.

#include "solid_fill.h"

#include <stdlib.h>

// At how many heights bodies are cut.
#define CUT_COUNT 3

// Where the border of a cut crosses a row of cells, and whether the inside begins there.
typedef struct Crossing
{
	double x;
	int step; // 1: the inside begins; -1: it ends
} Crossing;

// One cut of one body.
typedef struct Cut
{
	const NcBitmap* bitmap;
	double height;
	SolidKind kind;
	Crossing* crossings; // of the row
	int count;
	int capacity;
	bool is_failed;
} Cut;

static void push(Cut* cut, Crossing crossing)
{
	if (cut->count == cut->capacity)
	{
		int capacity = 2 * cut->capacity + 64;
		Crossing* crossings = realloc(cut->crossings, (size_t)capacity * sizeof(Crossing));
		if (crossings == NULL)
		{
			cut->is_failed = true;
			return;
		}
		cut->crossings = crossings;
		cut->capacity = capacity;
	}
	cut->crossings[cut->count++] = crossing;
}

// The part of a triangle at the height of a cut.
// @return false if it is not there
static bool cut_triangle(const NcTriangle* triangle, double height, NcVec2* ends)
{
	int count = 0;
	for (int i = 0; i < 3; ++i)
	{
		NcVec3 a = triangle->points[i];
		NcVec3 b = triangle->points[(i + 1) % 3];
		if ((a.z > height) != (b.z > height))
		{
			double t = (height - a.z) / (b.z - a.z);
			ends[count++] = (NcVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
		}
	}
	return count == 2;
}

// Whether the inside of the body lies in the direction of +x from a triangle. The plane of the
// ground is mirrored: Godot's front faces turn counter-clockwise here.
static int find_step(const Cut* cut, const NcTriangle* triangle)
{
	const NcVec3* p = triangle->points;
	NcVec3 u = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
	NcVec3 v = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
	double normal_x = u.y * v.z - u.z * v.y; // points out of the body
	bool begins = (normal_x < 0.0) != (cut->kind == SOLID_MIRRORED);
	return begins ? 1 : -1;
}

static void collect_crossings(Cut* cut, const NcTriangle* triangles, int count, double y)
{
	cut->count = 0;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 ends[3];
		if (cut_triangle(&triangles[i], cut->height, ends) && (ends[0].y > y) != (ends[1].y > y))
		{
			double t = (y - ends[0].y) / (ends[1].y - ends[0].y);
			double x = ends[0].x + t * (ends[1].x - ends[0].x);
			push(cut, (Crossing){x, find_step(cut, &triangles[i])});
		}
	}
}

static int compare(const void* a, const void* b)
{
	double x = ((const Crossing*)a)->x;
	double y = ((const Crossing*)b)->x;
	return (x > y) - (x < y);
}

// Block the cells whose middle lies in an interval of a row.
static void block(NcBitmap* bitmap, int row, double from, double to)
{
	double begin = (from - bitmap->lower.x) / bitmap->cell_size - 0.5;
	double end = (to - bitmap->lower.x) / bitmap->cell_size - 0.5;
	int first = begin > 0.0 ? (int)nc_min(begin, bitmap->width) + 1 : 0;
	int last = (int)nc_clamp(end + 1.0, 0.0, bitmap->width) - 1;
	for (int x = first; x <= last; ++x)
	{
		nc_bitmap_block(bitmap, x, row);
	}
}

// A border that is not closed has no inside: such a row is left alone.
static bool is_closed(const Cut* cut)
{
	int sum = 0;
	for (int i = 0; i < cut->count; ++i)
	{
		sum += cut->kind == SOLID_CONVEX ? 1 : cut->crossings[i].step;
	}
	return cut->kind == SOLID_CONVEX ? sum % 2 == 0 : sum == 0;
}

static void fill_row(const Cut* cut, NcBitmap* bitmap, int row)
{
	int depth = 0;
	for (int i = 0; i + 1 < cut->count; ++i)
	{
		depth += cut->kind == SOLID_CONVEX ? (i % 2 == 0 ? 1 : -1) : cut->crossings[i].step;
		if (depth > 0)
		{
			block(bitmap, row, cut->crossings[i].x, cut->crossings[i + 1].x);
		}
	}
}

// The rows that a body can reach.
static void find_rows(
	const NcBitmap* bitmap, const NcTriangle* triangles, int count, int* begin, int* end)
{
	double lower = bitmap->height, upper = 0.0;
	for (int i = 0; i < 3 * count; ++i)
	{
		double y = (triangles[i / 3].points[i % 3].y - bitmap->lower.y) / bitmap->cell_size;
		lower = nc_min(lower, y);
		upper = nc_max(upper, y);
	}
	*begin = (int)nc_clamp(lower - 1.0, 0.0, bitmap->height);
	*end = (int)nc_clamp(upper + 1.0, 0.0, bitmap->height);
}

static void fill_cut(Cut* cut, NcBitmap* bitmap, const NcTriangle* triangles, int count)
{
	int begin, end;
	find_rows(bitmap, triangles, count, &begin, &end);
	for (int row = begin; row < end && !cut->is_failed; ++row)
	{
		collect_crossings(cut, triangles, count, bitmap->lower.y + (row + 0.5) * bitmap->cell_size);
		if (cut->count > 1 && is_closed(cut))
		{
			qsort(cut->crossings, (size_t)cut->count, sizeof(Crossing), compare);
			fill_row(cut, bitmap, row);
		}
	}
}

// Keep the triangles that a cut meets.
static int choose(const NcTriangle* all, int count, double height, NcTriangle* chosen)
{
	int chosen_count = 0;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 ends[3];
		if (cut_triangle(&all[i], height, ends))
		{
			chosen[chosen_count++] = all[i];
		}
	}
	return chosen_count;
}

bool solid_fill(const Solids* solids, double z_min, double z_max, NcBitmap* bitmap)
{
	NcTriangle* chosen = calloc((size_t)solids->count + 1, sizeof(NcTriangle));
	Cut cut = {.bitmap = bitmap, .is_failed = chosen == NULL};
	for (int i = 0; i < solids->body_count && !cut.is_failed; ++i)
	{
		int begin = solids->bodies[i].begin;
		int end = i + 1 < solids->body_count ? solids->bodies[i + 1].begin : solids->count;
		cut.kind = solids->bodies[i].kind;
		for (int k = 0; k < CUT_COUNT && cut.kind != SOLID_SHEET; ++k)
		{
			cut.height = z_min + (z_max - z_min) * (k + 0.5) / CUT_COUNT;
			int count = choose(solids->triangles + begin, end - begin, cut.height, chosen);
			fill_cut(&cut, bitmap, chosen, count);
		}
	}
	free(cut.crossings);
	free(chosen);
	return !cut.is_failed;
}
