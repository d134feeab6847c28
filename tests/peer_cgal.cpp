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

static NcVec2 find_center(const Graph& graph, const Graph::Face_handle& face)
{
	Point p = graph.primal(face);
	return {p.x(), p.y()};
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
