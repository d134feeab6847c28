// SPDX-License-Identifier: MIT

// query_path() and its two classes: CorridorPathQueryParameters says what path to find,
// CorridorPathQueryResult takes it.
//
// With a callback the search runs on one of the engine's worker threads, under the lock of the
// server, and its result is handed out at the begin of the next physics frame after it is done.

#include "path_query.h"

#include "plan.h"
#include "server.h"
#include "terrain_profile.h"

#include <stdlib.h>
#include <string.h>

// ---- Parameters --------------------------------------------------------------------------------

typedef struct Parameters
{
	GdInstance base;
	GdRid map;
	GdVector2 start_position, target_position;
	double radius;
	double preferred_clearance;
	int64_t route;
	double side_preference;
	Points control_points;
	GDExtensionObjectPtr terrain_profile;
} Parameters;

static void set_map(GdCall* call)
{
	((Parameters*)call->self)->map = gd_arg_rid(call, 0);
}

static void get_map(GdCall* call)
{
	gd_return_rid(call, ((const Parameters*)call->self)->map);
}

static void set_control_points(GdCall* call)
{
	Points* points = &((Parameters*)call->self)->control_points;
	int count;
	const GdVector2* items = gd_vector2_items(call->args[0], &count);
	if (!server_check_points(call, 0))
	{
		return;
	}
	points_clear(points);
	for (int i = 0; i < count; ++i)
	{
		points_push(points, gd_vec2(items[i]));
	}
}

static void get_control_points(GdCall* call)
{
	const Points* points = &((const Parameters*)call->self)->control_points;
	gd_assign_vector2_array(call->result, points->data, points->count);
}

static void set_terrain_profile(GdCall* call)
{
	GDExtensionObjectPtr profile = *(const GDExtensionObjectPtr*)call->args[0];
	NcTerrainProfile unused;
	if (profile != NULL && !terrain_profile_read(profile, &unused))
	{
		GD_ERROR(
			"CorridorPathQueryParameters.set_terrain_profile(): pass a TerrainProfile, or null "
			"for none.");
		return;
	}
	gd_set_reference(&((Parameters*)call->self)->terrain_profile, profile);
}

static void get_terrain_profile(GdCall* call)
{
	*(GDExtensionObjectPtr*)call->result = ((const Parameters*)call->self)->terrain_profile;
}

static void create_parameters(void* instance)
{
	((Parameters*)instance)->route = NC_ROUTE_SHORTEST;
}

static void destroy_parameters(void* instance)
{
	Parameters* self = instance;
	points_free(&self->control_points);
	gd_set_reference(&self->terrain_profile, NULL);
}

#define NUMBER(member, least, most) \
	{ \
		.name = #member, .type = GD_FLOAT, .field = offsetof(Parameters, member), \
		.minimum = least, .maximum = most \
	}

static const GdProperty parameter_properties[] = {
	{.name = "map", .type = GD_RID, .get = get_map, .set = set_map},
	{.name = "start_position", .type = GD_VECTOR2, .field = offsetof(Parameters, start_position)},
	{.name = "target_position", .type = GD_VECTOR2, .field = offsetof(Parameters, target_position)},
	NUMBER(radius, 0.0, STORE_MAX_COORDINATE),
	NUMBER(preferred_clearance, 0.0, STORE_MAX_COORDINATE),
	{.name = "route",
		.type = GD_INT,
		.field = offsetof(Parameters, route),
		.maximum = NC_ROUTE_CONTROL,
		.hint = GD_HINT_ENUM,
		.hint_string = "Medial,Shortest,Weighted,Side,Control",
		.enum_name = "NavCorridorServer.Route"},
	NUMBER(side_preference, -1.0, 1.0),
	{.name = "control_points",
		.type = GD_PACKED_VECTOR2_ARRAY,
		.get = get_control_points,
		.set = set_control_points},
	{.name = "terrain_profile",
		.type = GD_OBJECT,
		.get = get_terrain_profile,
		.set = set_terrain_profile,
		.hint = GD_HINT_RESOURCE_TYPE,
		.hint_string = "TerrainProfile",
		.enum_name = "TerrainProfile"},
};

static const GdClass parameters_class = {
	.name = "CorridorPathQueryParameters",
	.parent = "RefCounted",
	.size = sizeof(Parameters),
	.create = create_parameters,
	.destroy = destroy_parameters,
	.properties = parameter_properties,
	.property_count = GD_COUNT(parameter_properties),
};

// ---- Result ------------------------------------------------------------------------------------

// The lists of points of an answer, in the order of the properties.
enum
{
	LIST_PATH,
	LIST_CORRIDOR_POINTS,
	LIST_CORRIDOR_LEFT,
	LIST_CORRIDOR_RIGHT,
	LIST_COUNT
};

typedef struct Answer
{
	Points lists[LIST_COUNT];
	double path_length, path_cost, min_clearance;
	bool is_found;
} Answer;

typedef struct Result
{
	GdInstance base;
	Answer answer;
} Result;

#define RESULT_PROPERTY_COUNT 8

static const GdProperty result_properties[RESULT_PROPERTY_COUNT];

static void set_list(GdCall* call)
{
	const GdProperty* property = call->method->data;
	Points* list = &((Result*)call->self)->answer.lists[property - result_properties];
	int count;
	const GdVector2* items = gd_vector2_items(call->args[0], &count);
	points_clear(list);
	for (int i = 0; i < count; ++i)
	{
		points_push(list, gd_vec2(items[i]));
	}
}

static void get_list(GdCall* call)
{
	const GdProperty* property = call->method->data;
	const Points* list = &((const Result*)call->self)->answer.lists[property - result_properties];
	gd_assign_vector2_array(call->result, list->data, list->count);
}

static void free_answer(Answer* answer)
{
	for (int i = 0; i < LIST_COUNT; ++i)
	{
		points_free(&answer->lists[i]);
	}
	*answer = (Answer){0};
}

// reset()
static void reset(GdCall* call)
{
	free_answer(&((Result*)call->self)->answer);
}

static void destroy_result(void* instance)
{
	free_answer(&((Result*)instance)->answer);
}

static const GdMethod result_methods[] = {
	{"reset", reset, GD_NIL},
};

#define LIST(title) \
	{ \
		.name = title, .type = GD_PACKED_VECTOR2_ARRAY, .get = get_list, .set = set_list \
	}
#define ANSWER(member) \
	{ \
		.name = #member, .type = GD_FLOAT, .field = offsetof(Result, answer.member), \
		.minimum = -1.0e300 \
	}

static const GdProperty result_properties[RESULT_PROPERTY_COUNT] = {
	LIST("path"),
	LIST("corridor_points"),
	LIST("corridor_left"),
	LIST("corridor_right"),
	ANSWER(path_length),
	ANSWER(path_cost),
	ANSWER(min_clearance),
	{.name = "is_found", .type = GD_BOOL, .field = offsetof(Result, answer.is_found)},
};

static const GdClass result_class = {
	.name = "CorridorPathQueryResult",
	.parent = "RefCounted",
	.size = sizeof(Result),
	.destroy = destroy_result,
	.methods = result_methods,
	.method_count = GD_COUNT(result_methods),
	.properties = result_properties,
	.property_count = RESULT_PROPERTY_COUNT,
};

// ---- Queries -----------------------------------------------------------------------------------

// A query on its way: everything that it needs, copied.
typedef struct Query
{
	GdRid map;
	PlanRequest request;
	Points control;
	NcTerrainProfile profile;
	Answer answer;

	struct Query* next;
	GDExtensionObjectPtr result;
	GdCallable callback;
	int64_t task;
} Query;

static Query* pending;

static void copy_corridor(const StoreMap* map, int event_count, Answer* answer)
{
	NcMapEvent* events = calloc((size_t)event_count + 1, sizeof(NcMapEvent));
	int count = events != NULL ? nc_query_get_corridor(map->query, events, event_count) : 0;
	for (int i = 0; i < count; ++i)
	{
		points_push(&answer->lists[LIST_CORRIDOR_POINTS], events[i].position);
		// With y pointing down, what is on the left for the library is on the right.
		points_push(&answer->lists[LIST_CORRIDOR_LEFT], events[i].right);
		points_push(&answer->lists[LIST_CORRIDOR_RIGHT], events[i].left);
	}
	free(events);
}

static void answer_query(void* context)
{
	Query* query = context;
	Answer* answer = &query->answer;
	gd_lock();
	StoreMap* map = store_get_map(query->map);
	NcPathInfo info;
	if (map != NULL && store_sync(map) != NULL && plan_find(map, &query->request, &info))
	{
		Points* path = &answer->lists[LIST_PATH];
		NcVec2* points = points_reserve(path, info.point_count);
		path->count =
			points != NULL ? nc_query_get_path_points(map->query, points, info.point_count) : 0;
		copy_corridor(map, info.event_count, answer);
		answer->path_length = info.length;
		answer->path_cost = info.cost;
		answer->min_clearance = info.min_clearance;
		answer->is_found = true;
	}
	gd_unlock();
}

static Query* make_query(const Parameters* parameters)
{
	Query* query = calloc(1, sizeof(Query));
	if (query == NULL)
	{
		GD_ERROR("Out of memory.");
		return NULL;
	}
	for (int i = 0; i < parameters->control_points.count; ++i)
	{
		points_push(&query->control, parameters->control_points.data[i]);
	}
	bool has_profile = terrain_profile_read(parameters->terrain_profile, &query->profile);
	query->map = parameters->map;
	query->request = (PlanRequest){.start = gd_vec2(parameters->start_position),
		.goal = gd_vec2(parameters->target_position),
		.radius = parameters->radius,
		.preferred_clearance = parameters->preferred_clearance,
		.route = (NcRouteKind)parameters->route,
		.side = parameters->side_preference,
		.control = query->control.data,
		.control_count = query->control.count,
		.profile = has_profile ? &query->profile : NULL};
	return query;
}

// Move the answer to the result, and let go of the query.
static void finish_query(Query* query, Result* result)
{
	if (result != NULL)
	{
		free_answer(&result->answer);
		result->answer = query->answer;
		query->answer = (Answer){0};
	}
	free_answer(&query->answer);
	points_free(&query->control);
	free(query);
}

static void call_back(const GdCallable* callback)
{
	GdArray none;
	gd_construct(GD_ARRAY, &none);
	GdVariant unused = gd_callable_callv(callback, &none);
	gd_destroy(GD_VARIANT, &unused);
	gd_destroy(GD_ARRAY, &none);
}

// query_path(parameters: CorridorPathQueryParameters, result: CorridorPathQueryResult,
//     callback: Callable = Callable())
void server_query_path(GdCall* call)
{
	const Parameters* parameters =
		gd_get_instance(*(const GDExtensionObjectPtr*)call->args[0], &parameters_class);
	GDExtensionObjectPtr object = *(const GDExtensionObjectPtr*)call->args[1];
	Result* result = gd_get_instance(object, &result_class);
	if (parameters == NULL || result == NULL)
	{
		GD_ERROR("query_path(): pass a CorridorPathQueryParameters and a CorridorPathQueryResult.");
		return;
	}
	if (store_get_map(parameters->map) == NULL)
	{
		GD_ERROR("query_path(): parameters.map names no map. Set it to what map_create() or a "
				 "region's get_navigation_map() returned.");
		return;
	}
	Query* query = make_query(parameters);
	if (query == NULL)
	{
		return;
	}
	if (!gd_callable_is_valid(call->args[2]))
	{
		answer_query(query);
		finish_query(query, result);
		return;
	}
	gd_set_reference(&query->result, object);
	gd_construct(GD_CALLABLE, &query->callback);
	gd_assign(GD_CALLABLE, &query->callback, call->args[2]);
	query->next = pending;
	pending = query;
	query->task = gd_start_task(answer_query, query, "NavCorridor path");
}

static Query* take_done_query(bool is_waiting)
{
	gd_lock();
	Query** place = &pending;
	while (*place != NULL && !is_waiting && !gd_is_task_done((*place)->task))
	{
		place = &(*place)->next;
	}
	Query* query = *place;
	if (query != NULL)
	{
		*place = query->next;
	}
	gd_unlock();
	return query;
}

void server_finish_path_queries(bool is_waiting)
{
	for (Query* query = take_done_query(is_waiting); query != NULL;
		 query = take_done_query(is_waiting))
	{
		gd_wait_for_task(query->task);
		GDExtensionObjectPtr object = query->result;
		GdCallable callback = query->callback;
		finish_query(query, gd_get_instance(object, &result_class));
		if (!is_waiting)
		{
			call_back(&callback);
		}
		gd_destroy(GD_CALLABLE, &callback);
		gd_set_reference(&object, NULL);
	}
}

void path_query_register(void)
{
	gd_register_class(&parameters_class);
	gd_register_class(&result_class);
}
