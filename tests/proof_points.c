// SPDX-License-Identifier: MIT
// Points and rays against brute force: see proof_points.h.

#include "proof_points.h"

#include "scenes.h"
#include "scenes_kinds.h"

#include <stdio.h>
#include <stdlib.h>

const char* const proof_scenes[PROOF_SCENE_COUNT] = {"mckenna", "city:12", "city17:12",
	"random:400", "gons:2", "comb:60", "lattice:1", "mixed:1", "hard:1", "overlap:1"};

typedef struct Proof
{
	const char* scene;
	NcMap* map;
	NcQuery* query;
	NcMapWall* walls;
	int wall_count;
	double size;      // of the scene
	double tolerance; // a billionth of that
	PointProof result;
} Proof;

static void fail(Proof* proof, const char* what, NcVec2 p, double value, double expected)
{
	if (proof->result.failure_count++ < 10)
	{
		fprintf(stderr, "%s: %s at %.17g,%.17g: %.17g instead of %.17g\n", proof->scene, what, p.x,
			p.y, value, expected);
	}
}

static bool begin(Proof* proof, const char* scene)
{
	TestScene made;
	*proof = (Proof){.scene = scene};
	if (!scenes_make(scene, &made))
	{
		return false;
	}
	proof->map = scenes_build_map(&made, 1, NULL);
	scenes_destroy(&made);
	NcBox bounds = nc_map_get_bounds(proof->map);
	proof->size = nc_max(bounds.upper.x - bounds.lower.x, bounds.upper.y - bounds.lower.y);
	proof->tolerance = 1e-9 * proof->size;
	int range = nc_map_get_wall_range(proof->map);
	proof->walls = calloc((size_t)range, sizeof(NcMapWall));
	for (int i = 0; i < range; ++i)
	{
		NcMapWall* wall = &proof->walls[proof->wall_count];
		proof->wall_count += nc_map_get_wall(proof->map, i, wall);
	}
	return nc_query_create(proof->map, &proof->query) == NC_OK;
}

static void end(Proof* proof)
{
	nc_query_destroy(proof->query);
	nc_map_destroy(proof->map);
	free(proof->walls);
}

// What is expected.

// Whether a wall keeps anybody out: outlines between two walkable areas do not.
static bool is_solid(const NcMapWall* wall)
{
	return wall->left_free || wall->right_free;
}

static double compute_clearance(const Proof* proof, NcVec2 p)
{
	double best = HUGE_VAL;
	for (int i = 0; i < proof->wall_count; ++i)
	{
		const NcMapWall* wall = &proof->walls[i];
		if (is_solid(wall))
		{
			best = nc_min(best, nc_distance(p, nc_closest_on_segment(p, wall->a, wall->b)));
		}
	}
	return best;
}

// A point is free if the first wall straight above it has its free side below.
static bool is_free(const Proof* proof, NcVec2 p)
{
	double best = HUGE_VAL;
	bool answer = false;
	for (int i = 0; i < proof->wall_count; ++i)
	{
		const NcMapWall* wall = &proof->walls[i];
		bool is_crossed = (wall->a.x > p.x) != (wall->b.x > p.x);
		double t = is_crossed ? (p.x - wall->a.x) / (wall->b.x - wall->a.x) : 0.0;
		double y = wall->a.y + t * (wall->b.y - wall->a.y);
		if (is_crossed && y > p.y && y < best)
		{
			best = y;
			answer = wall->a.x < wall->b.x ? wall->right_free : wall->left_free;
		}
	}
	return answer;
}

// Whether somebody owns a wall through a point.
static bool is_owner(const Proof* proof, NcObstacleId id, NcVec2 p)
{
	for (int i = 0; i < proof->wall_count; ++i)
	{
		const NcMapWall* wall = &proof->walls[i];
		double distance = nc_distance(p, nc_closest_on_segment(p, wall->a, wall->b));
		if (distance <= proof->tolerance && wall->obstacle.index == id.index &&
			wall->obstacle.generation == id.generation)
		{
			return true;
		}
	}
	return false;
}

// How far a disc moves until it touches a wall. The distance of a moving point from a wall falls
// to a minimum and rises again: find the minimum, then the place before it.
static double compute_wall_contact(
	const NcMapWall* wall, NcVec2 from, NcVec2 direction, double length, double radius)
{
	double lower = 0.0;
	double upper = length;
	for (int i = 0; i < 90; ++i)
	{
		double s = lower + (upper - lower) / 3.0;
		double t = upper - (upper - lower) / 3.0;
		NcVec2 p = nc_mul_add(from, s, direction);
		NcVec2 q = nc_mul_add(from, t, direction);
		bool is_before = nc_distance(p, nc_closest_on_segment(p, wall->a, wall->b)) <
						 nc_distance(q, nc_closest_on_segment(q, wall->a, wall->b));
		*(is_before ? &upper : &lower) = is_before ? t : s;
	}
	NcVec2 lowest = nc_mul_add(from, upper, direction);
	if (nc_distance(lowest, nc_closest_on_segment(lowest, wall->a, wall->b)) > radius)
	{
		return HUGE_VAL;
	}
	lower = 0.0;
	for (int i = 0; i < 90; ++i)
	{
		double middle = 0.5 * (lower + upper);
		NcVec2 p = nc_mul_add(from, middle, direction);
		bool is_inside = nc_distance(p, nc_closest_on_segment(p, wall->a, wall->b)) <= radius;
		*(is_inside ? &upper : &lower) = middle;
	}
	return upper;
}

static double compute_contact(
	const Proof* proof, NcVec2 from, NcVec2 direction, double length, double radius)
{
	double best = HUGE_VAL;
	NcVec2 to = nc_mul_add(from, length, direction);
	NcBox box = nc_box_add_point(nc_box_add_point(nc_box_empty(), from), to);
	box = nc_box_grow(box, radius + proof->tolerance);
	for (int i = 0; i < proof->wall_count; ++i)
	{
		const NcMapWall* wall = &proof->walls[i];
		NcBox wall_box = nc_box_add_point(nc_box_add_point(nc_box_empty(), wall->a), wall->b);
		if (is_solid(wall) && nc_box_overlaps(box, wall_box))
		{
			best = nc_min(best, compute_wall_contact(wall, from, direction, length, radius));
		}
	}
	return best;
}

// Points.

static void note_error(Proof* proof, double error)
{
	proof->result.worst_error = nc_max(proof->result.worst_error, error / proof->size);
}

static void check_location(Proof* proof, NcVec2 p, double expected)
{
	NcLocation location;
	if (!nc_query_locate(proof->query, p, &location))
	{
		fail(proof, "not located", p, 0.0, 1.0);
		return;
	}
	note_error(proof, fabs(location.clearance - expected));
	if (!(fabs(location.clearance - expected) <= proof->tolerance))
	{
		fail(proof, "clearance", p, location.clearance, expected);
	}
	double distance = nc_distance(p, location.closest);
	double off_wall = compute_clearance(proof, location.closest);
	note_error(proof, nc_max(fabs(distance - expected), off_wall));
	if (!(fabs(distance - expected) <= proof->tolerance) || !(off_wall <= proof->tolerance))
	{
		fail(proof, "closest point", p, distance, expected);
	}
	if (!is_owner(proof, location.obstacle, location.closest))
	{
		fail(proof, "owner", p, location.obstacle.index, 0.0);
	}
	// The disc around the retraction is empty and as large as the walk to it says. Junctions are
	// known to some hundredths of a snap.
	double room = compute_clearance(proof, location.retraction);
	double walk = nc_distance(location.retraction, location.closest);
	double tolerance = 0.1 * nc_map_get_snap(proof->map) + proof->tolerance;
	if (!(fabs(room - walk) <= tolerance))
	{
		fail(proof, "retraction", p, walk, room);
	}
}

static void check_point(Proof* proof, NcVec2 p)
{
	double expected = compute_clearance(proof, p);
	bool must_be_free = is_free(proof, p);
	if (expected <= proof->tolerance)
	{
		return;
	}
	++*(must_be_free ? &proof->result.free_count : &proof->result.blocked_count);
	if (must_be_free)
	{
		check_location(proof, p, expected);
	}
	double clearance = nc_query_get_clearance(proof->query, p);
	if (!(fabs(clearance - (must_be_free ? expected : 0.0)) <= proof->tolerance))
	{
		fail(proof, "clearance", p, clearance, must_be_free ? expected : 0.0);
	}
}

// Rays.

static void check_hit(Proof* proof, NcVec2 from, NcVec2 direction, double radius, NcRayHit hit)
{
	NcVec2 center = nc_mul_add(from, hit.distance, direction);
	double error = nc_distance(center, hit.center);
	error = nc_max(error, fabs(compute_clearance(proof, hit.center) - radius));
	error = nc_max(error, fabs(nc_distance(hit.center, hit.point) - radius));
	error = nc_max(error, compute_clearance(proof, hit.point));
	note_error(proof, error);
	if (!(error <= proof->tolerance))
	{
		fail(proof, "contact of a ray", from, error, 0.0);
	}
	if (!(fabs(nc_length(hit.normal) - 1.0) < 1e-9) || nc_dot(hit.normal, direction) > 1e-6)
	{
		fail(proof, "normal", from, nc_length(hit.normal), 1.0);
	}
	if (!is_owner(proof, hit.obstacle, hit.point))
	{
		fail(proof, "owner of a contact", from, hit.obstacle.index, 0.0);
	}
}

// A slightly thinner disc must get as far, and a slightly thicker one no farther.
static void check_ray(Proof* proof, NcVec2 from, NcVec2 direction, double length, double radius)
{
	double slack = 2.0 * proof->tolerance;
	double thin = compute_contact(proof, from, direction, length, nc_max(radius - slack, 0.0));
	double thick = compute_contact(proof, from, direction, length, radius + slack);
	NcVec2 to = nc_mul_add(from, length, direction);
	NcRayHit hit;
	bool is_hit = nc_query_cast_disc(proof->query, from, to, radius, &hit);
	++*(is_hit ? &proof->result.hit_count : &proof->result.miss_count);
	if (is_hit == nc_query_is_segment_free(proof->query, from, to, radius))
	{
		fail(proof, "ray and segment", from, is_hit, !is_hit);
	}
	if (!is_hit)
	{
		if (thin < HUGE_VAL && radius > slack)
		{
			fail(proof, "missed", from, HUGE_VAL, thin);
		}
		return;
	}
	if (!(hit.distance >= thick - slack) || (radius > slack && !(hit.distance <= thin + slack)))
	{
		fail(proof, "distance of a ray", from, hit.distance, thin);
	}
	check_hit(proof, from, direction, radius, hit);
}

static void check_random_ray(Proof* proof, uint64_t* seed)
{
	NcBox bounds = nc_map_get_bounds(proof->map);
	NcVec2 from;
	double room;
	do
	{
		from.x = scenes_random_double(seed, bounds.lower.x, bounds.upper.x);
		from.y = scenes_random_double(seed, bounds.lower.y, bounds.upper.y);
		room = is_free(proof, from) ? compute_clearance(proof, from) : 0.0;
	} while (room < 1e-6 * proof->size);
	double radius = scenes_random_int(seed, 0, 3) == 0
						? 0.0
						: scenes_random_double(seed, 0.01 * room, 0.99 * room);
	double length = scenes_random_double(seed, 0.0, 0.3 * proof->size);
	NcVec2 direction = nc_direction(scenes_random_double(seed, -3.2, 3.2));
	check_ray(proof, from, direction, length, radius);
}

PointProof proof_points_run(const char* scene, int point_count, int ray_count, uint64_t seed)
{
	Proof proof;
	if (!begin(&proof, scene))
	{
		return (PointProof){.failure_count = 1};
	}
	NcBox box = nc_box_grow(nc_map_get_bounds(proof.map), 0.02 * proof.size);
	for (int i = 0; i < point_count; ++i)
	{
		double x = scenes_random_double(&seed, box.lower.x, box.upper.x);
		check_point(&proof, (NcVec2){x, scenes_random_double(&seed, box.lower.y, box.upper.y)});
	}
	for (int i = 0; i < ray_count; ++i)
	{
		check_random_ray(&proof, &seed);
	}
	end(&proof);
	return proof.result;
}
