// SPDX-License-Identifier: MIT
#pragma once

#include "check_walls.h"
#include "json.h"
#include "nav_corridor/query.h"

// How navcorridor checks a map: from outside, through the public interface, against slow and
// obvious geometry of its own. Nothing here shares code with the library but small vector math.

/// How far positions and clearances may be off, in snaps. Cells contract borders that are shorter
/// than about a hundredth of a snap, and a vertex may stand for several of them.
#define CHECK_TOLERANCE 0.05

#define CHECK_MAX_FAILURES 20
#define CHECK_REASON_CAPACITY 160

/// Something that is wrong with a map.
typedef struct CheckFailure
{
	NcVec2 place;
	char reason[CHECK_REASON_CAPACITY]; ///< an English sentence without a full stop
} CheckFailure;

/// What was checked, and what was wrong.
typedef struct CheckReport
{
	int vertex_count, edge_count, arc_count;
	int sample_count;    ///< points on arcs
	int face_count;      ///< cycles of the medial axis, around obstacles and along the outside
	int side_count;      ///< free sides of walls
	int corner_count;    ///< ends of walls, and isolated points
	int point_count;     ///< random points
	int search_count;    ///< nearest walls that were searched
	int full_scan_count; ///< and among them, those that were searched among all walls

	double free_area;   ///< by the walls, in square world units
	double worst_error; ///< the largest accepted error of a clearance, in snaps

	CheckFailure failures[CHECK_MAX_FAILURES]; ///< the first ones
	int failure_count;                         ///< all of them
} CheckReport;

/// A check in progress.
typedef struct Checker
{
	const NcMap* map;
	NcQuery* query;
	CheckWalls walls;
	double snap;
	double tolerance; ///< CHECK_TOLERANCE in world units
	CheckReport report;
} Checker;

/// What the map was made of, for the checks that compare with it.
typedef struct CheckInput
{
	const NcShape* shapes;
	int shape_count;
	int point_count; ///< how many random points to try
	bool is_saved;   ///< the shapes are not known, because the map was saved and loaded
	uint64_t seed;   ///< of the random points
} CheckInput;

/// Begin to check a map.
/// @return false, after a message on stderr, if there is no memory; end the check in any case
bool check_begin(const NcMap* map, Checker* checker);
void check_end(Checker* checker);

/// Check everything there is.
void check_all(Checker* checker, const CheckInput* input);

/// Note a failure, with a printf format.
__attribute__((format(printf, 3, 4))) void check_fail(
	Checker* checker, NcVec2 place, const char* format, ...);

/// Check that a value is what it should be, in world units, within the tolerance.
/// @param what names the value in the failure
/// @return whether it is
bool check_value(Checker* checker, NcVec2 place, const char* what, double value, double expected);

/// Check the free space around a point: its nearest wall is `clearance` away.
bool check_clearance(Checker* checker, NcVec2 place, const char* what, double clearance);

/// Write the report as one JSON object.
void check_write_report(const CheckReport* report, JsonWriter* json);

// The topics. Each has its own file.

/// Every vertex has an empty disc; its edges are where they say; Euler's formula holds.
void check_graph(Checker* checker);

/// One vertex of index `index` with what the map says about it.
void check_vertex(Checker* checker, int index, const NcMapVertex* vertex);

/// Every edge is equally far from both sides and from nothing nearer.
void check_edges(Checker* checker);

/// One edge with what the map says about it.
/// @param events as many as the edge has
void check_edge(Checker* checker, const NcMapEdge* edge, const NcMapEvent* events);

/// The cells of all sides and corners are complete, and together they are the free area.
void check_cells(Checker* checker);

/// The nearest wall of random points, and whether they are free.
void check_points(Checker* checker, const CheckInput* input);
