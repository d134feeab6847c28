// SPDX-License-Identifier: MIT

// Scenes from 3D levels in Wavefront .obj files: lines "v x y z" and "f a b c ...", y up. Faces of
// more corners are cut into triangles around the first; everything else in the file is left out.
// What lies between two heights is projected onto a bitmap, whose blocked cells become polygons.
// The ground is x and z, as in Godot.

#include "memory.h"
#include "nav_corridor/project.h"
#include "scene_file.h"

#include <math.h>
#include <stdlib.h>

// Without --cell, so many cells lie along the larger side of the level.
#define DEFAULT_CELLS 1024

// How far a polygon may be from the border of the cells, in cells: below a half, so that no passage
// closes.
#define CONTOUR_TOLERANCE 0.49

// Without --heights: from here above the lowest point up to there, in world units.
#define DEFAULT_KNEES 0.3
#define DEFAULT_HEAD 1.8

typedef struct Mesh
{
	NcVec3* vertices; // with y and z exchanged: z is up
	int vertex_count, vertex_capacity;
	NcTriangle* triangles;
	int triangle_count, triangle_capacity;
} Mesh;

static bool read_vertex(Text* text, Mesh* mesh)
{
	NcVec3 p;
	if (!text_read_number(text, &p.x) || !text_read_number(text, &p.z) ||
		!text_read_number(text, &p.y))
	{
		return false;
	}
	mesh->vertices =
		memory_grow(mesh->vertices, mesh->vertex_count, &mesh->vertex_capacity, sizeof(NcVec3));
	mesh->vertices[mesh->vertex_count++] = p;
	return true;
}

// Read the number of a vertex, and skip those of its texture and normal: "7", "7/1", "7//2",
// "7/1/2". Negative numbers count from the last vertex.
static bool read_corner(Text* text, const Mesh* mesh, NcVec3* corner)
{
	bool is_negative = text_accept(text, '-');
	long long number = 0;
	int digit_count = 0;
	for (; text->at < text->line_end && '0' <= *text->at && *text->at <= '9'; ++text->at)
	{
		number = digit_count++ < 12 ? 10 * number + (*text->at - '0') : number;
	}
	if (digit_count == 0)
	{
		return text_fail_expected(text, "the number of a vertex");
	}
	while (text->at < text->line_end && *text->at != ' ' && *text->at != '\t')
	{
		++text->at;
	}
	long long index = is_negative ? mesh->vertex_count - number : number - 1;
	if (index < 0 || index >= mesh->vertex_count)
	{
		return text_fail(text, "there is no vertex %s%lld", is_negative ? "-" : "", number);
	}
	*corner = mesh->vertices[index];
	return true;
}

static bool read_face(Text* text, Mesh* mesh)
{
	NcVec3 first = {0};
	NcVec3 last = {0};
	int count = 0;
	for (; !text_is_line_done(text); ++count)
	{
		NcVec3 corner;
		if (!read_corner(text, mesh, &corner))
		{
			return false;
		}
		if (count >= 2)
		{
			mesh->triangles = memory_grow(mesh->triangles, mesh->triangle_count,
				&mesh->triangle_capacity, sizeof(NcTriangle));
			mesh->triangles[mesh->triangle_count++] = (NcTriangle){{first, last, corner}};
		}
		first = count == 0 ? corner : first;
		last = corner;
	}
	return count >= 3 || text_fail(text, "a face has less than three corners");
}

static bool read_mesh(Text* text, Mesh* mesh)
{
	while (text_next_line(text))
	{
		if (text_accept_word(text, "V"))
		{
			if (!read_vertex(text, mesh))
			{
				return false;
			}
		}
		else if (text_accept_word(text, "F") && !read_face(text, mesh))
		{
			return false;
		}
	}
	return mesh->triangle_count > 0 || text_fail(text, "there are no faces");
}

static NcProjectDef make_def(const Mesh* mesh, const Scene* scene)
{
	NcBox box = nc_box_empty();
	double lowest = HUGE_VAL;
	for (int i = 0; i < mesh->vertex_count; ++i)
	{
		box = nc_box_add_point(box, (NcVec2){mesh->vertices[i].x, mesh->vertices[i].y});
		lowest = nc_min(lowest, mesh->vertices[i].z);
	}
	NcVec2 extent = nc_sub(box.upper, box.lower);
	NcProjectDef def = nc_default_project_def();
	double side = nc_max(extent.x, extent.y);
	def.cell_size = scene->cell_size > 0.0 ? scene->cell_size : nc_max(side / DEFAULT_CELLS, 1e-9);
	// A cell more all around, so that borders are closed.
	def.lower = nc_sub(box.lower, (NcVec2){def.cell_size, def.cell_size});
	def.width = (int)nc_min(ceil(extent.x / def.cell_size) + 2.0, 1e9);
	def.height = (int)nc_min(ceil(extent.y / def.cell_size) + 2.0, 1e9);
	def.triangles = mesh->triangles;
	def.triangle_count = mesh->triangle_count;
	bool has_heights = scene->heights[0] < scene->heights[1];
	def.z_min = has_heights ? scene->heights[0] : lowest + DEFAULT_KNEES;
	def.z_max = has_heights ? scene->heights[1] : lowest + DEFAULT_HEAD;
	return def;
}

static void add_contours(Scene* scene, const NcBitmapContours* contours)
{
	const NcVec2* point = contours->points;
	int ring = 0;
	for (int i = 0; i < contours->shape_count; ++i)
	{
		scene_begin_polygon(scene, 0);
		for (int k = 0; k < contours->shape_rings[i]; ++k, ++ring)
		{
			scene_begin_ring(scene);
			for (int m = 0; m < contours->ring_counts[ring]; ++m)
			{
				scene_add_point(scene, *point++);
			}
		}
	}
}

static bool project(Text* text, const Mesh* mesh, Scene* scene)
{
	NcProjectDef def = make_def(mesh, scene);
	NcBitmap bitmap;
	NcBitmapContours contours = {0};
	NcError error = {0};
	NcStatus status = nc_project(NULL, &def, &bitmap, NULL, &error);
	if (status != NC_OK)
	{
		return text_fail(text, "the level cannot be projected: %s", error.reason);
	}
	status = nc_bitmap_trace(&bitmap, CONTOUR_TOLERANCE * def.cell_size, &contours);
	if (status == NC_OK)
	{
		add_contours(scene, &contours);
		scene->has_bounds = true;
		scene->bounds = (NcBox){
			def.lower, nc_mul_add(def.lower, def.cell_size, (NcVec2){def.width, def.height})};
	}
	nc_bitmap_contours_free(&contours);
	nc_bitmap_free(&bitmap);
	return status == NC_OK ||
		   text_fail(text, "the level cannot be traced: %s", nc_status_name(status));
}

bool scene_read_obj(Text* text, Scene* scene)
{
	Mesh mesh = {0};
	bool is_read = read_mesh(text, &mesh) && project(text, &mesh, scene);
	free(mesh.vertices);
	free(mesh.triangles);
	return is_read;
}
