// SPDX-License-Identifier: MIT
// Strings that come too close to a corner which the search has passed by: see taut.h.
//
// Portals are few, and rounded. Where a wide disc just grazes a corner between two of them, its
// string may be missing a bend that is too small to be seen. The corner that is deepest in the way
// of a straight piece becomes a peg of it, until nothing is in the way any more.

#include "taut.h"

// A string with more pegs than this is not repaired, nor one that lacks more bends than that.
#define MAX_PEGS 64
#define MAX_REPAIRS 4

typedef struct Pegs
{
	NcPeg pegs[MAX_PEGS];
	int corners[MAX_PEGS];
	int count;
} Pegs;

static void insert_peg(Pegs* pegs, int at, NcPeg peg, int corner)
{
	for (int i = pegs->count; i > at; --i)
	{
		pegs->pegs[i] = pegs->pegs[i - 1];
		pegs->corners[i] = pegs->corners[i - 1];
	}
	pegs->pegs[at] = peg;
	pegs->corners[at] = corner;
	++pegs->count;
}

static bool list_pegs(const NcTaut* taut, const NcTautString* string, Pegs* pegs)
{
	const NcTautRoot* roots = taut->query->route.roots.data;
	pegs->count = 0;
	for (int i = string->root; i != NC_NULL_INDEX && pegs->count < MAX_PEGS / 2;
		 i = roots[i].parent)
	{
		insert_peg(
			pegs, 0, roots[i].peg, roots[i].corner < 0 ? NC_NULL_INDEX : roots[i].corner >> 1);
	}
	bool is_whole = roots[string->root].parent == NC_NULL_INDEX || pegs->pegs[0].offset == 0.0;
	if (string->is_bent)
	{
		insert_peg(pegs, pegs->count, string->bend, string->bend_corner);
	}
	insert_peg(pegs, pegs->count, taut->goal, NC_NULL_INDEX);
	return is_whole;
}

// The corner that is deepest in the way of a straight piece, and how deep, or zero.
static double find_corner(const NcTaut* taut, NcVec2 a, NcVec2 b, int* corner)
{
	const NcSites* sites = &taut->diagram->sites;
	const NcGrid* grid = &sites->cone_grid;
	double radius = taut->ends->radius;
	double deepest = 0.0;
	NcSegmentCells cells = nc_grid_segment_cells(grid, a, b, radius);
	for (int j = cells.range.j0; j <= cells.range.j1; ++j)
	{
		int first, last;
		nc_grid_segment_row(grid, &cells, j, &first, &last);
		for (int i = first; i <= last; ++i)
		{
			NcGridList list = grid->lists.data[j * grid->columns + i];
			for (int k = 0; k < list.count; ++k)
			{
				int vertex = grid->pool.data[list.start + k];
				NcVec2 apex = sites->cones.data[vertex].apex;
				double depth = radius - nc_distance(apex, nc_closest_on_segment(apex, a, b));
				if (depth > deepest && depth > 0.1 * NC_TAUT_SLACK)
				{
					deepest = depth;
					*corner = vertex;
				}
			}
		}
	}
	return deepest;
}

// Put the corner that is deepest in the way of any piece onto the string.
// @return 1 if that was done, 0 if nothing is in the way, -1 if it is hopeless
static int repair_once(const NcTaut* taut, Pegs* pegs)
{
	for (int i = 0; i + 1 < pegs->count; ++i)
	{
		NcVec2 u = nc_peg_tangent(pegs->pegs[i], pegs->pegs[i + 1]).direction;
		NcVec2 a = nc_peg_touch(pegs->pegs[i], u);
		NcVec2 b = nc_peg_touch(pegs->pegs[i + 1], u);
		if (nc_locate_is_segment_clear(taut->diagram, a, b, taut->ends->radius - NC_TAUT_SLACK))
		{
			continue;
		}
		int corner = NC_NULL_INDEX;
		if (find_corner(taut, a, b, &corner) == 0.0 || corner == pegs->corners[i] ||
			corner == pegs->corners[i + 1])
		{
			return -1;
		}
		NcVec2 apex = taut->diagram->sites.cones.data[corner].apex;
		double sign = nc_cross(u, nc_sub(apex, a)) > 0.0 ? 1.0 : -1.0;
		insert_peg(pegs, i + 1, (NcPeg){apex, sign * taut->ends->radius}, corner);
		return 1;
	}
	return 0;
}

// Add the roots of a repaired string. @return the last one, or NC_NULL_INDEX if it is not taut
static int add_roots(NcTaut* taut, const Pegs* pegs)
{
	NcRouteMemory* memory = &taut->query->route;
	int parent = 0;
	for (int i = 1; i + 1 < pegs->count; ++i)
	{
		const NcTautRoot* from = &memory->roots.data[parent];
		NcPeg peg = pegs->pegs[i];
		NcTangent in = nc_peg_tangent(from->peg, peg);
		NcVec2 out = nc_peg_tangent(peg, pegs->pegs[i + 1]).direction;
		if (!(peg.offset * nc_cross(in.direction, out) > 0.0))
		{
			return NC_NULL_INDEX;
		}
		NcTautRoot root = {
			.peg = peg,
			.arrival = in.direction,
			.cost = from->cost + nc_taut_compute_arc(from, in.direction) + in.length,
			.corner = 2 * pegs->corners[i] + (peg.offset > 0.0),
			.parent = parent,
			.state = NC_ROOT_CLEAR,
		};
		if (!nc_array_push(&memory->roots, root))
		{
			return NC_NULL_INDEX;
		}
		parent = memory->roots.count - 1;
	}
	return parent;
}

bool nc_taut_repair(NcTaut* taut, NcTautString* string)
{
	Pegs pegs;
	if (!list_pegs(taut, string, &pegs))
	{
		return false;
	}
	int state = 1;
	for (int i = 0; i < MAX_REPAIRS && state == 1; ++i)
	{
		state = repair_once(taut, &pegs);
	}
	int root = state == 0 ? add_roots(taut, &pegs) : NC_NULL_INDEX;
	if (root == NC_NULL_INDEX)
	{
		return false;
	}
	const NcTautRoot* last = &taut->query->route.roots.data[root];
	NcTangent straight = nc_peg_tangent(last->peg, taut->goal);
	string->root = root;
	string->is_bent = false;
	string->length = last->cost + nc_taut_compute_arc(last, straight.direction) + straight.length;
	return true;
}
