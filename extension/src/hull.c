// SPDX-License-Identifier: MIT

// Convex hulls in space, point by point: the faces that a point sees are replaced by new ones from
// their horizon to the point. Quadratic, for the few points of a collider.

#include "region_solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points nearer than this to a face, in parts of the hull's size, lie on it.
#define FLATNESS 1.0e-7

typedef struct Face
{
	int a, b, c;
	bool is_seen; // by the point that is being added
} Face;

typedef struct Hull
{
	const NcVec3* points;
	int count;
	double tolerance;
	Face* faces; // at most 2 * count - 4, and as many new ones
	int face_count;
} Hull;

static NcVec3 subtract(NcVec3 a, NcVec3 b)
{
	return (NcVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static NcVec3 cross(NcVec3 a, NcVec3 b)
{
	return (NcVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(NcVec3 a, NcVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The distance of a point from the plane of a face; positive outside.
static double measure(const Hull* hull, Face face, NcVec3 p)
{
	NcVec3 a = hull->points[face.a];
	NcVec3 normal = cross(subtract(hull->points[face.b], a), subtract(hull->points[face.c], a));
	double length = sqrt(dot(normal, normal));
	return length > 0.0 ? dot(normal, subtract(p, a)) / length : 0.0;
}

static double get_size(const NcVec3* points, int count)
{
	double size = 0.0;
	for (int i = 1; i < count; ++i)
	{
		NcVec3 d = subtract(points[i], points[0]);
		size = nc_max(size, sqrt(dot(d, d)));
	}
	return size;
}

// The point that is farthest from the first one, or from the line or plane of the first ones.
static int find_farthest(const Hull* hull, const int* corners, int corner_count)
{
	int best = -1;
	double best_distance = hull->tolerance;
	for (int i = 0; i < hull->count; ++i)
	{
		NcVec3 d = subtract(hull->points[i], hull->points[corners[0]]);
		double distance = sqrt(dot(d, d));
		if (corner_count == 2)
		{
			NcVec3 line = subtract(hull->points[corners[1]], hull->points[corners[0]]);
			NcVec3 area = cross(d, line);
			distance = sqrt(dot(area, area) / dot(line, line));
		}
		else if (corner_count == 3)
		{
			distance = fabs(
				measure(hull, (Face){corners[0], corners[1], corners[2], false}, hull->points[i]));
		}
		if (distance > best_distance)
		{
			best_distance = distance;
			best = i;
		}
	}
	return best;
}

// Begin with a tetrahedron.
// @return false if all points lie in a plane
static bool begin(Hull* hull)
{
	int c[4] = {0};
	for (int i = 1; i < 4; ++i)
	{
		c[i] = find_farthest(hull, c, i);
		if (c[i] < 0)
		{
			return false;
		}
	}
	if (measure(hull, (Face){c[0], c[1], c[2], false}, hull->points[c[3]]) > 0.0)
	{
		int swapped = c[0];
		c[0] = c[1];
		c[1] = swapped;
	}
	const Face faces[] = {{c[0], c[1], c[2], false}, {c[0], c[3], c[1], false},
		{c[1], c[3], c[2], false}, {c[2], c[3], c[0], false}};
	memcpy(hull->faces, faces, sizeof(faces));
	hull->face_count = 4;
	return true;
}

// Whether a side of a face that is seen belongs to no other one that is.
static bool is_horizon(const Hull* hull, int from, int to)
{
	for (int i = 0; i < hull->face_count; ++i)
	{
		Face f = hull->faces[i];
		bool has_twin =
			(f.a == to && f.b == from) || (f.b == to && f.c == from) || (f.c == to && f.a == from);
		if (f.is_seen && has_twin)
		{
			return false;
		}
	}
	return true;
}

static void add_point(Hull* hull, int index)
{
	int old_count = hull->face_count;
	for (int i = 0; i < old_count; ++i)
	{
		Face* face = &hull->faces[i];
		face->is_seen = measure(hull, *face, hull->points[index]) > hull->tolerance;
	}
	int count = old_count;
	for (int i = 0; i < old_count; ++i)
	{
		Face f = hull->faces[i];
		const int sides[3][2] = {{f.a, f.b}, {f.b, f.c}, {f.c, f.a}};
		for (int k = 0; k < 3 && f.is_seen; ++k)
		{
			if (is_horizon(hull, sides[k][0], sides[k][1]) && count < 4 * hull->count)
			{
				hull->faces[count++] = (Face){sides[k][0], sides[k][1], index, false};
			}
		}
	}
	hull->face_count = 0;
	for (int i = 0; i < count; ++i)
	{
		if (!hull->faces[i].is_seen)
		{
			hull->faces[hull->face_count++] = hull->faces[i];
		}
	}
}

int hull_find_faces(const NcVec3* points, int count, int* faces)
{
	Hull hull = {.points = points, .count = count, .tolerance = FLATNESS * get_size(points, count)};
	hull.faces = calloc(4 * (size_t)count + 4, sizeof(Face));
	if (hull.faces == NULL || !(hull.tolerance > 0.0) || !begin(&hull))
	{
		free(hull.faces);
		return 0;
	}
	for (int i = 0; i < count; ++i)
	{
		add_point(&hull, i);
	}
	int face_count = hull.face_count < 2 * count ? hull.face_count : 2 * count;
	for (int i = 0; i < face_count; ++i)
	{
		faces[3 * i] = hull.faces[i].a;
		faces[3 * i + 1] = hull.faces[i].b;
		faces[3 * i + 2] = hull.faces[i].c;
	}
	free(hull.faces);
	return face_count;
}
