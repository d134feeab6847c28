// SPDX-License-Identifier: MIT

// Random walks with everything watched: see steer_runs.h.

#include "steer_runs.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WALLS 1024
#define MAX_POINTS 8192
#define CROWD_COUNT 12

const char* const steer_method_names[STEER_METHOD_COUNT] = {
	"cmm", "improved", "irm", "miran", "pd"};

NcSteerStepFn* steer_get_method(SteerMethod method)
{
	static NcSteerStepFn* const methods[STEER_METHOD_COUNT] = {nc_steer_step_cmm,
		nc_steer_step_improved, nc_steer_step_irm, nc_steer_step_miran, nc_steer_step_pd};
	return methods[method];
}

typedef struct Walls
{
	NcVec2 ends[MAX_WALLS][2];
	int count;
} Walls;

static void read_walls(const NcMap* map, Walls* walls)
{
	walls->count = 0;
	for (int i = 0; i < nc_map_get_wall_range(map) && walls->count < MAX_WALLS; ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall) && (wall.left_free || wall.right_free))
		{
			walls->ends[walls->count][0] = wall.a;
			walls->ends[walls->count++][1] = wall.b;
		}
	}
}

static double measure_distance(const Walls* walls, NcVec2 p)
{
	double best = HUGE_VAL;
	for (int i = 0; i < walls->count; ++i)
	{
		NcVec2 foot = nc_closest_on_segment(p, walls->ends[i][0], walls->ends[i][1]);
		best = nc_min(best, nc_length_squared(nc_sub(p, foot)));
	}
	return sqrt(best);
}

// The route that an agent follows: shortest, medial or weighted, by the seed.
static NcSteerRoute* plan_route(NcQuery* query, const TerrainScene* scene, const SteerRun* run)
{
	static NcVec2 points[MAX_POINTS];
	NcPathDef def = nc_default_path_def();
	NcPathInfo info;
	def.route = run->method == STEER_CMM || run->seed % 3 == 0 ? NC_ROUTE_MEDIAL
				: run->seed % 3 == 1                           ? NC_ROUTE_SHORTEST
															   : NC_ROUTE_WEIGHTED;
	def.terrain = scene->terrain;
	def.profile = &scene->profile;
	def.start = scene->start;
	def.goal = scene->goal;
	def.radius = nc_steer_get_route_radius(scene->map, scene->radius);
	NcSteerRoute* route = NULL;
	if (nc_query_find_path(query, &def, &info) && info.point_count <= MAX_POINTS)
	{
		nc_query_get_path_points(query, points, MAX_POINTS);
		nc_steer_route_create(query, points, info.point_count, scene->radius, &route, NULL);
	}
	return route;
}

static void watch(const Walls* walls, const NcAgent* before, const NcAgent* after, double dt,
	bool is_pushed, SteerReport* report)
{
	if (!nc_is_finite(after->position) || !nc_is_finite(after->velocity))
	{
		++report->not_numbers;
		return;
	}
	for (int k = 1; k <= 4; ++k)
	{
		NcVec2 p = nc_lerp(before->position, after->position, k / 4.0);
		double margin = measure_distance(walls, p) - after->radius;
		report->violations += margin < 0.0;
		report->least_margin = nc_min(report->least_margin, margin);
	}
	double jump = nc_distance(before->velocity, after->velocity);
	report->jumps += !is_pushed && jump > after->max_acceleration * dt * (1.0 + 1e-9);
	report->backward += after->reference < before->reference;
	uint64_t bits[2];
	memcpy(bits, &after->position, sizeof(bits));
	report->hash = (report->hash ^ bits[0]) * 0x100000001b3u;
	report->hash = (report->hash ^ bits[1]) * 0x100000001b3u;
}

// Others in the way. The first half of them stands.
typedef struct Crowd
{
	NcNeighbor others[CROWD_COUNT];
	NcBox box;
	int count;
} Crowd;

static void fill_crowd(Crowd* crowd, const Walls* walls, const TerrainScene* scene, Random* random)
{
	crowd->box = nc_box_empty();
	for (int i = 0; i < walls->count; ++i)
	{
		crowd->box = nc_box_add_point(crowd->box, walls->ends[i][0]);
		crowd->box = nc_box_add_point(crowd->box, walls->ends[i][1]);
	}
	for (crowd->count = 0; crowd->count < CROWD_COUNT;)
	{
		NcBox box = crowd->box;
		NcNeighbor other = {.position = {random_get_double(random, box.lower.x, box.upper.x),
								random_get_double(random, box.lower.y, box.upper.y)},
			.radius = random_get_double(random, 0.1, 1.5)};
		double angle = random_get_double(random, 0.0, 6.28);
		double speed = random_get_double(random, 0.5, 4.0);
		bool is_standing = crowd->count < CROWD_COUNT / 2;
		other.velocity = nc_scale(is_standing ? 0.0 : speed, nc_direction(angle));
		if (nc_distance(other.position, scene->start) > scene->radius + other.radius)
		{
			crowd->others[crowd->count++] = other;
		}
	}
}

static void move_crowd(Crowd* crowd, double dt)
{
	for (int i = 0; i < crowd->count; ++i)
	{
		NcNeighbor* other = &crowd->others[i];
		other->position = nc_mul_add(other->position, dt, other->velocity);
		bool is_out_x =
			other->position.x < crowd->box.lower.x || other->position.x > crowd->box.upper.x;
		bool is_out_y =
			other->position.y < crowd->box.lower.y || other->position.y > crowd->box.upper.y;
		other->velocity.x *= is_out_x ? -1.0 : 1.0;
		other->velocity.y *= is_out_y ? -1.0 : 1.0;
	}
}

static int count_collisions(const Crowd* crowd, const NcAgent* agent)
{
	int collisions = 0;
	for (int i = 0; i < crowd->count / 2; ++i)
	{
		double least = agent->radius + crowd->others[i].radius;
		collisions += nc_distance(agent->position, crowd->others[i].position) < least - 1e-9;
	}
	return collisions;
}

static NcAgent make_agent(const NcSteerRoute* route, const TerrainScene* scene, Random* random)
{
	NcAgent agent = nc_steer_make_agent(route, scene->radius,
		random_get_double(random, 0.5, random_get_int(random, 4) ? 3.0 : 30.0));
	agent.max_acceleration = random_get_int(random, 3) ? 5.0 : random_get_double(random, 1.0, 50.0);
	return agent;
}

static NcSteerDef make_def(const TerrainScene* scene, const SteerRun* run, Random* random)
{
	NcSteerDef def = nc_default_steer_def();
	def.integrator = random_get_int(random, 2) ? NC_INTEGRATOR_VERLET : NC_INTEGRATOR_EULER;
	def.attraction = (NcAttraction)random_get_int(random, 4);
	def.attraction_distance = random_get_double(random, 1.0, 15.0);
	def.sigma = random_get_double(random, 5.0, 80.0);
	def.d = def.sigma * random_get_double(random, 0.05, 1.0);
	def.c_s = random_get_int(random, 3) ? 1.0 : random_get_double(random, 0.5, 20.0);
	def.terrain = run->is_terrain ? scene->terrain : NULL;
	def.profile = run->is_terrain ? &scene->profile : NULL;
	return def;
}

SteerReport steer_run(const TerrainScene* scene, const SteerRun* run)
{
	static Walls walls;
	SteerReport report = {.least_margin = HUGE_VAL, .hash = 0xcbf29ce484222325u};
	Random random = random_begin(run->seed ^ 0x5357454552u);
	NcQuery* query = NULL;
	if (nc_query_create(scene->map, &query) != NC_OK)
	{
		abort();
	}
	read_walls(scene->map, &walls);
	NcSteerRoute* route = plan_route(query, scene, run);
	NcSteerDef def = make_def(scene, run, &random);
	NcAgent agent = {0};
	report.is_walked = route != NULL;
	if (route != NULL)
	{
		agent = make_agent(route, scene, &random);
	}
	Crowd crowd = {.count = 0};
	if (run->is_crowded)
	{
		fill_crowd(&crowd, &walls, scene, &random);
	}
	double nearest = HUGE_VAL;
	for (; route != NULL && report.steps < run->max_steps && !report.is_arrived; ++report.steps)
	{
		bool is_pushed = run->is_pushed && random_get_int(&random, 20) == 0;
		if (is_pushed)
		{
			double size = random_get_double(&random, 0.0, 4.0);
			NcVec2 direction = nc_direction(random_get_double(&random, 0.0, 6.28));
			agent.velocity = nc_mul_add(agent.velocity, size, direction);
			NcAgent unpushed = agent;
			nc_steer_push(query, nc_scale(size, direction), &agent);
			watch(&walls, &unpushed, &agent, run->dt, true, &report);
		}
		NcAgent before = agent;
		NcSteerOutcome outcome = steer_get_method(run->method)(
			query, route, &def, crowd.others, crowd.count, run->dt, &agent);
		report.collisions += run->is_pushed ? 0 : count_collisions(&crowd, &agent);
		move_crowd(&crowd, run->dt);
		watch(&walls, &before, &agent, run->dt, false, &report);
		report.is_arrived = outcome == NC_STEER_ARRIVED;
		if (outcome == NC_STEER_LOST)
		{
			report.lost += !run->is_pushed;
			report.replans += nc_steer_route_replan(query, route, &agent) == NC_OK;
		}
		double distance = nc_distance(agent.position, scene->goal);
		nearest = nc_min(nearest, distance);
		bool is_close = nearest < 0.2 && !run->is_pushed;
		report.overshoot = is_close ? nc_max(report.overshoot, distance - nearest) : 0.0;
	}
	nc_steer_route_destroy(route);
	nc_query_destroy(query);
	return report;
}
