// SPDX-License-Identifier: MIT
// Where the search for the shortest string begins and ends: see taut.h.
//
// The search goes from portal to portal, so it begins with the first portals that the start is in
// front of. Places from which the goal is seen are marked in the same way, before the search.

#include "taut.h"

// Around the start and the goal, how many vertices at most their discs contain in a row.
#define MAX_SEED_DEPTH 24

// No more edges than this are looked at. A map whose positions make no sense, from a damaged file,
// could have a portal nowhere.
#define MAX_SEEDS 1024

static bool is_goal_arc(const NcTaut* taut, int piece)
{
	int goal = taut->ends->goal_anchor->piece;
	return piece == goal || piece == nc_piece_twin(taut->diagram, goal);
}

int nc_taut_choose_next_phase(const NcTaut* taut, const NcTautNode* node)
{
	bool passes_goal = is_goal_arc(taut, node->piece) && node->phase != NC_TAUT_GOAL;
	bool is_backward = nc_taut_get_edge(taut, node->piece) & 1;
	passes_goal &= node->phase != NC_TAUT_START || taut->is_goal_ahead[is_backward];
	return passes_goal ? NC_TAUT_GOAL : NC_TAUT_END;
}

NcPortal nc_taut_make_portal(const NcTaut* taut, int piece, int phase)
{
	const NcDiagram* diagram = taut->diagram;
	const NcAnchor* anchor =
		phase == NC_TAUT_START ? taut->ends->start_anchor : taut->ends->goal_anchor;
	if (phase == NC_TAUT_START || phase == NC_TAUT_GOAL)
	{
		return nc_portal_make(diagram, piece, anchor->position, anchor->clearance);
	}
	int at = phase == NC_TAUT_END ? nc_piece_twin(diagram, piece) : piece;
	const NcJunction* junction = nc_piece_junction(diagram, at);
	return nc_portal_make(diagram, piece, junction->position, junction->clearance);
}

// Start and goal.

bool nc_taut_enter_edge(const NcTaut* taut, NcTautNode* node, const NcAnchor* target)
{
	int edge_of = nc_taut_get_edge(taut, node->piece);
	const NcGraphEdge* edge = &taut->graph->edges.data[edge_of >> 1];
	int begin = edge_of & 1;
	node->left = edge->arc_count;
	node->is_last = false;
	if (edge_of >> 1 == target->edge && edge->min_clearance < taut->ends->radius)
	{
		node->left = begin == 0 ? target->arc + 1 : edge->arc_count - target->arc;
		node->is_last = true;
		return target->clearance_to[begin] >= taut->ends->radius;
	}
	if (edge->min_clearance < taut->ends->radius)
	{
		nc_query_refuse(taut->query, edge->min_clearance);
		return false;
	}
	// Nobody needs a dead end without the target.
	bool is_dead_end = taut->graph->vertices.data[edge->vertices[!begin]].end_count == 1;
	return !is_dead_end || edge_of >> 1 == target->edge;
}

static void begin_at_start(NcTaut* taut, NcTautNode node)
{
	NcPeg start = taut->query->route.roots.data[0].peg;
	for (int side = 0; side < 2; ++side)
	{
		node.limits[side] =
			nc_taut_find_limit(start, &node.portal, side, taut->ends->radius, &node.can_bend[side]);
		node.has_limit[side] = node.is_at_foot[side] = true;
	}
	nc_taut_push_node(taut, node);
}

// The goal.

static bool is_free(const NcTaut* taut, NcPeg from, NcPeg to)
{
	NcVec2 u = nc_peg_tangent(from, to).direction;
	return nc_locate_is_segment_clear(taut->diagram, nc_peg_touch(from, u), nc_peg_touch(to, u),
		taut->ends->radius - NC_TAUT_SLACK);
}

// Whether the disc really can walk along a string: its straight pieces are measured against all
// walls around them, and its arcs have their ends in common with these. A point touches corners, so
// there is nothing to measure for it.
static bool is_clear(NcTaut* taut, const NcTautString* string)
{
	NcTautRoot* roots = taut->query->route.roots.data;
	if (taut->ends->radius <= NC_TAUT_SLACK)
	{
		return true;
	}
	NcPeg last = roots[string->root].peg;
	if (string->is_bent && !is_free(taut, last, string->bend))
	{
		return false;
	}
	if (!is_free(taut, string->is_bent ? string->bend : last, taut->goal))
	{
		return false;
	}
	for (int i = string->root; roots[i].parent != NC_NULL_INDEX; i = roots[i].parent)
	{
		NcTautRoot* root = &roots[i];
		if (root->state == NC_ROOT_UNKNOWN)
		{
			bool is_good = is_free(taut, roots[root->parent].peg, root->peg);
			root->state = is_good ? NC_ROOT_CLEAR : NC_ROOT_BLOCKED;
		}
		if (root->state == NC_ROOT_BLOCKED)
		{
			return false;
		}
	}
	return true;
}

// @return false if the string is not free
static bool offer(NcTaut* taut, NcTautString string)
{
	if (!(string.length < taut->limit - NC_TAUT_SAME_LENGTH))
	{
		return true;
	}
	bool is_good = is_clear(taut, &string) || nc_taut_repair(taut, &string);
	if (!(string.length < taut->limit - NC_TAUT_SAME_LENGTH))
	{
		return is_good;
	}
	taut->limit = is_good ? string.length : taut->limit;
	taut->best = is_good ? string : taut->best;
	return is_good;
}

// A string that bends around a corner before it reaches the goal.
// @return false if the corner does not hold it
static bool try_bend(
	NcTaut* taut, const NcTautNode* node, NcTautFoot corner, int side, NcTautString string)
{
	const NcTautRoot* root = &taut->query->route.roots.data[node->root];
	NcPeg foot = {corner.position, nc_side_sign(side) * taut->ends->radius};
	NcTangent straight = nc_peg_tangent(root->peg, taut->goal);
	NcTangent in = nc_peg_tangent(root->peg, foot);
	NcTangent out = nc_peg_tangent(foot, taut->goal);
	bool is_seen =
		!node->has_limit[side] || !nc_taut_is_outside(side, node->limits[side], in.direction);
	if (!is_seen || !nc_taut_is_outside(side, in.direction, straight.direction) ||
		!(nc_side_sign(side) * nc_cross(in.direction, out.direction) > 0.0))
	{
		return false;
	}
	NcTautRoot bend = {.peg = foot, .arrival = in.direction};
	string.length = root->cost + nc_taut_compute_arc(root, in.direction) + in.length +
					nc_taut_compute_arc(&bend, out.direction) + out.length;
	string.is_bent = true;
	string.bend = foot;
	string.bend_corner = corner.corner;
	offer(taut, string);
	return true;
}

// Something between the last portal and the goal is in the way: one of the corners around the goal.
static void try_goal_feet(NcTaut* taut, const NcTautNode* node, NcTautString string)
{
	for (int i = 0; i < taut->foot_count; ++i)
	{
		try_bend(taut, node, taut->feet[i], NC_RIGHT, string);
		try_bend(taut, node, taut->feet[i], NC_LEFT, string);
	}
}

static void try_goal(NcTaut* taut, const NcTautWalk* walk, int mark)
{
	const NcTautNode* node = &walk->node;
	const NcTautRoot* root = &taut->query->route.roots.data[node->root];
	NcTangent straight = nc_peg_tangent(root->peg, taut->goal);
	NcTautString string = {
		.length = root->cost + straight.length,
		.node = walk->index,
		.walked = walk->walked,
		.mark = mark,
		.root = node->root,
	};
	if (!(string.length < taut->limit))
	{
		return;
	}
	for (int side = 0; side < 2; ++side)
	{
		// The foot may hold the string before the portal or behind it.
		NcTautFoot foot = {node->portal.feet[side], node->portal.corners[side]};
		bool can_hold = node->has_limit[side] && foot.corner != NC_NULL_INDEX;
		bool is_beyond = node->has_limit[side] &&
						 nc_taut_is_outside(side, node->limits[side], straight.direction);
		if ((can_hold && try_bend(taut, node, foot, side, string)) || is_beyond)
		{
			return;
		}
	}
	string.length += nc_taut_compute_arc(root, straight.direction);
	if (!offer(taut, string))
	{
		try_goal_feet(taut, node, string);
	}
}

void nc_taut_check_marks(NcTaut* taut, const NcTautWalk* walk)
{
	for (int i = 0; i < taut->mark_count; ++i)
	{
		const NcTautMark* mark = &taut->marks[i];
		if (mark->piece == walk->node.piece && mark->phase == walk->node.phase)
		{
			try_goal(taut, walk, i);
		}
	}
}

// Seeds.

static void mark_goal(NcTaut* taut, NcTautNode node)
{
	int index = nc_taut_add_node(taut, node);
	if (index != NC_NULL_INDEX && taut->mark_count < NC_TAUT_MAX_MARKS)
	{
		static const int phases[] = {[NC_TAUT_BEGIN] = NC_TAUT_END,
			[NC_TAUT_GOAL] = NC_TAUT_GOAL,
			[NC_TAUT_END] = NC_TAUT_BEGIN};
		taut->marks[taut->mark_count++] =
			(NcTautMark){nc_piece_twin(taut->diagram, node.piece), phases[node.phase], index};
		taut->ends_filter |= nc_taut_filter_bit(taut, node.piece);
	}
}

// At a portal that does not separate the start from the goal, which is marked behind it, the start
// may see the goal at once.
static void try_direct(NcTaut* taut, const NcTautNode* node, int index, int walked)
{
	for (int i = 0; i < taut->mark_count && !taut->is_close; ++i)
	{
		const NcTautMark* mark = &taut->marks[i];
		if (mark->piece != node->piece || mark->phase != node->phase)
		{
			continue;
		}
		double radius = nc_max(taut->ends->radius - NC_TAUT_SLACK, 0.0);
		taut->is_close =
			!nc_locate_is_segment_clear(taut->diagram, taut->ends->start, taut->ends->goal, radius);
		if (!taut->is_close)
		{
			offer(taut, (NcTautString){.length = nc_distance(taut->ends->start, taut->ends->goal),
							.node = index,
							.walked = walked,
							.mark = i});
		}
	}
}

static void add_feet(NcTaut* taut, const NcPortal* portal)
{
	for (int side = 0; side < 2 && taut->ends->radius > 0.0; ++side)
	{
		NcTautFoot foot = {portal->feet[side], portal->corners[side]};
		bool is_known = foot.corner == NC_NULL_INDEX || taut->foot_count >= NC_TAUT_MAX_FEET;
		for (int i = 0; i < taut->foot_count && !is_known; ++i)
		{
			is_known = taut->feet[i].corner == foot.corner;
		}
		if (!is_known)
		{
			taut->feet[taut->foot_count++] = foot;
		}
	}
}

// Go from the start or from the goal along an edge, until a portal separates it from what follows.
static void seed(NcTaut* taut, NcTautNode node, NcVec2 point, int depth)
{
	if (++taut->seed_count > MAX_SEEDS)
	{
		return;
	}
	bool is_start = node.root == 0;
	int walked = 0;
	int index = nc_taut_add_node(taut, node);
	for (;;)
	{
		node.portal = nc_taut_make_portal(taut, node.piece, node.phase);
		is_start ? (void)0 : add_feet(taut, &node.portal);
		if (nc_portal_side(&node.portal, point, taut->ends->radius) > 0.0)
		{
			node.parent = index;
			node.skipped = walked;
			is_start ? begin_at_start(taut, node) : mark_goal(taut, node);
			return;
		}
		is_start ? try_direct(taut, &node, index, walked) : (void)0;
		if (node.phase != NC_TAUT_END)
		{
			node.phase = is_start ? nc_taut_choose_next_phase(taut, &node) : NC_TAUT_END;
			continue;
		}
		++walked;
		if (--node.left <= 0)
		{
			break;
		}
		node.piece = nc_piece_next(taut->diagram, node.piece);
		node.phase = NC_TAUT_BEGIN;
	}
	int back = nc_piece_twin(taut->diagram, node.piece);
	for (int q = nc_piece_around(taut->diagram, back);
		 q != back && !node.is_last && depth < MAX_SEED_DEPTH;
		 q = nc_piece_around(taut->diagram, q))
	{
		NcTautNode next = node;
		next.piece = q;
		next.phase = NC_TAUT_BEGIN;
		next.parent = index;
		next.skipped = walked;
		if (nc_taut_enter_edge(
				taut, &next, is_start ? taut->ends->goal_anchor : taut->ends->start_anchor))
		{
			seed(taut, next, point, depth + 1);
		}
	}
}

// How many arcs can be walked from an anchor to an end of its edge. If the edge is too narrow
// there, that leads nowhere, except to the start or the goal on the same edge.
static int count_arcs(const NcTaut* taut, const NcAnchor* anchor, int end)
{
	int arc_count = taut->graph->edges.data[anchor->edge].arc_count;
	int count = end == 1 ? arc_count - anchor->arc : anchor->arc + 1;
	if (anchor->clearance_to[end] >= taut->ends->radius)
	{
		return count;
	}
	const NcAnchor* start = taut->ends->start_anchor;
	const NcAnchor* goal = taut->ends->goal_anchor;
	const NcAnchor* other = anchor == start ? goal : start;
	bool is_there = anchor->edge == other->edge &&
					(end == 1 ? other->arc >= anchor->arc : other->arc <= anchor->arc) &&
					nc_query_find_clearance_between(taut->query, start, goal) >= taut->ends->radius;
	return !is_there ? 0 : end == 1 ? other->arc - anchor->arc + 1 : anchor->arc - other->arc + 1;
}

static void seed_anchor(NcTaut* taut, const NcAnchor* anchor, NcVec2 point, int phase)
{
	for (int end = 0; end < 2; ++end)
	{
		NcTautNode node = {
			.piece = end == 1 ? anchor->piece : nc_piece_twin(taut->diagram, anchor->piece),
			.left = count_arcs(taut, anchor, end),
			.is_last = anchor->clearance_to[end] < taut->ends->radius,
			.phase = phase,
			.parent = NC_NULL_INDEX,
			.root = phase == NC_TAUT_START ? 0 : NC_NULL_INDEX,
		};
		if (node.left > 0)
		{
			seed(taut, node, point, 0);
		}
	}
}

void nc_taut_seed(NcTaut* taut)
{
	const NcRouteEnds* ends = taut->ends;
	bool is_same_edge = ends->start_anchor->edge == ends->goal_anchor->edge;
	double ahead = ends->goal_anchor->length_to[0] - ends->start_anchor->length_to[0];
	taut->is_goal_ahead[0] = is_same_edge && ahead > 0.0;
	taut->is_goal_ahead[1] = is_same_edge && ahead < 0.0;
	taut->ends_filter = nc_taut_filter_bit(taut, ends->start_anchor->piece) |
						nc_taut_filter_bit(taut, ends->goal_anchor->piece);
	seed_anchor(taut, ends->goal_anchor, ends->goal, NC_TAUT_GOAL);
	seed_anchor(taut, ends->start_anchor, ends->start, NC_TAUT_START);
}
