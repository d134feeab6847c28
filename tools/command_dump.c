// SPDX-License-Identifier: MIT

// navcorridor dump: the map as text, for other programs.
//
//     v id x y clearance
//     e v0 v1 siteA siteB length min_clearance
//
// Ids count from zero in the order of the map's indices, without its gaps. siteA and siteB are the
// obstacles on the left and on the right where the edge is narrowest: counted from zero in the
// order of the input, -1 for the bounds.

#include "commands.h"
#include "json.h"
#include "memory.h"
#include "world.h"

#include <stdlib.h>

static void print_number(double value)
{
	char text[JSON_NUMBER_CAPACITY];
	printf(" %s", json_format_number(value, text));
}

// Print all vertices, and return the id of each index.
static int* dump_vertices(const NcMap* map)
{
	int range = nc_map_get_vertex_range(map);
	int* ids = memory_allocate(range, sizeof(int));
	int count = 0;
	for (int i = 0; i < range; ++i)
	{
		NcMapVertex vertex;
		if (!nc_map_get_vertex(map, i, &vertex))
		{
			continue;
		}
		ids[i] = count;
		printf("v %d", count++);
		print_number(vertex.position.x);
		print_number(vertex.position.y);
		print_number(vertex.clearance);
		putchar('\n');
	}
	return ids;
}

// How far a point is from what is nearest to an arc, on the side where it is farther.
static double compute_arc_distance(NcVec2 point, const NcMapEvent* event)
{
	NcVec2 left = nc_closest_on_segment(point, event[0].left, event[1].left);
	NcVec2 right = nc_closest_on_segment(point, event[0].right, event[1].right);
	return nc_max(nc_distance(point, left), nc_distance(point, right));
}

// The event that begins the arc on which a point of the edge lies. No obstacle is nearer than the
// clearance, and only that arc has one at that distance on both sides: it is the smallest.
static int find_arc(const NcMapEvent* events, int count, NcVec2 point)
{
	int best = 0;
	for (int i = 1; i + 1 < count; ++i)
	{
		if (compute_arc_distance(point, events + i) < compute_arc_distance(point, events + best))
		{
			best = i;
		}
	}
	return best;
}

static void dump_edge(const World* world, int index, const NcMapEdge* edge, const int* ids)
{
	NcMapEvent* events = memory_allocate(edge->event_count, sizeof(NcMapEvent));
	nc_map_get_edge_events(world->map, index, events, edge->event_count);
	const NcMapEvent* event = &events[find_arc(events, edge->event_count, edge->min_position)];
	printf("e %d %d %d %d", ids[edge->vertices[0]], ids[edge->vertices[1]],
		world_find_shape(world, event->left_obstacle),
		world_find_shape(world, event->right_obstacle));
	print_number(edge->length);
	print_number(edge->min_clearance);
	putchar('\n');
	free(events);
}

static void dump_map(const World* world)
{
	int* ids = dump_vertices(world->map);
	int range = nc_map_get_edge_range(world->map);
	for (int i = 0; i < range; ++i)
	{
		NcMapEdge edge;
		if (nc_map_get_edge(world->map, i, &edge))
		{
			dump_edge(world, i, &edge, ids);
		}
	}
	free(ids);
}

ExitCode command_dump(const Options* options)
{
	World world;
	bool is_built = world_build(options, &world);
	if (is_built)
	{
		dump_map(&world);
	}
	world_destroy(&world);
	return is_built ? EXIT_CODE_YES : EXIT_CODE_BAD;
}
