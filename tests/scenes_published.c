// SPDX-License-Identifier: MIT
// Inputs on which other people's diagrams fail, as their users reported them. Only coordinates are
// taken over, as facts. Where they are not whole numbers, the snap is fine enough to keep them, or
// they are scaled.

#include "scenes_kinds.h"

#include <stdio.h>

#define MAX_POINTS 16

// Points in the reporter's unit. Walls go from point `walls[i][0]` to point `walls[i][1]`; without
// walls, the points are the border of a polygon.
typedef struct Published
{
	const char* source;
	double scale;  ///< snaps per unit
	double margin; ///< of the bounds, in snaps
	int point_count, wall_count;
	NcVec2 points[MAX_POINTS];
	int walls[MAX_POINTS][2];
} Published;

static const Published published[SCENES_PUBLISHED_COUNT] = {
	{
		.source = "boostorg/polygon#43, the polygon",
		.scale = 1.0,
		.margin = 2e6,
		.point_count = 6,
		.points = {{0, 1e7}, {7e5, 1}, {7e5, 9e6}, {9.1e6, 9e6}, {9.1e6, 0}, {1e7, 1e7}},
	},
	{
		.source = "boostorg/polygon#43, the quad, moved to the origin",
		.scale = 1.0,
		.margin = 1e5,
		.point_count = 4,
		.points = {{33358043, -35e6 + 27e6}, {33358043, -25732145 + 27e6},
			{33358043, -19586070 + 27e6}, {33358043 - 66716086, -35e6 + 27e6}},
	},
	{
		.source = "eadf/boostvoronoi.rs#4",
		.scale = 1.0,
		.margin = 5000,
		.point_count = 10,
		.points = {{50, 9270}, {100, 9280}, {4060, 9880}, {220, 8290}, {250, 8290}, {270, 8300},
			{2730, 5630}, {42700, 5920}, {3240, 8740}, {5210, 9040}},
		.wall_count = 6,
		.walls = {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {6, 7}, {8, 9}},
	},
	{
		.source = "aewallin/openvoronoi#48",
		.scale = 1000.0,
		.margin = 1000,
		.point_count = 6,
		.points = {{3.25, 1.15}, {1.1, 1.15}, {-0.275, 1.15}, {-1.25, 0.475}, {-0.95, -1.1},
			{1.1, -1.15}},
	},
	{
		.source = "aewallin/openvoronoi#25, the regular spikes",
		.scale = 1000.0,
		.margin = 500,
		.point_count = 4,
		.points = {{0.0, 0.0}, {-0.5, 0.0}, {0.5, 0.0}, {0.0, 0.5}},
		.wall_count = 3,
		.walls = {{0, 1}, {0, 2}, {0, 3}},
	},
	{
		.source = "aewallin/openvoronoi#25, the other spikes",
		.scale = 1000.0,
		.margin = 500,
		.point_count = 4,
		.points = {{0.002, 0.030}, {-0.473, 0.099}, {0.571, 0.008}, {0.100, 0.524}},
		.wall_count = 3,
		.walls = {{0, 1}, {0, 2}, {0, 3}},
	},
	{
		.source = "aewallin/openvoronoi#19",
		.scale = 1e7,
		.margin = 2e6,
		.point_count = 5,
		.points = {{0.15907424869091413, -0.22755592000227737},
			{-0.158774429631718, -0.22755592000227737}, {-0.158774429631718, 0.5000000000000007},
			{0.44085019690616595, -0.4999999999999993}, {0.44085019690616595, 0.4999999999999993}},
		.wall_count = 3,
		.walls = {{0, 1}, {1, 2}, {3, 4}},
	},
	{
		.source = "aewallin/openvoronoi#24",
		.scale = 1e7,
		.margin = 2e6,
		.point_count = 7,
		.points = {{0.41164403323558574, -0.6789386939364543},
			{0.17427452375132169, -0.6522148409835533}, {0.15951277675921582, -0.6538785084950686},
			{0.3890141779152667, -0.6928288255549844}, {0.3860913593953006, -0.6919949537598736},
			{0.42532972342719244, -0.6914003202947938},
			{-0.16212113598677202, -0.6733320323817963}},
		.wall_count = 4,
		.walls = {{3, 4}, {0, 1}, {5, 6}, {2, 2}},
	},
	{
		.source = "CGAL/cgal#4030, moved to the origin",
		.scale = 10.0,
		.margin = 500,
		.point_count = 6,
		.points = {{1641019.0 - 1640950.0, 563174.7 - 563150.0},
			{1640997.5 - 1640950.0, 563175.9 - 563150.0},
			{1640954.5 - 1640950.0, 563173.5 - 563150.0},
			{1640948.0 - 1640950.0, 563161.5 - 563150.0},
			{1640946.5 - 1640950.0, 563141.2 - 563150.0},
			{1640910.6 - 1640950.0, 563168.9 - 563150.0}},
		.wall_count = 5,
		.walls = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 5}},
	},
};

bool scenes_make_published(int number, TestScene* made)
{
	if (number >= SCENES_PUBLISHED_COUNT)
	{
		fprintf(stderr, "There are %d published scenes.\n", SCENES_PUBLISHED_COUNT);
		return false;
	}
	const Published* input = &published[number];
	NcVec2 points[MAX_POINTS];
	for (int i = 0; i < input->point_count; ++i)
	{
		points[i] = nc_scale(input->scale, input->points[i]);
	}
	for (int i = 0; i < input->wall_count; ++i)
	{
		scenes_add_wall(&made->scene, points[input->walls[i][0]], points[input->walls[i][1]]);
	}
	if (input->wall_count == 0)
	{
		scenes_add_polygon(&made->scene, points, input->point_count);
	}
	made->bounds = nc_box_grow(scene_compute_box(&made->scene), input->margin);
	return true;
}
