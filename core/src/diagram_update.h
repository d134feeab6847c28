// SPDX-License-Identifier: MIT
// Changing a diagram in place. Cells are functions of the set of sites: only those of new features,
// and of the neighbours of new and dead ones, have to be computed again.
#pragma once

#include "diagram.h"

/// More places than this are reported as one.
#define NC_MAX_CHANGED_BOXES 64

typedef struct NcDiagramUpdate
{
	NcIntArray dirty;      ///< features that stay but whose cells change
	NcIntArray recomputed; ///< fresh and dirty ones
	NcIntArray starts;     ///< where the records of each of them begin in the worker
	NcIntArray around;     ///< features whose pieces may have another next one
	NcIntArray loose;      ///< pieces that lost their junction; some of them are gone
	NcIntArray dead_junctions;
	NcIntArray dead_ranges; ///< begin and capacity of each
	NcIntArray side_stamps, cone_stamps;
	int stamp;
	NcArray(NcBox) changed; ///< where borders went or came, in snaps
	NcCellWorker worker;
} NcDiagramUpdate;

void nc_diagram_update_clear(NcDiagramUpdate* update);
void nc_diagram_update_free(NcDiagramUpdate* update);

/// Find the dirty features and compute all new cells, without changing anything yet but the sizes
/// of arrays. @return false if memory ran out
bool nc_diagram_recompute(
	NcDiagram* diagram, const NcSitesUpdate* sites, NcDiagramUpdate* update, NcJournal* journal);

/// Empty all junctions on the borders of dead and dirty cells. The pieces that began in them are in
/// `update->loose` afterwards, still linked. @return false if memory ran out
bool nc_diagram_free_junctions(
	NcDiagram* diagram, const NcSitesUpdate* sites, NcDiagramUpdate* update, NcJournal* journal);

/// Replace the cells and stitch them to the rest. Before it, junctions must be emptied, and edges
/// of the graph that contain loose pieces removed. @return false if memory ran out
bool nc_diagram_restitch(
	NcDiagram* diagram, const NcSitesUpdate* sites, NcDiagramUpdate* update, NcJournal* journal);

/// Make sure that nc_diagram_finish() cannot fail. @return false if memory ran out
bool nc_diagram_prepare_finish(NcDiagram* diagram, const NcDiagramUpdate* update);
void nc_diagram_finish(NcDiagram* diagram, const NcDiagramUpdate* update);
