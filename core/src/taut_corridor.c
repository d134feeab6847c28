// SPDX-License-Identifier: MIT
// From the best node of a search to its corridor and its string: see taut.h.

#include "taut.h"

// The corridor of the best string.

// Append the pieces of a way to a node, the first one last.
static void trace_back(NcTaut* taut, int index, int walked)
{
	NcRouteMemory* memory = &taut->query->route;
	while (index != NC_NULL_INDEX)
	{
		const NcTautNode* node = &memory->nodes.data[index];
		int piece = node->piece;
		int begin = memory->trace.count;
		for (int i = 0; i < walked; ++i)
		{
			nc_array_push(&memory->trace, piece);
			piece = nc_piece_next(taut->diagram, piece);
		}
		for (int i = begin, j = memory->trace.count - 1; i < j; ++i, --j)
		{
			int swapped = memory->trace.data[i];
			memory->trace.data[i] = memory->trace.data[j];
			memory->trace.data[j] = swapped;
		}
		walked = node->skipped;
		index = node->parent;
	}
}

static void push_arc(NcTaut* taut, int piece)
{
	NcPathArc item = {piece, nc_arc_of_piece(taut->diagram, piece)};
	nc_array_push(&taut->query->arcs, item);
}

static void build_corridor(NcTaut* taut)
{
	NcQuery* query = taut->query;
	NcRouteMemory* memory = &query->route;
	const NcTautMark* mark = &taut->marks[taut->best.mark];
	memory->trace.count = 0;
	trace_back(taut, taut->best.node, taut->best.walked + (mark->phase == NC_TAUT_END));
	query->arcs.count = 0;
	for (int i = memory->trace.count - 1; i >= 0; --i)
	{
		push_arc(taut, memory->trace.data[i]);
	}
	memory->trace.count = 0;
	trace_back(taut, mark->node, mark->phase == NC_TAUT_BEGIN);
	if (memory->trace.count == 0)
	{
		push_arc(taut, mark->piece);
	}
	for (int i = 0; i < memory->trace.count; ++i)
	{
		push_arc(taut, nc_piece_twin(taut->diagram, memory->trace.data[i]));
	}
	nc_route_cut_corridor(query, taut->ends);
}

// How far the string can be moved away from a corner, at most: to the middle of the corridor.
static double find_room(const NcTaut* taut, int vertex)
{
	const NcQuery* query = taut->query;
	double room = HUGE_VAL;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		const NcPathArc* item = &query->arcs.data[i];
		NcFeature right = nc_piece_owner(taut->diagram, item->piece);
		NcFeature left = nc_piece_owner(taut->diagram, nc_piece_twin(taut->diagram, item->piece));
		if (right == nc_cone_feature(vertex) || left == nc_cone_feature(vertex))
		{
			NcVec2 position;
			room = nc_min(room, nc_arc_find_min(&item->arc, &position));
		}
	}
	return room < HUGE_VAL ? nc_max(room - taut->ends->radius, 0.0) : 0.0;
}

static void push_peg(NcTaut* taut, NcPeg peg, int vertex)
{
	NcRouteMemory* memory = &taut->query->route;
	NcStringPeg added = {.peg = peg, .corner = vertex, .side = peg.offset < 0.0 ? 0 : 1};
	if (memory->string.count > 0)
	{
		const NcStringPeg* last = &memory->string.data[memory->string.count - 1];
		NcTangent tangent = nc_peg_tangent(last->peg, peg);
		added.direction = tangent.direction;
		added.length = tangent.length;
	}
	bool is_round = peg.offset != 0.0 && vertex != NC_NULL_INDEX;
	added.room = is_round ? find_room(taut, vertex) : 0.0;
	nc_array_push(&memory->string, added);
}

static void build_string(NcTaut* taut)
{
	NcRouteMemory* memory = &taut->query->route;
	memory->trace.count = memory->string.count = 0;
	for (int i = taut->best.root; i != NC_NULL_INDEX; i = memory->roots.data[i].parent)
	{
		nc_array_push(&memory->trace, i);
	}
	for (int i = memory->trace.count - 1; i >= 0 && !memory->string.failed; --i)
	{
		const NcTautRoot* root = &memory->roots.data[memory->trace.data[i]];
		push_peg(
			taut, root->peg, root->corner == NC_NULL_INDEX ? NC_NULL_INDEX : root->corner >> 1);
	}
	if (taut->best.is_bent && !memory->string.failed)
	{
		push_peg(taut, taut->best.bend, taut->best.bend_corner);
	}
	if (!memory->string.failed)
	{
		push_peg(taut, taut->goal, NC_NULL_INDEX);
	}
}

bool nc_taut_build(NcTaut* taut)
{
	build_corridor(taut);
	build_string(taut);
	if (nc_query_failed(taut->query))
	{
		return false;
	}
	nc_route_build_pieces(&taut->query->route);
	return !nc_query_failed(taut->query);
}
