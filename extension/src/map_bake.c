// SPDX-License-Identifier: MIT

// Bakes, and the list of those that run.

#include "map_bake.h"

#include "map_shape.h"
#include "region_project.h"

#include <stdlib.h>
#include <string.h>

// Where the phases of a bake begin, in thousandths of its time.
#define PROGRESS_STAGED 100
#define PROGRESS_BUILT 850
#define PROGRESS_DONE 1000

// In how many pieces the longest phase is cut, to see it go on.
#define PIECE_COUNT 64

// Bakes that run. For the main thread.
static MapBake* running;

MapBake* map_bake_create(void)
{
	MapBake* bake = calloc(1, sizeof(MapBake));
	if (bake == NULL)
	{
		GD_ERROR("Out of memory.");
	}
	return bake;
}

void map_bake_destroy(MapBake* bake)
{
	if (bake != NULL)
	{
		nc_map_destroy(bake->core);
		free(bake->bytes);
		points_free(&bake->border);
		region_shapes_free(&bake->shapes);
		region_project_free(bake->project);
		free(bake);
	}
}

// ---- The work ----------------------------------------------------------------------------------

static void add_problem(MapBake* bake, uint64_t node_id, const char* reason)
{
	if (bake->problem_count < MAX_BAKE_PROBLEMS)
	{
		bake->problems[bake->problem_count++] = (BakeProblem){node_id, reason};
	}
}

bool map_bake_fail(MapBake* bake, NcStatus status, const char* reason)
{
	bake->status = status;
	bake->error = (NcError){.reason = reason, .item = NC_NULL_INDEX};
	return false;
}

// An NcParallelForFn in one thread, which shows how far it is.
static void run_pieces(void* context, int count, NcTaskFn* task, void* task_context)
{
	MapBake* bake = context;
	int piece = count / PIECE_COUNT + 1;
	for (int begin = 0; begin < count; begin += piece)
	{
		int end = begin + piece < count ? begin + piece : count;
		task(task_context, begin, end, 0);
		int progress =
			PROGRESS_STAGED + (int)((double)(PROGRESS_BUILT - PROGRESS_STAGED) * end / count);
		if (progress > atomic_load(&bake->progress))
		{
			atomic_store(&bake->progress, progress);
		}
	}
}

static bool create_core(MapBake* bake)
{
	NcMapDef def = nc_default_map_def();
	def.bounds = bake->box;
	def.snap = map_shape_choose_snap(bake->box);
	def.parallel_for = run_pieces;
	def.parallel_context = bake;
	bake->error = (NcError){.reason = "there is no memory", .item = NC_NULL_INDEX};
	bake->status = nc_map_create(&def, &bake->core, &bake->error);
	return bake->status == NC_OK;
}

// Stage an obstacle with holes, which lies within the bounds.
static bool stage_rings(MapBake* bake, RegionShape item)
{
	NcShape shape = {.kind = item.kind,
		.points = bake->shapes.points.data + item.begin,
		.point_count = item.count,
		.ring_counts = bake->shapes.rings + item.ring_begin,
		.ring_count = item.ring_count};
	NcObstacleId id;
	NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
	NcStatus status = nc_map_add_obstacle(bake->core, &shape, &id, &error);
	return status == NC_OK || map_bake_fail(bake, status, error.reason);
}

// Stage one obstacle. What cannot be used is left out and remembered.
// @return false if there is no memory
static bool stage_shape(
	MapBake* bake, NcShapeKind kind, const NcVec2* items, int count, uint64_t node_id)
{
	Points points = {0};
	for (int i = 0; i < count; ++i)
	{
		points_push(&points, items[i]);
	}
	bool is_usable = map_shape_has_enough_points(kind, &points);
	if (!is_usable)
	{
		add_problem(bake, node_id, "a polygon needs at least three different points");
	}
	NcStatus status = points.is_failed ? NC_OUT_OF_MEMORY : NC_OK;
	NcShape shape = map_shape_cut(kind, &points, map_shape_get_clip_box(bake->core));
	if (is_usable && status == NC_OK && shape.point_count > 0)
	{
		NcObstacleId id;
		NcError error = {.reason = "there is no memory", .item = NC_NULL_INDEX};
		status = nc_map_add_obstacle(bake->core, &shape, &id, &error);
		if (status != NC_OK && status != NC_OUT_OF_MEMORY)
		{
			add_problem(bake, node_id, error.reason);
		}
	}
	points_free(&points);
	return status != NC_OUT_OF_MEMORY ||
		   map_bake_fail(bake, NC_OUT_OF_MEMORY, "there is no memory");
}

static bool stage_all(MapBake* bake)
{
	const RegionShapes* shapes = &bake->shapes;
	bool is_staged = bake->is_rectangle || stage_shape(bake, NC_SHAPE_WALKABLE, bake->border.data,
											   bake->border.count, bake->owner_id);
	for (int i = 0; i < shapes->count && is_staged && !atomic_load(&bake->is_canceled); ++i)
	{
		RegionShape shape = shapes->items[i];
		const NcVec2* points = shapes->points.data + shape.begin;
		is_staged = shape.ring_count > 0
						? stage_rings(bake, shape)
						: stage_shape(bake, shape.kind, points, shape.count, shape.node_id);
		atomic_store(&bake->progress, (int)((double)PROGRESS_STAGED * i / shapes->count));
	}
	return is_staged;
}

static bool append_bytes(void* context, const void* data, size_t size)
{
	MapBake* bake = context;
	if (bake->byte_count + size > bake->byte_capacity)
	{
		size_t capacity = 2 * bake->byte_capacity + size;
		uint8_t* bytes = realloc(bake->bytes, capacity);
		if (bytes == NULL)
		{
			return false;
		}
		bake->bytes = bytes;
		bake->byte_capacity = capacity;
	}
	memcpy(bake->bytes + bake->byte_count, data, size);
	bake->byte_count += size;
	return true;
}

static bool build(MapBake* bake)
{
	if (atomic_load(&bake->is_canceled))
	{
		return map_bake_fail(bake, NC_INVALID_INPUT, "another bake took its place");
	}
	NcStatus status = nc_map_update(bake->core, NULL);
	if (status != NC_OK)
	{
		return map_bake_fail(bake, status, nc_status_name(status));
	}
	atomic_store(&bake->progress, PROGRESS_BUILT);
	return true;
}

static bool save(MapBake* bake)
{
	NcStatus status = bake->is_data_wanted ? nc_map_save(bake->core, append_bytes, bake) : NC_OK;
	return status == NC_OK ||
		   map_bake_fail(bake, NC_OUT_OF_MEMORY, "there is no memory for its data");
}

void map_bake_run(MapBake* bake)
{
	bool is_prepared = bake->prepare == NULL || bake->prepare(bake);
	bool is_done = is_prepared && create_core(bake) && stage_all(bake) && build(bake) && save(bake);
	(void)is_done; // what went wrong is in the bake
	atomic_store(&bake->progress, PROGRESS_DONE);
}

void map_bake_report_problems(const MapBake* bake)
{
	for (int i = 0; i < bake->problem_count; ++i)
	{
		GDExtensionObjectPtr node = gd_get_object(bake->problems[i].node_id);
		char name[64] = "A node";
		if (node != NULL)
		{
			gd_get_node_name(node, name, sizeof(name));
		}
		GD_ERROR("%s: it is not in the map, because %s.", name, bake->problems[i].reason);
	}
}

// ---- Bakes on workers --------------------------------------------------------------------------

static void run_task(void* context)
{
	map_bake_run(context);
}

void map_bake_start(MapBake* bake, GDExtensionObjectPtr owner,
	void (*finish)(GDExtensionObjectPtr owner, MapBake* bake))
{
	map_bake_cancel(owner);
	bake->owner_id = gd_get_id(owner);
	bake->finish = finish;
	bake->next = running;
	running = bake;
	bake->task = gd_start_task(run_task, bake, "Bake a corridor map");
}

MapBake* map_bake_find(GDExtensionObjectPtr owner)
{
	uint64_t id = gd_get_id(owner);
	MapBake* bake = running;
	while (bake != NULL && (bake->owner_id != id || atomic_load(&bake->is_canceled)))
	{
		bake = bake->next;
	}
	return bake;
}

double map_bake_get_progress(GDExtensionObjectPtr owner, bool is_done)
{
	MapBake* bake = map_bake_find(owner);
	return bake != NULL ? 0.001 * atomic_load(&bake->progress) : (double)is_done;
}

void map_bake_cancel(GDExtensionObjectPtr owner)
{
	MapBake* bake = map_bake_find(owner);
	if (bake != NULL)
	{
		atomic_store(&bake->is_canceled, true);
	}
}

// Take a bake that is done out of the list.
static MapBake* take_finished(void)
{
	for (MapBake** place = &running; *place != NULL; place = &(*place)->next)
	{
		MapBake* bake = *place;
		if (gd_is_task_done(bake->task))
		{
			*place = bake->next;
			gd_wait_for_task(bake->task);
			return bake;
		}
	}
	return NULL;
}

// Listeners may start more bakes, free regions, and so on: the list is read again after each.
static void finish_bakes(void)
{
	for (MapBake* bake = take_finished(); bake != NULL; bake = take_finished())
	{
		GDExtensionObjectPtr owner = gd_get_object(bake->owner_id);
		if (owner != NULL && !atomic_load(&bake->is_canceled))
		{
			bake->finish(owner, bake);
		}
		map_bake_destroy(bake);
	}
}

void map_bakes_begin(void)
{
	GDExtensionObjectPtr loop = gd_engine_get_main_loop(gd_singleton("Engine"));
	if (loop != NULL && gd_is_class(loop, "SceneTree"))
	{
		gd_connect(loop, "physics_frame", finish_bakes);
	}
}

void map_bakes_end(void)
{
	while (running != NULL)
	{
		MapBake* bake = running;
		running = bake->next;
		atomic_store(&bake->is_canceled, true);
		gd_wait_for_task(bake->task);
		map_bake_destroy(bake);
	}
}
