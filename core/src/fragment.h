// SPDX-License-Identifier: MIT
// The steps in which fragments come and go, shared by building and updating.
//
// Every step saves what it changes in a journal, for which its caller has reserved room: the number
// of items is given with each of them. Arrays grow on the way; whoever updates reserves that, too.
#pragma once

#include "snap.h"

/// Working memory of nc_route_edge().
typedef struct NcRoute
{
	NcIntArray chain; ///< the vertices of the chain
	NcIntArray found; ///< hot pixels met, a stack
} NcRoute;

/// Find the chain that replaces an edge, from its lower to its upper end: at least two vertices, or
/// one if the edge is a point.
/// @param lower, upper the vertices of the edge's ends
void nc_route_edge(const NcSnap* snap, int lower, int upper, NcRoute* route);

/// Whether the chain of an edge is the edge itself. Needs no memory.
bool nc_route_is_plain(const NcSnap* snap, int v0, int v1);
void nc_route_free(NcRoute* route);

/// The half from one vertex to another, or NC_NULL_INDEX. Costs the number of halves there.
int nc_fragment_find_half(const NcSnap* snap, int from, int to);

/// Add a fragment between two vertices, without uses, to the rings around its ends. Saves 11 items.
/// @return its index, or NC_NULL_INDEX if memory ran out
int nc_fragment_create(NcSnap* snap, int from, int to, NcJournal* journal);

/// Take a fragment out of the rings around its ends. Saves 11 items.
void nc_fragment_unlink(NcSnap* snap, int fragment, NcJournal* journal);

/// Give an edge a share of the fragment of a half along which it runs, or of a vertex if it is a
/// point; the other one is NC_NULL_INDEX. Saves 3 items. @return false if memory ran out
bool nc_fragment_add_use(NcSnap* snap, int edge, int half, int vertex, NcJournal* journal);

/// Take a share away from the fragment or vertex that it belongs to; the edge's own list is the
/// caller's. Saves 2 items.
/// @param vertex where the edge is, if it is a point
void nc_fragment_release_use(NcSnap* snap, int use, int vertex, NcJournal* journal);

/// Enter a fragment into the grid, or take it out. Reserves its own room in the journal.
/// @return false if memory ran out; what was done can be taken back with the journal
bool nc_fragment_enter_grid(NcSnap* snap, int fragment, NcJournal* journal);
bool nc_fragment_leave_grid(NcSnap* snap, int fragment, NcJournal* journal);
