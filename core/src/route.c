// SPDX-License-Identifier: MIT
// Routes as values: lengths, places and polylines of pieces. And the memory for making them.

#include "nav_corridor/route.h"

#include "check.h"
#include "query_state.h"

// Memory.

void nc_route_memory_free(NcRouteMemory* memory)
{
	nc_array_free(&memory->pieces);
	nc_array_free(&memory->rooms);
	nc_array_free(&memory->kept_pieces);
	nc_array_free(&memory->kept_rooms);
	nc_array_free(&memory->spare_pieces);
	nc_array_free(&memory->spare_rooms);
	nc_array_free(&memory->portals);
	nc_array_free(&memory->funnel);
	nc_array_free(&memory->string);
	nc_array_free(&memory->roots);
	nc_array_free(&memory->nodes);
	nc_array_free(&memory->heap);
	nc_array_free(&memory->corners);
	nc_array_free(&memory->gates);
	nc_array_free(&memory->gate_heap);
	nc_array_free(&memory->trace);
}

void nc_route_memory_clear_failures(NcRouteMemory* memory)
{
	memory->pieces.failed = memory->rooms.failed = memory->portals.failed = false;
	memory->funnel.failed = memory->string.failed = memory->roots.failed = false;
	memory->nodes.failed = memory->heap.failed = memory->corners.failed = false;
	memory->gates.failed = memory->gate_heap.failed = memory->trace.failed = false;
	memory->kept_pieces.failed = memory->kept_rooms.failed = false;
	memory->spare_pieces.failed = memory->spare_rooms.failed = false;
}

bool nc_route_memory_failed(const NcRouteMemory* memory)
{
	return memory->pieces.failed || memory->rooms.failed || memory->portals.failed ||
		   memory->funnel.failed || memory->string.failed || memory->roots.failed ||
		   memory->nodes.failed || memory->heap.failed || memory->corners.failed ||
		   memory->gates.failed || memory->gate_heap.failed || memory->trace.failed ||
		   memory->kept_pieces.failed || memory->kept_rooms.failed || memory->spare_pieces.failed ||
		   memory->spare_rooms.failed;
}

// Searching.

void nc_route_begin_search(NcRouteMemory* memory)
{
	memory->heap.count = 0;
	if (++memory->search == 0)
	{
		memset(memory->corners.data, 0, sizeof(NcTautCorner) * (size_t)memory->corners.count);
		memory->search = 1;
	}
}

void nc_route_begin_gates(NcRouteMemory* memory)
{
	memory->gate_heap.count = 0;
	if (++memory->gate_search == 0)
	{
		memset(memory->gates.data, 0, sizeof(NcGateNode) * (size_t)memory->gates.count);
		memory->gate_search = 1;
	}
}

static bool is_before(NcTautItem a, NcTautItem b)
{
	return a.bound < b.bound || (a.bound == b.bound && a.node < b.node);
}

void nc_route_push_item(NcTautHeap* heap, NcTautItem item)
{
	if (!nc_array_push(heap, item))
	{
		return;
	}
	NcTautItem* items = heap->data;
	int i = heap->count - 1;
	for (; i > 0 && is_before(item, items[(i - 1) / 2]); i = (i - 1) / 2)
	{
		items[i] = items[(i - 1) / 2];
	}
	items[i] = item;
}

NcTautItem nc_route_pop_item(NcTautHeap* heap)
{
	NcTautItem* items = heap->data;
	NcTautItem top = items[0];
	NcTautItem last = items[--heap->count];
	int i = 0;
	for (int child = 1; child < heap->count; child = 2 * i + 1)
	{
		bool is_right = child + 1 < heap->count && is_before(items[child + 1], items[child]);
		child += is_right;
		if (!is_before(items[child], last))
		{
			break;
		}
		items[i] = items[child];
		i = child;
	}
	items[i] = last;
	return top;
}

void nc_route_cut_corridor(NcQuery* query, const NcRouteEnds* ends)
{
	if (query->arcs.count == 0 || query->arcs.failed)
	{
		return;
	}
	NcArc* first = &query->arcs.data[0].arc;
	NcArc* last = &query->arcs.data[query->arcs.count - 1].arc;
	first->ends[0] = ends->start_anchor->position;
	first->clearances[0] = ends->start_anchor->clearance;
	last->ends[1] = ends->goal_anchor->position;
	last->clearances[1] = ends->goal_anchor->clearance;
}

// Values.

double nc_route_compute_length(const NcRoutePiece* pieces, int count)
{
	double length = 0.0;
	for (int i = 0; i < count; ++i)
	{
		length += pieces[i].length;
	}
	return length;
}

// The point of an arc after turning by a part of its angle.
static NcVec2 turn_around(const NcRoutePiece* piece, double angle)
{
	NcVec2 turn = nc_direction(angle);
	NcVec2 spoke = nc_sub(piece->from, piece->center);
	return nc_add(piece->center, nc_mul_add(nc_scale(turn.x, spoke), turn.y, nc_perp(spoke)));
}

static NcVec2 get_piece_point(const NcRoutePiece* piece, double distance, NcVec2* direction)
{
	double part = piece->length > 0.0 ? distance / piece->length : 0.0;
	if (piece->angle == 0.0)
	{
		*direction = nc_normalize(nc_sub(piece->to, piece->from));
		return part >= 1.0 ? piece->to : nc_lerp(piece->from, piece->to, part);
	}
	NcVec2 point = part >= 1.0 ? piece->to : turn_around(piece, part * piece->angle);
	NcVec2 along = nc_perp(nc_sub(point, piece->center));
	*direction = nc_normalize(nc_scale(piece->angle < 0.0 ? -1.0 : 1.0, along));
	return point;
}

NcVec2 nc_route_get_point(const NcRoutePiece* pieces, int count, double distance, NcVec2* direction)
{
	NcVec2 unused;
	direction = direction != NULL ? direction : &unused;
	*direction = (NcVec2){0.0, 0.0};
	if (count <= 0)
	{
		return (NcVec2){0.0, 0.0};
	}
	int i = 0;
	for (; i + 1 < count && distance > pieces[i].length; ++i)
	{
		distance -= pieces[i].length;
	}
	return get_piece_point(&pieces[i], nc_max(distance, 0.0), direction);
}

// More parts than this would not be seen by anybody, whatever the tolerance.
#define MAX_ARC_PARTS 512

int nc_route_count_parts(const NcRoutePiece* piece, double tolerance)
{
	if (piece->angle == 0.0)
	{
		return 1;
	}
	// A corner of the polyline is at r / cos(a / 2) from the centre, about r a^2 / 8 outside, where
	// a is the angle of a part. With twice the room that is safe for all angles up to a quarter.
	double part = sqrt(4.0 * tolerance / piece->radius);
	double parts = ceil(fabs(piece->angle) / nc_min(part, 1.5));
	return (int)nc_clamp(parts, 1.0, MAX_ARC_PARTS);
}

NcVec2 nc_route_get_corner(const NcRoutePiece* piece, int index, int count)
{
	double half = 0.5 * piece->angle / count;
	NcVec2 point = turn_around(piece, (2 * index + 1) * half);
	return nc_lerp(piece->center, point, 1.0 / nc_direction(half).x);
}

static void put_point(NcVec2* points, int capacity, int* count, NcVec2 point)
{
	if (*count < capacity)
	{
		points[*count] = point;
	}
	++*count;
}

int nc_route_sample(
	const NcRoutePiece* pieces, int count, double tolerance, NcVec2* points, int capacity)
{
	NC_ASSERT(tolerance > 0.0);
	int written = 0;
	for (int i = 0; i < count; ++i)
	{
		const NcRoutePiece* piece = &pieces[i];
		if (piece->angle == 0.0)
		{
			put_point(points, capacity, &written, piece->from);
			continue;
		}
		int parts = nc_route_count_parts(piece, tolerance);
		put_point(points, capacity, &written, piece->from);
		for (int k = 0; k < parts; ++k)
		{
			put_point(points, capacity, &written, nc_route_get_corner(piece, k, parts));
		}
	}
	if (count > 0)
	{
		put_point(points, capacity, &written, pieces[count - 1].to);
	}
	return written;
}

// The route of a query.

int nc_query_get_route(const NcQuery* query, NcRoutePiece* pieces, int capacity)
{
	const NcMap* map = query->map;
	bool has_path = query->path_revision != 0 && query->path_revision == map->revision;
	int count = has_path ? query->route.pieces.count : 0;
	for (int i = 0; i < count && i < capacity; ++i)
	{
		NcRoutePiece piece = query->route.pieces.data[i];
		piece.from = nc_map_to_world(map, piece.from);
		piece.to = nc_map_to_world(map, piece.to);
		piece.center = nc_map_to_world(map, piece.center);
		piece.length *= map->snap;
		piece.radius *= map->snap;
		pieces[i] = piece;
	}
	return count;
}

// Points.

// Beyond this part of the radius a sampled arc would look angular.
#define COARSEST_PART 0.02

// Closer than this, in snaps, to its arc a polyline need not be, however narrow the passage.
#define FINEST_TOLERANCE 0.01

static void push_point(NcQuery* query, NcVec2 point)
{
	int count = query->points.count;
	bool is_repeated = count > 0 && query->points.data[count - 1].x == point.x &&
					   query->points.data[count - 1].y == point.y;
	if (!is_repeated)
	{
		nc_array_push(&query->points, point);
	}
}

void nc_route_build_points(NcQuery* query, NcVec2 start, NcVec2 goal)
{
	const NcRouteMemory* memory = &query->route;
	query->points.count = 0;
	push_point(query, start);
	for (int i = 0; i < memory->pieces.count && !nc_query_failed(query); ++i)
	{
		const NcRoutePiece* piece = &memory->pieces.data[i];
		if (piece->angle == 0.0)
		{
			// What follows an arc begins on its last tangent.
			bool is_before_arc = i + 1 < memory->pieces.count && piece[1].angle != 0.0;
			is_before_arc ? (void)0 : push_point(query, piece->to);
			continue;
		}
		double tolerance = nc_clamp(memory->rooms.data[i], FINEST_TOLERANCE,
			FINEST_TOLERANCE + COARSEST_PART * piece->radius);
		int parts = nc_route_count_parts(piece, tolerance);
		for (int k = 0; k < parts; ++k)
		{
			push_point(query, nc_route_get_corner(piece, k, parts));
		}
	}
	if (!nc_query_failed(query))
	{
		query->points.count > 1 ? (void)0 : (void)nc_array_push(&query->points, goal);
		query->points.data[query->points.count - 1] = goal;
	}
}
