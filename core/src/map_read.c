// SPDX-License-Identifier: MIT
// Reading a map: everything that does not change it.

#include "nav_corridor/map.h"

#include "check.h"
#include "map_state.h"

uint32_t nc_map_get_revision(const NcMap* map)
{
	return map->revision;
}

int nc_map_get_changed_boxes(const NcMap* map, NcBox* boxes, int capacity)
{
	for (int i = 0; i < map->changed_boxes.count && i < capacity; ++i)
	{
		boxes[i] = map->changed_boxes.data[i];
	}
	return map->changed_boxes.count;
}

NcBox nc_map_get_bounds(const NcMap* map)
{
	return (NcBox){nc_map_to_world(map, nc_point_to_vec2(map->lower)),
		nc_map_to_world(map, nc_point_to_vec2(map->upper))};
}

double nc_map_get_snap(const NcMap* map)
{
	return map->snap;
}

int nc_map_get_vertex_range(const NcMap* map)
{
	return map->world.graph.vertices.count;
}

int nc_map_get_edge_range(const NcMap* map)
{
	return map->world.graph.edges.count;
}

bool nc_map_get_vertex(const NcMap* map, int index, NcMapVertex* vertex)
{
	const NcWorld* world = &map->world;
	if (index < 0 || index >= world->graph.vertices.count)
	{
		return false;
	}
	const NcGraphVertex* v = &world->graph.vertices.data[index];
	if (v->junction == NC_NULL_INDEX)
	{
		return false;
	}
	const NcJunction* junction = &world->diagram.junctions.data[v->junction];
	*vertex = (NcMapVertex){
		.position = nc_map_to_world(map, junction->position),
		.clearance = map->snap * junction->clearance,
		.edge_count = v->end_count,
	};
	return true;
}

bool nc_map_get_edge(const NcMap* map, int index, NcMapEdge* edge)
{
	const NcGraph* graph = &map->world.graph;
	if (index < 0 || index >= graph->edges.count)
	{
		return false;
	}
	const NcGraphEdge* e = &graph->edges.data[index];
	if (e->arc_count == 0)
	{
		return false;
	}
	*edge = (NcMapEdge){
		.vertices = {e->vertices[0], e->vertices[1]},
		.event_count = e->arc_count + 1,
		.length = map->snap * e->length,
		.min_clearance = map->snap * e->min_clearance,
		.min_position = nc_map_to_world(map, e->min_position),
	};
	return true;
}

int nc_map_get_vertex_edges(const NcMap* map, int index, NcEdgeEnd* ends, int capacity)
{
	const NcGraph* graph = &map->world.graph;
	if (index < 0 || index >= graph->vertices.count ||
		graph->vertices.data[index].junction == NC_NULL_INDEX)
	{
		return 0;
	}
	const NcGraphVertex* vertex = &graph->vertices.data[index];
	for (int i = 0; i < vertex->end_count && i < capacity; ++i)
	{
		ends[i] = graph->ends.data[vertex->end_begin + i];
	}
	return vertex->end_count;
}

// Events.

NcObstacleId nc_map_get_feature_owner(const NcMap* map, NcFeature feature)
{
	const NcSnap* snap = &map->world.diagram.snap;
	int index = nc_feature_index(feature);
	if (!nc_feature_is_cone(feature))
	{
		return nc_map_get_built_id(map, nc_fragment_owner(snap, index >> 1));
	}
	return nc_map_get_built_id(map, nc_vertex_owner(snap, index));
}

static NcMapEvent make_event_at(
	const NcMap* map, const NcJunction* junction, NcFeature left, NcFeature right)
{
	const NcDiagram* diagram = &map->world.diagram;
	NcVec2 p = junction->position;
	return (NcMapEvent){
		.position = nc_map_to_world(map, p),
		.clearance = map->snap * junction->clearance,
		.left = nc_map_to_world(map, nc_diagram_compute_foot(diagram, left, p)),
		.right = nc_map_to_world(map, nc_diagram_compute_foot(diagram, right, p)),
		.left_obstacle = nc_map_get_feature_owner(map, left),
		.right_obstacle = nc_map_get_feature_owner(map, right),
	};
}

NcMapEvent nc_map_make_event(const NcMap* map, int piece)
{
	const NcDiagram* diagram = &map->world.diagram;
	return make_event_at(map, nc_piece_junction(diagram, piece),
		nc_piece_owner(diagram, nc_piece_twin(diagram, piece)), nc_piece_owner(diagram, piece));
}

NcMapEvent nc_map_make_end_event(const NcMap* map, int piece)
{
	const NcDiagram* diagram = &map->world.diagram;
	int twin = nc_piece_twin(diagram, piece);
	return make_event_at(map, nc_piece_junction(diagram, twin), nc_piece_owner(diagram, twin),
		nc_piece_owner(diagram, piece));
}

int nc_map_get_edge_events(const NcMap* map, int index, NcMapEvent* events, int capacity)
{
	const NcWorld* world = &map->world;
	if (index < 0 || index >= world->graph.edges.count ||
		world->graph.edges.data[index].arc_count == 0)
	{
		return 0;
	}
	NcEdgeWalk walk =
		nc_graph_walk_edge(&world->graph, &world->diagram, (NcEdgeEnd){.edge = index});
	int count = 0;
	int piece;
	do
	{
		piece = walk.piece;
		if (count < capacity)
		{
			events[count] = nc_map_make_event(map, piece);
		}
		++count;
	} while (nc_edge_walk_advance(&walk));
	if (count < capacity)
	{
		events[count] = nc_map_make_end_event(map, piece);
	}
	return count + 1;
}

int nc_map_get_edge_points(
	const NcMap* map, int index, double tolerance, NcVec2* points, int capacity)
{
	const NcWorld* world = &map->world;
	if (index < 0 || index >= world->graph.edges.count ||
		world->graph.edges.data[index].arc_count == 0)
	{
		return 0;
	}
	double snaps = nc_max(tolerance * map->inverse_snap, NC_MIN_TOLERANCE);
	NcEdgeWalk walk =
		nc_graph_walk_edge(&world->graph, &world->diagram, (NcEdgeEnd){.edge = index});
	int count = 0;
	NcArc arc;
	do
	{
		arc = nc_arc_of_piece(&world->diagram, walk.piece);
		int parts = nc_arc_count_parts(&arc, snaps);
		for (int i = 0; i < parts; ++i, ++count)
		{
			if (count < capacity)
			{
				points[count] = nc_map_to_world(map, nc_arc_get_point(&arc, i, parts));
			}
		}
	} while (nc_edge_walk_advance(&walk));
	if (count < capacity)
	{
		points[count] = nc_map_to_world(map, arc.ends[1]);
	}
	return count + 1;
}

// Walls: first the fragments, then the vertices, of which only isolated points are walls.

int nc_map_get_wall_range(const NcMap* map)
{
	const NcSnap* snap = &map->world.diagram.snap;
	return snap->fragments.count + snap->vertices.count;
}

bool nc_map_get_wall(const NcMap* map, int index, NcMapWall* wall)
{
	const NcSnap* snap = &map->world.diagram.snap;
	if (index < 0 || index >= nc_map_get_wall_range(map))
	{
		return false;
	}
	if (index < snap->fragments.count)
	{
		if (!nc_fragment_exists(snap, index) || snap->fragments.data[index].is_open)
		{
			return false;
		}
		const NcFragment* fragment = &snap->fragments.data[index];
		*wall = (NcMapWall){
			.a = nc_map_to_world(map, nc_point_to_vec2(nc_half_start(snap, 2 * index))),
			.b = nc_map_to_world(map, nc_point_to_vec2(nc_half_end(snap, 2 * index))),
			.left_free = fragment->is_free & 1,
			.right_free = fragment->is_free >> 1,
			.obstacle = nc_map_get_built_id(map, nc_fragment_owner(snap, index)),
		};
		return true;
	}
	const NcVertex* vertex = &snap->vertices.data[index - snap->fragments.count];
	if (vertex->half != NC_NULL_INDEX || vertex->hot_count == 0)
	{
		return false;
	}
	NcVec2 p = nc_map_to_world(map, nc_point_to_vec2(vertex->point));
	*wall = (NcMapWall){
		.a = p,
		.b = p,
		.left_free = vertex->is_free,
		.right_free = vertex->is_free,
		.obstacle = nc_map_get_built_id(map, nc_vertex_owner(snap, index - snap->fragments.count)),
	};
	return true;
}

// Numbers.

// Count the connected parts of the graph by giving every vertex the lowest vertex it is connected
// to. @return NC_NULL_INDEX if memory ran out
static int count_components(const NcGraph* graph)
{
	NcIntArray parents = {0};
	if (!nc_array_resize(&parents, graph->vertices.count))
	{
		return NC_NULL_INDEX;
	}
	int count = 0;
	for (int v = 0; v < graph->vertices.count; ++v)
	{
		parents.data[v] = v;
		count += graph->vertices.data[v].junction != NC_NULL_INDEX;
	}
	for (int e = 0; e < graph->edges.count; ++e)
	{
		if (graph->edges.data[e].arc_count == 0)
		{
			continue;
		}
		int roots[2];
		for (int end = 0; end < 2; ++end)
		{
			int v = graph->edges.data[e].vertices[end];
			while (parents.data[v] != v)
			{
				v = parents.data[v] = parents.data[parents.data[v]];
			}
			roots[end] = v;
		}
		count -= roots[0] != roots[1];
		parents.data[roots[0]] = roots[1];
	}
	nc_array_free(&parents);
	return count;
}

NcMapStats nc_map_get_stats(const NcMap* map)
{
	const NcWorld* world = &map->world;
	NcMapStats stats = {
		.site_count = nc_diagram_count_cells(&world->diagram),
		.component_count = count_components(&world->graph),
		.unresolved_count = nc_diagram_count_unresolved(&world->diagram),
		.byte_count = nc_map_count_bytes(map),
	};
	for (int v = 0; v < world->graph.vertices.count; ++v)
	{
		stats.vertex_count += world->graph.vertices.data[v].junction != NC_NULL_INDEX;
	}
	for (int e = 0; e < world->graph.edges.count; ++e)
	{
		stats.edge_count += world->graph.edges.data[e].arc_count > 0;
	}
	return stats;
}

// A hash of everything geometric, independent of all numbering: the sum of the hashes of the edges.

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
	return hash ^ (hash >> 29);
}

static uint64_t mix_double(uint64_t hash, double value)
{
	value = value == 0.0 ? 0.0 : value; // -0 is 0
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return mix(hash, bits);
}

static uint64_t mix_vec2(uint64_t hash, NcVec2 v)
{
	return mix_double(mix_double(hash, v.x), v.y);
}

static uint64_t hash_edge(const NcMap* map, int index)
{
	const NcWorld* world = &map->world;
	const NcGraphEdge* edge = &world->graph.edges.data[index];
	uint64_t hash = mix_vec2(edge->arc_count, edge->min_position);
	hash = mix_double(mix_double(hash, edge->length), edge->min_clearance);
	NcEdgeWalk walk =
		nc_graph_walk_edge(&world->graph, &world->diagram, (NcEdgeEnd){.edge = index});
	int piece;
	do
	{
		piece = walk.piece;
		NcMapEvent event = nc_map_make_event(map, piece);
		hash = mix_vec2(mix_vec2(mix_vec2(hash, event.position), event.left), event.right);
		hash = mix_double(hash, event.clearance);
	} while (nc_edge_walk_advance(&walk));
	NcMapEvent event = nc_map_make_end_event(map, piece);
	return mix_vec2(mix_vec2(mix_vec2(hash, event.position), event.left), event.right);
}

uint64_t nc_map_compute_hash(const NcMap* map)
{
	uint64_t sum = 0;
	for (int i = 0; i < map->world.graph.edges.count; ++i)
	{
		sum += map->world.graph.edges.data[i].arc_count > 0 ? hash_edge(map, i) : 0;
	}
	return sum;
}
