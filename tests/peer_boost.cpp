// SPDX-License-Identifier: MIT
// Boost.Polygon as a witness and as a rival.

#include "peers.h"

#include <boost/polygon/point_data.hpp>
#include <boost/polygon/segment_data.hpp>
#include <boost/polygon/segment_traits.hpp>
#include <boost/polygon/voronoi.hpp>

namespace bp = boost::polygon;

using Points = std::vector<bp::point_data<int>>;
using Segments = std::vector<bp::segment_data<int>>;
using Diagram = bp::voronoi_diagram<double>;

static void split(const std::vector<Wall>& walls, Points& points, Segments& segments)
{
	for (const Wall& w : walls)
	{
		if (w.is_point())
		{
			points.emplace_back(w.x0, w.y0);
		}
		else
		{
			segments.emplace_back(bp::point_data<int>(w.x0, w.y0), bp::point_data<int>(w.x1, w.y1));
		}
	}
}

static void build(const Points& points, const Segments& segments, Diagram& diagram)
{
	bp::construct_voronoi(points.begin(), points.end(), segments.begin(), segments.end(), &diagram);
}

static int name_site(const Walls& walls, const Points& points, const Segments& segments,
	const Diagram::cell_type& cell)
{
	size_t index = cell.source_index();
	if (cell.source_category() == bp::SOURCE_CATEGORY_SINGLE_POINT)
	{
		return walls.point_site(points[index].x(), points[index].y());
	}
	const bp::segment_data<int>& s = segments[index - points.size()];
	if (cell.contains_segment())
	{
		return walls.wall_site(s.low().x(), s.low().y(), s.high().x(), s.high().y());
	}
	bool is_low = cell.source_category() == bp::SOURCE_CATEGORY_SEGMENT_START_POINT;
	const bp::point_data<int>& p = is_low ? s.low() : s.high();
	return walls.point_site(p.x(), p.y());
}

std::vector<SiteEdge> boost_find_edges(const Walls& walls)
{
	Points points;
	Segments segments;
	split(walls.all(), points, segments);
	Diagram diagram;
	build(points, segments, diagram);

	std::vector<SiteEdge> edges;
	for (const Diagram::edge_type& edge : diagram.edges())
	{
		if (!edge.is_finite() || &edge > edge.twin())
		{
			continue;
		}
		int a = name_site(walls, points, segments, *edge.cell());
		int b = name_site(walls, points, segments, *edge.twin()->cell());
		SiteEdge found = {
			{std::min(a, b), std::max(a, b)}, {{edge.vertex0()->x(), edge.vertex0()->y()},
												  {edge.vertex1()->x(), edge.vertex1()->y()}}};
		if (!walls.are_incident(a, b) && walls.is_free(found))
		{
			edges.push_back(found);
		}
	}
	return edges;
}

size_t boost_build(const std::vector<Wall>& walls)
{
	Points points;
	Segments segments;
	split(walls, points, segments);
	Diagram diagram;
	build(points, segments, diagram);
	return diagram.num_edges() + diagram.num_vertices();
}
