// SPDX-License-Identifier: MIT
#pragma once

// Bakes: from obstacles to a finished map and its bytes, in the calling thread or on one of the
// engine's workers.
//
// A bake owns what it works on, so nobody waits for it: its region may change, start another bake,
// or be freed meanwhile.

#include "region_shapes.h"

#include <stdatomic.h>

/// An obstacle that was left out, and why.
typedef struct BakeProblem
{
	uint64_t node_id; ///< the node it comes from
	const char* reason;
} BakeProblem;

#define MAX_BAKE_PROBLEMS 8

typedef struct MapBake
{
	// What to bake: filled by the region.
	NcBox box;           ///< the world of the map
	Points border;       ///< of the walkable area
	bool is_rectangle;   ///< the border is the box
	RegionShapes shapes; ///< the obstacles
	uint64_t checksum;   ///< of the geometry
	bool is_data_wanted; ///< the bytes are needed, too

	/// Fills the shapes, in the thread of the bake; NULL: they are there already. See
	/// map_bake_fail().
	bool (*prepare)(struct MapBake* bake);
	struct RegionProject* project; ///< for it

	// What came out.
	NcStatus status;
	NcError error;  ///< if it failed
	NcMap* core;    ///< the finished map, for the region to take
	uint8_t* bytes; ///< the saved map
	size_t byte_count;
	size_t byte_capacity;
	BakeProblem problems[MAX_BAKE_PROBLEMS];
	int problem_count;

	atomic_int progress;     ///< in thousandths
	atomic_bool is_canceled; ///< nobody waits for the result any more

	int64_t task;
	uint64_t owner_id;
	void (*finish)(GDExtensionObjectPtr owner, struct MapBake* bake);
	struct MapBake* next;
} MapBake;

/// @return an empty bake, or NULL if there is no memory
MapBake* map_bake_create(void);
void map_bake_destroy(MapBake* bake);

/// For `prepare`: say why the bake cannot be made.
/// @param reason a literal
/// @return false
bool map_bake_fail(MapBake* bake, NcStatus status, const char* reason);

/// Bake in the calling thread.
void map_bake_run(MapBake* bake);

/// Bake on a worker, in place of earlier bakes for the same owner. Once done, `finish` is called on
/// the main thread, between two physics frames, if the owner still exists; the bake is destroyed
/// after it. For the main thread.
void map_bake_start(MapBake* bake, GDExtensionObjectPtr owner,
	void (*finish)(GDExtensionObjectPtr owner, MapBake* bake));

/// @return the bake that runs for an owner, or NULL
MapBake* map_bake_find(GDExtensionObjectPtr owner);

/// @return from 0 to 1: how far the bake of an owner is; without one, whether it is `is_done`
double map_bake_get_progress(GDExtensionObjectPtr owner, bool is_done);

/// Forget the bake that runs for an owner.
void map_bake_cancel(GDExtensionObjectPtr owner);

/// Say in the log which obstacles were left out. For the main thread.
void map_bake_report_problems(const MapBake* bake);

/// Begin to look for finished bakes, and wait for all of them at the end of the main loop.
void map_bakes_begin(void);
void map_bakes_end(void);
