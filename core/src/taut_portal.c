// SPDX-License-Identifier: MIT
// How the strings of a node pass a portal, and what becomes of those that it cuts off: see taut.h.

#include "taut.h"

static bool is_same_foot(NcVec2 a, NcVec2 b)
{
	return nc_length_squared(nc_sub(a, b)) <= NC_TAUT_SAME_FOOT * NC_TAUT_SAME_FOOT;
}

NcVec2 nc_taut_find_limit(
	NcPeg from, const NcPortal* portal, int side, double radius, bool* can_bend)
{
	NcPeg peg = nc_portal_peg(portal, side, radius);
	NcVec2 towards = nc_peg_tangent(from, peg).direction;
	*can_bend = portal->corners[side] != NC_NULL_INDEX;
	if (radius == 0.0)
	{
		return towards;
	}
	NcVec2 end = nc_portal_shrink(portal, side, radius);
	if (*can_bend)
	{
		NcVec2 a = nc_sub(end, peg.center);
		NcVec2 b = nc_scale(-peg.offset, nc_perp(towards)); // where it is touched
		*can_bend = nc_side_sign(side) * nc_cross(a, b) <= 1e-4 * radius * radius;
	}
	return *can_bend ? towards : nc_peg_tangent(from, (NcPeg){end, 0.0}).direction;
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
	return side >= -(2.1 * radius + NC_TAUT_SAME_FOOT) * nc_length(chord);
}

// A node that begins where a walk is now, behind a portal, with another root.
static NcTautNode start_node(const NcTautWalk* walk, const NcPortal* portal, int root)
{
	NcTautNode node = walk->node;
	node.root = root;
	node.portal = *portal;
	node.parent = walk->index;
	node.skipped = walk->walked;
	return node;
}

// A passage seen at a small angle: its feet hide each other. The string bends at the nearer one.
static void push_oblique(NcTaut* taut, const NcTautWalk* walk, int from, const NcPortal* portal)
{
	double radius = taut->ends->radius;
	NcPeg pegs[2] = {nc_portal_peg(portal, 0, radius), nc_portal_peg(portal, 1, radius)};
	NcVec2 chord = nc_sub(pegs[NC_LEFT].center, pegs[NC_RIGHT].center);
	NcVec2 towards = nc_peg_tangent(taut->query->route.roots.data[from].peg, pegs[0]).direction;
	int near_side = nc_dot(chord, towards) > 0.0 ? NC_RIGHT : NC_LEFT;
	int root = nc_taut_add_root(taut, from, pegs[near_side], near_side, portal->corners[near_side]);
	if (root == NC_NULL_INDEX)
	{
		return;
	}
	NcTautNode node = start_node(walk, portal, root);
	node.has_limit[near_side] = node.is_at_foot[near_side] = node.can_bend[near_side] = false;
	node.limits[!near_side] = nc_peg_tangent(pegs[near_side], pegs[!near_side]).direction;
	node.has_limit[!near_side] = node.is_at_foot[!near_side] = node.can_bend[!near_side] = true;
	nc_taut_push_node(taut, node);
}

// Strings that bend at a foot of the last portal and pass the next one on its outer side.
static void push_turn(
	NcTaut* taut, const NcTautWalk* walk, const NcPortal* portal, int side, bool is_same)
{
	double radius = taut->ends->radius;
	const NcPortal* last = &walk->node.portal;
	NcPeg peg = nc_portal_peg(last, side, radius);
	int root = nc_taut_add_root(taut, walk->node.root, peg, side, last->corners[side]);
	if (root == NC_NULL_INDEX)
	{
		return;
	}
	NcVec2 arrival = taut->query->route.roots.data[root].arrival;
	if (!is_in_front(portal, peg.center, radius))
	{
		return;
	}
	NcTautNode node = start_node(walk, portal, root);
	NcVec2 limit = nc_taut_find_limit(peg, portal, !side, radius, &node.can_bend[!side]);
	node.is_at_foot[!side] = !nc_taut_is_outside(!side, arrival, limit);
	node.can_bend[!side] &= node.is_at_foot[!side];
	node.limits[!side] = node.is_at_foot[!side] ? limit : arrival;
	node.has_limit[!side] = true;
	node.has_limit[side] = node.is_at_foot[side] = !is_same;
	node.can_bend[side] = false;
	if (!is_same)
	{
		node.limits[side] = nc_taut_find_limit(peg, portal, side, radius, &node.can_bend[side]);
		if (nc_taut_is_outside(side, node.limits[side], node.limits[!side]))
		{
			is_oblique(portal, node.limits[side]) ? push_oblique(taut, walk, root, portal)
												  : (void)0;
			return;
		}
	}
	nc_taut_push_node(taut, node);
}

// Narrow a node by the next portal, and push what is cut off. @return whether anything is left
bool nc_taut_pass_portal(NcTaut* taut, NcTautWalk* walk, const NcPortal* portal)
{
	++taut->steps;
	NcTautNode* node = &walk->node;
	double radius = taut->ends->radius;
	const NcTautRoot* root = &taut->query->route.roots.data[node->root];
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
			towards[side] = nc_taut_find_limit(root_peg, portal, side, radius, &can_bend[side]);
		}
	}

	// The feet hide each other: nothing of the portal is seen directly.
	bool has_both = (node->has_limit[0] || !is_same[0]) && (node->has_limit[1] || !is_same[1]);
	if (has_both && can_bend[0] && can_bend[1] &&
		nc_taut_is_outside(NC_LEFT, towards[NC_LEFT], towards[NC_RIGHT]) &&
		is_oblique(portal, towards[NC_LEFT]))
	{
		push_oblique(taut, walk, node->root, portal);
		return false;
	}
	for (int side = 0; side < 2; ++side)
	{
		// A foot that stays may be touched only now.
		bool is_met = is_same[side] && !is_kept[side] && can_bend[side] &&
					  (node->is_at_foot[side] ||
						  !nc_taut_is_outside(side, node->limits[side], towards[side])) &&
					  !(node->has_limit[!side] &&
						  nc_taut_is_outside(!side, node->limits[!side], towards[side]));
		if (!node->has_limit[side] || !(node->can_bend[side] || is_met) ||
			node->portal.corners[side] == NC_NULL_INDEX)
		{
			continue;
		}
		NcVec2 limit = is_met ? towards[side] : node->limits[side];
		bool is_cut =
			nc_taut_is_outside(side, limit, is_same[side] ? towards[!side] : towards[side]);
		if (is_cut && (node->has_limit[!side] || !is_same[!side] || !is_same[side]))
		{
			push_turn(taut, walk, portal, side, is_same[side]);
		}
	}
	for (int side = 0; side < 2; ++side)
	{
		if (is_kept[side])
		{
			continue;
		}
		bool is_narrower = !node->has_limit[side] || (is_same[side] && node->is_at_foot[side]) ||
						   !nc_taut_is_outside(side, node->limits[side], towards[side]);
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
			   nc_taut_is_outside(NC_LEFT, node->limits[NC_LEFT], node->limits[NC_RIGHT]));
}
