// SPDX-License-Identifier: MIT
#pragma once

// A walker: what the server knows of an agent, whether a node owns it or a script made it by RID.
// It finds a path to its target, keeps it while the map changes elsewhere, and walks along it by
// one of the methods of nav_corridor/steer.h. Everything here is in the plane and in world units;
// call it with gd_lock() held.

#include "map_store.h"
#include "nav_corridor/neighbors.h"

/// The methods of steering, in the order of METHOD_CMM and so on.
typedef enum WalkerMethod
{
	WALKER_CMM,
	WALKER_IMPROVED,
	WALKER_IRM,
	WALKER_MIRAN,
	WALKER_METHOD_COUNT,
} WalkerMethod;

typedef struct Walker Walker;

/// What a walker does in a frame.
typedef enum WalkerPresence
{
	WALKER_ABSENT,    ///< it is not there
	WALKER_STANDING,  ///< others keep away from it
	WALKER_ANSWERING, ///< likewise, and a script wants to know how fast it may go
	WALKER_WALKING,
} WalkerPresence;

/// Somebody whom a walker moves.
typedef struct WalkerOwner
{
	/// Before a step: write where the body is, and say what it does.
	WalkerPresence (*prepare)(Walker* walker);

	/// Before a search, with the lock: write what kind of path it wants.
	void (*describe)(Walker* walker);

	/// After a step, without the lock: move, and tell listeners. The walker may be gone afterwards.
	void (*apply)(Walker* walker, WalkerPresence presence, double dt);
} WalkerOwner;

// What a frame of gliding touches comes first, so that it is few cache lines.
struct Walker
{
	GdRid rid;
	const WalkerOwner* owner; ///< NULL: nobody, it only moves inside of the server
	GdRid map;                ///< where it walks
	int crowd_index;          ///< of the last batch that it was part of
	bool has_target;
	bool is_avoiding;
	bool is_paused;
	bool has_profile;
	bool is_found;     ///< the path leads to the target, or as near to it as the disc fits
	bool is_cut_off;   ///< a change of the map took the target out of reach
	bool is_lost;      ///< the path cannot be followed from here: search again
	bool has_decided;  ///< in this frame
	bool is_unsteered; ///< the path is too tight for steering: walk along its points

	// Where it is, and its glide.
	NcVec2 position;
	NcVec2 velocity;        ///< of the glide
	double glide_time;      ///< how long it still glides, in seconds
	uint32_t glide_serial;  ///< of the map, for which the glide is known to be free
	uint32_t glide_core;    ///< likewise
	NcSteerOutcome outcome; ///< of the last step
	int path_index;         ///< of the point to walk to
	uint32_t path_serial;   ///< grows with every search
	uint32_t path_iteration, path_core, path_terrain; ///< for which the path is known to be good
	GdRid path_map;
	Points path;
	NcVec2 path_end; ///< its last point
	NcVec2 target;
	NcAgent body; ///< its state at the end of the glide

	// What it is and wants. Changing these takes walker_forget_path() where they matter to a path.
	double radius;
	double max_speed;
	double max_acceleration; ///< 0: such that it is at full speed in an eighth of a second
	int64_t method;          ///< a WalkerMethod
	double preferred_clearance;
	double side;              ///< from -1, on the right, to 1, on the left
	double sigma;             ///< of MIRAN; 0: from the radius
	double sampling_distance; ///< of MIRAN; 0: from the radius
	NcRouteKind route;
	Points control; ///< of NC_ROUTE_CONTROL
	int64_t avoidance_layers, avoidance_mask;
	double avoidance_priority; ///< from 0 to 1: it does not care about who has less
	double neighbor_distance;
	int64_t max_neighbors;
	double time_horizon;
	NcVec2 wish; ///< while it answers: the velocity that was asked for, and then what is safe

	// Its way.
	Points corridor; ///< position, left, right of each event of the corridor
	double path_length;
	double passed_length;      ///< of the path up to the point before path_index
	double decision_time;      ///< how long the glide was meant to be; 0: to be kept short
	double hurry_time;         ///< how long it still pays no heed to others, in seconds
	NcSteerRoute* steer_route; ///< the path prepared for steering; NULL: not yet
	NcTerrainProfile profile;  ///< of NC_ROUTE_WEIGHTED
	NcPathWatch watch;         ///< of the path
	NcPathWatch glide_watch;   ///< of the glide, and the way to stop after it
};

/// How often walkers searched, since the beginning.
typedef struct WalkerCounts
{
	int64_t search_count; ///< paths searched
	int64_t replan_count; ///< because the map changed on the path
	int64_t kept_count;   ///< paths that were kept while the map changed: elsewhere, or beside them
	int64_t decision_count; ///< steps of the methods
} WalkerCounts;

WalkerCounts walker_get_counts(void);

/// Set the defaults of NavigationAgent2D and give it a RID.
void walker_init(Walker* walker, const WalkerOwner* owner);

/// Release what a walker holds, its RID included.
void walker_close(Walker* walker);

/// @return NULL if the RID names no agent
Walker* walker_get(GdRid rid);

/// Search again before the next step.
void walker_forget_path(Walker* walker);

/// Whether there is no path, or none that is good. The map is up to date.
bool walker_needs_path(Walker* walker, const StoreMap* map);

/// Search a path, or find out that there is none.
void walker_search(Walker* walker, const StoreMap* map);

// A step of `dt` seconds along a path. Several threads may let walkers decide and search at the
// same time, each with a view of the map of its own: both touch nothing but the walker.

/// @return whether the walker has to decide now; otherwise it glides on
bool walker_must_decide(Walker* walker, const StoreMap* map, double dt);

/// Decide where to go.
void walker_decide(Walker* walker, const StoreMap* map, const NcNeighbor* neighbors,
	int neighbor_count, double dt);

/// Move on.
void walker_glide(Walker* walker, const StoreMap* map, double dt);

/// Put a walker somewhere else.
void walker_put(Walker* walker, NcVec2 position);

/// Turn the wish into a velocity after which, in `dt` seconds, the clearance is at least the
/// radius.
void walker_answer(Walker* walker, const StoreMap* map, const NcNeighbor* neighbors,
	int neighbor_count, double dt);
