// SPDX-License-Identifier: MIT
// CGAL as a witness and as a rival: the dual of its segment Delaunay graph, with filtered exact
// predicates. Walls only meet in their ends, so no traits for crossings are needed.

#include "peers.h"

#include <CGAL/Segment_Delaunay_graph_2.h>
#include <CGAL/Segment_Delaunay_graph_filtered_traits_2.h>
#include <CGAL/Simple_cartesian.h>

using Kernel = CGAL::Simple_cartesian<double>;
using Traits = CGAL::Segment_Delaunay_graph_filtered_traits_without_intersections_2<Kernel>;
using Graph = CGAL::Segment_Delaunay_graph_2<Traits>;
using Point = Kernel::Point_2;

static void build(const std::vector<Wall>& walls, Graph& graph)
{
	std::vector<std::pair<Point, Point>> segments;
	std::vector<Point> points;
	for (const Wall& w : walls)
	{
		if (w.is_point())
		{
			points.emplace_back(w.x0, w.y0);
		}
		else
		{
			segments.emplace_back(Point(w.x0, w.y0), Point(w.x1, w.y1));
		}
	}
	graph.insert_segments(segments.begin(), segments.end());
	graph.insert(points.begin(), points.end(), CGAL::Tag_true());
}

static int name_site(const Walls& walls, const Graph::Site_2& site)
{
	if (site.is_point())
	{
		return walls.point_site((int32_t)site.point().x(), (int32_t)site.point().y());
	}
	Point a = site.source();
	Point b = site.target();
	return walls.wall_site((int32_t)a.x(), (int32_t)a.y(), (int32_t)b.x(), (int32_t)b.y());
}

// CGAL decides exactly which three sites a vertex has, but computes its position in double, from
// formulas that can lose eight digits. So that we compare with the true position, it is polished by
// Newton's method in long double: zeros of two functions of the position, each with its gradient.

struct Equation
{
	long double value, dx, dy;
};

// The distance from a point site, or from the line of a segment.
static Equation measure_distance(const Graph::Site_2& site, long double x, long double y)
{
	if (site.is_point())
	{
		long double dx = x - site.point().x();
		long double dy = y - site.point().y();
		long double distance = std::sqrt(dx * dx + dy * dy);
		return {distance, dx / distance, dy / distance};
	}
	long double ux = (long double)site.target().x() - site.source().x();
	long double uy = (long double)site.target().y() - site.source().y();
	long double length = std::sqrt(ux * ux + uy * uy);
	long double distance = (ux * (y - site.source().y()) - uy * (x - site.source().x())) / length;
	long double sign = distance < 0.0L ? -1.0L : 1.0L;
	return {sign * distance, -sign * uy / length, sign * ux / length};
}

static bool is_end(const Graph::Site_2& point, const Graph::Site_2& segment)
{
	return point.is_point() && segment.is_segment() &&
		   (point.point() == segment.source() || point.point() == segment.target());
}

// What holds where two sites are equally far: their distances are equal; but of a segment and its
// own end, whose distances touch each other there, that the end is the foot on the segment.
static Equation compare_distances(
	const Graph::Site_2& a, const Graph::Site_2& b, long double x, long double y)
{
	if (is_end(b, a))
	{
		return compare_distances(b, a, x, y);
	}
	if (is_end(a, b))
	{
		long double ux = (long double)b.target().x() - b.source().x();
		long double uy = (long double)b.target().y() - b.source().y();
		long double length = std::sqrt(ux * ux + uy * uy);
		return {(ux * (x - a.point().x()) + uy * (y - a.point().y())) / length, ux / length,
			uy / length};
	}
	Equation p = measure_distance(a, x, y);
	Equation q = measure_distance(b, x, y);
	return {p.value - q.value, p.dx - q.dx, p.dy - q.dy};
}

// How far the polished position may be from CGAL's, as a part of the largest coordinate, and in
// snaps at least: more means another zero. Errors of 4e-7 have been seen, near
// almost collinear walls.
static const long double POLISH_REACH = 1e-6L;
static const long double POLISH_LEAST_REACH = 1e-6L;
static const int POLISH_STEPS = 4;

static NcVec2 find_center(const Graph& graph, const Graph::Face_handle& face)
{
	Point start = graph.primal(face);
	NcVec2 rough = {start.x(), start.y()};
	Graph::Site_2 sites[3];
	for (int i = 0; i < 3; ++i)
	{
		sites[i] = face->vertex(i)->site();
	}
	// An end of a segment goes first, so that it is compared with that segment and the third site.
	for (int i = 1; i < 3; ++i)
	{
		if (is_end(sites[i], sites[0]) || is_end(sites[i], sites[3 - i]))
		{
			std::swap(sites[0], sites[i]);
		}
	}
	long double x = start.x();
	long double y = start.y();
	for (int step = 0; step < POLISH_STEPS; ++step)
	{
		Equation f = compare_distances(sites[0], sites[1], x, y);
		Equation g = compare_distances(sites[0], sites[2], x, y);
		long double determinant = f.dx * g.dy - f.dy * g.dx;
		x -= (f.value * g.dy - g.value * f.dy) / determinant;
		y -= (g.value * f.dx - f.value * g.dx) / determinant;
	}
	long double size = std::max(std::fabs(start.x()), std::fabs(start.y()));
	long double reach = std::max(POLISH_REACH * size, POLISH_LEAST_REACH);
	bool is_near = std::hypot(x - start.x(), y - start.y()) < reach;
	return is_near ? NcVec2{(double)x, (double)y} : rough;
}

std::vector<SiteEdge> cgal_find_edges(const Walls& walls)
{
	Graph graph;
	build(walls.all(), graph);

	std::vector<SiteEdge> edges;
	for (auto edge = graph.finite_edges_begin(); edge != graph.finite_edges_end(); ++edge)
	{
		Graph::Face_handle face = edge->first;
		Graph::Face_handle other = face->neighbor(edge->second);
		if (graph.is_infinite(face) || graph.is_infinite(other))
		{
			continue;
		}
		int a = name_site(walls, face->vertex(graph.cw(edge->second))->site());
		int b = name_site(walls, face->vertex(graph.ccw(edge->second))->site());
		SiteEdge found = {{std::min(a, b), std::max(a, b)},
			{find_center(graph, face), find_center(graph, other)}};
		if (!walls.are_incident(a, b) && walls.is_free(found))
		{
			edges.push_back(found);
		}
	}
	return edges;
}

size_t cgal_build(const std::vector<Wall>& walls)
{
	Graph graph;
	build(walls, graph);
	return graph.number_of_vertices() + graph.number_of_faces();
}

// Editing. Sites are found by their coordinates, outside of the measured calls into the graph only
// by one look into a hash table.

using Place = std::pair<double, double>;

struct PlaceHash
{
	size_t operator()(const Place& p) const
	{
		return std::hash<double>()(p.first) * 31 + std::hash<double>()(p.second);
	}
};

struct CgalEditor::State
{
	Graph graph;
	std::unordered_map<Place, Graph::Vertex_handle, PlaceHash> points;
	// By the sum of their ends: walls of blocks that do not overlap have different middles.
	std::unordered_map<Place, Graph::Vertex_handle, PlaceHash> walls;
	Graph::Vertex_handle hint; // where to search from
	int failed_count = 0;
};

static Place sum_of(const Wall& w)
{
	return {(double)w.x0 + w.x1, (double)w.y0 + w.y1};
}

CgalEditor::CgalEditor(const std::vector<Wall>& walls) : state(new State)
{
	build(walls, state->graph);
	for (auto v = state->graph.finite_vertices_begin(); v != state->graph.finite_vertices_end();
		 ++v)
	{
		const Graph::Site_2& site = v->site();
		if (site.is_point())
		{
			state->points[{site.point().x(), site.point().y()}] = v;
		}
		else
		{
			Point a = site.source();
			Point b = site.target();
			state->walls[{a.x() + b.x(), a.y() + b.y()}] = v;
		}
	}
}

CgalEditor::~CgalEditor() = default;

// A neighbour of the walls that stays when they go: the best place to search from afterwards.
static Graph::Vertex_handle find_survivor(
	const Graph& graph, const std::vector<Graph::Vertex_handle>& leaving)
{
	for (Graph::Vertex_handle vertex : leaving)
	{
		Graph::Vertex_circulator around = graph.incident_vertices(vertex);
		Graph::Vertex_circulator end = around;
		do
		{
			Graph::Vertex_handle neighbor = around;
			if (!graph.is_infinite(neighbor) &&
				std::find(leaving.begin(), leaving.end(), neighbor) == leaving.end())
			{
				return neighbor;
			}
		} while (++around != end);
	}
	return Graph::Vertex_handle();
}

void CgalEditor::remove(const std::vector<Wall>& walls)
{
	std::vector<Graph::Vertex_handle> leaving;
	for (const Wall& w : walls)
	{
		leaving.push_back(state->walls.at(sum_of(w)));
		state->walls.erase(sum_of(w));
		for (Place place : {Place(w.x0, w.y0), Place(w.x1, w.y1)})
		{
			auto found = state->points.find(place);
			if (found != state->points.end())
			{
				leaving.push_back(found->second);
				state->points.erase(found);
			}
		}
	}
	state->hint = find_survivor(state->graph, leaving);
	// Walls first: a point cannot go before the walls that end in it.
	for (bool are_points : {false, true})
	{
		for (Graph::Vertex_handle vertex : leaving)
		{
			if (vertex->site().is_point() == are_points && !state->graph.remove(vertex))
			{
				state->failed_count++;
			}
		}
	}
}

void CgalEditor::insert(const std::vector<Wall>& walls)
{
	for (const Wall& w : walls)
	{
		for (Place place : {Place(w.x0, w.y0), Place(w.x1, w.y1)})
		{
			auto found = state->points.find(place);
			state->hint = found != state->points.end()
							  ? found->second
							  : state->graph.insert(Point(place.first, place.second), state->hint);
			state->points[place] = state->hint;
		}
		state->walls[sum_of(w)] =
			state->graph.insert(Point(w.x0, w.y0), Point(w.x1, w.y1), state->hint);
	}
}

int CgalEditor::count_failures() const
{
	return state->failed_count;
}

size_t CgalEditor::count_vertices() const
{
	return state->graph.number_of_vertices();
}
