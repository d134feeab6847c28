// SPDX-License-Identifier: MIT
// The taut string of a disc through one corridor: the funnel algorithm, with arcs.
//
// A funnel is the set of taut strings from the last certain peg, its apex, to everything between
// the feet of a portal: a chain of pegs on the left and one on the right. The next portal narrows
// it. Pegs of a chain that are no longer needed are dropped; when a chain is used up and the other
// one is in the way, the apex moves on along that one.
//
// Portals that do not separate start and goal are left out: close to its start, the medial axis may
// come from behind.
//
// This work is based on:
// Lee, Preparata. Euclidean shortest paths in the presence of rectilinear barriers. 1984
// Demyen, Buro. Efficient triangulation-based pathfinding. 2006

#include "query_state.h"

#include "check.h"

// Portals.

// Feet closer than this, in snaps, are the same: different obstacle points are much farther apart.
#define SAME_FOOT 1e-3

static bool is_same_foot(NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(a, b)) <= SAME_FOOT * SAME_FOOT;
}

// The closest point of a feature. The end of a wall is the corner there, although the corner's own
// cell may begin beside this place, or be too small to be a part of the diagram.
static NcVec2 get_foot(const NcDiagram* diagram, NcFeature feature, NcVec2 p, int* corner)
{
	int index = nc_feature_index(feature);
	NcVec2 foot = nc_diagram_compute_foot(diagram, feature, p);
	*corner = nc_feature_is_cone(feature) ? index : NC_NULL_INDEX;
	if (!nc_feature_is_cone(feature))
	{
		const NcWall* wall = &diagram->sites.walls.data[index >> 1];
		const int* ends = diagram->snap.fragments.data[index >> 1].vertices;
		int vertex = is_same_foot(foot, wall->a)   ? ends[0]
					 : is_same_foot(foot, wall->b) ? ends[1]
												   : NC_NULL_INDEX;
		bool has_cone = vertex != NC_NULL_INDEX && diagram->sites.has_cone.data[vertex];
		*corner = has_cone ? vertex : NC_NULL_INDEX;
		foot = has_cone ? diagram->sites.cones.data[vertex].apex : foot;
	}
	return foot;
}

NcPortal nc_portal_make(const NcDiagram* diagram, int piece, NcVec2 position, double clearance)
{
	NcPortal portal = {.position = position, .clearance = clearance};
	NcFeature right = nc_piece_owner(diagram, piece);
	NcFeature left = nc_piece_owner(diagram, nc_piece_twin(diagram, piece));
	portal.feet[NC_RIGHT] = get_foot(diagram, right, position, &portal.corners[NC_RIGHT]);
	portal.feet[NC_LEFT] = get_foot(diagram, left, position, &portal.corners[NC_LEFT]);
	return portal;
}

NcPeg nc_portal_peg(const NcPortal* portal, int side, double radius)
{
	return (NcPeg){portal->feet[side], nc_side_sign(side) * radius};
}

NcVec2 nc_portal_shrink(const NcPortal* portal, int side, double radius)
{
	double part = radius < portal->clearance ? radius / portal->clearance : 1.0;
	return nc_lerp(portal->feet[side], portal->position, part);
}

double nc_portal_side(const NcPortal* portal, NcVec2 p, double radius)
{
	NcVec2 right = nc_portal_shrink(portal, NC_RIGHT, radius);
	NcVec2 chord = nc_sub(portal->feet[NC_LEFT], portal->feet[NC_RIGHT]);
	return nc_cross(chord, nc_sub(p, right));
}

static NcPortal make_end_portal(const NcQuery* query, const NcPathArc* item, int end)
{
	const NcArc* arc = &item->arc;
	return nc_portal_make(
		&query->map->world.diagram, item->piece, arc->ends[end], arc->clearances[end]);
}

static bool has_same_feet(const NcPortal* a, const NcPortal* b)
{
	return a->feet[0].x == b->feet[0].x && a->feet[0].y == b->feet[0].y &&
		   a->feet[1].x == b->feet[1].x && a->feet[1].y == b->feet[1].y;
}

// Where one arc of an edge hands over to the next one, feet and place are the same. Between two
// corners the feet are the same everywhere; the narrowest place counts. At start and goal it
// matters on which side of a portal they are, so all are kept there.
static void build_portals(NcQuery* query)
{
	const NcDiagram* diagram = &query->map->world.diagram;
	NcRouteMemory* memory = &query->route;
	int last_edge = NC_NULL_INDEX;
	int first_inner = 0;
	memory->portals.count = 0;
	for (int i = 0; i < query->arcs.count; ++i)
	{
		const NcPathArc* item = &query->arcs.data[i];
		int edge = diagram->records.data[item->piece].edge;
		bool is_inner = i > 0 && i + 1 < query->arcs.count;
		for (int end = edge != last_edge ? 0 : 1; end < 2; ++end)
		{
			NcPortal portal = make_end_portal(query, item, end);
			NcPortal* last = is_inner && memory->portals.count > first_inner
								 ? &memory->portals.data[memory->portals.count - 1]
								 : NULL;
			if (last == NULL || !has_same_feet(last, &portal))
			{
				nc_array_push(&memory->portals, portal);
			}
			else if (portal.clearance < last->clearance)
			{
				*last = portal;
			}
		}
		first_inner = i == 0 ? memory->portals.count : first_inner;
		last_edge = edge;
	}
}

// Leave out what the start is not in front of, and what the goal is not behind.
static void find_separating(
	const NcQuery* query, NcVec2 start, NcVec2 goal, double radius, int* begin, int* end)
{
	const NcPortal* portals = query->route.portals.data;
	*begin = 0;
	*end = query->route.portals.count;
	while (*begin < *end && !(nc_portal_side(&portals[*begin], start, radius) > 0.0))
	{
		++*begin;
	}
	while (*begin < *end && !(nc_portal_side(&portals[*end - 1], goal, radius) < 0.0))
	{
		--*end;
	}
}

// The funnel: a queue with the apex inside, the left chain above it, the right chain below.
typedef struct Funnel
{
	NcStringPeg* pegs;
	int apex, ends[2];
} Funnel;

static NcStringPeg connect(const NcStringPeg* from, NcStringPeg to)
{
	NcTangent tangent = nc_peg_tangent(from->peg, to.peg);
	to.direction = tangent.direction;
	to.length = tangent.length;
	return to;
}

// Move the apex to the next peg of a chain; the string up to there is certain.
static void move_apex(NcQuery* query, Funnel* funnel, int side)
{
	funnel->apex += side == NC_LEFT ? 1 : -1;
	nc_array_push(&query->route.string, funnel->pegs[funnel->apex]);
}

// A passage between two pegs that is seen at a small angle hides itself: the strings to its two
// pegs cross, although their centres are on their sides. The nearer one is met first. If that is
// the added one, both strings wind around it: it is the new apex, where the other chain begins.
static bool is_met_first(int side, const NcStringPeg* added, const NcStringPeg* other)
{
	NcVec2 between = nc_sub(added->peg.center, other->peg.center);
	return nc_dot(between, other->direction) < 0.0 &&
		   nc_side_sign(side) * nc_cross(other->direction, between) > 0.0;
}

static void insert_apex(NcQuery* query, Funnel* funnel, int side, NcStringPeg added)
{
	int step = side == NC_LEFT ? 1 : -1;
	double sign = nc_side_sign(side);
	NcStringPeg* pegs = funnel->pegs;
	added = connect(&pegs[funnel->apex], added);
	nc_array_push(&query->route.string, added);

	// Pegs of the other chain that its string passes by now.
	int first = funnel->apex - step;
	while (first != funnel->ends[!side])
	{
		NcStringPeg direct = connect(&added, pegs[first - step]);
		NcStringPeg next = connect(&added, pegs[first]);
		if (sign * nc_cross(next.direction, direct.direction) < 0.0)
		{
			break;
		}
		first -= step;
	}
	pegs[first] = connect(&added, pegs[first]);
	funnel->apex = first + step;
	funnel->ends[side] = funnel->apex;
	pegs[funnel->apex] = added;
}

static void add_peg(NcQuery* query, Funnel* funnel, int side, NcStringPeg added)
{
	int step = side == NC_LEFT ? 1 : -1;
	double sign = nc_side_sign(side);
	NcStringPeg* pegs = funnel->pegs;
	int* end = &funnel->ends[side];

	// Pegs that the string to the added one passes by.
	while (*end != funnel->apex)
	{
		NcStringPeg next = connect(&pegs[*end - step], added);
		if (sign * nc_cross(pegs[*end].direction, next.direction) > 0.0)
		{
			break;
		}
		*end -= step;
	}

	// Pegs of the other side that it winds around.
	while (*end == funnel->apex && funnel->ends[!side] != funnel->apex)
	{
		NcStringPeg next = connect(&pegs[funnel->apex], added);
		const NcStringPeg* other = &pegs[funnel->apex - step];
		if (sign * nc_cross(other->direction, next.direction) >= 0.0)
		{
			break;
		}
		if (is_met_first(side, &added, other))
		{
			insert_apex(query, funnel, side, added);
			return;
		}
		move_apex(query, funnel, !side);
		*end = funnel->apex;
	}
	added = connect(&pegs[*end], added);
	*end += step;
	pegs[*end] = added;
}

// Where a wall hands over to the corner at its end, the foot stays. It becomes the corner, wherever
// it is by now: at the end of its chain, or the apex.
static void update_foot(NcQuery* query, Funnel* funnel, int side, NcStringPeg added)
{
	NcStringPeg* last = &funnel->pegs[funnel->ends[side]];
	last->room = nc_min(last->room, added.room);
	if (added.corner != NC_NULL_INDEX && last->corner == NC_NULL_INDEX)
	{
		last->corner = added.corner;
		last->peg = added.peg;
	}
	if (funnel->ends[side] == funnel->apex && !query->route.string.failed)
	{
		query->route.string.data[query->route.string.count - 1] = *last;
	}
}

static NcStringPeg make_peg(const NcPortal* portal, int side, double radius)
{
	return (NcStringPeg){
		.peg = nc_portal_peg(portal, side, radius),
		.room = portal->clearance - radius,
		.corner = portal->corners[side],
		.side = side,
	};
}

static void add_portal(
	NcQuery* query, Funnel* funnel, const NcPortal* portal, NcVec2 feet[2], double radius)
{
	for (int side = 0; side < 2; ++side)
	{
		NcStringPeg added = make_peg(portal, side, radius);
		bool is_same = is_same_foot(portal->feet[side], feet[side]);
		feet[side] = portal->feet[side];
		!is_same ? add_peg(query, funnel, side, added) : update_foot(query, funnel, side, added);
	}
}

// Whether a peg holds the string. The middle of a wall can do so by a rounding error only, and a
// peg that was the apex for a while may have been passed by since.
static bool is_holding(const NcStringPeg* before, const NcStringPeg* peg, const NcStringPeg* after)
{
	NcVec2 in = connect(before, *peg).direction;
	NcVec2 out = connect(peg, *after).direction;
	double turn = nc_cross(in, out);
	return peg->corner != NC_NULL_INDEX && (peg->side == NC_LEFT ? turn > 0.0 : turn < 0.0);
}

static void drop_loose_pegs(NcQuery* query)
{
	NcStringPeg* pegs = query->route.string.data;
	int count = 1;
	for (int i = 1; i < query->route.string.count; ++i)
	{
		while (count > 1 && !is_holding(&pegs[count - 2], &pegs[count - 1], &pegs[i]))
		{
			--count;
		}
		pegs[count] = connect(&pegs[count - 1], pegs[i]);
		++count;
	}
	query->route.string.count = count;
}

// The goal ends the string. It may lie beside the last pegs, so what counts is whether they hold a
// string that goes on to the goal, not in which direction it lies.
static void end_string(NcQuery* query, Funnel* funnel, NcStringPeg goal)
{
	for (int side = 0; side < 2; ++side)
	{
		int step = side == NC_LEFT ? 1 : -1;
		while (funnel->ends[side] != funnel->apex)
		{
			const NcStringPeg* last = &funnel->pegs[funnel->ends[side]];
			NcVec2 out = connect(last, goal).direction;
			if (nc_side_sign(side) * nc_cross(last->direction, out) > 0.0)
			{
				break;
			}
			funnel->ends[side] -= step;
		}
	}
	int side = funnel->ends[NC_LEFT] != funnel->apex ? NC_LEFT : NC_RIGHT;
	while (funnel->apex != funnel->ends[side] && !query->route.string.failed)
	{
		move_apex(query, funnel, side);
	}
	nc_array_push(&query->route.string, connect(&funnel->pegs[funnel->apex], goal));
}

static void run_funnel(NcQuery* query, int begin, int end, NcVec2 start, NcVec2 goal, double radius)
{
	NcRouteMemory* memory = &query->route;
	int capacity = 2 * (end - begin) + 3;
	memory->string.count = 0;
	if (!nc_array_reserve(&memory->funnel, capacity))
	{
		return;
	}
	int middle = capacity / 2;
	Funnel funnel = {memory->funnel.data, middle, {middle, middle}};
	NcStringPeg first = {.peg = {start, 0.0}, .corner = NC_NULL_INDEX};
	funnel.pegs[middle] = first;
	nc_array_push(&memory->string, first);
	NcVec2 feet[2] = {{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
	for (int i = begin; i < end; ++i)
	{
		const NcPortal* portal = &memory->portals.data[i];
		add_portal(query, &funnel, portal, feet, radius);
	}
	end_string(query, &funnel, (NcStringPeg){.peg = {goal, 0.0}, .corner = NC_NULL_INDEX});
}

// Pieces.

static void push_piece(NcRouteMemory* memory, NcRoutePiece piece, double room)
{
	if (piece.length > 0.0)
	{
		nc_array_push(&memory->pieces, piece);
		nc_array_push(&memory->rooms, room);
	}
}

void nc_route_build_pieces(NcRouteMemory* memory)
{
	const NcStringPeg* pegs = memory->string.data;
	memory->pieces.count = memory->rooms.count = 0;
	NcVec2 at = pegs[0].peg.center;
	for (int i = 1; i < memory->string.count; ++i)
	{
		const NcStringPeg* peg = &pegs[i];
		NcVec2 touch = nc_peg_touch(peg->peg, peg->direction);
		push_piece(memory, (NcRoutePiece){.from = at, .to = touch, .length = peg->length}, 0.0);
		at = touch;
		if (i + 1 < memory->string.count && peg->peg.offset != 0.0)
		{
			double angle = nc_peg_turn(peg->peg, peg->direction, pegs[i + 1].direction);
			at = nc_peg_touch(peg->peg, pegs[i + 1].direction);
			NcRoutePiece arc = {
				.from = touch,
				.to = at,
				.length = angle * fabs(peg->peg.offset),
				.angle = peg->peg.offset > 0.0 ? angle : -angle,
				.center = peg->peg.center,
				.radius = fabs(peg->peg.offset),
			};
			push_piece(memory, arc, peg->room);
		}
	}
}

double nc_route_pull(NcQuery* query, NcVec2 start, NcVec2 goal, double radius)
{
	int begin, end;
	build_portals(query);
	if (query->route.portals.failed)
	{
		return HUGE_VAL;
	}
	find_separating(query, start, goal, radius, &begin, &end);
	run_funnel(query, begin, end, start, goal, radius);
	if (query->route.funnel.failed || query->route.string.failed)
	{
		return HUGE_VAL;
	}
	drop_loose_pegs(query);
	nc_route_build_pieces(&query->route);
	double length = 0.0;
	for (int i = 0; i < query->route.pieces.count; ++i)
	{
		length += query->route.pieces.data[i].length;
	}
	return length;
}
