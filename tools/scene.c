// SPDX-License-Identifier: MIT

// The obstacles of an input file, whatever its format was. Readers append shapes, rings and points
// in the order of the file; three flat arrays hold them all.

#include "scene.h"

#include "memory.h"

#include <stdlib.h>

void scene_destroy(Scene* scene)
{
	free(scene->shapes);
	free(scene->points);
	free(scene->ring_counts);
	*scene = (Scene){0};
}

void scene_begin_shape(Scene* scene, NcShapeKind kind, int line)
{
	scene->shapes =
		memory_grow(scene->shapes, scene->shape_count, &scene->shape_capacity, sizeof(SceneShape));
	scene->shapes[scene->shape_count++] = (SceneShape){
		.kind = kind,
		.line = line,
		.first_point = scene->point_count,
		.first_ring = scene->ring_count,
	};
}

void scene_begin_polygon(Scene* scene, int line)
{
	NcShapeKind kind = scene->polygons_are_walkable ? NC_SHAPE_WALKABLE : NC_SHAPE_POLYGON;
	scene_begin_shape(scene, kind, line);
}

void scene_begin_ring(Scene* scene)
{
	scene->ring_counts =
		memory_grow(scene->ring_counts, scene->ring_count, &scene->ring_capacity, sizeof(int));
	scene->ring_counts[scene->ring_count++] = 0;
	++scene->shapes[scene->shape_count - 1].ring_count;
}

void scene_add_point(Scene* scene, NcVec2 point)
{
	scene->points =
		memory_grow(scene->points, scene->point_count, &scene->point_capacity, sizeof(NcVec2));
	scene->points[scene->point_count++] = point;

	SceneShape* shape = &scene->shapes[scene->shape_count - 1];
	++shape->point_count;
	if (shape->ring_count > 0)
	{
		++scene->ring_counts[scene->ring_count - 1];
	}
}

NcShape scene_get_shape(const Scene* scene, int index)
{
	const SceneShape* shape = &scene->shapes[index];
	return (NcShape){
		.kind = shape->kind,
		.points = scene->points + shape->first_point,
		.point_count = shape->point_count,
		.ring_counts = shape->ring_count > 0 ? scene->ring_counts + shape->first_ring : NULL,
		.ring_count = shape->ring_count,
	};
}

NcBox scene_compute_box(const Scene* scene)
{
	NcBox box = nc_box_empty();
	for (int i = 0; i < scene->point_count; ++i)
	{
		box = nc_box_add_point(box, scene->points[i]);
	}
	return box;
}
