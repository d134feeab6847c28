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

#include "taut.h"

#include "check.h"

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

double nc_taut_compute_arc(const NcTautRoot* root, NcVec2 direction)
{
	if (root->peg.offset == 0.0)
	{
		return 0.0;
	}
	return fabs(root->peg.offset) * nc_peg_turn(root->peg, root->arrival, direction);
}

// The least length of strings from a root to a target behind the portal that leave along a limit:
// they go on from where it meets the portal.
static double bound_along(const NcTaut* taut, const NcTautNode* node, int side, NcVec2 target)
{
	const NcTautRoot* root = &taut->query->route.roots.data[node->root];
	NcVec2 u = node->limits[side];
	NcVec2 from = nc_peg_touch(root->peg, u);
	NcVec2 right = nc_portal_shrink(&node->portal, NC_RIGHT, taut->ends->radius);
	NcVec2 chord = nc_sub(node->portal.feet[NC_LEFT], node->portal.feet[NC_RIGHT]);
	double slope = nc_cross(u, chord);
	double distance = nc_cross(nc_sub(right, from), chord);
	if (!(slope > NC_TAUT_SAME_DIRECTION * nc_length(chord)) || !(distance > 0.0))
	{
		return 0.0;
	}
	distance /= slope;
	if (node->can_bend[side])
	{
		// The string may bend around the foot before it passes the portal.
		NcPeg foot = nc_portal_peg(&node->portal, side, taut->ends->radius);
		distance = nc_min(distance, nc_peg_tangent(root->peg, foot).length);
	}
	NcVec2 at = nc_mul_add(from, distance, u);
	return bound_arc(root, u) + distance + nc_distance(at, target);
}

// Strings pass the portal before they reach the goal. If that is on this side of it, its image on
// the other side is as far from the portal.
static NcVec2 reflect_goal(const NcTaut* taut, const NcTautNode* node)
{
	NcVec2 goal = taut->goal.center;
	NcVec2 right = nc_portal_shrink(&node->portal, NC_RIGHT, taut->ends->radius);
	NcVec2 chord = nc_sub(node->portal.feet[NC_LEFT], node->portal.feet[NC_RIGHT]);
	double side = nc_cross(chord, nc_sub(goal, right));
	double squared = nc_length_squared(chord);
	return side > 0.0 && squared > 0.0 ? nc_mul_add(goal, -2.0 * side / squared, nc_perp(chord))
									   : goal;
}

static double bound_length(const NcTaut* taut, const NcTautNode* node)
{
	const NcTautRoot* root = &taut->query->route.roots.data[node->root];
	NcVec2 target = reflect_goal(taut, node);
	NcTangent straight = nc_peg_tangent(root->peg, (NcPeg){target, 0.0});
	for (int side = 0; side < 2; ++side)
	{
		if (node->has_limit[side] &&
			nc_taut_is_outside(side, node->limits[side], straight.direction))
		{
			double length = bound_along(taut, node, side, target);
			return root->cost + nc_max(length, straight.length);
		}
	}
	return root->cost + straight.length;
}

// Nodes and roots.

int nc_taut_add_node(NcTaut* taut, NcTautNode node)
{
	NcRouteMemory* memory = &taut->query->route;
	return nc_array_push(&memory->nodes, node) ? memory->nodes.count - 1 : NC_NULL_INDEX;
}

// Whether a node has come back to a piece without having bent anywhere: no taut string does that.
static bool is_going_around(const NcTaut* taut, const NcTautNode* node)
{
	const NcTautNode* nodes = taut->query->route.nodes.data;
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

void nc_taut_push_node(NcTaut* taut, NcTautNode node)
{
	node.bound = nc_max(node.bound, bound_length(taut, &node));
	if (node.bound < taut->limit - NC_TAUT_SAME_LENGTH && !is_going_around(taut, &node))
	{
		int index = nc_taut_add_node(taut, node);
		if (index != NC_NULL_INDEX)
		{
			nc_route_push_item(&taut->query->route.heap, (NcTautItem){node.bound, index});
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
int nc_taut_add_root(NcTaut* taut, int parent, NcPeg peg, int side, int vertex)
{
	NcRouteMemory* memory = &taut->query->route;
	const NcTautRoot* from = &memory->roots.data[parent];
	NcTangent tangent = nc_peg_tangent(from->peg, peg);
	NcTautRoot root = {
		.peg = peg,
		.arrival = tangent.direction,
		.cost = from->cost + nc_taut_compute_arc(from, tangent.direction) + tangent.length,
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
		if (compare_roots(&root, known) > -NC_TAUT_SAME_LENGTH)
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
static bool is_outdated(const NcTaut* taut, const NcTautNode* node)
{
	const NcRouteMemory* memory = &taut->query->route;
	const NcTautRoot* root = &memory->roots.data[node->root];
	if (root->corner == NC_NULL_INDEX)
	{
		return false;
	}
	int known = memory->corners.data[root->corner].root;
	return known != node->root &&
		   compare_roots(root, &memory->roots.data[known]) > NC_TAUT_SAME_LENGTH;
}

// Walking.

// Of passages that are less than so many radii wide all portals are looked at: which strings bend
// around round corners changes between them.
#define WIDE_RADII 4.0

// Between two corners all portals have the same feet, so the last one of them is enough.
static bool has_same_feet(const NcTaut* taut, int piece)
{
	NcFeature right = nc_piece_owner(taut->diagram, piece);
	NcFeature left = nc_piece_owner(taut->diagram, nc_piece_twin(taut->diagram, piece));
	if (!nc_feature_is_cone(right) || !nc_feature_is_cone(left) || nc_taut_has_end(taut, piece))
	{
		return false;
	}
	const NcCone* cones = taut->diagram->sites.cones.data;
	double width = WIDE_RADII * taut->ends->radius;
	NcVec2 across = nc_sub(cones[nc_feature_index(left)].apex, cones[nc_feature_index(right)].apex);
	return nc_length_squared(across) >= width * width;
}

static void branch(NcTaut* taut, const NcTautWalk* walk)
{
	int back = nc_piece_twin(taut->diagram, walk->node.piece);
	for (int q = nc_piece_around(taut->diagram, back); q != back;
		 q = nc_piece_around(taut->diagram, q))
	{
		NcTautWalk next = *walk;
		next.node.piece = q;
		next.node.phase = has_same_feet(taut, q) ? NC_TAUT_END : NC_TAUT_BEGIN;
		next.walked = walk->walked + 1;
		if (!nc_taut_enter_edge(taut, &next.node, taut->ends->goal_anchor))
		{
			continue;
		}
		NcPortal portal = nc_taut_make_portal(taut, q, next.node.phase);
		if (nc_taut_pass_portal(taut, &next, &portal))
		{
			next.node.parent = walk->index;
			next.node.skipped = next.walked;
			nc_taut_push_node(taut, next.node);
		}
	}
}

static void follow(NcTaut* taut, int index)
{
	NcTautWalk walk = {taut->query->route.nodes.data[index], index, 0};
	NcTautNode* node = &walk.node;
	for (;;)
	{
		nc_taut_has_end(taut, node->piece) ? nc_taut_check_marks(taut, &walk) : (void)0;
		if (node->phase != NC_TAUT_END)
		{
			node->phase = nc_taut_choose_next_phase(taut, node);
		}
		else if (node->left > 1)
		{
			--node->left;
			node->piece = nc_piece_next(taut->diagram, node->piece);
			node->phase = NC_TAUT_BEGIN;
			++walk.walked;
			continue; // the portal is that of the last piece's end
		}
		else
		{
			node->is_last ? (void)0 : branch(taut, &walk);
			return;
		}
		if (node->phase == NC_TAUT_END && node->left > 1 && !nc_taut_has_end(taut, node->piece) &&
			has_same_feet(taut, nc_piece_next(taut->diagram, node->piece)))
		{
			continue;
		}
		NcPortal portal = nc_taut_make_portal(taut, node->piece, node->phase);
		if (!nc_taut_pass_portal(taut, &walk, &portal))
		{
			return;
		}
	}
}

// The search itself.

static bool prepare(NcTaut* taut)
{
	NcRouteMemory* memory = &taut->query->route;
	memory->nodes.count = memory->roots.count = 0;
	int needed = 2 * taut->diagram->snap.vertices.count;
	if (memory->corners.count < needed && !nc_array_resize(&memory->corners, needed))
	{
		return false;
	}
	nc_route_begin_search(memory);
	NcTautRoot start = {
		.peg = {taut->ends->start, 0.0}, .corner = NC_NULL_INDEX, .parent = NC_NULL_INDEX};
	return nc_array_push(&memory->roots, start);
}

bool nc_taut_begin(NcTaut* taut, NcQuery* query, const NcRouteEnds* ends)
{
	const NcWorld* world = &query->map->world;
	taut->query = query;
	taut->diagram = &world->diagram;
	taut->graph = &world->graph;
	taut->ends = ends;
	taut->goal = (NcPeg){ends->goal, 0.0};
	taut->limit = HUGE_VAL;
	taut->best.node = NC_NULL_INDEX;
	taut->mark_count = taut->foot_count = taut->seed_count = taut->steps = 0;
	taut->is_close = false;
	if (!prepare(taut))
	{
		return false;
	}
	nc_taut_seed(taut);
	const NcRouteMemory* memory = &query->route;
	taut->first_bound = memory->heap.count > 0 ? memory->heap.data[0].bound : 0.0;
	return !nc_route_memory_failed(memory);
}

bool nc_taut_run(NcTaut* taut, int steps)
{
	NcRouteMemory* memory = &taut->query->route;
	while (memory->heap.count > 0 && !nc_route_memory_failed(memory) &&
		   memory->heap.data[0].bound < taut->limit - NC_TAUT_SAME_LENGTH)
	{
		if (taut->steps >= steps)
		{
			return false;
		}
		NcTautItem item = nc_route_pop_item(&memory->heap);
		if (!is_outdated(taut, &memory->nodes.data[item.node]))
		{
			follow(taut, item.node);
		}
	}
	return !nc_route_memory_failed(memory);
}

// After fewer steps than this nobody knows how many more it takes; and after fewer than that many,
// if the string may be longer than it has to be by that part.
#define UNSURE_STEPS 300
#define UNSURE_STEPS_AT_STAKE 500
#define LARGE_STAKE 0.13

// Where more than this part is at stake, more work is worth it.
#define USUAL_STAKE 0.06

// What is left to search grows like an area: its width with the bounds that are still to come, and
// its width and length with the edges of a corridor. The latter is known at once, but only roughly.
bool nc_taut_is_hopeless(const NcTaut* taut, int budget)
{
	const NcRouteMemory* memory = &taut->query->route;
	double bound = memory->heap.count > 0 ? memory->heap.data[0].bound : taut->limit;
	double progress = bound - taut->first_bound;
	double needed = taut->limit - taut->first_bound;
	double stake = (taut->limit - bound) / bound;
	double weight = nc_max(stake / USUAL_STAKE, 1.0);
	double worth = weight * weight * budget;
	bool is_large = (double)taut->edge_count * taut->edge_count > budget;
	int least = is_large ? 0 : stake < LARGE_STAKE ? UNSURE_STEPS : UNSURE_STEPS_AT_STAKE;
	return taut->steps >= least && needed * needed * taut->steps > worth * progress * progress;
}
