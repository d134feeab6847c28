// SPDX-License-Identifier: MIT
// Comparing two diagrams of the same walls. See compare.h for the rules.

#include "compare.h"

#include "arcs.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <map>

// Their edges shorter than this many contraction lengths may be missing in ours, and ours may be
// this much shorter than a contraction length for them.
static const double SHORT_FACTOR = 2.0;

// Their edges shorter than this, in snaps, are one vertex that rounding split.
static const double ROUNDING = 1e-6;

// Contraction moves the ends of an edge by a few contraction lengths at most. Vertices are compared
// on their own, so this only tells apart several edges between the same two sites.
static const double EDGE_TOLERANCE = 0.1;

bool Comparison::is_equal() const
{
	return only_our_edges == 0 && only_their_edges == 0 && only_our_vertices == 0 &&
		   only_their_vertices == 0;
}

std::vector<SiteEdge> read_our_edges(const NcMap* map, const Walls& walls)
{
	std::vector<Arc> arcs(arcs_read(map, nullptr, 0));
	arcs_read(map, arcs.data(), (int)arcs.size());
	std::vector<SiteEdge> edges;
	for (const Arc& arc : arcs)
	{
		int sites[2];
		for (int i = 0; i < 2; ++i)
		{
			const ArcSite& site = arc.sites[i];
			sites[i] = site.wall != NC_NULL_INDEX
						   ? walls.site_of_map_wall(site.wall)
						   : walls.point_site((int32_t)site.corner.x, (int32_t)site.corner.y);
		}
		edges.push_back({{std::min(sites[0], sites[1]), std::max(sites[0], sites[1])},
			{arc.ends[0], arc.ends[1]}});
	}
	return edges;
}

// Finding the nearest of many points within a small distance.
class PointFinder
{
  public:
	explicit PointFinder(double reach) : cell(reach)
	{
	}

	void add(NcVec2 p)
	{
		cells[key(column(p.x), column(p.y))].push_back((int)points.size());
		points.push_back(p);
	}

	// The nearest point within the reach, or -1.
	int find(NcVec2 p, double* distance) const
	{
		int best = -1;
		*distance = cell;
		for_near(p,
			[&](int i)
			{
				double d = nc_distance(p, points[i]);
				if (d <= *distance)
				{
					*distance = d;
					best = i;
				}
			});
		return best;
	}

	template <typename Function> void for_near(NcVec2 p, Function function) const
	{
		for (int64_t y = column(p.y) - 1; y <= column(p.y) + 1; ++y)
		{
			for (int64_t x = column(p.x) - 1; x <= column(p.x) + 1; ++x)
			{
				auto found = cells.find(key(x, y));
				for (size_t k = 0; found != cells.end() && k < found->second.size(); ++k)
				{
					function(found->second[k]);
				}
			}
		}
	}

	std::vector<NcVec2> points;

  private:
	int64_t column(double x) const
	{
		return (int64_t)std::floor(x / cell);
	}

	static uint64_t key(int64_t x, int64_t y)
	{
		return (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y;
	}

	double cell;
	std::unordered_map<uint64_t, std::vector<int>> cells;
};

// Groups of points that count as one.
class Groups
{
  public:
	explicit Groups(size_t count) : parents(count)
	{
		for (size_t i = 0; i < count; ++i)
		{
			parents[i] = (int)i;
		}
	}

	int find(int i)
	{
		while (parents[i] != i)
		{
			i = parents[i] = parents[parents[i]];
		}
		return i;
	}

	void join(int a, int b)
	{
		parents[find(a)] = find(b);
	}

  private:
	std::vector<int> parents;
};

// One comparison on its way.
class Comparing
{
  public:
	Comparing(const std::vector<SiteEdge>& our_edges, const std::vector<SiteEdge>& their_edges,
		double vertex_tolerance)
		: ours(our_edges), theirs(their_edges), tolerance(vertex_tolerance),
		  our_ends(std::max(tolerance, arcs_get_contract_length())),
		  their_ends(std::max(tolerance, arcs_get_contract_length())),
		  groups(2 * their_edges.size()), is_contracted(2 * their_edges.size()),
		  long_length(SHORT_FACTOR * arcs_get_contract_length()),
		  least_length(arcs_get_contract_length() / SHORT_FACTOR)
	{
	}

	Comparison run()
	{
		for (const SiteEdge& edge : theirs)
		{
			their_ends.add(edge.ends[0]);
			their_ends.add(edge.ends[1]);
		}
		group_their_ends();
		find_our_vertices();
		find_their_vertices();
		match_edges();
		return result;
	}

  private:
	void tell(const char* format, ...) __attribute__((format(printf, 2, 3)))
	{
		if (result.first_difference.empty())
		{
			char text[256];
			va_list arguments;
			va_start(arguments, format);
			vsnprintf(text, sizeof(text), format, arguments);
			va_end(arguments);
			result.first_difference = text;
		}
	}

	// How near ours must be to a point of one of their groups.
	double tolerance_of(int end)
	{
		return is_contracted[groups.find(end)] ? std::max(arcs_get_contract_length(), tolerance)
											   : tolerance;
	}

	void group_their_ends()
	{
		for (size_t i = 0; i < theirs.size(); ++i)
		{
			if (theirs[i].length() < long_length)
			{
				groups.join(2 * (int)i, 2 * (int)i + 1);
			}
		}
		for (int i = 0; i < (int)their_ends.points.size(); ++i)
		{
			their_ends.for_near(their_ends.points[i],
				[&](int k)
				{
					if (nc_distance(their_ends.points[i], their_ends.points[k]) <= VERTEX_TOLERANCE)
					{
						groups.join(i, k);
					}
				});
		}
		for (size_t i = 0; i < theirs.size(); ++i)
		{
			double length = theirs[i].length();
			if (ROUNDING < length && length < long_length)
			{
				is_contracted[groups.find(2 * (int)i)] = true;
			}
		}
	}

	void find_our_vertices()
	{
		std::vector<NcVec2> ends;
		for (const SiteEdge& edge : ours)
		{
			ends.insert(ends.end(), edge.ends, edge.ends + 2);
		}
		auto is_before = [](NcVec2 a, NcVec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); };
		auto is_same = [](NcVec2 a, NcVec2 b) { return a.x == b.x && a.y == b.y; };
		std::sort(ends.begin(), ends.end(), is_before);
		ends.erase(std::unique(ends.begin(), ends.end(), is_same), ends.end());
		result.our_vertices = (int)ends.size();
		for (NcVec2 p : ends)
		{
			our_ends.add(p);
			find_our_vertex(p);
		}
	}

	void find_our_vertex(NcVec2 p)
	{
		double distance;
		int end = their_ends.find(p, &distance);
		if (end < 0 || distance > tolerance_of(end))
		{
			++result.only_our_vertices;
			tell("vertex only in ours: %.6f %.6f", p.x, p.y);
		}
		else if (is_contracted[groups.find(end)])
		{
			result.worst_contracted = std::max(result.worst_contracted, distance);
		}
		else if (distance > result.worst_distance)
		{
			result.worst_distance = distance;
			result.worst_vertex = p;
		}
	}

	void find_their_vertices()
	{
		std::map<int, bool> is_seen; // by group
		std::map<int, int> example;
		for (int i = 0; i < (int)their_ends.points.size(); ++i)
		{
			double distance;
			bool found = our_ends.find(their_ends.points[i], &distance) >= 0;
			is_seen[groups.find(i)] |= found && distance <= tolerance_of(i);
			if (theirs[i / 2].length() >= long_length)
			{
				example[groups.find(i)] = i;
			}
		}
		result.their_vertices = (int)example.size();
		for (auto [group, i] : example)
		{
			if (!is_seen[group])
			{
				++result.only_their_vertices;
				tell("vertex only in theirs: %.6f %.6f", their_ends.points[i].x,
					their_ends.points[i].y);
			}
		}
	}

	static double measure(const SiteEdge& a, const SiteEdge& b)
	{
		double forward =
			std::max(nc_distance(a.ends[0], b.ends[0]), nc_distance(a.ends[1], b.ends[1]));
		double backward =
			std::max(nc_distance(a.ends[0], b.ends[1]), nc_distance(a.ends[1], b.ends[0]));
		return std::min(forward, backward);
	}

	// Take the nearest edge out of a list, if it is near enough.
	static bool take(std::vector<const SiteEdge*>& list, const SiteEdge& edge)
	{
		auto best = list.end();
		double least = EDGE_TOLERANCE;
		for (auto it = list.begin(); it != list.end(); ++it)
		{
			double distance = measure(**it, edge);
			if (distance < least)
			{
				least = distance;
				best = it;
			}
		}
		if (best == list.end())
		{
			return false;
		}
		list.erase(best);
		return true;
	}

	void match_edges()
	{
		std::map<std::pair<int, int>, std::vector<const SiteEdge*>> by_sites;
		for (const SiteEdge& edge : theirs)
		{
			if (edge.length() >= least_length)
			{
				by_sites[{edge.sites[0], edge.sites[1]}].push_back(&edge);
				result.their_edges += edge.length() >= long_length;
			}
		}
		for (const SiteEdge& edge : ours)
		{
			result.our_edges += edge.length() >= long_length;
			if (!take(by_sites[{edge.sites[0], edge.sites[1]}], edge))
			{
				++result.only_our_edges;
				tell_edge("ours", edge);
			}
		}
		for (const auto& entry : by_sites)
		{
			for (const SiteEdge* edge : entry.second)
			{
				if (edge->length() >= long_length)
				{
					++result.only_their_edges;
					tell_edge("theirs", *edge);
				}
			}
		}
	}

	void tell_edge(const char* whose, const SiteEdge& edge)
	{
		tell("edge only in %s: sites %d %d, from %.6f %.6f to %.6f %.6f", whose, edge.sites[0],
			edge.sites[1], edge.ends[0].x, edge.ends[0].y, edge.ends[1].x, edge.ends[1].y);
	}

	const std::vector<SiteEdge>& ours;
	const std::vector<SiteEdge>& theirs;
	double tolerance;
	PointFinder our_ends, their_ends;
	Groups groups;                   // of the ends of their edges
	std::vector<bool> is_contracted; // by group
	double long_length, least_length;
	Comparison result;
};

Comparison compare_diagrams(
	const std::vector<SiteEdge>& ours, const std::vector<SiteEdge>& theirs, double tolerance)
{
	return Comparing(ours, theirs, tolerance).run();
}
