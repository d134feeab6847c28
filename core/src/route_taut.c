// SPDX-License-Identifier: MIT
// The search for the shortest string of all, through whatever corridor.
//
// Portals cut the free space into convex parts whose corners are obstacle points. So the search
// that is exact and fast on navigation meshes works here: a node is a set of strings that leave the
// same root (the start, or a corner at which they bend) between two directions and have just passed
// one portal. It is followed from portal to portal. What a portal cuts off on a side where the
// limit is a corner becomes a new node whose root is that corner. Nodes are taken by the least
// length that their strings can have to the goal; a corner that was reached on a shorter way is not
// tried again. With radius zero this is Polyanya; a disc's corners are round, and lengths include
// the arcs.
//
// This work is based on:
// Cui, Harabor, Grastien. Compromise-free pathfinding on a navigation mesh. 2017

#include "query_state.h"

#include "check.h"

// What of a piece a node has passed.
enum
{
	AT_BEGIN,
	AT_START, ///< the place of the start
	AT_GOAL,  ///< the place of the goal
	AT_END,
};

// Directions that differ by less than this, in radians, are the same.
#define SAME_DIRECTION 1e-11

// Feet closer than this, in snaps, are the same.
#define SAME_FOOT 1e-3

// Strings that are shorter by less than this, in snaps, are not better.
#define SAME_LENGTH 1e-6

// Around the start and the goal, how many vertices at most their discs contain in a row.
#define MAX_SEED_DEPTH 24

// No more edges than this are looked at. A map whose positions make no sense, from a damaged file,
// could have a portal nowhere.
#define MAX_SEEDS 1024

#define MAX_MARKS 64

// After this many steps the search looks how far it has got, and gives up if so many times its
// budget would not be enough.
#define TRIAL_STEPS 256
#define HOPE 40.0

// A place from which the goal can be seen: how the medial axis goes on from there.
typedef struct Mark
{
	int piece, phase;
	int node; // of the way from the goal to there
} Mark;

typedef struct Search
{
	NcQuery* query;
	const NcDiagram* diagram;
	const NcGraph* graph;
	const NcRouteEnds* ends;
	NcPeg goal;
	bool is_goal_ahead[2]; // on the arc of the start, in the direction of the edge and against it
	Mark marks[MAX_MARKS];
	int mark_count;
	int seed_count;
	double best;
	int best_node, best_walked, best_mark; // of the best string
	int steps;
} Search;

// A node being followed.
typedef struct Walk
{
	NcTautNode node;
	int index;  // of the node that it began as
	int walked; // arcs since then
} Walk;

static int get_edge_of(const Search* search, int piece)
{
	return search->diagram->records.data[piece].edge;
}

static bool is_goal_arc(const Search* search, int piece)
{
	int goal = search->ends->goal_anchor->piece;
	return piece == goal || piece == nc_piece_twin(search->diagram, goal);
}

static NcPortal make_portal(const Search* search, int piece, int phase)
{
	const NcDiagram* diagram = search->diagram;
	const NcAnchor* anchor =
		phase == AT_START ? search->ends->start_anchor : search->ends->goal_anchor;
	if (phase == AT_START || phase == AT_GOAL)
	{
		return nc_portal_make(diagram, piece, anchor->position, anchor->clearance);
	}
	int at = phase == AT_END ? nc_piece_twin(diagram, piece) : piece;
	const NcJunction* junction = nc_piece_junction(diagram, at);
	return nc_portal_make(diagram, piece, junction->position, junction->clearance);
}

// Whether a direction lies beyond a limit, on the outer side of it.
static bool is_outside(int side, NcVec2 limit, NcVec2 direction)
{
	return nc_side_sign(side) * nc_cross(limit, direction) > SAME_DIRECTION;
}

static bool is_same_foot(NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(a, b)) <= SAME_FOOT * SAME_FOOT;
}

// What limits strings from a peg on one side of a portal. Around a corner that is the corner's
// own peg if they touch it before they reach the portal: then they can bend there. Else it is the
// portal's end; the corner may be touched later, or not at all.
static NcPeg choose_limit(
	NcPeg from, const NcPortal* portal, int side, double radius, bool* can_bend)
{
	NcPeg peg = nc_portal_peg(portal, side, radius);
	*can_bend = portal->corners[side] != NC_NULL_INDEX;
	if (radius == 0.0)
	{
		return peg;
	}
	NcVec2 end = nc_portal_shrink(portal, side, radius);
	if (*can_bend)
	{
		NcVec2 touch = nc_peg_touch(peg, nc_peg_tangent(from, peg).direction);
		NcVec2 a = nc_sub(end, peg.center);
		NcVec2 b = nc_sub(touch, peg.center);
		*can_bend = nc_side_sign(side) * nc_cross(a, b) <= 1e-4 * radius * radius;
	}
	return *can_bend ? peg : (NcPeg){end, 0.0};
}

// Lengths.

// At least as long as the arc around a root between two directions is: asin x >= x + x^3 / 6.
static double bound_arc(const NcTautRoot* root, NcVec2 direction)
{
	if (root->peg.offset == 0.0)
	{
		return 0.0;
	}
	double half = 0.5 * nc_distance(root->arrival, direction);
	return 2.0 * fabs(root->peg.offset) * half * (1.0 + half * half / 6.0);
}

static double compute_arc(const NcTautRoot* root, NcVec2 direction)
{
	if (root->peg.offset == 0.0)
	{
		return 0.0;
	}
	return fabs(root->peg.offset) * nc_peg_turn(root->peg, root->arrival, direction);
}

// The least length of strings from a root to the goal that leave along a limit: they go on from
// where it meets the portal.
static double bound_along(const Search* search, const NcTautNode* node, int side)
{
	const NcTautRoot* root = &search->query->route.roots.data[node->root];
	NcVec2 u = node->limits[side];
	NcVec2 from = nc_peg_touch(root->peg, u);
	NcVec2 right = nc_portal_shrink(&node->portal, NC_RIGHT, search->ends->radius);
	NcVec2 chord = nc_sub(node->portal.feet[NC_LEFT], node->portal.feet[NC_RIGHT]);
	double slope = nc_cross(u, chord);
	double distance = nc_cross(nc_sub(right, from), chord);
	if (!(slope > SAME_DIRECTION * nc_length(chord)) || !(distance > 0.0))
	{
		return 0.0;
	}
	distance /= slope;
	if (node->can_bend[side])
	{
		// The string may bend around the foot before it passes the portal.
		NcPeg foot = nc_portal_peg(&node->portal, side, search->ends->radius);
		distance = nc_min(distance, nc_peg_tangent(root->peg, foot).length);
	}
	NcVec2 at = nc_mul_add(from, distance, u);
	return bound_arc(root, u) + distance + nc_distance(at, search->goal.center);
}

static double bound_length(const Search* search, const NcTautNode* node)
{
	const NcTautRoot* root = &search->query->route.roots.data[node->root];
	NcTangent straight = nc_peg_tangent(root->peg, search->goal);
	bool is_behind = nc_portal_side(&node->portal, search->goal.center, search->ends->radius) < 0.0;
	for (int side = 0; side < 2 && is_behind; ++side)
	{
		if (node->has_limit[side] && is_outside(side, node->limits[side], straight.direction))
		{
			double length = bound_along(search, node, side);
			return root->cost + nc_max(length, straight.length);
		}
	}
	return root->cost + straight.length;
}

// Nodes and roots.

static int add_node(Search* search, NcTautNode node)
{
	NcRouteMemory* memory = &search->query->route;
	return nc_array_push(&memory->nodes, node) ? memory->nodes.count - 1 : NC_NULL_INDEX;
}

// Whether a node has come back to a piece without having bent anywhere: no taut string does that.
static bool is_going_around(const Search* search, const NcTautNode* node)
{
	const NcTautNode* nodes = search->query->route.nodes.data;
	int skipped = node->skipped;
	for (int i = node->parent; i != NC_NULL_INDEX && nodes[i].root == node->root;
		 i = nodes[i].parent)
	{
		if (nodes[i].piece == node->piece && skipped > 0)
		{
			return true;
		}
		skipped += nodes[i].skipped;
	}
	return false;
}

static void push_node(Search* search, NcTautNode node)
{
	node.bound = nc_max(node.bound, bound_length(search, &node));
	if (node.bound < search->best - SAME_LENGTH && !is_going_around(search, &node))
	{
		int index = add_node(search, node);
		if (index != NC_NULL_INDEX)
		{
			nc_route_push_item(&search->query->route, (NcTautItem){node.bound, index});
		}
	}
}

// By how much a root is worse than another one for the same corner and side.
static double compare_roots(const NcTautRoot* a, const NcTautRoot* b)
{
	double radius = fabs(a->peg.offset);
	double arc = 0.0;
	if (radius > 0.0)
	{
		double sine = nc_cross(a->arrival, b->arrival);
		sine = a->peg.offset < 0.0 ? -sine : sine;
		arc = radius * nc_atan2(sine, nc_dot(a->arrival, b->arrival));
	}
	return a->cost + arc - b->cost;
}

// A string that bends at a foot. @return its root, or NC_NULL_INDEX if there is a better one
static int add_root(Search* search, int parent, NcPeg peg, int side, int vertex)
{
	NcRouteMemory* memory = &search->query->route;
	const NcTautRoot* from = &memory->roots.data[parent];
	NcTangent tangent = nc_peg_tangent(from->peg, peg);
	NcTautRoot root = {
		.peg = peg,
		.arrival = tangent.direction,
		.cost = from->cost + compute_arc(from, tangent.direction) + tangent.length,
		.corner = vertex == NC_NULL_INDEX ? NC_NULL_INDEX : 2 * vertex + side,
		.parent = parent,
	};
	NcTautCorner* corner = vertex == NC_NULL_INDEX ? NULL : &memory->corners.data[root.corner];
	if (corner != NULL && corner->search == memory->search)
	{
		const NcTautRoot* known = &memory->roots.data[corner->root];
		if (known->parent == root.parent)
		{
			return corner->root;
		}
		if (compare_roots(&root, known) > -SAME_LENGTH)
		{
			return NC_NULL_INDEX;
		}
	}
	if (!nc_array_push(&memory->roots, root))
	{
		return NC_NULL_INDEX;
	}
	if (corner != NULL)
	{
		*corner = (NcTautCorner){memory->search, memory->roots.count - 1};
	}
	return memory->roots.count - 1;
}

// Whether a node's root was found to be reached on a shorter way in the meantime.
static bool is_outdated(const Search* search, const NcTautNode* node)
{
	const NcRouteMemory* memory = &search->query->route;
	const NcTautRoot* root = &memory->roots.data[node->root];
	if (root->corner == NC_NULL_INDEX)
	{
		return false;
	}
	int known = memory->corners.data[root->corner].root;
	return known != node->root && compare_roots(root, &memory->roots.data[known]) > SAME_LENGTH;
}

// Portals.

// Whether two feet whose strings cross do so only because they are round.
static bool is_oblique(const NcPortal* portal, NcVec2 direction)
{
	NcVec2 chord = nc_sub(portal->feet[NC_LEFT], portal->feet[NC_RIGHT]);
	return nc_cross(direction, chord) > 0.0;
}

// Whether a root is in front of a portal, as everything is that can see through it. Round feet may
// look a little past each other. Without this, strings would go around their root for ever.
static bool is_in_front(const NcPortal* portal, NcVec2 root, double radius)
{
	NcVec2 chord = nc_sub(portal->feet[NC_LEFT], portal->feet[NC_RIGHT]);
	double side = nc_cross(chord, nc_sub(root, portal->feet[NC_RIGHT]));
	return side >= -(2.1 * radius + SAME_FOOT) * nc_length(chord);
}

// A node that begins where a walk is now, behind a portal, with another root.
static NcTautNode start_node(const Walk* walk, const NcPortal* portal, int root)
{
	NcTautNode node = walk->node;
	node.root = root;
	node.portal = *portal;
	node.parent = walk->index;
	node.skipped = walk->walked;
	return node;
}

// A passage seen at a small angle: its feet hide each other. The string bends at the nearer one.
static void push_oblique(Search* search, const Walk* walk, int from, const NcPortal* portal)
{
	double radius = search->ends->radius;
	NcPeg pegs[2] = {nc_portal_peg(portal, 0, radius), nc_portal_peg(portal, 1, radius)};
	NcVec2 chord = nc_sub(pegs[NC_LEFT].center, pegs[NC_RIGHT].center);
	NcVec2 towards = nc_peg_tangent(search->query->route.roots.data[from].peg, pegs[0]).direction;
	int near_side = nc_dot(chord, towards) > 0.0 ? NC_RIGHT : NC_LEFT;
	int root = add_root(search, from, pegs[near_side], near_side, portal->corners[near_side]);
	if (root == NC_NULL_INDEX)
	{
		return;
	}
	NcTautNode node = start_node(walk, portal, root);
	node.has_limit[near_side] = node.is_at_foot[near_side] = node.can_bend[near_side] = false;
	node.limits[!near_side] = nc_peg_tangent(pegs[near_side], pegs[!near_side]).direction;
	node.has_limit[!near_side] = node.is_at_foot[!near_side] = node.can_bend[!near_side] = true;
	push_node(search, node);
}

// Strings that bend at a foot of the last portal and pass the next one on its outer side.
static void push_turn(
	Search* search, const Walk* walk, const NcPortal* portal, int side, bool is_same)
{
	double radius = search->ends->radius;
	const NcPortal* last = &walk->node.portal;
	NcPeg peg = nc_portal_peg(last, side, radius);
	int root = add_root(search, walk->node.root, peg, side, last->corners[side]);
	if (root == NC_NULL_INDEX)
	{
		return;
	}
	NcVec2 arrival = search->query->route.roots.data[root].arrival;
	if (!is_in_front(portal, peg.center, radius))
	{
		return;
	}
	NcTautNode node = start_node(walk, portal, root);
	NcPeg inner = choose_limit(peg, portal, !side, radius, &node.can_bend[!side]);
	NcVec2 limit = nc_peg_tangent(peg, inner).direction;
	node.is_at_foot[!side] = !is_outside(!side, arrival, limit);
	node.can_bend[!side] &= node.is_at_foot[!side];
	node.limits[!side] = node.is_at_foot[!side] ? limit : arrival;
	node.has_limit[!side] = true;
	node.has_limit[side] = node.is_at_foot[side] = !is_same;
	node.can_bend[side] = false;
	if (!is_same)
	{
		NcPeg outer = choose_limit(peg, portal, side, radius, &node.can_bend[side]);
		node.limits[side] = nc_peg_tangent(peg, outer).direction;
		if (is_outside(side, node.limits[side], node.limits[!side]))
		{
			is_oblique(portal, node.limits[side]) ? push_oblique(search, walk, root, portal)
												  : (void)0;
			return;
		}
	}
	push_node(search, node);
}

// Narrow a node by the next portal, and push what is cut off. @return whether anything is left
static bool pass_portal(Search* search, Walk* walk, const NcPortal* portal)
{
	++search->steps;
	NcTautNode* node = &walk->node;
	double radius = search->ends->radius;
	const NcTautRoot* root = &search->query->route.roots.data[node->root];
	NcPeg root_peg = root->peg;
	bool is_same[2], is_kept[2], can_bend[2];
	NcVec2 towards[2];
	for (int side = 0; side < 2; ++side)
	{
		is_same[side] = is_same_foot(portal->feet[side], node->portal.feet[side]);
		is_kept[side] = is_same[side] && (node->can_bend[side] || !node->has_limit[side]);
		can_bend[side] = node->can_bend[side];
		towards[side] = node->limits[side];
		if (!is_kept[side])
		{
			NcPeg limit = choose_limit(root_peg, portal, side, radius, &can_bend[side]);
			towards[side] = nc_peg_tangent(root_peg, limit).direction;
		}
	}

	// The feet hide each other: nothing of the portal is seen directly.
	bool has_both = (node->has_limit[0] || !is_same[0]) && (node->has_limit[1] || !is_same[1]);
	if (has_both && can_bend[0] && can_bend[1] && is_outside(NC_LEFT, towards[NC_LEFT], towards[NC_RIGHT]) &&
		is_oblique(portal, towards[NC_LEFT]))
	{
		push_oblique(search, walk, node->root, portal);
		return false;
	}
	for (int side = 0; side < 2; ++side)
	{
		// A foot that stays may be touched only now.
		bool is_met = is_same[side] && !is_kept[side] && can_bend[side] && node->is_at_foot[side] &&
					  !(node->has_limit[!side] &&
						  is_outside(!side, node->limits[!side], towards[side]));
		if (!node->has_limit[side] || !(node->can_bend[side] || is_met) ||
			node->portal.corners[side] == NC_NULL_INDEX)
		{
			continue;
		}
		NcVec2 limit = is_met ? towards[side] : node->limits[side];
		bool is_cut = is_outside(side, limit, is_same[side] ? towards[!side] : towards[side]);
		if (is_cut && (node->has_limit[!side] || !is_same[!side] || !is_same[side]))
		{
			push_turn(search, walk, portal, side, is_same[side]);
		}
	}
	for (int side = 0; side < 2; ++side)
	{
		if (is_kept[side])
		{
			continue;
		}
		bool is_narrower = !node->has_limit[side] || (is_same[side] && node->is_at_foot[side]) ||
						   !is_outside(side, node->limits[side], towards[side]);
		node->limits[side] = is_narrower ? towards[side] : node->limits[side];
		node->is_at_foot[side] = is_narrower;
		node->can_bend[side] = is_narrower && can_bend[side];
		node->has_limit[side] = true;
	}
	NcPortal passed = *portal;
	for (int side = 0; side < 2; ++side)
	{
		// The end of a wall and its corner are the same foot, whichever is seen first.
		bool keeps = is_same[side] && passed.corners[side] == NC_NULL_INDEX;
		passed.corners[side] = keeps ? node->portal.corners[side] : passed.corners[side];
	}
	node->portal = passed;
	return is_in_front(portal, root_peg.center, radius) &&
		   !(node->has_limit[NC_LEFT] && node->has_limit[NC_RIGHT] &&
			   is_outside(NC_LEFT, node->limits[NC_LEFT], node->limits[NC_RIGHT]));
}

// Start and goal.

static bool is_passable(const Search* search, int piece)
{
	return search->graph->edges.data[get_edge_of(search, piece) >> 1].min_clearance >=
		   search->ends->radius;
}

static void begin_at_start(Search* search, NcTautNode node)
{
	NcPeg start = search->query->route.roots.data[0].peg;
	for (int side = 0; side < 2; ++side)
	{
		NcPeg limit = choose_limit(
			start, &node.portal, side, search->ends->radius, &node.can_bend[side]);
		node.limits[side] = nc_peg_tangent(start, limit).direction;
		node.has_limit[side] = node.is_at_foot[side] = true;
	}
	push_node(search, node);
}

static void mark_goal(Search* search, NcTautNode node)
{
	int index = add_node(search, node);
	if (index != NC_NULL_INDEX && search->mark_count < MAX_MARKS)
	{
		static const int phases[] = {[AT_BEGIN] = AT_END, [AT_GOAL] = AT_GOAL, [AT_END] = AT_BEGIN};
		search->marks[search->mark_count++] =
			(Mark){nc_piece_twin(search->diagram, node.piece), phases[node.phase], index};
	}
}

// Go from the start or from the goal along an edge, until a portal separates it from what follows.
static void seed(Search* search, NcTautNode node, NcVec2 point, int depth)
{
	if (++search->seed_count > MAX_SEEDS)
	{
		return;
	}
	bool is_start = node.root == 0;
	int walked = 0;
	int index = add_node(search, node);
	for (;;)
	{
		node.portal = make_portal(search, node.piece, node.phase);
		if (nc_portal_side(&node.portal, point, search->ends->radius) > 0.0)
		{
			node.parent = index;
			node.skipped = walked;
			is_start ? begin_at_start(search, node) : mark_goal(search, node);
			return;
		}
		if (node.phase != AT_END)
		{
			node.phase = AT_END;
			continue;
		}
		++walked;
		if (--node.left <= 0)
		{
			break;
		}
		node.piece = nc_piece_next(search->diagram, node.piece);
		node.phase = AT_BEGIN;
	}
	int back = nc_piece_twin(search->diagram, node.piece);
	for (int q = nc_piece_around(search->diagram, back);
		 q != back && !node.is_last && depth < MAX_SEED_DEPTH;
		 q = nc_piece_around(search->diagram, q))
	{
		NcTautNode next = node;
		next.piece = q;
		next.phase = AT_BEGIN;
		next.left = search->graph->edges.data[get_edge_of(search, q) >> 1].arc_count;
		next.parent = index;
		next.skipped = walked;
		if (is_passable(search, q))
		{
			seed(search, next, point, depth + 1);
		}
	}
}

static void seed_anchor(Search* search, const NcAnchor* anchor, NcVec2 point, int phase)
{
	int arc_count = search->graph->edges.data[anchor->edge].arc_count;
	for (int end = 0; end < 2; ++end)
	{
		if (anchor->clearance_to[end] < search->ends->radius)
		{
			continue;
		}
		NcTautNode node = {
			.piece = end == 1 ? anchor->piece : nc_piece_twin(search->diagram, anchor->piece),
			.left = end == 1 ? arc_count - anchor->arc : anchor->arc + 1,
			.phase = phase,
			.parent = NC_NULL_INDEX,
			.root = phase == AT_START ? 0 : NC_NULL_INDEX,
		};
		seed(search, node, point, 0);
	}
}

// The goal.

static void offer(Search* search, const Walk* walk, int mark, double length)
{
	if (length < search->best - SAME_LENGTH)
	{
		search->best = length;
		search->best_node = walk->index;
		search->best_walked = walk->walked;
		search->best_mark = mark;
	}
}

static void try_goal(Search* search, const Walk* walk, int mark)
{
	const NcTautNode* node = &walk->node;
	const NcTautRoot* root = &search->query->route.roots.data[node->root];
	NcTangent straight = nc_peg_tangent(root->peg, search->goal);
	for (int side = 0; side < 2; ++side)
	{
		bool is_beyond =
			node->has_limit[side] && is_outside(side, node->limits[side], straight.direction);
		if (is_beyond && !node->can_bend[side])
		{
			return;
		}
		// The string may bend around the foot, before the portal or behind it.
		if (!node->has_limit[side] || node->portal.corners[side] == NC_NULL_INDEX)
		{
			continue;
		}
		NcPeg foot = nc_portal_peg(&node->portal, side, search->ends->radius);
		NcTangent in = nc_peg_tangent(root->peg, foot);
		NcTangent out = nc_peg_tangent(foot, search->goal);
		if (is_outside(side, in.direction, straight.direction) &&
			nc_side_sign(side) * nc_cross(in.direction, out.direction) > 0.0)
		{
			NcTautRoot bend = {.peg = foot, .arrival = in.direction};
			offer(search, walk, mark,
				root->cost + compute_arc(root, in.direction) + in.length +
					compute_arc(&bend, out.direction) + out.length);
			return;
		}
	}
	offer(search, walk, mark, root->cost + compute_arc(root, straight.direction) + straight.length);
}

static void check_marks(Search* search, const Walk* walk)
{
	for (int i = 0; i < search->mark_count; ++i)
	{
		const Mark* mark = &search->marks[i];
		if (mark->piece == walk->node.piece && mark->phase == walk->node.phase)
		{
			try_goal(search, walk, i);
		}
	}
}

// Walking.

static int choose_next_phase(const Search* search, const NcTautNode* node)
{
	bool passes_goal = is_goal_arc(search, node->piece) && node->phase != AT_GOAL;
	bool is_backward = get_edge_of(search, node->piece) & 1;
	passes_goal &= node->phase != AT_START || search->is_goal_ahead[is_backward];
	return passes_goal ? AT_GOAL : AT_END;
}

// How far an edge can be walked: to its end, or to the goal only, or not at all.
static bool enter_edge(const Search* search, NcTautNode* node)
{
	int edge_of = get_edge_of(search, node->piece);
	const NcGraphEdge* edge = &search->graph->edges.data[edge_of >> 1];
	const NcAnchor* goal = search->ends->goal_anchor;
	int begin = edge_of & 1;
	node->left = edge->arc_count;
	node->is_last = false;
	if (edge_of >> 1 == goal->edge && edge->min_clearance < search->ends->radius)
	{
		node->left = begin == 0 ? goal->arc + 1 : edge->arc_count - goal->arc;
		node->is_last = true;
		return goal->clearance_to[begin] >= search->ends->radius;
	}
	// Nobody needs a dead end without the goal.
	bool is_dead_end = search->graph->vertices.data[edge->vertices[!begin]].end_count == 1;
	return edge->min_clearance >= search->ends->radius &&
		   (!is_dead_end || edge_of >> 1 == goal->edge);
}

static void branch(Search* search, const Walk* walk)
{
	int back = nc_piece_twin(search->diagram, walk->node.piece);
	for (int q = nc_piece_around(search->diagram, back); q != back;
		 q = nc_piece_around(search->diagram, q))
	{
		Walk next = *walk;
		next.node.piece = q;
		next.node.phase = AT_BEGIN;
		next.walked = walk->walked + 1;
		if (!enter_edge(search, &next.node))
		{
			continue;
		}
		NcPortal portal = make_portal(search, q, AT_BEGIN);
		if (pass_portal(search, &next, &portal))
		{
			next.node.parent = walk->index;
			next.node.skipped = next.walked;
			push_node(search, next.node);
		}
	}
}

static void follow(Search* search, int index)
{
	Walk walk = {search->query->route.nodes.data[index], index, 0};
	NcTautNode* node = &walk.node;
	for (;;)
	{
		check_marks(search, &walk);
		if (node->phase != AT_END)
		{
			node->phase = choose_next_phase(search, node);
		}
		else if (node->left > 1)
		{
			--node->left;
			node->piece = nc_piece_next(search->diagram, node->piece);
			node->phase = AT_BEGIN;
			++walk.walked;
		}
		else
		{
			node->is_last ? (void)0 : branch(search, &walk);
			return;
		}
		NcPortal portal = make_portal(search, node->piece, node->phase);
		if (!pass_portal(search, &walk, &portal))
		{
			return;
		}
	}
}

// The corridor of the best string.

// Append the pieces of a way to a node, the first one last.
static void trace_back(Search* search, int index, int walked)
{
	NcRouteMemory* memory = &search->query->route;
	while (index != NC_NULL_INDEX)
	{
		const NcTautNode* node = &memory->nodes.data[index];
		int piece = node->piece;
		int begin = memory->trace.count;
		for (int i = 0; i < walked; ++i)
		{
			nc_array_push(&memory->trace, piece);
			piece = nc_piece_next(search->diagram, piece);
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

static void push_arc(Search* search, int piece)
{
	NcPathArc item = {piece, nc_arc_of_piece(search->diagram, piece)};
	nc_array_push(&search->query->arcs, item);
}

static void build_corridor(Search* search)
{
	NcQuery* query = search->query;
	NcRouteMemory* memory = &query->route;
	const Mark* mark = &search->marks[search->best_mark];
	memory->trace.count = 0;
	trace_back(search, search->best_node, search->best_walked + (mark->phase == AT_END));
	query->arcs.count = 0;
	for (int i = memory->trace.count - 1; i >= 0; --i)
	{
		push_arc(search, memory->trace.data[i]);
	}
	memory->trace.count = 0;
	trace_back(search, mark->node, mark->phase == AT_BEGIN);
	if (memory->trace.count == 0)
	{
		push_arc(search, mark->piece);
	}
	for (int i = 0; i < memory->trace.count; ++i)
	{
		push_arc(search, nc_piece_twin(search->diagram, memory->trace.data[i]));
	}
	nc_route_cut_corridor(query, search->ends);
}

// The search itself.

static bool prepare(Search* search)
{
	NcRouteMemory* memory = &search->query->route;
	memory->nodes.count = memory->roots.count = 0;
	int needed = 2 * search->diagram->snap.vertices.count;
	if (memory->corners.count < needed && !nc_array_resize(&memory->corners, needed))
	{
		return false;
	}
	nc_route_begin_search(memory);
	NcTautRoot start = {
		.peg = {search->ends->start, 0.0}, .corner = NC_NULL_INDEX, .parent = NC_NULL_INDEX};
	return nc_array_push(&memory->roots, start);
}

// Whether the bounds rise so slowly that the budget will never do. They rise ever slower.
static bool is_hopeless(const Search* search, double first, double bound, int budget)
{
	double progress = bound - first;
	double left = search->best - bound;
	return search->steps >= TRIAL_STEPS && left * search->steps > HOPE * budget * progress;
}

bool nc_route_search_taut(NcQuery* query, const NcRouteEnds* ends, double limit, int budget)
{
	const NcWorld* world = &query->map->world;
	Search search = {
		.query = query,
		.diagram = &world->diagram,
		.graph = &world->graph,
		.ends = ends,
		.goal = {ends->goal, 0.0},
		.best = limit,
		.best_node = NC_NULL_INDEX,
	};
	if (!prepare(&search))
	{
		return false;
	}
	bool is_same_edge = ends->start_anchor->edge == ends->goal_anchor->edge;
	double ahead = ends->goal_anchor->length_to[0] - ends->start_anchor->length_to[0];
	search.is_goal_ahead[0] = is_same_edge && ahead > 0.0;
	search.is_goal_ahead[1] = is_same_edge && ahead < 0.0;
	seed_anchor(&search, ends->goal_anchor, ends->goal, AT_GOAL);
	seed_anchor(&search, ends->start_anchor, ends->start, AT_START);
	NcRouteMemory* memory = &query->route;
	double first = memory->heap.count > 0 ? memory->heap.data[0].bound : 0.0;
	while (memory->heap.count > 0 && search.steps < budget && !nc_route_memory_failed(memory))
	{
		NcTautItem item = nc_route_pop_item(memory);
		if (item.bound >= search.best - SAME_LENGTH ||
			is_hopeless(&search, first, item.bound, budget))
		{
			break;
		}
		if (!is_outdated(&search, &memory->nodes.data[item.node]))
		{
			follow(&search, item.node);
		}
	}
	if (search.best_node == NC_NULL_INDEX || nc_route_memory_failed(memory))
	{
		return false;
	}
	build_corridor(&search);
	return !nc_query_failed(query);
}
