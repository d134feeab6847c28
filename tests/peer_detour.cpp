// SPDX-License-Identifier: MIT
// Detour on the free space of a city: see peer_detour.h.

#include "peer_detour.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include <cstdio>
#include <cstdlib>

// Detour keeps coordinates as whole numbers of this, in metres.
static const float CELL = 0.5f;
static const int MAX_POLYGONS = 16384;

struct DetourCity::State
{
	dtNavMesh* mesh = dtAllocNavMesh();
	dtNavMeshQuery* query = dtAllocNavMeshQuery();
	dtQueryFilter filter;
	std::vector<dtPolyRef> polygons = std::vector<dtPolyRef>(MAX_POLYGONS);
	std::vector<float> points = std::vector<float>(3 * MAX_POLYGONS);
	int point_count = 0;

	~State()
	{
		dtFreeNavMeshQuery(query);
		dtFreeNavMesh(mesh);
	}
};

static void require(bool condition, const char* what)
{
	if (!condition)
	{
		fprintf(stderr, "Detour: %s\n", what);
		exit(1);
	}
}

// The free strips between blocks along one axis, in cells from the lower bound.
static std::vector<int> list_strips(int n)
{
	std::vector<int> ends = {0};
	for (int i = 0; i < n; ++i)
	{
		ends.push_back(15 + 40 * i);
		ends.push_back(15 + 40 * i + 30);
	}
	ends.push_back(40 * n + 20);
	return ends;
}

// Rectangles between the lines of the strips, those of blocks excepted.
struct Rectangles
{
	std::vector<int> lines;
	int columns;              // rectangles in a row, blocks included
	std::vector<int> numbers; // of each, or -1 for a block
	int count = 0;

	explicit Rectangles(int n) : lines(list_strips(n)), columns(2 * n + 1)
	{
		for (int j = 0; j < columns; ++j)
		{
			for (int i = 0; i < columns; ++i)
			{
				bool is_block = i % 2 == 1 && j % 2 == 1;
				numbers.push_back(is_block ? -1 : count++);
			}
		}
	}

	unsigned short get_neighbor(int i, int j) const
	{
		bool is_inside = i >= 0 && j >= 0 && i < columns && j < columns;
		int number = is_inside ? numbers[j * columns + i] : -1;
		return number >= 0 ? (unsigned short)number : 0xffff;
	}
};

static std::vector<unsigned short> list_polygons(const Rectangles& all)
{
	std::vector<unsigned short> polygons;
	int lines = all.columns + 1;
	for (int j = 0; j < all.columns; ++j)
	{
		for (int i = 0; i < all.columns; ++i)
		{
			if (all.numbers[j * all.columns + i] < 0)
			{
				continue;
			}
			int v = j * lines + i;
			for (int corner : {v, v + lines, v + lines + 1, v + 1})
			{
				polygons.push_back((unsigned short)corner);
			}
			polygons.push_back(all.get_neighbor(i - 1, j));
			polygons.push_back(all.get_neighbor(i, j + 1));
			polygons.push_back(all.get_neighbor(i + 1, j));
			polygons.push_back(all.get_neighbor(i, j - 1));
		}
	}
	return polygons;
}

DetourCity::DetourCity(int n) : state(new State)
{
	Rectangles all(n);
	std::vector<unsigned short> vertices;
	for (int y : all.lines)
	{
		for (int x : all.lines)
		{
			vertices.insert(vertices.end(), {(unsigned short)x, 0, (unsigned short)y});
		}
	}
	std::vector<unsigned short> polygons = list_polygons(all);
	std::vector<unsigned short> flags(all.count, 1);
	std::vector<unsigned char> areas(all.count, 0);
	dtNavMeshCreateParams params = {};
	params.verts = vertices.data();
	params.vertCount = (int)vertices.size() / 3;
	params.polys = polygons.data();
	params.polyFlags = flags.data();
	params.polyAreas = areas.data();
	params.polyCount = all.count;
	params.nvp = 4;
	float reach = 10.0f * n + 5.0f;
	params.bmin[0] = params.bmin[2] = -reach;
	params.bmax[0] = params.bmax[2] = reach;
	params.bmin[1] = -1.0f;
	params.bmax[1] = 1.0f;
	params.walkableHeight = 2.0f;
	params.cs = params.ch = CELL;
	params.buildBvTree = true;
	unsigned char* data = nullptr;
	int size = 0;
	require(dtCreateNavMeshData(&params, &data, &size), "no data");
	require(dtStatusSucceed(state->mesh->init(data, size, DT_TILE_FREE_DATA)), "no mesh");
	require(dtStatusSucceed(state->query->init(state->mesh, 65535)), "no query");
}

DetourCity::~DetourCity() = default;

int DetourCity::get_point_count() const
{
	return state->point_count;
}

double DetourCity::find_path(NcVec2 start, NcVec2 goal)
{
	const float extents[3] = {1.0f, 2.0f, 1.0f};
	const float from[3] = {(float)start.x, -1.0f, (float)start.y};
	const float to[3] = {(float)goal.x, -1.0f, (float)goal.y};
	float a[3], b[3];
	dtPolyRef first = 0, last = 0;
	state->query->findNearestPoly(from, extents, &state->filter, &first, a);
	state->query->findNearestPoly(to, extents, &state->filter, &last, b);
	int count = 0;
	state->query->findPath(
		first, last, a, b, &state->filter, state->polygons.data(), &count, MAX_POLYGONS);
	if (count == 0 || state->polygons[count - 1] != last)
	{
		return -1.0;
	}
	state->query->findStraightPath(a, b, state->polygons.data(), count, state->points.data(),
		nullptr, nullptr, &state->point_count, MAX_POLYGONS);
	double length = 0.0;
	for (int i = 1; i < state->point_count; ++i)
	{
		const float* p = &state->points[3 * i];
		length += nc_distance(NcVec2{p[-3], p[-1]}, NcVec2{p[0], p[2]});
	}
	return length;
}
