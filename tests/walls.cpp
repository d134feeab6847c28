// SPDX-License-Identifier: MIT
// Walls: reading them from a map and naming sites.

#include "walls.h"

#include <cmath>
#include <cstdlib>

static uint64_t make_key(int32_t a, int32_t b)
{
	return (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

static NcVec2 middle_of(const SiteEdge& edge)
{
	return nc_lerp(edge.ends[0], edge.ends[1], 0.5);
}

double SiteEdge::length() const
{
	return nc_distance(ends[0], ends[1]);
}

Walls::Walls(const NcMap* map)
{
	// The snap is a power of two: this is exact.
	double scale = 1.0 / nc_map_get_snap(map);
	int range = nc_map_get_wall_range(map);
	of_map.assign(range, -1);
	for (int i = 0; i < range; ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall))
		{
			of_map[i] = (int)walls.size();
			walls.push_back({(int32_t)(wall.a.x * scale), (int32_t)(wall.a.y * scale),
				(int32_t)(wall.b.x * scale), (int32_t)(wall.b.y * scale), wall.left_free,
				wall.right_free});
		}
	}
	index();
}

Walls::Walls(std::vector<Wall> given) : walls(std::move(given))
{
	index();
}

void Walls::index()
{
	for (int i = 0; i < (int)walls.size(); ++i)
	{
		const Wall& wall = walls[i];
		int a = add_point(wall.x0, wall.y0);
		int b = add_point(wall.x1, wall.y1);
		points[a].walls.push_back(i);
		if (!wall.is_point())
		{
			points[b].walls.push_back(i);
			walls_by_points[make_key(std::min(a, b), std::max(a, b))] = i;
		}
	}
}

int Walls::add_point(int32_t x, int32_t y)
{
	auto found = points_by_place.emplace(make_key(x, y), (int)points.size());
	if (found.second)
	{
		points.push_back({x, y, {}});
	}
	return found.first->second;
}

int Walls::point_site(int32_t x, int32_t y) const
{
	auto found = points_by_place.find(make_key(x, y));
	return found == points_by_place.end() ? -1 : (int)walls.size() + found->second;
}

int Walls::wall_site(int32_t x0, int32_t y0, int32_t x1, int32_t y1) const
{
	int a = point_site(x0, y0) - (int)walls.size();
	int b = point_site(x1, y1) - (int)walls.size();
	auto found = walls_by_points.find(make_key(std::min(a, b), std::max(a, b)));
	return found == walls_by_points.end() ? -1 : found->second;
}

int Walls::site_of_map_wall(int i) const
{
	return of_map[i];
}

bool Walls::are_incident(int site_a, int site_b) const
{
	int wall = std::min(site_a, site_b);
	int point = std::max(site_a, site_b) - (int)walls.size();
	if (wall >= (int)walls.size() || point < 0)
	{
		return false;
	}
	const Wall& w = walls[wall];
	const Point& p = points[point];
	return (w.x0 == p.x && w.y0 == p.y) || (w.x1 == p.x && w.y1 == p.y);
}

static double turn(const Wall& w, NcVec2 p)
{
	return ((double)w.x1 - w.x0) * (p.y - w.y0) - ((double)w.y1 - w.y0) * (p.x - w.x0);
}

bool Walls::is_free_at_wall(int wall, NcVec2 p) const
{
	const Wall& w = walls[wall];
	return turn(w, p) > 0.0 ? w.left_free : w.right_free;
}

// The angle between two neighbouring walls in which p lies is free if the side of the first wall is
// that borders it: the wall from which the counter-clockwise turn to p is smallest.
bool Walls::is_free_at_point(const Point& point, NcVec2 p) const
{
	double angle = std::atan2(p.y - point.y, p.x - point.x);
	double least = HUGE_VAL;
	bool is_free = false;
	for (int wall : point.walls)
	{
		const Wall& w = walls[wall];
		if (w.is_point())
		{
			return w.left_free;
		}
		bool starts = w.x0 == point.x && w.y0 == point.y;
		double dx = starts ? (double)w.x1 - w.x0 : (double)w.x0 - w.x1;
		double dy = starts ? (double)w.y1 - w.y0 : (double)w.y0 - w.y1;
		double turned = std::fmod(angle - std::atan2(dy, dx) + 4.0 * M_PI, 2.0 * M_PI);
		if (turned < least)
		{
			least = turned;
			is_free = starts ? w.left_free : w.right_free;
		}
	}
	return is_free;
}

bool Walls::is_free(const SiteEdge& edge) const
{
	NcVec2 middle = middle_of(edge);
	int site = edge.sites[0];
	return site < (int)walls.size() ? is_free_at_wall(site, middle)
									: is_free_at_point(points[site - walls.size()], middle);
}
